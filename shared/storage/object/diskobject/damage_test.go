package diskobject_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
)

// small and large are bodies on both sides of the pack's limit.
func small(i int) []byte {
	return fmt.Appendf(nil, "small object %d, %s", i, strings.Repeat("text ", 30))
}

func large() []byte { return bytes.Repeat([]byte("large object "), 10_000) }

// filled makes a store of ten small objects and a large one in dir, and closes
// it.
func filled(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	want := map[string][]byte{"big": large()}
	for i := range 10 {
		want[fmt.Sprintf("dir/key%d", i)] = small(i)
	}
	s := open(t, dir, diskobject.Options{})
	for i := range 10 {
		key := fmt.Sprintf("dir/key%d", i)
		if _, err := s.Put(t.Context(), key, bytes.NewReader(want[key]), object.PutOptions{Size: int64(len(want[key]))}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Put(t.Context(), "big", bytes.NewReader(large()), object.PutOptions{Size: -1}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return want
}

// lost returns the keys that do not read as they were put. None may read as
// something else.
func lost(t *testing.T, s object.Store, want map[string][]byte) []string {
	t.Helper()
	var keys []string
	for key, body := range want {
		got, _, err := object.ReadAll(t.Context(), s, key, 1<<20)
		switch {
		case err == nil && bytes.Equal(got, body):
		case err == nil:
			t.Errorf("%s reads other bytes", key)
		case errors.Is(err, object.ErrDamaged) && fault.Is(err, fault.Unavailable), fault.Is(err, fault.NotFound):
			keys = append(keys, key)
		default:
			t.Errorf("%s: %v", key, err)
		}
	}
	return keys
}

func one(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %v, %v", pattern, files, err)
	}
	return files[0]
}

// TestFlippedBit flips one bit in every place of a record in the middle of the
// log: that object is damaged and says so, and all others are there.
func TestFlippedBit(t *testing.T) {
	dir := t.TempDir()
	want := filled(t, dir)
	path := one(t, filepath.Join(dir, "pack", "*.pack"))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(whole, []byte(`{"k":"dir/key4"`)) - 25
	end := bytes.Index(whole, []byte(`{"k":"dir/key5"`)) - 25
	for i := at; i < end; i++ {
		bent := bytes.Clone(whole)
		bent[i] ^= 1 << (i % 8)
		if err := os.WriteFile(path, bent, 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, dir, diskobject.Options{})
		if got := lost(t, s, want); len(got) != 1 || got[0] != "dir/key4" {
			t.Errorf("a bit at byte %d of the record: %v are lost", i-at, got)
		}
		if s.Damaged() != 1 {
			t.Errorf("a bit at byte %d of the record: Damaged = %d", i-at, s.Damaged())
		}
		if _, _, err := s.List(t.Context(), "", "", 0); err != nil {
			t.Errorf("a bit at byte %d of the record: List = %v", i-at, err)
		}
		if _, err := s.Put(t.Context(), "dir/key4", bytes.NewReader(small(4)), object.PutOptions{Size: -1}); err != nil || len(lost(t, s, want)) != 0 {
			t.Errorf("a bit at byte %d of the record: putting it again: %v", i-at, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, dir, diskobject.Options{})
		if got := lost(t, s, want); len(got) != 0 {
			t.Errorf("a bit at byte %d of the record: after it was put again and the store opened: %v are lost", i-at, got)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if torn, _ := filepath.Glob(filepath.Join(dir, "pack", "*.torn-*")); len(torn) != 0 {
		t.Errorf("the log was cut: %v", torn)
	}
	// A body that is damaged says so; it is not just missing.
	bent := bytes.Clone(whole)
	bent[end-1] ^= 1
	if err := os.WriteFile(path, bent, 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, diskobject.Options{})
	defer s.Close()
	if _, _, err := s.Open(t.Context(), "dir/key4", 0, -1); !errors.Is(err, object.ErrDamaged) || !strings.Contains(fault.As(err).Msg, "dir/key4") {
		t.Errorf("Open of a damaged object = %v", err)
	}
	if err := s.Delete(t.Context(), "dir/key4"); err != nil || s.Damaged() != 0 {
		t.Errorf("Delete of a damaged object = %v, Damaged = %d", err, s.Damaged())
	}
}

// TestDamagedLarge damages a large object in every part.
func TestDamagedLarge(t *testing.T) {
	for name, bend := range map[string]func([]byte) []byte{
		"head":     func(b []byte) []byte { b[20] ^= 4; return b },
		"body":     func(b []byte) []byte { b[len(b)-5] ^= 4; return b },
		"cut":      func(b []byte) []byte { return b[:len(b)-5] },
		"cut head": func(b []byte) []byte { return b[:100] },
		"empty":    func([]byte) []byte { return nil },
		"zeros":    func(b []byte) []byte { return make([]byte, len(b)) },
	} {
		dir := t.TempDir()
		want := filled(t, dir)
		path := one(t, filepath.Join(dir, "large", "*", "*"))
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bend(whole), 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, dir, diskobject.Options{})
		if _, _, err := object.ReadAll(t.Context(), s, "big", 1<<20); !errors.Is(err, object.ErrDamaged) {
			t.Errorf("%s: ReadAll = %v, want ErrDamaged", name, err)
		}
		if body, _, err := s.Open(t.Context(), "big", 0, -1); err == nil {
			if _, err := io.Copy(io.Discard, body); !errors.Is(err, object.ErrDamaged) {
				t.Errorf("%s: reading to the end = %v, want ErrDamaged", name, err)
			}
			body.Close()
		}
		if n, err := io.Copy(io.Discard, object.NewBody(t.Context(), s, "big", int64(len(large())), nil)); n != 0 || !errors.Is(err, object.ErrDamaged) {
			t.Errorf("%s: a reader of it gives %d bytes before %v, want ErrDamaged at once", name, n, err)
		}
		if got := lost(t, s, want); len(got) != 1 || s.Damaged() != 1 {
			t.Errorf("%s: %v are lost, Damaged = %d", name, got, s.Damaged())
		}
		if _, err := s.Put(t.Context(), "big", bytes.NewReader(large()), object.PutOptions{Size: -1}); err != nil || s.Damaged() != 0 {
			t.Errorf("%s: putting it again: %v, Damaged = %d", name, err, s.Damaged())
		}
		s.Close()
		s = open(t, dir, diskobject.Options{})
		if got := lost(t, s, want); len(got) != 0 {
			t.Errorf("%s: after it was put again: %v are lost", name, got)
		}
		s.Close()
	}
}

// TestTornEndIsKept: what is cut is in a file beside the segment.
func TestTornEndIsKept(t *testing.T) {
	dir := t.TempDir()
	want := filled(t, dir)
	path := one(t, filepath.Join(dir, "pack", "*.pack"))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("half a record"); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	s := open(t, dir, diskobject.Options{})
	defer s.Close()
	kept, err := os.ReadFile(one(t, filepath.Join(dir, "pack", "*.torn-*")))
	if string(kept) != "half a record" || err != nil || len(lost(t, s, want)) != 0 || s.Damaged() != 0 {
		t.Errorf("kept is %q, %v, Damaged = %d", kept, err, s.Damaged())
	}
}

// TestDamagedSegments truncates and zeroes parts of closed segments: what lies
// in the other parts is there.
func TestDamagedSegments(t *testing.T) {
	dir := t.TempDir()
	s := openSmall(t, dir, 1000)
	want := map[string][]byte{}
	for i := range 20 {
		key := fmt.Sprintf("k%d", i)
		want[key] = small(i)
		if _, err := s.Put(t.Context(), key, bytes.NewReader(want[key]), object.PutOptions{Size: -1}); err != nil {
			t.Fatal(err)
		}
	}
	s.Close()
	files, err := filepath.Glob(filepath.Join(dir, "pack", "*.pack"))
	if err != nil || len(files) < 4 {
		t.Fatalf("%v, %v", files, err)
	}
	whole, err := os.ReadFile(files[1])
	if err != nil {
		t.Fatal(err)
	}
	perSegment := bytes.Count(whole, []byte(`{"k":"`))
	for name, bent := range map[string][]byte{
		"empty": {}, "cut": whole[:len(whole)-40], "zeros": make([]byte, len(whole)),
		"zeros at the start": append(make([]byte, 100), whole[100:]...), "garbage": bytes.Repeat([]byte(`{"k":"`), 500),
	} {
		if err := os.WriteFile(files[1], bent, 0o600); err != nil {
			t.Fatal(err)
		}
		s := openSmall(t, dir, 1000)
		got := lost(t, s, want)
		if len(got) == 0 || len(got) > perSegment || strings.HasPrefix(name, "cut") && len(got) != 1 || strings.HasSuffix(name, "start") && len(got) != 1 {
			t.Errorf("%s: %v are lost of %d in the segment", name, got, perSegment)
		}
		s.Close()
	}
}

// TestLost: what is named and not there counts as damaged, and says so, until it is
// stored again or deleted; what is there stays as it is.
func TestLost(t *testing.T) {
	dir := t.TempDir()
	want := filled(t, dir)
	s := open(t, dir, diskobject.Options{})
	defer s.Close()
	for _, key := range []string{"dir/key4", "gone/small", "gone/large", "gone/deleted"} {
		s.Lost(key)
	}
	if got := lost(t, s, want); len(got) != 0 || s.Damaged() != 3 {
		t.Errorf("%v are lost, Damaged = %d; want none of those that are there, and 3", got, s.Damaged())
	}
	if _, err := s.Head(t.Context(), "gone/small"); !errors.Is(err, object.ErrDamaged) || !fault.Is(err, fault.Unavailable) {
		t.Errorf("Head of a lost object = %v, want that it is damaged", err)
	}
	if _, err := s.Put(t.Context(), "gone/small", bytes.NewReader(small(1)), object.PutOptions{Size: -1, IfAbsent: true}); err != nil {
		t.Errorf("Put of a lost object = %v", err)
	}
	if _, err := s.Put(t.Context(), "gone/large", bytes.NewReader(large()), object.PutOptions{Size: -1}); err != nil {
		t.Errorf("Put of a lost object = %v", err)
	}
	if err := s.Delete(t.Context(), "gone/deleted"); err != nil {
		t.Errorf("Delete of a lost object = %v", err)
	}
	if _, err := s.Head(t.Context(), "gone/deleted"); !fault.Is(err, fault.NotFound) || s.Damaged() != 0 {
		t.Errorf("Head of a deleted object = %v, Damaged = %d; want NotFound and none", err, s.Damaged())
	}
	want["gone/small"], want["gone/large"] = small(1), large()
	if got := lost(t, s, want); len(got) != 0 {
		t.Errorf("after they were put again %v are lost", got)
	}
}
