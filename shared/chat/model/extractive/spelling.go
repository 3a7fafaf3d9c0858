package extractive

import (
	"slices"
	"strings"
)

// matches returns how well a sentence matches each question word, by stem or by
// spelling.
func matches(c candidate, q question, unknown []bool) []float64 {
	hits := make([]float64, len(q.stems))
	for k, stem := range q.stems {
		if slices.Contains(c.stems, stem) || bounds(q.words[k], c.text) {
			hits[k] = 1
			continue
		}
		for _, w := range c.parsed {
			if q.bent && bent(q.words[k], w.Text) {
				hits[k] = bentShare
			}
		}
		if !unknown[k] {
			continue // the material has its exact spelling
		}
		for _, w := range c.parsed {
			if len(stem) >= partLetters && strings.Contains(w.Text, stem) {
				hits[k] = max(hits[k], partShare) // of a compound
			}
			if s := likeness(q.words[k], w.Text); s > hits[k] {
				hits[k] = s
			}
		}
	}
	return hits
}

// Words for bounds that a question calls a maximum or a minimum.
var (
	atMost  = form(`(?i)\b(?:at most|up to|no more than|not more than|not exceed|no longer than|cannot be more|upper (?:bound|limit))\b`)
	atLeast = form(`(?i)\b(?:at least|no (?:fewer|less|shorter) than|not less than|lower (?:bound|limit))\b`)
)

// bounds reports whether a text says in other words that it gives a maximum or a minimum.
func bounds(word, text string) bool {
	switch word {
	case "maximum", "max":
		return matchesForm(atMost, text)
	case "minimum", "min":
		return matchesForm(atLeast, text)
	}
	return false
}

// bent reports whether two words are the same but for their endings.
func bent(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= bentLetters && len(a)-n <= bentEnding && len(b)-n <= bentEnding
}

// likeness returns the similarity of two spellings, 0 unless at most one in four
// letters is wrong, missing, added or swapped.
func likeness(a, b string) float64 {
	if len(a) < 4 || len(b) < 4 {
		return 0
	}
	most := max(len(a), len(b)) / 4
	d := distance(a, b, most)
	if d > most {
		return 0
	}
	return .9 - .1*float64(d)
}

// distance returns the edit distance of two words, counting a swap of neighbours as
// one edit. A result above most is only a lower bound.
func distance(a, b string, most int) int {
	const longest = 32
	if len(a)-len(b) > most || len(b)-len(a) > most || len(a) > longest || len(b) > longest {
		return most + 1
	}
	var rows [3][longest + 1]int
	before, last, now := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
			least = min(least, now[j])
		}
		if least > most {
			return most + 1
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
