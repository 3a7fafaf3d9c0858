package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/passage"
	"lectern/shared/tool"
)

// declared is a tool of the request.
type declared struct {
	spec message.Tool
	tool tool.Tool // nil for a client tool
}

// outcome is one call's result and whether it may be shown.
type outcome struct {
	call   *message.ServerToolUse
	result tool.Result
}

// callAll runs the service's tools side by side, or one after the other when
// the request says so, and sends their results in the order of the calls. It
// returns the results as the model sees them.
func (a *answer) callAll(calls []*message.ServerToolUse) message.Content {
	outcomes := make([]outcome, len(calls))
	var group sync.WaitGroup
	for i, call := range calls {
		run := func() { outcomes[i] = outcome{call, a.call(call)} }
		if a.turn.Choice.DisableParallel {
			run()
		} else {
			group.Go(run)
		}
	}
	group.Wait()
	if err := a.ctx.Err(); err != nil {
		a.out.fail(err)
		return nil
	}
	var results message.Content
	for _, o := range outcomes {
		shown, seen := a.present(o)
		a.out.whole(shown)
		results = append(results, seen)
	}
	return results
}

// call runs one tool. Whatever goes wrong becomes a result that says so.
func (a *answer) call(c *message.ServerToolUse) (result tool.Result) {
	defer func() {
		if p := recover(); p != nil {
			a.Log.ErrorContext(a.ctx, "tool panicked", "tool", c.Name, "panic", p)
			result = tool.Failed("the tool failed")
		}
	}()
	d, ok := a.tools[c.Name]
	if !ok {
		return tool.Failed(fmt.Sprintf("there is no tool named %q", c.Name))
	}
	input := c.Input
	if len(input) == 0 {
		input = message.Object("{}")
	}
	if !json.Valid(input) || input[0] != '{' {
		return tool.Failed("the tool's input is not a JSON object")
	}
	ctx, cancel := context.WithTimeout(a.ctx, a.Options.toolTimeout())
	defer cancel()
	result, err := d.tool.Run(ctx, tool.Call{Spec: a.specOf(d), Input: input, Cite: a.cite})
	if err == nil {
		return result
	}
	if ctx.Err() != nil && a.ctx.Err() == nil {
		return tool.Failed("the tool did not answer in time")
	}
	if f := fault.As(err); f != nil && f.Code != fault.Internal {
		return tool.Failed(publicText(f))
	}
	a.Log.ErrorContext(a.ctx, "tool failed", "tool", c.Name, "error", err)
	return tool.Failed("the tool failed")
}

func publicText(f *fault.Error) string {
	if len(f.Problems) == 0 {
		return f.Msg
	}
	parts := make([]string, len(f.Problems))
	for i, p := range f.Problems {
		parts[i] = p.Msg
	}
	return strings.Join(parts, "; ")
}

// present makes the client's view of a result and the model's: both have the
// passages marked with their ids, the client's only as far as it shows the
// service's own blocks.
func (a *answer) present(o outcome) (shown, seen *message.ToolResult) {
	shown = &message.ToolResult{ToolUseID: o.call.ID, IsError: o.result.IsError}
	seen = &message.ToolResult{ToolUseID: o.call.ID, IsError: o.result.IsError}
	for _, b := range o.result.Content {
		if a.vendor || !vendorOnly(b) {
			shown.Content.Blocks = append(shown.Content.Blocks, b)
		}
		if !vendorOnly(b) {
			seen.Content.Blocks = append(seen.Content.Blocks, b)
		}
	}
	for _, p := range o.result.Material {
		p.Citable = a.cite
		marked := message.NewText(markedText(a.book.Add(p)))
		shown.Content.Blocks = append(shown.Content.Blocks, marked)
		seen.Content.Blocks = append(seen.Content.Blocks, marked)
	}
	if len(shown.Content.Blocks) == 0 {
		shown.Content.Blocks = message.Content{message.NewText("(no output)")}
		seen.Content.Blocks = shown.Content.Blocks
	}
	if len(o.result.Material) == 0 && !o.result.IsError {
		for _, b := range seen.Content.Blocks {
			if t, ok := b.(*message.Text); ok && len(o.result.Content) > 0 && !o.result.Nothing {
				a.book.Add(passage.Passage{Text: t.Text})
			}
		}
	}
	return shown, seen
}

func markedText(p passage.Passage) string {
	if p.ID == "" || !p.Citable {
		return p.Text
	}
	return "[" + p.ID + "] " + p.Text
}

// vendorOnly reports whether a block type is the service's own.
func vendorOnly(b message.Block) bool {
	switch b.(type) {
	case *message.Sources, *message.Binary, *message.TLDR:
		return true
	}
	return false
}

// specOf is the tool's declaration with the contexts that apply to it.
func (a *answer) specOf(d declared) tool.Spec {
	return specOf(a.req, d.spec)
}

func specOf(req *message.Request, t message.Tool) tool.Spec {
	s := tool.Spec{Name: t.Name, Context: t.Context}
	if len(s.Context) == 0 {
		s.Context = req.ToolContext
	}
	return s
}
