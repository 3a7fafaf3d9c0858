// Command lambda is the function of the group primitives.
package main

import (
	"lectern/functions/primitives"
	"lectern/shared/app/function"
)

func main() {
	f := function.Start()
	f.Serve(primitives.Deps{Searcher: f.Searcher()}.Routes(), nil)
}
