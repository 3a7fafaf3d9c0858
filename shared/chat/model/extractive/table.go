package extractive

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/message/passage"
	"lectern/shared/text/chunk"
	"lectern/shared/text/terms"
)

// cells returns the texts of a table row's cells.
func cells(row string) []string {
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	list := strings.Split(strings.ReplaceAll(row, `\|`, "\x00"), "|")
	for i, c := range list {
		list[i] = strings.TrimSpace(strings.ReplaceAll(c, "\x00", "|"))
	}
	return list
}

// ruled reports whether the text between two rows has the line that ends a table's header.
func ruled(between string) bool {
	for line := range strings.Lines(between) {
		if strings.Contains(line, "-") && strings.Trim(line, " \t\r\n|:-") == "" {
			return true
		}
	}
	return false
}

// restated returns a row with the names of its columns beside the values.
func restated(header, row string) string {
	names, values := cells(header), cells(row)
	if len(names) != len(values) || len(values) < 2 {
		return row
	}
	var parts []string
	for i, v := range values {
		switch {
		case v == "":
		case names[i] == "" || strings.EqualFold(names[i], v):
			parts = append(parts, v)
		default:
			parts = append(parts, strings.TrimSuffix(names[i], ":")+": "+v)
		}
	}
	if len(parts) == 0 {
		return row
	}
	return strings.Join(parts, "; ")
}

// Words that ask for an extreme of a column.
var (
	mostForm  = form(`(?i)\b(?:highest|largest|biggest|greatest|most|maximum|longest|latest|newest|oldest|best|top|dearest|costliest|priciest|höchste[nrs]?|größte[nrs]?|meisten?|längste[nrs]?)\b`)
	leastForm = form(`(?i)\b(?:lowest|smallest|least|fewest|cheapest|minimum|shortest|earliest|niedrigste[nrs]?|kleinste[nrs]?|wenigsten?|billigste[nrs]?|kürzeste[nrs]?)\b`)
	totalForm = form(`(?i)^\W*(?:(?:grand |sub)?total|sum|all|average|mean|gesamt|summe|durchschnitt)\b`)
)

// dear are words for what costs much or little; unfilled what stands in a cell without a value.
var (
	dear     = wordSet(`expensive dear dearest cheap cheapest costly costliest pricey priciest`)
	unfilled = map[string]bool{"": true, "-": true, "–": true, "—": true, "n/a": true}
)

// Limits of what is computed over a table.
const (
	columnsShare = .5 // of the question's words, by weight, that speak of the table
	rowsLeast    = 2
)

// extreme returns the row of a table that a question like "which region had the
// highest revenue" asks for; nil if it asks for none. The table has to stand whole in its passage.
func extreme(list []*candidate, passages []passage.Passage, q question) (row *candidate) {
	most, least := mostForm.get().FindString(q.text), leastForm.get().FindString(q.text)
	if (most == "") == (least == "") || len(list) == 0 {
		return nil
	}
	sign := 1.0
	if least != "" {
		sign = -1
	}
	weights, _ := weigh(list, q)
	prices := false // of what is dear or cheap
	for k, w := range q.words {
		prices = prices || dear[w]
		if w == strings.ToLower(most+least) || dear[w] || w == "thing" || w == "item" {
			weights[k] = 0
		}
	}
	best := columnsShare
	for h := range list {
		if !list[h].heading || !list[h].row {
			continue
		}
		about := aboutTable(list, passages[list[h].passage], q, h)
		total, sum := 0.0, 0.0
		for k, w := range weights {
			total += w
			sum += w * about[k]
		}
		if total == 0 || sum/total <= best || !whole(list, passages[list[h].passage], h) {
			continue
		}
		if r := extremeRow(list, q, weights, h, sign, prices); r != nil {
			row, best = r, sum/total
		}
	}
	return row
}

// aboutTable returns, by question word, how much of it stands in a table's header and
// in the headings and the title above it.
func aboutTable(list []*candidate, p passage.Passage, q question, header int) []float64 {
	about := documentHits(p, q)
	hold(about, wordsIn(list[header].text, q), 1)
	for i := header - 1; i >= 0 && list[i].passage == list[header].passage; i-- {
		if list[i].heading && !list[i].row || i >= header-nearbyMost {
			hold(about, wordsIn(list[i].text, q), scopeShare)
		}
	}
	return about
}

// whole reports whether a table was not cut at the end of its passage, by its size.
func whole(list []*candidate, p passage.Passage, header int) bool {
	last := header
	for i := header + 1; i < len(list) && list[i].header == header; i++ {
		last = i
	}
	return p.Last || strings.TrimSpace(p.Text[list[last].end:]) != "" || !chunk.MayGoOn(p.Text)
}

// extremeRow returns the row with the largest or smallest number in the column that
// the question names; in the only column of numbers, if it names none; nil if that cannot be told.
func extremeRow(list []*candidate, q question, weights []float64, header int, sign float64, prices bool) *candidate {
	names := cells(list[header].text)
	var rows []*candidate
	var values [][]string // of the rows
	for i := header + 1; i < len(list) && list[i].header == header; i++ {
		if c := cells(list[i].text); len(c) == len(names) && !sums(c) {
			rows, values = append(rows, list[i]), append(values, c)
		}
	}
	if len(rows) < rowsLeast {
		return nil
	}
	column, named, numeric := -1, 0.0, 0
	for j, name := range names {
		if slices.ContainsFunc(values, func(v []string) bool { _, ok := number(v[j]); return !ok && !unfilled[v[j]] }) ||
			!slices.ContainsFunc(values, func(v []string) bool { return !unfilled[v[j]] }) {
			continue
		}
		numeric++
		share := .01 // any column of numbers
		if prices && matchesForm(priceList, name) {
			share = .2
		}
		for _, w := range terms.Words(name) {
			if k := q.index(w.Text); k >= 0 {
				share += weights[k]
			}
		}
		if share > named {
			column, named = j, share
		}
	}
	if column < 0 || named < .1 && numeric > 1 {
		return nil
	}
	var best *candidate
	top := 0.0
	for i, v := range values {
		if n, ok := number(v[column]); ok && (best == nil || sign*n > top) {
			best, top = rows[i], sign*n
		}
	}
	return best
}

// sums reports whether a row sums up those above it: it says so, or has nothing in the
// column that names them.
func sums(values []string) bool { return values[0] == "" || matchesForm(totalForm, values[0]) }

// countedForm matches what a question wants counted: one word or two.
var countedForm = form(`(?i)\b(?:how many|wie viele)\s+(?:different\s+|distinct\s+|verschiedenen?\s+)?(\pL[\pL-]*(?:\s+\pL[\pL-]*)?)`)

// counted returns the rows of a table that a question like "how many suppliers are in
// Hamburg" wants counted, one for each value of the column that it names, the first with
// their number. The table has to stand whole in its passage.
func counted(list []*candidate, passages []passage.Passage, q question) []*candidate {
	m := countedForm.get().FindStringSubmatch(q.text)
	if m == nil {
		return nil
	}
	things := map[int]bool{}
	for _, w := range terms.Words(m[1]) {
		if k := q.index(w.Text); k >= 0 {
			things[k] = true
		}
	}
	for h := range list {
		if !list[h].heading || !list[h].row || !whole(list, passages[list[h].passage], h) {
			continue
		}
		if rows := countedRows(list, passages[list[h].passage], q, things, h); len(rows) > 0 {
			return rows
		}
	}
	return nil
}

func countedRows(list []*candidate, p passage.Passage, q question, things map[int]bool, header int) []*candidate {
	names := cells(list[header].text)
	column := -1
	for j, name := range names {
		for _, w := range terms.Words(name) {
			if things[q.index(w.Text)] {
				if column >= 0 {
					return nil // it may mean either
				}
				column = j
			}
		}
	}
	if column < 0 {
		return nil
	}
	about := aboutTable(list, p, q, header)
	var conditions []int
	for k, w := range q.words {
		if !things[k] && !frames[w] && about[k] < present {
			conditions = append(conditions, k)
		}
	}
	var rows []*candidate
	seen := map[string]bool{}
	numbers := true
	for i := header + 1; i < len(list) && list[i].header == header; i++ {
		values := cells(list[i].text)
		if len(values) != len(names) || sums(values) || values[column] == "" {
			continue
		}
		_, isNumber := number(values[column])
		numbers = numbers && isNumber
		lacks := func(k int) bool { return !slices.Contains(list[i].stems, q.stems[k]) }
		if seen[values[column]] || slices.ContainsFunc(conditions, lacks) {
			continue
		}
		seen[values[column]] = true
		rows = append(rows, list[i])
	}
	if numbers || len(rows) == 0 {
		return nil // the number that is asked for stands in the column
	}
	shown := run(rows, 0, blockBytes, func(i int) bool { return i < len(rows) })
	if shown[0].count = fmt.Sprintf("%d:", len(rows)); len(shown) < len(rows) {
		shown[0].count = fmt.Sprintf("%d (1–%d):", len(rows), len(shown))
	}
	return shown
}

// number reads a number as tables write it: with a unit or a sign of currency, with
// marks between thousands.
func number(cell string) (float64, bool) {
	cell = strings.Trim(cell, " *_$€£%+~")
	digits := cell
	if first, rest, ok := strings.Cut(cell, " "); ok {
		if digits = first; strings.ContainsAny(rest, "0123456789") {
			return 0, false // a date, a range
		}
	}
	comma, point := strings.LastIndexByte(digits, ','), strings.LastIndexByte(digits, '.')
	if comma > point && len(digits)-comma-1 != 3 || point >= 0 && strings.Count(digits, ".") > 1 {
		digits = strings.ReplaceAll(strings.ReplaceAll(digits, ".", ""), ",", ".") // 1.234,5
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	return n, err == nil
}
