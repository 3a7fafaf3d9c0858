package chunk_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault/cputest"
	"lectern/shared/text/chunk"
	"lectern/shared/text/document"
)

// plain is a document of paragraphs parted by blank lines.
func plain(text string) *document.Document {
	var o document.Outline
	pos := 0
	for part := range strings.SplitSeq(text, "\n\n") {
		if strings.TrimSpace(part) != "" {
			o.Add(document.Node{Type: document.Paragraph, Start: pos, End: pos + len(part)})
		}
		pos += len(part) + 2
	}
	return &document.Document{Text: text, Root: o.Finish(len(text))}
}

func words(n int, seed string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s%d", seed, i)
	}
	return b.String()
}

// check tests what holds of all chunks, and returns them.
func check(t *testing.T, d *document.Document) []chunk.Chunk {
	t.Helper()
	return checked(t, d, chunk.Split(d))
}

func checked(t *testing.T, d *document.Document, chunks []chunk.Chunk) []chunk.Chunk {
	t.Helper()
	last, units, at := 0, 0, 0
	for i, c := range chunks {
		if c.Order != i || c.Start < last || c.Text != d.Text[c.Start:c.End] || c.Text == "" {
			t.Fatalf("chunk %d: order %d, span %d-%d after %d", i, c.Order, c.Start, c.End, last)
		}
		if gap := d.Text[last:c.Start]; strings.TrimSpace(gap) != "" {
			t.Fatalf("chunk %d: %q before it is in no chunk", i, gap)
		}
		if strings.TrimSpace(c.Text) != c.Text || !utf8.ValidString(c.Text) {
			t.Fatalf("chunk %d: text %q is not trimmed, valid text", i, c.Text)
		}
		units += len(utf16.Encode([]rune(d.Text[at:c.Start])))
		if c.UTF16Start != units {
			t.Fatalf("chunk %d: UTF16Start = %d, want %d", i, c.UTF16Start, units)
		}
		units += len(utf16.Encode([]rune(c.Text)))
		if at = c.End; c.UTF16End != units {
			t.Fatalf("chunk %d: UTF16End = %d, want %d", i, c.UTF16End, units)
		}
		if n := len(strings.Fields(c.Text)); n > 401 {
			t.Fatalf("chunk %d has %d words", i, n)
		}
		if c.Tokens <= 0 {
			t.Fatalf("chunk %d has %d tokens", i, c.Tokens)
		}
		last = c.End
	}
	if rest := d.Text[last:]; strings.TrimSpace(rest) != "" {
		t.Fatalf("%q at the end is in no chunk", rest)
	}
	return chunks
}

func TestHeadings(t *testing.T) {
	var b document.Builder
	b.Heading(1, "Manual")
	b.Heading(2, "Small")
	b.Paragraph(words(20, "a") + ".")
	b.Heading(2, "Also small")
	b.Paragraph(words(70, "b") + ".")
	b.SetPage(2)
	b.Heading(2, "Next")
	for range 4 {
		b.Paragraph(words(80, "c") + ". " + words(10, "d") + ".")
	}
	b.Heading(1, "Last")
	b.Paragraph("End.")
	var got []string
	for _, c := range check(t, b.Document()) {
		got = append(got, fmt.Sprintf("%s p%d %d", strings.Join(c.Headings, ">"), c.Page, len(strings.Fields(c.Text))))
	}
	want := []string{"Manual>Small p0 24", "Manual>Also small p0 73", "Manual>Next p2 182", "Manual>Next p2 180", "Last p2 3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("chunks: -want +got\n%s", diff)
	}
}

func TestRowsAndSentencesStayWhole(t *testing.T) {
	var b document.Builder
	b.Table([]string{"name", "text"})
	for i := range 60 {
		b.Row([]string{fmt.Sprint("row", i), words(20, "x") + ". And. More."})
	}
	b.Code("", strings.Repeat("line of code here\n", 300))
	for range 10 {
		b.Paragraph(strings.Repeat(words(30, "S")+". ", 12))
	}
	d := b.Document()
	borders := map[int]bool{0: true, len(d.Text): true}
	d.Root.Walk(func(n *document.Node) bool {
		if n.Type == document.TableRow {
			for i := n.Start + 1; i < n.End; i++ {
				borders[i] = false
			}
		}
		return true
	})
	for i, c := range check(t, d) {
		if whole, inside := borders[c.Start]; inside && !whole {
			t.Errorf("chunk %d begins inside a row: %.40q", i, c.Text)
		}
		if strings.HasPrefix(c.Text, "S") && !strings.HasPrefix(c.Text, "S0 ") {
			t.Errorf("chunk %d begins inside a sentence: %.40q", i, c.Text)
		}
		if n := len(strings.Fields(c.Text)); n > 300 {
			t.Errorf("chunk %d has %d words", i, n)
		}
	}
}

// TestTablesGoOn: a chunk that begins within a table has the names of its columns, and the one
// before knows that the table goes on.
func TestTablesGoOn(t *testing.T) {
	var b document.Builder
	b.Paragraph("Before.")
	b.Table([]string{"name", "text"})
	for i := range 40 {
		b.Row([]string{fmt.Sprint("row", i), words(20, "x")})
	}
	b.Heading(1, "After")
	b.Paragraph("The end.")
	b.Table([]string{"other", "table"})
	b.Row([]string{"one", "two"})
	list := check(t, b.Document())
	parts := 0
	for i, c := range list {
		within := strings.HasPrefix(c.Text, "| row")
		if goesOn := i+1 < len(list) && strings.HasPrefix(list[i+1].Text, "| row"); c.Continues != goesOn {
			t.Errorf("chunk %d: Continues = %v, want %v", i, c.Continues, goesOn)
		}
		if want := "| name | text |"; within && c.Columns != want || !within && c.Columns != "" {
			t.Errorf("chunk %d, %.20q: Columns = %q", i, c.Text, c.Columns)
		}
		if within {
			parts++
		}
	}
	if parts < 2 || !strings.Contains(list[len(list)-1].Text, "| one | two |") {
		t.Errorf("%d chunks go on with the table, of %d", parts, len(list))
	}
}

// TestEntries: the sections of a manual's entries, all called alike, are found by the
// line that names the entry.
func TestEntries(t *testing.T) {
	var b document.Builder
	b.Heading(1, "The stats package")
	for _, entry := range []string{"sd Standard Deviation", "t.test Student's t-Test", "var Variance"} {
		b.Paragraph(entry)
		for _, part := range []string{"Description", "Usage"} {
			b.Heading(5, part)
			b.Paragraph(words(60, "w") + ".")
		}
	}
	var got []string
	for _, c := range check(t, b.Document()) {
		first, _, _ := strings.Cut(c.Text, "\n")
		got = append(got, strings.Join(c.Headings, ">")+": "+first)
	}
	const in = "The stats package>"
	want := []string{
		in + "sd Standard Deviation>Description: # The stats package",
		in + "sd Standard Deviation>Usage: ##### Usage",
		in + "t.test Student's t-Test>Description: t.test Student's t-Test",
		in + "t.test Student's t-Test>Usage: ##### Usage",
		in + "var Variance>Description: var Variance",
		in + "var Variance>Usage: ##### Usage",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("chunks: -want +got\n%s", diff)
	}
}

// TestTitlesGoWithWhatFollows: a term does not end a chunk.
func TestTitlesGoWithWhatFollows(t *testing.T) {
	var b document.Builder
	for i := range 30 {
		b.Paragraph(fmt.Sprintf("term %d", i))
		b.Paragraph(words(30+i, "w") + ".")
	}
	for _, c := range check(t, b.Document()) {
		lines := strings.Split(c.Text, "\n")
		if last := lines[len(lines)-1]; strings.HasPrefix(last, "term") {
			t.Errorf("a chunk ends with %q", last)
		}
	}
}

func TestWhatLeadsGoesWithWhatFollows(t *testing.T) {
	var b document.Builder
	b.Paragraph(words(180, "a") + ".")
	b.Paragraph("To switch it off, run this command:")
	b.Code("sh", words(30, "c"))
	b.Heading(1, "Next")
	b.Paragraph(words(80, "b") + ". This says what follows:")
	b.Paragraph("rm /etc/commit.d/50")
	b.Heading(1, "Last")
	b.Paragraph(words(80, "d") + ". Nothing follows:")
	b.Heading(1, "End")
	b.Paragraph("End.")
	chunks := check(t, b.Document())
	if len(chunks) != 5 || !strings.HasPrefix(chunks[1].Text, "To switch it off") || !strings.HasSuffix(chunks[2].Text, "/50") ||
		!strings.HasSuffix(chunks[3].Text, "follows:") {
		t.Errorf("the chunks are %+v", chunks)
	}
}

// TestLastItems: the last step of a list comes with the others.
func TestLastItems(t *testing.T) {
	for _, tc := range []struct{ before, items, chunks int }{{130, 6, 1}, {150, 3, 1}, {150, 20, 2}, {90, 8, 1}, {150, 40, 3}} {
		var b document.Builder
		b.Paragraph(words(tc.before, "a") + ".")
		b.Paragraph("To set it up:")
		for range tc.items {
			b.Item(0, true, words(11, "s")+".")
		}
		b.Paragraph(words(160, "b") + ".")
		lists, last := 0, 0
		for _, c := range check(t, b.Document()) {
			if n := strings.Count(c.Text, "s10."); n > 0 {
				lists, last = lists+1, n
			}
		}
		if lists != tc.chunks || last < 3 {
			t.Errorf("%d words before %d items: the list is in %d chunks, %d items in the last", tc.before, tc.items, lists, last)
		}
	}
}

func TestNested(t *testing.T) {
	var b document.Builder
	for i := range 200 {
		b.Item(i%4, i%8 < 4, fmt.Sprintf("Item %d says something. And more of it.", i))
	}
	check(t, b.Document())
}

func TestHardCap(t *testing.T) {
	for name, text := range map[string]string{
		"one sentence":  words(5000, "w"),
		"no spaces":     strings.Repeat("x", 200_000),
		"chinese":       strings.Repeat("漢字", 20_000),
		"wide, no stop": strings.Repeat("слово", 20_000),
		"emoji":         strings.Repeat("😀", 20_000),
		"mixed":         strings.Repeat(strings.Repeat("y", 3000)+" z ", 20),
	} {
		for i, c := range check(t, plain(text)) {
			if len(c.Text) > 40_000 {
				t.Errorf("%s: chunk %d has %d bytes", name, i, len(c.Text))
			}
		}
	}
}

func TestSmall(t *testing.T) {
	for _, text := range []string{"", " \n\n ", "x", "a\n\nb"} {
		check(t, plain(text))
	}
	if got := check(t, &document.Document{Text: "no tree", Root: document.Node{Type: document.Root}}); len(got) != 1 {
		t.Errorf("a document without nodes makes %d chunks, want 1", len(got))
	}
	if got := chunk.Split(&document.Document{}); got != nil {
		t.Errorf("Split of nothing = %v, want nil", got)
	}
	text := strings.TrimSpace(strings.Repeat(words(9, "t")+". ", 100))
	for _, c := range checked(t, plain(text), chunk.SplitInto(plain(text), 20, 30)) {
		if n := len(strings.Fields(c.Text)); n > 30 {
			t.Errorf("a chunk of at most 30 words has %d", n)
		}
	}
}

func TestLinear(t *testing.T) {
	for _, unit := range []string{"x", "x ", "x. ", "x\n", "x\n\n", "漢", "漢。", ". ", "# ", "| a | b |\n", "- a\n\n"} {
		text := strings.Repeat(unit, 400_000/len(unit))
		cputest.Most(t, 10*time.Second, fmt.Sprintf("400 KB of %q", unit), func() { check(t, plain(text)) })
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("# a\n\nText. More text.\n\n- b\n- c", 3)
	f.Fuzz(func(t *testing.T, text string, target int) {
		text = document.Clean(text)
		target = 1 + abs(target%200)
		checked(t, plain(text), chunk.SplitInto(plain(text), target, 2*target))
	})
}

func abs(n int) int { return max(n, -n) }

func BenchmarkSplit(b *testing.B) {
	para := strings.Repeat("The committee met in the large hall. It was, as Dr. Smith said, a success! Who knew? ", 5)
	d := plain(strings.Repeat(para+"\n\n", 5_000))
	b.SetBytes(int64(len(d.Text)))
	for b.Loop() {
		chunk.Split(d)
	}
}

// TestDelimited: each further chunk of a table of comma-separated values has the names of its columns.
func TestDelimited(t *testing.T) {
	var b strings.Builder
	b.WriteString("Our orders, so far:\n\nid,customer,amount\n")
	for i := range 300 {
		fmt.Fprintf(&b, "%d,Customer number %d,%d.50\n", i, i, i)
	}
	text := b.String()
	chunks := chunk.Split(&document.Document{Text: text, Root: document.Node{ID: "0", Type: document.Root, End: len(text)}})
	if len(chunks) < 3 {
		t.Fatalf("%d chunks", len(chunks))
	}
	for i, c := range chunks {
		if want := "| id | customer | amount |"; (c.Columns == want) != (i > 0) || c.Continues != (i < len(chunks)-1) {
			t.Errorf("chunk %d of %d: columns %q, continues %v", i, len(chunks), c.Columns, c.Continues)
		}
	}
}
