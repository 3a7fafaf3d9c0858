package plainsql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/relation"
	"lectern/shared/database/plainsql/wording"
)

// dayField returns the field with the dates that the words around i speak of.
func (r *reading) dayField(i int) *field {
	var list []*field
	for k := range r.Fields {
		if r.Fields[k].Moment() {
			list = append(list, &r.Fields[k])
		}
	}
	if len(list) < 2 {
		if len(list) == 0 {
			return nil
		}
		return list[0]
	}
	if r.says("pay", "pays", "zahlt", "zahlte", "zahlen", "bezahlen") {
		if f := r.Only(func(f *field) bool { return f.Event() && lexicon.Alike(f.Words[0], "paid") }); f != nil {
			return f
		}
	}
	var spelt *field // the one that is named in full
	for k := range r.near {
		if m := r.near[k]; m.f != nil && m.f.Moment() && m.worth >= byAll &&
			(m.words+strings.Count(m.f.Name, "_") > 1 || lexicon.DayOf(m.f.Words[0]) != m.f.Words[0]) {
			if spelt != nil && spelt != m.f {
				spelt = nil
				break
			}
			spelt = m.f
		}
	}
	if spelt != nil {
		return spelt
	}
	for d := 0; d < len(r.tokens); d++ {
		for _, k := range []int{i - d, i + d} {
			if k < 0 || k >= len(r.tokens) || r.tokens[k].Kind != wording.Word || k < i && r.bounds(k, i) {
				continue
			}
			w := lexicon.Stem(r.tokens[k].Low)
			for _, f := range list {
				if slices.ContainsFunc(f.Words, func(p string) bool {
					p = lexicon.DayOf(p)
					return len(p) > 2 && !lexicon.Alike(p, "date") && (lexicon.Same(p, r.tokens[k].Low) || lexicon.Stem(p) == w || lexicon.Alike(p, w) ||
						lexicon.Alike(p, r.tokens[k].Low) || f.Event() && lexicon.Rooted(p, r.tokens[k].Low) ||
						lexicon.Abbreviates(p, r.tokens[k].Low))
				}) {
					return f
				}
			}
		}
	}
	for _, f := range list {
		if len(f.Words) == 1 && (f.Words[0] == "date" || f.Words[0] == "datum") {
			return f
		}
	}
	return list[0]
}

// span is a time from a day on and before another.
type span struct{ from, to time.Time }

// monthsFrom is the span of n months from one of a year on.
func monthsFrom(year, month, n int) span {
	from := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
	return span{from, from.AddDate(0, n, 0)}
}

// holds is the condition that the time of an expression is in the span.
func (s span) holds(expression string) string {
	return expression + " >= '" + s.from.Format(time.DateOnly) + "' AND " + expression + " < '" + s.to.Format(time.DateOnly) + "'"
}

// spanAt returns the span that the words at i name, and how many they are: a day, a month, a
// quarter, a year; month is set for a month without a year.
func (r *reading) spanAt(i int) (s span, month, n int) {
	if i >= len(r.tokens) {
		return s, 0, 0
	}
	day := func(y, m, d int) span {
		from := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
		r.unclear = r.unclear || from.Day() != d // 31 February
		return span{from, from.AddDate(0, 0, 1)}
	}
	t := r.tokens[i]
	if t.Kind == wording.Date {
		if d, err := time.Parse(time.DateOnly, t.Text); err == nil {
			return span{d, d.AddDate(0, 0, 1)}, 0, 1
		}
		return s, 0, 0
	}
	if wording.IsYear(t) {
		return monthsFrom(t.Whole(), 1, 12), 0, 1
	}
	year := func(i int) (int, int) { // the year at i, maybe after a comma or "of"
		for k := i; k < len(r.tokens) && k <= i+1; k++ {
			if wording.IsYear(r.tokens[k]) {
				return r.tokens[k].Whole(), k + 1 - i
			}
			if r.tokens[k].Text != "," && r.word(k) != "of" {
				break
			}
		}
		return 0, 0
	}
	if m := lexicon.MonthOf(t.Low); m > 0 && t.Kind == wording.Word {
		if d := r.number(i + 1); d >= 1 && d <= 31 { // "March 3, 2026"
			k := i + 2
			if r.is(k, "st", "nd", "rd", "th") {
				k++
			}
			if y, n := year(k); n > 0 {
				return day(y, m, d), 0, k + n - i
			}
		}
		if y, n := year(i + 1); n > 0 {
			return monthsFrom(y, m, 1), 0, n + 1
		}
		if t.Low == "may" && t.Text == t.Low {
			return s, 0, 0
		}
		return s, m, 1
	}
	if d := r.number(i); d >= 1 && d <= 31 { // "3 March 2026", "3. März 2026"
		k := i + 1
		if k < len(r.tokens) && (r.tokens[k].Text == "." || r.is(k, "st", "nd", "rd", "th")) {
			k++
		}
		if r.word(k) == "of" {
			k++
		}
		if k < len(r.tokens) {
			if m := lexicon.MonthOf(r.tokens[k].Low); m > 0 {
				if y, n := year(k + 1); n > 0 {
					return day(y, m, d), 0, k + 1 + n - i
				}
			}
		}
	}
	if m, words := r.half(i); words > 0 {
		if y, n := year(i + words); n > 0 {
			return monthsFrom(y, m, 6), 0, words + n
		}
	}
	if m, words := r.quarter(i); words > 0 {
		if y, n := year(i + words); n > 0 {
			return monthsFrom(y, m, 3), 0, words + n
		}
	}
	return s, 0, 0
}

func (r *reading) number(i int) int {
	if i < 0 || i >= len(r.tokens) {
		return 0
	}
	return r.tokens[i].Whole()
}

// days finds times that rows are of; false where one has no field, or two may be meant.
func (r *reading) days() bool {
	for i := 0; i < len(r.tokens); i++ {
		if r.used[i] {
			continue
		}
		if r.inName(i) || r.ofName(i) {
			r.used[i] = true
			if monthNamed(r.word(i)) {
				r.ofMonths = append(r.ofMonths, lexicon.MonthOf(r.word(i)))
			}
			if r.is(i-1, "in", "for", "of", "im", "für") {
				r.used[i-1] = true
			}
			continue
		}
		if r.season(i) || r.weekday(i) {
			continue
		}
		if k := i - 2; r.is(k, "paid", "bezahlt") && r.used[k] && r.is(i-1, "in", "im", "on", "am") && !r.tellsPayment() {
			return false
		}
		if r.dayOfYear(i) {
			continue
		}
		s, month, n := r.spanAt(i)
		ofMonth := month > 0
		if through, m := r.through(i, month, n); m > 0 {
			s, month, n = through, 0, m
		}
		if n == 0 {
			continue
		}
		if wording.IsYear(r.tokens[i]) && n == 1 && !r.inTime(i) {
			continue
		}
		f := r.dayField(i)
		year := r.yearField()
		if wording.IsYear(r.tokens[i]) && n == 1 && year == nil && slices.ContainsFunc(r.near, func(m mention) bool {
			return m.f != nil && m.f.Years && m.f.Numeric() && m.worth >= byPart
		}) {
			return false // from which year on something is so
		}
		own := r.Of("year jahr", (*field).Numeric)
		if own != nil && len(own.Words) == 1 && year == nil && wording.IsYear(r.tokens[i]) && n == 1 && (r.is(i-1, "for", "of", "für", "vom") ||
			!r.is(i-1, "in", "im") && (r.saysAny(lexicon.Negating) || r.wants(i-1)) || f != nil && !r.speaksOf(f, i) &&
			!r.saysAny(lexicon.Paying) && !r.saysAny(lexicon.Incomes)) {
			year = own
		}
		if f == nil || n == 1 && year != nil && wording.IsYear(r.tokens[i]) {
			if year == nil {
				year = r.Of("year jahr baujahr vintage jahrgang", func(*field) bool { return true })
			}
			if year == nil || !wording.IsYear(r.tokens[i]) || r.near[max(0, i-1)].f != nil && r.near[max(0, i-1)].f != year {
				continue
			}
			sign := map[string]string{"before": "<", "vor": "<", "after": ">", "nach": ">", "since": ">=", "seit": ">="}[r.word(i-1)]
			if sign == "" {
				sign = "="
			}
			if i+2 < len(r.tokens) && wording.IsYear(r.tokens[i+2]) && r.is(i-1, "between", "from", "zwischen", "von") &&
				r.is(i+1, "and", "to", "und", "bis") {
				r.where = append(r.where, condition{SQL: year.SQL + " <= " + r.tokens[i+2].Text, Of: year})
				r.take(i+1, 2)
				sign = ">="
			}
			r.where = append(r.where, condition{SQL: year.SQL + " " + sign + " " + r.tokens[i].Text, Of: year})
			r.take(max(0, i-1), 2)
			continue
		}
		if ofMonth && slices.ContainsFunc(r.near, func(m mention) bool { return m.f != nil && m.f.Numeric() && m.f.OfYears() }) {
			return false // of another time than that of the rows
		}
		if month > 0 {
			if r.dialect != database.SQLite {
				return false
			}
			list, words := r.monthsAt(i, month)
			where := fmt.Sprintf("strftime('%%m', %s) = %s", f.SQL, list)
			if strings.Contains(list, ",") {
				where = fmt.Sprintf("strftime('%%m', %s) IN (%s)", f.SQL, list)
			}
			r.where = append(r.where, condition{SQL: where, Of: f, Day: true})
			r.take(i, words)
			i += words - 1
			continue
		}
		start, end, ok := r.within(f, s, i, n)
		if !ok {
			return false
		}
		r.take(start, end-start)
		i = end - 1
	}
	return true
}

// dayOfYear finds a day without its year at i, as "13. Mai", "May 13th" or "13.05.", and takes it.
func (r *reading) dayOfYear(i int) bool {
	d, m, n := r.number(i), 0, 1
	if first, second, ok := strings.Cut(r.tokens[i].Text, "."); ok && r.tokens[i].Kind == wording.Number && len(second) == 2 && r.german &&
		(r.is(i-1, "am", "vom", "zum", "den", "dem")) {
		d, _ = strconv.Atoi(first)
		m, _ = strconv.Atoi(second)
	} else if m = lexicon.MonthOf(r.word(i)); m > 0 && r.number(i+1) > 0 {
		d, n = r.number(i+1), 2
	} else {
		if i+n < len(r.tokens) && (r.tokens[i+n].Text == "." || r.is(i+n, "st", "nd", "rd", "th")) {
			n++
		}
		if r.is(i+n, "of") {
			n++
		}
		m = lexicon.MonthOf(r.word(i + n))
		n++
	}
	for n == 2 && i+n < len(r.tokens) && r.is(i+n, "st", "nd", "rd", "th") {
		n++
	}
	if d < 1 || d > 31 || m < 1 || m > 12 || !r.is(i-1, "on", "am", "vom", "zum", "the", "den", "dem", "of") {
		return false
	}
	f := r.dayField(i)
	if _, _, whole := r.spanAt(i); f == nil || whole > n || r.dialect != database.SQLite ||
		i+n < len(r.tokens) && (wording.IsYear(r.tokens[i+n]) || i+n+1 < len(r.tokens) && wording.IsYear(r.tokens[i+n+1]) ||
			r.is(i+n, "to", "until", "bis",
				"and", "und")) {
		return false
	}
	r.where = append(r.where, condition{SQL: fmt.Sprintf("strftime('%%m-%%d', %s) = '%02d-%02d'", f.SQL, m, d), Of: f, Day: true})
	r.take(i, n)
	return true
}

// through returns the span from what stands at i, a day or a month of n words, through one that names the year, and how
// many words that has: "between 1 and 15 August 2026", "from January to June 2025"; none where no such thing stands there.
func (r *reading) through(i, month, n int) (s span, words int) {
	if !r.is(i+1, "to", "and", "until", "through", "bis", "und") {
		return s, 0
	}
	d, least := r.number(i), 3 // words of a day with its year
	switch {
	case month > 0:
		d, least = 1, 2
	case n > 0 || d < 1 || d > 31 || r.is(i+1, "until", "through"):
		return s, 0
	}
	e, _, m := r.spanAt(i + 2)
	if m < least || e.to.IsZero() || month > int(e.from.Month()) {
		return s, 0
	}
	if month == 0 {
		month = int(e.from.Month())
	}
	if r.is(i-1, "between", "from", "zwischen", "von") {
		r.used[i-1] = true
	}
	return span{time.Date(e.from.Year(), time.Month(month), d, 0, 0, 0, 0, time.UTC), e.to}, 2 + m
}

// within bounds a field by a span that stands at i in n words, as the word before says: after it, until it, between it
// and another. It returns where what it has read begins and ends; ok is false where the bounds are open.
func (r *reading) within(f *field, s span, i, n int) (start, end int, ok bool) {
	start, end = i, i+n
	before := r.word(i - 1)
	for r.is(start-1, "the", "dem", "year", "jahr", "end", "ende", "of", "start", "anfang", "beginn", "month", "monat") {
		if asked := r.word(start - 2); r.spanWord(r.word(start-1)) != "" && (asked == "which" || asked == "what" ||
			strings.HasPrefix(asked, "welche")) {
			break // which month of the year
		}
		switch {
		case r.is(start-1, "start", "anfang", "beginn"):
			s.to = s.from
		case r.is(start-1, "end", "ende"):
			s.from = s.to.AddDate(0, 0, -1) // the last day
		}
		start--
		before = r.word(start - 1)
	}
	bound := func(sign string, t time.Time) {
		r.where = append(r.where, condition{SQL: f.SQL + " " + sign + " '" + t.Format(time.DateOnly) + "'", Of: f, Day: true})
	}
	if n > 3 && r.used[max(0, i-1)] {
		before = ""
	}
	if r.is(end, "or", "and", "oder", "und") && r.is(end+1, "later", "after", "newer", "since", "später", "danach", "neuer") {
		bound(">=", s.from)
		return start, end + 2, true
	}
	if r.is(end, "or", "and", "oder", "und") && r.is(end+1, "earlier", "before", "older", "früher", "davor", "älter") {
		bound("<", s.to)
		return start, end + 2, true
	}
	if slices.Contains([]string{"since", "seit"}, before) && f.Latest() && r.negated(max(0, start-1)) {
		r.where = append(r.where, condition{SQL: "(" + f.SQL + " < '" + s.from.Format(time.DateOnly) + "' OR " + f.SQL + " IS NULL)", Of: f,
			Day: true})
		return max(0, start-1), end, true // what has not been checked since then
	}
	switch before {
	case "after", "nach", "later":
		bound(">=", s.to)
	case "since", "seit", "ab":
		bound(">=", s.from)
	case "before", "vor":
		bound("<", s.from)
	case "until", "till", "by", "bis":
		bound("<", s.to)
	case "between", "zwischen", "from", "von":
		if r.is(end, "and", "to", "und", "bis", "until") {
			if e, _, m := r.spanAt(end + 1); m > 0 && !e.to.IsZero() {
				bound(">=", s.from)
				bound("<", e.to)
				return max(0, start-1), end + 1 + m, true
			}
		}
		if before != "from" {
			return 0, 0, false
		}
		bound(">=", s.from)
		switch noun := r.word(start - 2); {
		case r.is(end, "on", "onward", "onwards"):
			end++
		case lexicon.Among(r.Nouns, noun) || lexicon.Among(r.Own, noun):
			bound("<", s.to) // the orders from March
		}
	default:
		if s.from.Equal(s.to) {
			return 0, 0, false // how long a start is nobody says
		}
		bound(">=", s.from)
		bound("<", s.to)
	}
	if slices.Contains([]string{"after", "nach", "since", "seit", "before", "vor", "by", "ab"}, before) {
		start--
	}
	return max(0, start), end, true
}

// monthsAt lists the months of no year at i, of which the first is given, and returns how many words they are: "July or
// August", "from April to September".
func (r *reading) monthsAt(i, month int) (list string, words int) {
	months, last := []int{month}, i
	for k := i + 1; k+1 < len(r.tokens); k += 2 {
		next, _, n := 0, 0, 0
		if _, next, n = r.spanAt(k + 1); n != 1 || next == 0 {
			break
		}
		if r.is(k, "to", "until", "through", "till", "bis") && last == i {
			for m := month; m != next; {
				m = m%12 + 1
				months = append(months, m)
			}
			last = k + 1
			break
		}
		if !r.is(k, "or", "and", "oder", "und") && r.tokens[k].Text != "," {
			break
		}
		months = append(months, next)
		last = k + 1
	}
	var quoted []string
	for _, m := range months {
		quoted = append(quoted, fmt.Sprintf("'%02d'", m))
	}
	if last > i && r.is(i-1, "from", "between", "von", "zwischen") {
		r.used[i-1] = true
	}
	return strings.Join(quoted, ", "), last + 1 - i
}

// season finds a time of the year, or a quarter of no year, and takes it.
func (r *reading) season(i int) bool {
	if r.dialect != database.SQLite {
		return false
	}
	first, n := r.quarter(i)
	months := 3
	if n == 0 {
		if first, n = r.half(i); n > 0 {
			months = 6
		}
	}
	season := n == 0
	if season {
		at := slices.IndexFunc(seasons, func(names string) bool { return slices.Contains(strings.Fields(names), r.word(i)) })
		if at < 0 || r.near[i].f != nil || !r.is(i-1, "in", "the", "this", "last", "whole", "im", "during", "over", "den", "ganzen") {
			return false
		}
		first, n = 3*at+3, 1 // of meteorology
	} else if _, _, whole := r.spanAt(i); whole > 0 {
		return false
	}
	f := r.dayField(i)
	if f == nil {
		return false
	}
	dated := season && i+1 < len(r.tokens) && wording.IsYear(r.tokens[i+1])
	if dated && first == 12 {
		return false // of two years
	}
	var quoted []string
	for m := range months {
		quoted = append(quoted, fmt.Sprintf("'%02d'", (first+m-1)%12+1))
	}
	list := strings.Join(quoted, ", ")
	r.where = append(r.where, condition{SQL: "strftime('%m', " + f.SQL + ") IN (" + list + ")", Of: f, Day: true})
	if dated {
		r.where = append(r.where, condition{SQL: "strftime('%Y', " + f.SQL + ") = '" + r.tokens[i+1].Text + "'", Of: f, Day: true})
		n++
	}
	r.take(i, n)
	return true
}

// half returns the first month of the half of a year that the words at i name, and how many they are.
func (r *reading) half(i int) (month, n int) {
	switch {
	case r.is(i, "h1"):
		return 1, 1
	case r.is(i, "h2"):
		return 7, 1
	}
	next := i + 1
	if r.number(i) > 0 && next < len(r.tokens) && r.tokens[next].Text == "." {
		next++
	}
	if !r.is(next, "half", "halbjahr", "hälfte") {
		return 0, 0
	}
	switch {
	case r.is(i, "first", "ersten", "erstes", "erste"), r.number(i) == 1:
		month = 1
	case r.is(i, "second", "zweiten", "zweites", "zweite"), r.number(i) == 2:
		month = 7
	default:
		return 0, 0
	}
	return month, next + 1 - i
}

// quarter returns the first month of the quarter that the words at i name, and how many they are.
func (r *reading) quarter(i int) (month, n int) {
	w := r.word(i)
	if len(w) == 2 && w[0] == 'q' && w[1] >= '1' && w[1] <= '4' {
		return 3*int(w[1]-'1') + 1, 1
	}
	if !r.is(i+1, "quarter", "quartal") {
		return 0, 0
	}
	at := slices.IndexFunc([]string{"first ersten erstes", "second zweiten zweites", "third dritten drittes",
		"fourth vierten viertes last letzten letztes"},
		func(names string) bool { return slices.Contains(strings.Fields(names), w) })
	if at < 0 {
		return 0, 0
	}
	return 3*at + 1, 2
}

// seasons are the times of the year from spring on.
var seasons = []string{"spring frühling frühjahr", "summer sommer", "autumn fall herbst", "winter"}

// inName reports whether the month at i is that of a field, as "paid oct" is of October.
func (r *reading) inName(i int) bool {
	w := r.word(i)
	return monthNamed(w) && slices.ContainsFunc(r.Fields, func(f field) bool {
		if !slices.ContainsFunc(f.Words, func(p string) bool { return len(p) >= 3 && strings.HasPrefix(w, p) }) {
			return false
		}
		return len(f.Words) == 1 || slices.ContainsFunc(f.Words, func(p string) bool { // the rest of its name is spoken of, too
			return !monthNamed(p) && !relation.IsDigits(p) && slices.ContainsFunc(r.tokens, func(t wording.Token) bool {
				return t.Kind == wording.Word && (lexicon.Same(p, t.Low) || lexicon.Alike(p, t.Low) || lexicon.Rooted(p, t.Low) ||
					lexicon.Same(p, lexicon.BareOf(t.Low)))
			})
		})
	})
}

func monthNamed(w string) bool { return lexicon.MonthOf(w) > 0 }

// ofName reports whether the number at i is in the name of a field that is spoken of.
func (r *reading) ofName(i int) bool {
	if r.tokens[i].Kind == wording.Number && r.saysAny(lexicon.OpenWords) && slices.ContainsFunc(r.Fields, func(f field) bool {
		return slices.Contains(f.Words, r.tokens[i].Text) && slices.ContainsFunc(f.Words, func(p string) bool {
			return lexicon.Alike(p, "paid")
		})
	}) {
		return true
	}
	return r.tokens[i].Kind == wording.Number && slices.ContainsFunc(r.near, func(m mention) bool {
		return m.f != nil && m.worth >= byWord && slices.Contains(m.f.Words, r.tokens[i].Text)
	})
}

// weekday finds days of the week, and takes all of them.
func (r *reading) weekday(i int) bool {
	if r.dialect != database.SQLite || lexicon.WeekdaysOf(r.word(i)) == nil || r.near[i].f != nil && r.near[i].worth >= byPart {
		return false
	}
	f := r.dayField(i)
	if f == nil || r.negated(i) {
		return false
	}
	var list []string
	for k := i; k < len(r.tokens); k++ {
		days := lexicon.WeekdaysOf(r.word(k))
		if r.used[k] || days == nil {
			continue
		}
		for _, n := range days {
			if day := fmt.Sprintf("'%d'", n); !slices.Contains(list, day) {
				list = append(list, day)
			}
		}
		r.used[k] = true
		if link := k - 1; r.is(link, "on", "or", "and", "am", "oder", "und") {
			r.used[link] = true
		}
	}
	slices.Sort(list)
	r.where = append(r.where, condition{SQL: "strftime('%w', " + f.SQL + ") IN (" + strings.Join(list, ", ") + ")", Of: f, Day: true})
	r.score += byPart
	return true
}
