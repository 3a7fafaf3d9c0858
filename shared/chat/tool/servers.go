package tool

import (
	"context"
	"encoding/json"
	"slices"

	"lectern/shared/fault"
	"lectern/shared/message"
)

// Servers connects to the MCP servers that requests name. Safe for concurrent use.
type Servers interface {
	// Check validates a server's declaration without contacting it. Locations start
	// below the server.
	Check(s *message.MCPServer) []fault.Problem
	// Open connects to a server and lists its tools. An unreachable server is
	// Invalid, with locations below the server; a server that rejects the
	// request's token and a blocked address are Forbidden. ctx must live as
	// long as the kit. The caller closes the kit.
	Open(ctx context.Context, s Toolset) (*Kit, error)
}

// Visitor uses servers step by step, for a caller that cannot hold a connection
// between steps; state between steps is in Visit.State. Safe for concurrent
// use, also for steps of one visit. Errors are those of Servers and of
// Function.Run.
type Visitor interface {
	// Arrive connects to a server and lists its tools. The server's session
	// stays open until Leave.
	Arrive(ctx context.Context, s Toolset) (*Visit, error)
	// Use makes one call. turn counts the calls of a visit from 1 and must be unique.
	Use(ctx context.Context, s Toolset, state json.RawMessage, turn int, function string, input message.Object) (Result, error)
	// Leave ends the server's session; only necessary if Visit.Kept.
	Leave(ctx context.Context, s Toolset, state json.RawMessage)
}

// Visit is the result of Arrive.
type Visit struct {
	Offers []Offer
	// State is input to Use and Leave. It opens the session at the server, so
	// it is as secret as the request's token.
	State json.RawMessage
	Kept  bool // the server keeps a session until Leave
}

// Offer is one tool of a visited server.
type Offer struct {
	Name        string // as models see it
	Function    string // the server's name
	Description string
	InputSchema message.Object
	Deferred    bool
}

// Toolset is a server as a request declares it.
type Toolset struct {
	message.MCPServer
	// Set is the mcp_toolset item that names the server; may be nil.
	Set *message.Tool
}

// Shows reports whether the model may use a tool of the server, and whether it is
// deferred. Both the server's settings and the toolset must allow a tool.
func (t *Toolset) Shows(name string) (shown, deferred bool) {
	shown = on(t.Configuration, true)
	if c := t.Configuration; c != nil && c.AllowedTools != nil {
		shown = shown && slices.Contains(c.AllowedTools, name)
	}
	if t.Set == nil {
		return shown, false
	}
	wanted, deferred := on(t.Set.DefaultConfig, true), late(t.Set.DefaultConfig, t.Set.DeferLoading)
	if c, ok := t.Set.Configs[name]; ok {
		wanted, deferred = on(&c, wanted), late(&c, deferred)
	}
	return shown && wanted, deferred
}

// Idle reports whether the settings exclude every tool of the server, so that
// it need not be contacted.
func (t *Toolset) Idle() bool {
	if c := t.Configuration; c != nil && (!on(c, true) || c.AllowedTools != nil && len(c.AllowedTools) == 0) {
		return true
	}
	if t.Set == nil || on(t.Set.DefaultConfig, true) {
		return false
	}
	for name := range t.Set.Configs {
		if shown, _ := t.Shows(name); shown {
			return false
		}
	}
	return true
}

func on(c *message.MCPToolConfig, otherwise bool) bool {
	if c == nil || c.Enabled == nil {
		return otherwise
	}
	return *c.Enabled
}

func late(c *message.MCPToolConfig, otherwise bool) bool {
	if c == nil || c.DeferLoading == nil {
		return otherwise
	}
	return *c.DeferLoading
}
