// Package model is the port to language models: one streaming call that
// answers one turn, in the vocabulary of package message. Tool loops,
// citations, histories and stop sequences are the chat engine's business.
//
// Drivers do their own retries, before their first event only, and turn what
// their providers say into fault codes: Overloaded, RateLimited, TooLarge,
// Invalid (the provider finds the request wrong), Upstream for everything
// else. No key and no provider text reaches a public message.
package model

import (
	"context"
	"iter"
	"strings"

	"lectern/shared/message"
	"lectern/shared/message/passage"
)

// Model answers turns. Safe for concurrent use.
type Model interface {
	// Stream answers one turn. It yields at least a Stop event or an error;
	// after an error nothing follows. Breaking the loop, or the end of ctx,
	// frees the provider call within 100 ms.
	//
	// Blocks are not nested: Start, Deltas, End, Start … A text block may be
	// empty. ToolUse blocks start with an empty Input and get it by
	// InputDeltas whose texts join to one JSON object, or carry it whole.
	Stream(ctx context.Context, req *Request) iter.Seq2[Event, error]
}

// Request is one turn to answer.
type Request struct {
	Model string // the provider's own name of the model
	// System is the whole system prompt in order, instructions included.
	System   []message.System // Text and CacheControl count
	Messages []message.Input
	// Tools are all tools that may be called, the service's own included.
	Tools  []Tool
	Choice message.ToolChoice
	// MaxTokens bounds what is generated in this turn.
	MaxTokens int
	Format    message.Object // JSON schema of the answer; nil for prose
	Effort    string         // low, medium, high, xhigh, max; empty for the provider's own
	// Passages are the material at hand, also contained in Messages as text.
	Passages []passage.Passage
	// Cite says that the answer may name passages by their ids in brackets.
	Cite bool
	// Chat is the client's request: sampling, thinking, metadata, and for
	// providers of the same wire what they pass through. Read only.
	Chat *message.Request
}

// SystemText is the system prompt as one text.
func (r *Request) SystemText() string {
	parts := make([]string, len(r.System))
	for i, s := range r.System {
		parts[i] = s.Text
	}
	return strings.Join(parts, "\n\n")
}

// Tool is a tool as a model sees it.
type Tool struct {
	Name        string
	Type        string // a provider's own tool type that it knows natively; empty otherwise
	Description string
	InputSchema message.Object
	// Server says that the service runs the tool.
	Server       bool
	CacheControl *message.CacheControl
}

// Kind says what an Event is.
type Kind int

// The kinds of events.
const (
	Start Kind = iota // Block begins
	Delta             // an addition to the open block
	End               // the open block ends
	Stop              // the turn ends; Reason, Sequence and Usage count
)

// Event is one step of a turn.
type Event struct {
	Kind     Kind
	Block    message.Block // of Start: Text, Thinking, RedactedThinking, ToolUse
	Delta    message.Delta
	Reason   string // of Stop: a message.Stop… value
	Sequence string // of Stop: the stop sequence met, if any
	Usage    message.Usage
	// More says that the next event is there already, so that this one need
	// not be sent on by itself.
	More bool
}
