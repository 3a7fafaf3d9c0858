// Command lambda is the function of the group files.
package main

import (
	"lectern/functions/files"
	"lectern/shared/app/function"
)

func main() {
	f := function.Start()
	f.Serve(f.Keep(files.Deps{Files: f.Files(), Now: f.Now}.Routes()), nil)
}
