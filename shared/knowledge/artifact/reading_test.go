package artifact_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/fault/budget"
	"lectern/shared/knowledge/artifact"
)

// TestReadingMemory: many short paragraphs wait for memory also where they are few bytes,
// and ordinary text of as many bytes does not.
func TestReadingMemory(t *testing.T) {
	s, _ := open(t)
	s.Reading = budget.New(8 << 20)
	taken := s.Reading.Claim()
	defer taken.Release()
	if err := taken.Grow(t.Context(), 8<<20); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		unit  string
		waits bool
	}{
		{"A robin sings at dawn, and its nest lies in the ivy of the garden.\n\n", false},
		{"a\n\n", true},
		{"a\n", true},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		text := strings.Repeat(c.unit, 200<<10/len(c.unit))
		_, err := s.Ingest(ctx, &artifact.Body{Artifact: "a", Collection: "c", Input: &artifact.Input{Type: "text", Value: text}})
		cancel()
		if fault.Is(err, fault.RateLimited) != c.waits {
			t.Errorf("%d bytes of %q: %v; want it to wait: %t", len(text), c.unit, err, c.waits)
		}
	}
}

// TestWideTree stores a list of thousands of items and a table of as many rows, and shows
// them as they were read.
func TestWideTree(t *testing.T) {
	s, _ := open(t)
	text := "# Robins\n\n" + strings.Repeat("- sings\n", 3000) + "\n|a|b|\n|-|-|\n" + strings.Repeat("|c|d|\n", 3000) + "\nThe end.\n"
	for name, text := range map[string]string{"small": text, "large": text + strings.Repeat("A robin sings.\n\n", 100_000)} {
		b := body(name, text)
		b.Metadata = map[string]any{"file_name": "a.md"}
		if _, err := s.Ingest(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		want, err := s.ReadBytes(t.Context(), "a.md", "", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Stored(t.Context(), "c", name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %.500s", name, diff)
		}
	}
}
