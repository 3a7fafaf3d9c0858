package plainsql

import (
	"slices"
	"strings"
	"unicode"

	"lectern/shared/database/plainsql/lexicon"
)

// topics takes words that say only of what the table is, and what leads to a value: "players", "in the club", "over" of
// "over Booking.com".
func (r *reading) topics() {
	if r.says("more", "fewer", "less", "mehr", "weniger") && r.says("than", "als") {
		return // what is compared was not understood
	}
	understood := len(r.where) > 0 || len(r.measures) > 0 || r.entity != nil || r.by != nil || len(r.shown) > 0 || r.bySpan != "" ||
		r.rowNoun && r.agg == count
	for i, t := range r.tokens {
		if r.used[i] || t.kind != wordToken || r.near[i].f != nil && r.near[i].worth >= byPart || lexicon.Negating[t.low] || forbidden[t.low] ||
			changing[t.low] || lexicon.Grouping[t.low] && !r.leads(i) || lexicon.Among(r.foreign, t.low) || lexicon.Among(r.belong, t.low) ||
			!r.joined && lexicon.Among(r.strange, t.low) {
			continue
		}
		switch {
		case leading[t.low] && r.leads(i):
			r.used[i] = true
		case !understood || r.kindOf(i):
		case r.asksOf(i), r.is(i-1, "oldest", "youngest", "ältester", "älteste", "jüngster", "jüngste", "best", "top") && lexicon.Folk[t.low]:
			r.rowNoun, r.used[i] = true, true
			r.score++
		case lexicon.ThingNouns[t.low] && i > 0 && r.used[i-1] && r.near[i-1].f != nil && r.near[i-1].worth >= byPart:
			r.used[i] = true // the theory test
		case r.follows(i):
			r.rowNoun, r.used[i] = true, true
		case lexicon.GeneralNouns[t.low] && !r.joined && r.agg == count, r.ours(i), r.acts(i):
			r.used[i] = true
		}
	}
}

// leading are words that lead to a value.
var leading = lexicon.Set("over by via through per with under from at in on for using über durch mit mittels bei aus im unter als as against")

// leads reports whether a value follows the word at i, or words that only link.
func (r *reading) leads(i int) bool {
	for k := i + 1; k < len(r.tokens) && k <= i+3; k++ {
		if r.used[k] {
			return r.near[k].f == nil && r.tokens[k].kind != markToken && r.held(k, false)
		}
		if !lexicon.Linking[r.word(k)] && !leading[r.word(k)] {
			return false
		}
	}
	return false
}

// held reports whether the word at i is part of a value that rows are filtered by: of a whole one, or also of a part of
// one.
func (r *reading) held(i int, whole bool) bool {
	w, stem := r.tokens[i].low, r.stems[i]
	return slices.ContainsFunc(r.where, func(c condition) bool {
		if c.of == nil || !c.of.text() || whole && strings.Contains(c.sql, "LIKE") {
			return false
		}
		low := strings.ToLower(c.sql)
		return strings.Contains(low, w) || strings.Contains(low, stem)
	})
}

// asksOf reports whether the word at i is a general noun that is counted, or asked for: after "how many", "which", the
// most of something.
func (r *reading) asksOf(i int) bool {
	if t := r.tokens[i]; lexicon.Neutral[t.low] || r.joined || !(lexicon.PersonNouns[t.low] && r.peopled(t.low)) &&
		!(lexicon.Folk[t.low] && r.people() != nil) &&
		!(vehicles[t.low] && r.driven()) &&
		!(lexicon.ThingNouns[t.low] && r.nameless()) {
		return false
	}
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		w := r.word(k)
		switch {
		case r.share && r.is(k, "of", "der"):
			return true
		case r.is(k, "many", "viele", "vielen", "which", "anzahl") || strings.HasPrefix(w, "welche") || w == "of" && r.is(k-1, "number"):
			return true
		case r.way != 0 && r.used[k] && r.near[k].f == nil && superlative(w):
			return true
		case r.used[k] && r.near[k].f == nil, r.is(k, "the", "der", "die", "das", "different", "all"): // an adjective that is a value
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
	if i == 0 || r.joined || lexicon.ThingNouns[t.low] || lexicon.Neutral[t.low] || lexicon.Generic[t.low] || !r.used[i-1] ||
		r.near[i-1].f != nil || !r.held(i-1, true) {
		return false
	}
	if r.german {
		return t.text != t.low
	}
	return len(t.low) > 3 && strings.HasSuffix(t.low, "s") && t.text == t.low && !r.is(i-2, "does", "did", "do")
}

// vehicles are words for what has a number plate.
var vehicles = lexicon.Set("car cars vehicle vehicles auto autos wagen fahrzeug fahrzeuge van vans")

// driven reports whether each row is about a vehicle.
func (r *reading) driven() bool {
	return slices.ContainsFunc(r.fields, func(f field) bool {
		return f.text() && f.has(strings.Fields("reg registration plate kennzeichen vin car vehicle fahrzeug"))
	})
}

// nameless reports whether rows are not called by a general noun of their own: trips are no bookings.
func (r *reading) nameless() bool {
	return !slices.ContainsFunc(r.nouns, func(n string) bool { return lexicon.ThingNouns[n] || lexicon.ThingNouns[n+"s"] })
}

// kindOf reports whether the word at i resembles values of a field, so that it may be one that is not there.
func (r *reading) kindOf(i int) bool {
	w := r.word(i)
	return slices.ContainsFunc(r.fields, func(f field) bool {
		return f.text() && !r.filtered(&f) && slices.ContainsFunc(f.vocabulary().single, func(v string) bool {
			return len(v) >= lexicon.LeastPart && len(w) >= lexicon.LeastPart && v[:lexicon.LeastPart] == w[:lexicon.LeastPart]
		})
	})
}

// ours reports whether the word at i says where the rows are from, whoever keeps them: "in the club".
func (r *reading) ours(i int) bool {
	if !lexicon.OurPlaces[r.word(i)] {
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
			"into", "join", "joined", "left")
}

// acts reports whether the word at i is a verb between what is asked for and a value that tells where or for whom it was
// done: "play for the U12s".
func (r *reading) acts(i int) bool {
	t := r.tokens[i]
	if i == 0 || i+2 >= len(r.tokens) || !r.used[i-1] || t.text != t.low || len(t.low) < 3 || r.is(i-1, "many", "viele", "vielen", "of") ||
		!unicode.IsLetter(rune(t.low[0])) ||
		happened[t.low] {
		return false
	}
	return r.is(i+1, "for", "in", "at", "with", "from", "on", "under", "für", "in", "im", "bei", "beim", "mit", "aus", "an", "am", "auf") &&
		r.leads(i+1)
}

// pieces are words for how much of something there is.
var pieces = lexicon.Set("piece pieces unit units stück stücke")

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
	return r.of("hand stock bestand lagerbestand vorrat inventory", (*field).additive)
}
