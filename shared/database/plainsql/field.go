package plainsql

import (
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/relation"
	"lectern/shared/database/plainsql/wording"
)

// elapsed finds how long something took, between a day that is spoken of and the one before it: "how many days until it
// was collected".
func (r *reading) elapsed() {
	own := func(f field) bool {
		return f.Numeric() && !f.Made && len(f.Words) == 1 && f.Has(strings.Fields("day tag tage"))
	}
	if r.dialect != database.SQLite || slices.ContainsFunc(r.Fields, own) {
		return
	}
	unit, ends := -1, -1
	for i := range r.tokens {
		switch {
		case r.is(i, "days", "tage", "long", "lange") && r.is(i-1, "many", "viele", "how", "wie"),
			r.is(i, "time", "zeit") && r.is(i+1, "until", "till", "from", "between", "bis", "zwischen", "von"):
			unit = i
		case r.is(i, "until", "till", "bis", "to", "zur", "zum", "before", "between", "zwischen", "after", "nach"):
			ends = i
		}
	}
	if unit < 0 || ends < unit {
		return
	}
	var days, said []*field
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Moment() && !f.Has(strings.Fields(lexicon.Births+" due deadline fällig fälligkeit")) {
			days = append(days, f)
		}
	}
	for k := unit + 1; k < len(r.tokens); k++ {
		if m := r.near[k]; m.f != nil && m.f.Moment() && m.worth > byWord && !slices.Contains(said, m.f) && !lexicon.Linking[r.word(k)] {
			said = append(said, m.f)
		}
		if (r.near[k].f == nil || !r.near[k].f.Moment()) && r.is(k, "pay", "paid", "bezahlen", "zahlen", "bezahlt") {
			if f := r.Only(func(f *field) bool { return f.Event() && f.Has([]string{"paid", "bezahlt", "payment"}) }); f != nil {
				said = append(said, f)
			}
		}
	}
	var from, to *field
	switch {
	case len(said) == 2:
		from, to = said[0], said[1]
	case len(said) == 1 && len(days) == 2:
		from, to = days[0], said[0]
		if from == to {
			return
		}
	default:
		return
	}
	took := relation.DaysBetween(from, to, "day")
	r.measures = []*field{&took}
	for k := unit - 1; k < len(r.tokens); k++ {
		m := r.near[k]
		part := m.f == from || m.f == to || r.is(k, "take", "takes", "took", "dauert", "dauerte", "pass", "passes", "vergehen", "until",
			"till", "bis", "to", "zur", "zum", "from", "vom", "von", "between", "zwischen", "and", "und", "before", "after", "nach",
			"wird", "wurde", "lie", "lies", "passed", "elapse", "elapsed", "are", "were", "is", "there", "date", "dates",
			"datum", "liegen", "pay", "paid", "bezahlen", "zahlen", "brauchen", "it", "long", "lange", "many", "viele", "days", "tage")
		if lexicon.PersonNouns[r.word(k)] && r.agg != count {
			part = true // who takes it
		}
		if part && !r.used[k] {
			r.used[k] = true
			r.near[k] = mention{}
		}
	}
	r.used[max(0, unit-2)] = true
	if r.agg == none && !r.says("total", "insgesamt") {
		r.agg = average
	}
	r.score += byAll
}

// fromTo takes the two days that what lasted lies between: "between opening and closing".
func (r *reading) fromTo() {
	if r.Only(func(f *field) bool { return f.Made && f.Moment() || f.Made && f.Has([]string{"duration"}) }) == nil {
		return
	}
	for i := range r.tokens {
		if r.used[i] || !r.is(i, "between", "from", "zwischen", "von", "vom") {
			continue
		}
		var days []*field
		for k := i + 1; k < len(r.tokens) && k <= i+7; k++ {
			m := r.near[k]
			switch {
			case m.f != nil && m.f.Moment() && !slices.Contains(days, m.f):
				days = append(days, m.f)
			case !lexicon.Neutral[r.word(k)]:
				k = len(r.tokens)
				continue
			}
			if len(days) == 2 {
				for at := i; at <= k; at++ {
					r.used[at], r.near[at] = true, mention{}
				}
				break
			}
		}
	}
}

// calledByTime reports whether a field is called by a time.
func calledByTime(f *field) bool {
	_, ok := relation.TimedBy(f)
	return ok
}

// overTimes reports whether a statement about a table with a column for each time means something: its rows are no things
// of their own, and a year is asked for only where it is told.
func (r *reading) overTimes() bool {
	if !r.Wide {
		return true
	}
	one := false
	for _, c := range r.where {
		month := strings.HasPrefix(c.SQL, "strftime('%m'")
		if c.Day && !month && r.NoYear {
			return false
		}
		one = one || c.Day && (month && !strings.Contains(c.SQL, ",") || !month)
	}
	pinned := r.pins(r.title())
	switch {
	case r.agg == count && !r.distinct && len(r.measures) == 0:
		return pinned || one
	case r.agg == average && r.bySpan == "" && !pinned:
		return one || r.says("month", "monthly", "months", "monat", "monatlich", "monatliche", "monatlichen", "quarter", "year", "jahr")
	case len(r.measures) == 0 && r.way != 0:
		return false
	}
	return !slices.ContainsFunc(r.measures, func(f *field) bool { return f.Fixed })
}

// meant reports whether the word at i and the next one are a name of two words, one of them by another word of its
// meaning: "electricity bill" of an electricity cost.
func (r *reading) meant(i int, words []string) bool {
	if len(words) != 2 || i+1 >= len(r.tokens) || r.word(i+1) == "" || lexicon.Neutral[r.word(i+1)] {
		return false
	}
	return lexicon.Same(words[0], r.tokens[i].Low) && lexicon.Alike(words[1], r.tokens[i+1].Low) ||
		lexicon.Same(words[1], r.tokens[i+1].Low) && lexicon.Alike(words[0], r.tokens[i].Low)
}

// bounds reports whether the word at k says only which end of the time at i is meant: "the end of March".
func (r *reading) bounds(k, i int) bool {
	return r.is(k, "end", "start", "beginning", "ende", "anfang", "beginn") && (k == i-1 || k == i-2 && r.is(i-1, "of", "month", "year"))
}

// otherThan reports whether a word that resembles a field's name is for something else.
func (r *reading) otherThan(f *field, w string) bool {
	if head, ok := strings.CutSuffix(w, "preis"); ok && (!r.Paying(f) || lexicon.MeasureWords[head] && !slices.ContainsFunc(
		append(slices.Clone(f.Per), f.Words...), func(p string) bool { return strings.HasPrefix(p, head) })) {
		return true // the price of a square metre is no size, and not what is paid for all of them
	}
	if r.german && f.Has(lexicon.PersonFields) && !strings.Contains(w, "name") && slices.ContainsFunc(f.Words, func(p string) bool {
		return strings.HasPrefix(w, p) && len(w) >= len(p)+lexicon.RootLetters
	}) {
		return true // what tenants have is no tenant
	}
	if r.otherKind(f, w) {
		return true
	}
	if lexicon.Trading[w] && f.Text() || lexicon.OfOther(f.Words, w, f.Text()) {
		return true // who sells is none of what is sold
	}
	if r.german && slices.ContainsFunc([]string{"über", "fehl", "rest", "minus", "sonder", "zusatz", "ausfall", "bei", "vize", "neben"},
		func(p string) bool {
			return strings.HasPrefix(w, p) && len(w) > len(p)+lexicon.LeastPart && !slices.ContainsFunc(f.Words, func(part string) bool {
				return strings.HasPrefix(part, p)
			})
		}) {
		return true // hours over time are none of those that were worked
	}
	if r.german && lexicon.RoleOf(w) != "" && !slices.ContainsFunc(f.Words, func(p string) bool {
		return strings.Contains(p,
			lexicon.RoleOf(w))
	}) {
		return true // who teaches a class is none of it
	}
	if pieces[w] && f.Has(strings.Fields("price cost preis kosten")) && !f.Additive() || pieces[w] &&
		f.Has([]string{"unit", "piece"}) && r.Paying(f) {
		return true // units are not what one costs
	}
	if f.Numeric() && spans[w] && f.Has([]string{"this", "last", "previous", "current"}) {
		return true // visits this year are no years
	}
	return false
}

// denied reports whether the word at i is a value with "un" before it.
func (r *reading) denied(i int, value string) bool {
	bare, ok := strings.CutPrefix(r.tokens[i].Low, "un")
	return ok && len(bare) >= lexicon.LeastPart && strings.EqualFold(bare, value)
}

// tellsWhether reports whether what is asked for is one field with yes or no, of rows that are told and denied nothing.
func (r *reading) tellsWhether(asked []*field) bool {
	return len(asked) == 1 && asked[0].Yes != "" && r.entity == nil && len(r.where) > 0 && !r.saysAny(lexicon.Negating)
}

// kindOf reports whether the word at i resembles values of a field, so that it may be one that is not there.
func (r *reading) kindOf(i int) bool {
	w := r.word(i)
	return slices.ContainsFunc(r.Fields, func(f field) bool {
		return f.Text() && !r.filtered(&f) && slices.ContainsFunc(f.Vocabulary().Single, func(v string) bool {
			return len(v) >= lexicon.LeastPart && len(w) >= lexicon.LeastPart && v[:lexicon.LeastPart] == w[:lexicon.LeastPart]
		})
	})
}

// notBack reports whether things are counted that something has not happened to yet, each as often as that is so.
func (r *reading) notBack(of *field) bool {
	return !r.distinct && !r.person() && !of.Has(lexicon.PersonFields) && r.dates() && slices.ContainsFunc(r.where, func(c condition) bool {
		return c.Of != nil && !c.Day && (c.Of.Event() || c.Of.Moment()) && strings.Contains(c.SQL, "NULL")
	})
}

// timed turns what speaks of a field with yes or no into the day of the same, where it is asked when it was.
func (r *reading) timed() {
	if !r.is(0, "when", "wann") {
		return
	}
	for i, m := range r.near {
		if m.f == nil || m.f.Yes == "" {
			continue
		}
		if day := r.Only(func(o *field) bool { return o.Event() && o.Has(m.f.Words) }); day != nil {
			r.near[i] = mention{day, m.words, m.worth}
		}
	}
}

// rateless reports whether the word at i asks for a rate of pay, of which no column tells.
func (r *reading) rateless(i int) bool {
	return r.is(i, "rate", "rates", "wage", "wages", "pay", "salary") && r.is(i-1, "hourly", "daily", "weekly", "monthly", "day") &&
		r.Only(func(f *field) bool {
			return f.Numeric() && f.Has(strings.Fields("rate wage pay salary price cost fee charge lohn gehalt satz"))
		}) == nil
}

// inMoney reports whether the number at i is one of money.
func (r *reading) inMoney(i int) bool {
	of := func(k int) bool {
		return k >= 0 && k < len(r.tokens) && slices.Contains(lexicon.Currencies, r.tokens[k].Low)
	}
	return of(i-1) || of(i+1) || strings.ContainsAny(r.tokens[i].Low, "€£$")
}

// happens reports whether a day besides that by which rows are grouped is called as a field is: "decided on" as "decision".
func (r *reading) happens(f *field) bool {
	return r.Only(func(day *field) bool {
		return day.Moment() && day != r.spanOf && slices.ContainsFunc(day.Words, func(w string) bool {
			return slices.ContainsFunc(f.Words, func(p string) bool { return len(p) > 3 && strings.HasPrefix(w, p[:4]) || lexicon.Happens(p, w) })
		})
	}) != nil
}

// doneBy reports whether a noun is for what those did whom a field names: the applications of applicants.
func (r *reading) doneBy(noun string) bool {
	f := r.Only(func(f *field) bool {
		return f.Text() && f.Has(lexicon.PersonFields) && slices.ContainsFunc(f.Words, func(w string) bool {
			n := max(lexicon.LeastPart+1, len(w)-3)
			rest, ok := strings.CutPrefix(noun, w[:min(n, len(w))])
			return ok && len(w) >= n && lexicon.DeedEndings[rest]
		})
	})
	// who dealt with them is somebody else
	r.unclear = r.unclear || f != nil && r.who && !r.says("made", "make", "makes", "sent", "sends", "submitted", "filed", "wrote")
	return f != nil
}

// attends reports whether the word at i only goes with another: the connection of water, what an inspector who is named inspects.
func (r *reading) attends(i int) bool {
	w := r.word(i)
	if i == 0 || w == "" || r.near[i].f != nil {
		return false
	}
	if f := r.near[i-1].f; f != nil && f.Yes != "" && r.used[i-1] && r.is(i, "connection", "supply", "access", "hookup", "anschluss") {
		return true
	}
	return r.says("did", "do", "does") && r.Only(func(f *field) bool {
		return f.Text() && r.filtered(f) && slices.ContainsFunc(f.Words, func(p string) bool {
			rest, ok := strings.CutPrefix(p, strings.TrimSuffix(w, "e"))
			return ok && len(w) >= lexicon.LeastPart && (rest == "or" || rest == "er" || rest == "ist" || rest == "ant")
		})
	}) != nil
}

// numberedRow reads the number of a row behind what rows are called at i, as "ticket 3316", and reports whether that stands
// there.
func (r *reading) numberedRow(i int) bool {
	id := &r.Fields[0]
	if f := r.near[i].f; f != nil && f.ID {
		id = f
	}
	noun := r.word(i) != "" && (r.near[i].f == id || lexicon.Among(r.Own, r.tokens[i].Low)) || r.tokens[i].Text == "#"
	at := i + 1
	for r.is(at, "no", "number", "nr", "nummer") || at < len(r.tokens) && at > i+1 && r.tokens[at].Text == "." || at < len(r.tokens) &&
		r.tokens[at].Text == "#" {
		at++
	}
	if !noun || r.Joined || id.Kind() != database.Numeric || !id.ID || at >= len(r.tokens) || r.tokens[at].Whole() == 0 || r.used[at] ||
		wording.IsYear(r.tokens[at]) && !slices.Contains(id.Values, r.tokens[at].Text) || lexicon.MeasureWords[r.word(at+1)] {
		return false
	}
	r.where = append(r.where, condition{SQL: id.SQL + " = " + r.tokens[at].Text, Of: id})
	r.take(i, at+1-i)
	r.score += byHead
	r.rowNoun = true
	return true
}

// heads finds values that are the first part of a compound with the name of a field: "Krankheitstage" are those of
// a kind "Krankheit".
func (r *reading) heads() {
	for i, t := range r.tokens {
		m := r.near[i]
		if t.Kind != wording.Word || m.f == nil || !m.f.Numeric() && !(r.german && m.f.Text()) || m.worth >= byAll {
			continue
		}
		for _, p := range m.f.Words {
			at := strings.LastIndex(t.Low, p)
			if at < lexicon.LeastPart || len(p) < 3 {
				continue
			}
			if f, value := r.holder(t.Low[:at]); f != nil && f != m.f {
				r.where = append(r.where, condition{SQL: f.SQL + " = " + r.dialect.QuoteText(value), Of: f})
				r.score += byPart
				return
			}
		}
	}
}

// inTime reports whether what may be a year is one: no amount of a field that is named with it.
func (r *reading) inTime(i int) bool {
	if r.is(i-1, "than", "als", "over", "über", "under", "unter", "above", "below", "exceeding", "mindestens", "höchstens") ||
		lexicon.MeasureWords[r.word(i+1)] || i+1 < len(r.tokens) && r.tokens[i+1].Text == "€" ||
		r.is(i-1, "and", "und", "bis", "to") && i > 1 && r.tokens[i-2].Kind == wording.Number && !wording.IsYear(r.tokens[i-2]) {
		return false // an amount
	}
	if r.is(i-1, "in", "of", "during", "for", "im", "after", "since", "before", "until", "by", "between", "and", "from", "to", "year",
		"jahr", "nach", "seit", "vor", "ab", "bis", "zwischen", "und", "von", "für") {
		return true
	}
	m := r.near[max(0, i-1)]
	last := i == len(r.tokens)-1 || i == len(r.tokens)-2 && r.tokens[i+1].Kind == wording.Mark
	dated := slices.ContainsFunc(r.Fields, func(f field) bool { return f.Moment() })
	if last && dated && m.f != nil && m.f.Numeric() && !m.f.OfYears() && (r.at(0, "wie hoch") > 0 ||
		r.at(0, "how high") > 0 ||
		slices.ContainsFunc(r.tokens, func(t wording.Token) bool { return aggregated[t.Low] != none })) {
		return true // total cost 2024
	}
	return i > 0 && (m.f == nil || !m.f.Numeric()) && !lexicon.MeasureWords[r.word(i+1)] && r.tokens[i-1].Kind == wording.Word
}

// damaged finds what something is wrong with, of a field that tells what: "which tools were damaged".
func (r *reading) damaged() {
	for i := range r.tokens {
		f := r.near[i].f
		if r.used[i] || f == nil || !f.Text() || f.Yes != "" || !r.nullable(f) || !participle(r.word(i)) || r.filtered(f) ||
			!r.is(i-1, "were", "was", "are", "is", "got", "been", "wurden", "wurde", "sind", "ist", "not", "nicht", "zurück", "back") {
			continue
		}
		c := f.Filled()
		if r.negated(i) {
			c = f.Empty()
		}
		c.Of = f
		r.where = append(r.where, c)
		r.take(i, 1)
		r.near[i] = mention{}
		r.score += byPart
	}
}

// bestSpan returns which way the best or worst month, or another span, at i goes, of what is paid in it; 0 where no span
// stands there.
func (r *reading) bestSpan(i int) int {
	way := ratings[r.word(i)]
	if r.is(i, "strongest", "busiest", "stärkster", "stärkste", "bester", "bestes") {
		way = 1
	}
	if r.is(i, "weakest", "slowest", "quietest", "schwächster", "schwächste", "schlechtester") {
		way = -1
	}
	of := r.spanWord(r.word(i + 1))
	if (r.is(0, "which", "what") || strings.HasPrefix(r.word(0), "welche")) && r.is(i-1, "was", "is", "the", "war", "ist", "der") {
		of += r.spanWord(r.word(1)) // which month was the best
	}
	if way == 0 || of == "" {
		return 0
	}
	if f := r.money(); (f == nil || !f.Additive()) && !r.is(i, "busiest", "quietest") {
		return 0
	}
	return way
}

// rated returns which way the best or worst one at i goes; 0 where no field with a rating is spoken of.
func (r *reading) rated(i int) int {
	way := ratings[r.word(i)]
	if way == 0 {
		return 0
	}
	from, to := i+1, i+4
	if comparative := r.is(i, "better", "besser", "bessere", "worse", "schlechter"); comparative {
		from, to = 0, len(r.tokens) // of two
	}
	if r.subjectAfter(from-1) != nil {
		return r.better(way)
	}
	for k := from; k < len(r.tokens) && k <= to; k++ {
		f := r.near[k].f
		if f == nil || !f.Numeric() {
			continue
		}
		if r.is(i+1, "mark", "marks", "score", "scores", "result", "results") {
			return way // in a subject that is a column
		}
		switch {
		case f.Has(strings.Fields("rating score total final mark marks star point stars points satisfaction bewertung punkt punkte zufriedenheit percent result")):
			return way
		case f.Has(strings.Fields("note noten zensur platz rank rang")):
			return -way
		}
	}
	if way > 0 && r.Of(rankNames, func(f *field) bool { return f.Kind() == database.Numeric }) != nil && r.money() == nil {
		return way // of those who came first
	}
	return 0
}

// speaksOf reports whether a word of the question, but the one at i, speaks of a day by what happens then.
func (r *reading) speaksOf(day *field, i int) bool {
	return slices.ContainsFunc(r.tokens, func(t wording.Token) bool { return lexicon.Among(day.Alias, t.Low) }) ||
		slices.ContainsFunc(day.Words, func(p string) bool {
			return len(p) > 2 && !lexicon.Alike(p, "date") && slices.ContainsFunc(r.tokens, func(t wording.Token) bool {
				return t.Kind == wording.Word && t.Low != r.tokens[i].Low && (lexicon.Same(p, t.Low) || lexicon.Alike(p, lexicon.Stem(t.Low)) ||
					lexicon.Rooted(p, t.Low) || lexicon.Happens(p, t.Low))
			})
		})
}
