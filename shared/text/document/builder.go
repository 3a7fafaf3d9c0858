package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const maxWarnings = 20

// Builder builds a document block by block: it writes Markdown and keeps the
// tree in sync. Methods take plain text and escape what Markdown would parse as
// the start of a block. Within a line nothing is escaped, because text that
// reads and searches as written matters more than exact rendering; so callers
// may pass inline Markdown (links, emphasis).
//
// The zero value is ready to use.
type Builder struct {
	// Tally counts the nodes and keeps none, so that a reader finds out whether they
	// are too many before they take memory. The document is then the text alone.
	Tally bool
	// Most limits the text in bytes, unless it is 0. A block that would pass it is not
	// written, nor are those after it: Len is above Most from then on, and the document
	// is Over.
	Most int64

	over     bool
	text     strings.Builder
	outline  Outline
	page     int
	nodes    int
	title    string
	warnings []string

	lists    []listState
	table    *Node
	rows     nodes // of table
	columns  int
	repeated int // bytes of merged cells
}

// listState is an open list: its node, whose last item is still growing.
type listState struct {
	node    Node
	items   nodes
	ordered bool
	depth   int
	indent  string // of its items' markers
	inner   string // of what follows a marker
	count   int
}

// Title sets the title of the document; one that is Generated is none.
func (b *Builder) Title(s string) {
	b.title = oneLine(s)
	if Generated(b.title) {
		b.title = ""
	}
}

// Warn records what was left out or guessed, up to twenty different warnings.
func (b *Builder) Warn(format string, args ...any) {
	if w := fmt.Sprintf(format, args...); len(b.warnings) < maxWarnings && !slices.Contains(b.warnings, w) {
		b.warnings = append(b.warnings, w)
	}
}

// Len returns the bytes written so far, so that a reader can stop at a limit.
func (b *Builder) Len() int {
	if b.over {
		return max(b.text.Len(), int(b.Most)+1)
	}
	return b.text.Len()
}

// full reports whether a block of so many bytes is not to be written, because it or one
// before it passes Most.
func (b *Builder) full(bytes int) bool {
	b.over = b.over || b.Most > 0 && int64(b.text.Len())+int64(bytes) > b.Most
	return b.over
}

// fullOf is full for the cells of a row with their marks.
func (b *Builder) fullOf(cells []string) bool {
	bytes := 0
	for _, c := range cells {
		bytes += len(c) + cellMarks
	}
	return b.full(bytes)
}

// cellMarks is how many bytes stand between two cells of a table.
const cellMarks = 3

// Nodes returns how many nodes there are so far, for the same purpose.
func (b *Builder) Nodes() int { return b.nodes }

// SetPage sets the one-based page of the next blocks.
func (b *Builder) SetPage(page int) { b.page = page }

// Page starts a page, slide or sheet node that contains the next blocks. Its
// name is not written to the text.
func (b *Builder) Page(page int, name string) {
	b.endBlock()
	b.page = page
	if b.nodes++; !b.Tally {
		b.outline.Page(oneLine(name), b.text.Len(), page)
	}
}

// Heading starts a section; level is clamped to 1 to 6.
func (b *Builder) Heading(level int, text string) {
	text = oneLine(text)
	if text == "" || b.full(len(text)) {
		return
	}
	level = min(max(level, 1), 6)
	start := b.block()
	b.text.WriteString("######"[:level] + " " + text)
	if b.nodes++; !b.Tally {
		b.outline.Section(level, text, start, b.text.Len(), b.page)
	}
}

// Paragraph writes text and keeps its line breaks.
func (b *Builder) Paragraph(text string) {
	if text = tidy(text); text == "" || b.full(len(text)) {
		return
	}
	start := b.block()
	b.text.WriteString(escapeLines(text))
	b.add(Paragraph, start, "")
}

// Quote writes a quotation.
func (b *Builder) Quote(text string) {
	if text = tidy(text); text == "" || b.full(len(text)) {
		return
	}
	start := b.block()
	b.text.WriteString("> " + strings.ReplaceAll(text, "\n", "\n> "))
	b.add(Paragraph, start, "")
}

// Item writes a list item at a depth; 0 is the outermost. Consecutive items
// form one list; a deeper one starts a list below the item before it.
func (b *Builder) Item(depth int, ordered bool, text string) { b.item(depth, ordered, 0, text) }

// Numbered is Item with a given number: a list may start at any number, or
// continue after a paragraph. A number below 1 means the next one.
func (b *Builder) Numbered(depth, number int, text string) { b.item(depth, true, number, text) }

func (b *Builder) item(depth int, ordered bool, number int, text string) {
	text = tidy(text)
	if text == "" {
		return
	}
	depth = max(depth, 0)
	for n := len(b.lists); n > 0 && (b.lists[n-1].depth > depth || b.lists[n-1].depth == depth && b.lists[n-1].ordered != ordered); n-- {
		b.closeList()
	}
	indent := len("1. ") // of the lines after the first, about
	if n := len(b.lists); n > 0 {
		indent += len(b.lists[n-1].inner)
	}
	if b.full(len(text) + strings.Count(text, "\n")*indent) {
		return
	}
	if n := len(b.lists); n == 0 || b.lists[n-1].depth < depth {
		next := listState{node: Node{Type: List, Page: b.page}, ordered: ordered, depth: depth}
		if n > 0 {
			next.indent = b.lists[n-1].inner
			b.text.WriteByte('\n')
		} else {
			b.block()
		}
		next.node.Start = b.text.Len() + len(next.indent)
		b.lists = append(b.lists, next)
	} else {
		b.text.WriteByte('\n')
	}
	top := &b.lists[len(b.lists)-1]
	if top.count++; number > 0 {
		top.count = number
	}
	marker := "- "
	if ordered {
		marker = strconv.Itoa(top.count) + ". "
	}
	top.inner = top.indent + strings.Repeat(" ", len(marker))
	b.text.WriteString(top.indent)
	start := b.text.Len()
	b.text.WriteString(marker)
	b.text.WriteString(strings.ReplaceAll(text, "\n", "\n"+top.inner))
	if b.nodes++; !b.Tally {
		top.items.add(Node{Type: ListItem, Start: start, End: b.text.Len(), Page: b.page})
	}
	top.node.End = b.text.Len()
}

// closeList ends the innermost open list.
func (b *Builder) closeList() {
	n := len(b.lists)
	list := b.lists[n-1].node
	if list.Children = b.lists[n-1].items.all(); b.Tally {
		b.lists = b.lists[:n-1]
		return
	}
	b.lists = b.lists[:n-1]
	if n == 1 {
		b.outline.Add(list)
		return
	}
	parent := &b.lists[n-2]
	item := parent.items.last()
	item.Children = append(item.Children, list)
	item.End = list.End
	parent.node.End = list.End
}

// Table starts a table with its header row.
func (b *Builder) Table(header []string) {
	if b.fullOf(header) {
		return
	}
	start := b.block()
	b.columns = max(len(header), 1)
	b.table = &Node{Type: Table, Start: start, Page: b.page}
	b.Row(header)
	b.text.WriteString("\n|" + strings.Repeat(" --- |", b.columns))
	b.table.End = b.text.Len()
}

// Row adds a row to the current table. Cells beyond the header's are joined to
// the last column, missing ones are empty.
func (b *Builder) Row(cells []string) {
	if b.table == nil {
		b.Table(cells)
		return
	}
	if b.fullOf(cells) || b.full(b.columns*cellMarks) {
		return
	}
	if b.rows.count > 0 {
		b.text.WriteByte('\n')
	}
	start := b.text.Len()
	b.text.WriteByte('|')
	for i := range b.columns {
		cell := ""
		if i < len(cells) {
			cell = cells[i]
		}
		if i == b.columns-1 && len(cells) > b.columns {
			cell = strings.Join(cells[i:], " ")
		}
		b.text.WriteByte(' ')
		b.text.WriteString(strings.ReplaceAll(oneLine(cell), "|", `\|`))
		b.text.WriteString(" |")
	}
	b.addRow(start, 0)
}

// WholeTable writes a table whose first row, or first two or three, are the header.
// A title above the header becomes a paragraph. All rows are padded to the widest. Cells may
// be Covered.
func (b *Builder) WholeTable(rows [][]string) {
	for isTitle(rows) {
		b.Paragraph(rows[0][0])
		rows = rows[1:]
	}
	rows = oneHeader(rows)
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	if width == 0 {
		return
	}
	if len(rows) > 1 && saysMore(rows[0]) { // no names of columns
		rows = append([][]string{make([]string, width)}, rows...)
	}
	for i, row := range rows {
		if b.full(width * cellMarks) {
			return
		}
		for len(row) < width {
			row = append(row, "")
		}
		row = b.said(row, i == 0)
		if i == 0 {
			b.Table(row)
			continue
		}
		b.Row(row)
	}
}

// Record adds a row in which every value has its column's name, for tables
// longer than a chunk: each part of such a table is self-explanatory. A row of
// very many named values becomes several, each of which begins with what the row
// is called; all but the first have Level 1. Consecutive records form one table.
func (b *Builder) Record(names, values []string) {
	if b.fullOf(values) || b.fullOf(names[:min(len(names), len(values))]) {
		return
	}
	var fields []string
	named := true
	for i, v := range values {
		if v = oneLine(v); v == "" {
			continue
		}
		if i < len(names) && names[i] != "" {
			v = oneLine(names[i]) + ": " + v
		} else {
			named = false
		}
		fields = append(fields, v)
	}
	if len(fields) <= manyFields || !named {
		b.record(names, fields, 0)
		return
	}
	key := fields[:1]
	if _, value, _ := strings.Cut(key[0], ": "); isNumber(value) {
		key = fields[:2]
	}
	rest := fields[len(key):]
	if len(key[0])+len(key[len(key)-1]) > keyBytes {
		key, rest = nil, fields // too long to be said again and again
	}
	for level := 0; len(rest) > 0; level = 1 {
		n, size := 0, 0
		for n < len(rest) && n < partFields && (n == 0 || size+len(rest[n]) <= partBytes) {
			size += len(rest[n])
			n++
		}
		b.record(names, slices.Concat(key, rest[:n]), level)
		rest = rest[n:]
	}
}

// manyFields is how many values one record has at most; of more, each part has so many, of so many bytes, beside what the row is
// called.
const (
	manyFields = 60
	partFields = 12
	partBytes  = 400
	keyBytes   = 200
)

// record adds a line of values with their names; level is 1 where it goes on with the row of the line before.
func (b *Builder) record(names, fields []string, level int) {
	if len(fields) == 0 {
		return
	}
	if b.table == nil || b.columns != 0 {
		start := b.block()
		b.columns = 0
		b.table = &Node{Type: Table, Start: start, Page: b.page}
		for _, name := range names {
			b.table.Columns = append(b.table.Columns, oneLine(name))
		}
	} else {
		b.text.WriteByte('\n')
	}
	start := b.text.Len()
	b.text.WriteString("- " + strings.Join(fields, "; "))
	b.addRow(start, level)
}

func (b *Builder) addRow(start, level int) {
	if b.nodes++; !b.Tally {
		b.rows.add(Node{Type: TableRow, Start: start, End: b.text.Len(), Level: level, Page: b.page})
	}
	b.table.End = b.text.Len()
}

// Code writes a fenced block; language may be empty.
func (b *Builder) Code(language, text string) {
	text = strings.Trim(Clean(text), "\n")
	if strings.TrimSpace(text) == "" || b.full(len(text)) {
		return
	}
	fence := strings.Repeat("`", max(longestRun(text, '`')+1, 3))
	start := b.block()
	b.text.WriteString(fence + oneLine(language) + "\n" + text + "\n" + fence)
	b.add(Code, start, oneLine(language))
}

// Image writes an image's description and URL.
func (b *Builder) Image(alt, target string) {
	if alt = oneLine(alt); alt == "" || b.full(len(alt)+len(target)) {
		return
	}
	start := b.block()
	b.text.WriteString("![" + alt + "](" + strings.ReplaceAll(oneLine(target), " ", "%20") + ")")
	b.add(Image, start, oneLine(target))
}

// Append adds another document unchanged: its text, and its tree below the open
// section.
func (b *Builder) Append(d *Document) {
	b.over = b.over || d.Over
	if strings.TrimSpace(d.Text) == "" || b.full(len(d.Text)) {
		return
	}
	start := b.block()
	b.text.WriteString(d.Text)
	for _, n := range d.Root.Children {
		n = shifted(n, start)
		b.outline.Add(n)
		b.nodes += n.Count()
	}
	for _, w := range d.Warnings {
		b.Warn("%s", w)
	}
}

// shifted returns a copy of n with its offsets moved by by.
func shifted(n Node, by int) Node {
	n.Start += by
	n.End += by
	n.Children = slices.Clone(n.Children)
	for i, c := range n.Children {
		n.Children[i] = shifted(c, by)
	}
	return n
}

// Document returns the result. The builder must not be used afterwards.
func (b *Builder) Document() *Document {
	b.endBlock()
	text := b.text.String()
	return &Document{Title: b.title, Text: text, Root: b.outline.Finish(len(text)), Warnings: b.warnings, Over: b.over}
}

func (b *Builder) add(t Type, start int, title string) {
	if b.nodes++; !b.Tally {
		b.outline.Add(Node{Type: t, Start: start, End: b.text.Len(), Page: b.page, Title: title})
	}
}

// block ends the block before and returns the start of the next one.
func (b *Builder) block() int {
	b.endBlock()
	if b.text.Len() > 0 {
		b.text.WriteString("\n\n")
	}
	return b.text.Len()
}

func (b *Builder) endBlock() {
	for len(b.lists) > 0 {
		b.closeList()
	}
	if b.table != nil {
		b.table.Children = b.rows.all()
		b.outline.Add(*b.table)
		b.table = nil
	}
}

// Clean makes any string valid document text: valid UTF-8, "\n" as the only
// line end, no NUL and no byte order mark.
func Clean(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	return strings.ReplaceAll(s, "\uFEFF", "")
}

// tidy cleans a block: no blank lines, no trailing spaces.
func tidy(s string) string {
	s = strings.TrimSpace(Clean(s))
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	lines := strings.Split(s, "\n")
	kept := lines[:0]
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

func oneLine(s string) string {
	if !strings.ContainsAny(s, "\n\r\t\x00\v\f") && !strings.Contains(s, "  ") && utf8.ValidString(s) {
		return strings.TrimSpace(s)
	}
	return strings.Join(strings.Fields(Clean(s)), " ")
}

// longestRun returns the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

func escapeLines(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return escapeLine(s)
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = escapeLine(l)
	}
	return strings.Join(lines, "\n")
}

// escapeLine keeps a line of a paragraph from being parsed as another block.
func escapeLine(l string) string {
	if l == "" {
		return l
	}
	rest := strings.TrimLeft(l, "0123456789")
	switch digits := len(l) - len(rest); {
	case digits > 0:
		if digits < 10 && len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' ' {
			return l[:digits] + `\` + rest
		}
	case strings.HasPrefix(l, "- "), strings.HasPrefix(l, "+ "), strings.HasPrefix(l, "* "),
		l[0] == '>', l[0] == '|', strings.HasPrefix(l, "```"), strings.HasPrefix(l, "~~~"), strings.Trim(l, "=") == "",
		strings.Trim(l, "-") == "":
		return `\` + l
	case l[0] == '#':
		if hashes := len(l) - len(strings.TrimLeft(l, "#")); hashes <= 6 && (hashes == len(l) || l[hashes] == ' ') {
			return `\` + l
		}
	}
	return l
}
