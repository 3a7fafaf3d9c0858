package datatable

import (
	"lectern/shared/text/document"
)

// Sheet is a table of a document as it is written there.
type Sheet struct {
	Place string // its sheet or section
	Names []string
	Rows  [][]string // with a cell for each name
	Lines []string   // the rows in the document's text: "| 7 | Ann |", "No: 7; Name: Ann"
}

// Sheets returns the tables of a document in their order, as many of the first as are within the limits of a set.
func Sheets(doc *document.Document) []Sheet {
	var list []Sheet
	cells := 0
	for _, t := range tablesOf(doc) {
		if cells += len(t.header) * len(t.rows); len(t.header) > maxColumns || cells > maxCells {
			return list // as much as is computed over
		}
		for i, row := range t.rows {
			if len(row) != len(t.header) {
				t.rows[i] = make([]string, len(t.header))
				copy(t.rows[i], row)
			}
		}
		list = append(list, Sheet{t.place, t.header, t.rows, t.lines})
	}
	return list
}
