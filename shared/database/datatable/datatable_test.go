package datatable_test

import (
	"fmt"
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

// TestDates: days as people write them; a column whose cells do not agree stays text.
func TestDates(t *testing.T) {
	tests := []struct {
		typed string
		cells []string
		want  []any
	}{
		{"DATE", []string{"31/10/2023", "05/04/2024", ""}, []any{"2023-10-31", "2024-04-05", nil}},
		{"DATE", []string{"10/31/2023", "4/5/24", "-"}, []any{"2023-10-31", "2024-04-05", nil}},
		{"DATE", []string{"3 March 2026", "1st May 2026", "Mon, 2 Sept 2019"}, []any{"2026-03-03", "2026-05-01", "2019-09-02"}},
		{"DATE", []string{"March 3, 2026", "Dec. 24, 1999"}, []any{"2026-03-03", "1999-12-24"}},
		{"DATE", []string{"3. März 2026", "Montag, 04.05.2026", "01-Dez-25"}, []any{"2026-03-03", "2026-05-04", "2025-12-01"}},
		{"DATE", []string{"1er août 2026", "14 juillet 1989", "2024-02-29"}, []any{"2026-08-01", "1989-07-14", "2024-02-29"}},
		{"DATE", []string{"01.02.62", "03.04.07"}, []any{"1962-02-01", "2007-04-03"}},
		{"TIMESTAMP", []string{"31/10/2023 9:05", "01/11/2023 12:30 am"}, []any{"2023-10-31 09:05:00", "2023-11-01 00:30:00"}},
		{"TEXT", []string{"31/10/2023", "10/31/2023"}, []any{"31/10/2023", "10/31/2023"}},
		{"TEXT", []string{"31/10/2023", "soon"}, []any{"31/10/2023", "soon"}},
		{"TEXT", []string{"30/02/2023", "01/01/2024"}, []any{"30/02/2023", "01/01/2024"}},
		{"TEXT", []string{"1.2.10", "1.12.3"}, []any{"1.2.10", "1.12.3"}},
		{"TEXT", []string{"3 Marmots 2026"}, []any{"3 Marmots 2026"}},
		{"TEXT", []string{"yes", "-"}, []any{"yes", "-"}},
		{"REAL", []string{"1.5", "n/a", "–"}, []any{1.5, nil, nil}},
	}
	for _, tc := range tests {
		var b document.Builder
		rows := [][]string{{"what", "other"}}
		for _, c := range tc.cells {
			rows = append(rows, []string{c, "x"})
		}
		b.WholeTable(rows)
		var set datatable.Set
		if err := set.Add("a", b.Document()); err != nil {
			t.Fatal(err)
		}
		tables, _ := set.Tables()
		var got []any
		for _, row := range tables[0].Rows {
			got = append(got, row[0])
		}
		if diff := cmp.Diff(tc.want, got); diff != "" || tables[0].Columns[0].Type != tc.typed {
			t.Errorf("%q is %s, want %s: -want +got\n%s", tc.cells, tables[0].Columns[0].Type, tc.typed, diff)
		}
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

// TestTotalsOfMore: a last row that is called a total and says nothing but figures is none of the rows, whatever it sums up.
func TestTotalsOfMore(t *testing.T) {
	for last, want := range map[string]int{"Total": 2, "Toto": 3} {
		var b document.Builder
		b.WholeTable([][]string{{"Day", "Trade", "Hours"}, {"1.2.2026", "Roof", "4"}, {"2.2.2026", "Walls", "5"}, {last, "", "700"}})
		var set datatable.Set
		if err := set.Add("diary", b.Document()); err != nil {
			t.Fatal(err)
		}
		if tables, _ := set.Tables(); len(tables[0].Rows) != want {
			t.Errorf("%q: %d rows, want %d", last, len(tables[0].Rows), want)
		}
	}
}

// TestAverages: a last row with the averages of the rows above is none of them.
func TestAverages(t *testing.T) {
	for last, want := range map[string]int{"Average": 2, "Ø": 2, "Averill": 3} {
		var b document.Builder
		b.WholeTable([][]string{{"Pupil", "Mark"}, {"Ann", "60"}, {"Bob", "71"}, {last, "65.5"}})
		var set datatable.Set
		if err := set.Add("exam", b.Document()); err != nil {
			t.Fatal(err)
		}
		tables, _ := set.Tables()
		if got := len(tables[0].Rows); got != want {
			t.Errorf("%q: %d rows, want %d", last, got, want)
		}
	}
}

// TestThousands: points stand between thousands in a table whose other columns have decimal commas, in its totals, too.
func TestThousands(t *testing.T) {
	var b document.Builder
	b.WholeTable([][]string{{"Wein", "Flaschen", "Preis"}, {"Riesling", "580", "7,5"}, {"Silvaner", "1.332", "8,25"}, {"Summe", "1.912", ""}})
	b.WholeTable([][]string{{"Part", "Length"}, {"Rod", "580"}, {"Pipe", "1.332"}})
	var set datatable.Set
	if err := set.Add("wine", b.Document()); err != nil {
		t.Fatal(err)
	}
	tables, _ := set.Tables()
	if diff := cmp.Diff([][]any{{"Riesling", int64(580), 7.5}, {"Silvaner", int64(1332), 8.25}}, tables[0].Rows); diff != "" {
		t.Errorf("rows: -want +got\n%s", diff)
	}
	if diff := cmp.Diff([][]any{{"Rod", 580.0}, {"Pipe", 1.332}}, tables[1].Rows); diff != "" {
		t.Errorf("rows without commas: -want +got\n%s", diff)
	}
}

// TestNames: signs of headers that say what values are stay in the names of columns.
func TestNames(t *testing.T) {
	var b document.Builder
	b.WholeTable([][]string{{"Fat %", "Rate/night £", "Price (€)", "Driver/in", "Use l/100 km", "Name/Title", "Betrag (€) / Einnahme", "Fee £ / Night"},
		{"1", "2", "3", "a", "4", "b", "5", "6"}, {"1", "2", "3", "a", "4", "b", "5", "6"}})
	var set datatable.Set
	if err := set.Add("a", b.Document()); err != nil {
		t.Fatal(err)
	}
	tables, _ := set.Tables()
	var got []string
	for _, c := range tables[0].Columns {
		got = append(got, c.Name)
	}
	want := []string{"fat_percent", "rate_per_night_gbp", "price_eur", "driver", "use_l_per_100_km", "name_title", "betrag_einnahme_eur", "fee_per_night_gbp"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names: -want +got\n%s", diff)
	}
}

// TestYearsAsNames: years beside names are names of columns, too; a row of numbers is none.
func TestYearsAsNames(t *testing.T) {
	for first, want := range map[string]int{"Meter": 2, "7": 3} {
		var b document.Builder
		b.WholeTable([][]string{{first, "2024", "2025"}, {"M1", "310", "290"}, {"M2", "40", "44"}})
		var set datatable.Set
		if err := set.Add("water", b.Document()); err != nil {
			t.Fatal(err)
		}
		if tables, _ := set.Tables(); len(tables[0].Rows) != want {
			t.Errorf("%q: %d rows, want %d", first, len(tables[0].Rows), want)
		}
	}
}

// TestWithoutNames: a table that has no names of columns keeps its first row.
func TestWithoutNames(t *testing.T) {
	var b document.Builder
	b.WholeTable([][]string{{"query", "Dumps the inputs of a target."}, {"clean", "Removes what was built."}})
	var set datatable.Set
	if err := set.Add("tools", b.Document()); err != nil {
		t.Fatal(err)
	}
	if tables, _ := set.Tables(); len(tables[0].Rows) != 2 {
		t.Errorf("%d rows, want 2", len(tables[0].Rows))
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

// TestManyColumns: a row whose values are written as several records is one row.
func TestManyColumns(t *testing.T) {
	var b document.Builder
	g := document.Grid{Builder: &b}
	row := func(first string, of func(i int) string) {
		cells := []string{first}
		for i := range 99 {
			cells = append(cells, of(i))
		}
		g.Row(cells)
	}
	row("Station", func(i int) string { return fmt.Sprintf("Depth in week %d", i) })
	for n := range 40 {
		row(fmt.Sprint("S", n), func(i int) string { return fmt.Sprint(1000*n + i) })
	}
	g.End()
	var set datatable.Set
	if err := set.Add("depths", b.Document()); err != nil {
		t.Fatal(err)
	}
	tables, _ := set.Tables()
	if len(tables) != 1 || len(tables[0].Rows) != 40 || len(tables[0].Columns) != 100 {
		t.Fatalf("%d tables, want one of 40 rows and 100 columns", len(tables))
	}
	for n, values := range tables[0].Rows {
		for i, v := range values[1:] {
			if fmt.Sprint(v) != fmt.Sprint(1000*n+i) {
				t.Fatalf("row %d has %v in column %d", n, v, i+1)
			}
		}
	}
}

// TestMonths: months that are written with numbers are stored as ISO 8601 writes them; one cell alone may be a decimal.
func TestMonths(t *testing.T) {
	var b document.Builder
	b.WholeTable([][]string{{"due", "one", "mixed", "named"}, {"04.2026", "4.2026", "04.2026", "Oct 2024"}, {"11/2026", "", "4.5", "März 2025"}})
	var set datatable.Set
	if err := set.Add("a", b.Document()); err != nil {
		t.Fatal(err)
	}
	got, _ := set.Tables()
	want := [][]any{{"2026-04", 4.2026, "04.2026", "2024-10"}, {"2026-11", nil, "4.5", "2025-03"}}
	if diff := cmp.Diff(want, got[0].Rows); diff != "" {
		t.Errorf("rows: -want +got\n%s", diff)
	}
}
