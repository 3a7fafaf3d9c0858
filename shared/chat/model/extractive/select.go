package extractive

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"

	"lectern/shared/chat/model"
	"lectern/shared/message/passage"
	"lectern/shared/text/sentence"
	"lectern/shared/text/terms"
)

const (
	maxSentences  = 4   // of an answer
	sureSentences = 2   // always chosen if they share a word with the question
	nearTop       = .72 // minimum score of a third and fourth, relative to the best
	maxWords      = 160 // of an answer
)

// candidate is a sentence of the material.
type candidate struct {
	passage    int // in the request's list
	start, end int
	stems      []string
	parsed     []terms.Word
	own        float64 // score of its own words, without its neighbours'
	score      float64
	text       string
	heading    bool // a heading, which answers nothing by itself
}

// selectSentences returns the best sentences, those of the best passage first and
// each passage's in text order; none if nothing matches.
func selectSentences(req *model.Request, q question) []candidate {
	list := candidates(req.Passages, q)
	if len(list) == 0 {
		return nil
	}
	if q.kind == summary || len(q.stems) == 0 {
		return lead(list)
	}
	score(list, req.Passages, q)
	ranked := withoutHeadings(list)
	sort.SliceStable(ranked, func(i, j int) bool { return ranked[i].score > ranked[j].score })
	if ranked[0].own <= 0 {
		if q.results {
			return lead(list)
		}
		return nil
	}
	var chosen []candidate
	total := 0
	for _, c := range ranked {
		n := len(chosen)
		if n == maxSentences || n > 0 && total+len(c.parsed) > maxWords {
			break
		}
		if n >= sureSentences && c.score < nearTop*ranked[0].score || c.score <= 0 || n > 0 && c.own <= 0 && c.score < .4*ranked[0].score {
			break
		}
		if same := slices.IndexFunc(chosen, func(o candidate) bool { return o.text == c.text }); same >= 0 {
			// A sentence of an earlier turn is found again; prefer the citable one.
			if !req.Passages[chosen[same].passage].Citable {
				chosen[same] = c
			}
			continue
		}
		chosen = append(chosen, c)
		total += len(c.parsed)
	}
	return inOrder(chosen)
}

// inOrder sorts the sentences of the best passage first, and each passage's by
// position.
func inOrder(chosen []candidate) []candidate {
	rank := map[int]int{}
	for i, c := range chosen {
		if _, ok := rank[c.passage]; !ok {
			rank[c.passage] = i
		}
	}
	sort.SliceStable(chosen, func(i, j int) bool {
		a, b := chosen[i], chosen[j]
		if a.passage != b.passage {
			return rank[a.passage] < rank[b.passage]
		}
		return a.start < b.start
	})
	return chosen
}

// lead returns the beginning of the material, for summaries.
func lead(list []candidate) []candidate {
	var out []candidate
	total := 0
	for _, c := range list {
		if len(c.parsed) < 3 && len(list) > 3 {
			continue // a heading
		}
		if slices.ContainsFunc(out, func(o candidate) bool { return o.text == c.text }) {
			continue
		}
		out = append(out, c)
		if total += len(c.parsed); len(out) == maxSentences || total > maxWords {
			break
		}
	}
	if len(out) == 0 {
		return list[:1]
	}
	return out
}

func candidates(passages []passage.Passage, q question) []candidate {
	var list []candidate
	for i, p := range passages {
		for _, s := range sentence.Split(p.Text) {
			c := candidate{passage: i, start: s.Start, end: s.End, text: p.Text[s.Start:s.End], heading: inHeading(p.Text, s.Start)}
			c.parsed = terms.Words(c.text)
			c.stems = make([]string, len(c.parsed))
			for i, w := range c.parsed {
				c.stems[i] = q.stem(w.Text)
			}
			if len(c.parsed) > 0 {
				list = append(list, c)
			}
		}
	}
	return list
}

// headingShare is the weight of a heading's word for a sentence below it that lacks
// the word.
const headingShare = .5

// withoutHeadings returns the sentences that can answer; headings only if there is
// nothing else.
func withoutHeadings(list []candidate) []candidate {
	rest := slices.DeleteFunc(slices.Clone(list), func(c candidate) bool { return c.heading })
	if len(rest) == 0 {
		return slices.Clone(list)
	}
	return rest
}

// inHeading reports whether the line at an offset is a Markdown heading.
func inHeading(text string, at int) bool {
	line := strings.TrimLeft(text[strings.LastIndexByte(text[:at], '\n')+1:at], " ")
	return line != "" && strings.Trim(line, "#") == " " && len(line) <= 7
}

// score rates every sentence: by the weight of the question's words in it, less for
// words that only neighbours have, more if it has the kind of value asked for.
func score(list []candidate, passages []passage.Passage, q question) {
	weights, unknown := weigh(list, q)
	hits := make([][]float64, len(list)) // by sentence and question word, 0..1
	for i, c := range list {
		hits[i] = matches(c, q, unknown)
	}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total == 0 {
		return
	}
	above := -1 // the heading of the sentence
	for i := range list {
		c := &list[i]
		if above >= 0 && list[above].passage != c.passage {
			above = -1
		}
		if c.heading {
			above = i
		}
		context, titleHits := 0.0, titleMatches(passages[c.passage].Title, q)
		for k, w := range weights {
			own := hits[i][k]
			if above >= 0 {
				own = math.Max(own, headingShare*hits[above][k])
			}
			c.own += w * own
			near := titleHits[k]
			for d := 1; d <= 2; d++ {
				near = math.Max(near, neighbour(list, hits, i, -d, k)*(.7-.2*float64(d)))
				near = math.Max(near, neighbour(list, hits, i, d, k)*(.6-.2*float64(d)))
			}
			context += w * math.Max(0, near-own)
		}
		c.own /= total
		c.score = c.own + .35*context/total
		c.score += .12 * fits(c, q)
		c.score += .25 * passages[c.passage].Score
		if n := len(c.parsed); n < 4 {
			c.score *= .6 // a fragment says little
		}
	}
}

func neighbour(list []candidate, hits [][]float64, i, d, k int) float64 {
	j := i + d
	if j < 0 || j >= len(list) || list[j].passage != list[i].passage {
		return 0
	}
	return hits[j][k]
}

// weigh returns the rarity of each question word in the material, and which words
// the material lacks.
func weigh(list []candidate, q question) (weights []float64, unknown []bool) {
	weights, unknown = make([]float64, len(q.stems)), make([]bool, len(q.stems))
	for k, stem := range q.stems {
		n := 0
		for _, c := range list {
			if slices.Contains(c.stems, stem) {
				n++
			}
		}
		weights[k] = math.Log(1 + (float64(len(list))+.5)/(float64(n)+.5))
		if n == 0 {
			weights[k] = math.Log(1 + float64(len(list)))
			unknown[k] = true
		}
	}
	return weights, unknown
}

// matches returns how well a sentence matches each question word, by stem or by
// spelling.
func matches(c candidate, q question, unknown []bool) []float64 {
	hits := make([]float64, len(q.stems))
	for k, stem := range q.stems {
		if slices.Contains(c.stems, stem) {
			hits[k] = 1
			continue
		}
		if !unknown[k] {
			continue // the material has its exact spelling
		}
		for _, w := range c.parsed {
			if s := likeness(q.words[k], w.Text); s > hits[k] {
				hits[k] = s
			}
		}
	}
	return hits
}

func titleMatches(title string, q question) []float64 {
	hits := make([]float64, len(q.stems))
	for _, w := range terms.Words(title) {
		if k := slices.Index(q.stems, q.stem(w.Text)); k >= 0 {
			hits[k] = .3
		}
	}
	return hits
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

// fits rates whether a sentence has the kind of value that is asked for.
func fits(c *candidate, q question) float64 {
	switch q.kind {
	case quantity:
		if strings.ContainsFunc(c.text, unicode.IsDigit) || has(c, isNumberWord) {
			return 1
		}
	case moment:
		if strings.ContainsFunc(c.text, unicode.IsDigit) || has(c, isDateWord) {
			return 1
		}
	case person, place:
		if hasName(c, q) {
			return 1
		}
	}
	return 0
}

func has(c *candidate, is func(word string) bool) bool {
	return slices.ContainsFunc(c.parsed, func(w terms.Word) bool { return is(w.Text) })
}

func isNumberWord(word string) bool {
	switch word {
	case "one", "million", "billion", "dozen", "half", "twice", "several":
		return true
	}
	_, ok := numberWords[word]
	return ok
}

func isDateWord(word string) bool {
	switch word {
	case "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
		"century", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday":
		return true
	}
	return false
}

// hasName looks for a capitalised word that neither starts the sentence nor occurs in
// the question.
func hasName(c *candidate, q question) bool {
	for i, w := range c.parsed {
		if first := c.text[w.Start]; i > 0 && first >= 'A' && first <= 'Z' && !slices.Contains(q.stems, c.stems[i]) {
			return true
		}
	}
	return false
}
