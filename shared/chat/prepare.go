package chat

import (
	"context"
	"fmt"
	"strings"

	"lectern/shared/chunk"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/model"
	"lectern/shared/passage"
)

// prepare checks the request and brings it into the form that models get.
func (e *Engine) prepare(ctx context.Context, req *message.Request) (*answer, error) {
	if len(req.Thread) > 0 {
		return nil, &fault.Error{Code: fault.Malformed, Msg: "thread is not supported; send the request without it",
			Details: map[string]any{"error_code": "thread_unsupported_request", "unsupported": []string{"thread"}}}
	}
	r := check(req, &e.shapes)
	entry, err := e.Models.Find(ctx, req.Model)
	if err != nil && len(r.problems) == 0 {
		return nil, err
	}
	if err == nil && entry.Model == nil {
		r.add("value_error", fmt.Sprintf("model %q embeds; it does not chat", req.Model), "model")
	}
	a := &answer{Engine: e, ctx: ctx, req: req, entry: entry, book: &passage.Book{}}
	a.declare(r)
	if len(r.problems) > 0 {
		return nil, fault.Problems(r.problems)
	}
	if len(r.lacking) > 0 {
		return nil, fault.New(fault.Unsupported, "this deployment has no %s", strings.Join(r.lacking, ", "))
	}
	if err := a.converse(); err != nil {
		return nil, err
	}
	return a, a.checkTools()
}

// declare lists the request's tools. Built-in ones must be known here.
func (a *answer) declare(r *rules) {
	a.tools = make(map[string]declared, len(a.req.Tools))
	if len(a.req.MCPServers) > 0 {
		r.lacking = append(r.lacking, "client for mcp_servers")
	}
	for i, t := range a.req.Tools {
		d := declared{spec: t}
		if kind := builtinType(t.Type); kind != "" {
			if d.tool = a.Tools[kind]; d.tool == nil && builtin[kind] {
				r.lacking = append(r.lacking, t.Type)
			} else if d.tool == nil {
				r.add("value_error", fmt.Sprintf("there is no tool type %q", t.Type), "tools", i, "type")
			}
		}
		if t.Type != "mcp_toolset" {
			a.tools[t.Name] = d
		}
	}
}

// builtin are the tool types that the API knows, whether or not a deployment
// has them.
var builtin = map[string]bool{"semantic_search_v1": true, "database_query_v1": true, "tabular_analysis_v1": true, "web_search_v1": true,
	"web_fetch_v1": true, "skills_v1": true, "code_execution_v1": true}

// builtinType maps a declared type to the service's own; empty means that the
// client runs the tool.
//
// Source: API "tools[].type".
func builtinType(t string) string {
	switch {
	case strings.HasPrefix(t, "web_search_"):
		return "web_search_v1"
	case strings.HasPrefix(t, "web_fetch_"):
		return "web_fetch_v1"
	case strings.HasPrefix(t, "code_execution_"):
		return "code_execution_v1"
	case t == "" || t == "custom" || t == "mcp_toolset",
		strings.HasPrefix(t, "bash_"), strings.HasPrefix(t, "text_editor_"), strings.HasPrefix(t, "computer_"), strings.HasPrefix(t, "memory_"):
		return ""
	}
	return t
}

// converse makes the model's request.
func (a *answer) converse() error {
	req := a.req
	system := systemOf(req)
	a.vendor = system.vendor
	a.citations = system.known
	rd := renderer{ctx: a.ctx, reader: a.Reader, model: &a.entry, book: a.book, cite: system.cite}
	history, err := repair(unfolded(req.Messages), rd.render)
	if err != nil {
		return err
	}
	if len(history.messages) == 0 {
		return fault.Field("value_error", "the conversation holds nothing that the model can read", "body", "messages")
	}
	format, _ := formatOf(req)
	a.cite = (system.cite || rd.cited) && format == nil
	a.marks = a.cite && (rd.marks || system.cite && len(req.Tools) > 0)
	a.turn = model.Request{
		Model: a.entry.Upstream, Messages: history.messages, MaxTokens: min(req.MaxTokens, a.entry.MaxTokens),
		Format: format, Effort: effortOf(req), Passages: a.book.All(), Cite: a.cite, Chat: req,
	}
	if req.ToolChoice != nil {
		a.turn.Choice = *req.ToolChoice
	}
	a.offer()
	a.turn.System = a.prompt(system, history.system)
	a.inputTokens = a.estimate()
	return a.checkSizes()
}

// offer lists the tools that the model may call.
func (a *answer) offer() {
	if a.turn.Choice.Type == "none" {
		return
	}
	for _, t := range a.req.Tools {
		d, ok := a.tools[t.Name]
		if !ok || t.DeferLoading {
			continue
		}
		shown := model.Tool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema, Server: d.tool != nil, CacheControl: t.CacheControl}
		if d.tool != nil {
			about := d.tool.Describe()
			if shown.Description == "" {
				shown.Description = about.Description
			}
			if len(shown.InputSchema) == 0 {
				shown.InputSchema = about.InputSchema
			}
		} else if t.Type != "" && t.Type != "custom" {
			shown.Type = t.Type
		}
		a.turn.Tools = append(a.turn.Tools, shown)
	}
}

// checkTools asks the tools, before anything is generated, whether they could
// work, where the request wants that.
func (a *answer) checkTools() error {
	if a.turn.Choice.ValidationMode != "eager" {
		return nil
	}
	var problems []fault.Problem
	for i, t := range a.req.Tools {
		d := a.tools[t.Name]
		if d.tool == nil {
			continue
		}
		err := d.tool.Check(a.ctx, specOf(a.req, t))
		f := fault.As(err)
		switch {
		case err == nil:
		case f == nil || f.Code == fault.Internal:
			return err
		case len(f.Problems) == 0:
			problems = append(problems, fault.Problem{Loc: []any{"body", "tools", i, "context"}, Msg: f.Msg, Type: "value_error"})
		default:
			for _, p := range f.Problems {
				p.Loc = append([]any{"body", "tools", i}, p.Loc...)
				problems = append(problems, p)
			}
		}
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	return nil
}

// effortOf is the effort asked for, from whichever field names it.
func effortOf(req *message.Request) string {
	if req.OutputConfig != nil && req.OutputConfig.Effort != "" {
		return req.OutputConfig.Effort
	}
	if req.Thinking != nil {
		return req.Thinking.Effort
	}
	return ""
}

// estimate guesses the tokens of the turn's input from its bytes.
func (a *answer) estimate() int { return a.measure(estimate) }

// measure adds up the tokens of the turn's input; count counts a text's.
func (a *answer) measure(count func(string) int) int {
	n := count(a.turn.SystemText())
	for _, t := range a.turn.Tools {
		n += count(t.Name) + count(t.Description) + count(string(t.InputSchema)) + 8
	}
	for _, m := range a.turn.Messages {
		n += 4 + measureContent(m.Content, count)
	}
	return n
}

// mediaTokens is what a picture or a sound is taken to cost.
const mediaTokens = 1600

func measureContent(c message.Content, count func(string) int) int {
	n := 0
	for _, b := range c {
		switch b := b.(type) {
		case *message.Text:
			n += count(b.Text)
		case *message.ToolUse:
			n += count(b.Name) + count(string(b.Input)) + 8
		case *message.ToolResult:
			n += measureContent(b.Content.Blocks, count) + 8
		case *message.Thinking:
			n += count(b.Thinking)
		case *message.Image, *message.Audio:
			n += mediaTokens
		case *message.Document:
			n += count(b.Source.Data) + count(plainText(b.Source.Content))
		case *message.SearchResult:
			n += count(plainText(b.Content))
		}
	}
	return n
}

func estimate(s string) int { return chunk.EstimateTokens(s) }
