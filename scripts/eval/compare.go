package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Requirements on the first ten hits of a question on two indexes. Scores are
// equal on both, but in a collection with more chunks than a search has
// candidates, each index selects candidates in its own way, so the last hits,
// with almost nothing in common with the question, may differ.
const (
	leastSame     = .95  // share of the questions with the same ten hits
	leastInOrder  = .95  // and with these in the same order
	mostDifferent = 1e-9 // between two scores of one hit
)

// compare asks two services the same questions.
func compare(data, other string) error {
	var services [2]client
	for i, index := range []string{"", other} {
		stop, url, err := start(index)
		if err != nil {
			return err
		}
		defer stop()
		services[i] = client{url}
	}
	below := 0
	for _, name := range []string{"xquad-en", "cranfield"} {
		s, err := load(data, name)
		if err != nil {
			return err
		}
		for _, api := range services {
			if err := api.ingest(s); err != nil {
				return err
			}
		}
		for suffix, queries := range map[string][]query{"": s.queries, " misspelt": s.typos} {
			if len(queries) == 0 {
				continue
			}
			d, err := difference(services, s, queries)
			if err != nil {
				return err
			}
			if !d.print(name + suffix) {
				below++
			}
		}
	}
	if below > 0 {
		return fmt.Errorf("%d sets of questions are answered differently", below)
	}
	return nil
}

// answered is one hit.
type answered struct {
	Score    float64
	Text     string
	Document struct{ Artifact string }
}

// differences are the differences for a set of questions.
type differences struct {
	mu       sync.Mutex
	asked    int
	same     int     // with the same hits in the same order
	sets     int     // with the same hits in any order
	exact    int     // with the same scores too, to nine digits
	greatest float64 // of the scores of one hit
	sum      float64
	hits     int
	worst    string // the question with the greatest difference
}

func difference(services [2]client, s *set, queries []query) (*differences, error) {
	d := &differences{}
	return d, each(queries, func(q query) error {
		var found [2][]answered
		for i, api := range services {
			var out struct{ Data []answered }
			body := object{"type": "semantic_search", "text": q.Text, "limit": 10, "context_filter": object{"collection": s.collection}}
			if err := api.post("/v1/primitives/search", body, &out); err != nil {
				return err
			}
			found[i] = out.Data
		}
		d.add(q.Text, found[0], found[1])
		return nil
	})
}

func place(a answered) string { return a.Document.Artifact + "\x00" + a.Text }

func (d *differences) add(question string, a, b []answered) {
	places := func(list []answered) []string {
		var names []string
		for _, hit := range list {
			names = append(names, place(hit))
		}
		return names
	}
	scores := map[string]float64{}
	for _, hit := range b {
		scores[place(hit)] = hit.Score
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	greatest := 0.0
	for _, hit := range a {
		if score, ok := scores[place(hit)]; ok {
			apart := math.Abs(hit.Score - score)
			greatest = max(greatest, apart)
			d.sum += apart
			d.hits++
		}
	}
	if greatest > d.greatest {
		d.greatest, d.worst = greatest, question
	}
	x, y := places(a), places(b)
	if slices.Equal(x, y) {
		d.same++
		if greatest <= 1e-9 {
			d.exact++
		}
	}
	slices.SortFunc(x, cmp.Compare[string])
	slices.SortFunc(y, cmp.Compare[string])
	if slices.Equal(x, y) {
		d.sets++
	}
}

// print prints a line and reports whether the indexes agree.
func (d *differences) print(name string) bool {
	n := float64(d.asked)
	ok := float64(d.sets)/n >= leastSame && float64(d.same)/n >= leastInOrder && d.greatest <= mostDifferent
	mark := "ok  "
	if !ok {
		mark = "LOW "
	}
	fmt.Printf(mark+"%-20s %5d questions: same ten %.4f (floor %.2f), in the same order %.4f (floor %.2f), same scores to nine digits %.4f; scores apart at most %.2g (bound %.2g), on average %.2g\n",
		name, d.asked, float64(d.sets)/n, leastSame, float64(d.same)/n, leastInOrder, float64(d.exact)/n, d.greatest, mostDifferent,
		d.sum/float64(max(d.hits, 1)))
	if d.worst != "" {
		fmt.Printf("     most apart: %q\n", d.worst)
	}
	return ok
}
