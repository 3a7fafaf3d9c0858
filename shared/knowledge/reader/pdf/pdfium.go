package pdf

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
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
		kind := ErrMalformed
		if fuel := s.module.ExportedGlobal(fuelName); fuel != nil && fuel.Get() == 0 {
			kind = ErrTooMuchTime
		}
		s.err = errors.Join(kind, err)
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
