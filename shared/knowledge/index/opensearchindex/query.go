package opensearchindex

import (
	"strings"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/filter"
)

// object is a JSON object of a query.
type object = map[string]any

func term(field, value string) object { return object{"term": object{field: value}} }

func within(field string, values []string) object { return object{"terms": object{field: values}} }

// filters returns what has to hold for every hit.
func filters(q *index.Query, clauses []filter.Clause) (must, not []object) {
	must = []object{term(fieldCollection, q.Collection)}
	if q.Artifacts != nil {
		must = append(must, within(fieldArtifact, q.Artifacts))
	}
	if q.Live != nil {
		must = append(must, within(fieldGeneration, q.Live))
	}
	if len(q.Dead) > 0 {
		not = append(not, within(fieldGeneration, q.Dead))
	}
	for _, c := range clauses {
		tests := make([]object, 0, len(c.Any))
		for _, t := range c.Any {
			tests = append(tests, test(t))
		}
		either := object{"bool": object{"should": tests, "minimum_should_match": 1}}
		if len(tests) == 0 {
			either = object{"match_none": object{}}
		}
		if c.Not {
			not = append(not, either)
		} else {
			must = append(must, either)
		}
	}
	return must, not
}

// test translates one test of a metadata keyword.
func test(t filter.Test) object {
	switch {
	case t.Equal != "":
		return term(fieldMetadata, t.Equal)
	case t.Infix != "":
		return object{"wildcard": object{fieldMetadata: object{"value": literal(t.Prefix) + "*" + literal(t.Infix) + "*"}}}
	}
	bounds := object{"gte": t.Prefix, "lt": after(t.Prefix)}
	if t.From != "" {
		delete(bounds, "gte")
		bounds[map[bool]string{true: "gt", false: "gte"}[t.FromOpen]] = t.From
	}
	if t.To != "" {
		delete(bounds, "lt")
		bounds[map[bool]string{true: "lt", false: "lte"}[t.ToOpen]] = t.To
	}
	return object{"range": object{fieldMetadata: bounds}}
}

// after returns the first string behind all that begin with prefix, whose
// last byte is a letter.
func after(prefix string) string {
	last := len(prefix) - 1
	return prefix[:last] + string(rune(prefix[last]+1))
}

// literal escapes what a wildcard query would read as a pattern.
func literal(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`).Replace(s)
}

func boolean(must, not, should []object) object {
	b := object{"filter": must}
	if len(not) > 0 {
		b["must_not"] = not
	}
	if len(should) > 0 {
		b["should"], b["minimum_should_match"] = should, 1
	}
	return object{"bool": b}
}

// match finds documents that have any of the tokens.
func match(field string, tokens []string) object {
	return object{"match": object{field: object{"query": strings.Join(tokens, " "), "operator": "or"}}}
}
