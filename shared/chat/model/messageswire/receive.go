package messageswire

import (
	"bytes"
	"encoding/json"
	"fmt"

	"lectern/shared/api/schema"
	"lectern/shared/chat/model"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// NewReceiver passes a turn's events to yield.
func NewReceiver(yield func(model.Event, error) bool) *Receiver { return &Receiver{yield: yield} }

// Receiver converts the events of the Messages API to ours.
type Receiver struct {
	yield    func(model.Event, error) bool
	stopped  bool
	more     bool // another event is ready
	skip     bool // the type of the open block is unknown here
	usage    usage
	reason   string
	sequence string
	details  *message.StopDetails
	done     bool
}

func (r *Receiver) send(e model.Event) {
	if !r.stopped {
		e.More = r.more || e.Kind == model.Start
		r.stopped = !r.yield(e, nil)
	}
}

// event has the fields of all event types.
type event struct {
	Type    string `json:"type"`
	Message struct {
		Usage usage `json:"usage"`
	} `json:"message"`
	ContentBlock json.RawMessage `json:"content_block"`
	Delta        struct {
		Type         string          `json:"type"`
		Text         string          `json:"text"`
		Thinking     string          `json:"thinking"`
		Signature    string          `json:"signature"`
		PartialJSON  string          `json:"partial_json"`
		Citation     json.RawMessage `json:"citation"`
		StopReason   string          `json:"stop_reason"`
		StopSequence string          `json:"stop_sequence"`
		StopDetails  *stopDetails    `json:"stop_details"`
	} `json:"delta"`
	Usage usage `json:"usage"`
	Error struct {
		Type string `json:"type"`
	} `json:"error"`
}

// stopDetails explain a refusal.
type stopDetails struct {
	Type        string  `json:"type"`
	Category    *string `json:"category"`
	Explanation *string `json:"explanation"`
}

type usage struct {
	Input         *int                   `json:"input_tokens"`
	Output        *int                   `json:"output_tokens"`
	CacheCreation *int                   `json:"cache_creation_input_tokens"`
	CacheRead     *int                   `json:"cache_read_input_tokens"`
	Creation      *message.CacheCreation `json:"cache_creation"`
	Tier          *string                `json:"service_tier"`
	Geo           *string                `json:"inference_geo"`
}

// merge applies the counts of a later event, which are totals of the turn.
func (u *usage) merge(v usage) {
	take := func(to **int, from *int) {
		if from != nil {
			*to = from
		}
	}
	take(&u.Input, v.Input)
	take(&u.Output, v.Output)
	take(&u.CacheCreation, v.CacheCreation)
	take(&u.CacheRead, v.CacheRead)
	if v.Creation != nil {
		u.Creation = v.Creation
	}
	if v.Tier != nil {
		u.Tier = v.Tier
	}
	if v.Geo != nil {
		u.Geo = v.Geo
	}
}

func (u *usage) counts() message.Usage {
	n := func(p *int) int {
		if p == nil {
			return 0
		}
		return *p
	}
	return message.Usage{InputTokens: n(u.Input), OutputTokens: n(u.Output), CacheCreationTokens: n(u.CacheCreation),
		CacheReadTokens: n(u.CacheRead),
		CacheCreation:   u.Creation, ServiceTier: u.Tier, InferenceGeo: u.Geo}
}

// Left reports whether the consumer has stopped.
func (r *Receiver) Left() bool { return r.stopped }

// Over reports whether the turn has ended or the consumer has stopped.
func (r *Receiver) Over() bool { return r.stopped || r.done }

// Take processes the data of the next event; more says that another one is ready.
func (r *Receiver) Take(data []byte, more bool) error {
	r.more = more
	var e event
	if _, err := schema.Check(data, &e); err != nil { // ignores fields with unexpected types
		return fmt.Errorf("provider sent an event that is not JSON: %w", err)
	}
	if e.Type == "error" {
		return refused(e.Error.Type, data)
	}
	return r.event(&e)
}

// refused maps an error event.
func refused(kind string, data []byte) error {
	cause := fmt.Errorf("provider sent an error: %.500s", data)
	switch kind {
	case "overloaded_error":
		return fault.Wrap(cause, fault.Overloaded, "the model provider is overloaded")
	case "rate_limit_error":
		return fault.Wrap(cause, fault.RateLimited, "the model provider's rate limit is exceeded")
	}
	return fault.Wrap(cause, fault.Upstream, "the model provider failed")
}

func (r *Receiver) event(e *event) error {
	switch e.Type {
	case "message_start":
		r.usage.merge(e.Message.Usage)
	case "content_block_start":
		return r.start(e.ContentBlock)
	case "content_block_delta":
		if !r.skip {
			r.delta(e)
		}
	case "content_block_stop":
		if !r.skip {
			r.send(model.Event{Kind: model.End})
		}
		r.skip = false
	case "message_delta":
		r.usage.merge(e.Usage)
		r.reason, r.sequence = e.Delta.StopReason, e.Delta.StopSequence
		if d := e.Delta.StopDetails; d != nil && d.Type == message.StopRefusal {
			r.details = &message.StopDetails{Type: d.Type, Category: d.Category, Explanation: d.Explanation}
		}
	case "message_stop":
		r.done = true
		r.send(model.Event{Kind: model.Stop, Reason: reasonOf(r.reason), Sequence: r.sequence, Details: r.details, Usage: r.usage.counts()})
	}
	return nil
}

// reasonOf maps the reasons that our answers do not have.
func reasonOf(reason string) string {
	switch reason {
	case message.StopMaxTokens, message.StopSequence, message.StopToolUse, message.StopPauseTurn, message.StopRefusal:
		return reason
	case "model_context_window_exceeded":
		return message.StopMaxTokens
	}
	return message.StopEndTurn
}

func (r *Receiver) start(raw json.RawMessage) error {
	var content message.Content
	list := bytes.Join([][]byte{[]byte("["), raw, []byte("]")}, nil)
	if err := schema.Decode(list, &content); err != nil || len(content) != 1 {
		r.skip = true // unknown block type
		return nil
	}
	b := content[0]
	switch b := b.(type) {
	case *message.Text, *message.Thinking, *message.RedactedThinking:
	case *message.ToolUse:
		b.Input = nil // sent in deltas
	default:
		r.skip = true
		return nil
	}
	r.send(model.Event{Kind: model.Start, Block: b, Usage: r.usage.counts()})
	return nil
}

func (r *Receiver) delta(e *event) {
	d := message.Delta{Type: message.DeltaType(e.Delta.Type)}
	switch d.Type {
	case message.TextDelta:
		d.Text = e.Delta.Text
	case message.ThinkingDelta:
		d.Text = e.Delta.Thinking
	case message.SignatureDelta:
		d.Text = e.Delta.Signature
	case message.InputDelta:
		d.Text = e.Delta.PartialJSON
	case message.CitationDelta:
		d.Citation = &message.Citation{Raw: bytes.Clone(e.Delta.Citation)}
	default:
		return
	}
	r.send(model.Event{Kind: model.Delta, Delta: d})
}
