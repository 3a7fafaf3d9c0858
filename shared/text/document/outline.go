package document

import (
	"math"
	"strings"
)

// Outline builds a tree of nodes that are added in text order: what follows a
// heading goes below it, until a heading of the same or a higher rank. The zero
// value is ready to use.
type Outline struct {
	open []openNode // the root, a page perhaps, and the open sections
}

// openNode is a node whose children are still being added.
type openNode struct {
	Node
	children nodes
}

// closed returns the node with its children.
func (n *openNode) closed() Node {
	n.Children = n.children.all()
	return n.Node
}

// Headings longer than maxHeading bytes become paragraphs, because every chunk
// below a heading repeats its title.
const maxHeading = 2000

// Section opens a section whose heading is text[start:end].
func (o *Outline) Section(level int, title string, start, end, page int) {
	if len(title) > maxHeading {
		o.Add(Node{Type: Paragraph, Start: start, End: end, Page: page})
		return
	}
	level = min(max(level, 1), 6)
	o.begin()
	for top := o.top(); top.Type == Section && top.Level >= level; top = o.top() {
		o.closeTop()
	}
	o.open = append(o.open, openNode{Node: Node{Type: Section, Title: title, Level: level, Start: start, End: end, Page: page}})
}

// Page ends the page before with its sections, and opens a page at start.
func (o *Outline) Page(title string, start, page int) {
	o.begin()
	for len(o.open) > 1 {
		o.closeTop()
	}
	if len(title) > maxHeading {
		title = strings.ToValidUTF8(title[:maxHeading], "")
	}
	o.open = append(o.open, openNode{Node: Node{Type: Page, Title: title, Start: start, End: start, Page: page}})
}

// Add adds a block with its children below the open section.
func (o *Outline) Add(n Node) {
	o.begin()
	top := o.top()
	if top.children.count == 0 && top.Type == Page {
		top.Start = n.Start
	}
	top.children.add(n)
	top.End = max(top.End, n.End)
}

// Finish returns the numbered tree of a text of this length and resets the outline.
func (o *Outline) Finish(textBytes int) Node {
	o.begin()
	for len(o.open) > 1 {
		o.closeTop()
	}
	root := o.open[0].closed()
	root.Start, root.End = 0, textBytes
	root.Number("0")
	o.open = nil
	return root
}

func (o *Outline) begin() {
	if o.open == nil {
		o.open = []openNode{{Node: Node{Type: Root, End: math.MinInt}}}
	}
}

func (o *Outline) top() *openNode { return &o.open[len(o.open)-1] }

func (o *Outline) closeTop() {
	n := o.top().closed()
	o.open = o.open[:len(o.open)-1]
	o.Add(n)
}
