package rest_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/shared/api/rest"
	"lectern/shared/fault"
	"lectern/shared/ident"
)

// TestWhatIsLogged: an error of the service, with its cause; not what a client
// asked for although this deployment does not have it, and not its mistakes.
func TestWhatIsLogged(t *testing.T) {
	unconfigured := fault.New(fault.Unavailable, "files are not configured")
	unconfigured.NoRetry = true
	for _, tt := range []struct {
		err    error
		logged bool
	}{
		{errors.New("disk full"), true},
		{fault.New(fault.Upstream, "the model provider failed"), true},
		{fault.New(fault.Unavailable, "the store is down"), true},
		{unconfigured, false},
		{fault.New(fault.Unsupported, "this deployment has no web search"), false},
		{fault.New(fault.Invalid, "wrong"), false},
		{nil, false},
	} {
		var log strings.Builder
		h := rest.Wrap(rest.Mux([]rest.Route{{Pattern: "GET /x", Handle: rest.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) error {
			if tt.err == nil {
				return rest.Write(w, http.StatusOK, struct{}{})
			}
			return tt.err
		})}}), rest.Options{IDs: &ident.Counting{}, Log: slog.New(slog.NewTextHandler(&log, nil))})
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/x", nil))
		if logged := strings.Contains(log.String(), "level=ERROR"); logged != tt.logged || logged && !strings.Contains(log.String(), "error=") {
			t.Errorf("%v is logged as %q", tt.err, log.String())
		}
	}
}
