package webfetch_test

import (
	"fmt"
	"testing"

	"lectern/shared/chat/tool/webfetch"
	"lectern/shared/web"
	"lectern/shared/web/fetch"
	"lectern/shared/web/fetch/fetchtest"
)

// TestAddresses: neither a page nor its robots.txt is asked for at an address
// that is not public.
func TestAddresses(t *testing.T) {
	fetchtest.Refuses(t, func(host string, port int) error {
		_, err := (&webfetch.Tool{Fetch: fetch.New(nil), Robots: true}).Get(t.Context(), fmt.Sprintf("http://%s:%d/", host, port), web.Domains{})
		return err
	})
}
