// Command lambda is the function of the group tools. It also runs the tools with
// large dependencies, and connects to MCP servers, for the functions that answer
// chats.
package main

import (
	"context"
	"os"

	"lectern/functions/tools"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/app/toolset"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/invokeservers"
	"lectern/shared/chat/tool/invoketool"
	"lectern/shared/chat/tool/mcpclient"
	"lectern/shared/database/sqldrivers"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Open(ctx, cloud.Objects, cloud.Records, app.Embedder, cloud.Index, app.Models, app.Reranker, app.WebSearch, cloud.Sealer)
	if err != nil {
		return err
	}
	reader, err := cloud.Reader(ctx, p)
	if err != nil {
		return err
	}
	l := app.NewLibrary(p)
	set := toolset.New(p, l, reader, sqldrivers.Opener(l.Fetch.Dial, sqldrivers.Options{Superusers: p.Config.SQLSuperusers, Log: p.Log}))
	routes := tools.Deps{Searcher: l.Searcher, Databases: set.Databases, Tables: set.Tables, Search: set.Search, Fetch: set.Pages}.Routes()
	return cloud.Serve(p, routes, cloud.Answer(p, invoketool.Operations(tool.NewSet(set.List()...)),
		invokeservers.Operations(&mcpclient.Client{Fetch: l.Fetch})))
}
