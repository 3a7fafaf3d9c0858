package office

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"lectern/shared/knowledge/reader/formula"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// OpenDocument reads the text, sheets and slides of OpenDocument.
func OpenDocument(ctx context.Context, data []byte, limits intake.Limits) (*document.Document, error) {
	a, limits, err := openArchive(ctx, data, limits)
	if err != nil {
		return nil, err
	}
	if manifest, err := a.read("META-INF/manifest.xml"); err != nil {
		return nil, err
	} else if strings.Contains(string(manifest), "encryption-data") {
		return nil, intake.Refuse(intake.Encrypted, "the file is encrypted")
	}
	w := &odfWriter{ctx: ctx, archive: a, limits: limits, b: document.Builder{Most: limits.TextBytes},
		ordered: map[string]bool{}, codes: map[string]bool{}, raised: map[string]bool{}, controls: map[string]string{}}
	if err := w.write(); err != nil {
		return nil, err
	}
	d := w.b.Document()
	d.Pages = w.pages
	return d, nil
}

type odfWriter struct {
	ctx      context.Context
	archive  *archive
	limits   intake.Limits
	b        document.Builder
	pages    int
	repeated int64             // bytes that repeated cells add
	sheets   bool              // several sheets, which need names
	ordered  map[string]bool   // list styles and levels, as "name/level"
	codes    map[string]bool   // paragraph styles of code
	raised   map[string]bool   // styles of superscript text
	controls map[string]string // what check boxes and radio buttons say, by their ids
	notes    []string
	code     []string
	err      error // the first of a formula, or that cells are repeated too much
}

func (w *odfWriter) write() error {
	content, err := w.archive.must("content.xml")
	if err != nil {
		return err
	}
	w.sheets = bytes.Count(content, []byte("<table:table ")) > 1
	styles, err := w.archive.read("styles.xml")
	if err != nil {
		return err
	}
	meta, err := w.archive.read("meta.xml")
	if err != nil {
		return err
	}
	p := xmlParser{data: meta}
	for p.next() {
		if p.kind == xmlStart && p.name == "title" {
			w.b.Title(p.tree(10).allText())
		}
	}
	w.readStyles(styles)
	w.readStyles(content)
	p = xmlParser{data: content}
	inBody := false
	for p.next() {
		if err := w.stop(); err != nil {
			return err
		}
		if p.kind != xmlStart {
			continue
		}
		switch {
		case p.name == "body":
			inBody = true
		case !inBody:
		case p.name == "table":
			if err := w.sheetOrTable(&p); err != nil {
				return err
			}
		case p.name == "page":
			if err := w.slide(&p); err != nil {
				return err
			}
		case p.name == "forms":
			w.readForms(p.tree(w.limits.Depth))
		case p.name == "tracked-changes" || p.name == "sequence-decls":
			p.skip()
		case p.name == "control":
			w.endCode()
			w.b.Paragraph(w.controls[p.attr("control")])
		case p.name == "h" || p.name == "p" || p.name == "list" || p.name == "frame" || p.name == "index-body":
			w.block(p.tree(2*w.limits.Depth), 0)
		}
	}
	if err := errors.Join(p.whole(), w.stop()); err != nil {
		return err
	}
	w.endCode()
	for i, note := range w.notes {
		w.b.Paragraph("[^" + strconv.Itoa(i+1) + "]: " + note)
	}
	return w.stop()
}

func (w *odfWriter) stop() error {
	if w.err != nil {
		return w.err
	}
	if err := w.limits.Check(w.b.Len(), w.b.Nodes()); err != nil {
		return err
	}
	return w.ctx.Err()
}

func (w *odfWriter) readStyles(data []byte) {
	p := xmlParser{data: data}
	style := "" // the open one
	for p.next() {
		if p.kind != xmlStart {
			continue
		}
		switch p.name {
		case "list-style":
			n := p.tree(10)
			for _, l := range n.kids {
				if l.name == "list-level-style-number" && l.attr("num-format") != "" {
					w.ordered[n.attr("name")+"/"+l.attr("level")] = true
				}
			}
		case "text-properties":
			w.raised[style] = w.raised[style] || isSuper(p.attr("text-position"))
		case "style":
			name, parent := p.attr("name"), p.attr("parent-style-name")
			style = name
			w.raised[name] = w.raised[parent]
			for _, s := range []string{name, parent} {
				if s = strings.ToLower(s); strings.Contains(s, "preformatted") || strings.Contains(s, "code") {
					w.codes[name] = true
				}
			}
		case "body":
			return
		}
	}
}

// block writes a heading, a paragraph, a list, a table or what holds them.
func (w *odfWriter) block(n *xmlNode, depth int) {
	if n.name != "p" {
		w.endCode()
	}
	switch n.name {
	case "h":
		level, _ := strconv.Atoi(n.attr("outline-level"))
		w.b.Heading(level, w.text(n))
	case "p":
		text := w.text(n)
		switch style := n.attr("style-name"); {
		case w.codes[style]:
			w.code = append(w.code, text)
		case style == "Title":
			w.endCode()
			w.b.Heading(1, text)
		default:
			if strings.TrimSpace(text) != "" {
				w.endCode()
			}
			w.b.Paragraph(text)
		}
	case "list":
		w.list(n, n.attr("style-name"), depth)
	case "table":
		w.table(n)
	case "frame", "image":
		w.frame(n)
	default:
		if depth < 50 {
			for _, k := range n.kids {
				w.block(k, depth+1)
			}
		}
	}
}

func (w *odfWriter) endCode() {
	if len(w.code) > 0 {
		w.b.Code("", strings.Join(w.code, "\n"))
		w.code = nil
	}
}

// isSuper reports whether a text position, such as "super 58%" or "33% 58%", is above the line.
func isSuper(position string) bool {
	where, _, _ := strings.Cut(strings.TrimSpace(position), " ")
	percent, err := strconv.ParseFloat(strings.TrimSuffix(where, "%"), 64)
	return where == "super" || err == nil && percent > 0
}

// formula returns the formula in a frame, which is an object of its own; empty without.
func (w *odfWriter) formula(n *xmlNode) string {
	object := n.kid("object")
	math := object.kid("math")
	if href := object.attr("href"); math == nil && href != "" {
		data, err := w.archive.read(path.Join(strings.TrimPrefix(href, "./"), "content.xml"))
		if err != nil && w.err == nil {
			w.err = err
		}
		p := xmlParser{data: data}
		for math == nil && p.next() {
			if p.kind == xmlStart && p.name == "math" {
				math = p.tree(w.limits.Depth)
			}
		}
	}
	if math == nil {
		return ""
	}
	return formula.MathML(formulaNode(math))
}

// frame writes the text box, table, formula or description in a frame.
func (w *odfWriter) frame(n *xmlNode) {
	wrote := false
	if f := w.formula(n); f != "" {
		w.b.Paragraph(f)
		return
	}
	n.walk(func(k *xmlNode) bool {
		switch k.name {
		case "p", "h", "list", "table":
			w.block(k, 0)
			wrote = true
			return false
		}
		return k.name != "desc" && k.name != "title"
	})
	if wrote {
		return
	}
	for _, name := range []string{"desc", "title"} {
		if alt := n.kid(name).allText(); alt != "" {
			w.b.Image(alt, n.kid("image").attr("href"))
			return
		}
	}
}

func (w *odfWriter) list(n *xmlNode, style string, depth int) {
	ordered := w.ordered[style+"/"+strconv.Itoa(depth+1)]
	for _, item := range n.kids {
		if item.name != "list-item" && item.name != "list-header" {
			continue
		}
		var text []string
		var within []*xmlNode
		for _, k := range item.kids {
			switch k.name {
			case "p", "h":
				text = append(text, w.text(k))
			case "list":
				within = append(within, k)
			}
		}
		w.b.Item(depth, ordered, strings.Join(text, "\n"))
		for _, k := range within {
			s := k.attr("style-name")
			if s == "" {
				s = style
			}
			if depth < w.limits.Depth {
				w.list(k, s, depth+1)
			}
		}
	}
}

// text returns a paragraph's text with its links; notes are collected for the end.
func (w *odfWriter) text(n *xmlNode) string {
	b := &strings.Builder{}
	var r raiser
	var walk func(n *xmlNode)
	walk = func(n *xmlNode) {
		for _, k := range n.kids {
			switch k.name {
			case "":
				b.WriteString(collapse(k.text))
			case "s":
				count, err := strconv.Atoi(k.attr("c"))
				if err != nil {
					count = 1
				}
				b.WriteString(strings.Repeat(" ", min(max(count, 1), 200)))
			case "tab":
				b.WriteByte('\t')
			case "line-break":
				b.WriteByte('\n')
			case "note":
				w.notes = append(w.notes, strings.TrimSpace(k.kid("note-body").allText()))
				b.WriteString("[^" + strconv.Itoa(len(w.notes)) + "]")
			case "a":
				outer := b
				b = &strings.Builder{}
				walk(k)
				label := b.String()
				b = outer
				b.WriteString(markdownLink(label, k.attr("href"), true))
			case "annotation", "annotation-end", "tracked-changes", "bookmark":
			case "control":
				b.WriteString(w.b.Repeat(w.controls[k.attr("control")]))
			case "fieldmark", "fieldmark-start":
				b.WriteString(fieldMark(k))
				walk(k)
			case "span":
				if !w.raised[k.attr("style-name")] {
					walk(k)
					continue
				}
				outer := b
				b = &strings.Builder{}
				walk(k)
				raised := b.String()
				b = outer
				b.WriteString(r.raise(b.String(), raised))
			case "frame":
				if f := w.formula(k); f != "" {
					b.WriteString(f)
				} else if alt := k.kid("desc").allText(); alt != "" {
					b.WriteString(" " + alt + " ")
				} else {
					b.WriteString(" " + k.allText() + " ")
				}
			default:
				walk(k)
			}
		}
	}
	walk(n)
	return b.String()
}

// collapse replaces runs of white space by one space, as the format requires.
func collapse(s string) string {
	if !strings.ContainsAny(s, "\n\t\r") && !strings.Contains(s, "  ") {
		return s
	}
	joined := strings.Join(strings.Fields(s), " ")
	if s[0] <= ' ' {
		joined = " " + joined
	}
	if last := s[len(s)-1]; last <= ' ' && strings.TrimSpace(s) != "" {
		joined += " "
	}
	return joined
}

// table writes a table inside a text.
func (w *odfWriter) table(n *xmlNode) {
	var rows [][]string
	spans := odfSpans{}
	n.walk(func(k *xmlNode) bool {
		if k.name != "table-row" {
			return true
		}
		rows = append(rows, w.sheetRow(k, spans))
		return false
	})
	w.b.WholeTable(rows)
}

// odfSpans are the texts of cells that cover others, by the column of those.
type odfSpans map[int]odfSpan

type odfSpan struct {
	rows int // still to come
	text string
}

// cover records the cells that a cell in a column covers.
func (s odfSpans) cover(n *xmlNode, column int, text string) {
	rows := max(atoiOr(n.attr("number-rows-spanned"), 1), 1)
	columns := min(max(atoiOr(n.attr("number-columns-spanned"), 1), 1), maxSpan)
	if rows == 1 && columns == 1 || text == "" {
		return
	}
	s[column] = odfSpan{rows - 1, text}
	for i := column + 1; i < column+columns; i++ {
		s[i] = odfSpan{rows, document.Covered}
	}
}

// covered returns the text of a covered cell in a column.
func (s odfSpans) covered(column int) string {
	above := s[column]
	if above.rows <= 0 {
		return ""
	}
	above.rows--
	s[column] = above
	return above.text
}

func (w *odfWriter) cellText(n *xmlNode) string {
	var parts []string
	n.walk(func(k *xmlNode) bool {
		if k.name == "p" || k.name == "h" {
			parts = append(parts, w.text(k))
			return false
		}
		return k.name != "annotation"
	})
	return strings.Join(parts, " ")
}

// sheetOrTable reads a top-level table: a sheet of a spreadsheet, or a table in
// a text.
func (w *odfWriter) sheetOrTable(p *xmlParser) error {
	if !w.archive.spreadsheet() {
		w.block(p.tree(2*w.limits.Depth), 0)
		return nil
	}
	if w.pages++; w.pages > w.limits.Pages {
		return intake.Refuse(intake.TooManyPages, "the file has more than %d sheets", w.limits.Pages)
	}
	name := p.attr("name")
	w.b.Page(w.pages, name)
	named := !w.sheets // a single sheet needs no name
	t := document.Grid{Builder: &w.b}
	spans := odfSpans{}
	blank := 0
	for depth := p.depth; p.depth >= depth && p.next(); {
		if p.kind != xmlStart || p.name != "table-row" {
			continue
		}
		repeat, _ := strconv.Atoi(p.attr("number-rows-repeated"))
		row := w.sheetRow(p.tree(w.limits.Depth), spans)
		if len(row) == 0 {
			blank += max(repeat, 1)
			continue
		}
		if blank > 1 {
			t.End()
		}
		if blank = 0; !named {
			w.b.Heading(2, name)
			named = true
		}
		for range min(max(repeat, 1), maxRepeats) {
			t.Row(row)
		}
		if err := w.stop(); err != nil {
			return err
		}
	}
	t.End()
	return nil
}

// spreadsheet reports whether an OpenDocument file is a spreadsheet.
func (a *archive) spreadsheet() bool {
	kind, err := a.read("mimetype")
	return err == nil && strings.Contains(string(kind), "spreadsheet")
}

// Limits of a sheet. Programs repeat the last row and the last cell up to the end of it.
const (
	maxRepeats = 1000 // of a row or a cell
	maxColumns = 16384
	cellMarks  = 3 // bytes that stand between two cells
)

func (w *odfWriter) sheetRow(n *xmlNode, spans odfSpans) []string {
	var row []string
	blank, column := 0, 0
	put := func(text string) {
		// Limit the gap before cells far to the right.
		for range min(blank, 100) {
			row = append(row, "")
		}
		if blank = 0; len(row) < maxColumns {
			row = append(row, text)
		}
	}
	for _, c := range n.kids {
		if c.name != "table-cell" && c.name != "covered-table-cell" {
			continue
		}
		repeat := max(atoiOr(c.attr("number-columns-repeated"), 1), 1)
		text := strings.TrimSpace(w.cellText(c))
		switch {
		case c.name == "covered-table-cell":
			for i := range min(repeat, maxSpan) {
				if above := spans.covered(column + i); above != "" {
					put(w.b.Repeat(above))
				} else {
					blank++
				}
			}
			blank += max(repeat-maxSpan, 0)
		case text == "":
			blank += repeat
		default:
			spans.cover(c, column, text)
			times := min(repeat, maxRepeats)
			if w.repeated += int64(times-1) * int64(len(text)+cellMarks); w.repeated > w.limits.TextBytes && w.err == nil {
				w.err = w.limits.TooLong()
			}
			for range times {
				if w.err == nil {
					put(text)
				}
			}
		}
		column += repeat
	}
	return row
}

func (w *odfWriter) slide(p *xmlParser) error {
	if w.pages++; w.pages > w.limits.Pages {
		return intake.Refuse(intake.TooManyPages, "the file has more than %d slides", w.limits.Pages)
	}
	n := p.tree(2 * w.limits.Depth)
	title := ""
	var frames []*xmlNode
	var notes *xmlNode
	n.walk(func(k *xmlNode) bool {
		switch k.name {
		case "notes":
			notes = k
			return false
		case "frame", "custom-shape":
			if isSlideFurniture(k) {
				return false
			}
			if k.attr("class") == "title" && title == "" {
				title = strings.Join(strings.Fields(w.cellText(k)), " ")
				return false
			}
			frames = append(frames, k)
			return false
		}
		return true
	})
	w.b.Page(w.pages, title)
	w.b.Heading(2, title)
	for _, f := range frames {
		w.frame(f)
	}
	if notes == nil {
		return nil
	}
	notes.kids = slices.DeleteFunc(notes.kids, isSlideFurniture)
	if text := strings.TrimSpace(w.cellText(notes)); text != "" {
		w.b.Paragraph("Notes: " + text)
	}
	return nil
}

// isSlideFurniture reports whether a frame is repeated on slides.
func isSlideFurniture(n *xmlNode) bool {
	switch n.attr("class") {
	case "page-number", "header", "footer", "date-time":
		return true
	}
	return false
}
