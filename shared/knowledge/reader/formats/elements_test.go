package formats_test

import (
	"strings"
	"testing"

	"lectern/shared/knowledge/reader"
)

// TestTooManyElements: a paragraph, table or slide of millions of elements is refused, because
// it is held whole; as many in many paragraphs are read.
func TestTooManyElements(t *testing.T) {
	set := builtin(t)
	many := strings.Repeat("<a/>", 3_100_000)
	word := "<w:p><w:r><w:t>a</w:t></w:r></w:p>"
	wantRefusal(t, set, "a.docx", docx(word+"<w:p>"+many+"</w:p>", nil), reader.Limits{}, reader.TooLarge)
	wantRefusal(t, set, "a.odt", zipped(map[string]string{"mimetype": "application/vnd.oasis.opendocument.text",
		"content.xml": "<office:body><text:p>a</text:p><text:p>" + many + "</text:p></office:body>"}), reader.Limits{}, reader.TooLarge)
	wantRefusal(t, set, "a.pptx", zipped(map[string]string{
		"ppt/presentation.xml":            `<p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst>`,
		"ppt/_rels/presentation.xml.rels": `<Relationships><Relationship Id="r1" Type="x/slide" Target="s.xml"/></Relationships>`,
		"ppt/s.xml":                       "<p:sld><p:sp><p:txBody>" + many + "</p:txBody></p:sp></p:sld>",
	}), reader.Limits{}, reader.TooLarge)
	if d := read(t, "a.docx", docx(strings.Repeat("<w:p>"+many[:1<<20]+"</w:p>", 10)+word, nil)); d.Text != "a" {
		t.Errorf("Text = %q", d.Text)
	}
}
