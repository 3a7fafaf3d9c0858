package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lectern/shared/auth"

	"lectern/shared/chat/model"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/chunk"
)

// conversation is the input of the model, extended turn by turn.
type conversation struct {
	request     *message.Request
	entry       model.Entry // the model that answers
	book        *passage.Book
	system      systemConfig
	notes       []string // system texts among the messages
	cite        bool     // citations are requested
	marks       bool     // the model marks passages by their ids
	next        model.Request
	inputTokens int // of the next turn; an estimate until the provider reports it
}

// prepare converts a request to the input of a model, or returns all its problems,
// those in r included. Without reach it does not contact MCP servers, whose tools
// are then missing. The caller must close the toolbox.
func (e *Engine) prepare(ctx context.Context, req *message.Request, r *rules, reach bool) (*toolbox, *conversation, error) {
	if len(req.Thread) > 0 {
		return nil, nil, &fault.Error{Code: fault.Malformed, Msg: "thread is not supported; send the request without it",
			Details: map[string]any{"error_code": "thread_unsupported_request", "unsupported": []string{"thread"}}}
	}
	req, entry, err := e.over(ctx, req)
	if err != nil && len(r.problems) == 0 {
		return nil, nil, err
	}
	if err == nil && reach {
		if err := e.CheckTokens(ctx); err != nil {
			return nil, nil, err
		}
	}
	if err == nil && entry.Model == nil {
		r.add("value_error", fmt.Sprintf("model %q embeds; it does not chat", req.Model), "model")
	}
	tools := e.declare(req, r)
	if len(r.problems) > 0 {
		return nil, nil, fault.Problems(r.problems)
	}
	if len(r.lacking) > 0 {
		return nil, nil, fault.New(fault.Unsupported, "this deployment has no %s", strings.Join(r.lacking, ", "))
	}
	if tools.unasked = !reach && len(tools.servers) > 0; tools.unasked {
		tools.servers = nil
	}
	var talk *conversation
	if err = tools.open(ctx); err == nil {
		talk, err = e.converse(ctx, req, entry, tools)
	}
	if err == nil && reach {
		err = fits(entry, talk)
	}
	if err == nil {
		err = tools.check(ctx)
	}
	if err != nil {
		tools.close()
		return nil, nil, err
	}
	return tools, talk, nil
}

// over resolves the model of a request. Where its name ends in a collection, the request
// comes back with a search over that, and with the name of the model alone.
func (e *Engine) over(ctx context.Context, req *message.Request) (*message.Request, model.Entry, error) {
	entry, collection, err := e.Models.Over(ctx, req.Model)
	if err != nil || collection == "" {
		return req, entry, err
	}
	if err := e.CheckCollection(ctx, collection); err != nil {
		return req, entry, err
	}
	searching := *req
	searching.Model = strings.TrimSuffix(req.Model, "@"+collection)
	searching.Tools, searching.System = slices.Clip(req.Tools), slices.Clip(req.System)
	AnswerFrom(&searching, collection)
	return &searching, entry, nil
}

// CheckCollection refuses a collection that does not exist, or that the caller may not
// use.
func (e *Engine) CheckCollection(ctx context.Context, name string) error {
	if err := auth.Check(ctx, name); err != nil {
		return err
	}
	if e.Stored == nil {
		return nil
	}
	err := e.Stored.CheckContext(ctx, []message.ContextItem{inCollection(name)})
	if fault.Is(err, fault.Invalid) {
		return fault.New(fault.NotFound, "there is no collection %q", name)
	}
	return err
}

func inCollection(name string) message.ContextItem {
	return message.ContextItem{Type: "ingested_artifact", ContextFilter: &message.ContextFilter{Collection: name}}
}

// AnswerFrom gives a request a search over collections, with citations.
func AnswerFrom(req *message.Request, collections ...string) {
	if len(collections) == 0 {
		return
	}
	name := "search_documents"
	for slices.ContainsFunc(req.Tools, func(t message.Tool) bool { return t.Name == name }) {
		name += "_"
	}
	search := message.Tool{Name: name, Type: "semantic_search_v1"}
	for _, c := range collections {
		search.Context = append(search.Context, inCollection(c))
	}
	if req.ToolChoice != nil && req.ToolChoice.Type == "none" { // of the client's tools
		req.Tools, req.ToolChoice = nil, nil
	}
	req.Tools = append(req.Tools, search)
	if format, _ := formatOf(req); format == nil {
		req.System = append(req.System, message.System{Citations: message.CitationConfig{Enabled: true}})
	}
}

// fits asks the model whether it can fill the schemas of the request.
func fits(entry model.Entry, c *conversation) error {
	checker, ok := entry.Model.(model.Checker)
	if !ok {
		return nil
	}
	problems := checker.Check(&c.next)
	for i, p := range problems {
		problems[i].Loc = []any{"body", "tools"}
		if p.Loc[0] == "format" {
			_, where := formatOf(c.request)
			problems[i].Loc = append([]any{"body"}, where...)
		} else if at := slices.IndexFunc(c.request.Tools, func(t message.Tool) bool { return t.Name == p.Loc[1] }); at >= 0 {
			problems[i].Loc = []any{"body", "tools", at, "inputSchema"}
		}
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	return nil
}

// converse builds the first model request.
func (e *Engine) converse(ctx context.Context, req *message.Request, entry model.Entry, tools *toolbox) (*conversation, error) {
	c := &conversation{request: req, entry: entry, book: &passage.Book{}, system: systemOf(req)}
	rd := &renderer{reader: e.Reader, files: e.Files, web: e.Web, session: req.Container.ID, model: &c.entry, book: c.book,
		cite: c.system.cite}
	history, err := repair(ctx, unfolded(req.Messages), rd)
	if err != nil {
		return nil, err
	}
	if len(history.messages) == 0 {
		return nil, fault.Field("value_error", "the conversation has no content that the model can read", "body", "messages")
	}
	format, _ := formatOf(req)
	c.notes = history.system
	results := c.system.cite && len(req.Tools) > 0 || slices.ContainsFunc(req.Tools, func(t message.Tool) bool { return t.Citations.Enabled })
	c.cite = (c.system.cite || rd.cited || results) && format == nil
	c.marks = c.cite && (rd.marks || results)
	effort, _ := effortOf(req)
	c.next = model.Request{
		Model: entry.Upstream, Messages: history.messages, MaxTokens: min(req.MaxTokens, entry.MaxTokens),
		Format: format, Effort: effort, Passages: c.book.All(), Cite: c.cite, Chat: req,
	}
	if req.ToolChoice != nil {
		c.next.Choice = *req.ToolChoice
	}
	c.offer(tools, e.Now())
	tools.force(&c.next)
	c.count()
	return c, c.checkSizes()
}

// offer sets the tools that the model may call in the next turn.
func (c *conversation) offer(tools *toolbox, now time.Time) {
	c.next.Tools = tools.offer()
	c.next.System = c.prompt(tools, now)
}

// extend appends the model's output and the reply to it: tool results or a
// request for repair. spent is how many tokens the answer has used so far.
func (c *conversation) extend(said, answered message.Content, spent int) {
	c.next.Messages = append(c.next.Messages,
		message.Input{Role: message.RoleAssistant, Content: said}, message.Input{Role: message.RoleUser, Content: answered})
	c.next.Passages = c.book.All()
	c.next.Choice = message.ToolChoice{Type: "auto", DisableParallel: c.next.Choice.DisableParallel}
	c.next.MaxTokens = max(1, c.request.MaxTokens-spent)
}

// effortOf returns the requested effort and the field that sets it.
func effortOf(req *message.Request) (effort, field string) {
	switch {
	case req.OutputConfig != nil && req.OutputConfig.Effort != "":
		return req.OutputConfig.Effort, "output_config.effort"
	case req.Thinking != nil && req.Thinking.Effort != "":
		return req.Thinking.Effort, "thinking.effort"
	}
	return "", ""
}

// count estimates the input tokens of the next turn from its bytes.
func (c *conversation) count() { c.inputTokens = c.measure(estimate) }

// measure sums the input tokens of the next turn, using count for each text.
func (c *conversation) measure(count func(string) int) int {
	n := count(c.next.SystemText())
	for _, t := range c.next.Tools {
		n += count(t.Name) + count(t.Description) + count(string(t.InputSchema)) + 8
	}
	for _, m := range c.next.Messages {
		n += 4 + measureContent(m.Content, count)
	}
	return n
}

// mediaTokens is the assumed cost of an image or a sound, and the least of a file;
// of a longer file, each fileBytes of its base64 text count as one.
const (
	mediaTokens = 1600
	fileBytes   = 32
)

func measureContent(c message.Content, count func(string) int) int {
	n := 0
	for _, b := range c {
		switch b := b.(type) {
		case *message.Text:
			n += count(b.Text)
		case *message.ToolUse:
			n += count(b.Name) + count(string(b.Input)) + 8
		case *message.ToolResult:
			n += measureContent(b.Content.Blocks, count) + 8
		case *message.Thinking:
			n += count(b.Thinking)
		case *message.Image, *message.Audio:
			n += mediaTokens
		case *message.Document:
			switch {
			case b.Source == nil:
			case b.Source.Type == "base64":
				n += max(mediaTokens, len(b.Source.Data)/fileBytes)
			default:
				n += count(b.Source.Data) + count(plainText(b.Source.Content))
			}
		case *message.SearchResult:
			n += count(plainText(b.Content))
		}
	}
	return n
}

func estimate(s string) int { return chunk.EstimateTokens(s) }
