// Command lambda is the function of the group tools. It also runs the tools
// that carry much, and reaches external tool servers, for the functions that
// answer chats.
package main

import (
	"lectern/functions/tools"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/function"
	"lectern/shared/function/toolset"
	"lectern/shared/tool"
	"lectern/shared/tool/invokeservers"
	"lectern/shared/tool/invoketool"
	"lectern/shared/tool/mcpclient"
)

func main() {
	f := function.Start()
	databases, tables := toolset.Databases(f, sqldrivers.Opener(f.Fetcher().Dial, sqldrivers.Options{}))
	search, pages := toolset.Web(f)
	set := tool.NewSet(databases, tables, pages)
	if search != nil {
		set[search.Type()] = search
	}
	f.Serve(tools.Deps{Searcher: f.Searcher(), Databases: databases, Tables: tables, Search: search, Fetch: pages}.Routes(), f.Answer(invoketool.Operations(set), invokeservers.Operations(&mcpclient.Client{Fetch: f.Fetcher()})))
}
