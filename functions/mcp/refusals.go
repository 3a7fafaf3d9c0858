package mcp

import (
	"net/http"
	"strings"

	"lectern/shared/fault"
)

// refusals intercepts the plain-text errors of the MCP library, so that they get
// the standard error body.
type refusals struct {
	http.ResponseWriter
	text    strings.Builder
	refused bool
}

// WriteHeader holds back the status of an error.
func (r *refusals) WriteHeader(status int) {
	h := r.Header()
	if status == http.StatusBadRequest && strings.HasPrefix(h.Get("Content-Type"), "text/plain") {
		r.refused = true
		for _, name := range []string{"Content-Type", "Content-Length", "X-Content-Type-Options"} {
			h.Del(name)
		}
		return
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *refusals) Write(p []byte) (int, error) {
	if r.refused {
		return r.text.Write(p)
	}
	return r.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the server's own writer.
func (r *refusals) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *refusals) err() error {
	if !r.refused {
		return nil
	}
	return fault.New(fault.Malformed, "invalid MCP message: %s", strings.TrimSpace(r.text.String()))
}
