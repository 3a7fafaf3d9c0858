package plainsql

import (
	"slices"
	"strconv"
	"strings"

	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/wording"
)

// more are phrases of comparisons besides those of the strict grammar.
var more = []struct{ phrase, sign string }{
	{"nicht mehr als", "<="}, {"nicht über", "<="}, {"nicht weniger als", ">="}, {"nicht unter", ">="}, {"not over", "<="},
	{"not above", "<="}, {"not under", ">="}, {"not below", ">="}, {"keine mehr als", "<="}, {"mehr als", ">"}, {"weniger als", "<"},
	{"mindestens", ">="}, {"höchstens", "<="}, {"maximal", "<="}, {"über", ">"}, {"unter", "<"},
	{"größer als", ">"}, {"kleiner als", "<"}, {"genau", "="}, {"exactly", "="}, {"not more than", "<="}, {"not less than", ">="},
	{"exceeding", ">"}, {"exceeds", ">"}, {"exceed", ">"}, {"exceeded", ">"}, {"a minimum of", ">="}, {"a maximum of", "<="},
	{"unterhalb", "<"},
	{"oberhalb", ">"}, {"bis zu", "<="}, {"fell short of", "<"}, {"fall short of", "<"}, {"short of", "<"}, {"missed", "<"}, {"beat", ">"},
}

// comparison is what is compared at a place: the sign, the field before it where the words part it from that, an
// adjective that says of what, and where the other side stands.
type comparison struct {
	sign string
	left *field
	by   lexicon.Quality
	at   int
}

// limits finds comparisons of fields with numbers, and with other fields.
func (r *reading) limits() bool {
	for i := 0; i < len(r.tokens); i++ {
		if r.used[i] {
			continue
		}
		if n, sign := r.stocked(i); n > 0 {
			f := r.Of("stock bestand lagerbestand vorrat available quantity qty menge bottles pieces stück hand", (*field).Numeric)
			if f == nil && sign == " = 0" && r.full(i) {
				continue // by how many there may be
			}
			if f == nil {
				return false
			}
			r.where = append(r.where, condition{SQL: f.SQL + sign, Of: f})
			r.take(i, n)
			r.score += byPart
			continue
		}
		if r.orMore(i) || r.marks(i) || r.numberedRow(i) || r.reorders(i) || r.lates(i) || r.full(i) || r.free(i) || r.wins(i) ||
			r.level(i) || r.pays(i) {
			continue
		}
		c := r.compares(i)
		switch {
		case c.at >= len(r.tokens):
		case c.sign != "" && wording.IsYear(r.tokens[c.at]) && c.by.Dates != "" && r.olderThan(i, c):
		case c.sign == "":
			r.stated(i)
		case r.is(i, "after", "before", "nach", "vor") && r.tokens[c.at].Kind == wording.Number: // of a time
		case r.tokens[c.at].Kind == wording.Number && !(wording.IsYear(r.tokens[c.at]) && c.by.Dates != ""):
			if !r.withNumber(i, c) && !r.withRows(i, c) {
				return false
			}
		case r.withRows(i, c):
		default:
			if !r.withField(i, c) {
				return false
			}
		}
	}
	return true
}

// compares reads the comparison at i; it has no sign where none stands there.
func (r *reading) compares(i int) (c comparison) {
	sign, n := r.operator(i)
	split, left, to := r.splitThan(i)
	if left != nil {
		sign, n = split, to-i
	}
	if sign == "" && r.word(i+1) == "than" || r.word(i+1) == "als" { // "older than"
		if q, ok := lexicon.QualityOf(r.word(i), lexicon.MoreEndings...); ok {
			c.by = q
			sign, n = map[int]string{1: ">", -1: "<"}[q.Way], 2
		}
	}
	c.sign, c.left, c.at = sign, left, i+n
	if sign == "" {
		return c
	}
	c.at = r.one(c.at)
	column := func(i int) bool { // "above the limit", not "above the limit of 50"
		return r.near[i].f != nil && r.near[i].f.Numeric() && r.near[i].worth >= byPart && !r.is(i+1, "of", "is", "von") &&
			(i+1 == len(r.tokens) || r.tokens[i+1].Kind != wording.Number)
	}
	for c.at < len(r.tokens) && !column(c.at) && (r.is(c.at, "the", "their", "its", "a", "of", "limit", "value", "total",
		"grenze", "grenzwert", "what", "was", "were", "dem", "der", "den", "ihrem", "ihren") ||
		slices.Contains(lexicon.Currencies, r.tokens[c.at].Text)) {
		c.at++
	}
	if n := lexicon.NumberOf(r.word(c.at)); n > 0 && r.near[c.at].f == nil {
		r.tokens[c.at] = wording.Token{Kind: wording.Number, Text: strconv.Itoa(n)}
	}
	return c
}

// withNumber compares a field with a number; false where it is open which, or what is counted.
func (r *reading) withNumber(i int, c comparison) bool {
	f, from := c.left, i
	spent := r.objectOf(c.at) > 0
	if f == nil {
		if f = r.aged(i, c.at); f == nil {
			f, from = r.compared(i, c.at, c.by)
		}
	}
	if f != nil && r.inMoney(c.at) && !spent && !r.Paying(f) && c.left == nil && from == i {
		return false // pounds a day are no days
	}
	things := lexicon.ThingNouns[r.word(c.at+1)] && !lexicon.Among(r.Nouns, r.word(c.at+1)) && i > 0 && r.near[i-1].f == f
	often := (r.is(c.at+1, "times", "mal") || things) && f != nil && f.Additive() && !r.Paying(f) && r.before(f, i)
	if f == nil || r.tokens[c.at].Whole() < firstYear && f.OfYears() || r.rowsAt(c.at+1) && c.left == nil && !often &&
		!(pieces[r.word(c.at+1)] && f.Has(strings.Fields(stockNames))) {
		return false // an age, or a number of something
	}
	if often {
		r.used[c.at+1] = true
	}
	if u, timed := lexicon.Sizes[r.word(c.at+1)]; timed && (u.Kind == "time" || u.Kind == "span") && !r.lasts(f) && c.left == nil {
		return false // how much of what in that time
	}
	if c.left == nil && r.asked(f) && f.Additive() {
		return false // participants over 60 are old
	}
	if c.left == nil && r.ofAge(i, c.at, f) {
		return false // how old they are is not told by a number
	}
	number, converted := r.measured(c.at, f)
	r.where = append(r.where, condition{SQL: f.SQL + " " + c.sign + " " + number, Of: f})
	end := c.at + 1
	if converted {
		end++
	}
	if from > 0 && lexicon.Costing[r.word(from-1)] && r.Paying(f) {
		from-- // "that cost less than"
	}
	if r.is(end, "and", "und") && r.is(i, "between", "zwischen") {
		if end+1 >= len(r.tokens) || r.tokens[end+1].Kind != wording.Number {
			return false
		}
		r.where = append(r.where, condition{SQL: f.SQL + " <= " + r.tokens[end+1].Text, Of: f})
		end += 2
	}
	r.take(from, end-from)
	r.unit(end, f)
	r.score += byPart
	return true
}

// aged returns the field with ages that a number may be compared with, of people "under 18"; nil where none is meant.
func (r *reading) aged(i, at int) *field {
	n := r.tokens[at].Whole()
	f := r.Of("age alter", (*field).Numeric)
	if f == nil {
		f = r.age()
	}
	if f == nil || n == 0 || n > oldest || lexicon.MeasureWords[r.word(at+1)] && !lexicon.SizesOfYears[r.word(at+1)] || at+1 < len(r.tokens) &&
		r.near[at+1].f != nil {
		return nil
	}
	w := r.word(i - 1)
	if r.is(i-1, "is", "are", "sind", "ist", "was", "were", "waren") || lexicon.PersonNouns[w] || lexicon.Folk[w] ||
		lexicon.Among(r.Nouns, w) {
		return f
	}
	return nil
}

// ofAge reports whether a number may be an age: of people whose birthdays are known, with nothing else named beside it.
func (r *reading) ofAge(i, at int, f *field) bool {
	n := r.tokens[at].Whole()
	return n > 0 && n <= oldest && !f.Has(strings.Fields("age alter")) && r.Of(lexicon.Births, (*field).Moment) != nil &&
		!lexicon.MeasureWords[r.word(at+1)] && !slices.ContainsFunc(r.near, func(m mention) bool { return m.f == f }) &&
		(at+1 == len(r.tokens) || r.tokens[at+1].Text != "€") && r.is(i-1, "is", "are", "sind", "ist", "was", "were", "waren")
}

const oldest = 120 // years somebody is, at most

// withField compares a field with another; false where it is open which.
func (r *reading) withField(i int, c comparison) bool {
	right := r.near[c.at]
	if moves := r.is(i, "after", "before", "nach", "vor"); moves && (right.f == nil || !right.f.Moment()) {
		return true // of a time
	}
	if right.f == nil || !right.f.Numeric() && !right.f.Moment() || c.sign == "=" || r.used[c.at] {
		return true
	}
	left, from := c.left, i
	if left == nil {
		if left, from = r.other(i, right.f); left == nil {
			return false
		}
	}
	if r.is(i, "over") && r.near[max(0, i-1)].f != nil {
		return false // the crop over the area
	}
	for k := range i { // "finished later than planned"
		w := lexicon.Stem(r.word(k))
		said := func(p string) bool { return lexicon.Alike(p, w) }
		open := r.near[k].f == nil || r.near[k].f == right.f && r.near[k].worth < byPart
		if w != "" && !r.used[k] && open && slices.ContainsFunc(left.Words, said) {
			r.used[k] = true
		}
	}
	apart := []*field{left, right.f}
	if c.sign[0] == '<' {
		apart = []*field{right.f, left}
	}
	if r.is(0, "by") && r.is(1, "how") || r.is(0, "um") && r.is(1, "wie") { // "by how much"
		r.measures, r.glue = apart, " - "
		r.take(0, 3)
	} else {
		r.where = append(r.where, condition{SQL: left.SQL + " " + c.sign + " " + right.f.SQL, Of: left, Row: true})
		r.gap = apart
	}
	r.take(from, c.at+right.words-from)
	r.score += right.worth
	return true
}

// stocked returns how many words at i say that something is there or not, and the condition:
// of things in stock how many there are may be asked instead.
func (r *reading) stocked(i int) (int, string) {
	for _, phrase := range []string{"out of stock", "sold out", "nicht vorrätig", "nicht auf lager", "ausverkauft"} {
		if n := r.at(i, phrase); n > 0 {
			return n, " = 0"
		}
	}
	n := max(r.at(i, "in stock"), r.at(i, "auf lager"), r.at(i, "vorrätig"))
	if n == 0 || r.at(0, "which") == 0 && !lexicon.Among(r.Nouns, r.word(2)) {
		return 0, ""
	}
	return n, " > 0"
}

// operator returns the sign of the comparison at i and how many words it has.
func (r *reading) operator(i int) (string, int) {
	switch r.word(i) {
	case "between", "zwischen":
		return ">=", 1
	case "nach":
		return ">", 1
	case "vor":
		return "<", 1
	}
	best, length := "", 0
	for _, o := range wording.Operators {
		if n := r.at(i, o.Phrase); n > length && o.Sign != "=" && o.Phrase != "since" {
			best, length = o.Sign, n
		}
	}
	for _, o := range more {
		if n := r.at(i, o.phrase); n > length {
			best, length = o.sign, n
		}
	}
	if t := r.tokens[i]; t.Kind == wording.Mark && (t.Text == "<" || t.Text == ">" || t.Text == "<=" || t.Text == ">=") {
		return t.Text, 1
	}
	return best, length
}

// stated finds "stock 0", "a quantity of 5": the value of a field that is named before it.
func (r *reading) stated(i int) bool {
	n := max(r.number(i), lexicon.NumberOf(r.word(i)))
	if r.is(i, "one") && i+1 < len(r.tokens) && r.tokens[i+1].Text == "-" {
		n = 1
	}
	if n > 0 && r.is(i+1, "star", "stars", "stern", "sterne", "sternen") && r.word(i-1) != "than" {
		if f := r.Of("star satisfaction rating bewertung zufriedenheit score stern", (*field).Numeric); f != nil {
			r.where = append(r.where, condition{SQL: f.SQL + " = " + strconv.Itoa(n), Of: f})
			r.take(i, 2)
			r.near[i+1] = mention{}
			return true
		}
	}
	if n > 0 && r.word(i-1) != "top" { // "two-bedroom flats"
		at := i + 1
		if at < len(r.tokens) && r.tokens[at].Text == "-" {
			at++
		}
		if at+1 < len(r.tokens) && r.near[at].f != nil && r.near[at].f.Numeric() && r.near[at].worth >= byHead &&
			r.word(at+1) != "" && !lexicon.Neutral[r.word(at+1)] {
			r.where = append(r.where, condition{SQL: r.near[at].f.SQL + " = " + strconv.Itoa(n), Of: r.near[at].f})
			r.take(i, at+1-i)
			return true
		}
	}
	m := r.near[i]
	if m.f == nil || !m.f.Numeric() || m.worth < byHead {
		return false
	}
	at := i + m.words
	for r.word(at) == "of" || r.word(at) == "is" || r.word(at) == "equals" || r.word(at) == "von" || r.word(at) == "ist" {
		at++
	}
	if at >= len(r.tokens) || r.tokens[at].Kind != wording.Number || r.used[at] || wording.IsYear(r.tokens[at]) && !m.f.OfYears() ||
		at+2 < len(r.tokens) && r.tokens[at+1].Text == "-" && r.near[at+2].f != nil && r.near[at+2].f != m.f {
		return false
	}
	r.where = append(r.where, condition{SQL: m.f.SQL + " = " + r.tokens[at].Text, Of: m.f})
	r.take(i, at+1-i)
	return true
}

// unit takes the words after a number that say what it counts.
func (r *reading) unit(i int, f *field) {
	for k := i; k < len(r.tokens) && k < i+4; k++ {
		w := r.word(k)
		switch {
		case r.near[k].f == f, lexicon.MeasureWords[w], r.tokens[k].Text == "/" && lexicon.MeasureWords[r.word(k+1)]:
			r.used[k] = true
		case (w == "per" || w == "pro" || w == "a" || w == "of") && lexicon.MeasureWords[r.word(k+1)]:
			r.used[k] = true
		case r.tokens[k].Text == "€" || r.tokens[k].Text == "%", r.is(k, "gross", "brutto", "net", "netto") && f.Has([]string{w}):
			r.used[k] = true
		default:
			return
		}
	}
}

// compared returns the field that is compared with the number at a place, and from where the
// words for it are.
func (r *reading) compared(op, at int, q lexicon.Quality) (*field, int) {
	if f := r.after(op, at); f != nil {
		return f, op
	}
	for k := op - 1; k >= 0 && k >= op-5; k-- {
		if r.used[k] {
			continue
		}
		for from := max(0, k-3); from <= k; from++ {
			if m := r.near[from]; m.f != nil && m.f.Numeric() && from+m.words-1 == k && (m.worth >= byPart || k >= op-2) {
				return m.f, from
			}
		}
		if r.near[k].f != nil && r.near[k].f.Text() && r.near[k].worth >= byHead && k < op-2 {
			break
		}
	}
	if r.Wide {
		return r.Only(func(f *field) bool { return f.Numeric() && !f.Fixed }), op
	}
	for k := at + 1; k < len(r.tokens) && k <= at+4; k++ {
		if m := r.near[k]; m.f != nil && m.f.Numeric() && (m.worth >= byHead || k <= at+3 && m.worth >= byWord) {
			return m.f, op
		}
		if r.tokens[k].Text == "€" || r.word(k) == "euros" || r.word(k) == "euro" || r.word(k) == "pounds" || r.word(k) == "dollars" {
			if f := r.money(); f != nil {
				return f, op
			}
		}
		if f := r.Of(stockNames, (*field).Additive); f != nil && pieces[r.word(k)] {
			return f, op
		}
		if w := r.word(k); lexicon.MeasureWords[w] && w != "" {
			if f := r.Only(func(f *field) bool {
				return f.Numeric() && !f.Counter && f.Has([]string{w, lexicon.Stem(w), lexicon.Short(w)})
			}); f != nil {
				return f, op
			}
			if f := r.InUnit(w); f != nil && !(r.inMoney(at) && !r.Paying(f)) {
				return f, op
			}
			if f := r.Of("punkt point score rating bewertung", (*field).Numeric); f != nil && r.is(k, "points", "punkte", "punkten") {
				return f, op
			}
		}
	}
	if q.Of != "" {
		f := r.Of(q.Of, (*field).Numeric)
		if f == nil && strings.HasPrefix(q.Of, "age ") && r.tokens[at].Whole() <= oldest {
			f = r.age()
		}
		if f != nil {
			return f, op
		}
	}
	if r.inMoney(at) {
		if f := r.money(); f != nil {
			return f, op
		}
	}
	if says := r.is(at+1, "did", "do", "does", "were", "was", "are", "have", "has"); at+1 < len(r.tokens) && r.word(at+1) != "" && !says ||
		q.Dates != "" {
		return nil, 0 // it counts something else, or an age
	}
	if f := r.money(); f != nil && r.sums(op-1) {
		return f, op
	}
	return r.Only(func(f *field) bool { return f.Numeric() && !f.Made }), op
}

// objectOf returns where a field stands for which an amount of money is, as of "150 euros on transport"; 0 without.
func (r *reading) objectOf(at int) int {
	for k := at + 1; k+1 < len(r.tokens) && k <= at+3; k++ {
		if m := r.near[k+1]; r.is(k, "on", "for", "für", "auf") && m.f != nil && m.f.Numeric() && m.worth >= byHead {
			if r.is(k+1+m.words, "and", "und", "or", "oder") {
				return 0 // on several
			}
			return k + 1
		}
	}
	return 0
}

// after returns the field that stands after a number and is compared with it, where what stands before is something else:
// the fee of courses "with more than 8 sessions", of courses "over 100 euros".
func (r *reading) after(op, at int) *field {
	var f *field
	if k := r.objectOf(at); k > 0 {
		r.take(k-1, 1+r.near[k].words)
		return r.near[k].f
	}
	for k := at + 1; k < len(r.tokens) && k <= at+2; k++ {
		m := r.near[k]
		having := r.is(op-1, "with", "mit", "having", "have", "has", "had") && m.worth >= byPart
		if m.f != nil && m.f.Numeric() && (m.worth >= byUnit || having) {
			f = m.f
			break
		}
		if r.tokens[k].Text == "€" || r.is(k, "euro", "euros", "pounds", "dollars") {
			f = r.money()
			break
		}
		if w := r.word(k); w == "" || !lexicon.Neutral[w] && !lexicon.MeasureWords[w] {
			break
		}
	}
	if f == nil {
		return nil
	}
	before := op - 1
	for before >= 0 && r.is(before, "is", "are", "was", "were", "of", "a", "ist", "sind", "war", "waren", "liegt", "lag", "has", "had") {
		before--
	}
	if before >= 0 && r.near[before].f != nil && r.near[before].f.Numeric() && !r.used[before] && !r.is(op-1, "of", "a") {
		return nil // the field before it
	}
	return f
}

// counterparts are words of names that are compared: what there is, with what should be.
var counterparts = []struct{ should, is string }{
	{"reorder minimum min mindestbestand meldebestand threshold mindest",
		"stock bestand lagerbestand quantity qty hand inventory menge available"},
	{"planned plan budget target soll estimated estimate ansatz", "actual ist real spent amount betrag cost"},
	{"actual ist real", "planned plan budget target soll estimated ansatz"},
	{"maximum max capacity", "quantity occupied participants booked registered anmeldungen teilnehmer"},
	{"limit threshold maximum grenzwert", "result reading value measured level concentration speed messwert ergebnis wert"},
	{"due deadline fällig", "paid delivered returned finished bezahlt date"},
}

// other returns the numeric field that is compared with another: the one that is named before
// the comparison, or its usual counterpart.
func (r *reading) other(op int, right *field) (*field, int) {
	for k := op - 1; k >= 0; k-- {
		m := r.near[k]
		if m.f != nil && m.f != right && !m.f.ID && m.f.Kind() == right.Kind() && !r.used[k] &&
			(m.worth >= byPart || m.f.Moment() && !m.f.Planned()) {
			return m.f, k
		}
	}
	if len(right.Units) > 0 {
		same := r.Only(func(f *field) bool {
			return f != right && f.Kind() == right.Kind() && len(f.Units) > 0 && f.Units[0] == right.Units[0]
		})
		if same != nil {
			return same, op
		}
	}
	for _, c := range counterparts {
		if right.Has(strings.Fields(c.should)) {
			if f := r.Nearest(right, c.is); f != nil {
				return f, op
			}
		}
	}
	return nil, 0
}

// years reads "more print copies in 2025 than in 2024", and "print copies in 2025 lower than in 2024", of columns
// that hold the same of two years.
func (r *reading) years() {
	for i := range r.tokens {
		sign := ""
		switch {
		case r.is(i, "more", "higher", "mehr", "höher", "höhere"):
			sign = " > "
		case r.is(i, "less", "fewer", "lower", "weniger", "niedriger"):
			sign = " < "
		default:
			continue
		}
		than := slices.IndexFunc(r.tokens[i:], func(t wording.Token) bool { return t.Is("than", "als") }) + i
		if than <= i {
			continue
		}
		from, first, second := i+1, r.yearIn(i, than), r.yearIn(than, min(len(r.tokens), than+4))
		if first < 0 {
			if first = r.yearIn(max(0, i-3), i); first > 0 {
				from = max(0, first-3)
			}
		}
		if first < 0 || second < 0 {
			continue
		}
		of := func(year int) *field {
			return r.Only(func(f *field) bool {
				if !f.Numeric() || !slices.Contains(f.Words, strconv.Itoa(r.number(year))) {
					return false
				}
				for k := from; k < first; k++ { // what stands between names it
					w := r.word(k)
					named := func(p string) bool { return lexicon.Same(p, w) || strings.HasPrefix(w, p) }
					if w != "" && !lexicon.Neutral[w] && !slices.ContainsFunc(f.Words, named) &&
						!lexicon.Among(r.Nouns, w) {
						return false
					}
				}
				return true
			})
		}
		a, b := of(first), of(second)
		if a == nil || b == nil || a == b {
			continue
		}
		r.where = append(r.where, condition{SQL: a.SQL + sign + b.SQL, Of: a})
		r.gap = []*field{a, b}
		r.take(min(i, from), second+1-min(i, from))
		r.score += byAll
		return
	}
}

// yearIn returns where a year stands between two places; -1 without.
func (r *reading) yearIn(from, to int) int {
	for k := from; k < to; k++ {
		if wording.IsYear(r.tokens[k]) {
			return k
		}
	}
	return -1
}

// standsOut reports whether the word at i is the end of "steht noch aus": something is still to be paid.
func (r *reading) standsOut(i int) bool { return r.is(i, "aus") && r.says("steht", "stehen", "stand") }

// asks reports whether a word asks for money or for a sum, so that it is no value of nearly the same meaning, such as "Income".
func asks(word string) bool {
	return lexicon.Spending[word] || lexicon.MoneyWords[word] || lexicon.MoneyWords[word+"s"] || aggregated[word] != none
}

// tooFar reports whether a way is told where it is asked how long something took.
func (r *reading) tooFar() bool {
	asked := append(slices.Clone(r.shown), r.measures...)
	if r.at(0, "how long")+r.at(0, "wie lange") == 0 || len(asked) != 1 || !r.says("take", "took", "last", "lasted", "dauerte", "dauert") {
		return false
	}
	u, ok := asked[0].Unit()
	return ok && u.Kind == "way"
}

// sometimes reports whether not each row has what a field holds: fines, or one of what came in and what went out.
func (r *reading) sometimes(f *field) bool {
	in, out := r.Flows()
	return f.Has(lexicon.Sometimes) || in != nil && (f.SQL == in.SQL || f.SQL == out.SQL)
}
