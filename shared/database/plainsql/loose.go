package plainsql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/database"
)

// loose reads a question about one table by its roles, wherever they stand: what is
// computed, of which column, by which, of which rows. Every word has to have a
// role or to be one of those that only link.
type loose struct {
	parse
	used []bool

	rowNoun  bool   // the question names what a row is
	measure  string // expression that is computed; empty for rows
	additive bool   // the measure can be summed
	label    string // name of the result
	by       *database.Column
	bySpan   string // expression of a month, quarter or year that is grouped by
	extreme  int    // 1 for the most, -1 for the least
	share    bool
	beyond   bool // more than one statement of this grammar can say
}

// loosely returns the statement of the one table that the question fits.
func loosely(d database.Dialect, s *database.Schema, question string) (string, bool) {
	tokens := split(question)
	if len(tokens) == 0 || len(tokens) > maxTokens {
		return "", false
	}
	var list []string
	for i := range s.Tables {
		l := &loose{parse: parse{dialect: d, table: &s.Tables[i], tokens: tokens}, used: make([]bool, len(tokens))}
		if l.read() {
			if sql, ok := l.write(); ok && !slices.Contains(list, sql) {
				list = append(list, sql)
			}
		}
	}
	if len(list) != 1 {
		return "", false
	}
	return list[0], true
}

// read gives every token its role; false if one has none.
func (l *loose) read() bool {
	for i, t := range l.tokens {
		if t.kind == wordToken && refusing[t.low] || t.kind == markToken && strings.Contains(";|=", t.text) {
			return false
		}
		if t.kind == markToken {
			l.used[i] = true
		}
	}
	l.counting()
	if !l.values() || !l.spans() || !l.product() {
		return false
	}
	l.columns()
	if !l.comparisons() {
		return false
	}
	l.nouns()
	l.functions()
	return len(l.unread()) == 0
}

// unread are the words that have no role.
func (l *loose) unread() []string {
	var list []string
	for i, t := range l.tokens {
		if !l.used[i] && (t.kind != wordToken || !linking[t.low]) {
			list = append(list, t.text)
		}
	}
	return list
}

// Unread returns the words of a question that have no role in any statement about
// the table that has a role for most of them; none if each has one, and they do not
// fit together.
func Unread(d database.Dialect, s *database.Schema, question string) []string {
	tokens := split(question)
	if len(tokens) > maxTokens {
		return nil
	}
	var fewest []string
	for i := range s.Tables {
		l := &loose{parse: parse{dialect: d, table: &s.Tables[i], tokens: tokens}, used: make([]bool, len(tokens))}
		l.read()
		if list := l.unread(); i == 0 || len(list) < len(fewest) {
			fewest = list
		}
	}
	return fewest
}

const maxTokens = 40 // of a question

func (l *loose) take(i, n int) {
	for k := range n {
		l.used[i+k] = true
	}
}

func (l *loose) counting() {
	for i := range l.tokens {
		for _, phrase := range countWords {
			if n := l.at(i, phrase); n > 0 && !l.used[i] && l.agg == none {
				l.agg = count
				l.take(i, n)
			}
		}
		if t := l.tokens[i]; t.is("different") || t.is("distinct") || t.is("unique") || t.is("verschiedene") || t.is("verschiedenen") {
			l.distinct, l.used[i] = true, true
		}
	}
}

// values finds values of the table's columns; a value that several columns have is
// ambiguous.
func (l *loose) values() bool {
	for i := 0; i < len(l.tokens); i++ {
		if l.used[i] || l.tokens[i].kind == wordToken && linking[l.tokens[i].low] && l.tokens[i].low == l.tokens[i].text {
			continue
		}
		found, value, length, unclear := l.stored(i)
		if unclear {
			return false
		}
		if found == nil || l.tableAt(i) >= length {
			continue
		}
		if c, n := l.named(i); c != nil && n >= length {
			continue
		}
		l.filters = append(l.filters, l.dialect.Quote(found.Name)+" = "+l.dialect.QuoteText(value))
		l.take(i, length)
	}
	return true
}

// moment returns the one column with dates.
func (l *loose) moment() *database.Column {
	list := l.moments()
	if len(list) != 1 {
		return nil
	}
	return list[0]
}

// spans finds months and years, as filters or to group by.
func (l *loose) spans() bool {
	c := l.moment()
	if c == nil {
		return true
	}
	name := l.dialect.Quote(c.Name)
	between := func(from, to string) {
		l.filters = append(l.filters, name+" >= '"+from+"'", name+" < '"+to+"'")
	}
	for i, t := range l.tokens {
		if l.used[i] {
			continue
		}
		if i > 0 && l.grouped(i) {
			if span := l.span(t.low, name); span != "" {
				l.bySpan = span
				l.take(i-1, 2)
				continue
			}
		}
		month := slices.IndexFunc(months, func(names string) bool { return slices.Contains(strings.Fields(names), t.low) }) + 1
		if month > 0 && i+1 < len(l.tokens) && isYear(l.tokens[i+1]) {
			year := l.tokens[i+1].whole()
			next, follow := month+1, year
			if next > 12 {
				next, follow = 1, year+1
			}
			between(fmt.Sprintf("%d-%02d-01", year, month), fmt.Sprintf("%d-%02d-01", follow, next))
			l.take(i, 2)
			continue
		}
		if isYear(t) {
			year := t.whole()
			before := token{}
			if i > 0 {
				before = l.tokens[i-1]
			}
			switch {
			case before.is("after") || before.is("nach"):
				l.filters = append(l.filters, name+" >= '"+strconv.Itoa(year+1)+"-01-01'")
			case before.is("since") || before.is("seit"):
				l.filters = append(l.filters, name+" >= '"+strconv.Itoa(year)+"-01-01'")
			case before.is("before") || before.is("vor"):
				l.filters = append(l.filters, name+" < '"+strconv.Itoa(year)+"-01-01'")
			case before.is("in") || before.is("of") || before.is("during") || before.is("for") || before.is("im"):
				between(strconv.Itoa(year)+"-01-01", strconv.Itoa(year+1)+"-01-01")
			default:
				return false
			}
			l.take(i-1, 2)
		}
	}
	return true
}

// span is an expression of the month or year of a date, where the dialect is SQLite's.
func (l *loose) span(word, name string) string {
	if l.dialect != database.SQLite {
		return ""
	}
	switch word {
	case "month", "monat":
		return "strftime('%Y-%m', " + name + ")"
	case "year", "jahr":
		return "strftime('%Y', " + name + ")"
	}
	return ""
}

func isYear(t token) bool { return t.whole() >= 1900 && t.whole() <= 2100 && len(t.text) == 4 }

// product finds "quantity times unit price", and what is usually such a product.
func (l *loose) product() bool {
	for i, t := range l.tokens {
		if !t.is("times") && !t.is("mal") && t.text != "*" && t.text != "×" || i == 0 {
			continue
		}
		right, n := l.named(i + 1)
		for from := max(0, i-3); from < i; from++ {
			left, m := l.named(from)
			if left != nil && right != nil && from+m == i && left.Kind() == database.Numeric && right.Kind() == database.Numeric {
				l.multiply(left, right)
				for k := range l.tokens { // the name of the product says nothing more
					if k <= i+n && l.tokens[k].kind == wordToken {
						l.used[k] = true
					}
				}
				return true
			}
		}
		return false
	}
	for i, t := range l.tokens {
		if c, _ := l.named(i); c != nil || !t.is("revenue") && !t.is("turnover") && !t.is("umsatz") && !t.is("sales") {
			continue
		}
		quantity, price := l.with("quantity", "menge", "stock"), l.with("price", "preis")
		if quantity == nil || price == nil {
			return true
		}
		l.multiply(quantity, price)
		l.used[i] = true
	}
	return true
}

func (l *loose) multiply(a, b *database.Column) {
	l.measure = l.dialect.Quote(a.Name) + " * " + l.dialect.Quote(b.Name)
	l.label, l.additive = a.Name+"_"+b.Name, true
	if l.agg == none {
		l.agg = sum
	}
}

// with returns the first numeric or moment column with one of the parts in its name.
func (l *loose) with(wanted ...string) *database.Column {
	for _, w := range wanted {
		for k := range l.table.Columns {
			c := &l.table.Columns[k]
			if (c.Kind() == database.Numeric || c.Kind() == database.Moment) && slices.Contains(parts(c.Name), w) {
				return c
			}
		}
	}
	return nil
}

// named returns the column that is named at i, by its whole name or without its
// unit. Keys are named by their whole names alone.
func (l *loose) named(i int) (*database.Column, int) {
	if i >= len(l.tokens) {
		return nil, 0
	}
	if c, n := l.columnAt(i); c != nil {
		return c, n
	}
	t := l.tokens[i]
	if t.kind != wordToken {
		return nil, 0
	}
	var found *database.Column
	for k := range l.table.Columns {
		c := &l.table.Columns[k]
		words := parts(c.Name)
		if len(words) == 0 || c.Key || c.References != "" || identifies(words) {
			continue
		}
		if words = slices.DeleteFunc(words, func(w string) bool { return units[w] }); len(words) == 0 {
			continue
		}
		last := words[len(words)-1]
		if len(words) == 1 && same(last, t.low) || len(words) > 1 && len(t.low) > 3 && same(last, t.low) {
			if found != nil {
				return nil, 0
			}
			found = c
		}
	}
	if found == nil {
		return nil, 0
	}
	return found, 1
}

// identifies reports whether a name is that of an identifier.
func identifies(words []string) bool {
	return len(words) > 1 && slices.Contains([]string{"id", "no", "nr"}, words[len(words)-1])
}

// same compares a part of a name with a word, in singular or plural.
func same(part, word string) bool {
	if part == stem(word) || part == word {
		return true
	}
	ending, ok := strings.CutPrefix(word, part)
	return ok && len(part) > 3 && slices.Contains([]string{"e", "en", "n", "s", "es", "er"}, ending)
}

// columns finds columns by name, in the roles of what is measured and of what it is
// grouped by.
func (l *loose) columns() {
	for i := 0; i < len(l.tokens); i++ {
		if l.used[i] {
			continue
		}
		c, n := l.named(i)
		if c == nil && l.tokens[i].kind == wordToken {
			if list := meant[l.tokens[i].low]; list != nil {
				if c, n = l.with(list...), 1; c == nil {
					continue
				}
				if superlatives[l.tokens[i].low] != 0 {
					l.extreme = superlatives[l.tokens[i].low]
				}
			}
		}
		if c == nil || l.tableAt(i) > n {
			continue
		}
		grouped := false
		for k := i - 1; k >= 0 && k >= i-2; k-- {
			t := l.tokens[k]
			grouped = grouped || t.is("per") || t.is("by") || t.is("each") || t.is("every") || t.is("je") || t.is("pro") || t.is("nach")
		}
		switch {
		case c.Kind() == database.Textual || c.Key:
			if l.by == nil || grouped {
				l.by = c
			} else if l.by != c {
				continue
			}
		case l.measure == "" && (c.Kind() == database.Numeric || c.Kind() == database.Moment):
			l.measure, l.label, l.target = l.dialect.Quote(c.Name), c.Name, c
			l.additive = c.Kind() == database.Numeric && !slices.ContainsFunc(parts(c.Name), func(w string) bool { return intensive[w] })
		case c == l.target:
		case c.Kind() == database.Moment && len(l.filters) > 0: // "the date of", and its span
		default:
			continue
		}
		l.take(i, n)
	}
}

// comparisons finds limits of the measured column: "less than 50".
func (l *loose) comparisons() bool {
	for i := range l.tokens {
		for _, o := range operators {
			words := strings.Fields(o.phrase)
			if l.used[i] || i+len(words) >= len(l.tokens) || l.tokens[i+len(words)].kind != numberToken || l.at(i, o.phrase) == 0 {
				continue
			}
			if l.target == nil || l.target.Kind() != database.Numeric {
				return false
			}
			l.filters = append(l.filters, l.measure+" "+o.sign+" "+l.tokens[i+len(words)].text)
			l.take(i, len(words)+1)
			l.measure, l.target = "", nil
			break
		}
	}
	return true
}

// nouns finds words for the rows: the table's name, its parts, and persons.
func (l *loose) nouns() {
	own := parts(l.table.Name)
	for _, c := range l.table.Columns { // an order_id counts orders, a Beleg receipts
		if words := parts(c.Name); c.References == "" && identifies(words) {
			own = append(own, words[:len(words)-1]...)
		}
	}
	people := l.textual("name", "employee", "person", "mitarbeiter") != nil
	for i, t := range l.tokens {
		if t.kind == numberToken && slices.Contains(own, t.text) {
			l.used[i] = true
		}
		if t.kind != wordToken {
			continue
		}
		if l.used[i] && l.agg != count {
			continue
		}
		if slices.ContainsFunc(own, func(w string) bool { return same(w, t.low) }) || people && persons[t.low] {
			l.rowNoun = true
			l.used[i] = true
		}
		if l.by == nil && (t.is("who") || t.is("wer")) {
			if l.by = l.textual("name", "employee", "person", "mitarbeiter"); l.by == nil {
				l.by = l.textual(holders...)
			}
		}
		if l.agg == count && l.by != nil && i > 0 && same(parts(l.by.Name)[0], t.low) && l.used[i-1] && !l.distinct && !l.grouped(i) {
			l.distinct = true // "how many products": each counts once
		}
	}
}

func (l *loose) grouped(i int) bool {
	t := l.tokens[i-1]
	return t.is("per") || t.is("by") || t.is("each") || t.is("je") || t.is("pro")
}

func (l *loose) textual(wanted ...string) *database.Column {
	for k := range l.table.Columns {
		c := &l.table.Columns[k]
		if c.Kind() == database.Textual && slices.ContainsFunc(parts(c.Name), func(w string) bool { return slices.Contains(wanted, w) }) {
			return c
		}
	}
	return nil
}

// functions finds what is computed.
func (l *loose) functions() {
	for i, t := range l.tokens {
		if t.kind != wordToken || l.used[i] {
			continue
		}
		switch way, known := superlatives[t.low]; {
		case aggregated[t.low] != none:
			switch {
			case l.agg == count && aggregated[t.low] == average:
				l.beyond = true // an average of counts
			case l.agg == none || l.agg == sum:
				l.agg = aggregated[t.low]
			}
			l.used[i] = true
		case t.is("median"):
			l.beyond, l.used[i] = true, true
		case t.is("share") || t.is("percentage") || t.is("percent") || t.is("anteil") || t.is("prozent"):
			l.share, l.used[i] = true, true
		case known:
			if l.extreme = way; i+1 < len(l.tokens) && (t.is("top")) && l.tokens[i+1].whole() > 0 {
				l.top = l.tokens[i+1].whole()
				l.used[i+1] = true
			}
			l.used[i] = true
		case t.is("list") || t.is("show") || t.is("liste") || t.is("zeige"):
			l.listing = true
		}
	}
}

// write makes the statement; ok is false where the roles do not fit together.
func (l *loose) write() (sql string, ok bool) {
	from := " FROM " + l.dialect.Path(l.table)
	where := ""
	if len(l.filters) > 0 {
		where = " WHERE " + strings.Join(l.filters, " AND ")
	}
	by := l.bySpan
	if by == "" && l.by != nil {
		by = l.dialect.Quote(l.by.Name)
	}
	numeric := l.measure != "" && (l.target == nil || l.target.Kind() == database.Numeric && !l.target.Key && l.target.References == "")
	switch {
	case l.beyond || l.by != nil && l.bySpan != "":
		return "", false
	case l.share:
		if len(l.filters) == 0 || !l.rowNoun || l.measure != "" || by != "" {
			return "", false
		}
		return "SELECT 100.0 * SUM(CASE WHEN " + strings.Join(l.filters, " AND ") + " THEN 1 ELSE 0 END) / COUNT(*) AS " +
			l.dialect.Quote("percent") + from, true
	case l.agg == count && l.distinct:
		if l.by == nil || l.extreme != 0 {
			return "", false
		}
		return "SELECT COUNT(DISTINCT " + by + ") AS " + l.dialect.Quote("count") + from + where, true
	case l.extreme != 0:
		return l.writeExtreme(from, where, by, numeric)
	case l.agg == none && l.listing && l.rowNoun && where != "" &&
		(l.measure == "" || l.target != nil && l.target.Kind() == database.Moment):
		return l.limited("*", from+where, 100), true
	case (l.agg == count || l.agg == none && l.rowNoun && by != "") && l.measure == "":
		if !l.rowNoun && where == "" && by == "" {
			return "", false
		}
		return l.grouping("COUNT(*)", "count", by, from, where), true
	case l.agg == none && numeric && l.additive && where != "" && by == "" && l.target != nil:
		return "SELECT SUM(" + l.measure + ") AS " + l.dialect.Quote("total_"+l.label) + from + where, true
	case l.agg == average && numeric:
		return l.grouping("AVG("+l.measure+")", "average_"+l.label, by, from, where), true
	case l.agg == sum && numeric && l.additive && (l.rowNoun || by != "" || where != "" || l.target == nil || len(l.tokens) > 4):
		return l.grouping("SUM("+l.measure+")", "total_"+l.label, by, from, where), true
	}
	return "", false
}

// grouping computes for all rows, or for each value.
func (l *loose) grouping(what, label, by, from, where string) string {
	as := what + " AS " + l.dialect.Quote(label)
	if by == "" {
		return "SELECT " + as + from + where
	}
	return "SELECT " + by + ", " + as + from + where + " GROUP BY " + by + " ORDER BY " + by
}

// writeExtreme asks for the most or the least: of a column, or of what it is grouped
// by, summed where it can be.
func (l *loose) writeExtreme(from, where, by string, numeric bool) (string, bool) {
	moment := l.target != nil && l.target.Kind() == database.Moment
	if l.measure == "" && !l.rowNoun && l.moment() != nil && by == "" {
		return "", false
	}
	if l.measure == "" && by == "" && l.rowNoun && l.moment() != nil {
		// "the first order"
		l.measure, moment = l.dialect.Quote(l.moment().Name), true
	}
	if l.measure != "" && !numeric && !moment {
		return "", false
	}
	way, function := " DESC", "MAX("
	if l.extreme < 0 {
		way, function = "", "MIN("
	}
	if by == "" {
		if l.measure == "" || l.agg == average {
			return "", false
		}
		return "SELECT " + function + l.measure + ") AS " + l.dialect.Quote("result") + from + where, true
	}
	what := "COUNT(*)"
	switch {
	case l.measure != "" && l.agg == average:
		what = "AVG(" + l.measure + ")"
	case l.measure != "" && l.additive:
		what = "SUM(" + l.measure + ")"
	case l.measure != "":
		what = function + l.measure + ")"
	case !l.rowNoun:
		return "", false
	}
	rest := from + where + " GROUP BY " + by + " ORDER BY 2" + way + ", 1"
	return l.limited(by+", "+what+" AS "+l.dialect.Quote("result"), rest, max(1, l.top)), true
}
