package pdf

import (
	"math"
	"strings"
	"unicode"

	"lectern/shared/knowledge/reader/formula"
)

// exponent tells raised characters at the end of a word, such as those of 2^31, from the
// ones before them. first and last are the boxes of the word's first and last character;
// marks of a sentence may follow. It returns the word as it was where nothing is raised.
func (w *segmenter) exponent(word string, from, to int, first, last box) string {
	end := to // of what may be raised
	for end > from && strings.ContainsRune(".,;:)", w.chars[end-1]) {
		end--
	}
	if end-from < 2 || end < to && !unicode.IsDigit(w.chars[end-1]) {
		return word // only figures are looked for before a mark, because each box takes time
	}
	if end < to {
		last = w.box(end - 1)
	}
	if !isRaised(last, first) || !w.above(end-1, from, first) {
		return word
	}
	start := end - 1
	for start-1 > from && end-start < maxRaised && isRaised(w.box(start-1), first) {
		start--
	}
	base, _ := cleanWord(w.chars[from:start])
	raised, _ := cleanWord(w.chars[start:end])
	before := base
	if n := len(w.words); n > 0 {
		before = w.words[n-1] + " " + base
	}
	text, power := formula.Raise(before, raised)
	if !power {
		return word
	}
	tail, _ := cleanWord(w.chars[end:to])
	return base + text + tail
}

// maxRaised limits the characters of an exponent.
const maxRaised = 16

// isRaised reports whether a character is smaller than another and above its line. The first
// letter of a chapter is larger than that.
func isRaised(b, line box) bool {
	height := line.y1 - line.y0
	return height > 0 && b.y0-line.y0 > 0.2*height && b.y1-b.y0 < 0.92*height && b.y1-b.y0 > 0.48*height
}

// above reports whether the baseline of character i is above that of character base, in
// level text. Boxes do not tell, since fonts differ in what is below their baseline.
func (w *segmenter) above(i, base int, line box) bool {
	angle := math.Float32frombits(uint32(w.s.call("FPDFText_GetCharAngle", w.text, uint64(base))))
	return (angle < 0.1 || angle > 2*math.Pi-0.1) && w.baseline(i)-w.baseline(base) > 0.15*(line.y1-line.y0)
}

func (w *segmenter) baseline(i int) float64 {
	buf := w.s.scratch(16)
	if w.s.call("FPDFText_GetCharOrigin", w.text, uint64(i), buf, buf+8) == 0 {
		return 0
	}
	y, _ := w.s.module.Memory().ReadFloat64Le(w.s.buf + 8)
	return y
}
