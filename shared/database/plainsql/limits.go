package plainsql

import (
	"slices"
	"strconv"
	"strings"
)

// more are phrases of comparisons besides those of the strict grammar.
var more = []struct{ phrase, sign string }{
	{"mehr als", ">"}, {"weniger als", "<"}, {"mindestens", ">="}, {"höchstens", "<="}, {"maximal", "<="}, {"über", ">"}, {"unter", "<"},
	{"größer als", ">"}, {"kleiner als", "<"}, {"genau", "="}, {"exactly", "="}, {"not more than", "<="}, {"not less than", ">="},
	{"exceeding", ">"}, {"exceeds", ">"}, {"exceed", ">"}, {"exceeded", ">"}, {"a minimum of", ">="}, {"a maximum of", "<="},
	{"unterhalb", "<"},
	{"oberhalb", ">"}, {"bis zu", "<="}, {"fell short of", "<"}, {"fall short of", "<"}, {"short of", "<"}, {"missed", "<"}, {"beat", ">"},
}

// limits finds comparisons of fields with numbers, and with other fields.
func (r *reading) limits() bool {
	for i := 0; i < len(r.tokens); i++ {
		if r.used[i] {
			continue
		}
		if n, sign := r.stocked(i); n > 0 {
			f := r.of("stock bestand lagerbestand vorrat available quantity qty menge bottles pieces stück hand", (*field).numeric)
			if f == nil {
				return false
			}
			r.where = append(r.where, condition{sql: f.sql + sign, of: f})
			r.take(i, n)
			r.score += byPart
			continue
		}
		sign, n := r.operator(i)
		split, left, to := r.splitThan(i)
		if left != nil {
			sign, n = split, to-i
		}
		var q quality
		if sign == "" && r.word(i+1) == "than" || r.word(i+1) == "als" { // "older than"
			var ok bool
			if q, ok = qualityOf(r.word(i), moreEndings...); ok {
				sign, n = map[int]string{1: ">", -1: "<"}[q.way], 2
			}
		}
		at := i + n
		if sign != "" {
			at = r.one(at)
		}
		for sign != "" && at < len(r.tokens) && (r.is(at, "the", "their", "its", "a", "of", "what", "was", "were") ||
			r.is(at, "dem", "der", "den", "ihrem", "ihren") || r.tokens[at].text == "€" || r.tokens[at].text == "$") {
			at++
		}
		if at >= len(r.tokens) {
			continue
		}
		if sign == "" {
			if !r.stated(i) {
				continue
			}
			continue
		}
		if numberOf(r.word(at)) > 0 && r.near[at].f == nil {
			r.tokens[at] = token{kind: numberToken, text: strconv.Itoa(numberOf(r.word(at)))}
		}
		if r.is(i, "after", "before", "nach", "vor") && r.tokens[at].kind == numberToken {
			continue
		}
		if r.tokens[at].kind == numberToken && !(isYear(r.tokens[at]) && q.dates != "") {
			f, from := left, i
			if left == nil {
				f, from = r.compared(i, at, q)
			}
			if f == nil {
				return false
			}
			if r.tokens[at].whole() < firstYear && f.ofYears() {
				return false // an age, or a number of something
			}
			if u, timed := sizes[r.word(at+1)]; timed && (u.kind == "time" || u.kind == "span") && !r.lasts(f) && left == nil {
				return false // how much of what in that time
			}
			number, converted := r.measured(at, f)
			r.where = append(r.where, condition{sql: f.sql + " " + sign + " " + number, of: f})
			end := at + 1
			if converted {
				end++
			}
			if r.word(end) == "and" || r.word(end) == "und" {
				if r.word(i) == "between" || r.word(i) == "zwischen" {
					if end+1 >= len(r.tokens) || r.tokens[end+1].kind != numberToken {
						return false
					}
					r.where = append(r.where, condition{sql: f.sql + " <= " + r.tokens[end+1].text, of: f})
					end += 2
				}
			}
			r.take(from, end-from)
			r.unit(end, f)
			r.score += byPart
			continue
		}
		right := r.near[at]
		if moves := r.is(i, "after", "before", "nach", "vor"); moves != (right.f != nil && right.f.moment()) && moves {
			continue // of a time
		}
		if right.f == nil || !right.f.numeric() && !right.f.moment() || sign == "=" || r.used[at] {
			continue
		}
		from := i
		if left == nil {
			if left, from = r.other(i, right.f); left == nil {
				return false
			}
		}
		for k := range i { // "finished later than planned"
			w := stem(r.word(k))
			said := func(p string) bool { return alike(p, w) }
			open := r.near[k].f == nil || r.near[k].f == right.f && r.near[k].worth < byPart
			if w != "" && !r.used[k] && open && slices.ContainsFunc(left.words, said) {
				r.used[k] = true
			}
		}
		if r.word(0) == "by" && r.word(1) == "how" || r.word(0) == "um" && r.word(1) == "wie" { // "by how much"
			r.measures, r.glue = []*field{left, right.f}, " - "
			if sign[0] == '<' {
				r.measures = []*field{right.f, left}
			}
			r.take(0, 3)
		} else {
			r.where = append(r.where, condition{sql: left.sql + " " + sign + " " + right.f.sql, of: left})
			if r.gap = []*field{left, right.f}; sign[0] == '<' {
				r.gap = []*field{right.f, left}
			}
		}
		r.take(from, at+right.words-from)
		r.score += right.worth
	}
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
	if n == 0 || r.at(0, "which") == 0 && !slices.ContainsFunc(r.nouns, func(w string) bool { return same(w, r.word(2)) }) {
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
	for _, o := range operators {
		if n := r.at(i, o.phrase); n > length && o.sign != "=" && o.phrase != "since" {
			best, length = o.sign, n
		}
	}
	for _, o := range more {
		if n := r.at(i, o.phrase); n > length {
			best, length = o.sign, n
		}
	}
	if t := r.tokens[i]; t.kind == markToken && (t.text == "<" || t.text == ">" || t.text == "<=" || t.text == ">=") {
		return t.text, 1
	}
	return best, length
}

// stated finds "stock 0", "a quantity of 5": the value of a field that is named before it.
func (r *reading) stated(i int) bool {
	if n := max(r.number(i), numberOf(r.word(i))); n > 0 && r.word(i-1) != "top" { // "two-bedroom flats"
		at := i + 1
		if at < len(r.tokens) && r.tokens[at].text == "-" {
			at++
		}
		if at+1 < len(r.tokens) && r.near[at].f != nil && r.near[at].f.numeric() && r.near[at].worth >= byHead &&
			r.word(at+1) != "" && !neutral[r.word(at+1)] {
			r.where = append(r.where, condition{sql: r.near[at].f.sql + " = " + strconv.Itoa(n), of: r.near[at].f})
			r.take(i, at+1-i)
			return true
		}
	}
	m := r.near[i]
	if m.f == nil || !m.f.numeric() || m.worth < byHead {
		return false
	}
	at := i + m.words
	for r.word(at) == "of" || r.word(at) == "is" || r.word(at) == "equals" || r.word(at) == "von" || r.word(at) == "ist" {
		at++
	}
	if at >= len(r.tokens) || r.tokens[at].kind != numberToken || r.used[at] || isYear(r.tokens[at]) && !m.f.ofYears() {
		return false
	}
	r.where = append(r.where, condition{sql: m.f.sql + " = " + r.tokens[at].text, of: m.f})
	r.take(i, at+1-i)
	return true
}

// unit takes the words after a number that say what it counts.
func (r *reading) unit(i int, f *field) {
	for k := i; k < len(r.tokens) && k < i+4; k++ {
		w := r.word(k)
		switch {
		case r.near[k].f == f, measureWords[w]:
			r.used[k] = true
		case (w == "per" || w == "pro" || w == "a" || w == "of") && measureWords[r.word(k+1)]:
			r.used[k] = true
		case r.tokens[k].text == "€" || r.tokens[k].text == "%":
			r.used[k] = true
		default:
			return
		}
	}
}

var measureWords = set(`euro euros eur dollar dollars usd pound pounds gbp chf percent prozent minute minutes minuten hour hours stunde stunden
		day days tag tage tagen week weeks woche wochen month months monat monate monaten year years jahr jahre jahren kg kilo
		kilos kilogram kilograms g gram grams litre litres liter liters l km kilometre kilometres kilometer kilometers m metre
		metres meter meters piece pieces stück units degree degrees grad times tonne tonnes tonnen hectare hectares hektar ha
		points punkte nights nächte hl kwh mwh`)

// compared returns the field that is compared with the number at a place, and from where the
// words for it are.
func (r *reading) compared(op, at int, q quality) (*field, int) {
	for k := op - 1; k >= 0 && k >= op-5; k-- {
		if r.used[k] {
			continue
		}
		for from := max(0, k-3); from <= k; from++ {
			if m := r.near[from]; m.f != nil && m.f.numeric() && from+m.words-1 == k && (m.worth >= byPart || k >= op-2) {
				return m.f, from
			}
		}
		if r.near[k].f != nil && r.near[k].f.text() && r.near[k].worth >= byHead && k < op-2 {
			break
		}
	}
	for k := at + 1; k < len(r.tokens) && k <= at+4; k++ {
		if m := r.near[k]; m.f != nil && m.f.numeric() && (m.worth >= byHead || k <= at+3 && m.worth >= byWord) {
			return m.f, op
		}
		if r.tokens[k].text == "€" || r.word(k) == "euros" || r.word(k) == "euro" || r.word(k) == "pounds" || r.word(k) == "dollars" {
			if f := r.money(); f != nil {
				return f, op
			}
		}
		if w := r.word(k); measureWords[w] && w != "" {
			if f := r.only(func(f *field) bool { return f.numeric() && f.has([]string{w, stem(w), short(w)}) }); f != nil {
				return f, op
			}
			if f := r.inUnit(w); f != nil {
				return f, op
			}
		}
	}
	if q.of != "" {
		if f := r.of(q.of, (*field).numeric); f != nil {
			return f, op
		}
	}
	if at > 0 && (r.tokens[at-1].text == "€" || r.tokens[at-1].text == "$" || r.tokens[at-1].text == "£") {
		if f := r.money(); f != nil {
			return f, op
		}
	}
	if at+1 < len(r.tokens) && r.word(at+1) != "" || q.dates != "" {
		return nil, 0 // it counts something else, or an age
	}
	return r.only((*field).numeric), op
}

// short returns how a unit is abbreviated in names of columns.
func short(word string) string {
	return map[string]string{"minutes": "min", "minuten": "min", "hours": "hr", "stunden": "hr", "kilometers": "km", "kilometres": "km",
		"kilometer": "km", "kilos": "kg", "kilograms": "kg", "litres": "l", "liters": "l", "liter": "l", "hectares": "ha", "hektar": "ha",
		"tonnes": "t", "tonnen": "t"}[word]
}

// money returns the one field with money, that of an amount first.
func (r *relation) money() *field {
	is := func(f *field) bool {
		return f.numeric() && (f.has([]string{"eur", "usd", "chf", "gbp"}) ||
			slices.ContainsFunc(f.words, func(w string) bool {
				return alike(w, "amount") || alike(w, "price") || alike(w, "salary") || alike(w, "revenue") || alike(w, "rent")
			}))
	}
	if f := r.only(is); f != nil {
		return f
	}
	return r.only(func(f *field) bool {
		return is(f) && slices.ContainsFunc(f.words, func(w string) bool {
			return w == "total" || w == "amount" || w == "betrag" || w == "gesamt" || w == "sum" || w == "summe"
		})
	})
}

// counterparts are words of names that are compared: what there is, with what should be.
var counterparts = []struct{ should, is string }{
	{"reorder minimum min mindestbestand meldebestand threshold mindest",
		"stock bestand lagerbestand quantity qty hand inventory menge available"},
	{"planned plan budget target soll estimated estimate ansatz", "actual ist real spent amount betrag cost"},
	{"actual ist real", "planned plan budget target soll estimated ansatz"},
	{"maximum max capacity", "quantity occupied participants booked registered anmeldungen teilnehmer"},
	{"due deadline fällig", "paid delivered returned finished bezahlt date"},
}

// other returns the numeric field that is compared with another: the one that is named before
// the comparison, or its usual counterpart.
func (r *reading) other(op int, right *field) (*field, int) {
	for k := op - 1; k >= 0; k-- {
		m := r.near[k]
		if m.f != nil && m.f != right && !m.f.id && m.f.Kind() == right.Kind() && !r.used[k] &&
			(m.worth >= byPart || m.f.moment() && !m.f.planned()) {
			return m.f, k
		}
	}
	if len(right.units) > 0 {
		same := r.only(func(f *field) bool {
			return f != right && f.Kind() == right.Kind() && len(f.units) > 0 && f.units[0] == right.units[0]
		})
		if same != nil {
			return same, op
		}
	}
	for _, c := range counterparts {
		if right.has(strings.Fields(c.should)) {
			if f := r.of(c.is, func(f *field) bool { return f.Kind() == right.Kind() && f != right }); f != nil {
				return f, op
			}
		}
	}
	return nil, 0
}
