package datatable_test

import (
	"reflect"
	"testing"

	"lectern/shared/database/datatable"
	"lectern/shared/text/document"
)

// TestSheets: the rows of tables of documents have a cell for each name, and are told as they are written.
func TestSheets(t *testing.T) {
	text := "| No | Name |\n| --- | --- |\n| 7 | Ann |\n| 8 |\n"
	row := func(start, end int) document.Node {
		return document.Node{Type: document.TableRow, Start: start, End: end}
	}
	doc := &document.Document{Text: text, Root: document.Node{Type: document.Root, Children: []document.Node{
		{Type: document.Table, Start: 0, End: len(text), Children: []document.Node{row(0, 13), row(28, 39), row(40, 45)}}}}}
	want := []datatable.Sheet{{Names: []string{"No", "Name"}, Rows: [][]string{{"7", "Ann"}, {"8", ""}}, Lines: []string{"| 7 | Ann |", "| 8 |"}}}
	if got := datatable.Sheets(doc); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
