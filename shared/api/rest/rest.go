// Package rest is the HTTP layer: routes with their documentation, decoding,
// the standard error body, request ids, credentials, CORS, panic recovery and
// limits. Handlers return errors; only this package renders them.
//
// Checks run in the order 401, 404/405, 413, 400, 422: credentials come before
// routes, so that an unauthenticated caller cannot probe what exists.
package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"lectern/shared/api/schema"
	"lectern/shared/fault"
	"lectern/shared/fault/budget"
)

// HandlerFunc answers a request or returns an error for Handle to render. It
// must not return an error after it has written.
type HandlerFunc func(w http.ResponseWriter, r *http.Request) error

// Handle converts f to an http.Handler.
func Handle(f HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := f(w, r); err != nil {
			note(r.Context(), err)
			WriteError(w, r, err)
		}
	})
}

// Handler answers the requests of a route: a HandlerFunc, or the result of JSON.
type Handler interface {
	Serve(w http.ResponseWriter, r *http.Request, route *Route) error
}

// Serve implements Handler.
func (f HandlerFunc) Serve(w http.ResponseWriter, r *http.Request, _ *Route) error { return f(w, r) }

// Route is one endpoint: its http.ServeMux pattern, its handler, and its
// documentation.
type Route struct {
	Pattern string
	Handle  Handler
	Doc     string // one sentence
	// Creates says that the endpoint creates something, so that it honours an
	// Idempotency-Key.
	Creates bool
	Large   bool // takes bodies up to LargeBody, else up to SmallBody

	// Types that a HandlerFunc decodes and encodes, as values. Handlers made by
	// JSON know theirs, except for a query next to a body.
	Query, Body, Answer any
	Events              any    // the data of server-sent events, when it answers with these, too
	Media               string // of the answer, when it is not JSON; NoContent for none
	Upload              any    // a struct of the parts, when the body is or may be a form
	Status              []int  // of answers that are no failures, besides 200
}

// NoContent is the Media of a route that answers without a body.
const NoContent = "-"

// Mux serves routes; unknown paths and methods get the standard error body.
func Mux(routes []Route) http.Handler {
	mux := http.NewServeMux()
	plain := map[string]http.Handler{} // by method and path, for routes without parameters
	for _, route := range routes {
		h := Handle(func(w http.ResponseWriter, r *http.Request) error {
			if rq, ok := r.Context().Value(requestKey{}).(*request); ok {
				rq.route = route.Pattern
			}
			return route.Handle.Serve(w, r, &route)
		})
		mux.Handle(route.Pattern, h)
		if !strings.Contains(route.Pattern, "{") {
			plain[route.Pattern] = h
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = literal(r)
		if h, ok := plain[r.Method+" "+r.URL.Path]; ok {
			h.ServeHTTP(w, r)
			return
		}
		if h, pattern := mux.Handler(r); pattern == "" {
			probe := &headerProbe{header: http.Header{}}
			h.ServeHTTP(probe, r)
			if probe.status == http.StatusMethodNotAllowed {
				w.Header().Set("Allow", probe.header.Get("Allow"))
				WriteError(w, r, fault.New(fault.NotAllowed, "%s does not take %s", r.URL.Path, r.Method))
				return
			}
			WriteError(w, r, fault.New(fault.NotFound, "no such path: %s", r.URL.Path))
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// literal keeps ServeMux from redirecting paths with "." and ".." parts: the
// handler validates them.
func literal(r *http.Request) *http.Request {
	if !strings.Contains(r.URL.Path, "/.") {
		return r
	}
	parts := strings.Split(r.URL.EscapedPath(), "/")
	for i, part := range parts {
		switch part {
		case ".":
			parts[i] = "%2E"
		case "..":
			parts[i] = "%2E%2E"
		}
	}
	out, u := *r, *r.URL
	u.RawPath = strings.Join(parts, "/")
	out.URL = &u
	return &out
}

// headerProbe records the status that a handler would send.
type headerProbe struct {
	header http.Header
	status int
}

func (p *headerProbe) Header() http.Header         { return p.header }
func (p *headerProbe) Write(b []byte) (int, error) { return len(b), nil }
func (p *headerProbe) WriteHeader(status int)      { p.status = status }

// Appender is implemented by answers that encode their own JSON.
type Appender interface {
	AppendJSON(out []byte) ([]byte, error)
}

// firstAnswer is the initial size of an answer's buffer, in bytes.
const firstAnswer = 1 << 10

var jsonType = []string{"application/json"}

// Write answers with v as JSON.
func Write(w http.ResponseWriter, status int, v any) error {
	var raw []byte
	var err error
	if a, ok := v.(Appender); ok {
		raw, err = a.AppendJSON(make([]byte, 0, firstAnswer))
	} else {
		raw, err = schema.Marshal(v)
	}
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	h := w.Header()
	h["Content-Type"] = jsonType
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(status)
	w.Write(raw)
	_ = http.NewResponseController(w).Flush() // the client need not wait for what is noted of the request
	return nil
}

// Body limits of the API, in bytes.
const (
	LargeBody = 32 << 20 // chat, ingest, convert, files, skills
	SmallBody = 4 << 20  // everything else
)

type limitKey struct{}

// WithBodyLimit returns a context that limits request bodies to n bytes.
func WithBodyLimit(ctx context.Context, n int64) context.Context {
	return context.WithValue(ctx, limitKey{}, n)
}

// ReadBody reads the whole body. A body over limit bytes is TooLarge; if
// Content-Length declares it, nothing is read.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if n, ok := r.Context().Value(limitKey{}).(int64); ok {
		limit = min(limit, n)
	}
	if r.ContentLength > limit {
		w.Header().Set("Connection", "close")
		return nil, tooLarge(limit)
	}
	buf, err := gather(w, r, http.MaxBytesReader(w, r.Body, limit))
	if err == nil {
		return buf, nil
	}
	if errors.As(err, new(*http.MaxBytesError)) {
		return nil, tooLarge(limit)
	}
	if fault.As(err) != nil {
		return nil, err
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.Header().Set("Connection", "close")
		return nil, fault.Wrap(err, fault.Malformed, "the request body arrived too slowly")
	}
	if r.Context().Err() != nil {
		return nil, r.Context().Err()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fault.Wrap(err, fault.Malformed, "the request body ended early")
	}
	return nil, fault.Wrap(err, fault.Malformed, "the request body could not be read")
}

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "the request body is over the limit of %d bytes", limit)
}

// Limits on the arrival of a body.
const (
	firstBody = 64 << 10         // bytes allocated before any arrive
	bodyGrace = 30 * time.Second // until the body starts
	bodyRate  = 16 << 10         // minimum bytes per second after that
)

// openRequest is what a request takes of memory until its answer is over, an open
// stream included, beside its body.
const openRequest = 64 << 10

// Hold makes the request count in the budget of memory as one that stays open. One that
// finds no room for 30 s is fault.RateLimited.
func Hold(ctx context.Context) error {
	rq, ok := ctx.Value(requestKey{}).(*request)
	if !ok {
		return nil
	}
	return rq.held.Grow(ctx, openRequest)
}

// arriving takes of the caller's share until its body has arrived; arrived may be nil.
func arriving(ctx context.Context) (arrived func(), err error) {
	if rq, ok := ctx.Value(requestKey{}).(*request); ok && rq.arrive != nil {
		return rq.arrive(ctx, openRequest)
	}
	return nil, nil
}

// gather reads a body into a buffer that grows with the bytes received, not by the
// declared length. Each piece extends the deadline of the next one.
func gather(w http.ResponseWriter, r *http.Request, body io.Reader) ([]byte, error) {
	rc, began := http.NewResponseController(w), time.Now()
	arrived, err := arriving(r.Context())
	if err != nil {
		return nil, err
	}
	if arrived != nil {
		defer arrived()
	}
	if err := Hold(r.Context()); err != nil {
		return nil, err
	}
	claim := claimOf(r.Context())
	size := int64(firstBody)
	if r.ContentLength >= 0 {
		size = min(size, r.ContentLength+1)
	}
	buf := make([]byte, 0, size)
	var limit time.Time
	read := 0 // since others had their turn
	for {
		if len(buf) == cap(buf) {
			if err := claim.Grow(r.Context(), 2*int64(cap(buf))); err != nil {
				return nil, err
			}
			room := 2 * int64(cap(buf))
			if r.ContentLength >= int64(cap(buf)) {
				room = min(room, r.ContentLength+1)
			}
			grown := make([]byte, 0, room)
			budget.Pieces(buf, func(part []byte) { grown = append(grown, part...) })
			buf = grown
		}
		by := began.Add(bodyGrace + time.Duration(len(buf))*time.Second/bodyRate)
		if by.Sub(limit) > time.Second { // not supported by hosts that deliver bodies whole
			limit = by
			_ = rc.SetReadDeadline(limit)
		}
		n, err := body.Read(buf[len(buf):min(cap(buf), len(buf)+budget.PieceBytes)])
		buf = buf[:len(buf)+n]
		if read += n; read >= budget.PieceBytes { // there may always be more to read
			read = 0
			runtime.Gosched()
		}
		if err == io.EOF {
			_ = rc.SetReadDeadline(time.Time{})
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// Decode reads the JSON body into a T and reports every violation.
func Decode[T any](w http.ResponseWriter, r *http.Request, limit int64) (*T, error) {
	raw, err := ReadBody(w, r, limit)
	if err != nil {
		return nil, err
	}
	v := new(T)
	return v, Work(r.Context(), len(raw), func() error { return schema.Decode(raw, v, "body") })
}

// Query decodes the query string into a T and reports every violation.
func Query[T any](r *http.Request) (*T, error) {
	v := new(T)
	return v, schema.Values(r.URL.Query(), v, "query")
}

// Methods returns the method and the path of a pattern.
func (r Route) Methods() (method, path string) {
	method, path, ok := strings.Cut(r.Pattern, " ")
	if !ok {
		return "GET", method
	}
	return method, path
}
