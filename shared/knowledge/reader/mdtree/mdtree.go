// Package mdtree finds the blocks of Markdown with goldmark. It parses inline
// Markdown only in headings, whose plain text is needed, because that takes
// quadratic time in the worst case.
//
// Tables are found by this package, in what goldmark without its extension
// parses as paragraphs: the extension pads rows to the width of the header, so
// that the number of cells can be quadratic in the size of the text, and it
// drops tables without a ruler.
package mdtree

import (
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// Parse parses Markdown into a document with the same text, within limits.
func Parse(source string, limits intake.Limits) (*document.Document, error) {
	return parse(source, limits, pieceBytes)
}

func parse(source string, limits intake.Limits, pieceBytes int) (*document.Document, error) {
	m := &markdown{
		text: source, limits: limits,
		blocks: parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)),
		inline: parser.NewParser(parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1)),
			parser.WithInlineParsers(parser.DefaultInlineParsers()...)),
	}
	m.source = m.parsed()
	if strings.Count(source, "\n") >= limits.Nodes { // they may be too many
		m.tally = true
		if err := m.pieces(pieceBytes); err != nil {
			return nil, err
		}
		m.tally, m.nodes = false, 0
	}
	if err := m.pieces(pieceBytes); err != nil {
		return nil, err
	}
	title := m.title
	if title == "" {
		title = m.firstHeading
	}
	return &document.Document{Title: title, Text: source, Root: m.outline.Finish(len(source))}, nil
}

type markdown struct {
	text           string // of the piece at hand, as is source
	source         []byte // what is parsed
	base           int    // where the piece begins
	limits         intake.Limits
	blocks, inline parser.Parser
	outline        document.Outline
	nodes          int            // in outline
	tally          bool           // they are only counted
	open           *document.Node // a list that goes on in the next piece

	title, firstHeading string
}

// parsed returns the input of the parser, with every byte at its original
// offset. It blanks out front matter, and the markers of lists and quotations
// that are nested too deep, since the parser visits all open ones at every
// line.
func (m *markdown) parsed() []byte {
	source := []byte(m.text)
	for i := range m.frontMatter() {
		source[i] = '\n'
	}
	for start := 0; start < len(source); {
		end := len(source)
		if i := strings.IndexByte(m.text[start:], '\n'); i >= 0 {
			end = start + i
		}
		flatten(source[start:end])
		start = end + 1
	}
	return source
}

// maxColumn is the column from which markers of lists and quotations count as
// text, because every open one scans all the indentation of every line.
const maxColumn = 64

// flatten blanks the markers of a line from maxColumn on.
func flatten(line []byte) {
	column := 0
	for i, c := range line {
		switch {
		case c == '\t':
			column += 4 - column%4
		case strings.IndexByte(" .)>-*+0123456789", c) >= 0:
			column++
		default:
			return
		}
		if column > maxColumn {
			line[i] = 'x'
			return
		}
	}
}

// frontMatter reads the title from the front matter and returns its length.
func (m *markdown) frontMatter() int {
	if !strings.HasPrefix(m.text, "---\n") {
		return 0
	}
	end := strings.Index(m.text, "\n---\n")
	if end < 0 || end > 16<<10 {
		return 0
	}
	for line := range strings.Lines(m.text[4 : end+1]) {
		if v, ok := strings.CutPrefix(line, "title:"); ok {
			m.title = strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return end + 5
}

// end returns the end of a node whose parent ends at outer.
func (m *markdown) end(n ast.Node, outer int) int {
	if next := n.NextSibling(); next != nil && next.Pos() >= 0 && next.Pos() < outer {
		return next.Pos()
	}
	return outer
}

// node returns a node of text[start:end], trimmed; ok is false if nothing is left.
func (m *markdown) node(kind document.Type, start, end int) (n document.Node, ok bool) {
	s := m.text[start:end]
	start += len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	end = start + len(strings.TrimSpace(s))
	return document.Node{Type: kind, Start: start, End: end}, end > start
}

// block adds a top-level block.
func (m *markdown) block(n ast.Node, end int) {
	if h, ok := n.(*ast.Heading); ok && m.heading(h, end) {
		return
	}
	for _, node := range m.blockNodes(n, end, 0) {
		m.add(node)
	}
}

// heading opens a section; false if the heading is empty.
func (m *markdown) heading(h *ast.Heading, end int) bool {
	n, ok := m.node(document.Section, h.Pos(), end)
	var raw strings.Builder
	for i := range h.Lines().Len() {
		line := h.Lines().At(i)
		raw.WriteString(strings.TrimSpace(m.text[line.Start:line.Stop]) + "\n")
	}
	title := m.plain(strings.TrimSpace(raw.String()))
	if !ok || title == "" {
		return false
	}
	if m.firstHeading == "" && h.Level == 1 {
		m.firstHeading = title
	}
	if m.nodes++; !m.tally {
		m.outline.Section(h.Level, title, m.base+n.Start, m.base+n.End, 0)
	}
	return true
}

// maxPlain limits the headings whose inline Markdown is parsed; longer ones
// become paragraphs.
const maxPlain = 2000

// plain returns text without the markup of emphasis, code and links.
func (m *markdown) plain(s string) string {
	if len(s) > maxPlain || !strings.ContainsAny(s, "*_`[\\&<!\n") {
		return s
	}
	source := []byte(s)
	var b strings.Builder
	// The walk fails only where the visitor does.
	_ = ast.Walk(m.inline.Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			value := n.Value(source)
			if n.Parent().Kind() != ast.KindCodeSpan {
				value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
			}
			b.Write(value)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(source))
		}
		return ast.WalkContinue, nil
	})
	return document.Clean(strings.TrimSpace(b.String()))
}

// blockNodes returns the nodes of a block.
func (m *markdown) blockNodes(n ast.Node, end, depth int) []document.Node {
	kind, title := document.Paragraph, ""
	switch n := n.(type) {
	case *ast.List:
		return m.list(n, end, depth)
	case *ast.Paragraph, *ast.TextBlock:
		return m.paragraph(n.Pos(), end)
	case *ast.ThematicBreak:
		return nil
	case *ast.FencedCodeBlock:
		kind, title = document.Code, string(n.Language(m.source))
	}
	node, ok := m.node(kind, n.Pos(), end)
	if node.Title = title; !ok {
		return nil
	}
	return []document.Node{node}
}

// list returns a list with its items. An item's text ends at its first other
// block; later content is in nodes below the item.
func (m *markdown) list(l *ast.List, end, depth int) []document.Node {
	list, ok := m.node(document.List, l.Pos(), end)
	if !ok {
		return nil
	}
	for i := l.FirstChild(); i != nil && i.Pos() < end; i = i.NextSibling() {
		itemEnd := m.end(i, end)
		item, ok := m.node(document.ListItem, i.Pos(), itemEnd)
		if !ok {
			continue
		}
		for c := i.FirstChild(); c != nil && depth < m.limits.Depth; c = c.NextSibling() {
			for _, node := range m.blockNodes(c, m.end(c, itemEnd), depth+1) {
				if node.Type != document.Paragraph && node.Type != document.Image || len(item.Children) > 0 {
					item.Children = append(item.Children, node)
				}
			}
		}
		list.Children = append(list.Children, item)
	}
	return []document.Node{list}
}

// paragraph returns the paragraphs and tables of text[start:end].
func (m *markdown) paragraph(start, end int) []document.Node {
	var list []document.Node
	add := func(n document.Node, ok bool) {
		if ok {
			list = append(list, n)
		}
	}
	from := start // of the open paragraph
	for at := start; at < end; {
		next := m.nextLine(at, end)
		line := strings.TrimSpace(m.text[at:next])
		following := strings.TrimSpace(m.text[next:m.nextLine(next, end)])
		if !strings.HasPrefix(line, "|") && (strings.IndexByte(line, '|') <= 0 || !isRuler(following)) {
			at = next
			continue
		}
		add(m.plainParagraph(from, at))
		table, _ := m.node(document.Table, at, next)
		for at < end {
			next = m.nextLine(at, end)
			row, ok := m.node(document.TableRow, at, next)
			if !ok || strings.IndexByte(m.text[row.Start:row.End], '|') < 0 {
				break
			}
			if table.End = row.End; !isRuler(m.text[row.Start:row.End]) {
				table.Children = append(table.Children, row)
			}
			at = next
		}
		add(table, true)
		from = at
	}
	add(m.plainParagraph(from, end))
	return list
}

func (m *markdown) nextLine(at, end int) int {
	if i := strings.IndexByte(m.text[at:end], '\n'); i >= 0 {
		return at + i + 1
	}
	return end
}

// plainParagraph returns a paragraph without tables, or an image if it is only that.
func (m *markdown) plainParagraph(start, end int) (document.Node, bool) {
	n, ok := m.node(document.Paragraph, start, end)
	s := m.text[n.Start:n.End]
	if strings.HasPrefix(s, "![") && strings.HasSuffix(s, ")") && strings.IndexByte(s, '\n') < 0 {
		if i := strings.Index(s, "]("); i > 0 && strings.IndexByte(s[i:], ')') == len(s)-i-1 {
			n.Type, n.Title = document.Image, s[i+2:len(s)-1]
		}
	}
	return n, ok
}

// isRuler reports whether a line is the ruler between a table's header and its rows.
func isRuler(line string) bool {
	return strings.Contains(line, "-") && strings.Contains(line, "|") && strings.Trim(line, "|-: \t") == ""
}
