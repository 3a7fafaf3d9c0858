package plainsql

import (
	"slices"
	"strings"
	"unicode"

	"lectern/shared/database"
)

// relation is what a statement reads: a table, or two that belong together.
type relation struct {
	from   string
	fields []field
	nouns  []string // what its rows are called: the table's own name, and what its first column holds
	weak   []string // the other words of its name
	joined bool
	belong []string // what rows of the second table of a join are called
	second *field   // what names them
}

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
	values  *vocabulary
}

func (f *field) numeric() bool {
	return f.Kind() == database.Numeric && !f.id
}

func (f *field) moment() bool { return f.Kind() == database.Moment }

// event reports whether a field says when something happened to a row, if it did: "paid on".
func (f *field) event() bool {
	return f.moment() && !slices.ContainsFunc(f.words, func(w string) bool {
		return w == "date" || w == "datum" || w == "day" || w == "birth" || w == "geburtsdatum" || w == "due" || w == "deadline"
	}) && len(f.words) > 0 && (alike(f.words[0], "paid") || alike(f.words[len(f.words)-1], "done") || alike(f.words[0], "delivered") ||
		slices.ContainsFunc(f.words, func(w string) bool {
			return strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "sent") || strings.HasPrefix(w, "ge") && strings.HasSuffix(w, "t")
		}))
}

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
	if !f.numeric() || slices.ContainsFunc(f.words, func(w string) bool { return rates[w] }) ||
		slices.Contains(f.units, "percent") || slices.Contains(f.units, "pct") || len(f.per) > 0 {
		return false
	}
	return true
}

// relationsOf returns the tables of a schema, and the pairs of them that belong together.
func relationsOf(d database.Dialect, s *database.Schema) []relation {
	var list []relation
	size := 0
	for i := range s.Tables {
		t := &s.Tables[i]
		size += len(t.Columns)
		r := relation{from: d.Path(t), fields: fieldsOf(d, t)}
		r.number(s, t)
		r.nouns, r.weak = nounsOf(s, t)
		list = append(list, r)
	}
	if len(s.Tables) > maxJoined || size > maxFields {
		return list
	}
	for i := range s.Tables {
		for k := range s.Tables {
			if i == k {
				continue
			}
			a, b := &s.Tables[i], &s.Tables[k]
			left, right := linked(a, b)
			if left == nil {
				continue
			}
			r := relation{joined: true, nouns: list[i].nouns, weak: list[i].weak, fields: within(d, a, list[i].fields)}
			r.from = d.Path(a) + " JOIN " + d.Path(b) + " ON " + d.Path(a) + "." + d.Quote(left.Name) + " = " + d.Path(b) + "." + d.Quote(right.Name)
			for _, f := range within(d, b, list[k].fields) {
				if f.Column == right || slices.ContainsFunc(r.fields, func(o field) bool { return strings.EqualFold(o.Name, f.Name) }) {
					continue
				}
				r.fields = append(r.fields, f)
			}
			own := len(list[i].fields)
			other := relation{fields: r.fields[own:]}
			r.belong, r.second = list[k].nouns, other.title()
			list = append(list, r)
		}
	}
	return list
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
		f.id = i == 0 && texts && strings.Contains(strings.ToLower(f.Type), "int") && !f.has([]string{"year", "jahr"})
		for k := range s.Tables {
			if o := &s.Tables[k]; o != t && len(o.Columns) > 0 && strings.EqualFold(o.Columns[0].Name, f.Name) {
				f.id = true
			}
		}
	}
}

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
		if i < len(t.Columns) {
			f.sql = d.Path(t) + "." + f.sql
		} else { // how long something lasted
			list[i] = lasted(list[:i])[0]
		}
	}
	return list
}

// linked returns the columns by which rows of a each belong to a row of b: a reference, or a
// name that is b's first column, or its key, too.
func linked(a, b *database.Table) (left, right *database.Column) {
	for i := range a.Columns {
		c := &a.Columns[i]
		for k := range b.Columns {
			o := &b.Columns[k]
			if strings.EqualFold(c.References, b.Name+"."+o.Name) {
				return c, o
			}
		}
	}
	if len(b.Columns) == 0 {
		return nil, nil
	}
	for i := range a.Columns {
		c, o := &a.Columns[i], &b.Columns[0]
		if kind := c.Kind(); i > 0 && kind == o.Kind() && (kind == database.Textual || kind == database.Numeric) &&
			slices.Equal(parts(c.Name), parts(o.Name)) {
			return c, o
		}
	}
	return nil, nil
}

func fieldsOf(d database.Dialect, t *database.Table) []field {
	list := make([]field, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		all := parts(c.Name)
		f := field{Column: c, sql: d.Quote(c.Name), values: &vocabulary{}}
		f.id = c.Key || c.References != "" || identifies(all) || slices.Contains(all, "id")
		if n := slices.Index(all, "per"); n > 0 {
			all, f.per = all[:n], all[n+1:]
		}
		for _, w := range all {
			if units[w] || moreUnits[w] || w == "min" && len(f.words) > 0 {
				f.units = append(f.units, strings.Replace(w, "hrs", "hr", 1))
			} else {
				f.words = append(f.words, w)
			}
		}
		switch {
		case c.Kind() == database.Truth && d == database.Postgres:
			f.yes, f.no = "TRUE", "FALSE"
		case c.Kind() == database.Truth:
			f.yes, f.no = "1", "0"
		case c.Kind() == database.Textual && !c.Many && len(c.Values) > 0 && len(c.Values) <= 2:
			f.truth(d)
		}
		f.means = make([][]int, len(f.words))
		for k, w := range f.words {
			f.means[k] = conceptsOfWord(w)
		}
		list[i] = f
	}
	if d == database.SQLite {
		list = append(list, lasted(list)...)
	}
	return list
}

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
		for _, w := range strings.FieldsFunc(low, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			v.words[w], v.words[stem(w)] = true, true
		}
		if !strings.Contains(low, " ") && len(low) >= leastPart {
			v.single[i], v.stems[i], v.means[i] = low, stem(low), conceptsOfWord(low)
		}
	}
	return v
}

// lasted returns a field for how many days lie between two dates that rows begin and end with.
func lasted(list []field) []field {
	var days []*field
	for i := range list {
		if list[i].moment() {
			days = append(days, &list[i])
		}
		if list[i].has([]string{"day", "night", "duration", "nacht", "tag", "dauer"}) {
			return nil
		}
	}
	if len(days) != 2 || !pairs(days[0].words, days[1].words) {
		return nil
	}
	return []field{{Column: &database.Column{Name: "days", Type: "REAL"}, words: []string{"duration"}, values: &vocabulary{},
		means: [][]int{conceptsOfWord("duration")},
		units: []string{"night", "day", "tag", "nacht", "nächte"}, sql: "(julianday(" + days[1].sql + ") - julianday(" + days[0].sql + "))"}}
}

// pairs reports whether two names say when something begins and ends.
func pairs(first, last []string) bool {
	for _, p := range [][2]string{
		{"arrival arrived", "departure departed"}, {"in", "out"}, {"start begin beginning from", "end finish finished to until"},
		{"checkin", "checkout"}, {"anreise", "abreise"}, {"beginn von start", "ende bis"}, {"sown", "harvested"},
		{"opened reported received eingang", "closed finished solved completed ausgang erledigt"},
	} {
		a := slices.ContainsFunc(first, func(w string) bool { return slices.Contains(strings.Fields(p[0]), w) })
		b := slices.ContainsFunc(last, func(w string) bool { return slices.Contains(strings.Fields(p[1]), w) })
		if a && b {
			return true
		}
	}
	return false
}

var moreUnits = set("h ha hr hrs pcm t l c sqm m2")

// truth finds out how a column of texts says yes and no.
func (f *field) truth(d database.Dialect) {
	yes, no := "", ""
	for _, v := range f.Values {
		switch low := strings.ToLower(v); {
		case yesWords[low]:
			yes = v
		case noWords[low]:
			no = v
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

// nounsOf returns what rows of a table are called: by the part of its name that is its own
// among the tables of the schema, and by its first column.
func nounsOf(s *database.Schema, t *database.Table) (own, weak []string) {
	own = parts(t.Name)
	shared := 0
	for i := range s.Tables {
		if other := parts(s.Tables[i].Name); &s.Tables[i] != t {
			n := 0
			for n < len(own)-1 && n < len(other)-1 && own[n] == other[n] {
				n++
			}
			shared = max(shared, n)
		}
	}
	weak, own = own[:shared:shared], slices.Clone(own[shared:])
	weak = slices.DeleteFunc(slices.Clone(weak), func(w string) bool { // what another table's rows are called
		return slices.ContainsFunc(s.Tables, func(o database.Table) bool {
			words := parts(o.Name)
			return o.Name != t.Name && len(words) > shared && slices.Contains(words[shared:], w)
		})
	})
	if len(t.Columns) > 0 {
		if words := parts(t.Columns[0].Name); !identifies(words) {
			own = append(own, words...)
		}
	}
	for i := range t.Columns {
		if words := parts(t.Columns[i].Name); identifies(words) && t.Columns[i].References == "" && i == 0 {
			own = append(own, words[:len(words)-1]...)
		}
	}
	return own, weak
}

// title returns the field that names a row; nil if none does.
func (r *relation) title() *field {
	for _, w := range labelFields {
		for i := range r.fields {
			if f := &r.fields[i]; f.text() && slices.Contains(f.words, w) {
				return f
			}
		}
	}
	if f := r.people(); f != nil && r.unique(f) {
		return f
	}
	for i := range r.fields {
		if f := &r.fields[i]; f.text() && !f.id && r.unique(f) {
			return f
		}
	}
	if f := r.people(); f != nil && r.fields[0].id {
		return f
	}
	for i := range r.fields {
		if f := &r.fields[i]; f.text() {
			return f
		}
	}
	return nil
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
	for _, w := range personFields {
		for i := range r.fields {
			named := func(p string) bool { return p == w || w == "name" && strings.HasSuffix(p, w) }
			if f := &r.fields[i]; f.text() && !f.id && slices.ContainsFunc(f.words, named) {
				return f
			}
		}
	}
	return nil
}

// of returns the fields of a kind whose names have one of the words, those with the first
// words first.
func (r *relation) of(words string, is func(*field) bool) *field {
	for w := range strings.FieldsSeq(words) {
		for i := range r.fields {
			if f := &r.fields[i]; is(f) && f.has([]string{w, stem(w)}) {
				return f
			}
		}
	}
	return nil
}
