package artifact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"unicode"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/fault/budget"
	"lectern/shared/knowledge/reader"
	"lectern/shared/storage/object"
	"lectern/shared/text/document"
)

// PlacesQuery names a span of the stored text of an artifact.
type PlacesQuery struct {
	Collection string `json:"collection" default:"vendor_collection" minlen:"1" maxlen:"255"`
	Artifact   string `json:"artifact" required:"true" minlen:"1" maxlen:"255"`
	Start      int    `json:"start" required:"true" min:"0" doc:"start_char_index of a citation, in UTF-16 units"`
	End        int    `json:"end" required:"true" min:"1" doc:"end_char_index of a citation, exclusive"`
}

// Places say where a span of the stored text stands in the original PDF.
type Places struct {
	Unit   string      `json:"unit" enum:"point"`
	Origin string      `json:"origin" enum:"lower_left" doc:"y grows upwards, in the coordinates of the page before it is rotated"`
	Pages  []PlacePage `json:"data" doc:"empty where the span cannot be found for certain"`
	Reason string      `json:"reason,omitempty" doc:"why there are no places"`
}

// PlacePage is a page with the parts of it that the span covers.
type PlacePage struct {
	Page     int     `json:"page" doc:"from 1"`
	Width    float64 `json:"width"`
	Height   float64 `json:"height"`
	Rotation int     `json:"rotation" doc:"by which viewers turn the page, clockwise, in degrees"`
	Rects    []Rect  `json:"rects" doc:"one for each line, or part of one"`
}

// Rect is a rectangle on a page.
type Rect struct {
	X0 float64 `json:"x0"`
	Y0 float64 `json:"y0"`
	X1 float64 `json:"x1"`
	Y1 float64 `json:"y1"`
}

const (
	maxPlacedPages = 20      // of a span
	maxOriginal    = 1 << 30 // bytes
	nearLetters    = 200     // around a span that tell it from its like
)

// Places returns where a span of the stored text stands in the original PDF, by its
// letters and digits: reading changes spaces, hyphens and marks, and no letter. An
// unknown artifact is NotFound, a span outside of the text Invalid.
func (s *Service) Places(ctx context.Context, q *PlacesQuery) (*Places, error) {
	if err := auth.Check(ctx, q.Collection); err != nil {
		return nil, err
	}
	live, err := s.Live(ctx, q.Collection, []string{q.Artifact})
	if err != nil {
		return nil, err
	}
	shown, ok := live[q.Artifact]
	if !ok {
		return nil, fault.New(fault.NotFound, "collection %q has no artifact %q", q.Collection, q.Artifact)
	}
	doc, err := s.stored(ctx, q.Collection, q.Artifact, shown.Generation)
	if err != nil {
		return nil, err
	}
	switch length := document.UTF16Len(doc.Text); {
	case q.End <= q.Start:
		return nil, fault.Field("value_error", "end should be greater than start", "query", "end")
	case q.End > length:
		return nil, fault.Field("less_than_equal", fmt.Sprintf("the stored text has %d UTF-16 units", length), "query", "end")
	}
	out := &Places{Unit: "point", Origin: "lower_left", Pages: []PlacePage{}}
	name, _ := shown.Doc.Metadata["file_name"].(string)
	placer := s.placer(name)
	if placer == nil {
		out.Reason = "the document has no pages with places: it is no PDF"
		return out, nil
	}
	start, end := document.ByteOffset(doc.Text, q.Start), document.ByteOffset(doc.Text, q.End)
	from, to := pagesOf(&doc.Root, start, end)
	if from == 0 || to-from >= maxPlacedPages {
		out.Reason = fmt.Sprintf("the span has no page, or goes over %d", maxPlacedPages)
		return out, nil
	}
	data, _, err := object.ReadAll(ctx, s.Objects, originalKey(q.Collection, q.Artifact, shown.Generation), maxOriginal)
	if fault.Is(err, fault.NotFound) || errors.Is(err, object.ErrDamaged) {
		out.Reason = "the original was not kept, or is lost; ingest it again"
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	claim := s.Reading.Claim()
	defer claim.Release()
	if err := claim.Grow(ctx, readingBytes(name, data)); err != nil {
		return nil, err
	}
	// What begins on a page may end on the next.
	pages, err := placer.Letters(budget.With(ctx, claim), data, from, to+1)
	if err != nil {
		return nil, err
	}
	if out.Pages, out.Reason = place(pages, doc.Text, start, end); out.Pages == nil {
		out.Pages = []PlacePage{}
	}
	return out, nil
}

func (s *Service) placer(name string) reader.Placer {
	for _, r := range s.Readers.ForName(name) {
		if p, ok := r.(reader.Placer); ok {
			return p
		}
	}
	return nil
}

// pagesOf returns the pages on which what stands at the start and the end of a span
// begins; 0 without pages.
func pagesOf(root *document.Node, start, end int) (from, to int) {
	root.Walk(func(n *document.Node) bool {
		if n.Page > 0 && n.Start <= start {
			from = max(from, n.Page)
		}
		if n.Page > 0 && n.Start < end {
			to = max(to, n.Page)
		}
		return true
	})
	return from, max(from, to)
}

// spot is a letter of the original.
type spot struct{ page, letter int }

// place finds a span of a text among the letters of pages. Where it stands more than
// once, what stands around it decides; without a decision there is no place.
func place(pages []reader.PageLetters, text string, start, end int) ([]PlacePage, string) {
	var all []rune
	var spots []spot
	for i := range pages {
		for k, l := range pages[i].Letters {
			if r, ok := letter(l.Rune); ok {
				all, spots = append(all, r), append(spots, spot{i, k})
			}
		}
	}
	want := letters(text[start:end])
	if len(want) == 0 {
		return nil, "the span has no letters or digits to look for"
	}
	before, after := lastLetters(text[:start]), firstLetters(text[end:])
	best, score, tied := -1, -1, false
	for at := range occurrences(all, want) {
		n := commonSuffix(all[:at], before) + commonPrefix(all[at+len(want):], after)
		switch {
		case n > score:
			best, score, tied = at, n, false
		case n == score:
			tied = true
		}
	}
	switch {
	case best < 0:
		return nil, "the words of the span do not stand in one run on its pages"
	case tied:
		return nil, "the words of the span stand on its pages more than once, and nothing tells which"
	}
	return rectangles(pages, spots[best:best+len(want)]), ""
}

// letter folds a character that counts.
func letter(r rune) (rune, bool) {
	if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
		return 0, false
	}
	return unicode.ToLower(r), true
}

func letters(s string) []rune {
	var out []rune
	for _, r := range s {
		if r, ok := letter(r); ok {
			out = append(out, r)
		}
	}
	return out
}

// lastLetters and firstLetters are those next to a span.
func lastLetters(s string) []rune {
	out := letters(s[max(0, len(s)-8*nearLetters):])
	return out[max(0, len(out)-nearLetters):]
}

func firstLetters(s string) []rune {
	out := letters(s[:min(len(s), 8*nearLetters)])
	return out[:min(len(out), nearLetters)]
}

// occurrences yields where want stands in all, in linear time.
func occurrences(all, want []rune) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		next := make([]int, len(want)) // of Knuth, Morris and Pratt
		for i, k := 1, 0; i < len(want); i++ {
			for k > 0 && want[i] != want[k] {
				k = next[k-1]
			}
			if want[i] == want[k] {
				k++
			}
			next[i] = k
		}
		k := 0
		for i, r := range all {
			for k > 0 && r != want[k] {
				k = next[k-1]
			}
			if r == want[k] {
				k++
			}
			if k == len(want) {
				if !yield(i + 1 - k) {
					return
				}
				k = next[k-1]
			}
		}
	}
}

func commonSuffix(a, b []rune) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

func commonPrefix(a, b []rune) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// rectangles joins letters that stand next to each other on a line.
func rectangles(pages []reader.PageLetters, spots []spot) []PlacePage {
	var out []PlacePage
	last := -1
	for _, at := range spots {
		p, l := &pages[at.page], pages[at.page].Letters[at.letter]
		box := Rect{round(l.X0), round(l.Y0), round(l.X1), round(l.Y1)}
		if at.page != last {
			out = append(out, PlacePage{Page: p.Number, Width: round(p.Width), Height: round(p.Height), Rotation: p.Rotation})
			last = at.page
		}
		rects := &out[len(out)-1].Rects
		if n := len(*rects); n > 0 && beside((*rects)[n-1], box) {
			r := &(*rects)[n-1]
			r.X0, r.Y0, r.X1, r.Y1 = min(r.X0, box.X0), min(r.Y0, box.Y0), max(r.X1, box.X1), max(r.Y1, box.Y1)
			continue
		}
		*rects = append(*rects, box)
	}
	return out
}

// beside reports whether a letter continues the line of a rectangle.
func beside(r, letter Rect) bool {
	height := min(r.Y1-r.Y0, letter.Y1-letter.Y0)
	overlap := min(r.Y1, letter.Y1) - max(r.Y0, letter.Y0)
	gap := max(letter.X0-r.X1, r.X0-letter.X1)
	return overlap > height/2 && gap < 2*height
}

func round(v float64) float64 { return math.Round(v*100) / 100 }
