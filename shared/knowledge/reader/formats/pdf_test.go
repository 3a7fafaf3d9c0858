package formats_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/fault/cputest"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/readertest"
	"lectern/shared/text/document"
)

// pdfPage draws text with the fonts that every PDF program has.
type pdfPage struct{ strings.Builder }

// at writes text; font is F1 plain, F2 bold, F3 of one width.
func (p *pdfPage) at(x, y float64, font string, size float64, text string) {
	text = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text)
	fmt.Fprintf(p, "BT /%s %g Tf %g %g Td (%s) Tj ET\n", font, size, x, y, text)
}

// lines writes lines downwards and returns where the next one would be.
func (p *pdfPage) lines(x, y, size float64, lines ...string) float64 {
	for _, l := range lines {
		p.at(x, y, "F1", size, l)
		y -= 1.2 * size
	}
	return y
}

// pdfFile puts a file together; extra objects follow those of the pages.
func pdfFile(trailer string, extra []string, pages ...*pdfPage) string {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", ""}
	fonts := "<<"
	for i, name := range []string{"Helvetica", "Helvetica-Bold", "Courier"} {
		objects = append(objects, fmt.Sprintf("<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>", name))
		fonts += fmt.Sprintf(" /F%d %d 0 R", i+1, i+3)
	}
	fonts += " >>"
	objects = append(objects, extra...)
	kids := ""
	for _, p := range pages {
		n := len(objects) + 1
		kids += fmt.Sprintf(" %d 0 R", n)
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font %s /XObject << /X0 6 0 R >> >> /Contents %d 0 R >>", fonts, n+1),
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", p.Len(), p.String()))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s ] >>", len(pages), kids)
	return string(readertest.PDF(trailer, objects...))
}

func TestPDF(t *testing.T) {
	var pages []*pdfPage
	for i := range 4 {
		p := &pdfPage{}
		p.at(72, 760, "F1", 9, "The running head of it all")
		p.at(300, 30, "F1", 9, fmt.Sprint(i+7))
		pages = append(pages, p)
	}
	p := pages[0]
	p.at(72, 700, "F2", 22, "A report on lamps")
	y := p.lines(72, 660, 11,
		"Lamps have been in use for a very long time, and nobody knows when the hyphen-",
		"ated ones came first. This line goes on to the right edge of the text column as",
		"well, but this one ends.",
		"Another paragraph begins with this line here, which is also as long as the others",
		"and then it ends.")
	p.at(72, y-20, "F2", 15, "1 Materials")
	p.lines(72, y-50, 11, "These are used most of all in the making of the lamps that we have looked at here:")
	p.at(80, y-70, "F1", 11, "\x95")
	p.at(95, y-70, "F1", 11, "brass, which is a metal and the one that was found in nearly all")
	p.at(95, y-84, "F1", 11, "the lamps")
	p.at(80, y-98, "F1", 11, "\x95")
	p.at(95, y-98, "F1", 11, "glass")
	for i, row := range [][]string{{"Name", "Price", "Sold"}, {"Small lamp", "12.50", "7"}, {"Big lamp", "20.00", "11"}} {
		for j, cell := range row {
			p.at(72+float64(j)*150, y-140-float64(i)*14, "F1", 11, cell)
		}
	}
	p.at(72, y-200, "F3", 10, "if lamp {")
	p.at(84, y-212, "F3", 10, "burn()")
	p.at(72, y-224, "F3", 10, "}")
	// The second page has two columns, in the order of rows in the file.
	p = pages[1]
	p.at(72, 700, "F2", 15, "2 Columns that stand side by side below a heading")
	for i := range 12 {
		p.at(72, 660-float64(i)*13, "F1", 11, fmt.Sprintf("left words in line number %d of it", i))
		p.at(320, 660-float64(i)*13, "F1", 11, fmt.Sprintf("right words in line number %d of it", i))
	}
	p.at(320, 500, "F1", 11, "and the end.")
	pages[2].at(72, 660, "F1", 11, "A sentence that begins near the end of one page, since there is no more room, and")
	pages[3].at(72, 700, "F1", 11, "ends on the next page.")
	d := read(t, "a.pdf", pdfFile("", nil, pages...))
	left, right := "", ""
	for i := range 12 {
		left += fmt.Sprintf("left words in line number %d of it ", i)
		right += fmt.Sprintf("right words in line number %d of it ", i)
	}
	wantTree(t, d, `
section1 {A report on lamps}
  paragraph Lamps have been in use for a very long time, and nobody knows when the hyphenated ones came first. This line goes on to the right edge of the text column as well, but this one ends.
  paragraph Another paragraph begins with this line here, which is also as long as the others and then it ends.
  section2 {1 Materials}
    paragraph These are used most of all in the making of the lamps that we have looked at here:
    list
      list_item - brass, which is a metal and the one that was found in nearly all the lamps
      list_item - glass
    table
      table_row | Name | Price | Sold |
      table_row | Small lamp | 12.50 | 7 |
      table_row | Big lamp | 20.00 | 11 |
    code `+"```⏎if lamp {⏎  burn()⏎}⏎```"+`
  section2 {2 Columns that stand side by side below a heading}
    paragraph `+left+right+`and the end.
    paragraph A sentence that begins near the end of one page, since there is no more room, and ends on the next page.
`)
	if d.Pages != 4 || d.Title != "A report on lamps" {
		t.Errorf("Pages = %d, Title = %q", d.Pages, d.Title)
	}
	var got []int
	d.Root.Walk(func(n *document.Node) bool {
		if n.Type == document.Paragraph {
			got = append(got, n.Page)
		}
		return true
	})
	if diff := cmp.Diff([]int{1, 1, 1, 2, 3}, got); diff != "" {
		t.Errorf("pages of paragraphs: -want +got\n%s", diff)
	}
}

// TestPDFRaised: of characters above the line some are exponents, before marks too.
func TestPDFRaised(t *testing.T) {
	p := &pdfPage{}
	p.WriteString("BT /F1 12 Tf 72 700 Td (There are 2) Tj 4 Ts /F1 7 Tf (31) Tj 0 Ts /F1 12 Tf ( values, x) Tj 4 Ts /F1 7 Tf (2) Tj 0 Ts /F1 12 Tf " +
		"(, the 1) Tj 4 Ts /F1 7 Tf (st) Tj 0 Ts /F1 12 Tf ( of 5 km) Tj 4 Ts /F1 7 Tf (2) Tj 0 Ts /F1 12 Tf ( in 2019) Tj 4 Ts /F1 7 Tf (3) Tj 0 Ts /F1 12 Tf " +
		"( and 10) Tj 4 Ts /F1 7 Tf (-6) Tj 0 Ts /F1 12 Tf (.) Tj ET\n")
	if d, want := read(t, "a.pdf", pdfFile("", nil, p)), "There are 2^31 values, x^2, the 1st of 5 km2 in 2019 3 and 10^-6."; d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

// TestPDFNoteMarks: what follows a raised mark belongs to its line, and is not
// the second cell of a table that lists and tables below would then be part of.
func TestPDFNoteMarks(t *testing.T) {
	p := &pdfPage{}
	p.WriteString("BT /F1 12 Tf 72 700 Td (Words with a note) Tj 4 Ts /F1 7 Tf (1) Tj 0 Ts /F1 12 Tf (.) Tj ET\n")
	for i, item := range []string{"first", "second"} {
		p.at(84, 684-16*float64(i), "F1", 12, fmt.Sprintf("%d.", i+1))
		p.at(108, 684-16*float64(i), "F1", 12, item)
	}
	for i, cells := range [][]string{{"Town", "People"}, {"Here", "7"}, {"There", "11"}} {
		p.at(72, 650-16*float64(i), "F1", 12, cells[0])
		p.at(300, 650-16*float64(i), "F1", 12, cells[1])
	}
	wantTree(t, read(t, "a.pdf", pdfFile("", nil, p)), `
paragraph Words with a note1.
list
  list_item 1. first
  list_item 2. second
table
  table_row | Town | People |
  table_row | Here | 7 |
  table_row | There | 11 |
`)
}

// TestPDFSlides: the points of a slide are large, and still a list; a list that
// a paragraph parts keeps its numbers.
func TestPDFSlides(t *testing.T) {
	p := &pdfPage{}
	p.at(72, 700, "F1", 40, "The plan")
	p.at(72, 600, "F1", 28, "\x95")
	p.at(100, 600, "F1", 28, "First part")
	p.at(120, 550, "F1", 24, "\x96")
	p.at(148, 550, "F1", 24, "with details")
	for i := range 12 {
		p.at(72, 500-16*float64(i), "F1", 11, "Small print that runs over the whole width of the slide, line after line.")
	}
	p.at(72, 280, "F1", 11, "3.")
	p.at(90, 280, "F1", 11, "third")
	p.at(72, 266, "F1", 11, "4.")
	p.at(90, 266, "F1", 11, "fourth")
	d := read(t, "a.pdf", pdfFile("", nil, p))
	for _, want := range []string{"# The plan\n\n- First part\n  - with details\n\nSmall", "\n\n3. third\n4. fourth"} {
		if !strings.Contains(d.Text, want) {
			t.Errorf("Text = %q, want %q in it", d.Text, want)
		}
	}
}

// TestPDFHeadings: a heading with a number begins anew below another one.
func TestPDFHeadings(t *testing.T) {
	p := &pdfPage{}
	p.at(72, 700, "F2", 18, "The long report on lamps of")
	p.at(72, 678, "F2", 18, "2023 and their keepers")
	p.at(72, 656, "F2", 18, "1. Introduction")
	p.lines(72, 620, 11, "Lamps have been in use for a very long time, and nobody knows when the first of them", "came. This line goes on.")
	wantTree(t, read(t, "a.pdf", pdfFile("", nil, p)), `
section1 {The long report on lamps of 2023 and their keepers}
section1 {1. Introduction}
  paragraph Lamps have been in use for a very long time, and nobody knows when the first of them came. This line goes on.
`)
}

// TestPDFForms: what is filled into a form is part of the text.
func TestPDFForms(t *testing.T) {
	stream := func(dict, ops string) string {
		return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(ops), ops)
	}
	const font = "/Resources << /Font << /F1 5 0 R >> >>"
	d := read(t, "a.pdf", string(readertest.PDF("",
		"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] >> >>",
		"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "+font+" /Contents 4 0 R /Annots [6 0 R] >>",
		stream("", "BT /F1 12 Tf 72 700 Td (Name:) Tj ET"),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Josephine Quill) /Rect [120 696 320 716] /F 4 /P 3 0 R /AP << /N 7 0 R >> >>",
		stream("/Type /XObject /Subtype /Form /BBox [0 0 200 20] "+font, "BT /F1 12 Tf 2 4 Td (Josephine Quill) Tj ET"),
	)))
	if want := "Name: Josephine Quill"; d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

// TestPDFCheckBoxes: a check box or radio button stands before its label, on whichever side
// that is, as it is shown or else as its field's value says.
func TestPDFCheckBoxes(t *testing.T) {
	stream := func(dict, ops string) string {
		return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(ops), ops)
	}
	const font = "/Resources << /Font << /F1 5 0 R /ZaDb 6 0 R >> >>"
	text := ""
	for _, at := range []string{"72 750 Td (Smoker:)", "92 700 Td (Diabetes)", "92 680 Td (Penicillin allergy)", "92 660 Td (Gout)", "130 750 Td (Yes)",
		"190 750 Td (No)"} {
		text += "BT /F1 12 Tf " + at + " Tj ET "
	}
	box := func(rect, more string) string {
		return "<< /Type /Annot /Subtype /Widget /FT /Btn /Rect [" + rect + "] /F 4 /P 3 0 R /AP << /N << /On 7 0 R /Off 8 0 R >> >> " + more + " >>"
	}
	d := read(t, "a.pdf", string(readertest.PDF("",
		"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [9 0 R 10 0 R 11 0 R 12 0 R] >> >>",
		"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "+font+" /Contents 4 0 R /Annots [9 0 R 10 0 R 11 0 R 13 0 R 14 0 R] >>",
		stream("", text),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>",
		stream("/Type /XObject /Subtype /Form /BBox [0 0 14 14] "+font, "BT /ZaDb 12 Tf 2 4 Td (4) Tj ET"),
		stream("/Type /XObject /Subtype /Form /BBox [0 0 14 14]", ""),
		box("72 697 86 711", "/T (a) /V /Off /AS /Off"),
		box("72 677 86 691", "/T (b) /V /On /AS /On"),
		box("72 657 86 671", "/T (c) /V /On"),
		"<< /FT /Btn /Ff 49152 /T (smoker) /V /No /Kids [13 0 R 14 0 R] >>",
		box("154 747 168 761", "/Parent 12 0 R /AS /Off"),
		strings.ReplaceAll(box("206 747 220 761", "/Parent 12 0 R /AS /No"), "/On 7", "/No 7"),
	)))
	if want := "Smoker: ☐ Yes ☒ No\n\n- ☐ Diabetes\n- ☒ Penicillin allergy\n- ☒ Gout"; d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

// TestPDFTotals: totals below the rows of an invoice are rows, a line that a cell goes on
// in is none.
func TestPDFTotals(t *testing.T) {
	p := &pdfPage{}
	y := 700.0
	for _, r := range [][4]string{
		{"Pos", "Description", "Qty", "Amount"}, {"1", "Lamp of brass with a", "2", "80.00"}, {"", "shade of glass", "", ""},
		{"2", "Oil", "10", "25.50"}, {"", "Net total", "", "105.50"}, {"", "VAT 20 %", "", "21.10"}, {"", "To pay", "", "126.60"},
	} {
		for i, x := range []float64{72, 110, 330, 420} {
			if r[i] != "" {
				p.at(x, y, "F1", 10, r[i])
			}
		}
		y -= 13
	}
	wantTree(t, read(t, "invoice.pdf", pdfFile("", nil, p)), `
table
  table_row | Pos | Description | Qty | Amount |
  table_row | 1 | Lamp of brass with a shade of glass | 2 | 80.00 |
  table_row | 2 | Oil | 10 | 25.50 |
  table_row |  | Net total |  | 105.50 |
  table_row |  | VAT 20 % |  | 21.10 |
  table_row |  | To pay |  | 126.60 |
`)
}

func TestPDFUnreadable(t *testing.T) {
	page := func(ops string) *pdfPage {
		p := &pdfPage{}
		p.WriteString(ops)
		return p
	}
	text := &pdfPage{}
	text.at(72, 700, "F1", 12, "Some text")
	whole := pdfFile("", nil, text)
	// Forms that each draw the next one twenty times would take years.
	bomb := make([]string, 12)
	for i := range bomb {
		ops := strings.Repeat("/X1 Do ", 20)
		bomb[i] = fmt.Sprintf("<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X1 %d 0 R >> >> /Length %d >>\nstream\n%s\nendstream", i+7, len(ops), ops)
	}
	var many []*pdfPage
	for range 20 {
		many = append(many, text)
	}
	set := builtin(t)
	for _, c := range []struct {
		name, data, want string
		limits           reader.Limits
	}{
		{name: "text", data: "no PDF at all", want: reader.Mismatched},
		{name: "empty page", data: pdfFile("", nil, page("0 0 9 9 re f")), want: reader.Empty},
		{name: "cut", data: whole[:60], want: reader.Malformed},
		{name: "header only", data: "%PDF-1.7\n", want: reader.Malformed},
		{name: "noise", data: "%PDF-1.7\n" + strings.Repeat("\xff\x00 1 0 obj <<", 5000), want: reader.Malformed},
		{name: "encrypted", data: pdfFile("/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O (01234567890123456789012345678901) /U (01234567890123456789012345678901) >> /ID [(a) (a)]", nil, text), want: reader.Encrypted},
		{name: "page tree in a circle", data: string(readertest.PDF("", "<< /Type /Catalog /Pages 2 0 R >>",
			"<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] /Parent 2 0 R >>")), want: reader.Malformed},
		{name: "many pages", data: pdfFile("", nil, many...), want: reader.TooManyPages, limits: reader.Limits{Pages: 19}},
		{name: "bomb", data: pdfFile("", bomb, page("/X0 Do")), want: reader.Malformed, limits: reader.Limits{Time: 2 * time.Second}},
	} {
		var err error
		cputest.Most(t, 10*time.Second, c.name, func() {
			_, err = set.Read(t.Context(), reader.Source{Name: "a.pdf", Data: []byte(c.data)}, c.limits)
		})
		if f := fault.As(err); f == nil || f.Code != fault.Invalid || len(f.Problems) != 1 || f.Problems[0].Type != c.want {
			t.Errorf("%s: Read = %+v, want %s", c.name, err, c.want)
		}
	}
	// A file without its index is repaired.
	if d := read(t, "a.pdf", strings.Replace(whole, "startxref\n", "startxref\n9", 1)); !strings.Contains(d.Text, "Some text") {
		t.Errorf("Text of a file without index = %q", d.Text)
	}
}

func FuzzPDF(f *testing.F) {
	text := &pdfPage{}
	text.at(72, 700, "F1", 12, "Some text")
	whole := pdfFile("", nil, text)
	set := builtin(f)
	f.Add([]byte(whole))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !bytes.HasPrefix(data, []byte("%PDF-")) {
			return
		}
		d, err := set.Read(t.Context(), reader.Source{Name: "a.pdf", Data: data}, reader.Limits{Time: 5 * time.Second})
		if err == nil {
			check(t, "a.pdf", d)
		} else if fault.CodeOf(err) != fault.Invalid {
			t.Fatalf("Read = %v", err)
		}
	})
}

// TestPDFDefinitions: terms left of their definitions, each on a line above, are read
// with them.
func TestPDFDefinitions(t *testing.T) {
	p := &pdfPage{}
	y := 700.0
	for i, term := range []string{"break", "cd", "export"} {
		p.at(72, y, "F1", 11, term)
		for range 4 {
			y -= 14
			p.at(126, y, "F1", 11, fmt.Sprintf("Definition %d goes on over a good part of the width of the page.", i+1))
		}
		y -= 14
	}
	text := read(t, "a.pdf", pdfFile("", nil, p)).Text
	at := -1
	for _, part := range []string{"break", "Definition 1", "cd", "Definition 2", "export", "Definition 3"} {
		next := strings.Index(text, part)
		if next <= at {
			t.Fatalf("%q is at %d, after %d, in %q", part, next, at, text)
		}
		at = next
	}
}

// TestTwoPages leaves out the foot of two pages that only the number of the page tells apart, and no head without one.
func TestTwoPages(t *testing.T) {
	var pages []*pdfPage
	for i := range 2 {
		p := &pdfPage{}
		p.at(72, 760, "F1", 9, "Lamps Ltd, 27 Quay Road")
		p.at(72, 600, "F1", 11, fmt.Sprintf("The lamp number %d is of brass and not of glass, as was said.", i+4))
		p.at(72, 30, "F1", 9, fmt.Sprintf("Lease 27 Quay Road %d", i+1))
		pages = append(pages, p)
	}
	d := read(t, "a.pdf", pdfFile("", nil, pages...))
	if strings.Contains(d.Text, "Lease") || strings.Count(d.Text, "Lamps Ltd") != 2 || strings.Count(d.Text, "brass") != 2 {
		t.Errorf("text:\n%s", d.Text)
	}
}

// TestPDFTime: a file that takes more time than it may is refused for that, and not as damaged.
func TestPDFTime(t *testing.T) {
	files, err := readertest.Hostile(1, fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name != "columns-of-pages.pdf" {
			continue
		}
		msg := wantRefusal(t, builtin(t), f.Name, string(f.Make()), reader.Limits{Time: time.Second, TimePerMB: 1}, reader.Malformed)
		if !strings.Contains(msg, "time") && !strings.Contains(msg, "within") {
			t.Errorf("refused because %q", msg)
		}
		return
	}
	t.Error("there is no such file")
}
