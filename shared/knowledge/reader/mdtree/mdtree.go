// Package mdtree finds the blocks of Markdown. Only blocks are recognised,
// line by line in linear time, because a tree needs their places and nothing
// within them.
package mdtree

import (
	"strings"
	"unicode"

	"lectern/shared/text/document"
)

// Parse makes a document of Markdown, which stays its text.
func Parse(text string, maxDepth int) *document.Document {
	p := &markdown{text: text, maxDepth: maxDepth}
	p.frontMatter()
	for p.pos < len(text) {
		p.line()
	}
	p.endParagraph()
	p.endLists(0)
	title := p.title
	if title == "" {
		title = p.firstHeading
	}
	return &document.Document{Title: title, Text: text, Root: p.outline.Finish(len(text))}
}

type markdown struct {
	text     string
	pos      int
	maxDepth int
	outline  document.Outline

	title, firstHeading string

	paragraph int // start of the open paragraph plus one; 0: none
	paraEnd   int
	lists     []mdList
}

// mdList is an open list; its last item is open too.
type mdList struct {
	node    document.Node
	content int // column where the items' text begins
	marker  byte
}

// next returns the line at pos without its end, and moves on.
func (p *markdown) next() (start int, line string) {
	start = p.pos
	if i := strings.IndexByte(p.text[start:], '\n'); i >= 0 {
		p.pos = start + i + 1
		return start, p.text[start : start+i]
	}
	p.pos = len(p.text)
	return start, p.text[start:]
}

func (p *markdown) frontMatter() {
	if !strings.HasPrefix(p.text, "---\n") {
		return
	}
	end := strings.Index(p.text, "\n---\n")
	if end < 0 || end > 16<<10 {
		return
	}
	for line := range strings.Lines(p.text[4:end]) {
		if v, ok := strings.CutPrefix(line, "title:"); ok {
			p.title = strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	p.pos = end + 5
}

func (p *markdown) line() {
	start, raw := p.next()
	line := strings.TrimLeftFunc(raw, unicode.IsSpace)
	indent := column(raw[:len(raw)-len(line)])
	start += len(raw) - len(line)
	line = strings.TrimRightFunc(line, unicode.IsSpace)
	if line == "" {
		p.endParagraph()
		return
	}
	width := markerWidth(line)
	if width > 0 && !isRule(line) {
		p.item(start, line, indent, width)
		return
	}
	if p.paragraph == 0 {
		p.leaveLists(indent)
	} else if indent == 0 && startsBlock(line) {
		p.endParagraph()
		p.endLists(0)
	}
	p.block(start, line)
}

// block reads a line that is no list item.
func (p *markdown) block(start int, line string) {
	switch {
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		p.endParagraph()
		p.fence(start, line)
	case headingLevel(line) > 0 && len(p.lists) == 0:
		p.endParagraph()
		level := headingLevel(line)
		p.heading(level, strings.TrimRight(line[level:], "# \t"), start, start+len(line))
	case p.paragraph > 0 && len(p.lists) == 0 && isUnderline(line):
		level := 1
		if line[0] == '-' {
			level = 2
		}
		from := p.paragraph - 1
		p.paragraph = 0
		p.heading(level, p.text[from:p.paraEnd], from, start+len(line))
	case isRule(line):
		p.endParagraph()
	case line[0] == '|' || p.paragraph == 0 && strings.IndexByte(line, '|') > 0 && p.rulerFollows():
		p.endParagraph()
		p.table(start, line)
	default:
		if p.paragraph == 0 {
			p.paragraph = start + 1
		}
		p.paraEnd = start + len(line)
	}
}

func (p *markdown) heading(level int, title string, start, end int) {
	title = plainInline(title)
	if p.firstHeading == "" && level == 1 {
		p.firstHeading = title
	}
	p.outline.Section(level, title, start, end, 0)
}

// fence reads a code block to its closing fence.
func (p *markdown) fence(start int, line string) {
	mark := line[:3]
	language, _, _ := strings.Cut(strings.TrimLeft(line, mark[:1]), " ")
	end := start + len(line)
	for p.pos < len(p.text) {
		at, l := p.next()
		end = at + len(l)
		if closing := strings.TrimSpace(l); strings.HasPrefix(closing, mark) && strings.Trim(closing, mark[:1]) == "" {
			break
		}
	}
	end = start + len(strings.TrimRightFunc(p.text[start:end], unicode.IsSpace))
	p.add(document.Node{Type: document.Code, Title: language, Start: start, End: end})
}

// rulerFollows reports whether the next line is the ruler of a table without
// outer bars.
func (p *markdown) rulerFollows() bool {
	rest := p.text[p.pos:]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return isTableRuler(strings.TrimSpace(rest))
}

func (p *markdown) table(start int, line string) {
	table := document.Node{Type: document.Table, Start: start, End: start + len(line)}
	table.Children = append(table.Children, document.Node{Type: document.TableRow, Start: start, End: start + len(line)})
	for p.pos < len(p.text) {
		before := p.pos
		at, raw := p.next()
		l := strings.TrimSpace(raw)
		if l == "" || strings.IndexByte(l, '|') < 0 {
			p.pos = before
			break
		}
		at += strings.Index(raw, l)
		table.End = at + len(l)
		if !isTableRuler(l) {
			table.Children = append(table.Children, document.Node{Type: document.TableRow, Start: at, End: at + len(l)})
		}
	}
	p.add(table)
}

// item opens a list item, and the list when it is its first.
func (p *markdown) item(start int, line string, indent, width int) {
	p.endParagraph()
	marker := line[width-1]
	if marker == ' ' || marker == '\t' {
		marker = line[width-2]
	}
	for len(p.lists) > 0 {
		top := &p.lists[len(p.lists)-1]
		if indent >= top.content && len(p.lists) < p.maxDepth {
			break // nested below the open item
		}
		if indent+1 >= p.outer() && (top.marker == marker || len(p.lists) >= p.maxDepth) {
			top.node.Children = append(top.node.Children, document.Node{Type: document.ListItem, Start: start, End: start + len(line)})
			top.content = indent + width
			p.paragraph, p.paraEnd = start+1, start+len(line)
			return
		}
		p.endLists(len(p.lists) - 1)
	}
	p.lists = append(p.lists, mdList{
		node: document.Node{
			Type: document.List, Start: start, End: start + len(line),
			Children: []document.Node{{Type: document.ListItem, Start: start, End: start + len(line)}},
		},
		content: indent + width, marker: marker,
	})
	p.paragraph, p.paraEnd = start+1, start+len(line)
}

// outer returns the column at which the innermost list's items may begin.
func (p *markdown) outer() int {
	if n := len(p.lists); n > 1 {
		return p.lists[n-2].content
	}
	return 0
}

// leaveLists ends the lists that a line after a blank one is not part of.
func (p *markdown) leaveLists(indent int) {
	for n := len(p.lists); n > 0 && indent < min(p.lists[n-1].content, p.outer()+2); n = len(p.lists) {
		p.endLists(n - 1)
	}
}

// endParagraph closes the open paragraph, or extends the open list item.
func (p *markdown) endParagraph() {
	if p.paragraph == 0 {
		return
	}
	start := p.paragraph - 1
	p.paragraph = 0
	if n := len(p.lists); n > 0 {
		list := &p.lists[n-1].node
		item := &list.Children[len(list.Children)-1]
		if len(item.Children) > 0 && start > item.Children[len(item.Children)-1].End {
			item.Children = append(item.Children, document.Node{Type: document.Paragraph, Start: start, End: p.paraEnd})
		}
		item.End = max(item.End, p.paraEnd)
		list.End = item.End
		return
	}
	kind := document.Paragraph
	title := ""
	if line := p.text[start:p.paraEnd]; strings.HasPrefix(line, "![") && strings.HasSuffix(line, ")") && strings.IndexByte(line, '\n') < 0 {
		if i := strings.Index(line, "]("); i > 0 && strings.IndexByte(line[i:], ')') == len(line)-i-1 {
			kind, title = document.Image, line[i+2:len(line)-1]
		}
	}
	p.outline.Add(document.Node{Type: kind, Title: title, Start: start, End: p.paraEnd})
}

// endLists closes lists until n are open.
func (p *markdown) endLists(n int) {
	for len(p.lists) > n {
		list := p.lists[len(p.lists)-1].node
		p.lists = p.lists[:len(p.lists)-1]
		p.add(list)
	}
}

// add puts a block below the open list item, or into the outline.
func (p *markdown) add(n document.Node) {
	if len(p.lists) == 0 {
		p.outline.Add(n)
		return
	}
	list := &p.lists[len(p.lists)-1].node
	item := &list.Children[len(list.Children)-1]
	item.Children = append(item.Children, n)
	item.End = max(item.End, n.End)
	list.End = item.End
}
