package meaning

import (
	"cmp"
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/sqltext"
)

// Candidate is a plain question that a table can answer.
type Candidate struct {
	Text string // such as "which customer has the highest total amount where status is open"
	SQL  string
	Told string // the column of the statement's result that answers
	head string // the text without its conditions
	uses []condition
}

// beyond reports whether a candidate is of rows in which a column is over or under another one.
func (c Candidate) beyond() bool {
	return slices.ContainsFunc(c.uses, func(u condition) bool { return u.kind == beyond })
}

// asking is what a question asks for.
type asking int

// What can be asked for. Top and low are by groups, arg by single rows.
const (
	aCount asking = iota
	aShare
	distinct
	aList
	aLookup
	aSum
	anAverage
	aMost
	aLeast
	aShareOfSum
	argMost
	argLeast
	topSum
	lowSum
	topAverage
	lowAverage
	topCount
	lowCount
	aDay
	firstDay
	lastDay
	argFirst
	argLast
	differenceOfCounts
	differenceOfSums
	differenceOfAverages
	askings
)

// column is a column with what it is called in a plain question.
type column struct {
	*database.Column
	called string
	sql    string
	span   string // what it is by, such as month; empty of the column itself
}

// builder lists candidates for a question of a table.
type builder struct {
	from, rows           string // the table in SQL, and what its rows are called
	numbers, texts, days []column
	allowed              [askings]bool
	compares             bool            // the question compares
	said                 map[string]bool // the stems of its words
	sharesRows           bool            // it asks for a share of things, rather than of an amount
	unit                 string          // it asks for so much in a unit that a column has; empty without
	spans                []column        // months and days that rows may be grouped by
	out                  []Candidate
}

// unitParts are last parts of names that are units.
var unitParts = lexicon.Set("gbp eur usd chf m km cm mm ha kg g t l ml h min s hrs hours c f kw kwh w v pct percent gb mb")

// calledSo returns how a plain question calls a column or a table: its name in words, without the unit.
func calledSo(name string) string {
	parts := strings.Fields(strings.ToLower(strings.NewReplacer("_", " ", "/", " ", "-", " ", "?", "").Replace(name)))
	if n := len(parts); n > 1 && unitParts[parts[n-1]] {
		parts = parts[:n-1]
	}
	return strings.Join(parts, " ")
}

// newBuilder sorts the columns of a table by what can be asked of them.
func newBuilder(t *database.Table) *builder {
	b := &builder{from: " FROM " + dialect.Path(t), rows: calledSo(t.Name)}
	for i := range t.Columns {
		c := column{&t.Columns[i], calledSo(t.Columns[i].Name), dialect.Quote(t.Columns[i].Name), ""}
		switch kind := c.Kind(); {
		case kind == database.Moment, kind == database.Numeric && c.Years:
			b.days = append(b.days, c)
		case kind == database.Numeric && (c.Key || identifies(c.Name)):
		case kind == database.Numeric:
			b.numbers = append(b.numbers, c)
		case kind == database.Textual:
			b.texts = append(b.texts, c)
		}
	}
	return b
}

// identifies reports whether a column of numbers has the names of things.
func identifies(name string) bool {
	parts := lexicon.Parts(name)
	return lexicon.Identifies(parts) || len(parts) > 0 && idWords[parts[len(parts)-1]]
}

var idWords = lexicon.Set("id no nr ref reference phone tel mobile fax postcode zip code invoice barcode isbn sku")

// add appends a candidate, where the question may ask for such a thing.
func (b *builder) add(kind asking, text, told string, uses []condition, sql string) {
	if b.allowed[kind] {
		b.out = append(b.out, Candidate{text + saying(uses), sql, told, text, uses})
	}
}

// saying puts conditions in words.
func saying(list []condition) string {
	texts := make([]string, len(list))
	for i, c := range list {
		texts[i] = c.text
	}
	if len(texts) == 0 {
		return ""
	}
	return " where " + strings.Join(texts, " and ")
}

// where returns the conditions as a statement has them, with some more.
func where(list []condition, more ...string) string {
	parts := make([]string, 0, len(list)+len(more))
	for _, c := range list {
		parts = append(parts, c.sql)
	}
	if parts = append(parts, more...); len(parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(parts, " AND ")
}

// build lists what can be asked under each of some sets of conditions, and of two values beside each other. Where that is too much,
// there are fewer pairs of conditions.
func (b *builder) build(conditions []condition) []Candidate {
	for _, set := range sets(conditions) {
		if len(set) > 1 && len(b.out) > mostCandidates {
			break
		}
		b.under(set)
	}
	for i, one := range conditions {
		for _, other := range conditions[i+1:] {
			if b.compares && one.kind <= alike && other.kind <= alike && one.of == other.of && len(b.out) <= mostCandidates {
				b.compare(one, other)
			}
		}
	}
	return b.out
}

// under lists what can be asked of the rows that meet some conditions.
func (b *builder) under(uses []condition) {
	unmet := func(c column) bool {
		return !slices.ContainsFunc(uses, func(u condition) bool { return u.of == c.Column })
	}
	single := slices.ContainsFunc(uses, func(u condition) bool { return u.kind <= alike && !u.of.Repeats })
	b.add(aCount, "how many "+b.rows, "count", uses, `SELECT COUNT(*) AS "count"`+b.from+where(uses))
	b.share(aShare, "what percentage of "+b.rows, "1", "COUNT(*)", uses)
	for _, k := range b.texts {
		if !unmet(k) {
			continue
		}
		if k.Repeats {
			b.add(distinct, "how many different "+k.called, "count", uses, "SELECT COUNT(DISTINCT "+k.sql+`) AS "count"`+b.from+where(uses))
		}
		if len(uses) > 0 {
			b.add(aList, "which "+k.called, k.Name, uses,
				"SELECT DISTINCT "+k.sql+b.from+where(uses, sqltext.Filled(k.sql, k.Values))+" ORDER BY 1 LIMIT 100")
		}
		if k.Repeats && !single {
			b.group(topCount, lowCount, k, "the most "+b.rows, "the fewest "+b.rows, "COUNT(*)", `"count"`, uses)
		}
	}
	for _, n := range b.numbers {
		if unmet(n) || slices.ContainsFunc(uses, func(u condition) bool { return u.of == n.Column && (u.kind == compared || u.kind == beyond) }) {
			b.measure(n, uses, unmet, single)
		}
	}
	for _, d := range b.days {
		b.day(d, uses, unmet, single)
	}
	for _, span := range b.spans {
		if !single && unmet(span) {
			b.group(topCount, lowCount, span, "the most "+b.rows, "the fewest "+b.rows, "COUNT(*)", `"count"`, uses)
			for _, n := range b.numbers {
				b.group(topSum, lowSum, span, "the highest total "+n.called, "the lowest total "+n.called, "SUM("+n.sql+")", `"result"`, uses, n)
			}
		}
	}
}

// measure lists what can be asked of a column of numbers.
func (b *builder) measure(n column, uses []condition, unmet func(column) bool, single bool) {
	if single {
		b.add(aLookup, "what is the "+n.called, n.Name, uses, "SELECT DISTINCT "+n.sql+b.from+where(uses)+" LIMIT 100")
		return
	}
	if b.bound(n) || b.unit != "" && !inUnit(n, b.unit) {
		return
	}
	known := n.sql + " IS NOT NULL"
	total, mean := "total_"+n.Name, "average_"+n.Name
	if additive(n) {
		b.add(aSum, "what is the total "+n.called, total, uses, "SELECT SUM("+n.sql+") AS "+dialect.Quote(total)+b.from+where(uses))
	}
	b.add(anAverage, "what is the average "+n.called, mean, uses, "SELECT AVG("+n.sql+") AS "+dialect.Quote(mean)+b.from+where(uses))
	b.add(aMost, "what is the highest "+n.called, "result", uses, "SELECT MAX("+n.sql+`) AS "result"`+b.from+where(uses, known))
	b.add(aLeast, "what is the lowest "+n.called, "result", uses, "SELECT MIN("+n.sql+`) AS "result"`+b.from+where(uses, known))
	if additive(n) && (!b.sharesRows || b.says(n)) {
		b.share(aShareOfSum, "what percentage of the total "+n.called, n.sql, "SUM("+n.sql+")", uses)
	}
	for _, k := range b.texts {
		switch {
		case !unmet(k):
		case k.Repeats:
			b.group(argMost, argLeast, k, "the highest single "+n.called, "the lowest single "+n.called, "", `"result"`, uses, n)
			if additive(n) {
				b.group(topSum, lowSum, k, "the highest total "+n.called, "the lowest total "+n.called, "SUM("+n.sql+")", `"result"`, uses, n)
			}
			b.group(topAverage, lowAverage, k, "the highest average "+n.called, "the lowest average "+n.called, "AVG("+n.sql+")", `"result"`, uses, n)
		default:
			b.group(argMost, argLeast, k, "the highest "+n.called, "the lowest "+n.called, "", `"result"`, uses, n)
		}
	}
}

// says reports whether the question names a column, by one of the words of its name.
func (b *builder) says(c column) bool {
	return slices.ContainsFunc(words(c.called), func(w string) bool { return b.said[stem(w)] })
}

// isMoney reports whether a column holds amounts of money, by its name.
func isMoney(c column) bool {
	return slices.ContainsFunc(lexicon.Parts(c.Name), func(w string) bool { return moneyWords[w] })
}

var moneyWords = lexicon.Set("gbp eur usd chf price cost fee charge paid amount salary wage rent revenue income")

// inUnit reports whether the name of a column has a unit.
func inUnit(c column, unit string) bool { return slices.Contains(lexicon.Parts(c.Name), unit) }

// bound reports whether a column tells what others may be at most or at least, and the question does not say so.
func (b *builder) bound(c column) bool {
	return !b.says(c) && slices.ContainsFunc(lexicon.Parts(c.Name), func(w string) bool { return boundWords[w] })
}

var boundWords = lexicon.Set("limit threshold target max maximum min minimum reorder")

// share lists of how much of all rows a condition is, and of two conditions, of how much of the rows that meet one the other is.
func (b *builder) share(kind asking, text, what, all string, uses []condition) {
	for i, u := range uses {
		var given []condition
		if len(uses) > 1 {
			given = []condition{uses[1-i]}
		}
		if b.allowed[kind] {
			sql := "SELECT 100.0 * SUM(CASE WHEN " + u.sql + " THEN " + what + " ELSE 0 END) / NULLIF(" + all + `, 0) AS "percent"`
			said := text + saying(given) + " are " + u.text
			b.out = append(b.out, Candidate{said, sql + b.from + where(given), "percent", text, uses})
		}
	}
}

// additive reports whether sums of a column say something: of no rates or ages. What things cost together may be asked of prices.
func additive(c column) bool {
	return !slices.ContainsFunc(lexicon.Parts(c.Name), func(w string) bool { return notAdded[w] })
}

var notAdded = lexicon.Set("percent pct age rate rating average temperature temp year hourly unit")

// group lists which value of a column has the most and the least of something; without a function, of a single row.
func (b *builder) group(most, least asking, k column, high, low, function, name string, uses []condition, of ...column) {
	filled, told := []string{sqltext.Filled(k.sql, k.Values)}, k.sql
	if k.span != "" {
		filled[0] = dialect.Quote(k.Name) + " IS NOT NULL"
		told += " AS " + dialect.Quote(k.span)
	}
	for _, n := range of {
		filled = append(filled, n.sql+" IS NOT NULL")
	}
	for _, way := range []struct {
		kind              asking
		text, extreme, as string
	}{{most, high, "MAX", " DESC"}, {least, low, "MIN", ""}} {
		what := function
		if what == "" {
			what = way.extreme + "(" + of[0].sql + ")"
		}
		rest := b.from + where(uses, filled...) + " GROUP BY " + k.sql
		b.add(way.kind, "which "+k.called+" has "+way.text, cmp.Or(k.span, k.Name), uses, "SELECT "+told+", "+what+" AS "+name+rest+" HAVING "+what+
			" = (SELECT "+what+rest+" ORDER BY 1"+way.as+" LIMIT 1) ORDER BY 1 LIMIT 100")
	}
}

// day lists what can be asked of a column of days or years.
func (b *builder) day(d column, uses []condition, unmet func(column) bool, single bool) {
	if single {
		b.add(aDay, "when is the "+d.called, d.Name, uses, "SELECT DISTINCT "+d.sql+b.from+where(uses)+" LIMIT 100")
		return
	}
	for _, way := range []struct {
		kind          asking
		extreme, word string
	}{{firstDay, "MIN", "earliest"}, {lastDay, "MAX", "latest"}} {
		most := "(SELECT " + way.extreme + "(" + d.sql + ")" + b.from + where(uses, d.sql+" IS NOT NULL") + ")"
		b.add(way.kind, "when is the "+way.word+" "+d.called, d.Name, uses, "SELECT *"+b.from+where(uses, d.sql+" = "+most)+" LIMIT 100")
	}
	for _, k := range b.texts {
		if unmet(k) {
			b.group(argLast, argFirst, k, "the latest "+d.called, "the earliest "+d.called, "", `"result"`, uses, d)
		}
	}
}

// compare lists how two values of a column may differ.
func (b *builder) compare(one, other condition) {
	both := []condition{one, other}
	between := " between " + one.text + " and " + other.text
	add := func(kind asking, what, function, then string) {
		if !b.allowed[kind] {
			return
		}
		side := func(c condition) string { return function + "(CASE WHEN " + c.sql + then + " END)" }
		head := "what is the difference in " + what
		sql := "SELECT " + side(one) + " AS " + dialect.Quote(one.value) + ", " + side(other) + " AS " + dialect.Quote(other.value) +
			", ABS(" + side(one) + " - " + side(other) + `) AS "difference"` + b.from
		b.out = append(b.out, Candidate{head + between, sql, "difference", head, both})
	}
	add(differenceOfCounts, "number of "+b.rows, "SUM", " THEN 1 ELSE 0")
	for _, n := range b.numbers {
		if additive(n) {
			add(differenceOfSums, "total "+n.called, "SUM", " THEN "+n.sql+" ELSE 0")
		}
		add(differenceOfAverages, "average "+n.called, "AVG", " THEN "+n.sql)
	}
}
