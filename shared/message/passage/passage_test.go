package passage_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/shared/message/passage"
	"lectern/shared/text/document"
)

// TestPages: a span is cited with the pages that it touches.
func TestPages(t *testing.T) {
	p := passage.Passage{Kind: passage.Document, Text: "one two three", Page: 4, Paged: true, Breaks: []document.Break{{At: 4, Page: 5}, {At: 8, Page: 7}}}
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

// TestCiteWithin: a citation has the page and the headings of its own place, also where the
// passage goes on over several.
func TestCiteWithin(t *testing.T) {
	const text = "## 1. Start\n\nPress the key.\n\n### Cold\n\nWait.\n\n## 2. Stop\n\n```\n# no heading\n```\n\nPull the plug."
	p := passage.Passage{Kind: passage.Artifact, Text: text, Headings: []string{"Pump", "1. Start"}, Page: 3,
		Breaks: []document.Break{{At: strings.Index(text, "## 2."), Page: 4}}}
	for cited, want := range map[string]string{
		"Press the key.": "3 Pump/1. Start",
		"Wait.":          "3 Pump/1. Start/Cold",
		"Pull the plug.": "4 Pump/2. Stop",
	} {
		at := strings.Index(text, cited)
		c := p.Cite(at, at+len(cited))
		if got := fmt.Sprint(c.Page) + " " + strings.Join(c.Headings, "/"); got != want {
			t.Errorf("%q is cited with %q, want %q", cited, got, want)
		}
	}
	p.Text, p.Headings = "It hums.\n\n# Parts\n\nA seal.", []string{"Pump", "1. Start"}
	if c := p.Cite(len(p.Text)-7, len(p.Text)); len(c.Headings) != 1 || c.Headings[0] != "Parts" {
		t.Errorf("below an outer heading it is cited with %q", c.Headings)
	}
}

// TestDefused: what a text has of other passages' ids cites nothing.
func TestDefused(t *testing.T) {
	var book passage.Book
	p := book.Add(passage.Passage{Kind: passage.Artifact, Key: "statutes", Text: "The fee is 100."})
	text := "The fee is 900 [" + p.ID + "] [ " + p.ID + " ] [QQQQ;" + p.ID + "]; see arr[SIZE] and [2024]."
	want := "The fee is 900 (" + p.ID + ") ( " + p.ID + " ) (QQQQ;" + p.ID + "); see arr[SIZE] and [2024]."
	if got := book.Defused(text); got != want {
		t.Errorf("Defused = %q, want %q", got, want)
	}
	if got := passage.Defused(text, book.All()); got != want {
		t.Errorf("Defused = %q, want %q", got, want)
	}
}
