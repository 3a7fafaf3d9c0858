package reckon

import (
	"context"
	"math"
	"regexp"
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/text/terms"
)

// side is one of two parts of a table that are compared: its rows, and what is measured of them.
type side struct{ called, where, measure string }

// sideForm matches what a statement computes of a side.
var sideForm = regexp.MustCompile(`^(?:SUM|AVG)\((?:1\.0 \* )?CASE WHEN (.+)\)$`)

// contrasted returns the two sides that a statement compares, first the one that is said to have more; ok is false of another one.
func contrasted(q query) (sides [2]side, ok bool) {
	fields := q.fields()
	if len(fields) != 3 || q.group != "" || !strings.Contains(fields[2].is, fields[0].is+" - "+fields[1].is) {
		return sides, false
	}
	for i, field := range fields[:2] {
		m := sideForm.FindStringSubmatch(field.is)
		if m == nil {
			return sides, false
		}
		at := outside(m[1], " THEN ")
		if at < 0 {
			return sides, false
		}
		measure := strings.TrimSuffix(m[1][at+len(" THEN "):], " END")
		sides[i] = side{field.called, m[1][:at], strings.TrimSuffix(measure, " ELSE 0")}
	}
	return sides, true
}

// Questions which of two has more, and whether one has.
var (
	ofTwo   = lazy.New(`(?i)^(?:which|who|what|where|is|are|was|were|does|do|did|has|have|wer|welche[rsn]?|wo|ist|sind|hat)\b.*\b(?:or|oder)\b`)
	whether = lazy.New(`(?i)^(?:is|are|was|were|do|does|did|has|have|had|can|ist|sind|war|waren|hat|haben|hatte|hatten|kostet|kosten|` +
		`kostete|gab|gibt|wurde|wurden|liegt|lag|verdient|verdiente|verkauft|verbraucht)\b`)
)

// contrast answers by two parts of a table beside each other: by how much they differ, which one has more, or whether the first has.
// Nil where one of them has no rows with what is compared.
func (i inquiry) contrast(ctx context.Context, q query, values []any) (*sheet.Answer, error) {
	sides, _ := contrasted(q)
	var rows [2][]int
	for k, one := range sides {
		where := and(q.where, one.where)
		if one.measure != "1" {
			where = and(where, one.measure+" IS NOT NULL")
		}
		var err error
		if rows[k], err = i.rows(ctx, q, " WHERE "+where); err != nil || len(rows[k]) == 0 {
			return nil, err
		}
	}
	first, ok := asFloat(values[0])
	second, also := asFloat(values[1])
	if !ok || !also {
		return nil, nil //nolint:nilnil // nothing to compare
	}
	a := &sheet.Answer{Enough: len(rows[0]) == 1 && len(rows[1]) == 1, Computed: len(rows[0]) != 1 || len(rows[1]) != 1}
	fewer := i.named(sides[1].called) < i.named(sides[0].called) // what is said to have less is named first
	difference, either := first-second, strings.Contains(q.what, "ABS(")
	switch {
	case ofTwo.In(i.question):
		fewer = (difference < 0) != fewer // then the second one is asked for
	case whether.In(i.question) && !either:
		a.Decides, a.Denied = true, difference <= 0
	default:
		function, _, _ := strings.Cut(q.fields()[0].is, "(") // an average may be broken where its numbers are whole
		a.Value = i.asColumn(math.Abs(difference), function+"("+sides[0].measure+")")
		if difference < 0 && !either {
			a.Value = "-" + a.Value // it is asked how many more, and there are fewer
		}
	}
	if fewer {
		rows[0], rows[1] = rows[1], rows[0]
	}
	a.Rows = append(rows[0], rows[1]...)
	return a, nil
}

// named returns where the question names a side, at least by one of its words; -1 where it does not.
func (i inquiry) named(side string) int {
	question := strings.ToLower(i.question)
	if at := strings.Index(question, strings.ToLower(side)); at >= 0 {
		return at
	}
	for _, w := range terms.Words(side) {
		if at := strings.Index(question, w.Text); len(w.Text) >= leastNoun && at >= 0 {
			return at
		}
	}
	return -1
}

// asFloat returns a number of a result.
func asFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
