// Package readertest generates documents that attack their readers: bombs,
// loops, and excessive depths and widths. Each must be rejected or read within
// seconds and limited memory; tests and scripts/hostile verify that.
package readertest

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// File is a hostile document.
type File struct {
	Name string // describes the attack; its extension selects the reader
	Make func() []byte
}

// Hostile lists the documents. scale 1 is the size of a real attack; tests use
// less. samples holds honest files of many formats, to be truncated, encrypted
// and renamed.
func Hostile(scale float64, samples fs.FS) ([]File, error) {
	h := &maker{scale: scale}
	h.archives()
	h.sheets()
	h.pdfs()
	h.texts()
	if err := h.damaged(samples); err != nil {
		return nil, err
	}
	return h.files, nil
}

type maker struct {
	scale float64
	files []File
}

func (h *maker) add(name string, content func() []byte) {
	h.files = append(h.files, File{name, content})
}

func (h *maker) text(name string, content func() string) {
	h.add(name, func() []byte { return []byte(content()) })
}

// n scales a count.
func (h *maker) n(full int) int { return max(int(float64(full)*h.scale), 1) }

// texts are files without a container.
func (h *maker) texts() {
	for name, unit := range map[string]string{
		"lists.md": "- ", "quotes.md": "> ", "brackets.md": "[", "images.md": "![", "links.md": "[a](", "link-tails.md": "a](b",
		"emphasis.md": "*a **a ", "underscores.md": "_a __a ",
		"mixed-emphasis.md": "*_", "ticks.md": "`a ``", "angles.md": "<a ", "comments.md": "<!-- ", "entities.md": "&#x41;&", "pipes.md": "|",
		"table-rows.md":  "a | b\n",
		"definitions.md": "[a]: b\n[a]\n", "fences.md": "```\n", "setext.md": "a\n=\n", "numbers.md": "1) ", "rules.md": "* * *\n",
		"escapes.md": `\`, "footnotes.md": "[^1]: a\n[^1]",
		"autolinks.md": "http://a.b ", "html.md": "<div>\n", "strike.md": "~~a ~",
		"tags.html": "<b>", "depth.html": "<div>", "tables.html": "<table><tr><td>", "lists.html": "<ul><li>",
		"forms.html": "<select><option>", "attributes.html": "<a b='c' ", "links.html": "<a href=x>y",
		"comments.html": "<!--", "svg.html": "<svg><math>", "templates.html": "<template>", "headings.html": "<h1>",
		"entities.html": "&amp&lt", "scripts.html": "<script><!--",
		"quotes.csv": "\"a,\"\n", "columns-quoted.csv": `"a""b",`, "groups.rtf": "{", "words.rtf": `\par`, "binary.rtf": `\bin999999999 `,
		"unicode.rtf": `\u9731?`,
		"arrays.json": "[", "objects.json": `{"a":`, "strings.json": `["\ud800\u0000",`, "lines.jsonl": "{\"a\":1}\n",
		"numbers.json": "[1e999,",
		"mails.mbox":   "From a Mon Jan 1 10:00:00 2024\nFrom: a\nMessage-ID: <1>\nReferences: <1> <1> <1>\n\nw x\n\n> w x y z\n\n",
		"froms.mbox":   "\nFrom a Mon 10:00 2024\n",
		"quotes.eml":   ">",
		"braces.go":    "func f() {", "comment.py": `"""`, "parts.eml": "--x\n\n", "dots.txt": ". ", "blank.txt": "\n \n", "abbreviations.txt": "e.g. Dr. ", "controls.txt": "a\x1b[0m\b",
	} {
		h.text(name, func() string { return prefix(name) + strings.Repeat(unit, h.n(4<<20)/len(unit)) + "x" })
	}
	h.text("line-of-words.txt", func() string { return strings.Repeat("word ", h.n(4<<20)) })
	h.text("line-of-letters.txt", func() string { return strings.Repeat("a", h.n(20<<20)) })
	h.text("line-of-kanji.txt", func() string { return strings.Repeat("漢", h.n(5<<20)) })
	h.text("line.md", func() string { return "# " + strings.Repeat("word ", h.n(2<<20)) })
	h.text("line.html", func() string { return "<p>" + strings.Repeat("word ", h.n(2<<20)) })
	h.text("million-columns.csv", func() string {
		row := strings.Repeat("a,", h.n(1_000_000)) + "\n"
		return row + row + row
	})
	h.text("million-names.csv", func() string {
		return strings.Repeat("a,", h.n(1_000_000)) + "\n" + strings.Repeat("b\n", h.n(1_000_000))
	})
	h.text("long-and-wide.csv", func() string {
		return strings.Repeat(strings.Repeat("1;", 2000)+"\n", h.n(2000))
	})
	h.text("deep-balanced.json", func() string {
		n := h.n(1_000_000)
		return strings.Repeat("[", n) + strings.Repeat("]", n)
	})
	h.text("long-names.json", func() string {
		name := strings.Repeat("k", 50_000)
		return strings.Repeat(`{"`+name+`":`, h.n(300)) + "1" + strings.Repeat("}", h.n(300))
	})
	h.text("wide-rows.json", func() string {
		return "[" + strings.Repeat(`{"a":{"b":{"c":[1,2,3]}}},`, h.n(200_000)) + "{}]"
	})
	h.text("nested-lists.md", func() string {
		var b strings.Builder
		for i := range h.n(10_000) {
			b.WriteString(strings.Repeat("  ", i) + "- x\n")
		}
		return b.String()
	})
	h.text("nested-lists.html", func() string {
		n := h.n(10_000)
		return "<body>" + strings.Repeat("<ul><li>x", n) + strings.Repeat("</li></ul>", n)
	})
	h.text("spans.html", func() string {
		return "<table>" + strings.Repeat("<tr><td colspan=999999999 rowspan=999999999>x", h.n(2000)) + "</table>"
	})
	h.text("laughs.html", func() string { return laughs("html", "<body><p>&j;</p></body>") })
	h.text("laughs.xml", func() string { return laughs("a", "&j;") })
	h.text("nested-mails.eml", func() string {
		return strings.Repeat("From: a\nTo: b\nSubject: c\nContent-Type: message/rfc822\n\n", h.n(100_000)) + "x"
	})
	h.text("nested-parts.eml", func() string {
		return strings.Repeat("From: a\nTo: b\nSubject: c\nContent-Type: multipart/mixed; boundary=x\n\n--x\n", h.n(50_000)) + "x"
	})
	h.text("open-parts.eml", func() string {
		var b strings.Builder
		for i := range h.n(50_000) {
			fmt.Fprintf(&b, "From: a\nTo: b\nSubject: c\nContent-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
		}
		return b.String() + "x"
	})
	h.text("long-header.eml", func() string {
		return "From: a\nTo: b\nSubject: " + strings.Repeat("=?utf-8?q?=41?= ", h.n(500_000)) + "\n\nx"
	})
	h.mails()
	h.text("cells.ipynb", func() string {
		return `{"cells":[` + strings.Repeat(`{"cell_type":"markdown","source":["# a\n",{"x":[1]}]},`, h.n(100_000)) + `{"cell_type":"code","source":7}]}`
	})
	h.text("random.txt", func() string { return noise(h.n(1 << 20)) })
	h.text("broken-utf8.txt", func() string { return strings.Repeat("Gr\xc3\xbc\xc3\x9fe \xe2\x82 \xff\xfe \xf0\x9f\n", h.n(100_000)) })
	h.text("broken-utf16.txt", func() string { return "\xff\xfe" + strings.Repeat("a\x00\x00\xd8b\x00", h.n(100_000)) + "c" })
	h.text("broken-utf8.csv", func() string { return strings.Repeat("a\xff,b\xc3\n", h.n(100_000)) })
	h.text("broken-utf8.md", func() string { return strings.Repeat("# a\xff\n\n- b\xc3\n", h.n(50_000)) })
	h.text("broken-utf8.html", func() string { return strings.Repeat("<p>a\xff<b>\xc3", h.n(50_000)) })
	h.text("mixed-charsets.html", func() string { return "<meta charset=utf-16><p>" + strings.Repeat("\xe4\xf6\xfc ", 1000) })
}

// mails are mails with fields of many parameters, and such attachments.
func (h *maker) mails() {
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "; name*%d=x", i)
		}
		return b.String()
	}
	const head = "From: a\nTo: b\nSubject: c\n"
	h.text("parameters.eml", func() string { return head + "Content-Type: text/plain" + many(h.n(200_000)) + "\n\nx" })
	h.text("parameters.mbox", func() string {
		return "From a Mon Jan  1 10:00:00 2024\n" + head + "Content-Type: text/plain" + many(h.n(200_000)) + "\n\nx\n"
	})
	h.text("no-base64.eml", func() string {
		return head + "Content-Transfer-Encoding: base64\n\n" + strings.Repeat("!@#$\n", h.n(3_000_000))
	})
	h.text("parameters-of-parts.eml", func() string {
		part := "--x\nContent-Type: text/plain" + many(h.n(5000)) + "\nContent-Disposition: attachment" + many(h.n(5000)) + "\n\nx\n"
		return head + "Content-Type: multipart/mixed; boundary=x\n\n" + strings.Repeat(part, h.n(500)) + "--x--"
	})
}

// prefix makes repeated content look like its format.
func prefix(name string) string {
	switch path.Ext(name) {
	case ".rtf":
		return `{\rtf1 `
	case ".html":
		return "<html><body>"
	case ".eml":
		return "From: a\nTo: b\nSubject: c\nContent-Type: multipart/mixed; boundary=x\n\n"
	}
	return ""
}

// laughs is a billion laughs attack: ten levels of entities that repeat ten times.
func laughs(root, body string) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?><!DOCTYPE " + root + " [<!ENTITY a \"ha\">")
	for c := 'b'; c <= 'j'; c++ {
		b.WriteString("<!ENTITY " + string(c) + ` "` + strings.Repeat("&"+string(c-1)+";", 10) + `">`)
	}
	b.WriteString("]><" + root + ">" + body + "</" + root + ">")
	return b.String()
}

// noise returns pseudo-random bytes.
func noise(n int) string {
	b := make([]byte, n)
	x := uint32(2463534242)
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x >> 8)
	}
	return string(b)
}

// damaged adds truncated, encrypted, renamed and corrupted copies of the samples.
func (h *maker) damaged(samples fs.FS) error {
	names, err := fs.Glob(samples, "*.*")
	if err != nil {
		return err
	}
	for _, name := range names {
		data, err := fs.ReadFile(samples, name)
		if err != nil {
			return err
		}
		ext := path.Ext(name)
		h.add("half"+ext, func() []byte { return data[:len(data)/2] })
		h.add("nearly"+ext, func() []byte { return data[:max(len(data)-20, 1)] })
		h.add("start"+ext, func() []byte { return data[:min(len(data), 100)] })
		h.add("scribbled"+ext, func() []byte {
			out := []byte(string(data))
			for i := 64; i < len(out); i += 97 {
				out[i] ^= 0x55
			}
			return out
		})
		for _, other := range []string{".pdf", ".docx", ".xlsx", ".epub", ".txt", ".png", ".doc"} {
			if other != ext {
				h.add("really"+strings.ReplaceAll(ext, ".", "-")+other, func() []byte { return data })
			}
		}
	}
	return nil
}
