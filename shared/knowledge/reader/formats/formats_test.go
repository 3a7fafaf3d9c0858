package formats_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/fault/cputest"
	"lectern/shared/knowledge/reader"
	"lectern/shared/text/document"
)

// content is what one document has in common in all formats.
type content struct {
	Headings []string
	Cells    [][]string
	Items    []string
}

func contentOf(d *document.Document) content {
	var c content
	d.Root.Walk(func(n *document.Node) bool {
		text := d.Text[n.Start:n.End]
		switch n.Type {
		case document.Section:
			if k := len(c.Headings); k == 0 || c.Headings[k-1] != n.Title {
				c.Headings = append(c.Headings, n.Title)
			}
		case document.ListItem:
			if len(n.Children) > 0 {
				text = d.Text[n.Start:n.Children[0].Start]
			}
			_, text, _ = strings.Cut(text, " ")
			if text = strings.TrimSpace(text); !strings.HasPrefix(text, "So says") { // a note
				c.Items = append(c.Items, text)
			}
		case document.TableRow:
			var row []string
			for cell := range strings.SplitSeq(strings.Trim(text, "|"), "|") {
				row = append(row, strings.TrimSpace(cell))
			}
			c.Cells = append(c.Cells, row)
		}
		return true
	})
	return c
}

func sample(t *testing.T, name string) *document.Document {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return read(t, name, string(data))
}

// TestRoundTrip reads one document in many formats.
func TestRoundTrip(t *testing.T) {
	want := content{
		Headings: []string{"The lamp book", "Kinds of lamps", "Prices", "How to light one", "Notes"},
		Cells:    [][]string{{"Lamp", "Price", "Sold"}, {"Clay", "12.50", "7"}, {"Brass", "20.00", "11"}, {"Über lamp", "99.99", "0"}},
		Items:    []string{"Oil lamps", "of clay", "of brass", "Gas lamps", "Electric lamps", "Oil", "Gas", "Electricity"},
	}
	for _, ext := range []string{"md", "html", "docx", "odt", "rtf", "epub", "ipynb", "pdf", "pptx", "odp"} {
		d := sample(t, "lamps."+ext)
		want := want
		if ext == "pptx" || ext == "odp" {
			// Slides have one title each.
			want.Headings = []string{"The lamp book", "Kinds of lamps", "Prices", "Notes"}
		}
		if diff := cmp.Diff(want, contentOf(d)); diff != "" {
			t.Errorf("%s: -want +got\n%s\n%s", ext, diff, d.Text)
		}
		for _, part := range []string{"Lamps give light.", "Café lamps cost more — “much more”, they say.", "日本のランプは美しい。", "lamp.on = True",
			"So says the guild."} {
			if !strings.Contains(d.Text, part) {
				t.Errorf("%s: the text lacks %q", ext, part)
			}
		}
	}
	for _, ext := range []string{"csv", "xlsx", "ods"} {
		want := [][]string{{"Lamp", "Price", "Sold"}, {"Clay", "12.5", "7"}, {"Brass", "20", "11"}, {"Über lamp", "99.99", "0"}}
		if diff := cmp.Diff(want, contentOf(sample(t, "lamps."+ext)).Cells); diff != "" {
			t.Errorf("%s: -want +got\n%s", ext, diff)
		}
	}
}

func TestSniff(t *testing.T) {
	for _, ext := range []string{"md", "html", "docx", "odt", "rtf", "epub", "ipynb", "pdf", "pptx", "odp", "xlsx", "ods"} {
		data, err := os.ReadFile("testdata/lamps." + ext)
		if err != nil {
			t.Fatal(err)
		}
		if got := builtin(t).Sniff(data); got != "."+ext {
			t.Errorf("Sniff(lamps.%s) = %q", ext, got)
		}
		for _, other := range []string{"a.pdf", "a.docx", "a.xlsx", "a.pptx", "a.odt", "a.epub", "a.rtf", "a.txt"} {
			if slices.Contains([]string{"md", "html", "ipynb"}, ext) && other == "a.txt" || other == "a."+ext || other == "a.odt" && (ext == "odp" || ext == "ods") {
				continue
			}
			_, err := builtin(t).Read(t.Context(), reader.Source{Name: other, Data: data}, reader.Limits{})
			if f := fault.As(err); f == nil || len(f.Problems) != 1 || f.Problems[0].Type != reader.Mismatched {
				t.Errorf("Read(%s with the content of %s) = %v, want %s", other, ext, err, reader.Mismatched)
			}
		}
	}
	for want, data := range map[string]string{
		".json": `{"a": 1}`, ".eml": "From: a@b\nTo: c@d\nSubject: x\n\nhi", ".txt": "just words", ".bin": "\x00\x01\x02",
		".png": "\x89PNG\r\n\x1a\n", ".xml": "<?xml version=\"1.0\"?><a/>", ".zip": zipped(map[string]string{"a": "b"}),
	} {
		if got := builtin(t).Sniff([]byte(data)); got != want {
			t.Errorf("Sniff(%.20q) = %q, want %q", data, got, want)
		}
	}
}

func zipped(members map[string]string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(members[name]))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

func docx(body string, more map[string]string) string {
	members := map[string]string{
		"word/document.xml": `<?xml version="1.0"?><w:document xmlns:w="x"><w:body>` + body + `</w:body></w:document>`,
		"word/_rels/document.xml.rels": `<Relationships><Relationship Id="r1" Type="x/hyperlink" Target="https://x.org/" TargetMode="External"/>` +
			`<Relationship Id="r2" Type="x/footnotes" Target="footnotes.xml"/><Relationship Id="r3" Type="x/numbering" Target="numbering.xml"/></Relationships>`,
		"word/footnotes.xml": `<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>the note</w:t></w:r></w:p></w:footnote></w:footnotes>`,
	}
	for name, data := range more {
		members[name] = data
	}
	return zipped(members)
}

func TestDOCX(t *testing.T) {
	d := read(t, "a.docx", docx(`
<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">Kept </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>added</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:hyperlink r:id="r1"><w:r><w:t> site</w:t></w:r></w:hyperlink><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t>&amp;&#x41;</w:t></w:r></w:p>
<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:docPr descr="a cat"/><wps:txbx><w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>in a box</w:t></w:r></w:p></w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>wide</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>inner</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>`, nil))
	wantTree(t, d, `
section2 {Head}
  paragraph Kept added [site](https://x.org/)[^1]&A
  paragraph a cat
  paragraph in a box
  table
    table_row | a | b |
    table_row | wide inner |  |
  paragraph [^1]: the note
`)
}

// TestDOCXCheckBoxes: content controls, fields of old forms and symbols say whether they
// are checked.
func TestDOCXCheckBoxes(t *testing.T) {
	control := func(state, shown string) string {
		return `<w:sdt><w:sdtPr><w14:checkbox>` + state + `<w14:checkedState w14:val="00FE" w14:font="Wingdings"/></w14:checkbox></w:sdtPr><w:sdtContent>` +
			shown + `</w:sdtContent></w:sdt>`
	}
	field := func(state string) string {
		return `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>` + state + `</w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r>` +
			`<w:r><w:fldChar w:fldCharType="end"/></w:r>`
	}
	says := func(text string) string { return `<w:r><w:t xml:space="preserve"> ` + text + `</w:t></w:r>` }
	p := func(content string) string { return `<w:p>` + content + `</w:p>` }
	sym := func(char string) string { return `<w:r><w:sym w:font="Wingdings" w:char="` + char + `"/></w:r>` }
	d := read(t, "a.docx", docx(
		p(control(`<w14:checked w14:val="1"/>`, sym("F0FE"))+says("Penicillin"))+
			p(control(`<w14:checked w14:val="0"/>`, `<w:r><w:t>☐</w:t></w:r>`)+says("Asthma"))+
			p(field(`<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>`)+says("Gout"))+
			p(field(`<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>`)+says("Angina"))+
			p(says("Sex:")+field(`<w:ddList><w:result w:val="1"/><w:listEntry w:val="male"/><w:listEntry w:val="female"/></w:ddList>`))+
			p(sym("F0A8")+says("Epilepsy"))+p(sym("F0E8")+says("Next"))+
			p(`<w:r><w:rPr><w:rFonts w:ascii="Wingdings"/></w:rPr><w:t>þ</w:t></w:r>`+says("Cancer"))+
			`<w:tbl><w:tr><w:tc>`+p(says("Insured"))+`</w:tc><w:tc>`+control(`<w14:checked w14:val="true"/>`, p(sym("F0FE")))+`</w:tc></w:tr></w:tbl>`,
		nil))
	want := "☒ Penicillin\n\n☐ Asthma\n\n☒ Gout\n\n☐ Angina\n\nSex:female\n\n☐ Epilepsy\n\nNext\n\n☒ Cancer\n\n| Insured | ☒ |\n| --- | --- |"
	if d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

func TestODTCheckBoxes(t *testing.T) {
	d := read(t, "a.odt", openText("", `<office:forms><form:form><form:checkbox form:id="c1" form:label="Gout" form:current-state="checked"/>`+
		`<form:checkbox form:id="c2" form:label="Angina"/><form:radio form:id="c3" form:label="Yes" form:current-selected="true"/></form:form></office:forms>`+
		`<text:p><draw:control draw:control="c1"/></text:p><draw:control draw:control="c2"/><text:p>Smoker: <draw:control draw:control="c3"/></text:p>`+
		`<text:p><field:fieldmark field:type="vnd.oasis.opendocument.field.FORMCHECKBOX"><field:param field:name="Checkbox_Checked" field:value="true"/>`+
		`</field:fieldmark> Asthma</text:p>`, nil))
	if want := "☒ Gout\n\n☐ Angina\n\nSmoker: ☒ Yes\n\n☒ Asthma"; d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

func TestRTFCheckBoxes(t *testing.T) {
	field := func(state, label string) string {
		return `{\field{\*\fldinst { FORMCHECKBOX }{{\*\formfield{\fftype1` + state + `{\*\ffname a}}}}}{\fldrslt }} ` + label + `\par `
	}
	d := read(t, "a.rtf", `{\rtf1 `+field(`\ffres1\ffdefres0`, "Gout")+field(`\ffres25\ffdefres1`, "Angina")+field(`\ffres0\ffdefres1`, "Asthma")+"}")
	if want := "☒ Gout\n\n☒ Angina\n\n☐ Asthma"; d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

// TestDOCXNumbers: a list goes on after a paragraph, as Word counts it, and
// another begins where it says.
func TestDOCXNumbers(t *testing.T) {
	item := func(list, level, text string) string {
		return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="` + list + `"/></w:numPr></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
	}
	d := read(t, "a.docx", docx(item("1", "0", "one")+item("1", "1", "deep")+item("1", "0", "two")+`<w:p><w:r><w:t>between</w:t></w:r></w:p>`+
		item("1", "0", "three")+item("1", "1", "deep again")+item("2", "0", "five")+item("2", "0", "six")+item("3", "0", "first")+item("4", "0", "seven"),
		map[string]string{
			"word/numbering.xml": `<w:numbering><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum>` +
				`<w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:start w:val="5"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>` +
				`<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>` +
				`<w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num><w:num w:numId="4"><w:abstractNumId w:val="8"/></w:num></w:numbering>`,
		}))
	want := "1. one\n   1. deep\n2. two\n\nbetween\n\n3. three\n   1. deep again\n5. five\n6. six\n1. first\n7. seven"
	if d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

// TestODP: a slide's notes come without the placeholders beside them, and what
// a document's kind adds behind a hyphen does not matter.
func TestODP(t *testing.T) {
	const slide = `<office:document-content><office:body><office:presentation><draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Plan</text:p></draw:text-box></draw:frame>` +
		`<draw:frame presentation:class="footer"><draw:text-box><text:p>Company</text:p></draw:text-box></draw:frame>` +
		`<presentation:notes><draw:frame presentation:class="notes"><draw:text-box><text:p>Say hello.</text:p></draw:text-box></draw:frame>` +
		`<draw:frame presentation:class="page-number"><draw:text-box><text:p>&lt;number&gt;</text:p></draw:text-box></draw:frame></presentation:notes></draw:page></office:presentation></office:body></office:document-content>`
	for name, kind := range map[string]string{"a.odp": "presentation", "a.otp": "presentation-template"} {
		d := read(t, name, zipped(map[string]string{"mimetype": "application/vnd.oasis.opendocument." + kind, "content.xml": slide}))
		if want := "## Plan\n\nNotes: Say hello."; d.Text != want {
			t.Errorf("Text of %s = %q, want %q", name, d.Text, want)
		}
	}
}

// TestODS: the names of several sheets stand in the text; a sheet that is empty
// has no heading.
func TestODS(t *testing.T) {
	sheet := func(name, text string) string {
		return `<table:table table:name="` + name + `"><table:table-row><table:table-cell><text:p>` + text +
			`</text:p></table:table-cell><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row></table:table>`
	}
	for sheets, want := range map[string]string{
		sheet("May", "rent"): "| rent | 1 |\n| --- | --- |",
		sheet("May", "rent") + `<table:table table:name="Empty"/>` +
			sheet("June", "x"): "## May\n\n| rent | 1 |\n| --- | --- |\n\n## June\n\n| x | 1 |\n| --- | --- |",
	} {
		d := read(t, "a.ods", zipped(map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
			"content.xml": `<office:document-content><office:body><office:spreadsheet>` + sheets + `</office:spreadsheet></office:body></office:document-content>`}))
		if d.Text != want {
			t.Errorf("Text = %q, want %q", d.Text, want)
		}
	}
}

// TestDOCXListStyles: the levels of a list may be styles of their own.
func TestDOCXListStyles(t *testing.T) {
	item := func(style, text string) string {
		return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
	}
	styles := ""
	for i, name := range []string{"List Bullet", "List Bullet 2", "List Bullet 3"} {
		styles += fmt.Sprintf(`<w:style w:type="paragraph" w:styleId="L%d"><w:name w:val="%s"/><w:pPr><w:numPr><w:numId w:val="%[1]d"/></w:numPr></w:pPr></w:style>`, i+1, name)
	}
	d := read(t, "a.docx", docx(item("L1", "a")+item("L2", "b")+item("L3", "c")+item("L1", "d"), map[string]string{
		"word/_rels/document.xml.rels": `<Relationships><Relationship Id="r1" Type="x/styles" Target="styles.xml"/></Relationships>`,
		"word/styles.xml":              `<w:styles>` + styles + `</w:styles>`,
	}))
	if want := "- a\n  - b\n    - c\n- d"; d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

func TestRTFFonts(t *testing.T) {
	d := read(t, "a.rtf", `{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial Cyr;}}Caf\'e9 {\f1 \'cf\'f0\'e8\'e2\'e5\'f2} \'fcber{\deleted gone} alles\par\f1\'ec\'e8\'f0\plain  \'e4}`)
	if want := "Café Привет über alles\n\nмир ä"; d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

func TestXLSX(t *testing.T) {
	d := read(t, "a.xlsx", zipped(map[string]string{
		"xl/workbook.xml":            `<workbook><sheets><sheet name="One" sheetId="1" r:id="r1"/><sheet name="Two" sheetId="2" r:id="r2"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="x/worksheet" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
		"xl/sharedStrings.xml":       `<sst><si><t>name</t></si><si><r><t>ri</t></r><r><t>ch</t></r><rPh><t>no</t></rPh></si></sst>`,
		"xl/styles.xml":              `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd hh:mm"/></numFmts><cellStyleXfs count="1"><xf numFmtId="9"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>when</t></is></c><c r="XFD1" t="str"><f>A1</f><v>far</v></c></row>` +
			`<row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2" s="1"><v>45000</v></c><c r="XFD2"><v>0.1</v></c></row>` +
			`<row r="3"><c r="A3" t="b"><v>1</v></c><c r="C3" s="2"><v>45000.5</v></c><c r="XFD3" s="3"><v>0.125</v></c></row>` +
			`<row r="4"><c r="A4"><v>4111111111111111</v></c><c r="C4"><f>SUM(A1:A3)</f><v></v></c><c r="XFD4"><v>1234567.8912345</v></c></row></sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml": `<worksheet><sheetData>` + strings.Repeat(`<row><c><v>0.30000000000000004</v></c><c t="e"><v>#N/A</v></c></row>`, 50) +
			`</sheetData></worksheet>`,
	}))
	if !strings.HasPrefix(tree(d), `page {One}
  section2 {One}
    table
      table_row | name | when | far |
      table_row | rich | 2023-03-15 | 0.1 |
      table_row | TRUE | 2023-03-15 12:00:00 | 12.50% |
      table_row | 4111111111111111 | =SUM(A1:A3) | 1234567.8912345 |
page {Two}
  section2 {Two}
    table
      table_row - 0.3; #N/A
`) || d.Pages != 2 {
		t.Errorf("%d pages\n%s", d.Pages, tree(d))
	}
}

func TestEML(t *testing.T) {
	docs := base64.StdEncoding.EncodeToString([]byte(docx("<w:p><w:r><w:t>attached words</w:t></w:r></w:p>", nil)))
	d := read(t, "a.eml", strings.ReplaceAll(`From: =?utf-8?q?J=C3=BCrgen?= <j@x.org>
To: b@x.org
Subject: =?iso-8859-1?q?Gr=FC=DFe?=
Date: Mon, 1 Jan 2024 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=out

--out
Content-Type: multipart/alternative; boundary=in

--in
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Sch=F6ne Gr=FC=DFe, und sehr=
 viele.

Bye
--in
Content-Type: text/html

<p>html</p>
--in--
--out
Content-Type: application/octet-stream
Content-Disposition: attachment; filename="a.docx"
Content-Transfer-Encoding: base64

`+docs+`
--out
Content-Type: image/png; name="x.png"
Content-Transfer-Encoding: base64

AAAA
--out--
`, "\n", "\r\n"))
	wantTree(t, d, `
section1 {Grüße}
  list
    list_item - From: Jürgen <j@x.org>
    list_item - To: b@x.org
    list_item - Date: Mon, 1 Jan 2024 10:00:00 +0000
  paragraph Schöne Grüße, und sehr viele.
  paragraph Bye
  section2 {a.docx}
    paragraph attached words
`)
	if len(d.Warnings) != 1 {
		t.Errorf("Warnings = %q, want one about the picture", d.Warnings)
	}
}

// TestEMLHeaders: header fields of bytes beyond ASCII are in the charset of the
// text, or in one that is guessed.
func TestEMLHeaders(t *testing.T) {
	for _, kind := range []string{"text/plain; charset=iso-8859-15", "text/plain"} {
		d := read(t, "a.eml", "From: J\xfcrgen Stra\xdfe <j@x.org>\r\nSubject: Sch\xf6ne Gr\xfc\xdfe aus K\xf6ln\r\nContent-Type: "+kind+"\r\n\r\nHallo\r\n")
		if want := "# Schöne Grüße aus Köln\n\n- From: Jürgen Straße <j@x.org>\n\nHallo"; d.Text != want {
			t.Errorf("%s: Text = %q, want %q", kind, d.Text, want)
		}
	}
}

// TestEMLAlternatives: the part that says more is read.
func TestEMLAlternatives(t *testing.T) {
	const long = "<p>The meeting is on Monday at ten in the great hall, and all who come are welcome.</p>"
	for _, c := range []struct{ name, text, html, want string }{
		{"a stub", "See the HTML part.", long, "The meeting is on Monday at ten in the great hall, and all who come are welcome."},
		{"an empty text", " ", long, "The meeting is on Monday at ten in the great hall, and all who come are welcome."},
		{"the same in both", "One *word* more than that.", `<p>One <b>word</b> more <a href="https://x.org/a/long/address/of/a/page">than</a> that.</p>`,
			"One *word* more than that."},
		{"a stub of HTML", "All that there is to say about it.", "<p>Hi</p>", "All that there is to say about it."},
	} {
		d := read(t, "a.eml", strings.ReplaceAll("From: a@x.org\nSubject: S\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n"+c.text+
			"\n--b\nContent-Type: multipart/related; boundary=r\n\n--r\nContent-Type: text/html\n\n"+c.html+"\n--r--\n--b\nContent-Type: text/calendar\n\n"+strings.Repeat("BEGIN:VCALENDAR ", 50)+"\n--b--\n", "\n", "\r\n"))
		if want := "# S\n\n- From: a@x.org\n\n" + c.want; d.Text != want {
			t.Errorf("%s: Text = %q, want %q", c.name, d.Text, want)
		}
	}
}

func TestCode(t *testing.T) {
	d := read(t, "a.go", "package a\n\n// F does.\nfunc F() {\n\n\tx()\n\n}\n\nvar y int\n")
	wantTree(t, d, "code {go} package a\ncode {go} // F does.⏎func F() {⏎⏎\tx()⏎⏎}\ncode {go} var y int\n")
}

func TestHostileArchives(t *testing.T) {
	big := strings.Repeat("<w:p><w:r><w:t>aaaaaaaaaa</w:t></w:r></w:p>", 200_000)
	many := map[string]string{"word/document.xml": ""}
	for i := range 20_000 {
		many[strings.Repeat("x", i%100)+string(rune('a'+i%26))+time.Duration(i).String()] = ""
	}
	sheet := func(rows string) string {
		return zipped(map[string]string{
			"xl/workbook.xml":            `<workbook><sheet name="S" r:id="r1"/></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/></Relationships>`,
			"xl/s.xml":                   "<sheetData>" + rows + "</sheetData>",
		})
	}
	ole := "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + strings.Repeat("\x00", 512)
	wide := func(s string) string { return strings.Join(strings.Split(s, ""), "\x00") + "\x00" }
	for _, c := range []struct {
		name, data, want string
		limits           reader.Limits
	}{
		{name: "bomb.docx", data: docx(big, nil), want: reader.TooLarge, limits: reader.Limits{TextBytes: 1 << 20}},
		{name: "many.docx", data: zipped(many), want: reader.TooLarge},
		{name: "cut.docx", data: docx("<w:p/>", nil)[:200], want: reader.Malformed},
		{name: "empty.docx", data: docx("<w:p/>", nil), want: reader.Empty},
		{name: "locked.docx", data: ole + wide("EncryptedPackage"), want: reader.Encrypted},
		{name: "old.docx", data: ole + wide("WordDocument"), want: reader.Mismatched},
		{name: "nothing.docx", data: zipped(map[string]string{"word/x": ""}), want: reader.Malformed},
		{name: "entities.docx", data: docx(`<!DOCTYPE x [<!ENTITY a "`+strings.Repeat("&a;", 1000)+`">]><w:p><w:r><w:t>&a;&a;</w:t></w:r></w:p>`, nil),
			want: reader.Empty},
		{name: "deep.docx", data: docx(strings.Repeat("<w:tbl><w:tr><w:tc>", 100_000), nil), want: reader.Empty},
		{name: "sparse.xlsx", data: sheet(strings.Repeat(`<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`, 100_000)), want: ""},
		{name: "rows.ods", data: zipped(map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
			"content.xml": `<body><table name="a"><table-row number-rows-repeated="1048576"><table-cell number-columns-repeated="16384"><p>x</p></table-cell></table-row></table></body>`}), want: ""},
		{name: "deep.odt", data: zipped(map[string]string{"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<body>" +
			strings.Repeat("<list><list-item>", 100_000) + "<p>x</p>"}), want: reader.Empty},
		{name: "deep.rtf", data: `{\rtf1 ` + strings.Repeat("{", 300_000) + "x", want: ""},
		{name: "words.rtf", data: `{\rtf1 ` + strings.Repeat(`\bin9`, 100_000), want: ""},
		{name: "parts.eml", data: "From: a\nTo: b\nSubject: c\nContent-Type: multipart/mixed; boundary=x\n\n" + strings.Repeat("--x\n\n\n", 20_000),
			want: reader.TooLarge},
		{name: "book.ipynb", data: `{"cells":[{"cell_type":"code","source":` + strings.Repeat("[", 20_000), want: reader.Malformed},
		{name: "a.epub", data: zipped(map[string]string{"mimetype": "application/epub+zip", "META-INF/container.xml": `<rootfile full-path="a.opf"/>`,
			"a.opf":  `<item id="1" href="1.html" media-type="text/html"/>` + strings.Repeat(`<itemref idref="1"/>`, 100_000),
			"1.html": strings.Repeat("<p>word ", 1000)}), want: "", limits: reader.Limits{TextBytes: 4 << 20}},
	} {
		var d *document.Document
		var err error
		cputest.Most(t, 10*time.Second, c.name, func() {
			d, err = builtin(t).Read(t.Context(), reader.Source{Name: c.name, Data: []byte(c.data)}, c.limits)
		})
		switch f := fault.As(err); {
		case err == nil && c.want == "":
			check(t, c.name, d)
		case c.want == "" || f == nil || f.Code != fault.Invalid || len(f.Problems) != 1 || f.Problems[0].Type != c.want:
			t.Errorf("%s: Read = %v, want %s", c.name, err, c.want)
		}
	}
}

func FuzzDOCX(f *testing.F) {
	set := builtin(f)
	f.Add("<w:p><w:r><w:t>a</w:t></w:r></w:p><w:tbl><w:tr><w:tc/></w:tr></w:tbl>")
	f.Fuzz(func(t *testing.T, body string) {
		d, err := set.Read(t.Context(), reader.Source{Name: "a.docx", Data: []byte(docx(body, nil))}, reader.Limits{})
		if err == nil {
			check(t, "a.docx", d)
		} else if fault.CodeOf(err) != fault.Invalid {
			t.Fatalf("Read = %v", err)
		}
	})
}

func FuzzRTF(f *testing.F) {
	fuzz(f, "a.rtf", `{\rtf1\ansi{\stylesheet{\s1 heading 1;}}\s1 a\par\pard {\listtext 1.}b\par\trowd\intbl c\cell d\cell\row{\footnote e}\u8364 ?}`)
}

func FuzzEML(f *testing.F) {
	fuzz(f, "a.eml", "From: a\nTo: b\nSubject: c\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/html\n\n<p>a\n--x--")
}
