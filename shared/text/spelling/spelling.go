// Package spelling mends misspelt words of an English question by the words of the texts
// that may answer it. What these lack is misspelt only if the language lacks it, too: a
// question about paternity leave is none about maternity leave.
package spelling

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/shared/text/sentence"
	"lectern/shared/text/terms"
)

const (
	// leastLetters is the length from which a word may be misspelt: a shorter one has
	// too many neighbours.
	leastLetters = 4
	// leastTwo is the length from which two slips are mended.
	leastTwo = 5
	// leastName is the length from which a name may be misspelt, by one slip that is not in
	// its first letter, longName that from which two slips are mended: Iran is not Iraq,
	// Austria not Australia.
	leastName, longName = 5, 9
	// twice is what a candidate counts that is two slips away, beside one that is one
	// slip away.
	twice = .05

	// Longer texts are no questions, and each word to mend is compared with all others.
	mostBytes, mostWords = 2000, 16
)

// Question is a text some of whose words are unknown to what it is asked of. Not safe
// for concurrent use.
type Question struct {
	text  string
	words []unknown
	near  map[string][]near // by a word that was seen
}

// unknown is a word to mend.
type unknown struct {
	terms.Word
	name    bool               // it has a capital letter, and only names stand for it
	weights map[string]float64 // of candidates
}

// near is a word to mend that a word which was seen resembles.
type near struct {
	index  int
	weight float64
}

// New returns the question of a text; missing says which of its words, folded, are
// known nowhere. English words, words with digits, with letters that are not ASCII, and
// short ones are not mended, and no words of a text in another language.
func New(text string, missing func(word string) bool) *Question {
	q := &Question{text: text, near: map[string][]near{}}
	if len(text) > mostBytes || !terms.May(text, "en") {
		return q
	}
	for _, w := range terms.Words(text) {
		if w.Part || w.End-w.Start != len(w.Text) || !plain(w.Text) || English(w.Text) || !missing(w.Text) {
			continue
		}
		if len(q.words) == mostWords {
			break
		}
		q.words = append(q.words, unknown{w, named(text, w.Start) && !titled(text), map[string]float64{}})
	}
	if len(q.words) > 0 {
		for word := range terms.Stops("en") {
			q.count(word, stopWeight, false)
		}
		if first := &q.words[0]; first.Start == 0 {
			for _, word := range opening {
				if w := resembles(first.Text, word); w > 0 {
					first.weights[word] += w * openingWeight
				}
			}
		}
	}
	return q
}

// mayName reports whether a misspelt name may stand for a word that it resembles.
func mayName(wrong, right string, resemblance float64) bool {
	least := leastName
	if resemblance < 1 {
		least = longName
	}
	return min(len(wrong), len(right)) >= least && wrong[0] == right[0]
}

// titled reports whether a text writes all its words with capital letters, as titles do.
func titled(text string) bool {
	for _, w := range terms.Words(text) {
		if w.Start > 0 && text[w.Start] >= 'a' && text[w.Start] <= 'z' {
			return false
		}
	}
	return true
}

// named reports whether a word is written as a name: with a capital letter inside a sentence.
func named(text string, at int) bool {
	return text[at] >= 'A' && text[at] <= 'Z' && !sentence.Opens(text, at)
}

// stopWeight is the weight of words like "with" as candidates, since every text has them;
// openingWeight is that of words that begin questions, at the beginning of one.
const stopWeight, openingWeight = 4, 20

var opening = []string{"what", "which", "when", "where", "whose", "does", "have"}

// plain reports whether a word may be misspelt.
func plain[W string | []byte](word W) bool {
	if len(word) < leastLetters || len(word) > terms.MaxWord {
		return false
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}

// Complete reports whether there is nothing to mend.
func (q *Question) Complete() bool { return len(q.words) == 0 }

// See takes the words of a text as candidates, each with a weight.
func (q *Question) See(text string, weight float64) {
	terms.Scan(text, func(word []byte, start, _ int, _ bool) {
		if plain(word) {
			q.count(string(word), weight, text[start] >= 'A' && text[start] <= 'Z')
		}
	})
}

func (q *Question) count(word string, weight float64, capital bool) {
	list, ok := q.near[word]
	if !ok {
		for i := range q.words {
			w := resembles(q.words[i].Text, word)
			if w > 0 && (!q.words[i].name || mayName(q.words[i].Text, word, w)) {
				list = append(list, near{i, w})
			}
		}
		q.near[word] = list
	}
	for _, n := range list {
		// A name stands for a name, or for a word that is none of English.
		if w := &q.words[n.index]; capital || !w.name || n.weight == 1 && !English(word) {
			w.weights[word] += n.weight * weight
		}
	}
}

// resembles returns how likely a misspelt word stands for another one, 0 if it does not.
func resembles(wrong, right string) float64 {
	most := 1
	if len(wrong) >= leastTwo {
		most = 2
	}
	switch terms.Distance(wrong, right, most) {
	case 1:
		return 1
	case 2:
		switch {
		case most < 2 || wrong[0] != right[0]:
		case reordered(wrong, right):
			return 1
		case !replaced(wrong, right):
			return twice
		}
	}
	return 0
}

// reordered reports whether two words have the same letters: "Ghandi" is Gandhi.
func reordered(a, b string) bool {
	letters := func(word string) string {
		list := []byte(word)
		slices.Sort(list)
		return string(list)
	}
	return len(a) == len(b) && letters(a) == letters(b)
}

// replaced reports whether two words two slips apart differ by two other letters, as
// maximum and minimum do: few slips are so, and many other words. Letters that are exchanged, as in "bycicle", are a slip.
func replaced(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	var at []int
	for i := range len(a) {
		if a[i] != b[i] {
			at = append(at, i)
		}
	}
	return len(at) == 2 && (a[at[0]] != b[at[1]] || a[at[1]] != b[at[0]])
}

// Guess returns the English word that a folded word stands for by a slip as most are: two letters exchanged, one of a pair left
// out, a letter doubled, another vowel; the likeliest of several. Empty without one, and for what is spelt right.
func Guess(word string) string {
	if len(word) < leastTwo || !plain(word) || English(word) || made(word) {
		return ""
	}
	for right := range slips(word) {
		if plain(right) && English(right) && inflected(right) {
			return right
		}
	}
	return ""
}

// inflected reports whether another form of a word is an English one, too: of the words that only seem to be English, few have
// such.
func inflected(word string) bool {
	if English(word+"s") || English(word+"es") || English(word+"ed") || English(word+"d") || English(word+"ly") {
		return true
	}
	for _, ending := range []string{"s", "es", "ed", "d", "ing", "ly", "y"} {
		if stem, ok := strings.CutSuffix(word, ending); ok && len(stem) >= leastLetters && English(stem) {
			return true
		}
	}
	return false
}

var prefixes = []string{"re", "un", "non", "pre", "sub", "over", "under", "multi", "inter", "anti", "mis", "dis", "co", "auto", "super"}

// made reports whether a word is an English one with a prefix, or several that are written as one.
func made(word string) bool {
	for _, prefix := range prefixes {
		if rest, ok := strings.CutPrefix(word, prefix); ok && len(rest) >= leastLetters && English(rest) {
			return true
		}
	}
	for i := leastLetters; i <= len(word)-leastLetters; i++ {
		if English(word[:i]) && English(word[i:]) {
			return true
		}
	}
	return false
}

// slips yields the words that one may stand for, the likelier ones first.
func slips(word string) iter.Seq[string] {
	return func(yield func(string) bool) {
		exchanged := func(apart int) bool {
			for i := range len(word) - apart {
				letters := []byte(word)
				letters[i], letters[i+apart] = letters[i+apart], letters[i]
				if letters[i] != letters[i+apart] && !yield(string(letters)) {
					return false
				}
			}
			return true
		}
		if !exchanged(1) {
			return
		}
		for _, vowel := range []bool{false, true} {
			for i := range len(word) {
				if strings.IndexByte(vowels, word[i]) >= 0 == vowel && !yield(word[:i]+word[i:i+1]+word[i:]) {
					return
				}
			}
		}
		for i := range len(word) - 1 {
			if word[i] == word[i+1] && !yield(word[:i]+word[i+1:]) {
				return
			}
		}
		for i := range len(word) {
			if strings.IndexByte(vowels, word[i]) < 0 {
				continue
			}
			for _, v := range []byte(vowels) {
				if v != word[i] && !yield(word[:i]+string(v)+word[i+1:]) {
					return
				}
			}
		}
		for i := range len(word) {
			for _, alike := range []string{"sc", "cs", "sz", "zs", "kc", "ck"} {
				if word[i] == alike[0] && !yield(word[:i]+alike[1:]+word[i+1:]) {
					return
				}
			}
		}
		exchanged(2)
	}
}

const vowels = "aeiouy"

// Mended returns the text with each unknown word replaced by its best candidate; where it has none, by the English word of
// which it is a slip, if it is one.
func (q *Question) Mended() string {
	var out strings.Builder
	at := 0
	for _, w := range q.words {
		best, weight := "", 0.
		for word, n := range w.weights {
			if n > weight || n == weight && word < best {
				best, weight = word, n
			}
		}
		if best == "" && !w.name {
			best = Guess(w.Text)
		}
		if best == "" || w.Start < at {
			continue
		}
		out.WriteString(q.text[at:w.Start])
		if first, _ := utf8.DecodeRuneInString(q.text[w.Start:]); unicode.IsUpper(first) {
			best = strings.ToUpper(best[:1]) + best[1:]
		}
		out.WriteString(best)
		at = w.End
	}
	if at == 0 {
		return q.text
	}
	out.WriteString(q.text[at:])
	return out.String()
}
