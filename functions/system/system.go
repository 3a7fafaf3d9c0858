// Package system holds the operational endpoints: health, readiness, and the
// description of the API; and the page at /, which is package workbench.
package system

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"sort"

	"lectern/functions/system/workbench"
	"lectern/shared/api/openapi"
	"lectern/shared/api/rest"
	"lectern/shared/auth"
	"lectern/shared/auth/oidc"
	"lectern/shared/fault"
)

// Deps are the collaborators of the group.
type Deps struct {
	// Checks test the dependencies, by name, each time that a probe asks; DeepChecks
	// only when they are asked for.
	Checks, DeepChecks map[string]func(context.Context) error
	// Stopping reports that the process accepts no more work; may be nil.
	Stopping func() bool
	// Routes are the routes of the other groups, to describe.
	Routes []rest.Route
	// Document is the prebuilt OpenAPI document, because the group's function does
	// not link the other groups. Built from Routes when nil.
	Document []byte
	// OIDC lets people sign in; nil where they do not.
	OIDC *oidc.Source
	// State reports damage and rebuilding; may be nil.
	State func() State
	// Store is the origin of the object store to which signed URLs lead, so that the
	// page may send files there and read originals; empty where they lead to the service.
	Store string
}

// State is what /ready reports in addition to its checks.
type State struct {
	Damaged    map[string]int `json:"damaged,omitempty" doc:"number of damaged items that were skipped, by store"`
	Index      string         `json:"index,omitempty" doc:"what hinders the index; searches go on meanwhile"`
	Rebuilding *Progress      `json:"index_rebuilding,omitempty" doc:"present while the index is rebuilt and searches may miss documents"`
	Vectors    *Vectors       `json:"vectors_pending,omitempty" doc:"present while chunks have no vector yet and are found by their words alone"`
}

// IndexStuck is what /ready says of an index whose segments cannot be merged.
const IndexStuck = "segments cannot be merged, so that searches become slower and vectors wait; the log tells why"

// Vectors is how many of the chunks in the index have a vector.
type Vectors struct {
	Have int `json:"have"`
	Of   int `json:"of"`
}

// Progress is the progress of rebuilding the index.
type Progress struct {
	Done   int `json:"done"`
	Of     int `json:"of"`
	Failed int `json:"failed" doc:"documents whose stored text cannot be read; ingest them again"`
}

// New returns the group's handler.
func New(d Deps) (http.Handler, error) {
	if d.Document == nil {
		var err error
		if d.Document, err = json.Marshal(openapi.Document(append(d.Routes, d.routes(nil, nil)...))); err != nil {
			return nil, fmt.Errorf("build OpenAPI document: %w", err)
		}
	}
	page, err := workbench.New(d.Store)
	if err != nil {
		return nil, err
	}
	endpoints := rest.Mux(d.routes(d.Document, page))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if page.Serves(r) {
			page.ServeHTTP(w, r)
			return
		}
		endpoints.ServeHTTP(w, r)
	}), nil
}

func (d Deps) routes(doc []byte, page *workbench.Page) []rest.Route {
	return []rest.Route{
		{Pattern: "GET /health", Handle: rest.JSON(d.health), Doc: "Report that the service is alive"},
		{Pattern: "GET /ready", Handle: rest.JSON(d.ready), Doc: "Report whether the dependencies are ready"},
		{Pattern: "GET /sign-in", Handle: rest.JSON(d.signIn), Doc: "Tell where people sign in for the page, by OpenID Connect; without a key"},
		{Pattern: "POST /sign-in", Handle: rest.JSON(d.signedIn), Doc: "Give the token for the code that signing in gave; without a key"},
		{Pattern: "GET " + auth.ReachPath, Handle: rest.JSON(d.key), Doc: "Tell what the key of the request may do"},
		{Pattern: "GET /openapi.json", Handle: static("application/json", doc), Doc: "Get the API description as OpenAPI 3.1"},
		{Pattern: "GET /docs", Handle: served(page), Doc: "Read the guide and the API description in a browser", Media: "text/html"},
	}
}

type status struct {
	Status string `json:"status"`
}

func (d Deps) health(context.Context, *struct{}) (status, error) { return status{"ok"}, nil }

type readiness struct {
	Status string            `json:"status" enum:"ok,damaged" doc:"damaged: the service works, and some of what it stored is lost or damaged; both are 200"`
	Checks map[string]string `json:"checks" doc:"by dependency: ok, down, or damaged, of a store of which some is"`
	State
}

type readyQuery struct {
	Deep bool `json:"deep,omitempty" doc:"whether to look at the search index too, which wakes one that sleeps; not for keys with limits"`
}

func (d Deps) ready(ctx context.Context, q *readyQuery) (readiness, error) {
	out := readiness{Status: "ok", Checks: map[string]string{}}
	if d.Stopping != nil && d.Stopping() {
		return out, fault.New(fault.Unavailable, "the service is stopping")
	}
	limited := !auth.From(ctx).Admin() // such a key must not see shared state
	if d.State != nil && !limited {
		out.State = d.State()
	}
	checks := maps.Clone(d.Checks)
	if q.Deep {
		if limited {
			return out, fault.New(fault.Forbidden, "deep checks are for keys without limits")
		}
		maps.Copy(checks, d.DeepChecks)
	}
	var down []string
	for name, check := range checks {
		out.Checks[name] = "ok"
		if err := check(ctx); err != nil {
			rest.Note(ctx, err)
			out.Checks[name] = "down"
			down = append(down, name)
		}
	}
	if len(down) > 0 {
		sort.Strings(down)
		if limited {
			return out, fault.New(fault.Unavailable, "not ready")
		}
		return out, &fault.Error{Code: fault.Unavailable, Msg: fmt.Sprintf("not ready: %v", down),
			Details: map[string]any{"checks": out.Checks}}
	}
	if limited {
		out.Checks = map[string]string{}
	}
	for store := range out.Damaged {
		out.Status, out.Checks[store] = "damaged", "damaged"
	}
	return out, nil
}

func served(page *workbench.Page) rest.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		page.ServeHTTP(w, r)
		return nil
	}
}

func static(kind string, body []byte) rest.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Write(body)
		return nil
	}
}
