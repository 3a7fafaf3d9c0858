package webpage

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The marks of check boxes and radio buttons.
const (
	unchecked = "☐"
	checked   = "☒"
)

// isCheckBox reports whether n is a check box or a radio button.
func isCheckBox(n *html.Node) bool {
	if n.DataAtom != atom.Input {
		return false
	}
	kind := strings.ToLower(strings.TrimSpace(attr(n, "type")))
	return kind == "checkbox" || kind == "radio"
}

// mark writes whether a check box is checked.
func (w *writer) mark(box *html.Node) {
	if w.marked == nil {
		w.marked = map[*html.Node]bool{}
	}
	w.marked[box] = true
	state := unchecked
	if hasAttr(box, "checked") {
		state = checked
	}
	w.text(" " + state + " ")
	w.inForm = false
	for p := box.Parent; p != nil && !w.inForm; p = p.Parent {
		w.inForm = p.DataAtom == atom.Form || p.DataAtom == atom.Fieldset
	}
}

// labelElements is how many elements of a label are looked at, since labels may contain
// each other.
const labelElements = 100

// labelled returns the check box that a label names or contains; nil without.
func (w *writer) labelled(label *html.Node) *html.Node {
	if !hasAttr(label, "for") {
		within := 0
		box := find(label, func(n *html.Node) bool {
			within++
			return within > labelElements || isCheckBox(n)
		})
		if within > labelElements {
			return nil
		}
		return box
	}
	if w.boxes == nil {
		w.boxes = map[string]*html.Node{}
		for d := range w.root.Descendants() {
			if id := attr(d, "id"); isCheckBox(d) && id != "" && w.boxes[id] == nil {
				w.boxes[id] = d
			}
		}
	}
	return w.boxes[attr(label, "for")]
}

// isMark reports whether s is nothing but the mark of a check box.
func isMark(s string) bool {
	s = strings.TrimSpace(s)
	return s == checked || s == unchecked
}
