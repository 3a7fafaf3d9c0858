// Package strict writes SQL for questions by a strict grammar: counts, sums, averages, extremes and top lists of one table,
// grouped by one column, with filters by equality or range. It declines a question with any other word, and one that fits
// several tables.
package strict

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/wording"
)

// everything matches what asks for all rows, of the one table that there is.
var everything = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:please )?(?:can you |could you )?(?:show|list|give|display)(?: me| us)? (?:all(?: of)?(?: the)? (?:rows|data|entries|records|lines)|everything|every row|` +
		`the (?:whole |entire |full )?(?:table|sheet|list|file))[.?!]*$|^(?:bitte )?(?:zeig(?:e|t)?|liste)(?: mir| uns)? (?:alle (?:zeilen|daten|einträge)|alles|die (?:ganze |gesamte )?(?:tabelle|liste))[.?!]*$`)
})

// Write returns the statement that answers the question; ok is false if the grammar does not cover it.
func Write(d database.Dialect, s *database.Schema, question string) (sql string, ok bool) {
	tokens := wording.Split(question)
	if len(tokens) == 0 || len(tokens) > 60 {
		return "", false
	}
	if len(s.Tables) == 1 && everything().MatchString(strings.TrimSpace(question)) {
		return d.First("*", " FROM "+d.Path(&s.Tables[0]), 100), true
	}
	var named, others []string
	for i := range s.Tables {
		p := &parse{dialect: d, table: &s.Tables[i], tokens: tokens}
		if !p.run() || p.asksWhich() {
			continue
		}
		if p.named {
			named = append(named, p.sql())
		} else {
			others = append(others, p.sql())
		}
	}
	if len(named) == 1 {
		return named[0], true
	}
	if len(named) == 0 && len(others) == 1 {
		return others[0], true
	}
	return "", false
}

// asksWhich reports whether the question asks for who or what has the most, and the statement says only how much
// that is.
func (p *parse) asksWhich() bool {
	t := p.tokens[0]
	days := len(p.shown) > 0 && !slices.ContainsFunc(p.shown, func(c *database.Column) bool { return c.Kind() != database.Moment })
	if t.Is("who") && p.agg == none && days {
		return true // who borrowed it, not when
	}
	if t.Is("which", "who") && p.rows && len(p.shown) == 1 && p.shown[0].Kind() == database.Textual {
		return true // the highest of one row, or of all of theirs
	}
	return t.Is("which", "who") && (p.agg == most || p.agg == least) && p.group == nil && !p.rows && p.top == 0
}

// aggregate is a function of a column.
type aggregate int

const (
	none aggregate = iota
	count
	sum
	average
	most
	least
)

// parse interprets a question as one about a table.
type parse struct {
	dialect database.Dialect
	table   *database.Table
	tokens  []wording.Token
	pos     int

	named    bool // the question names the table
	agg      aggregate
	distinct bool
	target   *database.Column // of the aggregate
	group    *database.Column
	shown    []*database.Column
	top      int
	rising   bool             // the top list is ascending
	order    *database.Column // of the top list
	rows     bool             // the question asks for the rows of the extreme, not its value
	filters  []string
	listing  bool // the question asks to show rows
}

// run parses the whole question; false if a word has no role.
func (p *parse) run() bool {
	p.start()
	for p.pos < len(p.tokens) {
		if !p.step() {
			return false
		}
	}
	return p.settle()
}

// start parses how the question starts.
func (p *parse) start() {
	for _, w := range []string{"show", "list", "give", "find", "which", "what", "who"} {
		if p.tokens[0].Is(w) {
			p.listing = true
		}
	}
	if !p.tokens[0].Is("which", "what") || len(p.tokens) < 2 {
		return
	}
	if n := p.tableAt(1); n > 0 && 1+n < len(p.tokens) && p.tokens[1+n].Is("has", "have") {
		p.rows, p.named = true, true
		p.pos = 2 + n
	}
}

// step parses the next phrase.
func (p *parse) step() bool {
	if c, n := p.columnAt(p.pos); c != nil && (n > 1 || p.agg != none || !p.aggregateWord()) {
		if m := p.tableAt(p.pos); m <= n && (m < n || p.prefersColumn(c, n)) {
			return p.column(c, n)
		}
	}
	switch {
	case p.counts(), p.aggregates(), p.tops(), p.groups(), p.dates(), p.value():
		return true
	}
	if n := p.tableAt(p.pos); n > 0 {
		p.named = true
		p.pos += n
		return true
	}
	if t := p.tokens[p.pos]; t.Kind == wording.Word && ignorable[t.Low] || t.Kind == wording.Mark && strings.Contains("?.!,:", t.Text) {
		p.pos++
		return true
	}
	return false
}

// prefersColumn decides about words that name both a column and the table.
func (p *parse) prefersColumn(c *database.Column, n int) bool {
	if p.named {
		return true
	}
	_, _, compared := p.comparison(p.pos+n, c)
	return compared
}

// ignorable words do not change the meaning.
var ignorable = lexicon.Set("the a an of in is are was were there do does did we our us i have has had all me please show list give find what which who with for from on at that to and their " +
	"database table rows row records record entries data whose where having many")

// phrase consumes one of the phrases if it is next.
func (p *parse) phrase(list ...string) bool {
	for _, ph := range list {
		if n := wording.At(p.tokens, p.pos, ph); n > 0 {
			p.pos += n
			return true
		}
	}
	return false
}

func (p *parse) counts() bool {
	before := p.pos
	if !p.phrase("how many", "the total number of", "total number of", "number of", "count of", "count") {
		return false
	}
	if p.agg != none {
		p.pos = before
		return false
	}
	p.agg = count
	p.distinct = p.phrase("different", "distinct", "unique")
	return true
}

var aggregateWords = map[string]aggregate{"total": sum, "sum": sum, "average": average, "mean": average, "avg": average,
	"maximum": most, "max": most, "highest": most, "largest": most, "biggest": most, "greatest": most, "latest": most,
	"minimum": least, "min": least, "lowest": least, "smallest": least, "earliest": least}

func (p *parse) aggregateWord() bool {
	if p.pos >= len(p.tokens) {
		return false
	}
	t := p.tokens[p.pos]
	return t.Kind == wording.Word && aggregateWords[t.Low] != none
}

func (p *parse) aggregates() bool {
	if !p.aggregateWord() || p.agg != none || p.target != nil {
		return false
	}
	p.agg = aggregateWords[p.tokens[p.pos].Low]
	p.pos++
	return true
}

// tops parses "top 5" and "bottom 5".
func (p *parse) tops() bool {
	if p.top > 0 || p.agg != none && p.agg != count {
		return false
	}
	at := func(i int) wording.Token {
		if p.pos+i < len(p.tokens) {
			return p.tokens[p.pos+i]
		}
		return wording.Token{}
	}
	if at(0).Is("top", "bottom") && at(1).Whole() > 0 {
		p.top, p.rising = at(1).Whole(), at(0).Is("bottom")
		p.pos += 2
		return true
	}
	return false
}

// groups parses "per column", and the column that orders a top list.
func (p *parse) groups() bool {
	before := p.pos
	if !p.phrase("grouped by", "group by", "ordered by", "sorted by", "for each", "for every", "in each", "per", "by") {
		return false
	}
	p.phrase("the")
	if p.top > 0 && (p.aggregateWord() || p.tokens[min(p.pos, len(p.tokens)-1)].Is("number")) {
		return true // the aggregate follows
	}
	if p.pos < len(p.tokens) {
		if c, n := p.columnAt(p.pos); c != nil {
			switch {
			case p.top > 0 && p.order == nil && p.agg == none:
				p.order = c
			case p.group == nil && c.Kind() != database.Moment:
				p.group = c
			default:
				p.pos = before
				return false
			}
			p.pos += n
			return true
		}
	}
	p.pos = before
	return false
}

// column handles a column named by the question.
func (p *parse) column(c *database.Column, n int) bool {
	if cond, next, ok := p.comparison(p.pos+n, c); ok {
		p.filters = append(p.filters, cond)
		p.pos = next
		return true
	}
	wants := p.agg != none && p.target == nil && (p.agg != count || p.distinct)
	switch {
	case wants:
		p.target = c
	case c.Kind() == database.Truth && p.agg != none:
		p.filters = append(p.filters, p.dialect.Quote(c.Name)+" = "+p.dialect.Bool(true))
	case p.agg == none && !slices.Contains(p.shown, c):
		p.shown = append(p.shown, c)
	default:
		return false
	}
	p.pos += n
	return true
}

// settle checks that the parts form one statement.
func (p *parse) settle() bool {
	kind := database.Textual
	if p.target != nil {
		kind = p.target.Kind()
	}
	switch p.agg {
	case count:
		if p.distinct != (p.target != nil) || !p.named || p.rows {
			return false
		}
	case sum, average:
		if kind != database.Numeric || p.target.Key || p.target.References != "" || p.rows {
			return false
		}
		if p.agg == average && p.group == &p.table.Columns[0] && p.ofRows(p.group) {
			return false // the average of all rows, each of which is one
		}
	case most, least:
		if kind != database.Numeric && kind != database.Moment || p.target.Key {
			return false
		}
	default:
		if p.rows || p.group != nil || !p.listing && p.top == 0 {
			return false
		}
	}
	if p.top > 0 {
		return p.settleTop()
	}
	if len(p.shown) > 0 && p.agg != none {
		// The shown columns are those of the rows with the extreme.
		if p.agg != most && p.agg != least || p.group != nil {
			return false
		}
		p.rows = true
	}
	if p.rows && p.group != nil {
		return false
	}
	return p.agg != none || p.named || len(p.shown) > 0 && len(p.filters) > 0
}

// ofRows reports whether a column tells rows apart: no text column has more values.
func (p *parse) ofRows(c *database.Column) bool {
	return !slices.ContainsFunc(p.table.Columns, func(o database.Column) bool {
		return o.Name != c.Name && o.Kind() == database.Textual && len(o.Values) >= len(c.Values)
	})
}

func (p *parse) settleTop() bool {
	if p.rows || p.top > 1000 {
		return false
	}
	if p.agg == none {
		return p.named && p.order != nil && len(p.shown) == 0 && (p.order.Kind() == database.Numeric || p.order.Kind() == database.Moment)
	}
	if p.group != nil || len(p.shown) != 1 {
		return false
	}
	p.group, p.shown = p.shown[0], nil
	return true
}

// sql writes the statement.
func (p *parse) sql() string {
	d := p.dialect
	from := " FROM " + d.Path(p.table)
	where := ""
	conditions := p.filters
	if p.order != nil {
		conditions = append(slices.Clone(conditions), d.Quote(p.order.Name)+" IS NOT NULL")
	}
	if len(conditions) > 0 {
		where = " WHERE " + strings.Join(conditions, " AND ")
	}
	direction := " DESC"
	if p.rising {
		direction = ""
	}
	switch {
	case p.rows:
		extreme := "(SELECT " + p.measure(d) + from + where + ")"
		glue := " WHERE "
		if where != "" {
			glue = where + " AND "
		}
		return d.First(p.columns(), from+glue+d.Quote(p.target.Name)+" = "+extreme, 100)
	case p.agg == none && p.order != nil:
		return d.First("*", from+where+" ORDER BY "+d.Quote(p.order.Name)+direction, p.top)
	case p.agg == none:
		return d.First(p.columns(), from+where, 100)
	case p.group == nil:
		return "SELECT " + p.measure(d) + " AS " + d.Quote(p.label()) + from + where
	}
	by := d.Quote(p.group.Name)
	what := by + ", " + p.measure(d) + " AS " + d.Quote(p.label())
	rest := from + where + " GROUP BY " + by
	if p.top > 0 {
		return d.First(what, rest+" ORDER BY 2"+direction, p.top)
	}
	return "SELECT " + what + rest + " ORDER BY " + by
}

func (p *parse) columns() string {
	if len(p.shown) == 0 {
		return "*"
	}
	var list []string
	for _, c := range p.shown {
		list = append(list, p.dialect.Quote(c.Name))
	}
	return strings.Join(list, ", ")
}

// measure writes the aggregate.
func (p *parse) measure(d database.Dialect) string {
	if p.agg == count && p.target == nil {
		return "COUNT(*)"
	}
	c := d.Quote(p.target.Name)
	switch p.agg {
	case count:
		return "COUNT(DISTINCT " + c + ")"
	case sum:
		return "SUM(" + c + ")"
	case average:
		return d.Average(c)
	case most:
		return "MAX(" + c + ")"
	}
	return "MIN(" + c + ")"
}

// label returns the name of the aggregate's column.
func (p *parse) label() string {
	if p.target == nil {
		return "count"
	}
	return [...]string{count: "count", sum: "total", average: "average", most: "maximum", least: "minimum"}[p.agg] + "_" + p.target.Name
}

// stored returns the column that contains the value at i, the value, and its number
// of tokens; unclear if several columns contain it.
func (p *parse) stored(i int) (found *database.Column, value string, length int, unclear bool) {
	if t := p.tokens[i]; t.Kind == wording.Word && lexicon.Negating[t.Low] {
		return nil, "", 0, false // it denies something
	}
	for k := range p.table.Columns {
		c := &p.table.Columns[k]
		if c.Kind() != database.Textual {
			continue
		}
		switch v, n := wording.ValueAt(p.tokens, i, c); {
		case n > length:
			found, value, length = c, v, n
		case n > 0 && n == length:
			return nil, "", 0, true
		}
	}
	return found, value, length, false
}

// value parses a value that exactly one column contains.
func (p *parse) value() bool {
	t := p.tokens[p.pos]
	found, value, length, unclear := p.stored(p.pos)
	if unclear || found == nil || p.tableAt(p.pos) >= length || length == 1 && t.Kind == wording.Word && ignorable[t.Low] {
		return false
	}
	if slices.ContainsFunc(p.filters, func(c string) bool { return strings.HasPrefix(c, p.dialect.Quote(found.Name)+" = ") }) {
		return false // one cell has one value
	}
	p.filters = append(p.filters, p.dialect.Quote(found.Name)+" = "+p.dialect.QuoteText(value))
	p.pos += length
	if c, n := p.columnAt(p.pos); c == found { // "shipped status"
		p.pos += n
	}
	return true
}

// moments returns the columns with dates.
func (p *parse) moments() []*database.Column {
	var list []*database.Column
	for k := range p.table.Columns {
		if p.table.Columns[k].Kind() == database.Moment {
			list = append(list, &p.table.Columns[k])
		}
	}
	return list
}

// dates parses a time span if the table has exactly one column with dates.
func (p *parse) dates() bool {
	list := p.moments()
	hasYear := slices.ContainsFunc(p.table.Columns, func(c database.Column) bool { return slices.Contains(lexicon.Parts(c.Name), "year") })
	if len(list) != 1 || hasYear {
		return false
	}
	c := list[0]
	if p.tokens[p.pos].Is("in") && p.pos+1 < len(p.tokens) {
		if next := p.tokens[p.pos+1]; wording.IsYear(next) {
			y, name := next.Whole(), p.dialect.Quote(c.Name)
			p.filters = append(p.filters, name+" >= '"+strconv.Itoa(y)+"-01-01'", name+" < '"+strconv.Itoa(y+1)+"-01-01'")
			p.pos += 2
			return true
		}
	}
	if t := p.tokens[p.pos]; !t.Is("after", "before", "since", "between", "on") {
		return false
	}
	at := p.pos
	if p.tokens[at].Is("on") {
		at++
	}
	cond, next, ok := p.comparison(at, c)
	if ok {
		p.filters = append(p.filters, cond)
		p.pos = next
	}
	return ok
}

// day compares a column of dates or times with a whole day.
func (p *parse) day(name, sign, text string) (string, bool) {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return "", false
	}
	this, next := "'"+text+"'", "'"+d.AddDate(0, 0, 1).Format(time.DateOnly)+"'"
	switch sign {
	case ">":
		return name + " >= " + next, true
	case ">=":
		return name + " >= " + this, true
	case "<":
		return name + " < " + this, true
	case "<=":
		return name + " < " + next, true
	}
	return name + " >= " + this + " AND " + name + " < " + next, true
}
