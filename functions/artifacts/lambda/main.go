// Command lambda is the function of the group artifacts. It also reads documents
// for the functions that carry no readers.
package main

import (
	"lectern/functions/artifacts"
	"lectern/shared/app/function"
	"lectern/shared/app/process/reading"
	"lectern/shared/knowledge/reader/invokereader"
)

func main() {
	f := function.Start()
	reading.Open(&f.Process, "")
	f.Serve(f.Keep(artifacts.Deps{Artifacts: f.Artifacts(), Tasks: f.Tasks()}.Routes()), f.Answer(invokereader.Operations(f.Artifacts())))
}
