package message

import (
	"bytes"
	"encoding/json"

	"lectern/shared/api/schema"
)

// Roles of a message.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// Request is the body of a chat.
type Request struct {
	Model             string          `json:"model" notnull:"true" default:"default" doc:"model id or alias; model@collection answers from a collection, with citations"`
	Messages          []Input         `json:"messages" required:"true" minlen:"1" doc:"the conversation so far"`
	MaxTokens         int             `json:"max_tokens" required:"true" min:"1" doc:"maximum number of tokens to generate"`
	System            Systems         `json:"system,omitempty"`
	Tools             []Tool          `json:"tools,omitempty"`
	Thinking          *ThinkingConfig `json:"thinking,omitempty"`
	ToolChoice        *ToolChoice     `json:"tool_choice,omitempty"`
	OutputConfig      *OutputConfig   `json:"output_config,omitempty"`
	OutputFormat      *Format         `json:"output_format,omitempty" deprecated:"true" doc:"use output_config.format"`
	CacheControl      *CacheControl   `json:"cache_control,omitempty"`
	Stream            bool            `json:"stream,omitempty"`
	ToolContext       []ContextItem   `json:"tool_context,omitempty" doc:"default contexts for built-in tools without their own"`
	MCPServers        []MCPServer     `json:"mcp_servers,omitempty"`
	Container         Container       `json:"container,omitzero"`
	ResponseFormat    *ResponseFormat `json:"response_format,omitempty" deprecated:"true" doc:"use output_config.format"`
	Priority          *int            `json:"priority,omitempty"`
	Seed              *int            `json:"seed,omitempty"`
	MinP              *float64        `json:"min_p,omitempty" min:"0" max:"1"`
	TopP              *float64        `json:"top_p,omitempty" min:"0" max:"1"`
	Temperature       *float64        `json:"temperature,omitempty" min:"0" max:"1"`
	TopK              *int            `json:"top_k,omitempty" min:"0"`
	RepetitionPenalty *float64        `json:"repetition_penalty,omitempty" xmin:"0"`
	PresencePenalty   *float64        `json:"presence_penalty,omitempty" min:"-2" max:"2"`
	FrequencyPenalty  *float64        `json:"frequency_penalty,omitempty" min:"-2" max:"2"`
	StopSequences     []string        `json:"stop_sequences,omitempty"`
	Metadata          *Metadata       `json:"metadata,omitempty"`
	ServiceTier       string          `json:"service_tier,omitempty" enum:"auto,standard_only"`
	InferenceGeo      string          `json:"inference_geo,omitempty"`
	CorrelationID     string          `json:"correlation_id,omitempty"`
	MaxLoadedSkills   *int            `json:"maximum_loaded_skills,omitempty" min:"1"`
	ContextManagement json.RawMessage `json:"context_management,omitempty"`
	Thread            json.RawMessage `json:"thread,omitempty" doc:"not supported: status 400, so that clients retry without it"`
}

// CountRequest is the body of a token count.
type CountRequest struct {
	Model        string          `json:"model" notnull:"true" default:"default"`
	Messages     []Input         `json:"messages" required:"true" minlen:"1"`
	System       Systems         `json:"system,omitempty"`
	Tools        []Tool          `json:"tools,omitempty"`
	Thinking     *ThinkingConfig `json:"thinking,omitempty"`
	ToolChoice   *ToolChoice     `json:"tool_choice,omitempty"`
	OutputConfig *OutputConfig   `json:"output_config,omitempty"`
	CacheControl *CacheControl   `json:"cache_control,omitempty"`
	Container    Container       `json:"container,omitzero"`
	MCPServers   []MCPServer     `json:"mcp_servers,omitempty" doc:"not contacted: their tools are not counted"`
}

// Chat returns the request as a chat request.
func (c *CountRequest) Chat() *Request {
	return &Request{Model: c.Model, Messages: c.Messages, MaxTokens: 1, System: c.System, Tools: c.Tools, Thinking: c.Thinking,
		ToolChoice: c.ToolChoice, OutputConfig: c.OutputConfig, CacheControl: c.CacheControl, Container: c.Container, MCPServers: c.MCPServers}
}

// Input is one message of a conversation.
type Input struct {
	Role    string  `json:"role" required:"true" enum:"system,user,assistant"`
	Content Content `json:"content" required:"true"`
}

// System is one part of the system prompt.
type System struct {
	Text             string         `json:"text,omitempty"`
	Citations        CitationConfig `json:"citations,omitzero"`
	Extensions       []string       `json:"extensions,omitempty" enum:"vendor" doc:"vendor enables the service's own block types in answers"`
	BlobVisibility   string         `json:"blob_visibility,omitempty" enum:"binary,internal,public"`
	Prompt           *PromptConfig  `json:"prompt,omitempty"`
	UseDefaultPrompt bool           `json:"use_default_prompt,omitempty" deprecated:"true" doc:"use prompt"`
	CacheControl     *CacheControl  `json:"cache_control,omitempty"`
}

// PromptConfig enables built-in instruction texts.
type PromptConfig struct {
	Tools         bool `json:"tools,omitempty"`
	Citations     bool `json:"citations,omitempty"`
	Thinking      bool `json:"thinking,omitempty"`
	CodeExecution bool `json:"code_execution,omitempty"`
	Skills        bool `json:"skills,omitempty"`
}

// Systems is the system prompt: a string, a list of strings, one System, or a
// list of them.
type Systems []System

// DecodeSchema reads any of the four forms.
func (s *Systems) DecodeSchema(r *schema.Reader) {
	if r.Kind() != schema.Array {
		*s = Systems{decodeSystem(r)}
		return
	}
	list := Systems{}
	r.Each(schema.Array, func(string, int) { list = append(list, decodeSystem(r)) })
	*s = list
}

func decodeSystem(r *schema.Reader) System {
	var one System
	switch r.Kind() {
	case schema.String:
		one.Text = r.Text()
	case schema.Object:
		r.Into(&one)
	default:
		r.Problem("string_type", "Input should be a string, a system object, or a list of these")
		r.Skip()
	}
	return one
}

// DescribeSchema describes the four forms.
func (*Systems) DescribeSchema(g *schema.Generator) schema.Doc {
	item := schema.Doc{"anyOf": []schema.Doc{{"type": "string"}, g.For(System{})}}
	return schema.Doc{"anyOf": []schema.Doc{{"type": "string"}, g.For(System{}), {"type": "array", "items": item}}}
}

// ThinkingConfig requests reasoning, by the service's form (enabled) or
// Anthropic's (type).
type ThinkingConfig struct {
	Enabled      bool   `json:"enabled,omitempty"`
	Effort       string `json:"effort,omitempty" enum:"low,medium,high,max,xhigh" deprecated:"true" doc:"use output_config.effort"`
	Type         string `json:"type,omitempty" enum:"enabled,adaptive,disabled"`
	BudgetTokens *int   `json:"budget_tokens,omitempty" min:"1"`
	Display      string `json:"display,omitempty" enum:"summarized,omitted"`
}

// On reports whether reasoning is requested; false for nil.
func (t *ThinkingConfig) On() bool {
	return t != nil && t.Type != "disabled" && (t.Enabled || t.Type != "")
}

// ToolChoice says whether and which tool must be called.
type ToolChoice struct {
	Type            string `json:"type" default:"auto" enum:"auto,any,tool,none"`
	Name            string `json:"name,omitempty"`
	DisableParallel bool   `json:"disable_parallel_tool_use,omitempty"`
	ValidationMode  string `json:"validation_mode,omitempty" default:"lazy" enum:"eager,lazy"`
}

// OutputConfig sets the format and effort of the answer.
type OutputConfig struct {
	Effort string  `json:"effort,omitempty" enum:"low,medium,high,max,xhigh"`
	Format *Format `json:"format,omitempty"`
}

// Format constrains the answer to a JSON schema.
type Format struct {
	Type   string `json:"type" required:"true" enum:"json_schema"`
	Schema Object `json:"schema" required:"true"`
}

// ResponseFormat is the deprecated form of Format.
type ResponseFormat struct {
	Type       string `json:"type" required:"true" enum:"text,json_schema,json_object"`
	JSONSchema Object `json:"json_schema,omitempty"`
	Schema     Object `json:"schema,omitempty"`
}

// Metadata describes the sender of the request.
type Metadata struct {
	UserID string `json:"user_id,omitempty" maxlen:"512"`
}

// Container names the session of files and code: a string or an object.
type Container struct {
	ID string `json:"id,omitempty"`
}

// DecodeSchema reads a string or an object with an id.
func (c *Container) DecodeSchema(r *schema.Reader) {
	switch r.Kind() {
	case schema.String:
		c.ID = r.Text()
	case schema.Object:
		var p struct {
			ID     string   `json:"id,omitempty"`
			Skills []Object `json:"skills,omitempty"`
		}
		if r.Into(&p); len(p.Skills) > 0 {
			r.ProblemAt("value_error", "Skills are not taken from a container: declare a tool of type skills_v1, whose context names them", "skills")
		}
		c.ID = p.ID
	default:
		r.Problem("string_type", "Input should be a string, or an object with id")
		r.Skip()
	}
}

// DescribeSchema describes both forms.
func (*Container) DescribeSchema(g *schema.Generator) schema.Doc {
	type plain Container
	return schema.Doc{"anyOf": []schema.Doc{{"type": "string"}, g.Struct(plain{})}}
}

// Tool is a tool that the model may call, or the tool set of an MCP server.
type Tool struct {
	Name          string                   `json:"name,omitempty" doc:"unique; required, except for an mcp_toolset"`
	Type          string                   `json:"type,omitempty" doc:"type of a built-in tool; absent or custom for a client tool"`
	Description   string                   `json:"description,omitempty"`
	InputSchema   Object                   `json:"inputSchema,omitempty" alias:"input_schema" doc:"JSON schema of the input"`
	Context       []ContextItem            `json:"context,omitempty"`
	DeferLoading  bool                     `json:"deferLoading,omitempty" alias:"defer_loading" doc:"hide the tool until a skill that uses it is loaded"`
	Instructions  *string                  `json:"instructions,omitempty" doc:"replaces the tool's instruction text; empty removes it"`
	CacheControl  *CacheControl            `json:"cache_control,omitempty"`
	MaxUses       *int                     `json:"max_uses,omitempty" min:"1"`
	Allowed       []string                 `json:"allowed_domains,omitempty"`
	Blocked       []string                 `json:"blocked_domains,omitempty"`
	Citations     CitationConfig           `json:"citations,omitzero" doc:"of web_fetch: what it fetches can be cited"`
	MCPServerName string                   `json:"mcp_server_name,omitempty"`
	DefaultConfig *MCPToolConfig           `json:"default_config,omitempty"`
	Configs       map[string]MCPToolConfig `json:"configs,omitempty" doc:"settings of single tools of an mcp_toolset"`
}

// ContextItem is material that a built-in tool works on.
type ContextItem struct {
	Type             string         `json:"type" required:"true" enum:"file,ingested_artifact,skill,sql_database,text,uri"`
	Value            string         `json:"value,omitempty" secret:"true" doc:"base64 content, text or URI"`
	FileName         string         `json:"file_name,omitempty"`
	ContextFilter    *ContextFilter `json:"context_filter,omitempty"`
	SkillFilter      *SkillFilter   `json:"skill_filter,omitempty"`
	ConnectionString string         `json:"connection_string,omitempty" secret:"true"`
	Description      string         `json:"description,omitempty"`
	EnableFunctions  *bool          `json:"enable_functions,omitempty" default:"true"`
	EnableProcedures *bool          `json:"enable_procedures,omitempty" default:"true"`
	EnableTables     *bool          `json:"enable_tables,omitempty" default:"true"`
	EnableViews      *bool          `json:"enable_views,omitempty" default:"true"`
	Schemas          []string       `json:"schemas,omitempty"`
	SSL              bool           `json:"ssl,omitempty"`
}

// ContextFilter limits what a search may see.
type ContextFilter struct {
	Collection     string           `json:"collection,omitempty" default:"vendor_collection" minlen:"1" maxlen:"255"`
	Artifacts      []string         `json:"artifacts,omitempty" doc:"default: all"`
	MetadataFilter []map[string]any `json:"metadata_filter,omitempty" doc:"{key: value} or {key, value, operator}; all must match"`
}

// SchemaClosed says that a misspelt field is refused: without it the default
// collection would be searched, or more of one than was meant.
func (ContextFilter) SchemaClosed() {}

// SkillFilter names skills by collection and whitelist.
type SkillFilter struct {
	Collection string   `json:"collection" required:"true" minlen:"1" maxlen:"255"`
	IDs        []string `json:"skill_or_version_ids,omitempty"`
}

// MCPServer is an external tool server.
type MCPServer struct {
	Type          string            `json:"type,omitempty" enum:"url"`
	Name          string            `json:"name" required:"true" minlen:"1" maxlen:"128"`
	URL           string            `json:"url" required:"true" minlen:"1"`
	Token         string            `json:"authorization_token,omitempty" secret:"true"`
	Headers       map[string]string `json:"headers,omitempty" secret:"true"`
	Configuration *MCPToolConfig    `json:"tool_configuration,omitempty"`
}

// MCPToolConfig filters a server's tools.
type MCPToolConfig struct {
	Enabled      *bool    `json:"enabled,omitempty"`
	AllowedTools []string `json:"allowed_tools,omitempty"`
	DeferLoading *bool    `json:"defer_loading,omitempty"`
}

// Clone returns a copy that does not share memory with the request.
func (o Object) Clone() Object { return Object(bytes.Clone(o)) }
