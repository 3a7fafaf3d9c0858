// Package websearch is the tool that searches the web.
package websearch

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"lectern/shared/api/schema"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/web"
)

// block is the type of its result blocks.
const block = "web_search_tool_result"

// Type declares the tool in a request.
const Type = "web_search_v1"

// Limits of one search.
const (
	StandardResults = 8
	MaxResults      = 20
	MaxQuery        = 2000 // characters
)

// Tool searches. Safe for concurrent use.
type Tool struct{ Engine web.Searcher }

// Type is web_search_v1.
func (*Tool) Type() string { return Type }

// Describe returns the description for models.
func (*Tool) Describe() tool.Description {
	return tool.Description{
		Description:  "Search the web. Returns addresses, titles and excerpts of the best pages.",
		InputSchema:  message.Object(`{"type":"object","properties":{"query":{"type":"string","description":"the words to search for"}},"required":["query"]}`),
		Instructions: "Search the web for what may have changed lately and for what no other material answers. Name the pages that an answer rests on.",
		Results:      block,
	}
}

// Check reports invalid domains.
func (*Tool) Check(_ context.Context, spec tool.Spec) error { return spec.Domains.Check() }

// Run searches.
func (t *Tool) Run(ctx context.Context, call tool.Call) (tool.Result, error) {
	var input struct {
		Query string `json:"query"`
	}
	if err := json.Unmarshal(call.Input, &input); err != nil || strings.TrimSpace(input.Query) == "" {
		return tool.Refused(block, "invalid_tool_input", "the input needs a query"), nil
	}
	if utf8.RuneCountInString(input.Query) > MaxQuery {
		return tool.Refused(block, "query_too_long", fmt.Sprintf("the query is over %d characters", MaxQuery)), nil
	}
	return t.Search(ctx, web.Query{Text: input.Query, Limit: StandardResults, Domains: call.Domains})
}

// Search runs one search. A failure of the engine is an error result.
func (t *Tool) Search(ctx context.Context, q web.Query) (tool.Result, error) {
	list, err := t.Engine.Search(ctx, q)
	if f := fault.As(err); f != nil && f.Code != fault.Internal {
		code := "unavailable"
		if f.Code == fault.RateLimited {
			code = "too_many_requests"
		}
		return tool.Refused(block, code, f.Msg), nil
	}
	if err != nil {
		return tool.Result{}, err
	}
	sources := &message.Sources{Sources: []message.SourceRecord{}}
	result := tool.Result{Content: message.Content{sources}, Use: message.ServerUse{WebSearch: 1}}
	own := []hit{}
	for i, r := range list {
		site := web.NewWebsite(r.URL)
		site.Title, site.Description, site.Favicon = r.Title, r.Text, r.Favicon
		raw, err := schema.Marshal(site)
		if err != nil {
			return tool.Result{}, err
		}
		sources.Sources = append(sources.Sources, message.SourceRecord(raw))
		text := fmt.Sprintf("%s\n%s\n%s", r.Title, r.URL, r.Text)
		result.Material = append(result.Material, passage.Passage{
			Kind: passage.SearchResult, Key: "web\x00" + r.URL + "\x00" + r.Text, Title: r.Title, Source: r.URL, Text: text, SearchIndex: i,
		})
		own = append(own, hit{Type: "web_search_result", URL: r.URL, Title: r.Title, Text: r.Text, Age: r.Age})
	}
	if len(list) == 0 {
		result.Nothing = true
		result.Content = append(result.Content, message.NewText("The search found nothing."))
	}
	raw, err := schema.Marshal(own)
	result.Own = &tool.Own{Tag: block, Content: raw}
	return result, err
}

// hit is a result in the Anthropic API's shape. The excerpt takes the place of
// its opaque encrypted content, because clients send that back with the
// conversation.
type hit struct {
	Type string `json:"type"`
	URL  string `json:"url"`
	// Title and the others as Anthropic's WebSearchResultBlock.
	Title string `json:"title"`
	Text  string `json:"encrypted_content"`
	Age   string `json:"page_age,omitempty"`
}
