package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/shared/knowledge/reader"
)

// BenchmarkRead reads a few megabytes of each format; pages/s for those that
// have pages.
func BenchmarkRead(b *testing.B) {
	const para = "The committee met in the large hall of the old building, and it was, as Dr. Smith said, a success for all who had come. "
	repeat := func(head, unit, tail string, bytes int) string {
		return head + strings.Repeat(unit, bytes/len(unit)) + tail
	}
	var pages []*pdfPage
	for i := range 100 {
		p := &pdfPage{}
		p.at(72, 760, "F2", 14, fmt.Sprintf("%d A heading", i))
		for l := range 45 {
			p.at(72, 740-float64(l)*14, "F1", 10, para[:90])
		}
		pages = append(pages, p)
	}
	text := "<w:p><w:r><w:t>" + para + "</w:t></w:r></w:p>"
	files := []struct{ name, data string }{
		{"a.txt", repeat("", para+para+"\n\n", "", 8<<20)},
		{"a.md", repeat("# Title\n\n", "## Section\n\n"+para+"\n\n- "+para+"\n- "+para+"\n\n| a | b |\n|---|---|\n| c | d |\n\n", "", 8<<20)},
		{"a.html", repeat("<html><body>", "<h2>Section</h2><p>"+para+"<b>"+para+"</b></p><ul><li>"+para+"</li></ul>\n", "", 8<<20)},
		{"a.csv", repeat("id,name,note\n", "17,Someone,"+strings.ReplaceAll(para, ",", "")+"\n", "", 8<<20)},
		{"a.json", repeat("[", `{"id":17,"name":"Someone","note":"`+para+`"},`, "{}]", 8<<20)},
		{"a.go", repeat("package a\n\n", "// F does.\nfunc F() {\n\tx := 1\n\treturn x\n}\n\n", "", 8<<20)},
		{"a.rtf", repeat(`{\rtf1 `, para+`\par `, "}", 4<<20)},
		{"a.docx", docx(strings.Repeat(text, 40_000), nil)},
		{"a.eml", repeat("From: a\nTo: b\nSubject: c\n\n", para+"\n\n", "", 4<<20)},
		{"a.pdf", pdfFile("", nil, pages...)},
	}
	set := builtin(b)
	for _, f := range files {
		b.Run(f.name, func(b *testing.B) {
			var bytes, count int
			for b.Loop() {
				d, err := set.Read(b.Context(), reader.Source{Name: f.name, Data: []byte(f.data)}, reader.Limits{})
				if err != nil {
					b.Fatal(err)
				}
				bytes, count = len(d.Text), d.Pages
			}
			// Of text, since packed bytes say little.
			b.SetBytes(int64(bytes))
			if count > 0 {
				b.ReportMetric(float64(count*b.N)/b.Elapsed().Seconds(), "pages/s")
			}
		})
	}
}
