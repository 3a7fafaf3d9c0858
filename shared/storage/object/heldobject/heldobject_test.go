package heldobject_test

import (
	"context"
	"strings"
	"testing"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/object/heldobject"
	"lectern/shared/storage/object/objecttest"
)

func open(t *testing.T) *heldobject.Store {
	t.Helper()
	s, err := diskobject.Open(t.TempDir(), diskobject.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return heldobject.Wrap(s)
}

// TestContract: the store keeps the contract, held or not.
func TestContract(t *testing.T) {
	t.Run("not held", func(t *testing.T) {
		objecttest.Run(t, func(t *testing.T) object.Store { return open(t) })
	})
	t.Run("held", func(t *testing.T) {
		objecttest.Run(t, func(t *testing.T) object.Store {
			s := open(t)
			s.Hold()
			return s
		})
	})
}

func put(t *testing.T, s object.Store, key, text string) {
	t.Helper()
	if _, err := s.Put(t.Context(), key, strings.NewReader(text), object.PutOptions{Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
}

// TestHold: what is deleted while held is gone for users and there for the holder,
// until the last one lets go.
func TestHold(t *testing.T) {
	s := open(t)
	defer s.Close()
	put(t, s, "a", "one")
	first, release := s.Hold()
	_, other := s.Hold()
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Head(t.Context(), "a"); !fault.Is(err, fault.NotFound) {
		t.Errorf("Head of what was deleted = %v, want NotFound", err)
	}
	for _, end := range []func(context.Context) error{release, release} {
		if err := end(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if raw, _, err := object.ReadAll(t.Context(), first, "a", 10); err != nil || string(raw) != "one" {
		t.Errorf("the holder reads %q, %v", raw, err)
	}
	if err := other(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Head(t.Context(), "a"); !fault.Is(err, fault.NotFound) {
		t.Errorf("after the last hold, Head = %v, want NotFound", err)
	}
	if _, err := s.Put(t.Context(), "a", strings.NewReader("two"), object.PutOptions{Size: 3, IfAbsent: true}); err != nil {
		t.Errorf("Put after Delete = %v", err)
	}
}
