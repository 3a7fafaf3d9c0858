package stream_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/stream"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/message"
)

// run holds a store to its contract. open returns an empty store; it is called
// in a synctest bubble.
func run(t *testing.T, open func(t *testing.T) *stream.Store) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, *stream.Store)
	}{
		{"SlotsAreKept", slotsAreKept}, {"OneWinner", oneWinner}, {"ManySlots", manySlots}, {"Erase", erase},
		{"Followers", followers}, {"ReplayFromAnywhere", replay}, {"Tick", tick}, {"Finish", finish}, {"FinishAgainstAWriter", finishAgainstWriter},
		{"LargeEvents", largeEvents},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := open(t)
				c.run(t, s)
			})
		})
	}
}

// put appends again after an error that leaves it open whether the slot arrived,
// as Writer and Finish do.
func put(ctx context.Context, s *stream.Store, log string, slot stream.Slot) error {
	for {
		err := s.Append(ctx, log, slot)
		if err == nil || fault.As(err) != nil {
			return err
		}
	}
}

// options are settings for Writers in tests.
func options() stream.Options { return stream.Options{IDs: ids, Now: time.Now} }

var ids = ident.Random{Now: time.Now}

func slot(n int, kind stream.Kind, token string, events ...stream.Event) stream.Slot {
	s := stream.Slot{Number: n, Kind: kind, Token: token, At: time.Now().UTC().Truncate(time.Millisecond), Owner: "w", Events: events}
	if len(events) > 0 {
		s.Last = events[len(events)-1].N
	}
	return s
}

func slotsAreKept(t *testing.T, s *stream.Store) {
	if _, ok, err := s.Tail(t.Context(), "log"); ok || err != nil {
		t.Errorf("Tail of an empty log = %v, %v", ok, err)
	}
	want := []stream.Slot{
		slot(0, stream.Claim, "t0"),
		slot(1, stream.Pack, "t1", stream.Event{N: 1, Type: "a", Data: []byte(`{"x":"é ü\n"}`)}, stream.Event{N: 2, Type: "b", Data: []byte(`{}`)}),
		slot(2, stream.End, "t2", stream.Event{N: 3, Type: "c", Data: []byte(`{}`)}),
	}
	want[2].Status, want[2].Reason = stream.Errored, "it broke"
	for _, sl := range want {
		if err := put(t.Context(), s, "log", sl); err != nil {
			t.Fatal(err)
		}
	}
	if err := put(t.Context(), s, "other", slot(0, stream.Claim, "x")); err != nil {
		t.Fatal(err)
	}
	var got []stream.Slot
	for sl, err := range s.Read(t.Context(), "log", 0) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, sl)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Read (-want +got):\n%s", diff)
	}
	st, err := stream.StateOf(t.Context(), s, "log")
	if err != nil || st.Status != stream.Errored || st.Reason != "it broke" || st.Next != 3 || st.Last != 3 || st.Owner != "w" {
		t.Errorf("StateOf = %+v, %v", st, err)
	}
	if err := put(t.Context(), s, "log", want[1]); err != nil {
		t.Errorf("the same Append again = %v, want success", err)
	}
	if err := put(t.Context(), s, "log", slot(1, stream.Pack, "else")); !fault.Is(err, fault.Conflict) {
		t.Errorf("Append to a taken number = %v, want Conflict", err)
	}
}

func oneWinner(t *testing.T, s *stream.Store) {
	var mu sync.Mutex
	won := 0
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			err := put(t.Context(), s, "log", slot(0, stream.Claim, fmt.Sprint("token", i)))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if !fault.Is(err, fault.Conflict) {
				t.Errorf("Append = %v", err)
			}
		})
	}
	group.Wait()
	if won != 1 {
		t.Errorf("%d claims won, want 1", won)
	}
}

func manySlots(t *testing.T, s *stream.Store) {
	for n := range 1200 {
		if err := put(t.Context(), s, "log", slot(n, stream.Beat, fmt.Sprint(n))); err != nil {
			t.Fatal(err)
		}
	}
	n := 995
	for sl, err := range s.Read(t.Context(), "log", n) {
		if err != nil || sl.Number != n {
			t.Fatalf("slot %d, %v, want %d", sl.Number, err, n)
		}
		n++
	}
	last, ok, err := s.Tail(t.Context(), "log")
	if n != 1200 || !ok || err != nil || last.Number != 1199 {
		t.Errorf("read to %d; Tail = %d, %v, %v", n, last.Number, ok, err)
	}
}

func erase(t *testing.T, s *stream.Store) {
	w := take(t, s, "log", nil)
	add(t, w, text("hello"))
	if err := s.Erase(t.Context(), "log"); !fault.Is(err, fault.Conflict) {
		t.Errorf("Erase of a log that goes on = %v, want Conflict", err)
	}
	if err := w.End(t.Context(), stream.Completed, ""); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Erase(t.Context(), "log"); err != nil {
			t.Fatal(err)
		}
	}
	if err := put(t.Context(), s, "log", slot(2, stream.Pack, "late")); !fault.Is(err, fault.Conflict) {
		t.Errorf("a late Append = %v, want Conflict", err)
	}
	for _, err := range stream.Follow(t.Context(), s, "log", 0, time.Hour) {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("Follow of an erased log = %v, want NotFound", err)
		}
	}
	if err := s.Erase(t.Context(), "unknown"); err != nil {
		t.Errorf("Erase of an empty log = %v", err)
	}
}

func take(t *testing.T, s *stream.Store, log string, lost func(error)) *stream.Writer {
	t.Helper()
	st, err := stream.StateOf(t.Context(), s, log)
	if err != nil {
		t.Fatal(err)
	}
	w, err := stream.Take(t.Context(), s, log, st, "worker", options(), lost)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	return w
}

func text(s string) *message.Event {
	return &message.Event{Type: message.BlockDelta, BlockID: "b", Delta: message.Delta{Type: message.TextDelta, Text: s}}
}

func add(t *testing.T, w *stream.Writer, events ...*message.Event) {
	t.Helper()
	for _, e := range events {
		if err := w.Add(t.Context(), e); err != nil {
			t.Errorf("Add = %v", err)
		}
	}
}

// read follows a log to its end.
func read(ctx context.Context, s *stream.Store, log string, after int64) (string, error) {
	var out strings.Builder
	n := after
	for e, err := range stream.Follow(ctx, s, log, after, time.Hour) {
		if err != nil {
			return out.String(), err
		}
		if n++; e.N != n {
			return out.String(), fmt.Errorf("event %d, want %d", e.N, n)
		}
		fmt.Fprintf(&out, "%d %s %s\n", e.N, e.Type, e.Data)
	}
	return out.String(), nil
}

func followers(t *testing.T, s *stream.Store) {
	const readers = 50
	got := make([]string, readers)
	var group sync.WaitGroup
	for i := range readers {
		group.Go(func() {
			time.Sleep(time.Duration(i) * 20 * time.Millisecond)
			var err error
			if got[i], err = read(t.Context(), s, "log", 0); err != nil {
				t.Error(err)
			}
		})
	}
	w := take(t, s, "log", nil)
	add(t, w, &message.Event{Type: message.BlockStart, BlockID: "b", Block: &message.Text{}, More: true})
	for i := range 200 {
		add(t, w, text(fmt.Sprintf("word%d ", i)))
		time.Sleep(7 * time.Millisecond)
	}
	if err := w.End(t.Context(), stream.Completed, "", stream.Event{Type: "message_stop", Data: []byte(`{"type":"message_stop"}`)}); err != nil {
		t.Fatal(err)
	}
	group.Wait()
	for i := range got {
		if got[i] != got[0] {
			t.Errorf("reader %d saw\n%s, reader 0\n%s", i, got[i], got[0])
		}
	}
	if !strings.Contains(got[0], "word0 ") || !strings.Contains(got[0], "word199 ") || !strings.HasSuffix(got[0], "message_stop\"}\n") {
		t.Errorf("readers saw\n%s", got[0])
	}
	if n := strings.Count(got[0], "\n"); n > 30 {
		t.Errorf("200 words in 1.4 s became %d events; want them merged", n)
	}
}

func replay(t *testing.T, s *stream.Store) {
	w := take(t, s, "log", nil)
	for i := range 10 {
		add(t, w, text(fmt.Sprint(i)), &message.Event{Type: message.BlockStop, BlockID: "b"})
		time.Sleep(time.Second)
	}
	if err := w.End(t.Context(), stream.Completed, ""); err != nil {
		t.Fatal(err)
	}
	all, err := read(t.Context(), s, "log", 0)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(all, "\n")
	for after := range lines {
		got, err := read(t.Context(), s, "log", int64(after))
		if want := strings.Join(lines[min(after, len(lines)):], ""); err != nil || got != want {
			t.Errorf("after %d:\n%s%v, want\n%s", after, got, err, want)
		}
	}
}

func tick(t *testing.T, s *stream.Store) {
	w := take(t, s, "log", nil)
	go func() {
		time.Sleep(40 * time.Second)
		add(t, w, text("late"))
		w.End(t.Context(), stream.Completed, "")
	}()
	var got []int64
	for e, err := range stream.Follow(t.Context(), s, "log", 0, 15*time.Second) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.N)
	}
	if !slices.Equal(got, []int64{0, 0, 1}) {
		t.Errorf("a silence of 40 s gave %v, want two ticks, then the event", got)
	}
}

func finish(t *testing.T, s *stream.Store) {
	st, err := stream.Finish(t.Context(), s, "empty", options(), stream.Ending{Status: stream.Failed, Reason: "no worker"})
	if err != nil || st.Status != stream.Failed || st.Reason != "no worker" {
		t.Errorf("Finish = %+v, %v", st, err)
	}
	st, err = stream.Finish(t.Context(), s, "empty", options(), stream.Ending{Status: stream.Cancelled})
	if err != nil || st.Status != stream.Failed {
		t.Errorf("a second Finish = %+v, %v, want the first end", st, err)
	}
	if _, err := stream.Take(t.Context(), s, "empty", stream.State{}, "w", options(), nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("Take of a taken slot = %v, want Conflict", err)
	}
	st, err = stream.Finish(t.Context(), s, "spared", options(), stream.Ending{Status: stream.Failed, Unless: func(stream.State) bool { return true }})
	if err != nil || st.Status != stream.Pending {
		t.Errorf("Finish unless = %+v, %v, want it left alone", st, err)
	}
}

func finishAgainstWriter(t *testing.T, s *stream.Store) {
	var lost error
	w := take(t, s, "log", func(err error) { lost = err })
	seen := make(chan string)
	go func() {
		got, err := read(t.Context(), s, "log", 0)
		if err != nil {
			t.Error(err)
		}
		seen <- got
	}()
	add(t, w, text("one"))
	closing := func(stored []stream.Event) ([]stream.Event, error) {
		if len(stored) != 1 {
			t.Errorf("Closing got %d events, want 1", len(stored))
		}
		return []stream.Event{{Type: "message_stop", Data: []byte(`{}`)}}, nil
	}
	if st, err := stream.Finish(t.Context(), s, "log", options(), stream.Ending{Status: stream.Cancelled, Closing: closing}); err != nil || st.Last != 2 {
		t.Errorf("Finish = %+v, %v", st, err)
	}
	time.Sleep(time.Second)
	if err := w.Add(t.Context(), text("two")); !fault.Is(err, fault.Conflict) {
		t.Errorf("Add after the end = %v, want Conflict", err)
	}
	if !fault.Is(lost, fault.Conflict) {
		t.Errorf("the writer was told %v, want Conflict", lost)
	}
	if got := <-seen; strings.Count(got, "\n") != 2 {
		t.Errorf("a reader saw\n%s", got)
	}
}

func largeEvents(t *testing.T, s *stream.Store) {
	w := take(t, s, "log", nil)
	big := func(c string, n int) *message.Event {
		return &message.Event{Type: message.BlockStart, BlockID: "b", Block: &message.Text{Text: strings.Repeat(c, n)}, More: true}
	}
	sizes := []int{10, stream.MaxSlotBytes - 500, 700_000, 20, 1_000_000, 300_000}
	var want [][]byte
	for i, n := range sizes {
		e := big(string(rune('a'+i)), n)
		data, err := e.AppendData(nil)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, data)
		add(t, w, e)
	}
	if err := w.End(t.Context(), stream.Completed, ""); err != nil {
		t.Fatal(err)
	}
	i := 0
	for e, err := range stream.Follow(t.Context(), s, "log", 0, time.Hour) {
		if err != nil {
			t.Fatal(err)
		}
		if i >= len(want) || e.N != int64(i+1) || !bytes.Equal(e.Data, want[i]) {
			t.Fatalf("event %d has %d bytes, want those of event %d", e.N, len(e.Data), i+1)
		}
		i++
	}
	if i != len(want) {
		t.Errorf("%d events, want %d", i, len(want))
	}
}
