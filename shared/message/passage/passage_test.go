package passage_test

import (
	"testing"

	"lectern/shared/message/passage"
)

// TestPages: a span is cited with the pages that it touches.
func TestPages(t *testing.T) {
	p := passage.Passage{Kind: passage.Document, Text: "one two three", Page: 4, Paged: true, Breaks: []passage.Break{{At: 4, Page: 5}, {At: 8, Page: 7}}}
	for _, tc := range []struct{ start, end, from, to int }{{0, 3, 4, 5}, {0, 4, 4, 5}, {0, 5, 4, 6}, {4, 7, 5, 6}, {5, 13, 5, 8}, {8, 13, 7, 8}, {8, 8, 7, 8}} {
		c := p.Cite(tc.start, tc.end)
		if c.Type != "page_location" || c.StartPage != tc.from || c.EndPage != tc.to || c.Page != tc.from || c.StartCharIndex != nil {
			t.Errorf("Cite(%d, %d) = %+v, want pages %d to %d", tc.start, tc.end, c, tc.from, tc.to)
		}
	}
	p.Paged = false
	if c := p.Cite(4, 7); c.Type != "char_location" || *c.StartCharIndex != 4 || c.StartPage != 0 {
		t.Errorf("a document without pages is cited as %+v", c)
	}
}
