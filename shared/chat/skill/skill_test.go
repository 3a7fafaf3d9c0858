package skill_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"lectern/shared/auth"
	"lectern/shared/chat/skill"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/knowledge/artifact/artifacttest"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/sweep"
)

var errDead = errors.New("the process died")

// mortal fails all writes of records after the ones allowed.
type mortal struct {
	record.Store
	left int
}

func (m *mortal) Put(ctx context.Context, item record.Item, c record.Condition) error {
	if m.left--; m.left < 0 {
		return errDead
	}
	return m.Store.Put(ctx, item, c)
}

func (m *mortal) Delete(ctx context.Context, key record.Key, c record.Condition) error {
	if m.left--; m.left < 0 {
		return errDead
	}
	return m.Store.Delete(ctx, key, c)
}

func open(t *testing.T) (*skill.Service, *mortal, object.Store) {
	t.Helper()
	stores := artifacttest.OpenStores(t, t.TempDir())
	m := &mortal{Store: stores.Records, left: 1 << 30}
	return &skill.Service{Objects: stores.Objects, Records: m, IDs: &ident.Counting{}, Now: time.Now, Guard: sweep.Guard{All: true}}, m, stores.Objects
}

// TestDeath: whatever write a process dies before, a skill has the versions it
// had or those it was to get, each can be read, and a sweep leaves no other
// archive.
func TestDeath(t *testing.T) {
	files := parts("SKILL.md", head, "a.txt", "x")
	create := func(s *skill.Service, _ string) error {
		_, err := s.Create(context.Background(), skill.Draft{Collection: "c"}, files)
		return err
	}
	add := func(s *skill.Service, id string) error {
		_, err := s.AddVersion(context.Background(), "c", id, files)
		return err
	}
	remove := func(s *skill.Service, id string) error { return s.Delete(context.Background(), "c", id) }
	for _, c := range []struct {
		name          string
		first, then   func(*skill.Service, string) error
		before, after int // versions
	}{{"create", nil, create, 0, 1}, {"add", create, add, 1, 2}, {"delete", create, remove, 1, 0}} {
		for n := 0; ; n++ {
			s, m, objects := open(t)
			id := ""
			if c.first != nil {
				if err := c.first(s, ""); err != nil {
					t.Fatal(err)
				}
				list, _, err := s.List(t.Context(), "c", "", 10)
				if err != nil || len(list) != 1 {
					t.Fatalf("List = %v, %v", list, err)
				}
				id = list[0].ID
			}
			m.left = n
			err := c.then(s, id)
			m.left = 1 << 30
			if err != nil && !errors.Is(err, errDead) {
				t.Fatal(err)
			}
			if err := s.Sweep(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			list, _, lerr := s.List(t.Context(), "c", "", 10)
			if lerr != nil {
				t.Fatal(lerr)
			}
			got := 0
			for _, k := range list {
				versions, _, err := s.Versions(t.Context(), "c", k.ID, "", 10)
				if err != nil {
					t.Fatal(err)
				}
				got = len(versions)
				for _, v := range versions {
					if data, err := s.Read(t.Context(), "c", v, "a.txt"); err != nil || !bytes.Equal(data, []byte("x")) {
						t.Errorf("%s, dead before write %d: Read = %q, %v", c.name, n, data, err)
					}
				}
			}
			kept, _, lerr := objects.List(t.Context(), "skills/", "", 0)
			if lerr != nil || got != c.before && got != c.after || err == nil && got != c.after || len(kept) != got {
				t.Errorf("%s, dead before write %d: %d versions, %d archives, %v", c.name, n, got, len(kept), lerr)
			}
			if err == nil {
				break
			}
		}
	}
}

// TestConcurrentVersions: versions that are added at once are all kept, each
// with a token of its own, in order.
func TestConcurrentVersions(t *testing.T) {
	s, m, _ := open(t)
	s.Records = m.Store
	now := time.Now()
	s.Now = func() time.Time { return now }
	k, err := s.Create(t.Context(), skill.Draft{Collection: "c"}, parts("SKILL.md", head))
	if err != nil {
		t.Fatal(err)
	}
	const n = 6
	done := make(chan error)
	for range n {
		go func() { _, err := s.AddVersion(t.Context(), "c", k.ID, parts("SKILL.md", head)); done <- err }()
	}
	for range n {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	list, next, err := s.Versions(t.Context(), "c", k.ID, "", 100)
	if err != nil || next != "" || len(list) != n+1 {
		t.Fatalf("%d versions, next %q, %v", len(list), next, err)
	}
	for i, v := range list {
		if want := fmt.Sprint(now.UnixMicro() + int64(n-i)); v.Token != want {
			t.Errorf("version %d has token %s, want %s", i, v.Token, want)
		}
	}
}

func TestCollectionsAreApart(t *testing.T) {
	s, _, _ := open(t)
	k, err := s.Create(t.Context(), skill.Draft{Collection: "c"}, parts("SKILL.md", head))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Find(t.Context(), "d", k.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("Find in another collection = %v", err)
	}
	ctx := auth.With(t.Context(), auth.Principal{Collections: []string{"d"}})
	if err := skill.CheckCollection(ctx, "c"); !fault.Is(err, fault.Forbidden) {
		t.Errorf("CheckCollection of a closed one = %v", err)
	}
}

// TestSweepNeedsRecords: a sweep frees nothing beside lost records.
func TestSweepNeedsRecords(t *testing.T) {
	s, _, objects := open(t)
	s.Guard = sweep.Guard{}
	for range 3 {
		if _, err := s.Create(t.Context(), skill.Draft{Collection: "c"}, parts("SKILL.md", head)); err != nil {
			t.Fatal(err)
		}
	}
	s.Records = artifacttest.OpenStores(t, t.TempDir()).Records
	if err := s.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if kept, _, err := objects.List(t.Context(), "skills/", "", 0); err != nil || len(kept) != 3 {
		t.Errorf("%d archives are left, %v", len(kept), err)
	}
}
