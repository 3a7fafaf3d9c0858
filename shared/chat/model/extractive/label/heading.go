package label

import (
	"strings"

	"lectern/shared/text/document"
)

// Over returns those of the headings of a passage, outermost first, that are above all of its text: not the last, where the
// text begins with it and holds another section besides.
func Over(text string, headings []string) []string {
	last := len(headings) - 1
	first, rest, _ := strings.Cut(text, "\n")
	level := document.HeadingLevel(first)
	if last < 0 || level == 0 || unmarked(first) != unmarked(headings[last]) {
		return headings
	}
	for line := range strings.Lines(rest) {
		if l := document.HeadingLevel(line); l > 0 && l <= level {
			return headings[:last]
		}
	}
	return headings
}

// unmarked returns a heading without its marks.
func unmarked(heading string) string {
	return strings.Trim(strings.ReplaceAll(heading, "`", ""), "#* \r")
}
