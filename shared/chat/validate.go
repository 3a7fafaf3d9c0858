package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lectern/shared/api/schema"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// Verdict is the result of Validate.
type Verdict struct {
	Valid    bool     `json:"valid"`
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"`
	Summary  Summary  `json:"request_summary"`
}

// Summary is how the service interprets a request.
type Summary struct {
	Model        string   `json:"model"`
	MessageCount int      `json:"message_count"`
	HasTools     bool     `json:"has_tools"`
	ToolNames    []string `json:"tool_names"`
	Stream       bool     `json:"stream_enabled"`
	ToolChoice   *string  `json:"tool_choice"`
	InputTokens  int      `json:"input_tokens"`
}

// Decode parses a chat request and reports all problems together: wrong types, and
// broken rules in the parts that could be parsed.
func (e *Engine) Decode(raw []byte) (*message.Request, error) {
	req := &message.Request{}
	problems, err := schema.Check(raw, req, "body")
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, fault.Problems(e.withRules(req, problems))
	}
	return req, nil
}

// Check returns the error with which Run would reject a request, without calling a
// model.
func (e *Engine) Check(ctx context.Context, req *message.Request) error {
	tools, _, err := e.prepare(ctx, req, e.check(req), true)
	if err == nil {
		tools.close()
	}
	return err
}

// withRules adds the broken rules of a partly parsed request, except those about
// locations that could not be parsed.
func (e *Engine) withRules(req *message.Request, problems []fault.Problem) []fault.Problem {
	unread := len(problems)
	for _, p := range e.check(req).problems {
		if !slices.ContainsFunc(problems[:unread], func(q fault.Problem) bool { return nested(p.Loc, q.Loc) }) {
			problems = append(problems, p)
		}
	}
	return problems
}

// nested reports whether one location lies within the other.
func nested(a, b []any) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}

// Validate applies the rules of a chat to a JSON text. It calls no model and
// contacts no MCP server. Only text that is not JSON is an error.
func (e *Engine) Validate(ctx context.Context, raw []byte) (*Verdict, error) {
	req := &message.Request{}
	problems, err := schema.Check(raw, req, "body")
	if err != nil {
		return nil, err
	}
	v := &Verdict{Warnings: []string{}, Summary: summarise(req)}
	if len(problems) > 0 {
		problems = e.withRules(req, problems)
	} else {
		r := e.check(req)
		tools, talk, err := e.prepare(ctx, req, r, false)
		switch f := fault.As(err); {
		case err == nil:
			defer tools.close()
			v.Summary.InputTokens = talk.inputTokens
			v.warn(talk)
		case f == nil || f.Code == fault.Internal:
			return nil, err
		case len(f.Problems) > 0:
			problems = f.Problems
		default:
			problems = []fault.Problem{{Msg: f.Msg}}
		}
		v.Warnings = append(v.Warnings, r.warnings...)
	}
	for _, p := range problems {
		v.Errors = append(v.Errors, sentenceOf(p))
	}
	v.Valid = len(v.Errors) == 0
	return v, nil
}

func (v *Verdict) warn(c *conversation) {
	if c.entry.MaxTokens > 0 && c.request.MaxTokens > c.entry.MaxTokens {
		v.Warnings = append(v.Warnings, fmt.Sprintf("max_tokens %d is above the limit of %s and is lowered to %d", c.request.MaxTokens,
			c.entry.ID, c.entry.MaxTokens))
	}
	if t := c.request.Thinking; t != nil && t.Effort != "" {
		v.Warnings = append(v.Warnings, "thinking.effort is deprecated; use output_config.effort")
	}
	for _, s := range c.request.System {
		if s.UseDefaultPrompt {
			v.Warnings = append(v.Warnings, "system.use_default_prompt is deprecated; use system.prompt")
		}
	}
}

func sentenceOf(p fault.Problem) string {
	if len(p.Loc) < 2 {
		return p.Msg
	}
	parts := make([]string, len(p.Loc)-1)
	for i, l := range p.Loc[1:] {
		parts[i] = fmt.Sprint(l)
	}
	return strings.Join(parts, ".") + ": " + p.Msg
}

func summarise(req *message.Request) Summary {
	s := Summary{Model: req.Model, MessageCount: len(req.Messages), HasTools: len(req.Tools) > 0, ToolNames: []string{}, Stream: req.Stream}
	for _, t := range req.Tools {
		if t.Name != "" {
			s.ToolNames = append(s.ToolNames, t.Name)
		}
	}
	if req.ToolChoice != nil {
		s.ToolChoice = &req.ToolChoice.Type
	}
	return s
}

// Count counts the input tokens of a conversation; count counts those of one text.
func (e *Engine) Count(ctx context.Context, req *message.Request, count func(string) (int, error)) (int, error) {
	tools, talk, err := e.prepare(ctx, req, e.check(req), false)
	if err != nil {
		return 0, err
	}
	defer tools.close()
	var broken error
	exact := func(s string) int {
		n, err := count(s)
		if err != nil {
			broken = err
		}
		return n
	}
	n := talk.measure(exact)
	return n, broken
}
