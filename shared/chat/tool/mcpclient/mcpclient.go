// Package mcpclient is a client of the Model Context Protocol.
//
// A server is reached by streamable HTTP, or by the older SSE transport if its
// path ends in /sse; never by a local command. Every connection goes through
// the guarded client, lasts one request, and sends the request's token and
// headers only to the server's origin: neither a redirect nor the endpoint
// named by an SSE server receives them. The model sees a server's tools and
// results, but not its instructions.
package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/web/fetch"
)

// Limits of one server.
const (
	openTimeout      = 15 * time.Second
	maxTools         = 1000
	maxResponseBytes = 32 << 20 // of one HTTP response, also of a stream
	maxEventBytes    = 8 << 20
)

// codeNotSent is the SDK's own error code for a message that did not reach the
// server.
const codeNotSent = -32005

// sseVersion is the last protocol version with the SSE transport.
const sseVersion = "2024-11-05"

// Client opens servers. Safe for concurrent use.
type Client struct {
	Fetch *fetch.Client
}

// Open implements tool.Servers.
func (c *Client) Open(ctx context.Context, s tool.Toolset) (*tool.Kit, error) {
	l, err := c.open(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	kit := &tool.Kit{Close: l.close}
	for _, o := range l.offers {
		kit.Functions = append(kit.Functions, tool.Function{
			Name: o.Name, Description: o.Description, InputSchema: o.InputSchema, Deferred: o.Deferred, Server: s.Name,
			Run: func(ctx context.Context, call tool.Call) (tool.Result, error) {
				return run(ctx, l.session, s.Name, o.Function, call.Input)
			},
		})
	}
	return kit, nil
}

// live is an open connection.
type live struct {
	session *mcp.ClientSession
	offers  []tool.Offer
	close   func()
}

// open connects and lists the tools. tape may be nil.
func (c *Client) open(ctx context.Context, s tool.Toolset, tape *tape) (*live, error) {
	if problems := c.Check(&s.MCPServer); len(problems) > 0 {
		return nil, fault.Problems(problems)
	}
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil, fault.Field("value_error", "url cannot be parsed", "url")
	}
	if err := c.Fetch.CheckAddress(ctx, u); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	late := time.AfterFunc(openTimeout, cancel)
	carrier := &carrier{client: c.Fetch, origin: origin(u), header: headerOf(&s.MCPServer), tape: tape}
	session, err := connect(ctx, u, carrier)
	var offers []tool.Offer
	if err == nil {
		if offers, err = list(ctx, session, s); err != nil {
			_ = session.Close()
		}
	}
	if !late.Stop() && err == nil { // the timeout fired as the list was complete
		_ = session.Close()
		err = context.DeadlineExceeded
	}
	if err != nil {
		defer cancel()
		return nil, c.explain(ctx, err, carrier, u.Hostname(), s.Name)
	}
	return &live{session, offers, func() {
		_ = session.Close()
		cancel()
	}}, nil
}

func connect(ctx context.Context, u *url.URL, c *carrier) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "lectern", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	web := &http.Client{Transport: c, CheckRedirect: c.client.HTTP().CheckRedirect}
	if overSSE(u) {
		return client.Connect(ctx, &mcp.SSEClientTransport{Endpoint: u.String(), HTTPClient: web, MaxEventSize: maxEventBytes},
			&mcp.ClientSessionOptions{ProtocolVersion: sseVersion})
	}
	return client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: u.String(), HTTPClient: web, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxEventBytes,
	}, nil)
}

// overSSE reports whether a server uses the SSE transport.
func overSSE(u *url.URL) bool { return strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/sse") }

// list reads a server's tools, page by page.
func list(ctx context.Context, session *mcp.ClientSession, s tool.Toolset) ([]tool.Offer, error) {
	offers, seen := []tool.Offer{}, 0
	for t, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if seen++; seen > maxTools {
			return nil, fault.Field("value_error", fmt.Sprintf("the MCP server %q has over %d tools", s.Name, maxTools), "url")
		}
		if t == nil {
			continue
		}
		if shown, deferred := s.Shows(t.Name); shown {
			offers = append(offers, tool.Offer{
				Name: plain(t.Name), Function: t.Name, Description: t.Description, InputSchema: schemaOf(t.InputSchema), Deferred: deferred,
			})
		}
	}
	return offers, nil
}

var unfit = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// plain converts a tool name to the characters that models accept.
func plain(name string) string {
	name = unfit.ReplaceAllString(name, "_")
	return name[:min(len(name), 128)]
}

// schemaOf returns a tool's input schema; an invalid one becomes an empty
// object schema.
func schemaOf(from any) message.Object {
	raw, err := json.Marshal(from)
	if m, ok := from.(map[string]any); err != nil || !ok || m["type"] != "object" {
		return message.Object(`{"type":"object"}`)
	}
	return message.Object(raw)
}

// run calls one tool. Only the server's own error text is shown: the text of a
// connection error may contain the URL, and with it a key.
func run(ctx context.Context, session *mcp.ClientSession, server, function string, input message.Object) (tool.Result, error) {
	answer, err := session.CallTool(ctx, &mcp.CallToolParams{Name: function, Arguments: json.RawMessage(input)})
	var refusal *jsonrpc.Error
	switch {
	case err == nil:
		return tool.Result{Content: content(answer), IsError: answer.IsError}, nil
	case ctx.Err() != nil:
		return tool.Result{}, ctx.Err()
	case errors.As(err, &refusal) && refusal.Code != codeNotSent:
		return tool.Failed(fmt.Sprintf("the MCP server %q refused the call: %s", server, refusal.Message)), nil
	}
	return brokenOff(server), nil
}

func brokenOff(server string) tool.Result {
	return tool.Failed(fmt.Sprintf("the MCP server %q failed during the call", server))
}

// explain converts an error of opening a server to a fault.
func (c *Client) explain(ctx context.Context, err error, carrier *carrier, host, name string) error {
	status, broken := carrier.outcome()
	if f := fault.As(err); f != nil && len(f.Problems) > 0 {
		return err
	}
	if f := fault.As(c.Fetch.Refused(broken, host)); f != nil {
		return f
	}
	unreachable := func(why string) error {
		return fault.Field("unreachable_server", fmt.Sprintf("the MCP server %q %s", name, why), "url")
	}
	var refusal *jsonrpc.Error
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fault.New(fault.Forbidden, "the MCP server %q rejected the request's authorization", name)
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
		return unreachable("did not answer in time")
	case status >= 400:
		return unreachable(fmt.Sprintf("answered with status %d", status))
	case errors.Is(broken, errPlain):
		return unreachable("leads to an address without https")
	case broken == nil && errors.As(err, &refusal):
		return unreachable("refused to list its tools: " + refusal.Message)
	}
	return unreachable("is unreachable")
}
