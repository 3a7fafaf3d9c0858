package plainsql

import (
	"slices"
	"strings"

	"lectern/shared/database"
)

// functions finds what is computed.
func (r *reading) functions() {
	for i, t := range r.tokens {
		if r.used[i] || t.kind != wordToken {
			continue
		}
		for _, phrase := range countWords {
			if n := r.at(i, phrase); n > 0 && r.agg == none && (i == 0 || r.near[i-1].f == nil || r.used[i-1] || n > 2) {
				r.agg = count
				r.take(i, n)
			}
		}
		if r.used[i] {
			continue
		}
		if r.agg == none && (r.at(i, "how often") > 0 || r.at(i, "wie oft") > 0) {
			r.agg = count
			r.rowNoun = true
			r.take(i, 2)
			continue
		}
		if r.at(i, "how much") > 0 || r.at(i, "wie viel") > 0 || r.at(i, "wie hoch") > 0 {
			r.amount = true
			r.take(i, 2)
			continue
		}
		if w := r.word(i - 1); (w == "how" || w == "wie") && qualities[t.low].way != 0 {
			q := qualities[t.low]
			r.how, r.used[i] = &q, true // "how big was the largest"
			continue
		}
		if w := r.word(i + 1); i == 0 && (t.is("what") && w == "did" || t.is("was") && (w == "haben" || w == "hat")) {
			r.amount = true
		}
		if strings.HasPrefix(t.low, "beliebtest") || r.is(i, "popular", "common", "frequent") && r.is(i-1, "most", "least") {
			r.rowNoun, r.often, r.used[i] = true, true, true
			if r.way == 0 {
				r.way = 1
			}
			continue
		}
		if r.is(i-1, "most", "least", "meisten") && happened[t.low] && r.near[i].worth < byHead && !r.is(i-2, "am") {
			r.rowNoun, r.often, r.used[i] = true, true, true // "the most ordered brand"
			continue
		}
		often := t.is("often") && r.is(i-1, "most", "least")
		if often || strings.HasPrefix(t.low, "häufigst") || strings.HasPrefix(t.low, "seltenst") {
			r.rowNoun, r.often = true, true
		}
		if !r.computes(i) && !r.ranks(i) && !r.words(i) {
			continue
		}
		r.used[i] = true
	}
}

// computes notes the function that the word at i names.
func (r *reading) computes(i int) bool {
	t := r.tokens[i]
	switch {
	case r.is(i, "different", "distinct", "unique"), strings.HasPrefix(t.low, "verschieden"), strings.HasPrefix(t.low, "unterschiedlich"):
		r.distinct = true
	case t.is("median"):
		r.median = true
	case t.is("share"), t.is("percentage"), t.is("proportion"), t.is("fraction"), t.is("anteil"), t.is("prozentsatz"),
		(t.is("percent") || t.is("prozent")) && (r.word(i-1) == "what" || r.word(i-1) == "how" || r.word(i-1) == "viel"):
		r.share = true
	case strings.HasPrefix(t.low, "durchschnitt"), aggregated[t.low] == average, t.is("mittlere"), t.is("mittleren"):
		if r.agg != none && r.agg != sum && !(r.agg == count && r.countsMeasure()) {
			return false
		}
		r.agg = average
	case t.is("schnitt") && r.is(i-1, "im") && r.agg == none:
		r.agg = average
	case strings.HasSuffix(t.low, "schnitt") && r.near[i].f != nil && r.near[i].f.numeric() && r.agg == none:
		r.agg, r.measures = average, append(r.measures, r.near[i].f) // "Notendurchschnitt"
	case r.near[i].words > 1 && r.near[i].worth >= byAll && r.near[i].f.numeric():
		return false // the total is in the name
	case aggregated[t.low] == sum:
		if r.agg == none && r.way == 0 {
			r.agg = sum
		}
	default:
		return false
	}
	return true
}

// countsMeasure reports whether "how many" asks for a number that a field holds.
func (r *reading) countsMeasure() bool {
	return slices.ContainsFunc(r.fields, func(f field) bool { return f.numeric() && r.asked(&f) })
}

// temporal are extremes of a time.
var temporal = set("last latest first earliest letzte letzten letzter letztes erste ersten erster erstes zuletzt recently newest neueste neuesten recent früheste frühesten")

// ordinals are the numbers of places behind the first.
var ordinals = []string{"second", "third", "fourth"}

// ranks notes that the word at i asks for the most or the least.
func (r *reading) ranks(i int) bool {
	w := r.word(i)
	if q := qualities[r.word(i+1)]; (w == "most" || w == "least") && q.way != 0 && r.near[i+1].worth < byHead {
		r.quality, r.way = &q, q.way // "the most expensive"
		if w == "least" {
			r.way = -q.way
		}
		r.used[i+1] = true
		return true
	}
	if n := slices.Index(ordinals, w); n >= 0 {
		next := r.word(i + 1)
		if _, ok := qualityOf(next, mostEndings...); (ok || extremes[next] != 0) && r.dialect != database.SQLServer {
			r.nth = n + 2
			return true
		}
		return false
	}
	for n, prefix := range []string{"zweit", "dritt", "viert"} {
		if rest, ok := strings.CutPrefix(w, prefix); ok && r.dialect != database.SQLServer {
			if _, compares := qualityOf(rest, mostEndings...); compares || extremes[rest] != 0 {
				r.nth, w = n+2, rest
			}
		}
	}
	q, compares := qualityOf(w, mostEndings...)
	if compares {
		r.quality, r.way = &q, q.way
	}
	if m := r.near[min(i+1, len(r.tokens)-1)]; m.f != nil && m.f.moment() && slices.Contains(m.f.words, w) {
		if r.is(0, "when", "wann") {
			r.way, r.measures = map[bool]int{true: 1, false: -1}[extremes[w] > 0], []*field{m.f}
		}
		return true // the last delivery, of a column that is called so
	}
	r.temporal = r.temporal || temporal[w]
	if way := r.rated(i); way != 0 {
		r.way = way
	} else if extremes[w] != 0 {
		r.way = extremes[w]
	} else if !compares {
		return false
	}
	switch {
	case r.number(i+1) > 0:
		r.top, r.used[i+1] = r.number(i+1), true
	case r.number(i-1) > 0 && !r.used[i-1]:
		r.top, r.used[i-1] = r.number(i-1), true
	case numberOf(r.word(i+1)) > 0:
		r.top, r.used[i+1] = numberOf(r.word(i+1)), true
	case numberOf(r.word(i-1)) > 0:
		r.top, r.used[i-1] = numberOf(r.word(i-1)), true
	}
	return true
}

// words notes what the word at i asks for.
func (r *reading) words(i int) bool {
	switch w := r.word(i); {
	case w == "who", w == "wer", w == "whose" && i < 2, w == "wem", w == "wen":
		r.who = true
	case w == "when", w == "wann":
		r.when = true
	case spreading[w]:
		r.spread = true
	case w == "list", w == "show", w == "which", w == "liste", w == "zeige", strings.HasPrefix(w, "welche"):
		r.listing = true
	default:
		return false
	}
	return true
}

// numberOf returns the number from two to ten that a word is; 0 if it is none.
func numberOf(word string) int {
	for i, names := range numbers {
		if word != "" && slices.Contains(strings.Fields(names), word) {
			return i + 2
		}
	}
	return 0
}

// groups finds what is grouped by: "per month", "each site".
func (r *reading) groups() {
	for i := range r.tokens {
		spreads := r.spread && r.is(i, "across", "over", "among", "between", "into", "auf", "über", "zwischen", "down")
		if r.used[i] || !grouping[r.word(i)] && !spreads || i+1 >= len(r.tokens) {
			continue
		}
		at := i + 1
		for grouping[r.word(at)] || r.is(at, "the", "single", "different", "various", "die", "den", "einzelnen", "verschiedenen") {
			r.used[at] = true
			at++
		}
		if at >= len(r.tokens) {
			return
		}
		rows := func(w string) bool { return same(w, r.word(at)) || alike(w, stem(r.word(at))) }
		if r.near[at].worth < byHead && slices.ContainsFunc(r.nouns, rows) {
			r.rowNoun = true // an average per order is that of the orders
			r.take(i, at+1-i)
			continue
		}
		if f := r.spanWord(r.word(at)); f != "" && (r.near[at].f == nil || r.near[at].f.moment() || r.near[at].worth < byHead) {
			if of := r.dayField(at); of != nil {
				r.bySpan, r.spanOf = f, of
				r.take(i, at+1-i)
				next := at + 2
				if r.is(next, "the") {
					next++
				}
				if r.is(at+1, "of") && next < len(r.tokens) && r.near[next].f != nil && r.near[next].f.moment() { // "per month of arrival"
					r.spanOf = r.near[next].f
					r.take(at+1, next+r.near[next].words-at-1)
				}
				r.score += byPart
				continue
			}
		}
		if f := r.perOf(at); f != nil && !r.inside(i) && !r.is(i, "by", "nach") {
			if !slices.Contains(r.measures, f) {
				r.measures = append(r.measures, f) // "per crate" is in its name
			}
			r.take(i, at+1-i)
			continue
		}
		if f := r.unitOf(at); f != nil && !r.inside(i) && !r.is(i, "by", "nach") {
			r.per = f // "the yield per hectare"
			r.take(i, at+1-i)
			continue
		}
		if next := at + 1; next < len(r.tokens) && r.near[at].words == 1 && r.near[at].f.text() && r.near[next].worth >= byHead &&
			r.near[next].f.text() && r.tokens[next].kind == wordToken {
			r.used[at] = true // the type of vehicles, not the vehicles
			at = next
		}
		m := r.near[at]
		if r.used[at] && m.f == nil && r.word(i) == "by" { // "ordered by Acme"
			r.used[i] = true
			continue
		}
		if m.f == nil || r.used[at] || m.f.numeric() && !m.f.has(strings.Fields("year jahr month monat class klasse grade floor week room number")) {
			if r.top > 0 || r.way != 0 || r.agg != none {
				if r.is(i, "by", "nach") {
					r.used[i] = true // the measure follows
				}
			}
			continue
		}
		each := m.f.id || m.f.code() || r.unique(m.f) && len(m.f.Values) > fewValues
		if m.f == &r.fields[0] && each && r.agg == average { // an average per order is that of the orders
			r.rowNoun = true
			r.take(i, at+m.words-i)
			continue
		}
		if r.by != nil && r.by != m.f {
			return // by two things: the second has no role
		}
		if r.by == nil {
			r.by = m.f
			r.take(i, at+m.words-i)
			r.score += m.worth
		}
	}
}

// quarterly stands for quarters of years, for which there is no format.
const quarterly = "quarter"

// fewValues is how many values a field has at most that rows are grouped by though it is the first one.
const fewValues = 40

// spanWord returns the format of a span of time to group by.
func (r *reading) spanWord(word string) string {
	if r.dialect != database.SQLite {
		return ""
	}
	switch word {
	case "month", "months", "monat", "monate":
		return "%Y-%m"
	case "year", "years", "jahr", "jahre":
		return "%Y"
	case "day", "days", "tag":
		return "%Y-%m-%d"
	case "week", "weeks", "woche":
		return "%Y-%W"
	case "quarter", "quarters", "quartal", "quartale":
		return quarterly
	}
	return ""
}
