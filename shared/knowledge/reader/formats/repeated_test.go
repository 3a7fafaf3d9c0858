package formats_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/shared/fault/cputest"
	"lectern/shared/knowledge/reader"
)

// TestNotesOnce: a note is written once, however often it is referred to, and its marks say
// the same number.
func TestNotesOnce(t *testing.T) {
	mark := func(kind, id string) string { return `<w:r><w:` + kind + `Reference w:id="` + id + `"/></w:r>` }
	more := map[string]string{
		"word/_rels/document.xml.rels": `<Relationships><Relationship Id="r1" Type="x/footnotes" Target="footnotes.xml"/>` +
			`<Relationship Id="r2" Type="x/endnotes" Target="endnotes.xml"/></Relationships>`,
		"word/endnotes.xml": `<w:endnotes><w:endnote w:id="2"><w:p><w:r><w:t>the end</w:t></w:r></w:p></w:endnote></w:endnotes>`,
	}
	body := "<w:p><w:r><w:t>a</w:t></w:r>" + mark("footnote", "2") + mark("endnote", "2") + mark("footnote", "2") + "</w:p>" +
		"<w:tbl><w:tr><w:tc><w:p><w:r><w:t>b</w:t></w:r>" + mark("endnote", "2") + "</w:p></w:tc><w:tc><w:p>" + mark("footnote", "2") +
		"</w:p></w:tc></w:tr></w:tbl>"
	want := "a[^1][^2][^1]\n\n| b[^2] | [^1] |\n| --- | --- |\n\n[^1]: the note\n\n[^2]: the end"
	if d := read(t, "a.docx", docx(body, more)); d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

// TestRepeatedText: what a file has once and its text would have many times is refused before
// it takes memory.
func TestRepeatedText(t *testing.T) {
	set := builtin(t)
	ods := func(rows, columns int, text string) string {
		return zipped(map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
			"content.xml": fmt.Sprintf(`<office:body><table:table table:name="a"><table:table-row table:number-rows-repeated="%d">`+
				`<table:table-cell table:number-columns-repeated="%d"><text:p>%s</text:p></table:table-cell></table:table-row></table:table></office:body>`,
				rows, columns, text)})
	}
	if d := read(t, "a.ods", ods(3, 2, "x")); strings.Count(d.Text, "| x | x |") != 3 {
		t.Errorf("rows and cells are not repeated: %q", d.Text)
	}
	long := strings.Repeat("x", 1<<20)
	wantRefusal(t, set, "a.ods", ods(1000, 1, long), reader.Limits{}, reader.TooLarge)
	wantRefusal(t, set, "a.ods", ods(1, 1000, long), reader.Limits{}, reader.TooLarge)
	wantRefusal(t, set, "a.ods", ods(1000, 1000, long), reader.Limits{}, reader.TooLarge)
	wide := func(cells, rows int) string {
		return zipped(map[string]string{
			"xl/workbook.xml":            `<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/></Relationships>`,
			"xl/s.xml":                   "<sheetData>" + strings.Repeat("<row>"+strings.Repeat(`<c t="s"><v>0</v></c>`, cells)+"</row>", rows) + "</sheetData>",
			"xl/sharedStrings.xml":       "<sst><si><t>" + long + "</t></si></sst>",
		})
	}
	wantRefusal(t, set, "a.xlsx", wide(5000, 1), reader.Limits{}, reader.TooLarge)
	wantRefusal(t, set, "a.xlsx", wide(1, 5000), reader.Limits{}, reader.TooLarge)
	row := "<w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr>"
	padded := "<w:tbl><w:tr>" + strings.Repeat("<w:tc/>", 50_000) + "</w:tr>" + strings.Repeat(row, 10_000) + "</w:tbl>"
	wantRefusal(t, set, "a.docx", docx(padded, nil), reader.Limits{}, reader.TooLarge)
}

// TestManyLinks: a paragraph of many links takes time in proportion to them.
func TestManyLinks(t *testing.T) {
	const links = 100_000
	cputest.Most(t, 5*time.Second, "links", func() {
		d := read(t, "a.odt", zipped(map[string]string{"mimetype": "application/vnd.oasis.opendocument.text",
			"content.xml": "<office:body><text:p>a " + strings.Repeat(`<text:a xlink:href="http://a.b/">xx</text:a> `, links) + "</text:p></office:body>"}))
		if n := strings.Count(d.Text, "[xx](http://a.b/) "); n < links-1 {
			t.Errorf("%d links, want %d", n, links)
		}
	})
}
