package document_test

import (
	"strings"
	"testing"

	"lectern/shared/text/document"
)

// TestMost: no kind of block makes a text longer than its limit, and the document says that
// it is not whole.
func TestMost(t *testing.T) {
	long := strings.Repeat("x", 100)
	for name, write := range map[string]func(b *document.Builder){
		"heading":   func(b *document.Builder) { b.Heading(1, long) },
		"paragraph": func(b *document.Builder) { b.Paragraph(long) },
		"quote":     func(b *document.Builder) { b.Quote(long) },
		"item":      func(b *document.Builder) { b.Item(0, false, long) },
		"lines":     func(b *document.Builder) { b.Item(0, false, "a"); b.Item(9, true, strings.Repeat("b\n", 40)) },
		"table":     func(b *document.Builder) { b.Table([]string{long, "b"}) },
		"row":       func(b *document.Builder) { b.Row([]string{"a", "b"}); b.Row([]string{long, "b"}) },
		"padded":    func(b *document.Builder) { b.WholeTable([][]string{make([]string, 500), {"a"}, {"b"}}) },
		"record":    func(b *document.Builder) { b.Record([]string{"n"}, []string{long}) },
		"names":     func(b *document.Builder) { b.Record([]string{long}, []string{"a"}) },
		"code":      func(b *document.Builder) { b.Code("", long) },
		"image":     func(b *document.Builder) { b.Image("a", long) },
		"document":  func(b *document.Builder) { b.Append(&document.Document{Text: long}) },
		"part":      func(b *document.Builder) { b.Append(&document.Document{Text: "a", Over: true}) },
		"grid": func(b *document.Builder) {
			g := document.Grid{Builder: b}
			for range 50 {
				g.Row([]string{"a", "b", "c"})
			}
			g.End()
		},
	} {
		b := document.Builder{Most: 100}
		b.Paragraph("before")
		for range 1000 {
			write(&b)
		}
		b.Paragraph("after")
		if n := b.Len(); n <= 100 {
			t.Errorf("%s: Len = %d, want over the limit", name, n)
		}
		d := b.Document()
		if len(d.Text) > 150 || !d.Over || strings.Contains(d.Text, "after") || !strings.HasPrefix(d.Text, "before") {
			t.Errorf("%s: %d bytes, over %v: %q", name, len(d.Text), d.Over, d.Text)
		}
	}
	b := document.Builder{Most: 100}
	b.Paragraph(long)
	if d := b.Document(); d.Over || d.Text != long {
		t.Errorf("a text at the limit is %q, over %v", d.Text, d.Over)
	}
}

// TestFence: the fence of code is longer than each run of the same marks in it.
func TestFence(t *testing.T) {
	for code, fence := range map[string]string{"a": "```", "a `b` ``": "```", "a\n```": "````", "`````x``": "``````"} {
		b := document.Builder{}
		b.Code("go", code)
		if got, want := b.Document().Text, fence+"go\n"+code+"\n"+fence; got != want {
			t.Errorf("Code(%q) = %q, want %q", code, got, want)
		}
	}
}
