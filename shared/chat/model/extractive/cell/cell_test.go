package cell_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/model/extractive/cell"
)

func TestRows(t *testing.T) {
	if d := cmp.Diff([]string{"a|b", "", "c"}, cell.Split(`| a\|b |  | c |`)); d != "" {
		t.Errorf("Split (-want +got):\n%s", d)
	}
	for between, want := range map[string]bool{"\n|--|\n": true, "\n| :-: | -: |\n": true, "\n| - |\n": true, "\n": false, "\n| a-b |\n": false, "\n\n": false} {
		if got := cell.Ruled(between); got != want {
			t.Errorf("Ruled(%q) = %v", between, got)
		}
	}
	if got, want := cell.Restated("| Flat: | Rent | |", "| 2 |  | free |"), "Flat: 2; free"; got != want {
		t.Errorf("Restated = %q, want %q", got, want)
	}
	if got, want := cell.Restated("| Flat |", "| 2 | 3 |"), "| 2 | 3 |"; got != want {
		t.Errorf("Restated = %q, want %q", got, want)
	}
}

func TestValues(t *testing.T) {
	numbers := map[string]string{"1,050": "1050", "1.234,5": "1234.5", "£13,860": "13860", "42 %": "42", "3 May 2024": "-", "abc": "-", "": "-", "**7**": "7"}
	for text, want := range numbers {
		got := "-"
		if n, ok := cell.Number(text); ok {
			got = fmt.Sprint(n)
		}
		if got != want {
			t.Errorf("Number(%q) = %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]int{"2024-01-31": 20240131, "31.1.2024": 20240131, "31/01/2024": 20240131, "5 March 2023": 20230305,
		"Mar 2023": 20230301, "2014": 20140000, "41200": 0, "12": 0, "soon": 0, "": 0} {
		if got, ok := cell.Date(text); int(got) != want || ok != (want > 0) {
			t.Errorf("Date(%q) = %v, %v, want %d", text, got, ok, want)
		}
	}
	for text, want := range map[string]string{"Yes": "true true", "nein": "false true", "-": "false true", "maybe": "false false"} {
		yes, ok := cell.Affirmed(text)
		if got := fmt.Sprint(yes, " ", ok); got != want {
			t.Errorf("Affirmed(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestRecord(t *testing.T) {
	for text, want := range map[string]string{
		"Name: Ann; Age: 39":           "[Name Age] map[Age:39 Name:Ann]",
		"Name: Ann":                    "[] map[]",
		"He said: yes; and she did":    "[] map[]",
		"Name: Ann; Name: Bob; Age: 1": "[] map[]",
	} {
		names, values := cell.Record(text)
		if got := fmt.Sprint(names, " ", values); got != want {
			t.Errorf("Record(%q) = %s, want %s", text, got, want)
		}
	}
}
