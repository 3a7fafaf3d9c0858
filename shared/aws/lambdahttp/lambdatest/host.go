// Package lambdatest simulates, for tests and benchmarks, the parts of AWS
// around a function: the Runtime API that delivers events, and the REST API
// that creates events from HTTP requests.
package lambdatest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Answer is a function's response to one event, readable while it is sent.
type Answer struct {
	ContentType string
	Body        io.ReadCloser
}

// Host is the Runtime API of one function. Safe for concurrent use; like Lambda, it
// delivers one event at a time.
type Host struct {
	server   *http.Server
	listener net.Listener
	events   chan *invocation
	stopped  chan struct{}
	stop     sync.Once

	mu      sync.Mutex
	last    int
	pending map[string]*invocation
}

type invocation struct {
	event    []byte
	deadline time.Time
	answer   chan Answer
	failure  chan error
}

// NewHost listens on a free port of the loopback interface.
func NewHost() (*Host, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &Host{listener: l, events: make(chan *invocation), stopped: make(chan struct{}), pending: map[string]*invocation{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", h.next)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response", h.response)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", h.failed)
	mux.HandleFunc("POST /2018-06-01/runtime/init/error", h.failed)
	h.server = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go h.server.Serve(l)
	return h, nil
}

// Addr is the value for the function's AWS_LAMBDA_RUNTIME_API.
func (h *Host) Addr() string { return h.listener.Addr().String() }

// Close stops the API; the function then exits on its next poll.
func (h *Host) Close() error {
	h.stop.Do(func() { close(h.stopped) })
	return h.server.Close()
}

// Invoke delivers one event and returns when the response begins. The
// function's deadline is that of ctx, or 15 minutes.
func (h *Host) Invoke(ctx context.Context, event []byte) (Answer, error) {
	v := &invocation{event: event, answer: make(chan Answer, 1), failure: make(chan error, 1), deadline: time.Now().Add(15 * time.Minute)}
	if d, ok := ctx.Deadline(); ok {
		v.deadline = d
	}
	select {
	case h.events <- v:
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	case <-h.stopped:
		return Answer{}, errors.New("the host is closed")
	}
	select {
	case a := <-v.answer:
		return a, nil
	case err := <-v.failure:
		return Answer{}, err
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

func (h *Host) next(w http.ResponseWriter, r *http.Request) {
	select {
	case v := <-h.events:
		h.mu.Lock()
		h.last++
		id := strconv.Itoa(h.last)
		h.pending[id] = v
		h.mu.Unlock()
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", id)
		w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(v.deadline.UnixMilli(), 10))
		w.Header().Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:us-east-1:000000000000:function:test")
		w.Write(v.event)
	case <-r.Context().Done():
	case <-h.stopped:
	}
}

func (h *Host) take(r *http.Request) *invocation {
	h.mu.Lock()
	defer h.mu.Unlock()
	id := r.PathValue("id")
	v := h.pending[id]
	delete(h.pending, id)
	return v
}

// response forwards the function's response as it is written. An error reported
// in the trailer ends the body with that error.
func (h *Host) response(w http.ResponseWriter, r *http.Request) {
	v := h.take(r)
	if v == nil {
		http.Error(w, "no such invocation", http.StatusBadRequest)
		return
	}
	out, in := io.Pipe()
	v.answer <- Answer{r.Header.Get("Content-Type"), out}
	_, err := io.Copy(in, r.Body)
	if kind := r.Trailer.Get("Lambda-Runtime-Function-Error-Type"); err == nil && kind != "" {
		err = fmt.Errorf("the function ended its response early: %s", kind)
	}
	in.CloseWithError(err)
	w.WriteHeader(http.StatusAccepted)
}

func (h *Host) failed(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var e struct{ ErrorMessage string }
	_ = json.Unmarshal(raw, &e)
	if v := h.take(r); v != nil {
		v.failure <- errors.New(strings.TrimSpace("the function failed: " + e.ErrorMessage))
	}
	w.WriteHeader(http.StatusAccepted)
}
