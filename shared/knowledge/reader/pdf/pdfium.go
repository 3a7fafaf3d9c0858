package pdf

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"lectern/shared/knowledge/reader/intake"

	"github.com/tetratelabs/wazero/api"
)

// File is the content of a PDF.
type File struct {
	Title string // from the file's metadata
	Pages []Page
	// ScanErr is the first error of recognising pages, which are then empty.
	ScanErr error
}

// Page is a page's text, in points with the origin at the lower left.
type Page struct {
	Width, Height float64
	Segments      []Segment // in the order of the file
	// Scanned is the text recognised in an image of a page without segments.
	Scanned string
}

// Segment is a run of text on one line, without a gap as wide as between columns.
type Segment struct {
	Text           string
	X0, Y0, X1, Y1 float64
	Size           float64 // of the font, as displayed
	Bold           bool
	Mono           bool // monospaced
	Hyphen         bool // ended with a hyphen inside a word, which Text omits
	turned         bool // not written from left to right
}

// session is one file in one module.
type session struct {
	ctx context.Context
	intake.PDFOptions
	scans  *scans
	module api.Module
	funcs  map[string]api.Function
	stack  [8]uint64         // arguments and result of a call
	err    error             // the first; later calls do nothing
	forms  api.MutableGlobal // how many forms may be read; nil until that counts
	buf    uint32
	size   uint32
	fields uint64     // the environment in which form fields are known; 0 before it is needed
	boxes  []checkBox // of the page that was loaded last
}

func newSession(ctx context.Context, m api.Module, o intake.PDFOptions) *session {
	return &session{ctx: ctx, PDFOptions: o, scans: newScans(ctx, o), module: m, funcs: map[string]api.Function{}}
}

// fuelPerSecond is PDFium's minimum consumption on current machines.
const fuelPerSecond = 150_000_000

// refuel lets the next calls run for about the remaining time. A file that
// loops exhausts it; the deadline itself is checked between calls.
func (s *session) refuel() {
	if s.err != nil {
		return
	}
	if s.err = s.ctx.Err(); s.err != nil {
		return
	}
	left := maxPageTime
	if deadline, ok := s.ctx.Deadline(); ok {
		left = time.Until(deadline)
	}
	left = min(left, maxPageTime)
	fuel, ok := s.module.ExportedGlobal(fuelName).(api.MutableGlobal)
	if !ok {
		s.err = errors.New("the PDF engine cannot be stopped")
		return
	}
	fuel.Set(max(uint64(max(left, 0).Seconds()*fuelPerSecond), fuelPerSecond/10))
}

// guard begins to count forms.
func (s *session) guard() {
	stack := s.call("malloc", formStackBytes)
	if s.err == nil && stack == 0 {
		s.err = errors.Join(ErrMalformed, errors.New("out of memory"))
	}
	forms, counts := s.module.ExportedGlobal(formsLeftName).(api.MutableGlobal)
	at, placed := s.module.ExportedGlobal(formStackName).(api.MutableGlobal)
	if s.err != nil || !counts || !placed {
		return
	}
	at.Set(stack)
	s.forms = forms
	s.allowForms()
}

// allowForms lets a page that is loaded next draw its forms.
func (s *session) allowForms() {
	if s.forms != nil {
		s.forms.Set(maxForms + 1)
	}
}

// drawn returns how many forms were drawn since.
func (s *session) drawn() int {
	if s.forms == nil {
		return 0
	}
	return maxForms + 1 - int(s.forms.Get())
}

// call calls a function of PDFium and returns its result; 0 after an error.
func (s *session) call(name string, args ...uint64) uint64 {
	if s.err != nil {
		return 0
	}
	f := s.funcs[name]
	if f == nil {
		if f = s.module.ExportedFunction(name); f == nil {
			s.err = fmt.Errorf("the PDF engine has no %s", name)
			return 0
		}
		s.funcs[name] = f
	}
	copy(s.stack[:], args)
	if err := f.CallWithStack(s.ctx, s.stack[:]); err != nil {
		// A trap: out of memory or fuel, or the parser's own bug.
		s.err = errors.Join(ErrMalformed, err)
		return 0
	}
	return s.stack[0]
}

// scratch returns the address of at least n bytes, which its next call overwrites.
func (s *session) scratch(n uint32) uint64 {
	if n > s.size {
		n = max(n, 4096)
		s.buf = uint32(s.call("malloc", uint64(n)))
		s.size = n
		if s.buf == 0 && s.err == nil {
			s.err = errors.Join(ErrMalformed, errors.New("out of memory"))
		}
	}
	return uint64(s.buf)
}

func (s *session) bytes(n uint32) []byte {
	b, ok := s.module.Memory().Read(s.buf, n)
	if !ok && s.err == nil {
		s.err = errors.Join(ErrMalformed, errors.New("address out of range"))
	}
	if !ok {
		return make([]byte, n)
	}
	return b
}

func (s *session) float32At(i uint32) float64 {
	v, _ := s.module.Memory().ReadFloat32Le(s.buf + 4*i)
	return float64(v)
}

// open loads a document and counts its pages.
func (s *session) open(data []byte) (doc uint64, count int, err error) {
	s.refuel()
	s.guard()
	at := s.call("malloc", uint64(len(data)))
	if s.err == nil && (at == 0 || !s.module.Memory().Write(uint32(at), data)) {
		return 0, 0, errors.Join(ErrMalformed, errors.New("out of memory"))
	}
	doc = s.call("FPDF_LoadMemDocument", at, uint64(len(data)), 0)
	if s.err == nil && doc == 0 {
		return 0, 0, s.loadError()
	}
	count = int(int32(s.call("FPDF_GetPageCount", doc)))
	switch {
	case s.err != nil:
		return 0, 0, s.err
	case count <= 0:
		return 0, 0, errors.Join(ErrMalformed, errors.New("no pages"))
	}
	return doc, count, nil
}

func (s *session) read(data []byte) (*File, error) {
	doc, count, err := s.open(data)
	if err != nil {
		return nil, err
	}
	if count > s.MaxPages {
		return nil, ErrTooManyPages
	}
	f := &File{Title: s.title(doc), Pages: make([]Page, count)}
	unread := 0
	form := s.call("FPDF_GetFormType", doc) != 0
	for i := range count {
		s.refuel()
		handle := s.load(doc, uint64(i), form)
		if s.err != nil {
			return nil, s.err
		}
		if handle == 0 {
			unread++
			continue
		}
		f.Pages[i] = s.page(handle)
		if len(f.Pages[i].Segments) == 0 {
			s.scan(handle, i, &f.Pages[i])
		}
		s.call("FPDF_ClosePage", handle)
	}
	if unread == count {
		return nil, errors.Join(ErrMalformed, errors.New("no page can be loaded"))
	}
	return f, s.err
}

// load opens a page. Form fields become part of the page's text only by
// flattening, after which the page is opened again; check boxes and radio buttons
// are taken out before.
func (s *session) load(doc, number uint64, form bool) uint64 {
	handle := s.loadOnce(doc, number)
	s.boxes = nil
	const forDisplay, success = 0, 1
	if !form || handle == 0 || s.call("FPDFPage_GetAnnotCount", handle) == 0 {
		return handle
	}
	s.boxes = s.takeBoxes(doc, handle)
	if s.call("FPDFPage_Flatten", handle, forDisplay) != success {
		return handle
	}
	s.call("FPDF_ClosePage", handle)
	return s.loadOnce(doc, number)
}

func (s *session) loadOnce(doc, number uint64) uint64 {
	s.allowForms()
	handle := s.call("FPDF_LoadPage", doc, number)
	if s.drawn() > maxForms && s.err == nil {
		s.err = ErrTooManyForms
	}
	return handle
}

func (s *session) loadError() error {
	switch code := s.call("FPDF_GetLastError"); code {
	case 4, 5: // password, unknown security handler
		return ErrEncrypted
	default:
		return errors.Join(ErrMalformed, fmt.Errorf("code %d", code))
	}
}

func (s *session) title(doc uint64) string {
	const most = 1024
	buf := s.scratch(most + 8)
	if s.err != nil || !s.module.Memory().Write(s.buf+most, []byte("Title\x00")) {
		return ""
	}
	n := uint32(s.call("FPDF_GetMetaText", doc, buf+most, buf, most))
	if n <= 2 || n > most {
		return ""
	}
	return strings.TrimSpace(decodeUTF16(s.bytes(n - 2)))
}

func decodeUTF16(b []byte) string { return string(runesOf(b)) }

func runesOf(b []byte) []rune {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return utf16.Decode(units)
}

// extent returns the width and the height of a page.
func (s *session) extent(handle uint64) (width, height float64) {
	width = math.Float64frombits(s.call("FPDF_GetPageWidth", handle))
	height = math.Float64frombits(s.call("FPDF_GetPageHeight", handle))
	return width, height
}

func (s *session) page(handle uint64) Page {
	p := Page{}
	p.Width, p.Height = s.extent(handle)
	text := s.call("FPDFText_LoadPage", handle)
	if text == 0 {
		p.Segments = placed(nil, s.boxes)
		return p
	}
	defer s.call("FPDFText_ClosePage", text)
	chars := s.characters(text)
	w := &segmenter{s: s, text: text, chars: chars}
	for i := 0; i < len(chars) && s.err == nil; {
		i = w.next(i)
	}
	w.end()
	p.Segments = placed(w.done, s.boxes)
	return p
}

// characters returns the page's characters by their index.
func (s *session) characters(text uint64) []rune {
	count := int(int32(s.call("FPDFText_CountChars", text)))
	if count <= 0 || count > 5_000_000 {
		return nil
	}
	buf := s.scratch(uint32(4*count + 4))
	n := int(int32(s.call("FPDFText_GetText", text, 0, uint64(count), buf)))
	if n > 0 {
		if runes := runesOf(s.bytes(uint32(2 * (n - 1)))); len(runes) == count {
			return runes
		}
	}
	// Generated characters are not part of the text, so read them one by one.
	runes := make([]rune, count)
	for i := range runes {
		runes[i] = rune(uint32(s.call("FPDFText_GetUnicode", text, uint64(i))))
	}
	return runes
}

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
