package meaning_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/shared/chat/tool/meaning"
	"lectern/shared/database"
	"lectern/shared/database/datatable"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/knowledge/embedding/embeddingtest"
	"lectern/shared/knowledge/embedding/hashembedding"
)

var hires = [][]string{
	{"Hire", "Tool", "Customer", "Out", "Back", "Days booked", "Charge (£)", "Damaged", "Since"},
	{"H-1", "Cement mixer", "Viktor Dahl", "06/12/2025", "14/12/2025", "5", "90.00", "no", "2019"},
	{"H-2", "Mini digger", "Kerr & Sons", "09/12/2025", "10/12/2025", "1", "95.50", "yes", "2021"},
	{"H-3", "Hedge trimmer", "O'Neill's", "12/01/2026", "", "1", "14.00", "no", "2019"},
	{"H-4", "Mini digger", "Viktor Dahl", "20/01/2026", "24/01/2026", "4", "380.00", "no", "2022"},
	{"H-5", "Hedge trimmer", "Kerr & Sons", "02/02/2026", "", "2", "28.00", "yes", "2021"},
}

func open(t *testing.T, name string, rows [][]string) (database.DB, *database.Schema) {
	t.Helper()
	var set datatable.Set
	if err := set.AddRows(name, rows[0], rows[1:]); err != nil {
		t.Fatal(err)
	}
	data, _ := set.Tables()
	db, err := sqldrivers.Opener(nil, sqldrivers.Options{Time: time.Second})(t.Context(),
		database.Target{Address: database.Address{Dialect: database.SQLite}, Tables: data})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	schema, err := db.Schema(t.Context(), database.Everything)
	if err != nil {
		t.Fatal(err)
	}
	return db, schema
}

// TestRead: the plain question that is meant is answered.
func TestRead(t *testing.T) {
	db, schema := open(t, "tool_hire", hires)
	for _, c := range []struct{ question, plain, column, want string }{
		{"how many things are still out there somewhere?", "how many tool hire where no back", "count", "2"},
		{"who wrecks our kit the most often?", "which customer has the most tool hire where damaged", "customer", "Kerr & Sons"},
		{"which tool is the best earner?", "which tool has the highest total charge", "tool", "Mini digger"},
		{"dearest hire so far?", "what is the highest charge", "result", "380"},
		{"how much did Viktor spend with us?", "what is the total charge where customer is Viktor Dahl", "total_charge_gbp", "470"},
		{"what do the O'Neill's pay as a rule?", "what is the average charge where customer is O'Neill's", "average_charge_gbp", "14"},
		{"how many went out in january?", "how many tool hire where out in January", "count", "2"},
		{"how many went out in December 2025?", "how many tool hire where out in December 2025", "count", "2"},
		{"takings in 2026?", "what is the total charge where out in 2026", "total_charge_gbp", "422"},
		{"how many clients joined in 2021?", "how many different customer where since in 2021", "count", "1"},
		{"how many brought in more than 90 quid?", "how many tool hire where charge over 90", "count", "2"},
		{"what share came back broken?", "what percentage of tool hire are damaged", "percent", "40"},
		{"when did anything last go out?", "when is the latest out", "out", "2026-02-02"},
		{"who was the very first to borrow something?", "which customer has the earliest out", "customer", "Viktor Dahl"},
		{"how much more did the diggers bring in than the trimmers?",
			"what is the difference in total charge between tool is Mini digger and tool is Hedge trimmer", "difference", "433.5"},
		{"how many more times did the digger go out than the mixer?",
			"what is the difference in number of tool hire between tool is Cement mixer and tool is Mini digger", "difference", "1"},
		{"which month was our busiest?", "which month of out has the most tool hire where damaged", "month", ""},
		{"on which weekday do we earn most?", "which weekday of out has the highest total charge", "weekday", "Tuesday"},
		{"how many were gone for four days or longer?", "how many tool hire where days booked over 4", "count", "2"},
		{"how many went for more than two days?", "how many tool hire where days booked over 2", "count", "2"},
		{"how many left on a tuesday?", "how many tool hire where out on Tuesday", "count", "2"},
		{"busiest customer, going by the number of times?", "which customer has the most tool hire", "customer", ""},
		{"how many cost 1,000 or less?", "how many tool hire where charge under 1000", "count", "5"},
		{"what percentage of Viktor's came back broken?", "what percentage of tool hire where customer is Viktor Dahl are damaged", "percent", "0"},
		{"how much have Viktor and the O'Neill's spent between them?", "what is the total charge where customer is O'Neill's or Viktor Dahl", "total_charge_gbp", "484"},
		{"how many cost no more than 90 quid?", "how many tool hire where charge under 90", "count", "3"},
		{"how many cost at most 90 quid?", "how many tool hire where charge under 90", "count", "3"},
		{"what did we take in the first quarter of 2026?", "what is the total charge where out in the first quarter of 2026", "total_charge_gbp", "422"},
		{"what did we earn in the second half of the year?", "what is the total charge where out in the second half", "total_charge_gbp", "185.5"},
		{"how many were booked longer than their charge?", "how many tool hire where days booked over charge", "count", "0"},
		{"what percentage of the hires came back broken?", "what percentage of tool hire are damaged", "percent", "40"},
		{"what did H-4 cost?", "what is the charge where hire is H-4", "charge_gbp", "380"},
	} {
		m := embeddingtest.Means(c.question, map[string]float64{c.plain: 3})
		r, ok, err := meaning.Read(t.Context(), database.SQLite, schema, c.question, m)
		if err != nil || !ok || r.Means != c.plain {
			t.Errorf("Read(%q) is %q, %v, %v, want %q", c.question, r.Means, ok, err, c.plain)
			continue
		}
		rows, err := db.Query(t.Context(), r.SQL, database.Limits{})
		if err != nil {
			t.Errorf("%s: %v", r.SQL, err)
			continue
		}
		at := slices.Index(rows.Columns, c.column)
		if c.want == "" && at >= 0 && len(rows.Values) == 2 {
			continue // both
		}
		if at < 0 || len(rows.Values) != 1 || database.Show(rows.Values[0][at]) != c.want {
			t.Errorf("%q: %s: %v of %v, want %s", c.question, r.SQL, rows.Values, rows.Columns, c.want)
		}
	}
}

// TestReadInFull: what is shortened is written out before the model reads it.
func TestReadInFull(t *testing.T) {
	_, schema := open(t, "tool_hire", hires)
	for question, c := range map[string]struct{ full, plain string }{
		"takings in Q1 2026?":     {"takings in the first quarter of 2026?", "what is the total charge where out in the first quarter of 2026"},
		"takings in q4?":          {"takings in the fourth quarter?", "what is the total charge where out in the fourth quarter"},
		"takings in H2 of 2025?":  {"takings in the second half of 2025?", "what is the total charge where out in the second half of 2025"},
		"takings of H-2 by 2025?": {"takings of H-2 by 2025?", ""},
	} {
		r, _, err := meaning.Read(t.Context(), database.SQLite, schema, question, embeddingtest.Means(c.full, map[string]float64{c.plain: 3}))
		if err != nil || r.Means != c.plain {
			t.Errorf("Read(%q) is %q, %v, want %q", question, r.Means, err, c.plain)
		}
	}
}

// TestReadDeclines: what is not clear, names or counts what the plain question does not have, or is in another language, has no meaning.
func TestReadDeclines(t *testing.T) {
	_, schema := open(t, "tool_hire", hires)
	const all, viktor = "what is the total charge", "what is the total charge where customer is Viktor Dahl"
	for name, c := range map[string]struct {
		question string
		odds     map[string]float64
	}{
		"none is meant":      {"what did we earn?", nil},
		"it is not likely":   {"what did we earn?", map[string]float64{all: -2}},
		"two are":            {"what did we earn?", map[string]float64{all: 3, "what is the average charge": 3}},
		"of somebody else":   {"what did Fergus earn us?", map[string]float64{all: 3, viktor: 1}},
		"of another year":    {"what did we earn in 2019?", map[string]float64{all: 3}},
		"of a number":        {"what did the first 3 earn us?", map[string]float64{all: 3}},
		"another language":   {"was haben wir mit den Maschinen eingenommen?", map[string]float64{all: 3}},
		"a share, not a sum": {"what share of it did Viktor pay?", map[string]float64{viktor: 3}},
		"a count, not a sum": {"how often did Viktor come?", map[string]float64{"which tool where customer is Viktor Dahl": 3}},
		"of each":            {"what did we earn per customer?", map[string]float64{all: 3}},
		"of three":           {"which three tools earn most?", map[string]float64{"which tool has the highest total charge": 3}},
		"below zero":         {"how many charged under -5?", map[string]float64{"how many tool hire where charge under 5": 3}},
		"hundreds":           {"how many charged over two hundred?", map[string]float64{"how many tool hire where charge over 2": 3}},
		"since then":         {"what did we earn since January 2026?", map[string]float64{"what is the total charge where out in January 2026": 3}},
		"without him":        {"what did we earn, not counting Viktor?", map[string]float64{viktor: 3}},
		"a day of a year":    {"what did we earn on 2 December 2025?", map[string]float64{"what is the total charge where out in December 2025": 3}},
		"of two months":      {"what did we earn in december and january?", map[string]float64{"what is the total charge where out in December": 3}},
		"of both":            {"what did Viktor and Kerr pay altogether?", map[string]float64{"what is the difference in total charge between customer is Viktor Dahl and customer is Kerr & Sons": 3}},
		"part of a name":     {"what did Vi pay?", map[string]float64{viktor: 3}},
		"this week":          {"what did we earn this week?", map[string]float64{all: 3}},
		"of a quarter":       {"what did we earn in Q2?", map[string]float64{all: 3, "what is the total charge where out in December": 3}},
		"over another":       {"how many booked more than the charge?", map[string]float64{"how many tool hire where damaged": 3}},
		"a share of rows":    {"what percentage of the hires were Viktor's?", map[string]float64{"what percentage of the total days booked are customer is Viktor Dahl": 3}},
		"another adjective":  {"which tool is the heaviest?", map[string]float64{"which tool has the highest total charge": 3}},
		"without a value":    {"how many mini digger hires cost over 90?", map[string]float64{"how many tool hire where charge over 90": 3}},
		"in a whole year":    {"what do we earn in a full year?", map[string]float64{all: 3}},
		"no time":            {"what's the average duration?", map[string]float64{"what is the average charge": 3}},
		"money, not rows":    {"who spent the most with us?", map[string]float64{"which customer has the most tool hire": 3}},
		"a median":           {"what's the median we took?", map[string]float64{all: 3}},
		"the other side":     {"which technician took the most?", map[string]float64{"which customer has the most tool hire": 3}},
		"a product":          {"what did we take (days booked times the charge)?", map[string]float64{all: 3}},
		"a share of money":   {"what share of the takings came from Viktor?", map[string]float64{"what percentage of tool hire are customer is Viktor Dahl": 3}},
		"pieces, not money":  {"how many kilos of sand did Viktor take?", map[string]float64{viktor: 3}},
		"money, not pieces":  {"how much is Viktor still good for?", map[string]float64{"how many tool hire where customer is Viktor Dahl": 3}},
		"too long":           {strings.Repeat("what did we earn and ", 20), map[string]float64{all: 3}},
	} {
		r, sure, err := meaning.Read(t.Context(), database.SQLite, schema, c.question, embeddingtest.Means(c.question, c.odds))
		if maybe := name == "two are"; sure || err != nil || (r.Means != "") != maybe {
			t.Errorf("%s: Read(%q) is %q, %v, %v, want nothing", name, c.question, r.Means, sure, err)
		}
	}
	slow := embeddingtest.Means("", map[string]float64{all: 3})
	slow.Slow = true
	if _, ok, _ := meaning.Read(t.Context(), database.SQLite, schema, "what did we earn?", slow); ok || slow.Asked != nil {
		t.Error("a slow model is asked")
	}
	broken := embeddingtest.Means("", map[string]float64{all: 3})
	broken.Err = errors.New("broken")
	if _, ok, err := meaning.Read(t.Context(), database.SQLite, schema, "what did we earn?", broken); ok || !errors.Is(err, broken.Err) {
		t.Errorf("of a model that fails Read is %v, %v", ok, err)
	}
	for _, s := range []*database.Schema{{}, {Tables: []database.Table{{Name: "a"}}}, {Tables: make([]database.Table, 2)}} {
		if _, ok, err := meaning.Read(t.Context(), database.SQLite, s, "what did we earn?", embeddingtest.Means("", map[string]float64{all: 3})); ok || err != nil {
			t.Errorf("of %d tables Read is %v, %v", len(s.Tables), ok, err)
		}
	}
}

// TestCandidates: each statement runs, whatever the table is like, and has the column that answers.
func TestCandidates(t *testing.T) {
	odd := [][]string{
		{`a "quoted" name`, "select", "from_to", "50 % off", "Größe", "ok?", "day"},
		{"x' OR '1'='1", "b; DROP TABLE t", "-", "1", "3,5", "yes", "2026-01-02"},
		{"x' OR '1'='1", "", "none", "2", "4,5", "", "2026-02-03"},
		{"plain", "%_", "", "", "-1", "no", ""},
	}
	for name, rows := range map[string][][]string{"tool_hire": hires, `odd "table"`: odd, "empty": {{"a", "b"}, {"", ""}}} {
		db, schema := open(t, name, rows)
		n := 0
		for _, question := range []string{
			"who?", "how many x in may 2026 with select b over 1 for Viktor Dahl or Kerr?", "what share of it is plain?", "when was the last one in 2026?",
			"which is the best, the digger or the trimmer, on average?", "how many different ones in February are under 99,999.5?",
		} {
			list, err := meaning.Candidates(t.Context(), &schema.Tables[0], question, hashembedding.New())
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range list {
				n++
				result, err := db.Query(t.Context(), c.SQL, database.Limits{})
				if err != nil {
					t.Errorf("%s: %q: %s: %v", name, c.Text, c.SQL, err)
				} else if !slices.Contains(result.Columns, c.Told) {
					t.Errorf("%s: %q: %s has no column %q", name, c.Text, c.SQL, c.Told)
				}
			}
		}
		if n < 5 {
			t.Errorf("%s: only %d candidates", name, n)
		}
	}
}
