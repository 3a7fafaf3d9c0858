// Package model is the port to language models: one streaming call that answers one
// turn, in the types of package message. Tool loops, citations, history and stop
// sequences belong to the chat engine.
//
// Drivers retry, but only before their first event, and map their providers'
// errors to fault codes: Overloaded, RateLimited, TooLarge, Invalid (the
// provider rejects the request), and Upstream for everything else. Public
// messages contain no keys and no text of the provider.
package model

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"iter"
	"strings"

	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/message/passage"
)

// Model answers turns. Safe for concurrent use.
type Model interface {
	// Stream answers one turn. It yields a Stop event last, or ends with an error.
	// Breaking the loop or cancelling ctx ends the provider call within 100 ms.
	//
	// Blocks are not nested: Start, Deltas, End, Start … A text block may be
	// empty. ToolUse blocks start with an empty Input, followed by InputDeltas
	// whose texts join to one JSON object, or with the whole Input.
	Stream(ctx context.Context, req *Request) iter.Seq2[Event, error]
}

// Checker is implemented by models that fill schemas by rules of their own. Check
// returns, before anything is generated, the problems of schemas that the model
// cannot fill. Their locations are ("format") or ("tools", name).
type Checker interface {
	Check(req *Request) []fault.Problem
}

// AnyObject is the Format of an answer that is some JSON object.
var AnyObject = message.Object(`{"type":"object","additionalProperties":true}`)

// Free reports whether the answer is to be some JSON object, whatever its members.
func (r *Request) Free() bool { return string(r.Format) == string(AnyObject) }

// Request is one turn to answer.
type Request struct {
	Model string // the provider's name of the model
	// System is the whole system prompt in order, instructions included.
	System   []message.System // only Text and CacheControl are used
	Messages []message.Input
	// Tools are all tools that may be called, including the service's own.
	Tools  []Tool
	Choice message.ToolChoice
	// MaxTokens limits the output of this turn.
	MaxTokens int
	Format    message.Object // JSON schema of the answer; nil for prose
	Effort    string         // low, medium, high, xhigh, max; empty for the provider's default
	// Passages are the material, which Messages also contain as text.
	Passages []passage.Passage
	// Cite says that the answer may name passages by their ids in brackets.
	Cite bool
	// Chat is the client's request, for sampling, thinking, metadata, and fields
	// that providers of the same API pass through. Read only.
	Chat *message.Request
}

// SystemText returns the system prompt as one text.
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
	Type        string // a provider's native tool type; empty otherwise
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
	Start Kind = iota // a block starts
	Delta             // an addition to the open block
	End               // the open block ends
	Stop              // the turn ends; Reason, Sequence and Usage are set
)

// Event is one step of a turn.
type Event struct {
	Kind     Kind
	Block    message.Block // of Start: Text, Thinking, RedactedThinking, ToolUse
	Delta    message.Delta
	Reason   string // of Stop: a message.Stop… value
	Sequence string // of Stop: the stop sequence met, if any
	// Details explain a refusal, where the provider does; of Stop.
	Details *message.StopDetails
	Usage   message.Usage
	// More says that the next event is ready, so that this one need not be flushed
	// on its own.
	More bool
}

// maxID is the longest id of a call that most providers take.
const maxID = 64

// Plain reports whether a text has only ASCII letters, digits, underscores and hyphens,
// at least one and at most so many. (A regular expression with such a count takes a third
// of a millisecond of each start of a function.)
func Plain(s string, most int) bool {
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return s != "" && len(s) <= most
}

// CallID returns the id of a call as most providers take it: unchanged, unless it has
// characters or a length that they refuse. The same id always gives the same result.
func CallID(id string) string {
	if Plain(id, maxID) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "toolu_" + hex.EncodeToString(sum[:12])
}

// ShortCallID returns the id of a call as nine letters and digits, which every server
// of the chat completions API takes and some require. The same id always gives the
// same result.
func ShortCallID(id string) string {
	const symbols = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	sum := sha256.Sum256([]byte(id))
	n := binary.BigEndian.Uint64(sum[:])
	out := make([]byte, 9)
	for i := range out {
		out[i] = symbols[n%uint64(len(symbols))]
		n /= uint64(len(symbols))
	}
	return string(out)
}
