// Package webpage reads HTML. It omits navigation, forms and scripts; if the
// page marks its main part, only that is read.
package webpage

import (
	"bytes"
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	xcharset "golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/htmlindex"

	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// Decode decodes a page: by byte order mark, by its declaration, or else by its
// content.
func Decode(data []byte) string {
	if charset.OfMark(data) == nil {
		if _, name, certain := xcharset.DetermineEncoding(data[:min(len(data), 1024)], ""); certain ||
			bytes.Contains(bytes.ToLower(data[:min(len(data), 2048)]), []byte("charset")) {
			if e, err := htmlindex.Get(name); err == nil && name != "utf-8" {
				return charset.With(e, data)
			}
		}
	}
	text, _ := charset.Decode(data)
	return text
}

// maxNodes limits a page's elements, which use about 200 bytes each.
const maxNodes = 1_000_000

// Write adds a page's blocks to b.
func Write(ctx context.Context, b *document.Builder, text string, limits intake.Limits) error {
	if strings.Count(text, "<") > maxNodes {
		return intake.Refuse(intake.TooLarge, "the page has more than %d elements", maxNodes)
	}
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		// The parser rejects trees that are too deep.
		b.Warn("the page's structure could not be read: %v", err)
		return writeText(ctx, b, text)
	}
	w := &writer{ctx: ctx, b: b, limits: limits, root: root, size: textSize(root)}
	if t := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Title && n.Namespace == "" }); t != nil {
		b.Title(rawText(t))
	}
	part := mainPart(root)
	if isHeading := func(n *html.Node) bool { return n.DataAtom == atom.H1 && !invisible(n) }; part != root && find(part, isHeading) == nil {
		// The page's heading may precede its main part.
		if h := find(root, isHeading); h != nil {
			w.block(h)
		}
	}
	w.blocks(part)
	w.flush()
	if b.Len() == 0 {
		// Everything looked like navigation.
		w.everything = true
		w.blocks(root)
		w.flush()
	}
	return w.err
}

// writeText writes only the text, for pages that cannot be parsed.
func writeText(ctx context.Context, b *document.Builder, text string) error {
	z := html.NewTokenizer(strings.NewReader(text))
	var line strings.Builder
	skip := ""
	for n := 0; ; n++ {
		if n%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch z.Next() {
		case html.ErrorToken:
			b.Paragraph(line.String())
			return nil
		case html.TextToken:
			if skip == "" {
				line.Write(z.Text())
			}
		case html.StartTagToken:
			switch name, _ := z.TagName(); string(name) {
			case "script", "style", "noscript", "template":
				skip = string(name)
			case "p", "div", "li", "tr", "br", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre":
				b.Paragraph(line.String())
				line.Reset()
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == skip {
				skip = ""
			}
		}
	}
}

// mainPart returns the element with the page's main content.
func mainPart(root *html.Node) *html.Node {
	isMain := func(n *html.Node) bool { return n.DataAtom == atom.Main || attr(n, "role") == "main" }
	m := find(root, isMain)
	if m == nil {
		articles := 0
		find(root, func(n *html.Node) bool {
			if n.DataAtom == atom.Article {
				articles++
				m = n
			}
			return false
		})
		if articles != 1 {
			return root
		}
	}
	// Ignore a marked part that does not contain most of the text.
	if textSize(m)*4 < textSize(root) {
		return root
	}
	return m
}

func find(n *html.Node, match func(*html.Node) bool) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && match(d) {
			return d
		}
	}
	return nil
}

// texts calls f with all visible texts below n, in order.
func texts(n *html.Node, f func(string)) {
	if n.Type == html.TextNode {
		f(n.Data)
	}
	if invisible(n) {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		texts(c, f)
	}
}

// rawText returns all visible text below n.
func rawText(n *html.Node) string {
	var b strings.Builder
	texts(n, func(s string) { b.WriteString(s) })
	return strings.Join(strings.Fields(b.String()), " ")
}

// textSize returns the length of rawText, which it does not make.
func textSize(n *html.Node) int {
	size, space := 0, false
	texts(n, func(s string) {
		for i := 0; i < len(s); {
			r, bytes := rune(s[i]), 1
			if r >= utf8.RuneSelf {
				r, bytes = utf8.DecodeRuneInString(s[i:])
			}
			i += bytes
			if unicode.IsSpace(r) {
				space = true
				continue
			}
			if space && size > 0 {
				size++
			}
			size, space = size+bytes, false
		}
	})
	return size
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// invisible reports whether n is not displayed.
func invisible(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head, atom.Iframe, atom.Object, atom.Svg, atom.Canvas, atom.Audio,
		atom.Video:
		return true
	}
	if n.Namespace == "math" && (n.Data == "annotation" || n.Data == "annotation-xml") {
		return true // the formula again, in another notation
	}
	return n.Type == html.CommentNode || hasAttr(n, "hidden") || strings.Contains(strings.ReplaceAll(attr(n, "style"), " ", ""),
		"display:none")
}

// surrounding reports whether n is outside the page's main content.
func surrounding(n *html.Node) bool {
	if kind := attr(n, "role") + " " + attr(n, "epub:type"); strings.Contains(kind, "footnote") || strings.Contains(kind, "endnote") ||
		strings.Contains(kind, "rearnote") {
		return false // a note of the text, though set aside
	}
	switch n.DataAtom {
	case atom.Nav, atom.Aside, atom.Form, atom.Button, atom.Select, atom.Dialog, atom.Menu:
		return true
	case atom.Footer, atom.Header:
		// Only the page's own, not an article's.
		for p := n.Parent; p != nil; p = p.Parent {
			if p.DataAtom == atom.Article || p.DataAtom == atom.Main || p.DataAtom == atom.Section {
				return false
			}
		}
		return find(n, func(h *html.Node) bool { return h.DataAtom == atom.H1 }) == nil
	}
	switch attr(n, "role") {
	case "navigation", "banner", "contentinfo", "search", "complementary", "dialog", "menu":
		return true
	}
	return attr(n, "aria-hidden") == "true"
}
