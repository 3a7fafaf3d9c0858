package plainsql

import (
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/relation"
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
			"wird", "wurde", "pay", "paid", "bezahlen", "zahlen", "brauchen", "it", "long", "lange", "many", "viele", "days", "tage")
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
