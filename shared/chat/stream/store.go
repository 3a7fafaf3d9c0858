package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"sync"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

// keep is how long a slot is kept after it was put: the hour for which a
// finished message can be replayed, and the longest that it is under way.
const keep = 75 * time.Minute

// How often a reader looks for slots of other processes: first every pollFirst,
// and while there is nothing new down to every pollMost.
const (
	pollFirst = 400 * time.Millisecond
	pollMost  = 500 * time.Millisecond
)

// Store keeps logs as records, one for each slot, under the condition that its
// number is free. All methods are safe for concurrent use. A log's name is 1 to
// 300 of [A-Za-z0-9/_.#-]; a log that nobody has written to is empty, and is not
// different from one that does not exist. Slots expire.
//
// Errors: fault.Unavailable when the record store cannot be reached or is
// closed.
type Store struct {
	records record.Store
	alone   bool

	mu       sync.Mutex
	watchers map[string]map[chan struct{}]bool // by log
}

// NewStore keeps logs in records. alone says that only this process writes
// them: readers are then woken by each slot that is put. Else they poll.
func NewStore(records record.Store, alone bool) *Store {
	return &Store{records: records, alone: alone, watchers: map[string]map[chan struct{}]bool{}}
}

func partition(log string) string { return "stream/" + log }

// key orders slots by their numbers: their count of digits, then the digits.
func key(log string, number int) record.Key {
	digits := strconv.Itoa(number)
	return record.Key{Partition: partition(log), Sort: string(rune('a'+len(digits))) + digits}
}

// head is the first line of a stored slot; its events follow, a line each.
type head struct {
	Number int    `json:"n"`
	Kind   Kind   `json:"k"`
	At     int64  `json:"t"` // milliseconds
	Owner  string `json:"o,omitempty"`
	Last   int64  `json:"l"`
	Joins  bool   `json:"j,omitempty"`
	Piece  bool   `json:"p,omitempty"` // the line that follows is one
	Status Status `json:"s,omitempty"`
	Reason string `json:"r,omitempty"`
}

func encode(s Slot) ([]byte, error) {
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

func decode(it record.Item) (Slot, error) {
	first, rest, _ := bytes.Cut(it.Value, []byte{'\n'})
	var h head
	if err := json.Unmarshal(first, &h); err != nil {
		return Slot{}, fmt.Errorf("slot %s of %s: %w", it.Sort, it.Partition, err)
	}
	s := Slot{Number: h.Number, Kind: h.Kind, Token: it.Version, At: time.UnixMilli(h.At).UTC(), Owner: h.Owner, Last: h.Last,
		Joins: h.Joins, Status: h.Status, Reason: h.Reason}
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
		s.Events = append(s.Events, Event{N: h.Last - int64(len(lines)-1-i), Type: string(name), Data: data[:len(data):len(data)]})
	}
	return s, nil
}

// Append puts a slot under its number. When another slot is there it is
// fault.Conflict; when this very slot is there, by its token, it is success: an
// earlier try had arrived. Any other error leaves it open whether the slot was
// put.
func (s *Store) Append(ctx context.Context, log string, slot Slot) error {
	value, err := encode(slot)
	if err != nil {
		return err
	}
	item := record.Item{Key: key(log, slot.Number), Value: value, Version: slot.Token, Expires: slot.At.Add(keep)}
	if err := s.records.Put(ctx, item, record.Absent()); err != nil {
		return err
	}
	if !s.alone {
		return nil
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

// Read yields the slots with numbers of at least from that are stored, in
// order. It ends after its first error.
func (s *Store) Read(ctx context.Context, log string, from int) iter.Seq2[Slot, error] {
	return func(yield func(Slot, error) bool) {
		r := record.Range{Partition: partition(log)}
		if from > 0 {
			r.After = key(log, from-1).Sort
		}
		for item, err := range record.All(ctx, s.records, r) {
			var slot Slot
			if err == nil {
				slot, err = decode(item)
			}
			if !yield(slot, err) || err != nil {
				return
			}
		}
	}
}

// Tail returns the last slot; false when the log is empty.
func (s *Store) Tail(ctx context.Context, log string) (Slot, bool, error) {
	for item, err := range record.All(ctx, s.records, record.Range{Partition: partition(log), Reverse: true, Limit: 1}) {
		if err != nil {
			return Slot{}, false, err
		}
		slot, err := decode(item)
		return slot, err == nil, err
	}
	return Slot{}, false, nil
}

// Watch begins to watch a log. wait returns once a slot may have been put since
// Watch or since the last wait, or ctx has ended, which is its error; idle is
// how many reads in a row found nothing: a store that polls does so less and
// less often. stop ends the watch.
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
		if !s.alone {
			poll = time.After(min(pollMost, pollFirst+pollFirst*time.Duration(max(idle-1, 0))/4))
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

// Erase removes all slots of an ended log but the end, which stays until it
// expires, so that a late writer still finds its number taken.
func (s *Store) Erase(ctx context.Context, log string) error {
	last, ok, err := s.Tail(ctx, log)
	if err != nil || !ok {
		return err
	}
	if last.Kind != End {
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
