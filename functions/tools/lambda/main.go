// Command lambda is the function of the group tools. It also runs the tools
// that carry much, and reaches external tool servers, for the functions that
// answer chats.
package main

import (
	"lectern/functions/tools"
	"lectern/shared/app/function"
	"lectern/shared/app/process/toolset"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/invokeservers"
	"lectern/shared/chat/tool/invoketool"
	"lectern/shared/chat/tool/mcpclient"
	"lectern/shared/database/sqldrivers"
)

func main() {
	f := function.Start()
	set := toolset.Open(&f.Process, f.Reader(), sqldrivers.Opener(f.Fetcher().Dial, sqldrivers.Options{}))
	f.Serve(tools.Deps{Searcher: f.Searcher(), Databases: set.Databases, Tables: set.Tables, Search: set.Search, Fetch: set.Pages}.Routes(), f.Answer(invoketool.Operations(tool.NewSet(set.List()...)), invokeservers.Operations(&mcpclient.Client{Fetch: f.Fetcher()})))
}
