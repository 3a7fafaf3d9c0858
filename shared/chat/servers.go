package chat

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// maxServers is how many MCP servers one request may name.
const maxServers = 20

// server is an MCP server of the request.
type server struct {
	item *declared // the tool item under which its tools are listed
	at   int       // index among the request's servers
	set  tool.Toolset
}

// toolset checks an mcp_toolset item.
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

// declareServers lists the MCP servers that the answer needs.
func (b *toolbox) declareServers(r *rules) {
	list := b.request.MCPServers
	if len(list) > 0 && b.remote == nil {
		r.lacking = append(r.lacking, "client for mcp_servers")
		return
	}
	if len(list) > maxServers {
		r.add("too_long", fmt.Sprintf("List should have at most %d items", maxServers), "mcp_servers")
		return
	}
	for i, s := range list {
		for _, p := range b.remote.Check(&s) {
			r.add(p.Type, p.Msg, append([]any{"mcp_servers", i}, p.Loc...)...)
		}
		if slices.ContainsFunc(list[:i], func(t message.MCPServer) bool { return t.Name == s.Name }) {
			r.add("value_error", fmt.Sprintf("the server name %q is used twice", s.Name), "mcp_servers", i, "name")
		}
		item, set := &declared{item: -1}, tool.Toolset{MCPServer: s}
		if j := slices.IndexFunc(b.request.Tools, func(t message.Tool) bool {
			return t.Type == "mcp_toolset" &&
				t.MCPServerName == s.Name
		}); j >= 0 {
			item.item, item.spec, set.Set = j, b.request.Tools[j], &b.request.Tools[j]
		}
		item.spec.Name = unfitForName.ReplaceAllString(s.Name, "_")
		if !set.Idle() && !b.toolless() {
			b.servers = append(b.servers, &server{item, i, set})
		}
	}
}

// openServers connects to the MCP servers concurrently and inserts their tools in
// the order of the request. It returns the problems of servers, or an error that
// rejects the request.
func (b *toolbox) openServers(ctx context.Context) ([]fault.Problem, error) {
	kits, errs := make([]*tool.Kit, len(b.servers)), make([]error, len(b.servers))
	var group sync.WaitGroup
	for i, s := range b.servers {
		group.Go(func() { kits[i], errs[i] = b.remote.Open(ctx, s.set) })
	}
	group.Wait()
	var problems []fault.Problem
	var refused error
	for i, s := range b.servers {
		switch f := fault.As(errs[i]); {
		case errs[i] == nil:
			b.add(s.item, kits[i])
		case f != nil && len(f.Problems) > 0:
			for _, p := range f.Problems {
				p.Loc = append([]any{"body", "mcp_servers", s.at}, p.Loc...)
				problems = append(problems, p)
			}
		case refused != nil:
		case f != nil && f.Code != fault.Internal && !strings.Contains(f.Msg, strconv.Quote(s.set.Name)):
			named := *f
			named.Msg = fmt.Sprintf("the MCP server %q: %s", s.set.Name, fault.Public(f))
			refused = &named
		default:
			refused = errs[i]
		}
	}
	return problems, refused
}
