// Command lambda is the function of the group tools. It also runs the tools
// that carry much for the functions that answer chats.
package main

import (
	"lectern/functions/tools"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/function"
	"lectern/shared/tool"
	"lectern/shared/tool/invoketool"
)

func main() {
	f := function.Start()
	databases, tables := f.Databases(sqldrivers.Opener(f.Fetcher().Dial, sqldrivers.Options{}))
	f.Serve(tools.Deps{Searcher: f.Searcher(), Databases: databases, Tables: tables}.Routes(), f.Answer(invoketool.Operations(tool.NewSet(databases, tables))))
}
