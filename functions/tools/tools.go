// Package tools holds endpoints that run the built-in tools without a chat.
package tools

import (
	"context"
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

// Deps are the collaborators of the group.
type Deps struct {
	Searcher  *retrieval.Searcher
	Databases *databasequery.Tool
	Tables    *tabularanalysis.Tool
	Search    *websearch.Tool // nil when no search engine is configured
	Fetch     *webfetch.Tool
}

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{
		{Pattern: "POST /v1/tools/semantic-search", Handle: rest.JSON(d.semanticSearch), Doc: "Search documents for passages"},
		{Pattern: "POST /v1/tools/database-query", Large: true, Handle: rest.JSON(d.databaseQuery),
			Doc: "Answer a question from SQL databases"},
		{Pattern: "POST /v1/tools/tabular-data-analysis", Handle: rest.JSON(d.tabularAnalysis),
			Doc: "Answer a question from the tables of documents"},
		{Pattern: "POST /v1/tools/web-search", Handle: rest.JSON(d.searchWeb), Doc: "Search the web"},
		{Pattern: "POST /v1/tools/web-fetch", Handle: rest.JSON(d.fetchWeb), Doc: "Read a web page or a document by URL"},
	}
}

// answer is the result of a tool.
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

func (d Deps) semanticSearch(ctx context.Context, b *searchBody) (answer, error) {
	if strings.TrimSpace(b.Query) == "" {
		return answer{}, fault.Field("string_too_short", "query should not be empty", "body", "query")
	}
	found, err := d.Searcher.Search(ctx, retrieval.Query{Text: b.Query, Filter: *b.Filter, Limit: hits})
	switch {
	case fault.Is(err, fault.NotFound): // a tool that fails still answers 200
		return answer{Content: message.Content{message.NewText(fault.As(err).Msg)}, IsError: true}, nil
	case err != nil:
		return answer{}, err
	}
	return answer{Content: d.show(found, b.Format == "citations")}, nil
}

// show lists the chunks as a sources block and as texts; cite adds their ids and
// citations.
func (d Deps) show(found *retrieval.Found, cite bool) message.Content {
	out := message.Content{semanticsearch.SourceBlock(found.Chunks)}
	if len(found.Chunks) == 0 {
		return append(out, message.NewText(semanticsearch.Nothing(found.Warnings)))
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
