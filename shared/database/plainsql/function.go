package plainsql

import (
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/relation"
	"lectern/shared/database/plainsql/sqltext"
	"lectern/shared/database/plainsql/wording"
)

// functions finds what is computed.
func (r *reading) functions() {
	for i, t := range r.tokens {
		if m := r.near[i]; r.opensName(i) && m.f.Moment() && lexicon.Extremes[t.Low] != 0 && r.is(0, "when", "wann") && r.way == 0 &&
			r.wanting() {
			r.way, r.measures = lexicon.Extremes[t.Low], []*field{m.f} // the last delivery of all
			r.take(i, m.words)
		}
		if r.used[i] || t.Kind != wording.Word || r.opensName(i) {
			continue
		}
		for _, phrase := range lexicon.CountWords {
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
		if w := r.word(i - 1); (w == "how" || w == "wie") && lexicon.Qualities[t.Low].Way != 0 {
			q := lexicon.Qualities[t.Low]
			r.how, r.used[i] = &q, true // "how big was the largest"
			continue
		}
		if w := r.word(i + 1); i == 0 && (t.Is("what") && (w == "did" || w == "do") || t.Is("was") && (w == "haben" || w == "hat")) &&
			(w == "did" && !r.says("order", "get", "receive", "have", "deliver", "send", "want", "happen", "acquire", "buy", "purchase", "borrow",
				"lend", "catch", "see", "plant", "sow", "harvest", "pick", "find", "record", "do", "replace", "repair", "fix", "read", "serve") ||
				r.saysAny(lexicon.Paying) ||
				r.saysAny(lexicon.MoneyWords) || r.saysAny(lexicon.OpenWords)) || i == 0 && t.Is("was") && r.is(1, "kostet", "kosten", "kostete") {
			r.amount = true
		}
		if strings.HasPrefix(t.Low, "beliebtest") || r.is(i, "popular", "common", "frequent") && r.is(i-1, "most", "least") {
			r.rowNoun, r.often, r.used[i] = true, true, true
			if r.way == 0 {
				r.way = 1
			}
			continue
		}
		if r.is(i-1, "most", "least", "meisten") && lexicon.Happened[t.Low] && r.near[i].worth < byHead && !r.is(i-2, "am") {
			r.rowNoun, r.often, r.used[i] = true, true, true // "the most ordered brand"
			continue
		}
		often := t.Is("often") && r.is(i-1, "most", "least")
		if often || strings.HasPrefix(t.Low, "häufigst") || strings.HasPrefix(t.Low, "seltenst") {
			r.rowNoun, r.often = true, true
		}
		if !r.computes(i) && !r.ranks(i) && !r.words(i) {
			continue
		}
		r.used[i] = true
	}
}

// opensName reports whether the word at i begins the name of a field of several words: "first" of "first response".
func (r *reading) opensName(i int) bool { return r.near[i].words > 1 && r.near[i].worth >= byAll }

// computes notes the function that the word at i names.
func (r *reading) computes(i int) bool {
	t := r.tokens[i]
	switch {
	case r.is(i, "different", "distinct", "unique"), strings.HasPrefix(t.Low, "verschieden"), strings.HasPrefix(t.Low, "unterschiedlich"):
		r.distinct = true
	case t.Is("median"):
		r.median = true
	case t.Is("share"), t.Is("percentage"), t.Is("proportion"), t.Is("fraction"), t.Is("anteil"), t.Is("prozentsatz"),
		(t.Is("percent") || t.Is("prozent")) && (r.word(i-1) == "what" || r.word(i-1) == "how" || r.word(i-1) == "viel"):
		r.share = true
	case r.is(i, "rate", "quote") && i > 0 && r.used[i-1] && r.near[i-1].f == nil && r.agg == none && r.way == 0 && len(r.where) > 0 &&
		!r.where[len(r.where)-1].Day:
		r.share, r.ofRate = true, r.heldBefore(i)
	case strings.HasPrefix(t.Low, "durchschnitt"), aggregated[t.Low] == average, t.Is("mittlere"), t.Is("mittleren"):
		if r.agg != none && r.agg != sum && r.agg != average && !(r.agg == count && r.countsMeasure()) {
			return false
		}
		r.agg = average
	case t.Is("schnitt") && r.is(i-1, "im") && (r.agg == none || r.agg == average || r.agg == count && r.countsMeasure()):
		r.agg = average
	case strings.HasSuffix(t.Low, "schnitt") && r.near[i].f != nil && r.near[i].f.Numeric() && r.agg == none:
		r.agg, r.measures = average, append(r.measures, r.near[i].f) // "Notendurchschnitt"
	case strings.HasSuffix(t.Low, "schnitt") && r.near[i].f == nil && r.agg == none && r.averages(i):
	case (r.near[i].words > 1 || r.agg != none) && r.near[i].worth >= byAll && r.near[i].f.Numeric():
		return false // the total is in the name
	case aggregated[t.Low] == sum:
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
	return slices.ContainsFunc(r.Fields, func(f field) bool { return f.Numeric() && r.asked(&f) })
}

// temporal are extremes of a time.
var temporal = lexicon.Set("last latest first earliest letzte letzten letzter letztes erste ersten erster erstes zuletzt recently recent früheste frühesten")

// highest are words for the most of one value, or of all together.
var highest = lexicon.Set("highest lowest largest smallest biggest greatest höchste niedrigste größte kleinste geringste")

// ranks notes that the word at i asks for the most or the least.
func (r *reading) ranks(i int) bool {
	w := r.word(i)
	if q := lexicon.Qualities[r.word(i+1)]; (w == "most" || w == "least") && q.Way != 0 && r.near[i+1].worth < byHead {
		r.quality, r.way = &q, q.Way // "the most expensive"
		if w == "least" {
			r.way = -q.Way
		}
		r.used[i+1] = true
		if n := max(r.number(i-1), lexicon.NumberOf(r.word(i-1))); n > 0 && !r.used[i-1] {
			r.top, r.used[i-1] = n, true
		}
		return true
	}
	if n := lexicon.OrdinalOf(w); n > 1 {
		if lexicon.Superlative(r.word(i+1)) && r.dialect != database.SQLServer {
			r.nth = n
			return true
		}
		return false
	}
	for n, prefix := range []string{"zweit", "dritt", "viert"} {
		if rest, ok := strings.CutPrefix(w, prefix); ok && r.dialect != database.SQLServer && lexicon.Superlative(rest) {
			r.nth, w = n+2, rest
		}
	}
	if r.is(i, "least", "most") && r.is(i-1, "at") {
		return false
	}
	if n := max(r.number(i+1), lexicon.NumberOf(r.word(i+1))); n > 0 && temporal[w] && r.way != 0 && !r.temporal && !r.used[i+1] {
		r.top, r.used[i+1] = n, true // the most: "name the first three"
		return true
	}
	// a place
	r.unclear = r.unclear || r.is(i, "most", "least") && r.is(i+1, "we", "i", "they", "anyone", "anybody", "any") && r.is(0, "what")
	r.unclear = r.unclear || r.is(i, "last", "first", "second", "third") && r.is(i-1, "came", "come", "comes", "finished", "placed")
	q, compares := lexicon.QualityOf(w, lexicon.MostEndings...)
	r.unclear = r.unclear || (compares || lexicon.Extremes[w] != 0) && r.is(i+1, "first", "zuerst") && !r.opensName(i+1) // an order
	if compares {
		r.quality, r.way = &q, q.Way
	}
	if m := r.near[min(i+1, len(r.tokens)-1)]; i+1 < len(r.tokens) && m.f != nil && m.f.Moment() && slices.Contains(m.f.Words, w) {
		if r.is(0, "when", "wann") {
			r.way, r.measures = map[bool]int{true: 1, false: -1}[lexicon.Extremes[w] > 0], []*field{m.f}
		}
		return true // the last delivery, of a column that is called so
	}
	r.temporal = r.temporal || temporal[w]
	r.highest = r.highest || highest[strings.TrimRight(w, "nrs")]
	if way := r.rated(i); way != 0 {
		r.way = way
	} else if lexicon.Extremes[w] != 0 {
		r.way = lexicon.Extremes[w]
	} else if !compares {
		return false
	}
	switch {
	case r.number(i+1) > 0:
		r.top, r.used[i+1] = r.number(i+1), true
	case r.number(i-1) > 0 && !r.used[i-1]:
		r.top, r.used[i-1] = r.number(i-1), true
	case lexicon.NumberOf(r.word(i+1)) > 0:
		r.top, r.used[i+1] = lexicon.NumberOf(r.word(i+1)), true
	case lexicon.NumberOf(r.word(i-1)) > 0:
		r.top, r.used[i-1] = lexicon.NumberOf(r.word(i-1)), true
	}
	return true
}

// words notes what the word at i asks for.
func (r *reading) words(i int) bool {
	switch w := r.word(i); {
	case w == "who" && i > 1 && !r.is(i-1, "tell", "me", "and", "know", "show", ",", "list"): // those who
		return true
	case w == "wofür" && i == 0:
		r.listing = true
	case w == "who", w == "wer", w == "whose" && i < 2, w == "wem", w == "wen":
		r.who = true
	case w == "when", w == "wann":
		r.when = true
	case (w == "where" || w == "wo" || w == "wohin") && i < 2:
		r.place = true
	case lexicon.Spreading[w]:
		r.spread = true
	case w == "list", w == "show", w == "which", w == "liste", w == "zeige", strings.HasPrefix(w, "welche"):
		r.listing = true
	default:
		return false
	}
	return true
}

// perDeed reports whether the word at i, of an average per collection, is for what somebody does: it is not by who collected.
func (r *reading) perDeed(i int) bool {
	f := r.near[i].f
	return f != nil && r.agg == average && f.Has([]string{"by", "von"}) && lexicon.DeedNoun(r.word(i))
}

// groups finds what is grouped by: "per month", "each site".
func (r *reading) groups() {
	for i := range r.tokens {
		if r.whichSpan(i) {
			continue
		}
		spreads := r.spread && r.is(i, "across", "over", "among", "between", "into", "auf", "über", "zwischen", "down")
		if r.used[i] || !lexicon.Grouping[r.word(i)] && !spreads || i+1 >= len(r.tokens) {
			continue
		}
		at := i + 1
		for lexicon.Grouping[r.word(at)] || r.is(at, "the", "single", "different", "various", "die", "den", "einzelnen", "verschiedenen") {
			r.used[at] = true
			at++
		}
		if at >= len(r.tokens) {
			return
		}
		rows := func(w string) bool { return lexicon.Same(w, r.word(at)) || lexicon.Alike(w, lexicon.Stem(r.word(at))) }
		event := r.agg == average && r.near[at].f == nil && lexicon.ThingNouns[r.word(at)] && r.nameless() && r.logs() &&
			!lexicon.Among(r.Foreign, r.word(at))
		if r.perDeed(at) || r.near[at].worth < byHead && lexicon.Sizes[r.word(at)].Size == 0 && (event || slices.ContainsFunc(r.Nouns, rows)) {
			r.rowNoun = true // an average per order is that of the orders
			if r.way != 0 && r.agg == none && r.is(i, "per", "pro", "je") {
				r.agg = average
			}
			r.take(i, at+1-i)
			continue
		}
		if r.spansBy(i, at) {
			continue
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
		if next := at + 1; r.near[at].f == nil && r.word(at) != "" && next < len(r.tokens) && r.near[next].f != nil && r.near[next].f.Text() &&
			r.near[next].f.Sorts() && !r.used[at] && !lexicon.Negating[r.word(at)] {
			r.used[at] = true // the age category
			at = next
		}
		if next := at + 1; next < len(r.tokens) && r.near[at].words == 1 && r.near[at].f.Text() && r.near[next].worth >= byHead &&
			r.near[next].f.Text() && r.tokens[next].Kind == wording.Word {
			r.used[at] = true // the type of vehicles, not the vehicles
			at = next
		}
		m := r.near[at]
		counted := r.agg == count && i > 0 && r.near[i-1].f != nil && r.near[i-1].f.Additive() // goals per match
		if m.f != nil && m.f.Additive() && r.is(i, "per", "pro", "je") && (counted || m.worth >= byHead && r.agg != count) &&
			!m.f.Has(levels) &&
			!r.used[at] && !r.inside(i) &&
			!m.f.Has(strings.Fields(periods)) {
			r.per = m.f // the cost per lead
			r.take(i, at+m.words-i)
			continue
		}
		if r.used[at] && m.f == nil && r.word(i) == "by" { // "ordered by Acme"
			r.used[i] = true
			continue
		}
		if m.f == nil || r.used[at] || m.f.Numeric() &&
			!m.f.Has(strings.Fields(periods)) && !m.f.Has(levels) && r.agg != count {
			if r.top > 0 || r.way != 0 || r.agg != none {
				if r.is(i, "by", "nach") {
					r.used[i] = true // the measure follows
				}
			}
			continue
		}
		each := m.f.ID || m.f.Code() || r.Unique(m.f) && len(m.f.Values) > relation.FewValues
		if m.f == &r.Fields[0] && each && r.agg == average { // an average per order is that of the orders
			r.rowNoun = true
			r.take(i, at+m.words-i)
			continue
		}
		if m.f.Event() && r.agg == average && r.is(i, "per", "pro", "je") {
			r.rowNoun = true // an average per picking
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
			if next := at + m.words; r.is(next, "and", "und", "per", "pro", "je", "by") && next+1 < len(r.tokens) && r.near[next+1].f != nil &&
				(r.near[next+1].f.Text() && !r.used[next+1] || r.near[next+1].f.Yes != "") && r.near[next+1].worth >= byHead {
				r.unclear = true // by two things
			}
		}
	}
}

// whichSpan reads "which month" at i, of which the most or the least of something is asked, and reports whether it is that.
func (r *reading) whichSpan(i int) bool {
	format := r.spanWord(r.word(i))
	best := i - 1
	for k := i + 1; i == 1 && format != "" && k < len(r.tokens); k++ {
		if r.bestSpan(k) != 0 {
			best = k
		}
	}
	if way := r.bestSpan(best); way != 0 && r.way == 0 && r.wanting() {
		r.way, r.used[best] = way, true
		if !r.is(best, "busiest", "quietest") {
			r.measures = []*field{r.money()}
		} else {
			r.rowNoun = true
		}
	}
	if format == "" || r.used[i] || r.way == 0 || r.bySpan != "" || r.near[i].f != nil && !r.near[i].f.Moment() &&
		r.near[i].worth >= byPart ||
		!r.is(i-1, "which", "what") && !strings.HasPrefix(r.word(i-1), "welche") && r.bestSpan(i-1) == 0 {
		return false
	}
	of, dates := r.dayField(i), 0
	for k := range r.Fields {
		if r.Fields[k].Moment() && !r.Fields[k].Made {
			dates++
		}
	}
	year := r.yearField()
	switch {
	case year != nil && format == "%Y":
		r.by = year
		for k := range r.near {
			if r.near[k].f == year {
				r.near[k], r.used[k] = mention{}, true
			}
		}
	case of == nil || dates > 1 && !r.speaksOf(of, i) && !slices.ContainsFunc(of.Words,
		func(p string) bool { return lexicon.Among(r.Own, p) || lexicon.AnyDay[p] && len(of.Words) == 1 }):
		r.unclear = true
		return false // of which of its days is open
	default:
		r.bySpan, r.spanOf = format, of
	}
	r.which = true
	r.take(i-1, 2)
	r.near[i] = mention{}
	r.score += byPart
	return true
}

// spansBy reads "per month" at i, of which the span stands at another place, and reports whether it is that.
func (r *reading) spansBy(i, at int) bool {
	if f := r.money(); f != nil && f.Has(lexicon.Periodic[r.word(at)]) && r.agg != count && r.is(i, "per", "pro", "im", "a", "each", "every",
		"jeden", "jedes", "je") {
		r.take(i, at+1-i) // as it is told
		return true
	}
	if per := r.perOf(at); per != nil && len(per.Per) > 0 && slices.ContainsFunc(r.near, func(m mention) bool { return m.f == per }) {
		return false // as its name tells
	}
	if f := r.spanWord(r.word(at)); f != "" && (r.near[at].f == nil || r.near[at].f.Moment() || r.near[at].worth < byHead) {
		if of := r.dayField(at); of != nil {
			r.bySpan, r.spanOf = f, of
			r.take(i, at+1-i)
			next := at + 2
			if r.is(next, "the") {
				next++
			}
			if r.is(at+1, "of") && next < len(r.tokens) && r.near[next].f != nil && r.near[next].f.Moment() { // "per month of arrival"
				r.spanOf = r.near[next].f
				r.take(at+1, next+r.near[next].words-at-1)
			}
			r.score += byPart
			return true
		}
	}
	return false
}

// periods are parts of names of fields with numbers by which rows are grouped.
const periods = "year jahr month monat class klasse grade floor week room number"

// levels are parts of names of numbers that tell how much of something there is, of which nothing is divided.
var levels = strings.Fields("rating level stufe mahnstufe score stars star rank rang age alter size größe price preis fee gebühr zimmer platz")

// quarterly stands for quarters of years, for which there is no format.
const quarterly = "quarter"

// ofWeek stands for days of the week, of which the name is told.
const ofWeek = "weekday"

// aggregated are words for functions.
var aggregated = map[string]aggregate{"total": sum, "sum": sum, "altogether": sum, "summe": sum, "gesamt": sum, "gesamtsumme": sum,
	"average": average, "mean": average, "avg": average, "durchschnitt": average, "durchschnittlich": average, "durchschnittliche": average,
	"mittelwert": average}

func (r *reading) writeShare() (string, bool) {
	days, parts := r.filters()
	what, all := "1", "COUNT(*)"
	r.measures = slices.DeleteFunc(r.measures, func(f *field) bool { // "unpaid subs", of a field "sub paid"
		return slices.ContainsFunc(parts, func(c condition) bool {
			return c.Of != nil && c.Of.Yes != "" && len(f.Words) == 1 && slices.Contains(c.Of.Words, f.Words[0])
		})
	})
	if len(parts) > 0 && r.says("entries", "records", "rows", "einträge", "zeilen") {
		r.measures = nil // they are counted
	}
	if len(r.measures) == 2 && len(parts) == 0 || len(r.measures) == 2 && !r.says("each", "per") && r.glue == "" {
		return r.writePart()
	}
	if len(r.measures) > 0 {
		done := slices.ContainsFunc(r.tokens, func(t wording.Token) bool {
			return lexicon.Happened[t.Low] && !lexicon.Particles[t.Low] && !t.Is("out")
		})
		taken := slices.ContainsFunc(r.measures[0].Words, participle) && len(parts) > 0
		if !r.additive() || done || taken {
			return "", false // what share of the seats was sold needs a second column
		}
		what, all = r.measure(), "SUM("+r.measure()+")"
	}
	if len(parts) == 0 {
		by := r.each()
		if by == "" || by == r.nameOfRow() && len(r.measures) == 0 {
			return "", false // one row each
		}
		part := "COUNT(*)"
		if len(r.measures) > 0 {
			part = all
		}
		from := " FROM " + r.From + r.clause(days)
		return sqltext.Grouped(by, "100.0 * "+part+" / (SELECT "+all+from+") AS "+r.dialect.Quote("percent"), from), true
	}
	by := r.groupBy()
	if r.way != 0 {
		by = r.each()
	}
	if len(parts) > 2 && len(days) == 0 || by != "" && len(r.measures) > 0 || by == "" && r.way != 0 {
		return "", false
	}
	parts = r.rateLast(parts)
	part := parts[len(parts)-1:]
	base := append(days, parts[:len(parts)-1]...)
	if len(parts) == 2 && parts[0].Of == parts[1].Of {
		part, base = parts, days
	}
	when := strings.TrimPrefix(r.clause(part), " WHERE ")
	if by != "" {
		share := "100.0 * SUM(CASE WHEN " + when + " THEN 1 ELSE 0 END) / COUNT(*)"
		from := " FROM " + r.From + r.clause(base)
		if r.way != 0 {
			return r.first(by, share, "percent", from), true
		}
		return sqltext.Grouped(by, share+" AS "+r.dialect.Quote("percent"), from), true
	}
	return "SELECT 100.0 * SUM(CASE WHEN " + when + " THEN " + what + " ELSE 0 END) / " + all + " AS " + r.dialect.Quote("percent") +
		" FROM " + r.From + r.clause(base), true
}

func (r *reading) writeDistinct() (string, bool) {
	var of *field
	switch {
	case len(r.measures) == 1 && r.agg == count && r.entity == nil && len(r.shown) == 0:
		of, r.measures = r.measures[0], nil // how many different sizes
	case r.entity != nil:
		of = r.entity
	case len(r.shown) > 0:
		of = r.shown[0]
	case r.by != nil && r.agg != count:
		of, r.by = r.by, nil
	case r.rowNoun && slices.ContainsFunc(r.tokens, func(t wording.Token) bool {
		return lexicon.Anybody[t.Low] || lexicon.Young[t.Low] || lexicon.Folk[t.Low]
	}):
		if of = r.doer(); of == nil && r.Persons() == 1 {
			of = r.people() // how many different people, not what they did it with
		}
	case r.rowNoun:
		of = r.title()
	}
	if of == nil || r.way != 0 || len(r.measures) > 0 {
		return "", false
	}
	if r.agg != count && !r.countWord() {
		return r.dialect.First("DISTINCT "+of.SQL, r.source()+" ORDER BY 1", 100), true
	}
	return sqltext.Grouped(r.groupBy(), "COUNT(DISTINCT "+of.SQL+") AS "+r.dialect.Quote("count"), r.source()), true
}

func (r *reading) writeMedian() (string, bool) {
	if !r.numeric() || r.dialect != database.SQLite {
		return "", false
	}
	m, rows := r.measure(), r.measurable()
	if by := r.each(); by != "" && !(r.by != nil && by == r.by.SQL && r.Unique(r.by)) { // of one row each there is no median
		from := " FROM (SELECT " + by + " AS g, " + m + " AS x, ROW_NUMBER() OVER (PARTITION BY " + by + " ORDER BY " + m +
			") AS i, COUNT(*) OVER (PARTITION BY " + by + ") AS n" + rows + ") WHERE i IN ((n + 1) / 2, (n + 2) / 2)"
		if r.way != 0 {
			return r.first("g", "AVG(x)", "median_"+r.naming(), from), true
		}
		return "SELECT g" + " AS " + r.dialect.Quote("group") + ", AVG(x)" + r.named("median") + from + " GROUP BY g ORDER BY g", true
	}
	if r.way != 0 {
		return "", false
	}
	return "SELECT AVG(x)" + r.named("median") + " FROM (SELECT " + m + " AS x" + rows + " ORDER BY x LIMIT 2 - (SELECT COUNT(*)" + rows +
		") % 2 OFFSET (SELECT (COUNT(*) - 1) / 2" + rows + "))", true
}

// writeContrast writes the statement for two parts beside each other.
func (r *reading) writeContrast() (string, bool) {
	c := r.contrast
	if r.way != 0 || r.share || r.distinct || r.median || r.group != nil || len(r.measures) > 1 && r.glue == "" || r.bySpan != "" {
		return "", false
	}
	var sides [2]string
	for i, where := range c.wheres {
		switch {
		case len(r.measures) == 0 && (r.agg == count || c.sign != "" && r.rowNoun):
			sides[i] = "SUM(CASE WHEN " + where + " THEN 1 ELSE 0 END)"
		case !r.numeric():
			return "", false
		case r.agg == average || !r.additive() && c.sign == "":
			sides[i] = r.dialect.Average("CASE WHEN " + where + " THEN " + r.measure() + " END")
		case r.additive():
			sides[i] = "SUM(CASE WHEN " + where + " THEN " + r.measure() + " ELSE 0 END)"
		default:
			return "", false
		}
	}
	quote := r.dialect.Quote
	columns := sides[0] + " AS " + quote(c.names[0]) + ", " + sides[1] + " AS " + quote(c.names[1])
	difference := sides[0] + " - " + sides[1]
	if c.either {
		difference = "ABS(" + difference + ")"
	}
	if c.sign == "" {
		if r.entity != nil || r.by != nil || r.who {
			return "", false
		}
		return "SELECT " + columns + ", " + difference + " AS " + quote("difference") + r.source(), true
	}
	of := r.subject()
	if of == nil || !of.Text() {
		return "", false
	}
	return r.dialect.First(of.SQL+", "+columns, r.source()+" GROUP BY "+of.SQL+" HAVING "+sides[0]+" "+c.sign+" "+sides[1]+" ORDER BY 1", 100),
		true
}

// spanWord returns the format of a span of time to group by.
func (r *reading) spanWord(word string) string {
	if r.dialect != database.SQLite {
		return ""
	}
	switch word {
	case "month", "months", "monat", "monate", "monaten":
		return "%Y-%m"
	case "year", "years", "jahr", "jahre":
		return "%Y"
	case "day", "days", "tag", "tage", "tagen":
		return "%Y-%m-%d"
	case "week", "weeks", "woche":
		return "%Y-%W"
	case "quarter", "quarters", "quartal", "quartale":
		return quarterly
	case "weekday", "weekdays", "wochentag", "wochentage":
		return ofWeek
	}
	return ""
}
