package plainsql

import (
	"slices"
	"strings"
)

// mention is a field that a word speaks of, and how well.
type mention struct {
	f     *field
	words int
	worth int
}

// mentioned returns the field that the words at i speak of best; none if two do alike.
func (r *reading) mentioned(i int) mention {
	var best mention
	twice := false
	for k := range r.fields {
		m := r.speaks(&r.fields[k], i)
		switch {
		case m.worth > best.worth:
			best, twice = m, false
		case m.worth > 0 && m.worth == best.worth && m.worth == byUnit && m.f.planned() != best.f.planned():
			if best.f.planned() { // tonnes are those that there are
				best = m
			}
		case m.worth > 0 && m.worth == best.worth:
			told, before := r.spoken(m.f), r.spoken(best.f)
			if told == before && r.is(i-1, "many", "viele") && m.f.additive() != best.f.additive() {
				told, before = 0, 1
				if m.f.additive() {
					told = 2
				}
			}
			if twice = told == before; told > before {
				best = m
			}
		}
	}
	refers := best.f != nil && best.f.refers && best.words == 1
	if (best.worth < byHead || refers) && r.second != nil && among(r.belong, r.tokens[i].low) {
		return mention{r.second, 1, byHead}
	}
	if twice {
		return mention{}
	}
	return best
}

// compounds reports whether a word is a compound with a part: an invoice is not one with a voice.
func compounds(word, part string) bool {
	at := strings.Index(word, part)
	return at == 0 || at >= leastPrefix
}

const leastPrefix = 3 // letters before a part of a compound

// bareOf returns a word without the syllable that denies it: "active" of "inactive"; the word itself without.
func bareOf(word string) string {
	for _, prefix := range []string{"un", "in", "non", "dis", "im"} {
		if bare, ok := strings.CutPrefix(word, prefix); ok && len(bare) >= leastPart {
			return bare
		}
	}
	return word
}

// spoken returns how many words of a field's name the question has: a year, what is done.
func (r *reading) spoken(f *field) int {
	n := 0
	for _, w := range f.words {
		if slices.ContainsFunc(r.tokens, func(t token) bool { return t.text == w || t.kind == wordToken && same(w, t.low) }) {
			n++
		}
	}
	return n
}

// How well words speak of a field.
const (
	byWord    = 2  // by another word of its concept
	byPart    = 4  // by a word of its name
	byUnit    = 5  // by its unit
	byHead    = 6  // by the last one
	byNoun    = 8  // in a compound with all of its words
	byAll     = 10 // by all words, and more the more these are
	leastPart = 4  // letters of a word that may be part of a compound
)

func (r *reading) speaks(f *field, i int) mention {
	t := r.tokens[i]
	if t.kind != wordToken && t.kind != quotedToken || len(f.words) == 0 {
		return mention{}
	}
	if n := r.nameAt(i, f.Name); n > 0 {
		return mention{f, n, byAll + 2*n}
	}
	if n := r.spelt(i, f.words); n > 0 {
		return mention{f, n, byAll + 2*n - 1}
	}
	w := r.stems[i]
	if len(f.words) == 1 && (same(f.words[0], t.low)) {
		return mention{f, 1, byAll}
	}
	if among(f.alias, t.low) {
		return mention{f, 1, byNoun}
	}
	if len(t.low) == 2 && t.text == strings.ToUpper(t.text) && slices.Contains(f.words, t.low) {
		return mention{f, 1, byHead} // an abbreviation
	}
	if len(t.low) < 3 || neutral[t.low] && len(r.means[i]) == 0 && !(slices.Contains(f.words, t.low) && f.has([]string{"by", "von"})) {
		return mention{}
	}
	inside := 0
	for _, part := range f.words {
		if len(part) >= leastPart && len(t.low) > len(part) && compounds(t.low, part) && bareOf(t.low) != part {
			inside++
		}
	}
	if inside > 0 && inside == len(f.words) {
		return mention{f, 1, byNoun}
	}
	last := f.words[len(f.words)-1]
	switch {
	case same(last, t.low):
		return mention{f, 1, byHead}
	case among(f.words, t.low):
		return mention{f, 1, byPart}
	case len(t.low) >= leastPart && slices.ContainsFunc(f.words, func(part string) bool {
		return len(part) > len(t.low) && strings.Contains(part, strings.TrimRight(w, "en")) && len(w) > 4 && !strings.HasPrefix(part, "re"+w)
	}):
		return mention{f, 1, byPart - 1}
	case slices.ContainsFunc(f.units, func(u string) bool { return u == short(t.low) && u != "" }):
		return mention{f, 1, byUnit}
	case f.measuredIn(t.low):
		return mention{f, 1, byUnit}
	case slices.ContainsFunc(f.words, func(part string) bool { return rooted(part, t.low) || happens(part, t.low) }):
		return mention{f, 1, byWord + 1}
	case meets(f.means[len(f.means)-1], r.means[i]):
		return mention{f, 1, byWord + 1}
	case slices.ContainsFunc(f.means, func(part []int) bool { return meets(part, r.means[i]) }):
		return mention{f, 1, byWord}
	}
	return mention{}
}

// rooted reports whether two words begin alike, as "manager" and "managed" do.
func rooted(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= rootLetters && max(len(a), len(b))-n <= rootEnding
}

// happens reports whether a part of a name is the verb of a participle: "pflanzjahr" of "gepflanzt",
// "waiting" of "wait".
func happens(part, word string) bool {
	if verb, ok := strings.CutPrefix(word, "ge"); ok && len(verb) > leastPart {
		verb = strings.TrimSuffix(strings.TrimSuffix(verb, "t"), "e")
		return len(verb) >= leastPart && strings.HasPrefix(part, verb)
	}
	for _, ending := range []string{"ing", "ed", "ion", "er"} {
		if verb, ok := strings.CutSuffix(part, ending); ok && len(verb) >= leastPart && (verb == word || verb == strings.TrimSuffix(word, "s")) {
			return true
		}
	}
	return false
}

const (
	rootLetters = 5
	rootEnding  = 4 // letters
)

// spelt returns how many tokens from i spell words, words that only link left out.
func (r *reading) spelt(i int, words []string) int {
	at := i
	for k, w := range words {
		for k > 0 && (r.word(at) == "of" || r.word(at) == "the") {
			at++
		}
		if at >= len(r.tokens) || !same(w, r.tokens[at].low) {
			return 0
		}
		at++
	}
	return at - i
}
