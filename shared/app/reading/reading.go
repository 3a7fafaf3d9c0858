// Package reading gives a process the readers of documents. It is separate
// because its imports are linked and initialised at each start, used or not:
// only processes that parse documents should import it.
package reading

import (
	"context"
	"path/filepath"

	"lectern/shared/app"
	"lectern/shared/knowledge/reader/formats"
	"lectern/shared/knowledge/reader/pdf"
)

// Readers opens all readers. The compiled code of the PDF engine is cached in
// the directory "cache" of the data directory. It needs Models, which read the
// text of images.
func Readers(ctx context.Context, p *app.Process) error {
	return WithCache(filepath.Join(p.Config.Data, "cache"))(ctx, p)
}

// WithCache is Readers with another cache directory.
func WithCache(cache string) app.Part {
	return func(_ context.Context, p *app.Process) error {
		engine := pdf.NewEngine(cache)
		engine.Log, engine.Memory = p.Log, p.Reading
		p.Readers = formats.Builtin(formats.Options{PDF: engine, Path: p.Config.Path, Transcribe: app.Transcriber(p.Models)})
		p.OnClose(p.Readers.Close)
		return nil
	}
}
