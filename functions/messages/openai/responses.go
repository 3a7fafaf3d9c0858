package openai

import (
	"net/http"
	"slices"

	"lectern/shared/api/rest"
	"lectern/shared/api/schema"
	"lectern/shared/chat"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// responseBody is a request for a response.
type responseBody struct {
	Model           string          `json:"model" default:"default" doc:"model id or alias; model@collection answers from a collection, with citations"`
	Input           items           `json:"input" required:"true"`
	Instructions    string          `json:"instructions,omitempty"`
	MaxOutputTokens *int            `json:"max_output_tokens,omitempty" min:"1" doc:"default: a quarter of the model's window, at most 8192"`
	Temperature     *float64        `json:"temperature,omitempty" min:"0" max:"2" doc:"above 1 counts as 1"`
	TopP            *float64        `json:"top_p,omitempty" min:"0" max:"1"`
	Tools           []responseTool  `json:"tools,omitempty"`
	ToolChoice      *toolChoice     `json:"tool_choice,omitempty"`
	Parallel        *bool           `json:"parallel_tool_calls,omitempty"`
	Text            *textSettings   `json:"text,omitempty"`
	Reasoning       *reasonSettings `json:"reasoning,omitempty"`
	Stream          bool            `json:"stream,omitempty"`
	Previous        string          `json:"previous_response_id,omitempty" doc:"a kept response to go on from; its instructions do not count"`
	Store           *bool           `json:"store,omitempty" doc:"false: the response is not kept"`
	Conversation    any             `json:"conversation,omitempty" doc:"not supported: conversations are not kept"`
	Background      bool            `json:"background,omitempty" doc:"not supported; use /v1/messages/async"`
	Metadata        message.Object  `json:"metadata,omitempty"`
	User            string          `json:"user,omitempty" maxlen:"512"`

	before int // items of Input that come from the kept response
}

// items is the input of a response: a string, or a list of items.
type items []item

// item is a message, a call, the result of a call, or a thought.
type item struct {
	Type      string `json:"type" default:"message"`
	ID        string `json:"id,omitempty" doc:"of item_reference: an item of a kept response"`
	Role      string `json:"role,omitempty" enum:"developer,system,user,assistant"`
	Content   parts  `json:"content,omitempty"`
	CallID    string `json:"call_id,omitempty"`
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments,omitempty"`
	Output    parts  `json:"output,omitempty"`
}

// DecodeSchema reads both forms of an input.
func (l *items) DecodeSchema(r *schema.Reader) {
	if r.Kind() == schema.String {
		*l = items{{Type: "message", Role: message.RoleUser, Content: parts{{Type: "input_text", Text: r.Text()}}}}
		return
	}
	var list []item
	r.Into(&list)
	*l = list
}

// DescribeSchema describes both forms of an input.
func (*items) DescribeSchema(g *schema.Generator) schema.Doc {
	return schema.Doc{"anyOf": []schema.Doc{{"type": "string"}, {"type": "array", "items": g.For(item{})}}}
}

// responseTool is a function of the client, or a tool of the service.
type responseTool struct {
	Type        string         `json:"type" required:"true" enum:"function,file_search,web_search,web_search_preview"`
	Name        string         `json:"name,omitempty"`
	Description string         `json:"description,omitempty"`
	Parameters  message.Object `json:"parameters,omitempty" doc:"JSON schema of the arguments"`
	Strict      *bool          `json:"strict,omitempty"`
	Stores      []string       `json:"vector_store_ids,omitempty" doc:"of file_search: collections"`
}

type textSettings struct {
	Format    *textFormat `json:"format,omitempty"`
	Verbosity string      `json:"verbosity,omitempty"`
}

type textFormat struct {
	Type   string         `json:"type" required:"true" enum:"text,json_object,json_schema"`
	Name   string         `json:"name,omitempty"`
	Schema message.Object `json:"schema,omitempty"`
	Strict *bool          `json:"strict,omitempty"`
}

type reasonSettings struct {
	Effort  string `json:"effort,omitempty" enum:"none,minimal,low,medium,high,xhigh,max"`
	Summary string `json:"summary,omitempty" enum:"auto,concise,detailed"`
}

func (d Deps) respond(w http.ResponseWriter, r *http.Request) error {
	body, err := rest.Decode[responseBody](w, r, rest.LargeBody)
	if err != nil {
		return err
	}
	c, err := d.choose(r, body.Model)
	if err != nil {
		return err
	}
	missing, err := d.Keeper.resolve(r.Context(), body)
	if err != nil {
		return err
	}
	b := body.request(c)
	b.wrong = append(missing, b.wrong...)
	if err := b.wrong.err(); err != nil {
		return err
	}
	stores := collectionsOf(body, c)
	for _, name := range stores {
		if err := d.Engine.CheckCollection(r.Context(), name); err != nil {
			return err
		}
	}
	chat.AnswerFrom(b.req, stores...)
	return d.answer(w, r, b, newResponseWriter(d, r, c, body), body.Stream)
}

// collectionsOf lists the collections to answer from.
func collectionsOf(body *responseBody, c *chosen) []string {
	var list []string
	if c.collection != "" {
		list = append(list, c.collection)
	}
	for _, t := range body.Tools {
		for _, name := range t.Stores {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// request converts the body, without a search over collections.
func (body *responseBody) request(c *chosen) *builder {
	b := &builder{req: &message.Request{Model: c.model, MaxTokens: c.maxTokens(), Temperature: warmth(body.Temperature), TopP: body.TopP}}
	if body.MaxOutputTokens != nil {
		b.req.MaxTokens = *body.MaxOutputTokens
	}
	if body.User != "" {
		b.req.Metadata = &message.Metadata{UserID: body.User}
	}
	if body.Conversation != nil {
		b.wrong.add("value_error", "conversations are not kept: name the previous_response_id, or send the whole conversation as input", "conversation")
	}
	if body.Background {
		b.wrong.add("value_error", "background responses are not supported; use /v1/messages/async", "background")
	}
	if t := body.Text; t != nil && t.Format != nil && t.Format.Type != "text" {
		b.req.ResponseFormat = &message.ResponseFormat{Type: t.Format.Type, Schema: t.Format.Schema}
		if t.Format.Type == "json_schema" && len(t.Format.Schema) == 0 {
			b.wrong.add("missing", "Field required", "text", "format", "schema")
		}
	}
	if body.Instructions != "" {
		b.req.System = append(b.req.System, message.System{Text: body.Instructions})
	}
	for i := range body.Input {
		b.item(&body.Input[i], origin{"input", max(0, i-body.before)})
	}
	for i, t := range body.Tools {
		b.tool(&t, i)
	}
	b.chooses(body.ToolChoice, body.Parallel)
	if body.Reasoning != nil {
		b.thinks(c, body.Reasoning.Effort)
	}
	return b
}

func (b *builder) tool(t *responseTool, i int) {
	switch t.Type {
	case "function":
		if t.Name == "" {
			b.wrong.add("missing", "Field required", "tools", i, "name")
		}
		f := function{Name: t.Name, Description: t.Description, Parameters: t.Parameters}
		b.req.Tools = append(b.req.Tools, f.tool())
	case "file_search":
		if len(t.Stores) == 0 {
			b.wrong.add("missing", "name at least one collection", "tools", i, "vector_store_ids")
		}
	default:
		b.req.Tools = append(b.req.Tools, message.Tool{Type: "web_search_20250305", Name: "web_search"})
	}
}

// item converts one item of the input.
func (b *builder) item(it *item, from origin) {
	loc := []any{from.list, from.at}
	need := func(field, value string) {
		if value == "" {
			b.wrong.add("missing", "Field required", append(slices.Clone(loc), field)...)
		}
	}
	switch it.Type {
	case "message":
		need("role", it.Role)
		switch it.Role {
		case "developer", "system":
			b.system(it.Content.plain(&b.wrong, loc...), from)
		case "assistant":
			if text := it.Content.plain(&b.wrong, loc...); text != "" {
				b.add(message.RoleAssistant, message.Content{message.NewText(text)}, from)
			}
		default:
			b.add(message.RoleUser, it.Content.blocks(&b.wrong, b.cites(), loc...), from)
		}
	case "function_call":
		need("call_id", it.CallID)
		need("name", it.Name)
		b.add(message.RoleAssistant, message.Content{&message.ToolUse{ID: it.CallID, Name: it.Name, Input: input(it.Arguments)}}, from)
	case "function_call_output":
		need("call_id", it.CallID)
		b.result(it.CallID, it.Output, from)
	case "reasoning":
		// Thoughts are not signed on this wire, so that no model can go on with them.
	default:
		b.wrong.add("value_error", "an item of type '"+it.Type+"' is not supported", append(loc, "type")...)
	}
}

// failed is the error of a response.
type failed struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// failureOf describes an error that ends a response which has begun.
func failureOf(r *http.Request, err error) *failed {
	o := rest.OpenAIErrorOf(r.Context(), err)
	code := "server_error"
	if fault.Is(err, fault.RateLimited) {
		code = "rate_limit_exceeded"
	}
	return &failed{code, o.Message}
}
