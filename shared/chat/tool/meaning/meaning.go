// Package meaning reads questions in people's own words: "who still owes us money?", of a table with columns customer, amount and paid.
//
// It lists plain questions that the table can answer, each with its statement, and has a model tell which of them is meant; none where
// that is not clear. No library does this.
package meaning

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/text/terms"
)

// dialect is that of the statements.
const dialect = database.SQLite

// Limits of what is asked.
const (
	mostColumns    = 30
	mostQuestion   = 300    // bytes
	mostCandidates = 10_000 // of pairs of conditions, too
	mostJudged     = 100
	leastChance    = .7 // of the candidate that is taken
	leastGuess     = .2 // of one that is offered
)

// Model tells what questions mean, in one language.
type Model interface {
	embedding.Meaner
	embedding.Monolingual

	// Fast reports whether it does so while somebody waits.
	Fast() bool
}

// Reading is what a question means.
type Reading struct {
	Means string // as a plain question
	SQL   string
}

// Read returns what a question of a schema with one table means, by a model: of tables of documents, which are asked in SQLite. Where
// that is not sure it is what the question may mean; empty where that is not likely either. It fails only as the model does.
func Read(ctx context.Context, d database.Dialect, s *database.Schema, question string, m Model) (r Reading, sure bool, err error) {
	c, chance, err := likeliest(ctx, d, s, question, m)
	if err != nil || chance < leastGuess {
		return r, false, err
	}
	return Reading{Means: strings.Join(strings.Fields(c.Text), " "), SQL: c.SQL}, chance >= leastChance, nil
}

// likeliest returns the candidate that a question means most likely, and how likely that is, 0..1; 0 without one.
func likeliest(
	ctx context.Context, d database.Dialect, s *database.Schema, question string, m Model,
) (c Candidate, chance float64, err error) {
	if d != dialect || !m.Fast() || len(s.Tables) != 1 || len(s.Tables[0].Columns) > mostColumns || len(question) > mostQuestion ||
		!terms.May(question, terms.Language(m.Language())) {
		return c, 0, nil
	}
	question = inFull(question)
	list, err := Candidates(ctx, &s.Tables[0], question, m)
	if err != nil {
		return c, 0, err
	}
	asked := demandsOf(question)
	b := newBuilder(&s.Tables[0])
	asked.beyond, asked.values = len(b.limits(question)) > 0, b.named(question)
	list = slices.DeleteFunc(list, func(c Candidate) bool { return !asked.metBy(c) })
	if len(list) == 0 {
		return c, 0, nil
	}
	if list, err = Nearest(ctx, list, question, m, mostJudged); err != nil {
		return c, 0, err
	}
	texts := make([]string, len(list))
	for i, c := range list {
		texts[i] = c.Text
	}
	odds, err := m.Means(ctx, question, texts)
	if err != nil {
		return c, 0, err
	}
	best, all := 0, 1. // 1 is for none of them
	for i, v := range odds {
		all += math.Exp(v)
		if v > odds[best] {
			best = i
		}
	}
	if b.unfit(list[best], question) {
		return c, 0, nil
	}
	return list[best], math.Exp(odds[best]) / all, nil
}

// Candidates lists the plain questions that a table can answer and that a question may mean, by the words of it and by what comes near
// these, with statements for SQLite. It fails only as the embedder does.
func Candidates(ctx context.Context, t *database.Table, question string, m embedding.Embedder) ([]Candidate, error) {
	b := newBuilder(t)
	b.allow(question)
	values := b.values()
	near, err := likeness(ctx, values, question, m)
	if err != nil {
		return nil, err
	}
	return b.build(b.conditions(t, question, values, near)), nil
}

// Nearest returns so many of the candidates at most, those that come nearest to a question first. It fails only as the embedder does.
//
// The vector of a candidate is the mean of those of its parts, by their words: a few hundred parts make thousands of candidates.
func Nearest(ctx context.Context, list []Candidate, question string, m embedding.Embedder, most int) ([]Candidate, error) {
	texts, places := []string{question}, map[string]int{}
	part := func(text string) {
		if _, ok := places[text]; !ok {
			places[text] = len(texts)
			texts = append(texts, text)
		}
	}
	for _, c := range list {
		part(c.head)
		for _, u := range c.uses {
			part(u.text)
		}
	}
	vectors, err := m.Embed(ctx, texts, embedding.Document)
	if err != nil {
		return nil, err
	}
	asked, size := vectors[0], make([]float32, len(texts))
	for i, text := range texts {
		size[i] = float32(1 + strings.Count(text, " "))
	}
	order, worth := make([]int, len(list)), make([]float32, len(list))
	sum := make([]float32, len(asked))
	for i, c := range list {
		clear(sum)
		add := func(text string) {
			at := places[text]
			for k, v := range vectors[at] {
				sum[k] += size[at] * v
			}
		}
		add(c.head)
		for _, u := range c.uses {
			add(u.text)
		}
		order[i], worth[i] = i, dot(sum, asked)/float32(math.Sqrt(float64(dot(sum, sum))))
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(worth[y], worth[x]) })
	out := make([]Candidate, min(most, len(list)))
	for i := range out {
		out[i] = list[order[i]]
	}
	return out, nil
}

// likeness returns the cosine of each value and the word of the question that comes nearest to it; nil of too many values.
func likeness(ctx context.Context, values []value, question string, m embedding.Embedder) ([]float64, error) {
	said := phrases(question)
	if len(values) == 0 || len(values) > mostValues || len(said) == 0 {
		return nil, nil
	}
	texts := said
	for _, v := range values {
		texts = append(texts, strings.ToLower(v.text))
	}
	vectors, err := m.Embed(ctx, texts, embedding.Document)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(values))
	for i := range values {
		for k := range said {
			out[i] = max(out[i], float64(dot(vectors[len(said)+i], vectors[k])))
		}
	}
	return out, nil
}

func dot(a, b []float32) (sum float32) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// Names and numbers of a question.
var (
	nameForm   = regexp.MustCompile(`\p{Lu}[\pL'’-]*`)
	numberForm = regexp.MustCompile(`\d[\d.,]*`)
	beginForm  = regexp.MustCompile(`(?:^|[.!?:] )[^\pL\d]*$`)
)

// demands are what a candidate has to have of a question: what is asked about others is not meant.
type demands struct {
	names   [][]string // the words of each, of which one is enough
	starts  []string   // of months and days of the week
	part    string     // of a year
	beyond  bool       // a column is over or under another
	values  [][]string // the words of each value that it names whole
	numbers []string
}

// demandsOf returns the names, times and numbers of a question.
func demandsOf(question string) (d demands) {
	for _, m := range nameForm.FindAllStringIndex(question, -1) {
		name := strings.ToLower(question[m[0]:m[1]])
		name = strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
		if name == "i" || strings.HasPrefix(name, "i'") || strings.HasPrefix(name, "i’") || beginForm.MatchString(question[:m[0]]) {
			continue
		}
		if !weekdayForm.MatchString(name) && !monthForm.MatchString(name) {
			d.names = append(d.names, words(name))
		}
	}
	for _, month := range monthForm.FindAllStringSubmatch(question, -1) {
		if start := strings.ToLower(month[1]); start != "may" && start != "mar" {
			d.starts = append(d.starts, start[:3])
		}
	}
	for _, day := range weekdayForm.FindAllString(question, -1) {
		d.starts = append(d.starts, strings.ToLower(day[:3]))
	}
	d.numbers = numberForm.FindAllString(question, -1)
	if d.part, _, _ = partOfYear(question); d.part != "" {
		d.numbers = yearForm.FindAllString(question, -1)
	}
	return d
}

// metBy reports whether a candidate has all of them.
func (d demands) metBy(c Candidate) bool {
	if d.part != "" && !strings.Contains(c.Text, " in "+d.part) || d.beyond && !c.beyond() {
		return false
	}
	said := words(c.Text)
	has := func(name string) bool {
		return slices.ContainsFunc(said, func(w string) bool {
			return stem(w) == stem(name) || len(name) >= leastPrefix && strings.HasPrefix(w, stem(name))
		})
	}
	for _, name := range d.names {
		if !slices.ContainsFunc(name, has) {
			return false
		}
	}
	for _, value := range d.values {
		if slices.ContainsFunc(value, func(w string) bool { return !has(w) }) {
			return false
		}
	}
	for _, start := range d.starts {
		if !slices.ContainsFunc(said, func(w string) bool { return strings.HasPrefix(w, start) }) {
			return false
		}
	}
	numbers := numberForm.FindAllString(c.Text, -1)
	for _, n := range d.numbers {
		same := func(other string) bool {
			return strings.TrimRight(other, ".,") == strings.TrimRight(n, ".,") || number(other) == number(n)
		}
		if !slices.ContainsFunc(numbers, same) {
			return false
		}
	}
	return true
}

const leastPrefix = 4 // letters of a name that stands for a longer one
