package document

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Grid writes a table row by row. It buffers the first rows until it knows
// whether the table is short: a short one becomes a Markdown table, a longer
// one records with column names. Lines of one cell above the table become
// paragraphs.
type Grid struct {
	Builder *Builder

	held  [][]string
	bytes int
	names []string
	long  bool
}

// A table up to this size fits one chunk and stays a Markdown table. Of a longer one so many rows are looked at, at least, that its
// header is among them.
const (
	shortRows  = 30
	shortBytes = 900
)

// Row adds a row and skips blank ones. It does not retain the cells, which may be Covered.
func (t *Grid) Row(cells []string) {
	last := len(cells)
	for last > 0 && strings.TrimSpace(cells[last-1]) == "" {
		last--
	}
	if last == 0 {
		return
	}
	cells = cells[:last]
	if t.Builder.fullOf(cells) {
		return
	}
	if t.long {
		t.Builder.Record(t.names, t.Builder.said(cells, false))
		return
	}
	kept := make([]string, len(cells))
	for i, c := range cells {
		kept[i] = strings.Clone(c)
		t.bytes += len(c)
	}
	t.held = append(t.held, kept)
	if len(t.held) > shortRows || t.bytes > shortBytes && len(t.held) > headerRows {
		t.begin()
	}
}

// begin switches to records.
func (t *Grid) begin() {
	t.long = true
	rows := oneHeader(t.caption())
	if t.held = nil; len(rows) > 1 && isHeader(rows) {
		t.names, rows = t.Builder.said(rows[0], true), rows[1:]
	}
	for _, row := range rows {
		t.Builder.Record(t.names, t.Builder.said(row, false))
	}
}

// End writes the buffered rows and resets the grid for another table.
func (t *Grid) End() {
	if rows := t.caption(); len(rows) > 0 {
		t.Builder.WholeTable(rows)
	}
	*t = Grid{Builder: t.Builder}
}

// caption writes the single-cell lines above a table and returns the other
// buffered rows.
func (t *Grid) caption() [][]string {
	rows := t.held
	n := 0
	for n < len(rows) && n < 5 && (filled(rows[n]) == 1 || n+1 < len(rows) && isNote(rows[n], rows[n+1])) {
		n++
	}
	if n == len(rows) || filled(rows[n]) == 1 {
		return rows
	}
	for _, row := range rows[:n] {
		t.Builder.Paragraph(strings.Join(slices.DeleteFunc(row, func(c string) bool { return strings.TrimSpace(c) == "" }), " "))
	}
	return rows[n:]
}

// isNote reports whether a row is a title with a note beside it, above a header that tells all columns apart: two texts,
// the first of them in the first column, above at least three times as many.
func isNote(row, header []string) bool {
	if filled(row) != 2 || filled(header) < 6 || cellAt(row, 0) == "" {
		return false
	}
	seen := map[string]bool{}
	for _, c := range header {
		if c = strings.TrimSpace(c); c == "" || c == Covered || isNumber(c) || seen[c] {
			return false
		}
		seen[c] = true
	}
	return true
}

// headerRows is how many rows a header may have.
const headerRows = 3

// oneHeader joins a header of two or three rows, whose upper ones name groups of
// columns, into one: "1st half" over "Plan" and "Actual" becomes "1st half / Plan"
// and "1st half / Actual". Rows of unequal length are padded.
func oneHeader(rows [][]string) [][]string {
	for n := min(headerRows, len(rows)-1) - 1; n > 0; n-- { // the lowest first
		above, below := rows[n-1], rows[n]
		if !groups(above, below) || textOnly(rows[n+1:]) {
			continue
		}
		joined := make([]string, max(len(above), len(below)))
		group := ""
		for i := range joined {
			if name := cellAt(above, i); name != "" {
				group = name
			}
			switch name := cellAt(below, i); {
			case name == "" && isCovered(above, i):
				joined[i] = group
			case name == "", name == group:
				joined[i] = cellAt(above, i)
			case group == "":
				joined[i] = name
			default:
				joined[i] = group + " / " + name
			}
		}
		rows = slices.Concat(rows[:n-1], [][]string{joined}, rows[n+1:])
	}
	return rows
}

// groups reports whether the first of two rows names groups of the columns that the
// second names: it has a gap after a name, where the second has none, and neither
// has a number. Names that would be repeated too much are none.
func groups(above, below []string) bool {
	gap, named := false, false
	for _, a := range above {
		if len(a)*len(below) > maxRepeated {
			return false
		}
	}
	for i := range max(len(above), len(below)) {
		a, b := cellAt(above, i), cellAt(below, i)
		if isNumber(a) && !isYear(a) || isNumber(b) && !isYear(b) || a == "" && b == "" && !isCovered(above, i) {
			return false
		}
		gap = gap || named && a == ""
		named = named || a != ""
	}
	return gap
}

// isYear reports whether a number may be the name of a column.
func isYear(s string) bool {
	return len(s) == 4 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
}

// isTitle reports whether the first row is a title above the header: one text, above
// names of columns, above numbers.
func isTitle(rows [][]string) bool {
	return len(rows) > 2 && filled(rows[0]) == 1 && cellAt(rows[0], 0) != "" && filled(rows[1]) > 1 && !textOnly(rows[2:]) &&
		!slices.ContainsFunc(rows[1], func(c string) bool { return strings.ContainsAny(timeInName.ReplaceAllString(c, ""), "0123456789") })
}

// timeInName matches the years, quarters and halves of years that names of columns have, and units.
var timeInName = regexp.MustCompile(`\b(?:19|20)\d\d\b|\b[QqHh][1-4]\b|\b[1-4]\. (?:Quartal|Halbjahr)\b|\bm[23]\b`)

// textOnly reports whether no cell is a number.
func textOnly(rows [][]string) bool {
	for _, row := range rows {
		if slices.ContainsFunc(row, isNumber) {
			return false
		}
	}
	return true
}

func isCovered(row []string, i int) bool { return i < len(row) && row[i] == Covered }

func cellAt(row []string, i int) string {
	if i < len(row) && row[i] != Covered {
		return strings.TrimSpace(row[i])
	}
	return ""
}

func filled(row []string) int {
	n := 0
	for i := range row {
		if cellAt(row, i) != "" {
			n++
		}
	}
	return n
}

// saysMore reports whether a cell of a row is a sentence, which says something of what stands beside it and names no column.
func saysMore(row []string) bool {
	return slices.ContainsFunc(row, func(c string) bool {
		c = strings.TrimSpace(c)
		return strings.HasSuffix(c, ".") && strings.Count(c, " ") >= sentenceSpaces
	})
}

// sentenceSpaces are in a cell at least that ends in a point and is no name of a column.
const sentenceSpaces = 3

// isHeader reports whether the first row names columns: distinct texts, above
// rows with numbers or other texts.
func isHeader(rows [][]string) bool {
	if saysMore(rows[0]) {
		return false
	}
	seen, years := map[string]bool{}, 0
	for i := range rows[0] {
		c := cellAt(rows[0], i)
		if c == "" {
			continue
		}
		year := isYear(c) && isNumber(c) && len(rows) > 1 && !isYear(cellAt(rows[1], i))
		if isNumber(c) && !year || seen[c] || len(c) > 120 {
			return false
		}
		if seen[c] = true; year {
			years++
		}
	}
	return len(seen) > years && years != 1 && len(seen) > 0 && len(seen)*2 >= len(rows[0])
}

func isNumber(s string) bool {
	s = strings.TrimRight(strings.TrimLeft(strings.TrimSpace(s), "$€£+-("), "%)€ ")
	if s == "" || s[0] != '.' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	_, err := strconv.ParseFloat(strings.NewReplacer(",", "", " ", "").Replace(s), 64)
	return err == nil
}
