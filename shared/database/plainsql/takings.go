package plainsql

import (
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/relation"
	"lectern/shared/database/plainsql/wording"
)

// settleProducts multiplies what is measured by how many there are of it, where all of them are asked for.
func (r *reading) settleProducts() {
	if len(r.measures) != 1 || r.glue != "" || r.agg == average || r.median || r.share {
		return
	}
	if f := r.measures[0]; !r.settleWorth(f) && !r.settleSpent(f) {
		r.settleTakings(f)
	}
}

// settleSpent multiplies what one of something costs by how many there are, where it is asked what was spent: a price per litre by the
// litres.
func (r *reading) settleSpent(f *field) bool {
	if len(f.Per) == 0 || !r.says("spend", "spends", "spent", "pay", "paid", "ausgegeben", "bezahlt", "gezahlt") ||
		r.says("price", "prices", "preis") {
		return false
	}
	amount := r.priced()
	if amount == nil || amount == f {
		return false
	}
	r.multiplies(amount, f)
	return true
}

// multiplies measures how many there are of something by what each is, all together where nothing else is asked for.
func (r *reading) multiplies(many, each *field) {
	r.measures, r.glue, r.also = []*field{many, each}, " * ", nil
	if r.agg == none && r.way == 0 {
		r.agg = sum
	}
}

// settleTakings multiplies what each pays by how many do, where it is asked what came in: the fee of a course by its participants.
func (r *reading) settleTakings(f *field) {
	if !r.Paying(f) || !f.Has(strings.Fields("price preis fee gebühr beitrag teilnahmegebühr kursgebühr eintritt")) ||
		f.Has(strings.Fields("total gesamt sum summe paid bezahlt")) ||
		!r.saysAny(lexicon.Incomes) && !slices.ContainsFunc(r.tokens,
			func(t wording.Token) bool { return lexicon.Earned[lexicon.Stem(t.Low)] }) &&
			!r.says("takings", "take", "bring", "brings", "verdient", "verdienen", "erwirtschaftet") && !r.ordered() {
		return
	}
	heads := r.Of("participant teilnehmer attendee anmeldung registration booking sold verkauft visitor besucher quantity qty menge anzahl",
		func(o *field) bool { return o.Additive() && !o.Planned() && !r.Paying(o) })
	if heads == nil {
		return
	}
	r.multiplies(heads, f)
}

// ordered reports whether it is asked how much money was spent, of rows that tell how many of something of a price were ordered.
func (r *reading) ordered() bool {
	return r.Joined && r.amount && r.Of("quantity qty menge", (*field).Additive) != nil &&
		r.says("money", "spend", "spends", "spent", "owe", "owes", "owed", "pay", "pays", "paid", "geld", "ausgegeben", "bezahlt", "schulden",
			"zahlen")
}

// settleWorth multiplies the price of one by how many there are, where it is asked what all are worth: "Gesamtwert der Flaschen".
func (r *reading) settleWorth(f *field) bool {
	if !r.says("wert", "worth", "gesamtwert", "warenwert", "lagerwert", "bestandswert") && !(r.says("value") &&
		r.says("total", "whole", "stock", "all")) ||
		r.way != 0 || r.Of("value wert worth total gesamt gesamtwert", (*field).Numeric) != nil {
		return false
	}
	price := r.Only(func(o *field) bool { return r.Paying(o) && o.Has(strings.Fields("price preis cost einkaufspreis")) })
	pieces := r.Of(stockNames+" quantity qty menge anzahl bottle flasche flaschen piece stück stücke unit", (*field).Additive)
	if price == nil || pieces == nil || price == pieces || f != price && f != pieces {
		return false
	}
	r.measures, r.glue, r.also, r.agg = []*field{pieces, price}, " * ", nil, sum
	return true
}

// tidyOften settles a field that only its meaning speaks of where it is asked what was so most often: which device was broken
// most often, of repairs that each tell the fault.
func (r *reading) tidyOften() {
	if !r.often || r.way == 0 || r.entity == nil || !r.wanting() || len(r.shown) != 1 || !r.shown[0].Text() || r.shown[0].Yes != "" {
		return
	}
	of := r.shown[0]
	if slices.ContainsFunc(r.near, func(m mention) bool { return m.f == of && m.worth > byWord+1 }) {
		return
	}
	r.shown = nil
	r.where = append(r.where, of.Filled())
}

// roomFor reports whether the word at i is for what there is room for, or says that it is left, where it is asked what is left
// of that, and fields tell how much there is and how much is taken: "how many free places".
func (r *reading) roomFor(i int) bool {
	w := r.word(i)
	left := slices.Contains(lexicon.Vacancies, w)
	if !left && !slices.ContainsFunc(lexicon.Seats, func(p string) bool { return lexicon.Same(p, w) }) || !r.says(lexicon.Vacancies...) {
		return false
	}
	all, _ := r.roomOf()
	return all != nil && (r.near[i].f == nil || r.near[i].worth < byPart || left && len(r.measures) == 1 && all == r.measures[0])
}

// works are words that are a noun behind others, and else a verb.
var works = lexicon.Set("many all the these our most fewest of each which list total every unknown other different more")

// nouned makes a general noun of "works" where it stands as one, and no table is called so: "how many works".
func (q *questioned) nouned() {
	for i := 1; i < len(q.tokens); i++ {
		if q.tokens[i].Low == "works" && (works[q.tokens[i-1].Low] || q.tokens[i-1].Kind != wording.Word) && !slices.ContainsFunc(q.relations,
			func(r relation.Relation) bool { return lexicon.Among(r.Nouns, "works") }) {
			q.tokens[i].Low = "items"
		}
	}
}

// compounded calls rows by the second part of a German compound that a table is named by, where the question does: "Ablesungen", of
// a table Zählerablesung.
func (q *questioned) compounded() {
	if !q.worded.german {
		return
	}
	for i := range q.relations {
		r := &q.relations[i]
		for k, t := range q.tokens {
			part := t.Low
			for _, ending := range []string{"en", "n", "e", "er", "s"} {
				if base, ok := strings.CutSuffix(part, ending); ok && q.worded.stems[k] != "" && t.Text != t.Low {
					part = base
					break
				}
			}
			tail := func(noun string) bool { return len(noun) >= len(part)+leastFirst && strings.HasSuffix(noun, part) }
			if len(part) >= leastSecond && t.Text != t.Low && !lexicon.Among(r.Nouns, t.Low) && slices.ContainsFunc(r.Own, tail) {
				r.Nouns = append(slices.Clone(r.Nouns), part)
			}
		}
	}
}

// How many bytes the parts of such a compound have at least.
const leastFirst, leastSecond = 3, 5

// listsThings reports whether the table lists things by their names, as one of boats does whose first column is "Boat": each
// has one row.
func (r *reading) listsThings() bool {
	t := r.title()
	return t != nil && t == &r.Fields[0] && r.Unique(t) && slices.ContainsFunc(t.Words, func(w string) bool { return lexicon.Among(r.Own, w) })
}

// tellsYear reports whether the question speaks of a year, or asks how old something is.
func (r *reading) tellsYear() bool {
	return slices.ContainsFunc(r.tokens, wording.IsYear) ||
		r.says("old", "alt", "oldest", "youngest", "newest", "älteste", "ältesten", "jüngste", "neueste")
}

// last is where the last word stands.
func (r *reading) last() int {
	at := len(r.tokens) - 1
	for at > 0 && r.tokens[at].Kind == wording.Mark {
		at--
	}
	return at
}

// logs reports whether the table is a log: its rows tell what happened on days to what several rows tell of.
func (r *reading) logs() bool {
	first := &r.Fields[0]
	dated := func(f field) bool { return f.Moment() && !f.Latest() && !f.Made }
	return (first.Repeats || first.ID || first.Moment()) && slices.ContainsFunc(r.Fields, dated) && r.ofEvents()
}

// doneTo reports whether the question says by a participle of the table's own name what was done: "hired" of hires.
func (r *reading) doneTo() bool {
	for i := range r.tokens {
		if r.near[i].f == nil && participle(r.word(i)) && r.toldBy(i) {
			return true
		}
	}
	return false
}

// wants reports whether the word at i is what rows are called, or what is measured of them: "Beitrag 2026".
func (r *reading) wants(i int) bool {
	return i >= 0 && (r.near[i].f != nil && r.near[i].f.Numeric() || lexicon.Among(r.Nouns, r.tokens[i].Low))
}

// askedFor finds where something was and who did it, where the question asks for that.
func (r *reading) askedFor() {
	if r.place && r.by == nil && r.entity == nil {
		r.entity = r.Only(func(f *field) bool {
			return f.Text() && !r.filtered(f) && slices.ContainsFunc(f.Words, func(p string) bool {
				return lexicon.Alike(p, "place") || lexicon.Alike(p, "location") || strings.HasSuffix(p, "ort") || r.is(0, "wohin") && (p == "ziel" ||
					p == "destination")
			})
		})
		if r.entity == nil && !r.says("live", "lives", "living", "from", "born", "wohnt", "wohnen", "kommt", "kommen", "geboren") {
			r.entity = r.Only(func(f *field) bool { return f.Text() && !r.filtered(f) && f.Has(lexicon.Rooms) })
		}
		if r.entity == nil {
			r.unclear = true
		}
		r.rowNoun = r.rowNoun || r.way != 0 && r.quality == nil && r.wanting() // where most of them are
	}
	if r.who && r.by == nil && r.entity == nil {
		if len(r.shown) == 1 && r.shown[0].Text() && r.people() == nil && r.spells(r.shown[0]) {
			r.entity, r.shown = r.shown[0], nil // the head of something
			return
		}
		if r.entity = r.doer(); r.entity != nil {
			return
		}
		made := func(f *field) bool {
			return f.Has(strings.Fields("author writer autor artist künstler director composer publisher regisseur"))
		}
		others := func(f *field) bool { return f.Text() && f.Has(lexicon.PersonFields) && !f.Full && !made(f) }
		if f := &r.Fields[0]; f.Text() && f.Has(lexicon.PersonFields) && r.Unique(f) && !r.dates() && r.Persons() > 1 && !r.filtered(f) {
			r.entity = f // each row is about somebody
		} else if f := r.Only(others); f != nil && r.Persons() > 1 && r.Whole() == nil {
			r.entity = f // whoever did something was not the author
		} else if r.entity = r.people(); r.Persons() > 1 && r.Whole() == nil && !r.entity.Has([]string{"name"}) {
			r.unclear = true // which of them is not said
		}
	}
}

// eachPays reports whether it is asked how much money comes of rows each of which has its price in another table.
func (r *reading) eachPays() bool {
	return r.Joined && r.amount && r.saysAny(lexicon.MoneyWords) && r.Paying(r.measures[0])
}

// priceAsked reports whether the price of something is asked for, which is not what all rows cost together.
func (r *reading) priceAsked() bool {
	price := strings.Fields("price preis fee gebühr rent miete beitrag tariff")
	if r.says("did") && r.says("cost") && r.dates() {
		return false // all that was done
	}
	return r.measures[0].Has(price) && !r.says("income", "revenue", "einnahmen", "umsatz") &&
		!r.says("total", "all", "together", "insgesamt", "zusammen", "alle", "collect", "earn", "take", "money", "owed", "owing",
			"spent", "spend", "paid") &&
		(r.at(0, "how much does a")+r.at(0, "how much does an")+r.at(0, "wie viel zahlt ein") > 0 || r.at(0, "how much is the") > 0 ||
			r.says("cost", "costs", "kostet", "price",
				"preis", "teuer", "fee", "gebühr") || r.is(0, "what") && r.is(1, "is"))
}

// countsPeople reports whether people are counted by a general word for them.
func (r *reading) countsPeople() bool {
	w := r.countedWord()
	return (lexicon.Anybody[w] || lexicon.Folk[w] || lexicon.PersonNouns[w]) && !lexicon.Among(r.Nouns, w)
}

// stock returns the field that says how many there are of what a row is about, where the question asks for what there is;
// nil without.
func (r *reading) stock() *field {
	if !r.says("have", "stock", "hand", "there", "are", "pieces", "units", "haben", "gibt", "lager", "vorrätig", "stück") || r.Joined ||
		r.rowNoun && r.countsRows() {
		return nil
	}
	if f := r.Of(stockNames, (*field).Additive); f != nil {
		return f
	}
	if len(r.measures) > 0 {
		return nil
	}
	title := r.title()
	if f := r.Of("stück stückzahl pieces", (*field).Additive); f != nil && title != nil && r.pins(title) {
		return f // of an inventory
	}
	if !r.says("have", "stock", "hand", "haben", "lager", "vorrätig") || r.entity != nil || r.way != 0 || r.share || r.distinct ||
		slices.ContainsFunc(r.where, func(c condition) bool { return c.Of == nil || !c.Of.Text() }) ||
		!slices.ContainsFunc(r.where, func(c condition) bool { return c.Of == title || c.Of.Has(lexicon.LabelFields) }) {
		return nil
	}
	return r.Of("quantity qty menge anzahl stück pieces units", (*field).Additive) // of things that are named
}

// stockNames are parts of names of columns that say how many there are.
const stockNames = "hand stock bestand lagerbestand vorrat inventory"

// vehicle reports whether a word is what the rows of vehicles are called, and none of their kinds.
func (r *reading) vehicle(word string) bool {
	return lexicon.Vehicles[word] && !slices.ContainsFunc(r.Fields, func(f field) bool {
		return f.Text() && slices.Contains(f.Vocabulary().Stems, lexicon.Stem(word))
	})
}

// unspend takes back what only a verb of spending speaks of, where it is said on what: of "spend on groceries" the column "Income".
func (r *reading) unspend() {
	if len(r.measures) < 2 || r.glue != "" || r.share {
		return
	}
	named := func(f *field) bool {
		return slices.ContainsFunc(r.near, func(m mention) bool { return m.f == f && m.worth >= byHead })
	}
	if slices.ContainsFunc(r.measures, named) && r.says("spend", "spent", "spends", "pay", "paid", "cost", "costs") {
		r.measures = slices.DeleteFunc(r.measures, func(f *field) bool { return !named(f) })
	}
}

// settleEarned multiplies what an hour is paid by the hours, where it is asked what somebody earns.
func (r *reading) settleEarned() {
	if r.share || r.median || r.glue != "" || len(r.measures) > 1 || r.agg == count || !r.saysAny(lexicon.Wages) || r.saysAny(lexicon.Hourly) {
		return
	}
	rate := r.Of("hourly stundenlohn stundensatz", func(f *field) bool { return f.Numeric() && !f.Made })
	if rate == nil {
		rate = r.Only(func(f *field) bool { return f.Numeric() && len(f.Per) > 0 && lexicon.Same(f.Per[0], "hour") })
	}
	hours := r.Of("hours hour stunden", func(f *field) bool {
		return f.Numeric() && f != rate && !f.Made && len(f.Per) == 0 && !f.Has([]string{"hourly"})
	})
	if rate == nil || hours == nil || len(r.measures) == 1 && r.measures[0] != rate && r.measures[0] != hours {
		return
	}
	r.multiplies(hours, rate)
}

// settleOnly takes the one number that rows have where one is asked for and none is named: the highest reading, how much was donated.
func (r *reading) settleOnly() {
	f := r.Only(func(f *field) bool { return f.Numeric() && !f.Made && !f.Fixed && !f.OfYears() && !f.Code() })
	if f == nil || !r.wanting() || r.entity != nil || r.often || r.who || r.Joined {
		return
	}
	switch {
	case r.way != 0 && r.rowNoun && r.saysAny(lexicon.Highest), (r.agg == average || r.median) && r.rowNoun && !r.counted():
		r.takes(f)
	case r.amount && r.way == 0 && (r.agg == none || r.agg == sum) && f.Additive() && r.is(0, "how") && r.is(1, "much") && len(r.shown) == 0:
		r.takes(f)
		r.agg = sum
	}
}

// otherCosts reports whether what is measured is called by a German compound with a word for money, and the question has another one:
// the costs of labour are none of material.
func (r *reading) otherCosts() bool {
	for _, tail := range []string{"kosten", "ausgaben", "einnahmen", "preis", "gebühr", "gebühren"} {
		compound := func(w string) bool { return len(w) >= len(tail)+lexicon.LeastPrefix && strings.HasSuffix(w, tail) }
		for _, t := range r.tokens {
			head := strings.TrimSuffix(t.Low, tail)
			if !compound(t.Low) || head == "gesamt" || slices.ContainsFunc(slices.Concat(r.Own, r.Nouns), func(w string) bool {
				return strings.HasPrefix(w, head[:min(len(head), lexicon.LeastPart)])
			}) {
				continue
			}
			if f, _ := r.holder(strings.TrimSuffix(head, "s")); f != nil {
				continue
			}
			if slices.ContainsFunc(r.measures, func(m *field) bool {
				return slices.ContainsFunc(m.Words, compound) && !slices.Contains(m.Words, t.Low)
			}) {
				return true
			}
		}
	}
	return false
}

// off are what cells of rotas have for nobody who works.
var off = lexicon.Set("off frei free holiday urlaub leave krank sick rest closed zu geschlossen")

// settleDuty leaves out who does not work on the day that a rota is asked for, where it is asked who or how many do.
func (r *reading) settleDuty() {
	shift := &r.Fields[len(r.Fields)-1]
	named := func(c condition) bool {
		return c.Of != nil && (c.Of == r.people() || c.Of == r.title() || c.Of == &r.Fields[0])
	}
	if !r.Rota || r.filtered(shift) || len(r.where) == 0 || slices.ContainsFunc(r.where, named) ||
		!r.says("working", "works", "work", "duty", "arbeitet", "arbeiten", "dienst", "rota") || len(r.measures) > 0 {
		return
	}
	for _, v := range shift.Values {
		if off[strings.ToLower(v)] {
			r.where = append(r.where, condition{SQL: shift.SQL + " <> " + r.dialect.QuoteText(v), Of: shift})
		}
	}
}

// settleCosts adds up what each of several is paid, where it is asked which of some groups costs most: a department, in salaries.
func (r *reading) settleCosts() {
	if r.way != 0 && len(r.measures) == 1 && r.entity != nil && !r.Unique(r.entity) && r.saysAny(lexicon.Costing) && r.says("us", "uns") &&
		r.measures[0].Has(strings.Fields("salary pay wage gehalt lohn rent miete")) {
		r.takes(r.measures[0].Summed())
	}
}

// settleYear takes what is harvested, or the one amount, where it is asked in which year there was the most; the latest year is not meant.
func (r *reading) settleYear() {
	yields := r.saysAny(lexicon.Yields)
	crop := r.Of("tonnes tonne kg yield harvest ertrag ernte", (*field).Additive)
	if yields && r.wanting() && crop != nil && r.way != 0 {
		r.takes(crop)
	}
	asked := r.asks(1) || r.is(0, "in") && r.is(1, "which", "what", "welchem")
	if r.way == 0 || len(r.measures) != 1 || !r.measures[0].OfYears() || !asked || !r.says("year", "jahr") {
		return
	}
	year := r.measures[0]
	if r.measures = nil; yields && crop != nil {
		r.takes(crop)
	}
	if r.wanting() {
		r.unclear = true
		return
	}
	r.entity, r.shown = year, nil
}

// wholeNamed reports whether a field is that of which a share is asked for: "a share of the income".
func (r *reading) wholeNamed(f *field) bool {
	for i, m := range r.near {
		for k := i - 1; m.f == f && k >= 0 && k >= i-ofBefore; k-- {
			if r.is(k, "of", "vom", "am") {
				return true
			}
			w := r.word(k)
			if w != "" && !lexicon.Neutral[w] && !r.is(k, "our", "the", "total", "whole", "all", "year", "der", "dem") {
				break
			}
		}
	}
	return false
}

const ofBefore = 5 // words before the name of what a share is of

// settleUnits multiplies what one costs by how many they are, unless prices are what is asked for.
func (r *reading) settleUnits() {
	if r.agg != sum || len(r.measures) != 1 || r.glue != "" || r.share || r.says("each", "unit", "price", "prices", "preis", "preise") {
		return
	}
	f := r.measures[0]
	if !f.Has(strings.Fields("each unit apiece einzelpreis stückpreis")) {
		return
	}
	if n := r.Of("quantity qty menge anzahl pieces units stück copies", (*field).Additive); n != nil && n != f {
		r.measures, r.glue = []*field{n, f}, " * "
	}
}

// rowsDone reports whether the word at i says by a verb what the rows of a table are called by a noun: "registered", of registrations.
func (r *reading) rowsDone(i int) bool {
	w := r.tokens[i].Low
	return len(w) > verbRoot && slices.ContainsFunc(slices.Concat(r.Own, r.Foreign), func(noun string) bool {
		return strings.HasPrefix(noun, w[:verbRoot])
	})
}

// countsDone reports whether a field tells of how many something was done, as the question says: "were sold", of a column Sold.
func (r *reading) countsDone(f *field) bool {
	for i, m := range r.near {
		if w := r.tokens[i].Low; m.f == f && f.Has([]string{w}) && participle(w) && lexicon.Auxiliary[r.word(i-1)] {
			return true
		}
	}
	return false
}

// heldBefore is the condition of the value that ends before the word at i; empty without.
func (r *reading) heldBefore(i int) string {
	for at := i - 1; at >= max(0, i-longestValue); at-- {
		for _, c := range r.where {
			if c.Of == nil || c.Of.Kind() != database.Textual {
				continue
			}
			_, words := wording.ValueAt(r.tokens, at, c.Of.Column)
			if words == 0 {
				_, words = r.inflected(at, c.Of)
			}
			if words > 0 && at+words == i {
				return c.SQL
			}
		}
	}
	return ""
}

// places reports whether it is asked how many beds there are together, of rows that each have some.
func (r *reading) places() bool {
	return len(r.measures) == 1 && r.measures[0].Has([]string{"bed", "bedroom"}) && r.asked(r.measures[0]) && !r.pins(r.title()) &&
		r.groupBy() == "" && r.says("there", "total", "altogether", "gibt", "insgesamt")
}

// blanks reports whether a row may have only one of two measures whose difference is asked for: what came in, or what was paid; or
// whether the difference of their sums is asked for.
func (r *reading) blanks() bool {
	a, b := r.measures[0], r.measures[1]
	return a.Gaps && b.Gaps || r.apartBy && (a.Gaps || b.Gaps) || !r.apartBy && r.Paying(a) && r.Paying(b)
}

// rateLast puts the condition that a rate is of behind those that say of what it is one.
func (r *reading) rateLast(parts []condition) []condition {
	at := slices.IndexFunc(parts, func(c condition) bool { return c.SQL == r.ofRate })
	if at < 0 {
		return parts
	}
	return append(slices.Delete(slices.Clone(parts), at, at+1), parts[at])
}

// longestValue is how many words and marks a value has that is looked for from its end.
const longestValue = 4

// verbRoot is how many letters the noun of a verb has in common with it, at least.
const verbRoot = 6

// averages reports whether the word at i is a compound with "Schnitt" of what a field holds that is spoken of, or that
// alone holds such, and notes it: "Notenschnitt".
func (r *reading) averages(i int) bool {
	root := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(r.word(i), "schnitt"), "durch"), "ens")
	holds := func(f *field) bool {
		return f.Numeric() && len(root) >= lexicon.LeastPrefix && slices.ContainsFunc(f.Words,
			func(p string) bool { return strings.Contains(p, root) })
	}
	if slices.ContainsFunc(r.near, func(m mention) bool { return m.f != nil && holds(m.f) }) || strings.HasPrefix(root, "not") &&
		r.subjectAfter(i) != nil {
		r.agg = average
	} else if f := r.Only(holds); f != nil {
		r.agg, r.measures = average, append(r.measures, f)
	}
	return r.agg == average
}

// doesElse reports whether it is asked how much something does that a column is named by, other than cost: how much the rent rose,
// or a model weighs that a column of prices is of.
func (r *reading) doesElse() bool {
	last := r.last()
	if len(r.measures) != 1 || !r.is(1, "much") || !r.is(2, "does", "did", "do") || last < 4 || r.near[last].f != nil ||
		r.is(last, "cost", "costs", "total", "make", "bring", "come", "earn") {
		return false
	}
	of := last - 1
	for of > 2 && r.used[of] && r.near[of].f == nil {
		of-- // the name of a column has several words
	}
	return r.used[of] && r.near[of].f == r.measures[0] && of+max(1, r.near[of].words) == last
}

// ownKind reports whether it is counted how many of its own kind a row's thing has: how many boats a ship carries, of a table of ships.
func (r *reading) ownKind() bool {
	if r.agg != count || !r.is(1, "many", "viele") || !r.is(3, "does", "has", "hat") {
		return false
	}
	of := r.near[2].f
	return of != nil && of.Yes == "" && slices.ContainsFunc(r.where, func(c condition) bool { return c.Of == of && strings.HasPrefix(c.SQL, of.SQL+" = ") })
}
