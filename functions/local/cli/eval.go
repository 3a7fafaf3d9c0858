package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// question is a line of a file of questions.
type question struct {
	ID         string   `json:"id,omitempty"`
	Question   string   `json:"q"`
	Type       string   `json:"type,omitempty"`
	Group      string   `json:"group,omitempty"`
	Docs       []string `json:"docs,omitempty"`    // where the answer stands
	Passage    string   `json:"passage,omitempty"` // an expression that its passage matches
	Answer     string   `json:"answer,omitempty"`  // an expression that a right answer matches
	Not        string   `json:"not,omitempty"`     // an expression that a right answer does not match
	Answerable *bool    `json:"answerable,omitempty"`
	History    []turn   `json:"history,omitempty"`

	passage, answer, not *regexp.Regexp
}

type turn struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func (q *question) answerable() bool { return q.Answerable == nil || *q.Answerable }

// graded is a question with what became of it.
type graded struct {
	*question
	Grade string `json:"grade"`          // right, wrong, refused, error
	Rank  int    `json:"rank,omitempty"` // of the right passage among the hits; 0 when it is not there
	First bool   `json:"first,omitempty"`
	Text  string `json:"answer_text"`
	Error string `json:"error,omitempty"`
}

// Grades.
const (
	right   = "right"
	wrong   = "wrong"
	refused = "refused"
	errored = "error"
)

// floors are what an evaluation has to reach; those that were not given count not.
type floors struct {
	right, top5, wrong float64
}

func (c *Command) eval(ctx context.Context, name string, args []string) (int, error) {
	f, o := c.flags(name)
	model := f.String("model", "default", "model")
	var floor floors
	f.Float64Var(&floor.right, "right", 0, "least share of right answers, 0 to 1; below it the command fails")
	f.Float64Var(&floor.top5, "top5", 0, "least share of questions whose passage is among the first five hits")
	f.Float64Var(&floor.wrong, "wrong", 1, "greatest share of wrong answers")
	f.Usage = evalUsage(c, f)
	rest, service, err := o.parse(f, args)
	if err != nil {
		return Failed, err
	}
	questions, err := readQuestions(rest[0])
	if err != nil {
		return Failed, err
	}
	began := c.Now()
	list := make([]*graded, 0, len(questions))
	for i := range questions {
		g := service.grade(ctx, o.collection, *model, &questions[i])
		if g.Error != "" && ctx.Err() != nil {
			return Failed, ctx.Err()
		}
		list = append(list, g)
		switch {
		case o.json:
			err = c.line(g)
		case c.Terminal:
			_, err = fmt.Fprintf(c.Err, "\r\x1b[K%d of %d", len(list), len(questions))
		}
		if err != nil {
			return Failed, err
		}
	}
	if c.Terminal && !o.json {
		_, _ = fmt.Fprint(c.Err, "\r\x1b[K")
	}
	return c.sumUp(o, list, floor, c.Now().Sub(began))
}

func evalUsage(c *Command, f *flag.FlagSet) func() {
	usual := f.Usage
	return func() {
		usual()
		c.say(`a line is {"q": "How many days?", "answer": "28 days"}, and may have docs (names), passage, not (expressions),` +
			` answerable (false: right is to refuse), history (turns before), type and group (rows of the table)`)
	}
}

// readQuestions reads a file of questions and says what is wrong with it, by line.
func readQuestions(path string) ([]question, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []question
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 4<<20)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		if q.Question == "" || q.answerable() && q.Answer == "" {
			return nil, fmt.Errorf("%s, line %d: q and answer are required; answer not where answerable is false", path, n)
		}
		for text, to := range map[*string]**regexp.Regexp{&q.Passage: &q.passage, &q.Answer: &q.answer, &q.Not: &q.not} {
			if *text == "" {
				continue
			}
			if *to, err = regexp.Compile("(?is)" + *text); err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
			}
		}
		list = append(list, q)
	}
	if len(list) == 0 && lines.Err() == nil {
		return nil, fmt.Errorf("%s holds no questions", path)
	}
	return list, lines.Err()
}

// grade asks a question, as a search and as a conversation.
func (a *api) grade(ctx context.Context, collection, model string, q *question) *graded {
	g := &graded{question: q, Grade: errored}
	rank, err := a.rankOf(ctx, collection, q)
	if err != nil {
		g.Error = err.Error()
		return g
	}
	g.Rank = rank
	turns := append(slices.Clone(q.History), turn{"user", q.Question})
	answer, err := a.answerTo(ctx, collection, model, 512, turns)
	if err != nil {
		g.Error = err.Error()
		return g
	}
	cited, beginning := false, ""
	for _, b := range answer.Content {
		if b.Type != "text" {
			continue
		}
		g.Text += b.Text
		cited = cited || len(b.Citations) > 0
		if beginning == "" {
			beginning = strings.TrimSpace(b.Text)
		}
	}
	said := folded(g.Text)
	no := !cited || refusal.MatchString(said)
	fits := func(s string) bool { return q.answer.MatchString(s) && (q.not == nil || !q.not.MatchString(s)) }
	switch {
	case !q.answerable() && no:
		g.Grade = right
	case !q.answerable():
		g.Grade = wrong
	case no:
		g.Grade = refused
	case fits(said):
		g.Grade, g.First = right, fits(firstSentence(beginning))
	default:
		g.Grade = wrong
	}
	return g
}

var (
	refusal    = regexp.MustCompile(`(?i)nothing relevant|i answer from (the )?material`)
	paragraphs = regexp.MustCompile(`\n\s*\n`)
	sentence   = regexp.MustCompile(`^.{25,}?[.!?](\s+[\p{Lu}"“(]|\s*$)`)
)

// firstSentence is the first sentence of an answer's first paragraph.
func firstSentence(s string) string {
	s = folded(paragraphs.Split(s, 2)[0])
	if at := sentence.FindStringSubmatchIndex(s); at != nil {
		return strings.TrimSpace(s[:at[2]])
	}
	return s
}

var folding = strings.NewReplacer("‘", "'", "’", "'", "‚", "'", "“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "\u00ad", "", "\u200b", "",
	"`", "", "|", " ", "│", " ", "‐", "-", "‑", "-", "**", "")

// folded is a text without what does not matter to an expression: compatibility forms,
// kinds of quotation marks, marks of tables and bold words, white space.
func folded(s string) string {
	return strings.Join(strings.Fields(folding.Replace(norm.NFKC.String(s))), " ")
}

// rankOf is the place of the first hit that is the question's passage.
func (a *api) rankOf(ctx context.Context, collection string, q *question) (int, error) {
	if !q.answerable() || q.passage == nil && len(q.Docs) == 0 {
		return 0, nil
	}
	var words []string
	for _, t := range q.History {
		if t.Role == "user" {
			words = append(words, t.Content)
		}
	}
	var found struct {
		Data []struct {
			Text     string
			Document document
		}
	}
	err := a.post(ctx, "/v1/primitives/search", map[string]any{"type": "semantic_search", "limit": 10,
		"text": strings.Join(append(words, q.Question), " "), "context_filter": map[string]any{"collection": collection}}, &found)
	for i, d := range found.Data {
		if (len(q.Docs) == 0 || slices.Contains(q.Docs, d.Document.Artifact)) && (q.passage == nil || q.passage.MatchString(folded(d.Text))) {
			return i + 1, err
		}
	}
	return 0, err
}

// row is a line of the table.
type row struct {
	Name    string  `json:"name"`
	N       int     `json:"n"`
	Sought  int     `json:"sought"` // questions with a passage to find
	Top1    int     `json:"top1"`
	Top3    int     `json:"top3"`
	Top5    int     `json:"top5"`
	Right   int     `json:"right"`
	Wrong   int     `json:"wrong"`
	Refused int     `json:"refused"`
	Errors  int     `json:"errors"`
	First   int     `json:"first"` // right answers whose first sentence is enough
	Seconds float64 `json:"seconds,omitempty"`
}

func (r *row) add(g *graded) {
	r.N++
	if g.answerable() && (g.passage != nil || len(g.Docs) > 0) {
		r.Sought++
	}
	for most, to := range map[int]*int{1: &r.Top1, 3: &r.Top3, 5: &r.Top5} {
		if g.Rank > 0 && g.Rank <= most {
			*to++
		}
	}
	*map[string]*int{right: &r.Right, wrong: &r.Wrong, refused: &r.Refused, errored: &r.Errors}[g.Grade]++
	if g.First {
		r.First++
	}
}

// sumUp shows the table and compares the total with the floors.
func (c *Command) sumUp(o *options, list []*graded, floor floors, took time.Duration) (int, error) {
	var rows []*row
	total := &row{Name: "total", Seconds: took.Seconds()}
	for _, g := range list {
		for _, name := range slices.Compact([]string{g.Type, g.Group}) {
			if name == "" {
				continue
			}
			at := slices.IndexFunc(rows, func(r *row) bool { return r.Name == name })
			if at < 0 {
				at = len(rows)
				rows = append(rows, &row{Name: name})
			}
			rows[at].add(g)
		}
		total.add(g)
		if g.Error != "" {
			c.say("%s: %s", printable(g.Question), printable(g.Error))
		}
	}
	rows = append(rows, total)
	if !o.json {
		if _, err := fmt.Fprintf(c.Out, "%-20s %4s %5s %5s %5s %6s %6s %8s %6s %6s\n", "", "n", "top1", "top3", "top5", right, wrong, refused, errored,
			"first"); err != nil {
			return Failed, err
		}
	}
	for _, r := range rows {
		var err error
		if o.json {
			err = c.line(map[string]*row{"summary": r})
		} else {
			_, err = fmt.Fprintf(c.Out, "%-20s %4d %5d %5d %5d %6d %6d %8d %6d %6d\n", printable(r.Name), r.N, r.Top1, r.Top3, r.Top5, r.Right, r.Wrong,
				r.Refused, r.Errors, r.First)
		}
		if err != nil {
			return Failed, err
		}
	}
	code := Done
	miss := func(what string, got, want float64) {
		c.say("%s: %.3f, wanted %.3f", what, got, want)
		code = Failed
	}
	share := func(n, of int) float64 { return float64(n) / float64(max(1, of)) }
	if got := share(total.Right, total.N); got < floor.right {
		miss("right answers are too few", got, floor.right)
	}
	if got := share(total.Top5, total.Sought); got < floor.top5 {
		miss("passages among the first five are too few", got, floor.top5)
	}
	if got := share(total.Wrong, total.N); got > floor.wrong {
		miss("wrong answers are too many", got, floor.wrong)
	}
	if total.Errors > 0 {
		code = Failed
	}
	return code, nil
}
