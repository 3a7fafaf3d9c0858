package message

import (
	"strconv"
	"time"

	"lectern/shared/api/schema"
)

// EventType is the name of a server-sent event.
type EventType string

// The events of an answer, in the order in which they may occur.
const (
	MessageStart EventType = "message_start"
	BlockStart   EventType = "content_block_start"
	BlockDelta   EventType = "content_block_delta"
	BlockStop    EventType = "content_block_stop"
	MessageDelta EventType = "message_delta"
	MessageStop  EventType = "message_stop"
	Ping         EventType = "ping"
	Error        EventType = "error"
)

// DeltaType says what a delta adds.
type DeltaType string

// The kinds of deltas.
const (
	TextDelta      DeltaType = "text_delta"
	ThinkingDelta  DeltaType = "thinking_delta"
	SignatureDelta DeltaType = "signature_delta"
	InputDelta     DeltaType = "input_json_delta"
	CitationDelta  DeltaType = "citations_delta"
)

// Event is one step of an answer. Type decides which fields are used.
type Event struct {
	Type    EventType
	Index   int       // of the block, contiguous from 0 over the message
	BlockID string    // of the block
	Time    time.Time // when a block started or ended
	Message *Message  // of message_start
	Block   Block     // of content_block_start
	Delta   Delta     // of content_block_delta
	End     *End      // of message_delta
	// More says that the next event is ready, so that this one need not be
	// flushed on its own.
	More bool
}

// Delta is an addition to the open block.
type Delta struct {
	Type     DeltaType
	Text     string // text, thinking, signature or partial JSON
	Citation *Citation
}

// End says how an answer ended.
type End struct {
	StopReason   string
	StopSequence *string
	StopDetails  *StopDetails
	Container    *ContainerInfo
	Usage        Usage // totals over all turns
}

// AppendData appends the event's JSON, one line, to out.
func (e *Event) AppendData(out []byte) ([]byte, error) {
	out = append(out, `{"type":"`...)
	out = append(out, e.Type...)
	out = append(out, '"')
	var err error
	switch e.Type {
	case MessageStart:
		out, err = e.Message.AppendJSON(append(out, `,"message":`...))
	case BlockStart:
		out = e.appendBlockRef(out)
		out = append(out, `,"content_block":`...)
		out, err = AppendBlock(out, e.Block)
	case BlockDelta:
		out = e.appendBlockRef(out)
		out, err = e.Delta.append(out)
	case BlockStop:
		out = e.appendBlockRef(out)
		out = append(out, `,"stop_timestamp":"`...)
		out = e.Time.UTC().AppendFormat(out, time.RFC3339Nano)
		out = append(out, '"')
	case MessageDelta:
		out, err = e.End.append(out)
	}
	return append(out, '}'), err
}

func (e *Event) appendBlockRef(out []byte) []byte {
	out = append(out, `,"index":`...)
	out = strconv.AppendInt(out, int64(e.Index), 10)
	out = append(out, `,"block_id":"`...)
	out = append(out, e.BlockID...)
	return append(out, '"')
}

func (d *Delta) append(out []byte) ([]byte, error) {
	out = append(out, `,"delta":{"type":"`...)
	out = append(out, d.Type...)
	out = append(out, `",`...)
	if d.Type == CitationDelta {
		out = append(out, `"citation":`...)
		raw, err := schema.Marshal(d.Citation)
		return append(append(out, raw...), '}'), err
	}
	switch d.Type {
	case TextDelta:
		out = append(out, `"text":`...)
	case ThinkingDelta:
		out = append(out, `"thinking":`...)
	case SignatureDelta:
		out = append(out, `"signature":`...)
	case InputDelta:
		out = append(out, `"partial_json":`...)
	}
	return append(AppendString(out, d.Text), '}'), nil
}

func (e *End) append(out []byte) ([]byte, error) {
	out = AppendString(append(out, `,"delta":{"stop_reason":`...), e.StopReason)
	out, err := appendStop(out, e.StopSequence, e.StopDetails, e.Container)
	return e.Usage.append(append(out, `},"usage":`...)), err
}
