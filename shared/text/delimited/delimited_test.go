package delimited_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault/cputest"
	"lectern/shared/text/delimited"
)

// shown writes the tables of a text, a row a line.
func shown(text string) (list []string) {
	for _, table := range delimited.Find(text) {
		for _, row := range table {
			list = append(list, strings.Join(row.Cells, "|"))
		}
		list = append(list, "")
	}
	return list
}

func TestTables(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"commas":          {"Order,Customer,Price\n1,Joan Hartley,2\n2,Mina,3", []string{"Order|Customer|Price", "1|Joan Hartley|2", "2|Mina|3", ""}},
		"two columns":     {"name,age\nAnn,39\nBob,41", []string{"name|age", "Ann|39", "Bob|41", ""}},
		"two of words":    {"name,town\nAnn,Leeds\nBob,York", []string{"name|town", "Ann|Leeds", "Bob|York", ""}},
		"blanks":          {"name, age, town\nAnn, 39, Leeds\nBob, 41, York", []string{"name|age|town", "Ann|39|Leeds", "Bob|41|York", ""}},
		"quoted":          {"name,note,n\n\"Lee, Ann\",\"said \"\"no\"\"\",1\nBob,\"two\nlines\",2", []string{"name|note|n", `Lee, Ann|said "no"|1`, "Bob|two\nlines|2", ""}},
		"semicolons":      {"Ort;Preis\nKöln;3,50\nBonn;4,00", []string{"Ort|Preis", "Köln|3,50", "Bonn|4,00", ""}},
		"tabs":            {"Item\tQty\tNote\nLamp\t2\t\nChair\t\tblue, old", []string{"Item|Qty|Note", "Lamp|2|", "Chair||blue, old", ""}},
		"one row":         {"a;b;c;d\n1;2;3;4", []string{"a|b|c|d", "1|2|3|4", ""}},
		"text around":     {"Our orders, so far:\nid,item,n\n1,a,2\n2,b,3\nThanks, bye\n", []string{"id|item|n", "1|a|2", "2|b|3", ""}},
		"cells left out":  {"id,item,n\n1,a,2\n2,b\n3,c,4", []string{"id|item|n", "1|a|2", "2|b|", "3|c|4", ""}},
		"two tables":      {"a,b,c\n1,2,3\n4,5,6\n\nx;y\nu;1\nv;2", []string{"a|b|c", "1|2|3", "4|5|6", "", "x|y", "u|1", "v|2", ""}},
		"prose":           {"We went to Rome, and it rained.\nThen we left, as planned,\nand slept, at last, well.", nil},
		"Chinese":         {"第二条 限速八公里,行人优先。\n第三条 严禁吸烟,违者罚款。\n第四条 存放,温度不得超过。", nil},
		"wrapped":         {"The hall,as it was\ncalled then,burned down.\nNobody,it seems,saw it.", nil},
		"numbers":         {"1,234\n2,345\n3,456", nil},
		"list":            {"- red,blue\n- one,two\n- up,down", nil},
		"Markdown":        {"| a,b | c |\n|---|---|\n| 1,2 | 3 |", nil},
		"addresses":       {"Ann Lee, 3 High Street, Leeds\nBob Ray, Low Road 4, York", nil},
		"unclosed":        {"a,b,c\n\"x,1,2\ny,3,4", []string{`a|b|c`, `"x|1|2`, "y|3|4", ""}},
		"empty":           {"", nil},
		"nothing between": {",,,\n,,,\n,,,", nil},
	}
	for name, tc := range tests {
		if d := cmp.Diff(tc.want, shown(tc.text)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// TestPlaces: rows say where they stand, without white space around.
func TestPlaces(t *testing.T) {
	text := "Here:\r\n name,age \r\nAnn,39\r\nBob,41\r\n"
	tables := delimited.Find(text)
	if len(tables) != 1 {
		t.Fatalf("%d tables", len(tables))
	}
	var got []string
	for _, r := range tables[0] {
		got = append(got, text[r.Start:r.End])
	}
	if d := cmp.Diff([]string{"name,age", "Ann,39", "Bob,41"}, got); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
}

// TestOneCharacter: whether lines are a table does not depend on how long one is.
func TestOneCharacter(t *testing.T) {
	for n := range 200 {
		text := "Order,Date,Customer,Qty\n1001,2025-03-02,Joan" + strings.Repeat("x", n) + ",2\n1003,2025-03-04,Mina,3"
		if got := delimited.Find(text); len(got) != 1 || len(got[0]) != 3 {
			t.Fatalf("with %d characters more: %v", n, got)
		}
	}
}

// TestLinear: hostile texts take no more than linear time.
func TestLinear(t *testing.T) {
	for _, unit := range []string{"a,b\n", `"a,`, `","`, "a;b;c\nd,e,f\n", "\t", ",", "\"\n", "a, b, c\n1, 2, 3.\n"} {
		t.Run(fmt.Sprintf("%q", unit), func(t *testing.T) {
			text := strings.Repeat(unit, 1<<20/len(unit))
			cputest.Most(t, 2*time.Second, "Find", func() { delimited.Find(text) })
		})
	}
}
