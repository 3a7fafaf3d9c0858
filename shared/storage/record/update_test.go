package record_test

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
)

// TestUpdate: changes made side by side are all made, one after the other.
func TestUpdate(t *testing.T) {
	s, err := boltrecord.Open(filepath.Join(t.TempDir(), "records.db"), boltrecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	key := record.Key{Partition: "p", Sort: "s"}
	add := func(ctx context.Context) error {
		return record.Update(ctx, s, key, func(old record.Item, found bool) (record.Item, record.Action, error) {
			n, _ := strconv.Atoi(string(old.Value))
			if found != (n > 0) {
				t.Errorf("found is %v of the value %q", found, old.Value)
			}
			return record.Item{Value: []byte(strconv.Itoa(n + 1))}, record.Write, nil
		})
	}
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := add(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if it, err := s.Find(t.Context(), key); err != nil || string(it.Value) != "20" {
		t.Errorf("after 20 changes: %q, %v", it.Value, err)
	}
	broken := errors.New("no")
	for action, want := range map[record.Action]error{record.Leave: nil, record.Write: broken, record.Remove: nil} {
		err := record.Update(t.Context(), s, key, func(record.Item, bool) (record.Item, record.Action, error) { return record.Item{}, action, want })
		if !errors.Is(err, want) {
			t.Errorf("action %d: %v, want %v", action, err, want)
		}
		if _, err := s.Find(t.Context(), key); action == record.Remove && !fault.Is(err, fault.NotFound) {
			t.Errorf("after Remove: %v", err)
		}
	}
}

// TestUpdateGivesUp: a store in which somebody always was faster is a Conflict.
func TestUpdateGivesUp(t *testing.T) {
	tries := 0
	err := record.Update(t.Context(), busy{}, record.Key{Partition: "p", Sort: "s"}, func(record.Item, bool) (record.Item, record.Action, error) {
		tries++
		return record.Item{}, record.Write, nil
	})
	if !fault.Is(err, fault.Conflict) || tries != 50 {
		t.Errorf("Update = %v after %d tries, want Conflict after 50", err, tries)
	}
}

type busy struct{ record.Store }

func (busy) Find(context.Context, record.Key) (record.Item, error) {
	return record.Item{}, fault.New(fault.NotFound, "none")
}

func (busy) Put(context.Context, record.Item, record.Condition) error {
	return fault.New(fault.Conflict, "somebody was faster")
}
