// Package invokeservers calls MCP servers through another function of the
// deployment, which links the protocol. Tokens and headers of the request
// travel in the payload of the invocation, sealed if it is large.
//
// The other function keeps no state between invocations, so a server is visited
// step by step, and the state of its session travels with each step.
package invokeservers

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"time"

	"lectern/shared/api/schema"
	"lectern/shared/aws/invoke"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/mcpaddress"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/web/fetch"
)

const (
	arrive = "servers_arrive"
	use    = "servers_use"
	leave  = "servers_leave"
)

// leaveTime limits the last step, during which the complete answer waits.
const leaveTime = 5 * time.Second

// step is the input of each operation.
type step struct {
	Toolset  tool.Toolset
	State    json.RawMessage `json:",omitempty"`
	Turn     int             `json:",omitempty"`
	Function string          `json:",omitempty"`
	Input    message.Object  `json:",omitempty"`
}

// used is a tool.Result in transit, with content as JSON.
type used struct {
	Content json.RawMessage
	IsError bool
}

// Servers implements tool.Servers by invocations. Safe for concurrent use.
type Servers struct {
	Caller *invoke.Caller
	Fetch  *fetch.Client // knows the hosts that allow plain http
}

var _ tool.Servers = (*Servers)(nil)

// Check implements tool.Servers.
func (s *Servers) Check(m *message.MCPServer) []fault.Problem { return mcpaddress.Check(s.Fetch, m) }

// Open implements tool.Servers.
func (s *Servers) Open(ctx context.Context, set tool.Toolset) (*tool.Kit, error) {
	if problems := s.Check(&set.MCPServer); len(problems) > 0 {
		return nil, fault.Problems(problems)
	}
	var v tool.Visit
	if err := s.Caller.Call(ctx, arrive, step{Toolset: set}, &v); err != nil {
		return nil, err
	}
	kit, turns := &tool.Kit{}, &atomic.Int64{}
	for _, o := range v.Offers {
		kit.Functions = append(kit.Functions, tool.Function{
			Name: o.Name, Description: o.Description, InputSchema: o.InputSchema, Deferred: o.Deferred, Server: set.Name,
			Run: func(ctx context.Context, call tool.Call) (tool.Result, error) {
				return s.use(ctx, step{set, v.State, int(turns.Add(1)), o.Function, call.Input})
			},
		})
	}
	if v.Kept {
		kit.Close = func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
			defer cancel()
			var none struct{}
			// If this fails, the server expires the session.
			_ = s.Caller.Call(ctx, leave, step{Toolset: set, State: v.State}, &none)
		}
	}
	return kit, nil
}

func (s *Servers) use(ctx context.Context, q step) (tool.Result, error) {
	var u used
	if err := s.Caller.Call(ctx, use, q, &u); err != nil {
		return tool.Result{}, err
	}
	r := tool.Result{IsError: u.IsError}
	return r, schema.Decode(u.Content, &r.Content)
}

// Operations returns the operations of the invoked function.
func Operations(v tool.Visitor) map[string]invoke.Operation {
	return map[string]invoke.Operation{
		arrive: invoke.Of(func(ctx context.Context, in step) (*tool.Visit, error) { return v.Arrive(ctx, in.Toolset) }),
		use: invoke.Of(func(ctx context.Context, in step) (used, error) {
			r, err := v.Use(ctx, in.Toolset, in.State, in.Turn, in.Function, in.Input)
			if err != nil {
				return used{}, err
			}
			content, err := schema.Marshal(r.Content)
			return used{content, r.IsError}, err
		}),
		leave: invoke.Of(func(ctx context.Context, in step) (struct{}, error) {
			v.Leave(ctx, in.Toolset, in.State)
			return struct{}{}, nil
		}),
	}
}
