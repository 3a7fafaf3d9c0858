package document_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/text/document"
)

// outline renders a tree with the text of its leaves.
func outline(d *document.Document) string {
	var b strings.Builder
	d.Root.Walk(func(n *document.Node) bool {
		text := ""
		if len(n.Children) == 0 {
			text = strings.ReplaceAll(d.Text[n.Start:n.End], "\n", "⏎")
		}
		if n.Title != "" {
			text = "{" + n.Title + "} " + text
		}
		b.WriteString(strings.TrimRight(strings.Repeat(" ", strings.Count(n.ID, "."))+n.ID+" "+string(n.Type)+" "+text, " ") + "\n")
		return true
	})
	return b.String()
}

func TestBuilder(t *testing.T) {
	var b document.Builder
	b.Title(" The\nTitle ")
	b.Paragraph("# not a heading\n1. not a list\n-5 degrees")
	b.Heading(1, "One")
	b.Item(0, false, "a")
	b.Item(1, true, "a1")
	b.Item(1, true, "a2\nmore")
	b.Item(0, false, "b")
	b.Numbered(1, 7, "b7")
	b.Item(1, true, "b8")
	b.Heading(3, "Deep")
	b.Table([]string{"x", "y|z"})
	b.Row([]string{"1"})
	b.Row([]string{"2", "3", "4"})
	b.Heading(2, "Two")
	b.Code("go", "a := `b`\n```\n")
	b.SetPage(2)
	b.Heading(1, "Three")
	b.Record([]string{"name", "age"}, []string{"Ann", "7"})
	b.Record([]string{"name", "age"}, []string{"", "8"})
	b.Image("a cat", "cat 1.png")
	b.Quote("said\nso")
	b.Warn("left %d out", 1)
	b.Warn("left %d out", 1)
	d := b.Document()
	wantText := `\# not a heading
1\. not a list
-5 degrees

# One

- a
  1. a1
  2. a2
     more
- b
  7. b7
  8. b8

### Deep

| x | y\|z |
| --- | --- |
| 1 |  |
| 2 | 3 4 |

## Two

` + "````go\na := `b`\n```\n````" + `

# Three

- name: Ann; age: 7
- age: 8

![a cat](cat%201.png)

> said
> so`
	if diff := cmp.Diff(wantText, d.Text); diff != "" {
		t.Errorf("Text: -want +got\n%s", diff)
	}
	want := `0 document
 0.0 paragraph \# not a heading⏎1\. not a list⏎-5 degrees
 0.1 section {One}
  0.1.0 list
   0.1.0.0 list_item
    0.1.0.0.0 list
     0.1.0.0.0.0 list_item 1. a1
     0.1.0.0.0.1 list_item 2. a2⏎     more
   0.1.0.1 list_item
    0.1.0.1.0 list
     0.1.0.1.0.0 list_item 7. b7
     0.1.0.1.0.1 list_item 8. b8
  0.1.1 section {Deep}
   0.1.1.0 table
    0.1.1.0.0 table_row | x | y\|z |
    0.1.1.0.1 table_row | 1 |  |
    0.1.1.0.2 table_row | 2 | 3 4 |
  0.1.2 section {Two}
   0.1.2.0 code {go} ` + "````go⏎a := `b`⏎```⏎````" + `
 0.2 section {Three}
  0.2.0 table
   0.2.0.0 table_row - name: Ann; age: 7
   0.2.0.1 table_row - age: 8
  0.2.1 image {cat 1.png} ![a cat](cat%201.png)
  0.2.2 paragraph > said⏎> so
`
	if diff := cmp.Diff(want, outline(d)); diff != "" {
		t.Errorf("tree: -want +got\n%s", diff)
	}
	if d.Title != "The Title" || len(d.Warnings) != 1 {
		t.Errorf("Title = %q, Warnings = %q", d.Title, d.Warnings)
	}
	three := d.Root.Find("0.2")
	if three == nil || three.Page != 2 || d.Text[three.Start:three.End] != d.Text[strings.Index(d.Text, "# Three"):] {
		t.Errorf("Find(0.2) = %+v, want the section to the end on page 2", three)
	}
	if n := d.Root.Find("0.1.0.0.0.1"); n == nil || d.Text[n.Start:n.End] != "2. a2\n     more" {
		t.Errorf("Find of a nested item = %+v", n)
	}
	if n := d.Root.Find("0.9"); n != nil {
		t.Errorf("Find(0.9) = %+v, want nil", n)
	}
}

// TestHeaders: rows that name groups of columns are joined with the row below them.
func TestGenerated(t *testing.T) {
	for _, title := range []string{"(anonymous)", "untitled", "Untitled document", "Untitled-1", "[Untitled]", "Microsoft Word - x.doc",
		"Microsoft PowerPoint - Kick-off 2024.ppt", "(unspecified)", "Slide 1", "PowerPoint Presentation", "PowerPoint-Präsentation", "Document1",
		"Book1", "Mappe1", "Dokument 2", "Unbenanntes Dokument", "Sans titre", "Annual report final.docx", "about:blank", "Document", "Scanned Document"} {
		if !document.Generated(title) {
			t.Errorf("%q counts as a title", title)
		}
		var b document.Builder
		b.Title(title)
		b.Paragraph("Words.")
		if got := b.Document().Title; got != "" {
			t.Errorf("the title of %q is %q", title, got)
		}
	}
	for _, title := range []string{"Untitled Goose Game", "The Book of Lamps", "Slide 1 of the history of slides", "Documents of the council",
		"Microsoft Word for beginners", "Book 1: Beginnings", "Scan results 2024", "Version 2.0 of .NET", "Anonymous letters", ""} {
		if document.Generated(title) {
			t.Errorf("%q counts as made up", title)
		}
	}
}

func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		name string
		rows [][]string
		want string
	}{
		{"groups", [][]string{{"", "1st half", "", "2nd half", ""}, {"Region", "Plan", "Actual", "Plan", "Actual"}, {"North", "1", "2", "3", "4"}},
			"| Region | 1st half / Plan | 1st half / Actual | 2nd half / Plan | 2nd half / Actual |"},
		{"years", [][]string{{"Region", "2025", "", "2026"}, {"Region", "Plan", "Actual", "Plan"}, {"North", "1", "2", "3"}},
			"| Region | 2025 / Plan | 2025 / Actual | 2026 / Plan |"},
		{"three rows", [][]string{{"", "Sales", "", "", ""}, {"", "2025", "", "2026", ""}, {"Region", "Plan", "Actual", "Plan", "Actual"}, {"North", "1", "2", "3", "4"}},
			"| Region | Sales / 2025 / Plan | Sales / 2025 / Actual | Sales / 2026 / Plan | Sales / 2026 / Actual |"},
		{"title", [][]string{{"Turnover", "", ""}, {"Region", "Plan", "Actual"}, {"North", "1", "2"}}, "Turnover\n\n| Region | Plan | Actual |"},
		{"title above times", [][]string{{"Turnover", "", ""}, {"Region", "Q1 2025", "Hours 2026"}, {"North", "1", "2"}}, "Turnover\n\n| Region | Q1 2025 | Hours 2026 |"},
		{"no names", [][]string{{"query", "dump the inputs of a given target."}, {"clean", "remove built files."}}, "|  |  |\n| --- | --- |\n| query | dump the inputs of a given target. |"},
		{"a gap in the data", [][]string{{"Name", "", "Phone"}, {"Ada", "x", "12"}, {"Bob", "y", "13"}}, "| Name |  | Phone |"},
		{"texts alone", [][]string{{"Milestones", "", ""}, {"M1", "Start", "15 March"}, {"M2", "End", "1 May"}}, "| Milestones |  |  |"},
	} {
		var b document.Builder
		b.WholeTable(c.rows)
		if got := b.Document().Text; !strings.HasPrefix(got, c.want+"\n") {
			t.Errorf("%s: the table begins %q, want %q", c.name, got, c.want)
		}
	}
	var b document.Builder
	g := document.Grid{Builder: &b}
	g.Row([]string{"", "1st half", "", "2nd half"})
	g.Row([]string{"Region", "Plan", "Actual", "Plan", "Actual"})
	for range 40 {
		g.Row([]string{"North", "1", "2", "3", "4"})
	}
	g.End()
	var years document.Builder
	g2 := document.Grid{Builder: &years}
	g2.Row([]string{"Meter", "2024", "2025"})
	for range 40 {
		g2.Row([]string{"M1", "310", "290"})
	}
	g2.End()
	if got := years.Document().Text; !strings.HasPrefix(got, "- Meter: M1; 2024: 310; 2025: 290\n") {
		t.Errorf("records under years begin %.120q", got)
	}
	if got := b.Document().Text; !strings.HasPrefix(got, "- Region: North; 1st half / Plan: 1; 1st half / Actual: 2; 2nd half / Plan: 3; 2nd half / Actual: 4\n") {
		t.Errorf("records begin %.120q", got)
	}
}

func TestPages(t *testing.T) {
	var b document.Builder
	b.Page(1, "First")
	b.Heading(1, "A")
	b.Paragraph("text")
	b.Page(2, "Second")
	b.Paragraph("more")
	want := `0 document
 0.0 page {First}
  0.0.0 section {A}
   0.0.0.0 paragraph text
 0.1 page {Second}
  0.1.0 paragraph more
`
	d := b.Document()
	if diff := cmp.Diff(want, outline(d)); diff != "" {
		t.Errorf("tree: -want +got\n%s", diff)
	}
}

func TestOffsets(t *testing.T) {
	text := "añ漢😀z\n😀😀e"
	o := document.Offsets{Text: text}
	for i := range text {
		want := len(utf16.Encode([]rune(text[:i])))
		if got := o.UTF16(i); got != want {
			t.Errorf("UTF16(%d) = %d, want %d", i, got, want)
		}
		if got := document.ByteOffset(text, want); got != i {
			t.Errorf("ByteOffset(%d) = %d, want %d", want, got, i)
		}
	}
	if got := o.UTF16(0); got != 0 {
		t.Errorf("UTF16(0) after the end = %d", got)
	}
	if got := document.ByteOffset(text, 1000); got != len(text) {
		t.Errorf("ByteOffset past the end = %d, want %d", got, len(text))
	}
	if got, want := document.UTF16Len(text), len(utf16.Encode([]rune(text))); got != want {
		t.Errorf("UTF16Len = %d, want %d", got, want)
	}
}

func TestClean(t *testing.T) {
	if got, want := document.Clean("\uFEFFa\r\nb\rc\x00\xffd"), "a\nb\nc\uFFFDd"; got != want {
		t.Errorf("Clean = %q, want %q", got, want)
	}
}

func TestRuled(t *testing.T) {
	for between, want := range map[string]bool{"\n|--|\n": true, "\n| :-: | -: |\n": true, "\n| - |\n": true, "\n": false, "\n| a-b |\n": false, "\n\n": false} {
		if got := document.Ruled(between); got != want {
			t.Errorf("Ruled(%q) = %v", between, got)
		}
	}
}

// TestNotes: a title with a note beside it stands above a table, not in its header.
func TestNotes(t *testing.T) {
	var b document.Builder
	g := document.Grid{Builder: &b}
	g.Row([]string{"Invoices 2025", "", "", "(amounts in EUR)"})
	g.Row([]string{"No", "Customer", "Date", "Net", "VAT", "Paid"})
	for range 40 {
		g.Row([]string{"1", "Ann", "2025-01-02", "3", "4", "yes"})
	}
	g.End()
	if got := b.Document().Text; !strings.HasPrefix(got, "Invoices 2025 (amounts in EUR)\n\n- No: 1; Customer: Ann; Date: 2025-01-02; Net: 3; VAT: 4; Paid: yes\n") {
		t.Errorf("the text begins %.160q", got)
	}
}

// TestWideGrid: a row of many values becomes several records, each with the row's name and those of its columns.
func TestWideGrid(t *testing.T) {
	var b document.Builder
	g := document.Grid{Builder: &b}
	names, row := []string{"No", "Station"}, []string{"7", "Kelso"}
	for i := range 98 {
		names, row = append(names, fmt.Sprintf("Depth in week %d", i+1)), append(row, fmt.Sprint(1000+i))
	}
	g.Row(names)
	g.Row(row)
	for range 3 {
		g.Row([]string{"8", "Duns", "5"})
	}
	g.End()
	doc := b.Document()
	lines := strings.Split(doc.Text, "\n")
	for i, row := range doc.Root.Children[0].Children {
		want := 0
		if i > 0 && strings.Contains(lines[i], "Kelso") {
			want = 1
		}
		if row.Level != want {
			t.Errorf("row %d has level %d, want %d", i, row.Level, want)
		}
	}
	for i, want := range []string{"Depth in week 1: 1000;", "Depth in week 13: 1012;", "Depth in week 25: 1024;"} {
		if got := lines[i]; !strings.HasPrefix(got, "- No: 7; Station: Kelso; "+want) {
			t.Errorf("line %d is %q", i, got)
		}
	}
	if got := lines[len(lines)-1]; got != "- No: 8; Station: Duns; Depth in week 1: 5" {
		t.Errorf("the last line is %q", got)
	}
	if !strings.Contains(doc.Text, "Depth in week 98: 1097") {
		t.Error("the last value is missing")
	}
}

// TestWideGridLongName: what a row is called is not repeated where it is long.
func TestWideGridLongName(t *testing.T) {
	var b document.Builder
	g := document.Grid{Builder: &b}
	long := strings.Repeat("endless ", 10_000)
	for range 40 {
		g.Row(append([]string{long}, strings.Split(strings.Repeat("1 ", 299), " ")[:299]...))
	}
	g.End()
	if got := strings.Count(b.Document().Text, "endless"); got != 40*10_000 {
		t.Errorf("said %d times", got)
	}
}
