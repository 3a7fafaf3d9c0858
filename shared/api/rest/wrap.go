package rest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/fault/budget"
	"lectern/shared/fault/trace"
	"lectern/shared/ident"
)

// Options configure Wrap.
type Options struct {
	// Caller names the caller of a request; nil asks for no credentials.
	Caller func(*http.Request) (auth.Principal, error)
	// Admit refuses requests of known callers, by what their keys allow, and may add
	// headers to their answers; may be nil.
	Admit func(ctx context.Context, answer http.Header, path string) error
	IDs   ident.Source
	Log   *slog.Logger
	// Origin is the allowed CORS origin; "*" for any, empty for none. With a Door
	// "*" allows pages of the same machine only.
	Origin    string
	Door      *Door    // nil if keys are required or a proxy checks requests
	BodyLimit int64    // lowers the limits of all bodies; 0 leaves them
	Open      []string // paths without authentication; a trailing slash includes everything below, save in "/", the path itself
	Now       func() time.Time
	// Budget limits the memory of request bodies, Held that of requests as long as they are
	// open; nil is unlimited. They are two, so that small requests do not wait behind large
	// bodies.
	Budget, Held *budget.Budget
	// Arriving bounds how much of Held the requests of one caller take while their bodies
	// arrive, which may be slow: it waits for room, and arrived gives it back; nil is
	// unlimited.
	Arriving func(ctx context.Context, bytes int64) (arrived func(), err error)
	// Slots bounds how many large bodies are decoded at once; nil is unlimited.
	Slots *budget.Slots
	// Observe is called for every answer; may be nil.
	Observe func(Answered)
	Tracer  trace.Tracer // of the spans of requests
}

// Answered is a request that has its answer.
type Answered struct {
	ID, Method, Path string
	Began            time.Time
	Took             time.Duration
	Status           int
	Caller           auth.Principal
}

type request struct {
	id  string
	in  *http.Request
	err error // what the handler returned

	claim  *budget.Claim // of its body
	held   *budget.Claim
	arrive func(ctx context.Context, bytes int64) (arrived func(), err error)
	slots  *budget.Slots
	caller auth.Principal
	route  string // pattern of the route that answers it; empty where none does
	trace  string // id; empty where no span is recorded
}

// release gives back what the request took.
func (rq *request) release() {
	rq.slots.Answered(rq.claim.Size())
	rq.claim.Release()
	rq.held.Release()
}

// claimOf returns the request's claim on the budget.
func claimOf(ctx context.Context) *budget.Claim {
	if rq, ok := ctx.Value(requestKey{}).(*request); ok {
		return rq.claim
	}
	return nil
}

// Work calls f, which decodes a body of so many bytes: large ones wait until a
// processor is free for them.
func Work(ctx context.Context, bytes int, f func() error) error {
	if rq, ok := ctx.Value(requestKey{}).(*request); ok {
		return rq.slots.Do(ctx, bytes, f)
	}
	return f()
}

type requestKey struct{}

// RequestID returns the id of the request that ctx belongs to.
func RequestID(ctx context.Context) string {
	if rq, ok := ctx.Value(requestKey{}).(*request); ok {
		return rq.id
	}
	return ""
}

// BaseURL returns the scheme and host by which the client reached the service,
// from its request headers; empty outside of a request.
func BaseURL(ctx context.Context) string {
	rq, ok := ctx.Value(requestKey{}).(*request)
	if !ok {
		return ""
	}
	if rq.in.TLS != nil || rq.in.Header.Get("X-Forwarded-Proto") == "https" {
		return "https://" + rq.in.Host
	}
	return "http://" + rq.in.Host
}

// note records an error for the log line of its request, unless it only says that
// the client disconnected.
func note(ctx context.Context, err error) {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return
	}
	if rq, ok := ctx.Value(requestKey{}).(*request); ok {
		rq.err = err
	}
}

// Note records, for the log, an error that the answer can no longer show.
func Note(ctx context.Context, err error) { note(ctx, err) }

// Wrap adds request ids, authentication, CORS, logging and panic recovery to h.
func Wrap(h http.Handler, o Options) http.Handler {
	if o.Now == nil {
		o.Now = time.Now
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rq := &request{id: o.IDs.Fresh("req_"), in: r, claim: o.Budget.Claim(), held: o.Held.Claim(), slots: o.Slots,
			arrive: o.Arriving}
		defer rq.release()
		ctx := budget.With(context.WithValue(r.Context(), requestKey{}, rq), rq.claim)
		if o.BodyLimit > 0 {
			ctx = WithBodyLimit(ctx, o.BodyLimit)
		}
		w.Header().Set("Request-Id", rq.id)
		o.cors(w.Header(), r)
		rec := &recorder{ResponseWriter: w}
		start := o.Now()
		ctx, span := o.Tracer.Serve(ctx, r, rq.id)
		rq.trace = span.ID()
		defer func() { rq.end(span, rec.status) }()
		defer func() {
			if p := recover(); p != nil {
				if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(p)
				}
				rq.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				if rec.status == 0 {
					WriteError(rec, r.WithContext(ctx), rq.err)
				}
			}
			if o.Observe != nil {
				o.Observe(Answered{rq.id, r.Method, r.URL.Path, start, o.Now().Sub(start), rec.status, rq.caller})
			}
			o.log(r, rec, rq, start)
		}()
		if o.Door != nil {
			if err := o.Door.check(r); err != nil {
				note(ctx, err)
				WriteError(rec, r.WithContext(ctx), err)
				return
			}
		}
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" && o.Origin != "" {
			o.preflight(rec, r)
			return
		}
		o.serve(ctx, h, rec, r)
	})
}

// end ends the span of the request, named after the route that answered it.
func (rq *request) end(span trace.Span, status int) {
	if _, path, ok := strings.Cut(rq.route, " "); ok {
		span.Name(rq.route)
		span.Set(attribute.String("http.route", path))
	}
	span.Set(attribute.Int("http.response.status_code", status))
	if rq.failed(status) {
		span.Fail(strconv.Itoa(status))
	}
	span.End(nil)
}

func (o *Options) serve(ctx context.Context, h http.Handler, w http.ResponseWriter, r *http.Request) {
	if o.Caller != nil && !o.open(r.URL.Path) {
		p, err := o.Caller(r)
		if err != nil {
			note(ctx, err)
			if fault.Is(err, fault.Unauthorized) && (r.Header.Get("Authorization") != "" || r.Header.Get("X-Api-Key") != "") {
				slow(ctx)
			}
			WriteError(w, r.WithContext(ctx), err)
			return
		}
		ctx = auth.With(ctx, p)
		if rq, ok := ctx.Value(requestKey{}).(*request); ok {
			rq.caller = p
		}
		if o.Admit != nil {
			if err := o.Admit(ctx, w.Header(), r.URL.Path); err != nil {
				note(ctx, err)
				WriteError(w, r.WithContext(ctx), err)
				return
			}
		}
	}
	h.ServeHTTP(w, r.WithContext(ctx))
}

// ByKey names callers by the credentials that the sources know.
func ByKey(sources ...auth.Source) func(*http.Request) (auth.Principal, error) {
	return func(r *http.Request) (auth.Principal, error) {
		return auth.Authenticate(r.Context(), r.Header.Get("Authorization"), r.Header.Get("X-Api-Key"), sources...)
	}
}

// wrongKeyDelay delays the answer to a wrong key, to slow down guessing.
const wrongKeyDelay = 250 * time.Millisecond

func slow(ctx context.Context) {
	timer := time.NewTimer(wrongKeyDelay)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (o *Options) open(path string) bool {
	for _, p := range o.Open {
		if p == path || p != "/" && strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

// Shared by all answers.
var (
	exposed = []string{"request-id, retry-after, x-should-retry, content-disposition, etag, " +
		"anthropic-ratelimit-requests-limit, anthropic-ratelimit-requests-remaining, anthropic-ratelimit-requests-reset, " +
		"anthropic-ratelimit-tokens-limit, anthropic-ratelimit-tokens-remaining, anthropic-ratelimit-tokens-reset"}
	anyOrigin = []string{"*"}
)

// cors sets the CORS headers of an answer.
func (o *Options) cors(h http.Header, r *http.Request) {
	switch origin := r.Header.Get("Origin"); {
	case o.Origin == "":
		return
	case o.Origin != "*":
		h.Set("Access-Control-Allow-Origin", o.Origin)
		h.Add("Vary", "Origin")
	case o.Door == nil:
		h["Access-Control-Allow-Origin"] = anyOrigin
	case origin == "" || o.Door.check(r) != nil:
		return
	default:
		h.Set("Access-Control-Allow-Origin", origin)
		h.Add("Vary", "Origin")
	}
	h["Access-Control-Expose-Headers"] = exposed
}

func (o *Options) preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS")
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		h.Set("Access-Control-Allow-Headers", asked)
	}
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}

// failed reports whether the failure is the service's. A capability that is not
// configured is not a failure.
func (rq *request) failed(status int) bool {
	f := fault.As(rq.err)
	if f != nil && (f.Code == fault.Unsupported || f.Code == fault.Unavailable && f.NoRetry) {
		return false
	}
	return status >= 500 || rq.err != nil && fault.CodeOf(rq.err) == fault.Internal
}

// log writes one line per request: server errors with their cause at error level,
// others at debug level.
func (o *Options) log(r *http.Request, rec *recorder, rq *request, start time.Time) {
	status := rec.status
	level := slog.LevelDebug
	if rq.failed(status) {
		level = slog.LevelError
	}
	if !o.Log.Enabled(r.Context(), level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("request_id", rq.id), slog.String("method", r.Method), slog.String("path", r.URL.Path),
		slog.Int("status", status), slog.Duration("took", o.Now().Sub(start)),
	}
	if rq.trace != "" {
		attrs = append(attrs, slog.String("trace_id", rq.trace))
	}
	if given := r.Header.Get("X-Request-Id"); given != "" {
		attrs = append(attrs, slog.String("x_request_id", strings.ToValidUTF8(clip(given, 128), "")))
	}
	if rq.err != nil {
		attrs = append(attrs, slog.String("error", rq.err.Error()))
	}
	o.Log.LogAttrs(r.Context(), level, "request", attrs...)
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// recorder remembers the status and whether anything was written.
type recorder struct {
	http.ResponseWriter
	status int
	by     time.Time // write deadline
}

// writeTime is the timeout of a write to a slow client.
const writeTime = 60 * time.Second

// extend extends the write deadline; a client that stops reading is disconnected.
func (r *recorder) extend() {
	if now := time.Now(); r.by.Sub(now) < writeTime-5*time.Second {
		r.by = now.Add(writeTime)
		_ = http.NewResponseController(r.ResponseWriter).SetWriteDeadline(r.by) // not every host has one
	}
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	r.extend()
	return r.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the server's own writer.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
