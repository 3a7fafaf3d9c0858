package chat

import (
	"time"

	"lectern/shared/ident"
	"lectern/shared/message"
)

// emitter numbers and timestamps the blocks of an answer and passes its events on.
// After the receiver stops, it discards events.
type emitter struct {
	yield   func(message.Event, error) bool
	ids     ident.Source
	now     func() time.Time
	start   func() message.Event // makes message_start; nil after it was sent
	stopped bool                 // the receiver has stopped
	first   time.Time            // when the first block was begun
	refused bool                 // nothing relevant was found, or the model declined
	failed  bool
	index   int // of the next block
	open    message.Block
	openID  string
	meta    map[string]any // of the text blocks that the model's text at hand is split into
	held    message.Event  // delayed by one: the next event decides its More
	holds   bool

	cited map[string]int // index of each cited source, by the id of its passage
	next  int            // index of the next source
}

func (m *emitter) send(e message.Event) {
	if start := m.start; start != nil {
		m.start = nil
		m.send(start())
	}
	m.pass(true)
	m.held, m.holds = e, true
}

// announce sends message_start unless it was sent, because the next event may
// take a while and pings only start after the first event.
func (m *emitter) announce() {
	if start := m.start; start != nil {
		m.start = nil
		m.send(start())
		m.flush()
	}
}

// pass sends the held event; more says that another follows immediately.
func (m *emitter) pass(more bool) {
	if m.holds && !m.stopped {
		m.held.More = more
		m.stopped = !m.yield(m.held, nil)
	}
	m.holds = false
}

// flush sends the held event now, because the next one may take a while.
func (m *emitter) flush() { m.pass(false) }

// fail ends the answer with an error.
func (m *emitter) fail(err error) {
	m.flush()
	if !m.stopped {
		m.stopped, m.failed = true, true
		m.yield(message.Event{}, err)
	}
}

// begin opens a block, closing the one before it.
func (m *emitter) begin(b message.Block) {
	m.close()
	now := m.now().UTC()
	message.Times(b).StartTimestamp = &now
	if m.first.IsZero() {
		m.first = now
	}
	m.open, m.openID = b, m.ids.Fresh("block_")
	m.send(message.Event{Type: message.BlockStart, Index: m.index, BlockID: m.openID, Time: now, Block: b})
}

func (m *emitter) delta(d message.Delta) {
	m.send(message.Event{Type: message.BlockDelta, Index: m.index, BlockID: m.openID, Delta: d})
}

// cite adds a citation to the open text block. Sources are counted by their first
// use.
func (m *emitter) cite(c message.Citation) {
	index, known := m.cited[c.ID]
	if !known {
		index = m.next
		m.next++
		m.cited[c.ID] = index
	}
	c.Index = &index
	m.delta(message.Delta{Type: message.CitationDelta, Citation: &c})
}

// close ends the open block, if there is one.
func (m *emitter) close() {
	if m.open == nil {
		return
	}
	m.send(message.Event{Type: message.BlockStop, Index: m.index, BlockID: m.openID, Time: m.now()})
	m.open = nil
	m.index++
}

// whole sends a complete block.
func (m *emitter) whole(b message.Block) {
	m.begin(b)
	m.close()
}

// call sends a call with its arguments.
func (m *emitter) call(b message.Block, input message.Object) {
	m.begin(b)
	if string(input) != "{}" {
		m.delta(message.Delta{Type: message.InputDelta, Text: string(input)})
	}
	m.close()
}

// text adds to the open text block, or opens one.
func (m *emitter) text(s string) {
	if s == "" {
		return
	}
	if _, ok := m.open.(*message.Text); !ok {
		m.begin(&message.Text{Base: message.Base{Meta: m.meta}})
	}
	m.delta(message.Delta{Type: message.TextDelta, Text: s})
}

func (m *emitter) end(e message.End) {
	m.close()
	m.send(message.Event{Type: message.MessageDelta, End: &e})
	m.send(message.Event{Type: message.MessageStop})
	m.flush()
}
