package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"lectern/shared/database/datatable"
	"lectern/shared/knowledge/reader"
	"lectern/shared/text/document"
)

// workbook makes a file of one sheet by excelize, which writes formulas
// without values.
func workbook(t testing.TB, make func(f *excelize.File)) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	make(f)
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func set(t testing.TB, f *excelize.File, cell string, value any, format string) {
	t.Helper()
	var err error
	if s, ok := value.(string); ok && strings.HasPrefix(s, "=") {
		err = f.SetCellFormula("Sheet1", cell, s[1:])
	} else {
		err = f.SetCellValue("Sheet1", cell, value)
	}
	if err == nil && format != "" {
		var style int
		if style, err = f.NewStyle(&excelize.Style{CustomNumFmt: &format}); err == nil {
			err = f.SetCellStyle("Sheet1", cell, cell, style)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestXLSXNumbers: numbers are as they are shown, dates in ISO form.
func TestXLSXNumbers(t *testing.T) {
	for _, c := range []struct {
		value  any
		format string
		want   string
	}{
		{1234.5, "#,##0.00", "1,234.50"},
		{1234.5, `[$€-407] #,##0.00`, "€ 1,234.50"},
		{-1234.5, `#,##0.00 "kg";[Red]-#,##0.00 "kg"`, "-1,234.50 kg"},
		{0, `_-* #,##0.00_-;_-* "-"??_-`, "0.00"},
		{0.1234, "0.0%", "12.3%"},
		{12345678, "0.00E+00", "1.23E+07"},
		{7, "00000", "00007"},
		{1.5, "[h]:mm", "36:00"},
		{45000, "dd/mm/yyyy", "2023-03-15"},
		{45000.25, "[$-409]d\\ mmm yy h:mm AM/PM", "2023-03-15 06:00:00"},
		{0.75, "hh:mm", "18:00:00"},
		{1, `"yes";;"no"`, "1"},
		{4111111111111111, "", "4111111111111111"},
		{12.5, "General", "12.5"},
	} {
		d := read(t, "a.xlsx", workbook(t, func(f *excelize.File) { set(t, f, "A1", c.value, c.format) }))
		if want := "| " + c.want + " |\n| --- |"; d.Text != want {
			t.Errorf("Text of %v as %s = %q, want %q", c.value, c.format, d.Text, want)
		}
	}
}

// TestXLSXFormulas: a formula without a value is computed, after those that it
// refers to. What could take long is left as it is written.
func TestXLSXFormulas(t *testing.T) {
	d := read(t, "a.xlsx", workbook(t, func(f *excelize.File) {
		if _, err := f.NewSheet("My rates"); err != nil {
			t.Fatal(err)
		}
		if err := f.SetCellValue("My rates", "B1", 0.5); err != nil {
			t.Fatal(err)
		}
		for i, value := range []any{
			"=A2+A3", "=SUM(A3:A4)*'My rates'!B1", 3, 4, `=IF(A4>3,"more","less")`, "=A3/0", "=A8", "=A7", "=DATE(2024,2,1)", "=A9*2",
			`=REPT("a",1E9)`, "=SUM(A1:XFD1048576)", "=MUNIT(100000)", "=COMBIN(1E9,5E8)", `=INDIRECT("A1:XFD1048576")`,
		} {
			format := ""
			if i == 8 {
				format = "d.m.yyyy"
			}
			set(t, f, fmt.Sprintf("A%d", i+1), value, format)
		}
		for i := range 40 { // doubles the text, and the time, forty times
			set(t, f, fmt.Sprintf("C%d", i+1), fmt.Sprintf("=C%d&C%d", i+2, i+2), "")
		}
		set(t, f, "C41", "text", "")
	}))
	var got []string
	for _, row := range contentOf(d).Cells {
		got = append(got, strings.TrimSpace(strings.Split(strings.TrimPrefix(row[0], "- "), ";")[0]))
	}
	want := `6.5, 3.5, 3, 4, more, #DIV/0!, =A8, =A7, 2024-02-01, 90646, =REPT("a",1E9), =SUM(A1:XFD1048576), =MUNIT(100000), =COMBIN(1E9,5E8), =INDIRECT("A1:XFD1048576")`
	if s := strings.Join(got, ", "); !strings.HasPrefix(s, want) {
		t.Errorf("cells = %s, want %s", s, want)
	}
	if len(d.Text) > 1<<20 {
		t.Errorf("the text has %d bytes", len(d.Text))
	}
}

// TestXLSXChain: a chain of formulas that is deeper than a stack bears.
func TestXLSXChain(t *testing.T) {
	const n = 20_000
	d := read(t, "a.xlsx", workbook(t, func(f *excelize.File) {
		for i := 1; i < n; i++ {
			set(t, f, fmt.Sprintf("A%d", i), fmt.Sprintf("=A%d+1", i+1), "")
			set(t, f, fmt.Sprintf("B%d", i+1), fmt.Sprintf("=B%d+1", i), "")
		}
		set(t, f, "B1", 1, "")
	}))
	if !strings.Contains(d.Text, fmt.Sprintf("\n- %d", n)) {
		t.Errorf("the chain downwards is not computed to its end: %.200q", d.Text[len(d.Text)-200:])
	}
}

// TestXLSXMerged: a cell over several rows stands in each of them.
func TestXLSXMerged(t *testing.T) {
	d := read(t, "a.xlsx", workbook(t, func(f *excelize.File) {
		for cell, value := range map[string]any{"A1": "Region", "B1": "City", "C1": "Sold", "A2": "North", "B2": "Oslo", "C2": 1, "B3": "Turku", "C3": 2,
			"A4": "South", "B4": "Rome", "C4": 3, "B5": "Bari", "C5": 4, "A6": "all", "C6": 10} {
			set(t, f, cell, value, "")
		}
		for _, c := range [][2]string{{"A2", "A3"}, {"A4", "A5"}, {"A6", "B6"}} {
			if err := f.MergeCell("Sheet1", c[0], c[1]); err != nil {
				t.Fatal(err)
			}
		}
	}))
	wantTree(t, d, `
page {Sheet1}
  table
    table_row | Region | City | Sold |
    table_row | North | Oslo | 1 |
    table_row | North | Turku | 2 |
    table_row | South | Rome | 3 |
    table_row | South | Bari | 4 |
    table_row | all |  | 10 |
`)
}

// TestXLSXTypes: numbers as they are shown still make columns of numbers.
func TestXLSXTypes(t *testing.T) {
	d := read(t, "a.xlsx", workbook(t, func(f *excelize.File) {
		formats := []string{`#,##0.00 "€"`, "0.00 \\k\\g", "0.0%", "dd.mm.yy", "_(#,##0.00_);(#,##0.00)", ""}
		for c, format := range formats {
			for r := range 5 {
				name, err := excelize.CoordinatesToCellName(c+1, r+2)
				if err != nil {
					t.Fatal(err)
				}
				set(t, f, name, float64(r-2)*1234.5+45000*float64(c/3%2*(1-c/4)), format)
			}
			name, _ := excelize.CoordinatesToCellName(c+1, 1)
			set(t, f, name, fmt.Sprint("h", c), "")
		}
	}))
	if got := typesOf(t, d); got != "h0 REAL, h1 REAL, h2 REAL, h3 DATE, h4 REAL, h5 REAL" {
		t.Errorf("types = %s\n%s", got, d.Text)
	}
}

func typesOf(t *testing.T, d *document.Document) string {
	t.Helper()
	var tables datatable.Set
	if err := tables.Add("a", d); err != nil {
		t.Fatal(err)
	}
	list, _ := tables.Tables()
	var types []string
	for _, c := range list[0].Columns {
		types = append(types, c.Name+" "+c.Type)
	}
	return strings.Join(types, ", ")
}

// TestXLSXSamePart refuses sheets with the same content, which would be read again for
// each of them.
func TestXLSXSamePart(t *testing.T) {
	head := `<workbook><sheets><sheet name="a" r:id="r1"/>`
	members := map[string]string{
		"[Content_Types].xml":        "<Types/>",
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="t/worksheet" Target="s1.xml"/><Relationship Id="r2" Type="t/worksheet" Target="s1.xml"/></Relationships>`,
		"xl/s1.xml":                  "<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>",
	}
	for _, c := range []struct{ sheets, want string }{
		{"", ""},
		{`<sheet name="b" r:id="r1"/>`, "same content"},
		{`<sheet name="b" r:id="r2"/>`, "same content"},
		{strings.Repeat(`<sheet name="b" r:id="r3"/><sheet name="c" r:id="r4"/>`, 3000), "same content"},
	} {
		members["xl/workbook.xml"] = head + c.sheets + "</sheets></workbook>"
		_, err := builtin(t).Read(t.Context(), reader.Source{Name: "a.xlsx", Data: []byte(zipped(members))}, reader.Limits{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("with %.40s: %v", c.sheets, err)
		}
	}
}

// TestXLSXHidden leaves hidden sheets out, and says so.
func TestXLSXHidden(t *testing.T) {
	for _, state := range []string{"visible", "hidden", "veryHidden"} {
		members := map[string]string{
			"[Content_Types].xml": "<Types/>",
			"xl/workbook.xml":     `<workbook><sheets><sheet name="a" r:id="r1"/><sheet name="b" state="` + state + `" r:id="r2"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="t/worksheet" Target="s1.xml"/><Relationship Id="r2"` +
				` Type="t/worksheet" Target="s2.xml"/></Relationships>`,
			"xl/s1.xml": "<worksheet><sheetData><row><c><v>11</v></c></row></sheetData></worksheet>",
			"xl/s2.xml": "<worksheet><sheetData><row><c><v>22</v></c></row></sheetData></worksheet>",
		}
		d := read(t, "a.xlsx", zipped(members))
		warned := strings.Join(d.Warnings, "; ")
		if shown := strings.Contains(d.Text, "22"); shown != (state == "visible") || !shown && warned != `the hidden sheet "b" is left out` {
			t.Errorf("a sheet that is %s: %q, warnings %q", state, d.Text, warned)
		}
	}
}
