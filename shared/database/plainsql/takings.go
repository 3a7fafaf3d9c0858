package plainsql

import (
	"slices"
	"strings"

	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/relation"
	"lectern/shared/database/plainsql/wording"
)

// settleTakings multiplies what each pays by how many do, where it is asked what came in: the fee of a course by its participants.
func (r *reading) settleTakings() {
	if len(r.measures) != 1 || r.glue != "" || r.agg == average || r.median || r.share {
		return
	}
	f := r.measures[0]
	if !r.Paying(f) || !f.Has(strings.Fields("price preis fee gebühr beitrag teilnahmegebühr kursgebühr eintritt")) ||
		f.Has(strings.Fields("total gesamt sum summe paid bezahlt")) ||
		!r.saysAny(lexicon.Incomes) && !slices.ContainsFunc(r.tokens, func(t wording.Token) bool { return lexicon.Earned[lexicon.Stem(t.Low)] }) &&
			!r.says("takings", "take", "bring", "brings", "verdient", "verdienen", "erwirtschaftet") {
		return
	}
	heads := r.Of("participant teilnehmer attendee anmeldung registration booking sold verkauft visitor besucher quantity qty menge anzahl", func(o *field) bool {
		return o.Additive() && !o.Planned() && !r.Paying(o)
	})
	if heads == nil {
		return
	}
	r.measures, r.glue, r.also = []*field{heads, f}, " * ", nil
	if r.agg == none && r.way == 0 {
		r.agg = sum
	}
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

// roomFor reports whether the word at i is for what there is room for, where it is asked what is left of that, and fields tell
// how much there is and how much is taken: "how many free places".
func (r *reading) roomFor(i int) bool {
	w := r.word(i)
	if r.near[i].f != nil && r.near[i].worth >= byPart || !r.says(lexicon.Vacancies...) {
		return false
	}
	if all, taken := r.roomOf(); all == nil || taken == nil {
		return false
	}
	return slices.Contains(lexicon.Vacancies, w) || slices.ContainsFunc(lexicon.Seats, func(p string) bool { return lexicon.Same(p, w) })
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

// listsThings reports whether the table lists things by their names, as one of boats does whose first column is "Boat": each
// has one row.
func (r *reading) listsThings() bool {
	t := r.title()
	return t != nil && t == &r.Fields[0] && r.Unique(t) && slices.ContainsFunc(t.Words, func(w string) bool { return lexicon.Among(r.Own, w) })
}
