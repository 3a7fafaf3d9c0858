package office

import (
	"context"
	"strconv"
	"strings"

	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// DOCX reads Word's format since 2007: headings by style, lists by numbering,
// tables, links, notes, charts and text boxes. Deleted text, comments, headers and
// footers are omitted.
func DOCX(ctx context.Context, data []byte, limits intake.Limits) (*document.Document, error) {
	a, limits, err := openArchive(ctx, data, limits)
	if err != nil {
		return nil, err
	}
	w := &docxWriter{archive: a, limits: limits, b: document.Builder{Most: limits.TextBytes}, noted: map[string]int{}}
	if err := w.write(); err != nil {
		return nil, err
	}
	return w.b.Document(), nil
}

type docxWriter struct {
	archive *archive
	limits  intake.Limits
	b       document.Builder

	rels   map[string]relation
	styles map[string]docxStyle
	lists  map[string]docxList // by "numId/level"
	counts map[string]int      // items so far, by "abstractNumId/level"
	begun  map[string]bool     // lists that had an item, by "numId/level"
	notes  []string            // keys of the notes in the order of their first marks
	noted  map[string]int      // their numbers
	code   []string            // lines of code not yet written
	nested int
	charts []string // parts of the block at hand
}

// docxList is a numbered level of a list. Lists of one definition continue each
// other's numbers, unless they have a start of their own.
type docxList struct {
	definition string
	start      int
	restarts   bool
}

type docxStyle struct {
	level   int // of a heading
	code    bool
	listID  string
	depth   int // of the items of a list whose levels are styles
	isTitle bool
}

func (w *docxWriter) write() error {
	main := "word/document.xml"
	if rels, err := w.archive.relations(""); err == nil {
		for _, r := range rels {
			if r.kind == "officeDocument" {
				main = r.target
			}
		}
	}
	data, err := w.archive.must(main)
	if err != nil {
		return err
	}
	if w.rels, err = w.archive.relations(main); err != nil {
		return err
	}
	if err := w.readStyles(); err != nil {
		return err
	}
	if err := w.readNumbering(); err != nil {
		return err
	}
	w.b.Title(w.archive.coreTitle())
	p := xmlParser{data: data}
	inBody := false
	for n := 0; p.next(); n++ {
		if n%256 == 0 {
			if err := w.archive.ctx.Err(); err != nil {
				return err
			}
			if err := w.archive.check(&w.b, w.limits); err != nil {
				return err
			}
		}
		if p.kind != xmlStart {
			continue
		}
		switch {
		case p.name == "body":
			inBody = true
		case inBody && (p.name == "p" || p.name == "tbl" || p.name == "sdt"):
			n := p.tree(2 * w.limits.Depth)
			if err := p.whole(); err != nil {
				return err
			}
			checkBoxes(n)
			w.block(n)
			if err := w.writeCharts(); err != nil {
				return err
			}
		}
	}
	w.endCode()
	return w.writeNotes()
}

// writeCharts writes the charts in the block that was written last.
func (w *docxWriter) writeCharts() error {
	for _, part := range w.charts {
		c, err := w.archive.readChart(part, w.limits.Depth)
		if err != nil {
			return err
		}
		c.write(&w.b)
	}
	w.charts = nil
	return w.archive.check(&w.b, w.limits)
}

// part returns the data of the document's part of a kind.
func (w *docxWriter) part(kind string) ([]byte, error) {
	for _, r := range w.rels {
		if r.kind == kind && !r.external {
			return w.archive.read(r.target)
		}
	}
	return nil, nil
}

func (w *docxWriter) readStyles() error {
	data, err := w.part("styles")
	if err != nil {
		return err
	}
	w.styles = map[string]docxStyle{}
	p := xmlParser{data: data}
	for p.next() {
		if p.kind != xmlStart || p.name != "style" {
			continue
		}
		n := p.tree(20)
		s := w.styles[n.kid("basedOn").attr("val")]
		s.isTitle = false
		name := strings.ToLower(n.kid("name").attr("val"))
		if level, ok := strings.CutPrefix(name, "heading "); ok {
			s.level, _ = strconv.Atoi(level)
		}
		if level := n.kid("pPr", "outlineLvl").attr("val"); level != "" {
			if v, err := strconv.Atoi(level); err == nil && v < 9 {
				s.level = v + 1
			}
		}
		if name == "title" {
			s.level, s.isTitle = 1, true
		}
		if list, number, ok := strings.Cut(strings.TrimPrefix(name, "list "), " "); ok && (list == "bullet" || list == "number") {
			s.depth = min(max(atoiOr(number, 1)-1, 0), 8)
		}
		if strings.Contains(name, "code") || strings.Contains(name, "preformatted") || strings.Contains(name, "html pre") {
			s.code = n.attr("type") == "paragraph"
		}
		if id := n.kid("pPr", "numPr", "numId").attr("val"); id != "" {
			s.listID = id
		}
		w.styles[n.attr("styleId")] = s
	}
	return nil
}

// maxLevels limits the numbered levels of a list, which Word has nine of.
const maxLevels = 9

func (w *docxWriter) readNumbering() error {
	data, err := w.part("numbering")
	if err != nil {
		return err
	}
	w.lists, w.counts, w.begun = map[string]docxList{}, map[string]int{}, map[string]bool{}
	abstract := map[string]map[string]int{} // the starts of the numbered levels
	p := xmlParser{data: data}
	for p.next() {
		if p.kind != xmlStart {
			continue
		}
		switch p.name {
		case "abstractNum":
			n := p.tree(20)
			levels := map[string]int{}
			for _, l := range n.kids {
				if f := l.kid("numFmt").attr("val"); l.name == "lvl" && f != "bullet" && f != "none" && len(levels) < maxLevels {
					levels[l.attr("ilvl")] = atoiOr(l.kid("start").attr("val"), 1)
				}
			}
			abstract[n.attr("abstractNumId")] = levels
		case "num":
			n := p.tree(20)
			definition := n.kid("abstractNumId").attr("val")
			for level, start := range abstract[definition] {
				w.lists[n.attr("numId")+"/"+level] = docxList{definition: definition, start: start}
			}
			for _, l := range n.kids {
				key := n.attr("numId") + "/" + l.attr("ilvl")
				if list, ok := w.lists[key]; ok && l.kid("startOverride") != nil {
					list.start, list.restarts = atoiOr(l.kid("startOverride").attr("val"), 1), true
					w.lists[key] = list
				}
			}
		}
	}
	return nil
}

// block writes a paragraph, a table, or the content of a content control.
func (w *docxWriter) block(n *xmlNode) {
	switch n.name {
	case "p":
		w.paragraph(n)
	case "tbl":
		w.endCode()
		w.table(n)
	case "sdt", "sdtContent", "ins", "customXml", "smartTag":
		for _, k := range n.kids {
			if k.name != "sdtPr" {
				w.block(k)
			}
		}
	}
}

func (w *docxWriter) paragraph(n *xmlNode) {
	pr := n.kid("pPr")
	style := w.styles[pr.kid("pStyle").attr("val")]
	if level := pr.kid("outlineLvl").attr("val"); level != "" {
		if v, err := strconv.Atoi(level); err == nil && v < 9 {
			style.level = v + 1
		}
	}
	t := &docxText{w: w}
	t.runs(n)
	text := t.String()
	if style.code || t.code && strings.TrimSpace(text) != "" {
		w.code = append(w.code, strings.Split(strings.TrimRight(text, "\n"), "\n")...)
		t.writeBoxes()
		return
	}
	if strings.TrimSpace(text) != "" {
		w.endCode()
	}
	listID := pr.kid("numPr", "numId").attr("val")
	if pr.kid("numPr") == nil {
		listID = style.listID
	}
	switch {
	case style.level > 0:
		w.b.Heading(style.level, text)
		if style.isTitle && w.archive.coreTitle() == "" {
			w.b.Title(text)
		}
	case listID != "" && listID != "0":
		level := pr.kid("numPr", "ilvl").attr("val")
		n := min(max(atoiOr(level, 0), 0), 8)
		w.item(listID, n, max(n, style.depth), text)
	default:
		w.b.Paragraph(text)
	}
	t.writeBoxes()
}

// item writes a list item with the number that Word shows.
func (w *docxWriter) item(listID string, level, depth int, text string) {
	key := listID + "/" + strconv.Itoa(level)
	list, ordered := w.lists[key]
	if strings.TrimSpace(text) == "" || !ordered {
		w.b.Item(depth, false, text)
		return
	}
	count := list.definition + "/" + strconv.Itoa(level)
	if _, counted := w.counts[count]; !counted || list.restarts && !w.begun[key] {
		w.counts[count] = list.start - 1
	}
	w.begun[key] = true
	w.counts[count]++
	for below := level + 1; below <= 8; below++ {
		delete(w.counts, list.definition+"/"+strconv.Itoa(below))
	}
	w.b.Numbered(depth, w.counts[count], text)
}

// atoiOr parses a number; other if that fails.
func atoiOr(s string, other int) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return other
}

func (w *docxWriter) endCode() {
	if len(w.code) > 0 {
		w.b.Code("", strings.Join(w.code, "\n"))
		w.code = nil
	}
}

func (w *docxWriter) table(n *xmlNode) {
	var rows [][]string
	width := 0
	above := map[int]string{} // the cells that span rows, by column
	var each func(n *xmlNode)
	each = func(n *xmlNode) {
		for _, k := range n.kids {
			switch k.name {
			case "tr":
				row := w.tableRow(k, above)
				rows = append(rows, row)
				width = max(width, len(row))
			case "sdt", "sdtContent", "ins":
				each(k)
			}
		}
	}
	each(n)
	if width == 1 {
		// A frame around text, not a table.
		for _, row := range rows {
			w.b.Paragraph(strings.Join(row, ""))
		}
		return
	}
	w.b.WholeTable(rows)
}

// maxSpan limits the columns of a cell.
const maxSpan = 64

// tableRow returns the cells of a row. One that goes on from the row above says the same.
func (w *docxWriter) tableRow(n *xmlNode, above map[int]string) []string {
	var row []string
	skipped, _ := strconv.Atoi(n.kid("trPr", "gridBefore").attr("val"))
	for range min(max(skipped, 0), maxSpan) {
		row = append(row, "")
	}
	var each func(n *xmlNode)
	each = func(n *xmlNode) {
		for _, k := range n.kids {
			switch k.name {
			case "tc":
				text := w.cell(k)
				switch merge := k.kid("tcPr", "vMerge"); {
				case merge == nil:
					delete(above, len(row))
				case merge.attr("val") == "restart":
					above[len(row)] = text
				case text == "":
					text = w.b.Repeat(above[len(row)])
				}
				row = append(row, text)
				span, _ := strconv.Atoi(k.kid("tcPr", "gridSpan").attr("val"))
				for range min(span, maxSpan) - 1 {
					delete(above, len(row))
					row = append(row, document.Covered)
				}
			case "sdt", "sdtContent", "ins":
				each(k)
			}
		}
	}
	each(n)
	return row
}

// cell returns a cell's text, nested tables included.
func (w *docxWriter) cell(n *xmlNode) string {
	var parts []string
	n.walk(func(k *xmlNode) bool {
		if k.name != "p" {
			return k.name != "Fallback"
		}
		t := &docxText{w: w}
		t.runs(k)
		if s := strings.TrimSpace(t.String()); s != "" {
			parts = append(parts, s)
		}
		for _, box := range t.boxes {
			parts = append(parts, box.allText())
		}
		return false
	})
	return strings.Join(parts, " ")
}

// writeNotes writes the footnotes and endnotes that the text refers to, each one once.
func (w *docxWriter) writeNotes() error {
	if len(w.notes) == 0 {
		return nil
	}
	texts := map[string]string{}
	for _, kind := range []string{"footnote", "endnote"} {
		data, err := w.part(kind + "s")
		if err != nil {
			return err
		}
		p := xmlParser{data: data}
		for p.next() {
			if p.kind == xmlStart && p.name == kind {
				n := p.tree(w.limits.Depth)
				texts[kind+n.attr("id")] = w.cell(n)
			}
		}
		if err := p.whole(); err != nil {
			return err
		}
	}
	for i, key := range w.notes {
		w.b.Paragraph("[^" + strconv.Itoa(i+1) + "]: " + texts[key])
	}
	return w.archive.check(&w.b, w.limits)
}
