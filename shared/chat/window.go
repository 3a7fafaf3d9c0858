package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/message/passage"
)

const (
	windowReserve = 256 // tokens left free in addition to the answer's
	keptTurns     = 4   // last messages, which are never summarised
	oldResult     = 400 // bytes to which an old tool result is truncated
	summaryTokens = 1024
)

// room returns how many tokens the input may have; 0 if unknown.
func (c *conversation) room() int {
	if c.entry.MaxInputTokens == 0 {
		return 0
	}
	return max(windowReserve, c.entry.MaxInputTokens-c.next.MaxTokens-windowReserve)
}

// checkSizes rejects what shortening cannot fix: a message or a system prompt that
// alone exceeds the window.
func (c *conversation) checkSizes() error {
	room := c.room()
	if room == 0 || c.inputTokens <= room {
		return nil
	}
	if n := estimate(c.next.SystemText()); n > room {
		return fault.New(fault.TooLarge, "system: the prompt is about %d tokens long; model %s leaves room for %d", n, c.entry.ID, room)
	}
	for i, m := range c.next.Messages {
		if n := measureContent(m.Content, estimate); n > room {
			return fault.New(fault.TooLarge, "messages[%d] is about %d tokens long; model %s leaves room for %d", i, n, c.entry.ID, room)
		}
	}
	return nil
}

// fit shortens a conversation that exceeds the window: it drops the thinking of
// earlier turns, then truncates old tool results, then summarises the oldest turns,
// which a tldr block tells the client. It returns the usage of the summary.
func (a *answer) fit(ctx context.Context) message.Usage {
	c := a.talk
	for _, shorten := range []func([]message.Input) []message.Input{withoutThinking, shortResults} {
		if room := c.room(); room == 0 || c.inputTokens <= room {
			return message.Usage{}
		}
		c.next.Messages = shorten(c.next.Messages)
		c.count()
	}
	if c.inputTokens <= c.room() {
		return message.Usage{}
	}
	return a.summarise(ctx, c.room())
}

func withoutThinking(list []message.Input) []message.Input {
	out := make([]message.Input, 0, len(list))
	for i, m := range list {
		kept := message.Content{}
		for _, b := range m.Content {
			switch b.(type) {
			case *message.Thinking, *message.RedactedThinking:
				if i < len(list)-keptTurns {
					continue
				}
			}
			kept = append(kept, b)
		}
		if len(kept) > 0 {
			out = append(out, message.Input{Role: m.Role, Content: kept})
		}
	}
	return out
}

func shortResults(list []message.Input) []message.Input {
	out := append([]message.Input(nil), list...)
	for i := range max(0, len(out)-keptTurns) {
		content := append(message.Content(nil), out[i].Content...)
		for j, b := range content {
			r, ok := b.(*message.ToolResult)
			if !ok {
				continue
			}
			if text := plainText(r.Content.Blocks); len(text) > oldResult {
				short := *r
				short.Content.Blocks = message.Content{message.NewText(strings.ToValidUTF8(text[:oldResult], "") + " […]")}
				content[j] = &short
			}
		}
		out[i].Content = content
	}
	return out
}

// summarise replaces as many of the oldest messages as necessary by a summary.
func (a *answer) summarise(ctx context.Context, room int) message.Usage {
	c := a.talk
	list := c.next.Messages
	total := c.inputTokens
	cut := 0
	for cut < len(list)-1 && total+summaryTokens > room {
		total -= measureContent(list[cut].Content, estimate) + 4
		cut++
	}
	for cut < len(list)-1 && (list[cut].Role != message.RoleUser || onlyResults(list[cut].Content)) {
		cut++ // start the rest with a question, so that no result loses its call
	}
	if cut == 0 {
		return message.Usage{}
	}
	summary, usage := a.summary(ctx, list[:cut], room)
	note := message.NewText("[summary of earlier turns] " + summary)
	rest := append([]message.Input(nil), list[cut:]...)
	rest[0].Content = append(message.Content{note}, rest[0].Content...)
	c.next.Messages = rest
	c.count()
	if c.system.vendor {
		block := &message.TLDR{Content: message.Content{message.NewText(summary)}, Side: "left"}
		block.Meta = map[string]any{"summarised_messages": cut}
		a.out.whole(block)
	}
	return usage
}

func onlyResults(c message.Content) bool {
	for _, b := range c {
		if _, ok := b.(*message.ToolResult); !ok {
			return false
		}
	}
	return true
}

// summary asks the model for a summary; if that fails, it joins the beginnings of
// the messages.
func (a *answer) summary(ctx context.Context, list []message.Input, room int) (text string, usage message.Usage) {
	said := transcript(list)
	if limit := (room - summaryTokens - windowReserve) * 3; limit > 0 && len(said) > limit {
		said = strings.ToValidUTF8(said[:limit/2], "") + "\n[…]\n" + strings.ToValidUTF8(said[len(said)-limit/2:], "")
	}
	req := &model.Request{
		Model: a.talk.next.Model, MaxTokens: summaryTokens, Chat: &message.Request{}, Passages: []passage.Passage{{Text: said}},
		System:   []message.System{{Text: "Summarise the conversation that follows for someone who will continue it: who wants what, what was found and decided, names, numbers and open questions. Write nothing else."}},
		Messages: []message.Input{{Role: message.RoleUser, Content: message.Content{message.NewText("Summarise:\n\n" + said)}}},
	}
	var out strings.Builder
	for e, err := range a.talk.entry.Model.Stream(ctx, req) {
		if err != nil {
			a.engine.Log.WarnContext(ctx, "summary of earlier turns failed", "error", err)
			break
		}
		if e.Kind == model.Delta && e.Delta.Type == message.TextDelta {
			out.WriteString(e.Delta.Text)
		}
		if e.Kind == model.Stop {
			usage.Add(e.Usage)
		}
	}
	if text = strings.TrimSpace(out.String()); text == "" {
		text = beginnings(list)
	}
	return text, usage
}

func transcript(list []message.Input) string {
	var out strings.Builder
	for _, m := range list {
		fmt.Fprintf(&out, "%s: ", m.Role)
		for _, b := range m.Content {
			switch b := b.(type) {
			case *message.ToolUse:
				fmt.Fprintf(&out, "(calls %s with %s) ", b.Name, b.Input)
			case *message.ToolResult:
				fmt.Fprintf(&out, "(result: %s) ", plainText(b.Content.Blocks))
			default:
				out.WriteString(describe(b) + " ")
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func beginnings(list []message.Input) string {
	var out strings.Builder
	each := max(80, 3*summaryTokens/len(list))
	for line := range strings.Lines(transcript(list)) {
		if len(line) > each {
			line = strings.ToValidUTF8(line[:each], "") + " […]\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

// unfolded replaces the messages that a tldr block, sent back by the client,
// stands for by its summary.
func unfolded(list []message.Input) []message.Input {
	for i := len(list) - 1; i >= 0; i-- {
		for _, b := range list[i].Content {
			t, ok := b.(*message.TLDR)
			if !ok {
				continue
			}
			n, ok := t.Meta["summarised_messages"].(float64)
			cut := int(n)
			if !ok || cut < 1 || cut >= i || list[cut].Role != message.RoleUser {
				continue
			}
			out := append([]message.Input(nil), list[cut:]...)
			out[i-cut].Content = slices.DeleteFunc(slices.Clone(list[i].Content), func(have message.Block) bool { return have == b })
			out[0].Content = append(message.Content{t}, out[0].Content...)
			return out
		}
	}
	return list
}
