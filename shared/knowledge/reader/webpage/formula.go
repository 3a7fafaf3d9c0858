package webpage

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"lectern/shared/knowledge/reader/formula"
)

// raised writes superscript text: an exponent, the end of a number, or the mark of a note.
func (w *writer) raised(n *html.Node) {
	text, before := rawText(n), w.line.String()
	linked := find(n, func(a *html.Node) bool { return a.DataAtom == atom.A }) != nil || n.Parent != nil && n.Parent.DataAtom == atom.A
	if power, ok := formula.Raise(before, text); ok && !linked && !w.space {
		w.line.WriteString(power)
		return
	}
	isMark := strings.Trim(text, "0123456789[],*†") == "" || len(text) >= maxRaised
	if !isMark || before == "" || formula.Unit(before) && (text == "2" || text == "3") {
		w.inline(n)
	} else if text != "" {
		w.text(" " + text) // apart from the word before it
	}
}

// maxRaised is the length, in bytes, from which raised text is a note.
const maxRaised = 8

// formulaNode converts an element of MathML.
func formulaNode(n *html.Node) *formula.Node {
	out := &formula.Node{}
	switch n.Type {
	case html.TextNode:
		out.Text = n.Data
	case html.ElementNode:
		out.Name = n.Data
		for _, a := range n.Attr {
			if a.Key == "open" || a.Key == "close" {
				if out.Attrs == nil {
					out.Attrs = map[string]string{}
				}
				out.Attrs[a.Key] = a.Val
			}
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		out.Kids = append(out.Kids, *formulaNode(c))
	}
	return out
}
