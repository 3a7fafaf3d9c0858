package plainsql

import (
	"slices"
	"strings"
	"unicode"

	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/relation"
	"lectern/shared/database/plainsql/sqltext"
	"lectern/shared/database/plainsql/wording"
)

// topics takes words that say only of what the table is, and what leads to a value: "players", "in the club", "over" of
// "over Booking.com".
func (r *reading) topics() {
	for i := range r.tokens {
		if r.is(i, "more", "fewer", "less", "mehr", "weniger") && !r.used[i] && r.says("than", "als") {
			return // what is compared was not understood
		}
	}
	understood := r.agg == count && r.logs() || len(r.where) > 0 || len(r.measures) > 0 || r.entity != nil || r.by != nil ||
		len(r.shown) > 0 || r.bySpan != "" ||
		r.rowNoun && r.agg == count || r.way != 0 && (r.quality != nil || r.temporal)
	for i, t := range r.tokens {
		if r.used[i] || t.Kind != wording.Word || r.near[i].f != nil && r.near[i].worth >= byPart || lexicon.Negating[t.Low] ||
			lexicon.Forbidden[t.Low] ||
			lexicon.Changing[t.Low] || lexicon.Grouping[t.Low] && !r.leads(i) || lexicon.Among(r.Foreign, t.Low) || lexicon.Among(r.Belong, t.Low) ||
			!r.Joined && lexicon.Among(r.Strange, t.Low) {
			continue
		}
		switch {
		case lexicon.Leading[t.Low] && r.leads(i):
			r.used[i] = true
		case pieces[t.Low] && r.agg == count && r.countedAt(i) && r.stock() != nil:
			r.used[i] = true
		case !understood || r.kindOf(i):
		case (lexicon.Folk[t.Low] || lexicon.PersonNouns[t.Low]) && !lexicon.Staff[t.Low] && r.people() != nil && r.leads(i) &&
			!r.mixesAges(t.Low), lexicon.Anything[t.Low] && !r.Joined:
			r.used[i] = true
		case r.asksOf(i), r.is(i-1, "oldest", "youngest", "ältester", "älteste", "jüngster", "jüngste", "best", "top") && lexicon.Folk[t.Low]:
			r.rowNoun, r.used[i] = true, true
			r.score++
		case lexicon.ThingNouns[t.Low] && i > 0 && r.used[i-1] && r.near[i-1].f != nil && r.near[i-1].worth >= byPart:
			r.used[i] = true // the theory test
		case r.follows(i):
			r.rowNoun, r.used[i] = true, true
		case r.afresh(i), r.plays(i), r.is(i, "support") && r.used[i+1] && r.near[i+1].f == r.entity:
			r.used[i] = true
		case lexicon.GeneralNouns[t.Low] && !r.Joined && r.agg == count, r.ours(i), r.acts(i):
			r.used[i] = true
		}
	}
}

// leads reports whether a value follows the word at i, or words that only link.
func (r *reading) leads(i int) bool {
	for k := i + 1; k < len(r.tokens) && k <= i+3; k++ {
		if r.used[k] {
			return r.near[k].f == nil && r.tokens[k].Kind != wording.Mark && r.held(k, false)
		}
		if !lexicon.Linking[r.word(k)] && !lexicon.Leading[r.word(k)] {
			return false
		}
	}
	return false
}

// held reports whether the word at i is part of a value that rows are filtered by: of a whole one, or also of a part of
// one.
func (r *reading) held(i int, whole bool) bool {
	w, stem := r.tokens[i].Low, r.stems[i]
	if r.german && len(w) > lexicon.LeastPart {
		stem = strings.TrimSuffix(stem, "n") // Vasen
	}
	return slices.ContainsFunc(r.where, func(c condition) bool {
		if c.Of == nil || !c.Of.Text() || whole && strings.Contains(c.SQL, "LIKE") {
			return false
		}
		low := strings.ToLower(c.SQL)
		return strings.Contains(low, w) || strings.Contains(low, stem)
	})
}

// asksOf reports whether the word at i is a general noun that is counted, or asked for: after "how many", "which", the
// most of something.
func (r *reading) asksOf(i int) bool {
	if t := r.tokens[i]; lexicon.Neutral[t.Low] || r.Joined || r.mixesAges(t.Low) || !(lexicon.PersonNouns[t.Low] && r.peopled(t.Low) &&
		(r.people() != nil || r.Of(stockNames, (*field).Additive) == nil)) &&
		!(lexicon.Folk[t.Low] && r.people() != nil) &&
		!(r.vehicle(t.Low) && r.driven()) &&
		!(lexicon.ThingNouns[t.Low] && r.nameless()) {
		return false
	}
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		w := r.word(k)
		switch {
		case r.share && r.is(k, "of", "der"), r.agg == average && r.is(k, "a", "an", "ein", "eine", "einer", "eines"):
			return true
		case r.is(k, "many", "viele", "vielen", "which", "anzahl") || strings.HasPrefix(w, "welche") || w == "of" && r.is(k-1, "number"):
			return true
		case r.way != 0 && r.used[k] && r.near[k].f == nil && lexicon.Superlative(w):
			return true
		case r.used[k] && r.near[k].f == nil, r.is(k, "single", "individual", "einzelne", "einzelnen", "einzelner", "the", "der", "die",
			"das", "different", "all"):
			// an adjective that is a value
		default:
			return false
		}
	}
	return false
}

// follows reports whether the word at i is a noun after a value that tells of what kind it is, as "novels" is in "crime
// novels".
func (r *reading) follows(i int) bool {
	t := r.tokens[i]
	if i == 0 || r.Joined || lexicon.ThingNouns[t.Low] || lexicon.Neutral[t.Low] || lexicon.Generic[t.Low] || !r.used[i-1] ||
		r.near[i-1].f != nil || !r.held(i-1, true) {
		return false
	}
	if r.german {
		return t.Text != t.Low
	}
	return len(t.Low) > 3 && strings.HasSuffix(t.Low, "s") && t.Text == t.Low && !r.is(i-2, "does", "did", "do")
}

// mixesAges reports whether a word is for the young, and rows may be about others, too.
func (r *reading) mixesAges(word string) bool {
	if !lexicon.Young[word] {
		return false
	}
	if p := r.people(); p != nil &&
		p.Has(strings.Fields("driver fahrer mechanic mechaniker agent technician instructor trainer teacher lehrer vet doctor")) {
		return true
	}
	born := r.Only(func(f *field) bool { return f.Has(strings.Fields(lexicon.Births + " age alter jahrgang geburtsjahr")) })
	if born != nil && r.filtered(born) {
		return false
	}
	return born != nil || slices.ContainsFunc(r.Fields, func(f field) bool {
		return !r.filtered(&f) && slices.ContainsFunc(f.Values, func(v string) bool { return lexicon.Alike(strings.ToLower(v), "adult") })
	})
}

// plates are parts of names of columns by which vehicles are told apart.
const plates = "plate kennzeichen reg registration vin"

// driven reports whether each row is about a vehicle.
func (r *reading) driven() bool {
	return slices.ContainsFunc(r.Fields, func(f field) bool {
		return f.Text() && f.Has(strings.Fields(plates+" car vehicle fahrzeug"))
	})
}

// nameless reports whether rows are not called by a general noun of their own: trips are no bookings.
func (r *reading) nameless() bool {
	return !r.listsThings() && !slices.ContainsFunc(r.Nouns, func(n string) bool { return lexicon.ThingNouns[n] || lexicon.ThingNouns[n+"s"] })
}

// ours reports whether the word at i says where the rows are from, whoever keeps them: "in the club".
func (r *reading) ours(i int) bool {
	held := func(f field) bool { return f.Text() && f.Vocabulary().Words[r.word(i)] }
	if !lexicon.OurPlaces[r.word(i)] || slices.ContainsFunc(r.Fields, held) {
		return false
	}
	article := i - 1
	if !r.is(article, "the", "our", "this", "der", "dem", "den", "die", "das", "unser", "unserer", "unserem", "unseren", "im", "am", "vom",
		"beim", "zum", "zur") {
		return false
	}
	if r.is(article-1, "gehören", "gehört", "belong", "belongs", "owe", "owes", "owed") {
		return true
	}
	return r.is(article, "im", "am", "vom", "beim", "zum", "zur") || article == 0 ||
		r.is(article-1, "in", "at", "of", "from", "to", "on", "with", "across", "over", "for", "an", "auf", "von", "bei", "über", "für",
			"into", "visit", "visited", "visits", "use", "uses", "join", "joined", "left", "does", "did", "do", "has", "have", "hat", "haben")
}

// acts reports whether the word at i is a verb between what is asked for and a value that tells where or for whom it was
// done: "play for the U12s".
func (r *reading) acts(i int) bool {
	t := r.tokens[i]
	if i == 0 || i+2 >= len(r.tokens) || !r.used[i-1] || t.Text != t.Low || len(t.Low) < 3 || r.is(i-1, "many", "viele", "vielen", "of") ||
		!unicode.IsLetter(rune(t.Low[0])) ||
		lexicon.Happened[t.Low] {
		return false
	}
	return r.is(i+1, "for", "in", "at", "with", "from", "on", "under", "to", "für", "in", "im", "bei", "beim", "mit", "aus", "an", "am",
		"auf") &&
		r.leads(i+1)
}

// plays reports whether the word at i is a verb before a value that tells what somebody does: "spielen Tennis".
func (r *reading) plays(i int) bool {
	t := r.tokens[i]
	return i > 0 && i+1 < len(r.tokens) && t.Text == t.Low && lexicon.Playing[t.Low] && r.used[i+1] && r.near[i+1].f == nil &&
		r.held(i+1, true)
}

// afresh reports whether the word at i is "new" before what rows are called, of which numbers by time are asked for.
func (r *reading) afresh(i int) bool {
	return r.is(i, "new", "neue", "neuen") && r.bySpan != "" && i+1 < len(r.tokens) && r.used[i+1]
}

// pieces are words for how much of something there is.
var pieces = lexicon.Set("piece pieces unit units stück stücke")

// open reports whether the words leave open what is asked for, or ask for what no statement of this grammar says: then
// nothing is written.
func (r *reading) open() bool {
	switch {
	case r.by != nil && r.bySpan != "", r.mixed(), r.otherUnit(), r.otherTime(), r.otherDeed(), r.twoTimes():
		return true
	case r.entity != nil && !r.Unique(r.entity) && r.gap != nil && calledByTime(r.gap[0]) && calledByTime(r.gap[1]):
		return true // streets with several meters: not those of which one used more
	case r.agg == count && r.by == &r.Fields[0] && len(r.measures) == 0 && !r.Joined && r.Lower() != nil:
		return true // one row each: those of the other table are counted
	case len(r.measures) == 1 && r.measures[0].Planned() && r.plannedElsewhere():
		return true // the hours are those that another table has
	case r.leaves() && r.glue == "":
		return true // what is left of it is not told
	case len(r.measures) == 1 && r.measures[0].Has(lexicon.Seats) && r.says(lexicon.Vacancies...) && !r.measures[0].Has(lexicon.Vacancies):
		return true // how many are taken is told elsewhere
	case r.Joined && r.theirMoney():
		return true // the amount of invoices is not that of what was paid for them
	case slices.ContainsFunc(r.measures, func(f *field) bool { return slices.Contains(r.Double, f.Name) }):
		return true // of which table is not said
	case slices.ContainsFunc(r.where, func(c condition) bool {
		return c.Day && slices.ContainsFunc(r.where, func(o condition) bool { return o.Of == c.Of && o.SQL == c.Of.SQL+" IS NULL" })
	}):
		return true // what was not in a time may have been before it
	case r.agg == sum && r.groupBy() == "" && r.entity == nil && len(r.measures) > 1 && slices.ContainsFunc(r.measures, r.filtered):
		return true // both of them together are compared
	case r.who && r.way == 0 && r.entity != nil && len(r.shown) == 0 && len(r.where) == 1 && r.filtered(r.entity) && r.agg == none,
		r.agg == count && r.person() && r.pins(&r.Fields[0]) && len(r.measures) == 0:
		return true // who did it to somebody, how many are behind one row
	case r.untimely(), r.otherMoney():
		return true
	case r.agg == count && r.says("bought", "buy", "purchased", "gekauft", "kaufen", "angeschafft", "ordered",
		"bestellt") && r.countedPart():
		return true // a purchase may be of several
	case r.sells():
		return true // what something costs us is not what it is sold for
	case r.is(1, "many", "viele") && r.is(2, "years", "jahre"):
		return true // how long something has been
	case r.lacks && !r.rowNoun && slices.ContainsFunc(append(slices.Clone(r.shown), r.entity), func(f *field) bool {
		return f != nil && f != &r.Fields[0] && (f.Code() || f.Refers || f.References != "")
	}):
		return true // which of those that the rows refer to have none
	case r.never:
		return false
	case r.says("never", "nie", "niemals", "no", "none", "kein", "keine", "keinen") && !r.lacks && r.ofGroup() &&
		!(r.subject() != nil && r.Calls(r.subject())) &&
		!slices.ContainsFunc(r.where, func(c condition) bool { return c.Of != nil && c.Of.Shows() }):
		return true // of all rows of something, not of each
	case r.spread && r.groupBy() == "", r.without, r.unclear, r.way != 0 && r.entity != nil && r.by != nil && r.entity != r.by:
		return true // what lacks something, and the most of each, need more than one statement of this grammar
	case r.amount && !r.share && len(r.measures) == 0 && r.agg == none && r.way == 0, r.who && r.entity == nil && r.people() == nil,
		r.way != 0 && r.quality != nil && len(r.measures) == 0,
		r.way != 0 && r.agg == count && r.at(0, lexicon.CountWords[0])+r.at(0, "wie viele") > 0 && !r.numeric():
		return true
	case len(r.measures) > 2 && !r.combined(), len(r.measures) == 2 && r.glue == "" && (r.way != 0 ||
		r.groupBy() != "" && !(r.agg == sum || r.agg == none && r.additive()) || r.agg == count):
		return true
	}
	return false
}

// Words for how much room there is, and for what of it is left.
var ()

// leaves reports whether the question asks for what is left of something that is no stock.
func (r *reading) leaves() bool {
	at := r.last()
	left := r.is(at, "left", "remaining", "übrig") && r.near[at].f == nil
	for i := range r.tokens {
		left = left || r.is(i, "left", "remaining", "übrig") && r.near[i].f == nil && r.is(i+1, "for", "für") &&
			r.is(i-1, "are", "is", "has", "have")
	}
	return left && (r.dates() || r.Joined) &&
		r.says("have", "has", "is", "are", "hat", "haben", "ist", "sind") &&
		!slices.ContainsFunc(r.measures, func(f *field) bool { return f.Has(stocked) || f.Has(lexicon.Vacancies) })
}

// sells reports whether the price is asked for at which something is sold, of fields that tell what it cost.
func (r *reading) sells() bool {
	sold := r.says("charge", "charges", "charged", "retail", "verkaufspreis", "ladenpreis", "verlangen", "verkaufen") ||
		r.says("customer", "customers", "kunde", "kunden") && r.says("pay", "pays", "zahlen", "zahlt", "bezahlen") || r.says("sell") &&
		r.says("for")
	if made := r.says("make", "produce", "herstellen", "herzustellen", "produzieren", "ingredients"); made && r.says("cost", "costs",
		"kostet") {
		return !slices.ContainsFunc(r.measures, func(f *field) bool { return f.Has(strings.Fields("cost kosten ek einkauf")) })
	}
	return sold && slices.ContainsFunc(r.measures, func(f *field) bool {
		return f.Has(strings.Fields("cost purchase einkauf einkaufspreis ek buying")) && !f.Has(strings.Fields("price preis verkauf sale"))
	})
}

// either finds which of two values has more of something: "who sold more, Tina or Paul".
func (r *reading) either() {
	if !r.asksFor() && !r.is(0, "hat", "haben", "did", "does", "do", "has", "verkauft", "bringt") || r.way != 0 || r.entity != nil {
		return
	}
	at := slices.IndexFunc(r.where, func(c condition) bool {
		return c.Of != nil && c.Of.Text() && strings.HasPrefix(c.SQL, c.Of.SQL+" IN (")
	})
	if at < 0 || strings.Count(r.where[at].SQL, "', '") != 1 {
		return
	}
	for i := range r.tokens {
		judged := r.rated(i)
		if r.used[i] || judged == 0 && !r.is(i, "more", "mehr", "less", "weniger", "fewer") || r.says("than", "als") {
			continue
		}
		if r.way = map[bool]int{true: 1, false: -1}[r.is(i, "more", "mehr")]; judged != 0 {
			r.way, r.agg = judged, average
		}
		r.entity, r.used[i] = r.where[at].Of, true
		r.score += byPart
		return
	}
}

// extent finds that the difference between the highest and the lowest is asked for.
func (r *reading) extent() {
	apart, most, least := -1, -1, -1
	for i := range r.tokens {
		switch {
		case r.is(i, "difference", "gap", "range", "spread", "unterschied", "differenz", "spanne", "abstand"):
			apart = i
		case lexicon.Extremes[r.word(i)] > 0 && !temporal[r.word(i)]:
			most = i
		case lexicon.Extremes[r.word(i)] < 0 && !temporal[r.word(i)]:
			least = i
		}
	}
	if apart < 0 || most < apart || least < apart {
		return
	}
	r.spanned = true
	for i := apart; i <= max(most, least); i++ {
		r.used[i] = r.used[i] || i == apart || i == most || i == least || r.is(i, "between", "zwischen", "and", "und", "dem", "der")
	}
}

// writeExtent writes the statement for how far the most and the least are apart.
func (r *reading) writeExtent() (string, bool) {
	if len(r.measures) != 1 || !r.numeric() || r.entity != nil || r.way != 0 || r.agg != none {
		return "", false
	}
	m := r.measure()
	return sqltext.Grouped(r.groupBy(), "MAX("+m+") - MIN("+m+") AS "+r.dialect.Quote("difference"), r.source()), true
}

// otherUnit reports whether another unit is asked for than that of what is measured: dollars of euros, minutes of hours,
// a gross amount of a net one.
func (r *reading) otherUnit() bool {
	asked := map[string]string{"dollar": "usd", "dollars": "usd", "usd": "usd", "pound": "gbp", "pounds": "gbp", "gbp": "gbp",
		"euro": "eur", "euros": "eur",
		"eur": "eur", "gross": "gross", "brutto": "gross", "bruttobetrag": "gross"}
	gross := slices.ContainsFunc(r.measures, func(f *field) bool { return f.Has([]string{"gross", "brutto"}) })
	for i := range r.tokens {
		unit := asked[r.word(i)]
		for _, f := range r.measures {
			if has, ok := f.Unit(); unit != "" && unit != "gross" && ok && has.Kind == "time" && !r.Paying(f) && r.glue == "" {
				return true // money of hours
			}
			switch u := lexicon.Sizes[r.word(i)]; {
			case unit == "gross" && f.Has([]string{"net", "netto", "nettobetrag"}) && !gross,
				unit != "" && unit != "gross" && (unit != "eur" || f.Has([]string{"usd", "gbp", "chf"})) && r.Paying(f) && !f.Has([]string{unit}):
				return true
			case u.Kind != "" && r.is(i-1, "many", "viele", "in") && f.Numeric():
				if has, ok := f.Unit(); ok && has.Kind == u.Kind && has.Size != u.Size &&
					(!f.Made || u.Kind == "time" && u.Size < lexicon.Sizes["day"].Size) {
					return true
				}
			}
		}
	}
	return false
}

// otherTime reports whether what is measured is of a time by its name, and another time is asked for.
func (r *reading) otherTime() bool {
	named := slices.ContainsFunc(r.measures, func(f *field) bool {
		return slices.ContainsFunc(f.Words, func(w string) bool { return monthNamed(w) || relation.IsDigits(w) && len(w) == 4 })
	})
	return named && r.dated()
}

// twoTimes reports whether rows should be of two times at once.
func (r *reading) twoTimes() bool {
	from := map[*field]int{}
	for _, c := range r.where {
		if c.Day && c.Of != nil && strings.HasPrefix(c.SQL, c.Of.SQL+" >=") {
			from[c.Of]++
		}
	}
	for _, n := range from {
		if n > 1 {
			return true
		}
	}
	return false
}

// otherDeed reports whether the question says that something happened of which the statement says nothing: members who
// paid in cash, of a table of members; what was sold in 2025, by the day it was counted.
func (r *reading) otherDeed() bool {
	counted := r.agg == count && (len(r.measures) == 0 || r.Paying(r.measures[0]))
	if r.Joined || !counted && len(r.measures) > 0 || r.share {
		return false
	}
	filters := 0
	var day *field
	for _, c := range r.where {
		switch {
		case c.Day:
			day = c.Of
		case c.Of == nil || !c.Of.Text() || c.Of.Yes != "":
			return false
		default:
			filters++
		}
	}
	if r.agg == count && r.entity == nil && r.says("work", "works", "worked", "arbeiten", "arbeitet", "staff") &&
		(len(r.shown) == 0 && (r.people() == nil || !r.people().IsCalled("staff")) || r.ofEvents()) {
		return true // not everybody who works is in it
	}
	for i, t := range r.tokens {
		if t.Kind != wording.Word || !lexicon.DeedWords[t.Low] || r.used[i] || r.near[i].f != nil {
			continue
		}
		about := func(p string) bool {
			return lexicon.Same(p, t.Low) || lexicon.Alike(p, t.Low) || lexicon.Rooted(p, t.Low) || lexicon.Happens(p, t.Low)
		}
		if slices.ContainsFunc(r.Nouns, about) {
			continue
		}
		general := func(p string) bool { return lexicon.AnyDay[p] }
		switch {
		case day != nil && !slices.ContainsFunc(day.Words, about) && !slices.ContainsFunc(day.Words, general):
			return true
		case day == nil && filters == 0 && counted:
			return true
		}
	}
	return false
}

// mixed reports whether two functions are asked for at once.
func (r *reading) mixed() bool {
	most, least, kinds := false, false, 0
	for _, t := range r.tokens {
		most = most || lexicon.Extremes[t.Low] > 0 && !temporal[t.Low]
		least = least || lexicon.Extremes[t.Low] < 0 && !temporal[t.Low]
	}
	for _, kind := range [][]string{{"median"}, {"average", "mean", "durchschnitt", "durchschnittliche", "mittelwert"}} {
		if r.says(kind...) {
			kinds++
		}
	}
	ofMonths := r.Only((*field).Moment)
	monthly := !r.Wide && !(ofMonths != nil && ofMonths.Raw != "" && r.says("monthly", "monatliche", "monatlichen")) &&
		r.agg == average && r.bySpan == "" &&
		r.says("monthly", "annual", "yearly", "weekly", "daily", "monatliche", "monatlichen",
			"jährliche") &&
		!slices.ContainsFunc(r.measures, func(f *field) bool { return f.Has([]string{"monthly", "annual", "yearly", "daily", "monatliche"}) })
	counted := false
	for i, m := range r.near {
		counted = counted || r.agg == count && m.f != nil && slices.Contains(r.measures, m.f) && r.is(i-1, "and", "und")
	}
	both := r.says("with", "mit") && r.says("without", "ohne") && r.says("and", "und")
	return both || most && least && !r.spanned || kinds > 1 || monthly || counted || r.agg == average && r.bySpan != "" && r.says("total")
}

// theirMoney reports whether money of the one table is asked for by what rows of the other are called, which have money
// of their own.
func (r *reading) theirMoney() bool {
	if len(r.measures) == 0 {
		return false
	}
	named := slices.ContainsFunc(r.tokens, func(t wording.Token) bool {
		return slices.ContainsFunc(r.Belong, func(w string) bool { return lexicon.Same(w, t.Low) })
	})
	first, _, _ := strings.Cut(r.From, " JOIN ")
	own := slices.ContainsFunc(r.measures, func(f *field) bool { return f.Table() == first && r.Paying(f) })
	amounts := strings.Fields("net gross amount total price betrag netto brutto summe preis eur usd gbp")
	return named && own && slices.ContainsFunc(r.Fields, func(f field) bool {
		return f.Numeric() && f.Table() != first && f.Has(amounts)
	})
}

// plannedElsewhere reports whether what is measured is only planned, which the question does not say, and another table
// has what there was.
func (r *reading) plannedElsewhere() bool {
	f := r.measures[0]
	u, ok := f.Unit()
	return ok && slices.Contains(r.Actual, u) && !slices.ContainsFunc(r.tokens, func(t wording.Token) bool {
		return t.Kind == wording.Word && (lexicon.Alike(t.Low, "planned") || slices.Contains(f.Words, lexicon.Stem(t.Low)) &&
			lexicon.Sizes[t.Low].Size == 0)
	})
}

// room are pairs of parts of names of columns: how much there may be, and how much of it is taken.
var room = []struct{ all, taken string }{
	{"seat place capacity spot platz plätze kapazität sitzplätze max maximum",
		"booked registered registration registrations anmeldung anmeldungen sold participant participants teilnehmer passenger passengers occupied taken belegt gebucht verkauft"},
	{"budget planned plan ansatz", "spent actual ist ausgegeben used cost costs kosten verbraucht"},
}

// roomOf returns the fields for how much there may be of something and how much is taken; nil without.
func (r *reading) roomOf() (all, taken *field) {
	for _, p := range room {
		all = r.Of(p.all, (*field).Additive)
		taken = r.Of(p.taken, func(f *field) bool { return f.Additive() && f != all })
		if all != nil && taken != nil {
			return all, taken
		}
	}
	return nil, nil
}

// settleLeft makes the difference of what there may be and what is taken, where it is asked what is left.
func (r *reading) settleLeft() {
	left := r.Of("rest remaining left übrig resturlaub verbleibend", (*field).Additive)
	if left != nil && len(r.measures) == 1 && r.measures[0] != left && r.measures[0].Numeric() &&
		(r.says(lexicon.Vacancies...) || r.says("noch",
			"still")) {
		r.measures = []*field{left} // how many days there still are
		return
	}
	if !r.says(lexicon.Vacancies...) || len(r.measures) > 1 || r.agg != none && r.agg != count && r.agg != sum || r.share {
		return
	}
	all, taken := r.roomOf()
	some := r.says("left", "remaining", "übrig") && len(r.measures) == 1 && r.measures[0] == taken
	if all == nil || len(r.measures) == 1 && r.measures[0] != all && !some || all.Has(lexicon.Vacancies) || taken.Has(lexicon.Vacancies) {
		return
	}
	r.measures, r.glue = []*field{all, taken}, " - "
	if r.way == 0 {
		r.agg = sum
	}
}

// lates finds what happened after the day it was due, at "late" behind a word for what happened: "returned late".
func (r *reading) lates(i int) bool {
	if !r.is(i, "late", "verspätet") && !(r.is(i, "spät") && r.is(i-1, "zu")) || r.near[i].worth >= byPart {
		return false
	}
	due := r.Of("due deadline fällig fälligkeit frist rückgabefrist", (*field).Moment)
	happened := r.Only(func(f *field) bool { return f.Event() && f != due && f.Has(strings.Fields(lateable)) })
	if due == nil || happened == nil {
		return false
	}
	r.where = append(r.where, condition{SQL: happened.SQL + " > " + due.SQL, Of: happened, Row: true})
	r.used[i] = true
	if r.is(i-1, "zu") {
		r.used[i-1] = true
	}
	for k := range r.near {
		if r.near[k].f == happened {
			r.used[k], r.near[k] = true, mention{}
		}
	}
	r.score += byPart
	return true
}

// lateable are parts of names of days on which what was due was done.
const lateable = "returned return delivered paid finished completed submitted zurückgegeben zurück rückgabe bezahlt geliefert erledigt abgegeben"

// besides returns the measures of a question that an adjective with a column of its own does not speak of; nil without.
func (r *reading) besides(q *lexicon.Quality) []*field {
	if len(r.measures) == 1 {
		at := slices.IndexFunc(r.near, func(m mention) bool { return m.f == r.measures[0] })
		if at > 0 && lexicon.Superlative(r.word(at-1)) {
			return nil // "the longest delay"
		}
	}
	if len(r.measures) == 0 || q.Of == lexicon.Priced || q.Of == r.sizes() || q.Of == "" {
		return nil
	}
	own := func(f *field) bool {
		return (f.Numeric() && f.Has(strings.Fields(q.Of)) || q.Backwards && (f.Moment() || f.Numeric()) &&
			f.Has(strings.Fields(lexicon.Births+" geburtsjahr"))) && !slices.Contains(r.measures, f)
	}
	if r.Only(own) == nil || slices.ContainsFunc(r.measures, func(f *field) bool { return !f.Numeric() || f.Has(strings.Fields(q.Of)) }) {
		return nil
	}
	return r.measures
}
