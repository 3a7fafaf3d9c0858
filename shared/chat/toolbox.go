package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/web"
)

// toolbox holds the tools of one request: those that it declares, those of kits,
// and those of MCP servers.
type toolbox struct {
	request *message.Request
	known   tool.Set
	remote  tool.Servers // nil disables MCP servers

	used []use // server tools of the conversation

	byName  map[string]*declared
	order   []*declared // as declared
	openers []*declared // items that open kits
	servers []*server   // MCP servers, which open kits too
	unasked bool        // servers are not contacted, so their tools are unknown
	kits    []openKit
}

// declared is one tool as the model may see it. An item of the request declares
// one or, through a kit, several.
type declared struct {
	item     int            // index among the request's tools; -1 for a server without a toolset
	spec     message.Tool   // of the item
	shown    model.Tool     // the description for the model
	tool     tool.Tool      // of the item; nil for a client tool
	function *tool.Function // what the service runs; nil for a client tool
	kit      *tool.Kit      // that the function belongs to
	deferred bool
	uses     int // calls of this answer
}

// openKit is a kit and the item that opened it.
type openKit struct {
	item *declared
	kit  *tool.Kit
}

// declare lists the request's tools. Problems, such as unknown built-in tools, go
// to r.
func (e *Engine) declare(req *message.Request, r *rules) *toolbox {
	b := &toolbox{request: req, used: r.servers, known: e.Tools, remote: e.Servers, byName: make(map[string]*declared, len(req.Tools))}
	b.declareServers(r)
	for i, t := range req.Tools {
		if t.Type == "mcp_toolset" {
			continue
		}
		d := &declared{item: i, spec: t, deferred: t.DeferLoading}
		if kind := builtinType(t.Type); kind != "" {
			if d.tool = b.known[kind]; d.tool == nil && builtin[kind] {
				r.lacking = append(r.lacking, t.Type+enabledBy[kind])
			} else if d.tool == nil {
				r.add("value_error", fmt.Sprintf("unknown tool type %q", t.Type), "tools", i, "type")
			}
		}
		if _, several := d.tool.(tool.Opener); several {
			b.openers = append(b.openers, d)
			continue
		}
		d.describe()
		if b.byName[t.Name] == nil {
			b.order = append(b.order, d)
		}
		b.byName[t.Name] = d
	}
	return b
}

// describe sets the description of a tool that the model calls directly.
func (d *declared) describe() {
	t := d.spec
	d.shown = model.Tool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema, Server: d.tool != nil,
		CacheControl: t.CacheControl}
	if d.tool == nil {
		if t.Type != "" && t.Type != "custom" {
			d.shown.Type = t.Type
		}
		return
	}
	about := d.tool.Describe()
	if d.shown.Description == "" {
		d.shown.Description = about.Description
	}
	if len(d.shown.InputSchema) == 0 {
		d.shown.InputSchema = about.InputSchema
	}
	d.function = &tool.Function{Name: t.Name, Run: d.tool.Run}
}

// builtin are the tool types of the API, whether or not the deployment has them.
var builtin = map[string]bool{"semantic_search_v1": true, "database_query_v1": true, "tabular_analysis_v1": true, "web_search_v1": true,
	"web_fetch_v1": true, "skills_v1": true, "code_execution_v1": true, "tool_search_tool_regex": true, "tool_search_tool_bm25": true}

// enabledBy says how to enable a tool type, or what to use instead.
var enabledBy = map[string]string{
	"web_search_v1":     " (LECTERN_SEARCH_WEB enables it)",
	"code_execution_v1": " (the service has no sandbox to run code in, and no setting adds one; tabular_analysis_v1 calculates over tables, and a client tool such as bash_20250124 runs where the client is)",
}

// builtinType maps a declared type to the service's own; empty means that the
// client runs the tool.
func builtinType(t string) string {
	switch {
	case strings.HasPrefix(t, "web_search_"):
		return "web_search_v1"
	case strings.HasPrefix(t, "web_fetch_"):
		return "web_fetch_v1"
	case strings.HasPrefix(t, "code_execution_"):
		return "code_execution_v1"
	case strings.HasPrefix(t, "tool_search_tool_regex"):
		return "tool_search_tool_regex"
	case strings.HasPrefix(t, "tool_search_tool_bm25"):
		return "tool_search_tool_bm25"
	case t == "" || t == "custom" || t == "mcp_toolset",
		strings.HasPrefix(t, "bash_"), strings.HasPrefix(t, "text_editor_"), strings.HasPrefix(t, "computer_"), strings.HasPrefix(t, "browser_"),
		strings.HasPrefix(t, "memory_"):
		return ""
	}
	return t
}

// open opens the kits of the request and replays the calls of the conversation to
// them. The toolbox must be closed afterwards, also after an error.
func (b *toolbox) open(ctx context.Context) error {
	var problems []fault.Problem
	for _, d := range b.openers {
		kit, err := d.tool.(tool.Opener).Open(ctx, tool.Opening{Spec: specOf(b.request, d.spec), Request: b.request,
			Deferred: b.deferred})
		if err == nil {
			b.add(d, kit)
			continue
		}
		found, err := b.located(d.item, err)
		if err != nil {
			return err
		}
		problems = append(problems, found...)
	}
	found, err := b.openServers(ctx)
	if err != nil {
		return err
	}
	problems = append(problems, found...)
	if !b.unasked {
		problems = append(problems, b.strangers()...)
	}
	if name := b.chosen(); name != "" && len(problems) == 0 && b.byName[name] == nil && b.kitNamed(name) == nil && !b.unasked {
		problems = append(problems, fault.Problem{Loc: []any{"body", "tool_choice", "name"},
			Msg: fmt.Sprintf("tool_choice.name %q is not a tool of this request", name), Type: "value_error"})
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	b.recall()
	return nil
}

// strangers reports the server tools of the conversation that neither the API nor the
// request has.
func (b *toolbox) strangers() []fault.Problem {
	var problems []fault.Problem
	for _, u := range b.used {
		declared := func(t message.Tool) bool { return t.Name == u.name }
		if b.byName[u.name] != nil || slices.Contains(serverTools, u.name) || slices.ContainsFunc(b.request.Tools, declared) {
			continue
		}
		problems = append(problems, fault.Problem{Loc: append([]any{"body"}, u.loc...), Type: "value_error",
			Msg: fmt.Sprintf("%q is neither a tool of this request nor one of %s", u.name, strings.Join(serverTools, ", "))})
	}
	return problems
}

// deferred lists the deferred tools.
func (b *toolbox) deferred() []tool.Deferred {
	var list []tool.Deferred
	for _, d := range b.order {
		if d.deferred {
			list = append(list, tool.Deferred{Name: d.shown.Name, Description: d.shown.Description, InputSchema: d.shown.InputSchema})
		}
	}
	return list
}

// add inserts the functions of a kit.
func (b *toolbox) add(item *declared, kit *tool.Kit) {
	b.kits = append(b.kits, openKit{item, kit})
	for i := range kit.Functions {
		f := &kit.Functions[i]
		d := &declared{item: item.item, spec: item.spec, tool: item.tool, function: f, kit: kit, deferred: item.deferred || f.Deferred}
		name := f.Name
		if b.byName[name] != nil {
			name = item.spec.Name + "_" + name
		}
		for n := 2; b.byName[name] != nil; n++ {
			name = fmt.Sprintf("%s_%s_%d", item.spec.Name, f.Name, n)
		}
		d.shown = model.Tool{Name: name, Description: f.Description, InputSchema: f.InputSchema, Server: true,
			CacheControl: item.spec.CacheControl}
		b.order = append(b.order, d)
		b.byName[name] = d
	}
}

func (b *toolbox) close() {
	for _, k := range slices.Backward(b.kits) {
		if k.kit.Close != nil {
			k.kit.Close()
		}
	}
	b.kits = nil
}

// recall reports the calls of the conversation that have a result to the kits.
func (b *toolbox) recall() {
	if !slices.ContainsFunc(b.kits, func(k openKit) bool { return k.kit.Saw != nil }) {
		return
	}
	worked := map[string]bool{}
	for _, m := range b.request.Messages {
		for _, block := range m.Content {
			if r, ok := block.(*message.ToolResult); ok {
				worked[r.ToolUseID] = !r.IsError
			}
		}
	}
	for _, m := range b.request.Messages {
		for _, block := range m.Content {
			var id, name string
			var input message.Object
			switch u := block.(type) {
			case *message.ToolUse:
				id, name, input = u.ID, u.Name, u.Input
			case *message.ServerToolUse:
				id, name, input = u.ID, u.Name, u.Input
			case *message.MCPToolUse:
				id, name, input = u.ID, u.Name, u.Input
			}
			ok, answered := worked[id]
			if d := b.byName[name]; answered && d != nil && d.kit != nil && d.kit.Saw != nil {
				d.kit.Saw(d.function.Name, input, ok)
			}
		}
	}
}

// chosen returns the name of the tool that must be called; empty if the model may
// choose.
func (b *toolbox) chosen() string {
	if c := b.request.ToolChoice; c != nil && c.Type == "tool" {
		return c.Name
	}
	return ""
}

// kitNamed returns the kit that an item of the given name brought in, unless a tool
// has the name; nil if there is none.
func (b *toolbox) kitNamed(name string) *tool.Kit {
	at := slices.IndexFunc(b.kits, func(k openKit) bool { return k.item.item >= 0 && k.item.spec.Name == name && k.item.tool != nil })
	if at < 0 || b.byName[name] != nil {
		return nil
	}
	return b.kits[at].kit
}

// force narrows a turn to the kit that must be called: the model chooses one of its
// functions.
func (b *toolbox) force(next *model.Request) {
	kit := b.kitNamed(next.Choice.Name)
	if next.Choice.Type != "tool" || kit == nil {
		return
	}
	next.Choice.Type, next.Choice.Name = "any", ""
	next.Tools = slices.DeleteFunc(slices.Clone(next.Tools), func(t model.Tool) bool { return b.byName[t.Name].kit != kit })
	if len(next.Tools) == 1 {
		next.Choice.Type, next.Choice.Name = "tool", next.Tools[0].Name
	}
}

// visible reports whether the model may see a tool now. A tool that must be called is
// brought in by that.
func (b *toolbox) visible(d *declared) bool {
	if !d.deferred || d.shown.Name == b.chosen() {
		return true
	}
	return slices.ContainsFunc(b.kits, func(k openKit) bool { return k.kit.Unlocks != nil && k.kit.Unlocks(d.shown.Name) })
}

// unlockable reports whether a call could bring in the tools of an item.
func (b *toolbox) unlockable(item int) bool {
	return slices.ContainsFunc(b.kits, func(k openKit) bool { return k.kit.Unlocks != nil && k.item.item != item })
}

// toolless reports whether the request forbids tool calls in all turns of the
// answer.
func (b *toolbox) toolless() bool {
	return b.request.ToolChoice != nil && b.request.ToolChoice.Type == "none"
}

// offer lists the tools that the model may call in its next turn.
func (b *toolbox) offer() []model.Tool {
	var list []model.Tool
	if b.toolless() {
		return nil
	}
	for _, d := range b.order {
		if b.visible(d) {
			list = append(list, d.shown)
		}
	}
	return list
}

// find returns the tool of a name that the model called; nil if it was not offered.
func (b *toolbox) find(name string) *declared {
	if d := b.byName[name]; d != nil && b.visible(d) {
		return d
	}
	return nil
}

// check asks each tool, if the request wants that, whether it can work, before
// anything is generated.
func (b *toolbox) check(ctx context.Context) error {
	if c := b.request.ToolChoice; c == nil || c.ValidationMode != "eager" {
		return nil
	}
	var problems []fault.Problem
	for _, d := range b.order {
		if d.tool == nil || d.kit != nil {
			continue // a kit was checked when it was opened
		}
		if err := d.tool.Check(ctx, specOf(b.request, d.spec)); err != nil {
			found, err := b.located(d.item, err)
			if err != nil {
				return err
			}
			problems = append(problems, found...)
		}
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	return nil
}

// located prefixes the locations of a tool's problems with its place in the
// request. Errors that are not the request's are returned as errors.
func (b *toolbox) located(item int, err error) ([]fault.Problem, error) {
	f := fault.As(err)
	if f == nil || f.Code == fault.Internal {
		return nil, err
	}
	at := []any{"body", "tools", item}
	global := len(b.request.Tools[item].Context) == 0
	if len(f.Problems) == 0 {
		return []fault.Problem{{Loc: append(at, "context"), Msg: f.Msg, Type: "value_error"}}, nil
	}
	problems := slices.Clone(f.Problems)
	for i, p := range problems {
		if global && len(p.Loc) > 0 && p.Loc[0] == "context" {
			problems[i].Loc = append([]any{"body", "tool_context"}, p.Loc[1:]...)
		} else {
			problems[i].Loc = append(slices.Clone(at), p.Loc...)
		}
	}
	return problems, nil
}

// specOf returns a tool's declaration with the contexts that apply to it.
func specOf(req *message.Request, t message.Tool) tool.Spec {
	s := tool.Spec{Name: t.Name, Context: t.Context, Session: req.Container.ID, Domains: web.Domains{Allowed: t.Allowed, Blocked: t.Blocked},
		Citations: t.Citations.Enabled}
	if len(s.Context) == 0 {
		s.Context = req.ToolContext
	}
	return s
}
