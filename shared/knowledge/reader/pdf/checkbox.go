package pdf

import (
	"encoding/binary"
	"math"
)

// checkBox is a check box or a radio button of a form.
type checkBox struct {
	box
	checked bool
}

func (c checkBox) mark() string {
	if c.checked {
		return "☒"
	}
	return "☐"
}

// maxBoxes limits the check boxes of a page; a page of a census has some hundreds.
const maxBoxes = 5000

// takeBoxes removes a page's check boxes and radio buttons, whose look says nothing as
// text, and returns them.
func (s *session) takeBoxes(doc, page uint64) []checkBox {
	const checkBoxField, radioField = 2, 3
	const hidden = 1 << 1
	var list []checkBox
	count := int(int32(s.call("FPDFPage_GetAnnotCount", page)))
	for i := count - 1; i >= 0 && s.err == nil && len(list) < maxBoxes; i-- {
		annot := s.call("FPDFPage_GetAnnot", page, uint64(i))
		if annot == 0 {
			continue
		}
		const widget = 20
		if s.call("FPDFAnnot_GetSubtype", annot) == widget {
			form := s.formFields(doc)
			if kind := s.call("FPDFAnnot_GetFormFieldType", form, annot); kind == checkBoxField || kind == radioField {
				b := checkBox{s.annotBox(annot), s.checked(annot)}
				if s.call("FPDFAnnot_GetFlags", annot)&hidden == 0 && b.x1 > b.x0 {
					list = append(list, b)
				}
				s.call("FPDFPage_CloseAnnot", annot)
				s.call("FPDFPage_RemoveAnnot", page, uint64(i))
				continue
			}
		}
		s.call("FPDFPage_CloseAnnot", annot)
	}
	return list
}

// checked reports whether a check box or radio button is on: by the state in which it is
// shown, or else by its field's value.
func (s *session) checked(annot uint64) bool {
	for _, key := range []string{"AS", "V"} {
		if state := s.annotText(annot, key); state != "" {
			return state != "Off"
		}
	}
	return false
}

// annotText returns a name or text of an annotation; empty if it is missing, or too long
// for a state.
func (s *session) annotText(annot uint64, key string) string {
	const most = 512
	buf := s.scratch(most + 8)
	if s.err != nil || !s.module.Memory().Write(s.buf+most, append([]byte(key), 0)) {
		return ""
	}
	n := uint32(s.call("FPDFAnnot_GetStringValue", annot, buf+most, buf, most))
	if n <= 2 || n > most {
		return ""
	}
	return decodeUTF16(s.bytes(n - 2))
}

// formFields returns the environment in which the fields of the form are known. Its
// callbacks are all missing, which PDFium allows for.
func (s *session) formFields(doc uint64) uint64 {
	const infoBytes = 256 // more than any version of FPDF_FORMFILLINFO
	if s.fields != 0 {
		return s.fields
	}
	info := s.call("malloc", infoBytes)
	if s.err != nil || info == 0 {
		return 0
	}
	zeros := make([]byte, infoBytes)
	binary.LittleEndian.PutUint32(zeros, 1) // the version
	s.module.Memory().Write(uint32(info), zeros)
	s.fields = s.call("FPDFDOC_InitFormFillEnvironment", doc, info)
	return s.fields
}

// annotBox returns an annotation's rectangle; empty if it has none.
func (s *session) annotBox(annot uint64) box {
	buf := s.scratch(16)
	if s.call("FPDFAnnot_GetRect", annot, buf) == 0 {
		return box{}
	}
	// Left, top, right, bottom.
	b := box{x0: s.float32At(0), y1: s.float32At(1), x1: s.float32At(2), y0: s.float32At(3)}
	return box{min(b.x0, b.x1), min(b.y0, b.y1), max(b.x0, b.x1), max(b.y0, b.y1)}
}

// parted reports whether a check box stands between the end of a segment and a word.
func parted(boxes []checkBox, end float64, word box) bool {
	for _, b := range boxes {
		middle, height := (b.x0+b.x1)/2, (b.y0+b.y1)/2
		if middle > end && middle < word.x0 && height > word.y0 && height < word.y1 {
			return true
		}
	}
	return false
}

// reach is how far from its label a check box may stand, in heights of the label's font.
const reach = 2.5

// placed writes the mark of every check box before its label, which is the nearest text
// beside it, on either side. A box without one, as in the cells of a table, is a segment of
// its own.
func placed(segments []Segment, boxes []checkBox) []Segment {
	labels := len(segments)
	marks := make([]string, labels)
	for _, b := range boxes {
		best, nearest := -1, math.Inf(1)
		for i, s := range segments[:labels] {
			if middle := (b.y0 + b.y1) / 2; s.turned || marks[i] != "" || middle < s.Y0 || middle > s.Y1 {
				continue
			}
			gap := s.X0 - b.x1
			if s.X0 < b.x0 {
				gap = b.x0 - s.X1
			}
			if gap < nearest && gap > -(b.x1-b.x0) && gap < reach*max(s.Size, 1) {
				best, nearest = i, gap
			}
		}
		if best < 0 {
			segments = append(segments, Segment{Text: b.mark(), X0: b.x0, Y0: b.y0, X1: b.x1, Y1: b.y1, Size: b.y1 - b.y0})
			continue
		}
		marks[best] = b.mark()
		segments[best].X0, segments[best].X1 = min(segments[best].X0, b.x0), max(segments[best].X1, b.x1)
	}
	for i, m := range marks {
		if m != "" {
			segments[i].Text = m + " " + segments[i].Text
		}
	}
	return segments
}
