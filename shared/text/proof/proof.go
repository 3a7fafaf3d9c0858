// Package proof checks words against the text that they are said to be from. Case,
// white space, punctuation and accents do not count; every word and number does.
package proof

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/text/terms"
)

// Source is a text to look in. It is read once.
type Source struct {
	words []terms.Word
	set   map[string]bool
}

// NewSource reads a text.
func NewSource(text string) *Source {
	s := &Source{set: map[string]bool{}}
	terms.Scan(text, func(word []byte, start, end int, part bool) {
		w := string(word)
		s.set[w] = true
		if !part {
			s.words = append(s.words, terms.Word{Text: w, Start: start, End: end})
		}
	})
	return s
}

// wordsOf returns the words of a text, without the parts of compounds.
func wordsOf(text string) []string {
	var list []string
	terms.Scan(text, func(word []byte, _, _ int, part bool) {
		if !part {
			list = append(list, string(word))
		}
	})
	return list
}

// Find returns where the words of a quote stand in one run, in bytes of the text. A
// quote without words is nowhere.
func (s *Source) Find(quote string) (start, end int, ok bool) { return s.find(wordsOf(quote)) }

func (s *Source) find(want []string) (start, end int, ok bool) {
	if len(want) == 0 {
		return 0, 0, false
	}
	for i := 0; i+len(want) <= len(s.words); i++ {
		if s.words[i].Text == want[0] && s.stands(i, want) {
			return s.words[i].Start, s.words[i+len(want)-1].End, true
		}
	}
	return 0, 0, false
}

func (s *Source) stands(at int, want []string) bool {
	for k, w := range want {
		if s.words[at+k].Text != w {
			return false
		}
	}
	return true
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Fragments of a quote that was put together from several places.
const (
	maxFragments  = 8
	fragmentWords = 3 // at least, of each
)

// Joined returns the fragments of which a quote that stands nowhere in one run is put
// together: each of three words or more, and eight at most; nil when it is not.
func (s *Source) Joined(quote string) []Span {
	want := wordsOf(quote)
	var list []Span
	for len(want) > 0 {
		if len(list) == maxFragments {
			return nil
		}
		n, span := s.longest(want)
		// The last fragment may take words of the one before it, to have enough.
		if n < min(fragmentWords, len(want)) || n < fragmentWords && len(list) == 0 {
			return nil
		}
		list = append(list, span)
		want = want[n:]
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

// longest returns how many of the first words stand in one run, and where.
func (s *Source) longest(want []string) (n int, span Span) {
	for i := range s.words {
		k := 0
		for k < len(want) && i+k < len(s.words) && s.words[i+k].Text == want[k] {
			k++
		}
		if k > n {
			n, span = k, Span{s.words[i].Start, s.words[i+k-1].End}
		}
	}
	return n, span
}

// marks pairs the quotation marks that open with those that close.
var marks = map[rune]string{'"': `"`, '“': "”“\"", '„': "“”\"", '«': "»", '»': "«", '「': "」", '『': "』"}

// Quotes returns what stands in quotation marks in a sentence, fragments that an
// ellipsis parts each on its own. Single marks do not count: they are apostrophes too.
func Quotes(sentence string) []string {
	var list []string
	for i := 0; i < len(sentence); {
		r, size := utf8.DecodeRuneInString(sentence[i:])
		i += size
		closing, opens := marks[r]
		if !opens {
			continue
		}
		end := strings.IndexAny(sentence[i:], closing)
		if end < 0 {
			continue
		}
		quoted := strings.ReplaceAll(sentence[i:i+end], "...", "…")
		for part := range strings.SplitSeq(strings.NewReplacer("[…]", "…", "(…)", "…").Replace(quoted), "…") {
			if len(wordsOf(part)) > 0 {
				list = append(list, strings.TrimSpace(part))
			}
		}
		_, size = utf8.DecodeRuneInString(sentence[i+end:])
		i += end + size
	}
	return list
}

// Missing returns the numbers, dates and names of a sentence that stand in none of
// the sources. Names are capitalised words inside the sentence, where its language
// does not capitalise all nouns.
func Missing(sentence string, sources ...*Source) []string {
	known := func(word string) bool {
		return slices.ContainsFunc(sources, func(s *Source) bool { return s.set[word] })
	}
	var numbers, names []string
	inner, capitals, first := 0, 0, true
	at := listMark(sentence)
	terms.Scan(sentence, func(word []byte, start, end int, part bool) {
		if part || start < at {
			return
		}
		w, said := string(word), sentence[start:end]
		initial := first || begins(sentence[:start])
		first = false
		r, _ := utf8.DecodeRuneInString(said)
		switch {
		case strings.ContainsFunc(w, unicode.IsDigit):
			if !known(w) {
				numbers = append(numbers, said)
			}
		case initial || utf8.RuneCountInString(w) < 2:
		default:
			inner++
			if unicode.IsUpper(r) {
				capitals++
				if !known(w) && !stemmed(w, sources) {
					names = append(names, said)
				}
			}
		}
	})
	if capitals*3 > inner && inner > 3 { // nouns, or a heading
		names = nil
	}
	return append(numbers, names...)
}

// stemmed reports whether a source has another form of a word.
func stemmed(word string, sources []*Source) bool {
	for stem := range terms.Stems(word) {
		for _, s := range sources {
			for have := range s.set {
				if len(have) >= len(stem) && have[:min(3, len(have))] == stem[:min(3, len(stem))] && terms.Stems(have)[stem] {
					return true
				}
			}
		}
	}
	return false
}

// begins reports whether a sentence, or a quotation, starts after a text.
func begins(before string) bool {
	before = strings.TrimRightFunc(before, unicode.IsSpace)
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || strings.ContainsRune(`.!?:…"“„«「『*#>|-`, r)
}

// listMark returns the length of a list marker, whose number is none of the sentence's.
func listMark(sentence string) int {
	trimmed := strings.TrimLeft(sentence, " \t")
	n := 0
	for n < len(trimmed) && n < 3 && trimmed[n] >= '0' && trimmed[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(trimmed) && (trimmed[n] == '.' || trimmed[n] == ')') && trimmed[n+1] == ' ' {
		return len(sentence) - len(trimmed) + n + 1
	}
	return 0
}
