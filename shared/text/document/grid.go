package document

import (
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

// A table up to this size fits one chunk and stays a Markdown table.
const (
	shortRows  = 30
	shortBytes = 900
)

// Row adds a row and skips blank ones. It does not retain the cells.
func (t *Grid) Row(cells []string) {
	last := len(cells)
	for last > 0 && strings.TrimSpace(cells[last-1]) == "" {
		last--
	}
	if last == 0 {
		return
	}
	cells = cells[:last]
	if t.long {
		t.Builder.Record(t.names, cells)
		return
	}
	kept := make([]string, len(cells))
	for i, c := range cells {
		kept[i] = strings.Clone(c)
		t.bytes += len(c)
	}
	t.held = append(t.held, kept)
	if len(t.held) > shortRows || t.bytes > shortBytes {
		t.begin()
	}
}

// begin switches to records.
func (t *Grid) begin() {
	t.long = true
	rows := t.caption()
	if t.held = nil; len(rows) > 1 && isHeader(rows) {
		t.names, rows = rows[0], rows[1:]
	}
	for _, row := range rows {
		t.Builder.Record(t.names, row)
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
	for n < len(rows) && n < 5 && filled(rows[n]) == 1 {
		n++
	}
	if n == len(rows) || filled(rows[n]) == 1 {
		return rows
	}
	for _, row := range rows[:n] {
		t.Builder.Paragraph(strings.Join(row, ""))
	}
	return rows[n:]
}

func filled(row []string) int {
	n := 0
	for _, c := range row {
		if strings.TrimSpace(c) != "" {
			n++
		}
	}
	return n
}

// isHeader reports whether the first row names columns: distinct texts, above
// rows with numbers or other texts.
func isHeader(rows [][]string) bool {
	seen := map[string]bool{}
	for _, c := range rows[0] {
		c = strings.TrimSpace(c)
		if c == "" {
			continue
		}
		if isNumber(c) || seen[c] || len(c) > 120 {
			return false
		}
		seen[c] = true
	}
	return len(seen) > 0 && len(seen)*2 >= len(rows[0])
}

func isNumber(s string) bool {
	s = strings.TrimRight(strings.TrimLeft(strings.TrimSpace(s), "$€£+-("), "%)€ ")
	if s == "" || s[0] != '.' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	_, err := strconv.ParseFloat(strings.NewReplacer(",", "", " ", "").Replace(s), 64)
	return err == nil
}
