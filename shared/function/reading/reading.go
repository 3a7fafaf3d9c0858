// Package reading gives a function the readers of documents. It stands apart
// from package function because what it imports is linked, and made ready at
// every start, whether it is used or not: only functions that read carry it.
package reading

import (
	"path/filepath"

	"lectern/shared/app"
	"lectern/shared/function"
	"lectern/shared/reader"
	"lectern/shared/reader/formats"
	"lectern/shared/reader/pdf"
)

// Readers are all readers of documents. The PDF reader's compiled code lies in
// the directory cache of the function's data.
func Readers(f *function.Function) *reader.Set {
	engine := pdf.NewEngine(filepath.Join(f.Config.Data, "cache"))
	return formats.Builtin(formats.Options{PDF: engine, Path: f.Config.Path, Transcribe: app.Transcriber(f.Models())})
}
