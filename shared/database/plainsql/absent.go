package plainsql

import "slices"

// absent finds what rows have none of in another table: members who have never borrowed a book.
func (r *reading) absent() {
	if len(r.apart) == 0 || r.joined {
		return
	}
	for i := range r.tokens {
		if l := r.lower(); l != nil && !r.used[i] && r.is(i, "nobody", "niemand", "niemanden", "none") {
			r.lacks = true
			r.where = append(r.where, condition{sql: "NOT EXISTS (" + l.exists + ")"})
			r.used[i] = true
			r.score += byAll
			continue
		}
		if r.used[i] || !r.is(i, "never", "nie", "niemals", "no", "without", "ohne", "kein", "keine", "keinen", "not", "nicht") {
			continue
		}
		never := !r.is(i, "no", "without", "ohne", "kein", "keine", "keinen")
		var of *link
		at := 0
		for k := i + 1; k < len(r.tokens) && k <= i+6; k++ {
			w := r.word(k)
			if w == "" || r.used[k] {
				break
			}
			for n := range r.apart {
				noun := func(p string) bool { return same(p, w) || len(w) >= leastPart && (alike(p, stem(w)) || rooted(p, w)) }
				if slices.ContainsFunc(r.apart[n].nouns, noun) && !slices.ContainsFunc(r.own, noun) {
					of, at = &r.apart[n], k
				}
			}
			if of != nil && at == k {
				break
			}
			if never && happened[w] && of == nil {
				if of = r.lower(); of != nil {
					at = k
				}
			}
			if !neutral[w] && !happened[w] && !r.is(k, "any", "single", "at", "gar", "never", "eine", "einen", "einzige") {
				break
			}
		}
		if of == nil {
			continue
		}
		r.lacks = true
		r.where = append(r.where, condition{sql: "NOT EXISTS (" + of.exists + ")"})
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
var happened = set(`sent assigned taken given involved used booked ordered borrowed lent rented hired sold bought visited attended placed made received delivered played driven loaned
	benutzt gebucht bestellt ausgeliehen verliehen gemietet verkauft gekauft besucht bekommen erhalten gefahren geliefert gespielt
	gemacht gehabt
	anything etwas out aus`)
