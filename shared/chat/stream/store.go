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

// keep is the lifetime of a slot: an hour of replay after the end, plus the longest
// time that a message is in progress.
const keep = 75 * time.Minute

// Readers poll for slots of other processes every pollFirst, and while nothing is new
// back off to pollMost.
const (
	pollFirst = 400 * time.Millisecond
	pollMost  = 500 * time.Millisecond
)

// Store keeps logs as records, one per slot, written only if the slot's number
// is free. All methods are safe for concurrent use. A log's name is 1 to 300 of
// [A-Za-z0-9/_.#-]; a log without slots is the same as one that does not exist.
// Slots expire.
//
// Errors: fault.Unavailable when the record store is unreachable or closed.
type Store struct {
	records record.Store
	alone   bool

	mu       sync.Mutex
	watchers map[string]map[chan struct{}]bool // by log
}

// NewStore keeps logs in records. alone says that only this process writes them:
// readers are then notified of each slot; else they poll.
func NewStore(records record.Store, alone bool) *Store {
	return &Store{records: records, alone: alone, watchers: map[string]map[chan struct{}]bool{}}
}

func partition(log string) string { return "stream/" + log }

// key sorts slots by number: the count of digits, then the digits.
func key(log string, number int) record.Key {
	digits := strconv.Itoa(number)
	return record.Key{Partition: partition(log), Sort: string(rune('a'+len(digits))) + digits}
}

// head is the first line of a stored slot; its events follow, one per line.
type head struct {
	Number int    `json:"n"`
	Kind   Kind   `json:"k"`
	At     int64  `json:"t"` // milliseconds
	Owner  string `json:"o,omitempty"`
	Last   int64  `json:"l"`
	Joins  bool   `json:"j,omitempty"`
	Piece  bool   `json:"p,omitempty"` // the next line is a piece
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

// Append puts a slot under its number. If the number is taken by another slot, it is
// fault.Conflict; if by the same slot (same Token, an earlier attempt), it succeeds.
// After any other error the slot may or may not have been put.
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
		default: // already notified
		}
	}
	return nil
}

// Read yields the stored slots with numbers from from on, in order. It ends after its
// first error.
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

// Watch subscribes to a log. wait returns once a slot may have been put since
// Watch or the last wait; if ctx ends first, it returns its error. idle is the
// number of consecutive reads that found nothing, by which polling backs off.
// stop unsubscribes.
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

// Erase removes all slots of an ended log except the end, which stays until it
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
