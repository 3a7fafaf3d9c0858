// Package toolset gives a process the tools that ask databases and the web. It
// stands apart from package process because what it imports is linked, and made
// ready at every start, whether it is used or not.
package toolset

import (
	"lectern/shared/app"
	"lectern/shared/app/process"
	"lectern/shared/chat"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/databasequery"
	"lectern/shared/chat/tool/tabularanalysis"
	"lectern/shared/chat/tool/webfetch"
	"lectern/shared/chat/tool/websearch"
	"lectern/shared/database"
	"lectern/shared/database/inquiry"
)

// Set is the tools.
type Set struct {
	Databases *databasequery.Tool
	Tables    *tabularanalysis.Tool
	Search    *websearch.Tool // nil where no engine is set up
	Pages     *webfetch.Tool
}

// Open makes the tools. reader reads what requests bring along, and open opens
// databases.
func Open(p *process.Process, reader chat.Reader, open database.Opener) Set {
	ask := &inquiry.Service{Ask: app.SQLWriter(p.Models())}
	s := Set{
		Databases: &databasequery.Tool{Open: open, Inquiry: ask, Files: p.Files()},
		Tables:    &tabularanalysis.Tool{Open: open, Inquiry: ask, Artifacts: p.Artifacts(), Reader: reader, Files: p.Files()},
		Pages:     &webfetch.Tool{Fetch: p.Fetcher(), Reader: reader, Now: p.Now, Robots: p.Config.WebRobots},
	}
	engine, err := app.SearchWeb(p.Config)
	p.Note("", err)
	if engine != nil {
		s.Search = &websearch.Tool{Engine: engine}
	}
	return s
}

// List are the tools that there are.
func (s Set) List() []tool.Tool {
	list := []tool.Tool{s.Databases, s.Tables, s.Pages}
	if s.Search != nil {
		list = append(list, s.Search)
	}
	return list
}
