package reckon

import (
	"strings"

	"lectern/shared/chat/model/extractive/lazy"
)

// query is a statement over one table in its parts.
type query struct {
	what, from, where, group, having, order, limit string

	with, row string // what the statement begins with, and the number of a row of the table itself
}

// rowNumber is the number of a row, from 1, by SQLite; no column of a table is called so.
const rowNumber = "_rowid_"

// clauses begin the parts of a statement, in their order.
var clauses = []string{" FROM ", " WHERE ", " GROUP BY ", " HAVING ", " ORDER BY ", " LIMIT "}

// parse parts a statement that package plainsql has written; ok is false of one that does not read one table.
func parse(sql string) (q query, ok bool) {
	q.row = rowNumber
	rest, ok := strings.CutPrefix(sql, "SELECT ")
	if !ok {
		return q, false
	}
	parts := []*string{&q.what, &q.from, &q.where, &q.group, &q.having, &q.order, &q.limit}
	part := 0
	for k, clause := range clauses {
		if at := outside(rest, clause); at >= 0 {
			*parts[part], rest, part = rest[:at], rest[at+len(clause):], k+1
		}
	}
	*parts[part] = rest
	q.what = strings.TrimPrefix(q.what, "DISTINCT ")
	one := strings.HasPrefix(q.from, `"`) && strings.HasSuffix(q.from, `"`) && strings.Count(q.from, `"`) == 2
	return q, one && !strings.Contains(strings.ToUpper(q.what), "SELECT")
}

// unfolded parts a statement that adds up what a table has in several columns, one for each of some times, as one over the table
// itself; ok is false of another one.
func unfolded(sql, table string) (q query, ok bool) {
	at := outside(sql, " SELECT ")
	if !strings.HasPrefix(sql, "WITH ") || at < 0 {
		return q, false
	}
	q, ok = parse(sql[at+1:])
	if !ok || q.group != "" || !strings.HasPrefix(q.what, "SUM(") {
		return q, false
	}
	q.from = table
	var conditions []string
	for rest := q.where; rest != ""; {
		one, next := cut(rest, " AND ")
		if !strings.Contains(one, `"begins"`) && !strings.Contains(one, `"time"`) && !strings.Contains(one, `"amount"`) {
			conditions = append(conditions, one)
		}
		rest = next
	}
	q.where = strings.Join(conditions, " AND ")
	return q, true
}

// Columns of the days of a rota.
const dayOf, cellOf = `"day"`, `"shift"`

// byDay parts a statement about the days of a rota; ok is false of another one.
func byDay(sql string) (q query, ok bool) {
	at := outside(sql, " SELECT ")
	if !strings.HasPrefix(sql, "WITH ") || !strings.Contains(sql, " AS "+cellOf+" FROM ") || at < 0 {
		return q, false
	}
	if q, ok = parse(sql[at+1:]); ok {
		const number = `"row_number"`
		q.with = strings.NewReplacer(" AS (SELECT ", " AS (SELECT "+rowNumber+" AS "+number+", ",
			" UNION ALL SELECT ", " UNION ALL SELECT "+rowNumber+" AS "+number+", ").Replace(sql[:at+1])
		q.row = "DISTINCT " + number
	}
	return q, ok
}

// median parts a statement for the median of a column, as one for an average over the table itself; ok is false of another one.
func median(sql string) (q query, ok bool) {
	m := medians.Get().FindStringSubmatch(sql)
	if m == nil {
		return q, false
	}
	return query{what: "AVG(" + m[1] + ")", from: m[2], where: m[3], row: rowNumber}, true
}

var medians = lazy.New(`^SELECT AVG\(x\) AS "[^"]+" FROM \(SELECT ("[^"]+") AS x FROM ("[^"]+")(?: WHERE (.+?))? ORDER BY x LIMIT 2 - `)

// cut returns what stands before and behind a text that is outside of quotes and brackets.
func cut(sql, text string) (before, after string) {
	if at := outside(sql, text); at >= 0 {
		return sql[:at], sql[at+len(text):]
	}
	return sql, ""
}

// outside returns where in a statement a text stands, outside of quotes and brackets; -1 where it does not.
func outside(sql, text string) int {
	depth, quote := 0, byte(0)
	for i := range len(sql) {
		c := sql[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
			continue
		case depth == 0 && strings.HasPrefix(sql[i:], text):
			return i
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	return -1
}

// field is a column of a statement's result: what it has, and what it is called.
type field struct{ is, called string }

// fields returns the columns of a statement's result.
func (q query) fields() (list []field) {
	for rest := q.what; rest != ""; {
		one, next := cut(rest, ", ")
		is, called := cut(one, " AS ")
		list, rest = append(list, field{is, strings.ReplaceAll(strings.Trim(called, `"`), `""`, `"`)}), next
	}
	return list
}
