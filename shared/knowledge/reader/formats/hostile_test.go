package formats_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"lectern/shared/fault"
	"lectern/shared/fault/cputest"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/readertest"
	"lectern/shared/text/chunk"
)

// TestHostileFolder reads small forms of the documents of scripts/hostile.
func TestHostileFolder(t *testing.T) {
	files, err := readertest.Hostile(.01, os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	set := builtin(t)
	seen := map[string]bool{}
	for _, f := range files {
		if seen[f.Name] {
			t.Errorf("there are two documents %s", f.Name)
		}
		seen[f.Name] = true
		cputest.Most(t, 20*time.Second, f.Name, func() { readHostile(t, set, f.Name, f.Make()) })
	}
}

// readHostile wants the document read into chunks that weigh no more than
// they are worth, or refused with a reason.
func readHostile(t *testing.T, set *reader.Set, name string, data []byte) {
	t.Helper()
	d, err := set.Read(t.Context(), reader.Source{Name: name, Data: data}, reader.Limits{})
	if err != nil {
		if r := fault.As(err); r == nil || r.Code != fault.Invalid || len(r.Problems) != 1 || r.Problems[0].Type == "" {
			t.Errorf("Read(%s) = %v, want a typed refusal", name, err)
		}
		return
	}
	check(t, name, d)
	if strings.Contains(d.Text, "root:") {
		t.Errorf("Read(%s) read a file of the machine", name)
	}
	weight := 0
	for _, c := range chunk.Split(d) {
		weight += len(c.Text) + len(d.Title) + len(strings.Join(c.Headings, ""))
	}
	if most := 40*len(d.Text) + 1<<20; weight > most {
		t.Errorf("the chunks of %s weigh %d bytes for %d of text", name, weight, len(d.Text))
	}
}

// TestRatio: an archive that unpacks to a hundred times its size is refused,
// one that does so within a few megabytes is read.
func TestRatio(t *testing.T) {
	para := "<w:p><w:r><w:t>" + strings.Repeat("word ", 2000) + "</w:t></w:r></w:p>"
	if _, err := builtin(t).Read(t.Context(), reader.Source{Name: "a.docx", Data: []byte(docx(strings.Repeat(para, 500), nil))}, reader.Limits{}); err != nil {
		t.Errorf("Read of 5 MB = %v", err)
	}
	wantRefusal(t, builtin(t), "a.docx", docx(strings.Repeat(para, 3000), nil), reader.Limits{}, reader.TooLarge)
}

func TestLongTitles(t *testing.T) {
	long := strings.Repeat("long ", 5000)
	d := read(t, "a.md", "# "+long+"\n\ntext\n\n## Short\n\nmore\n")
	wantTree(t, d, "paragraph # "+strings.TrimSpace(long)+"\nparagraph text\nsection2 {Short}\n  paragraph more\n")
	d = read(t, "a.html", "<title>"+long+"</title><p>text")
	if len(d.Title) > 1000 || !strings.HasPrefix(d.Title, "long long") {
		t.Errorf("Title has %d bytes", len(d.Title))
	}
}

// TestTooManyBlocks refuses documents of more paragraphs, rows and items than the limit,
// and reads those of as many.
func TestTooManyBlocks(t *testing.T) {
	limits := reader.Limits{Nodes: 1000}
	for _, f := range []struct{ name, head, unit, tail string }{
		{"a.txt", "", "a\n\n", ""},
		{"a.go", "", "a\n\n", ""},
		{"a.md", "", "a\n\n", ""},
		{"a.md", "", "- a\n", ""},
		{"a.csv", "", "a,b\n", ""},
		{"a.json", "[", "1,", "1]"},
		{"a.json", "{\"a\": [", "1,", "1]}"},
		{"a.jsonl", "", "{\"a\":1}\n", ""},
		{"a.rtf", `{\rtf1 `, `a\par `, "}"},
		{"a.html", "<html><body>", "<p>a</p>", "</body></html>"},
	} {
		data := func(n int) reader.Source {
			return reader.Source{Name: f.name, Data: []byte(f.head + strings.Repeat(f.unit, n) + f.tail)}
		}
		if _, err := builtin(t).Read(t.Context(), data(990), limits); err != nil {
			t.Errorf("%s: few of %q: %v", f.name, f.unit, err)
		}
		_, err := builtin(t).Read(t.Context(), data(2500), limits)
		if p := fault.As(err); p == nil || p.Code != fault.Invalid || p.Problems[0].Type != reader.TooLarge {
			t.Errorf("%s: many of %q: %v", f.name, f.unit, err)
		}
	}
}
