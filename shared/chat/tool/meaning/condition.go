package meaning

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/sqltext"
)

// kind is how a question may tell a condition.
type kind int

const (
	named    kind = iota // words of a value
	alike                // words that mean much the same as a value
	empty                // a column that says nothing
	denied               // a column that says no
	affirmed             // one that says yes
	dated                // a month or a year
	compared             // a number that a column is over or under
	beyond               // another column that it is over or under
)

// condition is one that rows may be asked for by.
type condition struct {
	kind  kind
	of    *database.Column
	text  string // in a plain question
	value string // that the column has; of a date and a number, what the question says
	sql   string
}

// told reports whether a question that has such a condition says so in words of the table or in numbers.
func (c condition) told() bool {
	return c.kind == named || c.kind == dated || c.kind == compared || c.kind == beyond
}

// Limits of the conditions that are tried.
const (
	mostRead   = 5000 // values of a table, whose words are looked at
	mostValues = 300  // of a table, whose meaning is looked at
	mostNamed  = 4
	mostAlike  = 4
	leastAlike = .35 // cosine of a value and a word of the question
	mostDays   = 3   // columns of days

	// Of columns with few values each may be meant: "turned down" is a status.
	fewValues = 6
	mostFew   = 18
)

// sets returns no condition, each one alone, and pairs of which the question says one at least.
func sets(list []condition) [][]condition {
	out := [][]condition{nil}
	for _, c := range list {
		out = append(out, []condition{c})
	}
	for i, a := range list {
		for k, b := range list {
			if a.told() && a.of != b.of && (k > i || !b.told()) {
				out = append(out, []condition{a, b})
			}
		}
	}
	return out
}

// value is one of a column.
type value struct {
	of   column
	text string
	hits float64 // share of its words that the question has
	near float64 // cosine of it and the nearest word of the question
}

// values returns the values of columns of text.
func (b *builder) values() (list []value) {
	for _, c := range b.texts {
		for _, v := range c.Values {
			if len(v) <= maxValue && len(list) < mostRead && !strings.ContainsAny(v, "`[]<>|\n\r\t") { // it is shown
				list = append(list, value{of: c, text: v})
			}
		}
	}
	return list
}

const maxValue = 50 // bytes of a value that a condition can have

// conditions lists those that a question may have; near tells the cosine of each value and the nearest word of the question.
func (b *builder) conditions(t *database.Table, question string, list []value, near []float64) []condition {
	asked := stems(question)
	for i := range list {
		v := &list[i]
		all, hits := 0., 0.
		for _, w := range words(v.text) {
			if !common[w] {
				all++
				if asked[stem(w)] {
					hits++
				}
			}
		}
		if v.hits = hits / max(all, 1); i < len(near) {
			v.near = near[i]
		}
	}
	valued := b.valued(list)
	return slices.Concat(valued, b.unsaid(t), b.dated(question), b.compared(question), b.beyond(question), either(valued))
}

// named returns the words of each value that a question names by all its words.
func (b *builder) named(question string) (out [][]string) {
	asked := stems(question)
	for _, v := range b.values() {
		list := slices.DeleteFunc(words(v.text), func(w string) bool { return common[w] })
		if len(list) > 0 && len(v.text) >= leastNamed && !slices.ContainsFunc(list, func(w string) bool { return !asked[stem(w)] }) {
			out = append(out, list)
		}
	}
	return out
}

const leastNamed = 4 // bytes of a value that says something by itself

// valued returns the conditions that a column has some value: those that the question names, and those that come near it.
func (b *builder) valued(list []value) (out []condition) {
	add := func(kind kind, most int, worth func(v value) float64, least float64) {
		some := slices.DeleteFunc(slices.Clone(list), func(v value) bool { return worth(v) <= least || (v.hits > 0) != (kind == named) })
		slices.SortStableFunc(some, func(x, y value) int { return cmp.Compare(worth(y), worth(x)) })
		for _, v := range some[:min(most, len(some))] {
			out = append(out, condition{kind, v.of.Column, v.of.called + " is " + v.text, v.text, b.has(v)})
		}
	}
	add(named, mostNamed, func(v value) float64 { return v.hits }, 0)
	few := func(v value) bool { return v.of.Repeats && len(v.of.Values) <= fewValues }
	add(alike, mostAlike, func(v value) float64 {
		if few(v) {
			return 0
		}
		return v.near
	}, leastAlike)
	add(alike, mostFew, func(v value) float64 {
		if !few(v) {
			return 0
		}
		return 1 + v.near
	}, 0)
	return out
}

// has is the condition that a column has a value, in capitals or not.
func (b *builder) has(v value) string {
	var same []string
	for _, other := range v.of.Values {
		if strings.EqualFold(other, v.text) {
			same = append(same, dialect.QuoteText(other))
		}
	}
	if len(same) > 1 {
		return v.of.sql + " IN (" + strings.Join(same, ", ") + ")"
	}
	return v.of.sql + " = " + dialect.QuoteText(v.text)
}

// either returns the conditions that a column has one of two values which the question names.
func either(list []condition) (out []condition) {
	for i, one := range list {
		for _, other := range list[i+1:] {
			if one.kind == named && other.kind == named && one.of == other.of {
				out = append(out, condition{named, one.of, one.text + " or " + other.value, one.value + " or " + other.value,
					"(" + one.sql + " OR " + other.sql + ")"})
			}
		}
	}
	return out
}

// unsaid returns the conditions that a column says nothing, or no, or yes.
func (b *builder) unsaid(t *database.Table) (out []condition) {
	for i := range t.Columns {
		c := column{&t.Columns[i], calledSo(t.Columns[i].Name), dialect.Quote(t.Columns[i].Name), ""}
		if c.Gaps && c.Kind() != database.Truth {
			sql := c.sql + " IS NULL"
			if c.Kind() == database.Textual {
				sql = sqltext.Empty(c.sql, c.Values)
			}
			out = append(out, condition{empty, c.Column, "no " + c.called, "", sql})
		}
		if c.Kind() == database.Truth {
			no := "(" + c.sql + " = " + dialect.Bool(false) + " OR " + c.sql + " IS NULL)" // what is not said to be so
			out = append(out, condition{denied, c.Column, "not " + c.called, "", no},
				condition{affirmed, c.Column, c.called, "", c.sql + " = " + dialect.Bool(true)})
		}
	}
	return out
}

// Spans of time of a question.
var (
	monthForm = regexp.MustCompile(`(?i)\b(jan|january|feb|february|mar|march|apr|april|may|jun|june|jul|july|aug|august|sept?|september|oct|october|` +
		`nov|november|dec|december)\b\.?(?: (\d{4})\b)?`)
	yearForm    = regexp.MustCompile(`\b20\d\d\b`)
	weekdayForm = regexp.MustCompile(`(?i)\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b`)
)

// dated returns the conditions that a column of days lies in the month or the year, or on the day of the week, that a question names.
func (b *builder) dated(question string) (out []condition) {
	weekday := strings.ToLower(strings.TrimSuffix(weekdayForm.FindString(question), "s"))
	for _, d := range b.days[:min(len(b.days), mostDays)] {
		if c, ok := b.within(d, question); ok {
			out = append(out, c)
		}
		if on := lexicon.WeekdaysOf(weekday); len(on) == 1 && !d.Years {
			called := lexicon.Capital(weekday)
			sql := fmt.Sprintf("strftime('%%w', %s) = '%d'", d.sql, on[0])
			out = append(out, condition{dated, d.Column, d.called + " on " + called, called, sql})
		}
	}
	return out
}

// within returns the condition that a column of days lies in the month or the year that a question names; ok is false of another one.
func (b *builder) within(d column, question string) (c condition, ok bool) {
	month, year := monthForm.FindStringSubmatch(question), yearForm.FindString(question)
	c = condition{kind: dated, of: d.Column}
	part, first, months := partOfYear(question)
	switch {
	case part != "" && !d.Years:
		c.value = strings.TrimSuffix(part+" of "+year, " of ")
		c.sql = fmt.Sprintf("CAST(strftime('%%m', %s) AS INTEGER) BETWEEN %d AND %d", d.sql, first, first+months-1)
		if year != "" {
			c.sql += fmt.Sprintf(" AND strftime('%%Y', %s) = '%s'", d.sql, year)
		}
	case d.Years && year != "":
		c.value, c.sql = year, d.sql+" = "+year
	case month == nil && year == "", d.Years:
		return c, false
	case month == nil:
		c.value, c.sql = year, fmt.Sprintf("%s >= '%s-01-01' AND %s < '%04d-01-01'", d.sql, year, d.sql, atoi(year)+1)
	default:
		n := time.Month(lexicon.MonthOf(strings.ToLower(month[1])))
		c.value, c.sql = n.String(), fmt.Sprintf("strftime('%%m', %s) = '%02d'", d.sql, n)
		if year != "" {
			c.value += " " + year
			c.sql = fmt.Sprintf("%s >= '%s-%02d-01' AND %s < '%04d-%02d-01'", d.sql, year, n, d.sql, atoi(year)+int(n)/12, int(n)%12+1)
		}
	}
	c.text = d.called + " in " + c.value
	return c, true
}

// partForm matches quarters and halves of a year.
var partForm = regexp.MustCompile(`(?i)\b(?:(first|1st|second|2nd|third|3rd|fourth|4th) quarter\b|q([1-4])\b|h([12])\b|(first|1st|second|2nd) half (?:of |in )?(?:the year|20\d\d)\b)`)

var ordinals = []string{"first 1st", "second 2nd", "third 3rd", "fourth 4th"}

// shortForm matches quarters and halves that are shortened.
var shortForm = regexp.MustCompile(`(?i)\b(?:the )?([qh])([1-4])\b(?:(?: of)? (20\d\d))?`)

// inFull writes out the quarter or the half of a year in a question.
func inFull(question string) string {
	m := shortForm.FindStringSubmatchIndex(question)
	if m == nil || partForm.FindString(question[m[0]:m[1]]) == "" {
		return question
	}
	called, _, _ := partOfYear(question[m[0]:m[1]])
	if m[6] >= 0 {
		called += " of " + question[m[6]:m[7]]
	}
	return question[:m[0]] + called + question[m[1]:]
}

// partOfYear returns what a plain question calls the quarter or the half of a year that a question names, its first month and how many
// it has; empty without.
func partOfYear(question string) (called string, first, months int) {
	m := partForm.FindStringSubmatch(question)
	if m == nil {
		return "", 0, 0
	}
	number := func(word string) int {
		return slices.IndexFunc(ordinals, func(o string) bool { return slices.Contains(strings.Fields(o), strings.ToLower(word)) }) + 1
	}
	if quarter := number(m[1]) + atoi(m[2]); quarter > 0 {
		return "the " + strings.Fields(ordinals[quarter-1])[0] + " quarter", 3*quarter - 2, 3
	}
	half := number(m[4]) + atoi(m[3])
	return "the " + strings.Fields(ordinals[half-1])[0] + " half", 6*half - 5, 6
}

// beyondForm matches what something is compared with that is no number: "over their limit".
var beyondForm = regexp.MustCompile(`(?i)\b(over|above|beyond|exceed\w*|(?:more|longer|higher|later|greater|larger|bigger) than|under|below|` +
	`(?:less|fewer|shorter|lower|smaller) than) (?:the|its|their|his|her|our|what(?: \w+)?) (\w+(?: \w+){0,2})`)

// beyond returns the conditions that a column of numbers is over or under another one, which the question names.
func (b *builder) beyond(question string) (out []condition) {
	word, sign := "over", " > "
	if underForm.MatchString(question) {
		word, sign = "under", " < "
	}
	for _, limit := range b.limits(question) {
		for _, c := range b.numbers {
			if c.Column != limit.Column && (len(b.numbers) == 2 || b.says(c)) {
				out = append(out, condition{beyond, c.Column, c.called + " " + word + " " + limit.called, limit.called, c.sql + sign + limit.sql})
			}
		}
	}
	return out
}

// limits returns the columns of numbers that a question compares something with.
func (b *builder) limits(question string) (out []column) {
	m := beyondForm.FindStringSubmatch(question)
	if m == nil {
		return nil
	}
	named := stems(m[2])
	return slices.DeleteFunc(slices.Clone(b.numbers), func(c column) bool {
		return !slices.ContainsFunc(words(c.called), func(w string) bool { return named[stem(w)] })
	})
}

var underForm = regexp.MustCompile(`(?i)\b(?:under|below|(?:less|fewer|shorter|lower|smaller) than) (?:the|its|their|his|her|our|what)\b`)

// Numbers that something is over or under, in digits or in a word.
var numberOf = `(\d[\d.,]*|an|` + strings.Join(slices.Concat(numerals, tens[1:]), "|") + `)`

var (
	limitForm = regexp.MustCompile(`(?i)\b((?:no|not|never|nothing|none|n't) )?(over|above|more than|at least|at most|up to|under|below|less than|fewer than|worse than|` +
		`better than|longer than|exceed\w*)\b[^\d−-]{0,12}?\b` + numberOf + `\b`)
	// unreadForm matches limits that are not read: negative ones, and such as two hundred.
	unreadForm = regexp.MustCompile(`(?i)\b(?:over|above|more than|at least|at most|up to|under|below|less than|fewer than|exceed\w*)\b[^\d]{0,12}?` +
		`(?:(?:minus |[−-])(?:\d|` + numberOf + `)|\b` + numberOf + `[ -]?(?:hundred|thousand|million|billion|dozen|k|m|one|two|three|four|five|six|seven|eight|nine)\b)`)
	orMoreForm = regexp.MustCompile(`(?i)\b` + numberOf + `(?: [\w-]+)? or (more|over|above|older|longer|better|higher|less|under|fewer|below|younger)\b`)
)

// compared returns the conditions that a column of numbers is over or under the number that a question names.
func (b *builder) compared(question string) (out []condition) {
	said, digits, turned := "", "", false
	if m := orMoreForm.FindStringSubmatch(question); m != nil {
		digits, said = m[1], "or "+strings.ToLower(m[2])
	} else if m := limitForm.FindStringSubmatch(question); m != nil {
		turned, said, digits = m[1] != "", strings.ToLower(m[2]), m[3]
	}
	n := number(digits)
	if said == "" || yearForm.MatchString(digits) || math.IsNaN(n) {
		return nil
	}
	sign := " > "
	switch rest, or := strings.CutPrefix(said, "or "); {
	case said == "at least", or && overWords[rest]:
		sign = " >= "
	case said == "at most", said == "up to", or:
		sign = " <= "
	case said == "under", said == "below", said == "less than", said == "fewer than":
		sign = " < "
	}
	if turned {
		sign = map[string]string{" > ": " <= ", " >= ": " < ", " < ": " >= ", " <= ": " > "}[sign]
	}
	word := "over"
	if sign[1] == '<' {
		word = "under"
	}
	for _, c := range b.numbers {
		out = append(out, condition{compared, c.Column, c.called + " " + word + " " + show(n), digits, c.sql + sign + show(n)})
	}
	return out
}

// overWords are those after "or" for numbers above one.
var overWords = lexicon.Set("more over above older longer better higher")
