// Package plainsql writes SQL for questions by rules, for deployments without a language
// model that can. No library does this.
//
// A strict grammar comes first, in package strict. What it declines is read by roles,
// wherever the words stand: what is computed, of which columns, by which, of which rows,
// over one table or two that belong together, in English and German.
//
// It only writes a statement if every word of the question has a role in it or changes
// nothing, and one table fits best; it declines any other question.
package plainsql

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/multiple"
	"lectern/shared/database/plainsql/naming"
	"lectern/shared/database/plainsql/sqltext"
	"lectern/shared/database/plainsql/strict"
	"lectern/shared/database/plainsql/vacancy"
	"lectern/shared/database/plainsql/wording"
)

// Reading is a statement that a question can be read as.
type Reading struct {
	SQL string
	As  string // in what it differs from another reading, such as "the total of each hive"; empty of the only one

	// Decides says that the question is answered by yes where there are rows, and else by no.
	Decides bool
}

// Write returns the statement that answers the question, the likeliest one where there are two; ok is false if the rules
// do not cover the question.
func Write(d database.Dialect, s *database.Schema, question string) (sql string, ok bool) {
	if list := Read(d, s, question); len(list) > 0 {
		return list[0].SQL, true
	}
	return "", false
}

const mostReadings = 2 // that are told; of more, none is

// Read returns the statements that a question can be read as: one, or the two that are equally near, the likeliest first.
// It returns none if the rules do not cover the question.
func Read(d database.Dialect, s *database.Schema, question string) []Reading {
	return slices.DeleteFunc(readings(d, s, question), func(r Reading) bool {
		return sqltext.Doubled(r.SQL, d, s) || sqltext.Misses(question, r.SQL)
	})
}

func readings(d database.Dialect, s *database.Schema, question string) []Reading {
	if sql, ok := strict.Write(d, s, question); ok && !lexicon.SpansMonths(question) {
		return []Reading{{SQL: sql}}
	}
	plain := lexicon.Plain(question)
	if list, _ := read(d, s, plain); len(list) > 0 {
		return list
	}
	for _, part := range lexicon.Asides(question) {
		if list, _ := read(d, s, lexicon.Plain(part[0])); len(list) == 1 && adds(list[0].SQL, s, part[1]) == "" {
			return list
		}
	}
	for _, restated := range []func() string{
		func() string { return lexicon.Otherwise(question) },
		func() string { return vacancy.Restated(question, s) },
		func() string { return naming.Restated(plain, s) },
	} {
		if other := restated(); other != "" {
			if list, _ := read(d, s, lexicon.Plain(other)); len(list) > 0 {
				return list
			}
		}
	}
	if rest, ok := multiple.Groups(cmp.Or(lexicon.Otherwise(question), plain)); ok {
		if list := readings(d, s, rest); len(list) == 1 {
			if sql, ok := multiple.CountGroups(list[0].SQL); ok {
				return []Reading{{SQL: sql}}
			}
		}
	}
	if rest, several, ok := multiple.In(question); ok {
		if list := readings(d, s, rest); len(list) == 1 {
			if sql, ok := several.Of(list[0].SQL, d); ok {
				return []Reading{{SQL: sql}}
			}
		}
	}
	return nil
}

// adds returns a word of a remark that says more than a statement does; empty where none does.
func adds(sql string, s *database.Schema, remark string) string {
	low := strings.ToLower(sql)
	for _, t := range wording.Split(lexicon.Plain(remark)) {
		named := slices.ContainsFunc(s.Tables, func(table database.Table) bool { return lexicon.Among(lexicon.Parts(table.Name), t.Low) })
		switch {
		case t.Kind == wording.Number && strings.Contains(low+" ", " "+t.Low+" "):
		case t.Kind == wording.Mark, strings.Contains(low, strings.TrimRight(t.Low, "en")) && len(t.Low) > 1, lexicon.MeasureWords[t.Low]:
		case t.Kind == wording.Word && !lexicon.Negating[t.Low] && (lexicon.Neutral[t.Low] || lexicon.Linking[t.Low] || lexicon.Vague[t.Low] ||
			lexicon.PersonNouns[t.Low] || lexicon.ThingNouns[t.Low] || named):
		case lexicon.Superlative(t.Low) && strings.Contains(sql, "ORDER BY 1"):
		default:
			return t.Text
		}
	}
	return ""
}

// aggregate is a function of a column.
type aggregate int

const (
	none aggregate = iota
	count
	sum
	average
)

// at returns the number of words of a phrase if it stands at i; 0 if it does not.
func (r *reading) at(i int, phrase string) int { return wording.At(r.tokens, i, phrase) }

// doer returns the field that names who does what the question says: the borrower of who has borrowed; nil without.
func (r *reading) doer() *field {
	if f := r.Only(func(f *field) bool {
		return f.Text() && len(f.Words) == 2 && f.Has([]string{"by", "von"}) && slices.ContainsFunc(r.tokens, func(t wording.Token) bool {
			return t.Kind == wording.Word && (lexicon.Same(f.Words[0], t.Low) || lexicon.Rooted(f.Words[0], t.Low))
		})
	}); f != nil {
		return f
	}
	for _, d := range lexicon.Doers {
		if r.says(strings.Fields(d.Verbs)...) {
			if f := r.Of(d.Of, func(f *field) bool { return f.Text() && !f.ID && !r.filtered(f) }); f != nil {
				for i := range r.tokens {
					r.used[i] = r.used[i] || r.near[i].worth < byPart && r.is(i, strings.Fields(d.Verbs)...)
				}
				return f
			}
			if p := r.people(); p == nil || d.Not == "" || p.Has(strings.Fields(d.Not)) {
				r.unclear = true // they do something else
				return p
			}
		}
	}
	return r.Only(func(f *field) bool {
		return f.Text() && !f.ID && f.Kind() == database.Textual && !r.filtered(f) && slices.ContainsFunc(f.Words, func(p string) bool {
			if len(p) > lexicon.LeastPart && slices.ContainsFunc(r.tokens, func(t wording.Token) bool {
				return t.Low == p+"ed" ||
					t.Low == p+"s" || t.Low == p+"d"
			}) {
				return true // the sponsor of what somebody sponsored
			}
			return strings.HasSuffix(p, "er") && slices.ContainsFunc(r.tokens, func(t wording.Token) bool {
				return t.Kind == wording.Word && len(t.Low) > lexicon.RootLetters && t.Low != p && lexicon.Rooted(p, t.Low) && !lexicon.Same(p, t.Low)
			})
		})
	})
}

// ofKind returns the field and the value that the first part of a compound with a general noun is: "Taxifahrten" of an art
// "Taxi"; nil for another word.
func (r *reading) ofKind(word string) (*field, string) {
	for _, tail := range []string{"rechnung", "fahrt", "besuch", "kurs", "buchung", "termin", "einsatz", "einsätz", "zahlung", "lieferung",
		"bestellung",
		"spende", "karte", "auftrag", "spieler", "spielerinn", "mitglied", "aufträg", "stunde", "vertrag", "verträg"} {
		if at := strings.LastIndex(word, tail); at >= lexicon.LeastPrefix && len(word)-at-len(tail) <= 2 {
			return r.holder(strings.TrimSuffix(word[:at], "s"))
		}
	}
	return nil, ""
}

// spentOn returns the first part of a compound with a word for money, as "taxi" is of "Taxikosten", where it is none of the
// table's own name.
func (r *reading) spentOn(word string) (head string, ok bool) {
	for _, w := range []string{"kosten", "ausgaben", "einnahmen", "umsätze"} {
		head, ok = strings.CutSuffix(word, w)
		own := func(n string) bool { return strings.HasPrefix(n, head) || strings.Contains(n, word) }
		if ok && len(head) >= lexicon.LeastPrefix && head != "gesamt" && !slices.ContainsFunc(r.Own, own) {
			return head, true
		}
	}
	return "", false
}

// havings reports whether the question asks how many of something there are, of rows that tell only what happened to it.
func (r *reading) havings() bool {
	last := len(r.tokens) - 1
	for last > 0 && (r.tokens[last].Kind == wording.Mark || r.is(last, "noch", "left", "still", "insgesamt", "wir")) {
		last--
	}
	entities := r.people() != nil && r.Unique(r.people()) || r.stock() != nil || r.Of("quantity qty menge anzahl", (*field).Additive) != nil
	held := false
	for next := range r.counting {
		held = held || r.near[next].f == nil && r.used[next] && !r.rowNoun && len(r.where) > 0
	}
	happens := r.Joined || slices.ContainsFunc(r.Fields, func(f field) bool { return f.Moment() && !f.Has(lexicon.Acquired) })
	listed := r.listsThings() || r.Fields[0].Has(strings.Fields(plates)) && r.Unique(&r.Fields[0])
	return r.is(last, "have", "haben") && held && happens && !listed && (r.Joined || !entities) && len(r.measures) == 0
}

// tellsDeed reports whether a field says whether what a participle says was done.
func (r *reading) tellsDeed(w string) bool {
	return participle(w) && slices.ContainsFunc(r.Fields, func(f field) bool {
		return f.Yes != "" && (lexicon.Same(f.Deed(), w) || lexicon.Alike(f.Deed(), w))
	})
}

// hyphened returns the word before a hyphen that values of a field have before the word at i, too; empty without.
func (r *reading) hyphened(of *field, i int) string {
	if i < 2 || r.tokens[i-1].Text != "-" || r.used[i-2] {
		return ""
	}
	whole := r.word(i-2) + "-" + r.tokens[i].Low
	if !slices.ContainsFunc(of.Values, func(v string) bool { return strings.Contains(strings.ToLower(v), whole) }) {
		return ""
	}
	return r.word(i - 2)
}

// hyphens reports whether the word at i ends one with a hyphen that values have.
func (r *reading) hyphens(i int) bool {
	return i > 1 && r.tokens[i-1].Text == "-" && slices.ContainsFunc(r.Fields, func(f field) bool { return r.hyphened(&f, i) != "" })
}

// lacksAt takes "is missing" behind the word at i, and reports whether it stands there.
func (r *reading) lacksAt(i int) bool {
	for k := i - 1; k >= 0 && k >= i-4; k-- {
		if r.is(k, "fehlt", "fehlen", "fehlte", "fehlten", "missing") {
			r.used[k] = true
			return true
		}
		if !lexicon.Neutral[r.word(k)] {
			break
		}
	}
	for k := i + 1; k <= i+3; k++ {
		if r.is(k, "missing", "fehlt", "fehlen", "fehlten") {
			r.used[k] = true
			return true
		}
		if !lexicon.Neutral[r.word(k)] {
			break
		}
	}
	return false
}

// begin reports whether a German noun at i begins compounds of a field's values, as "Halle" does of "Hallenmiete".
func (r *reading) begin(f *field, i int) bool {
	t := r.tokens[i]
	if !r.german || t.Text == t.Low || len(t.Low) < lexicon.RootLetters || i == 0 || r.near[i].f != nil || lexicon.Among(r.Nouns, t.Low) {
		return false
	}
	for w := range f.Vocabulary().Words {
		if strings.HasPrefix(w, t.Low) && len(w) > len(t.Low)+lexicon.LeastPrefix {
			return true
		}
	}
	return false
}

// actedOn reports whether the word at i is what somebody did something to, as a field says who did: the meters of a field
// "read by".
func (r *reading) actedOn(i int) bool {
	if !r.is(i-1, "the", "a", "an", "our", "their", "den", "die", "das", "einen", "eine", "ein") {
		return false
	}
	verb := r.near[max(0, i-2)].f
	return verb != nil && verb.Text() && verb.Has([]string{"by", "von", "durch"})
}

// yearField returns the field with years that the question speaks of; nil without.
func (r *reading) yearField() *field {
	for _, m := range r.near {
		if m.f != nil && m.f.Numeric() && m.f.OfYears() {
			return m.f
		}
	}
	return nil
}

// called returns how many words at i are the name of the table, as "Klasse 8b" is.
func (r *reading) called(i int) int {
	if len(r.Nouns) < 2 {
		return 0
	}
	for n := len(r.Nouns); n > 1; n-- {
		at := i
		for _, w := range r.Nouns[:n] {
			for at < len(r.tokens) && w != "" &&
				(r.tokens[at].Low == w || lexicon.Same(w, r.tokens[at].Low) || strings.HasPrefix(w, r.tokens[at].Low)) {
				if rest := strings.TrimPrefix(w, r.tokens[at].Low); rest != w && rest != "" {
					w = rest
				} else {
					w = ""
				}
				at++
			}
			if w != "" {
				at = i
				break
			}
		}
		if at > i+1 {
			return at - i
		}
	}
	return 0
}

// orMore reads "100 or more" at i, and reports whether it stands there.
func (r *reading) orMore(i int) bool {
	if r.tokens[i].Kind != wording.Number {
		return false
	}
	at := i + 1
	for lexicon.MeasureWords[r.word(at)] || at < len(r.tokens) && (r.tokens[at].Text == "€" || r.tokens[at].Text == "%") {
		at++
	}
	sign := ""
	switch {
	case !r.is(at, "or", "and", "oder", "und"):
		return false
	case r.is(at+1, "more", "above", "over", "higher", "mehr", "höher", "darüber"):
		sign = ">="
	case r.is(at+1, "less", "fewer", "below", "under", "lower", "weniger", "darunter"):
		sign = "<="
	default:
		return false
	}
	f, from := r.compared(i, i, lexicon.Quality{})
	if f == nil {
		f = r.money()
	}
	if f == nil || !f.Numeric() {
		return false
	}
	number, _ := r.measured(i, f)
	r.where = append(r.where, condition{SQL: f.SQL + " " + sign + " " + number, Of: f})
	r.take(min(from, i), at+2-min(from, i))
	r.score += byPart
	return true
}

// reorders finds what has to be ordered again at i: of which there is less than the least there should be.
func (r *reading) reorders(i int) bool {
	if !r.is(i, "reorder", "reordered", "reordering", "restock", "restocked", "restocking", "nachbestellen", "nachbestellt") ||
		r.word(i+1) == "level" ||
		r.word(i+1) == "point" {
		return false
	}
	least := r.Of(counterparts[0].should, (*field).Numeric)
	there := r.Of(counterparts[0].is, func(f *field) bool { return f.Numeric() && f != least })
	if least == nil || there == nil {
		return false
	}
	r.where = append(r.where, condition{SQL: there.SQL + " < " + least.SQL, Of: there, Row: true})
	r.used[i], r.near[i] = true, mention{}
	r.score += byPart
	return true
}

// full finds what is fully booked at i: of which as much is taken as there may be.
func (r *reading) full(i int) bool {
	n := 1
	switch {
	case r.is(i, "full", "ausgebucht", "voll"):
	case r.is(i, "fully") && r.is(i+1, "booked"), r.is(i, "booked", "sold") && r.is(i+1, "up", "out"):
		n = 2
	default:
		return false
	}
	all, taken := r.roomOf()
	if all == nil || all.Planned() && !all.Has([]string{"max", "maximum"}) || r.is(i-1, "how", "wie") {
		return false
	}
	sign := " >= "
	if r.negated(i) {
		sign = " < "
	}
	r.where = append(r.where, condition{SQL: taken.SQL + sign + all.SQL, Of: taken, Row: true})
	r.take(i, n)
	r.near[i] = mention{}
	r.score += byPart
	return true
}

// having finds fields that have to say something: "with damage".
func (r *reading) having() {
	for i := range r.tokens {
		if r.is(i, "pay", "zahlen", "bezahlen") && r.is(i+1, "a", "an", "eine", "ein", "einen") && r.who && r.wanting() {
			if i+2 < len(r.tokens) && r.near[i+2].f != nil && r.near[i+2].f.Has(lexicon.Sometimes) && !r.used[i+2] {
				f := r.near[i+2].f
				r.where = append(r.where, condition{SQL: f.SQL + " > 0", Of: f})
				r.take(i, 3)
				continue
			}
		}
		also := r.is(i, "and", "und") && i > 0 && r.near[i-1].f != nil && r.near[i-1].f.Yes != ""
		owns := (also || r.is(i, "have", "has", "had", "with", "haben", "hat", "mit")) &&
			r.is(i+1, "a", "an", "one", "ein", "eine", "einen", "einem", "einer")
		if r.used[i] || !r.is(i, "with", "mit") && !owns || r.agg != count && !r.who && !r.listing || r.Joined || i+2 >= len(r.tokens) && (owns ||
			i+1 >= len(r.tokens)) {
			continue
		}
		m, from := r.near[i+1], i
		if owns {
			m, i = r.near[i+2], i+1
		}
		some := !owns && m.f != nil && m.f.Additive() && !r.Paying(m.f) && r.number(i+2) == 0 && lexicon.NumberOf(r.word(i+2)) == 0
		if m.f == nil || r.used[i+1] || m.worth < byAll || !m.f.Text() && !owns && !some || m.f.Yes != "" || m.f.ID || m.f == &r.Fields[0] ||
			m.f == r.title() || r.filtered(m.f) {
			continue
		}
		c := m.f.Filled()
		if m.f.Share() || r.Paying(m.f) || some || m.f.Has(strings.Fields("fine penalty mahngebühr delay verspätung tip trinkgeld")) {
			c.SQL = m.f.SQL + " > 0" // nothing is no discount
		}
		c.Of = m.f
		r.where = append(r.where, c)
		r.take(from, i+1+m.words-from)
		r.score += byPart
	}
}

// writeSold writes the statement for how many of something were sold or bought, by the field that says how many; written is
// false where that is not asked for. of says that a value tells of what.
func (r *reading) writeSold(of bool) (sql string, ok, written bool) {
	sold := r.says("sold", "verkauft") || r.says("sell", "buy", "bought", "order", "ordered", "delivered", "shipped", "gekauft", "bestellt",
		"geliefert", "verkaufen", "bekommen", "erhalten", "received", "got", "get") && r.countsValue()
	if len(r.measures) > 0 || !sold || !of || r.countsRows() {
		return "", false, false
	}
	if f := r.Of("sold quantity qty menge pieces units stück anzahl copies", (*field).Additive); f != nil {
		r.measures = []*field{f}
		r.agg = sum
		sql, ok = r.writeAggregate()
		return sql, ok, true
	}
	return "", false, !r.dates() // these are things, not sales
}

// answered finds rows by the answer that a field has: "with a no for the fee", "wo bei Beleg nein steht".
func (r *reading) answered() {
	for i := range r.tokens {
		no := r.is(i, "no", "nein")
		if r.used[i] || !no && !r.is(i, "yes", "ja") || no && !r.is(i-1, "a", "ein", "with", "mit", "als", "as", "wo", "on", "to", "auf") &&
			!r.is(i+1, "steht", "for", "under") {
			continue
		}
		said := func(f *field) bool {
			return f.Yes != "" && f.No != "" && slices.ContainsFunc(r.tokens, func(t wording.Token) bool { return lexicon.Among(f.Words, t.Low) })
		}
		f := r.Only(said)
		if f == nil || r.filtered(f) {
			continue
		}
		value := f.Yes
		if no {
			value = f.No
		}
		r.where = append(r.where, condition{SQL: f.SQL + " = " + value, Of: f})
		r.used[i] = true
		for k := range r.near {
			if lexicon.Among(f.Words, r.word(k)) {
				r.used[k], r.near[k] = true, mention{}
			}
		}
		r.score += byPart
	}
}

// writePart writes how many of something are so, by two fields that count them: the seats, and those that were sold.
func (r *reading) writePart() (string, bool) {
	all, part := r.measures[0], r.measures[1]
	of := r.wholeNamed(all)
	if !of && r.wholeNamed(part) {
		all, part, of = part, all, true // the rent as a share of the income
	}
	if !all.Additive() || !part.Additive() || r.way != 0 || !of &&
		!slices.ContainsFunc(append(slices.Clone(all.Words), all.Units...), func(w string) bool { return part.Has([]string{w}) }) {
		return "", false
	}
	what := "100.0 * SUM(" + part.SQL + ") / SUM(" + all.SQL + ") AS " + r.dialect.Quote("percent")
	return sqltext.Grouped(r.groupBy(), what, r.source()), true
}

// marks reads "auf 1 oder 2" at i, of marks that somebody has, and reports whether that stands there.
func (r *reading) marks(i int) bool {
	if !r.is(i, "auf", "on", "got", "get", "gets", "mit", "with", "have", "has", "haben", "hat", "bekommen") {
		return false
	}
	f, at := r.Of("gesamtnote endnote zeugnisnote note grade mark", (*field).Numeric), i+1
	if f == nil {
		f = r.subjectAfter(i) // a mark in a subject
	}
	if f == nil {
		return false
	}
	var list []string
	for ; at < len(r.tokens); at++ {
		if n := max(r.tokens[at].Whole(), lexicon.NumberOf(r.word(at))); n > 0 && n <= worstMark {
			list = append(list, strconv.Itoa(n))
		} else if r.tokens[at].Text != "," && !r.is(at, "a", "an", "der", "einer", "einem", "eine", "or", "oder", "and", "und", "note",
			"grade") {
			break
		}
	}
	if len(list) == 0 || at < len(r.tokens) && r.tokens[at].Kind == wording.Word && !r.is(at, "schlechter", "worse", "besser", "better",
		"in", "bei", "stehen", "steht", "haben", "hat", "hatten") {
		return false // of something else
	}
	sql := f.SQL + " = " + list[0]
	if worse := r.is(at, "schlechter", "worse"); len(list) == 1 && (worse || r.is(at, "besser", "better")) {
		upwards := worse == f.Has(strings.Fields("note noten gesamtnote endnote zeugnisnote"))
		sql = f.SQL + map[bool]string{true: " >= ", false: " <= "}[upwards] + list[0]
		at++
	}
	if len(list) > 1 {
		sql = f.SQL + " IN (" + strings.Join(list, ", ") + ")"
	}
	r.where = append(r.where, condition{SQL: sql, Of: f})
	r.take(i, at-i)
	r.score += byPart
	return true
}

// both reads a question for how many there are in all of two fields that a word speaks of alike, as the total of both: the
// goals of a table of goals at home and away.
func (q *questioned) both(i int, lenient bool, at int, pair [2]mention) (sql string, score int, ok bool) {
	a, b := pair[0].f, pair[1].f
	r := q.reading(i, lenient)
	if !a.Additive() || !b.Additive() || a.Planned() != b.Planned() || r.Paying(a) || len(a.Words) != len(b.Words) ||
		len(a.Words) < 2 || a.Words[len(a.Words)-1] != b.Words[len(b.Words)-1] || !lexicon.Opposite[[2]string{a.Words[0], b.Words[0]}] {
		return "", 0, false
	}
	if r.near[at] = pair[0]; !r.read() || !r.says("altogether", "total", "overall", "insgesamt", "zusammen", "gesamt", "all") {
		return "", 0, false
	}
	sql, ok = r.write()
	total := "SUM(" + a.SQL + ")"
	if !ok || strings.Count(sql, a.SQL) != 1 || !strings.Contains(sql, total) {
		return "", 0, false
	}
	sql = strings.Replace(sql, total, "SUM(COALESCE("+a.SQL+", 0) + COALESCE("+b.SQL+", 0))", 1)
	return r.With + strings.Replace(sql, r.named("total"), " AS "+r.dialect.Quote("total_"+a.Words[len(a.Words)-1]), 1), r.score, true
}

// contradicts reports whether something else is asked for than the reading has: what its measure does not tell, what a rota does not,
// or rows by a value of a column and by a part of another one of it.
func (r *reading) contradicts() bool {
	if len(r.measures) == 1 && r.measures[0].OfYears() && r.says("cost", "costs", "gekostet", "kostet") || r.otherCosts() ||
		r.doesElse() || r.ownKind() ||
		r.Rota && r.Shared() && r.filtered(&r.Fields[len(r.Fields)-1]) ||
		r.Rota && r.says("begin", "begins", "start", "starts", "end", "ends", "finish", "finishes", "beginnt", "endet") {
		return true // a year is no money, a shift has no time
	}
	if told := slices.Concat(r.measures, r.shown); len(told) == 1 && told[0].Planned() && r.saysAny(lexicon.Actually) &&
		!r.saysAny(lexicon.Planning) {
		return true // what was planned is not what was done
	}
	if r.says("than", "als") && r.is(0, "is", "are", "was", "were", "does", "did", "ist", "sind", "war", "waren", "hat", "haben") {
		parts := 0 // of names, of which no row has two
		for _, c := range r.where {
			if c.Of != nil && c.Of.Text() && (c.Of == r.people() || c.Of == r.title()) && strings.Contains(c.SQL, " LIKE ") {
				parts++
			}
		}
		if parts > 1 {
			return true
		}
	}
	return slices.ContainsFunc(r.where, func(c condition) bool {
		if c.Of == nil {
			return false
		}
		value, whole := strings.CutPrefix(c.SQL, c.Of.SQL+" = ")
		return whole && slices.ContainsFunc(r.where, func(o condition) bool {
			other, equal := strings.CutPrefix(o.SQL, c.Of.SQL+" = ")
			part, like := strings.CutPrefix(o.SQL, "LOWER("+c.Of.SQL+") LIKE ")
			return equal && other != value || like && !strings.Contains(strings.ToLower(value), strings.Trim(part, "'%"))
		})
	})
}
