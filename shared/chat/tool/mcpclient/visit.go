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

// A visit continues where another process left it: the responses of the first
// step (the handshake and the list of tools) are recorded and replayed to the
// SDK, which is then in the same state and the same session. Servers with the
// SSE transport tie a session to its connection, so there each call opens a
// session of its own.

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
		// The SDK numbers requests from the end of the handshake, but a server
		// may treat two requests of one session with the same number as one.
		// Skip the numbers of earlier calls; these requests are not sent.
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
		return // the server expires the session
	}
	l.tape.keep(false)
	l.close()
}

func sseServer(s tool.Toolset) bool {
	u, err := url.Parse(s.URL)
	return err == nil && overSSE(u)
}

// failed is the result of a call whose server is unreachable.
func failed(ctx context.Context, err error, server string) (tool.Result, error) {
	if ctx.Err() != nil {
		return tool.Result{}, ctx.Err()
	}
	if f := fault.As(err); f != nil && f.Code == fault.Forbidden {
		return tool.Result{}, err
	}
	return brokenOff(server), nil
}

// resumed is a connection that continues a visit.
type resumed struct {
	*live
	tape *tape
}

func (c *Client) resume(ctx context.Context, s tool.Toolset, state json.RawMessage) (*resumed, error) {
	t := &tape{kept: true, replays: true}
	if err := json.Unmarshal(state, &t.list); err != nil {
		return nil, fmt.Errorf("decode visit state: %w", err)
	}
	if sseServer(s) {
		t = nil
	}
	l, err := c.open(ctx, s, t)
	return &resumed{l, t}, err
}

// exchange is a request of the handshake and its response.
type exchange struct {
	ID      string `json:"id"` // as JSON; empty for a notification
	Method  string `json:"method"`
	Status  int    `json:"status"`
	Type    string `json:"type,omitempty"`    // Content-Type
	Session string `json:"session,omitempty"` // Mcp-Session-Id
	Body    []byte `json:"body,omitempty"`
}

// tape records the exchanges of a handshake, or replays them. A nil tape does
// neither. Safe for concurrent use.
type tape struct {
	mu      sync.Mutex
	kept    bool // the session outlives the connection
	replays bool
	list    []*exchange
}

const sessionHeader = "Mcp-Session-Id"

// opening are the methods of the handshake and the list of tools.
var opening = []string{"server/discover", "initialize", "notifications/initialized", "tools/list"}

// asked returns a request's id and method without consuming its body.
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

// answer returns the recorded response to a request; nil if it must be sent.
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

// record records a response of the handshake as it is read. A redirect itself is not
// recorded, only its target's response.
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

// recorded copies the bytes that are read of a response.
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

// exchanges returns the exchanges recorded so far.
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

// keep sets whether the session outlives its connection.
func (t *tape) keep(kept bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = kept
}
