package sheet_test

import (
	"strings"
	"testing"

	"lectern/shared/chat/model/extractive/sheet"
)

// TestComputes: what is computed of rows is no row, unless one tells it.
func TestComputes(t *testing.T) {
	for _, c := range []struct {
		question, told string
		rows           int
		want           bool
	}{
		{"What percentage of our income did we save?", "Month: May; Income: 4305; Savings: 950", 2, true},
		{"What percentage of our income did we save?", "Month: May; Income: 4305; Saved (%): 22", 1, false},
		{"How many orders did Ann place?", "No: 7; Customer: Ann", 2, true},
		{"How many seats does the Transit have?", "Vehicle: Transit; Seats: 3", 1, false},
		{"What do the wages come to in total?", "Name: Kofi; Hours: 40; Pay: £12.40", 3, true},
		{"What did we pay in total?", "Invoice: 7; Net: 90; Total: 107", 1, false},
		{"Wie viele verschiedene Marken haben wir?", "Marke: VW; Modell: Golf", 1, true},
		{"Who drives the Transit?", "Vehicle: Transit; Driver: Marek", 2, false},
	} {
		if got := sheet.Computes(c.question, c.told, c.rows); got != c.want {
			t.Errorf("%q of %q: %t", c.question, c.told, got)
		}
	}
}

// TestMissing: of a list the rows that are not written are searched for; of what is computed, some where none is.
func TestMissing(t *testing.T) {
	of := &sheet.Sheet{Lines: []string{"a", "b", "c", "d"}}
	has := func(line string) bool { return line == "b" }
	for name, c := range map[string]struct {
		a    sheet.Answer
		want string
	}{
		"a list":                {sheet.Answer{Of: of, Rows: []int{0, 1, 3}}, "a d"},
		"too many":              {sheet.Answer{Of: of, Rows: []int{0, 1, 2, 3}}, "a c"},
		"computed":              {sheet.Answer{Of: of, Rows: []int{0, 1}, Computed: true}, ""},
		"a value":               {sheet.Answer{Of: of, Rows: []int{0, 1}, Value: "7"}, ""},
		"computed, not written": {sheet.Answer{Of: of, Rows: []int{0, 2}, Computed: true}, "a c"},
		"not kept":              {sheet.Answer{Rows: []int{0, 1}}, ""},
	} {
		if got := strings.Join(c.a.Missing(2, has), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestSaid: where a list has more rows than are shown, it says how many.
func TestSaid(t *testing.T) {
	for want, a := range map[string]sheet.Answer{
		"3 (1–2):": {Rows: []int{0, 1, 2}},
		"":         {Rows: []int{0, 1}},
		"7:":       {Rows: []int{0, 1, 2}, Value: "7"},
	} {
		if got := a.Said("List the people from Belgium", 2); got != want {
			t.Errorf("%+v says %q, want %q", a, got, want)
		}
	}
}

// TestSeveral: which questions several rows may answer.
func TestSeveral(t *testing.T) {
	for question, want := range map[string]bool{
		"List the Otter SC swimmers born after 2011":  true,
		"Which branches are in the West district?":    true,
		"Which Otter SC swimmers were born in 2012?":  true,
		"List the people from Belgium":                true,
		"Who is from Belgium?":                        true,
		"What is the unit price of the hard hat?":     false,
		"When was the invoice paid?":                  false,
		"What was the longest hike that we did then?": false,
	} {
		if got := sheet.Several.In(question); got != want {
			t.Errorf("%q: %v", question, got)
		}
	}
}

func TestAsked(t *testing.T) {
	for question, want := range map[string][2]string{
		"Which is the heaviest crate?":            {"Which is the heaviest crate?", "heaviest"},
		"Which is heavier, Ulm or Aue?":           {"Which is heaviest, Ulm or Aue?", "heavier heaviest"},
		"Who has more beds, Ulm or Aue?":          {"Who has most beds, Ulm or Aue?", "more most"},
		"Wer ist schneller, Ulm oder Aue?":        {"Wer ist schnellste, Ulm oder Aue?", "schneller schnellste"},
		"Which crates are heavier than 5 kg?":     {"Which crates are heavier than 5 kg?", ""},
		"Is Ulm larger?":                          {"Is Ulm larger?", ""},
		"How many crates are there, more or less": {"How many crates are there, more or less", ""},
	} {
		text, words, compares := sheet.Asked(question)
		if text != want[0] || words != want[1] || words != "" && compares != strings.Contains(words, " ") {
			t.Errorf("%q is %q by %q", question, text, words)
		}
	}
}

// TestWanted: a verb that ends like a noun in the plural is none.
func TestWanted(t *testing.T) {
	for question, want := range map[string]string{
		"How many different towns are there?": "towns are", "Which towns have a pool?": "towns have",
		"Which database does the queue use?": "", "Which town is the largest?": "",
	} {
		if got, _ := sheet.Wanted(question); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
