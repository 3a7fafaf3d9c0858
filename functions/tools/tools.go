// Package tools is the HTTP face of the tools that can also be used in a chat.
package tools

import (
	"net/http"
	"strings"

	"lectern/shared/api/rest"
	"lectern/shared/chat/tool/databasequery"
	"lectern/shared/chat/tool/semanticsearch"
	"lectern/shared/chat/tool/tabularanalysis"
	"lectern/shared/chat/tool/webfetch"
	"lectern/shared/chat/tool/websearch"
	"lectern/shared/fault"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/message"
	"lectern/shared/message/passage"
)

// Deps are the group's collaborators.
type Deps struct {
	Searcher  *retrieval.Searcher
	Databases *databasequery.Tool
	Tables    *tabularanalysis.Tool
	Search    *websearch.Tool // nil where no engine is set up
	Fetch     *webfetch.Tool
}

// New returns the group's handler.
func New(d Deps) http.Handler { return rest.Mux(d.Routes()) }

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{
		{Pattern: "POST /v1/tools/semantic-search", Handle: d.semanticSearch, Doc: rest.Doc{
			Summary: "Search documents for passages", Body: searchBody{}, Answer: answer{}}},
		{Pattern: "POST /v1/tools/database-query", Handle: d.databaseQuery, Doc: rest.Doc{
			Summary: "Answer a question from SQL databases", Body: databaseBody{}, Answer: answer{}}},
		{Pattern: "POST /v1/tools/tabular-data-analysis", Handle: d.tabularAnalysis, Doc: rest.Doc{
			Summary: "Answer a question from the tables of documents", Body: tabularBody{}, Answer: answer{}}},
		{Pattern: "POST /v1/tools/web-search", Handle: d.searchWeb, Doc: rest.Doc{
			Summary: "Search the web", Body: searchWebBody{}, Answer: answer{}}},
		{Pattern: "POST /v1/tools/web-fetch", Handle: d.fetchWeb, Doc: rest.Doc{
			Summary: "Read a page or a document of the web", Body: fetchWebBody{}, Answer: answer{}}},
	}
}

// answer is the API's tool response.
type answer struct {
	Content message.Content `json:"content"`
	IsError bool            `json:"is_error"`
}

type searchBody struct {
	Query  string                 `json:"query" required:"true" minlen:"1"`
	Filter *message.ContextFilter `json:"context_filter" required:"true"`
	Format string                 `json:"format" default:"default" enum:"default,citations"`
}

const hits = 10

func (d Deps) semanticSearch(w http.ResponseWriter, r *http.Request) error {
	b, err := rest.Decode[searchBody](w, r, rest.SmallBody)
	if err != nil {
		return err
	}
	if strings.TrimSpace(b.Query) == "" {
		return fault.Field("string_too_short", "query should not be empty", "body", "query")
	}
	found, err := d.Searcher.Search(r.Context(), retrieval.Query{Text: b.Query, Filter: *b.Filter, Limit: hits})
	switch {
	case fault.Is(err, fault.NotFound): // a tool that fails still answers 200
		return rest.Write(w, http.StatusOK, answer{Content: message.Content{message.NewText(fault.As(err).Msg)}, IsError: true})
	case err != nil:
		return err
	}
	return rest.Write(w, http.StatusOK, answer{Content: d.show(found, b.Format == "citations")})
}

// show lists the chunks as a source block and as texts, with their ids and
// citations where these are wanted.
func (d Deps) show(found *retrieval.Found, cite bool) message.Content {
	out := message.Content{semanticsearch.SourceBlock(found.Chunks)}
	if len(found.Chunks) == 0 {
		return append(out, message.NewText("No relevant passages were found."))
	}
	var book passage.Book
	for i, p := range semanticsearch.Passages(found) {
		p = book.Add(p)
		text := message.NewText(p.Text)
		if cite {
			c := p.Cite(0, len(p.Text))
			index := i
			c.Index = &index
			text.Text = "[" + p.ID + "] " + p.Text
			text.Citations = message.Citations{c}
		}
		out = append(out, text)
	}
	return out
}
