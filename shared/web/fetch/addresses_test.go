package fetch_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"lectern/shared/web/fetch"
	"lectern/shared/web/fetch/fetchtest"
)

// TestAddresses: neither a fetch, nor the client that callbacks use, nor a
// redirect of either reaches an address that is not public.
func TestAddresses(t *testing.T) {
	c := fetch.New(nil)
	fetchtest.Refuses(t, func(host string, port int) error {
		_, err := c.Get(t.Context(), fmt.Sprintf("http://%s:%d/", host, port), "x")
		return err
	})
	// The place that redirects is the only one that is allowed.
	hop := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	}))
	hop.Start()
	defer hop.Close()
	fetchtest.Refuses(t, func(host string, port int) error {
		if host == "127.0.0.1" || host == "[::ffff:127.0.0.1]" || host == "[::ffff:7f00:1]" || host == "localhost" || host == "localhost." {
			return fmt.Errorf("%s is what this test allows", host)
		}
		resp, err := fetch.New([]string{"127.0.0.1"}).HTTP().Get(fmt.Sprintf("%s/?to=http://%s:%d/", hop.URL, host, port))
		if err == nil {
			resp.Body.Close()
		}
		return err
	})
}
