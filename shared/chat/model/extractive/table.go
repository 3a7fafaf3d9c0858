package extractive

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/chat/model/extractive/origin"
	"lectern/shared/chat/model/extractive/price"
	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/chat/model/extractive/wording"
	"lectern/shared/message/passage"
	"lectern/shared/text/chunk"
	"lectern/shared/text/terms"
)

// Limits of what is computed over a table.
const (
	columnsShare = .5 // of the question's words, by weight, that speak of the table
	rowsLeast    = 2
	tieShare     = .9 // of the best row's score, from which another says as much
)

// grid is a table, of which passages of one document may have parts. It has a header, or each
// row names its values: a record.
type grid struct {
	header *candidate // of the first part; the first record
	record bool
	fields []map[string]string // of records, by name
	known  map[string]bool     // names of records
	names  []string            // of the columns
	rows   []*candidate
	values [][]string // of the rows
	about  []float64  // by question word, how much of it stands in the header and above the table
	whole  bool       // no row is missing
	things bool       // the rows are things that the question names
}

// grids returns the tables of the material, those of a document in its order.
func grids(list []*candidate, passages []passage.Passage, q question) (out []*grid) {
	first := make([]int, len(passages)) // candidate of a passage
	for i := range first {
		first[i] = len(list)
	}
	for i, c := range slices.Backward(list) {
		first[c.passage] = i
	}
	var open *grid // whose next part is to come
	end, in := 0, ""
	for _, i := range origin.Order(passages) {
		p := passages[i]
		goesOn := in == origin.Holder(p) && p.Start >= end && p.Start <= end+gapMost
		in, end = origin.Holder(p), p.Start+len(utf16.Encode([]rune(p.Text)))
		if open != nil && (!goesOn || !open.record && p.Columns != open.header.text) {
			open.whole, open = false, nil
		}
		for h := first[i]; h < len(list) && list[h].passage == i; h++ {
			if list[h].leader() {
				if h == first[i] || !list[h-1].leader() {
					out = append(out, ledGrid(list, p, q, h))
				}
				continue
			}
			header := list[h].heading && list[h].row
			if !header && !(list[h].record && (h == first[i] || !list[h-1].record)) {
				continue
			}
			g, continued := open, h == first[i] && (p.Columns != "" || !header && p.Start > 0)
			if g == nil || !continued || g.record == header {
				g = &grid{header: list[h], record: !header, known: map[string]bool{}, whole: !continued}
				out = append(out, g)
			}
			open = nil
			last := g.take(list, h)
			if g.about == nil {
				g.about = aboutTable(list, p, q, h, strings.Join(g.names, " "))
			}
			switch ends := last+1 == len(list) || list[last+1].passage != i; {
			case ends && p.Continues:
				open = g
			case !whole(list, p, last):
				g.whole = false
			}
		}
	}
	if open != nil {
		open.whole = false
	}
	for _, g := range out {
		if len(g.names) > mostNames {
			g.rows, g.values, g.whole = nil, nil, false // no table
			continue
		}
		for _, fields := range g.fields {
			values := make([]string, len(g.names))
			for j, name := range g.names {
				values[j] = fields[name]
			}
			g.values = append(g.values, values)
		}
	}
	return out
}

// take adds the rows below a header, without those that sum up others, or the records from one
// on, and returns the last.
func (g *grid) take(list []*candidate, header int) (last int) {
	if g.record {
		for last = header; last == header || last < len(list) && list[last].passage == list[header].passage && list[last].record; last++ {
			names, fields := cell.Record(list[last].text)
			if matchesForm(sheet.Totals, fields[names[0]]) {
				continue
			}
			for _, name := range names {
				if !g.known[name] && len(g.names) <= mostNames {
					g.names = append(g.names, name)
					g.known[name] = true
				}
			}
			if n := len(g.fields) - 1; n >= 0 && cell.GoesOn(g.fields[n], fields, names[0]) {
				maps.Copy(g.fields[n], fields)
				continue
			}
			g.rows, g.fields = append(g.rows, list[last]), append(g.fields, fields)
		}
		if last < len(list) && list[last].passage == list[header].passage && list[last].item > 0 ||
			header > 0 && list[header-1].passage == list[header].passage && list[header-1].item > 0 {
			g.whole = false // an item between that is none of them
		}
		return last - 1
	}
	g.names = cell.Split(list[header].text)
	for last = header; last+1 < len(list) && list[last+1].header == header; last++ {
		row := list[last+1]
		values := cell.Split(row.text)
		for len(values) < len(g.names) {
			values = append(values, "")
		}
		switch last := last+2 == len(list) || list[last+2].header != header; {
		case len(values) > len(g.names):
			g.whole = false // it cannot be read
		case values[0] == "" && last, matchesForm(sheet.Totals, values[0]):
		default:
			g.rows, g.values = append(g.rows, row), append(g.values, values)
		}
	}
	return last
}

// whole reports whether a table whose last row is known was not cut at the end of its passage,
// by its size.
func whole(list []*candidate, p passage.Passage, last int) bool {
	return p.Last || p.Kind == passage.Plain || strings.TrimSpace(p.Text[list[last].end:]) != "" || !chunk.MayGoOn(p.Text)
}

// rowsAt returns the rows of some indexes.
func (g *grid) rowsAt(indexes []int) (rows []*candidate) {
	for _, i := range indexes {
		rows = append(rows, g.rows[i])
	}
	return rows
}

// having returns the rows that fulfil all conditions, as indexes.
func (g *grid) having(list []condition) (rows []int) {
	for i, row := range g.rows {
		if !slices.ContainsFunc(list, func(c condition) bool { return !c(row, g.values[i]) }) {
			rows = append(rows, i)
		}
	}
	return rows
}

// extreme returns the row of a table that a question like "which region had the
// highest revenue" asks for; nil if it asks for none. The table has to stand whole in the
// material.
func extreme(list []*candidate, passages []passage.Passage, q question) (row *candidate) {
	text, asked, compares := sheet.Asked(q.text)
	q.text = text
	if asked == "" || len(list) == 0 || matchesForm(sheet.Counted, q.text) {
		return nil
	}
	if wording.Ordinal(q.text) || slices.ContainsFunc(terms.Words(q.text), negates) {
		return nil
	}
	best := columnsShare
	var of *grid
	weights, prices := weighExtreme(list, q, asked)
	called := map[*candidate]string{} // which thing has it, of tables with things beside each other
	for _, g := range grids(list, passages, q) {
		r, share := (*candidate)(nil), 0.0
		if t, of := g.crosswise(q, weights, compares); t != nil {
			thing, column, said := t.extreme(q, of, prices)
			if thing != nil && column > 0 { // the things' own names are no property
				r, share = g.rows[column-1], said
				called[r] = thing.text
			}
		} else if !compares {
			r, _, share = g.extreme(q, weights, prices)
		}
		switch {
		case r == nil || r.lacking > 0 || !g.whole || share <= columnsShare || share < best:
		case share > best || of != nil && g.listsKind(q) != of.listsKind(q):
			if share > best || g.listsKind(q) {
				row, best, of = r, share, g
			}
		case passages[r.passage].Score > passages[of.header.passage].Score && !g.twin(of, passages):
			row, best, of = r, share, g
		case g.twin(of, passages):
			return nil // either may be meant
		}
	}
	if name := called[row]; name != "" {
		row.count = name + ":"
	}
	return row
}

// crosswise returns a table of things beside each other, below which stands what each of them has, as one whose rows are the things:
// those that the question names, where it names several. It returns nil of another table, and of one with more than two things that
// are not named, where two are to be compared. Left are the weights of the words that do not name them.
func (g *grid) crosswise(q question, weights []float64, compares bool) (t *grid, left []float64) {
	names, things, ok := cell.Crosswise(g.names, g.values)
	if g.record || !ok {
		return nil, nil
	}
	t, left = &grid{header: g.header, whole: g.whole, names: names, values: things, about: slices.Clone(g.about)}, slices.Clone(weights)
	apart := slices.Clone(weights)
	var named []int
	for k, stem := range q.stems {
		isCalled := func(v []string) bool { return wordsAre(v[0], stem, q) > 0 }
		if of := slices.IndexFunc(things, isCalled); of >= 0 && !slices.ContainsFunc(things[of+1:], isCalled) {
			named, apart[k] = append(named, of), 0
		}
		if slices.ContainsFunc(g.rows, func(r *candidate) bool { return slices.Contains(r.stems, stem) }) {
			t.about[k] = 1
		} else if sheet.Idle.In(q.words[k]) {
			left[k], apart[k] = 0, 0
		}
	}
	slices.Sort(named)
	if named = slices.Compact(named); len(named) > 1 {
		t.values, t.things, left = nil, true, apart
		for _, i := range named {
			t.values = append(t.values, things[i])
		}
	}
	for _, v := range t.values {
		c := &candidate{text: v[0], passage: g.header.passage}
		c.take(q)
		t.rows = append(t.rows, c)
	}
	if compares && len(t.rows) != 2 {
		return nil, nil
	}
	return t, left
}

// restOfTable returns by what words to search which artifact for the rest of the table that a question asks to compute over: its
// heading and the names of its columns; or, where the whole of it was asked, for the rows that answer. Words are empty where nothing
// is missing.
func (m *Model) restOfTable(ctx context.Context, passages []passage.Passage, q question) (words, artifact string, err error) {
	asked, counts := sheet.Extreme(q.text), sheet.Counted.Get().FindStringSubmatch(q.text)
	if m.tables == nil && asked == "" && counts == nil ||
		!slices.ContainsFunc(passages, func(p passage.Passage) bool { return p.Continues || p.Columns != "" }) {
		return "", "", nil
	}
	list := candidates(passages, q)
	weights, prices := weighExtreme(list, q, asked)
	tried, speaks, tables := map[string]bool{}, false, grids(list, passages, q)
	for _, g := range tables {
		p := passages[g.header.passage]
		if of := origin.Holder(p); !g.whole && !tried[of] && len(tried) < partsTried {
			answer, err := m.ask(ctx, g, tables, list, passages, q, literally)
			switch {
			case err != nil:
				return "", "", err
			case answer != nil && answer.Of != nil && len(answer.Rows) > 0:
				rows := g.written(tables, passages, answer)
				missing := answer.Missing(rowsSought, func(line string) bool {
					return slices.ContainsFunc(rows, func(c *candidate) bool { return c.text == line })
				})
				return ends(strings.Join(missing, "\n"), searchedBytes), p.ArtifactID, nil
			}
			speaks = answer != nil && answer.Of == nil && (answer.Computed || sheet.Several.In(q.text) && !answer.All && len(answer.Rows) > 1)
			tried[of] = true
		}
		if counts != nil {
			column, things := g.meant(q, counts[1])
			speaks = speaks || column >= 0 && len(g.counted(q, column, things, true)) > 0
		} else if row, _, share := g.extreme(q, weights, prices); row != nil {
			speaks = speaks || share > columnsShare
		}
		switch {
		case speaks && g.whole:
			return "", "", nil
		case speaks:
			names := slices.Concat(p.Headings[max(0, len(p.Headings)-1):], g.names[:min(namesSought, len(g.names))])
			return strings.Join(names, " "), p.ArtifactID, nil
		}
	}
	return "", "", nil
}

// written returns the rows of an answer: of a whole table that was asked, those that stand in one of its parts.
func (g *grid) written(tables []*grid, passages []passage.Passage, a *sheet.Answer) (rows []*candidate) {
	if a.Of == nil {
		return g.rowsAt(a.Rows)
	}
	at, in := map[string]*candidate{}, origin.Holder(passages[g.header.passage])
	for _, o := range tables {
		for _, row := range o.rows {
			if at[row.text] == nil && origin.Holder(passages[row.passage]) == in {
				at[row.text] = row
			}
		}
	}
	for _, line := range a.Lines(len(a.Rows)) {
		if row := at[line]; row != nil && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	return rows
}

const (
	tablesAsked = 64  // each takes some milliseconds, or more where the whole of it is read
	mostNames   = 200 // columns of a table that is computed over
	gapMost     = 4   // characters of white space between parts of a table
	saidShare   = .5  // of a question's words, from which a table that was found may be asked
	rowsSought  = 8   // of a table that is known, by what is written in them
	partsTried  = 4   // documents with parts of tables that a question may be computed over
	namesSought = 20  // columns by which the rest of a table is searched for
)

// weighExtreme returns the weights of a question's words without those that ask for the
// extreme, and whether that is of what is dear or cheap.
func weighExtreme(list []*candidate, q question, asked string) (weights []float64, prices bool) {
	weights, _ = weigh(list, q)
	for k, w := range q.words {
		prices = prices || sheet.Dear.In(w)
		if slices.Contains(strings.Fields(asked), w) || sheet.Dear.In(w) || w == "thing" || w == "item" {
			weights[k] = 0
		}
	}
	return weights, prices
}

// extreme returns the row that has the extreme, the column of that, and the share of the question that speaks of the table.
func (g *grid) extreme(q question, weights []float64, prices bool) (row *candidate, column int, share float64) {
	conditions, understood := []condition(nil), g.things
	if !g.things {
		conditions, _, understood = g.conditions(q, func(k int) bool { return weights[k] == 0 })
	}
	if !understood || len(g.rows) < rowsLeast {
		return nil, -1, 0
	}
	names := strings.Join(g.names, " ")
	total, sum := 0.0, 0.0
	for k, w := range weights {
		total += w
		about := g.about[k]
		if slices.ContainsFunc(g.rows, func(r *candidate) bool { return slices.Contains(r.stems, q.stems[k]) }) {
			about = 1
		}
		if about == 0 && (g.tells(cell.UnitOf(q.words[k])) ||
			slices.ContainsFunc(q.alike, func(o other) bool { return o.of == k && wordsAre(names, o.stem, q) > 0 })) {
			about = 1
		}
		sum += w * about
	}
	rows := g.having(conditions)
	if g.things && total == 0 {
		sum, total = 1, 1 // which of them is all that is asked
	}
	if total == 0 || len(rows) < min(2, 1+len(conditions)) {
		return nil, -1, 0 // one row that a condition leaves is not the most of anything
	}
	column, read, sign := g.extremeColumn(q, weights, prices)
	if column < 0 {
		return nil, -1, 0
	}
	top, tie := 0.0, false
	for _, i := range rows {
		n, ok := read(g.values[i][column])
		switch {
		case !ok || row != nil && sign*n < top:
		case row != nil && sign*n == top:
			tie = true
		default:
			row, top, tie = g.rows[i], sign*n, false
		}
	}
	if tie {
		return nil, -1, 0
	}
	return row, column, sum / total
}

// extremeColumn returns the column whose extreme is asked for, how to read it, and whether the
// most, 1, or the least, -1, is.
func (g *grid) extremeColumn(q question, weights []float64, prices bool) (column int, read func(string) (float64, bool), sign float64) {
	if matchesForm(sheet.Latest, q.text) {
		if sign = 1; matchesForm(sheet.First, q.text) {
			sign = -1
		}
		old := slices.IndexFunc(g.names, func(name string) bool { return matchesForm(sheet.Ages, name) })
		if old >= 0 && matchesForm(sheet.Oldest, q.text) {
			if _, ok := cell.Number(g.values[0][old]); ok {
				return old, cell.Number, -sign // the oldest was born first
			}
		}
		if column, _ = g.onlyColumn(q, dates, weights); column >= 0 {
			return column, cell.Date, sign
		}
	}
	if sign = 1; sheet.Least.Get().MatchString(q.text) {
		sign = -1
	}
	if prices {
		for j, name := range g.names {
			if !price.List.In(name) {
				continue
			}
			if _, ok := cell.Number(g.values[0][j]); ok || !cell.Filled(g.values[0][j]) {
				return j, cell.Number, sign
			}
		}
	}
	if !matchesForm(sheet.Most, q.text) && !matchesForm(sheet.Least, q.text) {
		return -1, nil, 0
	}
	column, named := g.onlyColumn(q, g.numbers, weights)
	strict := func(w terms.Word) bool { return cell.Strict(cell.Adjective(w.Text)) }
	if of := g.comparedColumn(q); of >= 0 && (!named || slices.ContainsFunc(terms.Words(q.text), strict)) {
		column = of // what is the heaviest has the most weight, whatever else is named
	}
	if column < 0 {
		return -1, nil, 0
	}
	return column, g.numbers(column), sign
}

// counted returns the rows of a table that a question like "how many suppliers are in
// Hamburg" wants counted, one for each value of the column that it names, the first with
// their number; or those that "which jobs are not closed" wants listed. The table has to
// stand whole in the material. meant tells that a table is asked about in this way, so that
// a row by itself is no answer.
func counted(list []*candidate, passages []passage.Passage, q question) (rows []*candidate, meant bool) {
	words, count := sheet.Wanted(q.text)
	if words == "" {
		return nil, false
	}
	var of *grid
	turned := matchesForm(sheet.Unclear, q.text) || slices.ContainsFunc(terms.Words(q.text), negates)
	for _, g := range grids(list, passages, q) {
		column, things := g.meant(q, words)
		if column < 0 && !count { // of how many desks there are a number may be told
			column = g.holding(q, words)
		}
		if column < 0 {
			continue
		}
		amounts := !slices.ContainsFunc(g.values, func(v []string) bool {
			return cell.Filled(v[column]) && !strings.ContainsAny(v[column], "0123456789")
		})
		meant = meant || turned || count && !amounts
		if !g.whole {
			continue
		}
		found := g.counted(q, column, things, count)
		if len(found) == 0 {
			continue
		}
		if len(rows) > 0 && g.twin(of, passages) {
			rows[0].count, found[0].count = "", ""
			return nil, true // either may be meant
		}
		if len(rows) == 0 {
			rows, of = found, g
		}
	}
	return rows, meant || len(rows) > 0
}

// meant returns the column that the first of some words names, and the question's words that
// are its name; -1 where it may be several.
func (g *grid) meant(q question, words string) (column int, things map[int]bool) {
	for _, w := range terms.Words(words) {
		k := q.index(w.Text)
		column, things = -1, map[int]bool{k: true}
		for j, name := range g.names {
			if k < 0 || wordsIn(name, q)[k] == 0 {
				continue
			}
			if column >= 0 {
				return -1, nil
			}
			column = j
		}
		if column >= 0 {
			for k, hit := range wordsIn(g.names[column], q) {
				things[k] = things[k] || hit > 0
			}
			return column, things
		}
	}
	return -1, nil
}

// holding returns the one column whose values have the first meaningful of some words in several
// rows, as "desks" stand in names of products; -1 without one.
func (g *grid) holding(q question, words string) int {
	found := -1
	for _, w := range terms.Words(words) {
		k := q.index(w.Text)
		if k < 0 || frames[w.Text] {
			continue
		}
		for j := range g.names {
			n := 0
			for _, v := range g.values {
				if _, number := cell.Number(v[j]); !number && strings.Contains(v[j], " ") && wordsAre(v[j], q.stems[k], q) > 0 {
					n++
				}
			}
			if n < rowsLeast {
				continue
			}
			if found >= 0 {
				return -1
			}
			found = j
		}
		return found
	}
	return -1
}

func (g *grid) counted(q question, column int, things map[int]bool, count bool) []*candidate {
	conditions, loose, understood := g.conditions(q, func(k int) bool { return things[k] })
	if !understood || loose > 0 || len(conditions) == 0 && (!count || sheet.OfState.In(q.text)) {
		return nil
	}
	var rows []*candidate
	seen := map[string]bool{}
	numbers := true
	for _, v := range g.values {
		_, isNumber := cell.Number(v[column])
		numbers = numbers && isNumber
	}
	for _, i := range g.having(conditions) {
		if name := g.values[i][column]; name != "" && !(count && seen[name]) {
			seen[name] = true
			rows = append(rows, g.rows[i])
		}
	}
	if count && numbers || len(rows) == 0 {
		return nil // the number that is asked for stands in the column
	}
	shown := run(rows, 0, blockBytes, func(i int) bool { return i < len(rows) })
	switch {
	case !count:
	case len(shown) < len(rows):
		shown[0].count = fmt.Sprintf("%d (1–%d):", len(rows), len(shown))
	default:
		shown[0].count = fmt.Sprintf("%d:", len(rows))
	}
	return shown
}

// ask asks a question of a table; nil where it is none of it.
func (m *Model) ask(
	ctx context.Context, g *grid, tables []*grid, list []*candidate, passages []passage.Passage, q question, how freedom,
) (*sheet.Answer, error) {
	of, least := passages[g.header.passage], saidShare // each word has to tell something of it, but some by others than it has
	first := slices.IndexFunc(passages, func(p passage.Passage) bool { return p.Kind == passage.Artifact })
	if first >= 0 && origin.Holder(passages[first]) == origin.Holder(of) {
		least /= 2 // it was found first
	}
	alone := !slices.ContainsFunc(passages, func(p passage.Passage) bool { return origin.Holder(p) != origin.Holder(of) })
	told := !alone || slices.ContainsFunc(list, (*candidate).sentence)
	meant := how == freely && !told || how == broadly && told && (alone || least < saidShare)
	if how == broadly && !meant || m.tables == nil || len(g.rows) < rowsLeast || len(g.names) < 2 ||
		!meant && !alone && of.Kind == passage.Artifact && g.says(q) < least { // broadly, each was read literally before
		return nil, nil
	}
	s := sheet.Sheet{Name: sheet.Named(g.titles(list, passages)...), Names: g.names, Rows: g.values, Meant: meant}
	inIt := func(o *grid) bool { return origin.Holder(passages[o.header.passage]) == origin.Holder(of) }
	at := slices.IndexFunc(tables, inIt)
	if of.Kind == passage.Artifact && (!g.whole || tables[at] == g && slices.ContainsFunc(tables[at+1:], inIt)) {
		s.Collection, s.Artifact = of.Collection, of.ArtifactID
	}
	return m.tables(ctx, s, q.text)
}
