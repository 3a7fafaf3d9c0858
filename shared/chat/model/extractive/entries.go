package extractive

import (
	"slices"
	"strings"
	"unicode"

	"lectern/shared/message/passage"
	"lectern/shared/text/plain"
	"lectern/shared/text/sentence"
)

// Manuals as plain text tell by indentation what belongs to what: a line with a term, such
// as an option, and deeper below it what is said of that.

// entries notes below which term each sentence stands.
func entries(list []*candidate, passages []passage.Passage) {
	var open []int // terms whose entries go on, the outermost first
	var depths []int
	for i, c := range list {
		if i == 0 || list[i-1].passage != c.passage {
			open, depths = nil, nil
		}
		text := passages[c.passage].Text
		depth, begins := indentAt(text, c.start)
		signature := c.item > 0 && begun(text, c.start) && strings.HasPrefix(c.text, "-") && len(c.text) <= titleBytes
		if begins = begins || signature; begins {
			for len(open) > 0 && depth <= depths[len(depths)-1] {
				open, depths = open[:len(open)-1], depths[:len(depths)-1]
			}
		}
		if c.term = -1; len(open) > 0 {
			c.term = open[len(open)-1]
		}
		if !begins || c.heading || c.row || c.code || !signature && (c.item > 0 || !titled(c.text)) || i+1 == len(list) ||
			list[i+1].passage != c.passage {
			continue
		}
		gap := text[c.end:list[i+1].start]
		below, _ := indentAt(text, list[i+1].start)
		if lines := strings.Count(gap, "\n"); (lines == 1 || signature && lines == 2) && below > depth+1 {
			c.title = true
			open, depths = append(open, i), append(depths, depth)
		}
	}
}

// headlines returns the levels of a passage's headings, by where they begin, where it is
// plain text.
func headlines(text string) map[int]int {
	if strings.HasPrefix(text, "#") || strings.Contains(text, "\n#") || strings.Contains(text, fence) {
		return nil
	}
	levels := map[int]int{}
	for _, h := range plain.Headings(text) {
		levels[h.Start] = h.Level
	}
	return levels
}

// withTerms notes with which sentences of an answer their terms are said: with the first
// of an entry.
func withTerms(chosen, list []*candidate) []*candidate {
	last := -1
	for _, c := range chosen {
		if c.term >= 0 && c.term != last && !slices.Contains(chosen, list[c.term]) {
			c.under = list[c.term].text
		}
		last = c.term
	}
	return chosen
}

// indentAt returns the indentation of the line of an offset, and whether nothing of the
// line stands before it. What begins a text counts as not indented.
func indentAt(text string, at int) (depth int, begins bool) {
	depth, rest := sentence.Indentation(text[strings.LastIndexByte(text[:at], '\n')+1 : at])
	return depth, rest == ""
}

// begun reports whether nothing but the marker of a list's item stands before an offset in
// its line.
func begun(text string, at int) bool {
	_, rest := sentence.Indentation(text[strings.LastIndexByte(text[:at], '\n')+1 : at])
	n := sentence.Bullet(rest)
	return n > 0 && strings.TrimSpace(rest[n:]) == ""
}

// titled reports whether a text may be a title, a term or a signature: short, without a
// mark at its end.
func titled(text string) bool {
	return len(text) <= titleBytes && !sentence.Marked(text) && !strings.ContainsRune(":;,", rune(text[len(text)-1]))
}

// hasTerm reports whether the term of an entry is what is looked for, or one of several
// such, as in "-r, --recursive=DIR".
func hasTerm(term, name string) bool {
	for _, one := range strings.Split(strings.ToLower(term), ",") {
		rest, ok := strings.CutPrefix(strings.TrimSpace(one), name)
		if ok && (rest == "" || !unicode.IsLetter(rune(rest[0])) && rest[0] != '-' && rest[0] != '_') {
			return true
		}
	}
	return false
}

// belowTerm reports whether a sentence opens the section whose heading is nothing but a
// term, in the singular or the plural.
func belowTerm(list []*candidate, at int, name string) bool {
	if at == 0 || !list[at-1].heading || list[at-1].passage != list[at].passage {
		return false
	}
	singular := func(s string) string {
		return strings.TrimSuffix(strings.Trim(strings.ToLower(s), "#*: \t0123456789."), "s")
	}
	return singular(list[at-1].text) == singular(name)
}

// isTerm reports whether a sentence is the term of what follows it.
func isTerm(list []*candidate, at int) bool { return at+1 < len(list) && list[at+1].term == at }
