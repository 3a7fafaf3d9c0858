package openai

import (
	"slices"

	"lectern/shared/api/schema"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// builder makes a chat request, and remembers where each of its messages comes
// from, so that problems name the client's own.
type builder struct {
	req   *message.Request
	wrong problems
	from  []origin // of req.Messages
}

// origin is where a message stands in the client's request.
type origin struct {
	list string // the field
	at   int
}

// system adds to the system prompt, or a note in the middle of the conversation.
func (b *builder) system(text string, from origin) {
	if text == "" {
		return
	}
	if len(b.req.Messages) == 0 {
		b.req.System = append(b.req.System, message.System{Text: text})
		return
	}
	b.add(message.RoleSystem, message.Content{message.NewText(text)}, from)
}

// add appends blocks: to the last message, where it is of the same role and holds
// calls or results, which belong together, or as a message of their own.
func (b *builder) add(role string, blocks message.Content, from origin) {
	if n := len(b.req.Messages); n > 0 && len(blocks) > 0 && b.req.Messages[n-1].Role == role && role != message.RoleSystem {
		last := b.req.Messages[n-1].Content
		result := false
		if len(last) > 0 {
			_, result = last[len(last)-1].(*message.ToolResult)
		}
		if result || role == message.RoleAssistant {
			b.req.Messages[n-1].Content = append(last, blocks...)
			return
		}
	}
	b.req.Messages = append(b.req.Messages, message.Input{Role: role, Content: blocks})
	b.from = append(b.from, from)
}

// moved gives the problems of the chat request the places of the client's.
func (b *builder) moved(err error) error {
	f := fault.As(err)
	if f == nil || len(f.Problems) == 0 {
		return err
	}
	list := slices.Clone(f.Problems)
	for i := range list {
		loc := list[i].Loc
		if len(loc) < 3 || loc[1] != "messages" {
			continue
		}
		if at, ok := loc[2].(int); ok && at < len(b.from) {
			list[i].Loc = []any{"body", b.from[at].list, b.from[at].at}
			if len(loc) > 3 {
				list[i].Loc = append(list[i].Loc, "content")
			}
		}
	}
	return fault.Problems(list)
}

// function is a tool of the client.
type function struct {
	Name        string         `json:"name" required:"true" minlen:"1"`
	Description string         `json:"description,omitempty"`
	Parameters  message.Object `json:"parameters,omitempty" doc:"JSON schema of the arguments"`
	Strict      bool           `json:"strict,omitempty"`
}

func (f *function) tool() message.Tool {
	parameters := f.Parameters
	if len(parameters) == 0 {
		parameters = message.Object(`{"type":"object","properties":{}}`)
	}
	return message.Tool{Name: f.Name, Description: f.Description, InputSchema: parameters}
}

// toolChoice is a word, or names a function in the form of either wire.
type toolChoice struct {
	Mode string // none, auto or required; empty when a function is named
	Name string
}

// DecodeSchema reads the forms of a choice.
func (c *toolChoice) DecodeSchema(r *schema.Reader) {
	if r.Kind() == schema.String {
		switch c.Mode = r.Text(); c.Mode {
		case "none", "auto", "required":
		default:
			r.Problem("enum", "Input should be 'none', 'auto', 'required' or an object that names a function")
		}
		return
	}
	var named struct {
		Type     string `json:"type" required:"true" enum:"function"`
		Name     string `json:"name,omitempty"`
		Function *struct {
			Name string `json:"name" required:"true"`
		} `json:"function,omitempty"`
	}
	r.Into(&named)
	if c.Name = named.Name; named.Function != nil {
		c.Name = named.Function.Name
	}
}

// DescribeSchema describes the forms of a choice.
func (*toolChoice) DescribeSchema(*schema.Generator) schema.Doc {
	return schema.Doc{"anyOf": []schema.Doc{{"type": "string", "enum": []string{"none", "auto", "required"}}, {"type": "object"}}}
}

// chooses sets the choice of tools.
func (b *builder) chooses(c *toolChoice, parallel *bool) {
	if c == nil && parallel == nil || len(b.req.Tools) == 0 {
		return
	}
	choice := &message.ToolChoice{Type: "auto", DisableParallel: parallel != nil && !*parallel}
	switch {
	case c == nil:
	case c.Name != "":
		choice.Type, choice.Name = "tool", c.Name
	case c.Mode == "required":
		choice.Type = "any"
	case c.Mode == "none":
		choice.Type = "none"
	}
	b.req.ToolChoice = choice
}

// thinks sets how much the model reasons, where it does.
func (b *builder) thinks(c *chosen, effort string) {
	if effort == "" || effort == "none" || !c.entry.Can.Thinking {
		return
	}
	if effort == "minimal" {
		effort = "low"
	}
	b.req.Thinking = &message.ThinkingConfig{Enabled: true}
	if slices.Contains(c.entry.Can.Efforts, effort) {
		b.req.OutputConfig = &message.OutputConfig{Effort: effort}
	}
}

// warmth is a temperature of OpenAI's scale, of which the upper half has no
// counterpart.
func warmth(t *float64) *float64 {
	if t == nil || *t <= 1 {
		return t
	}
	one := 1.0
	return &one
}

// stops is one stop sequence or several.
type stops []string

// DecodeSchema reads a string or a list of strings.
func (s *stops) DecodeSchema(r *schema.Reader) {
	if r.Kind() == schema.String {
		*s = stops{r.Text()}
		return
	}
	var list []string
	r.Into(&list)
	*s = list
}

// DescribeSchema describes both forms.
func (*stops) DescribeSchema(*schema.Generator) schema.Doc {
	return schema.Doc{"anyOf": []schema.Doc{{"type": "string"}, {"type": "array", "items": schema.Doc{"type": "string"}}}}
}
