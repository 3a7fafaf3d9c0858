package formats_test

import (
	"strconv"
	"strings"
	"testing"
)

// points is a cache of a chart's part.
func points(kind, format string, values ...string) string {
	var b strings.Builder
	b.WriteString("<c:" + kind + "Ref><c:f>Data!$A$2:$A$9</c:f><c:" + kind + "Cache><c:formatCode>" + format + "</c:formatCode>")
	for i, v := range values {
		if v != "" {
			b.WriteString(`<c:pt idx="` + strconv.Itoa(i) + `"><c:v>` + v + `</c:v></c:pt>`)
		}
	}
	return b.String() + "</c:" + kind + "Cache></c:" + kind + "Ref>"
}

func title(text string) string {
	return "<c:title><c:tx><c:rich><a:p><a:r><a:t>" + text + "</a:t></a:r></a:p></c:rich></c:tx></c:title>"
}

func series(name, names, values string) string {
	return "<c:ser><c:tx>" + points("str", "", name) + "</c:tx><c:cat>" + names + "</c:cat><c:val>" + values + "</c:val></c:ser>"
}

// revenue is the part of a chart with two series, one of which has a gap.
func revenue() string {
	regions := points("str", "", "England", "Scotland", "Wales")
	return `<?xml version="1.0"?><!DOCTYPE c [<!ENTITY x "y">]><c:chartSpace><c:chart>` + title("Revenue by region") + "<c:plotArea><c:barChart>" +
		series("Q2", regions, points("num", "General", "310", "120", "95.49999999999999")) + series("Q3", regions, points("num", "0.0%", ".34", ".141", "")) +
		"</c:barChart><c:catAx>" + title("Region") + "</c:catAx><c:valAx>" + title("Million pounds") + "</c:valAx></c:plotArea></c:chart></c:chartSpace>"
}

const revenueText = "Revenue by region (Million pounds)\n\n| Region | Q2 | Q3 |\n| --- | --- | --- |\n| England | 310 | 34% |\n" +
	"| Scotland | 120 | 14.1% |\n| Wales | 95.5 |  |"

func slideShow(slide, relations string, more map[string]string) string {
	members := map[string]string{
		"ppt/presentation.xml":             `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels":  `<Relationships><Relationship Id="r1" Type="x/slide" Target="slides/slide1.xml"/></Relationships>`,
		"ppt/slides/slide1.xml":            "<p:sld><p:cSld><p:spTree>" + slide + "</p:spTree></p:cSld></p:sld>",
		"ppt/slides/_rels/slide1.xml.rels": "<Relationships>" + relations + "</Relationships>",
	}
	for name, data := range more {
		members[name] = data
	}
	return zipped(members)
}

func TestPPTXChart(t *testing.T) {
	const frame = `<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="r2"/></a:graphicData></a:graphic></p:graphicFrame>`
	const relation = `<Relationship Id="r2" Type="x/chart" Target="../charts/chart1.xml"/>`
	d := read(t, "a.pptx", slideShow(frame, relation, map[string]string{"ppt/charts/chart1.xml": revenue()}))
	if d.Text != revenueText {
		t.Errorf("Text = %q, want %q", d.Text, revenueText)
	}
	for _, c := range []struct{ name, chart, want string }{
		{"dates", series("Sold", points("num", `yyyy\-mm\-dd`, "45292"), points("num", "General", "7")), "|  | Sold |\n| --- | --- |\n| 2024-01-01 | 7 |"},
		{"levels", series("Sold", `<c:multiLvlStrRef><c:multiLvlStrCache><c:lvl><c:pt idx="0"><c:v>H1</c:v></c:pt><c:pt idx="1"><c:v>H2</c:v></c:pt></c:lvl>`+
			`<c:lvl><c:pt idx="0"><c:v>2023</c:v></c:pt></c:lvl></c:multiLvlStrCache></c:multiLvlStrRef>`, points("num", "General", "1", "2")),
			"|  | Sold |\n| --- | --- |\n| 2023 / H1 | 1 |\n| 2023 / H2 | 2 |"},
		{"plane", "<c:scatterChart><c:ser><c:tx><c:v>Lamps</c:v></c:tx><c:xVal>" + points("num", "General", "1.5") + "</c:xVal><c:yVal>" +
			points("num", "General", "9") + "</c:yVal></c:ser></c:scatterChart><c:valAx>" + title("Watt") + "</c:valAx><c:valAx>" + title("Lumen") + "</c:valAx>",
			"Lumen\n\n| Watt | Lamps |\n| --- | --- |\n| 1.5 | 9 |"},
		{"hostile numbers", series("Odd", "", `<c:numLit><c:pt idx="-1"><c:v>1</c:v></c:pt><c:pt idx="2000000000"><c:v>5</c:v></c:pt><c:pt idx="x"/></c:numLit>`),
			"|  | Odd |\n| --- | --- |\n| 2000000001 | 5 |"},
	} {
		d := read(t, "a.pptx", slideShow(frame, relation, map[string]string{"ppt/charts/chart1.xml": "<c:chartSpace>" + c.chart + "</c:chartSpace>"}))
		if d.Text != c.want {
			t.Errorf("%s: Text = %q, want %q", c.name, d.Text, c.want)
		}
	}
	many := series("S", "", points("num", "General", strings.Split(strings.Repeat("1,", 3000), ",")...))
	d = read(t, "a.pptx", slideShow(frame, relation, map[string]string{"ppt/charts/chart1.xml": "<c:chartSpace>" + strings.Repeat(many, 200) + "</c:chartSpace>"}))
	if n := d.Root.Count(); n > 30_000 || len(d.Warnings) != 1 {
		t.Errorf("%d nodes with the warnings %q, want less and one", n, d.Warnings)
	}
}

func TestDOCXChart(t *testing.T) {
	d := read(t, "a.docx", docx(`<w:p><w:r><w:t>Before</w:t></w:r><w:r><w:drawing><c:chart r:id="r9"/></w:drawing></w:r></w:p><w:p><w:r><w:t>After</w:t></w:r></w:p>`,
		map[string]string{
			"word/_rels/document.xml.rels": `<Relationships><Relationship Id="r9" Type="x/chart" Target="charts/chart1.xml"/></Relationships>`,
			"word/charts/chart1.xml":       revenue(),
		}))
	if want := "Before\n\n" + revenueText + "\n\nAfter"; d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

// TestXLSXChart: a chart of cells is named; one of a hidden sheet, or of another file, has
// its values.
func TestXLSXChart(t *testing.T) {
	read := func(chart, hidden string) string {
		return read(t, "a.xlsx", zipped(map[string]string{
			"xl/workbook.xml": `<workbook><sheets><sheet name="Shown" r:id="a"/>` + hidden + `</sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Type="x/worksheet" Target="worksheets/sheet1.xml"/>` +
				`<Relationship Id="b" Type="x/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`,
			"xl/worksheets/sheet1.xml":            `<worksheet><sheetData><row><c t="inlineStr"><is><t>x</t></is></c><c><v>1</v></c></row></sheetData></worksheet>`,
			"xl/worksheets/sheet2.xml":            `<worksheet><sheetData/></worksheet>`,
			"xl/worksheets/_rels/sheet1.xml.rels": `<Relationships><Relationship Id="d" Type="x/drawing" Target="../drawings/drawing1.xml"/></Relationships>`,
			"xl/drawings/_rels/drawing1.xml.rels": `<Relationships><Relationship Id="c" Type="x/chart" Target="../charts/chart1.xml"/></Relationships>`,
			"xl/charts/chart1.xml":                chart,
		})).Text
	}
	got := read(revenue(), "")
	if !strings.HasSuffix(got, "\n\nChart: Revenue by region (Million pounds): Q2, Q3") {
		t.Errorf("Text = %q, want the chart's names", got)
	}
	if got = read(revenue(), `<sheet name="Data" state="hidden" r:id="b"/>`); !strings.HasSuffix(got, "\n\n"+revenueText) {
		t.Errorf("Text = %q, want the chart of a hidden sheet as a table", got)
	}
	if got = read(strings.ReplaceAll(revenue(), "Data!", "[1]Data!"), ""); !strings.HasSuffix(got, "\n\n"+revenueText) {
		t.Errorf("Text = %q, want the chart of another file as a table", got)
	}
}
