package chat

import (
	"context"
	"fmt"
	"slices"

	"lectern/shared/api/schema"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// Verdict is the result of Validate.
type Verdict struct {
	Valid    bool     `json:"valid"`
	Errors   []string `json:"errors" nullable:"true"`
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

// Validate applies the rules of a chat to a JSON text. It calls no model, but does
// everything else that precedes the first call, such as listing the tools of MCP
// servers. Only text that is not JSON is an error.
func (e *Engine) Validate(ctx context.Context, raw []byte) (*Verdict, error) {
	req := &message.Request{}
	problems, err := schema.Check(raw, req, "body")
	if err != nil {
		return nil, err
	}
	v := &Verdict{Warnings: []string{}, Summary: summarise(req)}
	v.Summary.InputTokens = countable(req)
	if len(problems) > 0 {
		problems = e.withRules(req, problems)
		v.Warnings = append(v.Warnings, e.check(req).warnings...)
	} else {
		r := e.check(req)
		tools, talk, err := e.prepare(ctx, req, r, true)
		switch f := fault.As(err); {
		case err == nil:
			defer tools.close()
			v.Summary.InputTokens = talk.inputTokens
			v.warn(talk, tools)
			if err := e.doubt(ctx, req, v); err != nil {
				return nil, err
			}
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
		v.Errors = append(v.Errors, p.Sentence())
	}
	v.Valid = len(v.Errors) == 0
	return v, nil
}

// warn lists what is deprecated, changed or without effect.
func (v *Verdict) warn(c *conversation, tools *toolbox) {
	warn := func(format string, args ...any) { v.Warnings = append(v.Warnings, fmt.Sprintf(format, args...)) }
	if c.entry.MaxTokens > 0 && c.request.MaxTokens > c.entry.MaxTokens {
		warn("max_tokens %d is above the limit of %s and is lowered to %d", c.request.MaxTokens, c.entry.ID, c.entry.MaxTokens)
	}
	if t := c.request.Thinking; t != nil && t.Effort != "" {
		warn("thinking.effort is deprecated; use output_config.effort")
	}
	for _, s := range c.request.System {
		if s.UseDefaultPrompt {
			warn("system.use_default_prompt is deprecated; use system.prompt")
		}
	}
	if c.request.Thinking.On() && !c.entry.Can.Thinking {
		warn("thinking has no effect: model %s does not think before it answers", c.entry.ID)
	}
	for _, field := range optional(c.request) {
		if !slices.Contains(c.entry.Can.Fields, field) {
			if field == "effort" {
				_, field = effortOf(c.request)
			}
			warn("%s has no effect with model %s", field, c.entry.ID)
		}
	}
	skills := func(t message.Tool) bool { return t.Type == "skills_v1" }
	if c.request.MaxLoadedSkills != nil && !slices.ContainsFunc(c.request.Tools, skills) {
		warn("maximum_loaded_skills has no effect without a tool of type skills_v1")
	}
	for i, t := range c.request.Tools {
		if t.DeferLoading && !tools.unlockable(i) {
			warn("tools[%d] is deferred, and no tool of the request brings it in", i)
		}
	}
}

// doubt warns of collections and artifacts that contexts name and that are not there:
// each search would find nothing.
func (e *Engine) doubt(ctx context.Context, req *message.Request, v *Verdict) error {
	if e.Stored == nil {
		return nil
	}
	look := func(items []message.ContextItem, at ...any) error {
		err := e.Stored.CheckContext(ctx, items)
		f := fault.As(err)
		switch {
		case err == nil:
		case f == nil || f.Code == fault.Internal:
			return err
		case len(f.Problems) == 0:
			v.Warnings = append(v.Warnings, f.Msg)
		}
		if f != nil {
			for _, p := range f.Problems {
				p.Loc = append(slices.Clone(at), p.Loc[1:]...) // without "context"
				v.Warnings = append(v.Warnings, p.Sentence())
			}
		}
		return nil
	}
	for i, t := range req.Tools {
		if err := look(t.Context, "body", "tools", i, "context"); err != nil {
			return err
		}
	}
	return look(req.ToolContext, "body", "tool_context")
}

// optional returns the fields that a request sets and that only some models know,
// as model.Capabilities names them.
func optional(req *message.Request) []string {
	var set []string
	effort, _ := effortOf(req)
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"temperature", req.Temperature != nil}, {"top_p", req.TopP != nil}, {"top_k", req.TopK != nil}, {"min_p", req.MinP != nil},
		{"repetition_penalty", req.RepetitionPenalty != nil}, {"presence_penalty", req.PresencePenalty != nil},
		{"frequency_penalty", req.FrequencyPenalty != nil}, {"seed", req.Seed != nil}, {"priority", req.Priority != nil},
		{"service_tier", req.ServiceTier != "" && req.ServiceTier != "auto"}, {"inference_geo", req.InferenceGeo != ""},
		{"cache_control", req.CacheControl != nil}, {"context_management", len(req.ContextManagement) > 0}, {"effort", effort != ""},
	} {
		if f.given {
			set = append(set, f.name)
		}
	}
	return set
}

// countable estimates the tokens of what could be parsed of a request.
func countable(req *message.Request) int {
	n := 0
	for _, s := range req.System {
		n += estimate(s.Text)
	}
	for _, t := range req.Tools {
		n += estimate(t.Name) + estimate(t.Description) + estimate(string(t.InputSchema))
	}
	for _, m := range req.Messages {
		n += measureContent(m.Content, estimate)
	}
	return n
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
