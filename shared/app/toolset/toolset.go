// Package toolset builds the tools that app.Tools places in the function of
// tools: those for databases and the web. It is separate because its imports
// are linked and initialised at each start, used or not.
package toolset

import (
	"lectern/shared/app"
	"lectern/shared/chat"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/databasequery"
	"lectern/shared/chat/tool/inquiry"
	"lectern/shared/chat/tool/meaning"
	"lectern/shared/chat/tool/tabularanalysis"
	"lectern/shared/chat/tool/webfetch"
	"lectern/shared/chat/tool/websearch"
	"lectern/shared/database"
)

// Set holds the tools.
type Set struct {
	Databases *databasequery.Tool
	Tables    *tabularanalysis.Tool
	Search    *websearch.Tool // nil without a search engine
	Pages     *webfetch.Tool
}

// New builds the tools. reader parses documents in requests, open opens
// databases. It needs Models, Web and the parts of the library.
func New(p *app.Process, l *app.Library, reader chat.Reader, open database.Opener) Set {
	ask := &inquiry.Service{Ask: app.SQLWriter(p.Models)}
	ask.Means, _ = p.Embedder.(meaning.Model)
	s := Set{
		Databases: &databasequery.Tool{Open: open, Inquiry: ask, Files: l.Files},
		Tables:    &tabularanalysis.Tool{Open: open, Inquiry: ask, Artifacts: l.Artifacts, Reader: reader, Files: l.Files},
		Pages:     &webfetch.Tool{Fetch: l.Fetch, Reader: reader, Now: p.Now, Robots: p.Config.WebRobots},
	}
	if p.Web != nil {
		s.Search = &websearch.Tool{Engine: p.Web}
	}
	return s
}

// List returns the configured tools.
func (s Set) List() []tool.Tool {
	list := []tool.Tool{s.Databases, s.Tables, s.Pages}
	if s.Search != nil {
		list = append(list, s.Search)
	}
	return list
}
