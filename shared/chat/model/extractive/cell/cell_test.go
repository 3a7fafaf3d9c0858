package cell_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/model/extractive/cell"
)

func TestRows(t *testing.T) {
	if d := cmp.Diff([]string{"a|b", "", "c"}, cell.Split(`| a\|b |  | c |`)); d != "" {
		t.Errorf("Split (-want +got):\n%s", d)
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

func TestDays(t *testing.T) {
	for text, want := range map[string]string{
		"Who is there on 23 May 2026?":            "[{2026 5 23}]",
		"on the 3rd of june":                      "[{0 6 3}]",
		"March 5, 2024":                           "[{2024 3 5}]",
		"am 3. März 2024":                         "[{2024 3 3}]",
		"2026-05-23, 24/05/2026 or 25.5.2026":     "[{2026 5 23} {2026 5 24} {2026 5 25}]",
		"Section 10 may be cut, 5 decisions, 3 m": "[]",
		"2026-13-01 and version 1.2.3":            "[]",
	} {
		if got := fmt.Sprint(cell.Days(text)); got != want {
			t.Errorf("Days(%q) = %s, want %s", text, got, want)
		}
	}
	d := cell.Day{Month: 5, Day: 3}
	if !d.Is(cell.Day{Year: 2026, Month: 5, Day: 3}) || d.Is(cell.Day{Year: 2026, Month: 5, Day: 4}) {
		t.Error("Is is wrong")
	}
	if re := regexp.MustCompile(d.Pattern()); !re.MatchString("at 2026-05-03.") || !re.MatchString("3.5.2026") || re.MatchString("2026-05-13") {
		t.Errorf("Pattern() = %s", d.Pattern())
	}
}

func TestMeasures(t *testing.T) {
	for _, c := range []struct {
		column []string
		of     cell.Dimension
		ok     bool
	}{
		{[]string{"900 MB", "2 GB", "–"}, cell.Data, true},
		{[]string{"1 h 20 min", "3 h 30 min (plus overnight)", "55 min"}, cell.Duration, true},
		{[]string{"60 × 80", "150 x 210"}, cell.Area, true},
		{[]string{"£9", "£40.50"}, cell.Money, true},
		{[]string{"12 Euro", "4 €"}, cell.Money, true},
		{[]string{"3", "7"}, "", true},
		{[]string{"3 kg", "7 km"}, "", false},
		{[]string{"1.234 €", "999 €"}, "", false}, // a thousand, or little more than one
		{[]string{"45–65 °C", "50 °C"}, "", false},
		{[]string{"soon"}, "", false},
		{nil, "", false},
	} {
		if of, ok := cell.Measures(c.column); ok != c.ok || ok && of != c.of {
			t.Errorf("Measures(%q) = %q, %v, want %q, %v", c.column, of, ok, c.of, c.ok)
		}
	}
	for less, more := range map[string]string{"900 MB": "2 GB", "55 min": "1 h 5 min", "90 s": "2 min", "60 × 80": "70 × 70", "£9": "£40", "1.5 m": "20 m"} {
		a, one := cell.Measure(less)
		b, other := cell.Measure(more)
		if !one || !other || a >= b {
			t.Errorf("%q is %v, %q is %v", less, a, more, b)
		}
	}
	for word, want := range map[string]string{"longest": "long", "biggest": "big", "largest": "large", "heaviest": "heavy", "längsten": "long", "größte": "big",
		"best": "", "forest": "", "Liste": ""} {
		if got := cell.Adjective(word); got != want && (want != "" || cell.Compared(got, cell.Length)) {
			t.Errorf("Adjective(%q) = %q, want %q", word, got, want)
		}
	}
	if cell.UnitOf("hours") != cell.Duration || cell.UnitOf("house") != "" || !cell.Compared("long", cell.Duration) || cell.Compared("long", cell.Mass) {
		t.Error("units are wrong")
	}
}

// TestAligned reads lines whose cells stand below each other, also where a value fills its column or is wider than it.
func TestAligned(t *testing.T) {
	head := "Course                Day       Room    Tutor            Fee"
	starts := cell.Starts(head)
	if got := cell.Aligned(head); len(got) != 5 || len(starts) != 5 {
		t.Fatalf("Aligned = %q, Starts = %v", got, starts)
	}
	for line, want := range map[string][]string{
		"Bicycle repair        Saturday  Studio1 Mick Dunleavy    £75": {"Bicycle repair", "Saturday", "Studio1", "Mick Dunleavy", "£75"},
		"Bicycle repair        Saturday  Workshop Mick Dunleavy   £75": {"Bicycle repair", "Saturday", "Workshop", "Mick Dunleavy", "£75"},
		"Watercolour                     12                       £9":  {"Watercolour", "", "12", "", "£9"},
		"                      Saturday  12":                           nil,
		"Short":                                                        nil,
	} {
		if d := cmp.Diff(want, cell.Placed(line, starts)); d != "" {
			t.Errorf("Placed(%q) (-want +got):\n%s", line, d)
		}
	}
}

func TestHeader(t *testing.T) {
	for text, want := range map[string]int{
		"name|town\nAnn|Leeds\nBob|York":                     0,
		"Prices 2026||\nItem|Price|Stock\nLamp|3|4\nCup|1|2": 1,
		"Region|2024|2025\nNorth|1|2\nSouth|3|4":             0,
		"|Q1|Q2\nNorth|1|2\nSouth|3|4":                       0,
		"Ann|39|Leeds\nBob|41|York":                          -1,
		"Ann|Leeds\nBob|Leeds\nAnn|York":                     -1,
		"2025-01-01|a\n2025-01-02|b":                         -1,
		"Name|Paid\nAnn|yes\nBob|no":                         0,
		"Name|yes\nAnn|yes\nBob|no":                          -1,
		"Name":                                               -1,
	} {
		var rows [][]string
		for line := range strings.SplitSeq(text, "\n") {
			rows = append(rows, strings.Split(line, "|"))
		}
		if got := cell.Header(rows); got != want {
			t.Errorf("Header(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestPartedIn(t *testing.T) {
	var got []string
	for _, row := range cell.PartedIn("Ours:\nPrices,,\nItem,Price,Note\nLamp,3,a|b\nCup,4,\"x\ny\"\n", "") {
		got = append(got, fmt.Sprint(row.Names, " ", cell.Row(row.Cells)))
	}
	if d := cmp.Diff([]string{"true | Item | Price | Note |", `false | Lamp | 3 | a\|b |`, "false | Cup | 4 | x y |"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestPartedGoesOn: of a table that the text goes on with, no row has the names.
func TestPartedGoesOn(t *testing.T) {
	const rows = "Ann,Leeds\nBob,York\nCid,Hull\n\nname,age\nDee,3\nEve,4"
	var got []string
	for _, row := range cell.PartedIn(rows, "| name | town |") {
		got = append(got, fmt.Sprint(row.Names, " ", row.Cells[0]))
	}
	if d := cmp.Diff([]string{"false Ann", "false Bob", "false Cid", "true name", "false Dee", "false Eve"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestBlock: names of columns may go on in a second line, each below its own.
func TestBlock(t *testing.T) {
	block := func(text string) ([][]string, int) {
		var lines []string
		var list [][]string
		for line := range strings.SplitSeq(text, "\n") {
			lines, list = append(lines, line), append(list, cell.Aligned(line))
		}
		rows, header, _ := cell.Block(lines, list, false)
		return rows, header
	}
	rows, header := block("              Havers    Tolland    Salt\n              Quay      Basin\nOne month     58.00     51.00      41.00\nOne night      3.90      3.40       2.80")
	if header != 1 || len(rows) != 3 || strings.Join(rows[0], "|") != "|Havers Quay|Tolland Basin|Salt" || strings.Join(rows[2], "|") != "One night|3.90|3.40|2.80" {
		t.Errorf("%d %q", header, rows)
	}
	rows, header = block("Length        Lift out   Lift, hold   Back\n                         2 hours\nup to 8 m     165        140          150\nup to 10 m    210        180          190")
	if header != 1 || len(rows) != 3 || rows[0][2] != "Lift, hold 2 hours" {
		t.Errorf("%d %q", header, rows)
	}
	rows, header = block("Length        Lift out   Lift, hold   Back\n8 m           165        140          150\n10 m          210        180          190")
	if header != 0 || len(rows) != 3 || rows[0][2] != "Lift, hold" {
		t.Errorf("%d %q", header, rows)
	}
}
