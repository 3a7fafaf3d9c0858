package tools

import (
	"net/http"
	"strings"

	"lectern/shared/api/rest"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/web"
)

type searchWebBody struct {
	Query   string   `json:"query" required:"true" minlen:"1" maxlen:"2000"`
	Limit   int      `json:"max_results" default:"8" min:"1" max:"20"`
	Allowed []string `json:"allowed_domains,omitempty" doc:"only these and what is below them"`
	Blocked []string `json:"blocked_domains,omitempty"`
}

type fetchWebBody struct {
	URL string `json:"url" required:"true" minlen:"1"`
}

func (d Deps) searchWeb(w http.ResponseWriter, r *http.Request) error {
	b, err := rest.Decode[searchWebBody](w, r, rest.SmallBody)
	if err != nil {
		return err
	}
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
		return fault.Problems(problems)
	case d.Search == nil:
		return fault.New(fault.Unsupported, "this deployment has no web search; LECTERN_SEARCH_WEB enables it")
	}
	result, err := d.Search.Search(r.Context(), web.Query{Text: b.Query, Limit: b.Limit, Domains: domains})
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, answerOf(result))
}

// fetchWeb reads an address. One that is none is the request's mistake and a
// blocked one is refused; one that cannot be read is the tool's failure.
func (d Deps) fetchWeb(w http.ResponseWriter, r *http.Request) error {
	b, err := rest.Decode[fetchWebBody](w, r, rest.SmallBody)
	if err != nil {
		return err
	}
	result, err := d.Fetch.Get(r.Context(), b.URL, web.Domains{})
	f := fault.As(err)
	switch {
	case err == nil:
	case f == nil || f.Code == fault.Internal || f.Code == fault.Forbidden:
		return err
	case len(f.Problems) > 0 && (f.Problems[0].Type == "value_error" || f.Problems[0].Type == "url_too_long"):
		f.Problems[0].Loc = []any{"body", "url"}
		return fault.Problems(f.Problems)
	case len(f.Problems) > 0:
		result = tool.Failed(f.Problems[0].Msg)
	default:
		result = tool.Failed(f.Msg)
	}
	return rest.Write(w, http.StatusOK, answerOf(result))
}
