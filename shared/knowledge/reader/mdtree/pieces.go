package mdtree

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// pieceBytes is how much text is parsed at a time: the parser's own tree takes some
// hundred bytes for each line.
const pieceBytes = 256 << 10

// pieceGrowth is how much more is parsed where one block or item takes all of a piece.
const pieceGrowth = 4

// pieces parses the text piece by piece. A piece ends where its last block, or the last
// item of the list that is its last block, begins, since more may belong to that: the
// next piece begins with it. Lines before it have no influence on how it is parsed.
func (m *markdown) pieces(pieceBytes int) error {
	all, source := m.text, m.source
	m.base = 0
	for size := pieceBytes; m.base < len(all); {
		end := len(all)
		if at := m.base + size; at < len(all) {
			if i := strings.IndexByte(all[at:], '\n'); i >= 0 {
				end = at + i + 1
			}
		}
		m.text, m.source = all[m.base:end], source[m.base:end]
		if size > pieceBytes && strings.Count(m.text, "\n") > m.limits.Nodes {
			return intake.Refuse(intake.TooLarge, "a paragraph or an item of the file has more than %d lines", m.limits.Nodes)
		}
		root := m.blocks.Parse(text.NewReader(m.source))
		next := len(m.text)
		if end < len(all) {
			next = m.lastBegins(root)
		}
		if next <= 0 {
			size *= pieceGrowth
			continue
		}
		for n := root.FirstChild(); n != nil && n.Pos() < next; n = n.NextSibling() {
			m.pieceBlock(n, min(next, m.end(n, len(m.text))))
			if err := m.limits.Check(len(all), m.nodes); err != nil {
				return err
			}
		}
		m.base, size = m.base+next, pieceBytes
	}
	m.endList()
	m.text, m.source = all, source
	return nil
}

// lastBegins returns where the line begins with which the last block or item of a piece
// begins.
func (m *markdown) lastBegins(root ast.Node) int {
	last := root.LastChild()
	if last == nil {
		return len(m.text)
	}
	if list, ok := last.(*ast.List); ok && list.LastChild() != nil {
		last = list.LastChild()
	}
	return bytes.LastIndexByte(m.source[:max(last.Pos(), 0)], '\n') + 1
}

// pieceBlock adds a top-level block that ends at end. A list whose last item is left to the
// next piece stays open, and the first list of that continues it.
func (m *markdown) pieceBlock(n ast.Node, end int) {
	list, ok := n.(*ast.List)
	if !ok {
		m.endList()
		m.block(n, end)
		return
	}
	for _, node := range m.list(list, end, 0) {
		shift(&node, m.base)
		m.nodes += node.Count()
		if m.tally {
			continue
		}
		if m.open == nil {
			m.open = &node
			continue
		}
		m.nodes--
		m.open.End = node.End
		m.open.Children = append(m.open.Children, node.Children...)
	}
	if last := list.LastChild(); last == nil || last.Pos() < end {
		m.endList()
	}
}

// endList adds the open list.
func (m *markdown) endList() {
	if m.open != nil {
		m.outline.Add(*m.open)
		m.open = nil
	}
}

// add adds a node of the piece.
func (m *markdown) add(n document.Node) {
	if m.nodes += n.Count(); !m.tally {
		shift(&n, m.base)
		m.outline.Add(n)
	}
}

// shift moves a node by so many bytes.
func shift(n *document.Node, by int) {
	n.Start += by
	n.End += by
	for i := range n.Children {
		shift(&n.Children[i], by)
	}
}
