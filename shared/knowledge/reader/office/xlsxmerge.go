package office

import (
	"maps"
	"slices"
	"strings"

	"lectern/shared/text/document"
)

// mergedRows are the rows of a merged cell in one of its columns, and its text once it was
// read.
type mergedRows struct {
	first, last int
	text        string
	origin      int // the first of its columns
}

// Limits of the merged cells of a sheet that are used.
const (
	maxMerged        = 100_000
	maxMergedColumns = 1000 // of one
)

// merge records a merged range.
func (w *xlsxWriter) merge(ref string) {
	from, to, _ := strings.Cut(ref, ":")
	origin, ok := columnIndex(from)
	end, known := columnIndex(to)
	first, last := rowNumber(from), rowNumber(to)
	if !ok || !known || first <= 0 || last < first || end-origin >= maxMergedColumns {
		return
	}
	for column := origin; column <= end && w.mergedCells < maxMerged; column++ {
		if column > origin || last > first {
			w.mergedCells++
			w.merged[column] = append(w.merged[column], mergedRows{first: first, last: last, origin: origin})
		}
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
	if len(list) > 0 && list[0].first == row && list[0].origin == column {
		list[0].text = text
	}
	if w.merged[column] != nil {
		w.merged[column] = list
	}
}

// mergedText returns the text that a row has from a merged cell, whose first column has text
// in this row if begun is true for it.
func (w *xlsxWriter) mergedText(row, column int, begun func(column int) bool) string {
	list := w.merged[column]
	for len(list) > 0 && list[0].last < row {
		list = list[1:]
	}
	w.merged[column] = list
	switch {
	case len(list) == 0 || list[0].first > row:
	case list[0].origin < column && begun(list[0].origin):
		return document.Covered
	case list[0].origin == column && list[0].first < row:
		return list[0].text
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
