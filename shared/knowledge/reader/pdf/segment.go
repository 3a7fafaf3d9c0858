package pdf

import (
	"math"
	"strings"
	"unicode"

	"lectern/shared/knowledge/reader/formula"
)

// segmenter builds segments of words.
type segmenter struct {
	s     *session
	text  uint64
	chars []rune
	done  []Segment

	current Segment
	words   []string
	newLine bool
	last    int // index of the last character
}

type box struct{ x0, y0, x1, y1 float64 }

// box returns a character's box at the font's full height.
func (w *segmenter) box(i int) box {
	buf := w.s.scratch(16)
	if w.s.call("FPDFText_GetLooseCharBox", w.text, uint64(i), buf) == 0 {
		return box{}
	}
	// Left, top, right, bottom.
	b := box{x0: w.s.float32At(0), y1: w.s.float32At(1), x1: w.s.float32At(2), y0: w.s.float32At(3)}
	if b.y1 < b.y0 {
		b.y0, b.y1 = b.y1, b.y0
	}
	return b
}

// next processes the word or white space at i and returns the index after it.
func (w *segmenter) next(i int) int {
	switch r := w.chars[i]; {
	case r == '\n' || r == '\r':
		w.newLine = true
		return i + 1
	case r <= ' ' && !isHyphenMark(r), r == 0xA0, unicode.IsSpace(r):
		return i + 1
	}
	from := i
	for i < len(w.chars) && !unicode.IsSpace(w.chars[i]) && (w.chars[i] > ' ' || isHyphenMark(w.chars[i])) {
		i++
	}
	word, hyphen := cleanWord(w.chars[from:i])
	if word == "" && !hyphen {
		return i
	}
	first := w.box(from)
	last := first
	if i-1 > from {
		last = w.box(i - 1)
	}
	w.add(w.exponent(word, from, i, first, last), hyphen, from, i-1, first, last)
	return i
}

// add appends a word to the current segment or starts a new one.
func (w *segmenter) add(word string, hyphen bool, from, to int, first, last box) {
	c := &w.current
	height := first.y1 - first.y0
	join := len(w.words) > 0 && !w.newLine
	if join && !c.turned {
		overlap := min(c.Y1, first.y1) - max(c.Y0, first.y0)
		gap := first.x0 - c.X1
		rtl := isRTL(word)
		join = overlap > 0.4*min(height, c.Y1-c.Y0) && (rtl || gap > -0.5*height && gap < 1.05*max(c.Size, 0.6*height)) &&
			!parted(w.s.boxes, c.X1, first)
	}
	if !join {
		w.end()
		w.begin(from, first)
	}
	if len(w.words) == 1 && len(w.words[0]) <= 3 {
		// A bullet or a number may have another font than its text.
		w.measure(from, first)
	}
	w.newLine = false
	if n := len(w.words); n > 0 && !c.turned && first.x0-c.X1 < 0.04*c.Size && !isRTL(word) {
		// A space without width: the letters were positioned individually.
		w.words[n-1] += word
	} else {
		w.words = append(w.words, word)
	}
	c.X0 = min(c.X0, first.x0, last.x0)
	c.X1 = max(c.X1, first.x1, last.x1)
	if len(w.words) == 1 || height <= c.Y1-c.Y0 {
		c.Y0, c.Y1 = min(c.Y0, first.y0), max(c.Y1, first.y1)
	}
	c.Hyphen = hyphen
	w.last = to
}

func (w *segmenter) begin(i int, b box) {
	angle := math.Float32frombits(uint32(w.s.call("FPDFText_GetCharAngle", w.text, uint64(i))))
	w.current = Segment{X0: b.x0, Y0: b.y0, X1: b.x1, Y1: b.y1, turned: angle > 0.1 && angle < 2*math.Pi-0.1}
	w.measure(i, b)
}

// measure sets the current segment's font from a character.
func (w *segmenter) measure(i int, b box) {
	size := math.Float64frombits(w.s.call("FPDFText_GetFontSize", w.text, uint64(i)))
	buf := w.s.scratch(24)
	if w.s.call("FPDFText_GetMatrix", w.text, uint64(i), buf) != 0 {
		// The matrix scales the font's own size.
		if scale := math.Hypot(w.s.float32At(2), w.s.float32At(3)); scale > 0 {
			size *= scale
		}
	}
	if size <= 0.5 || size > 500 {
		size = 0.85 * (b.y1 - b.y0)
	}
	w.current.Size = size
	w.current.Bold, w.current.Mono = w.font(i)
}

// end completes the current segment.
func (w *segmenter) end() {
	if len(w.words) == 0 {
		return
	}
	w.current.Text = strings.Join(w.words, " ")
	w.words = w.words[:0]
	if (w.current.Bold || w.current.Mono) && len(w.current.Text) > 1 {
		bold, mono := w.font(w.last)
		w.current.Bold = w.current.Bold && bold
		w.current.Mono = w.current.Mono && mono
	}
	w.done = append(w.done, w.current)
}

// font classifies a character's font by its weight, flags and name.
func (w *segmenter) font(i int) (bold, mono bool) {
	weight := int32(w.s.call("FPDFText_GetFontWeight", w.text, uint64(i)))
	bold = weight >= 600 && weight <= 1000
	const most = 128
	buf := w.s.scratch(most + 4)
	n := uint32(w.s.call("FPDFText_GetFontInfo", w.text, uint64(i), buf, most, buf+most))
	if n <= 1 || n > most {
		return bold, false
	}
	flags, _ := w.s.module.Memory().ReadUint32Le(w.s.buf + most)
	name := strings.ToLower(string(w.s.bytes(n - 1)))
	bold = bold || containsAny(name, "bold", "black", "heavy", "cmbx", "demi", "sfbx")
	return bold, flags&1 != 0 || containsAny(name, "mono", "courier", "consol", "cmtt", "sftt", "typewriter", "menlo")
}

func containsAny(s string, marks ...string) bool {
	for _, m := range marks {
		if strings.Contains(s, m) {
			return true
		}
	}
	return false
}

func isHyphenMark(r rune) bool { return r == 2 || r == 0xFFFE || r == 0xAD }

func isRTL(s string) bool {
	for _, r := range s {
		if r >= 0x0590 && r < 0x0900 || r >= 0xFB1D && r < 0xFE00 || r >= 0xFE70 && r < 0xFEFF {
			return true
		}
	}
	return false
}

// cleanWord converts a word's characters to text, and reports whether it ends
// with a hyphen that PDFium considers to be inside a word.
func cleanWord(runes []rune) (word string, hyphen bool) {
	var b strings.Builder
	for i, r := range runes {
		hyphen = false
		switch {
		case isHyphenMark(r):
			if i == len(runes)-1 {
				hyphen = true
			}
		case r < ' ', r >= 0x7F && r < 0xA0, r == 0xFFFD, r == 0xFEFF, r >= 0x200B && r <= 0x200F:
		case r >= 0xFB00 && r <= 0xFB06:
			b.WriteString([]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}[r-0xFB00])
		case r == 0xF0B7 || r == 0xF0A7 || r == 0xF06E || r == 0xF0D8:
			b.WriteRune('•')
		case r == 0xF06F || r == 0xF0A8: // of Wingdings, as are those below
			b.WriteRune('☐')
		case r == 0xF078 || r == 0xF0FD || r == 0xF0FE:
			b.WriteRune('☒')
		case r == 0xF0FB:
			b.WriteRune('✗')
		case r == 0xF0FC:
			b.WriteRune('✓')
		case r >= 0xE000 && r < 0xF900, r > unicode.MaxRune:
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), hyphen
}

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
