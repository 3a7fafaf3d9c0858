package plainsql

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/wording"
)

// settle gives what has no role yet the one that the rest leaves, each step where those before left nothing to
// measure.
func (r *reading) settle() {
	r.untotal()
	r.unspend()
	r.converts()
	if f := r.apiece(); f != nil && (r.wanting() || len(r.measures) == 1 && r.measures[0] == r.money()) && r.agg != average && r.way == 0 {
		r.measures, r.agg, r.amount = []*field{f}, none, false
	}
	if len(r.measures) > 1 && r.glue == "" && (r.agg == none || r.agg == sum) && r.way == 0 &&
		r.says("together", "combined", "zusammen", "insgesamt") {
		r.agg = sum
	}
	if r.who && len(r.where) == 0 && r.wanting() && r.way == 0 && r.agg == none && len(r.shown) == 1 && r.shown[0].Text() &&
		r.is(1, "are", "is", "sind", "ist") && r.subject() != r.shown[0] {
		c := r.shown[0].Filled()
		c.Of = r.shown[0]
		r.where = append(r.where, c) // who are the volunteers
	}
	if r.who && r.wanting() && r.way == 0 && r.agg == none && len(r.shown) == 1 && r.shown[0].Yes != "" && !r.filtered(r.shown[0]) &&
		r.is(1, "are", "is", "sind", "ist") {
		r.where = append(r.where, condition{SQL: r.shown[0].SQL + " = " + r.shown[0].Yes, Of: r.shown[0]}) // who are the trainers
		r.shown = nil
	}
	if rank := r.Of(rankNames, func(f *field) bool { return f.Kind() == database.Numeric }); rank != nil && r.wanting() && r.way > 0 &&
		r.quality == nil && r.agg == none && (r.rowNoun || r.entity != nil) && r.says("top", "best", "beste", "besten") &&
		!r.saysAny(lexicon.Paying) {
		place := *rank
		place.ID = false
		r.takes(&place) // the best are those who came first
		r.way = -1
	}
	r.settleSize()
	r.settleEvents()
	r.settleLeft()
	if r.Wide && r.wanting() && (r.agg != count || r.countsValue()) {
		r.takes(r.Only(func(f *field) bool { return f.Numeric() && !f.Fixed }))
		if r.agg == count {
			r.agg = sum // how many mugs
		}
	}
	if used := func(f *field) bool { return f.Additive() && !f.Planned() && !f.Made }; r.way != 0 && r.wanting() && r.entity != nil &&
		r.saysAny(lexicon.Used) {
		r.takes(cmp.Or(r.Of("consumption usage used verbrauch amount menge quantity qty", used), r.Only(used))) // not how many times
	}
	r.settleQuotient()
	r.settleTime()
	r.settleAdjective()
	r.settleEntity()
	if (r.median || r.agg == average) && r.way == 0 && r.by == nil && r.entity != nil && r.whatIs() && r.Unique(r.entity) {
		r.entity = nil // the average invoice amount is of all invoices
	}
	if f := r.by; f != nil && r.top > 0 && r.wanting() && r.bySpan == "" && f.Numeric() && !f.ID {
		r.takes(f) // the top three by price
		r.by, r.rowNoun = nil, true
	}
	r.settleRows()
	r.settleAmount()
	r.settleDeed()
	r.settleMoney()
	r.settleProducts()
	r.settleEarned()
	r.settleDuty()
	if r.wanting() && r.way != 0 && r.quality == nil && (r.who && r.saysAny(lexicon.Frequent) || r.entity != nil && !r.Unique(r.entity) &&
		r.doneTo()) {
		r.rowNoun = true // who reads the most
	}
	r.settleOnly()
	r.settleCosts()
	r.settleUnits()
	r.settleYear()
	if r.which && len(r.measures) > 0 && !slices.ContainsFunc(r.measures, func(f *field) bool { return !f.Moment() }) {
		r.measures, r.rowNoun = nil, true // rows are counted, not a day of theirs
	}
}

// takes measures a field, if there is one.
func (r *reading) takes(f *field) bool {
	if f == nil {
		return false
	}
	r.measures = []*field{f}
	return true
}

// settleSize finds what "how big" asks for, in a column of its own rather than in one that is made of others.
func (r *reading) settleSize() {
	if r.how == nil || !r.wanting() || r.agg != average && (r.agg != none || len(r.where) == 0 || r.way != 0) {
		return
	}
	written := func(f *field) bool { return f.Numeric() && !f.Made }
	if !r.takes(r.Of(r.how.Of, written)) && !r.takes(r.Of(r.how.Of, (*field).Numeric)) && strings.HasPrefix(r.how.Of, "age ") {
		r.takes(r.age())
	}
	if r.how.Of == lexicon.Lasting && r.wanting() {
		r.takes(r.Of(lexicon.Ways, (*field).Numeric))
	}
}

// settleQuotient makes differences and ratios: the most over budget, the yield per hectare.
func (r *reading) settleQuotient() {
	if r.agg == count && len(r.measures) == 2 && r.glue == " * " {
		r.agg = sum // how many nights, people times nights
	}
	if r.way != 0 && r.gap != nil && r.wanting() && (r.quality == nil || r.quality.Of == r.sizes()) {
		r.measures, r.glue, r.quality = r.gap, " - ", nil
		r.way = 1
	}
	if len(r.measures) == 2 && r.glue == "" && r.measures[0].Share() != r.measures[1].Share() && r.agg == sum {
		if r.measures[0].Percent() || r.measures[1].Percent() {
			r.glue = " * " // the commission on the prices
		} else {
			r.unclear = true // rates are not summed
		}
	}
	if r.per != nil && len(r.measures) == 1 && r.measures[0] != r.per && (r.measures[0].Additive() || len(r.per.Units) > 0 && r.dates() &&
		r.Paying(r.measures[0]) && r.measures[0].Summable()) {
		r.measures, r.glue = append(r.measures, r.per), " / "
		if r.agg == count {
			r.agg = none
		}
	} else if r.per != nil {
		r.unclear = true // nothing that is divided by it
	}
}

// settleTime finds the day by which something is the first or the last.
func (r *reading) settleTime() {
	timely := func(f *field) bool { return f.Moment() || f.OfYears() }
	if r.temporal && r.way != 0 && r.top == 0 && !slices.ContainsFunc(r.measures, timely) {
		r.measures = nil
		f := r.Only((*field).Moment)
		if f != nil && f.Has(strings.Fields(lexicon.Births)) && r.quality == nil && !r.says("born", "geboren") {
			r.unclear = true // when it was here last, not when it was born
		}
		if f == nil {
			f = r.Of("date datum day tag issued created ordered opened received reported", func(f *field) bool {
				return f.Moment() && !f.Has(strings.Fields("due deadline fällig")) && (len(f.Words) == 1 || !f.Has([]string{"date", "datum"}))
			})
		}
		if f == nil {
			f = r.Began()
		}
		if r.quality == nil || r.quality.Of == "" {
			r.unclear = !r.takes(f) || r.unclear // of which time is not said
			r.implied = r.implied || r.whatIs()  // the last thing, not only when it was
		}
	}
	if r.says("most", "fewest", "meisten", "wenigsten") && !r.temporal && r.quality == nil && len(r.measures) == 1 &&
		r.measures[0].Moment() &&
		r.bySpan == "" && (r.rowNoun || len(r.where) > 0 || r.entity != nil && r.measures[0].Event()) {
		if f := r.measures[0]; f.Event() {
			r.where = append(r.where, condition{SQL: f.SQL + " IS NOT NULL", Of: f})
		}
		r.measures = nil // who opened the most, not last
		r.rowNoun = !r.takes(r.done()) || r.rowNoun
	}
	if r.often && len(r.measures) == 1 && r.measures[0].Moment() && r.quality == nil {
		r.measures = nil // who did it most often, not last
	}
}

// settleAdjective finds what the most of an adjective is measured by: the age, the price, the year of the oldest.
func (r *reading) settleAdjective() {
	q := r.quality
	if q == nil {
		return
	}
	if big := lexicon.Qualities["big"]; q.Of == lexicon.Thick && r.Of(lexicon.Thick, (*field).Numeric) == nil {
		q, r.quality = &big, &big // the fattest item of all is the biggest
	}
	if made := r.Only(func(f *field) bool { return f.Made && f.Numeric() }); q.Of == lexicon.Lasting && made != nil &&
		len(r.measures) == 1 &&
		r.measures[0].Moment() {
		r.measures = []*field{made} // what takes longest to sell
	}
	if q.Of == lexicon.Priced && len(r.measures) == 1 && r.measures[0].Moment() {
		r.measures = nil // "the most expensive one to buy"
	}
	others := r.besides(q)
	if others != nil {
		r.measures = nil // how many visits the oldest has: it is the oldest by its age
	}
	if r.wanting() {
		r.implied = true
		if q.Of == r.sizes() && r.Of(q.Of, (*field).Numeric) == nil {
			return // the biggest customers are told by money
		}
		if f := r.money(); q.Of == lexicon.Priced && f != nil && f.Additive() && r.Of(q.Of, (*field).Numeric) == nil && r.takes(f) {
			return // the most expensive order has the highest total
		}
		r.unclear = r.unclear || q.Of == lexicon.Priced && r.prices() > 1 // of which price is not said
		switch {
		case q.Of == lexicon.Qualities["fast"].Of && r.Of(q.Of, (*field).Numeric) == nil:
			r.takes(r.Of("time zeit laufzeit duration dauer", (*field).Numeric)) // the fastest takes least time
			r.way = -r.way
		case q.Of == lexicon.Lasting && r.stays() && r.takes(r.Of(lexicon.Entries, entered)):
		case r.takes(r.Of(q.Of, func(f *field) bool {
			return f.Numeric() && !(f.Made && r.stays() && (r.Of(lexicon.Entries, (*field).Moment) != nil || !r.says("stayed")))
		})):
		case q.Backwards && r.takes(r.Of(lexicon.Births+" geburtsjahr", func(f *field) bool { return f.Numeric() && r.beside(f) })):
			r.way = -r.way
		case q.Dates != "" && (r.things() || r.Of(q.Dates, r.tells) == nil) &&
			r.takes(r.Of("year built jahr baujahr vintage jahrgang planted pflanzjahr", r.tellsAge)):
			if q.Backwards {
				r.way = -r.way
			}
		case r.takes(r.Of(q.Dates, r.tells)):
		case q.Of == lexicon.Lasting:
			if r.takes(r.Of(lexicon.Ways, (*field).Numeric)) {
				return
			}
			if p := r.people(); p == nil || r.entity != nil && r.entity != p && !r.entity.Label() {
				return // a course is not as long as it is since it began
			}
			r.takes(r.Of(lexicon.Entries, (*field).Moment))
		}
	}
	if len(r.measures) == 1 && !r.implied && q.Backwards && r.measures[0].Numeric() &&
		(r.measures[0].OfYears() || r.measures[0].Has(strings.Fields(lexicon.Births))) {
		r.way = -q.Way // the oldest vintage has the least number
	}
	began := func(f *field) bool { return f.Moment() || r.implied && q.Of == lexicon.Lasting && f.OfYears() }
	if len(r.measures) == 1 && began(r.measures[0]) && (q.Backwards || q.Dates == "") {
		r.way = -q.Way // the oldest, and who is there longest, came first
	}
	if others != nil {
		r.shown, r.unclear = append(r.shown, others...), r.unclear || r.wanting() || r.by != nil || r.entity != nil && !r.Unique(r.entity)
	}
}

// entered reports whether a field tells the day or the year in which something began.
func entered(f *field) bool { return f.Moment() || f.OfYears() }

// stays reports whether the question asks for how long somebody has been with those who keep the table.
func (r *reading) stays() bool {
	p := r.people()
	return p != nil && (r.who || r.entity == p) && r.says("been", "here", "us", "served", "stayed", "dabei", "member", "mitglied",
		"employed",
		"beschäftigt", "angestellt", "firma", "verein", "betrieb", "haus")
}

// settleEntity finds of what the most is asked for: "what sold most".
func (r *reading) settleEntity() {
	if r.way == 0 || r.entity != nil || r.by != nil {
		return
	}
	if (!r.rowNoun || r.often) && r.is(0, "what", "was") && !r.whatIs() {
		for i := range r.Fields {
			if f := &r.Fields[i]; f.Text() && f.Has(lexicon.LabelFields) {
				r.entity = f
				return
			}
		}
	}
	if r.entity == nil && !r.whatIs() && r.is(0, "what", "was", "wofür") && r.saysAny(lexicon.Spending) {
		r.entity = r.Of("kostenart ausgabenart kategorie category warengruppe type art zweck purpose verwendungszweck", (*field).Text)
		r.takes(r.money())
	}
	if len(r.shown) == 1 && r.shown[0].Text() {
		r.entity, r.shown = r.shown[0], nil
	}
}

// settleRows finds by which day rows are the first: "the first order".
func (r *reading) settleRows() {
	if r.way != 0 && r.wanting() && r.rowNoun && r.entity == nil && r.by == nil && r.quality == nil {
		r.takes(r.Of("date datum day tag", (*field).Moment))
	}
}

// settleAmount finds what "how much" asks for: money, else the one column that can be summed.
func (r *reading) settleAmount() {
	for i := range r.tokens { // how much fuel, where it is told which
		if r.is(i, "much") && r.is(i-1, "how") && i+1 < len(r.tokens) && r.near[i+1].f != nil && r.near[i+1].f.Text() && r.wanting() &&
			(r.near[i+1].worth >= byHead || !lexicon.Among(r.Own, r.word(i+1))) {
			r.unclear = true
		}
	}
	if r.amount && r.agg == none && len(r.measures) == 1 && r.Paying(r.measures[0]) && r.measures[0].Summable() && len(r.where) > 0 &&
		r.says("all", "together", "total", "altogether", "insgesamt", "zusammen", "alle") && r.way == 0 {
		r.agg = sum // all laptops
	}
	everything := r.says("all", "raised", "collected", "bisher", "alle", "together", "zusammen", "altogether", "insgesamt") &&
		len(r.where) == 0 && r.by == nil &&
		!slices.ContainsFunc(r.shown, func(f *field) bool { return !f.Text() })
	if everything && r.amount && r.agg == none { // what all of them cost together
		if len(r.measures) == 1 || r.wanting() && len(r.shown) == 1 && r.shown[0] == &r.Fields[0] && !r.Joined {
			r.shown = nil
		}
	}
	if r.amount && r.agg == none && len(r.measures) == 1 && r.measures[0].Additive() && len(r.where) == 0 && len(r.shown) == 0 &&
		r.entity == nil && r.way == 0 && !r.share {
		r.agg = sum
	}
	if !r.wanting() || len(r.where) == 0 && r.contrast == nil && !(everything && len(r.shown) == 0 && r.groupBy() == "" && r.amount) ||
		r.way != 0 || r.share &&
		r.agg != sum {
		return
	}
	if (r.amount || r.share && r.agg == sum) && (r.agg == none || r.agg == average || r.agg == sum) {
		if f := r.money(); f != nil && !r.filtered(f) && !r.valued(f) && r.takes(f) {
			if r.agg == none && r.at(0, "how much is the") == 0 && (f.Summable() || len(f.Per) == 0) {
				r.agg = sum
			}
			quantity := r.Of("quantity qty menge pieces units stück anzahl", (*field).Additive)
			if quantity != nil && quantity != f && !f.Additive() && r.agg == sum && r.dates() && !r.priceAsked() &&
				f.Has(strings.Fields("price preis einzelpreis stückpreis cost")) {
				r.measures, r.glue = []*field{quantity, f}, " * " // what was paid for all of it
			}
			return
		}
	}
	if r.amount && r.agg == none && len(r.shown) == 0 && !r.payments() {
		area := strings.Fields("area fläche ha sqm m2 size")
		if r.takes(r.Only(func(f *field) bool { return f.Additive() && !f.Made && !f.Has(area) })) {
			r.agg = sum
		}
	}
}

// valued reports whether a field says what something is worth, which nobody has paid, and is not asked for.
func (r *reading) valued(f *field) bool {
	values := []string{"value", "wert", "worth", "estimate", "schätzwert", "insured", "insurance", "valuation"}
	traded := []string{"net", "gross", "netto", "brutto", "order", "invoice", "sale", "line", "total", "gesamt"}
	return f.Has(values) && !f.Has(traded) && !r.says(values...) && !r.says("valuable", "insured", "wertvoll")
}

// settleDeed finds how much of what a verb says was done: the hours of who worked.
func (r *reading) settleDeed() {
	if f := r.money(); r.wanting() && r.way != 0 && r.bySpan != "" && r.which && r.says("sell", "sells", "sold", "verkauft", "verkaufen") &&
		f != nil &&
		f.Additive() && r.takes(f) {
		r.score += byPart // on which weekday sales are best
		return
	}
	if r.wanting() && r.way != 0 && r.mostOfValue() && r.takes(r.Of("quantity qty menge pieces units stück copies", (*field).Additive)) {
		r.score += byPart
		return
	}
	if !r.wanting() || !(r.way != 0 && !r.rowNoun && r.quality == nil || r.amount || r.how != nil && r.how.Of == lexicon.Lasting) {
		return
	}
	if money, pieces := r.money(), r.Of("quantity qty menge pieces units stück copies", (*field).Additive); r.way != 0 &&
		r.saysAny(lexicon.Trading) && !r.often &&
		money != nil && money.Additive() && pieces != nil && money != pieces && !r.filtered(money) && r.takes(money) {
		r.also = pieces // the most is sold by either
		r.score += byPart
		return
	}
	if r.takes(r.done()) {
		r.score += byPart
	}
}

// done returns the field that says how much of what a verb says was done; nil without.
func (r *reading) done() *field {
	for _, d := range lexicon.Deeds {
		if f := r.Of(d.Of, (*field).Numeric); f != nil && r.says(strings.Fields(d.Verbs)...) {
			return f
		}
	}
	return nil
}

// settleMoney takes the one column with money where a sum, or the most, is asked for of nothing else.
func (r *reading) settleMoney() {
	if q := r.quality; r.wanting() && q != nil && q.Of == r.sizes() && r.entity != nil && r.entity.Has(lexicon.PeopleGroups) && r.ofPeople() &&
		!r.Joined {
		r.quality, r.rowNoun = nil, true // the biggest squad has most members
		return
	}
	if q := r.quality; r.wanting() && r.way > 0 && q != nil && q.Of == r.sizes() && (r.entity != nil && r.ofGroup() || r.who) {
		if f := r.money(); f != nil && f.Additive() && !r.filtered(f) && r.takes(f) { // our biggest customers
			r.implied = false
		}
	}
	if q := r.quality; r.wanting() && r.way != 0 && q != nil && q.Of == r.sizes() && r.rowNoun && r.entity == nil && !r.who && r.by == nil {
		if f := r.money(); f != nil && f.Additive() && !r.filtered(f) && r.takes(f) { // the largest invoice
			r.implied = true
		}
	}
	if r.wanting() && r.rowNoun && r.way != 0 && r.highest && (r.quality == nil || r.Of(r.quality.Of, (*field).Numeric) == nil) &&
		r.entity == nil && !r.who && r.by == nil && r.agg == none {
		r.implied = r.takes(r.money()) // the highest gift
	}
	if r.wanting() && (r.agg == average || r.median) && r.rowNoun && r.entity == nil && r.how == nil &&
		!r.countWord() &&
		!r.says("long", "lange") {
		r.takes(r.money()) // the average gift
	}
	if r.wanting() && r.way != 0 && r.agg != count && !r.often && r.says("owe", "owes", "owed", "schuldet", "schulden", "schuldig") {
		r.takes(r.money()) // who owes the most
	}
	if r.wanting() && r.which && r.way != 0 && r.agg != count && r.saysAny(lexicon.Spending) {
		r.takes(r.money()) // in which month most was spent
	}
	summed := r.agg == sum && len(r.shown) == 0 && (len(r.where) > 0 || r.groupBy() != "")
	if r.wanting() && (summed || r.way != 0 && !r.rowNoun && r.quality == nil && (r.agg == sum || r.says("total", "gesamt", "insgesamt") ||
		r.saysAny(lexicon.Paying) || r.saysAny(lexicon.MoneyWords))) {
		if f := r.money(); f != nil && !r.filtered(f) && (len(f.Per) == 0 || r.way == 0 || r.who && spans[f.Per[0]]) &&
			!(f.Has(strings.Fields("purchase cost einkauf einkaufspreis ek")) && r.says("made", "make", "earn", "earned", "earns", "brought",
				"revenue", "umsatz")) {
			r.takes(f)
		}
	}
}

// prices returns how many fields hold prices of the rows.
func (r *reading) prices() int {
	n := 0
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Numeric() && f.Has(strings.Fields("price preis")) {
			n++
		}
	}
	return n
}

// sizes are the parts of names of columns that a great amount speaks of.
func (r *reading) sizes() string { return lexicon.Qualities["big"].Of }

// payments reports whether money is spoken of.
func (r *reading) payments() bool {
	return slices.ContainsFunc(r.tokens, func(t wording.Token) bool {
		return t.Kind == wording.Word && (lexicon.Alike(t.Low, "amount") || lexicon.Alike(t.Low, "price") || lexicon.Alike(t.Low, "paid") ||
			lexicon.Alike(t.Low, "salary"))
	})
}

// tells reports whether a day is one of what is asked for: that of an event is not of what was used in it.
func (r *reading) tells(f *field) bool {
	general := len(f.Words) == 1 && lexicon.AnyDay[f.Words[0]]
	return f.Moment() && r.beside(f) && (!general || slices.Contains([]*field{nil, &r.Fields[0], r.title(), r.people()}, r.entity))
}

// things reports whether what is asked for is a thing that a field names, whose year is its own.
func (r *reading) things() bool { return r.entity != nil && r.entity != r.people() }

// tellsAge reports whether a year is that of what is asked for: "build_year", or the year of a table of such things.
func (r *reading) tellsAge(f *field) bool {
	general := len(f.Words) == 1 && (f.Words[0] == "year" || f.Words[0] == "jahr")
	return f.Numeric() && r.beside(f) && (!general || r.entity == nil || r.things())
}

// ofGroup reports whether what is asked for may have several rows.
func (r *reading) ofGroup() bool {
	f := r.subject()
	return f != nil && f != &r.Fields[0] && (f != r.title() || !f.Has(lexicon.LabelFields))
}

// beside reports whether a field is of the table whose rows are asked for.
func (r *reading) beside(f *field) bool {
	return r.entity == nil || f.Table() == r.entity.Table()
}

// untimely reports whether a time is asked for that no field tells: when something was paid, how long it took.
func (r *reading) untimely() bool {
	told := append(slices.Clone(r.shown), r.measures...)
	day := slices.ContainsFunc(told, func(f *field) bool { return f.Moment() || f.OfYears() })
	payment := func(n string) bool { return lexicon.Alike(n, "payment") || spends(n) }
	switch {
	case r.when && r.way == 0 && len(told) > 0 && !day:
		return true // how it was done is no time
	case r.when && r.says("pay", "paid", "bezahlt", "gezahlt", "zahlen", "bezahlen") && !r.tellsPayment() &&
		!slices.ContainsFunc(r.Nouns, payment):
		return true
	case r.how != nil && r.how.Of == lexicon.Lasting && len(told) > 0 && r.way == 0 && !slices.ContainsFunc(told,
		func(f *field) bool { return !f.Moment() }):
		return true // a day is no span of time
	}
	return r.says("off", "krank", "sick") && slices.ContainsFunc(r.measures, func(f *field) bool { return f.Made })
}

// otherMoney reports whether other money is asked for than what the fields tell: income of expenses, what was paid of what
// customers pay, the cost of what is only measured in cubic metres.
func (r *reading) otherMoney() bool {
	measured := func(f *field) bool { return f.Numeric() && !r.Paying(f) && len(f.Units) > 0 && r.glue == "" }
	asks := r.says("spend", "spent", "cost", "costs", "kostet", "kosten", "gekostet", "ausgegeben", "earn", "earned", "verdient") ||
		r.says("sell", "sells", "sold", "fetch", "fetched", "go") && r.is(r.last(), "for") && r.amount
	for _, f := range r.measures {
		if slices.ContainsFunc(r.near, func(m mention) bool { return m.f == f && m.worth >= byAll }) {
			continue // it is called so
		}
		out, in := false, false
		for _, w := range slices.Concat(r.Own, f.Words) {
			out = out || lexicon.Expenses[w] && !slices.Contains(f.Words, w) || w == "ausgabe" || w == "expense" || strings.HasSuffix(w,
				"kosten") ||
				strings.HasSuffix(w, "ausgaben")
			in = in || lexicon.Incomes[w] || lexicon.Earned[w]
		}
		given := slices.ContainsFunc(r.Own, func(w string) bool { return lexicon.Alike(w, "donation") })
		if given && r.says("cost", "costs", "kostet", "gekostet", "spend", "spent", "ausgegeben") && r.Paying(f) {
			return true // what was given is not what was spent
		}
		if r.saysAny(lexicon.Incomes) && out && !in && r.Paying(f) {
			return true
		}
	}
	if out := func(w string) bool { return lexicon.Expenses[w] }; r.says("expenses", "expense", "expenditure", "ausgaben", "unkosten") &&
		r.Of("customer client buyer kunde", (*field).Text) != nil && !slices.ContainsFunc(r.Own, out) && slices.ContainsFunc(r.measures,
		r.Paying) {
		return true // what clients pay is no expense
	}
	told := slices.ContainsFunc(r.near, func(m mention) bool { return m.f != nil && slices.Contains(r.measures, m.f) })
	earns := r.says("verdient", "earns") && !r.says("haben", "hat", "did", "wir") && r.way == 0 && len(r.where) > 0
	if slices.ContainsFunc(r.measures, r.Paying) && !told && (r.says("verbraucht", "verbrauchen", "consumed", "consume") || earns) {
		return true // what was used is no money, and what somebody is paid is not what was paid for the work
	}
	if slices.ContainsFunc(r.where, func(c condition) bool {
		account := c.Of != nil && len(c.Of.Words) > 0 && slices.Contains([]string{"konto", "account"}, c.Of.Words[len(c.Of.Words)-1]) &&
			!r.saysAny(lexicon.Spending)
		payer := c.Of != nil && c.Of.Has(strings.Fields("bezahlt paid")) && c.Of.Text() && r.says("verdient", "earn", "earns")
		return account || payer
	}) {
		return true // what was spent from it is not what is on it
	}
	customers := r.Of("customer client buyer kunde kundin guest gast", (*field).Text)
	ours := r.says("we", "wir") && r.entity != customers && r.says("pay", "paid", "spend", "spent", "ausgegeben", "bezahlt", "zahlen")
	remarked := slices.ContainsFunc(r.where, func(c condition) bool { return c.Of != nil && c.Of.Remarks() })
	return asks && slices.ContainsFunc(r.measures, measured) ||
		asks && remarked && slices.ContainsFunc(r.measures, r.Paying) ||
		ours && customers != nil && !r.filtered(customers) && slices.ContainsFunc(r.measures, r.Paying)
}

// withRows reads a comparison of how many rows something has with a number; false where it counts something else.
func (r *reading) withRows(i int, c comparison) bool {
	number, end := r.tokens[c.at].Text, c.at+1
	switch w := r.word(c.at); {
	case lexicon.TimesOf(w) > 0:
		number = strconv.Itoa(lexicon.TimesOf(w))
	case r.tokens[c.at].Kind != wording.Number && !r.is(c.at, "one", "a", "single", "eine", "einen", "ein", "einem", "einer"):
		return false
	default:
		if r.tokens[c.at].Kind != wording.Number {
			number = "1"
		}
		for end < len(r.tokens) && r.is(end, "different", "separate", "single", "verschiedene") {
			end++
		}
		if !r.is(end, "times", "mal") && !r.rowsAt(end) {
			return false
		}
		end++
	}
	if r.group != nil {
		return false
	}
	r.group = &group{c.sign, number}
	r.take(i, end-i)
	r.score += byHead
	return true
}

// spends reports whether a word is one for money, or a compound with one: "Reisekosten".
func spends(word string) bool {
	return lexicon.MoneyWords[word] || lexicon.Earned[lexicon.Stem(word)] || word != "" &&
		slices.ContainsFunc([]string{"kosten", "ausgaben", "einnahmen", "umsätze"},
			func(w string) bool { return strings.HasSuffix(word, w) })
}

// outside reports whether the word at i is what something is out of: "out of limits".
func (r *reading) outside(i int) bool {
	return r.is(i-2, "out") && r.is(i-1, "of") || r.is(i-1, "outside", "beyond", "exceeding", "außerhalb")
}

func (r *reading) title() *field  { return r.Memo.Label }
func (r *reading) people() *field { return r.Memo.People }

// nobody reports whether people are counted, of a table whose rows are none and name none.
func (r *reading) nobody() bool {
	w := r.countedWord()
	return (lexicon.PersonNouns[w] || lexicon.Folk[w]) && r.entity == nil && len(r.shown) == 0 && len(r.measures) == 0 && r.people() == nil &&
		!r.Joined && !lexicon.Among(r.Nouns, w) && !lexicon.Among(r.Own, w)
}
