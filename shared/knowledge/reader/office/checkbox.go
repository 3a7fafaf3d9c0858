package office

import (
	"strings"
)

// The marks of check boxes.
const (
	unchecked = "☐"
	checked   = "☒"
)

func boxMark(on bool) string {
	if on {
		return checked
	}
	return unchecked
}

// isOn reads a value of XML that is on when it is missing.
func isOn(value string) bool { return value != "0" && value != "false" && value != "off" }

// checkBoxes replaces the content of the content controls below n that are check boxes,
// which may be a symbol of any font, by their mark.
//
// Source: [MS-DOCX] 2.5.1.6, w14:checkbox.
func checkBoxes(n *xmlNode) {
	visit := func(k *xmlNode) bool {
		state := k.kid("sdtPr", "checkbox")
		if k.name != "sdt" || state == nil {
			return true
		}
		on := state.kid("checked") != nil && isOn(state.kid("checked").attr("val"))
		written := false
		k.kid("sdtContent").walk(func(r *xmlNode) bool {
			if r.name != "r" {
				return true
			}
			r.kids = nil
			if !written {
				written = true
				r.kids = []*xmlNode{{name: "t", kids: []*xmlNode{{text: boxMark(on)}}}}
			}
			return false
		})
		return false
	}
	if visit(n) {
		n.walk(visit)
	}
}

// formField returns what a form field of Word before 2007 shows, unless the text says it:
// the mark of a check box, or what is chosen from a list.
//
// Source: ECMA-376, part 1, 17.16.7 and 17.16.9.
func formField(data *xmlNode) string {
	if box := data.kid("checkBox"); box != nil {
		state := box.kid("checked")
		if state == nil {
			state = box.kid("default")
		}
		return boxMark(state != nil && isOn(state.attr("val")))
	}
	list := data.kid("ddList")
	chosen := list.kid("result")
	if chosen == nil {
		chosen = list.kid("default")
	}
	left := atoiOr(chosen.attr("val"), 0)
	for _, k := range list.children() {
		if k.name == "listEntry" {
			if left == 0 {
				return k.attr("val")
			}
			left--
		}
	}
	return ""
}

// symbols replaces the check boxes and check marks among text in a font of symbols, whose
// characters stand at their own places or from U+F000 on.
func symbols(font, text string) string {
	var marks map[rune]string
	switch strings.TrimSpace(font) {
	case "wingdings":
		marks = map[rune]string{'o': unchecked, 0xA8: unchecked, 'x': checked, 0xFD: checked, 0xFE: checked, 0xFB: "✗", 0xFC: "✓"}
	case "wingdings 2":
		marks = map[rune]string{0xA3: unchecked, '*': unchecked, 'R': checked, 'S': checked, 'T': checked, 'O': "✗", 'P': "✓"}
	default:
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if mark := marks[r&^0xF000]; mark != "" && (r < 0x100 || r >= 0xF000 && r < 0xF100) {
			b.WriteString(mark)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// readForms keeps what the check boxes and radio buttons of OpenDocument say, with their
// labels.
//
// Source: OpenDocument 1.3, part 3, 13.5.
func (w *odfWriter) readForms(n *xmlNode) {
	n.walk(func(k *xmlNode) bool {
		on := false
		switch k.name {
		case "checkbox":
			state := k.attr("current-state")
			if state == "" {
				state = k.attr("state")
			}
			on = state == "checked"
		case "radio":
			state := k.attr("current-selected")
			if state == "" {
				state = k.attr("selected")
			}
			on = state == "true"
		default:
			return true
		}
		w.controls[k.attr("id")] = strings.TrimSpace(boxMark(on) + " " + k.attr("label"))
		return true
	})
}

// fieldMark returns the mark of a check box that was a field of a form of Word.
func fieldMark(n *xmlNode) string {
	if !strings.HasSuffix(n.attr("type"), "FORMCHECKBOX") {
		return ""
	}
	on := false
	for _, k := range n.kids {
		if k.name == "param" && k.attr("name") == "Checkbox_Checked" {
			on = k.attr("value") == "true"
		}
	}
	return boxMark(on)
}
