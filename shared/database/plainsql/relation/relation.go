// Package relation is what questions are asked about: tables, and pairs of tables that belong together, with what the names
// and the values of their columns tell of them. Package plainsql reads questions about them.
package relation

import (
	"cmp"
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/keys"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/sqltext"
)

// Relation is what a statement reads: a table, or two that belong together.
type Relation struct {
	Memo    *Memo // of its questions
	From    string
	Name    string // of its first table
	Fields  []Field
	Own     []string // the words of the table's own name
	Nouns   []string // what its rows are called: the table's own name, and what its first column holds
	Weak    []string // the other words of its name
	Joined  bool
	With    string         // what a statement begins with, where it reads what is made of a table
	Wide    bool           // it has a row for each time that a table has a column for
	Rota    bool           // it has a row for each day of the week that a table has a column for
	NoYear  bool           // of which year these are is not told
	Belong  []string       // what rows of the second table of a join are called
	Second  *Field         // what names them
	Double  []string       // names of columns that both tables have
	Foreign []string       // words of the other tables' own names
	Strange []string       // single words that values of the other tables are
	Apart   []Link         // tables whose rows belong to its rows
	Actual  []lexicon.Unit // in which other tables tell what there was, not what was planned
}

// All returns the tables of a schema, and the pairs of them that belong together.
func All(d database.Dialect, s *database.Schema) []Relation {
	var list []Relation
	size := 0
	for i := range s.Tables {
		t := &s.Tables[i]
		size += len(t.Columns)
		r := Relation{From: d.Path(t), Name: t.Name, Fields: fieldsOf(d, t)}
		r.number(s, t)
		r.Own, r.Nouns, r.Weak = nounsOf(s, t)
		list = append(list, r)
	}
	for k := range list {
		var sorts []string
		if len(list) > 1 && len(list) <= maxJoined {
			sorts = list[k].sortsOfRows()
		}
		for i := range list {
			if i != k {
				list[i].Foreign = append(list[i].Foreign, list[k].Own...)
				list[i].Strange = append(list[i].Strange, sorts...)
				list[i].Actual = append(list[i].Actual, list[k].units()...)
			}
		}
	}
	var wide []Relation
	for i := range list {
		if r, ok := list[i].unfolded(d); ok {
			wide = append(wide, r)
		}
		if r, ok := list[i].byDay(d); ok {
			wide = append(wide, r)
		}
	}
	if len(s.Tables) > maxJoined || size > maxFields {
		return append(list, wide...)
	}
	type pair struct {
		a, b        int
		left, right *database.Column
	}
	var links []pair
	for i := range s.Tables {
		for k := range s.Tables {
			if i == k {
				continue
			}
			a, b := &s.Tables[i], &s.Tables[k]
			left, right := keys.Named(a, b)
			if left == nil {
				left, right = keys.Held(a, b)
			}
			if left == nil {
				continue
			}
			links = append(links, pair{i, k, left, right})
			list[i].refers(left, &list[k])
			equal := " WHERE " + d.Path(a) + "." + d.Quote(left.Name) + " = " + d.Path(b) + "." + d.Quote(right.Name)
			list[k].Apart = append(list[k].Apart, list[i].link("SELECT 1 FROM "+d.Path(a)+equal, d.Path(a)))
			list[i].Apart = append(list[i].Apart, Link{Nouns: list[k].Nouns, Exists: "SELECT 1 FROM " + d.Path(b) + equal, Up: true})
		}
	}
	for n, p := range links {
		if slices.ContainsFunc(links[:n], func(o pair) bool { return o.a == p.b && o.b == p.a }) {
			continue // joined already
		}
		a, b := &s.Tables[p.a], &s.Tables[p.b]
		first, second := &list[p.a], &list[p.b]
		r := Relation{Joined: true, Name: first.Name, Own: first.Own, Nouns: first.Nouns, Weak: first.Weak, Fields: within(d, a, first.Fields)}
		r.From = d.Path(a) + " JOIN " + d.Path(b) + " ON " + d.Path(a) + "." + d.Quote(p.left.Name) + " = " +
			d.Path(b) + "." + d.Quote(p.right.Name)
		for _, f := range within(d, b, second.Fields) {
			if f.Column == p.right {
				continue
			}
			if slices.ContainsFunc(r.Fields, func(o Field) bool { return strings.EqualFold(o.Name, f.Name) }) {
				r.Double = append(r.Double, f.Name)
				continue
			}
			r.Fields = append(r.Fields, f)
		}
		other := Relation{Fields: r.Fields[len(first.Fields):]}
		r.Belong, r.Second = second.Nouns, other.Title()
		list = append(list, r)
	}
	return append(list, wide...)
}

// refers gives a column of codes, by which rows belong to rows of another table, the name of those.
func (r *Relation) refers(by *database.Column, to *Relation) {
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Column == by &&
			(lexicon.Identifies(lexicon.Parts(f.Name)) || identifies(f.Name, to.Own) || f.Has([]string{"code", "sku"})) &&
			to.Title() != nil &&
			to.Title().Column != by && !to.Title().Code() {
			f.Refers = true
		} else if f.Column == by && f.Kind() == database.Textual && f.Code() && !slices.Equal(to.Own, r.Own) {
			f.Alias = to.Own
		}
	}
}

// identifies reports whether a name in one word is that of the rows of a table with a sign for a number of theirs: "customerid".
func identifies(name string, own []string) bool {
	for _, sign := range []string{"id", "no", "nr", "code"} {
		if noun, ok := strings.CutSuffix(strings.ToLower(name), sign); ok && noun != "" && lexicon.Among(own, noun) {
			return true
		}
	}
	return false
}

// Code reports whether a field tells things apart by a code.
func (f *Field) Code() bool {
	return f.ID || f.Has(strings.Fields("id no nr number nummer code sku isbn key plate registration kennzeichen"))
}

// Calls reports whether rows are called by a field, though two may be called alike.
func (r *Relation) Calls(by *Field) bool {
	first := &r.Fields[0]
	if r.Joined || !first.tellsApart(by) {
		return false
	}
	if first.Kind() == database.Textual {
		return 4*len(by.Values) > 3*len(first.Values)
	}
	return by == r.Title() && (by.Has(lexicon.LabelFields) || slices.ContainsFunc(by.Words,
		func(w string) bool { return slices.Contains(r.Own, w) }))
}

// tellsApart reports whether a field tells rows apart that have the same of another.
func (f *Field) tellsApart(other *Field) bool {
	return f != other && (f.ID || f.Code() || f.Text() && len(f.Values) > len(other.Values))
}

// number notes which fields tell rows apart by a number: the first one, where others are texts,
// and one that is called as the first one of another table.
func (r *Relation) number(s *database.Schema, t *database.Table) {
	texts := slices.ContainsFunc(r.Fields, func(f Field) bool { return f.Text() })
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Kind() != database.Numeric || f.ID {
			continue
		}
		f.ID = len(f.Words) == 1 && (f.Has(lines) || slices.Contains(places, strings.ToLower(f.Name))) &&
			strings.Contains(strings.ToLower(f.Type), "int") || i == 0 && texts &&
			strings.Contains(strings.ToLower(f.Type), "int") && !f.Has([]string{"year", "jahr"})
		for k := range s.Tables {
			if o := &s.Tables[k]; o != t && len(o.Columns) > 0 && strings.EqualFold(o.Columns[0].Name, f.Name) {
				f.ID = true
			}
		}
	}
}

// lines are names of columns whose numbers are names, not amounts.
var lines = strings.Fields("linie line route gate gleis platform beet lane bahn court tisch bus")

// places are names of columns whose numbers are names, though their plurals are amounts.
var places = strings.Fields("room table desk locker lab screen hall track pitch field box stall bay kasse halle saal tor")

// maxJoined and maxFields are how many tables and columns a schema has at most of which two tables
// are joined.
const (
	maxJoined = 12
	maxFields = 400
)

// within returns the fields of a table as a join names them.
func within(d database.Dialect, t *database.Table, fields []Field) []Field {
	list := slices.Clone(fields)
	for i := range list {
		f := &list[i]
		if i == len(t.Columns) { // what is made of the others
			return append(list[:i:i], derived(d, list[:i])...)
		}
		if f.Raw != "" {
			f.Raw = d.Path(t) + "." + f.Raw
			f.SQL = sqltext.FirstDay(f.Raw)
			continue
		}
		f.SQL = d.Path(t) + "." + f.SQL
	}
	return list
}

func fieldsOf(d database.Dialect, t *database.Table) []Field {
	league := ofLeague(t)
	list := make([]Field, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		all := lexicon.Parts(c.Name)
		if whole := scores[strings.ToLower(c.Name)]; whole != "" && league {
			all = strings.Fields(whole)
		}
		f := Field{Column: c, SQL: d.Quote(c.Name), Vocab: &Vocabulary{}}
		f.ID = c.Key || c.References != "" || lexicon.Identifies(all) || slices.Contains(all, "id")
		if n := slices.IndexFunc(all, func(w string) bool { return w == "per" || w == "pro" || w == "je" }); n > 0 && n+1 < len(all) {
			all, f.Per = all[:n], all[n+1:]
			if last := len(f.Per) - 1; last > 0 && slices.Contains([]string{"eur", "gbp", "usd", "chf"}, f.Per[last]) {
				all, f.Per = append(slices.Clone(all), f.Per[last]), f.Per[:last]
			}
		}
		for _, w := range all {
			w = cmp.Or(trade[w], w)
			if lexicon.Units[w] || lexicon.MoreUnits[w] || w == "min" && len(f.Words) > 0 {
				f.Units = append(f.Units, strings.Replace(w, "hrs", "hr", 1))
			} else {
				f.Words = append(f.Words, w)
			}
		}
		if len(f.Words) == 0 && len(f.Units) > 0 {
			f.Words = []string{lexicon.Whole(f.Units[0])} // "Hrs", "Gross EUR"
		}
		switch {
		case c.Kind() == database.Truth:
			f.Yes, f.No = d.Bool(true), d.Bool(false)
		case c.Kind() == database.Textual && len(c.Values) > 0 && len(c.Values) <= 2+len(lexicon.Inapplicable):
			if f.truth(d); c.Many && f.No == "" {
				f.Yes = "" // there may be others
			}
		}
		if d == database.SQLite && c.Kind() == database.Textual && ofMonths(c.Values) {
			day := *c
			day.Type, f.Raw = "DATE", f.SQL
			f.Column, f.SQL = &day, sqltext.FirstDay(f.Raw)
		}
		switch {
		case league && f.named("team", "club"):
			f.Alias = strings.Fields("team teams side sides club clubs")
		case f.named("lost") && league:
			f.Alias = strings.Fields("beaten defeats defeat losses loss")
		case f.named("won") && league:
			f.Alias = strings.Fields("victories victory wins")
		case f.named("drawn") && league:
			f.Alias = strings.Fields("draws draw drew")
		case f.named("ticket sold"):
			f.Alias = strings.Fields("attendance attendees attended")
		case f.named("check in", "checkin") && c.Kind() == database.Moment:
			f.Alias = strings.Fields("arrive arrives arrived arrival arrivals anreise")
		case f.named("check out", "checkout") && c.Kind() == database.Moment:
			f.Alias = strings.Fields("leave leaves departs departed departure departures abreise")
		}
		f.Means = make([][]int, len(f.Words))
		for k, w := range f.Words {
			if f.Means[k] = lexicon.ConceptsOf(w); lexicon.DayOf(w) != w {
				f.Means[k] = append(slices.Clone(f.Means[k]), lexicon.ConceptsOf(lexicon.DayOf(w))...)
			}
		}
		list[i] = f
	}
	amounts(list)
	marked(list)
	if league {
		list = append(list, difference(list)...)
	}
	return append(list, derived(d, list)...)
}

// amounts notes that a tax beside a net and a gross amount is an amount, too, no rate.
func amounts(list []Field) {
	one := func(words ...string) bool {
		return slices.ContainsFunc(list, func(f Field) bool { return f.Numeric() && f.Has(words) })
	}
	if !one("net", "netto") || !one("gross", "brutto") {
		return
	}
	for i := range list {
		list[i].summed = list[i].Numeric() && list[i].Has([]string{"vat", "tax", "mwst", "ust", "steuer"}) && !list[i].Percent()
	}
}

// trade are short for what is bought and sold.
var trade = map[string]string{"ek": "einkauf", "vk": "verkauf"}

// named reports whether a field has one of these names.
func (f *Field) named(list ...string) bool { return slices.Contains(list, strings.Join(f.Words, " ")) }

// truth finds out how a column of texts says yes and no.
func (f *Field) truth(d database.Dialect) {
	yes, no := "", ""
	for _, v := range f.Values {
		switch low := strings.ToLower(v); {
		case lexicon.YesWords[low] && (yes == "" || len(f.Values) <= 2):
			yes = v
		case lexicon.NoWords[low] && (no == "" || len(f.Values) <= 2):
			no = v
		case lexicon.Inapplicable[low] && len(f.Values) > 2:
		default:
			return
		}
	}
	if yes == "" {
		return
	}
	if f.Yes = d.QuoteText(yes); no != "" {
		f.No = d.QuoteText(no)
	}
}

// sortsOfRows returns the single words that tell of what kind rows are: values of columns with few.
func (r *Relation) sortsOfRows() (list []string) {
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Kind() == database.Textual && f.Yes == "" && len(f.Values) <= FewValues && !f.Many {
			for _, low := range f.Vocabulary().Single {
				if low != "" {
					list = append(list, low)
				}
			}
		}
	}
	return list
}

// nounsOf returns the part of a table's name that is its own among the tables of the schema, and
// what its rows are called: by that, and by its first column.
func nounsOf(s *database.Schema, t *database.Table) (own, nouns, weak []string) {
	own = lexicon.Parts(t.Name)
	shared := 0
	for i := range s.Tables {
		if other := lexicon.Parts(s.Tables[i].Name); &s.Tables[i] != t {
			n := 0
			for n < len(own)-1 && n < len(other) && own[n] == other[n] {
				n++
			}
			shared = max(shared, n)
		}
	}
	weak, own = own[:shared:shared], own[shared:]
	nouns = slices.Clone(own)
	weak = slices.DeleteFunc(slices.Clone(weak), func(w string) bool { // what another table's rows are called
		return slices.ContainsFunc(s.Tables, func(o database.Table) bool {
			words := lexicon.Parts(o.Name)
			return o.Name != t.Name && (len(words) > shared && slices.Contains(words[shared:], w) || slices.Equal(words, weak))
		})
	})
	if len(t.Columns) == 0 {
		return own, nouns, weak
	}
	words := lexicon.Parts(t.Columns[0].Name)
	if !lexicon.Identifies(words) {
		return own, append(append(nouns, words...), numbered(t)...), weak
	}
	others := func(o database.Table) bool { // another table's rows are called so
		return o.Name != t.Name && lexicon.Among(lexicon.Parts(o.Name), words[0])
	}
	if t.Columns[0].References == "" && !slices.ContainsFunc(s.Tables, others) {
		nouns = append(nouns, words[:len(words)-1]...)
	}
	return own, nouns, weak
}

// Title returns the field that names a row; nil if none does.
func (r *Relation) Title() *Field {
	if f := r.Whole(); f != nil {
		return f
	}
	for _, w := range lexicon.LabelFields {
		for i := range r.Fields {
			if f := &r.Fields[i]; f.Text() && !f.ID && slices.Contains(f.Words, w) {
				return f
			}
		}
	}
	if f := r.People(); f != nil && r.Unique(f) {
		return f
	}
	for i := range r.Fields { // a tool, by its name rather than by its code
		if f := &r.Fields[i]; i > 0 && r.Fields[0].Code() && f.Text() && !f.Code() && r.Unique(f) && !f.Sorts() &&
			slices.ContainsFunc(f.Words, func(w string) bool { return lexicon.Among(r.Own, w) }) {
			return f
		}
	}
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Text() && !f.ID && r.Unique(f) && !(r.Fields[0].ID && f.Sorts()) {
			return f
		}
	}
	if f := r.People(); f != nil && r.Fields[0].ID {
		return f
	}
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Text() && !(r.Fields[0].ID && f.Sorts()) {
			return f
		}
	}
	return nil
}

// Label reports whether a field is called as one that names things or people.
func (f *Field) Label() bool {
	return f.Full || f.Has(lexicon.LabelFields) || f.Has(lexicon.PersonFields)
}

// animals reports whether rows are about animals, whose name is nobody's.
func (r *Relation) animals() bool {
	return r.Of("species breed rasse tierart gattung", (*Field).Text) != nil
}

// Persons returns how many fields name somebody.
func (r *Relation) Persons() int {
	n, animals := 0, r.animals()
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Text() && !f.ID && f.Has(lexicon.PersonFields) && !f.Full && !(animals && f.Has([]string{"name"})) {
			n++
		}
	}
	return n
}

// Whole returns the field of somebody's whole name; nil without.
func (r *Relation) Whole() *Field {
	for i := range r.Fields {
		if r.Fields[i].Full {
			return &r.Fields[i]
		}
	}
	return nil
}

// Sorts reports whether a field tells kinds of rows apart, not rows.
func (f *Field) Sorts() bool {
	return f.Has(strings.Fields("type typ kind art cat category kategorie class klasse group gruppe status state size größe color colour farbe"))
}

// Unique reports whether a field may tell rows apart: no other of texts has more values.
func (r *Relation) Unique(f *Field) bool {
	if f.Repeats {
		return false
	}
	if f.ID && !strings.Contains(f.References, ".") {
		return true
	}
	return !slices.ContainsFunc(r.Fields, func(o Field) bool { return o.Text() && len(o.Values) > len(f.Values) })
}

// People returns the field that names somebody; nil if none does.
func (r *Relation) People() *Field {
	if f := r.Whole(); f != nil {
		return f
	}
	animals := r.animals()
	for _, w := range lexicon.PersonFields {
		for i := range r.Fields {
			if animals && w == "name" {
				continue
			}
			named := func(p string) bool { return p == w || w == "name" && strings.HasSuffix(p, w) }
			if f := &r.Fields[i]; f.Text() && !f.ID && slices.ContainsFunc(f.Words, named) && !f.Has([]string{"initial", "initials"}) {
				return f
			}
		}
	}
	return r.Only((*Field).peopled)
}

// Of returns the fields of a kind whose names have one of the words, those with the first
// words first.
func (r *Relation) Of(words string, is func(*Field) bool) *Field {
	for w := range strings.FieldsSeq(words) {
		for i := range r.Fields {
			if f := &r.Fields[i]; !f.Counter && f.Has([]string{w, lexicon.Stem(w)}) && is(f) {
				return f
			}
		}
	}
	return nil
}

// Link says that rows of a table belong to rows of a relation.
type Link struct {
	Exists string // "SELECT 1 FROM … WHERE …" of the rows that belong to one
	Nouns  []string
	Holds  []string // the words of its columns with numbers
	Day    string   // its one column with dates, as a statement names it; empty without
	Up     bool     // one row belongs to it
}

// Link returns the link to a relation's rows.
func (r *Relation) link(exists, path string) Link {
	l := Link{Nouns: r.Nouns, Exists: exists}
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Numeric() {
			l.Holds = append(l.Holds, f.Words...)
		}
	}
	if f := r.Only((*Field).Moment); f != nil {
		l.Day = path + "." + f.SQL
	}
	return l
}

// Paying reports whether a field holds money.
func (r *Relation) Paying(f *Field) bool {
	u, measured := f.Unit()
	physical := measured && u.Kind != "time" && u.Kind != "span" // an amount of kilos, a volume
	return f.Numeric() && (f.Has([]string{"eur", "usd", "chf", "gbp"}) || !(measured && u.Kind == "time" && f.Has([]string{"spent"})) &&
		slices.ContainsFunc(f.Words, func(w string) bool {
			return !physical && lexicon.Alike(w, "amount") || lexicon.Alike(w, "price") || lexicon.Alike(w, "salary") ||
				lexicon.Alike(w, "revenue") ||
				lexicon.Alike(w, "rent") || w == "sub"
		}))
}

// Money returns the one field with money, that of an amount first.
func (r *Relation) Money() *Field {
	is := func(f *Field) bool { return r.Paying(f) && !f.Planned() }
	if f := r.Only(is); f != nil {
		return f
	}
	gross := r.Only(func(f *Field) bool { return f.Numeric() && f.Has([]string{"gross", "brutto"}) })
	net := r.Only(func(f *Field) bool { return f.Numeric() && f.Has([]string{"net", "netto"}) })
	if gross != nil && net != nil && r.Only(func(f *Field) bool {
		return is(f) && f != gross && f != net && !f.summed &&
			f.Additive()
	}) == nil {
		return gross // what is paid
	}
	return r.Only(func(f *Field) bool {
		return is(f) && slices.ContainsFunc(f.Words, func(w string) bool {
			return w == "total" || w == "amount" || w == "betrag" || w == "gesamt" || w == "sum" || w == "summe" || lexicon.Earned[w] ||
				strings.HasSuffix(w, "betrag") || strings.HasSuffix(w, "summe")
		})
	})
}

// Occupied returns the condition that a row names somebody, where fewer are named than there are rows: plots without a tenant.
func (r *Relation) Occupied(f *Field) []Condition {
	if first := &r.Fields[0]; !f.Has(lexicon.PersonFields) || first.Kind() != database.Textual || len(f.Values) >= len(first.Values) {
		return nil
	}
	return []Condition{f.Filled()}
}

// HeadOf returns what stands before the name of a field in a compound, as "karten" does in "Kartenzahlungen" of a
// field "Zahlungsart"; empty for another word.
func (f *Field) HeadOf(word string) string {
	for _, p := range f.Words {
		for _, ending := range []string{"sart", "art", "weise", "typ"} {
			root, ok := strings.CutSuffix(p, ending)
			if at := strings.LastIndex(word, root); ok && len(root) >= lexicon.LeastPart && at >= lexicon.LeastPart-1 &&
				len(word)-at-len(root) <= 2 {
				return strings.TrimSuffix(word[:at], "s")
			}
		}
	}
	return ""
}
