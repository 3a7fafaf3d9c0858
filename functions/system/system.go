// Package system is the HTTP face of operation: whether the service lives and
// is ready, and the description of its interface.
package system

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sort"

	"lectern/shared/api/openapi"
	"lectern/shared/api/rest"
	"lectern/shared/fault"
)

// Deps are the group's collaborators.
type Deps struct {
	// Checks look at the dependencies, by name.
	Checks map[string]func(context.Context) error
	// Routes are those of the other groups, to describe.
	Routes []rest.Route
	// Document is the description of the interface, made before; the group's
	// function does not carry the other groups. Made of Routes when nil.
	Document []byte
}

// New returns the group's handler.
func New(d Deps) (http.Handler, error) {
	if d.Document == nil {
		var err error
		if d.Document, err = json.Marshal(openapi.Document(append(d.Routes, d.routes(nil)...))); err != nil {
			return nil, fmt.Errorf("describe the interface: %w", err)
		}
	}
	return rest.Mux(d.routes(d.Document)), nil
}

func (d Deps) routes(doc []byte) []rest.Route {
	page := docsPage(doc)
	return []rest.Route{
		{Pattern: "GET /health", Handle: d.health, Doc: rest.Doc{Summary: "Is the service alive?", Answer: status{}}},
		{Pattern: "GET /ready", Handle: d.ready, Doc: rest.Doc{Summary: "Are its dependencies?", Answer: readiness{}}},
		{Pattern: "GET /openapi.json", Handle: static("application/json", doc), Doc: rest.Doc{Summary: "The interface as OpenAPI 3.1"}},
		{Pattern: "GET /docs", Handle: static("text/html; charset=utf-8", page), Doc: rest.Doc{Summary: "The interface, for people", Media: "text/html"}},
	}
}

type status struct {
	Status string `json:"status"`
}

func (d Deps) health(w http.ResponseWriter, _ *http.Request) error {
	return rest.Write(w, http.StatusOK, status{"ok"})
}

type readiness struct {
	Status string            `json:"status"`
	Checks map[string]string `json:"checks"`
}

func (d Deps) ready(w http.ResponseWriter, r *http.Request) error {
	out := readiness{"ok", map[string]string{}}
	var down []string
	for name, check := range d.Checks {
		out.Checks[name] = "ok"
		if err := check(r.Context()); err != nil {
			rest.Note(r.Context(), err)
			out.Checks[name] = "down"
			down = append(down, name)
		}
	}
	if len(down) > 0 {
		sort.Strings(down)
		return &fault.Error{Code: fault.Unavailable, Msg: fmt.Sprintf("not ready: %v", down), Details: map[string]any{"checks": out.Checks}}
	}
	return rest.Write(w, http.StatusOK, out)
}

func static(kind string, body []byte) rest.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", kind)
		w.Write(body)
		return nil
	}
}
