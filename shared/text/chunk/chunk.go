// Package chunk splits a document into the pieces that are embedded, searched
// and cited. It is pure and deterministic: no I/O, no clock.
//
// A chunk is about 200 words of adjacent blocks. It ends before a heading or a
// page once it is a tenth full, at a paragraph boundary if one is near, and
// else between sentences, but not before the last few words of a list. It splits
// a sentence or a table row only if that alone exceeds the maximum. Chunks do
// not overlap and cover all text except white space.
package chunk

import (
	"slices"
	"strings"
	"unicode"

	"lectern/shared/text/delimited"
	"lectern/shared/text/document"
	"lectern/shared/text/sentence"
)

// Sizes of chunks, in words.
const (
	targetWords = 200
	maxWords    = 400 // hard limit
)

// Chunk is a piece of a document's text.
type Chunk struct {
	Order int // zero-based position in the document
	// Text is Document.Text[Start:End], without white space around it.
	Text       string
	Start, End int // byte offsets into Document.Text
	// UTF16Start and UTF16End are the same span in UTF-16 code units.
	UTF16Start, UTF16End int
	// Headings are the titles of the sections, sheets or slides around the
	// chunk's first words, outermost first. Chunks share the slices: read
	// only.
	Headings []string
	Page     int              // one-based page of its start; 0 if there are no pages
	Breaks   []document.Break // where later pages begin in Text
	Tokens   int              // EstimateTokens of Text
	// Columns is the row with the columns' names of the table that Text goes on with.
	Columns   string
	Continues bool // the table at its end goes on in the next chunk
}

// Split splits a document in linear time; one without text has no chunks.
func Split(doc *document.Document) []Chunk { return split(doc, targetWords, maxWords) }

func split(doc *document.Document, target, most int) []Chunk {
	p := &packer{
		text: doc.Text, offsets: document.Offsets{Text: doc.Text},
		target: halves(target), most: halves(most),
	}
	p.walk(&doc.Root, nil)
	p.prose(p.covered, len(doc.Text), nil, 0)
	p.finish()
	p.paginate(doc.Root.Breaks())
	p.tabulate()
	return p.chunks
}

// paginate notes where pages begin within the chunks.
func (p *packer) paginate(breaks []document.Break) {
	for i := range p.chunks {
		c := &p.chunks[i]
		for len(breaks) > 0 && breaks[0].At < c.End {
			if b := breaks[0]; b.At > c.Start && b.Page > c.Page && c.Page > 0 {
				c.Breaks = append(c.Breaks, document.Break{At: b.At - c.Start, Page: b.Page})
			}
			breaks = breaks[1:]
		}
	}
}

// columnsMost is the length, in bytes, up to which the names of columns are repeated.
const columnsMost = 1000

// tabulate notes of which tables chunks are parts.
func (p *packer) tabulate() {
	tables := p.tables
	if len(tables) == 0 && len(p.chunks) > 1 {
		tables = delimitedTables(p.text)
	}
	for i := range p.chunks {
		c := &p.chunks[i]
		for len(tables) > 0 && tables[0].end <= c.Start {
			tables = tables[1:]
		}
		for k := 0; k < len(tables) && tables[k].begin < c.End; k++ {
			if t := tables[k]; t.begin <= c.Start && i > 0 {
				c.Columns = t.columns
				p.chunks[i-1].Continues = true
			}
		}
		if i > 0 && !p.chunks[i-1].Continues && strings.HasPrefix(c.Text, "|") && strings.TrimSpace(p.text[p.chunks[i-1].End:c.Start]) == "" {
			before := &p.chunks[i-1]
			if gap := p.text[before.End:c.Start]; strings.Count(gap, "\n") == 1 {
				c.Columns, before.Continues = columnsOf(before)
			}
		}
	}
}

// delimitedTables returns the tables of plain text whose cells tabs, semicolons or commas part, below the names of their columns.
func delimitedTables(text string) (list []table) {
	for _, rows := range delimited.Find(text) {
		names := rows[0]
		value := func(name string) bool {
			return name == "" || name[0] >= '0' && name[0] <= '9' && len(name) != len("2026")
		}
		if columns := delimited.Markdown(names.Cells); len(columns) <= columnsMost && !slices.ContainsFunc(names.Cells, value) {
			list = append(list, table{columns: columns, begin: names.End, end: rows[len(rows)-1].End})
		}
	}
	return list
}

// columnsOf returns the names of the columns of the table of plain text that a chunk ends with;
// ok is false where it ends with none.
func columnsOf(c *Chunk) (columns string, ok bool) {
	rest, below := c.Text, ""
	for rest != "" {
		at := strings.LastIndexByte(rest, '\n') + 1
		line := strings.TrimSpace(rest[at:])
		if !strings.HasPrefix(line, "|") {
			return "", below != ""
		}
		if document.Ruled(below) && len(line) <= columnsMost {
			return line, true
		}
		below, rest = line, strings.TrimSuffix(rest[:at], "\n")
	}
	return c.Columns, below != ""
}

// table is what of a table may be repeated: the names of its columns, unless each row has them
// or they are long, and where the rows below them begin and end.
type table struct {
	columns    string
	begin, end int
}

// tableOf returns what of a table may be repeated; ok is false for one without rows.
func (p *packer) tableOf(n *document.Node) (t table, ok bool) {
	if len(n.Children) < 2 || n.Children[0].Type != document.TableRow {
		return t, false
	}
	first := n.Children[0]
	t = table{begin: first.End, end: n.End}
	ruler := p.text[first.End:max(first.End, n.Children[1].Start)]
	row := strings.TrimSpace(p.text[first.Start:first.End])
	if strings.HasPrefix(row, "|") && len(row) <= columnsMost && document.Ruled(ruler) {
		t.columns = row
	}
	return t, true
}

// unit is an indivisible piece: a heading, a sentence, a table row, a line of code.
type unit struct {
	start, end int
	weight     int // in half words
	heading    bool
	title      bool // a line by itself without an end mark, such as a term or a signature
	path       []string
	page       int
}

// packer collects units into chunks.
type packer struct {
	text         string
	offsets      document.Offsets
	target, most int // in half words

	covered int // all text before it is in units
	list    int // where the list at hand ends
	pending []unit
	weight  int // of pending
	chunks  []Chunk
	tables  []table
}

// walk converts a node and its descendants to units.
func (p *packer) walk(n *document.Node, path []string) {
	switch n.Type {
	case document.Section:
		path = extend(path, n.Title)
		head := n.End
		if len(n.Children) > 0 {
			head = n.Children[0].Start
		}
		p.gap(n.Start, path, n.Page)
		p.border()
		p.add(unit{end: head, heading: true, path: path, page: n.Page})
	case document.Page:
		path = extend(path, n.Title)
		p.gap(n.Start, path, n.Page)
		p.border()
	case document.TableRow:
		p.gap(n.Start, path, n.Page)
		p.add(unit{end: n.End, path: path, page: n.Page})
		return
	case document.Code:
		p.gap(n.Start, path, n.Page)
		p.paragraph(n.Start, n.End)
		p.lines(n.End, path, n.Page)
		return
	case document.Root, document.List, document.Table:
		p.gap(n.Start, path, n.Page)
		if n.Type != document.Root && len(n.Children) > 0 {
			p.paragraph(n.Start, n.End)
		}
		if n.Type == document.List && n.Start >= p.list {
			p.list = n.End
		}
		if n.Type == document.Table {
			if t, ok := p.tableOf(n); ok {
				p.tables = append(p.tables, t)
			}
		}
	}
	alike, entry := sectionsAlike(n), ""
	for i := range n.Children {
		c := &n.Children[i]
		if i == 0 && n.Type == document.ListItem {
			p.prose(n.Start, c.Start, path, n.Page)
		}
		within := path
		if c.Type == document.Section && alike[c.Title] >= entriesLeast {
			if title, ok := p.entryTitle(); ok {
				entry = title
			}
			within = extend(path, entry)
		}
		p.walk(c, within)
	}
	if len(n.Children) == 0 && n.Type != document.Section && n.Type != document.Page {
		p.prose(n.Start, n.End, path, n.Page)
		if last := len(p.pending) - 1; n.Type == document.Paragraph && last >= 0 && p.pending[last].start <= n.Start {
			announced := strings.HasSuffix(strings.TrimRight(p.text[:p.pending[last].start], " \t\n"), ":")
			p.pending[last].title = titled(p.text[n.Start:n.End]) && !announced
		}
	}
}

const (
	entriesLeast = 3  // sections of one title, from which they belong to entries
	titleMost    = 80 // bytes of an entry's title
)

// sectionsAlike counts the sections in a node by title; nil where there are few.
func sectionsAlike(n *document.Node) map[string]int {
	if len(n.Children) < entriesLeast {
		return nil
	}
	alike := map[string]int{}
	for i := range n.Children {
		if c := &n.Children[i]; c.Type == document.Section {
			alike[c.Title]++
		}
	}
	return alike
}

// entryTitle takes the last unit for the title of the entry that begins with the
// section at hand: a line by itself without an end mark. Reference manuals have
// entries whose sections are all called Description, Usage, Value; only that line
// tells them apart. It goes with the section, not with what stands before it.
func (p *packer) entryTitle() (string, bool) {
	if len(p.pending) == 0 {
		return "", false
	}
	last := &p.pending[len(p.pending)-1]
	if !last.title {
		return "", false
	}
	last.heading = true
	return strings.TrimSpace(p.text[last.start:last.end]), true
}

// titled reports whether a paragraph is a short line without an end mark.
func titled(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && len(text) <= titleMost && !strings.Contains(text, "\n") &&
		!strings.ContainsRune(".:;,!?|`", rune(text[len(text)-1])) && !strings.ContainsAny(text[:1], "|`>#")
}

// extend appends a title to path, unless path ends with it.
func extend(path []string, title string) []string {
	if title == "" || len(path) > 0 && path[len(path)-1] == title {
		return path
	}
	return append(path[:len(path):len(path)], title)
}

// gap handles text between nodes, such as a table's ruler: a short one joins the next
// unit, a longer one becomes prose.
func (p *packer) gap(to int, path []string, page int) {
	if to-p.covered > 400 && strings.TrimSpace(p.text[p.covered:to]) != "" {
		p.prose(p.covered, to, path, page)
	}
}

// prose adds the sentences of text[start:end].
func (p *packer) prose(start, end int, path []string, page int) {
	start = max(start, p.covered)
	if start >= end {
		return
	}
	p.paragraph(start, end)
	last := unit{end: start, path: path, page: page}
	for s := range sentence.All(p.text[start:end]) {
		p.add(last)
		last = unit{end: start + s.End, path: path, page: page}
	}
	last.end = end
	p.add(last)
}

// lines adds the rest up to end line by line.
func (p *packer) lines(end int, path []string, page int) {
	for p.covered < end {
		to := end
		if i := strings.IndexByte(p.text[p.covered:end], '\n'); i >= 0 {
			to = p.covered + i + 1
		}
		p.add(unit{end: to, path: path, page: page})
	}
}

// leadShare is how many times what leads into a list or a command fits in a chunk.
const leadShare = 5

// border ends the chunk before a heading or page if it is a tenth full: a section
// of a few sentences is found better alone than among others.
func (p *packer) border() {
	if p.weight*10 >= p.target {
		p.flush(p.most)
	}
}

// paragraph ends the chunk before a block if that is better than splitting the block.
func (p *packer) paragraph(start, end int) {
	switch {
	case p.lasts(start):
	case p.weight*5 >= p.target*4:
		p.flush(0)
	case p.weight*2 >= p.target:
		// Stop counting at the limit, to stay linear.
		limit := p.target*5/4 - p.weight
		if i := fit(p.text[start:end], limit); i < end-start {
			p.flush(0)
		}
	}
}

// restShare is how many times the rest of a list fits in a chunk that is not split from it: the last step of several.
const restShare = 5

// lasts reports whether so little of a list follows a place in it.
func (p *packer) lasts(start int) bool {
	return start < p.list && fit(p.text[start:p.list], p.target/restShare) == p.list-start
}

// add adds the text from the end of the last unit to u.end.
func (p *packer) add(u unit) {
	if u.end <= p.covered {
		return
	}
	u.start = p.covered
	u.weight = weigh(p.text[u.start:u.end])
	if p.weight+u.weight > p.most || p.weight+u.weight > p.target && p.weight*3 >= p.target*2 && !p.lasts(u.start) {
		p.flush(u.weight)
	}
	for u.weight > p.most {
		part := u
		part.end = u.start + fit(p.text[u.start:u.end], p.target)
		part.weight = weigh(p.text[part.start:part.end])
		p.push(part)
		p.flush(p.most)
		u.start = part.end
		// Weighing the whole rest each time would be quadratic.
		if u.weight -= part.weight; u.weight <= 2*p.most {
			u.weight = weigh(p.text[u.start:u.end])
		}
	}
	p.push(u)
}

func (p *packer) push(u unit) {
	p.pending = append(p.pending, u)
	p.weight += u.weight
	p.covered = u.end
}

// flush makes a chunk of the pending units, except trailing headings, titles and what leads
// into the next unit, which belong to the next chunk. That unit has the weight next.
func (p *packer) flush(next int) {
	n := len(p.pending)
	for n > 0 && p.pending[n-1].heading && p.weight < p.most {
		n--
	}
	last := n // without the blank lines before what comes next
	for last > 0 && strings.TrimSpace(p.text[p.pending[last-1].start:p.pending[last-1].end]) == "" {
		last--
	}
	if last > 1 && p.weight < p.most {
		u := &p.pending[last-1]
		leads := u.weight+next < p.most && u.weight*leadShare <= p.target && strings.HasSuffix(strings.TrimSpace(p.text[u.start:u.end]), ":")
		if u.title || leads {
			n = last - 1
		}
	}
	if n == 0 {
		return
	}
	p.emit(p.pending[:n])
	p.pending = p.pending[:copy(p.pending, p.pending[n:])]
	p.weight = 0
	for _, u := range p.pending {
		p.weight += u.weight
	}
}

// finish emits the rest. A short rest without a heading joins the chunk before.
func (p *packer) finish() {
	if len(p.pending) == 0 {
		return
	}
	if n := len(p.chunks); n > 0 && p.weight*4 < p.target {
		last := &p.chunks[n-1]
		joined := p.text[last.Start:p.pending[len(p.pending)-1].end]
		headed := false
		for _, u := range p.pending {
			headed = headed || u.heading
		}
		if !headed && last.Page == p.pending[0].page && weigh(joined) <= p.most {
			start, path, page := last.Start, last.Headings, last.Page
			p.chunks = p.chunks[:n-1]
			p.emit([]unit{{start: start, end: p.pending[len(p.pending)-1].end, path: path, page: page}})
			return
		}
	}
	p.emit(p.pending)
}

func (p *packer) emit(units []unit) {
	start, end := units[0].start, units[len(units)-1].end
	text := strings.TrimLeftFunc(p.text[start:end], unicode.IsSpace)
	start = end - len(text)
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	end = start + len(text)
	if text == "" {
		return
	}
	c := Chunk{Order: len(p.chunks), Text: text, Start: start, End: end, Tokens: EstimateTokens(text), Page: units[0].page}
	for _, u := range units {
		c.Headings = u.path
		if !u.heading {
			break
		}
	}
	c.UTF16Start = p.offsets.UTF16(start)
	c.UTF16End = p.offsets.UTF16(end)
	p.chunks = append(p.chunks, c)
}
