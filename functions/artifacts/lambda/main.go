// Command lambda is the function of the group artifacts. It alone reads
// documents, so it alone carries the readers.
package main

import (
	"path/filepath"

	"lectern/functions/artifacts"
	"lectern/shared/app"
	"lectern/shared/function"
	"lectern/shared/reader"
	"lectern/shared/reader/pdf"
)

func main() {
	f := function.Start()
	readers := reader.Builtin(reader.Options{PDF: pdf.NewEngine(filepath.Join(f.Config.Data, "cache")), Path: f.Config.Path, Transcribe: app.Transcriber(f.Models())})
	f.Serve(artifacts.New(artifacts.Deps{Artifacts: f.Artifacts(readers)}), nil)
}
