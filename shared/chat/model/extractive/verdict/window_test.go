package verdict_test

import (
	"slices"
	"strings"
	"testing"

	"lectern/shared/chat/model/extractive/verdict"
	"lectern/shared/knowledge/embedding"
)

// TestWindows: a sentence is judged with the nearest ones of its passage, below what they stand below, and no sentence twice.
func TestWindows(t *testing.T) {
	long := strings.Repeat("word ", 60)
	lines := []verdict.Line{
		{Text: "Boats", Under: "Boats", Heading: true, Above: -1},
		{Text: "Boats are let by the hour.", Of: "Guide", Under: "Boats", Above: -1},
		{Text: "Pay at the hut.", Of: "Guide", Under: "Boats", Above: -1},
		{Text: "| Boat | Price |", Of: "Guide", Under: "Prices", Above: -1, Heading: true},
		{Text: "| Canoe | 8 |", Of: "Guide", Under: "Prices", Above: 3},
		{Text: "| Punt | 12 |", Of: "Guide", Under: "Prices", Above: 3},
		{Text: "In another passage.", Passage: 1, Above: -1},
		{Text: long, Passage: 1, Above: 6},
		{Text: long, Passage: 1, Above: 6},
	}
	windows, inside := verdict.Windows(lines, []int{5, 4, 0, 8, 6}, 9)
	want := []embedding.Window{{
		{Lead: "Guide: Boats: ", Text: "Boats are let by the hour."}, {Text: "Pay at the hut."},
		{Lead: "Prices: | Boat | Price |\n", Text: "| Canoe | 8 |"}, {Text: "| Punt | 12 |"},
	}, {{Lead: "In another passage.\n", Text: long}}, {{Text: "In another passage."}, {Text: long}}}
	if !slices.EqualFunc(windows, want, slices.Equal) {
		t.Errorf("windows are %q, want %q", windows, want)
	}
	if want := [][]int{{1, 2, 4, 5}, {8}, {6, 7}}; !slices.EqualFunc(inside, want, slices.Equal) {
		t.Errorf("of the lines %v, want %v", inside, want)
	}
	if again, _ := verdict.Windows(lines, []int{1, 2, 4, 5, 8, 6, 7}, 9); again != nil {
		t.Errorf("judged again are %q", again)
	}
	fresh := slices.Clone(lines[:0])
	for _, l := range []string{"One.", "Two.", "Three."} {
		fresh = append(fresh, verdict.Line{Text: l, Passage: len(fresh), Above: -1})
	}
	if windows, _ := verdict.Windows(fresh, []int{2, 0, 1}, 2); len(windows) != 2 || windows[0][0].Text != "Three." || windows[1][0].Text != "One." {
		t.Errorf("of two windows at most: %q", windows)
	}
}
