package system_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/functions/local/service/servicetest"
)

// TestPageIsOpen: with keys the page and its assets open without one, because a browser
// has none before the page asks for it; nothing else does.
func TestPageIsOpen(t *testing.T) {
	h := servicetest.Open(t, map[string]string{"LECTERN_DATA": t.TempDir(), "SERVER_AUTH_ENABLED": "true",
		"SERVER_AUTH_SECRET": "Basic dXNlcjpwYXNzd29yZC1vZi10aGUtdGVzdA=="}).Handler
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Code, w.Body.String()
	}
	code, page := get("/")
	if code != 200 || !strings.Contains(page, "<title>Lectern</title>") {
		t.Fatalf("GET / = %d %s", code, page)
	}
	_, rest, _ := strings.Cut(page, `src="./`)
	script, _, _ := strings.Cut(rest, `"`)
	for path, want := range map[string]int{"/" + script: 200, "/assets/none.js": 404, "/v1/models": 401, "/docs": 200, "/openapi.json": 401, "/ready": 401, "/nope": 401} {
		if code, _ := get(path); code != want {
			t.Errorf("GET %s = %d, want %d", path, code, want)
		}
	}
}
