package chat

import (
	"context"
	"strings"

	"lectern/shared/message"
)

// billingHeader starts a system text that some clients add for their own
// provider's billing; it is not an instruction.
const billingHeader = "x-anthropic-billing-header:"

// repaired is a conversation in the form that models accept: system texts
// separate, roles alternating, tool results in user messages, unreadable blocks
// removed.
type repaired struct {
	system   []string // from messages with role system
	messages []message.Input
}

// repair converts the messages to that form.
func repair(ctx context.Context, list []message.Input, rd *renderer) (repaired, error) {
	var out repaired
	answered := results(list)
	for i, m := range list {
		if m.Role == message.RoleSystem {
			note, err := rd.notes(ctx, m.Content, i)
			if err != nil {
				return out, err
			}
			out.system = append(out.system, note)
			continue
		}
		for j, b := range m.Content {
			role, b := place(m.Role, b, answered)
			if b == nil {
				continue
			}
			shown, err := rd.render(ctx, b, "body", "messages", i, "content", j)
			if err != nil {
				return out, err
			}
			for _, b := range shown {
				out.append(role, b)
			}
		}
	}
	return out, nil
}

// notes converts the content of a system message to one text.
func (r *renderer) notes(ctx context.Context, c message.Content, at int) (string, error) {
	var parts []string
	for j, b := range c {
		part, err := r.note(ctx, b, "body", "messages", at, "content", j)
		if err != nil {
			return "", err
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n"), nil
}

// results returns the ids of calls that have a result.
func results(list []message.Input) map[string]bool {
	answered := map[string]bool{}
	for _, m := range list {
		for _, b := range m.Content {
			if r, ok := b.(*message.ToolResult); ok {
				answered[r.ToolUseID] = true
			}
		}
	}
	return answered
}

// place returns the role and form in which the model sees a block: calls of the
// service's own tools become plain calls, results move to the user's turn, and
// server tool calls without a result are dropped.
func place(role string, b message.Block, answered map[string]bool) (string, message.Block) {
	switch b := b.(type) {
	case *message.ServerToolUse:
		if !answered[b.ID] {
			return role, nil
		}
		return message.RoleAssistant, &message.ToolUse{ID: b.ID, Name: b.Name, Input: b.Input}
	case *message.MCPToolUse:
		if !answered[b.ID] {
			return role, nil
		}
		return message.RoleAssistant, &message.ToolUse{ID: b.ID, Name: b.Name, Input: b.Input}
	case *message.ToolResult:
		return message.RoleUser, b
	}
	return role, b
}

// append adds a block to the last message, or starts a message of its role.
func (r *repaired) append(role string, b message.Block) {
	if n := len(r.messages); n > 0 && r.messages[n-1].Role == role {
		r.messages[n-1].Content = append(r.messages[n-1].Content, b)
		return
	}
	r.messages = append(r.messages, message.Input{Role: role, Content: message.Content{b}})
}

// plainText joins the texts of blocks.
func plainText(c message.Content) string {
	if len(c) == 1 {
		if t, ok := c[0].(*message.Text); ok {
			return t.Text
		}
	}
	var parts []string
	for _, b := range c {
		if t, ok := b.(*message.Text); ok && t.Text != "" {
			parts = append(parts, t.Text)
		}
	}
	return strings.Join(parts, "\n")
}
