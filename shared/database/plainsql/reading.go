package plainsql

import (
	"slices"
	"strings"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
	"lectern/shared/database/plainsql/relation"
	"lectern/shared/database/plainsql/wording"
	"lectern/shared/text/terms"
)

// reading reads a question about a relation by its roles, wherever they stand: what is
// computed, of which fields, by which, of which rows. Every word has to have a role or to
// be one that changes nothing.
type reading struct {
	dialect database.Dialect
	tokens  []wording.Token
	*relation.Relation
	*worded
	twins   map[int][2]mention // by token: two fields that it speaks of alike
	as      string             // how it was read
	instead Reading            // another way to read it
	lenient bool               // words that only name what the rows are need no other role
	used    []bool
	near    []mention // by token: the field that it speaks of

	where    []condition
	agg      aggregate
	distinct bool
	share    bool
	ofRate   string // the condition that a rate is of: "cancellation rate"
	median   bool
	way      int // 1 for the most, -1 for the least
	top      int
	quality  *lexicon.Quality // of which the most is asked
	how      *lexicon.Quality // of which a value is
	measures []*field
	glue     string // between two measures: " * " or " - "
	by       *field
	bySpan   string // format of a month, a quarter or a year that is grouped by
	spanOf   *field
	entity   *field // of which one is asked for
	shown    []*field
	rowNoun  bool
	listing  bool
	who      bool
	amount   bool // "how much"
	often    bool // "most often"
	without  bool // rows that have none of something
	when     bool
	which    bool     // it asks for a month, or another span of time
	place    bool     // where something was
	never    bool     // it asks for what has no rows of a kind
	lacks    bool     // it asks for rows that none of another table belong to
	implied  bool     // what is measured follows from an adjective
	barred   string   // what no statement of this grammar says
	unclear  bool     // what is measured is not said
	spread   bool     // over the values of something
	per      *field   // by whose amount a measure is divided
	apartBy  bool     // the difference is asked for, whichever is more
	highest  bool     // the highest is asked for, not the most
	temporal bool     // the first or the last is asked for
	nth      int      // 2 for the second highest
	gap      []*field // what is compared, of which the difference may be asked
	group    *group   // how many rows what is asked for has
	contrast *contrast
	also     *field           // by which the same may be measured
	spanned  bool             // how far the most and the least are apart
	ofMonths []int            // that are spoken of in names of fields
	likened  *lexicon.Quality // by which two parts are compared
	alone    bool             // "only": those that have nothing else
	order    *field           // by which a list is sorted
	lived    *field           // how old somebody is, by the day of birth
	decided  bool             // the answer is yes where there are rows
	score    int
}

const maxTokens = 40 // of a question

// Unread returns the words of a question that have no role in any statement about the
// tables that have a role for most of them; none if each has one, and they do not fit
// together.
func Unread(d database.Dialect, s *database.Schema, question string) []string {
	_, list := read(d, s, lexicon.Plain(question))
	return list
}

// worded is a question, read as far as it can be without a relation: by word, its stem, other forms
// and concepts.
type worded struct {
	stems  []string
	forms  [][]string // French wines are from France
	means  [][]int
	german bool
}

func wordedOf(tokens []wording.Token) *worded {
	a := &worded{stems: make([]string, len(tokens)), forms: make([][]string, len(tokens)), means: make([][]int, len(tokens))}
	a.german = slices.ContainsFunc(tokens, func(t wording.Token) bool { return lexicon.GermanAsks[t.Low] })
	for i, t := range tokens {
		a.stems[i] = lexicon.Stem(t.Low)
		if t.Kind == wording.Word {
			a.forms[i] = terms.Forms("en", t.Low)
			if t.Low == "tage" || t.Low == "tagen" {
				a.stems[i] = "tag"
			}
			a.means[i] = append(slices.Clone(lexicon.ConceptsOf(t.Low)), lexicon.ConceptsOf(a.stems[i])...)
		}
	}
	return a
}

// read returns the statements of the relation that the question fits best; unread are the words without a role in the
// relation that leaves fewest.
func read(d database.Dialect, s *database.Schema, question string) (list []Reading, unread []string) {
	tokens := wording.Tokens(question, s)
	if len(tokens) == 0 || len(tokens) > maxTokens {
		return nil, nil
	}
	relations := relation.All(d, s)
	relations, tokens = relation.OfRota(relations, tokens)
	q := &questioned{d, relations, wordedOf(tokens), tokens, nil}
	if lexicon.SpansMonths(question) && slices.ContainsFunc(q.relations, func(r relation.Relation) bool { return r.Wide }) {
		q.relations = slices.DeleteFunc(q.relations, func(r relation.Relation) bool { return !r.Wide }) // of a column for each month
	}
	q.nouned()
	q.compounded()
	q.asked = make([]*reading, len(q.relations))
	if list, unread = q.by(false); len(list) == 0 && len(unread) > 0 {
		if lenient, again := q.by(true); len(lenient) > 0 {
			list, unread = lenient, again
		}
	}
	if len(list) == 1 {
		list[0].As = ""
	}
	return list, unread
}

// questioned is a question that relations are asked.
type questioned struct {
	dialect   database.Dialect
	relations []relation.Relation
	worded    *worded
	tokens    []wording.Token
	asked     []*reading // by relation: what its words speak of
}

// by reads the question strictly, or leniently: then words that only name what the rows are have no other role. Of two
// relations that it fits alike both readings are told.
func (q *questioned) by(lenient bool) (list []Reading, unread []string) {
	best, fewest, joined, tied := 0, -1, false, false
	for i := range q.relations {
		if (q.relations[i].Joined || q.relations[i].Wide) && len(list) > 0 && !joined {
			break // one table is enough
		}
		found, score, rest := q.of(i, lenient)
		if fewest < 0 || len(rest) < fewest {
			fewest, unread = len(rest), rest
		}
		same := func(one Reading) bool { return len(found) > 0 && one.SQL == found[0].SQL }
		switch {
		case len(found) == 0 || len(list) > 0 && score < best || slices.ContainsFunc(list, same):
		case score == best && len(list) > 0:
			list, tied = append(list, found...), true
		default:
			tied = false
			list, best, joined = found, score, q.relations[i].Joined
		}
	}
	plain := func(one Reading) bool {
		return strings.HasPrefix(one.SQL, "SELECT COUNT(*)") && !strings.Contains(one.SQL, " WHERE ")
	}
	if len(list) > mostReadings || tied && (best < byHead || slices.ContainsFunc(list, plain)) {
		return nil, nil // of what rows a number is asked for is open
	}
	return list, unread
}

// of reads the question of one relation; where a word speaks of two fields alike, as both.
func (q *questioned) of(i int, lenient bool) (list []Reading, score int, rest []string) {
	r := q.reading(i, lenient)
	ok := r.read() && !r.contradicts() && !r.pointless()
	rest = r.rest()
	if ok {
		if sql, ok := r.write(); ok {
			if r.as == "" {
				r.as = "a question about " + r.Name
			}
			list = append(list, Reading{r.With + sql, r.as, r.decided})
			if r.instead.SQL != "" {
				r.instead.SQL = r.With + r.instead.SQL
				list = append(list, r.instead)
			}
			return list, r.score, rest
		}
	}
	if len(r.twins) != 1 {
		return nil, 0, rest
	}
	for at, pair := range r.twins {
		if sql, n, ok := q.both(i, lenient, at, pair); ok {
			return []Reading{{SQL: sql}}, n, rest
		}
		for _, m := range pair {
			r := q.reading(i, lenient)
			r.near[at] = m
			if !r.read() {
				continue
			}
			if sql, ok := r.write(); ok && r.instead.SQL == "" {
				list, score = append(list, Reading{r.With + sql, "the column " + m.f.Name, r.decided}), max(score, r.score-byHead)
			}
		}
	}
	return list, score, rest
}

// reading begins to read the question of a relation.
func (q *questioned) reading(i int, lenient bool) *reading {
	r := &reading{dialect: q.dialect, tokens: slices.Clone(q.tokens), Relation: &q.relations[i], worded: q.worded,
		used: make([]bool, len(q.tokens)), near: make([]mention, len(q.tokens)), lenient: lenient, twins: map[int][2]mention{}}
	if r.Memo == nil {
		r.Memo = &relation.Memo{Label: r.Relation.Title(), People: r.Relation.People()}
	}
	if len(r.Fields) == 0 {
		return r
	}
	if r.titled() {
		r.score = byAll
	}
	first := q.asked[i]
	if first == nil {
		for k := range r.tokens {
			r.near[k] = r.mentioned(k)
		}
		r.timed()
		r.amounts()
		q.asked[i] = &reading{near: slices.Clone(r.near), twins: r.twins}
		return r
	}
	copy(r.near, first.near)
	r.twins = first.twins
	return r
}

func (r *reading) read() bool {
	if len(r.Fields) == 0 {
		return false
	}
	for i := range r.tokens {
		if r.forbids(i) {
			r.barred = r.tokens[i].Text // this alone was not understood
			if next := r.word(i + 1); lexicon.FromNow[r.tokens[i].Low] && spans[next] {
				r.barred += " " + next
			}
			return false
		}
	}
	for i, t := range r.tokens {
		r.used[i] = t.Kind == wording.Mark && !strings.Contains("*×<>+", t.Text)
	}
	r.years()
	r.extent()
	r.absent()
	r.vacant()
	if r.gap == nil {
		r.contrasts()
	}
	r.sorts()
	r.elapsed()
	r.fromTo()
	if !r.values() || !r.product() || !r.days() || !r.limits() || r.lacks && r.dated() {
		return false
	}
	r.either()
	r.answered()
	r.truths()
	r.damaged()
	r.present()
	r.away()
	r.overdue()
	r.undone()
	r.upcoming()
	r.sets()
	r.nets()
	r.missing()
	r.functions()
	r.having()
	r.groups()
	r.names()
	r.rates()
	r.partly()
	r.heads()
	if r.lenient {
		r.topics()
	}
	return len(r.rest()) == 0
}

// forbids reports whether the word at i asks for what no statement of this grammar says.
func (r *reading) forbids(i int) bool {
	t := r.tokens[i]
	if t.Kind == wording.Mark {
		return strings.Contains(";|=\\", t.Text)
	}
	if r.is(i, "only", "nur", "ausschließlich") {
		r.alone = true
		return r.number(i+1) > 0 || r.is(i+1, "once", "twice", "one", "einmal", "zweimal", "ein", "eine", "einen") ||
			lexicon.NumberOf(r.word(i+1)) > 0
	}
	if r.is(i, "went", "gone", "go", "goes") && r.is(i+1, "up", "down") || r.rateless(i) {
		return true // in time
	}
	if t.Kind == wording.Word && lexicon.FromNow[t.Low] {
		next := i + 1
		if r.number(next) > 0 || lexicon.NumberOf(r.word(next)) > 0 || r.is(next, "few", "couple", "paar") {
			next++
		}
		ofYear := next+1 < len(r.tokens) && (wording.IsYear(r.tokens[next+1]) || next+2 < len(r.tokens) &&
			wording.IsYear(r.tokens[next+2])) // "the last quarter of 2025"
		if spans[r.word(next)] && !(r.is(next, "quarter", "quartal") && ofYear) {
			return true
		}
	}
	if r.is(i, "schlechter", "worse", "besser", "better") && r.is(i-1, "or", "oder") {
		return false // than a mark
	}
	return t.Kind == wording.Word && (lexicon.Forbidden[t.Low] && r.rated(i) == 0 && r.bestSpan(i) == 0 || lexicon.Changing[t.Low] &&
		!r.is(i+1, "below", "under", "short"))
}

var ratings = map[string]int{"better": 1, "besser": 1, "bessere": 1, "worse": -1, "schlechter": -1, "best": 1, "beste": 1,
	"besten": 1, "worst": -1, "schlechteste": -1, "schlechtesten": -1}

// spans are spans of time.
var spans = lexicon.Set(`day days week weeks month months quarter quarters year years season weekend tag tage tagen woche wochen monat monate monaten monats
	quartal jahr jahre jahren jahres`)

// rest are the words that have no role.
func (r *reading) rest() []string {
	if r.barred != "" {
		return []string{r.barred}
	}
	var list []string
	for i, t := range r.tokens {
		if !r.used[i] && (t.Kind != wording.Word || !(lexicon.Neutral[t.Low] && !r.states(i) && !r.elsewhere(i)) && !r.idle(i)) {
			list = append(list, t.Text)
		}
	}
	return list
}

// states reports whether a word that often says nothing more says here of which rows something is asked.
func (r *reading) states(i int) bool {
	rows := (r.agg == count || r.listing || r.who) && r.at(0, "how often")+r.at(0, "wie oft") == 0
	return r.is(i, "paid", "bezahlt", "left") && !(r.is(i, "left") && r.stock() != nil) && rows && len(r.measures) == 0 && !r.amount &&
		r.way == 0
}

// elsewhere reports whether a word that often says nothing more tells here of another table: what was rented, of the
// vehicles of a table of rentals; or what rows are grouped by.
func (r *reading) elsewhere(i int) bool {
	w := r.word(i)
	if r.Joined || r.lacks || r.never || len(w) < lexicon.LeastPart || w == "make" && !lexicon.Grouping[r.word(i-1)] {
		return false
	}
	if r.is(i-1, "by", "per", "je", "nach") && !lexicon.MeasureWords[w] && r.spanWord(w) == "" {
		return true
	}
	about := func(n string) bool { return len(n) > lexicon.LeastPart && lexicon.Rooted(n, w) }
	sort := func(v string) bool {
		return len(v) > lexicon.LeastPart && (lexicon.Same(v, w) || lexicon.Happens(v, w))
	}
	return slices.ContainsFunc(r.Foreign, about) && !slices.ContainsFunc(r.Nouns, about) ||
		slices.ContainsFunc(r.Strange, sort) && !slices.ContainsFunc(r.Nouns, about) && !slices.ContainsFunc(r.Fields, func(f field) bool {
			return slices.ContainsFunc(f.Words, func(p string) bool {
				return sort(p) || about(p) || lexicon.Alike(p, w) &&
					!(f.Numeric() && slices.Contains(r.Strange, w))
			})
		})
}

// idle reports whether a word says nothing more: a unit of what is measured, a number of
// things that are told apart.
func (r *reading) idle(i int) bool {
	w := r.word(i)
	if lexicon.Changing[w] && r.is(i+1, "below", "under", "short") || (lexicon.Vague[w] || r.actedOn(i)) && r.near[i].f == nil {
		return true
	}
	if r.toldBy(i) || r.unitNoun(i) || r.roomFor(i) || r.apart(i) {
		return true
	}
	if len(r.measures) > 0 && r.is(i, "monthly", "annual", "yearly", "monatlich", "monatliche") {
		return true
	}
	if i == 0 && (strings.HasPrefix(r.word(1), "welche") || r.is(1, "which", "what")) && (lexicon.Leading[w] || lexicon.Linking[w]) {
		return true // "über welche Quelle"
	}
	if r.is(i, "but", "aber") && len(r.where) > 0 && (lexicon.Negating[r.word(i+1)] || lexicon.Negating[r.word(i+2)]) {
		return true // "paid but did not attend"
	}
	if next := i + 1; r.agg == average && lexicon.ThingNouns[w] && next < len(r.tokens) && r.used[next] && len(r.measures) == 1 &&
		r.near[next].f == r.measures[0] && !lexicon.Among(r.Foreign, w) {
		return true // "the average order value"
	}
	if r.is(i, "lose", "loses", "lost", "miss", "misses", "missed", "verloren", "verpasst") && (len(r.measures) == 1 &&
		r.lasts(r.measures[0]) ||
		slices.ContainsFunc(r.where, func(c condition) bool { return c.Of != nil && c.Of.Numeric() && r.lasts(c.Of) })) {
		return true // days, by what is asked for beside it
	}
	if r.is(i, "year", "jahr") && r.is(i-1, "whole", "entire", "ganze", "ganzen") || r.is(i, "ganze", "ganzen") && r.is(i+1, "jahr") {
		return true
	}
	if r.is(i, "over", "über", "across") && r.is(i+1, "the", "all", "das", "die") &&
		(r.is(i+2, "whole", "entire", "ganze", "gesamte") || lexicon.OurPlaces[r.word(i+2)]) {
		return true
	}
	if lexicon.MoneyWords[w] && len(r.measures) == 1 && r.measures[0].Additive() && r.Paying(r.measures[0]) {
		return true
	}
	if r.gap != nil && r.is(i, "by", "amount", "margin", "difference", "um", "betrag") {
		return true
	}
	for _, k := range []int{i - 1, i + 1} { // "their due date", "the price level"
		if k < 0 || k >= len(r.tokens) || !r.used[k] || r.near[k].f == nil {
			continue
		}
		if f := r.near[k].f; slices.Contains(f.Units, w) || f.Moment() && lexicon.Alike(w, "date") || f.Numeric() && lexicon.Generic[w] {
			return true
		}
	}
	if r.is(i, "method", "methods", "option", "options", "mode", "methode") && i > 0 && r.used[i-1] && r.near[i-1].f != nil &&
		r.near[i-1].f.Text() {
		return true // the delivery method
	}
	if r.is(i, "due", "fällig", "expire", "expires", "run", "ablaufen") && r.dated() {
		return true
	}
	if r.is(i, "week", "woche") && (r.is(i-2, "of") || r.is(i-1, "der")) {
		return true
	}
	if r.is(i, "nach", "by") && i+1 < len(r.tokens) && r.near[i+1].f != nil && r.near[i+1].f.Moment() && r.used[i+1] && r.dated() {
		return true // after which day the rows are counted
	}
	if r.is(i, "oder", "or") && r.is(i-1, "der", "die") && r.is(i+1, "die", "der", "das") {
		return true
	}
	if i > 0 && r.used[i-1] && r.near[i-1].f == nil && slices.ContainsFunc(r.where, func(c condition) bool {
		return c.Of != nil && c.Of.Text() && lexicon.Among(c.Of.Words, w)
	}) {
		return true // "bifocal lenses", of a lens type
	}
	if lexicon.Particles[w] && !r.standsOut(i) && (i == len(r.tokens)-1 || r.tokens[i+1].Kind == wording.Mark) {
		return true
	}
	if r.joins(i) {
		return true
	}
	if named := func(f field) bool { return len(f.Words) > 0 && strings.Contains(f.Words[0], w) }; lexicon.MeasureWords[w] &&
		r.countedFirst(i) &&
		len(r.measures) == 1 && len(r.measures[0].Units) == 0 && !r.Paying(r.measures[0]) && slices.ContainsFunc(r.Fields, named) {
		return true // the days that were taken
	}
	if lexicon.MeasureWords[w] && r.is(i-1, "in") && (len(r.measures) > 0 || r.share || r.gap != nil) {
		return true
	}
	if lexicon.MeasureWords[w] {
		return slices.ContainsFunc(r.measures, func(f *field) bool {
			return f.Has([]string{w, lexicon.Stem(w), lexicon.Short(w)}) || f.IsPer(w)
		})
	}
	if lexicon.NumberOf(w) > 0 && !(r.way != 0 && r.top == 0) && i+1 < len(r.tokens) {
		next := r.word(i + 1)
		return r.near[i+1].f != nil && r.near[i+1].f.Text() || lexicon.Among(r.Nouns, next)
	}
	return false
}

// apart reports whether the word at i only says of what each value is, or of what the number is: "under 100 a night", "won the most
// games".
func (r *reading) apart(i int) bool {
	if r.is(i-1, "a", "an", "per", "each", "pro", "die", "im", "am") && slices.ContainsFunc(r.where, func(c condition) bool {
		return c.Of != nil && lexicon.Among(c.Of.Per, lexicon.Stem(r.word(i)))
	}) {
		return true
	}
	if i > 0 && r.near[i-1].f != nil && r.near[i-1].f.Numeric() && slices.Contains(r.measures, r.near[i-1].f) &&
		r.is(i, "charged", "billed", "invoiced", "logged", "clocked", "awarded", "berechnet") {
		return true // the labour charged
	}
	if consuming[r.word(i)] && len(r.measures) == 1 && r.measures[0].Numeric() && !r.Paying(r.measures[0]) {
		return true
	}
	return r.is(i, "game", "games", "match", "matches", "spiel", "spiele", "spielen") && len(r.measures) == 1 &&
		r.measures[0].Has(strings.Fields("won lost drawn tied played gewonnen verloren"))
}

// consuming say that it is asked how much of something was used, not what it cost.
var consuming = lexicon.Set("used use uses consume consumed consumes gebraucht brauchen braucht brauchten verbraucht verbrauchen verbrauchten")

// dated reports whether a time is asked for.
func (r *reading) dated() bool {
	return slices.ContainsFunc(r.where, func(c condition) bool { return c.Day })
}

// joins reports whether the word at i is a verb that only joins what is asked for with what is
// measured: "which driver covered the longest distance", "how much wheat did we harvest".
func (r *reading) joins(i int) bool {
	t := r.tokens[i]
	if t.Text != t.Low || lexicon.Negating[t.Low] || len(t.Low) < 3 || i == 0 {
		return false
	}
	m := r.near[i-1]
	if lexicon.Telling[t.Low] && len(r.measures) == 0 {
		return false
	}
	if r.way != 0 && r.entity != nil && r.used[i-1] && m.f == r.entity && i+1 < len(r.tokens) {
		return len(r.measures) > 0 || r.rowNoun || len(r.where) > 0
	}
	last := i == len(r.tokens)-1 || r.tokens[i+1].Kind == wording.Mark
	if r.way != 0 && r.entity != nil && last && r.near[i].f == nil && strings.HasPrefix(t.Low, "ge") && (len(r.measures) > 0 || r.rowNoun ||
		r.place) {
		return true // "hat die meisten Einsätze geleitet"
	}
	if len(r.measures) == 0 {
		return false
	}
	did := slices.IndexFunc(r.tokens, func(t wording.Token) bool { return t.Is("did", "does", "do") })
	subject := r.is(i-1, "we", "they", "you", "he", "she", "it", "i") || r.used[i-1] && m.f == nil // a pronoun, or a value
	return did >= 0 && did < i && !r.rowNoun && (i == did+2 && subject || last && !r.is(i-1, "with", "of", "for", "in", "from", "by", "at",
		"the", "a", "mit", "von"))
}

func (r *reading) take(i, n int) {
	for k := range n {
		r.used[i+k] = true
	}
}

// says reports whether the question has one of these words.
func (r *reading) says(words ...string) bool {
	return slices.ContainsFunc(r.tokens, func(t wording.Token) bool { return t.Kind == wording.Word && slices.Contains(words, t.Low) })
}

// saysAny reports whether the question has a word of a set.
func (r *reading) saysAny(words map[string]bool) bool {
	return slices.ContainsFunc(r.tokens, func(t wording.Token) bool { return t.Kind == wording.Word && words[t.Low] })
}

// is reports whether the word at i is one of those.
func (r *reading) is(i int, words ...string) bool {
	w := r.word(i)
	return w != "" && slices.Contains(words, w)
}

func (r *reading) word(i int) string {
	if i < 0 || i >= len(r.tokens) || r.tokens[i].Kind != wording.Word {
		return ""
	}
	return r.tokens[i].Low
}

// summing ask for amounts rather than for days.
var summing = lexicon.Set("sum total totals average mean avg altogether summe gesamt insgesamt durchschnitt durchschnittliche durchschnittlicher durchschnittlich")

// amounts turns what speaks of a day in part into the one amount of the same, where a sum or an average of it is asked for:
// the pledges of "Pledge date" are those of "Pledged USD".
func (r *reading) amounts() {
	if !r.saysAny(summing) {
		return
	}
	for i, m := range r.near {
		if m.f == nil || !m.f.Moment() || m.worth >= byAll {
			continue
		}
		same := func(p string) bool { return lexicon.Same(p, r.stems[i]) || lexicon.SameVerb(p, r.stems[i]) }
		if of := r.Only(func(o *field) bool { return o.Additive() && slices.ContainsFunc(o.Words, same) }); of != nil {
			r.near[i] = mention{of, m.words, byAll}
		}
	}
}

// What readings are about, by the names that they have throughout this package.
type (
	field     = relation.Field
	condition = relation.Condition
	link      = relation.Link
)
