package office

import (
	"strconv"
	"strings"

	"lectern/shared/knowledge/reader/formula"
)

// docxText collects a paragraph's text.
type docxText struct {
	strings.Builder
	w     *docxWriter
	code  bool // every run so far is in a monospaced font
	plain bool // some run is not
	boxes []*xmlNode
	font  string // of the run being read, in small letters
	raiser
}

// runs collects the text below a paragraph.
func (t *docxText) runs(n *xmlNode) {
	for _, k := range n.kids {
		switch k.name {
		case "r":
			t.run(k)
		case "hyperlink":
			t.link(k)
		case "ins", "smartTag", "sdt", "sdtContent", "customXml", "fldSimple", "moveTo", "dir", "bdo":
			t.runs(k)
		case "oMath", "oMathPara":
			t.math(k)
		case "AlternateContent":
			t.runs(preferred(k))
		}
	}
	t.code = t.code && !t.plain
}

// preferred returns the richest alternative of an element.
func preferred(n *xmlNode) *xmlNode {
	if c := n.kid("Choice"); c != nil {
		return c
	}
	if f := n.kid("Fallback"); f != nil {
		return f
	}
	return &xmlNode{}
}

func (t *docxText) run(n *xmlNode) {
	pr := n.kid("rPr")
	if pr.kid("vanish") != nil && pr.kid("vanish").attr("val") != "0" {
		return
	}
	before := t.Len()
	font := strings.ToLower(pr.kid("rFonts").attr("ascii"))
	outer := t.font
	t.font = font
	if pr.kid("vertAlign").attr("val") == "superscript" {
		inner := &docxText{w: t.w, font: font}
		inner.runContent(n)
		t.boxes = append(t.boxes, inner.boxes...)
		t.WriteString(t.raise(t.String(), inner.String()))
	} else {
		t.runContent(n)
	}
	t.font = outer
	if t.Len() == before {
		return
	}
	style := strings.ToLower(pr.kid("rStyle").attr("val"))
	if strings.Contains(font, "courier") || strings.Contains(font, "consol") || strings.Contains(font, "mono") ||
		style == "verbatimchar" || strings.HasSuffix(style, "tok") {
		t.code = true
	} else {
		t.plain = true
	}
}

func (t *docxText) runContent(n *xmlNode) {
	for _, k := range n.kids {
		switch k.name {
		case "t":
			t.WriteString(symbols(t.font, k.allText()))
		case "tab", "ptab":
			t.WriteByte('\t')
		case "br", "cr":
			if k.attr("type") != "page" {
				t.WriteByte('\n')
			}
		case "noBreakHyphen":
			t.WriteByte('-')
		case "sym":
			if c, err := strconv.ParseInt(k.attr("char"), 16, 32); err == nil {
				if s := symbols(strings.ToLower(k.attr("font")), string(rune(c))); c < 0xE000 || c > 0xF8FF || s != string(rune(c)) {
					t.WriteString(s)
				}
			}
		case "fldChar":
			t.WriteString(formField(k.kid("ffData")))
		case "footnoteReference":
			t.note("footnote", k)
		case "endnoteReference":
			t.note("endnote", k)
		case "AlternateContent":
			t.runContent(preferred(k))
		case "drawing", "pict", "object":
			t.drawing(k)
		case "r":
			t.run(k)
		}
	}
}

// note marks a note. Several marks of one note have its number.
func (t *docxText) note(kind string, n *xmlNode) {
	key := kind + n.attr("id")
	if t.w.noted[key] == 0 {
		t.w.notes = append(t.w.notes, key)
		t.w.noted[key] = len(t.w.notes)
	}
	t.WriteString("[^" + strconv.Itoa(t.w.noted[key]) + "]")
}

// drawing adds a picture's description, and keeps text boxes for later.
func (t *docxText) drawing(n *xmlNode) {
	n.walk(func(k *xmlNode) bool {
		switch k.name {
		case "docPr":
			if alt := strings.TrimSpace(k.attr("descr")); alt != "" {
				t.WriteString(" " + alt + " ")
			}
		case "chart":
			if rel := t.w.rels[k.attr("id")]; rel.kind == "chart" && !rel.external {
				t.w.charts = append(t.w.charts, rel.target)
			}
			return false
		case "txbxContent":
			t.boxes = append(t.boxes, k)
			return false
		case "Fallback":
			return false
		}
		return true
	})
}

// writeBoxes writes the text boxes anchored in the paragraph.
func (t *docxText) writeBoxes() {
	if t.w.nested > 5 {
		return
	}
	t.w.nested++
	for _, box := range t.boxes {
		for _, k := range box.kids {
			t.w.block(k)
		}
	}
	t.w.nested--
}

func (t *docxText) link(n *xmlNode) {
	label := &docxText{w: t.w}
	label.runs(n)
	text := label.String()
	t.plain = t.plain || label.plain
	t.WriteString(t.w.archive.link(text, t.w.rels[n.attr("id")]))
}

// markdownLink links text to a web URL; other targets are useless outside of
// their file.
func markdownLink(text, target string, external bool) string {
	label := strings.TrimSpace(text)
	web := strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "mailto:")
	if !external || !web || label == "" || label == target || strings.ContainsAny(label, "[]\n") || strings.ContainsAny(target, " ()<>") {
		return text
	}
	return strings.Replace(text, label, "["+label+"]("+target+")", 1)
}

// math writes a formula.
func (t *docxText) math(n *xmlNode) {
	t.plain = true
	t.WriteString(formula.Office(formulaNode(n)))
}
