package office

import (
	"strings"

	"lectern/shared/knowledge/reader/formula"
)

// formulaNode converts an element of a formula.
func formulaNode(n *xmlNode) *formula.Node {
	out := &formula.Node{Name: n.name, Text: n.text}
	for _, name := range []string{"val", "open", "close"} {
		if len(n.attrs) > 0 && hasAttr(n.attrs, name) {
			if out.Attrs == nil {
				out.Attrs = map[string]string{}
			}
			out.Attrs[name] = n.attr(name)
		}
	}
	for _, k := range n.kids {
		out.Kids = append(out.Kids, *formulaNode(k))
	}
	return out
}

func hasAttr(attrs []byte, name string) bool {
	return strings.Contains(string(attrs), name+"=")
}

// raiser writes raised text after what stands before it. Several runs of it that follow each
// other are one.
type raiser struct {
	end int // of the text that was raised last
}

// raise returns what to write for raised text after before.
func (r *raiser) raise(before, raised string) string {
	if strings.TrimSpace(raised) == "" || r.end == len(before) && r.end > 0 {
		r.end = len(before) + len(raised)
		return raised
	}
	text, power := formula.Raise(before, raised)
	if !power {
		return raised
	}
	r.end = len(before) + len(text)
	return text
}
