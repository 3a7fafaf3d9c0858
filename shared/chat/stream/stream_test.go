package stream_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/chat/stream"
	"lectern/shared/message"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/storage/record/recordmeter"
)

func records(t *testing.T) record.Store {
	t.Helper()
	s, err := boltrecord.Open(filepath.Join(t.TempDir(), "records.db"), boltrecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestWoken(t *testing.T) {
	run(t, func(t *testing.T) *stream.Store { return stream.NewStore(records(t), true) })
}

func TestPolled(t *testing.T) {
	run(t, func(t *testing.T) *stream.Store { return stream.NewStore(records(t), false) })
}

// lossy loses the answers of puts that have arrived, and some puts.
type lossy struct {
	record.Store
	mu sync.Mutex
	n  int
}

func (l *lossy) Put(ctx context.Context, it record.Item, cond record.Condition) error {
	l.mu.Lock()
	l.n++
	n := l.n
	l.mu.Unlock()
	if n%3 == 0 {
		return errors.New("the request was lost")
	}
	if err := l.Store.Put(ctx, it, cond); err != nil || n%3 == 1 {
		return err
	}
	return errors.New("the answer was lost")
}

func TestLostAnswers(t *testing.T) {
	run(t, func(t *testing.T) *stream.Store { return stream.NewStore(&lossy{Store: records(t)}, true) })
}

func TestSlotsExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := stream.NewStore(records(t), true)
		if _, err := stream.Finish(t.Context(), s, "log", options(), stream.Ending{Status: stream.Failed}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(75*time.Minute + time.Second)
		if st, err := stream.StateOf(t.Context(), s, "log"); err != nil || st.Status != stream.Pending {
			t.Errorf("StateOf after 75 minutes = %+v, %v, want an empty log", st, err)
		}
	})
}

// TestUnits: the log of a chat of 5 s and 300 tokens with one reader keeps to
// the budget of an async chat, which leaves 4 write and 3 read units for what
// surrounds it, and the reader's worst delay stays below 800 ms.
func TestUnits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := recordmeter.New(records(t))
		writing := stream.NewStore(m, true)
		reading := stream.NewStore(m, false)
		o := options()
		o.PackDelay = 300 * time.Millisecond
		log := "0192f5e4-7b3a-7cc0-8000-0123456789ab/01JD0000000000000000000000"
		done := make(chan time.Duration)
		go func() {
			var worst time.Duration
			for e, err := range stream.Follow(t.Context(), reading, log, 0, 15*time.Second) {
				if err != nil {
					t.Error(err)
				}
				if e.N > 0 {
					worst = max(worst, time.Since(oldest(e)))
				}
			}
			done <- worst
		}()
		w, err := stream.Take(t.Context(), writing, log, stream.State{}, "boot-owner", o, nil)
		if err != nil {
			t.Fatal(err)
		}
		add := func(e message.Event) {
			if err := w.Add(t.Context(), &e); err != nil {
				t.Fatal(err)
			}
		}
		add(message.Event{Type: message.MessageStart, Message: &message.Message{ID: "msg_0123456789abcdef01234567", Type: "message", Role: "assistant",
			Model: "model"}, More: true})
		add(message.Event{Type: message.BlockStart, BlockID: "block_0123456789abcdef01234567", Block: &message.Text{}, More: true})
		for range 300 {
			add(message.Event{Type: message.BlockDelta, BlockID: "block_0123456789abcdef01234567",
				Delta: message.Delta{Type: message.TextDelta, Text: time.Now().Format(stampForm) + "\n"}})
			time.Sleep(5 * time.Second / 300)
		}
		add(message.Event{Type: message.BlockStop, BlockID: "block_0123456789abcdef01234567", More: true})
		add(message.Event{Type: message.MessageDelta, End: &message.End{StopReason: "end_turn"}, More: true})
		add(message.Event{Type: message.MessageStop, More: true})
		if err := w.End(t.Context(), stream.Completed, ""); err != nil {
			t.Fatal(err)
		}
		if worst := <-done; worst > 800*time.Millisecond {
			t.Errorf("an event reached its reader after %s, want 800 ms at most", worst)
		}
		writes, reads := m.Units()
		t.Logf("%d write and %d read units", writes, reads)
		if writes > 20 || reads > 17 {
			t.Errorf("%d write and %d read units, want 20 and 17 at most", writes, reads)
		}
	})
}

// stampForm is the time of a token, as long as most tokens are.
const stampForm = ".000"

// oldest is when the first token of a delta was made, to the present second.
func oldest(e stream.Event) time.Time {
	const mark = `"text":"`
	for i := 0; i+len(mark)+4 <= len(e.Data); i++ {
		if string(e.Data[i:i+len(mark)]) != mark {
			continue
		}
		made, err := time.Parse(stampForm, string(e.Data[i+len(mark):i+len(mark)+4]))
		if err != nil {
			break
		}
		now := time.Now()
		at := now.Truncate(time.Second).Add(time.Duration(made.Nanosecond()))
		if at.After(now) {
			at = at.Add(-time.Second)
		}
		return at
	}
	return time.Now()
}
