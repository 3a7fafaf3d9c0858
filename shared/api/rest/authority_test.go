package rest_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/ident"
)

// TestAuthority: where something before the service authorizes, it names the
// caller, a key is no way around it, and open paths stay open.
func TestAuthority(t *testing.T) {
	var got auth.Principal
	h := rest.Wrap(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = auth.From(r.Context()) }), rest.Options{
		IDs: ident.Random{Now: time.Now}, Log: slog.New(slog.DiscardHandler),
		Open: []string{"/health"}, Now: time.Now,
		Caller: func(r *http.Request) (auth.Principal, error) {
			if r.URL.Path == "/known" {
				return auth.Principal{Tenant: "ann", Collections: []string{"a"}}, nil
			}
			return auth.Principal{}, fault.New(fault.Unauthorized, "nobody")
		},
	})
	for path, want := range map[string]int{"/known": 200, "/unknown": 401, "/health": 200} {
		r := httptest.NewRequest("GET", path, nil)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s answers %d, want %d", path, w.Code, want)
		}
		if path == "/known" && got.Tenant != "ann" {
			t.Errorf("%s is called by %+v", path, got)
		}
	}
	r := httptest.NewRequest("GET", "/unknown", nil)
	r.Header.Set("X-Api-Key", "0123456789abcdef")
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != 401 {
		t.Errorf("a key lets in with %d, want 401", w.Code)
	}
}
