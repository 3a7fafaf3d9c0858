package chat

import (
	"context"
	"fmt"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/chunk"
)

// prepare brings a request into the form that models get, or says what is wrong
// with it: what r has found, and what shows on the way. External tool servers
// are left alone unless reach says otherwise: their tools are missing then. The
// answer that it returns must be closed.
func (e *Engine) prepare(ctx context.Context, req *message.Request, r *rules, reach bool) (*answer, error) {
	if len(req.Thread) > 0 {
		return nil, &fault.Error{Code: fault.Malformed, Msg: "thread is not supported; send the request without it",
			Details: map[string]any{"error_code": "thread_unsupported_request", "unsupported": []string{"thread"}}}
	}
	entry, err := e.Models.Find(ctx, req.Model)
	if err != nil && len(r.problems) == 0 {
		return nil, err
	}
	if err == nil && entry.Model == nil {
		r.add("value_error", fmt.Sprintf("model %q embeds; it does not chat", req.Model), "model")
	}
	a := &answer{Engine: e, ctx: ctx, req: req, entry: entry, book: &passage.Book{}}
	a.declare(r)
	if len(r.problems) > 0 {
		return nil, fault.Problems(r.problems)
	}
	if len(r.lacking) > 0 {
		return nil, fault.New(fault.Unsupported, "this deployment has no %s", strings.Join(r.lacking, ", "))
	}
	if a.unasked = !reach && len(a.servers) > 0; a.unasked {
		a.servers = nil
	}
	err = a.open()
	if err == nil {
		err = a.converse()
	}
	if err == nil {
		err = a.checkTools()
	}
	if err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

// converse makes the model's request.
func (a *answer) converse() error {
	req := a.req
	system := systemOf(req)
	a.vendor = system.vendor
	a.citations = system.known
	rd := renderer{ctx: a.ctx, reader: a.Reader, files: a.Files, session: req.Container.ID, model: &a.entry, book: a.book, cite: system.cite}
	history, err := repair(unfolded(req.Messages), rd.render)
	if err != nil {
		return err
	}
	if len(history.messages) == 0 {
		return fault.Field("value_error", "the conversation holds nothing that the model can read", "body", "messages")
	}
	format, _ := formatOf(req)
	a.cite = (system.cite || rd.cited) && format == nil
	a.marks = a.cite && (rd.marks || system.cite && len(req.Tools) > 0)
	a.turn = model.Request{
		Model: a.entry.Upstream, Messages: history.messages, MaxTokens: min(req.MaxTokens, a.entry.MaxTokens),
		Format: format, Effort: effortOf(req), Passages: a.book.All(), Cite: a.cite, Chat: req,
	}
	if req.ToolChoice != nil {
		a.turn.Choice = *req.ToolChoice
	}
	a.system, a.notes = system, history.system
	a.offer()
	a.turn.System = a.prompt()
	a.inputTokens = a.estimate()
	return a.checkSizes()
}

// effortOf is the effort asked for, from whichever field names it.
func effortOf(req *message.Request) string {
	if req.OutputConfig != nil && req.OutputConfig.Effort != "" {
		return req.OutputConfig.Effort
	}
	if req.Thinking != nil {
		return req.Thinking.Effort
	}
	return ""
}

// estimate guesses the tokens of the turn's input from its bytes.
func (a *answer) estimate() int { return a.measure(estimate) }

// measure adds up the tokens of the turn's input; count counts a text's.
func (a *answer) measure(count func(string) int) int {
	n := count(a.turn.SystemText())
	for _, t := range a.turn.Tools {
		n += count(t.Name) + count(t.Description) + count(string(t.InputSchema)) + 8
	}
	for _, m := range a.turn.Messages {
		n += 4 + measureContent(m.Content, count)
	}
	return n
}

// mediaTokens is what a picture or a sound is taken to cost.
const mediaTokens = 1600

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
			n += count(b.Source.Data) + count(plainText(b.Source.Content))
		case *message.SearchResult:
			n += count(plainText(b.Content))
		}
	}
	return n
}

func estimate(s string) int { return chunk.EstimateTokens(s) }
