package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lectern/shared/api/schema"
	"lectern/shared/chat/model"
	"lectern/shared/message"
)

// The request.
type (
	request struct {
		Model            string         `json:"model"`
		Messages         []turn         `json:"messages"`
		Stream           bool           `json:"stream"`
		StreamOptions    map[string]any `json:"stream_options,omitempty"`
		MaxTokens        int            `json:"max_tokens"`
		Temperature      *float64       `json:"temperature,omitempty"`
		TopP             *float64       `json:"top_p,omitempty"`
		TopK             *int           `json:"top_k,omitempty"`
		MinP             *float64       `json:"min_p,omitempty"`
		Presence         *float64       `json:"presence_penalty,omitempty"`
		Frequency        *float64       `json:"frequency_penalty,omitempty"`
		Repetition       *float64       `json:"repetition_penalty,omitempty"`
		Seed             *int           `json:"seed,omitempty"`
		Stop             []string       `json:"stop,omitempty"`
		Tools            []any          `json:"tools,omitempty"`
		ToolChoice       any            `json:"tool_choice,omitempty"`
		ParallelToolUses *bool          `json:"parallel_tool_calls,omitempty"`
		ResponseFormat   any            `json:"response_format,omitempty"`
		ReasoningEffort  string         `json:"reasoning_effort,omitempty"`
		Priority         *int           `json:"priority,omitempty"`
		ServiceTier      string         `json:"service_tier,omitempty"`
		User             string         `json:"user,omitempty"`
	}
	turn struct {
		Role       string     `json:"role"`
		Content    any        `json:"content"` // string, parts, or null beside tool calls
		ToolCalls  []sentCall `json:"tool_calls,omitempty"`
		ToolCallID string     `json:"tool_call_id,omitempty"`
	}
	sentCall struct {
		ID       string       `json:"id"`
		Type     string       `json:"type"`
		Function sentFunction `json:"function"`
	}
	sentFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
)

// maxStops is how many stop sequences these servers accept; the engine handles all of
// them anyway.
const maxStops = 4

// tiers are the service tiers in the names of these servers.
var tiers = map[string]string{"auto": "auto", "standard_only": "default"}

// Fields returns the optional fields of a request that reach the server.
func Fields() []string {
	return []string{"temperature", "top_p", "top_k", "min_p", "presence_penalty", "frequency_penalty", "repetition_penalty", "seed",
		"effort", "priority", "service_tier"}
}

func encode(req *model.Request) ([]byte, error) {
	chat := req.Chat
	out := request{
		Model: req.Model, Stream: chat.Stream, MaxTokens: req.MaxTokens,
		Temperature: chat.Temperature, TopP: chat.TopP, TopK: chat.TopK, MinP: chat.MinP, Presence: chat.PresencePenalty,
		Frequency: chat.FrequencyPenalty, Repetition: chat.RepetitionPenalty, Seed: chat.Seed,
		Stop: chat.StopSequences[:min(maxStops, len(chat.StopSequences))], ReasoningEffort: req.Effort, Priority: chat.Priority,
		ServiceTier: tiers[chat.ServiceTier],
	}
	if chat.Stream {
		out.StreamOptions = map[string]any{"include_usage": true}
	}
	if chat.Metadata != nil {
		out.User = chat.Metadata.UserID
	}
	if system := req.SystemText(); system != "" {
		out.Messages = append(out.Messages, turn{Role: "system", Content: system})
	}
	for _, m := range req.Messages {
		out.Messages = appendTurns(out.Messages, m)
	}
	for _, t := range req.Tools {
		schema := json.RawMessage(t.InputSchema)
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		out.Tools = append(out.Tools, map[string]any{"type": "function",
			"function": map[string]any{"name": t.Name, "description": t.Description, "parameters": schema}})
	}
	out.choose(req)
	if req.Free() {
		out.ResponseFormat = map[string]string{"type": "json_object"}
	} else if req.Format != nil {
		out.ResponseFormat = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "answer", "strict": true,
			"schema": json.RawMessage(req.Format)}}
	}
	raw, err := schema.Marshal(&out)
	if err != nil {
		return nil, fmt.Errorf("encode provider request: %w", err)
	}
	return raw, nil
}

func (out *request) choose(req *model.Request) {
	if len(out.Tools) == 0 {
		return
	}
	switch req.Choice.Type {
	case "any":
		out.ToolChoice = "required"
	case "tool":
		out.ToolChoice = map[string]any{"type": "function", "function": map[string]string{"name": req.Choice.Name}}
	}
	if req.Choice.DisableParallel {
		no := false
		out.ParallelToolUses = &no
	}
}

// appendTurns splits a message: tool results become separate messages before the rest
// of the user's turn.
func appendTurns(out []turn, m message.Input) []turn {
	var parts, shown []any // shown: by the results
	var calls []sentCall
	var prose []string
	text := !slices.ContainsFunc(m.Content, shows) // which goes as a string
	for _, b := range m.Content {
		switch b := b.(type) {
		case *message.Text:
			if text {
				prose = append(prose, b.Text)
			} else {
				parts = append(parts, textPart(b.Text))
			}
		case *message.Image, *message.Audio:
			parts = append(parts, media(b))
		case *message.ToolUse:
			input := string(b.Input)
			if input == "" {
				input = "{}"
			}
			calls = append(calls, sentCall{ID: model.ShortCallID(b.ID), Type: "function", Function: sentFunction{b.Name, input}})
		case *message.ToolResult:
			out = append(out, turn{Role: "tool", ToolCallID: model.ShortCallID(b.ToolUseID), Content: resultText(b)})
			shown = append(shown, resultMedia(b)...)
		}
	}
	parts = append(shown, parts...)
	if len(prose) == 0 && len(parts) == 0 && len(calls) == 0 {
		return out
	}
	t := turn{Role: m.Role, ToolCalls: calls}
	switch {
	case len(prose) > 0:
		t.Content = strings.Join(prose, "\n\n")
	case len(parts) > 0:
		t.Content = parts
	}
	return append(out, t)
}

// shows reports whether a block has images or sounds to show.
func shows(b message.Block) bool {
	switch b := b.(type) {
	case *message.Image, *message.Audio:
		return true
	case *message.ToolResult:
		return resultMedia(b) != nil
	}
	return false
}

func textPart(s string) any { return map[string]string{"type": "text", "text": s} }

// media returns the part of an image or a sound; nil for other blocks.
func media(b message.Block) any {
	switch b := b.(type) {
	case *message.Image:
		return map[string]any{"type": "image_url", "image_url": map[string]string{"url": address(b.Source)}}
	case *message.Audio:
		format := strings.TrimPrefix(b.Source.MediaType, "audio/")
		return map[string]any{"type": "input_audio", "input_audio": map[string]string{"data": b.Source.Data, "format": format}}
	}
	return nil
}

// resultMedia returns the images and sounds of a result. Messages of tools hold text
// only, so the user's turn after them shows these.
func resultMedia(r *message.ToolResult) []any {
	var parts []any
	for _, b := range r.Content.Blocks {
		if part := media(b); part != nil {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return append([]any{textPart("From the result of the call " + model.ShortCallID(r.ToolUseID) + ":")}, parts...)
}

func address(s *message.Source) string {
	if s.Type == "base64" {
		return "data:" + s.MediaType + ";base64," + s.Data
	}
	return s.URL
}

func resultText(r *message.ToolResult) string {
	var parts []string
	for _, b := range r.Content.Blocks {
		if t, ok := b.(*message.Text); ok {
			parts = append(parts, t.Text)
		}
	}
	text := strings.Join(parts, "\n")
	if text == "" && resultMedia(r) != nil {
		text = "(shown in the next message)"
	}
	if r.IsError {
		return "Error: " + text
	}
	return text
}

// The answer's chunks.
type (
	chunk struct {
		Choices []struct {
			Delta        delta  `json:"delta"`
			Message      *delta `json:"message"` // of an unstreamed answer
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
		Usage *struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
			Details    struct {
				Cached int `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
		} `json:"usage"`
		Error json.RawMessage `json:"error"`
	}
	delta struct {
		Content          string     `json:"content"`
		ReasoningContent string     `json:"reasoning_content"`
		Reasoning        string     `json:"reasoning"`
		Refusal          string     `json:"refusal"`
		ToolCalls        []toolCall `json:"tool_calls"`
	}
	toolCall struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	}
)

func decode(data []byte) (*chunk, error) {
	c := &chunk{}
	if _, err := schema.Check(data, c); err != nil { // ignores fields with unexpected types
		return nil, fmt.Errorf("provider sent a chunk that is not JSON: %w", err)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return nil, fmt.Errorf("provider sent an error: %.500s", c.Error)
	}
	return c, nil
}

// arguments returns the piece of JSON text: servers send it as a string, or the whole
// as an object.
func (t *toolCall) arguments() string {
	raw := t.Function.Arguments
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var s string
	if raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
