// Package webfetch is the tool that reads a web page or a file by URL.
//
// URLs are fetched only through the guarded client. The request's domains and
// the site's robots.txt also apply to redirects.
package webfetch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"codeberg.org/readeck/go-readability/v2"

	"lectern/shared/api/schema"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/knowledge/reader/webpage"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/chunk"
	"lectern/shared/text/document"
	"lectern/shared/web"
	"lectern/shared/web/fetch"
)

// block is the type of its result blocks.
const block = "web_fetch_tool_result"

// Type declares the tool in a request.
const Type = "web_fetch_v1"

const (
	maxAddress  = 2048
	maxText     = 100_000 // bytes of a page's text that are shown
	leastOfPage = 200     // bytes; a shorter article is not the page's main content
)

// Reader reads files by their names and media types.
type Reader interface {
	ReadBytes(ctx context.Context, name, mediaType string, data []byte) (*document.Document, error)
}

// Tool fetches. Safe for concurrent use.
type Tool struct {
	Fetch  *fetch.Client
	Reader Reader
	Now    func() time.Time
	// Robots says that robots.txt is honoured.
	Robots bool
}

// Type is web_fetch_v1.
func (*Tool) Type() string { return Type }

// Describe returns the description for models.
func (*Tool) Describe() tool.Description {
	return tool.Description{
		Description:  "Read a web page, a PDF or another document at an address. Returns its text.",
		InputSchema:  message.Object(`{"type":"object","properties":{"url":{"type":"string","description":"the address, with https://"}},"required":["url"]}`),
		Instructions: "Read a page when its excerpt does not settle the question, or when the user names an address. Fetch only addresses that stand in the conversation or in results.",
		Results:      block,
		Addresses:    true,
	}
}

// Check reports invalid domains.
func (*Tool) Check(_ context.Context, spec tool.Spec) error { return spec.Domains.Check() }

// Run fetches the URL of a call. Every failure to read it is an error result.
func (t *Tool) Run(ctx context.Context, call tool.Call) (tool.Result, error) {
	var input struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(call.Input, &input); err != nil || input.URL == "" {
		return tool.Refused(block, "invalid_tool_input", "the input needs a url"), nil
	}
	if madeUp(input.URL, &call) {
		return tool.Refused(block, "url_not_in_prior_context",
			"this address stands neither in the conversation nor in a result; fetch one that does, as it stands there"), nil
	}
	result, err := t.get(ctx, input.URL, call.Domains, call.Citations)
	f := fault.As(err)
	if f == nil || f.Code == fault.Internal {
		return result, err
	}
	why := f.Msg
	if len(f.Problems) > 0 {
		why = f.Problems[0].Msg
	}
	return tool.Refused(block, codeOf(f), why), nil
}

// madeUp reports whether the model made an address itself. A document could order it
// to, with words of other documents in the address. Where the request names the
// domains, these are the limit.
//
// Source: Anthropic, web fetch tool: only URLs that were in the conversation before.
func madeUp(address string, call *tool.Call) bool {
	u, err := url.Parse(address)
	return err == nil && len(address) <= maxAddress && u.Host != "" && u.User == nil && (u.Scheme == "http" || u.Scheme == "https") &&
		len(call.Allowed) == 0 && !call.Given.Has(u)
}

// codeOf returns the Anthropic API's error code.
func codeOf(f *fault.Error) string {
	switch f.Code {
	case fault.Forbidden:
		return "url_not_allowed"
	case fault.RateLimited:
		return "too_many_requests"
	case fault.Unavailable, fault.Overloaded, fault.Upstream:
		return "unavailable"
	}
	switch {
	case len(f.Problems) > 0 && f.Problems[0].Type == "too_large":
		return "content_too_large"
	case len(f.Problems) > 0 && f.Problems[0].Type == "unreachable_uri":
		return "url_not_accessible"
	case len(f.Problems) > 0 && f.Problems[0].Type == "url_too_long":
		return "url_too_long"
	case len(f.Problems) > 0 && f.Problems[0].Type == "value_error":
		return "invalid_tool_input"
	}
	return "unsupported_content_type"
}

// Get fetches and reads a URL. An invalid URL is Invalid at "url"; a disallowed
// one is Forbidden.
func (t *Tool) Get(ctx context.Context, address string, domains web.Domains) (tool.Result, error) {
	return t.get(ctx, address, domains, false)
}

func (t *Tool) get(ctx context.Context, address string, domains web.Domains, cited bool) (tool.Result, error) {
	u, err := url.Parse(address)
	switch {
	case len(address) > maxAddress:
		return tool.Result{}, fault.Field("url_too_long", fmt.Sprintf("url is over %d characters", maxAddress), "url")
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return tool.Result{}, fault.Field("value_error", "url should be an absolute http or https address", "url")
	case u.User != nil:
		return tool.Result{}, fault.Field("value_error", "url should hold no user name or password", "url")
	}
	file, err := t.Fetch.GetIf(ctx, address, func(u *url.URL) error { return t.permitted(ctx, u, domains) }, "url")
	if err != nil {
		return tool.Result{}, err
	}
	doc, site, err := t.read(ctx, file)
	if err != nil {
		return tool.Result{}, moved(err)
	}
	return t.result(doc, site, cited)
}

// permitted checks a URL before it is fetched, also after redirects.
func (t *Tool) permitted(ctx context.Context, u *url.URL, domains web.Domains) error {
	if !domains.Allows(u) {
		return fault.New(fault.Forbidden, "the request does not allow %s", u.Hostname())
	}
	if t.Robots {
		return t.robots(ctx, u)
	}
	return nil
}

// read parses what was fetched; of a web page, only its article.
func (t *Tool) read(ctx context.Context, file *fetch.File) (*document.Document, web.Website, error) {
	site := web.NewWebsite(file.URL)
	site.ContentType = file.ContentType
	name, kind, data := file.Name, file.ContentType, file.Data
	if kind == "text/html" || kind == "application/xhtml+xml" {
		name, kind = "page.html", "text/html"
		if article, ok := articleOf(file, &site); ok {
			if doc, err := t.Reader.ReadBytes(ctx, name, kind, article); err == nil && len(doc.Text) >= leastOfPage {
				return doc, site, nil
			}
		}
	}
	doc, err := t.Reader.ReadBytes(ctx, name, kind, data)
	if err == nil && site.Title == "" {
		if site.Title = doc.Title; site.Title == "" {
			site.Title = file.Name
		}
	}
	return doc, site, err
}

// articleOf extracts a page's main content as HTML, and its metadata.
func articleOf(file *fetch.File, site *web.Website) ([]byte, bool) {
	u, err := url.Parse(file.URL)
	if err != nil {
		return nil, false
	}
	article, err := readability.FromReader(strings.NewReader(webpage.Decode(file.Data)), u)
	if err != nil {
		return nil, false
	}
	site.Title, site.Description, site.Favicon = article.Title(), article.Excerpt(), article.Favicon()
	if article.Node == nil {
		return nil, false
	}
	var out bytes.Buffer
	out.WriteString("<!doctype html><meta charset=utf-8><main>")
	if err := article.RenderHTML(&out); err != nil {
		return nil, false
	}
	out.WriteString("</main>")
	return out.Bytes(), true
}

// moved relocates a reader's problems to the URL.
func moved(err error) error {
	f := fault.As(err)
	if f == nil || len(f.Problems) == 0 {
		return err
	}
	for i := range f.Problems {
		f.Problems[i].Loc = []any{"url"}
	}
	return fault.Problems(f.Problems)
}

// result renders a document; cited says that citations locate its characters.
func (t *Tool) result(doc *document.Document, site web.Website, cited bool) (tool.Result, error) {
	sources := &message.Sources{}
	result := tool.Result{Content: message.Content{sources}, Use: message.ServerUse{WebFetch: 1}}
	size, at, cut := 0, 0, false
	for i, c := range chunk.Split(doc) {
		if size += len(c.Text); size > maxText {
			cut = true
			break
		}
		p := passage.Passage{
			Kind: passage.SearchResult, Key: fmt.Sprintf("page\x00%s\x00%d\x00%s", site.URL, c.Start, c.Text), Title: site.Title,
			Source: site.URL, Text: c.Text, BlockIndex: i,
		}
		if cited {
			p.Kind, p.Text, p.Start = passage.Document, strings.TrimSpace(c.Text), at
			at += document.UTF16Len(p.Text) + 2
		}
		site.Content += p.Text + "\n\n"
		result.Material = append(result.Material, p)
	}
	site.Content = strings.TrimSpace(site.Content)
	if site.Content == "" {
		result.Nothing = true
		result.Content = append(result.Content, message.NewText("The page holds no text."))
	}
	if cut {
		site.Metadata = map[string]any{"truncated": true}
		result.Content = append(result.Content, message.NewText("(Only the beginning of the document is shown.)"))
	}
	raw, err := schema.Marshal(site)
	if err != nil {
		return tool.Result{}, err
	}
	sources.Sources = []message.SourceRecord{message.SourceRecord(raw)}
	own, err := schema.Marshal(map[string]any{
		"type": "web_fetch_result", "url": site.URL, "retrieved_at": t.Now().UTC().Format(time.RFC3339),
		"content": map[string]any{"type": "document", "title": site.Title, "citations": message.CitationConfig{Enabled: cited},
			"source": map[string]any{"type": "text", "media_type": "text/plain", "data": site.Content}},
	})
	result.Own = &tool.Own{Tag: block, Content: own}
	return result, err
}
