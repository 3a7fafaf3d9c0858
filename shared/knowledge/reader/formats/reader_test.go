package formats_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	xunicode "golang.org/x/text/encoding/unicode"

	"lectern/shared/fault"
	"lectern/shared/fault/cputest"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/formats"
	"lectern/shared/knowledge/reader/pdf"
	"lectern/shared/text/chunk"
	"lectern/shared/text/document"
)

func builtin(t testing.TB) *reader.Set {
	t.Helper()
	set := formats.Builtin(formats.Options{PDF: pdf.NewEngine("")})
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	})
	return set
}

func read(t testing.TB, name, data string) *document.Document {
	t.Helper()
	d, err := builtin(t).Read(t.Context(), reader.Source{Name: name, Data: []byte(data)}, reader.Limits{})
	if err != nil {
		t.Fatalf("Read(%s) = %v", name, err)
	}
	check(t, name, d)
	return d
}

// check tests what holds of every document.
func check(t testing.TB, name string, d *document.Document) {
	t.Helper()
	if !utf8.ValidString(d.Text) || strings.ContainsAny(d.Text, "\r\x00") {
		t.Fatalf("%s: the text is not clean", name)
	}
	if d.Root.Start != 0 || d.Root.End != len(d.Text) || d.Root.ID != "0" || d.Root.Type != document.Root {
		t.Fatalf("%s: root = %q %s %d-%d of %d", name, d.Root.ID, d.Root.Type, d.Root.Start, d.Root.End, len(d.Text))
	}
	d.Root.Walk(func(n *document.Node) bool {
		last := n.Start
		for _, c := range n.Children {
			if c.Start < last || c.End > n.End || c.End < c.Start || !strings.HasPrefix(c.ID, n.ID+".") {
				t.Fatalf("%s: node %s %s %d-%d in %s %s %d-%d after %d", name, c.ID, c.Type, c.Start, c.End, n.ID, n.Type, n.Start, n.End, last)
			}
			last = c.End
		}
		if s := d.Text[n.Start:n.End]; n.Type != document.Root && strings.TrimSpace(s) != s {
			t.Fatalf("%s: node %s %s has white space around %q", name, n.ID, n.Type, s)
		}
		return true
	})
	last := 0
	for _, c := range chunk.Split(d) {
		if gap := d.Text[last:c.Start]; strings.TrimSpace(gap) != "" {
			t.Fatalf("%s: %q is in no chunk", name, gap)
		}
		last = c.End
	}
	if rest := d.Text[last:]; strings.TrimSpace(rest) != "" {
		t.Fatalf("%s: %q is in no chunk", name, rest)
	}
}

// tree renders a document as a list of its nodes: types, titles, leaf texts.
func tree(d *document.Document) string {
	var b strings.Builder
	d.Root.Walk(func(n *document.Node) bool {
		if n.Type == document.Root {
			return true
		}
		b.WriteString(strings.Repeat("  ", strings.Count(n.ID, ".")-1) + string(n.Type))
		if n.Level > 0 {
			b.WriteByte("0123456"[n.Level])
		}
		if n.Title != "" {
			b.WriteString(" {" + n.Title + "}")
		}
		if len(n.Children) == 0 && n.Type != document.Section {
			b.WriteString(" " + strings.ReplaceAll(d.Text[n.Start:n.End], "\n", "⏎"))
		}
		b.WriteByte('\n')
		return true
	})
	return b.String()
}

func wantTree(t *testing.T, d *document.Document, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimLeft(want, "\n"), tree(d)); diff != "" {
		t.Errorf("tree: -want +got\n%s\ntext:\n%s", diff, d.Text)
	}
}

func TestText(t *testing.T) {
	d := read(t, "a.txt", "\xEF\xBB\xBFFirst line\r\nsecond\r\n\r\n  \r\nNext  \r\n")
	if want := "First line\nsecond\n\n  \nNext  \n"; d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
	wantTree(t, d, "paragraph First line⏎second\nparagraph Next\n")
	d = read(t, "lease.txt", "Lease\n\n§ 1 Rent\nIt is low.\n\n  2.5 a month\n\n§ 2 Term\n\nIt is long.\n")
	wantTree(t, d, `
section1 {Lease}
  section2 {§ 1 Rent}
    paragraph It is low.
    paragraph 2.5 a month
  section2 {§ 2 Term}
    paragraph It is long.
`)
}

func TestCharsets(t *testing.T) {
	for _, c := range []struct {
		name string
		enc  encoding.Encoding
		text string
	}{
		{"windows-1252", charmap.Windows1252, "Der Übergang über die Straße kostet 5 € – sagte “er”. Ça va très bien, señor."},
		{"windows-1251", charmap.Windows1251, "Съешь же ещё этих мягких французских булок да выпей чаю. Это было давно."},
		{"KOI8-R", charmap.KOI8R, "Съешь же ещё этих мягких французских булок да выпей чаю. Это было давно."},
		{"IBM866", charmap.CodePage866, "Съешь же ещё этих мягких французских булок да выпей чаю. Это было давно."},
		{"windows-1253", charmap.Windows1253, "Η γρήγορη καφέ αλεπού πηδάει πάνω από το τεμπέλικο σκυλί."},
		{"windows-1250", charmap.Windows1250, "Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń."},
		{"Shift_JIS", japanese.ShiftJIS, "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"},
		{"EUC-JP", japanese.EUCJP, "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"},
		{"GB18030", simplifiedchinese.GB18030, "我们的国家是一个有着悠久历史的国家，人民都很勤劳。他们在这里生活了很多年。"},
		{"Big5", traditionalchinese.Big5, "我們的國家是一個有著悠久歷史的國家，人民都很勤勞。他們在這裡生活了很多年。"},
		{"EUC-KR", korean.EUCKR, "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다."},
		{"UTF-16LE", xunicode.UTF16(xunicode.LittleEndian, xunicode.UseBOM), "Plain and Ünicode текст 漢字"},
		{"UTF-16BE without mark", xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM), "Plain text, mostly ASCII, with an ü"},
		{"UTF-8", encoding.Nop, "Ünïcödé 漢字 текст"},
	} {
		raw, err := c.enc.NewEncoder().String(c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if d := read(t, "a.txt", raw); d.Text != c.text {
			t.Errorf("%s: Text = %q, want %q (%q)", c.name, d.Text, c.text, d.Warnings)
		}
	}
}

func TestMarkdown(t *testing.T) {
	text := "---\ntitle: \"My *doc*\"\n---\nIntro line one\nline two\n\n# First `code` [link](http://x)\n\n- a\n- b\n  more b\n  - b1\n    - deep\n  - b2\n\n    para in b2\n- c\n\n1. one\n2. two\n\n   ```go\n   x := 1\n   ```\n\nAfter list\n\nSetext\n------\n\n| h1 | h2 |\n|----|----|\n| a | b |\n| c | d |\n\n```\n# not a heading\n\n- no\n```\n\n***\n\n![pic](p.png)\n\n> quote\n> more\n\n    indented\n\n### Third ###\na | b\n--|--\n1 | 2\nEnd\n"
	d := read(t, "a.md", text)
	if d.Text != text || d.Title != "My *doc*" {
		t.Errorf("Title = %q, Text = %q", d.Title, d.Text)
	}
	wantTree(t, d, `
paragraph Intro line one⏎line two
section1 {First code link}
  list
    list_item - a
    list_item
      list
        list_item
          list
            list_item - deep
        list_item - b2⏎⏎    para in b2
    list_item - c
  list
    list_item 1. one
    list_item
      code {go} `+"```go⏎   x := 1⏎   ```"+`
  paragraph After list
  section2 {Setext}
    table
      table_row | h1 | h2 |
      table_row | a | b |
      table_row | c | d |
    code `+"```⏎# not a heading⏎⏎- no⏎```"+`
    image {p.png} ![pic](p.png)
    paragraph > quote⏎> more
    paragraph indented
    section3 {Third}
      table
        table_row a | b
        table_row 1 | 2
      paragraph End
`)
}

func TestHTML(t *testing.T) {
	d := read(t, "a.html", `<!DOCTYPE html><html><head><title>The
 Title</title><style>x{}</style></head><body><nav><a href="/">Home</a></nav>
<header>Site name</header>
<main><h1>Head &amp; <em>shoulders</em></h1><p>One <b>bold</b> word, a <a href="https://x.org/a">link</a>, <a href="/rel">rel</a> and <code>x&lt;y</code>.<br>New line.</p>
<ul><li>a<ul><li>a1</li><li><p>a2</p><p>more</p></li></ul></li><li>b</li></ul><ol><li>one</li></ol>
<table><caption>Cap</caption><thead><tr><th>x</th><th>y|z</th></tr></thead><tbody><tr><td>1</td><td>2 <p>3</p></td></tr><tr><td colspan=2>both</td></tr></tbody></table>
<pre><code class="language-go">a
  b</code></pre><div>loose <span>text</span><div>inner</div>tail</div>
<blockquote>quoted</blockquote><script>no()</script><div hidden>no</div>
<h2>Two</h2><dl><dt>term</dt><dd>meaning</dd></dl></main><footer>foot</footer></body></html>`)
	if d.Title != "The Title" {
		t.Errorf("Title = %q", d.Title)
	}
	wantTree(t, d, `
section1 {Head & shoulders}
  paragraph One bold word, a [link](https://x.org/a), rel and `+"`x<y`"+`.⏎New line.
  list
    list_item
      list
        list_item - a1
        list_item - a2⏎    more
    list_item - b
  list
    list_item 1. one
  paragraph Cap
  table
    table_row | x | y\|z |
    table_row | 1 | 2 3 |
    table_row | both |  |
  code {go} `+"```go⏎a⏎  b⏎```"+`
  paragraph loose text
  paragraph inner
  paragraph tail
  paragraph > quoted
  section2 {Two}
    paragraph term
    paragraph meaning
`)
	d = read(t, "a.htm", "<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2")
	wantTree(t, d, "paragraph Привет\n")
	d = read(t, "a.htm", `<table><tr><th rowspan=2>Model<th colspan=2>Price<tr><th>Net<th>Gross<tr><td>K1<td>10<td rowspan=3>12<tr><td colspan=2>none<tr></table>
<ol start=3><li>Fill<li value=9>Boil<li>Pour</ol><p>5 km<sup>2</sup>, x<sup>2</sup>. Said<sup>4</sup>, 10<sup>6</sup> soft&shy;ly</p>
<p><math><semantics><mi>a</mi><annotation encoding="application/x-tex">A</annotation></semantics></math></p>
<aside>advert</aside><p>Noted.<a epub:type="noteref" href="#n">1</a></p><aside epub:type="footnote"><p>The note.</p></aside>`)
	wantTree(t, d, `
table
  table_row | Model | Price / Net | Price / Gross |
  table_row | K1 | 10 | 12 |
  table_row | none |  | 12 |
list
  list_item 3. Fill
  list_item 9. Boil
  list_item 10. Pour
paragraph 5 km2, x^2. Said 4, 10^6 softly
paragraph a
paragraph Noted.[^1]
paragraph The note.
`)
	d = read(t, "a.htm", `<header><p>Site</p><h1>The story</h1></header><main><p>All of what it tells, at some length.</p></main>`)
	wantTree(t, d, "section1 {The story}\n  paragraph All of what it tells, at some length.\n")
	d = read(t, "a.htm", `<form><p>The whole page is a form, as some programs make it.</p><button>Go</button></form><p>Below.</p><form>Search</form>`)
	wantTree(t, d, "paragraph The whole page is a form, as some programs make it.\nparagraph Below.\n")
	d = read(t, "a.htm", `<table><tr><td><h2>News</h2><p>One.</p><p>Two.</p><td><table><tr><td>a<td>b</table></table>`)
	wantTree(t, d, "section2 {News}\n  paragraph One.\n  paragraph Two.\n  table\n    table_row | a | b |\n")
	d = read(t, "a.htm", strings.Repeat("<div><b>", 3000)+"deep text")
	if !strings.Contains(d.Text, "deep text") {
		t.Errorf("Text of a deep page = %q", d.Text)
	}
}

// TestHTMLCheckBoxes: the mark of a check box or radio button goes before its label.
func TestHTMLCheckBoxes(t *testing.T) {
	d := read(t, "a.html", `<body><form><p><label><input type=checkbox> Diabetes</label><br><input type="CHECKBOX" checked>Gout
<p>Smoker: <label for=y>Yes</label><input type=radio id=y> <label>No <input type=radio checked=""></label></p>
<div><input type=checkbox checked></div><div>Insured</div>
<ul><li><input type=checkbox checked disabled> Done<li><input type=checkbox disabled> Open</ul>
<table><tr><td>Pregnant<td><input type=radio><td><input type=radio checked></table><input type=hidden value=x></form>
<div><input type=checkbox id=menu></div><div>Text.</div>`)
	want := "☐ Diabetes\n☒ Gout\n\nSmoker: ☐ Yes ☒ No\n\n☒ Insured\n\n- ☒ Done\n- ☐ Open\n\n| Pregnant | ☐ | ☒ |\n| --- | --- | --- |\n\nText."
	if d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

// TestHTMLQuotes: paragraphs of a quotation are quotations, within each other too.
func TestHTMLQuotes(t *testing.T) {
	d := read(t, "a.html", `<body>He wrote:<blockquote><p>Which day?<p>Any<br>day<blockquote><div>No.</div></blockquote></blockquote>Friday.`)
	if want := "He wrote:\n\n> Which day?\n\n> Any\n> day\n\n> > No.\n\nFriday."; d.Text != want {
		t.Errorf("Text = %q, want %q", d.Text, want)
	}
}

func TestCSV(t *testing.T) {
	for name, text := range map[string]string{
		"a.csv": "name,note\nAnn,\"says \"\"hi\"\", twice\nand more\"\nBob,\n\n",
		"e.csv": "sep=;\r\nname;note\r\nAnn;\"says \"\"hi\"\", twice\r\nand more\"\r\nBob;\r\n",
		"b.csv": "name;note\nAnn;\"says \"\"hi\"\", twice\nand more\"\nBob;\n",
		"a.tsv": "name\tnote\nAnn\tsays \"hi\", twice and more\nBob\t\n",
		"a.psv": "name|note\nAnn|says \"hi\", twice and more\nBob|\n",
	} {
		wantTree(t, read(t, name, text), "table\n  table_row | name | note |\n  table_row | Ann | says \"hi\", twice and more |\n  table_row | Bob |  |\n")
	}
	long := "id,city\n" + strings.Repeat("7,Paris\n,\n", 40)
	d := read(t, "long.csv", long)
	if !strings.HasPrefix(d.Text, "- id: 7; city: Paris\n- id: 7; city: Paris\n") || len(d.Root.Children[0].Children) != 40 {
		t.Errorf("Text of a long table = %.100q", d.Text)
	}
	d = read(t, "titled.csv", "Diary of the site\nAs of 31.12.2026\nday;hours;cost\n"+strings.Repeat("1.2.2026;9,00;17,65\n", 40))
	if !strings.Contains(d.Text, "- day: 1.2.2026; hours: 9,00; cost: 17,65\n") {
		t.Errorf("Text of a table below a title = %.200q", d.Text)
	}
	d = read(t, "plain.csv", strings.Repeat("1,2\n", 40))
	if !strings.HasPrefix(d.Text, "- 1; 2\n") {
		t.Errorf("Text of a table without header = %.100q", d.Text)
	}
}

func TestJSONLinesThatAreNone(t *testing.T) {
	set := opened(t, formats.Options{})
	for name, text := range map[string]string{"a.jsonl": "{\"a\":1}\n{\"b\":2}\n{\"c\" 3}\n{}", "a.json": "[1,\n2,\n}"} {
		if msg := wantRefusal(t, set, name, text, reader.Limits{}, reader.Malformed); !strings.Contains(msg, "in line 3: ") {
			t.Errorf("%s is refused with %q, want its line", name, msg)
		}
	}
}

func TestJSON(t *testing.T) {
	d := read(t, "a.json", `{"name":"Lamp","price":12.50,"tags":["a","b"],"maker":{"city":"Rome","notes":"`+strings.Repeat("long ",
		80)+`"},"none":null,"parts":[{"id":1,"n":"x"},{"id":2,"n":"y"}]}`)
	wantTree(t, d, `
list
  list_item - name: Lamp
  list_item - price: 12.50
section1 {tags}
  list
    list_item - a
    list_item - b
section1 {maker}
  list
    list_item - city: Rome
  section2 {notes}
    paragraph `+strings.TrimSpace(strings.Repeat("long ", 80))+`
section1 {parts}
  table
    table_row - id: 1; n: x
    table_row - id: 2; n: y
`)
	for _, text := range []string{`[{"a":1,"b":{"c":[1,2]}},{"a":2}]`, `{"a":1,"b":{"c":[1,2]}}` + "\n" + `{"a":2}` + "\n"} {
		wantTree(t, read(t, "a.jsonl", text), "table\n  table_row - a: 1; b.c: 1, 2\n  table_row - a: 2\n")
	}
}

func TestUnreadable(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"a.txt", "", reader.Empty},
		{"a.txt", " \n \n", reader.Empty},
		{"a.txt", "text\x00\x01\x02\x03binary", reader.Mismatched},
		{"a.txt", "%PDF-1.4\n...", reader.Mismatched},
		{"a.txt", "\x89PNG\r\n\x1a\n", reader.Mismatched},
		{"a.csv", "PK\x03\x04", reader.Mismatched},
		{"a.xyz", "text", reader.Unknown},
		{"noext", "text", reader.Unknown},
		{"a.json", `{"a":`, reader.Malformed},
		{"a.json", strings.Repeat("[", 100_000), reader.Malformed},
		{"a.html", "<html><body><script>x</script></body></html>", reader.Empty},
	} {
		_, err := builtin(t).Read(t.Context(), reader.Source{Name: c.name, Data: []byte(c.data)}, reader.Limits{})
		if f := fault.As(err); f == nil || f.Code != fault.Invalid || len(f.Problems) != 1 || f.Problems[0].Type != c.want {
			t.Errorf("Read(%s %.20q) = %+v, want %s", c.name, c.data, err, c.want)
		}
	}
	big := reader.Source{Name: "a.txt", Data: []byte("0123456789")}
	_, err := builtin(t).Read(t.Context(), big, reader.Limits{Bytes: 9})
	if f := fault.As(err); f == nil || f.Problems[0].Type != reader.TooLarge {
		t.Errorf("Read over Bytes = %v, want too_large", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := builtin(t).Read(ctx, big, reader.Limits{}); !fault.Is(err, fault.Cancelled) {
		t.Errorf("Read under a cancelled context = %v, want Cancelled", err)
	}
}

// TestHostile gives each reader what a careless one chokes on.
func TestHostile(t *testing.T) {
	const n = 300_000
	for name, data := range map[string]string{
		"lists.md":  strings.Repeat("- ", n),
		"nested.md": nested(10_000),
		"quotes.md": strings.Repeat("> ", n),
		"fences.md": strings.Repeat("```\n", n),
		"tables.md": strings.Repeat("|", n),
		"links.md":  "# " + strings.Repeat("[a](", n),
		"rules.md":  strings.Repeat("a | b\n", n),
		"deep.html": strings.Repeat("<div>", n) + "x",
		"list.html": strings.Repeat("<ul><li>", n) + "x",
		"tab.html":  strings.Repeat("<table><tr><td>", n) + "x",
		"attr.html": "<a " + strings.Repeat("a ", n) + ">x",
		"deep.json": strings.Repeat("[", n) + strings.Repeat("]", n),
		"obj.json":  strings.Repeat(`{"a":`, 1500) + "1" + strings.Repeat("}", 1500),
		"quote.csv": "\"" + strings.Repeat("a,\"\n", n),
		"wide.csv":  strings.Repeat(",", n) + "x",
		"dots.txt":  strings.Repeat(". ", n),
	} {
		var d *document.Document
		var err error
		cputest.Most(t, 10*time.Second, name, func() {
			d, err = builtin(t).Read(t.Context(), reader.Source{Name: name, Data: []byte(data)}, reader.Limits{})
		})
		if err == nil {
			check(t, name, d)
		} else if fault.CodeOf(err) != fault.Invalid {
			t.Errorf("Read(%s) = %v", name, err)
		}
	}
}

func nested(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", 2*min(i, 2000)) + "- x\n")
	}
	return b.String()
}

func fuzz(f *testing.F, name string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	set := builtin(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := set.Read(t.Context(), reader.Source{Name: name, Data: data}, reader.Limits{})
		if err == nil {
			check(t, name, d)
		} else if fault.CodeOf(err) != fault.Invalid {
			t.Fatalf("Read = %v", err)
		}
	})
}

func FuzzMarkdown(f *testing.F) {
	fuzz(f, "a.md", "# a\n\n- b\n  - c\n\n1. d\n\n| e | f |\n|---|---|\n| g |\n\n```x\ny\n```\n\nz\n===\n> q\n![i](j)")
}

func FuzzHTML(f *testing.F) {
	fuzz(f, "a.html", "<h1>a</h1><p>b<ul><li>c<ol><li>d</ol></ul><table><tr><td>e<td>f</table><pre>g</pre>")
}

func FuzzCSV(f *testing.F)  { fuzz(f, "a.csv", "a,b\n1,\"2\"\n", "a;b") }
func FuzzJSON(f *testing.F) { fuzz(f, "a.json", `{"a":[1,{"b":null}]}`, "1\n2\n") }
func FuzzText(f *testing.F) { fuzz(f, "a.txt", "a\n\nb", "\xff\xfea\x00", "\xcf\xf0\xe8") }

// TestTimeGrows: a large file may take longer than a small one.
func TestTimeGrows(t *testing.T) {
	set := builtin(t)
	src := reader.Source{Name: "a.txt", Data: bytes.Repeat([]byte("A line of text.\n"), 3<<16)}
	if _, err := set.Read(t.Context(), src, reader.Limits{Time: 1, TimePerMB: time.Minute}); err != nil {
		t.Errorf("with a minute for each MiB: %v", err)
	}
	if _, err := set.Read(t.Context(), src, reader.Limits{Time: 1, TimePerMB: 1}); fault.As(err) == nil || fault.As(err).Problems[0].Type != reader.Malformed {
		t.Errorf("with no time: %v", err)
	}
}
