package webfetch_test

import (
	"fmt"
	"testing"

	"lectern/shared/fetch"
	"lectern/shared/fetch/fetchtest"
	"lectern/shared/tool/webfetch"
	"lectern/shared/web"
)

// TestAddresses: neither a page nor its robots.txt is asked for at an address
// that is not public.
func TestAddresses(t *testing.T) {
	fetchtest.Refuses(t, func(host string, port int) error {
		_, err := (&webfetch.Tool{Fetch: fetch.New(nil), Robots: true}).Get(t.Context(), fmt.Sprintf("http://%s:%d/", host, port), web.Domains{})
		return err
	})
}
