// Command lambda is the function of the group artifacts. It also reads documents
// for the functions that carry no readers.
package main

import (
	"lectern/functions/artifacts"
	"lectern/shared/function"
	"lectern/shared/function/reading"
	"lectern/shared/reader/invokereader"
)

func main() {
	f := function.Start()
	service := f.Artifacts(reading.Readers(f))
	f.Serve(f.Keep(artifacts.Deps{Artifacts: service, Tasks: f.Tasks(service)}.Routes()), f.Answer(invokereader.Operations(service)))
}
