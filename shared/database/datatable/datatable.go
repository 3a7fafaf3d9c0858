// Package datatable extracts typed tables from documents: sheets, delimited
// files, and tables in texts. Names are made safe and unique; a column's type
// is the one that fits all its values.
package datatable

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"lectern/shared/database"
	"lectern/shared/fault"
	"lectern/shared/text/document"
)

// Limits of a set of tables.
const (
	maxTables  = 50
	maxColumns = 500 // of one table
	maxCells   = 3_000_000
)

// Set collects tables. The zero value is ready to use.
type Set struct {
	list  []database.Data
	names map[string]bool
	cells int
	cut   bool
}

// Tables returns the collected tables, and whether the list is truncated.
func (s *Set) Tables() ([]database.Data, bool) { return s.list, s.cut }

// Add adds the tables of a document. TooLarge if they exceed the limits.
func (s *Set) Add(name string, doc *document.Document) error {
	tables := tablesOf(doc)
	for _, t := range tables {
		if len(s.list) == maxTables {
			s.cut = true
			return nil
		}
		own := name
		if len(tables) > 1 && t.place != "" && !strings.EqualFold(t.place, name) {
			own += "_" + t.place
		}
		if err := s.add(own, t); err != nil {
			return err
		}
	}
	return nil
}

// AddRows adds a table of texts whose columns have names. TooLarge if it exceeds the limits.
func (s *Set) AddRows(name string, header []string, rows [][]string) error {
	return s.add(name, table{header: header, rows: rows})
}

// add adds a table; without what is not its own, at its end: its row n is still row n.
func (s *Set) add(name string, t table) error {
	if len(t.header) > maxColumns {
		return fault.New(fault.TooLarge, "a table of %q has over %d columns", name, maxColumns)
	}
	if s.cells += len(t.header) * len(t.rows); s.cells > maxCells {
		return fault.New(fault.TooLarge, "the tables have over %d cells together; name fewer artifacts", maxCells)
	}
	s.list = append(s.list, s.typed(name, withoutAverages(withoutTotals(withoutAverages(t)))))
	return nil
}

// typed converts a table to one with safe names and types.
func (s *Set) typed(name string, t table) database.Data {
	if s.names == nil {
		s.names = map[string]bool{}
	}
	out := database.Data{Name: unique(s.names, safe(name, "table")), Rows: make([][]any, len(t.rows))}
	for i := range out.Rows {
		out.Rows[i] = make([]any, len(t.header))
	}
	seen := map[string]bool{}
	commas := make([]bool, len(t.header)) // by column: its commas are decimal for certain
	for c := range commas {
		commas[c] = decimalCommas(t.rows, c)
	}
	for c, header := range t.header {
		months(t.rows, c)
		decimalPoints(t.rows, c, commas[c], slices.Contains(commas, true))
		dates(t.rows, c)
		unit := unitOf(t.rows, c)
		kind := typeOf(t.rows, c, unit)
		out.Columns = append(out.Columns, database.DataColumn{Name: unique(seen, safe(spelt(header), fmt.Sprintf("column_%d", c+1))),
			Type: kind.declared})
		for i, row := range t.rows {
			if c < len(row) {
				out.Rows[i][c] = kind.value(strings.TrimSuffix(strings.TrimSpace(row[c]), unit))
			}
		}
	}
	return out
}

// spelt writes out the signs of a header that say what its values are: "Fat %", "Rate/night".
func spelt(header string) string {
	if strings.Contains(header, "%") && !percents().MatchString(header) {
		header = strings.ReplaceAll(header, "%", " percent ")
	}
	header = endings().ReplaceAllString(header, "$1")
	if _, below, ok := strings.Cut(header, " / "); !ok || !partName().MatchString(below) || rateUnits().MatchString(below) {
		header = rates().ReplaceAllString(header, "$1 per $2")
	}
	for _, c := range currencies {
		if strings.Contains(header, c.sign) {
			return strings.ReplaceAll(header, c.sign, " ") + " " + c.name
		}
	}
	return header
}

// currencies are the signs of money; of several in one header the first counts.
var currencies = []struct{ sign, name string }{{"€", "eur"}, {"£", "gbp"}, {"$", "usd"}}

var (
	endings = pattern(`(?i)(\pL{4,})(?:/in(?:nen)?|\*in(?:nen)?|:in(?:nen)?|\(in(?:nen)?\))(?:\P{L}|$)`)
	// partName matches the name of a column within a group, as a header of two rows has it, and no unit.
	partName  = pattern(`^\p{Lu}\p{Ll}{2}`)
	rateUnits = pattern(`(?i)^(?:night|hour|day|week|month|year|person|head|unit|piece|item|litre|liter|tonne|ton|kilo|pound|hectare|acre|stunde|tag|woche|monat|` +
		`jahr|nacht|stück|kopf|einheit|personen?|tonne|hektar|quadratmeter)`)
	percents = pattern(`(?i)percent|prozent|pct`)
	rates    = pattern(`(?i)((?:\b(?:rate|price|cost|fee|charge|pay|wage|rent|eur|usd|gbp|chf|kg|t|l)|preis|kosten|satz|miete|lohn|gebühr|ertrag|[€£$])[^/]*)/\s*(\d*\s*\pL+)`)
)

// pattern is an expression that is compiled when it is first used, not at start.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// safe makes a name of letters, digits and underscores that does not start with
// a digit.
func safe(s, otherwise string) string {
	var b strings.Builder
	gap := false
	for _, r := range powers.Replace(s) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('_')
			gap = false
		}
		b.WriteRune(unicode.ToLower(r))
		if b.Len() >= 60 {
			break
		}
	}
	name := b.String()
	switch {
	case name == "":
		return otherwise
	case name[0] >= '0' && name[0] <= '9':
		return "n_" + name
	case strings.HasPrefix(name, "sqlite"):
		return "t_" + name
	}
	return name
}

// powers writes what units are raised to as digits: m² is m2.
var powers = strings.NewReplacer("²", "2", "³", "3")

// unique makes a name unique by appending a number.
func unique(seen map[string]bool, name string) string {
	try := name
	for n := 2; seen[try]; n++ {
		try = fmt.Sprintf("%s_%d", name, n)
	}
	seen[try] = true
	return try
}

// table is a table of strings.
type table struct {
	place  string // its sheet or section
	header []string
	rows   [][]string
	lines  []string // the rows as they are written, of tables of documents
}

// tablesOf returns the tables of a document in order.
func tablesOf(doc *document.Document) []table {
	var list []table
	var visit func(n *document.Node, place string)
	visit = func(n *document.Node, place string) {
		if n.Title != "" && (n.Type == document.Page || n.Type == document.Section) {
			place = n.Title
		}
		if n.Type == document.Table {
			if t, ok := tableOf(doc.Text, n); ok {
				t.place = place
				list = append(list, t)
			}
			return
		}
		for i := range n.Children {
			visit(&n.Children[i], place)
		}
	}
	visit(&doc.Root, "")
	return list
}

func tableOf(text string, n *document.Node) (table, bool) {
	var t table
	if len(n.Children) == 0 {
		return t, false
	}
	first := text[n.Children[0].Start:n.Children[0].End]
	if strings.HasPrefix(first, "|") {
		for _, row := range n.Children {
			t.rows = append(t.rows, cells(text[row.Start:row.End]))
			t.lines = append(t.lines, text[row.Start:row.End])
		}
		if named(t.rows[0]) {
			t.header, t.rows, t.lines = t.rows[0], t.rows[1:], t.lines[1:]
		} else {
			t.header = make([]string, len(t.rows[0]))
			if strings.Join(t.rows[0], "") == "" {
				t.rows, t.lines = t.rows[1:], t.lines[1:] // of a table without names
			}
		}
		return t, len(t.rows) > 0
	}
	if !strings.HasPrefix(first, "- ") {
		return t, false
	}
	if t.header = n.Columns; len(t.header) > maxColumns {
		return t, true // it is refused
	}
	for _, row := range n.Children {
		record := strings.TrimPrefix(text[row.Start:row.End], "- ")
		values := fields(record, n.Columns)
		if more := len(values) - len(t.header); more > 0 {
			t.header = append(slices.Clip(t.header), make([]string, more)...)
		}
		if row.Level > 0 && len(t.rows) > 0 { // it goes on with the row of the record before
			whole := t.rows[len(t.rows)-1]
			for i, v := range values[:min(len(values), len(whole))] {
				if v != "" {
					whole[i] = v
				}
			}
			continue
		}
		t.rows, t.lines = append(t.rows, values), append(t.lines, record)
	}
	return t, true
}

// named reports whether a row can be a header: it is not a row of numbers, but for years beside names.
func named(row []string) bool {
	filled, years := 0, 0
	for _, c := range row {
		if _, isNumber := plainNumber(c); isNumber {
			if len(c) != 4 || !strings.HasPrefix(c, "19") && !strings.HasPrefix(c, "20") {
				return false
			}
			years++
		}
		if c != "" {
			filled++
		}
	}
	return filled > years && years != 1
}

// cells splits a row of a Markdown table.
func cells(row string) []string {
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	var list []string
	var b strings.Builder
	for i := 0; i < len(row); i++ {
		switch {
		case row[i] == '\\' && i+1 < len(row) && row[i+1] == '|':
			b.WriteByte('|')
			i++
		case row[i] == '|':
			list = append(list, strings.TrimSpace(b.String()))
			b.Reset()
		default:
			b.WriteByte(row[i])
		}
	}
	return append(list, strings.TrimSpace(b.String()))
}

// fields splits a record of named values, which are in the order of the
// columns, without empty ones. Records of documents stored without column names
// are split by their separators.
func fields(record string, columns []string) []string {
	if len(columns) == 0 {
		return strings.Split(record, "; ")
	}
	values := make([]string, len(columns))
	at := -1 // the column of the current value
	for rest := record; rest != ""; {
		next, skip := columnAt(rest, columns, at+1)
		if next < 0 { // a value beyond the named columns
			values = append(values, rest)
			break
		}
		rest = rest[skip:]
		end, follows := len(rest), ""
		for from := 0; ; {
			i := strings.Index(rest[from:], "; ")
			if i < 0 {
				break
			}
			i += from
			if c, _ := columnAt(rest[i+2:], columns, next+1); c >= 0 {
				end, follows = i, rest[i+2:]
				break
			}
			from = i + 2
		}
		values[next] = rest[:end]
		at, rest = next, follows
	}
	return values
}

// columnAt returns the first column, from index from on, whose name starts s,
// and the length of the name with its colon. A column without a name has length
// 0.
func columnAt(s string, columns []string, from int) (column, length int) {
	for i := from; i < len(columns); i++ {
		if columns[i] == "" {
			continue
		}
		if prefix := columns[i] + ": "; strings.HasPrefix(s, prefix) {
			return i, len(prefix)
		}
	}
	return -1, 0
}
