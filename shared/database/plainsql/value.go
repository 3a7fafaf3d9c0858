package plainsql

import (
	"cmp"
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/relation"
	"lectern/shared/database/plainsql/sqltext"
	"lectern/shared/database/plainsql/wording"
)

// found is a value that a field holds, in n words at a place; not says that it is denied, exact that it is spelt as it is.
type found struct {
	f          *field
	value      string
	at, n      int
	not, exact bool
}

// values finds values that fields hold; the one that several fields have, none of them
// better, is ambiguous.
func (r *reading) values() bool {
	var list []found
	for i := 0; i < len(r.tokens); i++ {
		t := r.tokens[i]
		deed := r.is(0, "when", "wann") || r.at(0, "how much")+r.at(0, "wie viel") > 0 || r.is(i-1, "who", "wer", "customer")
		if deed && r.is(i, "paid", "bezahlt") {
			continue // who did it, not what is settled
		}
		denies := lexicon.Negating[t.Low] && t.Kind == wording.Word
		asksHow := r.is(i-1, "how", "wie") && lexicon.Qualities[t.Low].Way != 0 && t.Text == t.Low  // nobody who is called Long
		many := r.number(i) > 0 && (r.is(i+1, "most", "least") || lexicon.Superlative(r.word(i+1))) // "the 3 most expensive"
		if r.used[i] || asksHow || many || r.hyphens(i) || r.is(0, "when", "wann") && r.near[i].f != nil && r.near[i].f.Moment() {
			continue
		}
		var best found
		ambiguous := false
		for k := range r.Fields {
			f := &r.Fields[k]
			if f.Kind() != database.Textual || f.Yes != "" || f.Remarks() && r.countedFirst(i) {
				continue
			}
			v, n := wording.ValueAt(r.tokens, i, f.Column)
			if (denies || r.links(i)) && n < 2 { // no part of a value such as "not passed", "on hold"
				continue
			}
			exact := n > 0
			if n == 0 && t.Kind == wording.Word && (len(t.Low) > 3 || lexicon.Men[t.Low]) {
				v, n = r.inflected(i, f)
				if m := r.near[i].f; n > 0 && m != nil && m.Numeric() && m.Has([]string{t.Low}) {
					n = 0 // the salary offered, not an offer
				}
			}
			if n > 0 && r.is(i+n, "as", "als") && r.near[min(i+n+1, len(r.near)-1)].f == f {
				best, ambiguous = found{f: f, value: v, at: i, n: n, exact: exact}, false // English as the target language
				break
			}
			if n > 0 && best.n == n && exact != best.exact {
				if exact {
					best, ambiguous = found{f: f, value: v, at: i, n: n, exact: true}, false
				}
				continue
			}
			switch {
			case n > best.n:
				best, ambiguous = found{f: f, value: v, at: i, n: n, exact: exact}, false
			case n > 0 && n == best.n && v == best.value && r.namesRows(best.f, f) && !r.callsAt(i, f):
			case n > 0 && n == best.n && v == best.value && r.namesRows(f, best.f) && !r.callsAt(i, best.f):
				best = found{f: f, value: v, at: i, n: n, exact: exact}
			case n > 0 && n == best.n && v == best.value && f.Kinds(best.f):
				best = found{f: f, value: v, at: i, n: n, exact: exact} // a sort of grape, rather than a wine that is called so
			case n > 0 && n == best.n && v == best.value && best.f.Kinds(f):
			case n > 0 && n == best.n && v == best.value && r.meansFirst(best.f, f):
			case n > 0 && n == best.n && v == best.value && r.meansFirst(f, best.f):
				best = found{f: f, value: v, at: i, n: n, exact: exact}
			case n > 0 && n == best.n:
				ambiguous = true
			}
		}
		if best.n == 0 {
			continue
		}
		if m := r.near[i]; m.f != nil && m.words >= best.n && m.worth >= byAll && t.Low == t.Text {
			continue // the name of a column
		}
		if ambiguous {
			return false
		}
		best.not = (r.denied(i, best.value) || r.negated(i)) && !(r.says("yet") && best.f.Has(lexicon.Needed)) // "to be felled"
		if last := len(list) - 1; last >= 0 && list[last].f == best.f && list[last].not && r.is(i-1, "and", "or", "und", "oder") {
			best.not = true // neither of both
		}
		if best.not && r.lacking(i, best.n) {
			r.without = true // "customers without a shipped order"
		}
		r.rowNoun = r.rowNoun || !best.exact && r.headOf(t.Low) != "" // "Dieselfahrzeuge"
		list = append(list, best)
		r.take(i, best.n)
		for k := i; k < i+best.n; k++ {
			r.near[k] = mention{}
		}
		i += best.n - 1
	}
	r.holdValues(list)
	return true
}

// links reports whether the word at i only links others.
func (r *reading) links(i int) bool {
	t := r.tokens[i]
	return t.Kind == wording.Word && lexicon.Linking[t.Low] && t.Low == t.Text
}

// holdValues notes the conditions that values which were found are.
func (r *reading) holdValues(list []found) {
	for i := 0; i < len(list); i++ {
		v := list[i]
		texts := []string{r.dialect.QuoteText(v.value)}
		last := v
		for i+1 < len(list) && list[i+1].f == v.f && list[i+1].at <= last.at+last.n+2 && list[i+1].not == v.not { // "Oslo or Bergen"
			i++
			last = list[i]
			texts = append(texts, r.dialect.QuoteText(last.value))
			for k := v.at; k < last.at; k++ {
				r.used[k] = r.used[k] || r.word(k) == "or" || r.word(k) == "and" || r.word(k) == "vs" || r.word(k) == "oder" || r.word(k) == "und"
			}
		}
		sql := v.f.SQL
		if ended := r.ended(v.f); v.not && ended != "" && len(texts) == 1 && r.says("yet", "noch", "still") {
			texts = append(texts, ended) // what is cancelled will not be paid
		}
		switch {
		case len(texts) == 1 && !v.not && r.dialect == database.SQLite && v.f.Lists():
			sql = "(', ' || " + sql + " || ', ') LIKE " + r.dialect.QuoteText("%, "+v.value+", %")
		case len(texts) == 1 && !v.not:
			sql += " = " + texts[0]
		case len(texts) == 1:
			sql = "(" + sql + " <> " + texts[0] + " OR " + v.f.SQL + " IS NULL)"
		case v.not && r.says("yet", "noch", "still"):
			sql = "(" + sql + " NOT IN (" + strings.Join(texts, ", ") + ") OR " + v.f.SQL + " IS NULL)"
		case v.not:
			sql += " NOT IN (" + strings.Join(texts, ", ") + ")"
		default:
			sql += " IN (" + strings.Join(texts, ", ") + ")"
			if len(texts) == len(v.f.Values) && !v.f.Many && r.by == nil && r.word(last.at-1) != "or" && r.word(last.at-1) != "oder" &&
				r.saysAny(lexicon.Averaging) {
				r.by = v.f // the average of women and men
			}
		}
		r.where = append(r.where, condition{SQL: sql, Of: v.f})
		r.score += byHead
	}
}

// inflected returns the one value of a field that a word is another form of.
func (r *reading) inflected(i int, f *field) (string, int) {
	w, other, value, direct := r.stems[i], r.tokens[i].Low, "", false
	all, head := f.Vocabulary(), r.headOf(other)
	if head == "" {
		head = f.HeadOf(other)
	}
	for k, low := range all.Single {
		if low == "" {
			continue
		}
		v := f.Values[k]
		inflected := all.Stems[k] == w || r.bends(i, low) || slices.Contains(strings.Fields(lexicon.Shortened[other]), low) ||
			head != "" && (low == head || low == strings.TrimSuffix(head, "n") || len(head) >= lexicon.LeastPart && strings.HasPrefix(low, head))
		meant := !asks(other) && !lexicon.Vehicles[other] && r.near[i].worth <= byWord+1 && f != r.title()
		if !inflected && !(meant && lexicon.Meets(all.Means[k], r.means[i])) {
			continue
		}
		if value != "" && inflected == direct {
			return "", 0
		}
		if value == "" || inflected { // rather than what it only means
			value, direct = v, inflected
		}
	}
	if at := slices.IndexFunc(f.Values, func(v string) bool {
		return v != "" && (strings.EqualFold(v, head) || f.Has([]string{"einheit", "unit", "uom"}) && strings.EqualFold(v, lexicon.Short(other)))
	}); value == "" && at >= 0 {
		return f.Values[at], 1
	}
	if value == "" && r.near[i].worth < byPart && !r.rowsDone(i) {
		if value = cmp.Or(lexicon.Coded(f.Values, w), lexicon.Coded(f.Values, other)); value == "" {
			value = lexicon.Sexed(f.Values, r.tokens[i].Low)
		}
	}
	if value == "" {
		return "", 0
	}
	return value, 1
}

// bends reports whether the word at i is another form of a value: denied, in the plural, a verb's participle, an adjective
// of it, a unit for its abbreviation.
func (r *reading) bends(i int, value string) bool {
	w := r.tokens[i].Low
	return r.denied(i, value) || r.german && len(value) > lexicon.LeastPart && (w == value+"er" || w == value+"ern") || w == value+"ed" ||
		w == strings.TrimSuffix(value, "e")+"ed" || w == value+"d" || w == value+"y" ||
		lexicon.Same(value, w) || lexicon.SameVerb(value, w) || slices.Contains(r.forms[i], value) && !strings.Contains(w, "ment") ||
		lexicon.Short(w) == value || w != "even" && lexicon.Gerund(value, w)
}

// holder returns the field without a filter that has the first part of a compound as a value; nil without.
func (r *reading) holder(head string) (*field, string) {
	for k := range r.Fields {
		f := &r.Fields[k]
		if f.Kind() != database.Textual || f.Yes != "" || r.filtered(f) {
			continue
		}
		for n, low := range f.Vocabulary().Single {
			if ending, ok := strings.CutPrefix(head, low); ok && low != "" && slices.Contains([]string{"", "s", "es", "n", "en"}, ending) {
				return f, f.Values[n]
			}
		}
	}
	return nil, ""
}

// headOf returns what stands before what rows are called in a compound, as "elektro" does in
// "Elektrofahrzeuge"; empty for another word.
func (r *reading) headOf(word string) string {
	for _, n := range []string{"fahrzeuge", "fahrzeugen", "autos", "wagen"} {
		if head, ok := strings.CutSuffix(word, n); ok && len(head) > 2 && r.driven() {
			return head
		}
	}
	for _, n := range append(slices.Clone(r.Nouns), r.Belong...) {
		root := strings.TrimRight(n, "en")
		if len(root) < lexicon.LeastPart {
			root = n // a wine
		}
		if at := strings.LastIndex(word, root); len(root) >= lexicon.LeastPart && at >= lexicon.LeastPart-1 && len(word)-at-len(root) <= 2 {
			return strings.TrimSuffix(word[:at], "s")
		}
	}
	return ""
}

// negated reports whether a word that denies stands before i, and takes it.
func (r *reading) negated(i int) bool {
	for k := i - 1; k >= 0 && k >= i-4; k-- {
		w := r.word(k)
		switch {
		case w == "" && r.tokens[k].Kind == wording.Mark && (r.tokens[k].Text == "'" || r.tokens[k].Text == "-"):
		case w == "from" && r.is(k-1, "apart", "aside", "away"), w == "auf" && r.is(k-1, "bis"):
			r.take(k-1, 2)
			return true
		case w == "besides" || w == "but":
			r.used[k] = true
			return true
		case k > 0 && r.denies(k-1) && r.is(k+1, "from", "for", "at", "in") && r.tellsDeed(w):
			return false // who has not paid, of a squad
		case k > 0 && (participle(w) || w == "done" || w == "made") && r.denies(k-1) && r.is(k+1, "by", "in", "with", "for", "from", "at",
			"von", "mit", "per"):
			r.take(k-1, 2) // not done by Ada
			return true
		case (w == "paid" || w == "bezahlt" || w == "booked" || w == "gebucht") && r.denies(k-1):
			r.take(k-1, 2)
			return true
		case w == "than" && r.word(k-1) == "other":
			r.take(k-1, 2)
			return true
		case w == "t" && k >= 2 && strings.HasSuffix(r.word(k-2), "n"):
			r.take(k-2, 3)
			return true
		case lexicon.Negating[w]:
			r.used[k] = true
			return !r.never || !r.is(k, "never", "nie", "niemals")
		case r.is(k, "by", "in", "with", "from", "per", "von", "mit", "für", "for") && k == i-1 && k > 1 && r.denies(k-2):
		case r.used[k] || !lexicon.Neutral[w]:
			return false
		}
	}
	return false
}

// denies reports whether the word at i denies what follows it: "never" does not, of what no row of something may be.
func (r *reading) denies(i int) bool {
	return lexicon.Negating[r.word(i)] && !(r.never && r.is(i, "never", "nie", "niemals"))
}

// lacking reports whether a value that is denied tells of what kind something is that rows have none
// of.
func (r *reading) lacking(i, n int) bool {
	for k := i - 1; k >= 0 && k >= i-3; k-- {
		if r.is(k, "without", "no", "ohne", "kein", "keine", "keinen") {
			next := r.word(i + n)
			return next != "" && !lexicon.Neutral[next]
		}
	}
	return false
}

// truths finds fields that say yes or no: "paid", "unpaid", "not paid yet".
func (r *reading) truths() {
	for i := range r.tokens {
		w := r.word(i)
		if r.used[i] || w == "" {
			continue
		}
		for k := range r.Fields {
			f := &r.Fields[k]
			if f.Yes == "" && !f.Event() || f.Yes != "" && r.is(0, "when", "wann") && r.TimedAs(f) {
				continue
			}
			no := false
			head := f.Deed()
			said := len(f.Words) == 1 || r.spoken(f) > 1 || participle(head) // of "part time" the whole
			bare := lexicon.BareOf(w)
			un := bare != w
			switch {
			case lexicon.LightVerbs[w] && r.spoken(f) < 2 && len(f.Words) > 1:
				continue // measurements that were taken
			case un && slices.ContainsFunc(f.Words, func(p string) bool {
				return lexicon.Same(p, bare) || lexicon.Alike(p, bare) && len(f.Words) == 1
			}):
				no = true
			case f.Yes == "" && r.near[i].f == f && r.near[i].worth >= byPart:
			case f.Yes != "" && r.near[i].f != nil && r.near[i].f != f && r.near[i].worth >= byAll:
				continue // another field's name
			case f.Yes != "" && r.near[i].f == f && (r.near[i].worth >= byAll || said && (r.near[i].worth >= byHead || lexicon.Rooted(head, w) ||
				lexicon.Happens(head, w) || lexicon.Abbreviates(head, w) || lexicon.Alike(head, w) && participle(w))),
				f.Yes != "" && (said && (lexicon.Same(head, w) || lexicon.SameVerb(head, w)) || len(f.Words) == 1 &&
					lexicon.Meets(lexicon.Exact(head),
						append(slices.Clone(lexicon.Exact(w)), lexicon.Exact(lexicon.Stem(w))...))):
			case f.Yes != "" && r.near[i].f == f && r.near[i].worth >= byPart && r.lacksAt(i):
				no = true
			case f.Yes != "" && r.near[i].f == f && lexicon.Presences[head] && (r.negated(i) || r.lacksAt(i) ||
				r.is(i-1, "with", "mit", "has", "have",
					"a", "an",
					"ein", "eine", "einen", "einem", "einer")):
				no = r.lacksAt(i) || slices.ContainsFunc(r.tokens[max(0, i-4):i], func(t wording.Token) bool { return lexicon.Negating[t.Low] })
			case f.Yes != "" && missing[w] && (f.Shows() || f.Has(strings.Fields("noshow absent missed"))):
			case f.Yes != "" && lexicon.Able(head, w):
			case f.Yes != "" && lexicon.Opposites[w] != "" && f.Has(strings.Fields(lexicon.Opposites[w])):
				no = true
			case (lexicon.OpenWords[w] || r.standsOut(i)) && slices.ContainsFunc(f.Words, func(p string) bool {
				return lexicon.Alike(p, "paid") || f.Yes == "" && lexicon.StillOpen[w] && (lexicon.Alike(p, "done") || lexicon.Alike(p, "returned")) &&
					!r.opened(i)
			}):
				no = true
			case f.Yes == "" && lexicon.Meets(lexicon.Exact(head), lexicon.Exact(w)) && r.denies(i-1): // not solved, of a day it was resolved
			default:
				continue
			}
			n := 1
			if r.near[i].f == f {
				n = r.near[i].words
			}
			if f.Shows() && (r.is(i-1, "no") || r.is(i-2, "no") && r.tokens[i-1].Text == "-") {
				r.used[i-1], r.used[max(0, i-2)] = true, r.used[max(0, i-2)] || r.is(i-2, "no") // a no-show
			} else if r.negated(i) || r.word(i+n) == "no" || r.word(i+n) == "false" || f.Has(lexicon.Inside) && r.outside(i) {
				no = true
			}
			if f.Yes == "" {
				if no && r.Joined && !lexicon.Alike(head, "paid") {
					continue // there may be no row that could say so
				}
				if r.filtered(f) || r.when || r.is(0, "when", "wann") || !no && (r.way != 0 || r.superlative()) {
					continue
				}
				sql := f.SQL + " IS NOT NULL"
				if no {
					sql = f.SQL + " IS NULL"
				}
				r.where = append(r.where, condition{SQL: sql, Of: f})
				r.take(i, n)
				r.score += byPart
				break
			}
			value := f.Yes
			if no {
				value = f.No
			}
			sql := f.SQL + " = " + value
			if no && f.No == "" {
				sql = f.Empty().SQL
			}
			if !slices.ContainsFunc(r.where, func(c condition) bool { return c.SQL == sql }) {
				r.where = append(r.where, condition{SQL: sql, Of: f})
			}
			r.take(i, n)
			r.score += byPart
			break
		}
	}
}

// missing are words for not having come.
var missing = lexicon.Set("missed skipped versäumt verpasst")

// opened reports whether "open" at i is what somebody did, of which there is a day.
func (r *reading) opened(i int) bool {
	return r.is(i, "open") && r.says("did") && !r.says("have", "still") && r.Of("opened", (*field).Moment) != nil
}

// participle reports whether a word says what was done to something.
func participle(w string) bool {
	return relation.Done[w] || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "iert") ||
		strings.HasPrefix(w, "ge") && strings.HasSuffix(w, "t") || lexicon.Alike(w, "paid")
}

// superlative reports whether the question asks for the most of something.
func (r *reading) superlative() bool {
	return slices.ContainsFunc(r.tokens, func(t wording.Token) bool { return lexicon.Superlative(t.Low) })
}

// missing finds fields that have to be empty: "without an email address".
func (r *reading) missing() {
	for i := range r.tokens {
		// in a join there may be no row that could lack it
		if r.used[i] || !lexicon.Negating[r.word(i)] && !r.is(i, "nie", "niemals") || r.Joined {
			continue
		}
		for k := i + 1; k < len(r.tokens) && k <= i+4; k++ {
			m := r.near[k]
			near := m.f != nil && m.f.Numeric() && k == i+1 && m.worth > byWord && r.is(i, "no", "without", "kein", "keine", "keinen", "ohne",
				"never", "nie", "niemals") ||
				m.f != nil && m.f.Numeric() && r.is(i, "not", "nicht") && k == i+1 && m.worth > byWord && participle(r.word(k)) &&
					len(r.measures) == 0
			if m.f == nil || r.used[k] || m.worth < byPart && !m.f.Moment() && !near {
				verb := k == i+1 && r.is(i, "not", "nicht") && r.is(i-1, "did", "do", "does", "have", "has") && r.is(k+1, "the", "a", "an", "their")
				if lexicon.Neutral[r.word(k)] || r.word(k) == "any" || lexicon.Alike(r.word(k), "date") || verb {
					continue
				}
				break
			}
			if m.f == &r.Fields[0] || m.f == r.title() || m.f.Yes != "" {
				break // every row has it
			}
			r.where = append(r.where, m.f.Empty())
			r.take(i, k+m.words-i)
			r.score += m.worth
			break
		}
		if r.used[i] || !lexicon.Recorded[r.word(i+1)] && r.word(i) != "missing" && r.word(i) != "fehlt" {
			continue
		}
		for k := i - 1; k >= 0 && k >= i-3; k-- { // "the moisture was never measured"
			if m := r.near[k]; m.f != nil && m.worth >= byPart && !r.used[k] && m.f != &r.Fields[0] {
				r.where = append(r.where, m.f.Empty())
				r.take(k, i+1-k)
				if lexicon.Recorded[r.word(i+1)] {
					r.used[i+1] = true
				}
				break
			}
		}
	}
}

// partly finds words that values of one field have among others: "gloves" of "Nitrile
// gloves L" and "Nitrile gloves M".
func (r *reading) partly() {
	var of *field    // of the words so far
	var parts string // what they say, by alternatives: "road bikes and mountain bikes"
	last := -1
	write := func() {
		if of != nil {
			r.where = append(r.where, condition{SQL: parts, Of: of})
		}
		of = nil
	}
	for i := range r.tokens {
		f, sql := r.partOfValue(i)
		if f == nil {
			continue
		}
		r.used[i] = true
		r.score += byPart
		switch {
		case of == f && r.listed(i) && strings.HasPrefix(parts, "NOT "): // none of both
			parts += " AND NOT " + strings.TrimPrefix(sql, "NOT ")
		case of == f && r.listed(i):
			parts = "(" + strings.TrimSuffix(strings.TrimPrefix(parts, "("), ")") + " OR " + sql + ")"
		case of == f && i == last+1:
			if before, alternative, ok := sqltext.CutLast(parts, " OR "); ok {
				parts = before + " OR " + strings.TrimSuffix(alternative, ")") + " AND " + sql + ")"
			} else {
				parts += " AND " + sql
			}
		default:
			write()
			of, parts = f, sql
		}
		last = i
	}
	write()
}

// partOfValue returns the one field that has the word at i among the words of its values, and the condition that it has; nil
// where none or several have it.
func (r *reading) partOfValue(i int) (*field, string) {
	t := r.tokens[i]
	code := strings.ContainsAny(t.Low, "0123456789") && len(t.Low) > 1 // a road
	if r.used[i] || t.Kind != wording.Word || lexicon.Neutral[t.Low] || len(t.Low) < lexicon.LeastPart && !code && !r.hyphens(i) ||
		r.Joined && t.Low == t.Text ||
		r.ours(i) {
		return nil, ""
	}
	var of *field
	w := strings.TrimSuffix(r.stems[i], "ness") // sickness of "Sick leave"
	for k := range r.Fields {
		f := &r.Fields[k]
		if f.Kind() != database.Textual || f.Yes != "" || f.Has(lexicon.Mails) ||
			!f.Vocabulary().Words[t.Low] && !f.Vocabulary().Words[w] && !r.begin(f, i) ||
			(lexicon.Folk[t.Low] || lexicon.PersonNouns[t.Low]) && (r.countedAt(i) || r.asks(i)) || f.Remarks() && (r.countedAt(i) ||
			r.asks(i) || r.actedOn(i)) {
			continue
		}
		if r.hyphened(f, i) != "" {
			of = f
			break
		}
		switch {
		case of == nil || r.meansFirst(f, of):
			of = f
		case !r.meansFirst(of, f):
			return nil, ""
		}
	}
	if of == nil {
		return nil, ""
	}
	if r.is(i-2, r.hyphened(of, i)) {
		w = r.word(i-2) + "-" + w // a U-lock
		r.used[i-2] = true
	}
	sql := "LOWER(" + of.SQL + ") LIKE " + r.dialect.QuoteText("%"+w+"%")
	if r.negated(i) {
		sql = "NOT " + sql
	}
	return of, sql
}

// listed reports whether "and" or "or" stands between the word at i and the value before it.
func (r *reading) listed(i int) bool {
	for k := i - 1; k > 0 && k >= i-3; k-- {
		if r.is(k, "and", "or", "und", "oder") {
			return true
		}
	}
	return false
}

// unitNoun reports whether the word at i says only of what a measure is: the mark of a subject, the power of kilowatt-hours.
func (r *reading) unitNoun(i int) bool {
	if r.near[i].f != nil && r.near[i].worth > byWord+1 {
		return false
	}
	one := r.measures
	if len(one) == 0 {
		one = r.shown
	}
	if len(one) != 1 || !one[0].Numeric() {
		return false
	}
	if r.is(i, "note", "noten", "zensur", "zensuren", "mark", "marks", "grade", "grades") {
		return !r.Paying(one[0]) && !r.lasts(one[0])
	}
	return slices.ContainsFunc(one[0].Units, func(u string) bool { return (u == "kwh" || u == "mwh") && lexicon.Alike(r.word(i), u) })
}

// tidy settles what words that name fields are for, where others say what is asked for.
func (r *reading) tidy() {
	label := r.title()
	r.tidyCount()
	r.tidyOften()
	r.signs()
	r.lastOf()
	if r.agg == average && r.way == 0 && r.bySpan == "%Y-%m" && r.spanOf.Raw != "" && r.spanOf == &r.Fields[0] &&
		!r.says("each", "every", "jeden", "jedem") {
		r.bySpan, r.spanOf = "", nil // each row is a month
	}
	switch {
	case r.agg == average && r.by != nil && r.way == 0 && r.Unique(r.by) && (r.by == label || r.by == &r.Fields[0]) && len(r.measures) == 1:
		r.by = nil // of each row there is one
	case r.way != 0 && r.by != nil && r.by.Numeric() && !r.by.ID && r.entity == nil && len(r.shown) == 1 && r.shown[0].Text() &&
		(r.wanting() || len(r.measures) == 1 && r.measures[0] == r.by):
		r.measures, r.entity, r.by, r.shown = []*field{r.by}, r.shown[0], nil, nil // the biggest flats by size
	case r.way != 0 && r.rowNoun && r.quality != nil && r.entity == nil && r.by == nil && len(r.measures) == 1 && r.is(2, "my", "our") &&
		label != nil:
		r.entity = label // my longest hike
	case r.way != 0 && r.entity == nil && len(r.measures) == 1 && r.measures[0].Event() && label != nil && r.saysAny(lexicon.ByAge):
		r.entity, r.way, r.agg = label, map[bool]int{true: -1, false: 1}[r.says("oldest", "älteste")], none // the oldest purchase
	}
}
