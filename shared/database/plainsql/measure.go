package plainsql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/wording"
)

// one makes a number of "an hour" and "half an hour" at i, and returns where it stands.
func (r *reading) one(i int) int {
	size := "1"
	at := i
	if r.is(at, "half", "halbe", "halben") {
		size = "0.5"
		at++
	}
	if r.is(at, "a", "an", "one", "ein", "eine", "einer", "einem", "einen") {
		at++
	}
	if at == i || at >= len(r.tokens) || lexicon.Sizes[r.word(at)].Size == 0 || r.near[at].worth >= byAll ||
		at+1 < len(r.tokens) && r.tokens[at+1].Text == "'" { // a month's rent
		return i
	}
	r.tokens[at-1] = wording.Token{Kind: wording.Number, Text: size}
	for k := i; k < at-1; k++ {
		r.used[k] = true
	}
	return at - 1
}

// measured returns a number as a field has it, whose unit may be another: an hour is 60 minutes; and
// whether the unit was another one.
func (r *reading) measured(at int, f *field) (string, bool) {
	number := r.tokens[at].Text
	asked := lexicon.Sizes[r.word(at+1)]
	has, ok := f.Unit()
	if !ok || asked.Kind != has.Kind || asked.Size == has.Size {
		return number, false
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return number, false
	}
	return strconv.FormatFloat(n*asked.Size/has.Size, 'f', -1, 64), true
}

// splitThan reads "fewer bottles left than" at i: the sign, the field that is compared, and where the
// comparison ends; no field where that does not stand there.
func (r *reading) splitThan(i int) (sign string, f *field, end int) {
	switch {
	case r.is(i, "more", "higher", "greater", "mehr"):
		sign = ">"
	case r.is(i, "fewer", "less", "lower", "weniger"):
		sign = "<"
	default:
		return "", nil, 0
	}
	m := mention{}
	if r.is(i-1, "many", "much") && r.is(i-2, "how") {
		return "", nil, 0 // the difference is asked for
	}
	if i+1 < len(r.tokens) {
		m = r.near[i+1]
	}
	if m.f == nil || !m.f.Numeric() {
		return "", nil, 0
	}
	for k := i + 1 + m.words; k < len(r.tokens) && k <= i+5; k++ {
		if r.is(k, "than", "als") {
			return sign, m.f, k + 1
		}
		if !lexicon.Neutral[r.word(k)] {
			break
		}
	}
	return "", nil, 0
}

// unitOf returns the field with numbers whose unit, or whose thing, the word at i is one of: hectares of an
// area, bottles; nil if none or several have it.
func (r *reading) unitOf(i int) *field {
	w := r.word(i)
	if w == "" {
		return nil
	}
	return r.Only(func(f *field) bool {
		return f.Additive() && !f.Made && !f.Counter && (slices.Contains(f.Units, w) ||
			lexicon.Short(w) != "" && slices.Contains(f.Units, lexicon.Short(w)) ||
			lexicon.Short(w+"s") != "" && slices.Contains(f.Units, lexicon.Short(w+"s")))
	})
}

// inside reports whether the word at i belongs to a name that begins before it.
func (r *reading) inside(i int) bool {
	for k := range i {
		if m := r.near[k]; m.f != nil && k+m.words > i {
			return true
		}
	}
	return false
}

// perOf returns the field with numbers that are for one of what the word at i says: "price_per_crate",
// "Stundenlohn"; nil if none or several are.
func (r *reading) perOf(i int) *field {
	w := r.word(i)
	if len(w) < 3 {
		return nil
	}
	return r.Only(func(f *field) bool {
		return f.Numeric() && (f.IsPer(w) ||
			len(w) >= lexicon.LeastPart && len(f.Words) == 1 && strings.HasPrefix(f.Words[0], w) && len(f.Words[0]) >= len(w)+lexicon.LeastPart &&
				!f.Additive())
	})
}

// firstYear is the first number that a year may be.
const firstYear = 1000

// lasts reports whether a field holds spans of time, or ages.
func (r *reading) lasts(f *field) bool {
	u, ok := f.Unit()
	spans := func(w string) bool {
		return strings.HasSuffix(w, "stunden") || strings.HasSuffix(w, "tage") || strings.HasSuffix(w, "minuten") ||
			strings.HasSuffix(w, "dauer")
	}
	return ok && (u.Kind == "time" || u.Kind == "span") || f.Made || slices.ContainsFunc(f.Words, spans) ||
		f.Has(strings.Fields(lexicon.Lasting+" age alter wait waiting delay verspätung term frist"))
}

// product finds "quantity times price", "price minus cost", and what is usually such a product.
func (r *reading) product() bool {
	if r.contrast != nil {
		return true
	}
	if r.at(0, "how much more")+r.at(0, "how many more") > 0 && r.says("than") && r.differs(3) {
		r.take(0, 3)
		for k, t := range r.tokens {
			r.used[k] = r.used[k] || t.Is("than")
		}
		return true
	}
	for i, t := range r.tokens {
		glue, differs := "", r.is(i, "difference", "differenz", "unterschied", "gap") && r.is(i+1, "between", "zwischen")
		if differs {
			if r.spanned {
				return true
			}
			if !r.differs(i + 2) {
				return false
			}
			r.take(i, 2)
			return true
		}
		switch {
		case t.Is("times", "mal") && (i == 0 || r.tokens[i-1].Kind == wording.Number || lexicon.NumberOf(r.word(i-1)) > 0): // how often
		case t.Is("times", "mal", "multiplied") || t.Text == "*" || t.Text == "×":
			glue = " * "
		case t.Is("plus") || t.Text == "+":
			glue = " + "
		case t.Is("minus") || t.Is("less") && r.word(i+1) != "than":
			glue = " - "
		}
		if glue == "" || i == 0 {
			continue
		}
		next := i + 1
		for lexicon.Neutral[r.word(next)] && r.near[next].f == nil {
			next++
		}
		if next >= len(r.tokens) {
			continue
		}
		right := r.near[next]
		var left mention
		for from := max(0, i-3); from < i; from++ {
			if m := r.near[from]; m.f != nil && from+m.words == i && m.worth > left.worth {
				left = m
			}
		}
		if left.f == nil || right.f == nil || !left.f.Numeric() || !right.f.Numeric() || left.f == right.f ||
			left.f.Share() && (glue != " * " || !left.f.Percent()) || right.f.Share() && (glue != " * " || !right.f.Percent()) {
			return glue == " - " || glue == " + "
		}
		r.measures, r.glue = []*field{left.f, right.f}, glue
		r.take(i-left.words, next+right.words-(i-left.words))
		for k, o := range r.tokens { // what the product is called says nothing more
			if r.used[k] || o.Kind != wording.Word || k > i {
				continue
			}
			money := lexicon.Alike(o.Low, "quantity") && r.near[k].f == nil || lexicon.Alike(o.Low, "amount") || lexicon.Alike(o.Low, "revenue") ||
				lexicon.Alike(o.Low, "price") || o.Is("worth")
			named := r.tokens[max(0, i-left.words-1)].Text == "(" && (o.Text != o.Low == r.german || participle(o.Low)) && r.near[k].f == nil &&
				r.spanWord(o.Low) == "" && lexicon.Extremes[o.Low] == 0 && aggregated[o.Low] == none && !lexicon.Linking[o.Low] &&
				!r.is(k-1, "of", "for", "from", "with", "by", "in", "at", "der", "des", "von", "für", "mit", "bei")
			named = named || r.tokens[max(0, i-left.words-1)].Text == "(" && k == i-left.words-2 && r.near[k].f == nil && !lexicon.Negating[o.Low]
			if m := r.near[k]; m.f == left.f || m.f == right.f || money || named && !lexicon.Grouping[o.Low] && !lexicon.Grouping[r.word(k-1)] &&
				k < i && !lexicon.Negating[o.Low] {
				r.used[k] = true
			}
		}
		return true
	}
	r.profits()
	r.revenue()
	return true
}

// revenue finds what is usually a product: what was earned, what the stock is worth.
func (r *reading) revenue() {
	for i, t := range r.tokens {
		w := lexicon.Stem(t.Low)
		made := r.is(i, "money", "geld") && (r.money() == nil || !r.money().Additive()) &&
			r.says("make", "made", "earn", "earned", "take", "took", "bring", "brought", "verdient", "eingenommen")
		if t.Kind != wording.Word || r.near[i].f != nil && r.near[i].worth >= byPart || !lexicon.Earned[w] && !made &&
			!r.is(i, "worth", "warenwert", "lagerwert",
				"bestandswert") && !(r.is(i, "value", "wert") && (r.is(i-1, "stock", "inventory") || r.is(i+1, "of", "des", "unseres") &&
			(r.is(i+2, "stock", "inventory", "lagers", "bestands") || r.is(i+3, "stock", "inventory", "lagers", "bestands")))) {
			continue
		}
		if r.Of("amount total sum revenue sales turnover betrag umsatz summe gesamt", (*field).Numeric) != nil {
			continue // told by a column of its own
		}
		amounts := "quantity qty menge anzahl pieces units stück count bottles flaschen crates boxes cases litres hours stunden std hr h nights nächte"
		if !lexicon.Earned[w] && !made {
			amounts += " stock bestand hand lagerbestand" // what is there was not sold
		}
		quantity := r.priced()
		if sold := r.Of("sold verkauft", (*field).Additive); quantity == nil && lexicon.Earned[w] && sold != nil && !r.Paying(sold) {
			quantity = sold
		}
		if (lexicon.Earned[w] || made) && quantity != nil && quantity.Has(stocked) {
			quantity = nil // what is there was not sold
		}
		if quantity == nil {
			quantity = r.Of(amounts, func(f *field) bool { return f.Additive() && !f.Planned() })
		}
		if quantity == nil {
			quantity = r.Only(func(f *field) bool {
				return f.Additive() && !f.Made && !r.Paying(f) && !((lexicon.Earned[w] || made) && f.Has(stocked)) && !f.Planned() &&
					!f.Has(strings.Fields("seat lexicon.Seats capacity plätze bed beds room lexicon.Rooms age alter level size weight gewicht mass length width"))
			})
		}
		price := r.Of("price preis rate cost satz stundensatz tagessatz stundenlohn einzelpreis stückpreis fee", func(f *field) bool {
			return f.Numeric() && !(lexicon.Earned[w] && f.Has(strings.Fields("purchase cost einkauf einkaufspreis ek buying")))
		})
		if quantity == nil || price == nil || quantity == price || quantity.Made && !price.Daily() {
			continue // nothing is paid for each day that it takes
		}
		r.measures, r.glue = []*field{quantity, price}, " * "
		r.used[i] = true
		if r.is(i-1, "stock", "inventory") {
			r.used[i-1], r.near[i-1] = true, mention{}
		}
	}
}

// priced returns the field with amounts in the unit that a price is per: tonnes of a price per tonne; nil without.
func (r *reading) priced() *field {
	price := r.Only(func(f *field) bool {
		return f.Numeric() && len(f.Per) > 0 && f.Has(strings.Fields("price preis cost kosten rate"))
	})
	if price == nil {
		return nil
	}
	return r.Only(func(f *field) bool {
		return f.Additive() && slices.ContainsFunc(price.Per, func(p string) bool {
			return f.HasUnit(p) || slices.Contains(f.Units, p) || slices.Contains(f.Units, lexicon.Short(p))
		})
	})
}

// stocked are parts of names of columns that say how much there is.
var stocked = strings.Fields("stock hand bestand lagerbestand inventory vorrat available verfügbar")

// profits finds what is earned, of a price and what something cost.
func (r *reading) profits() {
	for i := range r.tokens {
		if !r.is(i, "profit", "profits", "margin", "margins", "gewinn", "marge", "rohertrag") || r.near[i].f != nil || r.used[i] {
			continue
		}
		price := r.Of("price preis sale verkaufspreis vk revenue erlös", (*field).Numeric)
		cost := r.Of("cost kosten einkaufspreis ek einkauf purchase", func(f *field) bool { return f.Numeric() && f != price })
		if price == nil || cost == nil {
			return
		}
		r.measures, r.glue, r.used[i] = []*field{price, cost}, " - ", true
		return
	}
}

// differs finds the two fields whose difference is asked for, from i on.
func (r *reading) differs(i int) bool {
	var found []*field
	var at []int
	for k := i; k < len(r.tokens) && len(found) < 2; k++ {
		m := r.near[k]
		if m.f == nil || !m.f.Numeric() || m.worth < byPart || r.used[k] {
			continue
		}
		if !slices.Contains(found, m.f) {
			found = append(found, m.f)
		}
		at = append(at, k)
	}
	if len(found) != 2 {
		return false
	}
	for _, k := range at {
		r.take(k, r.near[k].words)
	}
	r.measures, r.glue, r.agg, r.apartBy = found, " - ", sum, true
	return true
}

// contrast is what two parts of the rows have in common, and are compared by: two values of a field, or two times.
type contrast struct {
	of            *field
	names, wheres [2]string
	sign          string // of the first and the second; empty where the difference is asked for
	either        bool   // whichever has more
}

// contrasts finds two parts that are compared: "more in 2025 than in 2024", "the difference between Oslo and Bergen".
func (r *reading) contrasts() {
	sign, at, parted := r.contrasted()
	if at < 0 {
		return
	}
	type part struct {
		f           *field
		where, name string
		at, n       int
	}
	var before, after []part
	for i := 0; i < len(r.tokens); i++ {
		f, where, name, n := r.partAt(i)
		switch {
		case n == 0:
			continue
		case i < parted && parted-i <= farthest+n:
			before = append(before, part{f, where, name, i, n})
		case i > parted && i <= parted+farthest:
			after = append(after, part{f, where, name, i, n})
		}
		i += n - 1
	}
	c, taken := &contrast{sign: sign, either: sign == ""}, make([]bool, len(r.tokens))
	for _, b := range before { // the first that has its like behind
		at := slices.IndexFunc(after, func(a part) bool { return a.f == b.f })
		if at < 0 || c.of != nil {
			continue
		}
		a := after[at]
		c.of, c.wheres, c.names = b.f, [2]string{b.where, a.where}, [2]string{b.name, a.name}
		for _, p := range []part{a, b} {
			for k := p.at; k < p.at+p.n; k++ {
				taken[k] = true
			}
		}
	}
	if c.of == nil || c.names[0] == c.names[1] {
		return
	}
	for i := range taken {
		taken[i] = taken[i] || i == at || i == parted || sign == "" && r.is(i, "between", "zwischen", "sich")
		r.used[i] = r.used[i] || taken[i]
		if taken[i] {
			r.near[i] = mention{}
		}
	}
	if sign != "" && !r.asksFor() {
		c.sign = "" // how much more
		if sign == "<" {
			c.names[0], c.names[1], c.wheres[0], c.wheres[1] = c.names[1], c.names[0], c.wheres[1], c.wheres[0]
		}
	}
	if q := r.likened; q != nil && r.wanting() && !slices.ContainsFunc(r.near, func(m mention) bool { return m.f != nil && m.f.Numeric() }) {
		if !r.takes(r.Of(q.Of, (*field).Numeric)) {
			return
		}
	}
	r.contrast = c
	r.score += byHead
}

const farthest = 6 // words between a part and what parts it from the other

// contrasted returns how two parts are compared, where that is said, and the word between them; at is -1 where nothing
// is compared.
func (r *reading) contrasted() (sign string, at, parted int) {
	for i := range r.tokens {
		link := []string{"than", "als"}
		switch {
		case r.is(i, "more", "higher", "mehr", "höher", "höhere", "longer", "länger"):
			sign = ">"
		case r.is(i, "less", "fewer", "lower", "weniger", "niedriger", "geringer", "shorter"):
			sign = "<"
		case r.is(i, "difference", "differ", "unterschied", "differenz", "unterscheidet", "unterscheiden"):
			sign, link = "", []string{"and", "und", "to"}
		default:
			q, ok := lexicon.QualityOf(r.word(i), lexicon.MoreEndings...)
			if !ok || q.Of == "" || i+1 >= len(r.tokens) {
				continue
			}
			sign, r.likened = map[int]string{1: ">", -1: "<"}[q.Way], &q
		}
		for k := i + 1; k < len(r.tokens); k++ {
			if r.is(k, link...) || r.is(k, "or", "oder") && wording.IsYear(r.tokens[min(k+1, len(r.tokens)-1)]) &&
				r.is(0, "did", "do", "was", "were",
					"has", "have",
					"is", "hat", "haben", "war", "waren", "wurde", "ist") {
				return sign, i, k
			}
		}
	}
	return "", -1, -1
}

// partAt returns the part of the rows that the words at i name: the condition, and what it is called.
func (r *reading) partAt(i int) (f *field, where, name string, n int) {
	if s, month, words := r.spanAt(i); words > 0 && (month == 0 || r.dialect == database.SQLite) && !(wording.IsYear(r.tokens[i]) &&
		words == 1 &&
		!r.inTime(i) && !r.is(i-1, "than", "als", "and", "und")) && r.dayField(i) != nil {
		if f = r.dayField(i); month > 0 && i+words < len(r.tokens) && r.is(i+words, "to", "bis", "through") {
			return nil, "", "", 0
		}
		if month > 0 {
			return f, fmt.Sprintf("strftime('%%m', %s) = '%02d'", f.SQL, month), r.tokens[i].Text, words
		}
		var said []string
		for _, t := range r.tokens[i : i+words] {
			said = append(said, t.Text)
		}
		return f, s.holds(f.SQL), strings.Join(said, " "), words
	}
	if t := r.tokens[i]; t.Kind == wording.Word && (lexicon.Linking[t.Low] || lexicon.Negating[t.Low]) {
		return nil, "", "", 0
	}
	for k := range r.Fields {
		o := &r.Fields[k]
		if o.Kind() != database.Textual || o.Yes != "" {
			continue
		}
		if v, words := wording.ValueAt(r.tokens, i, o.Column); words > n {
			f, where, name, n = o, o.SQL+" = "+r.dialect.QuoteText(v), v, words
		} else if words > 0 && words == n {
			return nil, "", "", 0
		}
	}
	for _, o := range []*field{r.title(), r.people()} {
		if n > 0 || o == nil {
			continue
		}
		if v, words := r.calledInPart(i, o); words > 0 {
			f, where, name, n = o, o.SQL+" = "+r.dialect.QuoteText(v), v, words
		}
	}
	for k := range r.Fields {
		o := &r.Fields[k]
		if t := r.tokens[i]; n > 0 || o.Kind() != database.Textual || o.Yes != "" || t.Kind != wording.Word || len(t.Low) <= lexicon.LeastPart {
			continue
		}
		if v, words := r.inflected(i, o); words > 0 && r.near[i].f == nil {
			f, where, name, n = o, o.SQL+" = "+r.dialect.QuoteText(v), v, words
		}
	}
	return f, where, name, n
}

// calledInPart returns the one name of a row that the words at i are a part of, if they have no other role: "lentils" of "Lentils,
// cooked".
func (r *reading) calledInPart(i int, title *field) (called string, n int) {
	t := r.tokens[i]
	if t.Kind != wording.Word || len(t.Low) < lexicon.LeastPart || lexicon.Neutral[t.Low] || lexicon.MeasureWords[t.Low] ||
		r.near[i].f != nil || lexicon.Among(r.Nouns, t.Low) || title.Repeats {
		return "", 0
	}
	for _, v := range title.Values {
		words := wording.Split(v)
		at := slices.IndexFunc(words, func(w wording.Token) bool { return w.Low == t.Low })
		if at < 0 {
			continue
		}
		if called != "" {
			return "", 0
		}
		called, n = v, 1
		for at >= 0 && i+n < len(r.tokens) && r.tokens[i+n].Kind == wording.Word {
			words = words[at+1:]
			if at = slices.IndexFunc(words, func(w wording.Token) bool { return w.Low == r.tokens[i+n].Low }); at >= 0 {
				n++
			}
		}
	}
	return called, n
}

// asksFor reports whether the question asks who, or which of something.
func (r *reading) asksFor() bool {
	return r.is(0, "which", "who", "wer") ||
		slices.ContainsFunc(r.tokens[:min(3, len(r.tokens))], func(t wording.Token) bool { return strings.HasPrefix(t.Low, "welche") })
}

// signs measures what was spent by the negative amounts of a column that has both, and what came in by the positive ones.
func (r *reading) signs() {
	if len(r.measures) != 1 || !r.measures[0].Signed || r.filtered(r.measures[0]) {
		return
	}
	f := *r.measures[0]
	switch {
	case r.saysAny(lexicon.Outgoing):
		r.where = append(r.where, condition{SQL: f.SQL + " < 0", Of: &f})
		f.SQL = "(-" + f.SQL + ")"
		r.measures[0] = &f
	case r.saysAny(lexicon.Incoming):
		r.where = append(r.where, condition{SQL: f.SQL + " > 0", Of: &f})
	}
}

// pointless reports whether the rows of what each has one row of are counted, to find which has the most, or the biggest day is asked for.
func (r *reading) pointless() bool {
	if len(r.measures) == 1 && r.measures[0].Moment() && r.quality != nil && r.quality.Of == r.sizes() {
		return true // no day is big
	}
	f := r.entity
	return f != nil && r.way != 0 && len(r.measures) == 0 && !r.Joined && r.often && (f == &r.Fields[0] || r.Calls(f)) && r.Unique(f)
}

// otherDay reports whether a field is a day, and rows are asked for by another day: which jabs are due, not when they were given.
func (r *reading) otherDay(f *field) bool {
	return f.Moment() && !r.when && slices.ContainsFunc(r.where, func(c condition) bool { return c.Day && c.Of != f })
}

// pays reads at i how much something costs or somebody pays, to the penny, and reports whether that stands there.
func (r *reading) pays(i int) bool {
	if r.tokens[i].Kind != wording.Number || r.used[i] {
		return false
	}
	marked, at := r.inMoney(i), i-1
	for at > 0 && (slices.Contains(lexicon.Currencies, r.tokens[at].Text) || r.is(at, "exactly", "just", "genau")) {
		at--
	}
	named := at > 0 && r.is(at, "of", "von") && r.near[at-1].f != nil && r.Paying(r.near[at-1].f) &&
		(i+1 == len(r.tokens) || r.tokens[i+1].Text != "-")
	verb := named || lexicon.Costing[r.word(at)]
	if r.is(i+1, "or", "and", "to", "oder", "und", "bis") || r.is(0, "how", "wie") && r.is(1, "much", "viel") ||
		!verb && !(marked && r.is(at, "of", "at", "for", "with", "von", "für", "mit")) || wording.IsYear(r.tokens[i]) && !marked {
		return false
	}
	f := r.money()
	for k := at; k >= 0 && k >= at-2; k-- {
		if m := r.near[k]; m.f != nil && m.f.Numeric() && m.worth >= byPart {
			f = m.f
			r.take(k, m.words)
		}
	}
	if f == nil || f.ID || f.Made {
		return false
	}
	r.where = append(r.where, condition{SQL: f.SQL + " = " + r.tokens[i].Text, Of: f})
	r.used[at], r.used[i] = r.used[at] || verb, true
	r.unit(i+1, f)
	r.score += byPart
	return true
}
