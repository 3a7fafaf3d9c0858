package rank

import (
	"math/bits"
	"slices"

	"lectern/shared/text/terms"
)

// MaxGrams bounds the 4-grams of a query that count; those of its first
// words come first.
const MaxGrams = 256

// maxStems bounds the stems of a query, and maxInflected the words of it whose
// other forms are looked for too.
const maxStems, maxInflected = 128, 32

// Terms are the distinct words of a query in the forms that are compared.
// They are read-only once made and may be shared.
type Terms struct {
	Stems   []string
	Forms   [][]string   // by stem: itself, and the stems of other forms of its words, which count as it
	Weights []float64    // how often each stem occurs in the query
	Grams   []terms.Gram // of all words that count
	Bigrams [][2]int     // indexes of stems that are neighbours in the query
	Words   []Term

	language terms.Language
	stems    map[string]int
	grams    map[terms.Gram]int
	bigrams  map[[2]int]int
	maybe    [16]uint64 // bits of the grams, to pass over most others
}

// Term is one distinct word of a query.
type Term struct {
	Text  string
	Stem  int // index into Terms.Stems
	Grams []int

	letters uint32
}

// Parse makes the terms of a query. Stop words of the query's language count
// only if there is nothing else.
func Parse(text string, keywords []string) *Terms {
	t := &Terms{stems: map[string]int{}, grams: map[terms.Gram]int{}, bigrams: map[[2]int]int{}}
	t.language = terms.Of(text)
	t.add(text, true)
	for _, k := range keywords {
		t.add(k, len(keywords) > 1 || text != "")
	}
	if len(t.Stems) == 0 {
		t.add(text, false)
		for _, k := range keywords {
			t.add(k, false)
		}
	}
	return t
}

func (t *Terms) add(text string, skipStops bool) {
	prev := -1
	var grams []terms.Gram
	terms.Scan(text, func(word []byte, _, _ int, part bool) {
		if skipStops && terms.Stop(t.language, string(word)) {
			return
		}
		stem := t.stem(terms.Stem(string(word)))
		if stem < 0 {
			return
		}
		t.Weights[stem]++
		if prev >= 0 {
			pair := [2]int{prev, stem}
			if _, ok := t.bigrams[pair]; !ok {
				t.bigrams[pair] = len(t.Bigrams)
				t.Bigrams = append(t.Bigrams, pair)
			}
		}
		prev = stem
		if slices.ContainsFunc(t.Words, func(w Term) bool { return w.Text == string(word) }) {
			return
		}
		w := Term{Text: string(word), Stem: stem, letters: letters(word)}
		grams = terms.AppendGrams(grams[:0], word)
		for _, g := range grams {
			if i := t.gram(g); i >= 0 && !slices.Contains(w.Grams, i) {
				w.Grams = append(w.Grams, i)
			}
		}
		t.Words = append(t.Words, w)
		if len(t.Words) <= maxInflected {
			t.inflect(w)
		}
	})
}

// inflect lets the stems of a word's other forms count as its own, but for
// those that the query has as stems already.
func (t *Terms) inflect(w Term) {
	for _, form := range terms.Forms(t.language, w.Text) {
		stem := terms.Stem(form)
		if _, ok := t.stems[stem]; !ok {
			t.stems[stem] = w.Stem
			t.Forms[w.Stem] = append(t.Forms[w.Stem], stem)
		}
	}
}

func (t *Terms) stem(s string) int {
	i, ok := t.stems[s]
	if ok {
		return i
	}
	if len(t.Stems) == maxStems {
		return -1
	}
	i = len(t.Stems)
	t.stems[s] = i
	t.Stems, t.Forms, t.Weights = append(t.Stems, s), append(t.Forms, []string{s}), append(t.Weights, 0)
	return i
}

func (t *Terms) gram(g terms.Gram) int {
	i, ok := t.grams[g]
	if ok {
		return i
	}
	if len(t.Grams) == MaxGrams {
		return -1
	}
	i = len(t.Grams)
	t.grams[g] = i
	t.Grams = append(t.Grams, g)
	t.maybe[g>>6&15] |= 1 << (g & 63)
	return i
}

// gramIndex returns the index of a gram in Grams, or -1.
func (t *Terms) gramIndex(g terms.Gram) int {
	if t.maybe[g>>6&15]>>(g&63)&1 == 0 {
		return -1
	}
	if i, ok := t.grams[g]; ok {
		return i
	}
	return -1
}

// Empty reports whether the query has no words at all.
func (t *Terms) Empty() bool { return len(t.Stems) == 0 }

// StemIndex returns the index in Stems of a stem, or of the one that it counts
// as; -1 for others.
func (t *Terms) StemIndex(stem string) int {
	if i, ok := t.stems[stem]; ok {
		return i
	}
	return -1
}

// BigramIndex returns the index in Bigrams of two stems given by their
// indexes, or -1.
func (t *Terms) BigramIndex(a, b int) int {
	if i, ok := t.bigrams[[2]int{a, b}]; ok {
		return i
	}
	return -1
}

// Counts says how often a chunk has the terms of a query.
type Counts struct {
	Stems, Grams, Bigrams []int32 // aligned with Terms
	Words                 int     // words of the chunk, title and headings included
	GramTotal             int     // 4-grams of these words
}

// Size is how many terms there are: stems, 4-grams and neighbours.
func (t *Terms) Size() int { return len(t.Stems) + len(t.Grams) + len(t.Bigrams) }

// CountsIn returns counts that lie in buf, of length Size.
func (t *Terms) CountsIn(buf []int32) *Counts {
	a, b := len(t.Stems), len(t.Stems)+len(t.Grams)
	return &Counts{Stems: buf[:a:a], Grams: buf[a:b:b], Bigrams: buf[b:]}
}

// Count counts the terms in the given texts: title, headings and the chunk's
// own text. Drivers that keep words can count by themselves; this is what
// they have to agree with. A word has a 4-gram once, however often it repeats it.
// Stop words separate no neighbours.
func (t *Terms) Count(s *terms.Stemmer, texts ...string) *Counts {
	c := t.CountsIn(make([]int32, t.Size()))
	var grams []terms.Gram
	for _, text := range texts {
		prev := -1
		terms.Scan(text, func(word []byte, _, _ int, part bool) {
			c.Words++
			grams = terms.AppendGrams(grams[:0], word)
			c.GramTotal += len(grams)
			for k, g := range grams {
				if i := t.gramIndex(g); i >= 0 && !slices.Contains(grams[:k], g) {
					c.Grams[i]++
				}
			}
			i := t.StemIndex(s.Stem(word))
			if i >= 0 {
				c.Stems[i]++
				if prev >= 0 {
					if b := t.BigramIndex(prev, i); b >= 0 {
						c.Bigrams[b]++
					}
				}
			}
			if i >= 0 || !terms.Stop("", string(word)) {
				prev = i
			}
		})
	}
	return c
}

// Similar is the least Dice coefficient of a word that stands in for one that
// the collection does not know.
const Similar = .25

// Dice is how alike two words are that have a and b 4-grams and share some.
func Dice(shared, a, b int) float64 { return 2 * float64(shared) / float64(a+b) }

// Alike reports whether the texts have a word that may stand in for one of the
// query's words that the collection does not know.
func (t *Terms) Alike(c *Corpus, texts ...string) bool {
	var unknown []Term
	for _, w := range t.Words {
		if c.Stems[w.Stem] == 0 {
			unknown = append(unknown, w)
		}
	}
	var grams []terms.Gram
	var has []int // the query's 4-grams in a word; most words have none
	found := false
	for _, text := range texts {
		if found || len(unknown) == 0 {
			break
		}
		terms.Scan(text, func(word []byte, _, _ int, _ bool) {
			grams, has = terms.AppendGrams(grams[:0], word), has[:0]
			for _, g := range grams {
				if i := t.gramIndex(g); i >= 0 {
					has = append(has, i)
				}
			}
			if len(has) == 0 {
				return
			}
			for _, w := range unknown {
				shared := 0
				for _, g := range w.Grams {
					if slices.Contains(has, g) {
						shared++
					}
				}
				found = found || Dice(shared, len(w.Grams), len(grams)) >= Similar
			}
		})
	}
	return found
}

// Matched returns the words of the query, folded, whose stems the counts show
// in a chunk.
func (t *Terms) Matched(c *Counts) []string {
	list := []string{}
	for _, w := range t.Words {
		if c.Stems[w.Stem] > 0 {
			list = append(list, w.Text)
		}
	}
	return list
}

// gramSet is a set of indexes into Terms.Grams.
type gramSet [MaxGrams / 64]uint64

func (s *gramSet) add(i int) { s[i>>6] |= 1 << (i & 63) }

func (s *gramSet) common(o *gramSet) int {
	n := 0
	for i := range s {
		n += bits.OnesCount64(s[i] & o[i])
	}
	return n
}
