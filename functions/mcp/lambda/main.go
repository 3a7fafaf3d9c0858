// Command lambda is the function of the group mcp.
package main

import (
	"lectern/functions/mcp"
	"lectern/shared/app/function"
)

func main() {
	f := function.Start()
	f.Serve(mcp.Deps{Searcher: f.Searcher(), Artifacts: f.Artifacts(), Origins: mcp.OriginsOf(f.Config), Log: f.Log}.Routes(), nil)
}
