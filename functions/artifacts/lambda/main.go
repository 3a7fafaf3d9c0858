// Command lambda is the function of the group artifacts. It also reads documents
// for the functions that carry no readers.
package main

import (
	"path/filepath"

	"lectern/functions/artifacts"
	"lectern/shared/function"
	"lectern/shared/reader/invokereader"
	"lectern/shared/reader/pdf"
)

func main() {
	f := function.Start()
	service := f.Artifacts(f.Readers(pdf.NewEngine(filepath.Join(f.Config.Data, "cache"))))
	f.Serve(f.Keep(artifacts.Deps{Artifacts: service, Tasks: f.Tasks(service)}.Routes()), f.Answer(invokereader.Operations(service)))
}
