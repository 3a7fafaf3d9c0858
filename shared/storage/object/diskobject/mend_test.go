package diskobject_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
)

// shelf is a store on a disk that fails when it is told to.
type shelf struct {
	t     *testing.T
	dir   string
	disk  *diskobject.Disk
	store *diskobject.Store
	bytes int64 // of a segment
}

func newShelf(t *testing.T, segmentBytes int64) *shelf {
	s := &shelf{t: t, dir: t.TempDir(), disk: &diskobject.Disk{}, bytes: segmentBytes}
	s.open()
	return s
}

func (s *shelf) open() {
	s.t.Helper()
	var err error
	if s.store, err = diskobject.OpenSegmented(s.dir, s.disk.Options(diskobject.Options{}), s.bytes); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = s.store.Close() })
}

func (s *shelf) put(key, body string) error {
	_, err := s.store.Put(s.t.Context(), key, strings.NewReader(body), object.PutOptions{Size: int64(len(body))})
	return err
}

// holds checks that the store holds exactly these objects.
func (s *shelf) holds(want map[string]string) {
	s.t.Helper()
	list, _, err := s.store.List(s.t.Context(), "", "", 1000)
	if err != nil || len(list) != len(want) {
		s.t.Errorf("%d objects are listed, %v, want %d", len(list), err, len(want))
	}
	for key, body := range want {
		got, _, err := object.ReadAll(s.t.Context(), s.store, key, 1<<20)
		if err != nil || string(got) != body {
			s.t.Errorf("%s = %.40q, %v, want %.40q", key, got, err, body)
		}
	}
}

// TestDiskThatFails: while fsyncs fail nothing is answered to be stored or deleted; once
// they go well the log goes on by itself, holds all that was answered, as after a
// restart, and nothing else.
func TestDiskThatFails(t *testing.T) {
	for name, segmentBytes := range map[string]int64{"one segment": 64 << 20, "a segment for each few": 300} {
		t.Run(name, func(t *testing.T) {
			s := newShelf(t, segmentBytes)
			want := map[string]string{}
			for i := range 5 {
				key := fmt.Sprint("kept", i)
				want[key] = "first of " + key
				if err := s.put(key, want[key]); err != nil {
					t.Fatal(err)
				}
			}
			for round := range 3 {
				s.disk.Fail(true, false)
				var group sync.WaitGroup
				for i := range 8 {
					group.Go(func() {
						if err := s.put(fmt.Sprint("new", i), "lost"); err == nil || !errors.Is(err, syscall.EIO) {
							t.Errorf("Put while fsyncs fail = %v", err)
						}
					})
				}
				group.Wait()
				for _, err := range []error{s.put("kept0", "second"), s.put("kept0", "third"), s.store.Delete(t.Context(), "kept1")} {
					if fault.CodeOf(err) != fault.Unavailable {
						t.Errorf("a change while fsyncs fail = %v", err)
					}
				}
				s.disk.Fail(false, false)
				key := fmt.Sprint("after", round)
				want[key] = "stored"
				if err := s.put(key, want[key]); err != nil {
					t.Errorf("Put once fsyncs go well = %v", err)
				}
				s.holds(want)
			}
			if err := s.store.Delete(t.Context(), "kept4"); err != nil {
				t.Error(err)
			}
			delete(want, "kept4")
			if err := errors.Join(s.store.Close(), s.disk.Lose()); err != nil {
				t.Fatal(err)
			}
			s.open()
			s.holds(want)
			if n := s.store.Damaged(); n > 0 {
				t.Errorf("%d objects are damaged", n)
			}
		})
	}
}

// TestHalfARecord: a record that is not written whole, as on a full disk, makes none
// that comes after it count as synced.
func TestHalfARecord(t *testing.T) {
	s := newShelf(t, 64<<20)
	if err := s.put("a", "first"); err != nil {
		t.Fatal(err)
	}
	s.disk.Fail(false, true)
	if err := s.put("b", strings.Repeat("long ", 5000)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Put on a full disk = %v", err)
	}
	s.disk.Fail(false, false)
	for i := range 5 {
		before := s.disk.Syncs()
		if err := s.put(fmt.Sprint("c", i), "x"); err != nil {
			t.Fatal(err)
		}
		if s.disk.Syncs() == before {
			t.Errorf("object %d was answered without an fsync", i)
		}
	}
}

// TestReclaimAfterAFailure: what could not be compacted while the disk failed is
// compacted once it works.
func TestReclaimAfterAFailure(t *testing.T) {
	s := newShelf(t, 64<<20)
	for range 3 {
		if err := s.put("a", "again and again"); err != nil {
			t.Fatal(err)
		}
	}
	s.disk.Fail(true, false)
	if done, err := s.store.Reclaim(t.Context()); done || err == nil {
		t.Errorf("Reclaim while fsyncs fail = %v, %v", done, err)
	}
	s.disk.Fail(false, false)
	if err := s.put("b", "more"); err != nil {
		t.Fatal(err)
	}
	for done := false; !done; { // it is put off while a segment is being emptied
		var err error
		if done, err = s.store.Reclaim(t.Context()); err != nil {
			t.Fatalf("Reclaim once they go well = %v", err)
		}
	}
	s.holds(map[string]string{"a": "again and again", "b": "more"})
}
