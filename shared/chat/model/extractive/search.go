package extractive

import (
	"encoding/json"
	"slices"
	"strings"

	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/message"
	"lectern/shared/text/terms"
)

// search is a call of one of the service's search tools.
type search struct {
	name  string
	input message.Object
}

// searches returns the calls to make before answering, one per question and service tool
// that takes a query; none if the turn has tool results already. For a summary the document
// that was found is then looked for by its title, which finds the whole of it; for what is
// computed over a table, the rest of that by the names of its columns.
func searches(req *model.Request, q question) []search {
	var queries []string
	switch {
	case req.Choice.Type == "none" || len(q.stems) == 0:
	case q.results && q.kind == summary && q.rounds == 1:
		if title := titleMeant(req.Passages, q); title != "" {
			queries = []string{title}
		}
	case q.results && q.rounds == 1:
		if table := restOfTable(req.Passages, q); table != "" {
			queries = []string{table}
		}
	case q.results:
	case req.Choice.DisableParallel:
		queries = []string{q.query}
	default:
		for _, one := range q.questions() {
			queries = append(queries, one.query)
		}
		if queries == nil {
			queries = []string{q.query}
		}
		for i, query := range queries {
			queries[i] = withDays(query)
		}
	}
	return callsOf(req, queries)
}

// searchesAgain returns the calls to make where nothing that was found answers: for the words
// that what comes nearest has not. Others, such as the name of the firm that all documents are
// of, may have stood in their way.
func searchesAgain(req *model.Request, q question, ranked []*candidate) []search {
	if !q.results || q.rounds != 1 || req.Choice.Type == "none" || len(ranked) == 0 {
		return nil
	}
	missing := q.lacking(ranked[0])
	if len(missing) == 0 || len(missing) == len(q.words) {
		return nil
	}
	return callsOf(req, []string{strings.Join(missing, " ")})
}

// askedAgain returns, by question word, which of them were searched for a second time; nil where
// none were.
func (q *question) askedAgain(req *model.Request) []bool {
	n := len(req.Messages)
	if q.rounds != 2 || n < 2 {
		return nil
	}
	for _, b := range req.Messages[n-2].Content {
		call, ok := b.(*message.ToolUse)
		if !ok {
			continue
		}
		var input struct{ Query string }
		if json.Unmarshal(call.Input, &input) != nil || input.Query == "" {
			continue
		}
		again := make([]bool, len(q.stems))
		for _, w := range terms.Words(input.Query) {
			k := q.index(w.Text)
			if k < 0 && !w.Part {
				return nil // for something else
			}
			if k >= 0 {
				again[k] = true
			}
		}
		if slices.Contains(again, false) {
			return again
		}
	}
	return nil
}

// covers reports whether an answer has most of the words that were searched for again.
func covers(found []*candidate, stems []string, again []bool) bool {
	have, of := 0, 0
	for k, asked := range again {
		if !asked {
			continue
		}
		of++
		if slices.ContainsFunc(found, func(c *candidate) bool { return slices.Contains(c.stems, stems[k]) }) {
			have++
		}
	}
	return 2*have > of && found[0].lacking == 0
}

// callsOf returns a call of each of the service's tools that take a query, for each query; one
// where they may not be made at once.
func callsOf(req *model.Request, queries []string) []search {
	var list []search
	for _, query := range queries {
		for _, t := range req.Tools {
			if !t.Server || !takesQuery(t.InputSchema) {
				continue
			}
			input, err := json.Marshal(map[string]string{"query": query})
			if err != nil {
				continue
			}
			list = append(list, search{t.Name, input})
			if req.Choice.DisableParallel {
				return list
			}
		}
	}
	return list
}

// withDays returns a query with its days as tables write them besides.
func withDays(query string) string {
	for _, d := range cell.Days(ends(query, askedBytes)) {
		if iso := d.ISO(); iso != "" && !strings.Contains(query, iso) {
			query += " " + iso
		}
	}
	return query
}

// takesQuery reports whether a tool's only required input is a string named query.
func takesQuery(schema message.Object) bool {
	var s struct {
		Required   []string
		Properties map[string]struct{ Type string }
	}
	if json.Unmarshal(schema, &s) != nil || s.Properties["query"].Type != "string" {
		return false
	}
	return len(s.Required) == 0 || len(s.Required) == 1 && s.Required[0] == "query"
}

// forced returns the tool that must be called: the one named, or the one whose name
// and description share most words with the question.
func forced(req *model.Request, q question) (model.Tool, bool) {
	best, bestScore := -1, -1
	for i, t := range req.Tools {
		if req.Choice.Type == "tool" {
			if t.Name == req.Choice.Name {
				return t, true
			}
			continue
		}
		about := map[string]bool{}
		stems, _ := q.meaningful(strings.ReplaceAll(t.Name, "_", " ") + " " + t.Description)
		for _, s := range stems {
			about[s] = true
		}
		score := 0
		for _, s := range q.stems {
			if about[s] {
				score++
			}
		}
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	if best < 0 {
		return model.Tool{}, false
	}
	return req.Tools[best], true
}
