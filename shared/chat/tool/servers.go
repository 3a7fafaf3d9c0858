package tool

import (
	"context"
	"encoding/json"
	"slices"

	"lectern/shared/fault"
	"lectern/shared/message"
)

// Servers reaches the external tool servers that requests name. Safe for
// concurrent use.
type Servers interface {
	// Check returns what is wrong with how a request names a server, without
	// reaching it. Locations begin below the server.
	Check(s *message.MCPServer) []fault.Problem
	// Open connects to a server and lists its tools. A server that cannot be
	// reached is Invalid, with locations below the server; one that refuses
	// the request's token, and a blocked address, are Forbidden. ctx must live
	// as long as the kit. Whoever opened a kit closes it.
	Open(ctx context.Context, s Toolset) (*Kit, error)
}

// Visitor reaches servers step by step, for a caller that cannot hold a
// connection between the steps; what must outlive one is in Visit.State. Safe
// for concurrent use, steps of one visit included. Errors are those of Servers
// and of Function.Run.
type Visitor interface {
	// Arrive connects to a server and lists its tools. What the server keeps
	// for the visit stays until Leave.
	Arrive(ctx context.Context, s Toolset) (*Visit, error)
	// Use makes the turn-th call of the visit, counted from 1: no two calls of
	// a visit have the same turn.
	Use(ctx context.Context, s Toolset, state json.RawMessage, turn int, function string, input message.Object) (Result, error)
	// Leave frees what the server keeps. It need not be called without
	// Visit.Kept.
	Leave(ctx context.Context, s Toolset, state json.RawMessage)
}

// Visit is what Arrive found.
type Visit struct {
	Offers []Offer
	// State is for Use and Leave. It opens the session at the server, so it is
	// as secret as the request's token.
	State json.RawMessage
	Kept  bool // the server keeps something until Leave
}

// Offer is one tool of a visited server.
type Offer struct {
	Name        string // as models take it
	Function    string // as the server names it
	Description string
	InputSchema message.Object
	Deferred    bool
}

// Toolset is a server as a request declares it.
//
// Source: API "mcp_servers item".
type Toolset struct {
	message.MCPServer
	// Set is the mcp_toolset among the request's tools that names the server;
	// nil without one.
	Set *message.Tool
}

// Shows reports whether the request lets the model use a tool of the server,
// and whether it is deferred. What the server's own settings and the toolset
// say must both allow it.
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

// Idle reports whether no tool of the server can be used, whatever tools it
// has: it need not be reached then.
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
