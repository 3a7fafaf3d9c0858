// Package messageswire encodes requests and decodes events of the Messages API, for
// the drivers of Anthropic's servers and of Bedrock's Claude models.
package messageswire

import (
	"encoding/json"
	"fmt"
	"strings"

	"lectern/shared/api/schema"
	"lectern/shared/chat/model"
	"lectern/shared/message"
)

// request has only fields of the Messages API, since servers reject unknown ones.
type request struct {
	Model             string            `json:"model,omitempty"`
	Version           string            `json:"anthropic_version,omitempty"` // Bedrock only
	Messages          []turn            `json:"messages"`
	MaxTokens         int               `json:"max_tokens"`
	Stream            bool              `json:"stream,omitempty"`
	System            []object          `json:"system,omitempty"`
	Tools             []object          `json:"tools,omitempty"`
	ToolChoice        object            `json:"tool_choice,omitempty"`
	Thinking          object            `json:"thinking,omitempty"`
	OutputConfig      object            `json:"output_config,omitempty"`
	CacheControl      any               `json:"cache_control,omitempty"`
	Temperature       *float64          `json:"temperature,omitempty"`
	TopP              *float64          `json:"top_p,omitempty"`
	TopK              *int              `json:"top_k,omitempty"`
	StopSequences     []string          `json:"stop_sequences,omitempty"`
	Metadata          *message.Metadata `json:"metadata,omitempty"`
	ServiceTier       string            `json:"service_tier,omitempty"`
	InferenceGeo      string            `json:"inference_geo,omitempty"`
	ContextManagement json.RawMessage   `json:"context_management,omitempty"`
}

type object = map[string]any

type turn struct {
	Role    string   `json:"role"`
	Content []object `json:"content"`
}

// defaultBudget is the thinking budget of a request that sets only "enabled".
const defaultBudget = 4096

// Fields returns the optional fields of a request that reach the server.
func Fields() []string { return append(BedrockFields(), "service_tier", "inference_geo") }

// BedrockFields returns those that reach a model on Bedrock.
func BedrockFields() []string {
	return []string{"temperature", "top_p", "top_k", "effort", "cache_control", "context_management"}
}

// Encode encodes a streamed turn.
func Encode(req *model.Request) ([]byte, error) { return bodyOf(req).marshal() }

// bedrockVersion is Bedrock's name of the version of the Messages API.
const bedrockVersion = "bedrock-2023-05-31"

// EncodeForBedrock encodes a turn for Bedrock, where the URL names the model and the
// streaming.
func EncodeForBedrock(req *model.Request) ([]byte, error) {
	out := bodyOf(req)
	out.Model, out.Stream, out.Version = "", false, bedrockVersion
	out.ServiceTier, out.InferenceGeo = "", ""
	return out.marshal()
}

func (out *request) marshal() ([]byte, error) {
	raw, err := schema.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("encode provider request: %w", err)
	}
	return raw, nil
}

func bodyOf(req *model.Request) *request {
	chat := req.Chat
	out := &request{
		Model: req.Model, MaxTokens: req.MaxTokens, Stream: true, Temperature: chat.Temperature, TopP: chat.TopP, TopK: chat.TopK,
		StopSequences: chat.StopSequences, Metadata: chat.Metadata, ServiceTier: chat.ServiceTier, InferenceGeo: chat.InferenceGeo,
		ContextManagement: chat.ContextManagement,
	}
	if chat.CacheControl != nil {
		out.CacheControl = cache(chat.CacheControl)
	}
	for _, s := range req.System {
		out.System = append(out.System, with(object{"type": "text", "text": s.Text}, s.CacheControl))
	}
	for _, m := range req.Messages {
		t := turn{Role: m.Role, Content: contents(m.Content)}
		if len(t.Content) > 0 {
			out.Messages = append(out.Messages, t)
		}
	}
	for _, t := range req.Tools {
		out.Tools = append(out.Tools, toolOf(&t))
	}
	out.Thinking = thinkingOf(chat.Thinking, req.MaxTokens)
	out.choose(req)
	if req.Format != nil && !req.Free() {
		out.OutputConfig = object{"format": object{"type": "json_schema", "schema": json.RawMessage(req.Format)}}
	}
	if req.Effort != "" {
		if out.OutputConfig == nil {
			out.OutputConfig = object{}
		}
		out.OutputConfig["effort"] = req.Effort
	}
	return out
}

// thinkingOf converts both forms of the request.
func thinkingOf(t *message.ThinkingConfig, maxTokens int) object {
	if t == nil {
		return nil
	}
	if !t.On() {
		if t.Type == "" {
			return nil
		}
		return object{"type": "disabled"}
	}
	out := object{"type": t.Type}
	if t.Type == "" {
		out["type"] = "enabled"
	}
	if t.BudgetTokens != nil {
		out["budget_tokens"] = *t.BudgetTokens
	} else if out["type"] == "enabled" {
		out["budget_tokens"] = max(1024, min(defaultBudget, maxTokens-1))
	}
	if t.Display != "" {
		out["display"] = t.Display
	}
	return out
}

func (out *request) choose(req *model.Request) {
	c := req.Choice
	if len(out.Tools) == 0 || c.Type == "" && !c.DisableParallel {
		return
	}
	out.ToolChoice = object{"type": c.Type}
	if c.Type == "" {
		out.ToolChoice["type"] = "auto"
	}
	if c.Type == "tool" {
		out.ToolChoice["name"] = c.Name
	}
	if c.DisableParallel && c.Type != "none" {
		out.ToolChoice["disable_parallel_tool_use"] = true
	}
}

func toolOf(t *model.Tool) object {
	if t.Type != "" {
		return with(object{"type": t.Type, "name": t.Name}, t.CacheControl)
	}
	schema := json.RawMessage(t.InputSchema)
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	out := object{"name": t.Name, "input_schema": schema}
	if t.Description != "" {
		out["description"] = t.Description
	}
	return with(out, t.CacheControl)
}

func cache(c *message.CacheControl) object {
	out := object{"type": "ephemeral"}
	if c.TTL != "" {
		out["ttl"] = c.TTL
	}
	return out
}

func with(o object, c *message.CacheControl) object {
	if c != nil {
		o["cache_control"] = cache(c)
	}
	return o
}

func contents(list message.Content) []object {
	out := []object{}
	for _, b := range list {
		if o := block(b); o != nil {
			out = append(out, o)
		}
	}
	return out
}

// block encodes a block; nil if the Messages API does not have its type.
func block(b message.Block) object {
	switch b := b.(type) {
	case *message.Text:
		if strings.TrimSpace(b.Text) == "" {
			return nil // servers reject empty texts
		}
		o := object{"type": "text", "text": b.Text}
		if list := foreign(b.Citations); len(list) > 0 {
			o["citations"] = list
		}
		return with(o, b.CacheControl)
	case *message.Image:
		return with(object{"type": "image", "source": source(b.Source)}, b.CacheControl)
	case *message.Thinking:
		return object{"type": "thinking", "thinking": b.Thinking, "signature": b.Signature}
	case *message.RedactedThinking:
		return object{"type": "redacted_thinking", "data": b.Data}
	case *message.ToolUse:
		return with(object{"type": "tool_use", "id": model.CallID(b.ID), "name": b.Name, "input": b.Input}, b.CacheControl)
	case *message.ToolResult:
		o := object{"type": "tool_result", "tool_use_id": model.CallID(b.ToolUseID), "content": contents(b.Content.Blocks)}
		if b.IsError {
			o["is_error"] = true
		}
		return with(o, b.CacheControl)
	case *message.Document:
		o := object{"type": "document", "source": source(b.Source)}
		set(o, "title", b.Title)
		set(o, "context", b.Context)
		if b.Citations.Enabled {
			o["citations"] = object{"enabled": true}
		}
		return with(o, b.CacheControl)
	case *message.SearchResult:
		o := object{"type": "search_result", "source": b.Source, "title": b.Title, "content": contents(b.Content)}
		if b.Citations.Enabled {
			o["citations"] = object{"enabled": true}
		}
		return with(o, b.CacheControl)
	}
	return nil
}

func set(o object, name, value string) {
	if value != "" {
		o[name] = value
	}
}

func source(s *message.Source) object {
	o := object{"type": s.Type}
	set(o, "media_type", s.MediaType)
	set(o, "data", s.Data)
	set(o, "url", s.URL)
	set(o, "file_id", s.FileID)
	if s.Type == "text" {
		o["media_type"] = "text/plain"
	}
	if s.Type == "content" {
		o["content"] = contents(s.Content)
	}
	return o
}

// foreign returns the citations that a provider made. Those of the service have
// fields that the provider would reject.
func foreign(list message.Citations) []json.RawMessage {
	var out []json.RawMessage
	for _, c := range list {
		if c.Raw != nil && c.ID == "" && c.ArtifactID == "" && c.SourceID == "" {
			out = append(out, c.Raw)
		}
	}
	return out
}
