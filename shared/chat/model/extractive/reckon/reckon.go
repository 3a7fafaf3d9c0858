// Package reckon answers questions about whole tables of the material by statements over them: what is counted, summed up,
// compared or looked up, with the rows that it is of.
//
// Package plainsql writes the statements, of which each word of the question has to have a part; else there is no answer.
package reckon

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/chat/model/extractive/amount"
	"lectern/shared/chat/model/extractive/cell"
	"lectern/shared/chat/model/extractive/lazy"
	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/chat/tool/meaning"
	"lectern/shared/database"
	"lectern/shared/database/datatable"
	"lectern/shared/database/plainsql"
)

// Limits of a sheet, and of one of a document that is kept.
const (
	mostRows, mostKept       = 5000, 50_000
	mostBytes, mostBytesKept = 1 << 20, 16 << 20
)

func (k asker) ask(ctx context.Context, s sheet.Sheet, question string) (*sheet.Answer, error) {
	rowsMost, bytesMost := mostRows, mostBytes
	if s.Lines != nil {
		rowsMost, bytesMost = mostKept, mostBytesKept
	}
	s = placed(s)
	kept := withoutSubtotals(&s)
	size := 0
	rows := copied(s.Rows)
	for _, row := range rows {
		for _, v := range row {
			size += len(v)
		}
	}
	if size > bytesMost || len(rows) > rowsMost {
		return nil, nil //nolint:nilnil // too large to be read within a turn
	}
	var set datatable.Set
	if set.AddRows(s.Name, s.Names, rows) != nil {
		return nil, nil //nolint:nilnil // it has too many columns
	}
	tables, _ := set.Tables()
	db, err := k.open(ctx, database.Target{Address: database.Address{Dialect: database.SQLite}, Tables: tables})
	if err != nil {
		return nil, ctx.Err() // memory is short: as if there were no rule
	}
	defer db.Close() //nolint:errcheck // in memory only
	schema, err := db.Schema(ctx, database.Everything)
	if err != nil || len(schema.Tables) != 1 {
		return nil, ctx.Err()
	}
	readings := read(schema, s, question)
	means := ""
	if model := k.model(); len(readings) == 0 && s.Meant && model != nil {
		meant, ok, err := meaning.Read(ctx, database.SQLite, schema, question, model)
		switch {
		case err != nil:
			return nil, err
		case ok:
			readings, means = []plainsql.Reading{{SQL: meant.SQL}}, meant.Means
		}
	}
	var list []*sheet.Answer
	for _, reading := range readings {
		a, err := inquiry{db, s, tables[0], question}.of(ctx, reading)
		if a == nil || err != nil {
			return nil, ctx.Err()
		}
		list = append(list, a)
	}
	if len(list) == 0 {
		return nil, nil //nolint:nilnil // it is no question of this table
	}
	a := list[0]
	if len(list) > 1 {
		a = single(list, readings)
	}
	a.Means = means
	for i, n := range a.Rows {
		a.Rows[i] = kept[n]
	}
	return a, nil
}

// withoutSubtotals leaves the rows out that sum up those before them, and the total at the end of such a table; it returns where each
// row that is left stood.
func withoutSubtotals(s *sheet.Sheet) (kept []int) {
	sums := func(form *lazy.Pattern, row []string) bool { return slices.ContainsFunc(row, form.In) }
	some := slices.ContainsFunc(s.Rows, func(row []string) bool { return sums(subtotal, row) })
	var rows [][]string
	for i, row := range s.Rows {
		if some && (sums(subtotal, row) || i == len(s.Rows)-1 && sums(grandTotal, row)) {
			continue
		}
		rows, kept = append(rows, row), append(kept, i)
	}
	s.Rows = rows
	return kept
}

// placed adds at which place each row of a table comes, where it is sorted by its points and has no column that tells it.
func placed(s sheet.Sheet) sheet.Sheet {
	at := slices.IndexFunc(s.Names, points.In)
	if at < 0 || slices.ContainsFunc(s.Names, places.In) {
		return s
	}
	last := math.Inf(1)
	rows := make([][]string, len(s.Rows))
	for i, row := range s.Rows {
		n, err := strconv.ParseFloat(strings.TrimSpace(row[at]), 64)
		if err != nil || n > last {
			return s
		}
		last, rows[i] = n, append(slices.Clone(row), strconv.Itoa(i+1))
	}
	return sheet.Sheet{Name: s.Name, Names: append(slices.Clone(s.Names), "Position"), Rows: rows}
}

// read returns the statements that a question of a table can be read as. Where nothing says what its rows are called, and without
// that nothing reads the question or a value is taken for it, the question's own word for them is tried.
func read(schema *database.Schema, s sheet.Sheet, question string) []plainsql.Reading {
	wrong := func(r plainsql.Reading) bool { return misdated(r.SQL, s, question) }
	list := slices.DeleteFunc(plainsql.Read(database.SQLite, schema, question), wrong)
	if rest, ok := strings.CutPrefix(strings.ToLower(question), "who "); ok && len(list) == 0 && placing.In(question) {
		for i, name := range s.Names {
			if !places.In(name) && len(s.Rows) > 0 && !strings.ContainsAny(s.Rows[0][i], "0123456789") { // no day
				list = plainsql.Read(database.SQLite, schema, "which "+strings.ToLower(name)+" "+rest) // a team came third
				break
			}
		}
	}
	guess := ""
	if s.Name == "" && !slices.ContainsFunc(s.Names, things.In) {
		guess = rowsOf(question, s.Names)
	}
	if guess == "" || len(list) > 0 && !strings.Contains(list[0].SQL, "LIKE '%"+guess[:min(len(guess), leastNoun)]) {
		return list
	}
	named := *schema
	named.Tables = slices.Clone(schema.Tables)
	named.Tables[0].Name = guess
	var out []plainsql.Reading
	for _, r := range plainsql.Read(database.SQLite, &named, question) {
		q, ok := parse(r.SQL)
		if !ok || q.where == "" && !ofColumn.In(q.what) || wrong(r) {
			continue // a guess alone says nothing
		}
		r.SQL = strings.ReplaceAll(r.SQL, database.SQLite.Quote(guess), database.SQLite.Quote(schema.Tables[0].Name))
		out = append(out, r)
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// misdated reports whether a statement takes a month of the question for one of a column of days, while another column has months.
func misdated(sql string, s sheet.Sheet, question string) bool {
	return strings.Contains(sql, "strftime(") && monthNamed.In(question) &&
		slices.ContainsFunc(s.Names, func(name string) bool {
			return monthColumn.In(name) && !strings.Contains(strings.ToLower(sql), strings.ToLower(name))
		})
}

// rowsOf returns what the question calls the rows of a table of which nothing says that, if it is none of its columns.
func rowsOf(question string, names []string) string {
	m := listed.Get().FindStringSubmatch(question)
	if m == nil {
		return ""
	}
	noun := strings.ToLower(m[1])
	if amount.IsUnit(noun) {
		return ""
	}
	for _, name := range names {
		if name = strings.ToLower(name); strings.Contains(name, noun[:min(len(noun), leastNoun)]) {
			return ""
		}
	}
	return noun
}

// leastNoun is how many bytes a column's name has in common with a noun that speaks of it.
const leastNoun = 4

// single returns the answer of two that a row tells, rather than a sum over several, with how the question was read if that makes a
// difference; else the first one.
func single(list []*sheet.Answer, readings []plainsql.Reading) *sheet.Answer {
	alike := slices.Equal(list[0].Rows, list[1].Rows)
	for i, a := range list {
		if a.Value == "" {
			if !alike {
				a.Value = readings[i].As
			}
			return a
		}
	}
	if !alike {
		list[0].Value += ", " + readings[0].As
	}
	return list[0]
}

// inquiry is a question of a sheet, which a database has as a table.
type inquiry struct {
	db       database.DB
	s        sheet.Sheet
	t        database.Data
	question string
}

// of runs a statement and finds the rows that its result is of.
func (i inquiry) of(ctx context.Context, reading plainsql.Reading) (*sheet.Answer, error) {
	q, ok := parse(reading.SQL)
	if !ok {
		q, ok = byDay(reading.SQL)
	}
	if !ok {
		q, ok = median(reading.SQL)
	}
	if !ok {
		q, ok = unfolded(reading.SQL, database.SQLite.Quote(i.t.Name))
	}
	if !ok {
		return nil, nil //nolint:nilnil // a statement without rows
	}
	return i.ofQuery(ctx, reading, q)
}

// ofQuery runs a statement that is parted and finds the rows that its result is of.
func (i inquiry) ofQuery(ctx context.Context, reading plainsql.Reading, q query) (*sheet.Answer, error) {
	if strings.Contains(q.what, "THEN 1 ELSE 0 END) / COUNT(*)") && amounts.In(i.question) {
		return nil, nil //nolint:nilnil // a share of money is none of rows
	}
	result, err := i.db.Query(ctx, reading.SQL, database.Limits{})
	if err != nil {
		return nil, err
	}
	if _, ok := contrasted(q); ok && len(result.Values) == 1 {
		return i.contrast(ctx, q, result.Values[0])
	}
	if list := q.fields(); len(list) > 1 && list[len(list)-1].called == "total_together" && len(result.Values) == 1 && q.group == "" {
		q.what, result.Values[0] = list[len(list)-1].is, result.Values[0][len(list)-1:]
	}
	a := &sheet.Answer{Decides: reading.Decides, All: q.where == "", Computed: q.group != "" || aggregates.In(q.what)}
	switch {
	case len(result.Values) == 0:
		if a.Decides {
			return a, i.deny(ctx, q, a)
		}
		return a, nil
	case q.group != "":
		return a, i.groups(ctx, q, result.Values, a)
	case a.Computed && (len(result.Values) != 1 || len(result.Values[0]) != 1):
		return nil, nil //nolint:nilnil // several values
	}
	where, extreme := q.where, q.order != "" || strings.Contains(q.where, "(SELECT M")
	switch {
	case a.Computed:
		if where, err = i.computed(ctx, q, result.Values[0], a); err != nil || ofCost.In(i.question) && noMoney.In(a.Value) {
			return nil, err // litres are no cost
		}
	case q.with != "" && q.what == "*":
		i.cells(q, result.Values, a)
	case q.what != "*":
		a.Empty = i.empty(result.Values)
		if len(result.Values) == 1 && len(result.Values[0]) == 1 {
			i.decide(result.Values[0], a)
		}
		if (q.with != "" || dayColumn.In(q.what)) && len(result.Values[0]) == 1 && len(result.Values) <= mostCells {
			a.Value = i.listed(result.Values, q)
		}
		if strings.HasPrefix(q.order, "1") && len(result.Values[0]) == 1 && strings.Contains(q.limit, "OFFSET") { // the third highest
			where = and(where, q.fields()[0].is+" = "+literal(result.Values[0][0]))
			q.order, q.limit = "", ""
		}
	}
	rest := ""
	if where != "" {
		rest = " WHERE " + where
	}
	if q.limit != "" && !a.Computed {
		if q.order != "" && !strings.HasPrefix(q.order, "1") {
			rest += " ORDER BY " + q.order
		}
		rest += " LIMIT " + q.limit
	}
	a.Rows, err = i.rows(ctx, q, rest)
	a.Computed = a.Computed || extreme // the last of all
	return a, err
}

// ofCost matches what asks what something costs, noMoney values that have another unit.
var (
	ofCost  = lazy.New(`(?i)\b(?:how much|what) (?:does|did|do|will|would|has|have)\b[^?]*\bcosts?\b|\b(?:was|wie ?viel)\b[^?]*\b(?:kostete?n?|gekostet)\b`)
	noMoney = lazy.New(`(?i)^-?\d[\d.,]* ?(?:[mck]?l|lit(?:re|er)s?|[mk]?g|kilos?|tons?|tonnes?|t|[mck]?m[²³]?|met(?:re|er)s?|miles?|h|hours?|min|minutes?|days?|weeks?|months?|` +
		`years?|nights?|[kM]?Wh?|pieces?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|stück)$`)
)

// empty reports whether the cells that are asked for have nothing: of who did something and what else there is, who.
func (i inquiry) empty(values [][]any) bool {
	at := len(values[0]) - 1
	if person.In(i.question) && len(values) == 1 {
		at = 0
	}
	return !slices.ContainsFunc(values, func(row []any) bool {
		return row[at] != nil && strings.TrimSpace(database.Show(row[at])) != ""
	})
}

// groups notes what is computed of each of some groups, and their rows in the same order. Where each has one row, that tells it.
func (i inquiry) groups(ctx context.Context, q query, values [][]any, a *sheet.Answer) error {
	var texts []string
	single := !strings.Contains(q.what, "COUNT(")
	extreme := ofOne.Get().FindStringSubmatch(q.what)
	for _, v := range values {
		where := and(q.where, q.group+" = "+literal(v[0]))
		if v[0] == nil {
			where = and(q.where, q.group+" IS NULL")
		}
		if q.having != "" && extreme != nil && len(v) == 2 {
			where = and(where, extreme[1]+" = "+literal(v[1])) // the row has it
		}
		rows, err := i.rows(ctx, q, " WHERE "+where)
		if err != nil {
			return err
		}
		single = single && len(rows) == 1
		a.Rows = append(a.Rows, rows...)
		texts = append(texts, i.shown(v, q))
	}
	if !single && (q.having == "" || extreme == nil || len(values[0]) != 2) {
		a.Value = strings.Join(texts, "; ")
	}
	return nil
}

// computed notes the one value that is computed, and returns of which rows it is.
func (i inquiry) computed(ctx context.Context, q query, values []any, a *sheet.Answer) (where string, err error) {
	if quantity := i.quantity(q); quantity != "" {
		result, err := i.db.Query(ctx, "SELECT SUM("+quantity+") FROM "+q.from+" WHERE "+q.where, database.Limits{})
		if err != nil || len(result.Values) != 1 {
			return "", err
		}
		values = result.Values[0] // how many of it there are
	}
	a.Value = i.shown(values, q)
	if a.Empty = a.Value == ""; strings.HasPrefix(q.what, "SUM(") && choosing.In(i.question) {
		a.Value = "" // its rows alone
	}
	i.decide(values, a)
	if strings.HasSuffix(q.what, ` AS "percent"`) && values[0] != nil {
		a.Value = shortened(database.Show(values[0]), decimals) + " %"
	}
	if m := shareForm.Get().FindStringSubmatch(q.what); m != nil && !a.Empty {
		return and(q.where, m[1]), nil
	}
	if m := ofOne.Get().FindStringSubmatch(q.what); m != nil && !a.Empty { // the least or the most of a column
		return and(q.where, m[1]+" = "+literal(values[0])), nil
	}
	return q.where, nil
}

// decide answers whether there is any of what a number tells.
func (i inquiry) decide(values []any, a *sheet.Answer) {
	if n, ok := asFloat(values[0]); ok && whether.In(i.question) && anyOf.In(i.question) {
		a.Value, a.Decides, a.Denied, a.Enough = "", true, n == 0, true
	}
}

// quantity returns the column that says how many there are of each thing, where rows are counted that are told by what they are
// called; else nothing.
func (i inquiry) quantity(q query) string {
	at := slices.IndexFunc(i.s.Names, quantities.In)
	if at < 0 || q.where == "" || !strings.HasPrefix(q.what, "COUNT(*)") || i.t.Columns[at].Type == "TEXT" {
		return ""
	}
	told := false
	for rest := q.where; rest != ""; {
		one, next := cut(rest, " AND ")
		m := conditioned.Get().FindStringSubmatch(one)
		if m == nil {
			return ""
		}
		called := slices.IndexFunc(i.t.Columns, func(c database.DataColumn) bool { return c.Name == m[1] })
		told = told || called >= 0 && i.tellsApart(called)
		rest = next
	}
	if !told {
		return "" // a kind of several
	}
	return database.SQLite.Quote(i.t.Columns[at].Name)
}

// tellsApart reports whether no two rows have the same in a column.
func (i inquiry) tellsApart(column int) bool {
	seen := map[string]bool{}
	for _, row := range i.s.Rows {
		name := strings.ToLower(strings.TrimSpace(row[column]))
		if name != "" && seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// rows returns which rows of the sheet a statement without its columns has.
func (i inquiry) rows(ctx context.Context, q query, rest string) (list []int, err error) {
	found, err := i.db.Query(ctx, q.with+"SELECT "+q.row+" FROM "+q.from+rest, database.Limits{})
	if err != nil {
		return nil, err
	}
	for _, row := range found.Values {
		if n, err := strconv.Atoi(database.Show(row[0])); err == nil && n > 0 && n <= len(i.s.Rows) {
			list = append(list, n-1)
		}
	}
	return list, nil
}

// deny finds the row of which the question whether it is so is answered by no: the one that fulfils one of two conditions. Where it
// has nothing in the column of the other one, that is not known.
func (i inquiry) deny(ctx context.Context, q query, a *sheet.Answer) error {
	parts := strings.Split(q.where, " AND ")
	if at := slices.IndexFunc(parts, func(part string) bool { return strings.HasPrefix(part, cellOf+" ") }); q.with != "" && at >= 0 {
		rows, err := i.rows(ctx, q, " WHERE "+strings.Join(slices.Delete(parts, at, at+1), " AND "))
		if len(rows) == 1 {
			a.Rows, a.Denied = rows, true // another one
		}
		return err
	}
	if len(parts) != 2 {
		return nil
	}
	for k, part := range parts {
		found, err := i.db.Query(ctx, q.with+"SELECT "+q.row+" FROM "+q.from+" WHERE "+part+" LIMIT 2", database.Limits{})
		if err != nil || len(found.Values) != 1 {
			continue // parts of one condition, or none of one row
		}
		n, err := strconv.Atoi(database.Show(found.Values[0][0]))
		m := quoted.Get().FindStringSubmatch(parts[1-k])
		if err != nil || n < 1 || n > len(i.s.Rows) || m == nil {
			continue
		}
		at := slices.IndexFunc(i.t.Columns, func(c database.DataColumn) bool { return c.Name == m[1] })
		if at < 0 {
			continue
		}
		a.Rows, a.Denied, a.Empty = []int{n - 1}, true, !cell.Filled(strings.TrimSpace(i.s.Rows[n-1][at]))
		return nil
	}
	return ctx.Err()
}

var (
	points  = lazy.New(`(?i)^(?:pts|points|punkte|score|total points|gesamtpunkte)$`)
	places  = lazy.New(`(?i)^(?:#|no\.?|pos\.?|position|rank|ranking|place|platz|rang)$`)
	amounts = lazy.New(`(?i)\b(?:sales|revenues?|turnover|income|costs?|spen[dt]|spending|money|hours|umsatz|umsätze|ausgaben|kosten)\b`)
	placing = lazy.New(`(?i)^who (?:has|have|had|scored|conceded|won|lost|drew|drawn|let in)\b|` +
		`^who (?:is|was|are|came|finished) .*\b(?:first|second|third|fourth|fifth|last|top|bottom)(?: of the \pL+)?\W*$`)
	things = lazy.New(`(?i)^(?:items?|products?|articles?|descriptions?|parts?|ingredients?|tasks?|titles?|artikel|produkte?|bezeichnung|` +
		`beschreibung|zutat|aufgabe)$`)
	anyOf       = lazy.New(`(?i)\b(?:any|anybody|anyone|a single|ever|anything|irgend\pL+|überhaupt|noch)\b`)
	subtotal    = lazy.New(`(?i)^(?:sub-?\s?totals?|zwischensummen?|sous-total)\b`)
	grandTotal  = lazy.New(`(?i)^(?:grand |overall )?(?:total|summe|gesamt|gesamtsumme)\b`)
	shareForm   = lazy.New(`^100\.0 \* SUM\(CASE WHEN (.+) THEN 1 ELSE 0 END\) / COUNT\(\*\)`)
	choosing    = lazy.New(`(?i)^(?:what|which|who|where|was|welche\pL*)\b.{0,20}\b(?:can|could|should|may|kann|können|soll|sollte)\b`)
	dayColumn   = lazy.New(`(?i)^"(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:_\d+)*"$`)
	whatDay     = lazy.New(`(?i)^(?:when|wann|(?:on |an )?(?:what|which|welche[rmn]?) (?:days?|weekdays?|tage?n?|wochentage?n?))\b`)
	person      = lazy.New(`(?i)^(?:who|wer|whose|wessen)\b`)
	quoted      = lazy.New(`^\(?"([^"]+)"`)
	listed      = lazy.New(`(?i)\b(?:which|how many|all(?: of)?(?: the| our| my)?|welche[rs]?|wie viele|alle[rn]?)\s+([\pL-]{3,})`)
	aggregates  = lazy.New(`^(?:COUNT|SUM|ABS\(|AVG|MIN|MAX|ROUND|100\.0 \*|1\.0 \*|\()`)
	monthNamed  = lazy.New(`(?i)\b(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\pL*\b`)
	monthColumn = lazy.New(`(?i)^(?:month|monat|mois|mes)$`)
	quantities  = lazy.New(`(?i)\b(?:qty|quantity|quantities|menge|anzahl|stück|stückzahl)\b`)
	conditioned = lazy.New(`^\(*(?:LOWER\()?"([^"]+)"\)? (?:=|LIKE) '[^']*'\)*$`)
	ofOne       = lazy.New(`\b(?:MIN|MAX)\(("(?:[^"]|"")+")\)`)
	ofColumn    = lazy.New(`\b(?:SUM|AVG|MIN|MAX)\("((?:[^"]|"")+)"(?:\)| \* (?:\d+\)|CASE ))`)
)

// and joins two conditions.
func and(a, b string) string {
	if a == "" {
		return b
	}
	return "(" + a + ") AND " + b
}

// literal writes a value of a result for a statement.
func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return database.SQLite.QuoteText(database.Show(v))
}

// shown writes a row of a result: the one value of it, or what it is of and the values.
func (i inquiry) shown(row []any, q query) string {
	var parts []string
	for k, v := range row {
		text := database.Show(v)
		if f, ok := asFloat(v); ok && (k > 0 || len(row) == 1) {
			text = i.asColumn(f, q.what)
		}
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return parts[0] + ": " + strings.Join(parts[1:], ", ")
}

// number matches the number of a cell, with what stands around it.
var number = regexp.MustCompile(`^([^\d-]*)(-?\d(?:[\d.,' ]*\d)?)(.*)$`)

// decimals is how many digits of an average are shown at most.
const decimals = 2

// asColumn writes a number like those of the column that it is computed of: with its unit, its mark and as many digits.
func (i inquiry) asColumn(f float64, what string) string {
	text := database.Show(f)
	m := ofColumn.Get().FindStringSubmatch(what)
	if m == nil {
		return shortened(text, decimals)
	}
	at := slices.IndexFunc(i.t.Columns, func(c database.DataColumn) bool { return c.Name == strings.ReplaceAll(m[1], `""`, `"`) })
	if at < 0 {
		return shortened(text, decimals)
	}
	digits, comma, before, after, first := 0, false, "", "", true
	for _, row := range i.s.Rows[:min(len(i.s.Rows), len(i.t.Rows))] {
		n := number.FindStringSubmatch(strings.TrimSpace(row[at]))
		if n == nil {
			continue
		}
		if mark := strings.LastIndexAny(n[2], ".,"); mark >= 0 {
			comma = comma || n[2][mark] == ',' && len(n[2])-mark-1 != 3
			digits = max(digits, len(n[2])-mark-1)
		}
		if first {
			before, after, first = n[1], n[3], false
		}
		if n[1] != before || n[3] != after {
			before, after = "", ""
		}
	}
	if strings.Contains(what, "AVG(") {
		digits = max(digits, decimals)
	}
	text = shortened(text, digits)
	if comma {
		text = strings.ReplaceAll(text, ".", ",")
	}
	return before + text + after
}

// shortened rounds a number to some digits behind the point.
func shortened(text string, digits int) string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	text = strconv.FormatFloat(f, 'f', digits, 64)
	if f == float64(int64(f)) {
		text, _, _ = strings.Cut(text, ".")
	}
	return text
}
