// Command lambda is the function of the group system. The description of the
// interface lies beside the program, where the build has put it.
package main

import (
	"os"
	"path/filepath"

	"lectern/functions/system"
	"lectern/shared/app"
	"lectern/shared/app/function"
)

func main() {
	f := function.Start()
	document := function.Must(os.ReadFile(filepath.Join(f.Config.Data, "openapi.json")))
	handler := function.Must(system.New(system.Deps{Checks: app.Checks(f.Records(), f.Objects(), f.Index()), Document: document}))
	f.ServeHandler(handler, nil)
}
