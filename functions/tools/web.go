package tools

import (
	"context"
	"strings"

	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/web"
)

type searchWebBody struct {
	Query   string   `json:"query" required:"true" minlen:"1" maxlen:"2000"`
	Limit   int      `json:"max_results" default:"8" min:"1" max:"20"`
	Allowed []string `json:"allowed_domains,omitempty" doc:"search only these domains and their subdomains"`
	Blocked []string `json:"blocked_domains,omitempty"`
}

type fetchWebBody struct {
	URL string `json:"url" required:"true" minlen:"1"`
}

func (d Deps) searchWeb(ctx context.Context, b *searchWebBody) (answer, error) {
	domains := web.Domains{Allowed: b.Allowed, Blocked: b.Blocked}
	problems := domains.Problems()
	for i := range problems {
		problems[i].Loc = append([]any{"body"}, problems[i].Loc...)
	}
	if strings.TrimSpace(b.Query) == "" {
		problems = append(problems, fault.Problem{Loc: []any{"body", "query"}, Msg: "query should not be empty", Type: "string_too_short"})
	}
	switch {
	case len(problems) > 0:
		return answer{}, fault.Problems(problems)
	case d.Search == nil:
		return answer{}, fault.New(fault.Unsupported, "web search is not configured; set LECTERN_SEARCH_WEB")
	}
	result, err := d.Search.Search(ctx, web.Query{Text: b.Query, Limit: b.Limit, Domains: domains})
	if err != nil {
		return answer{}, err
	}
	return answerOf(result), nil
}

// fetchWeb reads a URL. An invalid URL is a 422 and a blocked one a 403; a URL that
// cannot be read is a result with is_error.
func (d Deps) fetchWeb(ctx context.Context, b *fetchWebBody) (answer, error) {
	result, err := d.Fetch.Get(ctx, b.URL, web.Domains{})
	f := fault.As(err)
	switch {
	case err == nil:
	case f == nil || f.Code == fault.Internal || f.Code == fault.Forbidden:
		return answer{}, err
	case len(f.Problems) > 0 && (f.Problems[0].Type == "value_error" || f.Problems[0].Type == "url_too_long"):
		f.Problems[0].Loc = []any{"body", "url"}
		return answer{}, fault.Problems(f.Problems)
	case len(f.Problems) > 0:
		result = tool.Failed(f.Problems[0].Msg)
	default:
		result = tool.Failed(f.Msg)
	}
	return answerOf(result), nil
}
