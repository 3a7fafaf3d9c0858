package plainsql

import (
	"fmt"
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/sqltext"
	"lectern/shared/database/plainsql/wording"
)

// absent finds what rows have none of in another table: members who have never borrowed a book.
func (r *reading) absent() {
	if r.Joined {
		return
	}
	for i := range r.tokens {
		if l := r.Lower(); l != nil && !r.used[i] && r.is(i, "nobody", "niemand", "niemanden", "none") {
			r.lacks = true
			r.where = append(r.where, condition{SQL: "NOT EXISTS (" + l.Exists + r.during(l) + ")"})
			r.used[i] = true
			r.score += byAll
			continue
		}
		if r.used[i] || !r.is(i, "nothing", "nichts", "never", "nie", "niemals", "no", "without", "ohne", "kein", "keine", "keinen", "keiner",
			"keinem", "not", "nicht") {
			continue
		}
		never := !r.is(i, "no", "without", "ohne", "kein", "keine", "keinen", "keiner", "keinem")
		var of, held *link
		at, heldAt := 0, 0
		for k := i + 1; k < len(r.tokens) && k <= i+6; k++ {
			w := r.word(k)
			if w == "" || r.used[k] {
				break
			}
			for n := range r.Apart {
				noun := func(p string) bool {
					return lexicon.Same(p, w) || len(w) >= lexicon.LeastPart && (lexicon.Alike(p, lexicon.Stem(w)) || lexicon.Rooted(p, w))
				}
				switch {
				case slices.ContainsFunc(r.Own, noun):
				case slices.ContainsFunc(r.Apart[n].Nouns, noun):
					of, at = &r.Apart[n], k
				case r.near[k].f == nil && lexicon.Among(r.Apart[n].Holds, w):
					held, heldAt = &r.Apart[n], k
				}
			}
			if of != nil && at == k {
				break
			}
			if never && r.is(k, "paid", "bezahlt", "gezahlt", "überwiesen") && of == nil {
				for n := range r.Apart {
					if !r.Apart[n].Up && slices.ContainsFunc(r.Apart[n].Nouns, func(p string) bool { return lexicon.Alike(p, "payment") }) {
						of, at = &r.Apart[n], k
					}
				}
			}
			if never && lexicon.Happened[w] && of == nil {
				if of = r.Lower(); of != nil {
					at = k
				}
			}
			if held != nil && heldAt == k {
				continue
			}
			if !lexicon.Neutral[w] && !lexicon.Happened[w] && !r.is(k, "any", "single", "at", "gar", "never", "eine", "einen", "einzige",
				"einzigen",
				"einziger") {
				break
			}
		}
		if of == nil {
			of, at = held, heldAt
		}
		if of == nil {
			event := func(k int) bool {
				return k < len(r.near) && r.near[k].f != nil && (r.near[k].f.Moment() || k == i+1 && r.near[k].f.Additive())
			}
			if r.is(i, "never", "nie", "niemals") && r.asksFor() && !event(i+1) && !event(i+2) && !event(i+3) {
				r.never, r.used[i] = true, true
				r.negatedBy(i)
			}
			continue
		}
		r.lacks = true
		r.where = append(r.where, condition{SQL: "NOT EXISTS (" + of.Exists + r.during(of) + ")"})
		r.take(i, at+1-i)
		if r.is(i-1, "gar", "überhaupt") {
			r.used[i-1] = true
		}
		for k := at + 1; k < len(r.tokens) && lexicon.Happened[r.word(k)]; k++ {
			r.used[k] = true
		}
		r.score += byAll
	}
}

// negatedBy takes the words after "never" that say only that something happened.
func (r *reading) negatedBy(i int) {
	for k := i + 1; k < len(r.tokens) && k <= i+3; k++ {
		r.used[k] = r.used[k] || lexicon.Happened[r.word(k)] && r.near[k].f == nil
	}
}

// writeNever writes the statement for what has rows, and none of them such.
func (r *reading) writeNever() (string, bool) {
	of := r.subject()
	days, parts := r.filters()
	if of == nil || !of.Text() || len(parts) == 0 || len(days) > 0 || r.way != 0 || r.agg != none || len(r.measures) > 0 || r.Joined ||
		r.share ||
		of == &r.Fields[0] && r.Unique(of) || lexicon.Among(r.Foreign, of.Words[len(of.Words)-1]) {
		return "", false
	}
	some := append(slices.Clone(parts), condition{SQL: of.SQL + " IS NOT NULL"})
	none := condition{SQL: of.SQL + " NOT IN (SELECT " + of.SQL + " FROM " + r.From + r.clause(some) + ")"}
	return r.dialect.First("DISTINCT "+of.SQL, " FROM "+r.From+r.clause([]condition{none, of.Filled()})+" ORDER BY 1", 100), true
}

// during returns the condition of the time in which rows of another table are missing, and takes the words for it;
// empty without a time.
func (r *reading) during(of *link) string {
	if of.Day == "" {
		return ""
	}
	for i := range r.tokens {
		s, month, n := r.spanAt(i)
		if n == 0 || r.used[i] || month == 0 && wording.IsYear(r.tokens[i]) && !r.inTime(i) {
			continue
		}
		r.take(i, n)
		r.used[max(0, i-1)] = r.used[max(0, i-1)] || r.is(i-1, "in", "during", "im", "on", "am", "for", "für", "ist", "hat", "haben")
		if month > 0 && r.dialect == database.SQLite {
			return fmt.Sprintf(" AND strftime('%%m', %s) = '%02d'", of.Day, month)
		}
		return " AND " + s.holds(of.Day)
	}
	return ""
}

// present finds that those are asked for who have not left: "how many members do we have at the moment".
func (r *reading) present() {
	f := r.Only(func(f *field) bool { return f.Moment() && f.Has(lexicon.Leavings) })
	if f == nil || r.Joined {
		return
	}
	for i := range r.tokens {
		if r.used[i] || !r.is(i, "current", "currently", "now", "moment", "aktuell", "aktuelle", "aktuellen", "derzeit", "zurzeit", "momentan",
			"gegenwärtig", "active", "aktive", "aktiven", "aktiv") && !(r.is(i, "dabei", "here", "hier", "da") && r.is(i-1, "noch", "still")) &&
			!(r.is(i, "uns", "us") && r.is(i-1, "bei", "with") && r.is(i-2, "noch", "still")) || r.filtered(f) ||
			r.near[i].f != nil && r.near[i].worth >= byPart {
			continue
		}
		r.where = append(r.where, condition{SQL: f.SQL + " IS NULL", Of: f})
		r.used[i] = true
		r.score += byPart
	}
}

// Words for whether something has somebody or something in it.
var ()

// vacant finds what says that nobody, or somebody, is in something: "empty flats".
func (r *reading) vacant() {
	for i := range r.tokens {
		w := r.word(i)
		if r.used[i] || !lexicon.VacantWords[w] && !lexicon.TakenWords[w] || r.near[i].worth >= byHead {
			continue
		}
		if r.lacks { // "empty, without a boat"
			r.used[i] = true
			continue
		}
		f := r.Only(func(f *field) bool {
			return f.Text() && !f.ID && slices.ContainsFunc(f.Words, func(p string) bool { return lexicon.Dwellers[p] })
		})
		if f == nil || f == &r.Fields[0] || r.Joined {
			continue
		}
		c := f.Filled()
		if lexicon.VacantWords[w] != r.negated(i) {
			c = f.Empty()
		}
		c.Of = f
		r.where = append(r.where, c)
		r.used[i] = true
		r.score += byPart
	}
}

// group is a condition on how many rows something has: "more than three visits".
type group struct{ sign, number string }

// rowsAt reports whether the word at i is what rows are called.
func (r *reading) rowsAt(i int) bool {
	w := r.word(i)
	if w == "" || r.near[i].f != nil && (r.near[i].f.Numeric() || !r.near[i].f.Code() && !lexicon.Among(r.Nouns, w)) {
		return false
	}
	return lexicon.Among(r.Nouns, w) || lexicon.RowWords[w] || lexicon.ThingNouns[w] && !lexicon.Among(r.Foreign, w) ||
		slices.ContainsFunc(r.Nouns, func(n string) bool { return lexicon.Alike(n, lexicon.Stem(w)) })
}

// writeGroups writes the statement for what has so many rows, or for how many do.
func (r *reading) writeGroups() (string, bool) {
	of := r.subject()
	if of == nil && len(r.shown) == 1 {
		of = r.shown[0]
	}
	if of == nil {
		of = r.by
	}
	if of == nil || !of.Text() || r.way != 0 || r.share || slices.ContainsFunc(r.measures, func(f *field) bool { return !r.filtered(f) }) ||
		r.bySpan != "" || r.once(of) {
		return "", false
	}
	if of.Kind() == database.Textual && !r.filtered(of) {
		r.where = append(r.where, of.Filled())
	}
	groups := r.source() + " GROUP BY " + of.SQL + " HAVING COUNT(*) " + r.group.sign + " " + r.group.number
	if r.agg == count {
		return "SELECT COUNT(*) AS " + r.dialect.Quote("count") + " FROM (SELECT " + of.SQL + groups + ") AS t", true
	}
	return r.dialect.First(of.SQL+", COUNT(*) AS "+r.dialect.Quote("count"), groups+" ORDER BY 2 DESC, 1", 100), true
}

// totals notes the other way to read what has more than some amount, where it may have several rows: all of these together.
func (r *reading) totals(asked []*field) {
	of := r.entity
	if of == nil && len(asked) == 1 && asked[0].Text() {
		of = asked[0]
	}
	if of == nil || of == &r.Fields[0] || r.once(of) || of.Code() || len(r.measures) > 0 || r.lacks || r.never {
		return
	}
	var rows, amounts []condition
	for _, c := range r.where {
		if c.Of != nil && c.Of.Additive() && (strings.HasPrefix(c.SQL, c.Of.SQL+" >") || strings.HasPrefix(c.SQL, c.Of.SQL+" <")) {
			amounts = append(amounts, c)
		} else {
			rows = append(rows, c)
		}
	}
	if len(amounts) != 1 {
		return
	}
	amount := amounts[0]
	sum := "SUM(" + amount.Of.SQL + ")"
	sql := r.dialect.First(of.SQL+", "+sum+" AS "+r.dialect.Quote("total_"+amount.Of.Name), " FROM "+r.From+r.clause(rows)+" GROUP BY "+of.SQL+
		" HAVING "+sum+strings.TrimPrefix(amount.SQL, amount.Of.SQL)+" ORDER BY 2 DESC, 1", 100)
	r.as, r.instead = "single rows", Reading{SQL: sql, As: "the total of each " + of.Name}
}

func (r *reading) writeAverageCount() (string, bool) {
	by := r.groupBy()
	if by == "" || !r.rowNoun {
		return "", false
	}
	return "SELECT COUNT(*) * 1.0 / COUNT(DISTINCT " + by + ") AS " + r.dialect.Quote("average") + r.source(), true
}

// countsRows reports whether what is counted is called as the rows are.
func (r *reading) countsRows() bool {
	for next := range r.counting {
		return lexicon.Among(r.Nouns, r.tokens[next].Low)
	}
	return false
}

// counting yields where what is counted begins: after "how many".
func (r *reading) counting(yield func(at int) bool) {
	for i := range r.tokens {
		for _, phrase := range lexicon.CountWords {
			if next := i + r.at(i, phrase); next > i && next < len(r.tokens) && !yield(next) {
				return
			}
		}
	}
}

func (r *reading) writeCount() (string, bool) {
	of := slices.ContainsFunc(r.where, func(c condition) bool { return c.Of != nil && c.Of.Text() })
	if sql, ok, written := r.writeSold(of); written {
		return sql, ok
	}
	if r.havings() || r.nobody() {
		return "", false
	}
	if sql, ok, written := r.writeAmounts(of); written {
		return sql, ok
	}
	if w := r.countedWord(); lexicon.MeasureWords[w] && !pieces[w] && w != "times" && r.wanting() && r.spanWord(w) == "" {
		return "", false // in which column these are is open
	}
	r.happened()
	by := r.groupBy()
	what, as := "COUNT(*)", " AS "+r.dialect.Quote("count")
	switch {
	case len(r.measures) == 1 && len(r.shown) == 1 && r.asked(r.shown[0]) && !r.asked(r.measures[0]):
		what = "COUNT(DISTINCT " + r.shown[0].SQL + ")"
	case len(r.measures) == 1 && !r.asked(r.measures[0]) && r.some(r.measures[0]):
		r.where = append(r.where, condition{SQL: r.measures[0].SQL + " > 0", Of: r.measures[0]})
	case len(r.measures) == 1 && r.measures[0].Numeric() && r.asked(r.measures[0]) && r.sometimes(r.measures[0]):
		r.where = append(r.where, condition{SQL: r.measures[0].SQL + " > 0", Of: r.measures[0]}) // not of each row there is a fine
	case len(r.measures) == 1 && r.measures[0].Additive() && r.at(0, "how often")+r.at(0, "wie oft") > 0:
		r.where = append(r.where, condition{SQL: r.measures[0].SQL + " > 0", Of: r.measures[0]}) // how often fuel was bought
	case len(r.measures) == 1 && r.measures[0].Additive() && !r.Paying(r.measures[0]) && r.pins(r.title()) &&
		lexicon.ThingNouns[r.countedWord()] && !lexicon.Among(r.Nouns, r.countedWord()):
		what, as = "SUM("+r.measures[0].SQL+")", r.named("total") // the games that a team won
	case len(r.measures) == 1 && r.measures[0].Additive() && !r.Paying(r.measures[0]) && r.countsDone(r.measures[0]) && !r.distinct:
		what, as = "SUM("+r.measures[0].SQL+")", r.named("total") // the plants that were sold, of each sort so many
	case len(r.measures) == 1 && (r.rowNoun && !r.asked(r.measures[0]) || r.asked(r.measures[0]) && r.measures[0] == r.money()):
		// how many members have paid their fee, how many fees
	case len(r.measures) == 1 && r.measures[0].Additive(), r.places(): // "how many crates"
		what, as = "SUM("+r.measures[0].SQL+")", r.named("total")
	case len(r.measures) == 1 && r.filtered(r.measures[0]) && !r.asked(r.measures[0]):
		// how many of them are above a mark
	case len(r.measures) == 1 && r.measures[0].Numeric() && len(r.where) > 0 && by == "":
		return r.writeRows()
	case len(r.measures) > 0:
		return "", false
	case r.entity == nil && len(r.shown) == 1 && r.shown[0].Moment() && !r.distinct:
		return "", false // days are counted, or things that happened
	case r.entity != nil || len(r.shown) == 1:
		of := r.entity
		if of == nil {
			of = r.shown[0]
		}
		if by == of.SQL {
			break
		}
		if r.is(2, "of") && !r.asked(of) && !r.distinct && of != r.entity && !of.Sorts() && of.Kind() == database.Textual && !r.rowNoun {
			r.where = append(r.where, of.Filled()) // how many of them volunteer
			of = nil
			break
		}
		if days := r.Of("date datum", (*field).Moment); days != nil && of.Has([]string{"day", "tag"}) {
			of = days // of the week
		}
		if r.Joined && r.rowNoun && !r.asked(of) && slices.ContainsFunc(r.Belong, func(w string) bool { return slices.Contains(of.Words, w) }) {
			break // of the rows of the other table something is said
		}
		if r.rowNoun && !r.asked(of) && (of == r.entity || slices.Contains(r.shown, of)) {
			return "", false
		}
		compared := slices.ContainsFunc(r.where, func(c condition) bool { return c.Row })
		if len(r.where) == 0 && r.dates() && !r.distinct && of != &r.Fields[0] && !of.Has(lexicon.PersonFields) &&
			r.says("have", "has", "own", "owns", "hat", "haben", "besitzt") &&
			!slices.ContainsFunc(r.Own, func(w string) bool { return lexicon.Same(w, r.countedWord()) }) {
			return "", false // what there is, not what was done with it
		}
		switch {
		case r.notBack(of), r.rowNoun && !r.distinct && !r.person() && !of.Has(lexicon.PersonFields) && r.asked(of) &&
			r.saysAny(lexicon.Happened) && r.dates():
			of = nil // how often that happened, how many of them have not come back
		case r.Calls(of), compared && !r.distinct && !r.person(),
			!r.distinct && len(of.Words) == 1 && (lexicon.ThingNouns[of.Words[0]] || lexicon.ThingNouns[of.Words[0]+"s"]) &&
				of != &r.Fields[0]:
			r.where, of = append(r.where, r.Occupied(of)...), nil // two rows may have one name
		case len(r.where) == 0 && !r.distinct && slices.ContainsFunc(of.Words, func(w string) bool {
			return lexicon.Among(r.Foreign, w)
		}):
			return "", false // another table has each of them
		case of.Sorts() && !r.spells(of), r.bySpan != "" && !r.distinct && (of.Sorts() || r.happens(of)):
			return "", false // boats, or types of boats; decisions, or how often one was made
		case of.Code() && of != &r.Fields[0] && !r.person():
			return "", false // rows, or things
		}
		if of != nil {
			what = "COUNT(DISTINCT " + of.SQL + ")"
		}
	case len(r.shown) > 1:
		return "", false
	case !r.rowNoun && len(r.where) == 0:
		return "", false
	}
	if what == "COUNT(*)" {
		what = r.onceEach(by)
	}
	return sqltext.Grouped(by, what+as, r.source()), what != ""
}

// happened filters by what happened to the rows that are counted: those that somebody opened.
func (r *reading) happened() {
	if r.entity == nil && len(r.shown) == 1 && r.shown[0].Event() && !r.asked(r.shown[0]) && r.rowNoun && len(r.where) > 0 && !r.distinct {
		r.where = append(r.where, condition{SQL: r.shown[0].SQL + " IS NOT NULL", Of: r.shown[0]})
		r.shown = nil
	}
}

// onceEach is what counts rows, or people, each of them once, whatever they did; empty where only one row is meant, of which
// there is one.
func (r *reading) onceEach(by string) string {
	if by == "" && r.listsThings() && r.pins(r.title()) && !r.distinct {
		return ""
	}
	if f := r.people(); r.rowNoun && f != nil && f.Repeats && !r.filtered(f) && r.dates() && r.countsPeople() {
		return "COUNT(DISTINCT " + f.SQL + ")"
	}
	return "COUNT(*)"
}

// writeAmounts writes the statement for days that are counted, and for how many pieces or units there are; written is
// false where rows are counted.
func (r *reading) writeAmounts(of bool) (sql string, ok, written bool) {
	if r.person() && !r.countsRows() && r.wanting() && r.rowNoun && !r.distinct && r.entity == nil &&
		!slices.ContainsFunc(r.shown, (*field).Text) {
		if r.Of("adult adults erwachsene", (*field).Additive) != nil {
			return "", false, true // of each row are several
		}
		if f := r.Of("attended attendance attendees participants teilnehmer besucher visitors zuschauer anwesend personen",
			(*field).Additive); f != nil {
			r.takes(f)
			r.agg = sum
			sql, ok = r.writeAggregate()
			return sql, ok, true
		}
	}
	if format := r.spanWord(r.countedWord()); format != "" && format != quarterly && format != ofWeek && r.is(0, "on", "in", "an",
		"during") && len(r.measures) == 0 {
		if f := r.dayField(2); f != nil {
			return "SELECT COUNT(DISTINCT strftime('" + format + "', " + f.SQL + ")) AS " + r.dialect.Quote("count") + r.source(), true, true
		}
	}
	unit := func(c condition) bool {
		return c.Of != nil && c.Of.Has([]string{"einheit", "unit", "uom"}) && c.Of.Text()
	}
	if len(r.measures) == 0 && slices.ContainsFunc(r.where, unit) && r.countsValue() {
		r.takes(r.Of("sold quantity qty menge pieces stück anzahl", (*field).Additive)) // how many kilos
		r.agg = sum
		sql, ok = r.writeAggregate()
		return sql, ok, true
	}
	if len(r.measures) == 1 && pieces[r.countedWord()] && r.measures[0].Additive() {
		r.agg = sum
		sql, ok = r.writeAggregate()
		return sql, ok, true
	}
	if stock := r.stock(); stock != nil && len(r.measures) == 0 && (of || pieces[r.countedWord()]) {
		r.measures, r.agg = []*field{stock}, sum
		sql, ok = r.writeAggregate()
		if !r.rowNoun && pieces[r.countedWord()] || !ok {
			return sql, ok, true
		}
		r.as = "how many there are, by " + stock.Name
		r.instead = Reading{SQL: sqltext.Grouped(r.groupBy(), "COUNT(*) AS "+r.dialect.Quote("count"), r.source()), As: "how many rows there are"}
		return sql, ok, true
	}
	return "", false, false
}

// some reports whether the question says that there is some of what a field holds: "with a discount".
func (r *reading) some(f *field) bool {
	for i := range r.near {
		if r.near[i].f == f && r.is(i-1, "a", "an", "any", "some", "with", "ein", "eine", "einen", "mit") {
			return true
		}
	}
	return false
}

// person reports whether the question counts people.
func (r *reading) person() bool {
	return r.saysAny(lexicon.PersonNouns)
}

// spells reports whether the question names a field in full.
func (r *reading) spells(f *field) bool {
	return slices.ContainsFunc(r.near, func(m mention) bool { return m.f == f && m.worth >= byHead })
}

// mostBetween is how many words of a value stand between "how many" and what is counted, at most.
const mostBetween = 3

// asked reports whether a field is what is counted: it is named right after "how many".
func (r *reading) asked(f *field) bool {
	for next := range r.counting {
		for last := next + mostBetween; next < last && r.near[next].f == nil && r.used[next] && next+1 < len(r.tokens); {
			next++ // a value stands between
			if lexicon.Auxiliary[r.word(next)] {
				return false // it is what was counted
			}
		}
		if r.near[next].f == nil && next+1 < len(r.tokens) && !lexicon.Among(r.Nouns, r.word(next)) {
			next++ // an adjective stands between
		}
		if m := r.near[next].f; m != nil && m.SQL == f.SQL {
			return true
		}
		if m := r.near[next].f; m != nil && m.Code() && next+1 < len(r.tokens) && r.near[next+1].f != nil && r.near[next+1].f.SQL == f.SQL &&
			r.near[next+1].worth >= byHead {
			return true // rental days
		}
	}
	return false
}

// settleEvents counts the rows to which something happened, where that is asked for by groups: "departures per branch".
func (r *reading) settleEvents() {
	counted := r.agg == count && len(r.shown) == 1 && r.asked(r.shown[0])
	if r.groupBy() == "" || r.agg != none && !counted || r.way != 0 || r.listing || r.when || len(r.shown) != 1 || !r.wanting() ||
		r.entity != nil ||
		!r.shown[0].Moment() || r.shown[0].Has([]string{"date", "datum"}) {
		return
	}
	r.agg, r.where, r.shown = count, append(r.where, condition{SQL: r.shown[0].SQL + " IS NOT NULL", Of: r.shown[0]}), nil
	r.rowNoun = true
}

// countedAt reports whether the word at i is what is counted, or ends what is: "how many of the hours".
func (r *reading) countedAt(i int) bool {
	for next := range r.counting {
		if next <= i && i <= next+2 {
			return true
		}
	}
	return false
}

// countedFirst reports whether the word at i stands right after "how many".
func (r *reading) countedFirst(i int) bool {
	for next := range r.counting {
		if next == i {
			return true
		}
	}
	return false
}

// countsValue reports whether what is counted is a value that rows are filtered by: "how many desks".
func (r *reading) countsValue() bool {
	for next := range r.counting {
		for k := next; k < len(r.tokens) && k <= next+1; k++ {
			if r.used[k] && r.near[k].f == nil && r.tokens[k].Kind != wording.Mark && r.held(k, true) {
				return true
			}
		}
	}
	return false
}

// mostOfValue reports whether the most of a value that rows are filtered by is asked for: "who sold the most lamps".
func (r *reading) mostOfValue() bool {
	for i := 1; i < len(r.tokens); i++ {
		if r.rowCounts(i) && r.used[i] && r.near[i].f == nil && r.tokens[i].Kind == wording.Word && r.held(i, true) {
			return true
		}
	}
	return false
}

// countedWord is the word that is counted; empty without.
func (r *reading) countedWord() string {
	for next := range r.counting {
		return r.word(next)
	}
	return ""
}

// tidyCount is tidy where rows are counted.
func (r *reading) tidyCount() {
	if r.agg != count || len(r.measures) > 0 || r.entity != nil || r.by != nil {
		return
	}
	r.shown = slices.DeleteFunc(r.shown, func(f *field) bool { return r.rowNoun && r.filtered(f) && f.Text() && !r.asked(f) })
	if len(r.shown) == 1 && r.shown[0].Yes != "" && r.rowNoun && !r.filtered(r.shown[0]) && !r.asked(r.shown[0]) &&
		!r.saysAny(lexicon.Negating) {
		value := r.shown[0].Yes // how many came back late
		if r.says("out", "outside", "beyond", "außerhalb") && r.shown[0].Has(lexicon.Inside) {
			value = r.shown[0].No
		}
		r.where = append(r.where, condition{SQL: r.shown[0].SQL + " = " + value, Of: r.shown[0]})
		r.shown = nil
	}
	if len(r.shown) == 1 && len(r.where) > 0 && r.shown[0].Yes != "" && len(r.shown[0].Words) > 1 && r.asked(r.shown[0]) {
		r.shown, r.rowNoun = nil, true // shifts, of which one is the first
	}
	if len(r.shown) == 1 && len(r.where) > 0 && r.shown[0].ID && r.shown[0] == &r.Fields[0] && r.asked(r.shown[0]) && !r.distinct &&
		lexicon.ThingNouns[r.countedWord()] {
		r.shown, r.rowNoun = nil, true // articles, each with its number
	}
}
