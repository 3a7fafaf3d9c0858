package file_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/file"
	"lectern/shared/ident"
	"lectern/shared/message"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/object/signedurl"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/storage/sweep"
)

var place = file.Place{Namespace: "session", Scope: "s"}

// errDead is what a dying process's calls return.
var errDead = errors.New("the process died")

// mortal counts writes and fails all after the last one allowed.
type mortal struct {
	object.Store
	left atomic.Int64
}

func (m *mortal) write() error {
	if m.left.Add(-1) < 0 {
		return errDead
	}
	return nil
}

func (m *mortal) Put(ctx context.Context, key string, body io.Reader, o object.PutOptions) (object.Info, error) {
	if err := m.write(); err != nil {
		return object.Info{}, err
	}
	return m.Store.Put(ctx, key, body, o)
}

func (m *mortal) Delete(ctx context.Context, key string) error {
	if err := m.write(); err != nil {
		return err
	}
	return m.Store.Delete(ctx, key)
}

type mortalRecords struct {
	record.Store
	*mortal
}

func (m mortalRecords) Put(ctx context.Context, item record.Item, c record.Condition) error {
	if err := m.write(); err != nil {
		return err
	}
	return m.Store.Put(ctx, item, c)
}

func (m mortalRecords) Delete(ctx context.Context, key record.Key, c record.Condition) error {
	if err := m.write(); err != nil {
		return err
	}
	return m.Store.Delete(ctx, key, c)
}

func (m mortalRecords) Close() error { return m.Store.Close() }

func open(t *testing.T) (*file.Service, *mortal) {
	t.Helper()
	start, ticks := time.Now(), new(atomic.Int64)
	clock := func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * time.Second) }
	key := signedurl.Key("key")
	objects, err := diskobject.Open(t.TempDir(), diskobject.Options{Now: clock, Signer: key.Signer(func(context.Context) string { return "" }, clock)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { objects.Close() })
	records, err := boltrecord.Open(path.Join(t.TempDir(), "records.db"), boltrecord.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { records.Close() })
	m := &mortal{Store: objects}
	m.left.Store(1 << 30)
	return &file.Service{Objects: m, Records: mortalRecords{records, m}, Namespaces: []string{"session"}, IDs: &ident.Counting{}, Now: clock,
		Guard: sweep.Guard{All: true}}, m
}

// state is what a client sees of a file: its content when it exists, and
// whether it is listed.
func state(t *testing.T, s *file.Service, id string) string {
	t.Helper()
	page, err := s.List(t.Context(), file.Query{Place: place, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for _, f := range page.Files {
		if f.ID == id {
			listed++
		}
	}
	_, data, err := s.Read(t.Context(), place, id, 100)
	if err != nil && !fault.Is(err, fault.NotFound) {
		t.Fatal(err)
	}
	if (err == nil) != (listed == 1) {
		t.Errorf("%s is listed %d times and reads %q, %v", id, listed, data, err)
	}
	return string(data)
}

func objects(t *testing.T, s *file.Service) int {
	t.Helper()
	list, _, err := s.Objects.List(t.Context(), "files/", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// TestDeath: whatever write a process dies before, a file is there whole or as
// it was, and a sweep leaves one object for each.
func TestDeath(t *testing.T) {
	put := func(text string) func(*file.Service) error {
		return func(s *file.Service) error {
			_, err := s.Put(context.Background(), place, "uploads/a", []byte(text), file.PutOptions{})
			return err
		}
	}
	remove := func(s *file.Service) error { _, err := s.Delete(context.Background(), place, "uploads/a"); return err }
	for _, c := range []struct {
		name          string
		first         func(*file.Service) error
		then          func(*file.Service) error
		before, after string
	}{
		{"create", nil, put("new"), "", "new"},
		{"replace", put("old"), put("new"), "old", "new"},
		{"delete", put("old"), remove, "old", ""},
	} {
		died := 0
		for n := 0; ; n++ {
			s, m := open(t)
			if c.first != nil {
				if err := c.first(s); err != nil {
					t.Fatal(err)
				}
			}
			m.left.Store(int64(n))
			err := c.then(s)
			m.left.Store(1 << 30)
			if err != nil {
				died++
				if !errors.Is(err, errDead) {
					t.Fatal(err)
				}
			}
			for range 2 {
				got := state(t, s, "uploads/a")
				if got != c.before && got != c.after || err == nil && got != c.after {
					t.Errorf("%s, dead before write %d: %q", c.name, n, got)
				}
				if err := s.Sweep(t.Context(), true); err != nil {
					t.Fatal(err)
				}
				if want := min(1, len(got)); objects(t, s) != want {
					t.Errorf("%s, dead before write %d: %d objects after a sweep, want %d", c.name, n, objects(t, s), want)
				}
			}
			if err == nil {
				break
			}
		}
		if died < 3 {
			t.Errorf("%s died %d times only", c.name, died)
		}
	}
}

// TestUnregisteredUpload: a body that was stored by a process that died before
// it was registered becomes a file by the sweep.
func TestUnregisteredUpload(t *testing.T) {
	s, m := open(t)
	signed, err := s.Sign(t.Context(), &file.UploadBody{FileName: "a.txt", SizeBytes: 4, Scope: "s", Namespace: "session"})
	if err != nil {
		t.Fatal(err)
	}
	key, _, _ := strings.Cut(strings.TrimPrefix(signed.URL, signedurl.Prefix), "?")
	m.left.Store(1)
	if err := s.Receive(t.Context(), key, strings.NewReader("text")); !errors.Is(err, errDead) {
		t.Fatalf("Receive = %v", err)
	}
	m.left.Store(1 << 30)
	if got := state(t, s, "uploads/a.txt"); got != "" {
		t.Errorf("before the sweep it reads %q", got)
	}
	for range 2 {
		if err := s.Sweep(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if got := state(t, s, "uploads/a.txt"); got != "text" {
			t.Errorf("after the sweep it reads %q", got)
		}
	}
	// An event that comes again, and late, changes nothing.
	before, err := s.Find(t.Context(), place, "uploads/a.txt")
	if err != nil || s.Register(t.Context(), key) != nil || s.Register(t.Context(), "files/other/key") != nil {
		t.Fatal(err)
	}
	after, err := s.Find(t.Context(), place, "uploads/a.txt")
	if diff := cmp.Diff(before, after); err != nil || diff != "" {
		t.Errorf("after a second event: %v %s", err, diff)
	}
	if _, err := s.Delete(t.Context(), place, "uploads/a.txt"); err != nil {
		t.Fatal(err)
	}
	if err := s.Register(t.Context(), key); err != nil || state(t, s, "uploads/a.txt") != "" || objects(t, s) != 0 {
		t.Errorf("a late event brings a deleted file back: %v", err)
	}
}

// TestConcurrentPuts: of many writers of one file one wins whole, and nothing
// is left of the others.
func TestConcurrentPuts(t *testing.T) {
	s, _ := open(t)
	now := time.Now()
	s.Now = func() time.Time { return now }
	done := make(chan error)
	for i := range 8 {
		go func() {
			_, err := s.Put(t.Context(), place, "uploads/a", fmt.Appendf(nil, "text %d", i), file.PutOptions{})
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := state(t, s, "uploads/a"); !strings.HasPrefix(got, "text ") || objects(t, s) != 1 {
		t.Errorf("it reads %q of %d objects", got, objects(t, s))
	}
}

// TestExpiry: a file with a life is gone after it, and a sweep frees its bytes.
func TestExpiry(t *testing.T) {
	s, _ := open(t)
	m, err := s.Put(t.Context(), place, "uploads/a", []byte("x"), file.PutOptions{Life: time.Minute})
	if err != nil || m.ExpiresAt.Before(m.CreatedAt) || state(t, s, "uploads/a") != "x" {
		t.Fatalf("Put = %+v, %v", m, err)
	}
	for range 60 { // each look at the clock is a second
		s.Now()
	}
	if got := state(t, s, "uploads/a"); got != "" {
		t.Errorf("after its life it reads %q", got)
	}
	if err := s.Sweep(t.Context(), true); err != nil || objects(t, s) != 0 {
		t.Errorf("a sweep leaves %d objects, %v", objects(t, s), err)
	}
}

func TestCheckID(t *testing.T) {
	for id, good := range map[string]bool{
		"uploads/a.csv": true, "a": true, "Ü/b c.txt": true, "..a/b": true, "content/a": true,
		"": false, "/a": false, "a//b": false, "a/../b": false, "a/.": false, "..": false, "a/": false, "a\nb": false, "a\x00": false, "a\xff": false,
		"a/content": false, "content": false, strings.Repeat("a", 513): false,
	} {
		if err := file.CheckID(id); (err == nil) != good {
			t.Errorf("CheckID(%q) = %v", id, err)
		}
	}
}

func TestOutputs(t *testing.T) {
	s, _ := open(t)
	s.Root = "s3://bucket/prefix"
	kept, err := s.Output(t.Context(), "s", "tables/sales.csv", []byte("a,b\n1,2\n"))
	want := &message.LocalResource{FilePath: "/outputs/tables/sales.csv", Name: "sales", MimeType: "text/csv",
		FileID: file.ExternalID("outputs/tables/sales.csv")}
	if diff := cmp.Diff(want, kept); err != nil || diff != "" {
		t.Errorf("Output: %v, -want +got\n%s", err, diff)
	}
	found, err := s.Find(t.Context(), place, kept.FileID)
	if err != nil || !found.Downloadable || found.ID != "outputs/tables/sales.csv" {
		t.Errorf("Find = %+v, %v", found, err)
	}
	if _, err := s.Output(t.Context(), "s", "../x", nil); !fault.Is(err, fault.Invalid) {
		t.Errorf("Output of ../x = %v", err)
	}
	block := file.NewBinary("out.csv", []byte("a,b\n1,2\n"))
	if block.Source.MediaType != "text/csv" || block.Source.Data != "YSxiCjEsMgo=" {
		t.Errorf("NewBinary = %+v", block.Source)
	}
	for visibility, prefix := range map[string]string{"": "", "binary": "", "internal": "s3://bucket/prefix/files/", "public": "/v1/blobs/files/"} {
		got, err := s.Publish(t.Context(), "s", visibility, block)
		if err != nil {
			t.Fatal(err)
		}
		if (got.Source.URL == "") != (prefix == "") || !strings.HasPrefix(got.Source.URL, prefix) || (got.Source.Data == "") != (prefix != "") ||
			got.Filename != "out.csv" {
			t.Errorf("Publish %q = %+v", visibility, got.Source)
		}
	}
	if got := state(t, s, "outputs/out.csv"); got != "a,b\n1,2\n" {
		t.Errorf("the published file reads %q", got)
	}
	hostile := file.NewBinary("../../x", []byte("x"))
	if got, err := s.Publish(t.Context(), "", "internal", hostile); err != nil || strings.Contains(got.Source.URL, "..") {
		t.Errorf("Publish of a hostile name = %+v, %v", got, err)
	}
}

// TestSweepNeedsRecords: a sweep frees nothing beside lost records, and a damaged
// item keeps its file.
func TestSweepNeedsRecords(t *testing.T) {
	s, _ := open(t)
	s.Guard = sweep.Guard{}
	for i := range 6 {
		if _, err := s.Put(t.Context(), place, fmt.Sprintf("uploads/%d", i), []byte("text"), file.PutOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	right := s.Records
	empty, err := boltrecord.Open(path.Join(t.TempDir(), "records.db"), boltrecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	s.Records = empty
	if err := s.Sweep(t.Context(), true); err != nil || objects(t, s) != 6 {
		t.Errorf("beside empty records: %v, %d objects are left", err, objects(t, s))
	}
	if _, err := s.Put(t.Context(), place, "uploads/other", []byte("text"), file.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(t.Context(), true); err != nil || objects(t, s) != 7 {
		t.Errorf("beside other records: %v, %d objects are left", err, objects(t, s))
	}
	s.Records = right
	for item, err := range record.All(t.Context(), right, record.Range{Partition: partitionOf(t, s), Prefix: "i#"}) {
		if err != nil {
			t.Fatal(err)
		}
		item.Value = []byte("{")
		if err := right.Put(t.Context(), item, record.Any()); err != nil {
			t.Fatal(err)
		}
		break
	}
	if err := s.Sweep(t.Context(), true); err != nil || objects(t, s) != 7 {
		t.Errorf("with a damaged item: %v, %d objects are left", err, objects(t, s))
	}
	page, err := s.List(t.Context(), file.Query{Place: place, Limit: 100})
	if err != nil || len(page.Files) != 5 {
		t.Errorf("with a damaged item List = %v, %v", page, err)
	}
}

// partitionOf is where the records of the test's files lie.
func partitionOf(t *testing.T, s *file.Service) string {
	t.Helper()
	list, _, err := s.Objects.List(t.Context(), "files/", "", 1)
	if err != nil {
		t.Fatal(err)
	}
	return path.Dir(path.Dir(list[0].Key))
}
