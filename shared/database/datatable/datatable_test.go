package datatable_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/database"
	"lectern/shared/database/datatable"
	"lectern/shared/fault"
	"lectern/shared/text/document"
)

// TestRecords: rows of a long table are cut into the cells they were made of,
// also where values look like the marks between cells.
func TestRecords(t *testing.T) {
	var b document.Builder
	names := []string{"Name", "Note", "1st Qty", "Name"}
	b.Record(names, []string{"Ada", "x; y: z; 2", "1,200", "0012"})
	b.Record(names, []string{"Bo", "", "7", "34"})
	b.Record(names, []string{"", "Note: again", "", "0"})
	var set datatable.Set
	if err := set.Add("My File", b.Document()); err != nil {
		t.Fatal(err)
	}
	got, cut := set.Tables()
	want := []database.Data{{
		Name: "my_file",
		Columns: []database.DataColumn{{Name: "name", Type: "TEXT"}, {Name: "note", Type: "TEXT"}, {Name: "n_1st_qty", Type: "INTEGER"},
			{Name: "name_2", Type: "TEXT"}},
		Rows: [][]any{{"Ada", "x; y: z; 2", int64(1200), "0012"}, {"Bo", nil, int64(7), "34"}, {nil, "Note: again", nil, "0"}},
	}}
	if diff := cmp.Diff(want, got); diff != "" || cut {
		t.Errorf("Tables: -want +got\n%s", diff)
	}
}

func TestTypes(t *testing.T) {
	var b document.Builder
	b.WholeTable([][]string{{"i", "r", "d", "t", "b", "m", "p|q", "u"}, {"1", "1.5", "2024-01-02", "2024-01-02 03:04", "yes", "1", "5%", "4"},
		{"-2", "$3", "05.02.2024", "", "No", "x", "7 %", "=SUM(H1:H2)"}, {"", "", "", "", "", "=A1", "", "#N/A"}})
	b.WholeTable([][]string{{"1", "2"}, {"3", "4"}})
	var set datatable.Set
	if err := set.Add("a", b.Document()); err != nil {
		t.Fatal(err)
	}
	got, _ := set.Tables()
	var types []string
	for _, c := range got[0].Columns {
		types = append(types, c.Name+" "+c.Type)
	}
	if diff := cmp.Diff([]string{"i INTEGER", "r REAL", "d DATE", "t TIMESTAMP", "b BOOLEAN", "m TEXT", "p_q INTEGER", "u INTEGER"}, types); diff != "" {
		t.Errorf("types: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]any{int64(-2), 3.0, "2024-02-05", nil, int64(0), "x", int64(7), nil}, got[0].Rows[1]); diff != "" {
		t.Errorf("row: -want +got\n%s", diff)
	}
	if len(got) != 2 || got[1].Name != "a_2" || len(got[1].Rows) != 2 {
		t.Errorf("the table without names: %+v", got[1:])
	}
}

// TestTotals: a last row with the sums of the rows above is none of them.
func TestTotals(t *testing.T) {
	for last, want := range map[string]int{"Total": 2, "Summe:": 2, "Totally new": 3} {
		var b document.Builder
		b.WholeTable([][]string{{"Field", "Area"}, {"North", "1.5"}, {"South", "2"}, {last, "3.5"}})
		b.WholeTable([][]string{{"Field", "Area"}, {"North", "1.5"}, {"South", "2"}, {last, "7"}})
		var set datatable.Set
		if err := set.Add("fields", b.Document()); err != nil {
			t.Fatal(err)
		}
		tables, _ := set.Tables()
		if got := len(tables[0].Rows); got != want {
			t.Errorf("%q: %d rows, want %d", last, got, want)
		}
		if got := len(tables[1].Rows); got != 3 {
			t.Errorf("%q that is no sum: %d rows, want 3", last, got)
		}
	}
}

// TestTooWide: a row of very many values is refused, and costs no more than looking at it.
func TestTooWide(t *testing.T) {
	values := make([]string, 200_000)
	for i := range values {
		values[i] = "1"
	}
	var b document.Builder
	b.Record(nil, values)
	var set datatable.Set
	if err := set.Add("wide", b.Document()); fault.CodeOf(err) != fault.TooLarge {
		t.Errorf("Add = %v, want it to be too large", err)
	}
}
