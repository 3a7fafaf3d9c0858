package openai

import (
	"net/http"

	"lectern/shared/api/rest"
	"lectern/shared/chat"
	"lectern/shared/message"
)

// chatBody is a request for a chat completion.
type chatBody struct {
	Model             string         `json:"model" default:"default" doc:"model id or alias; model@collection answers from a collection, with citations"`
	Messages          []chatMessage  `json:"messages" required:"true" minlen:"1"`
	MaxTokens         *int           `json:"max_tokens,omitempty" min:"1" doc:"default: a quarter of the model's window, at most 8192"`
	MaxCompletion     *int           `json:"max_completion_tokens,omitempty" min:"1" doc:"takes the place of max_tokens"`
	Temperature       *float64       `json:"temperature,omitempty" min:"0" max:"2" doc:"above 1 counts as 1"`
	TopP              *float64       `json:"top_p,omitempty" min:"0" max:"1"`
	TopK              *int           `json:"top_k,omitempty" min:"0"`
	MinP              *float64       `json:"min_p,omitempty" min:"0" max:"1"`
	N                 *int           `json:"n,omitempty" min:"1" max:"1"`
	Stop              stops          `json:"stop,omitempty"`
	Stream            bool           `json:"stream,omitempty"`
	StreamOptions     *streamOptions `json:"stream_options,omitempty"`
	Tools             []chatTool     `json:"tools,omitempty"`
	ToolChoice        *toolChoice    `json:"tool_choice,omitempty"`
	Parallel          *bool          `json:"parallel_tool_calls,omitempty"`
	ResponseFormat    *chatFormat    `json:"response_format,omitempty"`
	Seed              *int           `json:"seed,omitempty"`
	PresencePenalty   *float64       `json:"presence_penalty,omitempty" min:"-2" max:"2"`
	FrequencyPenalty  *float64       `json:"frequency_penalty,omitempty" min:"-2" max:"2"`
	RepetitionPenalty *float64       `json:"repetition_penalty,omitempty" xmin:"0"`
	Effort            string         `json:"reasoning_effort,omitempty" enum:"none,minimal,low,medium,high,xhigh,max"`
	LogProbs          bool           `json:"logprobs,omitempty" doc:"not supported"`
	Modalities        []string       `json:"modalities,omitempty" doc:"text alone"`
	Functions         []function     `json:"functions,omitempty" deprecated:"true" doc:"use tools"`
	User              string         `json:"user,omitempty" maxlen:"512"`
}

type streamOptions struct {
	Usage bool `json:"include_usage,omitempty"`
}

type chatMessage struct {
	Role       string     `json:"role" required:"true" enum:"developer,system,user,assistant,tool"`
	Content    parts      `json:"content,omitempty"`
	Refusal    string     `json:"refusal,omitempty"`
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type chatCall struct {
	ID       string `json:"id" required:"true" minlen:"1"`
	Type     string `json:"type" default:"function" enum:"function"`
	Function struct {
		Name      string `json:"name" required:"true" minlen:"1"`
		Arguments string `json:"arguments"`
	} `json:"function" required:"true"`
}

type chatTool struct {
	Type     string    `json:"type" required:"true" enum:"function"`
	Function *function `json:"function" required:"true"`
}

type chatFormat struct {
	Type       string `json:"type" required:"true" enum:"text,json_object,json_schema"`
	JSONSchema *struct {
		Name   string         `json:"name,omitempty"`
		Schema message.Object `json:"schema" required:"true"`
		Strict bool           `json:"strict,omitempty"`
	} `json:"json_schema,omitempty"`
}

func (d Deps) complete(w http.ResponseWriter, r *http.Request) error {
	body, err := rest.Decode[chatBody](w, r, rest.LargeBody)
	if err != nil {
		return err
	}
	c, err := d.choose(r, body.Model)
	if err != nil {
		return err
	}
	b := body.request(c)
	if err := b.wrong.err(); err != nil {
		return err
	}
	return d.answer(w, r, b, newChatWriter(d, r, c, body), body.Stream)
}

// request converts the body.
func (body *chatBody) request(c *chosen) *builder {
	b := &builder{req: &message.Request{
		Model: c.model, MaxTokens: c.maxTokens(), Temperature: warmth(body.Temperature), TopP: body.TopP, TopK: body.TopK, MinP: body.MinP,
		StopSequences: body.Stop, Seed: body.Seed, PresencePenalty: body.PresencePenalty, FrequencyPenalty: body.FrequencyPenalty,
		RepetitionPenalty: body.RepetitionPenalty,
	}}
	for _, n := range []*int{body.MaxTokens, body.MaxCompletion} {
		if n != nil {
			b.req.MaxTokens = *n
		}
	}
	if body.User != "" {
		b.req.Metadata = &message.Metadata{UserID: body.User}
	}
	if f := body.ResponseFormat; f != nil && f.Type != "text" {
		b.req.ResponseFormat = &message.ResponseFormat{Type: f.Type}
		switch {
		case f.JSONSchema != nil:
			b.req.ResponseFormat.Schema = f.JSONSchema.Schema
		case f.Type == "json_schema":
			b.wrong.add("missing", "Field required", "response_format", "json_schema")
		}
	}
	b.refuse(body)
	for i := range body.Messages {
		b.message(&body.Messages[i], origin{"messages", i})
	}
	for _, t := range body.Tools {
		if t.Function != nil {
			b.req.Tools = append(b.req.Tools, t.Function.tool())
		}
	}
	b.chooses(body.ToolChoice, body.Parallel)
	b.thinks(c, body.Effort)
	if c.collection != "" {
		chat.AnswerFrom(b.req, c.collection)
	}
	return b
}

// refuse reports what this wire has and the service does not.
func (b *builder) refuse(body *chatBody) {
	if body.LogProbs {
		b.wrong.add("value_error", "log probabilities are not supported", "logprobs")
	}
	if len(body.Functions) > 0 {
		b.wrong.add("value_error", "functions are not supported; use tools", "functions")
	}
	for i, m := range body.Modalities {
		if m != "text" {
			b.wrong.add("value_error", "answers are text", "modalities", i)
		}
	}
}

// message converts one message of the conversation.
func (b *builder) message(m *chatMessage, from origin) {
	loc := []any{from.list, from.at}
	switch m.Role {
	case "developer", "system":
		b.system(m.Content.plain(&b.wrong, loc...), from)
	case "user":
		b.add(message.RoleUser, m.Content.blocks(&b.wrong, b.cites(), loc...), from)
	case "tool":
		if m.ToolCallID == "" {
			b.wrong.add("missing", "Field required", append(loc, "tool_call_id")...)
		}
		b.result(m.ToolCallID, m.Content, from)
	case "assistant":
		var blocks message.Content
		if text := m.Content.plain(&b.wrong, loc...) + m.Refusal; text != "" {
			blocks = append(blocks, message.NewText(text))
		}
		for _, c := range m.ToolCalls {
			blocks = append(blocks, &message.ToolUse{ID: c.ID, Name: c.Function.Name, Input: input(c.Function.Arguments)})
		}
		if len(blocks) == 0 {
			b.wrong.add("missing", "an assistant message should have content or tool_calls", append(loc, "content")...)
			return
		}
		b.add(message.RoleAssistant, blocks, from)
	}
}

// result adds the result of a call.
func (b *builder) result(id string, content parts, from origin) {
	result := &message.ToolResult{ToolUseID: id}
	result.Content.Blocks = content.blocks(&b.wrong, false, from.list, from.at)
	if len(result.Content.Blocks) == 0 {
		result.Content.Blocks = message.Content{message.NewText("")}
	}
	b.add(message.RoleUser, message.Content{result}, from)
}

// cites says whether documents of the request are to be cited: not where the answer
// is JSON.
func (b *builder) cites() bool { return b.req.ResponseFormat == nil }
