package diskobject_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/object/objecttest"
)

func open(t testing.TB, dir string, o diskobject.Options) *diskobject.Store {
	t.Helper()
	s, err := diskobject.Open(dir, o)
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	return s
}

// openSmall opens a store whose segments are small.
func openSmall(t testing.TB, dir string, segmentBytes int64) *diskobject.Store {
	t.Helper()
	s, err := diskobject.OpenSegmented(dir, diskobject.Options{}, segmentBytes)
	if err != nil {
		t.Fatalf("Open = %v", err)
	}
	return s
}

func TestContract(t *testing.T) {
	objecttest.Run(t, func(t *testing.T) object.Store {
		return openSmall(t, filepath.Join(t.TempDir(), "new", "objects"), 200_000)
	})
}

// TestContractSigned runs the suite with a small server behind the signer.
func TestContractSigned(t *testing.T) {
	objecttest.Run(t, func(t *testing.T) object.Store {
		var store *diskobject.Store
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			key := strings.TrimPrefix(r.URL.Path, "/")
			if r.Method == "GET" {
				if _, err := store.Head(r.Context(), key); err != nil {
					http.NotFound(w, r)
				}
				for _, name := range []string{"Content-Type", "Content-Disposition"} {
					w.Header().Set(name, r.URL.Query().Get(name))
				}
				return
			}
			_, err := store.Put(r.Context(), key, r.Body, object.PutOptions{Size: 5})
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
			}
		}))
		t.Cleanup(server.Close)
		store = open(t, t.TempDir(), diskobject.Options{Signer: func(_ context.Context, method, key string, o object.PresignOptions) (object.Signed, error) {
			return object.Signed{Method: method, URL: server.URL + "/" + key + "?" + url.Values{
				"Content-Type": {o.ContentType}, "Content-Disposition": {o.Disposition}}.Encode(), ExpiresAt: time.Now().Add(o.Expires)}, nil
		}})
		return store
	})
}

func TestSecondProcess(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, diskobject.Options{})
	if _, err := diskobject.Open(dir, diskobject.Options{}); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a second Open = %v, want Unavailable", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, dir, diskobject.Options{}).Close()
}

// TestReopen makes random changes to a store with small segments, so that it
// compacts all the time, and reopens it now and then.
func TestReopen(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	want := map[string]int{}
	s := openSmall(t, dir, 100_000)
	for step := range 1500 {
		key := fmt.Sprintf("k/%d", rng.IntN(60))
		switch n := rng.IntN(10); {
		case n < 6:
			size := rng.IntN(9000)
			if n == 0 {
				size += 64 << 10
			}
			body := bytes.Repeat([]byte{byte(size)}, size)
			if _, err := s.Put(t.Context(), key, bytes.NewReader(body), object.PutOptions{Size: int64(size)}); err != nil {
				t.Fatalf("Put = %v", err)
			}
			want[key] = size
		case n < 9:
			if err := s.Delete(t.Context(), key); err != nil {
				t.Fatalf("Delete = %v", err)
			}
			delete(want, key)
		}
		if step%100 != 99 {
			continue
		}
		if err := s.Close(); err != nil {
			t.Fatalf("Close = %v", err)
		}
		s = openSmall(t, dir, 100_000)
		got := state(t, s)
		if !maps.Equal(got, want) {
			t.Fatalf("after reopening at step %d: %d objects %v, want %d %v", step, len(got), got, len(want), want)
		}
	}
	defer s.Close()
	segments, err := filepath.Glob(filepath.Join(dir, "pack", "*"))
	if err != nil || len(segments) > 12 {
		t.Errorf("%d segments of 100 KB hold what 60 objects of at most 9 KB take, %v", len(segments), err)
	}
}

func state(t *testing.T, s object.Store) map[string]int {
	t.Helper()
	got := map[string]int{}
	after := ""
	for {
		infos, next, err := s.List(t.Context(), "", after, 7)
		if err != nil {
			t.Fatalf("List = %v", err)
		}
		for _, info := range infos {
			body, _, err := s.Open(t.Context(), info.Key, 0, -1)
			if err != nil {
				t.Fatalf("Open = %v", err)
			}
			data, err := io.ReadAll(body)
			body.Close()
			if err != nil || !bytes.Equal(data, bytes.Repeat([]byte{byte(info.Size)}, int(info.Size))) {
				t.Fatalf("%s is damaged: %v", info.Key, err)
			}
			got[info.Key] = len(data)
		}
		if next == "" {
			return got
		}
		after = next
	}
}

// TestTornTail cuts and corrupts the end of the log as a crash may.
func TestTornTail(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, diskobject.Options{})
	for _, k := range []string{"a", "b", "c"} {
		if _, err := s.Put(t.Context(), k, strings.NewReader("0123456789"), object.PutOptions{Size: 10}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "pack", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	record := len(whole) / 3
	for name, tail := range map[string][]byte{
		"cut":     whole[:len(whole)-1],
		"flipped": append(bytes.Clone(whole[:len(whole)-3]), 'X', 'Y', 'Z'),
		"zeroed":  append(bytes.Clone(whole[:2*record]), make([]byte, 500)...),
		"garbage": append(bytes.Clone(whole[:2*record]), bytes.Repeat([]byte{0xff}, 500)...),
	} {
		if err := os.WriteFile(files[0], tail, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "temp", "put-left"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, dir, diskobject.Options{})
		if _, err := s.Head(t.Context(), "b"); err != nil {
			t.Errorf("%s: Head of a whole record = %v", name, err)
		}
		if _, err := s.Head(t.Context(), "c"); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: Head of the torn record = %v, want NotFound", name, err)
		}
		if _, err := s.Put(t.Context(), "d", strings.NewReader("new"), object.PutOptions{Size: 3}); err != nil {
			t.Errorf("%s: Put = %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, dir, diskobject.Options{})
		if _, err := s.Head(t.Context(), "d"); err != nil {
			t.Errorf("%s: Head of what followed = %v", name, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "temp", "*")); len(left) != 0 {
			t.Errorf("%s: %v is left", name, left)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkPut(b *testing.B) {
	s := open(b, b.TempDir(), diskobject.Options{})
	defer s.Close()
	body := bytes.Repeat([]byte("x"), 2000)
	run := func(i int) {
		if _, err := s.Put(b.Context(), fmt.Sprint(i), bytes.NewReader(body), object.PutOptions{Size: 2000}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("alone", func(b *testing.B) {
		for i := range b.N {
			run(i)
		}
	})
	b.Run("16 at once", func(b *testing.B) {
		b.SetParallelism(8)
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				run(i)
			}
		})
	})
}
