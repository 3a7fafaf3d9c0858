package message

import (
	"encoding/json"
	"iter"
	"strings"
)

// Fold collects the events of an answer into the Message that a client gets
// without streaming. It stops at the first error.
func Fold(events iter.Seq2[Event, error]) (*Message, error) {
	f := folder{}
	for e, err := range events {
		if err != nil {
			return nil, err
		}
		f.add(&e)
	}
	return f.message, nil
}

type folder struct {
	message *Message
	open    Block
	text    strings.Builder // of the open block
}

func (f *folder) add(e *Event) {
	switch e.Type {
	case MessageStart:
		m := *e.Message
		f.message = &m
	case BlockStart:
		f.open = e.Block
		f.text.Reset()
	case BlockDelta:
		f.delta(&e.Delta)
	case BlockStop:
		f.close(e)
	case MessageDelta:
		f.message.StopReason = &e.End.StopReason
		f.message.StopSequence = e.End.StopSequence
		f.message.StopDetails = e.End.StopDetails
		f.message.Container = e.End.Container
		f.message.Usage = e.End.Usage
	}
}

func (f *folder) delta(d *Delta) {
	switch d.Type {
	case CitationDelta:
		if t, ok := f.open.(*Text); ok {
			t.Citations = append(t.Citations, *d.Citation)
		}
	case SignatureDelta:
		if t, ok := f.open.(*Thinking); ok {
			t.Signature = d.Text
		}
	default:
		f.text.WriteString(d.Text)
	}
}

func (f *folder) close(e *Event) {
	switch b := f.open.(type) {
	case *Text:
		b.Text += f.text.String()
	case *Thinking:
		b.Thinking += f.text.String()
	case *ToolUse:
		b.Input = folded(b.Input, f.text.String())
	case *ServerToolUse:
		b.Input = folded(b.Input, f.text.String())
	case *MCPToolUse:
		b.Input = folded(b.Input, f.text.String())
	}
	stop := e.Time
	f.open.base().StopTimestamp = &stop
	f.message.Content = append(f.message.Content, f.open)
	f.open = nil
}

func folded(initial Object, text string) Object {
	if text == "" {
		return initial
	}
	return Object(json.RawMessage(text))
}
