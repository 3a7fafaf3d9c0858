// Package output writes the events of a turn of the built-in model.
package output

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"iter"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/message"
	"lectern/shared/text/chunk"
)

// Writer writes one turn's events within its token limit.
type Writer struct {
	ctx     context.Context
	yield   func(model.Event, error) bool
	left    int // tokens that may still be written
	used    int
	stopped bool
}

// To returns a writer of at most so many tokens of text.
func To(ctx context.Context, yield func(model.Event, error) bool, tokens int) *Writer {
	return &Writer{ctx: ctx, yield: yield, left: tokens}
}

// Stopped reports whether nobody takes what is written any more.
func (w *Writer) Stopped() bool { return w.stopped }

func (w *Writer) send(e model.Event) {
	if w.stopped {
		return
	}
	if w.ctx.Err() != nil {
		w.stopped = true
		w.yield(model.Event{}, w.ctx.Err())
		return
	}
	w.stopped = !w.yield(e, nil)
}

// Think writes a thinking block if the request asks for one.
func (w *Writer) Think(req *model.Request, thought string) {
	if !req.Chat.Thinking.On() {
		return
	}
	sum := sha256.Sum256([]byte(thought))
	if req.Chat.Thinking.Display == "omitted" {
		thought = ""
	}
	w.send(model.Event{Kind: model.Start, Block: &message.Thinking{}})
	for word := range words(thought) {
		w.used += tokens(word)
		w.send(model.Event{Kind: model.Delta, Delta: message.Delta{Type: message.ThinkingDelta, Text: word}})
	}
	signature := base64.StdEncoding.EncodeToString(sum[:])
	w.send(model.Event{Kind: model.Delta, Delta: message.Delta{Type: message.SignatureDelta, Text: signature}})
	w.send(model.Event{Kind: model.End})
}

// Call writes a tool call.
func (w *Writer) Call(name string, input message.Object) {
	w.used += tokens(string(input))
	w.send(model.Event{Kind: model.Start, Block: &message.ToolUse{Name: name}})
	w.send(model.Event{Kind: model.Delta, Delta: message.Delta{Type: message.InputDelta, Text: string(input)}})
	w.send(model.Event{Kind: model.End})
}

// Text writes the answer, in a block with this metadata, word by word and stops at the token limit.
func (w *Writer) Text(s string, meta map[string]any) {
	w.send(model.Event{Kind: model.Start, Block: &message.Text{Base: message.Base{Meta: meta}}})
	reason := message.StopEndTurn
	first := true
	for word := range words(s) {
		n := tokens(word)
		if n > w.left && !first {
			reason = message.StopMaxTokens
			break
		}
		first = false
		w.left -= n
		w.used += n
		w.send(model.Event{Kind: model.Delta, Delta: message.Delta{Type: message.TextDelta, Text: word}})
		if w.stopped {
			return
		}
	}
	w.send(model.Event{Kind: model.End})
	w.Stop(reason)
}

// Stop ends the turn.
func (w *Writer) Stop(reason string) {
	w.send(model.Event{Kind: model.Stop, Reason: reason, Usage: message.Usage{OutputTokens: w.used}})
}

func tokens(word string) int { return max(1, chunk.EstimateTokens(word)) }

// pieceWeight ends a piece without white space: after 32 ASCII characters, or 8 of
// a script that writes without spaces.
const pieceWeight = 32

// words yields a text in pieces of one word and the white space after it. Longer
// runs, such as JSON or Chinese, are split.
func words(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(s) > 0 {
			n, weight := len(s), 0
			for i, r := range s {
				if r == ' ' || r == '\n' || r == '\t' || weight >= pieceWeight {
					n = i
					break
				}
				if weight++; r >= 0x2E80 {
					weight += 3
				}
			}
			for n < len(s) && strings.IndexByte(" \n\t", s[n]) >= 0 {
				n++
			}
			if !yield(s[:n]) {
				return
			}
			s = s[n:]
		}
	}
}
