package plainsql

import (
	"fmt"
	"slices"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
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
			if never && happened[w] && of == nil {
				if of = r.lower(); of != nil {
					at = k
				}
			}
			if held != nil && heldAt == k {
				continue
			}
			if !lexicon.Neutral[w] && !happened[w] && !r.is(k, "any", "single", "at", "gar", "never", "eine", "einen", "einzige", "einzigen",
				"einziger") {
				break
			}
		}
		if of == nil {
			of, at = held, heldAt
		}
		if of == nil {
			if r.is(i, "never", "nie", "niemals") && r.asksFor() {
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
		for k := at + 1; k < len(r.tokens) && happened[r.word(k)]; k++ {
			r.used[k] = true
		}
		r.score += byAll
	}
}

// negatedBy takes the words after "never" that say only that something happened.
func (r *reading) negatedBy(i int) {
	for k := i + 1; k < len(r.tokens) && k <= i+3; k++ {
		r.used[k] = r.used[k] || happened[r.word(k)] && r.near[k].f == nil
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
	return r.limited("DISTINCT "+of.sql, " FROM "+r.from+r.clause([]condition{none, of.filled()})+" ORDER BY 1", 100), true
}

// during returns the condition of the time in which rows of another table are missing, and takes the words for it;
// empty without a time.
func (r *reading) during(of *link) string {
	if of.day == "" {
		return ""
	}
	for i := range r.tokens {
		s, month, n := r.spanAt(i)
		if n == 0 || r.used[i] || month == 0 && isYear(r.tokens[i]) && !r.inTime(i) {
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

// happened are words for what rows of another table may say of a thing or somebody.
var happened = lexicon.Set(`sent assigned taken given involved used booked ordered borrowed lent rented hired sold bought visited attended placed made received delivered played driven loaned
	benutzt gebucht bestellt ausgeliehen verliehen gemietet verkauft gekauft besucht bekommen erhalten gefahren geliefert gespielt
	gemacht gehabt
	anything etwas out aus`)

// Words for whether something has somebody or something in it.
var (
	vacantWords = lexicon.Set("empty vacant unoccupied unlet untenanted leer leerstehend leerstehende leerstehenden frei freie freien")
	takenWords  = lexicon.Set("occupied let tenanted vermietet vermietete vermieteten belegt belegte belegten bewohnt bewohnte bewohnten")
	// dwellers are parts of names of columns that tell who or what is in something.
	dwellers = lexicon.Set("tenant mieter mieterin occupant occupier bewohner resident guest gast boat boot occupied")
)

// vacant finds what says that nobody, or somebody, is in something: "empty flats".
func (r *reading) vacant() {
	for i := range r.tokens {
		w := r.word(i)
		if r.used[i] || !vacantWords[w] && !takenWords[w] || r.near[i].worth >= byHead {
			continue
		}
		if r.lacks { // "empty, without a boat"
			r.used[i] = true
			continue
		}
		f := r.only(func(f *field) bool {
			return f.text() && !f.id && slices.ContainsFunc(f.words, func(p string) bool { return dwellers[p] })
		})
		if f == nil || f == &r.fields[0] || r.joined {
			continue
		}
		c := f.filled()
		if vacantWords[w] != r.negated(i) {
			c = f.empty()
		}
		c.of = f
		r.where = append(r.where, c)
		r.used[i] = true
		r.score += byPart
	}
}
