package message

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"lectern/shared/api/schema"
)

// Block is one content block: a pointer to one of the structs of this package.
// Kind is the value of "type" in JSON.
type Block interface {
	Kind() string
	base() *Base
}

// Base holds fields common to all blocks.
type Base struct {
	StartTimestamp *time.Time     `json:"start_timestamp,omitempty" doc:"when the block started"`
	StopTimestamp  *time.Time     `json:"stop_timestamp,omitempty" doc:"when the block ended"`
	Meta           map[string]any `json:"_meta,omitempty"`
}

func (b *Base) base() *Base { return b }

// Times returns the timestamps of a block, to be set.
func Times(b Block) *Base { return b.base() }

// CacheControl asks a provider to cache the prompt up to here.
type CacheControl struct {
	Type string `json:"type" default:"ephemeral" enum:"ephemeral"`
	TTL  string `json:"ttl,omitempty" enum:"5m,1h" doc:"default: 5m"`
}

// Source is the content of an image, a file or a document.
type Source struct {
	Type      string  `json:"type" required:"true" enum:"base64,url,text,content,file"`
	MediaType string  `json:"media_type,omitempty"`
	Data      string  `json:"data,omitempty" doc:"base64 bytes, or plain text for type text"`
	URL       string  `json:"url,omitempty"`
	FileID    string  `json:"file_id,omitempty"`
	Content   Content `json:"content,omitempty"`
}

// The content blocks.
type (
	// Text is prose, with the citations that support it.
	Text struct {
		Base
		Text         string        `json:"text"`
		Citations    Citations     `json:"citations"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
	}
	// Image is a picture.
	Image struct {
		Base
		Source       *Source       `json:"source" required:"true"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
	}
	// Audio is a sound.
	Audio struct {
		Base
		Source       *Source       `json:"source" required:"true"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
	}
	// Binary is any other file.
	Binary struct {
		Base
		Source   *Source `json:"source" required:"true"`
		Filename string  `json:"filename,omitempty"`
	}
	// LocalResource is a file inside the execution environment.
	LocalResource struct {
		Base
		FilePath string `json:"file_path" required:"true"`
		Name     string `json:"name" required:"true"`
		MimeType string `json:"mime_type" required:"true"`
		FileID   string `json:"file_id,omitempty"`
	}
	// ResourceLink is a resource that a tool can fetch.
	ResourceLink struct {
		Base
		URI         string `json:"uri" required:"true"`
		Name        string `json:"name" required:"true"`
		Description string `json:"description,omitempty"`
		MimeType    string `json:"mime_type,omitempty"`
	}
	// Resource is like ResourceLink, nested.
	Resource struct {
		Base
		Resource *ResourceRecord `json:"resource" required:"true"`
	}
	// ResourceRecord is the inside of a Resource.
	ResourceRecord struct {
		URI         string `json:"uri" required:"true"`
		Name        string `json:"name" required:"true"`
		Description string `json:"description,omitempty"`
		MimeType    string `json:"mime_type,omitempty"`
		Text        string `json:"text,omitempty"`
	}
	// Sources lists the chunks or websites that were used as context.
	Sources struct {
		Base
		Sources []SourceRecord `json:"sources" required:"true"`
	}
	// Thinking is the model's reasoning, signed by its author.
	Thinking struct {
		Base
		Thinking     string        `json:"thinking"`
		Signature    string        `json:"signature" required:"true"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
	}
	// RedactedThinking is reasoning that only its provider can read.
	RedactedThinking struct {
		Base
		Data         string        `json:"data" required:"true"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
	}
	// ToolUse is a call of a client tool. Input is one JSON object.
	ToolUse struct {
		Base
		ID           string        `json:"id" required:"true" minlen:"1"`
		Name         string        `json:"name" required:"true" minlen:"1"`
		Input        Object        `json:"input" required:"true"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
		Caller       Caller        `json:"caller,omitempty"`
	}
	// ServerToolUse is a call of a tool that the service runs.
	ServerToolUse struct {
		Base
		ID           string        `json:"id" required:"true" minlen:"1"`
		Name         string        `json:"name" required:"true" minlen:"1"`
		Input        Object        `json:"input" required:"true"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
		Caller       Caller        `json:"caller,omitempty"`
	}
	// MCPToolUse is a call of a tool on an MCP server.
	MCPToolUse struct {
		Base
		ID           string        `json:"id" required:"true" minlen:"1"`
		Name         string        `json:"name" required:"true" minlen:"1"`
		ServerName   string        `json:"server_name"`
		Input        Object        `json:"input" required:"true"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
	}
	// ToolResult answers a call. It also represents mcp_tool_result and the
	// results of server tools, such as web_search_tool_result: Tag is that type,
	// and empty for tool_result.
	ToolResult struct {
		Base
		Tag          string        `json:"-"`
		ToolUseID    string        `json:"tool_use_id" required:"true" minlen:"1"`
		Content      ResultContent `json:"content"`
		IsError      bool          `json:"is_error,omitempty"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
		Caller       Caller        `json:"caller,omitempty"`
	}
	// ToolReference names a tool that a search found.
	ToolReference struct {
		Base
		ToolName     string        `json:"tool_name" required:"true"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
	}
	// ContainerUpload puts a file into the execution environment.
	ContainerUpload struct {
		Base
		FileID       string        `json:"file_id" required:"true"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
	}
	// Document is material to answer from.
	Document struct {
		Base
		Source       *Source        `json:"source" required:"true"`
		Title        string         `json:"title,omitempty"`
		Context      string         `json:"context,omitempty"`
		Citations    CitationConfig `json:"citations,omitzero"`
		CacheControl *CacheControl  `json:"cache_control,omitempty"`
	}
	// SearchResult is one passage that the client found.
	SearchResult struct {
		Base
		Source       string         `json:"source" required:"true"`
		Title        string         `json:"title" required:"true"`
		Content      Content        `json:"content" required:"true"`
		Citations    CitationConfig `json:"citations,omitzero"`
		CacheControl *CacheControl  `json:"cache_control,omitempty"`
	}
	// MidConvSystem is a system note in the middle of a conversation.
	MidConvSystem struct {
		Base
		Content      Content       `json:"content" required:"true"`
		CacheControl *CacheControl `json:"cache_control,omitempty"`
	}
	// TLDR is a summary that replaces earlier turns.
	TLDR struct {
		Base
		Content Content `json:"content"`
		Side    string  `json:"tldr_side,omitempty" enum:"left,right" default:"left"`
	}
)

// Kind is the block's type in JSON.
func (*Text) Kind() string             { return "text" }
func (*Image) Kind() string            { return "image" }
func (*Audio) Kind() string            { return "audio" }
func (*Binary) Kind() string           { return "binary" }
func (*LocalResource) Kind() string    { return "local_resource" }
func (*ResourceLink) Kind() string     { return "resource_link" }
func (*Resource) Kind() string         { return "resource" }
func (*Sources) Kind() string          { return "source" }
func (*Thinking) Kind() string         { return "thinking" }
func (*RedactedThinking) Kind() string { return "redacted_thinking" }
func (*ToolUse) Kind() string          { return "tool_use" }
func (*ServerToolUse) Kind() string    { return "server_tool_use" }
func (*MCPToolUse) Kind() string       { return "mcp_tool_use" }
func (*ToolReference) Kind() string    { return "tool_reference" }
func (*ContainerUpload) Kind() string  { return "container_upload" }
func (*Document) Kind() string         { return "document" }
func (*SearchResult) Kind() string     { return "search_result" }
func (*MidConvSystem) Kind() string    { return "mid_conv_system" }
func (*TLDR) Kind() string             { return "tldr" }

// Kind is the block's type in JSON: Tag, or tool_result.
func (r *ToolResult) Kind() string {
	if r.Tag == "" {
		return "tool_result"
	}
	return r.Tag
}

// NewText makes a text block without citations.
func NewText(s string) *Text { return &Text{Text: s} }

// resultKinds are the results of server tools that decode as ToolResult.
var resultKinds = []string{
	"tool_result", "mcp_tool_result", "web_search_tool_result", "web_fetch_tool_result", "code_execution_tool_result",
	"bash_code_execution_tool_result", "text_editor_code_execution_tool_result", "tool_search_tool_result",
}

// prototypes returns an empty block of every type that a request may hold.
func prototypes() []Block {
	list := []Block{
		&Text{}, &Image{}, &Audio{}, &Binary{}, &LocalResource{}, &ResourceLink{}, &Resource{}, &Sources{}, &Thinking{},
		&RedactedThinking{}, &ToolUse{}, &ServerToolUse{}, &MCPToolUse{}, &ToolReference{}, &ContainerUpload{}, &Document{},
		&SearchResult{}, &MidConvSystem{}, &TLDR{},
	}
	for _, kind := range resultKinds {
		list = append(list, &ToolResult{Tag: kind})
	}
	return list
}

// newBlock returns an empty block of the given type; nil if the type is unknown.
func newBlock(kind string) Block {
	switch kind {
	case "text":
		return &Text{}
	case "tool_use":
		return &ToolUse{}
	}
	if slices.Contains(resultKinds, kind) {
		if kind == "tool_result" {
			kind = ""
		}
		return &ToolResult{Tag: kind}
	}
	for _, b := range prototypes() {
		if b.Kind() == kind {
			return b
		}
	}
	return nil
}

// Object is the JSON text of one object.
type Object json.RawMessage

// DecodeSchema accepts an object.
func (o *Object) DecodeSchema(r *schema.Reader) {
	if r.Kind() != schema.Object {
		r.Problem("dict_type", "Input should be an object")
		r.Skip()
		return
	}
	*o = Object(r.Raw())
}

// DescribeSchema describes any object.
func (*Object) DescribeSchema(*schema.Generator) schema.Doc {
	return schema.Doc{"type": "object", "additionalProperties": true}
}

// MarshalJSON writes the object, or {} if it is empty.
func (o Object) MarshalJSON() ([]byte, error) {
	if len(o) == 0 {
		return []byte("{}"), nil
	}
	return o, nil
}

// UnmarshalJSON keeps the text unchanged.
func (o *Object) UnmarshalJSON(raw []byte) error {
	*o = append((*o)[:0], raw...)
	if string(raw) == "null" {
		*o = nil
	}
	return nil
}

// Content is a list of blocks. A plain string is read as one text block.
type Content []Block

// DecodeSchema reads a string or a list of blocks.
func (c *Content) DecodeSchema(r *schema.Reader) {
	switch r.Kind() {
	case schema.String:
		*c = Content{NewText(r.Text())}
	case schema.Array:
		list := Content{}
		r.Each(schema.Array, func(string, int) {
			if b := decodeBlock(r); b != nil {
				list = append(list, b)
			}
		})
		*c = list
	default:
		r.Problem("string_type", "Input should be a string or a list of content blocks")
		r.Skip()
	}
}

func decodeBlock(r *schema.Reader) Block {
	if r.Kind() == schema.String { // shorthand for a text block
		return NewText(r.Text())
	}
	kind, ok := r.Peek("type")
	if !ok {
		if r.Kind() == schema.Object {
			r.ProblemAt("missing", "Field required", "type")
		} else {
			r.Problem("dict_type", "Input should be a content block")
		}
		r.Skip()
		return nil
	}
	b := newBlock(kind)
	if b == nil {
		r.ProblemAt("union_tag_invalid", "Input tag is not a known content block type", "type")
		r.Skip()
		return nil
	}
	r.Into(b)
	if t, ok := b.(*ToolResult); ok && t.Content.Raw != nil && (t.Tag == "" || t.Tag == "mcp_tool_result") {
		r.ProblemAt("list_type", "Input should be a string or a list of content blocks", "content")
	}
	return b
}

// DescribeSchema describes the accepted forms, or in an answer the list.
func (*Content) DescribeSchema(g *schema.Generator) schema.Doc {
	block := describeBlocks(g)
	if g.Answers() {
		return schema.Doc{"type": "array", "items": block}
	}
	item := schema.Doc{"anyOf": []schema.Doc{{"type": "string"}, block}}
	return schema.Doc{"anyOf": []schema.Doc{{"type": "string"}, {"type": "array", "items": item}}}
}

// ResultContent is the content of a tool result: a string or blocks, or for
// results of server tools any JSON that their tool defines.
type ResultContent struct {
	Blocks Content
	Raw    json.RawMessage // set instead of Blocks for JSON that the tool defines
}

// DecodeSchema reads a string, a list of blocks, or JSON that the tool defines.
func (c *ResultContent) DecodeSchema(r *schema.Reader) {
	if r.Kind() == schema.Object {
		c.Raw = bytes.Clone(r.Raw())
		return
	}
	if foreign(r) {
		c.Raw = bytes.Clone(r.Raw())
		return
	}
	r.Into(&c.Blocks)
}

// foreign reports whether the next list holds records that are not content
// blocks, as web search results do.
func foreign(r *schema.Reader) bool {
	if r.Kind() != schema.Array {
		return false
	}
	probe, found := r.Probe(), false
	probe.Each(schema.Array, func(string, int) {
		kind, ok := probe.Peek("type")
		found = found || ok && (kind == "web_search_result" || kind == "web_fetch_result")
		probe.Skip()
	})
	return found
}

// DescribeSchema describes the accepted forms.
func (*ResultContent) DescribeSchema(g *schema.Generator) schema.Doc {
	records := schema.Doc{"type": "array", "items": schema.Doc{"type": "object"}}
	forms := []schema.Doc{{"type": "array", "items": describeBlocks(g)}, {"type": "object"}, records}
	if !g.Answers() {
		forms = append(forms, schema.Doc{"type": "string"}, schema.Doc{"type": "array", "items": schema.Doc{"type": "string"}})
	}
	return schema.Doc{"anyOf": forms}
}

// MarshalJSON writes the blocks, or Raw unchanged.
func (c ResultContent) MarshalJSON() ([]byte, error) {
	if c.Raw != nil {
		return c.Raw, nil
	}
	return c.Blocks.MarshalJSON()
}

// MarshalJSON writes the blocks with their types.
func (c Content) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, b := range c {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = AppendBlock(out, b); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

// AppendBlock appends the JSON of one block, its type first.
func AppendBlock(out []byte, b Block) ([]byte, error) {
	if t, ok := b.(*Text); ok && t.Meta == nil && t.CacheControl == nil {
		return t.append(out)
	}
	fields, err := schema.Marshal(b)
	if err != nil {
		return nil, err
	}
	out = append(out, `{"type":"`...)
	out = append(out, b.Kind()...)
	if len(fields) == 2 { // {}
		return append(out, `"}`...), nil
	}
	out = append(out, `",`...)
	return append(out, fields[1:]...), nil
}

// append writes the JSON of encoding/json by hand, since most blocks of most
// answers are text; see AppendString.
func (t *Text) append(out []byte) ([]byte, error) {
	out = append(out, `{"type":"text",`...)
	out = appendTime(out, `"start_timestamp":"`, t.StartTimestamp)
	out = appendTime(out, `"stop_timestamp":"`, t.StopTimestamp)
	out = append(out, `"text":`...)
	out = AppendString(out, t.Text)
	out = append(out, `,"citations":`...)
	citations, err := t.Citations.MarshalJSON()
	out = append(out, citations...)
	return append(out, '}'), err
}

func appendTime(out []byte, name string, t *time.Time) []byte {
	if t == nil {
		return out
	}
	out = append(out, name...)
	out = t.AppendFormat(out, time.RFC3339Nano)
	return append(out, `",`...)
}
