package plainsql

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/sqltext"
)

// field is a column of a relation.
type field struct {
	*database.Column
	sql     string   // as a statement names it
	words   []string // of its name, without units
	units   []string
	per     []string // of what each value is, as night of "price per night"
	yes, no string   // how it says yes and no, quoted; empty where it does not
	id      bool     // it tells rows apart
	means   [][]int  // the concepts of its words
	alias   []string // what rows of the table that it refers to are called
	refers  bool     // it is the number of a row of another table, which has a name
	full    bool     // it is made of a first and a last name
	counter bool     // it is the first or the last reading of a counter
	summed  bool     // it is an amount, though its name may be that of a rate
	fixed   bool     // its number stands in several rows, once for each time
	raw     string   // the column as it is written, where sql makes a day of its month
	shownAs string   // how a time of it is called; empty where that is the time itself
	made    bool     // it is how long something lasted, by two others
	mark    bool     // it holds the marks of pupils in a subject
	values  *vocabulary
}

// remarks reports whether a field holds what somebody remarked.
func (f *field) remarks() bool {
	return f.has(strings.Fields("remark remarks comment comments note notes bemerkung anmerkung notiz kommentar"))
}

// asWritten is what a statement shows of a field.
func (f *field) asWritten() string { return cmp.Or(f.raw, f.sql) }

// table is the table as a statement names it; empty outside a join.
func (f *field) table() string { return f.sql[:max(0, strings.LastIndex(f.sql, "."))] }

func (f *field) numeric() bool {
	return f.Kind() == database.Numeric && !f.id
}

func (f *field) moment() bool { return f.Kind() == database.Moment }

// event reports whether a field says when something happened to a row, if it did: "paid on".
func (f *field) event() bool {
	return f.moment() && !slices.ContainsFunc(f.words, func(w string) bool {
		return w == "date" || w == "datum" || w == "day" || w == "birth" || w == "geburtsdatum" || w == "due" || w == "deadline"
	}) && len(f.words) > 0 && (lexicon.Alike(f.words[0], "paid") || lexicon.Alike(f.words[0], "returned") ||
		lexicon.Alike(f.words[len(f.words)-1], "done") ||
		lexicon.Alike(f.words[0], "delivered") ||
		slices.ContainsFunc(f.words, func(w string) bool {
			return strings.HasSuffix(w, "ed") || done[w] || strings.HasPrefix(w, "ge") && strings.HasSuffix(w, "t")
		}))
}

// done are participles that have no ending of their own.
var done = lexicon.Set("sent sold bought lent given taken drawn left gone kept won lost verkauft verliehen entnommen")

// planned reports whether a field holds what should be.
func (f *field) planned() bool {
	return f.has(strings.Fields("target plan planned budget soll minimum min maximum max reorder estimated estimate"))
}

// text reports whether a field tells things apart by a text, or by a number that is a name.
func (f *field) text() bool { return f.yes == "" && !f.numeric() && !f.moment() }

// has reports whether a name has one of these parts.
func (f *field) has(words []string) bool {
	return slices.ContainsFunc(f.words, func(w string) bool { return slices.Contains(words, w) }) ||
		slices.ContainsFunc(f.units, func(w string) bool { return slices.Contains(words, w) })
}

// additive reports whether its values can be summed.
func (f *field) additive() bool {
	if f.summed {
		return true
	}
	rate := func(w string) bool { return lexicon.Rates[w] || lexicon.IsRate(w) || lexicon.Standing[w] }
	if !f.numeric() || f.fixed || f.mark || f.Years && f.ofYears() || slices.ContainsFunc(f.words, rate) ||
		f.ratio() || slices.Contains(f.units, "percent") || slices.Contains(f.units, "pct") || len(f.per) > 0 && !(lexicon.EverySpan[f.per[0]] &&
		f.has(strings.Fields("eur usd gbp chf cost fee rent leasing kosten beitrag miete gebühr"))) {
		return false
	}
	return true
}

// derived returns the fields that are made of others: how long something lasted, somebody's
// whole name.
func derived(d database.Dialect, list []field) []field {
	var more []field
	if d == database.SQLite {
		more = append(lasted(list), covered(list)...)
	}
	if d != database.SQLite && d != database.Postgres {
		return more
	}
	var first, last *field
	for i := range list {
		switch f := &list[i]; {
		case !f.text():
		case f.named("vorname", "firstname", "forename", "first name", "given name", "first"):
			first = f
		case f.named("nachname", "lastname", "surname", "last name", "family name", "familienname", "last"):
			last = f
		}
	}
	if first == nil || last == nil {
		return more
	}
	return append(more, field{Column: &database.Column{Name: "name", Type: "TEXT"}, words: []string{"name"}, full: true,
		values: &vocabulary{},
		means:  [][]int{lexicon.ConceptsOf("name")}, sql: "(" + first.sql + " || ' ' || " + last.sql + ")"})
}

// lasted returns a field for how many days lie between two dates that rows begin and end with.
func lasted(list []field) []field {
	var days []*field
	for i := range list {
		if list[i].moment() && !list[i].has(strings.Fields(lexicon.Births+" due deadline fällig frist next nächste nächster")) {
			days = append(days, &list[i])
		}
		if list[i].has([]string{"day", "night", "duration", "nacht", "tag", "dauer"}) {
			return nil
		}
	}
	if len(days) != 2 || !lexicon.Pairs(days[0].words, days[1].words) {
		return nil
	}
	return []field{daysBetween(days[0], days[1], "night", "day", "tag", "nacht", "nächte")}
}

// daysBetween is a field for how many days, or what else is one, lie between two dates.
func daysBetween(from, to *field, units ...string) field {
	return field{Column: &database.Column{Name: "days", Type: "REAL"}, words: []string{"duration"}, made: true, values: &vocabulary{},
		means: [][]int{lexicon.ConceptsOf("duration")}, units: units, sql: "(julianday(" + to.sql + ") - julianday(" + from.sql + "))"}
}

// covered returns a field for what lies between two counters, such as "km start" and "km end".
func covered(list []field) []field {
	for i := range list {
		for k := range list {
			a, b := &list[i], &list[k]
			if i == k || !a.numeric() || !b.numeric() || len(a.words) == 0 || len(b.words) == 0 || !lexicon.Counted(a.words, b.words) ||
				!slices.Equal(a.units, b.units) || !slices.Equal(lexicon.Uncounted(a.words), lexicon.Uncounted(b.words)) {
				continue
			}
			words := lexicon.Uncounted(a.words)
			if !metered(words, a.units) {
				continue
			}
			a.counter, b.counter = true, true
			if slices.ContainsFunc(list, func(f field) bool {
				return f.numeric() && !f.counter && (slices.Equal(f.words, words) || f.has([]string{"distance", "strecke"}))
			}) {
				return nil // told by a column of its own
			}
			units := a.units
			if lexicon.Sizes[firstOf(words)].Kind == "way" || slices.ContainsFunc(units, func(u string) bool { return lexicon.Sizes[u].Kind == "way" }) {
				words = append(slices.Clone(words), "distance", "strecke")
			}
			f := field{Column: &database.Column{Name: strings.Join(append(lexicon.Uncounted(a.words), units...), "_"), Type: "REAL"}, words: words,
				units: units,
				made:  true, values: &vocabulary{}, sql: "(" + b.sql + " - " + a.sql + ")"}
			for _, w := range words {
				f.means = append(f.means, lexicon.ConceptsOf(w))
			}
			return []field{f}
		}
	}
	return nil
}

// metered reports whether words or units of a name are those of a counter, rather than of prices at first and last.
func metered(words, units []string) bool {
	of := func(w string) bool { return lexicon.Sizes[w].Kind == "way" || lexicon.Sizes[w].Kind == "energy" }
	if slices.ContainsFunc(words, func(w string) bool { return lexicon.Meters[w] || of(w) }) {
		return true
	}
	return len(words) == 0 && slices.ContainsFunc(units, func(u string) bool { return of(u) || lexicon.Sizes[u].Kind == "volume" })
}

// firstOf returns the first of some words; empty without.
func firstOf(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// empty returns the condition that a field says nothing.
func (f *field) empty() condition {
	sql := f.sql + " IS NULL"
	switch {
	case f.yes != "" && f.no != "":
		sql = f.sql + " = " + f.no
	case f.Kind() == database.Textual:
		sql = sqltext.Empty(f.sql, f.Values)
	case f.additive():
		sql = "(" + sql + " OR " + f.sql + " = 0)"
	}
	return condition{sql: sql, of: f}
}

// filled returns the condition that a field says something.
func (f *field) filled() condition {
	if f.Kind() == database.Textual {
		return condition{sql: sqltext.Filled(f.sql, f.Values)}
	}
	return condition{sql: f.sql + " IS NOT NULL"}
}

// elapsed finds how long something took, between a day that is spoken of and the one before it: "how many days until it
// was collected".
func (r *reading) elapsed() {
	own := func(f field) bool {
		return f.numeric() && !f.made && len(f.words) == 1 && f.has(strings.Fields("day tag tage"))
	}
	if r.dialect != database.SQLite || slices.ContainsFunc(r.fields, own) {
		return
	}
	unit, ends := -1, -1
	for i := range r.tokens {
		switch {
		case r.is(i, "days", "tage", "long", "lange") && r.is(i-1, "many", "viele", "how", "wie"),
			r.is(i, "time", "zeit") && r.is(i+1, "until", "till", "from", "between", "bis", "zwischen", "von"):
			unit = i
		case r.is(i, "until", "till", "bis", "to", "zur", "zum", "before", "between", "zwischen", "after", "nach"):
			ends = i
		}
	}
	if unit < 0 || ends < unit {
		return
	}
	var days, said []*field
	for i := range r.fields {
		if f := &r.fields[i]; f.moment() && !f.has(strings.Fields(lexicon.Births+" due deadline fällig fälligkeit")) {
			days = append(days, f)
		}
	}
	for k := unit + 1; k < len(r.tokens); k++ {
		if m := r.near[k]; m.f != nil && m.f.moment() && m.worth > byWord && !slices.Contains(said, m.f) && !lexicon.Linking[r.word(k)] {
			said = append(said, m.f)
		}
		if (r.near[k].f == nil || !r.near[k].f.moment()) && r.is(k, "pay", "paid", "bezahlen", "zahlen", "bezahlt") {
			if f := r.only(func(f *field) bool { return f.event() && f.has([]string{"paid", "bezahlt", "payment"}) }); f != nil {
				said = append(said, f)
			}
		}
	}
	var from, to *field
	switch {
	case len(said) == 2:
		from, to = said[0], said[1]
	case len(said) == 1 && len(days) == 2:
		from, to = days[0], said[0]
		if from == to {
			return
		}
	default:
		return
	}
	took := daysBetween(from, to, "day")
	r.measures = []*field{&took}
	for k := unit - 1; k < len(r.tokens); k++ {
		m := r.near[k]
		part := m.f == from || m.f == to || r.is(k, "take", "takes", "took", "dauert", "dauerte", "pass", "passes", "vergehen", "until",
			"till", "bis", "to", "zur", "zum", "from", "vom", "von", "between", "zwischen", "and", "und", "before", "after", "nach",
			"wird", "wurde", "pay", "paid", "bezahlen", "zahlen", "brauchen", "it", "long", "lange", "many", "viele", "days", "tage")
		if lexicon.PersonNouns[r.word(k)] && r.agg != count {
			part = true // who takes it
		}
		if part && !r.used[k] {
			r.used[k] = true
			r.near[k] = mention{}
		}
	}
	r.used[max(0, unit-2)] = true
	if r.agg == none && !r.says("total", "insgesamt") {
		r.agg = average
	}
	r.score += byAll
}

// fromTo takes the two days that what lasted lies between: "between opening and closing".
func (r *reading) fromTo() {
	if r.only(func(f *field) bool { return f.made && f.moment() || f.made && f.has([]string{"duration"}) }) == nil {
		return
	}
	for i := range r.tokens {
		if r.used[i] || !r.is(i, "between", "from", "zwischen", "von", "vom") {
			continue
		}
		var days []*field
		for k := i + 1; k < len(r.tokens) && k <= i+7; k++ {
			m := r.near[k]
			switch {
			case m.f != nil && m.f.moment() && !slices.Contains(days, m.f):
				days = append(days, m.f)
			case !lexicon.Neutral[r.word(k)]:
				k = len(r.tokens)
				continue
			}
			if len(days) == 2 {
				for at := i; at <= k; at++ {
					r.used[at], r.near[at] = true, mention{}
				}
				break
			}
		}
	}
}

// summable reports whether a total of a field that is usually not summed means something where
// it is asked for: of costs, not of ages and rates.
func (f *field) summable() bool {
	return (len(f.per) == 0 || f.additive()) &&
		!f.has(strings.Fields("age alter rate ratio percent year jahr temperature temperatur score grade note quote"))
}

// leastColumns is how many columns a table has at least for times of which each is one: "Jan", "Feb", "Mar".
const leastColumns = 3

// timed is a field with numbers that is called by a time: a month, a quarter, or a year.
type timed struct {
	f           *field
	year, month int // 0 where its name says none
	quarter     bool
	rest        []string // of its name
}

// timedBy returns the time that a field is called by; false without.
func timedBy(f *field) (t timed, ok bool) {
	if !f.numeric() || f.made {
		return t, false
	}
	t.f = f
	for _, w := range f.words {
		switch m := lexicon.MonthOf(w); {
		case w == "n": // a name may not begin with a digit
		case m > 0 && t.month == 0:
			t.month = m
		case len(w) == 2 && w[0] == 'q' && w[1] >= '1' && w[1] <= '4' && t.month == 0:
			t.month, t.quarter = 3*int(w[1]-'0')-2, true
		case isDigits(w) && len(w) == 4 && (w[:2] == "19" || w[:2] == "20") && t.year == 0:
			t.year, _ = strconv.Atoi(w)
		case isDigits(w) && len(w) == 2 && t.month > 0 && t.year == 0:
			t.year, _ = strconv.Atoi("20" + w)
		default:
			t.rest = append(t.rest, w)
		}
	}
	return t, t.month > 0 || t.year > 0
}

// calledByTime reports whether a field is called by a time.
func calledByTime(f *field) bool {
	_, ok := timedBy(f)
	return ok
}

// unfolded returns a table with a column for each month, quarter or year as one with a row for each of them, by which such
// questions are read as of any other table; false for another table.
func (r *relation) unfolded(d database.Dialect) (out relation, ok bool) {
	var columns []timed
	var others []field
	for i := range r.fields {
		t, is := timedBy(&r.fields[i])
		switch {
		case is && (len(columns) == 0 || slices.Equal(t.rest, columns[0].rest) && (t.month > 0) == (columns[0].month > 0) &&
			t.quarter == columns[0].quarter):
			columns = append(columns, t)
		case is:
			return out, false
		case !r.fields[i].made && !r.fields[i].full:
			others = append(others, r.fields[i])
		}
	}
	if d != database.SQLite || len(columns) < leastColumns || len(others) == 0 {
		return out, false
	}
	year := lexicon.YearIn(r.name)
	seen := map[string]bool{}
	var parts []string
	quote := d.Quote
	for _, t := range columns {
		label := fmt.Sprintf("%02d %s", t.month, t.f.Name)
		switch {
		case t.month == 0:
			label = strconv.Itoa(t.year)
		case t.quarter:
			label = t.f.Name
		}
		if t.year == 0 {
			t.year = year
		}
		day := fmt.Sprintf("%04d-%02d-01", cmp.Or(t.year, noYear), max(1, t.month))
		if seen[day] {
			return out, false
		}
		seen[day] = true
		part := "SELECT "
		for i := range others {
			part += others[i].sql + ", "
		}
		parts = append(parts, part+"'"+day+"' AS "+quote("begins")+", "+d.QuoteText(label)+" AS "+quote("time")+", "+t.f.sql+" AS "+
			quote("amount")+" FROM "+r.from)
	}
	for i := range others { // they stand in each of the rows
		others[i].fixed = others[i].numeric()
	}
	out = relation{name: r.name, from: quote(r.name + "_by_time"), fields: others, foreign: r.foreign, strange: r.strange, wide: true,
		noYear: year == 0 &&
			columns[0].year == 0}
	out.nouns = lexicon.Parts(others[0].Name)
	out.with = "WITH " + out.from + " AS (" + strings.Join(parts, " UNION ALL ") + ") "
	begins := field{Column: &database.Column{Name: "begins", Type: "DATE"}, sql: quote("begins"), words: []string{"date"},
		means: [][]int{lexicon.ConceptsOf("date")}, values: &vocabulary{}}
	if columns[0].month > 0 {
		begins.shownAs = quote("time")
	}
	amount := field{Column: &database.Column{Name: "amount", Type: "REAL"}, sql: quote("amount"), units: columns[0].f.units,
		values: &vocabulary{},
		words:  slices.DeleteFunc(slices.Concat(r.own, columns[0].rest), isDigits),
		alias:  strings.Fields("amount consumption usage total value figure verbrauch wert betrag menge")}
	if len(amount.words) == 0 {
		amount.words = []string{"amount"}
	}
	for _, w := range amount.words {
		amount.means = append(amount.means, lexicon.ConceptsOf(w))
	}
	out.fields = append(out.fields, begins, amount)
	return out, true
}

// noYear stands for the year where none is told.
const noYear = 2000

// overTimes reports whether a statement about a table with a column for each time means something: its rows are no things
// of their own, and a year is asked for only where it is told.
func (r *reading) overTimes() bool {
	if !r.wide {
		return true
	}
	one := false
	for _, c := range r.where {
		month := strings.HasPrefix(c.sql, "strftime('%m'")
		if c.day && !month && r.noYear {
			return false
		}
		one = one || c.day && (month && !strings.Contains(c.sql, ",") || !month)
	}
	pinned := r.pins(r.title())
	switch {
	case r.agg == count && !r.distinct && len(r.measures) == 0:
		return pinned || one
	case r.agg == average && r.bySpan == "" && !pinned:
		return one || r.says("month", "monthly", "months", "monat", "monatlich", "monatliche", "monatlichen", "quarter", "year", "jahr")
	case len(r.measures) == 0 && r.way != 0:
		return false
	}
	return !slices.ContainsFunc(r.measures, func(f *field) bool { return f.fixed })
}

// meant reports whether the word at i and the next one are a name of two words, one of them by another word of its
// meaning: "electricity bill" of an electricity cost.
func (r *reading) meant(i int, words []string) bool {
	if len(words) != 2 || i+1 >= len(r.tokens) || r.word(i+1) == "" || lexicon.Neutral[r.word(i+1)] {
		return false
	}
	return lexicon.Same(words[0], r.tokens[i].Low) && lexicon.Alike(words[1], r.tokens[i+1].Low) ||
		lexicon.Same(words[1], r.tokens[i+1].Low) && lexicon.Alike(words[0], r.tokens[i].Low)
}

// bounds reports whether the word at k says only which end of the time at i is meant: "the end of March".
func (r *reading) bounds(k, i int) bool {
	return r.is(k, "end", "start", "beginning", "ende", "anfang", "beginn") && (k == i-1 || k == i-2 && r.is(i-1, "of", "month", "year"))
}

// otherThan reports whether a word that resembles a field's name is for something else.
func (r *reading) otherThan(f *field, w string) bool {
	if head, ok := strings.CutSuffix(w, "preis"); ok && (!r.paying(f) || lexicon.MeasureWords[head] && !slices.ContainsFunc(
		append(slices.Clone(f.per), f.words...), func(p string) bool { return strings.HasPrefix(p, head) })) {
		return true // the price of a square metre is no size, and not what is paid for all of them
	}
	if r.german && f.has(lexicon.PersonFields) && !strings.Contains(w, "name") && slices.ContainsFunc(f.words, func(p string) bool {
		return strings.HasPrefix(w, p) && len(w) >= len(p)+lexicon.RootLetters
	}) {
		return true // what tenants have is no tenant
	}
	if r.otherKind(f, w) {
		return true
	}
	if lexicon.Trading[w] && f.text() || lexicon.OfOther(f.words, w, f.text()) {
		return true // who sells is none of what is sold
	}
	if r.german && slices.ContainsFunc([]string{"über", "fehl", "rest", "minus", "sonder", "zusatz", "ausfall", "bei", "vize", "neben"},
		func(p string) bool {
			return strings.HasPrefix(w, p) && len(w) > len(p)+lexicon.LeastPart && !slices.ContainsFunc(f.words, func(part string) bool {
				return strings.HasPrefix(part, p)
			})
		}) {
		return true // hours over time are none of those that were worked
	}
	if r.german && lexicon.RoleOf(w) != "" && !slices.ContainsFunc(f.words, func(p string) bool {
		return strings.Contains(p,
			lexicon.RoleOf(w))
	}) {
		return true // who teaches a class is none of it
	}
	if pieces[w] && f.has(strings.Fields("price cost preis kosten")) && !f.additive() || pieces[w] &&
		f.has([]string{"unit", "piece"}) && r.paying(f) {
		return true // units are not what one costs
	}
	if f.numeric() && spans[w] && f.has([]string{"this", "last", "previous", "current"}) {
		return true // visits this year are no years
	}
	return false
}

// timedAs reports whether a day tells when what a field with yes or no is about was done: "Paid on" of "Paid".
func (r *relation) timedAs(f *field) bool {
	return slices.ContainsFunc(r.fields, func(o field) bool { return o.event() && o.has(f.words) })
}

// kinds reports whether a field tells fewer kinds of rows apart than another one.
func (f *field) kinds(other *field) bool {
	return f.sql != other.sql && len(f.Values) < len(other.Values) && !f.Many && !other.Many
}

// denied reports whether the word at i is a value with "un" before it.
func (r *reading) denied(i int, value string) bool {
	bare, ok := strings.CutPrefix(r.tokens[i].Low, "un")
	return ok && len(bare) >= lexicon.LeastPart && strings.EqualFold(bare, value)
}

// tellsWhether reports whether what is asked for is one field with yes or no, of rows that are told and denied nothing.
func (r *reading) tellsWhether(asked []*field) bool {
	return len(asked) == 1 && asked[0].yes != "" && r.entity == nil && len(r.where) > 0 && !r.saysAny(lexicon.Negating)
}

// kindOf reports whether the word at i resembles values of a field, so that it may be one that is not there.
func (r *reading) kindOf(i int) bool {
	w := r.word(i)
	return slices.ContainsFunc(r.fields, func(f field) bool {
		return f.text() && !r.filtered(&f) && slices.ContainsFunc(f.vocabulary().single, func(v string) bool {
			return len(v) >= lexicon.LeastPart && len(w) >= lexicon.LeastPart && v[:lexicon.LeastPart] == w[:lexicon.LeastPart]
		})
	})
}

// notBack reports whether things are counted that something has not happened to yet, each as often as that is so.
func (r *reading) notBack(of *field) bool {
	return !r.distinct && !r.person() && !of.has(lexicon.PersonFields) && r.dates() && slices.ContainsFunc(r.where, func(c condition) bool {
		return c.of != nil && !c.day && (c.of.event() || c.of.moment()) && strings.Contains(c.sql, "NULL")
	})
}

// timed turns what speaks of a field with yes or no into the day of the same, where it is asked when it was.
func (r *reading) timed() {
	if !r.is(0, "when", "wann") {
		return
	}
	for i, m := range r.near {
		if m.f == nil || m.f.yes == "" {
			continue
		}
		if day := r.only(func(o *field) bool { return o.event() && o.has(m.f.words) }); day != nil {
			r.near[i] = mention{day, m.words, m.worth}
		}
	}
}

// rateless reports whether the word at i asks for a rate of pay, of which no column tells.
func (r *reading) rateless(i int) bool {
	return r.is(i, "rate", "rates", "wage", "wages", "pay", "salary") && r.is(i-1, "hourly", "daily", "weekly", "monthly", "day") &&
		r.only(func(f *field) bool {
			return f.numeric() && f.has(strings.Fields("rate wage pay salary price cost fee charge lohn gehalt satz"))
		}) == nil
}

// deed returns the word of a field's name that says what was done: "collected" of "collected on".
func (f *field) deed() string {
	last := len(f.words) - 1
	if last > 0 && lexicon.Among([]string{"on", "at", "by", "am", "um"}, f.words[last]) {
		last--
	}
	return f.words[last]
}
