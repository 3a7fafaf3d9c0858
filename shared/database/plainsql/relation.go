package plainsql

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/keys"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/sqltext"
)

// relation is what a statement reads: a table, or two that belong together.
type relation struct {
	memo    *memo // of its questions
	from    string
	name    string // of its first table
	fields  []field
	own     []string // the words of the table's own name
	nouns   []string // what its rows are called: the table's own name, and what its first column holds
	weak    []string // the other words of its name
	joined  bool
	with    string         // what a statement begins with, where it reads what is made of a table
	wide    bool           // it has a row for each time that a table has a column for
	noYear  bool           // of which year these are is not told
	belong  []string       // what rows of the second table of a join are called
	second  *field         // what names them
	double  []string       // names of columns that both tables have
	foreign []string       // words of the other tables' own names
	strange []string       // single words that values of the other tables are
	apart   []link         // tables whose rows belong to its rows
	actual  []lexicon.Unit // in which other tables tell what there was, not what was planned
}

// relationsOf returns the tables of a schema, and the pairs of them that belong together.
func relationsOf(d database.Dialect, s *database.Schema) []relation {
	var list []relation
	size := 0
	for i := range s.Tables {
		t := &s.Tables[i]
		size += len(t.Columns)
		r := relation{from: d.Path(t), name: t.Name, fields: fieldsOf(d, t)}
		r.number(s, t)
		r.own, r.nouns, r.weak = nounsOf(s, t)
		list = append(list, r)
	}
	for k := range list {
		var sorts []string
		if len(list) > 1 && len(list) <= maxJoined {
			sorts = list[k].sortsOfRows()
		}
		for i := range list {
			if i != k {
				list[i].foreign = append(list[i].foreign, list[k].own...)
				list[i].strange = append(list[i].strange, sorts...)
				list[i].actual = append(list[i].actual, list[k].units()...)
			}
		}
	}
	var wide []relation
	for i := range list {
		if r, ok := list[i].unfolded(d); ok {
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
			list[k].apart = append(list[k].apart, list[i].link("SELECT 1 FROM "+d.Path(a)+equal, d.Path(a)))
			list[i].apart = append(list[i].apart, link{nouns: list[k].nouns, exists: "SELECT 1 FROM " + d.Path(b) + equal, up: true})
		}
	}
	for n, p := range links {
		if slices.ContainsFunc(links[:n], func(o pair) bool { return o.a == p.b && o.b == p.a }) {
			continue // joined already
		}
		a, b := &s.Tables[p.a], &s.Tables[p.b]
		first, second := &list[p.a], &list[p.b]
		r := relation{joined: true, name: first.name, own: first.own, nouns: first.nouns, weak: first.weak, fields: within(d, a, first.fields)}
		r.from = d.Path(a) + " JOIN " + d.Path(b) + " ON " + d.Path(a) + "." + d.Quote(p.left.Name) + " = " +
			d.Path(b) + "." + d.Quote(p.right.Name)
		for _, f := range within(d, b, second.fields) {
			if f.Column == p.right {
				continue
			}
			if slices.ContainsFunc(r.fields, func(o field) bool { return strings.EqualFold(o.Name, f.Name) }) {
				r.double = append(r.double, f.Name)
				continue
			}
			r.fields = append(r.fields, f)
		}
		other := relation{fields: r.fields[len(first.fields):]}
		r.belong, r.second = second.nouns, other.title()
		list = append(list, r)
	}
	return append(list, wide...)
}

// refers gives a column of codes, by which rows belong to rows of another table, the name of those.
func (r *relation) refers(by *database.Column, to *relation) {
	for i := range r.fields {
		if f := &r.fields[i]; f.Column == by && lexicon.Identifies(lexicon.Parts(f.Name)) && to.title() != nil && to.title().Column != by {
			f.refers = true
		} else if f.Column == by && f.Kind() == database.Textual && f.code() && !slices.Equal(to.own, r.own) {
			f.alias = to.own
		}
	}
}

// code reports whether a field tells things apart by a code.
func (f *field) code() bool {
	return f.id || f.has(strings.Fields("id no nr number nummer code sku isbn key plate registration kennzeichen"))
}

// calls reports whether rows are called by a field, though two may be called alike.
func (r *relation) calls(by *field) bool {
	first := &r.fields[0]
	if r.joined || !first.tellsApart(by) {
		return false
	}
	if first.Kind() == database.Textual {
		return 4*len(by.Values) > 3*len(first.Values)
	}
	return by == r.title() && (by.has(lexicon.LabelFields) || slices.ContainsFunc(by.words,
		func(w string) bool { return slices.Contains(r.own, w) }))
}

// tellsApart reports whether a field tells rows apart that have the same of another.
func (f *field) tellsApart(other *field) bool {
	return f != other && (f.id || f.code() || f.text() && len(f.Values) > len(other.Values))
}

// number notes which fields tell rows apart by a number: the first one, where others are texts,
// and one that is called as the first one of another table.
func (r *relation) number(s *database.Schema, t *database.Table) {
	texts := slices.ContainsFunc(r.fields, func(f field) bool { return f.text() })
	for i := range r.fields {
		f := &r.fields[i]
		if f.Kind() != database.Numeric || f.id {
			continue
		}
		f.id = len(f.words) == 1 && (f.has(lines) || slices.Contains(places, strings.ToLower(f.Name))) &&
			strings.Contains(strings.ToLower(f.Type), "int") || i == 0 && texts &&
			strings.Contains(strings.ToLower(f.Type), "int") && !f.has([]string{"year", "jahr"})
		for k := range s.Tables {
			if o := &s.Tables[k]; o != t && len(o.Columns) > 0 && strings.EqualFold(o.Columns[0].Name, f.Name) {
				f.id = true
			}
		}
	}
}

// lines are names of columns whose numbers are names, not amounts.
var lines = strings.Fields("linie line route gate gleis platform beet lane bahn court tisch bus")

// places are names of columns whose numbers are names, though their plurals are amounts.
var places = strings.Fields("room table desk locker lab")

// maxJoined and maxFields are how many tables and columns a schema has at most of which two tables
// are joined.
const (
	maxJoined = 12
	maxFields = 400
)

// within returns the fields of a table as a join names them.
func within(d database.Dialect, t *database.Table, fields []field) []field {
	list := slices.Clone(fields)
	for i := range list {
		f := &list[i]
		if i == len(t.Columns) { // what is made of the others
			return append(list[:i:i], derived(d, list[:i])...)
		}
		if f.raw != "" {
			f.raw = d.Path(t) + "." + f.raw
			f.sql = sqltext.FirstDay(f.raw)
			continue
		}
		f.sql = d.Path(t) + "." + f.sql
	}
	return list
}

func fieldsOf(d database.Dialect, t *database.Table) []field {
	list := make([]field, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		all := lexicon.Parts(c.Name)
		f := field{Column: c, sql: d.Quote(c.Name), values: &vocabulary{}}
		f.id = c.Key || c.References != "" || lexicon.Identifies(all) || slices.Contains(all, "id")
		if n := slices.IndexFunc(all, func(w string) bool { return w == "per" || w == "pro" }); n > 0 && n+1 < len(all) {
			all, f.per = all[:n], all[n+1:]
			if last := len(f.per) - 1; last > 0 && slices.Contains([]string{"eur", "gbp", "usd", "chf"}, f.per[last]) {
				all, f.per = append(slices.Clone(all), f.per[last]), f.per[:last]
			}
		}
		for _, w := range all {
			w = cmp.Or(trade[w], w)
			if lexicon.Units[w] || lexicon.MoreUnits[w] || w == "min" && len(f.words) > 0 {
				f.units = append(f.units, strings.Replace(w, "hrs", "hr", 1))
			} else {
				f.words = append(f.words, w)
			}
		}
		if len(f.words) == 0 && len(f.units) > 0 {
			f.words = []string{lexicon.Whole(f.units[0])} // "Hrs", "Gross EUR"
		}
		switch {
		case c.Kind() == database.Truth:
			f.yes, f.no = d.Bool(true), d.Bool(false)
		case c.Kind() == database.Textual && len(c.Values) > 0 && len(c.Values) <= 2+len(lexicon.Inapplicable):
			if f.truth(d); c.Many && f.no == "" {
				f.yes = "" // there may be others
			}
		}
		if d == database.SQLite && c.Kind() == database.Textual && ofMonths(c.Values) {
			day := *c
			day.Type, f.raw = "DATE", f.sql
			f.Column, f.sql = &day, sqltext.FirstDay(f.raw)
		}
		switch {
		case f.named("ticket sold"):
			f.alias = strings.Fields("attendance attendees attended")
		case f.named("check in", "checkin") && c.Kind() == database.Moment:
			f.alias = strings.Fields("arrive arrives arrived arrival arrivals anreise")
		case f.named("check out", "checkout") && c.Kind() == database.Moment:
			f.alias = strings.Fields("leave leaves departs departed departure departures abreise")
		}
		f.means = make([][]int, len(f.words))
		for k, w := range f.words {
			if f.means[k] = lexicon.ConceptsOf(w); lexicon.DayOf(w) != w {
				f.means[k] = append(slices.Clone(f.means[k]), lexicon.ConceptsOf(lexicon.DayOf(w))...)
			}
		}
		list[i] = f
	}
	amounts(list)
	marked(list)
	return append(list, derived(d, list)...)
}

// amounts notes that a tax beside a net and a gross amount is an amount, too, no rate.
func amounts(list []field) {
	one := func(words ...string) bool {
		return slices.ContainsFunc(list, func(f field) bool { return f.numeric() && f.has(words) })
	}
	if !one("net", "netto") || !one("gross", "brutto") {
		return
	}
	for i := range list {
		list[i].summed = list[i].numeric() && list[i].has([]string{"vat", "tax", "mwst", "ust", "steuer"}) && !list[i].percent()
	}
}

// trade are short for what is bought and sold.
var trade = map[string]string{"ek": "einkauf", "vk": "verkauf"}

// named reports whether a field has one of these names.
func (f *field) named(list ...string) bool { return slices.Contains(list, strings.Join(f.words, " ")) }

// vocabulary is what the values of a field say: those of one word, with their stems and concepts,
// and all words.
type vocabulary struct {
	single, stems []string
	means         [][]int
	words         map[string]bool
}

// vocabulary returns what the values of a field say; it is made once.
func (f *field) vocabulary() *vocabulary {
	v := f.values
	if v.words != nil {
		return v
	}
	n := len(f.Values)
	v.single, v.stems, v.means, v.words = make([]string, n), make([]string, n), make([][]int, n), map[string]bool{}
	for i, value := range f.Values {
		low := strings.ToLower(value)
		if strings.HasPrefix(low, "e-") {
			low = "e" + low[2:] // as questions have it
		}
		for _, w := range strings.FieldsFunc(low, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			v.words[w], v.words[lexicon.Stem(w)] = true, true
		}
		if !strings.Contains(low, " ") && len(low) >= lexicon.LeastPart {
			v.single[i], v.stems[i], v.means[i] = low, lexicon.Stem(low), lexicon.Exact(low)
		}
	}
	return v
}

// truth finds out how a column of texts says yes and no.
func (f *field) truth(d database.Dialect) {
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
	if f.yes = d.QuoteText(yes); no != "" {
		f.no = d.QuoteText(no)
	}
}

// sortsOfRows returns the single words that tell of what kind rows are: values of columns with few.
func (r *relation) sortsOfRows() (list []string) {
	for i := range r.fields {
		if f := &r.fields[i]; f.Kind() == database.Textual && f.yes == "" && len(f.Values) <= fewValues && !f.Many {
			for _, low := range f.vocabulary().single {
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
		return own, append(nouns, words...), weak
	}
	others := func(o database.Table) bool { // another table's rows are called so
		return o.Name != t.Name && lexicon.Among(lexicon.Parts(o.Name), words[0])
	}
	if t.Columns[0].References == "" && !slices.ContainsFunc(s.Tables, others) {
		nouns = append(nouns, words[:len(words)-1]...)
	}
	return own, nouns, weak
}

// title returns the field that names a row; nil if none does.
func (r *relation) title() *field {
	if f := r.whole(); f != nil {
		return f
	}
	for _, w := range lexicon.LabelFields {
		for i := range r.fields {
			if f := &r.fields[i]; f.text() && !f.id && slices.Contains(f.words, w) {
				return f
			}
		}
	}
	if f := r.people(); f != nil && r.unique(f) {
		return f
	}
	for i := range r.fields {
		if f := &r.fields[i]; f.text() && !f.id && r.unique(f) && !(r.fields[0].id && f.sorts()) {
			return f
		}
	}
	if f := r.people(); f != nil && r.fields[0].id {
		return f
	}
	for i := range r.fields {
		if f := &r.fields[i]; f.text() && !(r.fields[0].id && f.sorts()) {
			return f
		}
	}
	return nil
}

// label reports whether a field is called as one that names things or people.
func (f *field) label() bool {
	return f.full || f.has(lexicon.LabelFields) || f.has(lexicon.PersonFields)
}

// persons returns how many fields name somebody.
func (r *relation) persons() int {
	n := 0
	for i := range r.fields {
		if f := &r.fields[i]; f.text() && f.has(lexicon.PersonFields) && !f.full {
			n++
		}
	}
	return n
}

// whole returns the field of somebody's whole name; nil without.
func (r *relation) whole() *field {
	for i := range r.fields {
		if r.fields[i].full {
			return &r.fields[i]
		}
	}
	return nil
}

// sorts reports whether a field tells kinds of rows apart, not rows.
func (f *field) sorts() bool {
	return f.has(strings.Fields("type typ kind art cat category kategorie class klasse group gruppe status state size größe color colour farbe"))
}

// unique reports whether a field may tell rows apart: no other of texts has more values.
func (r *relation) unique(f *field) bool {
	if f.id && !strings.Contains(f.References, ".") {
		return true
	}
	return !slices.ContainsFunc(r.fields, func(o field) bool { return o.text() && len(o.Values) > len(f.Values) })
}

// people returns the field that names somebody; nil if none does.
func (r *relation) people() *field {
	if f := r.whole(); f != nil {
		return f
	}
	for _, w := range lexicon.PersonFields {
		for i := range r.fields {
			named := func(p string) bool { return p == w || w == "name" && strings.HasSuffix(p, w) }
			if f := &r.fields[i]; f.text() && !f.id && slices.ContainsFunc(f.words, named) && !f.has([]string{"initial", "initials"}) {
				return f
			}
		}
	}
	return r.only((*field).peopled)
}

// of returns the fields of a kind whose names have one of the words, those with the first
// words first.
func (r *relation) of(words string, is func(*field) bool) *field {
	for w := range strings.FieldsSeq(words) {
		for i := range r.fields {
			if f := &r.fields[i]; !f.counter && f.has([]string{w, lexicon.Stem(w)}) && is(f) {
				return f
			}
		}
	}
	return nil
}

// link says that rows of a table belong to rows of a relation.
type link struct {
	exists string // "SELECT 1 FROM … WHERE …" of the rows that belong to one
	nouns  []string
	holds  []string // the words of its columns with numbers
	day    string   // its one column with dates, as a statement names it; empty without
	up     bool     // one row belongs to it
}

// link returns the link to a relation's rows.
func (r *relation) link(exists, path string) link {
	l := link{nouns: r.nouns, exists: exists}
	for i := range r.fields {
		if f := &r.fields[i]; f.numeric() {
			l.holds = append(l.holds, f.words...)
		}
	}
	if f := r.only((*field).moment); f != nil {
		l.day = path + "." + f.sql
	}
	return l
}

// paying reports whether a field holds money.
func (r *relation) paying(f *field) bool {
	u, measured := f.unit()
	return f.numeric() && (f.has([]string{"eur", "usd", "chf", "gbp"}) || !(measured && u.Kind == "time" && f.has([]string{"spent"})) &&
		slices.ContainsFunc(f.words, func(w string) bool {
			return lexicon.Alike(w, "amount") || lexicon.Alike(w, "price") || lexicon.Alike(w, "salary") || lexicon.Alike(w, "revenue") ||
				lexicon.Alike(w, "rent") || w == "sub"
		}))
}

// money returns the one field with money, that of an amount first.
func (r *relation) money() *field {
	is := func(f *field) bool { return r.paying(f) && !f.planned() }
	if f := r.only(is); f != nil {
		return f
	}
	gross := r.only(func(f *field) bool { return f.numeric() && f.has([]string{"gross", "brutto"}) })
	net := r.only(func(f *field) bool { return f.numeric() && f.has([]string{"net", "netto"}) })
	if gross != nil && net != nil && r.only(func(f *field) bool {
		return is(f) && f != gross && f != net && !f.summed &&
			f.additive()
	}) == nil {
		return gross // what is paid
	}
	return r.only(func(f *field) bool {
		return is(f) && slices.ContainsFunc(f.words, func(w string) bool {
			return w == "total" || w == "amount" || w == "betrag" || w == "gesamt" || w == "sum" || w == "summe" || lexicon.Earned[w] ||
				strings.HasSuffix(w, "betrag") || strings.HasSuffix(w, "summe")
		})
	})
}

// inMoney reports whether the number at i is one of money.
func (r *reading) inMoney(i int) bool {
	of := func(k int) bool {
		return k >= 0 && k < len(r.tokens) && slices.Contains(lexicon.Currencies, r.tokens[k].Low)
	}
	return of(i-1) || of(i+1) || strings.ContainsAny(r.tokens[i].Low, "€£$")
}

// happens reports whether a day besides that by which rows are grouped is called as a field is: "decided on" as "decision".
func (r *reading) happens(f *field) bool {
	return r.only(func(day *field) bool {
		return day.moment() && day != r.spanOf && slices.ContainsFunc(day.words, func(w string) bool {
			return slices.ContainsFunc(f.words, func(p string) bool { return len(p) > 3 && strings.HasPrefix(w, p[:4]) || lexicon.Happens(p, w) })
		})
	}) != nil
}

// doneBy reports whether a noun is for what those did whom a field names: the applications of applicants.
func (r *reading) doneBy(noun string) bool {
	f := r.only(func(f *field) bool {
		return f.text() && f.has(lexicon.PersonFields) && slices.ContainsFunc(f.words, func(w string) bool {
			n := max(lexicon.LeastPart+1, len(w)-3)
			rest, ok := strings.CutPrefix(noun, w[:min(n, len(w))])
			return ok && len(w) >= n && lexicon.DeedEndings[rest]
		})
	})
	// who dealt with them is somebody else
	r.unclear = r.unclear || f != nil && r.who && !r.says("made", "make", "makes", "sent", "sends", "submitted", "filed", "wrote")
	return f != nil
}

// attends reports whether the word at i only goes with another: the connection of water, what an inspector who is named inspects.
func (r *reading) attends(i int) bool {
	w := r.word(i)
	if i == 0 || w == "" || r.near[i].f != nil {
		return false
	}
	if f := r.near[i-1].f; f != nil && f.yes != "" && r.used[i-1] && r.is(i, "connection", "supply", "access", "hookup", "anschluss") {
		return true
	}
	return r.says("did", "do", "does") && r.only(func(f *field) bool {
		return f.text() && r.filtered(f) && slices.ContainsFunc(f.words, func(p string) bool {
			rest, ok := strings.CutPrefix(p, strings.TrimSuffix(w, "e"))
			return ok && len(w) >= lexicon.LeastPart && (rest == "or" || rest == "er" || rest == "ist" || rest == "ant")
		})
	}) != nil
}

// occupied returns the condition that a row names somebody, where fewer are named than there are rows: plots without a tenant.
func (r *relation) occupied(f *field) []condition {
	if first := &r.fields[0]; !f.has(lexicon.PersonFields) || first.Kind() != database.Textual || len(f.Values) >= len(first.Values) {
		return nil
	}
	return []condition{f.filled()}
}
