// Package reading gives a process the readers of documents. It stands apart
// from package process because what it imports is linked, and made ready at
// every start, whether it is used or not: only processes that read carry it.
package reading

import (
	"path/filepath"

	"lectern/shared/app"
	"lectern/shared/app/process"
	"lectern/shared/knowledge/reader/formats"
	"lectern/shared/knowledge/reader/pdf"
)

// Open gives p all readers of documents. The PDF reader's compiled code lies in
// the directory cache: when that is empty, in one of its own among the data.
func Open(p *process.Process, cache string) {
	if cache == "" {
		cache = filepath.Join(p.Config.Data, "cache")
	}
	models := p.Models()
	if p.Err() != nil {
		return
	}
	p.Readers = formats.Builtin(formats.Options{PDF: pdf.NewEngine(cache), Path: p.Config.Path, Transcribe: app.Transcriber(models)})
	p.OnClose(p.Readers.Close)
}
