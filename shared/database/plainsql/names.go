package plainsql

import (
	"slices"
	"strings"

	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/relation"
	"lectern/shared/database/plainsql/wording"
)

// names gives the fields that are named their parts, and finds words for the rows.
func (r *reading) names() {
	for i := 0; i < len(r.tokens); i++ {
		t := r.tokens[i]
		if t.Kind == wording.Number && (slices.Contains(r.Nouns, t.Text) || slices.Contains(r.Weak, t.Text)) {
			r.used[i] = true
		}
		if t.Kind == wording.Number && !r.used[i] && r.passes(i) {
			continue
		}
		if r.used[i] || t.Kind != wording.Word && t.Kind != wording.Quoted || r.gap != nil && lexicon.Generic[t.Low] && r.near[i].worth < byHead {
			continue
		}
		if r.passes(i) {
			continue
		}
		m := r.near[i]
		if lexicon.MoneyWords[t.Low] && m.worth < byPart && len(r.measures) == 0 && r.money() != nil {
			m = mention{r.money(), 1, byWord}
		}
		if m.f == nil && r.wanting() {
			m = r.worth(i)
		}
		if plate := r.Of(plates, (*field).Text); m.f == nil && r.vehicle(t.Low) && plate != nil && plate != &r.Fields[0] && !r.Joined {
			m = mention{plate, 1, byHead}
		}
		if pieces[t.Low] && m.worth < byPart && r.way != 0 && !r.saysAny(lexicon.Trading) && r.says("have", "has", "hand", "stock", "there",
			"left", "lager", "haben", "gibt", "liegen", "vorrätig") {
			if stock := r.Of(stockNames, (*field).Additive); stock != nil {
				m = mention{stock, 1, byHead}
			}
		}
		if id := &r.Fields[0]; lexicon.Numbering[t.Low] && m.f == nil && id.Code() && r.agg == none && r.is(i+1, "of", "aller", "der",
			"von", "for", "zu") {
			m = mention{id, 1, byHead}
		}
		m, row := r.meansRow(i, m)
		weak := lexicon.Among(r.Weak, t.Low)
		asked := r.asks(i) && !(r.whatIs() && i+1 < len(r.tokens) && r.used[i+1] && len(r.measures) > 0) // what the rental revenue is
		person := lexicon.PersonNouns[t.Low] && !r.mixesAges(t.Low) && (r.ofPeople() && r.peopled(t.Low) || r.dates() &&
			!lexicon.Staff[t.Low] && !lexicon.Belonging[t.Low] && r.Of(stockNames, (*field).Additive) == nil &&
			r.Only(func(f *field) bool { return f.Raw != "" }) == nil) && (m.f == nil ||
			m.worth < byHead &&
				!(m.f.Additive() && (r.agg == count || r.way != 0) &&
					r.wanting())) && !asked
		if m.f != nil && m.f.Text() && m.worth < byPart && participle(t.Low) && r.is(0, "what", "was") && !row && !asked {
			r.used[i] = true // what was delivered, not how
			continue
		}
		switch {
		case r.called(i) > 0:
			r.rowNoun = true
			r.take(i, r.called(i))
			r.score += byPart
		case m.f != nil && (m.worth >= byHead || !row && !person && m.worth > 0 && !(lexicon.Neutral[t.Low] && m.worth < byPart &&
			!r.wanting())):
			others := m.f == r.Second && !asked && r.way == 0 && m.worth == byHead && len(r.where) > 0 && !(r.agg == count && r.countedFirst(i))
			// the most common blood group, of a list of blood donations
			full := m.words > 1 && m.worth >= byAll && m.f != &r.Fields[0] && !m.f.Code()
			if others || m.f.Text() && (r.rowCounts(i) || row && !full && r.meansRows(i, m.f, asked)) {
				r.rowNoun = true
				r.often = r.often || r.rowCounts(i)
				if r.rowCounts(i) && !m.f.Code() && m.f != &r.Fields[0] && m.f != r.title() && !row && r.nullable(m.f) {
					c := m.f.Filled() // the most damages
					c.Of = m.f
					r.where = append(r.where, c)
				}
				if r.Joined && (m.f.Refers || m.f.Code()) && m.f != &r.Fields[0] {
					r.unclear = true // those are not the rows of the join
				}
				r.score += byHead
			} else if !r.role(m, asked) {
				continue
			}
			r.take(i, m.words)
			i += m.words - 1
		case row:
			r.often = r.often || r.rowCounts(i)
			r.rowNoun, r.used[i] = true, true
			r.score += byHead
		case lexicon.PersonNouns[t.Low] && asked && m.f == nil && r.entity == nil && r.people() != nil && r.people().IsCalled(t.Low):
			r.entity, r.used[i] = r.people(), true
			r.score++
		case person && r.agg == count && r.is(i-1, "have", "has", "had", "with", "haben", "hat", "hatten", "mit", "without", "ohne", "zu",
			"zum",
			"to", "für", "for", "bei") &&
			!r.countedFirst(i):
			continue // employees who have children
		case weak || person:
			r.unclear = r.unclear || weak && (r.which || r.rowCounts(i)) && len(r.Foreign) > 0 // of which table's rows
			r.rowNoun, r.used[i] = true, true
			r.score++
		}
	}
	r.askedFor()
}

// meansRow reports whether the word at i is what rows are called, and returns the field that it speaks of: a measure where
// the rows are called as that is, as in sheets of hours and of expenses.
func (r *reading) meansRow(i int, m mention) (of mention, row bool) {
	t := r.tokens[i]
	if f, value := r.ofKind(t.Low); f != nil && m.worth < byHead {
		r.where = append(r.where, condition{SQL: f.SQL + " = " + r.dialect.QuoteText(value), Of: f})
		return mention{}, true
	}
	if m.f != nil && m.f.Numeric() && !m.f.ID && m.worth >= byPart && (r.spanned || r.agg == average || r.highest) {
		return m, false // the highest temperature of a log of temperatures
	}
	row = lexicon.Among(r.Nouns, t.Low)
	row = row || (m.f == nil || m.worth < byHead) && slices.ContainsFunc(r.Nouns, func(w string) bool {
		return lexicon.Alike(w, lexicon.Stem(t.Low)) || r.german && len(t.Low) > lexicon.LeastPart+2 &&
			strings.HasSuffix(lexicon.Folded(w), lexicon.Folded(t.Low))
	})
	if at := slices.IndexFunc(r.Own, func(w string) bool { return lexicon.Same(w, t.Low) }); row && at >= 0 && at+1 < len(r.Own) &&
		!lexicon.Containers[r.Own[at+1]] && r.Of(stockNames, (*field).Additive) != nil {
		row = false // parts of bikes are no bikes
	}
	if head, ok := r.spentOn(t.Low); row && ok {
		f, value := r.holder(head)
		if f == nil {
			return mention{}, false // on something that no value is
		}
		r.where = append(r.where, condition{SQL: f.SQL + " = " + r.dialect.QuoteText(value), Of: f})
	}
	row = row || m.f == nil && len(t.Low) >= lexicon.LeastPart && slices.ContainsFunc(r.Own, func(w string) bool {
		folded := strings.TrimRight(lexicon.Folded(t.Low), "en")
		if strings.HasSuffix(t.Low, "er") && !r.german {
			return false // a baker is no bakery
		}
		return strings.HasPrefix(w, t.Low) && len(w) >= len(t.Low)+3 ||
			len(folded) >= lexicon.LeastPart && strings.HasPrefix(lexicon.Folded(w), folded) && len(w) > len(t.Low)
	})
	row = row || m.f == nil && r.vehicle(t.Low) && r.Fields[0].Has(strings.Fields(plates)) && !r.Joined
	row = row || m.f == nil && (r.doneBy(t.Low) ||
		slices.ContainsFunc(r.Own, func(n string) bool { return lexicon.Gerund(n, t.Low) })) // hikes of a hiking log
	row = row || lexicon.RowWords[t.Low] && m.worth < byPart && (r.agg == count || r.rowCounts(i)) && !lexicon.Among(r.Foreign, t.Low)
	if f := r.Of("hand stock bestand lagerbestand vorrat", (*field).Additive); row && f != nil && r.rowCounts(i) &&
		slices.Contains(stocked, t.Low) {
		return mention{f, 1, byHead}, false // the most stock
	}
	if lexicon.Trading[t.Low] && r.way != 0 && r.money() != nil {
		row = false // what was done, not what rows are
	}
	if f := r.Only(func(f *field) bool { return f.Numeric() && f.HasUnit(t.Low) && !f.Planned() }); row && r.wanting() && f != nil &&
		f.Additive() &&
		(r.agg == count && r.countedAt(i) || r.way != 0 && r.rowCounts(i) || r.agg == none && r.groupBy() != "" || r.share) {
		m, row = mention{f, 1, byHead}, false // the hours of a sheet of hours
	}
	if f := r.money(); row && r.wanting() && r.agg == none && f != nil && f.Additive() && spends(t.Low) &&
		(r.groupBy() != "" || r.share || r.way != 0) {
		m, row = mention{f, 1, byHead}, false // "expenses by department"
		if r.way == 0 {
			r.agg = sum
		}
	}
	if row && r.wanting() && (r.way != 0 || r.agg == sum || r.agg == average || r.amount) && !r.rowCounts(i) && m.worth < byHead {
		if f := r.Only(func(f *field) bool {
			return f.Numeric() && slices.ContainsFunc(f.Words, func(w string) bool {
				return lexicon.Alike(w, lexicon.Stem(t.Low)) ||
					lexicon.Alike(w, t.Low)
			})
		}); f != nil {
			m, row = mention{f, 1, byHead}, false // the highest expenses, of a table of expenses
		}
	}
	return m, row
}

// passes takes a word that only goes with the one before or after it, and reports whether the one at i is such.
func (r *reading) passes(i int) bool {
	t := r.tokens[i]
	if r.near[i].worth < byAll && lexicon.Alike(t.Low, "date") && i > 0 && r.used[i-1] && r.near[i-1].f != nil && r.near[i-1].f.Moment() {
		r.used[i] = true // the return date
		return true
	}
	if n := max(t.Whole(), lexicon.NumberOf(t.Low)); n > 0 && n <= mostTop && r.way != 0 && r.top == 0 && i+1 < len(r.tokens) &&
		(r.near[i+1].f != nil && r.near[i+1].f.Text() || lexicon.Among(r.Nouns, r.word(i+1)) || lexicon.PersonNouns[r.word(i+1)] ||
			lexicon.ThingNouns[r.word(i+1)] || lexicon.Folk[r.word(i+1)]) {
		r.top, r.used[i] = n, true
		return true
	}
	m := r.near[i]
	if m.f != nil && (m.f.Text() || m.f.Yes != "" && m.worth < byAll) && r.who && r.mostBefore(i) && !m.f.Has(lexicon.PersonFields) &&
		m.f != r.people() {
		r.rowNoun = true // who borrows the most books
		r.take(i, m.words)
		return true
	}
	if r.qualified(i, m) {
		r.take(i, m.words)
		return true
	}
	if lexicon.Generic[t.Low] && i > 0 && r.used[i-1] && r.near[i-1].f != nil && r.near[i-1].f.Numeric() && m.worth < byAll &&
		slices.Contains(r.measures, r.near[i-1].f) {
		r.used[i] = true // the cost price
		return true
	}
	if r.attends(i) {
		r.used[i] = true
		return true
	}
	return false
}

// mostTop is how many rows of the most are asked for, at most.
const mostTop = 100

// mostBefore reports whether "most" or "fewest" stands before the word at i, or before a value in front of it.
func (r *reading) mostBefore(i int) bool {
	for k := i; k > 0 && k > i-4; k-- {
		if r.rowCounts(k) {
			return true
		}
		if f := r.near[k-1].f; !r.used[k-1] || f != nil && f.Yes == "" && !f.Event() {
			return false
		}
	}
	return false
}

// qualified reports whether the field at i only leads to a value of another: "items from suppliers in Italy".
func (r *reading) qualified(i int, m mention) bool {
	at := i + m.words
	return m.f != nil && m.f.Text() && r.agg == count && r.is(i-1, "from", "by", "with", "of", "at", "von", "bei", "aus") &&
		r.is(at, "in", "from", "based", "aus") && at+1 < len(r.tokens) && r.used[at+1] && r.near[at+1].f == nil && r.held(at+1, true) &&
		slices.ContainsFunc(r.where, func(c condition) bool { return c.Of != nil && c.Of != m.f && c.Of.Text() })
}

// peopled reports whether rows may be about those whom a word is for: staff only where somebody is called so.
func (r *reading) peopled(word string) bool {
	if lexicon.Belonging[word] && r.people() != nil && !r.people().IsCalled(word) && !lexicon.Among(r.Nouns, word) && len(r.where) == 0 &&
		r.says("hat", "haben", "has", "have") {
		return false // donors are no members of the club
	}
	return !lexicon.Staff[word] && !(lexicon.Belonging[word] && r.people() == nil) || !r.Joined && r.people() != nil &&
		r.people().IsCalled(word)
}

// meansRows reports whether a word that names rows and the field at hand means the rows.
func (r *reading) meansRows(i int, f *field, asked bool) bool {
	if f == &r.Fields[0] && !f.ID && (f.Has(lexicon.PersonFields) || f.Text() && !r.Unique(f)) && r.dates() && r.agg == count {
		return false // the same one may have several rows
	}
	grouped := r.agg == none && r.way == 0 && r.groupBy() != "" && r.by != f && r.Unique(f)
	if first := f == &r.Fields[0]; first && !asked && (f.ID || !r.listing && (len(r.where) > 0 || grouped)) {
		return true
	}
	return r.agg == count && !r.distinct || r.way != 0 && !asked && r.mostBefore(i)
}

// wanting reports whether nothing to measure is named so far.
func (r *reading) wanting() bool { return len(r.measures) == 0 }

// asks reports whether the word at i is what "which" or "what" asks for.
func (r *reading) asks(i int) bool {
	for k := i - 1; k >= 0 && k >= i-4; k-- {
		w := r.word(k)
		if w == "which" || w == "what" || w == "whose" && k == 0 || strings.HasPrefix(w, "welche") {
			return true
		}
		if !r.is(k, "of", "the", "is", "are", "my", "our") && lexicon.Extremes[w] == 0 && (!r.used[k] || !r.attributive(k)) {
			return false
		}
	}
	return false
}

// attributive reports whether a word that has a role stands before a noun: a value, or an
// adjective.
func (r *reading) attributive(k int) bool { return r.near[k].f == nil }

// rowCounts reports whether "most" or "fewest" stands before the word at i.
func (r *reading) rowCounts(i int) bool {
	w := r.word(i - 1)
	return w == "most" || w == "fewest" || w == "least" || w == "meisten" || w == "wenigsten"
}

// role gives a field its part; false if it has none.
func (r *reading) role(m mention, asked bool) bool {
	f := m.f
	switch {
	case f.Numeric(), f.Moment() && !r.often && (r.way != 0 || r.when):
		if slices.Contains(r.measures, f) {
			return true
		}
		if len(r.measures) > 0 && m.worth < byPart {
			return false
		}
		if len(r.measures) == 1 && m.worth >= byAll && r.vague(r.measures[0]) {
			r.measures = nil // "pieces on hand" are what is on hand
		}
		r.measures = append(r.measures, f)
	case f.Moment():
		if !slices.Contains(r.shown, f) && !r.filtered(f) {
			r.shown = append(r.shown, f)
		}
	case r.filtered(f) && !r.listing, r.by == f:
	case f == &r.Fields[0] && f.Code() && (r.agg == average || r.median || r.highest && r.whatIs()):
		r.rowNoun = true // the average order value
	case f == &r.Fields[0] && !asked && r.who && r.way != 0 && r.people() != nil && r.people() != f && !f.Has(lexicon.PersonFields):
		r.rowNoun = true // who has the biggest plot
	case asked || r.way != 0 && r.entity == nil && r.by == nil:
		if t := r.title(); f.ID && t != nil && t != f && f == &r.Fields[0] && t.Label() &&
			(r.Unique(t) || len(f.Values) == 0 && t == r.people() && !t.Repeats) {
			f = t // a member is told by the name, not by the number
		}
		if f.References != "" || f.Refers && !slices.ContainsFunc(r.tokens, func(t wording.Token) bool { return lexicon.Numbering[t.Low] }) {
			return false // a number says nothing of whom it refers to
		}
		if r.entity == nil {
			r.entity = f
		} else if r.entity != f && !r.filtered(f) {
			r.shown = append(r.shown, f)
		}
	case r.filtered(f), r.by == f:
	default:
		if !slices.Contains(r.shown, f) {
			r.shown = append(r.shown, f)
		}
	}
	r.score += m.worth
	return true
}

// nullable reports whether a field says something of some rows only, as far as its name tells.
func (r *reading) nullable(f *field) bool {
	return f.Has(strings.Fields("damage damages defect fault error complaint remark comment note notes reason schaden mangel fehler beschwerde bemerkung grund"))
}

// vague reports whether words of the question speak of a field by their meaning alone.
func (r *reading) vague(f *field) bool {
	return !slices.ContainsFunc(r.near, func(m mention) bool { return m.f == f && m.worth > byWord })
}

// ofPeople reports whether each row is about one of those who are counted: it names somebody, who is not the one that
// is asked about.
func (r *reading) ofPeople() bool {
	f := r.people()
	return f != nil && !r.filtered(f)
}

// filtered reports whether a field has a filter.
func (r *reading) filtered(f *field) bool {
	return slices.ContainsFunc(r.where, func(c condition) bool {
		return c.Of == f && !strings.Contains(c.SQL, "<>") && !strings.Contains(c.SQL, "NOT ") // one that some are excluded of is open
	})
}

// mention is a field that a word speaks of, and how well.
type mention struct {
	f     *field
	words int
	worth int
}

// mentioned returns the field that the words at i speak of best; none if two do alike.
func (r *reading) mentioned(i int) mention {
	var best, twin mention
	twice := false
	for k := range r.Fields {
		m := r.speaks(&r.Fields[k], i)
		switch {
		case m.worth > 0 && best.f != nil && best.f.Made != m.f.Made && max(m.worth, best.worth) <= byPart && r.tokens[i].Is("time") &&
			!slices.ContainsFunc(r.Fields, func(f field) bool { return f.Event() && r.speaksOf(&f, i) }):
			if best.f.Made && m.f.Numeric() {
				best, twice, twin = m, false, mention{} // what was spent on it, not how long it was there
			}
		case m.worth > best.worth:
			best, twice, twin = m, false, mention{}
		case m.worth > 0 && m.worth == best.worth && m.worth == byUnit && m.f.Planned() != best.f.Planned():
			if best.f.Planned() { // tonnes are those that there are
				best = m
			}
		case m.worth > 0 && m.worth == best.worth && m.f.Numeric() && best.f.Numeric() && m.f.Planned() != best.f.Planned() &&
			r.says("spent", "took", "used", "worked", "needed", "actually", "gebraucht", "verbraucht", "gearbeitet", "tatsächlich"):
			if best.f.Planned() { // what was spent, not what was to be
				best, twice, twin = m, false, mention{}
			}
		case m.worth > 0 && m.worth == best.worth && r.Paying(m.f) != r.Paying(best.f) && (r.saysAny(lexicon.Spending) || r.ofPrices()):
			if r.Paying(m.f) {
				best, twice, twin = m, false, mention{}
			}
		case m.worth > 0 && m.worth == best.worth && r.Paying(m.f) != r.Paying(best.f) &&
			(strings.Contains(r.word(i), "verbrauch") || r.saysAny(consuming)):
			if r.Paying(best.f) {
				best, twice, twin = m, false, mention{}
			}
		case m.worth > 0 && m.worth == best.worth && m.f.Moment() && best.f.Moment() && r.ends() != 0 && m.f.Has(ending) != best.f.Has(ending):
			if m.f.Has(ending) == (r.ends() > 0) { // the lease, of which the end is asked for
				best, twice, twin = m, false, mention{}
			}
		case m.worth > 0 && m.worth == best.worth && participle(r.word(i)) && m.f.Moment() != best.f.Moment():
			if m.f.Moment() {
				best, twice, twin = m, false, mention{}
			}
		case m.worth > 0 && m.worth == best.worth:
			told, before := r.spoken(m.f), r.spoken(best.f)
			for _, sort := range []struct {
				asked bool
				is    func(*field) bool
			}{{r.tellsYear(), (*field).OfYears}, {r.is(i-1, "many", "viele"), (*field).Additive}} {
				if one := sort.is(m.f); told == before && sort.asked && one != sort.is(best.f) {
					told, before = map[bool]int{true: 2}[one], 1
				}
			}
			if twice = told == before; told > before {
				best = m
			} else if twice && twin.f == nil {
				twin = m
			} else if twice {
				twin.worth = 0 // there are more
			}
		}
	}
	if w := r.tokens[i].Low; best.f != nil && best.words == 1 && best.f.Numeric() && !r.Paying(best.f) && r.saysAny(lexicon.Spending) {
		if f := r.Only(func(f *field) bool { return r.Paying(f) && len(f.Words) > 1 && lexicon.Among(f.Words, w) }); f != nil {
			best, twice = mention{f, 1, byNoun}, false // what was spent on gas, not how much of it was used
		}
	}
	refers := best.f != nil && best.f.Refers && best.words == 1
	if (best.worth < byHead || refers) && r.Second != nil && lexicon.Among(r.Belong, r.tokens[i].Low) {
		return mention{r.Second, 1, byHead}
	}
	if twice {
		if twin.worth >= byPart {
			r.twins[i] = [2]mention{best, twin}
		}
		return mention{}
	}
	return best
}

// begins reports whether a word of an English question only begins like a part of a name: a goalkeeper is no goal.
func (r *reading) begins(word, part string) bool {
	return !r.german && len(word) > len(part)+lexicon.LeastPrefix && strings.HasPrefix(word, part)
}

// spoken returns how many words of a field's name the question has: a year, what is done.
func (r *reading) spoken(f *field) int {
	n := 0
	for _, w := range f.Words {
		if slices.ContainsFunc(r.tokens, func(t wording.Token) bool { return t.Text == w || t.Kind == wording.Word && lexicon.Same(w, t.Low) }) {
			n++
		}
	}
	return n
}

// How well words speak of a field.
const (
	byWord = 2  // by another word of its concept
	byPart = 4  // by a word of its name
	byUnit = 5  // by its unit
	byHead = 6  // by the last one
	byNoun = 8  // in a compound with all of its words
	byAll  = 10 // by all words, and more the more these are
)

func (r *reading) speaks(f *field, i int) mention {
	t := r.tokens[i]
	if t.Kind != wording.Word && t.Kind != wording.Quoted || len(f.Words) == 0 {
		return mention{}
	}
	if n := wording.NameAt(r.tokens, i, f.Name); n > 0 {
		return mention{f, n, byAll + 2*n}
	}
	if n := r.spelt(i, f.Words); n > 0 {
		return mention{f, n, byAll + 2*n - 1}
	}
	if r.meant(i, f.Words) {
		return mention{f, 2, byAll + 1}
	}
	if last := len(f.Words) - 1; last > 1 && lexicon.Sizes[f.Words[last]].Size > 0 { // "first response (hours)"
		if n := r.spelt(i, f.Words[:last]); n > 0 {
			return mention{f, n, byAll}
		}
	}
	if r.otherThan(f, t.Low) {
		return mention{}
	}
	if f.Counter || lexicon.NumberOf(t.Low) > 0 || (f.Code() || f.ID) && f == &r.Fields[0] && participle(t.Low) {
		return mention{}
	}
	w := r.stems[i]
	if len(f.Words) == 1 && (lexicon.Same(f.Words[0], t.Low)) {
		return mention{f, 1, byAll}
	}
	if lexicon.Among(f.Alias, t.Low) {
		return mention{f, 1, byNoun}
	}
	if len(t.Low) == 2 && t.Text == strings.ToUpper(t.Text) && slices.Contains(f.Words, t.Low) {
		return mention{f, 1, byHead} // an abbreviation
	}
	verb := func(p string) bool {
		return len(p) >= lexicon.RootLetters && strings.HasPrefix(t.Low, p) && len(t.Low)-len(p) <= 2
	}
	if len(t.Low) == 2 && (f.MeasuredIn(t.Low) || f.Numeric() && relation.IsDigits(t.Low[1:]) && slices.Contains(f.Units, t.Low)) {
		return mention{f, 1, byUnit}
	}
	if len(t.Low) < 3 || lexicon.Neutral[t.Low] && len(r.means[i]) == 0 && !(f.Numeric() && slices.ContainsFunc(f.Words, verb)) &&
		!(slices.Contains(f.Words, t.Low) && t.Low != "von" && t.Low != "by" && f.Has([]string{"by",
			"von"})) {
		return mention{}
	}
	inside := 0
	for _, part := range f.Words {
		if len(part) >= lexicon.LeastPart && len(t.Low) > len(part) && lexicon.Compounds(t.Low, part) && !(f == &r.Fields[0] && f.Code() &&
			strings.HasSuffix(lexicon.Stem(strings.TrimRight(t.Low, "n")), part)) && lexicon.BareOf(t.Low) != part &&
			!r.begins(t.Low, part) {
			inside++
		}
	}
	if inside > 0 && inside == len(f.Words) || len(f.Per) > 0 && len(f.Words) == 1 && strings.HasPrefix(t.Low, f.Per[0]) && inside > 0 {
		return mention{f, 1, byNoun + max(0, min(inside, 2)-1)}
	}
	last := f.Words[len(f.Words)-1]
	switch {
	case lexicon.Same(last, t.Low):
		return mention{f, 1, byHead}
	case lexicon.Among(f.Words, t.Low):
		return mention{f, 1, byPart}
	case len(t.Low) >= lexicon.LeastPart && slices.ContainsFunc(f.Words, func(part string) bool {
		at := strings.Index(part, strings.TrimRight(w, "en"))
		return len(part) > len(t.Low) && (at == 0 || at >= lexicon.LeastPrefix) && len(w) > 4 && !strings.HasPrefix(part, "re"+w)
	}):
		return mention{f, 1, byPart - 1}
	case slices.ContainsFunc(f.Units, func(u string) bool { return u == lexicon.Short(t.Low) && u != "" }):
		return mention{f, 1, byUnit}
	case f.MeasuredIn(t.Low), f.Made && lexicon.Among(f.Units, t.Low):
		return mention{f, 1, byUnit}
	case !lexicon.GeneralNouns[t.Low] && slices.ContainsFunc(f.Words,
		func(part string) bool { return lexicon.Rooted(part, t.Low) || lexicon.Happens(part, t.Low) }):
		return mention{f, 1, byWord + 1}
	case lexicon.Abbreviates(last, t.Low) && !lexicon.Branded(t.Text) && !(r.german && len(last) == 2 && t.Text == t.Low):
		return mention{f, 1, byPart}
	case f.Has([]string{"unit"}) && len(f.Words) > 1 && lexicon.Alike(t.Low, "quantity"): // a unit cost is no number of units
	case lexicon.Meets(f.Means[len(f.Means)-1], r.means[i]), slices.ContainsFunc(f.Words,
		func(part string) bool { return lexicon.Abbreviates(part, t.Low) && !lexicon.Branded(t.Text) }):
		return mention{f, 1, byWord + 1}
	case slices.ContainsFunc(f.Means, func(part []int) bool { return lexicon.Meets(part, r.means[i]) }):
		return mention{f, 1, byWord}
	}
	return mention{}
}

// spelt returns how many tokens from i spell words, words that only link left out.
func (r *reading) spelt(i int, words []string) int {
	at := i
	for k, w := range words {
		for k > 0 && (r.word(at) == "of" || r.word(at) == "the" || at < len(r.tokens) && r.tokens[at].Text == "-") {
			at++
		}
		if at >= len(r.tokens) || !lexicon.Same(w, r.tokens[at].Low) {
			return 0
		}
		at++
	}
	return at - i
}
