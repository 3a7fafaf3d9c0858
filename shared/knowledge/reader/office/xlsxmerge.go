package office

import (
	"maps"
	"slices"
	"strings"
)

// mergedRows are the rows of a merged cell, and its text once it was read.
type mergedRows struct {
	first, last int
	text        string
}

// maxMerged limits the merged cells of a sheet that are used.
const maxMerged = 100_000

// merge records a merged range that spans rows.
func (w *xlsxWriter) merge(ref string) {
	from, to, _ := strings.Cut(ref, ":")
	column, ok := columnIndex(from)
	first, last := rowNumber(from), rowNumber(to)
	if ok && first > 0 && last > first && len(w.merged) < maxMerged && len(w.merged[column]) < maxMerged {
		w.merged[column] = append(w.merged[column], mergedRows{first: first, last: last})
	}
}

// mergedColumns returns the sorted columns with merged cells, and sorts these cells.
func (w *xlsxWriter) mergedColumns() []int {
	for _, list := range w.merged {
		slices.SortFunc(list, func(a, b mergedRows) int { return a.first - b.first })
	}
	return slices.Sorted(maps.Keys(w.merged))
}

// startMerged stores the text of a merged cell; rows come in order.
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

// mergedText returns the text that a row repeats from a merged cell.
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

// rowNumber returns the row of a reference such as "AB12"; 0 if there is none.
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
