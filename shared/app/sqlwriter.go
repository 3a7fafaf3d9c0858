package app

import (
	"context"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive"
	"lectern/shared/fault"
	"lectern/shared/message"
)

const sqlTokens = 4096

// SQLWriter asks the models of a catalog for SQL. The built-in model cannot
// write SQL: it is Unsupported, and the caller falls back to rules.
func SQLWriter(c *model.Catalog) func(ctx context.Context, name, system, prompt string) (string, error) {
	return func(ctx context.Context, name, system, prompt string) (string, error) {
		if name == "" {
			name = "default"
		}
		entry, err := c.Find(ctx, name)
		if err != nil {
			return "", err
		}
		if entry.ID == extractive.ID || entry.Model == nil {
			return "", fault.New(fault.Unsupported, "model %q cannot write SQL", entry.ID)
		}
		limit := sqlTokens
		if entry.MaxTokens > 0 {
			limit = min(limit, entry.MaxTokens)
		}
		content := message.Content{message.NewText(prompt)}
		req := &model.Request{
			Model: entry.Upstream, MaxTokens: limit, System: []message.System{{Text: system}}, Chat: &message.Request{MaxTokens: limit},
			Messages: []message.Input{{Role: message.RoleUser, Content: content}},
		}
		return said(ctx, entry.Model, req)
	}
}

// said joins the text of one turn.
func said(ctx context.Context, m model.Model, req *model.Request) (string, error) {
	var text strings.Builder
	for e, err := range m.Stream(ctx, req) {
		if err != nil {
			return "", err
		}
		if t, ok := e.Block.(*message.Text); ok && e.Kind == model.Start {
			text.WriteString(t.Text)
		}
		if e.Kind == model.Delta && e.Delta.Type == message.TextDelta {
			text.WriteString(e.Delta.Text)
		}
	}
	return text.String(), nil
}
