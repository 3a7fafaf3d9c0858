package chat

import (
	"fmt"
	"regexp"
	"slices"
	"sync"

	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// maxServers is how many external servers one request may name.
const maxServers = 20

// toolset is an external server of the request.
type toolset struct {
	*declared
	at  int // index among the request's servers
	set tool.Toolset
}

// toolset checks an entry of tools that stands for a server's tools.
func (r *rules) toolset(req *message.Request, item int) {
	name := req.Tools[item].MCPServerName
	same := func(t message.Tool) bool { return t.Type == "mcp_toolset" && t.MCPServerName == name }
	switch {
	case !slices.ContainsFunc(req.MCPServers, func(s message.MCPServer) bool { return s.Name == name }):
		r.add("value_error", fmt.Sprintf("no entry of mcp_servers is named %q", name), "tools", item, "mcp_server_name")
	case slices.ContainsFunc(req.Tools[:item], same):
		r.add("value_error", fmt.Sprintf("the server %q has a toolset already", name), "tools", item, "mcp_server_name")
	}
}

var unfitForName = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// declareServers lists the external servers that the answer needs.
func (a *answer) declareServers(r *rules) {
	list := a.req.MCPServers
	if len(list) > 0 && a.Servers == nil {
		r.lacking = append(r.lacking, "client for mcp_servers")
		return
	}
	if len(list) > maxServers {
		r.add("too_long", fmt.Sprintf("List should have at most %d items", maxServers), "mcp_servers")
		return
	}
	for i, s := range list {
		for _, p := range a.Servers.Check(&s) {
			r.add(p.Type, p.Msg, append([]any{"mcp_servers", i}, p.Loc...)...)
		}
		if slices.ContainsFunc(list[:i], func(t message.MCPServer) bool { return t.Name == s.Name }) {
			r.add("value_error", fmt.Sprintf("the server name %q is used twice", s.Name), "mcp_servers", i, "name")
		}
		t := &toolset{declared: &declared{item: -1}, at: i, set: tool.Toolset{MCPServer: s}}
		if j := slices.IndexFunc(a.req.Tools, func(t message.Tool) bool { return t.Type == "mcp_toolset" && t.MCPServerName == s.Name }); j >= 0 {
			t.item, t.spec, t.set.Set = j, a.req.Tools[j], &a.req.Tools[j]
		}
		t.spec.Name = unfitForName.ReplaceAllString(s.Name, "_")
		if !t.set.Idle() && !a.toolless() {
			a.servers = append(a.servers, t)
		}
	}
}

// openServers connects to the external servers, side by side, and puts their
// tools among the others in the order of the request. It returns what is wrong
// with them as problems, or the error that refuses the request.
func (a *answer) openServers() ([]fault.Problem, error) {
	kits, errs := make([]*tool.Kit, len(a.servers)), make([]error, len(a.servers))
	var group sync.WaitGroup
	for i, s := range a.servers {
		group.Go(func() { kits[i], errs[i] = a.Servers.Open(a.ctx, s.set) })
	}
	group.Wait()
	var problems []fault.Problem
	var refused error
	for i, s := range a.servers {
		switch f := fault.As(errs[i]); {
		case errs[i] == nil:
			a.add(s.declared, kits[i])
		case f != nil && len(f.Problems) > 0:
			for _, p := range f.Problems {
				p.Loc = append([]any{"body", "mcp_servers", s.at}, p.Loc...)
				problems = append(problems, p)
			}
		case refused == nil:
			refused = errs[i]
		}
	}
	return problems, refused
}
