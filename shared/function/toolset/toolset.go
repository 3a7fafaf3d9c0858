// Package toolset gives a function the tools that other functions have run for
// them. It stands apart from package function because what it imports is
// linked, and made ready at every start, whether it is used or not.
package toolset

import (
	"lectern/shared/app"
	"lectern/shared/database"
	"lectern/shared/database/inquiry"
	"lectern/shared/function"
	"lectern/shared/tool/databasequery"
	"lectern/shared/tool/tabularanalysis"
	"lectern/shared/tool/webfetch"
	"lectern/shared/tool/websearch"
)

// Databases are the tools that ask databases, which open opens.
func Databases(f *function.Function, open database.Opener) (*databasequery.Tool, *tabularanalysis.Tool) {
	ask := &inquiry.Service{Ask: app.SQLWriter(f.Models())}
	return &databasequery.Tool{Open: open, Inquiry: ask, Files: f.Files()},
		&tabularanalysis.Tool{Open: open, Inquiry: ask, Artifacts: f.Artifacts(nil), Reader: f.Reader(), Files: f.Files()}
}

// Web are the tools that look at the web. search is nil where no engine is set
// up.
func Web(f *function.Function) (search *websearch.Tool, pages *webfetch.Tool) {
	if engine := function.Must(app.SearchWeb(f.Config)); engine != nil {
		search = &websearch.Tool{Engine: engine}
	}
	return search, &webfetch.Tool{Fetch: f.Fetcher(), Reader: f.Reader(), Now: f.Now, Robots: f.Config.WebRobots}
}
