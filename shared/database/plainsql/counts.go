package plainsql

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/sqltext"
	"lectern/shared/database/plainsql/wording"
)

// absent finds what rows have none of in another table: members who have never borrowed a book.
func (r *reading) absent() {
	if r.joined {
		return
	}
	for i := range r.tokens {
		if l := r.lower(); l != nil && !r.used[i] && r.is(i, "nobody", "niemand", "niemanden", "none") {
			r.lacks = true
			r.where = append(r.where, condition{sql: "NOT EXISTS (" + l.exists + r.during(l) + ")"})
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
			for n := range r.apart {
				noun := func(p string) bool {
					return lexicon.Same(p, w) || len(w) >= lexicon.LeastPart && (lexicon.Alike(p, lexicon.Stem(w)) || lexicon.Rooted(p, w))
				}
				switch {
				case slices.ContainsFunc(r.own, noun):
				case slices.ContainsFunc(r.apart[n].nouns, noun):
					of, at = &r.apart[n], k
				case r.near[k].f == nil && lexicon.Among(r.apart[n].holds, w):
					held, heldAt = &r.apart[n], k
				}
			}
			if of != nil && at == k {
				break
			}
			if never && r.is(k, "paid", "bezahlt", "gezahlt", "überwiesen") && of == nil {
				for n := range r.apart {
					if !r.apart[n].up && slices.ContainsFunc(r.apart[n].nouns, func(p string) bool { return lexicon.Alike(p, "payment") }) {
						of, at = &r.apart[n], k
					}
				}
			}
			if never && lexicon.Happened[w] && of == nil {
				if of = r.lower(); of != nil {
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
				return k < len(r.near) && r.near[k].f != nil && (r.near[k].f.moment() || k == i+1 && r.near[k].f.additive())
			}
			if r.is(i, "never", "nie", "niemals") && r.asksFor() && !event(i+1) && !event(i+2) && !event(i+3) {
				r.never, r.used[i] = true, true
				r.negatedBy(i)
			}
			continue
		}
		r.lacks = true
		r.where = append(r.where, condition{sql: "NOT EXISTS (" + of.exists + r.during(of) + ")"})
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
	if of == nil || !of.text() || len(parts) == 0 || len(days) > 0 || r.way != 0 || r.agg != none || len(r.measures) > 0 || r.joined ||
		r.share ||
		of == &r.fields[0] && r.unique(of) || lexicon.Among(r.foreign, of.words[len(of.words)-1]) {
		return "", false
	}
	some := append(slices.Clone(parts), condition{sql: of.sql + " IS NOT NULL"})
	none := condition{sql: of.sql + " NOT IN (SELECT " + of.sql + " FROM " + r.from + r.clause(some) + ")"}
	return r.dialect.First("DISTINCT "+of.sql, " FROM "+r.from+r.clause([]condition{none, of.filled()})+" ORDER BY 1", 100), true
}

// during returns the condition of the time in which rows of another table are missing, and takes the words for it;
// empty without a time.
func (r *reading) during(of *link) string {
	if of.day == "" {
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
			return fmt.Sprintf(" AND strftime('%%m', %s) = '%02d'", of.day, month)
		}
		return " AND " + s.holds(of.day)
	}
	return ""
}

// lower returns the one table whose rows belong to rows of the relation; nil if none or several do.
func (r *relation) lower() *link {
	var found *link
	for i := range r.apart {
		if l := &r.apart[i]; !l.up {
			if found != nil {
				return nil
			}
			found = l
		}
	}
	return found
}

// present finds that those are asked for who have not left: "how many members do we have at the moment".
func (r *reading) present() {
	f := r.only(func(f *field) bool { return f.moment() && f.has(lexicon.Leavings) })
	if f == nil || r.joined {
		return
	}
	for i := range r.tokens {
		if r.used[i] || !r.is(i, "current", "currently", "now", "moment", "aktuell", "aktuelle", "aktuellen", "derzeit", "zurzeit", "momentan",
			"gegenwärtig", "active", "aktive", "aktiven", "aktiv") && !(r.is(i, "dabei", "here", "hier", "da") && r.is(i-1, "noch", "still")) &&
			!(r.is(i, "uns", "us") && r.is(i-1, "bei", "with") && r.is(i-2, "noch", "still")) || r.filtered(f) ||
			r.near[i].f != nil && r.near[i].worth >= byPart {
			continue
		}
		r.where = append(r.where, condition{sql: f.sql + " IS NULL", of: f})
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
		f := r.only(func(f *field) bool {
			return f.text() && !f.id && slices.ContainsFunc(f.words, func(p string) bool { return lexicon.Dwellers[p] })
		})
		if f == nil || f == &r.fields[0] || r.joined {
			continue
		}
		c := f.filled()
		if lexicon.VacantWords[w] != r.negated(i) {
			c = f.empty()
		}
		c.of = f
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
	if w == "" || r.near[i].f != nil && (r.near[i].f.numeric() || !r.near[i].f.code() && !lexicon.Among(r.nouns, w)) {
		return false
	}
	return lexicon.Among(r.nouns, w) || lexicon.RowWords[w] || lexicon.ThingNouns[w] && !lexicon.Among(r.foreign, w) ||
		slices.ContainsFunc(r.nouns, func(n string) bool { return lexicon.Alike(n, lexicon.Stem(w)) })
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
	if of == nil || !of.text() || r.way != 0 || r.share || slices.ContainsFunc(r.measures, func(f *field) bool { return !r.filtered(f) }) ||
		r.bySpan != "" || r.once(of) {
		return "", false
	}
	if of.Kind() == database.Textual && !r.filtered(of) {
		r.where = append(r.where, of.filled())
	}
	groups := r.source() + " GROUP BY " + of.sql + " HAVING COUNT(*) " + r.group.sign + " " + r.group.number
	if r.agg == count {
		return "SELECT COUNT(*) AS " + r.dialect.Quote("count") + " FROM (SELECT " + of.sql + groups + ") AS t", true
	}
	return r.dialect.First(of.sql+", COUNT(*) AS "+r.dialect.Quote("count"), groups+" ORDER BY 2 DESC, 1", 100), true
}

// totals notes the other way to read what has more than some amount, where it may have several rows: all of these together.
func (r *reading) totals(asked []*field) {
	of := r.entity
	if of == nil && len(asked) == 1 && asked[0].text() {
		of = asked[0]
	}
	if of == nil || of == &r.fields[0] || r.once(of) || of.code() || len(r.measures) > 0 || r.lacks || r.never {
		return
	}
	var rows, amounts []condition
	for _, c := range r.where {
		if c.of != nil && c.of.additive() && (strings.HasPrefix(c.sql, c.of.sql+" >") || strings.HasPrefix(c.sql, c.of.sql+" <")) {
			amounts = append(amounts, c)
		} else {
			rows = append(rows, c)
		}
	}
	if len(amounts) != 1 {
		return
	}
	amount := amounts[0]
	sum := "SUM(" + amount.of.sql + ")"
	sql := r.dialect.First(of.sql+", "+sum+" AS "+r.dialect.Quote("total_"+amount.of.Name), " FROM "+r.from+r.clause(rows)+" GROUP BY "+of.sql+
		" HAVING "+sum+strings.TrimPrefix(amount.sql, amount.of.sql)+" ORDER BY 2 DESC, 1", 100)
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
		return lexicon.Among(r.nouns, r.tokens[next].Low)
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
	of := slices.ContainsFunc(r.where, func(c condition) bool { return c.of != nil && c.of.text() })
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
	if r.entity == nil && len(r.shown) == 1 && r.shown[0].event() && !r.asked(r.shown[0]) && r.rowNoun && len(r.where) > 0 && !r.distinct {
		r.where = append(r.where, condition{sql: r.shown[0].sql + " IS NOT NULL", of: r.shown[0]})
		r.shown = nil // those that somebody opened
	}
	by := r.groupBy()
	what, as := "COUNT(*)", " AS "+r.dialect.Quote("count")
	switch {
	case len(r.measures) == 1 && len(r.shown) == 1 && r.asked(r.shown[0]) && !r.asked(r.measures[0]):
		what = "COUNT(DISTINCT " + r.shown[0].sql + ")"
	case len(r.measures) == 1 && !r.asked(r.measures[0]) && r.some(r.measures[0]):
		r.where = append(r.where, condition{sql: r.measures[0].sql + " > 0", of: r.measures[0]})
	case len(r.measures) == 1 && r.measures[0].numeric() && r.asked(r.measures[0]) && r.sometimes(r.measures[0]):
		r.where = append(r.where, condition{sql: r.measures[0].sql + " > 0", of: r.measures[0]}) // not of each row there is a fine
	case len(r.measures) == 1 && r.measures[0].additive() && r.at(0, "how often")+r.at(0, "wie oft") > 0:
		r.where = append(r.where, condition{sql: r.measures[0].sql + " > 0", of: r.measures[0]}) // how often fuel was bought
	case len(r.measures) == 1 && r.measures[0].additive() && !r.paying(r.measures[0]) && r.pins(r.title()) &&
		lexicon.ThingNouns[r.countedWord()] && !lexicon.Among(r.nouns, r.countedWord()):
		what, as = "SUM("+r.measures[0].sql+")", r.named("total") // the games that a team won
	case len(r.measures) == 1 && (r.rowNoun && !r.asked(r.measures[0]) || r.asked(r.measures[0]) && r.measures[0] == r.money()):
		// how many members have paid their fee, how many fees
	case len(r.measures) == 1 && r.measures[0].additive(): // "how many crates"
		what, as = "SUM("+r.measures[0].sql+")", r.named("total")
	case len(r.measures) == 1 && r.filtered(r.measures[0]) && !r.asked(r.measures[0]):
		// how many of them are above a mark
	case len(r.measures) == 1 && r.measures[0].numeric() && len(r.where) > 0 && by == "":
		return r.writeRows()
	case len(r.measures) > 0:
		return "", false
	case r.entity == nil && len(r.shown) == 1 && r.shown[0].moment() && !r.distinct:
		return "", false // days are counted, or things that happened
	case r.entity != nil || len(r.shown) == 1:
		of := r.entity
		if of == nil {
			of = r.shown[0]
		}
		if by == of.sql {
			break
		}
		if r.is(2, "of") && !r.asked(of) && !r.distinct && of != r.entity && !of.sorts() && of.Kind() == database.Textual && !r.rowNoun {
			r.where = append(r.where, of.filled()) // how many of them volunteer
			of = nil
			break
		}
		if days := r.of("date datum", (*field).moment); days != nil && of.has([]string{"day", "tag"}) {
			of = days // of the week
		}
		if r.joined && r.rowNoun && !r.asked(of) && slices.ContainsFunc(r.belong, func(w string) bool { return slices.Contains(of.words, w) }) {
			break // of the rows of the other table something is said
		}
		if r.rowNoun && !r.asked(of) && (of == r.entity || slices.Contains(r.shown, of)) {
			return "", false
		}
		compared := slices.ContainsFunc(r.where, func(c condition) bool { return c.row })
		if len(r.where) == 0 && r.dates() && !r.distinct && of != &r.fields[0] && !of.has(lexicon.PersonFields) &&
			r.says("have", "has", "own", "owns", "hat", "haben", "besitzt") &&
			!slices.ContainsFunc(r.own, func(w string) bool { return lexicon.Same(w, r.countedWord()) }) {
			return "", false // what there is, not what was done with it
		}
		switch {
		case r.notBack(of), r.rowNoun && !r.distinct && !r.person() && !of.has(lexicon.PersonFields) && r.asked(of) &&
			r.saysAny(lexicon.Happened) && r.dates():
			of = nil // how often that happened, how many of them have not come back
		case r.calls(of), compared && !r.distinct && !r.person(),
			!r.distinct && len(of.words) == 1 && (lexicon.ThingNouns[of.words[0]] || lexicon.ThingNouns[of.words[0]+"s"]) &&
				of != &r.fields[0]:
			r.where, of = append(r.where, r.occupied(of)...), nil // two rows may have one name
		case len(r.where) == 0 && !r.distinct && slices.ContainsFunc(of.words, func(w string) bool {
			return lexicon.Among(r.foreign, w)
		}):
			return "", false // another table has each of them
		case of.sorts() && !r.spells(of), r.bySpan != "" && !r.distinct && (of.sorts() || r.happens(of)):
			return "", false // boats, or types of boats; decisions, or how often one was made
		case of.code() && of != &r.fields[0] && !r.person():
			return "", false // rows, or things
		}
		if of != nil {
			what = "COUNT(DISTINCT " + of.sql + ")"
		}
	case len(r.shown) > 1:
		return "", false
	case !r.rowNoun && len(r.where) == 0:
		return "", false
	}
	return sqltext.Grouped(by, what+as, r.source()), true
}

// writeAmounts writes the statement for days that are counted, and for how many pieces or units there are; written is
// false where rows are counted.
func (r *reading) writeAmounts(of bool) (sql string, ok, written bool) {
	if r.person() && !r.countsRows() && r.wanting() && r.rowNoun && !r.distinct && r.entity == nil &&
		!slices.ContainsFunc(r.shown, (*field).text) {
		if r.of("adult adults erwachsene", (*field).additive) != nil {
			return "", false, true // of each row are several
		}
		if f := r.of("attended attendance attendees participants teilnehmer besucher visitors zuschauer anwesend personen",
			(*field).additive); f != nil {
			r.takes(f)
			r.agg = sum
			sql, ok = r.writeAggregate()
			return sql, ok, true
		}
	}
	if format := r.spanWord(r.countedWord()); format != "" && format != quarterly && format != ofWeek && r.is(0, "on", "in", "an",
		"during") && len(r.measures) == 0 {
		if f := r.dayField(2); f != nil {
			return "SELECT COUNT(DISTINCT strftime('" + format + "', " + f.sql + ")) AS " + r.dialect.Quote("count") + r.source(), true, true
		}
	}
	unit := func(c condition) bool {
		return c.of != nil && c.of.has([]string{"einheit", "unit", "uom"}) && c.of.text()
	}
	if len(r.measures) == 0 && slices.ContainsFunc(r.where, unit) && r.countsValue() {
		r.takes(r.of("sold quantity qty menge pieces stück anzahl", (*field).additive)) // how many kilos
		r.agg = sum
		sql, ok = r.writeAggregate()
		return sql, ok, true
	}
	if len(r.measures) == 1 && pieces[r.countedWord()] && r.measures[0].additive() {
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
		if r.near[next].f == nil && next+1 < len(r.tokens) && !lexicon.Among(r.nouns, r.word(next)) {
			next++ // an adjective stands between
		}
		if m := r.near[next].f; m != nil && m.sql == f.sql {
			return true
		}
		if m := r.near[next].f; m != nil && m.code() && next+1 < len(r.tokens) && r.near[next+1].f != nil && r.near[next+1].f.sql == f.sql &&
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
		!r.shown[0].moment() || r.shown[0].has([]string{"date", "datum"}) {
		return
	}
	r.agg, r.where, r.shown = count, append(r.where, condition{sql: r.shown[0].sql + " IS NOT NULL", of: r.shown[0]}), nil
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

// stock returns the field that says how many there are of what a row is about, where the question asks for what there is;
// nil without.
func (r *reading) stock() *field {
	if !r.says("have", "stock", "hand", "there", "are", "pieces", "units", "haben", "gibt", "lager", "vorrätig", "stück") || r.joined ||
		r.rowNoun && r.countsRows() {
		return nil
	}
	return r.of(stockNames, (*field).additive)
}

// stockNames are parts of names of columns that say how many there are.
const stockNames = "hand stock bestand lagerbestand vorrat inventory"

// ofMonths reports whether values are months, as "2024-03" is.
func ofMonths(values []string) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool {
		_, err := time.Parse("2006-01", v)
		return err != nil
	})
}

// tidyCount is tidy where rows are counted.
func (r *reading) tidyCount() {
	if r.agg != count || len(r.measures) > 0 || r.entity != nil || r.by != nil {
		return
	}
	r.shown = slices.DeleteFunc(r.shown, func(f *field) bool { return r.rowNoun && r.filtered(f) && f.text() && !r.asked(f) })
	if len(r.shown) == 1 && r.shown[0].yes != "" && r.rowNoun && !r.filtered(r.shown[0]) && !r.asked(r.shown[0]) &&
		!r.saysAny(lexicon.Negating) {
		value := r.shown[0].yes // how many came back late
		if r.says("out", "outside", "beyond", "außerhalb") && r.shown[0].has(lexicon.Inside) {
			value = r.shown[0].no
		}
		r.where = append(r.where, condition{sql: r.shown[0].sql + " = " + value, of: r.shown[0]})
		r.shown = nil
	}
	if len(r.shown) == 1 && len(r.where) > 0 && r.shown[0].yes != "" && len(r.shown[0].words) > 1 && r.asked(r.shown[0]) {
		r.shown, r.rowNoun = nil, true // shifts, of which one is the first
	}
	if len(r.shown) == 1 && len(r.where) > 0 && r.shown[0].id && r.shown[0] == &r.fields[0] && r.asked(r.shown[0]) && !r.distinct &&
		lexicon.ThingNouns[r.countedWord()] {
		r.shown, r.rowNoun = nil, true // articles, each with its number
	}
}
