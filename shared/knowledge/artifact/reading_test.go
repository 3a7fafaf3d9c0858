package artifact_test

import (
	"context"
	"strings"
	"testing"
	"time"

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
