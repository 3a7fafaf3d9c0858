package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// question is a line of questions.jsonl: what is asked of a directory of
// documents, and how an answer is recognised.
type question struct {
	Type, Group        string
	Text               string `json:"q"`
	Docs               []string
	Passage            string // matches the chunk that answers
	Answer             string // matches a right answer
	Not                string // matches a wrong one
	Answerable         bool
	History            []struct{ Role, Content string }
	passage, want, not *regexp.Regexp
}

// graded is how the service did with a question.
type graded struct {
	question
	rank  int // of the first chunk that answers; 0 for none among ten
	text  string
	grade string
	first bool // the first sentence is right already
	took  time.Duration
}

// The grades.
const (
	right   = "right"
	wrong   = "wrong"
	refused = "refused"
)

const questionsCollection = "eval_questions"

// worst is how many wrong answers are printed.
const worst = 10

// questions asks what people ask about real documents, in dir, and grades the
// answers.
func (r *report) questions(api client, dir string) error {
	list, err := loadQuestions(dir)
	if err != nil {
		return err
	}
	if err := api.ingestFiles(filepath.Join(dir, "docs")); err != nil {
		return err
	}
	out := make([]graded, len(list))
	for i, q := range list { // one after the other: how long an answer takes is measured
		if out[i], err = api.grade(q); err != nil {
			return err
		}
	}
	r.table(out)
	n := 0
	for _, g := range out {
		if g.grade == wrong && n < worst {
			n++
			fmt.Printf("\n%s: %s\n  %s\n", g.Type, g.Text, strings.ReplaceAll(strings.TrimSpace(g.text), "\n", "\n  "))
		}
	}
	return r.tables(api, dir)
}

func loadQuestions(dir string) ([]question, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	var list []question
	for line := range strings.Lines(string(raw)) {
		var q question
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			return nil, err
		}
		for _, p := range []struct {
			pattern string
			into    **regexp.Regexp
		}{{q.Passage, &q.passage}, {q.Answer, &q.want}, {q.Not, &q.not}} {
			if p.pattern == "" {
				continue
			}
			if *p.into, err = regexp.Compile("(?is)" + p.pattern); err != nil {
				return nil, fmt.Errorf("question %q: %w", q.Text, err)
			}
		}
		list = append(list, q)
	}
	return list, nil
}

func (c client) ingestFiles(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("the documents of the questions, which their README tells how to make: %w", err)
	}
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		err = c.post("/v1/artifacts/ingest", object{"artifact": e.Name(), "collection": questionsCollection,
			"input":    object{"type": "file", "value": base64.StdEncoding.EncodeToString(raw)},
			"metadata": object{"file_name": e.Name()}}, &struct{}{})
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	return c.awaitVectors()
}

var marks = strings.NewReplacer("‘", "'", "’", "'", "‚", "'", "“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "\u00ad", "", "\u200b", "",
	"`", "", "|", " ", "│", " ", "‐", "-", "‑", "-", "**", "")

// fold makes texts comparable, whatever marks and spaces they use.
func fold(s string) string {
	return strings.Join(strings.Fields(marks.Replace(norm.NFKC.String(s))), " ")
}

func (q *question) rightIn(text string) bool {
	return q.want != nil && q.want.MatchString(text) && (q.not == nil || !q.not.MatchString(text))
}

// refusal matches the ways in which the built-in model says that it has no answer.
var refusal = regexp.MustCompile(`(?i)nothing relevant|i answer from (?:the )?material`)

func (c client) grade(q question) (graded, error) {
	g := graded{question: q}
	search, messages := q.Text, []object{}
	for i := len(q.History) - 1; i >= 0; i-- {
		if q.History[i].Role == "user" {
			search = q.History[i].Content + " " + search
		}
	}
	for _, h := range q.History {
		messages = append(messages, object{"role": h.Role, "content": h.Content})
	}
	filter := object{"collection": questionsCollection}
	var found struct {
		Data []struct {
			Text     string
			Document struct{ Artifact string }
		}
	}
	err := c.post("/v1/primitives/search", object{"type": "semantic_search", "text": search, "limit": 10, "context_filter": filter}, &found)
	if err != nil {
		return g, err
	}
	for i, d := range found.Data {
		if g.rank == 0 && q.passage != nil && slices.Contains(q.Docs, d.Document.Artifact) && q.passage.MatchString(fold(d.Text)) {
			g.rank = i + 1
		}
	}
	begun := time.Now()
	blocks, err := c.chat(object{"model": "default", "max_tokens": 512,
		"system": []object{{"text": "Answer from the documents.", "citations": object{"enabled": true}}},
		"tools":  searching(filter), "messages": append(messages, object{"role": "user", "content": q.Text})})
	g.took = time.Since(begun)
	cited, opening := 0, ""
	for _, b := range blocks {
		if opening == "" {
			opening = b.Text
		}
		g.text += b.Text
		cited += len(b.Citations)
	}
	text := fold(g.text)
	switch said := refusal.MatchString(text) || cited == 0; {
	case said && q.Answerable:
		g.grade = refused
	case said || q.Answerable && q.rightIn(text):
		g.grade = right
	default:
		g.grade = wrong
	}
	g.first = g.grade == right && q.rightIn(fold(opening))
	return g, err
}

// table prints a row for each type of question, and the measures.
func (r *report) table(all []graded) {
	var types []string
	for _, g := range all {
		if !slices.Contains(types, g.Type) {
			types = append(types, g.Type)
		}
	}
	fmt.Printf("%-20s%5s%7s%7s%7s%7s%7s%9s%7s%7s\n", "", "n", "first1", "first3", "first5", "right", "wrong", "refused", "first", "bytes")
	for _, t := range types {
		tally(all, func(g graded) bool { return g.Type == t }).row(t)
	}
	answerable := tally(all, func(g graded) bool { return g.Answerable })
	answerable.row("answerable")
	of := func(n int, c count) float64 { return float64(n) / float64(max(1, c.n)) }
	paraphrases := tally(all, func(g graded) bool { return g.Type == "paraphrase" })
	without := tally(all, func(g graded) bool { return !g.Answerable })
	facts := tally(all, func(g graded) bool { return g.Type == "fact" })
	followUps := tally(all, func(g graded) bool { return g.Type == "follow-up" })
	took := make([]time.Duration, len(all))
	for i, g := range all {
		took[i] = g.took
	}
	slices.Sort(took)
	for _, m := range []struct {
		name         string
		value, floor float64
		most         bool
	}{
		{"right passage in the first five", of(answerable.first[2], answerable), .86, false},
		{"the same of paraphrases", of(paraphrases.first[2], paraphrases), .70, false},
		{"answerable: right", of(answerable.right, answerable), .78, false},
		{"answerable: wrong", of(answerable.wrong, answerable), .12, true},
		{"right ones whose first quotation is right", float64(answerable.opening) / float64(max(1, answerable.right)), .75, false},
		{"follow-ups: right", of(followUps.right, followUps), .75, false},
		{"bytes of answers to facts", float64(facts.bytes) / float64(max(1, facts.n)), 220, true},
		{"without an answer: refused", of(without.right, without), .80, false},
		{"one client, ms of a chat: p50", float64(took[len(took)/2].Microseconds()) / 1000, 60, true},
	} {
		bound := "floor"
		if m.most {
			bound = "at most"
		}
		r.line(m.value >= m.floor != m.most || m.value == m.floor, "%-50s %.3f (%s %.2f)", "questions, "+m.name, m.value, bound, m.floor)
	}
}

// count is what some questions came to.
type count struct {
	n, right, wrong, refused, opening, bytes int
	first                                    [3]int // with the right passage among the first 1, 3, 5
}

func tally(all []graded, in func(graded) bool) count {
	var c count
	for _, g := range all {
		if !in(g) {
			continue
		}
		c.n++
		c.bytes += len(g.text)
		for i, most := range []int{1, 3, 5} {
			if g.rank > 0 && g.rank <= most {
				c.first[i]++
			}
		}
		switch g.grade {
		case right:
			c.right++
		case wrong:
			c.wrong++
		default:
			c.refused++
		}
		if g.first {
			c.opening++
		}
	}
	return c
}

func (c count) row(name string) {
	fmt.Printf("%-20s%5d%7d%7d%7d%7d%7d%9d%7d%7d\n", name, c.n, c.first[0], c.first[1], c.first[2], c.right, c.wrong, c.refused, c.opening,
		c.bytes/max(1, c.n))
}
