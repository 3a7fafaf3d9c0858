// Package reading gives a process the readers of documents. What it imports is
// linked, and initialised at each start, whether it is used or not: only
// processes that read documents carry it.
package reading

import (
	"context"
	"path/filepath"

	"lectern/shared/app"
	"lectern/shared/knowledge/reader/formats"
	"lectern/shared/knowledge/reader/pdf"
)

// Readers opens all readers of documents, with the compiled code of the PDF
// engine in the directory "cache" of the data directory. It needs Models, which
// read the text of images.
func Readers(ctx context.Context, p *app.Process) error {
	return WithCache(filepath.Join(p.Config.Data, "cache"))(ctx, p)
}

// WithCache is Readers with the PDF engine's compiled code in a directory.
func WithCache(cache string) app.Part {
	return func(_ context.Context, p *app.Process) error {
		p.Readers = formats.Builtin(formats.Options{PDF: pdf.NewEngine(cache), Path: p.Config.Path, Transcribe: app.Transcriber(p.Models)})
		p.OnClose(p.Readers.Close)
		return nil
	}
}
