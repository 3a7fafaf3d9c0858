package reckon_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"lectern/shared/chat/model/extractive/reckon"
	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/database/datatable"
	"lectern/shared/database/sqldrivers"
)

// TestKept: a part of a table of a document that is kept is asked as the whole of it; of tables with the same columns, as all of them;
// unless it is open which table that is.
func TestKept(t *testing.T) {
	open := sqldrivers.Opener(nil, sqldrivers.Options{})
	whole := datatable.Sheet{Names: []string{"Name", "Town", "Paid"}, Rows: [][]string{{"Ann", "Leeds", "7"}, {"Bo", "York", "8"}, {"Cy", "Leeds", "9"}},
		Lines: []string{"Name: Ann; Town: Leeds; Paid: 7", "Name: Bo; Town: York; Paid: 8", "Name: Cy; Town: Leeds; Paid: 9"}}
	other := datatable.Sheet{Names: []string{"Town", "Mayor"}, Rows: [][]string{{"Leeds", "Di"}}, Lines: []string{"Town: Leeds; Mayor: Di"}}
	wider := datatable.Sheet{Names: []string{"Name", "Town", "Paid", "Note"}, Rows: [][]string{{"Di", "Leeds", "7", ""}},
		Lines: []string{"Name: Di; Town: Leeds; Paid: 7"}}
	gone := errors.New("the store is gone")
	part := read("members", "Name|Town\nAnn|Leeds\nBo|York")
	part.Collection, part.Artifact = "club", "members.csv"
	for _, c := range []struct {
		tables []datatable.Sheet
		err    error
		value  string
		rows   []int
		lines  []string
	}{
		{[]datatable.Sheet{other, whole}, nil, "2", []int{0, 2}, []string{whole.Lines[0], whole.Lines[2]}},
		{[]datatable.Sheet{whole, whole}, nil, "4", []int{0, 2, 3, 5}, []string{whole.Lines[0], whole.Lines[2], whole.Lines[0], whole.Lines[2]}},
		{[]datatable.Sheet{whole, wider}, nil, "1", []int{0}, nil},
		{nil, nil, "1", []int{0}, nil},
		{nil, gone, "", nil, nil},
	} {
		a, err := reckon.New(open, func(_ context.Context, collection, artifact string) ([]datatable.Sheet, error) {
			if collection != "club" || artifact != "members.csv" {
				t.Errorf("asked for %q of %q", artifact, collection)
			}
			return c.tables, c.err
		}, nil)(t.Context(), part, "How many members are from Leeds?")
		switch {
		case !errors.Is(err, c.err):
			t.Errorf("error %v, want %v", err, c.err)
		case c.err != nil:
		case a == nil || a.Value != c.value || !slices.Equal(a.Rows, c.rows) || !slices.Equal(a.Lines(5), c.lines):
			t.Errorf("answer %+v, want %s of %d", a, c.value, c.rows)
		}
	}
}

// TestLately: a sheet that was asked lately answers the same, other sheets and questions answer by themselves, and who asked may change
// an answer.
func TestLately(t *testing.T) {
	ask := reckon.New(sqldrivers.Opener(nil, sqldrivers.Options{}), nil, nil)
	const leeds, york = "How many members are from Leeds?", "How many members are from York?"
	one := read("members", "Name|Town\nAnn|Leeds\nBo|York\nCy|Leeds")
	other := read("members", "Name|Town\nAnn|Leeds\nBo|York\nCy|York")
	for _, c := range []struct {
		s        sheet.Sheet
		question string
		value    string
		rows     []int
	}{{one, leeds, "2", []int{0, 2}}, {one, leeds, "2", []int{0, 2}}, {other, leeds, "1", []int{0}}, {one, york, "1", []int{1}}, {one, leeds, "2", []int{0, 2}}} {
		a, err := ask(t.Context(), c.s, c.question)
		if err != nil || a == nil || a.Value != c.value || !slices.Equal(a.Rows, c.rows) {
			t.Fatalf("%q: %+v, %v, want %s of %d", c.question, a, err, c.value, c.rows)
		}
		a.Value, a.Rows[0] = "changed", 7
	}
	for range 2 {
		if a, err := ask(t.Context(), one, "Who is the mayor of Leeds?"); a != nil || err != nil {
			t.Errorf("answered with %+v, %v", a, err)
		}
	}
}
