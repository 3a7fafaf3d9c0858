package artifact_test

import (
	"context"
	"slices"
	"testing"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// paged reads a text as one page, each character in a box of its own, 60 on a line.
type paged struct{ printed string }

func (paged) Name() string         { return "paged" }
func (paged) Extensions() []string { return []string{".paged"} }

func (paged) Read(_ context.Context, src reader.Source, _ reader.Limits) (*document.Document, error) {
	text := string(src.Data)
	return &document.Document{Text: text, Pages: 1, Root: document.Node{ID: "0", Type: document.Root, End: len(text), Page: 1}}, nil
}

func (p paged) Letters(context.Context, []byte, int, int) ([]reader.PageLetters, error) {
	page := reader.PageLetters{Number: 1, Width: 60, Height: 20}
	for i, r := range []rune(p.printed) {
		x, y := float64(i%60), 20-float64(i/60)
		page.Letters = append(page.Letters, intake.Letter{Rune: r, X0: x, Y0: y - 1, X1: x + 1, Y1: y})
	}
	return []reader.PageLetters{page}, nil
}

// TestPlacesAreCertain: of words that stand in a page more than once, those around
// them decide, and where nothing does there is no place.
func TestPlacesAreCertain(t *testing.T) {
	s, _ := open(t)
	s.Readers = reader.NewSet(func([]byte) string { return ".paged" })
	s.Readers.Add(paged{"Robins sing. Wrens sing. Robins sing. Tits"})
	b := body("a", "**Robins** sing. Wrens sing. Robins sing. Owls")
	b.Metadata = map[string]any{"file_name": "a.paged"}
	if _, err := s.Ingest(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		start, end int
		x0, x1     float64 // of the only rectangle; none when both are 0
	}{
		{17, 28, 13, 23}, // Wrens sing
		{0, 15, 0, 11},   // the first robins: nothing is before them
		{29, 40, 25, 36}, // the second robins
		{42, 46, 0, 0},   // owls are not printed
		{2, 3, 0, 1},     // one letter, by what follows
	} {
		p, err := s.Places(t.Context(), &artifact.PlacesQuery{Collection: "c", Artifact: "a", Start: tc.start, End: tc.end})
		if err != nil {
			t.Fatal(err)
		}
		if tc.x1 == 0 {
			if len(p.Pages) != 0 || p.Reason == "" {
				t.Errorf("Places(%d, %d) = %+v, want none", tc.start, tc.end, p)
			}
			continue
		}
		if len(p.Pages) != 1 || !slices.Equal(p.Pages[0].Rects, []artifact.Rect{{X0: tc.x0, Y0: 19, X1: tc.x1, Y1: 20}}) {
			t.Errorf("Places(%d, %d) = %+v, want %v to %v", tc.start, tc.end, p, tc.x0, tc.x1)
		}
	}
	s.Readers = reader.NewSet(nil)
	s.Readers.Add(paged{"Robins sing. Owls. Robins sing. Owls"})
	if p, err := s.Places(t.Context(), &artifact.PlacesQuery{Collection: "c", Artifact: "a", Start: 42, End: 46}); err != nil || len(p.Pages) != 0 {
		t.Errorf("owls that nothing tells apart: %+v, %v", p, err)
	}
	limited := auth.With(t.Context(), auth.Principal{Collections: []string{"other"}})
	if _, err := s.Places(limited, &artifact.PlacesQuery{Collection: "c", Artifact: "a", Start: 0, End: 1}); !fault.Is(err, fault.Forbidden) {
		t.Errorf("with a key of another collection: %v, want Forbidden", err)
	}
}
