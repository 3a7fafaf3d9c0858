package office

import (
	"maps"
	"slices"
	"strings"
)

// mergedRows are the rows of a merged cell, and its text once that was read.
type mergedRows struct {
	first, last int
	text        string
}

// maxMerged bounds the merged cells of a sheet that are looked at.
const maxMerged = 100_000

// merge notes a range of merged cells that spans rows.
func (w *xlsxWriter) merge(ref string) {
	from, to, _ := strings.Cut(ref, ":")
	column, ok := columnIndex(from)
	first, last := rowNumber(from), rowNumber(to)
	if ok && first > 0 && last > first && len(w.merged) < maxMerged && len(w.merged[column]) < maxMerged {
		w.merged[column] = append(w.merged[column], mergedRows{first: first, last: last})
	}
}

// mergedColumns returns the columns in which cells span rows, in order, and
// orders these cells.
func (w *xlsxWriter) mergedColumns() []int {
	for _, list := range w.merged {
		slices.SortFunc(list, func(a, b mergedRows) int { return a.first - b.first })
	}
	return slices.Sorted(maps.Keys(w.merged))
}

// startMerged keeps the text of a cell that spans rows; rows come in order.
func (w *xlsxWriter) startMerged(row, column int, text string) {
	list := w.merged[column]
	for len(list) > 0 && list[0].last < row {
		list = list[1:]
	}
	if len(list) > 0 && list[0].first == row {
		list[0].text = text
	}
	if w.merged[column] != nil {
		w.merged[column] = list
	}
}

// mergedText returns the text that a row has from a cell above it.
func (w *xlsxWriter) mergedText(row, column int) string {
	for _, m := range w.merged[column] {
		if m.last >= row {
			if m.first < row {
				return m.text
			}
			break
		}
	}
	return ""
}

// rowNumber returns the row of a reference such as "AB12", 0 when it has none.
func rowNumber(ref string) int {
	n := 0
	for _, c := range strings.TrimLeft(ref, "ABCDEFGHIJKLMNOPQRSTUVWXYZ$") {
		if c < '0' || c > '9' || n > 1<<20 {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}
