package webpage

import (
	"context"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"lectern/shared/knowledge/reader/formula"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// writer walks a page and writes its blocks; text between blocks is collected
// in line until a block ends.
type writer struct {
	ctx        context.Context
	b          *document.Builder
	limits     intake.Limits
	size       int  // of the page's text
	everything bool // include navigation
	quotes     int  // open quotations
	line       strings.Builder
	space      bool   // write a space before the next text
	lists      []bool // of the open lists, whether they are ordered
	nodes      int
	err        error
	boxes      map[string]*html.Node // check boxes by their id; nil until one is looked for
	marked     map[*html.Node]bool   // check boxes whose mark stands before their label
	inForm     bool                  // the box that was marked last is in a form
	root       *html.Node
}

// flush writes the collected paragraph. The mark of a check box alone goes before what
// comes next, which is its label in a form. Elsewhere such a box opens and closes menus.
func (w *writer) flush() {
	if isMark(w.line.String()) {
		if w.space = true; !w.inForm {
			w.take()
		}
		return
	}
	switch text := strings.TrimSpace(w.take()); {
	case text == "":
	case w.quotes > 0:
		nested := strings.Repeat("> ", min(w.quotes, maxQuotes)-1)
		w.b.Quote(nested + strings.ReplaceAll(text, "\n", "\n"+nested))
	default:
		w.b.Paragraph(text)
	}
}

// maxQuotes limits the marks of quotations within each other.
const maxQuotes = 10

// take returns and clears the collected text.
func (w *writer) take() string {
	s := w.line.String()
	w.line.Reset()
	w.space = false
	return s
}

// stop reports whether the walk is over.
func (w *writer) stop() bool {
	if w.nodes++; w.err == nil && w.nodes%1000 == 0 {
		if w.err = w.ctx.Err(); w.err == nil {
			w.err = w.limits.Check(w.b.Len(), w.b.Nodes())
		}
	}
	return w.err != nil
}

func (w *writer) skips(n *html.Node) bool {
	if n.DataAtom == atom.Form && textSize(n)*4 > w.size {
		return invisible(n) // some programs put all of a page into a form
	}
	return invisible(n) || !w.everything && surrounding(n)
}

// blocks writes what is below n.
func (w *writer) blocks(n *html.Node) {
	for c := n.FirstChild; c != nil && !w.stop(); c = c.NextSibling {
		w.block(c)
	}
}

func (w *writer) block(n *html.Node) {
	if n.Type == html.TextNode {
		w.text(n.Data)
		return
	}
	if w.skips(n) {
		return
	}
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.flush()
		w.inline(n)
		w.b.Heading(int(n.Data[1]-'0'), w.take())
	case atom.Ul, atom.Ol:
		w.flush()
		w.list(n)
	case atom.Li:
		w.flush()
		w.item(n, 0, false, "")
	case atom.Table:
		w.flush()
		w.table(n)
	case atom.Pre:
		w.flush()
		w.b.Code(codeLanguage(n), preText(n))
	case atom.Blockquote:
		w.flush()
		w.quotes++
		w.blocks(n)
		w.flush()
		w.quotes--
	case atom.Dt:
		w.flush()
		w.inline(n)
		w.flush()
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Header, atom.Footer, atom.Dd, atom.Dl, atom.Figure, atom.Figcaption,
		atom.Address, atom.Details, atom.Summary, atom.Body, atom.Html, atom.Center, atom.Fieldset, atom.Hr, atom.Hgroup, atom.Tbody,
		atom.Thead, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Form, atom.Nav, atom.Aside:
		w.flush()
		w.blocks(n)
		w.flush()
	default:
		if n.Type == html.ElementNode && hasBlocks(n) {
			w.blocks(n)
			return
		}
		w.inlineOne(n)
	}
}

// hasBlocks reports whether n has a block among its near descendants.
func hasBlocks(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.P, atom.Div, atom.Ul, atom.Ol, atom.Table, atom.Pre, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote,
			atom.Section, atom.Article, atom.Dl:
			return true
		case atom.Span, atom.A, atom.Font, atom.Ins, atom.Del, atom.B, atom.Strong:
			if hasBlocks(c) {
				return true
			}
		default:
			if strings.Contains(c.Data, "-") && c.Type == html.ElementNode && hasBlocks(c) {
				return true
			}
		}
	}
	return false
}

// inline collects the text below n.
func (w *writer) inline(n *html.Node) {
	for c := n.FirstChild; c != nil && !w.stop(); c = c.NextSibling {
		w.inlineOne(c)
	}
}

func (w *writer) inlineOne(n *html.Node) {
	if n.Type == html.TextNode {
		w.text(n.Data)
		return
	}
	if n.Type == html.ElementNode && w.skips(n) {
		return
	}
	switch n.DataAtom {
	case atom.Br:
		w.line.WriteByte('\n')
		w.space = false
	case atom.Input:
		if isCheckBox(n) && !w.marked[n] {
			w.mark(n)
		}
	case atom.Label:
		if box := w.labelled(n); box != nil && !w.marked[box] && !w.skips(box) {
			w.mark(box)
		}
		w.inline(n)
	case atom.Img:
		if alt := attr(n, "alt"); alt != "" {
			w.text(" " + alt + " ")
		}
	case atom.Code, atom.Kbd, atom.Samp:
		if t := rawText(n); t != "" && !strings.Contains(t, "`") {
			w.word("`" + t + "`")
			return
		}
		w.inline(n)
	case atom.A:
		href := attr(n, "href")
		label := rawText(n)
		switch kind := attr(n, "role") + " " + attr(n, "epub:type"); {
		case strings.Contains(kind, "backlink"):
			return
		case strings.Contains(kind, "noteref") && len(label) < 8:
			w.line.WriteString("[^" + strings.Trim(label, "[]") + "]")
			return
		}
		if label == "" || label == href || !strings.HasPrefix(href, "http://") && !strings.HasPrefix(href, "https://") &&
			!strings.HasPrefix(href, "mailto:") ||
			strings.ContainsAny(href, " ()<>\n") || strings.ContainsAny(label, "[]") {
			w.inline(n)
			return
		}
		w.word("[" + label + "](" + href + ")")
	case atom.Sup:
		w.raised(n)
	case atom.Math:
		w.word(formula.MathML(formulaNode(n)))
	case atom.Td, atom.Th, atom.P, atom.Div, atom.Li, atom.Tr:
		w.space = true
		w.inline(n)
		w.space = true
	default:
		w.inline(n)
	}
}

// text collects text and collapses its white space.
func (w *writer) text(s string) {
	s = strings.ReplaceAll(s, "\u00ad", "") // soft hyphens
	for s != "" {
		rest := strings.TrimLeft(s, " \t\n\r\f")
		if len(rest) < len(s) {
			w.space = true
		}
		if rest == "" {
			return
		}
		end := strings.IndexAny(rest, " \t\n\r\f")
		if end < 0 {
			end = len(rest)
		}
		w.word(rest[:end])
		s = rest[end:]
	}
}

func (w *writer) word(s string) {
	if w.space && w.line.Len() > 0 {
		w.line.WriteByte(' ')
	}
	w.space = false
	w.line.WriteString(s)
}

func (w *writer) list(n *html.Node) {
	depth := len(w.lists)
	w.lists = append(w.lists, n.DataAtom == atom.Ol)
	number := attr(n, "start")
	for c := n.FirstChild; c != nil && !w.stop(); c = c.NextSibling {
		switch c.DataAtom {
		case atom.Li:
			if v := attr(c, "value"); v != "" {
				number = v
			}
			w.item(c, depth, n.DataAtom == atom.Ol, number)
			number = ""
		case atom.Ul, atom.Ol:
			w.list(c)
		}
	}
	w.lists = w.lists[:depth]
}

// item writes an item's own text, then its nested lists. number is the explicit
// number of an ordered item.
func (w *writer) item(n *html.Node, depth int, ordered bool, number string) {
	var within []*html.Node
	var gather func(*html.Node)
	gather = func(n *html.Node) {
		for c := n.FirstChild; c != nil && !w.stop(); c = c.NextSibling {
			switch {
			case c.DataAtom == atom.Ul, c.DataAtom == atom.Ol, c.DataAtom == atom.Table, c.DataAtom == atom.Pre:
				within = append(within, c)
			case c.Type == html.ElementNode && hasBlocks(c) && !w.skips(c):
				gather(c)
			case c.DataAtom == atom.P, c.DataAtom == atom.Div:
				if w.line.Len() > 0 {
					w.line.WriteByte('\n')
				}
				w.inlineOne(c)
			default:
				w.inlineOne(c)
			}
		}
	}
	gather(n)
	if first, err := strconv.Atoi(number); ordered && err == nil && first < 1<<20 {
		w.b.Numbered(depth, first, w.take())
	} else {
		w.b.Item(depth, ordered, w.take())
	}
	for _, c := range within {
		switch c.DataAtom {
		case atom.Ul, atom.Ol:
			if len(w.lists) == 0 {
				w.lists = append(w.lists, ordered)
				w.list(c)
				w.lists = w.lists[:0]
				continue
			}
			w.list(c)
		default:
			w.block(c)
		}
	}
}

// isLayout reports whether a table that contains n is only used for layout.
func isLayout(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Table, atom.H1, atom.H2, atom.H3:
		return true
	}
	return false
}

// table writes the rows of a table. A layout table, with headings or other
// tables, is read as blocks.
func (w *writer) table(n *html.Node) {
	if attr(n, "role") == "presentation" || find(n, isLayout) != nil {
		w.blocks(n)
		return
	}
	var rows [][]string
	var spans []spannedCell
	width := 0
	for d := range n.Descendants() {
		if w.stop() {
			return
		}
		if d.DataAtom == atom.Caption {
			w.inline(d)
			w.flush()
		}
		if d.DataAtom != atom.Tr {
			continue
		}
		if row := w.row(d, &spans); row != nil {
			rows = append(rows, row)
			width = max(width, len(row))
		}
	}
	if width == 1 {
		for _, row := range rows {
			w.b.Paragraph(row[0])
		}
		return
	}
	w.b.WholeTable(rows)
}

// spannedCell is what the rows below a cell that spans rows have in a column.
type spannedCell struct {
	rows int // still to come
	text string
}

// row returns the cells of a row; nil if all are spanned by cells above. below holds, by
// column, the cells that span this row too.
func (w *writer) row(tr *html.Node, below *[]spannedCell) []string {
	var row []string
	own := false
	cell := func(text string, rows int) {
		if len(row) == maxColumns {
			return
		}
		if n := len(row); n < len(*below) {
			(*below)[n] = spannedCell{rows, text}
		} else if rows > 0 {
			*below = append(append(*below, make([]spannedCell, n-len(*below))...), spannedCell{rows, text})
		}
		row = append(row, text)
	}
	taken := func() {
		for n := len(row); n < len(*below) && n < maxColumns && (*below)[n].rows > 0; n++ {
			above := (*below)[n]
			cell(above.text, above.rows-1)
			row[n] = w.b.Repeat(above.text)
		}
	}
	for c := tr.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
			continue
		}
		taken()
		w.inline(c)
		text := w.take()
		own = own || strings.TrimSpace(text) != ""
		rows := span(c, "rowspan", 1000) - 1
		cell(text, rows)
		for range span(c, "colspan", 20) - 1 {
			cell(document.Covered, rows)
		}
	}
	if taken(); !own {
		return nil
	}
	return row
}

// maxColumns limits a table's columns, because cells that span many columns in
// many rows would make a table far larger than its page.
const maxColumns = 1000

// span returns how many columns or rows a cell spans, at most most.
func span(n *html.Node, name string, most int) int {
	v, _ := strconv.Atoi(attr(n, name))
	return min(max(v, 1), most)
}

// codeLanguage returns the language of a code block, from its class.
func codeLanguage(n *html.Node) string {
	for _, m := range []*html.Node{n, n.FirstChild} {
		if m == nil {
			continue
		}
		for class := range strings.FieldsSeq(attr(m, "class")) {
			for _, prefix := range []string{"language-", "lang-", "highlight-source-"} {
				if name, ok := strings.CutPrefix(class, prefix); ok {
					return name
				}
			}
		}
	}
	return ""
}

func preText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		switch {
		case d.Type == html.TextNode:
			b.WriteString(d.Data)
		case d.DataAtom == atom.Br:
			b.WriteByte('\n')
		}
	}
	return b.String()
}
