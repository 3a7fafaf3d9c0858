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

// Sheets returns the tables of a document in their order.
func Sheets(doc *document.Document) []Sheet {
	var list []Sheet
	for _, t := range tablesOf(doc) {
		rows := make([][]string, len(t.rows))
		for i, row := range t.rows {
			rows[i] = make([]string, len(t.header))
			copy(rows[i], row)
		}
		list = append(list, Sheet{t.place, t.header, rows, t.lines})
	}
	return list
}
