package relation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/sqltext"
)

// Field is a column of a relation.
type Field struct {
	*database.Column
	SQL     string   // as a statement names it
	Words   []string // of its name, without units
	Units   []string
	Per     []string // of what each value is, as night of "price per night"
	Yes, No string   // how it says yes and no, quoted; empty where it does not
	ID      bool     // it tells rows apart
	Means   [][]int  // the concepts of its words
	Alias   []string // what rows of the table that it refers to are called
	Refers  bool     // it is the number of a row of another table, which has a name
	Full    bool     // it is made of a first and a last name
	Counter bool     // it is the first or the last reading of a counter
	summed  bool     // it is an amount, though its name may be that of a rate
	Fixed   bool     // its number stands in several rows, once for each time
	Raw     string   // the column as it is written, where SQL makes a day of its month
	ShownAs string   // how a time of it is called; empty where that is the time itself
	Made    bool     // it is how long something lasted, by two others
	Mark    bool     // it holds the marks of pupils in a subject
	Vocab   *Vocabulary
}

// Remarks reports whether a field holds what somebody remarked.
func (f *Field) Remarks() bool {
	return f.Has(strings.Fields("remark remarks comment comments note notes bemerkung anmerkung notiz kommentar"))
}

// AsWritten is what a statement shows of a field.
func (f *Field) AsWritten() string { return cmp.Or(f.Raw, f.SQL) }

// Table is the table as a statement names it; empty outside a join.
func (f *Field) Table() string { return f.SQL[:max(0, strings.LastIndex(f.SQL, "."))] }

func (f *Field) Numeric() bool {
	return f.Kind() == database.Numeric && !f.ID
}

func (f *Field) Moment() bool { return f.Kind() == database.Moment }

// Event reports whether a field says when something happened to a row, if it did: "paid on".
func (f *Field) Event() bool {
	return f.Moment() && !slices.ContainsFunc(f.Words, func(w string) bool {
		return w == "date" || w == "datum" || w == "day" || w == "birth" || w == "geburtsdatum" || w == "due" || w == "deadline"
	}) && len(f.Words) > 0 && (lexicon.Alike(f.Words[0], "paid") || lexicon.Alike(f.Words[0], "returned") ||
		lexicon.Alike(f.Deed(), "done") ||
		lexicon.Alike(f.Words[0], "delivered") ||
		slices.ContainsFunc(f.Words, func(w string) bool {
			return strings.HasSuffix(w, "ed") || Done[w] || strings.HasPrefix(w, "ge") && strings.HasSuffix(w, "t")
		}))
}

// Done are participles that have no ending of their own.
var Done = lexicon.Set("sent sold bought lent given taken drawn left gone kept won lost verkauft verliehen entnommen")

// Planned reports whether a field holds what should be.
func (f *Field) Planned() bool {
	return f.Has(strings.Fields("target plan planned budget soll minimum min maximum max reorder estimated estimate"))
}

// Text reports whether a field tells things apart by a text, or by a number that is a name.
func (f *Field) Text() bool { return f.Yes == "" && !f.Numeric() && !f.Moment() }

// Has reports whether a name has one of these parts.
func (f *Field) Has(words []string) bool {
	return slices.ContainsFunc(f.Words, func(w string) bool { return slices.Contains(words, w) }) ||
		slices.ContainsFunc(f.Units, func(w string) bool { return slices.Contains(words, w) })
}

// Additive reports whether its values can be summed.
func (f *Field) Additive() bool {
	if f.summed {
		return true
	}
	rate := func(w string) bool { return lexicon.Rates[w] || lexicon.IsRate(w) || lexicon.Standing[w] }
	if !f.Numeric() || f.Fixed || f.Mark || f.Years && f.OfYears() || slices.ContainsFunc(f.Words, rate) ||
		f.ratio() || slices.Contains(f.Units, "percent") || slices.Contains(f.Units, "pct") || len(f.Per) > 0 && !(lexicon.EverySpan[f.Per[0]] &&
		f.Has(strings.Fields("eur usd gbp chf cost fee rent leasing kosten beitrag miete gebühr"))) {
		return false
	}
	return true
}

// derived returns the fields that are made of others: how long something lasted, somebody's
// whole name.
func derived(d database.Dialect, list []Field) []Field {
	var more []Field
	if d == database.SQLite {
		more = append(lasted(list), covered(list)...)
	}
	if d != database.SQLite && d != database.Postgres {
		return more
	}
	var first, last *Field
	for i := range list {
		switch f := &list[i]; {
		case !f.Text():
		case f.named("vorname", "firstname", "forename", "first name", "given name", "first"):
			first = f
		case f.named("nachname", "lastname", "surname", "last name", "family name", "familienname", "last"):
			last = f
		}
	}
	if first == nil || last == nil {
		return more
	}
	return append(more, Field{Column: &database.Column{Name: "name", Type: "TEXT"}, Words: []string{"name"}, Full: true,
		Vocab: &Vocabulary{},
		Means: [][]int{lexicon.ConceptsOf("name")}, SQL: "(" + first.SQL + " || ' ' || " + last.SQL + ")"})
}

// lasted returns a field for how many days lie between two dates that rows begin and end with.
func lasted(list []Field) []Field {
	if slices.ContainsFunc(list, func(f Field) bool { return f.Has([]string{"day", "night", "duration", "nacht", "tag", "dauer"}) }) {
		return nil
	}
	begin, end := bounds(list, func(f *Field) bool {
		return f.Moment() && !f.Has(strings.Fields(lexicon.Births+" due deadline fällig frist next nächste nächster"))
	})
	if begin == nil {
		return nil
	}
	return []Field{DaysBetween(begin, end, "night", "day", "tag", "nacht", "nächte")}
}

// bounds returns the only two fields of a kind, where by their names one tells when rows begin and the other when they end; nil
// without.
func bounds(list []Field, is func(*Field) bool) (begin, end *Field) {
	var days []*Field
	for i := range list {
		if is(&list[i]) {
			days = append(days, &list[i])
		}
	}
	if len(days) != 2 || !lexicon.Pairs(days[0].Words, days[1].Words) {
		return nil, nil
	}
	return days[0], days[1]
}

// DaysBetween is a field for how many days, or what else is one, lie between two dates.
func DaysBetween(from, to *Field, units ...string) Field {
	return Field{Column: &database.Column{Name: "days", Type: "REAL"}, Words: []string{"duration"}, Made: true, Vocab: &Vocabulary{},
		Means: [][]int{lexicon.ConceptsOf("duration")}, Units: units, SQL: "(julianday(" + to.SQL + ") - julianday(" + from.SQL + "))"}
}

// Latest reports whether a field tells when something last happened: "last checked".
func (f *Field) Latest() bool {
	return f.Moment() && f.Has(strings.Fields("last latest letzte letzter letztes zuletzt"))
}

// Began returns the day on which rows begin, where another tells when they end; nil without.
func (r *Relation) Began() *Field {
	begin, _ := bounds(r.Fields, func(f *Field) bool { return f.Moment() && !f.Made })
	return begin
}

// covered returns a field for what lies between two counters, such as "km start" and "km end".
func covered(list []Field) []Field {
	for i := range list {
		for k := range list {
			a, b := &list[i], &list[k]
			if i == k || !a.Numeric() || !b.Numeric() || len(a.Words) == 0 || len(b.Words) == 0 || !lexicon.Counted(a.Words, b.Words) ||
				!slices.Equal(a.Units, b.Units) || !slices.Equal(lexicon.Uncounted(a.Words), lexicon.Uncounted(b.Words)) {
				continue
			}
			words := lexicon.Uncounted(a.Words)
			if !metered(words, a.Units) {
				continue
			}
			a.Counter, b.Counter = true, true
			if slices.ContainsFunc(list, func(f Field) bool {
				return f.Numeric() && !f.Counter && (slices.Equal(f.Words, words) || f.Has([]string{"distance", "strecke"}))
			}) {
				return nil // told by a column of its own
			}
			units := a.Units
			if lexicon.Sizes[firstOf(words)].Kind == "way" ||
				slices.ContainsFunc(units, func(u string) bool { return lexicon.Sizes[u].Kind == "way" }) {
				words = append(slices.Clone(words), "distance", "strecke")
			}
			f := Field{Column: &database.Column{Name: strings.Join(append(lexicon.Uncounted(a.Words), units...), "_"), Type: "REAL"}, Words: words,
				Units: units,
				Made:  true, Vocab: &Vocabulary{}, SQL: "(" + b.SQL + " - " + a.SQL + ")"}
			for _, w := range words {
				f.Means = append(f.Means, lexicon.ConceptsOf(w))
			}
			return []Field{f}
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

// Empty returns the condition that a field says nothing.
func (f *Field) Empty() Condition {
	sql := f.SQL + " IS NULL"
	switch {
	case f.Yes != "" && f.No != "":
		sql = f.SQL + " = " + f.No
	case f.Kind() == database.Textual:
		sql = sqltext.Empty(f.SQL, f.Values)
	case f.Additive():
		sql = "(" + sql + " OR " + f.SQL + " = 0)"
	}
	return Condition{SQL: sql, Of: f}
}

// Filled returns the condition that a field says something.
func (f *Field) Filled() Condition {
	if f.Kind() == database.Textual {
		return Condition{SQL: sqltext.Filled(f.SQL, f.Values)}
	}
	return Condition{SQL: f.SQL + " IS NOT NULL"}
}

// Summable reports whether a total of a field that is usually not summed means something where
// it is asked for: of costs, not of ages and rates.
func (f *Field) Summable() bool {
	return (len(f.Per) == 0 || f.Additive()) &&
		!f.Has(strings.Fields("age alter rate ratio percent year jahr temperature temperatur score grade note quote"))
}

// leastColumns is how many columns a table has at least for times of which each is one: "Jan", "Feb", "Mar".
const leastColumns = 3

// Timed is a field with numbers that is called by a time: a month, a quarter, or a year.
type Timed struct {
	f           *Field
	year, month int // 0 where its name says none
	quarter     bool
	rest        []string // of its name
}

// TimedBy returns the time that a field is called by; false without.
func TimedBy(f *Field) (t Timed, ok bool) {
	if !f.Numeric() || f.Made {
		return t, false
	}
	t.f = f
	for _, w := range f.Words {
		switch m := lexicon.MonthOf(w); {
		case w == "n": // a name may not begin with a digit
		case m > 0 && t.month == 0:
			t.month = m
		case len(w) == 2 && w[0] == 'q' && w[1] >= '1' && w[1] <= '4' && t.month == 0:
			t.month, t.quarter = 3*int(w[1]-'0')-2, true
		case IsDigits(w) && len(w) == 4 && (w[:2] == "19" || w[:2] == "20") && t.year == 0:
			t.year, _ = strconv.Atoi(w)
		case IsDigits(w) && len(w) == 2 && t.month > 0 && t.year == 0:
			t.year, _ = strconv.Atoi("20" + w)
		default:
			t.rest = append(t.rest, w)
		}
	}
	return t, t.month > 0 || t.year > 0
}

// ofAllTimes reports whether a field sums what a table has a column for each time of.
func (f *Field) ofAllTimes() bool {
	return f.Numeric() && f.Has(strings.Fields("total sum year average avg mean gesamt summe insgesamt jahr durchschnitt schnitt mittel"))
}

// unfolded returns a table with a column for each month, quarter or year as one with a row for each of them, by which such
// questions are read as of any other table; false for another table.
func (r *Relation) unfolded(d database.Dialect) (out Relation, ok bool) {
	var columns []Timed
	var others []Field
	for i := range r.Fields {
		t, is := TimedBy(&r.Fields[i])
		switch {
		case is && (len(columns) == 0 || slices.Equal(t.rest, columns[0].rest) && (t.month > 0) == (columns[0].month > 0) &&
			t.quarter == columns[0].quarter):
			columns = append(columns, t)
		case is:
			return out, false
		case !r.Fields[i].Made && !r.Fields[i].Full && !r.Fields[i].ofAllTimes():
			others = append(others, r.Fields[i])
		}
	}
	if d != database.SQLite || len(columns) < leastColumns || len(others) == 0 {
		return out, false
	}
	year := lexicon.YearIn(r.Name)
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
			part += others[i].SQL + ", "
		}
		parts = append(parts, part+"'"+day+"' AS "+quote("begins")+", "+d.QuoteText(label)+" AS "+quote("time")+", "+t.f.SQL+" AS "+
			quote("amount")+" FROM "+r.From)
	}
	for i := range others { // they stand in each of the rows
		others[i].Fixed = others[i].Numeric()
	}
	out = Relation{Name: r.Name, From: quote(r.Name + "_by_time"), Fields: others, Foreign: r.Foreign, Strange: r.Strange, Wide: true,
		NoYear: year == 0 &&
			columns[0].year == 0}
	out.Nouns = lexicon.Parts(others[0].Name)
	out.With = "WITH " + out.From + " AS (" + strings.Join(parts, " UNION ALL ") + ") "
	begins := Field{Column: &database.Column{Name: "begins", Type: "DATE"}, SQL: quote("begins"), Words: []string{"date"},
		Means: [][]int{lexicon.ConceptsOf("date")}, Vocab: &Vocabulary{}}
	if columns[0].month > 0 {
		begins.ShownAs = quote("time")
	}
	amount := Field{Column: &database.Column{Name: "amount", Type: "REAL"}, SQL: quote("amount"), Units: columns[0].f.Units,
		Vocab: &Vocabulary{},
		Words: slices.DeleteFunc(slices.Concat(r.Own, columns[0].rest), IsDigits),
		Alias: strings.Fields("amount consumption usage total value figure verbrauch wert betrag menge")}
	if len(amount.Words) == 0 {
		amount.Words = []string{"amount"}
	}
	for _, w := range amount.Words {
		amount.Means = append(amount.Means, lexicon.ConceptsOf(w))
	}
	out.Fields = append(out.Fields, begins, amount)
	return out, true
}

// noYear stands for the year where none is told.
const noYear = 2000

// TimedAs reports whether a day tells when what a field with yes or no is about was done: "Paid on" of "Paid".
func (r *Relation) TimedAs(f *Field) bool {
	return slices.ContainsFunc(r.Fields, func(o Field) bool { return o.Event() && o.Has(f.Words) })
}

// Kinds reports whether a field tells fewer kinds of rows apart than another one.
func (f *Field) Kinds(other *Field) bool {
	return f.SQL != other.SQL && len(f.Values) < len(other.Values) && !f.Many && !other.Many
}

// Deed returns the word of a field's name that says what was done: "collected" of "collected on".
func (f *Field) Deed() string {
	last := len(f.Words) - 1
	if last > 0 && lexicon.Among([]string{"on", "at", "by", "am", "um"}, f.Words[last]) {
		last--
	}
	return f.Words[last]
}

// FewValues is how many values a field has at most that rows are grouped by though it is the first one.
const FewValues = 40

// Nearest returns the field of another's kind that has one of the words in its name, and most of the other's.
func (r *Relation) Nearest(to *Field, words string) *Field {
	var best *Field
	most := -1
	for w := range strings.FieldsSeq(words) {
		for i := range r.Fields {
			f := &r.Fields[i]
			if f == to || f.Kind() != to.Kind() || !f.Has([]string{w, lexicon.Stem(w)}) {
				continue
			}
			shared := 0
			for _, p := range to.Words {
				if slices.Contains(f.Words, p) {
					shared++
				}
			}
			if shared > most {
				best, most = f, shared
			}
		}
	}
	return best
}

// ratio reports whether the unit of a field is one by another, as mg/l and km/h, whose sum means nothing.
func (f *Field) ratio() bool {
	kind := ""
	other := func(w string) bool {
		before := kind
		kind = cmp.Or(lexicon.Sizes[w].Kind, kind)
		return before != "" && kind != before
	}
	return slices.ContainsFunc(f.Words, other) || slices.ContainsFunc(f.Units, other)
}

// marked notes which fields hold the marks of pupils: those of two subjects or more, of a table that names pupils.
func marked(list []Field) {
	pupils := slices.ContainsFunc(list, func(f Field) bool {
		return f.Text() && f.Has(strings.Fields("student pupil learner schüler schülerin name kind child vorname nachname"))
	})
	var of []*Field
	for i := range list {
		if f := &list[i]; f.Numeric() && len(f.Words) == 1 && lexicon.Subjects[f.Words[0]] {
			of = append(of, f)
		}
	}
	for _, f := range of {
		f.Mark = pupils && len(of) > 1
	}
}

// Flows returns the fields with what came in and what went out, of a table that has a field for each; nil without.
func (r *Relation) Flows() (in, out *Field) {
	in = r.Of("income einnahme einnahmen credit eingang haben", (*Field).Additive)
	out = r.Of("expense expenditure spending ausgabe ausgaben debit ausgang", (*Field).Additive)
	if in == nil || out == nil || in == out {
		return nil, nil
	}
	return in, out
}

// peopled reports whether a field names people: it is called as who does something, and its values have two names.
func (f *Field) peopled() bool {
	if !f.Text() || f.ID || len(f.Words) != 1 || !lexicon.Doing(f.Words[0]) {
		return false
	}
	full := 0
	for _, v := range f.Values {
		if first, last, ok := strings.Cut(v, " "); ok && capitalised(first) && capitalised(last) {
			full++
		}
	}
	return full > 2 && full*4 >= len(f.Values)*3
}

func capitalised(s string) bool {
	first, n := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(first) && n < len(s) && !strings.ContainsAny(s, "0123456789")
}

// Unit returns the unit in which a field's values are; ok is false where its name tells none.
func (f *Field) Unit() (u lexicon.Unit, ok bool) {
	for _, w := range append(slices.Clone(f.Units), f.Words...) {
		if u, ok = lexicon.Sizes[w]; ok {
			return u, true
		}
	}
	return lexicon.Unit{}, false
}

// InUnit returns the one field whose values are of the kind of a unit; nil if none or several are.
func (r *Relation) InUnit(word string) *Field {
	asked, ok := lexicon.Sizes[word]
	if !ok {
		return nil
	}
	return r.Only(func(f *Field) bool {
		u, ok := f.Unit()
		return ok && f.Numeric() && !f.Counter && u.Kind == asked.Kind
	})
}

// HasUnit reports whether a word is the unit that a field has, by its name or its unit.
func (f *Field) HasUnit(word string) bool {
	has, ok := f.Unit()
	return ok && lexicon.Sizes[word] == has
}

// MeasuredIn reports whether a word is the unit in which a field with numbers is.
func (f *Field) MeasuredIn(word string) bool {
	asked, known := lexicon.Sizes[word]
	if !known || !f.Numeric() || len(f.Units) == 0 {
		return false
	}
	has, ok := lexicon.Sizes[f.Units[0]]
	return ok && has == asked
}

// OfYears reports whether a field holds years.
func (f *Field) OfYears() bool {
	return slices.ContainsFunc(f.Words, func(w string) bool {
		return w == "year" || lexicon.YearWords[w] || strings.HasSuffix(w, "jahr") || f.Years && (strings.HasSuffix(w, "ed") || w == "since" || w == "seit")
	})
}

// Share reports whether a field may hold percents, by which nothing is multiplied as it is.
func (f *Field) Share() bool {
	return f.Has(strings.Fields("percent pct coverage discount vat tax commission margin share rabatt mwst anteil provision quote steuersatz zuschlag"))
}

// Percent reports whether a field holds percents, by its name.
func (f *Field) Percent() bool { return f.Has([]string{"percent", "pct", "prozent"}) }

// Only returns the one field that fits; nil if none or several do.
func (r *Relation) Only(is func(*Field) bool) *Field {
	var found *Field
	for i := range r.Fields {
		if f := &r.Fields[i]; is(f) {
			if found != nil {
				return nil
			}
			found = f
		}
	}
	return found
}

// units returns the units of what there was, by fields that can be summed.
func (r *Relation) units() (list []lexicon.Unit) {
	for i := range r.Fields {
		if u, ok := r.Fields[i].Unit(); ok && r.Fields[i].Additive() && !r.Fields[i].Planned() {
			list = append(list, u)
		}
	}
	return list
}

// IsCalled reports whether a field that names somebody names those that a word is for: an author is no employee.
func (f *Field) IsCalled(word string) bool {
	return lexicon.Anybody[word] || f.Full || f.Has([]string{"name", "person"}) ||
		slices.ContainsFunc(f.Words, func(p string) bool { return lexicon.Same(p, word) || lexicon.Alike(p, lexicon.Stem(word)) })
}

// Condition is a filter; Day says that it is one of time.
type Condition struct {
	SQL string
	Of  *Field
	Day bool
	Row bool // it compares two fields of a row
}

// Matters reports whether a field that is spoken of has to be in the statement, as one that says yes or no has; others
// may be words for the rows.
func (f *Field) Matters() bool { return f.Yes != "" }

// Memo is what is asked of a relation again and again: which field names its rows, and which people.
type Memo struct{ Label, People *Field }

// IsDigits reports whether a text is a number without sign and fraction.
func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// Shows reports whether a field says who did not show up: "no_show".
func (f *Field) Shows() bool { return f.Has([]string{"show"}) && slices.Contains(f.Units, "no") }

// Lower returns the one table whose rows belong to rows of the relation; nil if none or several do.
func (r *Relation) Lower() *Link {
	var found *Link
	for i := range r.Apart {
		if l := &r.Apart[i]; !l.Up {
			if found != nil {
				return nil
			}
			found = l
		}
	}
	return found
}

// ofMonths reports whether values are months, as "2024-03" is.
func ofMonths(values []string) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool {
		_, err := time.Parse("2006-01", v)
		return err != nil
	})
}
