// Package mcpaddress validates how a request names an MCP server. It does not
// link the protocol, so that a function that only forwards servers can reject
// errors early.
package mcpaddress

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/web/fetch"
)

// Check returns the problems of a server's declaration, sorted by location. f
// knows the hosts that allow plain http.
func Check(f *fetch.Client, s *message.MCPServer) []fault.Problem {
	var problems []fault.Problem
	add := func(kind, msg string, loc ...any) {
		problems = append(problems, fault.Problem{Loc: loc, Msg: msg, Type: kind})
	}
	if !httpguts.ValidHeaderFieldValue(s.Token) || strings.TrimSpace(s.Token) != s.Token {
		add("value_error", "authorization_token cannot be sent in a header", "authorization_token")
	}
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		key := http.CanonicalHeaderKey(name)
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			add("value_error", "this is not a valid header name", "headers", name)
		case own(key):
			add("value_error", "this header cannot be overridden", "headers", name)
		case key == "Authorization" && s.Token != "":
			add("value_error", "authorization_token sets this header already", "headers", name)
		case seen[key]:
			add("value_error", "this header is given twice", "headers", name)
		case !httpguts.ValidHeaderFieldValue(s.Headers[name]):
			add("value_error", "the value cannot be sent in a header", "headers", name)
		}
		seen[key] = true
	}
	u, err := url.Parse(s.URL)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "":
		add("url_parsing", "url should be an absolute https address", "url")
	case u.Scheme != "https" && u.Scheme != "http":
		add("url_scheme", "url should be an https address", "url")
	case u.Scheme == "http" && !f.Allowed(u.Hostname()):
		add("url_scheme", "url should be an https address; LECTERN_ALLOW_HOSTS can allow http for its host", "url")
	case u.User != nil:
		add("value_error", "url should hold no user name or password; use authorization_token or headers", "url")
	}
	return problems
}

// ownHeaders belong to HTTP or to the protocol and cannot be overridden.
var ownHeaders = []string{
	"Accept", "Accept-Encoding", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Expect", "Forwarded", "Host",
	"Keep-Alive", "Last-Event-Id", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Via",
}

func own(key string) bool {
	return slices.Contains(ownHeaders, key) || strings.HasPrefix(key, "Mcp-") || strings.HasPrefix(key, "Proxy-") ||
		strings.HasPrefix(key, "Sec-")
}
