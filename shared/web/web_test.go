package web_test

import (
	"net/url"
	"testing"

	"lectern/shared/web"
)

// TestAllows: a path of a list is left neither by dot segments, encoded or not,
// nor by backslashes, nor by another spelling of the host.
func TestAllows(t *testing.T) {
	allowed := web.Domains{Allowed: []string{"example.com/docs", "*.example.org"}}
	blocked := web.Domains{Blocked: []string{"example.com/private"}}
	for address, want := range map[string][2]bool{
		"https://example.com/docs":                    {true, true},
		"https://example.com/docs/a/../b":             {true, true},
		"https://EXAMPLE.com./DOCS/a":                 {true, true},
		"https://example.com/docsx":                   {false, true},
		"https://example.com/docs/../private/a":       {false, false},
		"https://example.com/docs/%2e%2e/private/a":   {false, false},
		"https://example.com/docs/%2E%2E%2Fprivate/a": {false, false},
		`https://example.com/docs/..%5Cprivate/a`:     {false, false},
		"https://example.com/x/../private":            {false, false},
		"https://example.com//private":                {false, false},
		"https://a.example.org/any":                   {true, true},
		"https://example.org.evil.example/":           {false, true},
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]bool{allowed.Allows(u), blocked.Allows(u)}; got != want {
			t.Errorf("%s: allowed %v, not blocked %v; want %v", address, got[0], got[1], want)
		}
	}
}
