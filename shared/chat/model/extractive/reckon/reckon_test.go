package reckon_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lectern/shared/chat/model/extractive/reckon"
	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/chat/tool/meaning"
	"lectern/shared/database"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/knowledge/embedding/embeddingtest"
)

// read reads rows of cells that bars part, the first of which has the names of the columns.
func read(name, rows string) sheet.Sheet {
	s := sheet.Sheet{Name: name}
	for line := range strings.SplitSeq(strings.TrimSpace(rows), "\n") {
		s.Rows = append(s.Rows, strings.Split(line, "|"))
	}
	s.Names, s.Rows = s.Rows[0], s.Rows[1:]
	return s
}

const (
	staff = `
Name|Department|City|Holidays left|Deputy
Ann Lee|Sales|Leeds|4|Bob Ray
Bob Ray|IT|York|0|
Cid Orr|Sales|Leeds|12|Ann Lee
Dee Fox|HR|Hull||Bob Ray
Total|||16|`
	orders = `
No|Customer|Status|Amount
1|Lena|shipped|€34.50
2|Omar|pending|€120.00
3|Lena|shipped|€100.25`
	filialen = `
Filiale|Umsatz (EUR)
Köln|184.320,50
Bonn|97.845,20`
	marks = `
Pupil|Group|Mark
Ann|red|4
Bo|red|5
Cy|blue|2
Di|blue|4`
	servers = `
host|os|ram_gb
atlas|Debian 12|64
dione|Windows Server 2019|96
eos|Ubuntu 22.04|16`
	spills = `
Year|Harbour|Quantity spilt|Cause
2018|Havers|45 litres|split hose
2021|Havers|310 litres|collision
2023|Saltmere|20 litres|bilge pump`
)

func TestAsk(t *testing.T) {
	open := sqldrivers.Opener(nil, sqldrivers.Options{})
	for _, tc := range []struct{ name, rows, question, want string }{
		{"", staff, "How many people work in Leeds?", "2 [0 2]"},
		{"", staff, "Who has no holidays left?", " [1 3]"},
		{"", staff, "What is the total of holidays left?", "16 [0 1 2 3]"},
		{"", staff, "Which department has the most people?", "Sales: 2 [0 2]"},
		{"", staff, "How many people work in Rome?", "none"},
		{"", staff, "What is the salary of Ann Lee?", "none"},
		{"", staff, "Who is the deputy of Ann Lee?", " [0]"},
		{"", marks, "What is the difference in average mark between red and blue?", "1.50 [0 1 2 3]"},
		{"", staff, "How many holidays left has Dee Fox?", "empty [3]"},
		{"orders", orders, "Total amount of all orders?", "€254.75 [0 1 2]"},
		{"orders", orders, "What is the average amount?", "€84.92 [0 1 2]"},
		{"orders", orders, "Who placed the largest order?", "the single amount [1]"},
		{"orders", orders, "What is the highest amount?", "€120 [1]"},
		{"orders", orders, "Which orders are pending?", " [1]"},
		{"", filialen, "Wie hoch ist der Umsatz insgesamt?", "282165,70 [0 1]"},
		{"", servers, "Which servers run Ubuntu?", " [2]"},
		{"", servers, "How much RAM do all servers have together?", "176 [0 1 2]"},
		{"spills", spills, "How much was spilt altogether?", "375 litres [0 1 2]"},
		{"spills", spills, "How much did the spills cost us altogether?", "none"},
		{"", servers, "How many dogs are there?", "none"},
		{"", servers, "How many days are there?", "none"},
		{"", servers, "x'); DROP TABLE t; --", "none"},
	} {
		a, err := reckon.New(open, nil, nil)(t.Context(), read(tc.name, tc.rows), tc.question)
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		switch {
		case a != nil && a.Empty:
			got = fmt.Sprint("empty ", a.Rows)
		case a != nil:
			got = fmt.Sprintf("%s %v", a.Value, a.Rows)
		}
		if got != tc.want {
			t.Errorf("%q: %s, want %s", tc.question, got, tc.want)
		}
	}
}

// TestSaid: what is asked to be decided is decided, unless the cell is empty.
func TestSaid(t *testing.T) {
	const tests = "Candidate|Centre|Result\nTom Reed|Leeds|pass\nAnn Lee|York|fail\nGareth Pugh|Leeds|\nMia Orr|Hull|pass"
	open := sqldrivers.Opener(nil, sqldrivers.Options{})
	for question, want := range map[string]string{
		"Did Tom Reed pass?":             "Yes: [0] false",
		"Did Ann Lee pass?":              "No: [1] false",
		"Did Gareth Pugh pass?":          "No: [2] true",
		"how many passed":                "2: [0 3] false",
		"How many candidates are there?": "4: [0 1 2 3] false",
	} {
		a, err := reckon.New(open, nil, nil)(t.Context(), read("", tests), question)
		if err != nil || a == nil {
			t.Fatalf("%q: %v, %v", question, a, err)
		}
		if got := fmt.Sprint(a.Said(question, len(a.Rows)), " ", a.Rows, " ", a.Empty); got != want {
			t.Errorf("%q: %s, want %s", question, got, want)
		}
	}
	if got := (&sheet.Answer{Denied: true}).Said("Ist Herr Demir im Haus?", 1); got != "Nein:" {
		t.Errorf("in German %q", got)
	}
}

// TestRowNumbers: a column that is called like the numbers that SQLite gives rows is none of these.
func TestRowNumbers(t *testing.T) {
	a, err := reckon.New(sqldrivers.Opener(nil, sqldrivers.Options{}), nil, nil)(t.Context(), read("", "rowid|town|_rowid_\n0|Leeds|-5\n-7|York|0\n9|Leeds|1"),
		"How many rows have the town Leeds?")
	if err != nil || a == nil || fmt.Sprint(a.Value, a.Rows) != "2[0 2]" {
		t.Errorf("%v, %v", a, err)
	}
}

// TestMonths: a month is not looked for among days where another column has months.
func TestMonths(t *testing.T) {
	const bills = "Month|Total|Paid on\nJanuary 2024|214.60|09/02/2024\nFebruary 2024|193.15|08/03/2024\nMarch 2024|162.40|10/04/2024"
	a, err := reckon.New(sqldrivers.Opener(nil, sqldrivers.Options{}), nil, nil)(t.Context(), read("", bills), "How much did we pay altogether from January to March?")
	if a != nil || err != nil {
		t.Errorf("%v, %v", a, err)
	}
}

// TestAskFails: where no database can be opened there is no answer; a request that ends ends this.
func TestAskFails(t *testing.T) {
	closed := func(context.Context, database.Target) (database.DB, error) { return nil, errors.New("no memory") }
	if a, err := reckon.New(closed, nil, nil)(t.Context(), read("", staff), "How many people work in Leeds?"); a != nil || err != nil {
		t.Errorf("%v, %v", a, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := reckon.New(closed, nil, nil)(ctx, read("", staff), "How many people work in Leeds?"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that the request is over", err)
	}
}

func TestNamed(t *testing.T) {
	for want, titles := range map[string][]string{
		"orders":       {"Here are our orders:", "t04"},
		"summer hikes": {"", "Summer hikes"},
		"":             {"We meet each second Sunday at the village hall and bring good boots."},
	} {
		if got := sheet.Named(titles...); got != want {
			t.Errorf("Named(%q) = %q, want %q", titles, got, want)
		}
	}
}

// TestAskMeant: a question of which not every word is read is answered by what it means, where the sheet may be asked so.
func TestAskMeant(t *testing.T) {
	const question = "where do the happiest folk sit?"
	model := embeddingtest.Means(question, map[string]float64{"which department has the highest total holidays left": 3})
	ask := reckon.New(sqldrivers.Opener(nil, sqldrivers.Options{}), nil, func() meaning.Model { return model })
	s := read("staff", staff)
	if a, err := ask(t.Context(), s, question); a != nil || err != nil {
		t.Errorf("without being meant the answer is %+v, %v", a, err)
	}
	s.Meant = true
	a, err := ask(t.Context(), s, question)
	if err != nil || a == nil {
		t.Fatalf("the answer is %+v, %v", a, err)
	}
	if got := a.Said(question, len(a.Rows)); got != "Sales: 16 (taken to mean: which department has the highest total holidays left):" || fmt.Sprint(a.Rows) != "[0 2]" {
		t.Errorf("said is %q of %v", got, a.Rows)
	}
	if a, err := ask(t.Context(), s, "How many people work in Leeds?"); err != nil || a == nil || a.Means != "" {
		t.Errorf("what is read has the answer %+v, %v", a, err)
	}
	model.Err = errors.New("broken")
	if _, err := ask(t.Context(), s, question); !errors.Is(err, model.Err) {
		t.Errorf("of a model that fails the error is %v", err)
	}
}
