package plainsql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/relation"
	"lectern/shared/database/plainsql/wording"
)

// decides reports whether a question asks whether something is so.
func (r *reading) decides() bool {
	first := len(r.tokens) > 1 && r.is(0, "is", "are", "was", "were", "did",
		"does", "do", "has", "have", "had", "can", "ist", "sind", "war", "waren", "hat", "haben",
		"hatte", "gibt", "gab", "wurde", "wurden", "kann")
	german := r.is(0, "was") && (r.german || !r.used[1] && !lexicon.Linking[r.word(1)]) // what somebody earns
	return first && !german && !r.is(1, "many", "much") && r.way == 0 && !r.says("which", "who", "how", "when", "where", "oder", "or")
}

// once reports whether a field names each row, so that none has several.
func (r *reading) once(f *field) bool {
	if r.Joined || !r.Unique(f) {
		return false
	}
	return f == &r.Fields[0] || r.Fields[0].ID && f == r.people() && f.Has([]string{"name"})
}

// titled reports whether the question calls the rows by the table's own name, and not only by what they belong to.
func (r *reading) titled() bool {
	name := lexicon.Stem(strings.ToLower(r.Name))
	return slices.ContainsFunc(r.tokens, func(t wording.Token) bool { return t.Kind == wording.Word && lexicon.Stem(t.Low) == name })
}

// before reports whether a word before the one at i speaks of a field.
func (r *reading) before(f *field, i int) bool {
	return slices.ContainsFunc(r.near[:i], func(m mention) bool { return m.f == f })
}

// free finds what costs nothing: "free events", "costs nothing", "kostenlos".
func (r *reading) free(i int) bool {
	n := 1
	switch {
	case r.is(i, "kostenlos", "kostenlose", "kostenlosen", "gratis", "umsonst"):
	case r.is(i, "free") && (r.is(i+1, "of") && r.is(i+2, "charge")):
		n = 3
	case r.is(i, "free") && (lexicon.Bookable[r.word(i-1)] || lexicon.Bookable[r.word(i-2)] || lexicon.Bookable[r.word(i+1)]):
		return false
	case r.is(i, "free") && !slices.ContainsFunc(lexicon.Seats, func(p string) bool { return lexicon.Same(p, r.word(i+1)) }):
	case r.is(i, "cost", "costs", "kosten", "kostet") && r.is(i+1, "nothing", "nichts"):
		n = 2
	default:
		return false
	}
	f := r.Only(func(f *field) bool { return r.Paying(f) && !f.Planned() })
	other := slices.ContainsFunc(r.Fields, func(f field) bool {
		left := func(v string) bool { return slices.Contains(lexicon.Vacancies, v) }
		return f.Has(lexicon.Vacancies) || slices.ContainsFunc(f.Vocabulary().Single, left)
	})
	if f == nil || n == 1 && r.is(i, "free") && other {
		return false
	}
	r.where = append(r.where, condition{SQL: f.SQL + " = 0", Of: f})
	r.take(i, n)
	r.tokens[i].Low = "gratis" // not what is left
	r.score += byPart
	return true
}

// sums reports whether the word at i is what rows are called, each of which is for an amount of money.
func (r *reading) sums(i int) bool {
	return i >= 0 && r.rowsAt(i) && slices.ContainsFunc(r.Nouns, func(n string) bool {
		return slices.ContainsFunc([]string{"invoice", "order", "payment", "purchase", "sale", "gift", "refund"}, func(w string) bool {
			return lexicon.Alike(n, w)
		})
	})
}

// ofEvents reports whether rows tell what happened on days, rather than who or what there is since one.
func (r *reading) ofEvents() bool {
	since := strings.Fields(lexicon.Entries + " " + lexicon.Births + " hired employed birth employment einstellung geburtsdatum")
	return slices.ContainsFunc(r.Fields, func(f field) bool { return f.Moment() && !f.Has(since) && !f.Has(lexicon.Acquired) })
}

// away finds that those are asked for which have not come back: "who has it at the moment".
func (r *reading) away() {
	f := r.Only(func(f *field) bool {
		return f.Moment() && f.Has(strings.Fields("returned return back zurück rückgabe zurückgegeben"))
	})
	if f == nil || r.filtered(f) {
		return
	}
	for i := range r.tokens {
		if r.used[i] || r.near[i].f != nil || !r.is(i, "currently", "now", "moment", "aktuell", "derzeit", "zurzeit", "momentan", "gerade") {
			continue
		}
		r.where = append(r.where, condition{SQL: f.SQL + " IS NULL", Of: f})
		r.used[i] = true
		r.score += byPart
		return
	}
}

// worth returns the money that the word at i speaks of as what came in, or what something is worth, where no field is
// called so.
func (r *reading) worth(i int) mention {
	w := r.word(i)
	switch f := r.money(); {
	case lexicon.Earned[lexicon.Stem(w)] && f != nil && f.Additive():
		if net := r.Only(func(o *field) bool { return o.Numeric() && o != f && o.Has([]string{"net", "netto"}) }); net != nil {
			r.also = net
		}
		return mention{f, 1, byWord}
	case r.is(i, "value", "worth", "wert") && r.agg == sum && r.Of(stockNames+" quantity qty menge", (*field).Additive) == nil:
		if price := r.Only(func(f *field) bool { return r.Paying(f) && f.Has(strings.Fields(lexicon.Priced)) }); price != nil {
			return mention{price, 1, byWord} // of things that are there once
		}
	case r.is(i, "age", "alter"):
		if f := r.age(); f != nil {
			return mention{f, 1, byAll}
		}
	case r.is(i, "length", "duration", "dauer", "länge"):
		if f := r.Of(lexicon.Lasting, (*field).Numeric); f != nil && !r.Paying(f) {
			return mention{f, 1, byWord}
		}
	case r.is(i, "consumption", "usage", "verbrauch"):
		if f := r.Only(func(f *field) bool {
			return f.Additive() && !r.Paying(f) &&
				f.Has(strings.Fields("fuel kraftstoff sprit benzin diesel electricity strom gas water wasser kwh l"))
		}); f != nil {
			return mention{f, 1, byWord}
		}
	}
	return mention{}
}

// ending are parts of names of days on which something ends.
var ending = strings.Fields("end ends ende until expiry expires expiration bis ablauf out to finish")

// ends returns 1 where the end of something is asked for, -1 where its beginning is, and 0 where neither is.
func (r *reading) ends() int {
	switch {
	case r.says("end", "ends", "ended", "expire", "expires", "expired", "endet", "enden", "abläuft", "ablaufen", "aus") ||
		r.says("run", "runs") && r.says("out"):
		return 1
	case r.says("start", "starts", "started", "begin", "begins", "began", "beginnt", "begann"):
		return -1
	}
	return 0
}

// ofPrices reports whether the question has an adjective for prices: the cheapest.
func (r *reading) ofPrices() bool {
	return slices.ContainsFunc(r.tokens, func(t wording.Token) bool {
		q, ok := lexicon.QualityOf(t.Low, lexicon.MostEndings...)
		return ok && q.Of == lexicon.Priced || lexicon.Qualities[t.Low].Of == lexicon.Priced
	})
}

// sets groups by the field of the values that the question compares: "compare Lena and Omar by gross amount".
func (r *reading) sets() {
	asks := r.is(0, "compare", "vergleiche", "vergleich")
	for i := range r.tokens {
		if asks && i == 0 || r.is(i, "vs", "versus") && !r.used[i] {
			at := slices.IndexFunc(r.where, func(c condition) bool { return c.Of != nil && strings.HasPrefix(c.SQL, c.Of.SQL+" IN (") })
			if at < 0 || r.by != nil && r.by != r.where[at].Of {
				return
			}
			r.by, r.used[i] = r.where[at].Of, true
			for k := range r.tokens {
				if asks && r.is(k, "by", "nach") {
					r.used[k] = true // what is compared
				}
			}
			if r.agg == none && r.way == 0 {
				r.agg = sum
			}
			return
		}
	}
}

// rankNames are parts of names of columns that say at which place somebody came.
const rankNames = "rank place position platz platzierung rang"

// wins finds at which place somebody came: "who won", "came third", "finished last".
func (r *reading) wins(i int) bool {
	f := r.Of(rankNames, func(f *field) bool { return f.Kind() == database.Numeric })
	if f == nil || r.near[i].worth >= byPart {
		return false
	}
	told := r.Of("won win wins victory siege", (*field).Numeric) != nil // how many were won
	at := i + 1
	for r.is(at, "in", "on", "the", "place", "as", "auf", "den", "dem", "der", "platz") {
		at++
	}
	place := lexicon.OrdinalOf(r.word(at))
	came := r.is(i, "came", "come", "finished", "placed", "was", "wurde", "kam")
	switch {
	case r.is(i, "won", "winner", "winning", "wins", "win", "gewann", "gewonnen", "sieger", "siegerin") && !told,
		r.is(i, "top") && r.is(i+1, "of") && r.is(i+3, "league", "table"):
		r.where = append(r.where, condition{SQL: f.SQL + " = 1", Of: f})
		if at = i; r.is(i, "top") {
			at = i + 3
		}
	case lexicon.OrdinalOf(r.word(i)) > 0 && r.is(i+1, "place", "position", "platz"):
		r.where = append(r.where, condition{SQL: f.SQL + " = " + strconv.Itoa(lexicon.OrdinalOf(r.word(i))), Of: f})
		at = i + 1
	case came && place > 0:
		r.where = append(r.where, condition{SQL: f.SQL + " = " + strconv.Itoa(place), Of: f})
	case came && r.is(at, "last", "letzter", "letzte"):
		r.where = append(r.where, condition{SQL: f.SQL + " = (SELECT MAX(" + f.SQL + ") FROM " + r.From + ")", Of: f})
	case r.is(i, "finished", "finish"):
		r.used[i] = true
		return true
	default:
		return false
	}
	r.take(i, at+1-i)
	if r.is(at+1, "place", "platz") {
		r.used[at+1] = true
	}
	r.score += byPart
	return true
}

// level finds "third floor", "3rd floor", "3. Stock".
func (r *reading) level(i int) bool {
	n, at := lexicon.OrdinalOf(r.word(i)), i+1
	if n == 0 && r.number(i) > 0 && at < len(r.tokens) && (r.is(at, "st", "nd", "rd", "th") || r.tokens[at].Text == ".") {
		n, at = r.number(i), at+1
	}
	if n == 0 || at >= len(r.tokens) {
		return false
	}
	f := r.near[at].f
	if f == nil || f.Kind() != database.Numeric || !f.Has(lexicon.Leveled) || r.near[at].worth < byPart {
		return false
	}
	r.where = append(r.where, condition{SQL: f.SQL + " = " + strconv.Itoa(n), Of: f})
	r.take(i, at+1-i)
	r.score += byPart
	return true
}

// olderThan compares the year that something is of with the one that the comparison at i names.
func (r *reading) olderThan(i int, c comparison) bool {
	f := r.Of("year built baujahr jahr jahrgang vintage", func(f *field) bool { return f.Numeric() && f.OfYears() })
	if f == nil || c.by.Of != "" && r.Of(c.by.Of, (*field).Numeric) != nil {
		return false
	}
	sign := " < "
	if c.by.Way < 0 {
		sign = " > " // newer
	}
	r.where = append(r.where, condition{SQL: f.SQL + sign + r.tokens[c.at].Text, Of: f})
	r.take(i, c.at+1-i)
	r.score += byPart
	return true
}

// dues are parts of names of days until which something is to be done.
const dues = "due deadline fällig fälligkeit frist rückgabefrist"

// overdue finds what should have been done before today and was not.
func (r *reading) overdue() {
	due := r.Of(dues, (*field).Moment)
	for i := range r.tokens {
		if r.used[i] || due == nil || r.dialect != database.SQLite ||
			!r.is(i, "overdue", "überfällig", "überfällige", "überfälligen") && !(r.is(i, "past") && r.is(i+1, "due")) {
			continue
		}
		open := condition{}
		ends := func(f *field) bool {
			return slices.ContainsFunc(f.Words, func(w string) bool {
				return lexicon.Alike(w, "returned") || lexicon.Alike(w, "paid") || lexicon.Alike(w, "done") || lexicon.Alike(w, "delivered")
			})
		}
		happened := r.Only(func(f *field) bool { return f.Event() && f != due })
		if happened == nil {
			happened = r.Only(func(f *field) bool { return f.Moment() && f != due && !f.Made && ends(f) })
		}
		if happened != nil {
			open = condition{SQL: happened.SQL + " IS NULL", Of: happened}
		} else if open = r.notDone(); open.Of == nil {
			return
		}
		r.where = append(r.where, open, condition{SQL: due.SQL + " < DATE('now')", Of: due})
		r.take(i, 1)
		if r.is(i, "past") {
			r.take(i, 2)
			r.near[i+1] = mention{}
		}
		r.near[i] = mention{}
		r.score += byPart
	}
}

// undone finds what is open, of rows that say by other words how far they are: those that are not done.
func (r *reading) undone() {
	for i := range r.tokens {
		if r.used[i] || r.near[i].f != nil || !lexicon.StillOpen[r.word(i)] && !r.is(i, "unfinished", "unerledigt", "incomplete") {
			continue
		}
		if c := r.notDone(); c.Of != nil && !r.filtered(c.Of) {
			r.where = append(r.where, c)
			r.used[i] = true
			r.score += byPart
		}
	}
}

// notDone returns the condition that something is not done, by the one field whose values tell that, and none that it is
// open; empty without.
func (r *reading) notDone() condition {
	value := ""
	f := r.Only(func(f *field) bool {
		if !f.Text() || f.Many || len(f.Values) > fewStates {
			return false
		}
		done := ""
		for _, v := range f.Values {
			low := strings.ToLower(v)
			if lexicon.StillOpen[low] {
				return false
			}
			if slices.Contains([]string{"done", "completed", "complete", "finished",
				"closed", "resolved", "erledigt", "abgeschlossen", "fertig"}, low) {
				done = v
			}
		}
		if done != "" {
			value = done
		}
		return done != ""
	})
	if f == nil {
		return condition{}
	}
	conditions := "(" + f.SQL + " <> " + r.dialect.QuoteText(value) + " OR " + f.SQL + " IS NULL)"
	if ended := r.ended(f); ended != "" {
		conditions = "(" + f.SQL + " NOT IN (" + r.dialect.QuoteText(value) + ", " + ended + ") OR " + f.SQL + " IS NULL)"
	}
	return condition{SQL: conditions, Of: f}
}

// fewStates is how many states something may be in, at most.
const fewStates = 8

// subjectAfter returns the field with the marks in a subject that a word after the one at i names; nil without.
func (r *reading) subjectAfter(i int) *field {
	for k := i + 1; k < len(r.tokens); k++ {
		if f := r.near[k].f; f != nil && f.Mark && r.near[k].worth >= byAll {
			return f
		}
	}
	return nil
}

// better returns which way marks go that are better: German ones are best at 1.
func (r *reading) better(way int) int {
	if r.german {
		return -way
	}
	return way
}

// converts measures in the unit that the question asks for: "in hours" of a field with minutes.
func (r *reading) converts() {
	if w := r.countedWord(); r.agg == count && r.wanting() && !r.distinct && r.spanWord(w) == "" {
		if f := r.InUnit(w); f != nil && !f.Made && f.Additive() {
			r.measures, r.agg = []*field{f}, sum // how many hours, of minutes
		}
	}
	if len(r.measures) != 1 || r.glue != "" {
		return
	}
	f := r.measures[0]
	has, ok := f.Unit()
	for i := range r.tokens {
		asked := lexicon.Sizes[r.word(i)]
		if !ok || !r.is(i-1, "in", "many", "viele") || asked.Kind != has.Kind || asked.Size == has.Size || f.Made || !f.Numeric() {
			continue
		}
		of, column := *f, *f.Column
		of.SQL = fmt.Sprintf("(%s * %g)", f.SQL, has.Size/asked.Size)
		if asked.Size > has.Size {
			of.SQL = fmt.Sprintf("(%s * 1.0 / %g)", f.SQL, asked.Size/has.Size)
		}
		of.Units = []string{r.word(i)}
		of.Words = slices.DeleteFunc(slices.Clone(f.Words), func(w string) bool { return lexicon.Sizes[w].Size > 0 })
		column.Name = strings.Join(append(slices.Clone(of.Words), of.Units...), "_")
		of.Column = &column
		r.measures = []*field{&of}
		return
	}
}

// upcoming finds what comes next, from today on: "when is the next appointment".
func (r *reading) upcoming() {
	for i := range r.tokens {
		next := r.is(i, "next", "nächste", "nächster", "nächstes", "nächsten")
		if r.used[i] || r.near[i].f != nil || !next && !r.is(i, "upcoming", "anstehende", "anstehenden", "kommende", "kommenden") ||
			r.dialect != database.SQLite || r.opensName(i) || !next && spans[r.word(i+1)] {
			continue
		}
		f := r.Only((*field).Moment)
		if f == nil || r.dated() {
			return
		}
		r.where = append(r.where, condition{SQL: f.SQL + " >= DATE('now')", Of: f})
		if next && !r.is(i+1, "after", "nach") {
			r.way, r.measures, r.when = -1, []*field{f}, true
		}
		r.used[i] = true
		r.score += byPart
		return
	}
}

const worstMark = 6

// toldBy reports whether the word at i says what the table, or a value that rows are filtered by, says already.
func (r *reading) toldBy(i int) bool {
	if r.is(i, "type", "types", "kind", "kinds", "art") && i > 0 && r.used[i-1] && r.near[i-1].f != nil && r.near[i-1].f.Text() &&
		r.near[i].f == nil {
		return true // the fuel type
	}
	if r.is(i, "paid", "pay", "pays", "bezahlt", "gezahlt", "zahlen", "zahlt") && slices.ContainsFunc(r.where, func(c condition) bool {
		return c.Of != nil && c.Of.Text() && c.Of.Has(strings.Fields("zahlungsart zahlungsweise zahlart payment method bezahlart"))
	}) {
		return true // in cash
	}
	if r.near[i].f == nil && participle(r.word(i)) && !r.denies(i-1) && slices.ContainsFunc(r.Own, func(n string) bool {
		return len(n) > lexicon.LeastPart && (lexicon.Happens(n, r.word(i)) || lexicon.Rooted(n, r.word(i)) ||
			lexicon.Rooted(strings.TrimSuffix(n, "en"), r.word(i)))
	}) {
		return true // what was maintained, of a table of maintenance
	}
	return false
}

// otherKind reports whether a word is for another kind of thing than what a field with a name like it holds.
func (r *reading) otherKind(f *field, w string) bool {
	if head := slices.ContainsFunc([]string{"head", "vice", "deputy", "co", "ex"}, func(p string) bool {
		rest, ok := strings.CutPrefix(w, p)
		return ok && lexicon.Among(f.Words, strings.TrimPrefix(rest, "-"))
	}); head {
		return true // a headteacher is no teacher of theirs
	}
	if u, ok := f.Unit(); ok && u.Kind == "time" && !r.Paying(f) && (w == "budget" || w == "budgets") {
		return true // money, not hours
	}
	if strings.HasPrefix(w, "countr") && !slices.ContainsFunc(f.Words, func(p string) bool {
		return strings.HasPrefix(p, "countr") ||
			lexicon.Alike(p, w)
	}) {
		return true // no count
	}
	return false
}

// money returns the field with the money that the question speaks of: of what came in and what went out the one that its
// verb tells; nil where none, or several may be meant.
func (r *reading) money() *field {
	in, out := r.Flows()
	spent := r.says("spend", "spent", "cost", "costs", "pay", "paid", "ausgegeben", "gekostet", "kostet", "bezahlt")
	earned := r.says("earn", "earned", "bring", "brought", "made", "make", "raise", "raised", "collect", "collected", "receive", "received",
		"eingenommen", "einnehmen", "verdient", "eingebracht")
	switch {
	case in == nil || spent == earned:
		return r.Relation.Money()
	case spent:
		return out
	}
	return in
}

// nets makes the difference of what came in and what went out where the balance is asked for.
func (r *reading) nets() {
	in, out := r.Flows()
	for i := range r.tokens {
		if in == nil || r.used[i] || r.near[i].f != nil && r.near[i].f != in && r.near[i].f != out ||
			!r.is(i, "balance", "saldo", "profit", "surplus", "gewinn", "überschuss") {
			continue
		}
		a, b := *in, *out
		a.SQL, b.SQL = "COALESCE("+in.SQL+", 0)", "COALESCE("+out.SQL+", 0)"
		r.measures, r.glue, r.used[i] = []*field{&a, &b}, " - ", true
		if r.agg == none {
			r.agg = sum
		}
		r.score += byPart
		return
	}
}

// age returns a field for how many years ago somebody was born, where a day tells that and no field the age; nil without.
func (r *reading) age() *field {
	born := r.Only(func(f *field) bool { return f.Moment() && f.Has(strings.Fields(lexicon.Births)) })
	if r.lived != nil || born == nil || r.dialect != database.SQLite || r.Of("age alter", (*field).Numeric) != nil {
		return r.lived
	}
	r.lived = &field{Column: &database.Column{Name: "age", Type: "INTEGER"},
		Words: []string{"age"}, Units: []string{"year", "jahr"}, Made: true,
		Vocab: &relation.Vocabulary{}, Means: [][]int{lexicon.ConceptsOf("age")},
		SQL: "(strftime('%Y', 'now') - strftime('%Y', " + born.SQL + ") - (strftime('%m-%d', 'now') < strftime('%m-%d', " + born.SQL + ")))"}
	return r.lived
}

// rates finds how much of what there may be was taken: "the attendance rate", "occupancy", "Auslastung".
func (r *reading) rates() {
	all, taken := r.roomOf()
	for i := range r.tokens {
		rate := r.is(i, "rate", "quote") && len(r.measures) == 1 && r.measures[0] == taken
		if all == nil || all.Planned() && !all.Has([]string{"max", "maximum"}) || !rate && !(r.is(i, "occupancy", "auslastung", "utilisation",
			"utilization") && r.wanting() && r.near[i].f == nil) {
			continue
		}
		r.measures, r.glue, r.used[i] = []*field{taken, all}, " / ", true
		if r.is(i+1, "rate") {
			r.used[i+1] = true
		}
		return
	}
}

// sorts takes the words that say by which field a list is sorted, and notes it: "sorted by date", "in order of price".
func (r *reading) sorts() {
	for i := range r.tokens {
		by := i + 1
		switch {
		case r.is(i, "sorted", "ordered", "sortiert", "geordnet") && r.is(by, "by", "nach"):
		case r.is(i, "order") && r.is(i-1, "in") && r.is(by, "of"):
		default:
			continue
		}
		if r.is(by+1, "the", "dem", "der") {
			by++
		}
		if m := r.near[min(by+1, len(r.tokens)-1)]; m.f != nil && by+1 < len(r.tokens) && !r.used[by+1] {
			if r.order = m.f; m.f.Moment() && lexicon.AnyDay[r.word(by+1)] {
				r.order = r.dayField(by + 1)
			}
			r.take(i, by+1+m.words-i)
			for k := i; k < by+1+m.words; k++ {
				r.near[k] = mention{}
			}
			r.listing = true
		}
		return
	}
}

// sortedBy is the order that a list is asked in; empty without.
func (r *reading) sortedBy() string {
	if r.order == nil {
		return ""
	}
	return " ORDER BY " + r.order.SQL
}

// ended returns the value, quoted, by which a field says that something was called off; empty without.
func (r *reading) ended(f *field) string {
	if at := slices.IndexFunc(f.Values, func(v string) bool { return lexicon.Alike(strings.ToLower(v), "cancelled") }); at >= 0 {
		return r.dialect.QuoteText(f.Values[at])
	}
	return ""
}

// namesRows reports whether rows are called by the values of a field, and another one names some of these rows, as whoever stands
// in for somebody is one of the same people.
func (r *reading) namesRows(f, other *field) bool {
	return r.Unique(f) && f.Text() && !f.Many && !other.Many && len(other.Values) > 1 &&
		!slices.ContainsFunc(other.Values, func(v string) bool { return !slices.Contains(f.Values, v) })
}

// callsAt reports whether the question says what the value at i is: "whose deputy is Ann", not "the deputy of Ann".
func (r *reading) callsAt(i int, f *field) bool {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if r.near[k].f == f {
			return true
		}
		if !r.is(k, "is", "was", "ist", "war", "named", "called", "heißt", "by") {
			return false
		}
	}
	return false
}
