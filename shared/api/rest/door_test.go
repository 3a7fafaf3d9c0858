package rest_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"lectern/shared/api/rest"
	"lectern/shared/ident"
)

// TestDoor: without keys, a request has to come by a name of the service and not
// from a page of another site; answers are for pages of the same machine only.
func TestDoor(t *testing.T) {
	h := rest.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }), rest.Options{
		IDs: &ident.Counting{}, Log: slog.New(slog.DiscardHandler), Origin: "*", Door: &rest.Door{Hosts: []string{"lectern.lan"}, Origin: "https://app.example"},
	})
	for _, tc := range []struct {
		host, origin, site string
		want               int
		allowed            string
	}{
		{"127.0.0.1:8080", "", "", 200, ""},
		{"localhost:8080", "", "", 200, ""},
		{"[::1]:8080", "", "", 200, ""},
		{"LECTERN.lan", "", "", 200, ""},
		{"lectern.lan.", "", "", 200, ""},
		{"10.0.0.5:8080", "", "", 200, ""}, // the address that the connection came to
		{"10.0.0.6:8080", "", "", 403, ""},
		{"evil.example:8080", "", "", 403, ""}, // a name pointed at this machine
		{"127.0.0.1.evil.example", "", "", 403, ""},
		{"localhost.evil.example", "", "", 403, ""},
		{"", "", "", 403, ""},
		{"127.0.0.1:8080", "https://evil.example", "", 403, ""},
		{"127.0.0.1:8080", "null", "", 403, ""},
		{"127.0.0.1:8080", "http://127.0.0.1.evil.example", "", 403, ""},
		{"127.0.0.1:8080", "http://localhost:3000", "", 200, "http://localhost:3000"},
		{"127.0.0.1:8080", "http://127.0.0.1:8080", "", 200, "http://127.0.0.1:8080"},
		{"lectern.lan", "http://lectern.lan", "", 200, "http://lectern.lan"},
		{"lectern.lan", "http://localhost:3000", "", 403, ""},
		{"127.0.0.1:8080", "https://app.example", "", 200, "https://app.example"},
		{"127.0.0.1:8080", "", "cross-site", 403, ""},
		{"127.0.0.1:8080", "", "same-origin", 200, ""},
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			r := httptest.NewRequest(method, "/v1/anything", nil)
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.IPv4(10, 0, 0, 5), Port: 8080})))
			r.Host = tc.host
			r.Header.Set("Content-Type", "text/plain")
			if tc.origin != "" {
				r.Header.Set("Origin", tc.origin)
			}
			if tc.site != "" {
				r.Header.Set("Sec-Fetch-Site", tc.site)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tc.want || w.Header().Get("Access-Control-Allow-Origin") != tc.allowed {
				t.Errorf("%s by %q from %q, %s: %d, allowed %q; want %d, %q", method, tc.host, tc.origin, tc.site, w.Code,
					w.Header().Get("Access-Control-Allow-Origin"), tc.want, tc.allowed)
			}
		}
	}
}
