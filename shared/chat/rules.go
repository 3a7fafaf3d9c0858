package chat

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/text/shape"
	"lectern/shared/web"
)

// maxToolName is the longest name of a tool.
const maxToolName = 200

var imageTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// rules collects the problems of a request.
type rules struct {
	shapes   *shape.Cache
	set      tool.Set
	problems []fault.Problem
	warnings []string
	lacking  []string // tool types that are known but not available here
	servers  []use    // server tools that the conversation used
}

// use is the name of a tool that the conversation used, and its location.
type use struct {
	name string
	loc  []any
}

// serverTools are the names that every request may have used.
var serverTools = []string{"web_search", "web_fetch", "code_execution", "bash_code_execution", "text_editor_code_execution",
	"tool_search_tool_regex", "tool_search_tool_bm25"}

// add notes a problem. It is called from so many places that its code in each would make a
// function of the cloud 20 KB larger.
//
//go:noinline
func (r *rules) add(kind, msg string, loc ...any) {
	r.problems = append(r.problems, fault.Problem{Loc: append([]any{"body"}, loc...), Msg: msg, Type: kind})
}

// check applies the rules that need only the request itself.
func (e *Engine) check(req *message.Request) *rules {
	r := &rules{shapes: &e.shapes, set: e.Tools}
	r.messages(req.Messages)
	r.pairs(req.Messages)
	r.tools(req)
	r.settings(req)
	return r
}

func (r *rules) compile(schema message.Object) error {
	s, err := r.shapes.Compile(schema)
	if err == nil && !s.Finite() {
		return errors.New("it refers to itself without end")
	}
	return err
}

func (r *rules) messages(list []message.Input) {
	if len(list) == 0 {
		r.add("too_short", "List should have at least 1 item", "messages")
		return
	}
	spoken := 0
	for i, m := range list {
		if len(m.Content) == 0 {
			r.add("too_short", "content should not be empty", "messages", i, "content")
		}
		if m.Role != message.RoleSystem {
			spoken++
		}
		blank := len(m.Content) > 0
		for j, b := range m.Content {
			r.block(m.Role, b, "messages", i, "content", j)
			if t, ok := b.(*message.Text); !ok || strings.TrimSpace(t.Text) != "" {
				blank = false
			}
		}
		if blank && m.Role == message.RoleUser {
			r.add("string_too_short", "text should not be empty", "messages", i, "content")
		}
	}
	if spoken == 0 {
		r.add("value_error", "the conversation has no user or assistant message", "messages")
	}
}

func (r *rules) block(role string, b message.Block, loc ...any) {
	at := func(more ...any) []any { return append(slices.Clone(loc), more...) }
	if role == message.RoleSystem && slices.Contains(notInSystem, b.Kind()) {
		r.add("value_error", b.Kind()+" blocks do not belong in system messages", at("type")...)
	}
	switch b := b.(type) {
	case *message.Image:
		r.sourceType(b.Source, []string{"base64", "url", "file"}, at("source", "type")...)
		r.source(b.Source, imageTypes, at("source")...)
	case *message.Audio:
		r.sourceType(b.Source, []string{"base64", "url"}, at("source", "type")...)
		r.source(b.Source, nil, at("source")...)
		if b.Source != nil && b.Source.Type == "base64" && !strings.HasPrefix(b.Source.MediaType, "audio/") {
			r.add("value_error", "media_type should be an audio MIME type", at("source", "media_type")...)
		}
	case *message.Binary:
		r.source(b.Source, nil, at("source")...)
	case *message.Document:
		r.source(b.Source, nil, at("source")...)
		if b.Source != nil {
			r.inside(role, b.Source.Content, at("source", "content"))
		}
		if b.Source != nil && b.Source.Type == "text" && b.Source.MediaType != "" && b.Source.MediaType != "text/plain" {
			r.add("literal_error", "media_type of a text source should be 'text/plain'", at("source", "media_type")...)
		}
	case *message.SearchResult:
		r.textOnly(b, b.Content, at("content"))
	case *message.MidConvSystem:
		r.textOnly(b, b.Content, at("content"))
	case *message.ToolUse:
		r.assistantOnly(role, b, at("type")...)
	case *message.ServerToolUse:
		r.assistantOnly(role, b, at("type")...)
	case *message.TLDR:
		r.assistantOnly(role, b, at("type")...)
		r.textOnly(b, b.Content, at("content"))
	case *message.ToolResult:
		for k, c := range b.Content.Blocks {
			r.block(role, c, at("content", k)...)
		}
	}
}

// notInSystem are the block types that cannot become part of the system prompt.
var notInSystem = []string{"image", "audio", "tool_result", "thinking", "redacted_thinking"}

// inside checks the blocks of a document.
func (r *rules) inside(role string, c message.Content, loc []any) {
	for k, b := range c {
		switch b.(type) {
		case *message.Text, *message.Image:
			r.block(role, b, append(slices.Clone(loc), k)...)
		default:
			r.add("value_error", "a document holds text and image blocks only", append(slices.Clone(loc), k)...)
		}
	}
}

// textOnly checks the blocks of a block whose content is text.
func (r *rules) textOnly(b message.Block, c message.Content, loc []any) {
	for k, inner := range c {
		if _, ok := inner.(*message.Text); !ok {
			r.add("value_error", "a "+b.Kind()+" block holds text blocks only", append(slices.Clone(loc), k)...)
		}
	}
}

func (r *rules) assistantOnly(role string, b message.Block, loc ...any) {
	if role != message.RoleAssistant {
		r.add("value_error", b.Kind()+" blocks belong in assistant messages", loc...)
	}
}

// sourceType refuses a source that a block of its kind does not have.
func (r *rules) sourceType(s *message.Source, have []string, loc ...any) {
	if s != nil && !slices.Contains(have, s.Type) {
		r.add("literal_error", "Input should be "+strings.Join(have, ", "), loc...)
	}
}

func (r *rules) source(s *message.Source, types []string, loc ...any) {
	at := func(name string) []any { return append(slices.Clone(loc), name) }
	if s == nil {
		return // reported as missing already
	}
	switch s.Type {
	case "base64":
		if s.Data == "" {
			r.add("missing", "Field required", at("data")...)
		} else if !validBase64(s.Data) {
			r.add("base64", "data is not valid base64", at("data")...)
		}
		if s.MediaType == "" {
			r.add("missing", "Field required", at("media_type")...)
		} else if types != nil && !slices.Contains(types, s.MediaType) {
			r.add("enum", "media_type should be one of "+strings.Join(types, ", "), at("media_type")...)
		}
	case "url":
		if s.URL == "" {
			r.add("missing", "Field required", at("url")...)
		}
	case "text":
		if s.Data == "" {
			r.add("missing", "Field required", at("data")...)
		}
	case "content":
		if len(s.Content) == 0 {
			r.add("missing", "Field required", at("content")...)
		}
	case "file":
		if s.FileID == "" {
			r.add("missing", "Field required", at("file_id")...)
		}
	}
}

// validBase64 validates without decoding into memory; line breaks are allowed.
func validBase64(s string) bool {
	_, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(s)))
	return err == nil
}

// pairs checks that tool calls and results match. A result may be in the same
// assistant message or in the following user message.
func (r *rules) pairs(list []message.Input) {
	called := map[string]bool{} // id → answered
	place := map[string]int{}
	last := len(list) - 1
	for i, m := range list {
		for j, b := range m.Content {
			switch b := b.(type) {
			case *message.ToolUse:
				if _, twice := called[b.ID]; twice {
					r.add("value_error", fmt.Sprintf("tool_use id %q is used twice", b.ID), "messages", i, "content", j, "id")
				}
				called[b.ID], place[b.ID] = false, i
			case *message.ServerToolUse:
				called[b.ID] = true
				r.servers = append(r.servers, use{b.Name, []any{"messages", i, "content", j, "name"}})
			case *message.MCPToolUse:
				called[b.ID] = true
			case *message.ToolResult:
				if _, known := called[b.ToolUseID]; !known && b.Tag == "" {
					r.add("value_error", fmt.Sprintf("tool_use_id %q names no earlier tool_use", b.ToolUseID), "messages", i, "content", j,
						"tool_use_id")
					continue
				}
				called[b.ToolUseID] = true
			}
		}
	}
	for i, m := range list {
		for j, b := range m.Content {
			if use, ok := b.(*message.ToolUse); ok && !called[use.ID] && place[use.ID] < last {
				r.add("value_error", fmt.Sprintf("tool_use %q has no tool_result", use.ID), "messages", i, "content", j, "id")
			}
		}
	}
}

func (r *rules) tools(req *message.Request) {
	names := map[string]int{}
	for i, t := range req.Tools {
		if t.Type == "mcp_toolset" {
			r.toolset(req, i)
			continue
		}
		if t.Name == "" {
			r.add("missing", "Field required", "tools", i, "name")
			continue
		}
		if !model.Plain(t.Name, maxToolName) {
			r.add("string_pattern_mismatch", fmt.Sprintf("name should match ^[a-zA-Z0-9_-]{1,%d}$", maxToolName), "tools", i, "name")
		}
		if _, twice := names[t.Name]; twice {
			r.add("value_error", fmt.Sprintf("tool name %q is used twice", t.Name), "tools", i, "name")
		}
		names[t.Name] = i
		for j, c := range t.Context {
			r.context(c, "tools", i, "context", j)
		}
		for _, p := range (web.Domains{Allowed: t.Allowed, Blocked: t.Blocked}).Problems() {
			r.add(p.Type, p.Msg, append([]any{"tools", i}, p.Loc...)...)
		}
		if len(t.InputSchema) > 0 {
			if err := r.compile(t.InputSchema); err != nil {
				r.add("value_error", "inputSchema is not a valid JSON schema: "+err.Error(), "tools", i, "inputSchema")
			}
		}
	}
	for j, c := range req.ToolContext {
		r.context(c, "tool_context", j)
	}
	if len(req.ToolContext) > 0 && len(req.Tools) == 0 {
		r.add("value_error", "tool_context is given without tools", "tool_context")
	}
	r.choice(req, names)
}

// opens reports whether a tool brings others, whose names are not known yet.
func (r *rules) opens(t message.Tool) bool {
	_, ok := r.set[builtinType(t.Type)].(tool.Opener)
	return ok
}

func (r *rules) choice(req *message.Request, names map[string]int) {
	c := req.ToolChoice
	if c == nil {
		return
	}
	switch c.Type {
	case "tool":
		_, known := names[c.Name]
		switch {
		case c.Name == "":
			r.add("missing", "Field required", "tool_choice", "name")
		case !known && len(req.MCPServers) == 0 && !slices.ContainsFunc(req.Tools, r.opens):
			r.add("value_error", fmt.Sprintf("tool_choice.name %q is not a tool of this request", c.Name), "tool_choice", "name")
		}
	case "any":
		r.warnings = append(r.warnings, "tool_choice.type 'any' is accepted and means that some tool must be called")
	}
	if (c.Type == "any" || c.Type == "tool") && len(req.Tools) == 0 && len(req.MCPServers) == 0 {
		r.add("value_error", "tool_choice asks for a tool but there are none", "tool_choice")
	}
}

// context checks one context item of a tool.
func (r *rules) context(c message.ContextItem, loc ...any) {
	need := func(field, value string) {
		if value == "" {
			r.add("missing", "Field required", append(slices.Clone(loc), field)...)
		}
	}
	switch c.Type {
	case "file":
		need("value", c.Value)
		if c.Value != "" && !validBase64(c.Value) {
			r.add("base64", "value is not valid base64", append(slices.Clone(loc), "value")...)
		}
	case "text", "uri":
		need("value", c.Value)
	case "sql_database":
		need("connection_string", c.ConnectionString)
	case "ingested_artifact":
		if c.ContextFilter == nil {
			need("context_filter", "")
		}
	case "skill":
		if c.SkillFilter == nil {
			need("skill_filter", "")
		}
	}
}

func (r *rules) settings(req *message.Request) {
	for i, s := range req.StopSequences {
		if s == "" {
			r.add("string_too_short", "a stop sequence should not be empty", "stop_sequences", i)
		}
	}
	format, where := formatOf(req)
	if f := req.ResponseFormat; f != nil {
		r.warnings = append(r.warnings, "response_format is deprecated; use output_config.format")
		if format != nil && where[0] != "response_format" {
			r.warnings = append(r.warnings, "response_format has no effect beside "+where[0].(string))
		} else if format == nil && f.Type == "json_schema" {
			r.add("missing", "Field required", "response_format", "json_schema")
		}
	}
	if format == nil {
		return
	}
	if err := r.compile(format); err != nil {
		r.add("value_error", "the schema is not a valid JSON schema: "+err.Error(), where...)
	}
	if citationsOn(req) {
		r.add("value_error", "an answer in JSON cannot carry citations; ask for one of the two", where...)
	}
}

// formatOf returns the schema of the answer, from whichever field sets it, and the
// field's location; nil for prose.
func formatOf(req *message.Request) (message.Object, []any) {
	switch {
	case req.OutputConfig != nil && req.OutputConfig.Format != nil:
		return req.OutputConfig.Format.Schema, []any{"output_config", "format", "schema"}
	case req.OutputFormat != nil:
		return req.OutputFormat.Schema, []any{"output_format", "schema"}
	case req.ResponseFormat == nil:
		return nil, nil
	case req.ResponseFormat.Type == "json_schema":
		return responseSchema(req.ResponseFormat), []any{"response_format", "json_schema"}
	case req.ResponseFormat.Type == "json_object":
		return model.AnyObject, []any{"response_format", "type"}
	}
	return nil, nil
}

// responseSchema returns the schema of response_format: the value itself, or its
// member "schema".
func responseSchema(f *message.ResponseFormat) message.Object {
	if len(f.Schema) > 0 {
		return f.Schema
	}
	var nested struct {
		Schema json.RawMessage `json:"schema"`
	}
	if json.Unmarshal(f.JSONSchema, &nested) == nil && len(nested.Schema) > 0 {
		return message.Object(nested.Schema)
	}
	return f.JSONSchema
}

// citationsOn reports whether any part of the request asks for citations.
func citationsOn(req *message.Request) bool {
	for _, s := range req.System {
		if s.Citations.Enabled {
			return true
		}
	}
	for _, m := range req.Messages {
		for _, b := range m.Content {
			switch b := b.(type) {
			case *message.Document:
				if b.Citations.Enabled {
					return true
				}
			case *message.SearchResult:
				if b.Citations.Enabled {
					return true
				}
			}
		}
	}
	return false
}
