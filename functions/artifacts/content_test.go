package artifacts_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/functions/local/service/servicetest"
	"lectern/shared/knowledge/reader/readertest"
)

type object = map[string]any

// node is the API's ContentTree.
type node struct {
	ID, Type, Content string
	Children          []node
}

func (n *node) walk(visit func(*node)) {
	visit(n)
	for i := range n.Children {
		n.Children[i].walk(visit)
	}
}

func post(t *testing.T, h http.Handler, path string, body, into any) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", path, bytes.NewReader(raw))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("POST %s = %d %s", path, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatal(err)
	}
}

func lamps(t *testing.T, ext string) object {
	t.Helper()
	data, err := os.ReadFile("../../shared/knowledge/reader/formats/testdata/lamps." + ext)
	if err != nil {
		t.Fatal(err)
	}
	return object{"type": "file", "value": base64.StdEncoding.EncodeToString(data)}
}

// TestGeneratedTitle: a title that a program made up is none, so that a document is called
// by the name of its file; PDF and web page alike.
func TestGeneratedTitle(t *testing.T) {
	h := servicetest.Handler(t)
	words := "BT /F1 12 Tf 72 700 Td (The lamp burns oil.) Tj ET"
	pdf := func(title string) string {
		return string(readertest.PDF("/Info 6 0 R", "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
			"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>",
			fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(words), words),
			"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", "<< /Title ("+title+") >>"))
	}
	page := func(title string) string { return "<title>" + title + "</title><p>The lamp burns oil." }
	for _, tc := range []struct{ file, data, want string }{
		{"terms.pdf", pdf(`\(anonymous\)`), ""},
		{"offer.pdf", pdf("Microsoft Word - offer.doc"), ""},
		{"lamps.pdf", pdf("A report on lamps"), "A report on lamps"},
		{"page.html", page("Untitled document"), ""},
		{"lamps.html", page("All about lamps"), "All about lamps"},
	} {
		var kept struct {
			Data []struct {
				Doc struct{ Title string } `json:"doc_metadata"`
			}
		}
		post(t, h, "/v1/artifacts/ingest", object{"artifact": tc.file, "metadata": object{"file_name": tc.file},
			"input": object{"type": "file", "value": base64.StdEncoding.EncodeToString([]byte(tc.data))}}, &kept)
		if len(kept.Data) != 1 || kept.Data[0].Doc.Title != tc.want {
			t.Errorf("%s: %+v, want the title %q", tc.file, kept.Data, tc.want)
		}
	}
}

// shape is what a document has in common in all formats.
type shape struct {
	Headings, Items []string
	Cells           [][]string
}

func shapeOf(root *node) shape {
	var s shape
	root.walk(func(n *node) {
		switch n.Type {
		case "section":
			s.Headings = append(s.Headings, n.Content)
		case "list_item":
			_, text, _ := strings.Cut(n.Content, " ")
			if text = strings.TrimSpace(text); !strings.HasPrefix(text, "So says") { // a note
				s.Items = append(s.Items, text)
			}
		case "table_row":
			var row []string
			for cell := range strings.SplitSeq(strings.Trim(n.Content, "|"), "|") {
				row = append(row, strings.TrimSpace(cell))
			}
			s.Cells = append(s.Cells, row)
		}
	})
	return s
}

// TestRoundTrip: one document in eight formats has the same headings, cells
// and items, and the same node ids each time it is read.
func TestRoundTrip(t *testing.T) {
	h := servicetest.Handler(t)
	want := shape{
		Headings: []string{"The lamp book", "Kinds of lamps", "Prices", "How to light one", "Notes"},
		Items:    []string{"Oil lamps", "of clay", "of brass", "Gas lamps", "Electric lamps", "Oil", "Gas", "Electricity"},
		Cells:    [][]string{{"Lamp", "Price", "Sold"}, {"Clay", "12.50", "7"}, {"Brass", "20.00", "11"}, {"Über lamp", "99.99", "0"}},
	}
	for _, ext := range []string{"md", "html", "docx", "odt", "rtf", "epub", "ipynb", "pdf"} {
		body := object{"input": lamps(t, ext), "metadata": object{"file_name": "lamps." + ext}, "format": "object"}
		var first, second struct{ Content node }
		post(t, h, "/v1/artifacts/convert", body, &first)
		post(t, h, "/v1/artifacts/convert", body, &second)
		got := shapeOf(&first.Content)
		got.Headings = slices.Compact(got.Headings)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", ext, diff)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("%s: read twice: %s", ext, diff)
		}
		ids := map[string]bool{}
		first.Content.walk(func(n *node) {
			if ids[n.ID] || n.ID == "" {
				t.Errorf("%s: two nodes have the id %q", ext, n.ID)
			}
			ids[n.ID] = true
		})
	}
}

const filtered = "# One\n\nFirst words.\n\n- a\n  - b\n- c\n\n## Deep\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\nMore words.\n\n# Two\n\n```\ncode\n```\n\nLast words.\n"

func TestContentFilters(t *testing.T) {
	h := servicetest.Handler(t)
	var kept object
	post(t, h, "/v1/artifacts/ingest", object{"artifact": "a", "input": object{"type": "text", "value": filtered}, "metadata": object{"file_name": "a.md"}},
		&kept)
	ask := func(format string, filter object, tokens int, into any) {
		body := object{"context_filter": object{"artifacts": []string{"a"}}, "format": format}
		if filter != nil {
			body["filter"] = filter
		}
		if tokens > 0 {
			body["max_tokens"] = tokens
		}
		var out struct {
			Data []struct{ Content json.RawMessage }
		}
		post(t, h, "/v1/artifacts/content", body, &out)
		if err := json.Unmarshal(out.Data[0].Content, into); err != nil {
			t.Fatal(err)
		}
	}
	const table = "| x | y |\n| --- | --- |\n| 1 | 2 |"
	for _, c := range []struct {
		name   string
		filter object
		want   string
	}{
		{"nothing asked", object{}, filtered},
		{"children without anything named", object{"include_children": false}, filtered},
		{"include", object{"include": []string{"table"}}, table},
		{"include two", object{"include": []string{"table", "code"}}, table + "\n\n```\ncode\n```"},
		{"include with ancestors", object{"include": []string{"table"}, "include_ancestors": true}, "# One\n\n## Deep\n\n" + table},
		{"include without children", object{"include": []string{"section"}, "include_children": false}, "# One\n\n## Deep\n\n# Two"},
		{"include none there", object{"include": []string{"image"}}, ""},
		{"exclude", object{"exclude": []string{"table", "list", "code"}}, "# One\n\nFirst words.\n\n## Deep\n\nMore words.\n\n# Two\n\nLast words."},
		{"exclude sections", object{"exclude": []string{"section"}}, ""},
		{"include and exclude", object{"include": []string{"section"}, "exclude": []string{"paragraph", "list", "table"}},
			"# One\n\n## Deep\n\n# Two\n\n```\ncode\n```"},
		{"a node", object{"node_ids": []string{"0.0.2"}}, "## Deep\n\n" + table + "\n\nMore words."},
		{"a node without children", object{"node_ids": []string{"0.0.2"}, "include_children": false}, "## Deep"},
		{"a node with ancestors", object{"node_ids": []string{"0.0.2.1"}, "include_ancestors": true}, "# One\n\n## Deep\n\nMore words."},
		{"two nodes", object{"node_ids": []string{"0.1.0", "0.0.0"}}, "First words.\n\n```\ncode\n```"},
		{"a node's types", object{"node_ids": []string{"0.0"}, "include": []string{"paragraph"}}, "First words.\n\nMore words."},
		{"an item within a list", object{"node_ids": []string{"0.0.1.0.0"}}, "- b"},
		{"no such node", object{"node_ids": []string{"0.9"}}, ""},
	} {
		var text string
		ask("markdown", c.filter, 0, &text)
		if diff := cmp.Diff(c.want, text); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
		// The nodes of the object keep the ids that they have in the whole.
		var whole, part node
		ask("object", nil, 0, &whole)
		ask("object", c.filter, 0, &part)
		known := map[string]string{}
		whole.walk(func(n *node) { known[n.ID] = n.Type })
		part.walk(func(n *node) {
			if known[n.ID] != n.Type {
				t.Errorf("%s: node %s is a %q, of the whole a %q", c.name, n.ID, n.Type, known[n.ID])
			}
		})
	}
	var tables node
	ask("object", object{"include": []string{"table"}}, 0, &tables)
	if got := shapeOf(&tables); !cmp.Equal(got, shape{Headings: []string{"", ""}, Cells: [][]string{{"x", "y"}, {"1", "2"}}}) {
		t.Errorf("the object of tables is %+v", got)
	}
	for _, tokens := range []int{1, 5, 10, 1000} {
		var text string
		ask("markdown", nil, tokens, &text)
		if !strings.HasPrefix(filtered, text) || (tokens == 1000) != (text == filtered) || len(text) > 8*tokens {
			t.Errorf("content of %d tokens = %q", tokens, text)
		}
		var tree node
		ask("object", nil, tokens, &tree)
		length := 0
		tree.walk(func(n *node) {
			if len(n.Children) == 0 {
				length += len(n.Content)
			}
		})
		if length > len(text)+10 { // a heading stays whole
			t.Errorf("the object of %d tokens holds %d bytes, the text %d", tokens, length, len(text))
		}
	}
}

func TestChunkedContentFilters(t *testing.T) {
	h := servicetest.Handler(t)
	var kept object
	text := filtered + strings.Repeat("\n\nAnother paragraph of about a dozen words, which fills the document up to chunks.", 60)
	post(t, h, "/v1/artifacts/ingest", object{"artifact": "a", "input": object{"type": "text", "value": text}, "metadata": object{"file_name": "a.md"}}, &kept)
	chunks := func(more object) []string {
		body := object{"context_filter": object{"artifacts": []string{"a"}}}
		for k, v := range more {
			body[k] = v
		}
		var out struct {
			Data []struct{ Content []struct{ Type, Text string } }
		}
		post(t, h, "/v1/artifacts/chunked-content", body, &out)
		texts := []string{}
		for _, c := range out.Data[0].Content {
			if c.Type != "text" {
				t.Errorf("a block is of type %q", c.Type)
			}
			texts = append(texts, c.Text)
		}
		return texts
	}
	all := chunks(nil)
	if len(all) < 3 || !strings.HasPrefix(all[0], "# One") {
		t.Errorf("%d chunks, the first %.40q", len(all), all[0])
	}
	if got := chunks(object{"max_tokens": 450}); len(got) == 0 || len(got) >= len(all) || !cmp.Equal(got, all[:len(got)]) {
		t.Errorf("450 tokens give %d chunks of %d", len(got), len(all))
	}
	if got := chunks(object{"filter": object{"node_ids": []string{"0.0.2"}}}); len(got) != 1 || !strings.HasPrefix(got[0], "## Deep") {
		t.Errorf("a section gives %q", got)
	}
	if got := chunks(object{"filter": object{"include": []string{"image"}}}); len(got) != 0 {
		t.Errorf("nothing gives %q", got)
	}
}
