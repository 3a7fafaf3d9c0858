// Package document is the tree of a parsed document: one text, and nodes that
// are spans of it. Readers build it; the chunker and the conversions walk it.
//
// Nodes and citations are both spans of the same text, so offsets never need
// translation between representations.
package document

import (
	"strconv"
	"strings"
)

// Type is the type of a node.
type Type string

// The types of nodes.
const (
	Root      Type = "document"
	Section   Type = "section" // a heading and everything below it
	Paragraph Type = "paragraph"
	List      Type = "list"
	ListItem  Type = "list_item"
	Table     Type = "table"
	TableRow  Type = "table_row"
	Code      Type = "code"
	Image     Type = "image"
	Page      Type = "page" // a page, slide or sheet
)

// Document is a parsed document.
type Document struct {
	Title string // empty if the document has none
	// Text is what is stored, searched and cited: Markdown for structured
	// formats, the text itself for plain text. Valid UTF-8 without NUL,
	// lines end with "\n".
	Text string
	// Root spans the whole text.
	Root Node
	// Pages counts pages, slides or sheets; 0 if the format has none.
	Pages int
	// Warnings say what a reader left out or guessed.
	Warnings []string
	// Over says that the text passed Builder.Most and is not whole.
	Over bool `json:"-"`
}

// Node is a span of the text. Children lie within their parent, in order and without
// overlap; the bytes between them are layout.
type Node struct {
	// ID is the node's path: "0" is the root, "0.2.1" the second child of its third
	// child. It is deterministic for the same bytes and reader.
	ID   string
	Type Type
	// Start and End are byte offsets into Document.Text. A span has no surrounding
	// blank lines. A section starts at its heading.
	Start, End int
	// Title is the plain heading of a section, the name of a page (a sheet's name, a
	// slide's title), the language of code, or the URL of an image.
	Title string
	// Level is that of a heading, 1 to 6; of a record, 1 where it goes on with the row of the one before; 0 for others.
	Level int
	// Page is the one-based page on which the node starts; 0 if the format has none.
	Page int
	// Columns are the column names of a table whose rows are records of named values;
	// nil otherwise.
	Columns  []string `json:",omitempty"`
	Children []Node
}

// Walk calls visit for n and everything below it, parents first. It skips the
// children of a node for which visit returns false.
func (n *Node) Walk(visit func(*Node) bool) {
	if !visit(n) {
		return
	}
	for i := range n.Children {
		n.Children[i].Walk(visit)
	}
}

// Count returns how many nodes n and everything below it are.
func (n *Node) Count() int {
	count := 1
	for i := range n.Children {
		count += n.Children[i].Count()
	}
	return count
}

// Break is the beginning of a page within a text, in bytes from its start.
type Break struct {
	At   int `json:"at"`
	Page int `json:"page"`
}

// Breaks lists where the pages below n begin in the document's text.
func (n *Node) Breaks() []Break {
	var list []Break
	page := 0
	n.Walk(func(n *Node) bool {
		if n.Page > page {
			page = n.Page
			list = append(list, Break{n.Start, page})
		}
		return true
	})
	return list
}

// maxLevel is that of a heading.
const maxLevel = 6

// HeadingLevel returns the level of the Markdown heading that a line begins, 1 to 6; 0 where
// it begins none.
func HeadingLevel(line string) int {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level == 0 || level > maxLevel || !strings.HasPrefix(line[level:], " ") {
		return 0
	}
	return level
}

// Ruled reports whether the text between two rows has the line that ends a table's header.
func Ruled(between string) bool {
	for line := range strings.Lines(between) {
		if strings.Contains(line, "-") && strings.Trim(line, " \t\r\n|:-") == "" {
			return true
		}
	}
	return false
}

// Find returns the node with this id, or nil.
func (n *Node) Find(id string) *Node {
	if n.ID == id {
		return n
	}
	for i := range n.Children {
		c := &n.Children[i]
		if id == c.ID || len(id) > len(c.ID) && id[:len(c.ID)] == c.ID && id[len(c.ID)] == '.' {
			return c.Find(id)
		}
	}
	return nil
}

// Number sets the ids of n and its descendants from their positions; id is that
// of n. The Builder calls it; a caller that edits the tree must call it again.
func (n *Node) Number(id string) {
	n.ID = id
	for i := range n.Children {
		n.Children[i].Number(id + "." + strconv.Itoa(i))
	}
}

// UTF16Len returns the length of s in UTF-16 code units, the unit of citation
// offsets. s must be valid UTF-8.
func UTF16Len(s string) int {
	n := 0
	for i := range len(s) {
		c := s[i]
		// One for each rune's first byte, one more beyond the basic plane.
		if c < 0x80 || c >= 0xC0 {
			n++
		}
		if c >= 0xF0 {
			n++
		}
	}
	return n
}

// Offsets converts ascending byte offsets of a text to UTF-16 offsets in one
// pass. The zero value starts at the beginning.
type Offsets struct {
	Text  string
	bytes int
	units int
}

// UTF16 returns the UTF-16 offset of a byte offset. An offset below the
// previous one restarts the count.
func (o *Offsets) UTF16(byteOffset int) int {
	if byteOffset < o.bytes {
		o.bytes, o.units = 0, 0
	}
	o.units += UTF16Len(o.Text[o.bytes:byteOffset])
	o.bytes = byteOffset
	return o.units
}

// ByteOffset returns the byte offset of a UTF-16 offset of text. An offset
// inside a surrogate pair is rounded down; one past the end is len(text).
func ByteOffset(text string, units int) int {
	n := 0
	for i, r := range text {
		width := 1
		if r > 0xFFFF {
			width = 2
		}
		if n+width > units {
			return i
		}
		n += width
	}
	return len(text)
}
