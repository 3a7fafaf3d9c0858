package formats_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestMergedCells: what a merged cell says is said in each row and column that it spans, but
// a title, a row of one cell and the label of a figure once.
func TestMergedCells(t *testing.T) {
	const want = "| Ward | Bed | Plan / Mon | Plan / Tue |\n| --- | --- | --- | --- |\n| A | 1 | closed | closed |\n| A | 2 | 7 | 8 |\n" +
		"| Nights |  |  |  |\n| all |  | 9 | 8 |"
	sheet := workbook(t, func(f *excelize.File) {
		for cell, value := range map[string]any{"A1": "Ward", "B1": "Bed", "C1": "Plan", "C2": "Mon", "D2": "Tue", "A3": "A", "B3": 1, "C3": "closed",
			"B4": 2, "C4": 7, "D4": 8, "A5": "Nights", "A6": "all", "C6": 9, "D6": 8} {
			set(t, f, cell, value, "")
		}
		for _, c := range [][2]string{{"A1", "A2"}, {"B1", "B2"}, {"C1", "D1"}, {"A3", "A4"}, {"C3", "D3"}, {"A5", "D5"}, {"A6", "B6"}, {"F1", "H9"}} {
			if err := f.MergeCell("Sheet1", c[0], c[1]); err != nil {
				t.Fatal(err)
			}
		}
	})
	word := func(text, properties string) string {
		return "<w:tc><w:tcPr>" + properties + "</w:tcPr><w:p><w:r><w:t>" + text + "</w:t></w:r></w:p></w:tc>"
	}
	const begin, on = `<w:vMerge w:val="restart"/>`, `<w:vMerge/>`
	span := func(n string) string { return `<w:gridSpan w:val="` + n + `"/>` }
	slide := func(text, attrs string) string {
		return "<a:tc " + attrs + "><a:txBody><a:p><a:r><a:t>" + text + "</a:t></a:r></a:p></a:txBody></a:tc>"
	}
	const right, down = `hMerge="1"`, `vMerge="1"`
	open := func(text, attrs string) string {
		return "<table:table-cell " + attrs + "><text:p>" + text + "</text:p></table:table-cell>"
	}
	covered := func(n string) string {
		return `<table:covered-table-cell table:number-columns-repeated="` + n + `"/>`
	}
	rows := `rows-spanned="2"`
	openRows := joined("<table:table-row>", "</table:table-row>",
		open("Ward", "table:number-"+rows)+open("Bed", "table:number-"+rows)+open("Plan", `table:number-columns-spanned="2"`)+covered("1"),
		covered("2")+open("Mon", "")+open("Tue", ""),
		open("A", "table:number-"+rows)+open("1", "")+open("closed", `table:number-columns-spanned="2"`)+covered("1"),
		covered("1")+open("2", "")+open("7", "")+open("8", ""),
		open("Nights", `table:number-columns-spanned="4"`)+covered("3"),
		open("all", `table:number-columns-spanned="2"`)+covered("1")+open("9", "")+open("8", ""))
	for _, c := range []struct{ name, data string }{
		{"a.xlsx", sheet},
		{"a.html", `<table><tr><th rowspan=2>Ward<th rowspan=2>Bed<th colspan=2>Plan<tr><th>Mon<th>Tue<tr><td rowspan=2>A<td>1<td colspan=2>closed` +
			`<tr><td>2<td>7<td>8<tr><td colspan=4>Nights<tr><td colspan=2>all<td>9<td>8</table>`},
		{"a.docx", docx("<w:tbl>"+joined("<w:tr>", "</w:tr>",
			word("Ward", begin)+word("Bed", begin)+word("Plan", span("2")), word("", on)+word("", on)+word("Mon", "")+word("Tue", ""),
			word("A", begin)+word("1", "")+word("closed", span("2")), word("", on)+word("2", "")+word("7", "")+word("8", ""),
			word("Nights", span("4")), word("all", span("2"))+word("9", "")+word("8", ""))+"</w:tbl>", nil)},
		{"a.pptx", slideShow("<p:graphicFrame><a:tbl>"+joined("<a:tr>", "</a:tr>",
			slide("Ward", `rowSpan="2"`)+slide("Bed", `rowSpan="2"`)+slide("Plan", `gridSpan="2"`)+slide("", right),
			slide("", down)+slide("", down)+slide("Mon", "")+slide("Tue", ""),
			slide("A", `rowSpan="2"`)+slide("1", "")+slide("closed", `gridSpan="2"`)+slide("", right),
			slide("", down)+slide("2", "")+slide("7", "")+slide("8", ""),
			slide("Nights", `gridSpan="4"`)+slide("", right)+slide("", right)+slide("", right),
			slide("all", `gridSpan="2"`)+slide("", right)+slide("9", "")+slide("8", ""))+"</a:tbl></p:graphicFrame>", "", nil)},
		{"a.odt", openText("", "<table:table>"+openRows+"</table:table>", nil)},
		{"a.ods", zipped(map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
			"content.xml": `<office:document-content><office:body><office:spreadsheet><table:table table:name="S">` + openRows +
				`</table:table></office:spreadsheet></office:body></office:document-content>`})},
	} {
		if d := read(t, c.name, c.data); d.Text != want {
			t.Errorf("%s: Text =\n%s\nwant\n%s", c.name, d.Text, want)
		}
	}
}

// TestMergedRecords: in a long sheet too.
func TestMergedRecords(t *testing.T) {
	d := read(t, "a.xlsx", workbook(t, func(f *excelize.File) {
		set(t, f, "A1", "Day", "")
		set(t, f, "B1", "Morning", "")
		set(t, f, "C1", "Evening", "")
		for row := 2; row < 60; row++ {
			n := strconv.Itoa(row)
			set(t, f, "A"+n, row, "")
			set(t, f, "B"+n, "duty "+n, "")
			if row == 40 {
				if err := f.MergeCell("Sheet1", "B"+n, "C"+n); err != nil {
					t.Fatal(err)
				}
				continue
			}
			set(t, f, "C"+n, "rest", "")
		}
	}))
	if want := "\n- Day: 40; Morning: duty 40; Evening: duty 40\n"; !strings.Contains(d.Text, want) {
		t.Errorf("Text = %q, want %q in it", d.Text, want)
	}
}

// joined puts each of several parts between the same two texts.
func joined(before, after string, parts ...string) string {
	return before + strings.Join(parts, after+before) + after
}

// TestMergedLong: a few cells that span many others do not make a text far larger than the
// file.
func TestMergedLong(t *testing.T) {
	cell := "<td rowspan=1000 colspan=20>" + strings.Repeat("word ", 200)
	d := read(t, "a.html", "<table><tr>"+strings.Repeat(cell, 50)+strings.Repeat("<tr><td>x", 1000)+"</table>")
	if len(d.Text) > 12<<20 {
		t.Errorf("the text has %d bytes", len(d.Text))
	}
}
