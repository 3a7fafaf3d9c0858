package artifact_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/storage/object"
)

func originals(t *testing.T, s *artifact.Service) int {
	t.Helper()
	list, _, err := s.Objects.List(t.Context(), "originals/", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func original(t *testing.T, s *artifact.Service, name string) string {
	t.Helper()
	o, err := s.Original(t.Context(), "c", name)
	if err != nil {
		t.Fatal(err)
	}
	body := o.Open(t.Context())
	defer body.Close()
	raw, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestOriginal: the bytes of an ingest are kept as long as their document lives,
// and no longer.
func TestOriginal(t *testing.T) {
	s, _ := open(t)
	for _, text := range []string{"Robins\r\nsing.", "Robins sing\nin the morning.\n"} {
		if _, err := s.Ingest(t.Context(), body("a", text)); err != nil {
			t.Fatal(err)
		}
		if got := original(t, s, "a"); got != text || originals(t, s) != 1 {
			t.Errorf("the original is %q of %d, want %q alone", got, originals(t, s), text)
		}
	}
	limited := auth.With(t.Context(), auth.Principal{Collections: []string{"other"}})
	if _, err := s.Original(limited, "c", "a"); !fault.Is(err, fault.Forbidden) {
		t.Errorf("with a key of another collection: %v, want Forbidden", err)
	}
	if err := s.Delete(t.Context(), &artifact.DeleteBody{Collection: "c", Artifact: "a"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Original(t.Context(), "c", "a"); !fault.Is(err, fault.NotFound) || originals(t, s) != 0 {
		t.Errorf("after the deletion: %v and %d originals", err, originals(t, s))
	}
	if _, err := s.Ingest(t.Context(), body("b", " \t ")); err == nil || originals(t, s) != 0 {
		t.Errorf("a rejected ingest: %v, %d originals", err, originals(t, s))
	}
}

// TestOriginalsOff: nothing is kept; what was kept before stays with its document.
// A document without one gets it with the next ingest of the same bytes.
func TestOriginalsOff(t *testing.T) {
	s, ix := open(t)
	s.NoOriginals = true
	ingestAll(t, s, "a")
	if _, err := s.Original(t.Context(), "c", "a"); !fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), "not kept") {
		t.Errorf("without originals: %v", err)
	}
	s.NoOriginals = false
	ingestAll(t, s, "a")
	if got := original(t, s, "a"); got != "Robins of a sing." || ix.writes != 1 {
		t.Errorf("after the same ingest once more: %q, %d writes", got, ix.writes)
	}
	s.NoOriginals = true
	ingestAll(t, s, "a")
	if got := original(t, s, "a"); got != "Robins of a sing." {
		t.Errorf("switched off later: %q", got)
	}
}

// TestSweepOfOriginals: a sweep keeps the originals of documents that live, and
// frees those of dead ingests and of deletions.
func TestSweepOfOriginals(t *testing.T) {
	s, ix := open(t)
	ingestAll(t, s, "a", "b", "c")
	ix.before = func() error { panic("the process dies") }
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the process lives")
			}
		}()
		ingestAll(t, s, "d")
	}()
	if n := originals(t, s); n != 4 {
		t.Fatalf("%d originals before the sweep, want 4", n)
	}
	right := s.Objects
	s.Objects = undeletable{right}
	if err := s.Delete(t.Context(), &artifact.DeleteBody{Collection: "c", Artifact: "b"}); err != nil {
		t.Fatal(err)
	}
	s.Objects = right
	if err := s.Sweep(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if n := originals(t, s); n != 3 {
		t.Errorf("%d originals after a sweep of a running service, want 3: the ingest of d may be under way", n)
	}
	if err := s.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if n := originals(t, s); n != 2 || original(t, s, "a") != "Robins of a sing." || original(t, s, "c") != "Robins of c sing." {
		t.Errorf("%d originals after the sweep, want those of a and c", n)
	}
}

// undeletable is a store that keeps what is deleted.
type undeletable struct{ object.Store }

func (undeletable) Delete(context.Context, string) error { return errors.New("the store is down") }

func TestOriginalLink(t *testing.T) {
	s, _ := open(t)
	b := body("a", "Robins sing.")
	b.Metadata = map[string]any{"file_name": "notes/robins.md"}
	if _, err := s.Ingest(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	var asked object.PresignOptions
	s.Objects = signing{s.Objects, &asked}
	o, err := s.Original(t.Context(), "c", "a")
	if err != nil {
		t.Fatal(err)
	}
	if o.Name != "robins.md" || o.MediaType != "text/markdown; charset=utf-8" || o.Inline || o.Size != 12 {
		t.Errorf("Original = %+v", o)
	}
	want := object.PresignOptions{Expires: time.Hour, ContentType: o.MediaType, Disposition: "attachment"}
	if _, err := o.Link(t.Context(), "attachment"); err != nil || asked != want {
		t.Errorf("Link asked for %+v, %v; want %+v", asked, err, want)
	}
}

// signing is a store that signs.
type signing struct {
	object.Store
	asked *object.PresignOptions
}

func (s signing) Presign(_ context.Context, _, _ string, o object.PresignOptions) (object.Signed, error) {
	*s.asked = o
	return object.Signed{URL: "https://signed"}, nil
}
