// Command lambda is the function of the group tools.
package main

import (
	"lectern/functions/tools"
	"lectern/shared/function"
)

func main() {
	f := function.Start()
	f.Serve(tools.Deps{Searcher: f.Searcher()}.Routes(), nil)
}
