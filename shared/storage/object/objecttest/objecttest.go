// Package objecttest is the suite that every driver of object passes.
package objecttest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
)

type suite struct{ store object.Store }

// Run holds a driver to the contract of object.Store. open returns a store,
// which may be shared with other runs: the suite uses keys of its own. The
// suite closes it.
func Run(t *testing.T, open func(t *testing.T) object.Store) { run(t, open) }

// RunLosing is Run for a store whose server does what it is asked, and whose
// first answers are lost. What a Put under IfAbsent tells is left out then, and the
// cases that the caller names.
func RunLosing(t *testing.T, open func(t *testing.T) object.Store, without ...string) {
	run(t, open, append(without, "IfAbsent", "OneWinner")...)
}

func run(t *testing.T, open func(t *testing.T) object.Store, without ...string) {
	store := open(t)
	s := &suite{store}
	for _, c := range []struct {
		name string
		run  func(*suite, *testing.T)
	}{
		{"OpenWhatWasPut", (*suite).openWhatWasPut},
		{"Ranges", (*suite).ranges},
		{"Replace", (*suite).replace},
		{"IfAbsent", (*suite).ifAbsent},
		{"OneWinner", (*suite).oneWinner},
		{"Delete", (*suite).delete},
		{"FailedBody", (*suite).failedBody},
		{"Sizes", (*suite).sizes},
		{"Snapshot", (*suite).snapshot},
		{"List", (*suite).list},
		{"Limits", (*suite).limits},
		{"Presign", (*suite).presign},
	} {
		if slices.Contains(without, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) { c.run(s, t) })
	}
	t.Run("Close", func(t *testing.T) {
		if err := store.Close(); err != nil {
			t.Fatalf("Close() = %v", err)
		}
		if _, err := store.Head(t.Context(), "a"); !fault.Is(err, fault.Unavailable) {
			t.Errorf("Head after Close = %v, want Unavailable", err)
		}
	})
}

func prefix(t *testing.T) string {
	name := t.Name()[strings.LastIndexByte(t.Name(), '/')+1:]
	return "test/" + strings.ReplaceAll(name, "#", "-") + "/" + rand.Text() + "/"
}

// content makes n bytes that differ at every offset.
func content(n int, seed byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i) ^ byte(i>>8)*7 ^ byte(i>>16)*31 ^ seed
	}
	return b
}

func (s *suite) put(t *testing.T, key string, body []byte, o object.PutOptions) object.Info {
	t.Helper()
	o.Size = int64(len(body))
	info, err := s.store.Put(t.Context(), key, bytes.NewReader(body), o)
	if err != nil {
		t.Fatalf("Put(%q) = %v", key, err)
	}
	return info
}

func (s *suite) read(t *testing.T, key string, offset, length int64) []byte {
	t.Helper()
	r, _, err := s.store.Open(t.Context(), key, offset, length)
	if err != nil {
		t.Fatalf("Open(%q, %d, %d) = %v", key, offset, length, err)
	}
	defer r.Close()
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("reading %q = %v", key, err)
	}
	return body
}

func (s *suite) absent(t *testing.T, key string) {
	t.Helper()
	if _, err := s.store.Head(t.Context(), key); !fault.Is(err, fault.NotFound) {
		t.Fatalf("Head(%q) = %v, want NotFound", key, err)
	}
	if _, _, err := s.store.Open(t.Context(), key, 0, -1); !fault.Is(err, fault.NotFound) {
		t.Fatalf("Open(%q) = %v, want NotFound", key, err)
	}
}

// sizesAround are lengths on both sides of the limits at which drivers store
// bodies differently.
func sizesAround() []int { return []int{0, 1, 4095, 64<<10 - 1, 64 << 10, 64<<10 + 1, 300_000} }

func (s *suite) openWhatWasPut(t *testing.T) {
	p := prefix(t)
	s.absent(t, p+"none")
	for _, n := range sizesAround() {
		key := fmt.Sprint(p, n)
		body := content(n, 1)
		before := time.Now().Add(-5 * time.Minute)
		put := s.put(t, key, body, object.PutOptions{ContentType: "text/plain; charset=utf-8"})
		if put.Modified.Before(before) || put.Modified.After(time.Now().Add(5*time.Minute)) || put.Modified.Nanosecond() != 0 ||
			put.Modified.Location() != time.UTC {
			t.Errorf("Put(%d bytes).Modified = %v, want whole seconds in UTC around now", n, put.Modified)
		}
		if len(put.ETag) < 3 || put.ETag[0] != '"' || put.ETag[len(put.ETag)-1] != '"' {
			t.Errorf("Put(%d bytes).ETag = %s, want it quoted", n, put.ETag)
		}
		want := object.Info{Key: key, Size: int64(n), ContentType: "text/plain; charset=utf-8", ETag: put.ETag, Modified: put.Modified}
		head, err := s.store.Head(t.Context(), key)
		if err != nil {
			t.Fatalf("Head = %v", err)
		}
		r, opened, err := s.store.Open(t.Context(), key, 0, -1)
		if err != nil {
			t.Fatalf("Open = %v", err)
		}
		got, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			t.Fatalf("reading = %v", err)
		}
		if !bytes.Equal(got, body) {
			t.Errorf("Open(%d bytes) read %d other bytes", n, len(got))
		}
		put.Modified, head.Modified = opened.Modified, opened.Modified
		want.Modified = opened.Modified
		for name, info := range map[string]object.Info{"Put": put, "Head": head, "Open": opened} {
			if diff := cmp.Diff(want, info); diff != "" {
				t.Errorf("%s of %d bytes: -want +got\n%s", name, n, diff)
			}
		}
	}
	info := s.put(t, p+"plain", []byte("x"), object.PutOptions{})
	if info.ContentType != "application/octet-stream" {
		t.Errorf("Put without options = %+v, want application/octet-stream", info)
	}
	if data, _, err := object.ReadAll(t.Context(), s.store, p+"plain", 1); string(data) != "x" || err != nil {
		t.Errorf("ReadAll = %q, %v", data, err)
	}
	if _, _, err := object.ReadAll(t.Context(), s.store, p+"plain", 0); !fault.Is(err, fault.TooLarge) {
		t.Errorf("ReadAll over its limit = %v, want TooLarge", err)
	}
}

func (s *suite) ranges(t *testing.T) {
	p := prefix(t)
	for _, n := range []int{0, 10, 100_000} {
		key := fmt.Sprint(p, n)
		body := content(n, 2)
		s.put(t, key, body, object.PutOptions{})
		for _, offset := range []int{0, 1, 9, 10, 11, 99_999, 100_000, 200_000} {
			for _, length := range []int{-1, 0, 1, 9, 10, 11, 65_536, 1_000_000} {
				from := min(offset, n)
				to := n
				if length >= 0 {
					to = min(n, from+length)
				}
				if got := s.read(t, key, int64(offset), int64(length)); !bytes.Equal(got, body[from:to]) {
					t.Errorf("Open(%d bytes, %d, %d) read %d bytes, want %d", n, offset, length, len(got), to-from)
				}
			}
		}
	}
	for _, r := range [][2]int64{{-1, -1}, {0, -2}} {
		if _, _, err := s.store.Open(t.Context(), p+"10", r[0], r[1]); !fault.Is(err, fault.Invalid) {
			t.Errorf("Open(%d, %d) = %v, want Invalid", r[0], r[1], err)
		}
	}
}

func (s *suite) replace(t *testing.T) {
	p := prefix(t)
	for i, from := range sizesAround() {
		for j, to := range sizesAround() {
			key := fmt.Sprintf("%s%d-%d", p, from, to)
			a := s.put(t, key, content(from, byte(i)), object.PutOptions{})
			b := s.put(t, key, content(to, 100+byte(j)), object.PutOptions{})
			if (a.ETag == b.ETag) != (from == 0 && to == 0) {
				t.Errorf("ETags %s of %d bytes and %s of %d others", a.ETag, from, b.ETag, to)
			}
			if got := s.read(t, key, 0, -1); !bytes.Equal(got, content(to, 100+byte(j))) {
				t.Errorf("after replacing %d by %d bytes, %d others are read", from, to, len(got))
			}
			if info, err := s.store.Head(t.Context(), key); err != nil || info.Size != int64(to) {
				t.Errorf("Head after replacing = %+v, %v", info, err)
			}
		}
	}
}

func (s *suite) ifAbsent(t *testing.T) {
	p := prefix(t)
	for _, n := range []int{0, 10, 100_000} {
		key := fmt.Sprint(p, n)
		s.put(t, key, content(n, 1), object.PutOptions{IfAbsent: true})
		_, err := s.store.Put(t.Context(), key, bytes.NewReader(content(n+1, 2)), object.PutOptions{IfAbsent: true, Size: -1})
		if !fault.Is(err, fault.Conflict) {
			t.Errorf("Put of a present key under IfAbsent = %v, want Conflict", err)
		}
		if got := s.read(t, key, 0, -1); !bytes.Equal(got, content(n, 1)) {
			t.Errorf("a refused Put changed the object")
		}
		if err := s.store.Delete(t.Context(), key); err != nil {
			t.Fatalf("Delete = %v", err)
		}
		s.put(t, key, content(n, 3), object.PutOptions{IfAbsent: true})
	}
}

func (s *suite) oneWinner(t *testing.T) {
	for _, n := range []int{10, 100_000} {
		key := prefix(t) + "a"
		var won atomic.Int32
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				_, err := s.store.Put(t.Context(), key, bytes.NewReader(content(n, byte(i))), object.PutOptions{IfAbsent: true, Size: int64(n)})
				if err == nil {
					won.Store(int32(i) + 1)
				} else if !fault.Is(err, fault.Conflict) {
					t.Errorf("Put = %v, want Conflict", err)
				}
			})
		}
		wg.Wait()
		winner := won.Load()
		if winner == 0 || !bytes.Equal(s.read(t, key, 0, -1), content(n, byte(winner-1))) {
			t.Errorf("after 8 concurrent Puts under IfAbsent, the object is not that of the last winner %d", winner)
		}
	}
	// Plain Puts: any may win, none may mix.
	key := prefix(t) + "b"
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			n := 10 + i%2*100_000
			if _, err := s.store.Put(t.Context(), key, bytes.NewReader(bytes.Repeat([]byte{byte(i)}, n)),
				object.PutOptions{Size: int64(n)}); err != nil {
				t.Errorf("Put = %v", err)
			}
		})
	}
	wg.Wait()
	got := s.read(t, key, 0, -1)
	if n := 10 + int(got[0])%2*100_000; !bytes.Equal(got, bytes.Repeat(got[:1], n)) {
		t.Errorf("concurrent Puts left a mix of %d bytes", len(got))
	}
}

func (s *suite) delete(t *testing.T) {
	p := prefix(t)
	if err := s.store.Delete(t.Context(), p+"none"); err != nil {
		t.Errorf("Delete of the absent = %v", err)
	}
	for _, n := range []int{0, 10, 100_000} {
		key := fmt.Sprint(p, n)
		s.put(t, key, content(n, 1), object.PutOptions{})
		if err := s.store.Delete(t.Context(), key); err != nil {
			t.Errorf("Delete = %v", err)
		}
		s.absent(t, key)
		s.put(t, key, content(7, 1), object.PutOptions{})
		if got := s.read(t, key, 0, -1); !bytes.Equal(got, content(7, 1)) {
			t.Errorf("a key used again reads %d bytes, want 7", len(got))
		}
	}
}

func (s *suite) failedBody(t *testing.T) {
	p := prefix(t)
	broken := errors.New("the client went away")
	for _, n := range []int{0, 10, 100_000} {
		for _, size := range []int64{-1, int64(n) + 5} {
			key := fmt.Sprint(p, n, "/", size)
			body := io.MultiReader(bytes.NewReader(content(n, 1)), iotest.ErrReader(broken))
			if _, err := s.store.Put(t.Context(), key, body, object.PutOptions{Size: size}); !errors.Is(err, broken) {
				t.Errorf("Put of a body that breaks after %d bytes = %v, want its error", n, err)
			}
			s.absent(t, key)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.store.Put(ctx, p+"late", strings.NewReader("x"), object.PutOptions{Size: 1}); !fault.Is(err, fault.Cancelled) {
		t.Errorf("Put under a cancelled context = %v, want Cancelled", err)
	}
	s.absent(t, p+"late")
}

func (s *suite) sizes(t *testing.T) {
	p := prefix(t)
	for _, n := range sizesAround() {
		key := fmt.Sprint(p, n)
		if info, err := s.store.Put(t.Context(), key, iotest.HalfReader(bytes.NewReader(content(n, 1))),
			object.PutOptions{Size: -1}); err != nil || info.Size != int64(n) {
			t.Errorf("Put of unknown size = %+v, %v, want %d bytes", info, err, n)
		}
		if got := s.read(t, key, 0, -1); !bytes.Equal(got, content(n, 1)) {
			t.Errorf("a body of unknown size reads %d bytes, want %d", len(got), n)
		}
		for _, stated := range []int64{int64(n) - 1, int64(n) + 1} {
			if stated < 0 {
				continue
			}
			wrong := fmt.Sprint(key, "-", stated)
			_, err := s.store.Put(t.Context(), wrong, bytes.NewReader(content(n, 1)), object.PutOptions{Size: stated})
			if !fault.Is(err, fault.Invalid) {
				t.Errorf("Put of %d bytes stated as %d = %v, want Invalid", n, stated, err)
			}
			s.absent(t, wrong)
		}
	}
}

// snapshot checks that an open body is not touched by later changes.
func (s *suite) snapshot(t *testing.T) {
	p := prefix(t)
	for _, n := range []int{10, 2_000_000} {
		key := fmt.Sprint(p, n)
		want := content(n, 1)
		s.put(t, key, want, object.PutOptions{})
		r, _, err := s.store.Open(t.Context(), key, 0, -1)
		if err != nil {
			t.Fatalf("Open = %v", err)
		}
		first := make([]byte, 5)
		_, err = io.ReadFull(r, first)
		s.put(t, key, content(n, 9), object.PutOptions{})
		if err2 := s.store.Delete(t.Context(), key); err != nil || err2 != nil {
			t.Fatalf("reading = %v, Delete = %v", err, err2)
		}
		rest, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(append(first, rest...), want) {
			t.Errorf("an open body of %d bytes changed under a Put and a Delete: %v", n, err)
		}
		if err := r.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	}
}

func (s *suite) list(t *testing.T) {
	p := prefix(t)
	names := []string{"A", "a-1", "a.b", "a/1", "a/2", "a/20", "a/3", "a0", "b/c/d", "z_"}
	slices.Sort(names)
	for i, name := range slices.Backward(names) {
		s.put(t, p+name, content(i*20_000, 1), object.PutOptions{})
	}
	s.put(t, p+"gone", nil, object.PutOptions{})
	if err := s.store.Delete(t.Context(), p+"gone"); err != nil {
		t.Fatalf("Delete = %v", err)
	}
	for _, sub := range []string{"", "a", "a/", "a/2", "b", "none"} {
		for _, after := range append([]string{""}, names...) {
			for _, limit := range []int{0, 1, 2, 3, 5000} {
				s.oneList(t, p, names, sub, after, limit)
			}
		}
	}
	if _, _, err := s.store.List(t.Context(), p, "", -1); !fault.Is(err, fault.Invalid) {
		t.Errorf("List with limit -1 = %v, want Invalid", err)
	}
}

func (s *suite) oneList(t *testing.T, p string, names []string, sub, after string, limit int) {
	t.Helper()
	var want, got []string
	for _, name := range names {
		if strings.HasPrefix(name, sub) && name > after {
			want = append(want, p+name)
		}
	}
	cursor := ""
	if after != "" {
		cursor = p + after
	}
	for {
		infos, next, err := s.store.List(t.Context(), p+sub, cursor, limit)
		if err != nil {
			t.Fatalf("List = %v", err)
		}
		if limit > 0 && len(infos) > limit {
			t.Fatalf("List gave %d objects, want at most %d", len(infos), limit)
		}
		for _, info := range infos {
			got = append(got, info.Key)
			if i := slices.Index(names, strings.TrimPrefix(info.Key, p)); info.Size != int64(i*20_000) || info.ETag == "" ||
				info.Modified.IsZero() {
				t.Fatalf("List gave %+v", info)
			}
		}
		if next == "" {
			break
		}
		cursor = next
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("List(%q, after %q, %d): -want +got\n%s", sub, after, limit, diff)
	}
}

func (s *suite) limits(t *testing.T) {
	p := prefix(t)
	// Names of files end at 255 bytes, keys do not.
	long := strings.Repeat("a", 255) + "/"
	longest := (p + long + strings.Repeat("b", object.MaxKeyBytes))[:object.MaxKeyBytes]
	s.put(t, longest, []byte("x"), object.PutOptions{})
	s.put(t, longest[:len(longest)-1], content(100_000, 1), object.PutOptions{})
	if got := s.read(t, longest, 0, -1); string(got) != "x" {
		t.Errorf("the longest key reads %q", got)
	}
	if got := s.read(t, longest[:len(longest)-1], 0, -1); len(got) != 100_000 {
		t.Errorf("the longest key but one reads %d bytes", len(got))
	}
	// Keys that a case-folding or name-cleaning store would confuse.
	odd := []string{"k", "K", "k.", "k..", ".k", "..k", "-k", "_k", "k-", "x/k", "x/K"}
	for _, k := range odd {
		s.put(t, p+k, []byte(k), object.PutOptions{})
	}
	for _, k := range odd {
		if got := s.read(t, p+k, 0, -1); string(got) != k {
			t.Errorf("Open(%q) = %q", k, got)
		}
	}
	for _, key := range []string{"", "a b", "ü", "a\x00b", longest + "x", "a:b", "/a", "a/", "a//b", "a/./b", "../a",
		strings.Repeat("a", 256)} {
		if _, err := s.store.Put(t.Context(), key, strings.NewReader(""), object.PutOptions{}); !fault.Is(err, fault.Invalid) {
			t.Errorf("Put(%q) = %v, want Invalid", key, err)
		}
		if _, err := s.store.Head(t.Context(), key); !fault.Is(err, fault.Invalid) {
			t.Errorf("Head(%q) = %v, want Invalid", key, err)
		}
		if err := s.store.Delete(t.Context(), key); !fault.Is(err, fault.Invalid) {
			t.Errorf("Delete(%q) = %v, want Invalid", key, err)
		}
	}
}

// presign sends signed requests when the driver's server answers them.
func (s *suite) presign(t *testing.T) {
	p := prefix(t)
	for _, bad := range []struct {
		method string
		o      object.PresignOptions
	}{
		{"POST", object.PresignOptions{Expires: time.Hour}},
		{"GET", object.PresignOptions{}},
		{"GET", object.PresignOptions{Expires: 8 * 24 * time.Hour}},
		{"PUT", object.PresignOptions{Expires: time.Hour, Size: -1}},
		{"PUT", object.PresignOptions{Expires: time.Hour, ContentType: "text/plain"}},
		{"GET", object.PresignOptions{Expires: time.Hour, Disposition: "attachment\nx"}},
	} {
		if _, err := s.store.Presign(t.Context(), bad.method, p+"a", bad.o); !fault.Is(err, fault.Invalid) {
			t.Errorf("Presign(%s, %+v) = %v, want Invalid", bad.method, bad.o, err)
		}
	}
	put, err := s.store.Presign(t.Context(), "PUT", p+"a", object.PresignOptions{Expires: time.Hour, Size: 5})
	if fault.Is(err, fault.Unsupported) {
		t.Skip("the driver has no signer")
	}
	if err != nil {
		t.Fatalf("Presign = %v", err)
	}
	if status, _ := send(t, put, "longer"); status < 400 {
		t.Errorf("a signed PUT took a body of another length")
	}
	s.absent(t, p+"a")
	if status, _ := send(t, put, "hello"); status != http.StatusOK {
		t.Fatalf("the signed PUT answered %d", status)
	}
	if info, err := s.store.Head(t.Context(), p+"a"); err != nil || info.Size != 5 {
		t.Errorf("Head after the signed PUT = %+v, %v", info, err)
	}
	get, err := s.store.Presign(t.Context(), "GET", p+"a", object.PresignOptions{Expires: time.Hour})
	if err != nil {
		t.Fatalf("Presign = %v", err)
	}
	if status, _ := send(t, get, ""); status != http.StatusOK {
		t.Errorf("the signed GET answered %d", status)
	}
	named, err := s.store.Presign(t.Context(), "GET", p+"a", object.PresignOptions{Expires: time.Hour, ContentType: "application/pdf",
		Disposition: `inline; filename="a b.pdf"`})
	if err != nil {
		t.Fatalf("Presign = %v", err)
	}
	if status, h := send(t, named, ""); status != http.StatusOK || h.Get("Content-Type") != "application/pdf" ||
		h.Get("Content-Disposition") != `inline; filename="a b.pdf"` {
		t.Errorf("the signed GET with headers answered %d %v", status, h)
	}
}

func send(t *testing.T, s object.Signed, body string) (int, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), s.Method, s.URL, strings.NewReader(body))
	if err != nil {
		t.Fatalf("the signed request = %v", err)
	}
	for name, value := range s.Headers {
		if strings.EqualFold(name, "Content-Length") {
			continue
		}
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s = %v", s.Method, err)
	}
	defer res.Body.Close()
	return res.StatusCode, res.Header
}
