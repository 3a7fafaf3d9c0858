package extractive

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"lectern/shared/chat/model/extractive/amount"
	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/chat/model/extractive/line"
	"lectern/shared/chat/model/extractive/origin"
	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/chat/model/extractive/wording"
	"lectern/shared/message/passage"
	"lectern/shared/text/sentence"
	"lectern/shared/text/terms"
)

// negations are words that turn a condition round.
var negations = wordSet(`not no non without except excepting excluding besides than never isnt arent wasnt werent doesnt dont didnt hasnt havent hadnt cant
	couldnt wont wouldnt shouldnt mustnt neednt cannot
	nicht kein keine keinen keiner ohne außer pas sans sauf sin excepto`)

// rounding are words that ask nothing of a row.
var rounding = wordSet(`moment total altogether overall listed table sheet file document spreadsheet record records entry entries
	contain contains contained include includes enthalt enthalten row rows now insgesamt momentan pound pounds euro euros dollar dollars eur gbp usd`)

// negates reports whether a word turns a condition round.
func negates(w terms.Word) bool { return negations[w.Text] }

// condition is what a row has to fulfil.
type condition func(row *candidate, values []string) bool

// conditions returns what a question asks of the rows of a table, but for the words that skip
// tells; understood is false where it asks for what cannot be told. loose is how many of its
// words neither the rows nor what is about the table have.
func (g *grid) conditions(q question, skip func(k int) bool) (list []condition, loose int, understood bool) {
	text := q.text
	if m := sheet.Bounds.Get().FindStringSubmatchIndex(text); m != nil {
		before := terms.Words(text[:m[0]])
		if matchesForm(sheet.GoesOn, text[m[1]:]) || len(before) > 0 && negates(before[len(before)-1]) {
			return nil, 0, false
		}
		c := g.bound(q, strings.ToLower(text[m[2]:m[3]]), text[m[4]:m[5]])
		if c == nil {
			return nil, 0, false
		}
		list, text = append(list, c), text[:m[0]]+strings.Repeat(" ", m[1]-m[0])+text[m[1]:]
	}
	if matchesForm(sheet.Unclear, text) {
		return nil, 0, false
	}
	if at := sheet.Stock.Get().FindStringIndex(text); at != nil {
		switch c := g.stocked(text[at[0]:at[1]]); {
		case c != nil:
			list, text = append(list, c), text[:at[0]]+strings.Repeat(" ", at[1]-at[0])+text[at[1]:]
		case !g.holds(text[at[0]:at[1]]):
			return nil, 0, false
		}
	}
	if m := cell.MonthIn(text); m.Text != "" {
		if c := g.inMonth(q, m); c != nil {
			list, text = append(list, c), strings.Replace(text, m.Text, strings.Repeat(" ", len(m.Text)), 1)
		}
	}
	negated := false
	var without []string // what is negated: words of one cell
	words := terms.Words(text)
	for i, w := range words {
		if negates(w) {
			negated = true
		}
		k := q.index(w.Text)
		if k < 0 || w.Part || frames[w.Text] || negates(w) || rounding[w.Text] || skip(k) {
			continue
		}
		c, known := g.asksOf(q, words, i, k)
		stem := q.stems[k]
		switch {
		case !known:
			loose++
		case c == nil:
		case !negated:
			list = append(list, c)
		case len(without) == 0, slices.ContainsFunc(g.values, func(v []string) bool { return inOneCell(v, append(without, stem), q) }):
			without = append(without, stem)
			before := c
			if len(without) > 1 {
				list = list[:len(list)-1]
				all := slices.Clone(without)
				before = func(_ *candidate, values []string) bool { return inOneCell(values, all, q) }
			}
			list = append(list, func(row *candidate, values []string) bool { return !before(row, values) })
		default:
			return nil, 0, false // it may be the one or the other that is negated
		}
	}
	return list, loose, true
}

// stocked returns the condition that something is there or not, by the number in the one
// column that tells it; nil without one.
func (g *grid) stocked(asked string) condition {
	column := -1
	for j, name := range g.names {
		if !matchesForm(sheet.Stocked, strings.ReplaceAll(name, "_", " ")) || slices.ContainsFunc(g.values, func(v []string) bool {
			_, ok := cell.Number(v[j])
			return !ok && cell.Filled(v[j])
		}) {
			continue
		}
		if column >= 0 {
			return nil
		}
		column = j
	}
	if column < 0 {
		return nil
	}
	gone := matchesForm(sheet.Gone, asked)
	return func(_ *candidate, values []string) bool {
		n, ok := cell.Number(values[column])
		return ok && (n <= 0) == gone
	}
}

// holds reports whether a cell says what is asked in these words.
func (g *grid) holds(asked string) bool {
	return slices.ContainsFunc(g.values, func(v []string) bool {
		return slices.ContainsFunc(v, func(cell string) bool { return strings.Contains(strings.ToLower(cell), strings.ToLower(asked)) })
	})
}

// inMonth returns the condition that a row has a day of a month in the column of days that the
// question names, or in its only one; nil where it cannot be told which.
func (g *grid) inMonth(q question, m cell.Month) condition {
	column, _ := g.onlyColumn(q, dates, nil)
	if column < 0 {
		return nil
	}
	return func(_ *candidate, values []string) bool {
		return slices.ContainsFunc(cell.Days(values[column]), m.Has)
	}
}

// inOneCell reports whether one of a row's values has all words.
func inOneCell(values, stems []string, q question) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		return !slices.ContainsFunc(stems, func(stem string) bool { return wordsAre(v, stem, q) == 0 })
	})
}

// asksOf returns what a word of the question asks of a row: a yes in the column that it names,
// a number in the one that another word does, or the word in any; nil where it asks nothing. known
// is false for what neither the rows nor what is about the table have.
func (g *grid) asksOf(q question, words []terms.Word, at, k int) (asks condition, known bool) {
	if j := g.yesNo(q, k); j >= 0 {
		return func(_ *candidate, values []string) bool {
			yes, _ := cell.Affirmed(values[j])
			return yes
		}, true
	}
	if g.about[k] >= present || g.scopes(q, words, at) || g.meansColumn(q, k) {
		return nil, true
	}
	if limit, ok := cell.Number(words[at].Text); ok {
		if column, named := g.onlyColumn(q, g.numbers, nil); column >= 0 && named {
			return func(_ *candidate, values []string) bool {
				n, ok := cell.Number(values[column])
				return ok && n == limit
			}, true
		}
	}
	stem := q.stems[k]
	has := func(row *candidate, _ []string) bool { return slices.Contains(row.stems, stem) }
	if slices.ContainsFunc(g.rows, func(row *candidate) bool { return has(row, nil) }) {
		return has, true
	}
	return nil, false
}

// meansColumn reports whether a word means nearly what a column is called: what costs has a price.
func (g *grid) meansColumn(q question, word int) bool {
	names := strings.Join(g.names, " ")
	return slices.ContainsFunc(q.alike, func(o other) bool { return o.of == word && wordsAre(names, o.stem, q) > 0 })
}

// scopes reports whether a word belongs to the next one, which stands above the table, and is
// in no cell alone: in "the cheapest rope of the climbing shop" it is the shop's.
func (g *grid) scopes(q question, words []terms.Word, at int) bool {
	if at+1 >= len(words) {
		return false
	}
	next := q.index(words[at+1].Text)
	if next < 0 || g.about[next] < present || wordsIn(strings.Join(g.names, " "), q)[next] > 0 {
		return false
	}
	return !slices.ContainsFunc(g.values, func(values []string) bool {
		return slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(v, words[at].Text) })
	})
}

// yesNo returns the column of yes and no that a word names; -1 without one.
func (g *grid) yesNo(q question, word int) int {
	for j, name := range g.names {
		if wordsIn(name, q)[word] == 0 {
			continue
		}
		said := false
		other := slices.ContainsFunc(g.values, func(v []string) bool {
			yes, ok := cell.Affirmed(v[j])
			said = said || yes
			return !ok
		})
		if said && !other {
			return j
		}
	}
	return -1
}

// bound returns the condition that a column is above or below a number, or after or before a
// year; nil where it cannot be told which.
func (g *grid) bound(q question, how, number string) condition {
	bound, ok := cell.BoundOf(how, number)
	if !ok {
		return nil
	}
	column, _ := g.onlyColumn(q, func(int) func(string) (float64, bool) { return bound.Read }, nil)
	if column < 0 {
		return nil
	}
	return func(_ *candidate, values []string) bool { return bound.Meets(values[column]) }
}

// onlyColumn returns the column of values of a kind that the question names most of, and that it
// names it; the only one where it names none; -1 where it may be several, or one that cannot be
// read.
func (g *grid) onlyColumn(q question, reads func(j int) func(string) (float64, bool), weights []float64) (column int, named bool) {
	column, best, many := -1, 0.0, 0
	unread := 0.0 // of the question, in the name of a column of numbers that cannot be read
	for j, name := range g.names {
		share := g.nameShare(name, q, weights)
		var values []string
		read, readable, digits := reads(j), true, false
		for _, v := range g.values {
			_, ok := read(v[j])
			readable = readable && (ok || !cell.Filled(v[j]))
			digits = digits || strings.ContainsAny(v[j], "0123456789")
			if cell.Filled(v[j]) {
				values = append(values, v[j])
			}
		}
		_, isDay := cell.Date(strings.Join(values[:min(1, len(values))], ""))
		switch {
		case len(values) == 0:
		case !readable, !isDay && !cell.Comparable(values) && g.dimension(j) == "":
			if digits {
				unread = max(unread, share)
			}
		default:
			many++
			if share+.01 > best {
				column, best = j, share+.01
			}
		}
	}
	if named = best >= .1; unread >= .1 && unread >= best || !named && many > 1 {
		return -1, false
	}
	return column, named
}

// nameShare returns how much of the question the name of a column has.
func (g *grid) nameShare(name string, q question, weights []float64) (share float64) {
	for k, hit := range wordsIn(name, q) {
		if weights != nil {
			hit *= weights[k]
		}
		share += hit
	}
	for _, o := range q.alike {
		if weights == nil || weights[o.of] > 0 {
			share += .5 * wordsAre(name, o.stem, q)
		}
	}
	return share
}

// ranged returns how much of a question's word counts where a row tells of a range within which the number lies that it is.
func (c *candidate) ranged(word string) float64 {
	if c.ranges == nil {
		c.ranges = amount.Ranged(c.names + c.text)
	}
	return c.ranges.Has(word)
}

// contrary reports whether a sentence has the contrary of a word of the question, which that has not itself.
func (c *candidate) contrary(q question, k int) bool {
	other, ok := wording.Contrary(q.words[k])
	return ok && slices.Contains(c.stems, q.stem(other)) && q.index(other) < 0
}

// Identifiers, years and numbered things of a question, by which one thing is told from
// others of its kind.
var (
	identifier  = form(`(?i)\b[a-z]{1,6}-?\d\w*(?:[-/]\w*\d\w*)+\b|\b[a-z]{1,6}-\d[\w-]*|\b\d{4}/\d{2,4}\b|\b\d{4}-\d{3,}\b`)
	fullYear    = form(`\b(?:1[5-9]|20)\d\d\b`)
	numberedOne = form(`(?i)\b([a-z]{3,})\s+#?(\d{1,4})(?:\s|\?|$|['’,])`)
)

// otherThings notes sentences that are about another thing than the question: their
// document has not the identifier that it names, or another year, or, a row, not its number.
func otherThings(list []*candidate, passages []passage.Passage, q question) {
	rivals(list, passages, q)
	withoutReasons(list, q)
	asked := ends(q.text, askedBytes)
	if !strings.ContainsAny(asked, "0123456789") {
		return
	}
	if days := cell.Days(asked); len(days) == 1 {
		for _, c := range list {
			if c.row || c.record {
				given := cell.Days(c.text)
				if c.other = len(given) > 0 && !slices.ContainsFunc(given, days[0].Is); c.other {
					c.score, c.worth = c.score*otherNumber, c.worth*otherNumber
				}
			}
		}
	}
	if m := cell.MonthIn(asked); m.Year > 0 {
		for _, c := range list {
			if days := cell.Days(c.text); (c.row || c.record) && len(days) > 0 && !slices.ContainsFunc(days, m.Has) {
				c.other, c.score, c.worth = true, c.score*otherNumber, c.worth*otherNumber
			}
		}
	}
	named, years := identifier.Get().FindAllString(asked, -1), fullYear.Get().FindAllString(asked, -1)
	numbered := numberedOne.Get().FindAllStringSubmatch(asked, -1)
	numbered = slices.DeleteFunc(numbered, func(m []string) bool {
		m[1] = strings.ToLower(m[1])
		year := m[1] == "year" && len(m[2]) < 3 // of a school
		return terms.Stop("", m[1]) || terms.Stop("de", m[1]) || isDateWord(m[1]) && !year
	})
	if len(named)+len(years)+len(numbered) == 0 {
		return
	}
	texts, lacks := origin.Texts(passages), map[string]bool{} // of a document: what is at hand of it, whether that lacks a name
	for in, text := range texts {
		without := func(name string) bool { return !strings.Contains(text, strings.ToLower(name)) }
		absent := len(slices.DeleteFunc(slices.Clone(years), func(year string) bool { return !without(year) }))
		lacks[in] = slices.ContainsFunc(named, without) || 2*absent > len(years) && matchesForm(fullYear, text)
	}
	of := func(c *candidate, m []string) bool { // the number is that of its document: "Vento 9"
		k := q.index(m[2])
		return k >= 0 && c.scope != nil && c.scope[k] || strings.Contains(strings.ToLower(c.names), m[1]+" "+m[2])
	}
	for _, c := range list {
		decides := matchesForm(deciding, q.text) && wording.Exclusive.In(c.text) // that it is for others
		c.other = c.other || !c.row && !decides && slices.ContainsFunc(numbered, func(m []string) bool {
			return !of(c, m) && line.OtherNumber(c.parsed, m[1], m[2])
		})
		c.other = c.other || !c.given && lacks[origin.Document(passages[c.passage])] ||
			c.row && slices.ContainsFunc(numbered, func(m []string) bool {
				return !of(c, m) && !cell.Numbered(c.names, c.text, m[1], m[2]) && c.ranged(m[2]) == 0
			})
	}
}

// rivals notes sentences of another thing of the kind than the question names, by their document or a code, unless they name that.
func rivals(list []*candidate, passages []passage.Passage, q question) {
	called := map[string][]bool{}
	for _, c := range list {
		if c.scope != nil {
			called[origin.Document(passages[c.passage])] = c.scope
		}
	}
	others, siblings := origin.Rivals(passages, called, q.words, q.names), origin.Siblings(passages, q.text)
	codes, titled, quarters := origin.Codes(q.text), origin.Titled(q.text), origin.QuartersOf(q.text)
	for _, c := range list {
		in := origin.Document(passages[c.passage])
		instead := append(origin.Instead(codes, c.text), origin.Others(titled, c.text)...)
		c.other = c.other || siblings[in] || quarters.Else(c.names+" "+c.text) || slices.ContainsFunc(instead, func(name string) bool {
			k := q.index(name)
			return k < 0 || c.self[k] < present
		})
		for k, other := range others[in] {
			c.other = c.other || other && c.self[k] < present
		}
	}
}

// ledGrid returns lines that lead to values by dots as a table of two columns without names.
func ledGrid(list []*candidate, p passage.Passage, q question, at int) *grid {
	g, last := &grid{header: list[at], names: []string{"", ""}, about: aboutTable(list, p, q, at, "")}, at
	for ; last < len(list) && list[last].passage == list[at].passage && list[last].leader(); last++ {
		name, value, _ := sentence.Leader(list[last].text)
		if !matchesForm(sheet.Totals, name) {
			g.rows, g.values = append(g.rows, list[last]), append(g.values, []string{name, value})
		}
	}
	g.whole = whole(list, p, last-1)
	return g
}

// column returns what stands in a column.
func (g *grid) column(j int) []string {
	out := make([]string, len(g.values))
	for i, v := range g.values {
		out[i] = v[j]
	}
	return out
}

// dates reads days.
func dates(int) func(string) (float64, bool) { return cell.Date }

// dimension returns what the measures of a column tell; empty of bare numbers and of anything else.
func (g *grid) dimension(j int) cell.Dimension {
	of, _ := cell.Measures(g.column(j))
	return of
}

// numbers returns how to read the numbers of a column: with their units where these differ.
func (g *grid) numbers(j int) func(string) (float64, bool) {
	if !cell.Comparable(g.column(j)) && g.dimension(j) != "" {
		return cell.Measure
	}
	return cell.Number
}

// tells reports whether a column has measures of a dimension.
func (g *grid) tells(d cell.Dimension) bool {
	if d == "" {
		return false
	}
	for j := range g.names {
		if g.dimension(j) == d {
			return true
		}
	}
	return false
}

// comparedColumn returns the one column whose measures the question compares, by the name of a unit, as in "the most hours",
// or by what is compared: the longest takes the most time. -1 without one.
func (g *grid) comparedColumn(q question) int {
	var asked []string
	for _, w := range terms.Words(q.text) {
		asked = append(asked, w.Text, cell.Adjective(w.Text))
	}
	found := -1
	for j := range g.names {
		of := g.dimension(j)
		if of == "" || !slices.ContainsFunc(asked, func(w string) bool { return cell.UnitOf(w) == of || cell.Compared(w, of) }) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = j
	}
	return found
}

// otherOne reports whether a sentence is without a number of the question that another one has: it tells of another of the kind.
func (c *candidate) otherOne(best *candidate, q question) bool {
	for k, named := range q.names {
		if named && unicode.IsDigit(rune(q.words[k][0])) && best.have[k] >= present && c.have[k] < present {
			return true
		}
	}
	return false
}

// affirms reports whether a row has a word in a cell by itself, such as a state, that the
// question denies.
func (c *candidate) affirms(q question) bool {
	values := cell.Split(c.text)
	if c.record {
		_, fields := cell.Record(c.text)
		values = slices.Collect(maps.Values(fields))
	}
	return slices.ContainsFunc(values, func(v string) bool {
		words := terms.Words(v)
		if len(words) != 1 {
			return false
		}
		k := q.index(words[0].Text)
		return k >= 0 && q.denied[k]
	})
}

// reckoned returns the rows of a table that answer a question by a statement over it, the first with what is computed of them;
// none where the material has no whole table of which every word of the question tells something. Spare are those that are looked up
// in a table that was found: they answer where no sentence does. Void is the row whose cell that is asked for is empty, or one of a
// table of which too little was found to compute over. A question of which not every word was read is by what it means, as freely as
// it says.
func (m *Model) reckoned(
	ctx context.Context, list []*candidate, passages []passage.Passage, q question, how freedom,
) (found, spare []*candidate, void *candidate, err error) {
	if m.tables == nil {
		return nil, nil, nil, nil
	}
	tables := grids(list, passages, q)
	for i, g := range tables[:min(tablesAsked, len(tables))] {
		if !g.whole && slices.ContainsFunc(tables[:i], func(o *grid) bool { return !o.whole && g.twin(o, passages) }) {
			continue // another part of it was asked
		}
		if i >= tablesMeant { // a meaning takes a tenth of a second
			if how == broadly {
				break
			}
			how = literally
		}
		answer, err := m.ask(ctx, g, tables, list, passages, q, how)
		part := answer != nil && !g.whole && !answer.Enough && answer.Of == nil
		switch {
		case err != nil:
			return nil, nil, nil, err
		case answer == nil, part && (!answer.Computed || len(answer.Rows) == 0), answer.Computed && g.elsewhere(tables, passages):
			continue
		case part:
			void = g.rows[answer.Rows[0]]
			continue
		}
		rows := g.written(tables, passages, answer)
		if answer.Value == "0" && !g.record {
			rows = []*candidate{g.header}
		}
		looked := passages[g.header.passage].Kind == passage.Artifact && answer.Looked(q.text)
		switch {
		case len(rows) == 0, looked && (answer.All || answer.Empty || spare != nil):
			continue
		case answer.Empty:
			return nil, nil, rows[0], nil
		}
		most := blockBytes
		if !answer.Computed && answer.Value == "" && sheet.Several.In(q.text) {
			most = listBytes
		}
		rows = run(rows, 0, most, func(i int) bool { return i < len(rows) })
		if rows[0].count = answer.Said(q.text, len(rows)); !looked {
			return rows, nil, nil, nil
		}
		spare = rows
	}
	return nil, spare, void, nil
}

// listBytes is how much is shown of rows that are asked for themselves.
const listBytes = 3 * blockBytes

// says returns the share of a question's words that stand in the table or above it.
func (g *grid) says(q question) float64 {
	n := 0
	for k, stem := range q.stems {
		if g.about[k] > 0 || slices.ContainsFunc(g.rows, func(r *candidate) bool { return slices.Contains(r.stems, stem) }) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(q.stems)))
}

// titles returns what stands above a table and may say what its rows are, the nearest first.
func (g *grid) titles(list []*candidate, passages []passage.Passage) (titles []string) {
	p := passages[g.header.passage]
	for i := g.header.at - 1; i >= 0 && list[i].passage == g.header.passage; i-- {
		c := list[i]
		leads := i == g.header.at-1 && (strings.HasSuffix(c.text, ":") || sheet.Lists.In(c.text))
		if !c.row && !c.record && (c.heading || leads) {
			titles = append(titles, c.text)
		}
	}
	for _, h := range slices.Backward(p.Headings) {
		titles = append(titles, h)
	}
	return append(titles, strings.TrimSuffix(p.Title, path.Ext(p.Title)))
}

// listsKind reports whether the first column has the name of what a question asks for one of, as "item" is in "the most expensive
// item".
func (g *grid) listsKind(q question) bool {
	return len(g.names) > 0 && slices.ContainsFunc(terms.Words(g.names[0]), func(w terms.Word) bool { return q.index(w.Text) >= 0 })
}

// twin reports whether two tables of a document have the same columns.
func (g *grid) twin(o *grid, passages []passage.Passage) bool {
	return o != nil && slices.Equal(g.names, o.names) && origin.Holder(passages[g.header.passage]) == origin.Holder(passages[o.header.passage])
}

// elsewhere reports whether another document has a table with the same columns, so that one alone does not tell all.
func (g *grid) elsewhere(tables []*grid, passages []passage.Passage) bool {
	return slices.ContainsFunc(tables, func(o *grid) bool {
		return slices.Equal(o.names, g.names) && origin.Holder(passages[o.header.passage]) != origin.Holder(passages[g.header.passage])
	})
}
