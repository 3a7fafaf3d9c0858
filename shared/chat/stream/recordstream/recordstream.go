// Package recordstream keeps logs as records, one for each slot, under the
// condition that its number is free: the driver for the embedded store and for
// DynamoDB alike.
//
// A reader of the same process is woken by each slot that is put here. Where
// other processes write too, Options.Poll makes it look by itself.
package recordstream

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"sync"
	"time"

	"lectern/shared/chat/stream"
	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

// Options are the store's settings.
type Options struct {
	// Keep is how long a slot is kept after it was put; 75 minutes when 0:
	// the hour for which a finished message can be replayed, and the longest
	// that it is under way.
	Keep time.Duration
	// Poll is the pause of a reader between two looks, which grows to
	// PollMax while there is nothing new. 0: only this process writes.
	Poll, PollMax time.Duration
}

// Store implements stream.Store. Close leaves the record store open.
type Store struct {
	records record.Store
	o       Options

	mu       sync.Mutex
	watchers map[string]map[chan struct{}]bool // by log
}

// New makes a store on records.
func New(records record.Store, o Options) *Store {
	if o.Keep == 0 {
		o.Keep = 75 * time.Minute
	}
	o.PollMax = max(o.PollMax, o.Poll)
	return &Store{records: records, o: o, watchers: map[string]map[chan struct{}]bool{}}
}

// Close implements stream.Store.
func (s *Store) Close() error { return nil }

func partition(log string) string { return "stream/" + log }

// key orders slots by their numbers: their count of digits, then the digits.
func key(log string, number int) record.Key {
	digits := strconv.Itoa(number)
	return record.Key{Partition: partition(log), Sort: string(rune('a'+len(digits))) + digits}
}

// head is the first line of a stored slot; its events follow, a line each.
type head struct {
	Number int           `json:"n"`
	Kind   stream.Kind   `json:"k"`
	At     int64         `json:"t"` // milliseconds
	Owner  string        `json:"o,omitempty"`
	Last   int64         `json:"l"`
	Joins  bool          `json:"j,omitempty"`
	Piece  bool          `json:"p,omitempty"` // the line that follows is one
	Status stream.Status `json:"s,omitempty"`
	Reason string        `json:"r,omitempty"`
}

func encode(s stream.Slot) ([]byte, error) {
	out, err := json.Marshal(head{s.Number, s.Kind, s.At.UnixMilli(), s.Owner, s.Last, s.Joins, len(s.Piece) > 0, s.Status, s.Reason})
	if err != nil {
		return nil, fmt.Errorf("encode slot: %w", err)
	}
	if len(s.Piece) > 0 {
		return append(append(out, '\n'), s.Piece...), nil
	}
	for _, e := range s.Events {
		out = append(append(append(append(out, '\n'), e.Type...), ' '), e.Data...)
	}
	return out, nil
}

func decode(it record.Item) (stream.Slot, error) {
	first, rest, _ := bytes.Cut(it.Value, []byte{'\n'})
	var h head
	if err := json.Unmarshal(first, &h); err != nil {
		return stream.Slot{}, fmt.Errorf("slot %s of %s: %w", it.Sort, it.Partition, err)
	}
	s := stream.Slot{Number: h.Number, Kind: h.Kind, Token: it.Version, At: time.UnixMilli(h.At).UTC(), Owner: h.Owner, Last: h.Last, Joins: h.Joins, Status: h.Status, Reason: h.Reason}
	if h.Piece {
		s.Piece = rest
		return s, nil
	}
	if len(rest) == 0 {
		return s, nil
	}
	lines := bytes.Split(rest, []byte{'\n'})
	for i, line := range lines {
		name, data, _ := bytes.Cut(line, []byte{' '})
		s.Events = append(s.Events, stream.Event{N: h.Last - int64(len(lines)-1-i), Type: string(name), Data: data[:len(data):len(data)]})
	}
	return s, nil
}

// Append implements stream.Store.
func (s *Store) Append(ctx context.Context, log string, slot stream.Slot) error {
	value, err := encode(slot)
	if err != nil {
		return err
	}
	item := record.Item{Key: key(log, slot.Number), Value: value, Version: slot.Token, Expires: slot.At.Add(s.o.Keep)}
	if err := s.records.Put(ctx, item, record.Absent()); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.watchers[log] {
		select {
		case c <- struct{}{}:
		default: // it has not looked since it was woken last
		}
	}
	return nil
}

// Read implements stream.Store.
func (s *Store) Read(ctx context.Context, log string, from int) iter.Seq2[stream.Slot, error] {
	return func(yield func(stream.Slot, error) bool) {
		r := record.Range{Partition: partition(log)}
		if from > 0 {
			r.After = key(log, from-1).Sort
		}
		for item, err := range record.All(ctx, s.records, r) {
			var slot stream.Slot
			if err == nil {
				slot, err = decode(item)
			}
			if !yield(slot, err) || err != nil {
				return
			}
		}
	}
}

// Tail implements stream.Store.
func (s *Store) Tail(ctx context.Context, log string) (stream.Slot, bool, error) {
	for item, err := range record.All(ctx, s.records, record.Range{Partition: partition(log), Reverse: true, Limit: 1}) {
		if err != nil {
			return stream.Slot{}, false, err
		}
		slot, err := decode(item)
		return slot, err == nil, err
	}
	return stream.Slot{}, false, nil
}

// Watch implements stream.Store.
func (s *Store) Watch(log string) (wait func(context.Context, int) error, stop func()) {
	c := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watchers[log] == nil {
		s.watchers[log] = map[chan struct{}]bool{}
	}
	s.watchers[log][c] = true
	wait = func(ctx context.Context, idle int) error {
		var poll <-chan time.Time
		if s.o.Poll > 0 {
			poll = time.After(min(s.o.PollMax, s.o.Poll+s.o.Poll*time.Duration(max(idle-1, 0))/4))
		}
		select {
		case <-c:
		case <-poll:
		case <-ctx.Done():
			return ctx.Err()
		}
		return nil
	}
	return wait, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers[log], c)
		if len(s.watchers[log]) == 0 {
			delete(s.watchers, log)
		}
	}
}

// Erase implements stream.Store.
func (s *Store) Erase(ctx context.Context, log string) error {
	last, ok, err := s.Tail(ctx, log)
	if err != nil || !ok {
		return err
	}
	if last.Kind != stream.End {
		return fault.New(fault.Conflict, "a log that has not ended cannot be erased")
	}
	r := record.Range{Partition: partition(log), Before: key(log, last.Number).Sort}
	for item, err := range record.All(ctx, s.records, r) {
		if err != nil {
			return err
		}
		if err := s.records.Delete(ctx, item.Key, record.Any()); err != nil {
			return err
		}
	}
	return nil
}
