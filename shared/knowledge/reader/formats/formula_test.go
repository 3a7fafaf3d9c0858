package formats_test

import (
	"strings"
	"testing"
)

// TestRaised: an exponent is told from the digits before it; the end of "1st", the square of
// a unit and the mark of a note are no exponents.
func TestRaised(t *testing.T) {
	parts := [][2]string{{"2", "31"}, {" and 10", "-6"}, {" and x", "n+1"}, {", the 1", "st"}, {" of 5 km", "2"}, {", E=mc", "2"}, {" ohm", "-1"}}
	join := func(before, between, after, end string) string {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(before + p[0] + between + p[1] + after)
		}
		return b.String() + end
	}
	const want = "2^31 and 10^-6 and x^(n+1), the 1st of 5 km2, E=mc^2 ohm^-1"
	for _, c := range []struct{ name, data string }{
		{"a.html", "<body><p>" + join("", "<sup>", "</sup>", "</p>")},
		{"a.docx", docx("<w:p>"+join(`<w:r><w:t xml:space="preserve">`, `</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>`, "</w:t></w:r>", "</w:p>"), nil)},
		{"a.pptx", slideShow("<p:sp><p:txBody><a:p>"+join("<a:r><a:t>", `</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>`, "</a:t></a:r>", "</a:p></p:txBody></p:sp>"), "", nil)},
		{"a.rtf", `{\rtf1 ` + join("", `{\super `, "}", "}")},
		{"a.odt", openText(`<style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>`,
			"<text:p>"+join("", `<text:span text:style-name="T1">`, "</text:span>", "</text:p>"), nil)},
	} {
		if d := read(t, c.name, c.data); d.Text != want {
			t.Errorf("%s: Text = %q, want %q", c.name, d.Text, want)
		}
	}
	// Word splits runs anywhere.
	sup := func(s string) string {
		return `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>` + s + `</w:t></w:r>`
	}
	d := read(t, "a.docx", docx("<w:p><w:r><w:t>2</w:t></w:r>"+sup("3")+sup("1")+"</w:p>", nil))
	if want := "2^31"; d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

// openText is a text in the OpenDocument format.
func openText(styles, body string, more map[string]string) string {
	members := map[string]string{
		"mimetype": "application/vnd.oasis.opendocument.text",
		"content.xml": "<office:document-content><office:automatic-styles>" + styles + "</office:automatic-styles><office:body><office:text>" + body +
			"</office:text></office:body></office:document-content>",
	}
	for name, data := range more {
		members[name] = data
	}
	return zipped(members)
}

// TestFormulas: the parts of a formula do not run into each other.
func TestFormulas(t *testing.T) {
	const mathML = `<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>x</mi><mo>=</mo><mfrac><mrow><mo>-</mo><mi>b</mi><mo>±</mo><msqrt>` +
		`<msup><mi>b</mi><mn>2</mn></msup><mo>-</mo><mn>4</mn><mo>&#x2062;</mo><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac>` +
		`<mo>+</mo><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub>` +
		`</mrow><annotation encoding="StarMath 5.0">x = {-b}</annotation></semantics></math>`
	r := func(text string) string { return "<m:r><m:t>" + text + "</m:t></m:r>" }
	e := func(name, content string) string { return "<m:" + name + ">" + content + "</m:" + name + ">" }
	office := "<m:oMath>" + r("x=") + e("f", e("num", r("-b±")+e("rad", e("deg", "")+e("e", e("sSup", e("e", r("b"))+e("sup", r("2")))+r("-4ac"))))+e("den", r("2a"))) +
		r("+") + e("nary", `<m:naryPr><m:chr m:val="∑"/></m:naryPr>`+e("sub", r("i=1"))+e("sup", r("n"))+e("e", e("sSub", e("e", r("x"))+e("sub", r("i"))))) + "</m:oMath>"
	const want = "So x=(-b±√(b^2-4ac))/(2a)+∑_(i=1)^n x_i"
	for _, c := range []struct{ name, data string }{
		{"a.html", "<body><p>So " + mathML + "</p>"},
		{"a.docx", docx(`<w:p><w:r><w:t xml:space="preserve">So </w:t></w:r>`+office+"</w:p>", nil)},
		{"a.pptx", slideShow(`<p:sp><p:txBody><a:p><a:r><a:t>So </a:t></a:r><mc:AlternateContent><mc:Choice><a14:m>`+office+
			`</a14:m></mc:Choice><mc:Fallback><a:r><a:t>picture</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p></p:txBody></p:sp>`, "", nil)},
		{"a.odt", openText("", `<text:p>So <draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame></text:p>`,
			map[string]string{"Object 1/content.xml": `<?xml version="1.0"?>` + mathML})},
	} {
		if d := read(t, c.name, c.data); d.Text != want {
			t.Errorf("%s: Text = %q, want %q", c.name, d.Text, want)
		}
	}
}
