package chat

import (
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/message"
	"lectern/shared/message/passage"
)

// streamer turns one model call into events of the answer.
type streamer struct {
	*answer
	turn  turn
	stop  stopper
	citer *citer
	open  message.Block // of the model's stream
	said  strings.Builder
	input strings.Builder
	now   model.Event // at hand; kept here so that not every event is allocated
	done  bool        // nothing more is wanted of this call
}

func (s *streamer) event(ev *model.Event) {
	switch ev.Kind {
	case model.Start:
		s.start(ev)
	case model.Delta:
		s.delta(&ev.Delta)
	case model.End:
		s.end()
	case model.Stop:
		s.endText()
		s.turn.reason = ev.Reason
		if met := ev.Sequence; met != "" {
			s.turn.sequence = &met
		}
		if ev.Usage.InputTokens == 0 {
			ev.Usage.InputTokens = s.inputTokens
		}
		s.usage.Add(ev.Usage)
		s.done = true
	}
}

func (s *streamer) start(ev *model.Event) {
	if ev.Usage.InputTokens > 0 {
		s.inputTokens = ev.Usage.InputTokens
	}
	s.open = ev.Block
	switch b := ev.Block.(type) {
	case *message.Text:
		s.said.Reset()
		if b.Text != "" {
			s.text(b.Text)
		}
	case *message.Thinking:
		s.said.Reset()
		s.out.begin(&message.Thinking{})
		if b.Thinking != "" {
			s.said.WriteString(b.Thinking)
			s.out.delta(message.Delta{Type: message.ThinkingDelta, Text: b.Thinking})
		}
	case *message.RedactedThinking:
		s.out.whole(&message.RedactedThinking{Data: b.Data})
		s.turn.content = append(s.turn.content, b)
	case *message.ToolUse:
		s.endText()
		s.input.Reset()
		s.out.begin(s.shownCall(b))
		if len(b.Input) > 0 && string(b.Input) != "{}" {
			s.input.Write(b.Input)
			s.out.delta(message.Delta{Type: message.InputDelta, Text: string(b.Input)})
		}
	}
}

// shownCall is the block by which the client sees a call: its own tool's, or
// one of the service's.
func (s *streamer) shownCall(b *message.ToolUse) message.Block {
	if d := s.find(b.Name); d == nil || d.function != nil {
		c := &call{name: b.Name, tool: d}
		s.turn.serverCalls = append(s.turn.serverCalls, c)
		if server := c.server(); server != "" {
			c.id = s.IDs.Fresh("mcptoolu_")
			return &message.MCPToolUse{ID: c.id, Name: b.Name, ServerName: server}
		}
		c.id = s.IDs.Fresh("srvtoolu_")
		return &message.ServerToolUse{ID: c.id, Name: b.Name}
	}
	id := b.ID
	if id == "" {
		id = s.IDs.Fresh("toolu_")
	}
	call := &message.ToolUse{ID: id, Name: b.Name}
	s.turn.clientCalls = append(s.turn.clientCalls, call)
	return call
}

func (s *streamer) delta(d *message.Delta) {
	switch d.Type {
	case message.TextDelta:
		s.text(d.Text)
	case message.ThinkingDelta:
		s.said.WriteString(d.Text)
		s.out.delta(*d)
	case message.SignatureDelta:
		if t, ok := s.open.(*message.Thinking); ok {
			t.Signature = d.Text
		}
	case message.CitationDelta: // the provider's own
		if _, ok := s.out.open.(*message.Text); ok && s.cite {
			s.out.delta(*d)
		}
	case message.InputDelta:
		s.input.WriteString(d.Text)
		s.out.delta(*d)
	}
}

// text takes text as the model wrote it.
func (s *streamer) text(raw string) {
	s.said.WriteString(raw)
	shown := s.stop.feed(raw)
	if s.answer.turn.Format != nil {
		s.turn.text += shown
	} else if s.citer != nil {
		s.citer.feed(shown)
	} else {
		s.visible(shown)
	}
	if s.stop.met != "" {
		s.endText()
		met := s.stop.met
		s.turn.reason, s.turn.sequence = message.StopSequence, &met
		s.usage.Add(message.Usage{InputTokens: s.inputTokens, OutputTokens: estimate(s.said.String())})
		s.done = true
	}
}

func (s *streamer) visible(text string) { s.out.text(text) }

// cited sends the citations of a sentence and closes its block, so that each
// block shows what its citations support.
func (s *streamer) cited(sentence string, list []passage.Passage) {
	if _, ok := s.out.open.(*message.Text); !ok {
		return
	}
	for i := range list {
		from, to := support(&list[i], sentence)
		c := list[i].Cite(from, to)
		index := s.citations
		c.Index = &index
		s.citations++
		s.out.delta(message.Delta{Type: message.CitationDelta, Citation: &c})
	}
	s.out.close()
}

// endText settles what stopper and citer hold back.
func (s *streamer) endText() {
	if held := s.stop.flush(); held != "" {
		if s.answer.turn.Format != nil {
			s.turn.text += held
		} else if s.citer != nil {
			s.citer.feed(held)
		} else {
			s.visible(held)
		}
	}
	if s.citer != nil {
		s.citer.flush()
	}
	if _, ok := s.open.(*message.Text); ok {
		if s.said.Len() > 0 {
			s.turn.content = append(s.turn.content, message.NewText(s.said.String()))
		}
		s.said.Reset()
		s.open = nil
		s.out.close()
	}
}

// end closes the model's block.
func (s *streamer) end() {
	switch b := s.open.(type) {
	case *message.Text:
		s.endText()
	case *message.Thinking:
		s.out.delta(message.Delta{Type: message.SignatureDelta, Text: b.Signature})
		s.out.close()
		s.turn.content = append(s.turn.content, &message.Thinking{Thinking: s.said.String(), Signature: b.Signature})
	case *message.ToolUse:
		s.endCall()
	}
	s.open = nil
}

func (s *streamer) endCall() {
	input := message.Object(s.input.String())
	switch b := s.out.open.(type) {
	case *message.ServerToolUse, *message.MCPToolUse:
		c := s.turn.serverCalls[len(s.turn.serverCalls)-1]
		c.input = input
		s.turn.content = append(s.turn.content, &message.ToolUse{ID: c.id, Name: c.name, Input: input})
	case *message.ToolUse:
		s.turn.content = append(s.turn.content, &message.ToolUse{ID: b.ID, Name: b.Name, Input: input})
	default:
		return
	}
	s.out.close()
}

// stopper watches a text for stop sequences, across deltas. It holds back
// only what may still become one.
type stopper struct {
	sequences []string
	held      string
	met       string // the sequence that was found; nothing follows it
}

// feed returns what of the text so far may be shown.
func (s *stopper) feed(delta string) string {
	if len(s.sequences) == 0 || s.met != "" {
		if s.met != "" {
			return ""
		}
		return delta
	}
	text := s.held + delta
	at := -1
	for _, q := range s.sequences {
		if i := strings.Index(text, q); i >= 0 && (at < 0 || i < at || i == at && len(q) > len(s.met)) {
			at, s.met = i, q
		}
	}
	if at >= 0 {
		s.held = ""
		return text[:at]
	}
	keep := s.prefixLen(text)
	s.held = text[len(text)-keep:]
	return text[:len(text)-keep]
}

// prefixLen is the length of the longest end of text that begins a sequence.
func (s *stopper) prefixLen(text string) int {
	longest := 0
	for _, q := range s.sequences {
		for n := min(len(q)-1, len(text)); n > longest; n-- {
			if text[len(text)-n:] == q[:n] {
				longest = n
				break
			}
		}
	}
	return longest
}

// flush returns what was held back, at the end of the text.
func (s *stopper) flush() string {
	held := s.held
	s.held = ""
	return held
}
