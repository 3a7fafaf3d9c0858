package identity_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/identity"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
)

// marker is an index.
type marker struct {
	mu sync.Mutex
	id string
}

func (m *marker) StoreID(context.Context) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.id, nil
}

func (m *marker) SetStoreID(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.id = id
	return nil
}

// backend makes the stores of a test.
type backend struct {
	records func(*testing.T) record.Store
	objects func(*testing.T) object.Store
}

// onBackends runs a test on the embedded stores and, where the environment names
// servers that speak S3 and DynamoDB, on those of AWS.
func onBackends(t *testing.T, run func(*testing.T, backend)) {
	t.Run("embedded", func(t *testing.T) { run(t, embedded) })
	t.Run("aws", func(t *testing.T) {
		if os.Getenv("AWS_ENDPOINT_URL") == "" && (os.Getenv("AWS_ENDPOINT_URL_S3") == "" || os.Getenv("AWS_ENDPOINT_URL_DYNAMODB") == "") {
			t.Skip("AWS_ENDPOINT_URL names no server that speaks S3 and DynamoDB")
		}
		run(t, backend{dynamoRecords, s3Objects})
	})
}

var embedded = backend{
	records: func(t *testing.T) record.Store {
		r, err := boltrecord.Open(filepath.Join(t.TempDir(), "records.db"), boltrecord.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		return r
	},
	objects: func(t *testing.T) object.Store {
		o, err := diskobject.Open(t.TempDir(), diskobject.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { o.Close() })
		return o
	},
}

func (b backend) stores(t *testing.T, survey identity.Survey) (*identity.Stores, *marker) {
	t.Helper()
	m := &marker{}
	return &identity.Stores{Records: b.records(t), Objects: b.objects(t), Index: m,
		Survey: func(context.Context) (identity.Survey, error) { return survey, nil }}, m
}

func idOf(t *testing.T, s *identity.Stores) string {
	t.Helper()
	raw, _, err := object.ReadAll(t.Context(), s.Objects, identity.ObjectKey, 100)
	if err != nil && !fault.Is(err, fault.NotFound) {
		t.Fatal(err)
	}
	return string(raw)
}

// TestNew: an empty set gets one id, whoever looks first.
func TestNew(t *testing.T) { onBackends(t, testNew) }

func testNew(t *testing.T, b backend) {
	s, m := b.stores(t, identity.Survey{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := s.Check(t.Context()); err != nil {
				t.Errorf("Check = %v", err)
			}
		})
	}
	group.Wait()
	id := idOf(t, s)
	if len(id) < 20 || m.id != id {
		t.Errorf("the objects have id %q, the index %q", id, m.id)
	}
	s.Survey = nil // a whole set is not looked through
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check of a whole set = %v", err)
	}
}

// TestCheck: what belongs together is completed, what does not is refused with a
// sentence, and nothing is written then.
func TestCheck(t *testing.T) { onBackends(t, testCheck) }

func testCheck(t *testing.T, b backend) {
	full := identity.Survey{Registered: 9, Objects: 10, Named: 9, Indexed: 9, Found: 9}
	for _, tc := range []struct {
		name   string
		before func(*testing.T, *identity.Stores, *marker) // of a whole set
		survey identity.Survey
		want   string // in the refusal; "" for none
	}{
		{"records replaced by new ones", func(t *testing.T, s *identity.Stores, _ *marker) { s.Records = b.records(t) },
			identity.Survey{Objects: 10, Indexed: 9}, "the records are new"},
		{"records replaced by new ones, the index alone holds something", func(t *testing.T, s *identity.Stores, _ *marker) { s.Records = b.records(t) },
			identity.Survey{Indexed: 9}, "the records are new"},
		{"records replaced by those of another set", func(t *testing.T, s *identity.Stores, _ *marker) {
			other, _ := b.stores(t, identity.Survey{})
			if err := other.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			s.Records = other.Records
		}, full, "belong to store"},
		{"records replaced by those of another set without id", func(t *testing.T, s *identity.Stores, _ *marker) { s.Records = b.records(t) },
			identity.Survey{Registered: 5, Objects: 10, Indexed: 9}, "name none"},
		{"records replaced by older ones without id", func(t *testing.T, s *identity.Stores, _ *marker) { s.Records = b.records(t) }, full, ""},
		{"records that name little, beside marked objects", func(t *testing.T, s *identity.Stores, _ *marker) { s.Records = b.records(t) },
			identity.Survey{Registered: 2, Objects: 10, Named: 2, Indexed: 2, Found: 2}, "lost their id"},
		{"objects lost", func(t *testing.T, s *identity.Stores, _ *marker) {
			if err := s.Objects.Delete(t.Context(), identity.ObjectKey); err != nil {
				t.Fatal(err)
			}
		}, identity.Survey{Registered: 9, Indexed: 9, Found: 9}, ""},
		{"index lost", func(_ *testing.T, _ *identity.Stores, m *marker) { m.id = "" }, identity.Survey{Registered: 9, Objects: 9, Named: 9}, ""},
		{"index of another set", func(_ *testing.T, _ *identity.Stores, m *marker) { m.id = "another" }, full, "search index"},
		{"index without id that holds others' documents", func(_ *testing.T, _ *identity.Stores, m *marker) { m.id = "" },
			identity.Survey{Registered: 9, Objects: 9, Named: 9, Indexed: 3}, "search index"},
	} {
		s, m := b.stores(t, tc.survey)
		if err := s.Check(t.Context()); tc.survey == full && err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		whole := identity.Stores{Records: s.Records, Objects: s.Objects, Index: m, Survey: func(context.Context) (identity.Survey, error) {
			return identity.Survey{}, nil
		}}
		if err := whole.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		tc.before(t, s, m)
		objects, index := idOf(t, s), m.id
		err := s.Check(t.Context())
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: Check = %v, want %q", tc.name, err, tc.want)
			continue
		}
		if err == nil {
			if m.id == "" || idOf(t, s) != m.id {
				t.Errorf("%s: the objects have id %q, the index %q", tc.name, idOf(t, s), m.id)
			}
			continue
		}
		if !strings.Contains(err.Error(), "nothing was deleted") || !strings.Contains(err.Error(), "lectern adopt") {
			t.Errorf("%s: %v does not say what to do", tc.name, err)
		}
		if idOf(t, s) != objects || m.id != index {
			t.Errorf("%s: a refused set was changed", tc.name)
		}
		id, err := s.Adopt(t.Context(), time.Now())
		if err != nil || idOf(t, s) != id || m.id != id {
			t.Errorf("%s: Adopt = %q, %v; the objects have %q, the index %q", tc.name, id, err, idOf(t, s), m.id)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("%s: after Adopt, Check = %v", tc.name, err)
		}
		if at, err := s.Adopted(t.Context()); err != nil || time.Since(at) > time.Hour {
			t.Errorf("%s: Adopted = %v, %v", tc.name, at, err)
		}
	}
}

// TestOlder: a set that is older than ids gets one when its registry names what
// is stored.
func TestOlder(t *testing.T) { onBackends(t, testOlder) }

func testOlder(t *testing.T, b backend) {
	for _, tc := range []struct {
		name   string
		survey identity.Survey
		good   bool
	}{
		{"full", identity.Survey{Registered: 9, Objects: 10, Named: 9, Indexed: 9, Found: 9}, true},
		{"no objects", identity.Survey{Registered: 9, Indexed: 9, Found: 9}, true},
		{"no registry", identity.Survey{Objects: 1}, false},
		{"no registry, only an index", identity.Survey{Indexed: 1}, false},
		{"another registry", identity.Survey{Registered: 9, Objects: 9}, false},
	} {
		s, m := b.stores(t, tc.survey)
		err := s.Check(t.Context())
		if (err == nil) != tc.good || (m.id != "") != tc.good || (idOf(t, s) != "") != tc.good {
			t.Errorf("%s: Check = %v, ids %q and %q", tc.name, err, idOf(t, s), m.id)
		}
	}
}

// TestFormat: records of an earlier release get this one's format beside their id, by
// which that release, comparing whole lines, refuses them; records of a later release
// are refused, by Adopt too, and stay as they are.
func TestFormat(t *testing.T) {
	onBackends(t, func(t *testing.T, b backend) {
		s, _ := b.stores(t, identity.Survey{})
		if err := s.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		key := record.Key{Partition: "identity", Sort: "store"}
		stored := func() string {
			item, err := s.Records.Find(t.Context(), key)
			if err != nil {
				t.Fatal(err)
			}
			return string(item.Value)
		}
		put := func(value string) {
			if err := s.Records.Put(t.Context(), record.Item{Key: key, Value: []byte(value)}, record.Any()); err != nil {
				t.Fatal(err)
			}
		}
		id := idOf(t, s)
		if want := id + " format 2"; stored() != want {
			t.Errorf("a fresh set holds %q, not %q", stored(), want)
		}
		adopted := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		put(id + "\n" + adopted.Format(time.RFC3339Nano)) // as an earlier release wrote it
		again := &identity.Stores{Records: s.Records, Objects: s.Objects, Index: s.Index, Survey: s.Survey}
		if err := again.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		if line, _, _ := strings.Cut(stored(), "\n"); line != id+" format 2" || idOf(t, s) != id {
			t.Errorf("an earlier set holds %q beside the objects' %q", stored(), idOf(t, s))
		}
		if at, err := again.Adopted(t.Context()); err != nil || !at.Equal(adopted) {
			t.Errorf("the moment of its adoption is %s, %v", at, err)
		}
		later := id + " format 3"
		put(later)
		for name, do := range map[string]func() error{
			"check": func() error { return again.Check(t.Context()) },
			"adopt": func() error { _, err := again.Adopt(t.Context(), adopted); return err },
		} {
			if err := do(); !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "later release") || stored() != later {
				t.Errorf("%s of a later release's records: %v, which hold %q", name, err, stored())
			}
		}
	})
}
