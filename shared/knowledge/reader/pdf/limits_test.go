package pdf_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lectern/shared/fault"
	"lectern/shared/fault/budget"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/pdf"
	"lectern/shared/knowledge/reader/readertest"
)

const formFont = 5 // the number of the font's object; forms follow it

// drawing is a file whose one page draws with the operators given, and whose forms
// are named X0, X1, …; forms without resources of their own use the page's.
func drawing(page string, forms ...string) []byte {
	names := ""
	for i := range forms {
		names += fmt.Sprintf("/X%d %d 0 R ", i, formFont+1+i)
	}
	stream := func(dict, ops string) string {
		return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(ops), ops)
	}
	resources := fmt.Sprintf("/Resources << /Font << /F1 %d 0 R >> /XObject << %s >> >>", formFont, names)
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R " + resources + " >>",
		stream("", page), "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	for _, ops := range forms {
		objects = append(objects, stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792] "+resources, ops))
	}
	return readertest.PDF("", objects...)
}

// line writes a word on a line of its own.
func line(number int, word string) string {
	return fmt.Sprintf("BT /F1 12 Tf 72 %d Td (%s) Tj ET ", 760-14*number, word)
}

// nested are forms of which each draws the next one some times, and the last writes.
func nested(levels, times int) []string {
	forms := make([]string, levels)
	for i := range forms {
		forms[i] = strings.Repeat(fmt.Sprintf("/X%d Do ", i+1), times)
	}
	return append(forms, line(levels+1, "last"))
}

func TestForms(t *testing.T) {
	e := pdf.NewEngine(t.TempDir())
	t.Cleanup(func() { e.Close() })
	many := ""
	for i := range 20 {
		many += fmt.Sprintf("q 1 0 0 1 0 %d cm /X0 Do Q ", -14*i)
	}
	for _, c := range []struct {
		name, page string
		forms      []string
		want       string // the lines, joined
		drawn      int
	}{
		{"calls itself thrice", line(0, "page") + "/X0 Do /X0 Do /X0 Do", []string{line(1, "form") + "/X0 Do /X0 Do /X0 Do"}, "page form", 3},
		{"call each other", line(0, "page") + "/X0 Do", []string{line(1, "one") + "/X1 Do /X1 Do", line(2, "two") + "/X0 Do /X0 Do"},
			"page one two", 3},
		{"draws itself through another", line(0, "page") + "/X0 Do", []string{"/X1 Do", line(2, "two") + "/X2 Do", "/X0 Do /X1 Do " + line(3, "three")},
			"page two three", 3},
		{"nested thirty deep", line(0, "page") + "/X0 Do", nested(30, 1), "page last", 31},
		{"three levels of ten", line(0, "page") + "/X0 Do", nested(3, 10), "page last", 1111},
		{"drawn many times", many, []string{line(0, "again")}, strings.TrimSpace(strings.Repeat("again ", 20)), 20},
	} {
		data := drawing(c.page, c.forms...)
		f, err := e.Read(t.Context(), data, intake.PDFOptions{MaxPages: 10})
		if err != nil {
			t.Errorf("%s: Read = %v", c.name, err)
			continue
		}
		var got []string
		for _, s := range f.Pages[0].Segments {
			got = append(got, s.Text)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: Read = %q, want %q", c.name, text, c.want)
		}
		if n, _, err := pdf.Drawn(t.Context(), e, data); n != c.drawn || err != nil {
			t.Errorf("%s: %d forms were drawn, %v; want %d", c.name, n, err, c.drawn)
		}
	}
}

// TestManyForms: forms that draw forms that draw forms end at the limit, as a refusal of
// the file.
func TestManyForms(t *testing.T) {
	e := pdf.NewEngine(t.TempDir())
	t.Cleanup(func() { e.Close() })
	data := drawing("/X0 Do", nested(10, 10)...)
	n, bytes, err := pdf.Drawn(t.Context(), e, data)
	if n != pdf.MaxForms+1 || bytes > 256<<20 || !errors.Is(err, pdf.ErrTooManyForms) {
		t.Errorf("%d forms were drawn with %d bytes, %v; want the limit of %d", n, bytes, err, pdf.MaxForms)
	}
	_, _, err = e.Document(t.Context(), data, intake.PDFOptions{MaxPages: 10})
	if f := fault.As(err); f == nil || f.Code != fault.Invalid || len(f.Problems) != 1 || f.Problems[0].Type != intake.Malformed {
		t.Errorf("Document = %v, want a refusal", err)
	}
}

// TestMemory: what a file takes counts in the budget while it is read, and is no more
// than the budget.
func TestMemory(t *testing.T) {
	e := pdf.NewEngine(t.TempDir())
	t.Cleanup(func() { e.Close() })
	e.Memory = budget.New(1 << 20)
	data := drawing("/X0 Do", nested(4, 10)...) // draws 11,111 forms
	_, _, err := e.Document(t.Context(), data, intake.PDFOptions{MaxPages: 10})
	if f := fault.As(err); f == nil || f.Code != fault.Invalid || len(f.Problems) != 1 || f.Problems[0].Type != intake.TooLarge {
		t.Errorf("Document over the budget = %v, want a refusal", err)
	}
	// Nothing is left of what it claimed, and beside others it has to wait.
	over, cancel := context.WithCancel(t.Context())
	cancel()
	e.Memory = budget.New(256 << 20)
	others := e.Memory.Claim()
	for range 2 {
		if err := others.Grow(over, 256<<20); err != nil {
			t.Fatalf("Grow to the whole budget = %v", err)
		}
		others.Release()
		if _, _, err := e.Document(t.Context(), data, intake.PDFOptions{MaxPages: 10}); err != nil {
			t.Errorf("Document within the budget = %v", err)
		}
	}
	if err := others.Grow(over, 256<<20); err != nil {
		t.Fatalf("Grow to the whole budget = %v", err)
	}
	defer others.Release()
	if _, _, err := pdf.Drawn(over, e, data); !errors.Is(err, context.Canceled) {
		t.Errorf("Drawn without room = %v, want that it was cancelled while it waited", err)
	}
}
