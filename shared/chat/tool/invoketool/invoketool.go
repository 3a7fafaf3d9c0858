// Package invoketool runs tools in another function of the deployment, which
// links their large dependencies: database drivers, readers of web pages.
package invoketool

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"lectern/shared/api/schema"
	"lectern/shared/aws/invoke"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/message/passage"
)

const (
	describe = "tool_describe"
	check    = "tool_check"
	run      = "tool_run"
)

type described struct{ Type string }

type checked struct {
	Type string
	Spec tool.Spec
}

type ran struct {
	Type string
	Call tool.Call
}

// result is a tool.Result in transit, with content as JSON.
type result struct {
	Content  json.RawMessage
	Material []passage.Passage
	Nothing  bool
	IsError  bool
	Own      *tool.Own
	Use      message.ServerUse
}

// Tool implements tool.Tool by invocations. Safe for concurrent use.
type Tool struct {
	Kind   string // the tool's type
	Caller *invoke.Caller
	Log    *slog.Logger

	mu        sync.Mutex
	described *tool.Description // cached
}

var _ tool.Tool = (*Tool)(nil)

// Type is the tool's type.
func (t *Tool) Type() string { return t.Kind }

// describeTime limits the call for a description.
const describeTime = 5 * time.Second

// Describe asks the other function, so that each description is written once. If that
// fails, models see only the tool's name.
func (t *Tool) Describe() tool.Description {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.described != nil {
		return *t.described
	}
	ctx, cancel := context.WithTimeout(context.Background(), describeTime)
	defer cancel()
	var d tool.Description
	if err := t.Caller.Call(ctx, describe, described{t.Kind}, &d); err != nil {
		t.Log.Error("tool description unavailable", "tool", t.Kind, "error", err)
		return d
	}
	t.described = &d
	return d
}

// Check implements tool.Tool.
func (t *Tool) Check(ctx context.Context, spec tool.Spec) error {
	var none struct{}
	return t.Caller.Call(ctx, check, checked{t.Kind, spec}, &none)
}

// Run implements tool.Tool.
func (t *Tool) Run(ctx context.Context, call tool.Call) (tool.Result, error) {
	var r result
	if err := t.Caller.Call(ctx, run, ran{t.Kind, call}, &r); err != nil {
		return tool.Result{}, err
	}
	out := tool.Result{Material: r.Material, Nothing: r.Nothing, IsError: r.IsError, Own: r.Own, Use: r.Use}
	return out, schema.Decode(r.Content, &out.Content)
}

// Operations returns the operations of the function that runs the tools.
func Operations(tools tool.Set) map[string]invoke.Operation {
	find := func(kind string) (tool.Tool, error) {
		if t, ok := tools[kind]; ok {
			return t, nil
		}
		return nil, fault.New(fault.Unsupported, "this deployment has no %s", kind)
	}
	return map[string]invoke.Operation{
		describe: invoke.Of(func(_ context.Context, in described) (tool.Description, error) {
			t, err := find(in.Type)
			if err != nil {
				return tool.Description{}, err
			}
			return t.Describe(), nil
		}),
		check: invoke.Of(func(ctx context.Context, in checked) (struct{}, error) {
			t, err := find(in.Type)
			if err != nil {
				return struct{}{}, err
			}
			return struct{}{}, t.Check(ctx, in.Spec)
		}),
		run: invoke.Of(func(ctx context.Context, in ran) (result, error) {
			t, err := find(in.Type)
			if err != nil {
				return result{}, err
			}
			r, err := t.Run(ctx, in.Call)
			if err != nil {
				return result{}, err
			}
			content, err := schema.Marshal(r.Content)
			return result{content, r.Material, r.Nothing, r.IsError, r.Own, r.Use}, err
		}),
	}
}
