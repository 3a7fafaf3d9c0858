package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of looking for tables.
const (
	maxTableRows = 5000
	// maxTableWork limits the cells that are compared on one page, because a table is looked for
	// at each row, in many rows, again and again. Printed pages take some ten thousand.
	maxTableWork = 3_000_000
)

// tableAt returns the cells of the table that starts with rows[0] and its
// number of rows; 0 if there is none. A table has at least two consecutive rows
// with several cells in common columns. work is how many cells may still be compared.
func tableAt(rows []row, work *int) (cells [][]string, taken int) {
	if *work < 0 {
		return nil, 0
	}
	for n := tableRows(rows); n > 0; {
		for n > 0 && len(rows[n-1].cells) == 1 {
			n--
		}
		if n < 2 {
			return nil, 0
		}
		members := rows[:n]
		count, single := 0, 0
		for i := range members {
			count += len(members[i].cells)
			if len(members[i].cells) == 1 {
				single++
			}
		}
		if *work -= count; *work < 0 {
			return nil, 0
		}
		columns := columnsOf(members)
		if *work -= single * len(columns); *work < 0 {
			return nil, 0
		}
		if bad := misfit(members, columns); bad >= 0 {
			n = bad
			continue
		}
		if *work -= count * len(columns) / columnsAtOnce; len(columns) < 2 || *work < 0 {
			return nil, 0
		}
		cells = fill(members, columns)
		if len(cells) < 2 {
			return nil, 0
		}
		return cells, n
	}
	return nil, 0
}

// columnsAtOnce is how many columns a cell is compared with in the time that it takes
// to find them.
const columnsAtOnce = 32

// tableRows returns how many rows a table that starts with rows[0] may have.
func tableRows(rows []row) int {
	for i := range rows {
		r := &rows[i]
		if i > 0 && !follows(&rows[i-1], r) {
			return i
		}
		if len(r.cells) == 1 {
			// A continuation line of a cell may be between rows, but a table
			// neither starts nor, see below, ends with prose.
			if i == 0 || utf8.RuneCountInString(r.cells[0].Text) > 90 {
				return i
			}
		}
		if i == maxTableRows {
			return i + 1
		}
	}
	return len(rows)
}

// follows reports whether b is close enough below a to be in one table.
func follows(a, b *row) bool {
	gap := a.y0 - b.y1
	return a.page == b.page && b.y1 <= a.y1 && gap < 1.6*max(a.height(), b.height())
}

// columnsOf returns the columns of rows: the unions of cells that overlap.
func columnsOf(rows []row) []span {
	var cells []span
	for _, r := range rows {
		if len(r.cells) == 1 {
			continue
		}
		for _, c := range r.cells {
			cells = append(cells, span{c.X0, c.X1})
		}
	}
	slices.SortFunc(cells, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var columns []span
	for _, c := range cells {
		if n := len(columns); n > 0 && c.from < columns[n-1].to {
			columns[n-1].to = max(columns[n-1].to, c.to)
			continue
		}
		columns = append(columns, c)
	}
	return columns
}

// misfit returns the first row that shows the end of the table: a single cell
// across columns; -1 if there is none.
func misfit(rows []row, columns []span) int {
	for i, r := range rows {
		if len(r.cells) > 1 {
			continue
		}
		over := 0
		for _, c := range columns {
			if r.x0 < c.to && r.x1 > c.from {
				over++
			}
		}
		if over != 1 {
			return i
		}
	}
	return -1
}

// fill assigns the texts of rows to columns. A row with less than half of the
// cells, and none in the first column, continues the row above, unless it has a
// figure where that has one, as the totals of an invoice have.
func fill(rows []row, columns []span) [][]string {
	var table [][]string
	for _, r := range rows {
		line := make([]string, len(columns))
		filled := 0
		for _, c := range r.cells {
			best, bestOver := 0, -1e9
			for i, col := range columns {
				if over := min(c.X1, col.to) - max(c.X0, col.from); over > bestOver {
					best, bestOver = i, over
				}
			}
			if line[best] == "" {
				filled++
			}
			line[best] = strings.TrimSpace(line[best] + " " + dotLeaders(c.Text))
		}
		n := len(table)
		if n > 0 && (line[0] == "" && filled*2 <= len(columns) || len(r.cells) == 1) && !figures(table[n-1], line) {
			for i, text := range line {
				table[n-1][i] = strings.TrimSpace(table[n-1][i] + " " + text)
			}
			continue
		}
		table = append(table, line)
	}
	return table
}

// figures reports whether two rows have figures in the same column.
func figures(a, b []string) bool {
	for i := range a {
		if isFigure(a[i]) && isFigure(b[i]) {
			return true
		}
	}
	return false
}

// isFigure reports whether a cell has a number alone, with a sign, a currency or a unit of
// three letters at most.
func isFigure(cell string) bool {
	digits, letters := 0, 0
	for _, r := range cell {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits > 0 && letters <= 3
}
