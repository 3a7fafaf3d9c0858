package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// A visit goes on where another process left it: the answers of the first
// step (the handshake and the list of tools) are kept and played back to the
// SDK, which then is in the state it was in, and in the same session of the
// server. Servers with the SSE transport tie a session to its connection: each
// call makes one of its own there.

// Arrive implements tool.Visitor.
func (c *Client) Arrive(ctx context.Context, s tool.Toolset) (*tool.Visit, error) {
	if sseServer(s) {
		l, err := c.open(ctx, s, nil)
		if err != nil {
			return nil, err
		}
		l.close()
		return &tool.Visit{Offers: l.offers, State: json.RawMessage(`[]`)}, nil
	}
	t := &tape{}
	l, err := c.open(ctx, s, t)
	if err != nil {
		return nil, err
	}
	t.keep(true)
	l.close()
	state, err := json.Marshal(t.exchanges())
	return &tool.Visit{Offers: l.offers, State: state, Kept: l.session.ID() != ""}, err
}

// Use implements tool.Visitor.
func (c *Client) Use(ctx context.Context, s tool.Toolset, state json.RawMessage, turn int, function string,
	input message.Object) (tool.Result, error) {
	l, err := c.resume(ctx, s, state)
	if err != nil {
		return failed(ctx, err, s.Name)
	}
	defer l.close()
	if !sseServer(s) {
		// The SDK numbers its requests from where the handshake ended, and a
		// server may hold two requests of one session with the same number to
		// be one. These take the numbers of the calls before; none is sent.
		for range turn - 1 {
			if err := l.session.Ping(ctx, nil); err != nil {
				return failed(ctx, err, s.Name)
			}
		}
	}
	return run(ctx, l.session, s.Name, function, input)
}

// Leave implements tool.Visitor.
func (c *Client) Leave(ctx context.Context, s tool.Toolset, state json.RawMessage) {
	if sseServer(s) {
		return
	}
	l, err := c.resume(ctx, s, state)
	if err != nil {
		return // the server ends the session by itself some time
	}
	l.tape.keep(false)
	l.close()
}

func sseServer(s tool.Toolset) bool {
	u, err := url.Parse(s.URL)
	return err == nil && overSSE(u)
}

// failed is the result of a call for which the server could not be reached.
func failed(ctx context.Context, err error, server string) (tool.Result, error) {
	if ctx.Err() != nil {
		return tool.Result{}, ctx.Err()
	}
	if f := fault.As(err); f != nil && f.Code == fault.Forbidden {
		return tool.Result{}, err
	}
	return brokenOff(server), nil
}

// resumed is a connection that goes on where another ended.
type resumed struct {
	*live
	tape *tape
}

func (c *Client) resume(ctx context.Context, s tool.Toolset, state json.RawMessage) (*resumed, error) {
	t := &tape{kept: true, replays: true}
	if err := json.Unmarshal(state, &t.list); err != nil {
		return nil, fmt.Errorf("decode the state of a visit: %w", err)
	}
	if sseServer(s) {
		t = nil
	}
	l, err := c.open(ctx, s, t)
	return &resumed{l, t}, err
}

// exchange is a request of the handshake and its answer.
type exchange struct {
	ID      string `json:"id"` // as JSON; empty for a notification
	Method  string `json:"method"`
	Status  int    `json:"status"`
	Type    string `json:"type,omitempty"`    // Content-Type
	Session string `json:"session,omitempty"` // Mcp-Session-Id
	Body    []byte `json:"body,omitempty"`
}

// tape records the exchanges of a handshake, or plays them back. A nil tape
// does neither. Safe for concurrent use.
type tape struct {
	mu      sync.Mutex
	kept    bool // the session is not ended with the connection
	replays bool
	list    []*exchange
}

const sessionHeader = "Mcp-Session-Id"

// opening are the methods by which a client learns what a server is.
var opening = []string{"server/discover", "initialize", "notifications/initialized", "tools/list"}

// asked reads what a request asks for, without taking its body.
func asked(r *http.Request) (id, method string) {
	if r.GetBody == nil {
		return "", ""
	}
	body, err := r.GetBody()
	if err != nil {
		return "", ""
	}
	defer body.Close()
	var q struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if err := json.NewDecoder(body).Decode(&q); err != nil {
		return "", ""
	}
	return string(q.ID), q.Method
}

// answer is what the tape knows of a request; nil for what is to be sent.
func (t *tape) answer(r *http.Request) *http.Response {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if r.Method == http.MethodDelete && t.kept {
		return respond(r, &exchange{Status: http.StatusNoContent})
	}
	if r.Method != http.MethodPost || !t.replays {
		return nil
	}
	id, method := asked(r)
	if method == "ping" {
		return respond(r, &exchange{Status: http.StatusOK, Type: "application/json",
			Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{}}`, id)})
	}
	i := slices.IndexFunc(t.list, func(e *exchange) bool { return e.ID == id && e.Method == method })
	if i < 0 {
		return nil
	}
	return respond(r, t.list[i])
}

func respond(r *http.Request, e *exchange) *http.Response {
	resp := &http.Response{
		StatusCode: e.Status, Status: fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)), Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     http.Header{}, Body: io.NopCloser(bytes.NewReader(e.Body)), ContentLength: int64(len(e.Body)), Request: r,
	}
	if e.Type != "" {
		resp.Header.Set("Content-Type", e.Type)
	}
	if e.Session != "" {
		resp.Header.Set(sessionHeader, e.Session)
	}
	return resp
}

// record keeps an answer of the handshake while it is read. Redirects are not
// kept, what they lead to is.
func (t *tape) record(r *http.Request, resp *http.Response) {
	if t == nil || t.replays || r.Method != http.MethodPost || resp.StatusCode >= 300 && resp.StatusCode < 400 {
		return
	}
	id, method := asked(r)
	if !slices.Contains(opening, method) {
		return
	}
	e := &exchange{ID: id, Method: method, Status: resp.StatusCode, Type: resp.Header.Get("Content-Type"),
		Session: resp.Header.Get(sessionHeader)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list = append(t.list, e)
	resp.Body = &recorded{resp.Body, t, e}
}

// recorded copies what is read of an answer.
type recorded struct {
	io.ReadCloser
	tape *tape
	to   *exchange
}

func (r *recorded) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.tape.mu.Lock()
	defer r.tape.mu.Unlock()
	r.to.Body = append(r.to.Body, p[:n]...)
	return n, err
}

// exchanges are those recorded so far.
func (t *tape) exchanges() []exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]exchange, len(t.list))
	for i, e := range t.list {
		list[i] = *e
		list[i].Body = bytes.Clone(e.Body)
	}
	return list
}

// keep says whether the session outlives its connection.
func (t *tape) keep(kept bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = kept
}
