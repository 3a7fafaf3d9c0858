package readertest

import (
	"fmt"
	"strings"
)

// Large lists honest documents of about the given bytes of text each, and a PDF
// with the given pages, made of the sentences that next returns. Sentences
// should consist of plain letters and end with a full stop.
func Large(next func() string, bytes, pages int) []File {
	fill := func(head, tail string, unit func(i int) string) func() []byte {
		return func() []byte {
			var b strings.Builder
			b.WriteString(head)
			for i := 0; b.Len() < bytes; i++ {
				b.WriteString(unit(i))
			}
			return []byte(b.String() + tail)
		}
	}
	packed := func(members []member, name, head, tail string, unit func(i int) string) func() []byte {
		return func() []byte {
			return pack(append(members, member{name: name, head: string(fill(head, tail, unit)())})...)
		}
	}
	row := func(i int, format string) string { return fmt.Sprintf(format, i, next()) }
	return []File{
		{"large.txt", fill("", "", func(int) string { return next() + " " + next() + "\n\n" })},
		{"large.md", fill("# Title\n\n", "", func(i int) string {
			return fmt.Sprintf("## Part %d\n\n%s\n\n- %s\n- %s\n\n| a | b |\n|---|---|\n| %d | c |\n\n", i, next(), next(), next(), i)
		})},
		{"large.html", fill("<html><body>", "", func(i int) string {
			return fmt.Sprintf("<h2>Part %d</h2><p>%s <b>%s</b></p><ul><li>%s</li></ul>\n", i, next(), next(), next())
		})},
		{"large.csv", fill("id,note\n", "", func(i int) string { return row(i, "%d,%s\n") })},
		{"large.json", fill("[", "{}]", func(i int) string { return row(i, `{"id":%d,"note":"%s"},`) })},
		{"large.rtf", fill(`{\rtf1 `, "}", func(i int) string { return row(i, `%d %s\par `) })},
		{"large.eml", fill("From: a\nTo: b\nSubject: c\n\n", "", func(int) string { return next() + "\n\n" })},
		{"large.docx", packed(nil, "word/document.xml", docxHead, "</w:body></w:document>", func(i int) string {
			return row(i, "<w:p><w:r><w:t>%d %s</w:t></w:r></w:p>")
		})},
		{"large.odt", packed([]member{kind(odtType)}, "content.xml", "<office:body>", "</office:body>", func(i int) string {
			return row(i, "<text:p>%d %s</text:p>")
		})},
		{"large.epub", func() []byte {
			return epub(member{head: string(fill("<body>", "</body>", func(i int) string { return row(i, "<p>%d %s</p>") })())}, 1)
		}},
		{"large.xlsx", func() []byte {
			return book(1, member{head: string(fill("<sheetData>", "</sheetData>", func(i int) string {
				return row(i, `<row><c><v>%d</v></c><c t="inlineStr"><is><t>%s</t></is></c></row>`)
			})())})
		}},
		{"large.pdf", func() []byte { return longPDF(next, pages) }},
	}
}

// longPDF has pages with a heading and 45 lines.
func longPDF(next func() string, count int) []byte {
	objects := []string{catalog, "", font}
	kids := ""
	for i := range count {
		var b strings.Builder
		fmt.Fprintf(&b, "BT /F1 16 Tf 72 760 Td (Part %d) Tj ET\n", i)
		line := ""
		for l := range 45 {
			for len(line) < 90 {
				line += next() + " "
			}
			cut := strings.LastIndexByte(line[:90], ' ')
			fmt.Fprintf(&b, "BT /F1 10 Tf 72 %d Td (%s) Tj ET\n", 730-l*14, line[:cut])
			line = line[cut+1:]
		}
		n := len(objects) + 1
		kids += fmt.Sprintf("%d 0 R ", n)
		objects = append(objects, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", n+1), stream("", b.String()))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", count, kids)
	return PDF("", objects...)
}
