package office

import (
	"context"
	"strconv"
	"strings"

	"lectern/shared/knowledge/reader/formula"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// PPTX reads PowerPoint's format since 2007: a page per slide, in presentation
// order, with its title as heading, its charts as tables and its notes at the end.
func PPTX(ctx context.Context, data []byte, limits intake.Limits) (*document.Document, error) {
	a, limits, err := openArchive(ctx, data, limits)
	if err != nil {
		return nil, err
	}
	w := &pptxWriter{archive: a, limits: limits, b: document.Builder{Most: limits.TextBytes}}
	if err := w.write(); err != nil {
		return nil, err
	}
	d := w.b.Document()
	d.Pages = w.slides
	return d, nil
}

type pptxWriter struct {
	archive *archive
	limits  intake.Limits
	b       document.Builder
	slides  int
	rels    map[string]relation // of the slide being read
	err     error               // the first of a chart
}

func (w *pptxWriter) write() error {
	const show = "ppt/presentation.xml"
	data, err := w.archive.must(show)
	if err != nil {
		return err
	}
	rels, err := w.archive.relations(show)
	if err != nil {
		return err
	}
	w.b.Title(w.archive.coreTitle())
	shown := map[string]bool{}
	p := xmlParser{data: data}
	for p.next() {
		if p.kind != xmlStart || p.name != "sldId" {
			continue
		}
		// The slide's own number is an attribute named id too.
		id, ok := relationID(p.attrs)
		if !ok {
			continue
		}
		if w.slides++; w.slides > w.limits.Pages {
			return intake.Refuse(intake.TooManyPages, "the file has more than %d slides", w.limits.Pages)
		}
		part := rels[id].target
		if shown[part] { // a program would not open the file
			continue
		}
		shown[part] = true
		if err := w.slide(part); err != nil {
			return err
		}
		if err := w.archive.check(&w.b, w.limits); err != nil {
			return err
		}
	}
	return nil
}

// relationID returns the value of the attribute r:id.
func relationID(attrs []byte) (string, bool) {
	s := string(attrs)
	i := strings.Index(s, ":id=")
	if i < 0 || len(s) < i+6 {
		return "", false
	}
	v, _, ok := strings.Cut(s[i+5:], s[i+4:i+5])
	return v, ok
}

func (w *pptxWriter) slide(part string) error {
	data, err := w.archive.read(part)
	if err != nil || data == nil {
		return err
	}
	if w.rels, err = w.archive.relations(part); err != nil {
		return err
	}
	p := xmlParser{data: data}
	if !p.next() {
		return nil
	}
	for p.kind != xmlStart && p.next() {
	}
	root := p.tree(2 * w.limits.Depth)
	if err := p.whole(); err != nil {
		return err
	}
	var shapes []*xmlNode
	title := ""
	level := 2
	root.walk(func(n *xmlNode) bool {
		switch n.name {
		case "sp":
			switch n.kid("nvSpPr", "nvPr", "ph").attr("type") {
			case "title", "ctrTitle":
				if n.kid("nvSpPr", "nvPr", "ph").attr("type") == "ctrTitle" {
					level = 1
				}
				if title == "" {
					title = strings.Join(strings.Fields(shapeText(n)), " ")
					return false
				}
			case "sldNum", "dt", "ftr":
				return false
			}
			shapes = append(shapes, n)
			return false
		case "graphicFrame", "pic":
			shapes = append(shapes, n)
			return false
		}
		return n.name != "Fallback"
	})
	w.b.Page(w.slides, title)
	w.b.Heading(level, title)
	for _, s := range shapes {
		if w.shape(s); w.err != nil {
			return w.err
		}
	}
	return w.notes()
}

func shapeText(n *xmlNode) string {
	var b strings.Builder
	var r raiser
	n.walk(func(k *xmlNode) bool {
		switch k.name {
		case "r":
			if isRaised(k) {
				b.WriteString(r.raise(b.String(), k.kid("t").allText()))
				return false
			}
		case "oMath":
			b.WriteString(formula.Office(formulaNode(k)))
			return false
		case "Fallback":
			return false
		case "p":
			b.WriteString("\n")
		case "br":
			b.WriteString(" ")
		case "t":
			b.WriteString(k.allText())
			return false
		}
		return true
	})
	return b.String()
}

func (w *pptxWriter) shape(n *xmlNode) {
	switch n.name {
	case "sp":
		ph := n.kid("nvSpPr", "nvPr", "ph")
		kind := ph.attr("type")
		// The body of a slide is a list by default.
		body := ph != nil && (kind == "" || kind == "body" || kind == "obj")
		for _, k := range n.kid("txBody").children() {
			if k.name == "p" {
				w.paragraph(k, body)
			}
		}
	case "pic":
		if alt := n.kid("nvPicPr", "cNvPr").attr("descr"); alt != "" {
			w.b.Image(alt, w.rels[n.kid("blipFill", "blip").attr("embed")].target)
		}
	default:
		n.walk(func(k *xmlNode) bool {
			switch k.name {
			case "tbl":
				w.table(k)
				return false
			case "chart":
				if err := w.chart(k.attr("id")); err != nil && w.err == nil {
					w.err = err
				}
				return false
			}
			return true
		})
	}
}

// chart writes a chart of the slide.
func (w *pptxWriter) chart(id string) error {
	rel := w.rels[id]
	if rel.kind != "chart" || rel.external {
		return nil
	}
	c, err := w.archive.readChart(rel.target, w.limits.Depth)
	c.write(&w.b)
	if err == nil {
		err = w.archive.check(&w.b, w.limits)
	}
	return err
}

func (n *xmlNode) children() []*xmlNode {
	if n == nil {
		return nil
	}
	return n.kids
}

func (w *pptxWriter) paragraph(n *xmlNode, list bool) {
	pr := n.kid("pPr")
	ordered := pr.kid("buAutoNum") != nil
	switch {
	case pr.kid("buNone") != nil:
		list = false
	case ordered, pr.kid("buChar") != nil:
		list = true
	}
	text := w.text(n)
	if !list {
		w.b.Paragraph(text)
		return
	}
	depth, _ := strconv.Atoi(pr.attr("lvl"))
	w.b.Item(min(max(depth, 0), 8), ordered, text)
}

// text returns the text of a paragraph with its links.
func (w *pptxWriter) text(n *xmlNode) string {
	var b strings.Builder
	var r raiser
	for _, k := range n.kids {
		switch k.name {
		case "r", "fld":
			t := k.kid("t").allText()
			if isRaised(k) {
				b.WriteString(r.raise(b.String(), t))
				continue
			}
			b.WriteString(w.archive.link(t, w.rels[k.kid("rPr", "hlinkClick").attr("id")]))
		case "br":
			b.WriteByte('\n')
		case "m":
			for _, math := range k.kids {
				b.WriteString(formula.Office(formulaNode(math)))
			}
		case "AlternateContent":
			b.WriteString(w.text(preferred(k)))
		}
	}
	return b.String()
}

// isRaised reports whether a run is superscript.
func isRaised(run *xmlNode) bool {
	baseline, err := strconv.Atoi(strings.TrimSuffix(run.kid("rPr").attr("baseline"), "%"))
	return err == nil && baseline > 0
}

// merged reports whether a cell belongs to the one at its left, hMerge, or above it, vMerge.
func merged(cell *xmlNode, how string) bool { return cell.attr(how) != "" && isOn(cell.attr(how)) }

func (w *pptxWriter) table(n *xmlNode) {
	var rows [][]string
	above := map[int]string{} // the last cells that span rows, by column
	for _, tr := range n.kids {
		if tr.name != "tr" {
			continue
		}
		var row []string
		for _, tc := range tr.kids {
			if tc.name != "tc" {
				continue
			}
			text := strings.TrimSpace(shapeText(tc))
			rowSpan, _ := strconv.Atoi(tc.attr("rowSpan"))
			switch column := len(row); {
			case merged(tc, "hMerge"):
				text = document.Covered
			case merged(tc, "vMerge"):
				text = w.b.Repeat(above[column])
			case rowSpan > 1:
				above[column] = text
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	w.b.WholeTable(rows)
}

// notes writes the speaker's notes of the slide.
func (w *pptxWriter) notes() error {
	for _, r := range w.rels {
		if r.kind != "notesSlide" {
			continue
		}
		data, err := w.archive.read(r.target)
		if err != nil {
			return err
		}
		p := xmlParser{data: data}
		for p.next() {
			if p.kind != xmlStart || p.name != "sp" {
				continue
			}
			n := p.tree(w.limits.Depth)
			if n.kid("nvSpPr", "nvPr", "ph").attr("type") != "body" {
				continue
			}
			if text := strings.TrimSpace(shapeText(n)); text != "" {
				w.b.Paragraph("Notes: " + text)
			}
		}
		if err := p.whole(); err != nil {
			return err
		}
	}
	return nil
}
