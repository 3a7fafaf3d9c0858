// Package mail reads mails and mailboxes: the usual header fields, the longer of the text and
// the HTML part, and the attachments with the readers of their formats.
// Unreadable attachments become warnings.
//
// enmime parses the mail and decodes transfer encodings. Package charset
// decodes character sets, because it supports more of them and does not guess
// if a part declares its own.
package mail

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jhillyerd/enmime/v2"
	"github.com/jhillyerd/enmime/v2/mediatype"
	"golang.org/x/text/encoding/htmlindex"

	"lectern/shared/fault"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/webpage"
	"lectern/shared/text/document"
)

const (
	maxDepth      = 10  // of parts and of mails within mails
	maxMultiparts = 200 // of one mail; enmime reads through as many readers as they are nested
	maxParameters = 100 // of a field; enmime looks for the name of each among all before it
	maxFieldBytes = 8 << 10
	maxErrors     = 1000 // of a part
)

// Read reads a mail. others returns the readers of an attachment's name.
func Read(ctx context.Context, data []byte, limits intake.Limits, others func(fileName string) []reader.Reader) (*document.Document,
	error) {
	w := &writer{ctx: ctx, limits: limits, others: others, b: &document.Builder{Most: limits.TextBytes}, left: limits.TextBytes}
	if err := w.message(data, 0); err != nil {
		return nil, err
	}
	return w.b.Document(), nil
}

type writer struct {
	ctx    context.Context
	limits intake.Limits
	others func(fileName string) []reader.Reader
	b      *document.Builder
	left   int64 // bytes that parts may still use
	parts  int
	letter *letter           // being read
	sent   map[string]string // the texts of a mailbox by their mails' ids; nil for a single mail
}

func (w *writer) message(data []byte, depth int) error {
	data = bytes.TrimLeft(data, "\r\n")
	// Every part starts with such a line. Check their number first, because enmime
	// creates all parts at once.
	if bytes.Count(data, []byte("\n--"))-bytes.Count(data, []byte("\n-- ")) > w.limits.Entries {
		return w.tooMany()
	}
	root, err := parse(w.ctx, data)
	if errors.Is(err, errStrays) {
		return errors.Join(intake.Refuse(intake.Malformed, "what a part of the mail has as Base64 is something else"), err)
	}
	if w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	if err != nil {
		return errors.Join(intake.Refuse(intake.Malformed, "the file is not a mail"), err)
	}
	fields := []string{"From", "To", "Cc", "Date"}
	subject, known := field(root, "Subject"), field(root, "Content-Type") != ""
	var items []string
	for _, name := range fields {
		if v := field(root, name); v != "" {
			items = append(items, name+": "+v)
		}
	}
	if subject == "" && len(items) == 0 && !known {
		return intake.Refuse(intake.Malformed, "the file is not a mail")
	}
	if depth == 0 {
		w.b.Title(subject)
	}
	heading := subject
	if w.sent != nil && strings.TrimSpace(subject) == "" {
		heading = "(no subject)" // so that a mail is not part of the one before
	}
	w.b.Heading(min(1+depth, 6), heading)
	for _, item := range items {
		w.b.Item(0, false, item)
	}
	outer := w.letter
	w.letter = w.newLetter(root)
	err = w.part(root, depth)
	w.sentLetter(root)
	w.letter = outer
	return err
}

// newParser returns a parser of one mail, which leaves the content of parts encoded if raw is set.
func newParser(raw bool) *enmime.Parser {
	multiparts := 0
	return enmime.NewParser(
		enmime.RawContent(raw),
		enmime.MaxStoredPartErrors(maxErrors),
		enmime.SkipMalformedParts(true),
		enmime.MultipartWOBoundaryAsSinglePart(true),
		enmime.SetReadPartErrorPolicy(func(*enmime.Part, error) bool { return true }), // keep what was decoded so far
		enmime.DisableCharacterDetection(true),
		enmime.SetCustomParseMediaType(func(s string) (string, map[string]string, []string, error) {
			kind, params, invalid, err := mediatype.Parse(cutField(s))
			if err != nil {
				return "text/plain", map[string]string{"charset": "utf-8"}, nil, nil
			}
			if strings.HasPrefix(kind, "multipart/") {
				if multiparts++; multiparts > maxMultiparts {
					return "application/octet-stream", nil, invalid, nil
				}
			}
			if strings.HasPrefix(kind, "text/") {
				params["charset"] = "utf-8" // so that bytes stay unchanged
			}
			return kind, params, invalid, nil
		}),
	)
}

// cutField returns as much of a field with parameters as is looked at.
func cutField(s string) string {
	s = s[:min(len(s), maxFieldBytes)]
	at := 0
	for range maxParameters + 1 {
		n := strings.IndexByte(s[at:], ';')
		if n < 0 {
			return s
		}
		at += n + 1
	}
	return s[:at-1]
}

// parse reads the parts of a mail.
func parse(ctx context.Context, data []byte) (root *enmime.Part, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			root, err = nil, r.err
		default:
			panic(r)
		}
	}()
	if len(data) > strayBytes && namesBase64(data) {
		root, err := newParser(true).ReadParts(&source{ctx: ctx, in: bytes.NewReader(data)})
		if err != nil {
			return nil, err
		}
		if len(root.BreadthMatchAll(hasStrays)) > 0 {
			return nil, errStrays
		}
	}
	return newParser(false).ReadParts(&source{ctx: ctx, in: bytes.NewReader(data)})
}

// strayBytes is how much of a part in Base64 may be bytes that it has no use for, each of which
// enmime keeps an error of a hundred bytes for.
const strayBytes = 1 << 20

var errStrays = errors.New("a part is not in Base64")

// namesBase64 reports whether a mail may have a part in Base64.
func namesBase64(data []byte) bool {
	const start, end = "base", "64"
	for at := 0; ; {
		n := bytes.Index(data[at:], []byte(end))
		if n < 0 {
			return false
		}
		at += n
		if at >= len(start) && bytes.EqualFold(data[at-len(start):at], []byte(start)) {
			return true
		}
		at += len(end)
	}
}

// hasStrays reports whether a part that was not decoded has too many such bytes.
func hasStrays(p *enmime.Part) bool {
	if !strings.EqualFold(p.Header.Get("Content-Transfer-Encoding"), "base64") {
		return false
	}
	strays := 0
	for _, c := range p.Content {
		if !strings.ContainsRune("+/= \t\r\n", rune(c)) && !('0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z') {
			strays++
		}
	}
	return strays > strayBytes
}

// source is a mail that enmime reads. It stops the parser by a panic: errors it reads over, and each multipart that is not
// closed asks the one around it twice what comes after its end, so that the time doubles with each that is nested.
type source struct {
	ctx  context.Context
	in   io.Reader
	ends int // how often the end was read
}

// mostEnds is how often the end of a mail is read at most: of 200 multiparts that are closed or of ten nested ones that are
// not less often.
const mostEnds = 1 << 14

// stopped is the panic by which a source stops.
type stopped struct{ err error }

func (s *source) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		panic(stopped{err})
	}
	n, err := s.in.Read(p)
	if err == io.EOF {
		if s.ends++; s.ends > mostEnds {
			panic(stopped{errors.New("too many parts are nested and not closed")})
		}
	}
	return n, err
}

// field returns a decoded header field. Unencoded bytes, as old programs write
// them, are decoded in the character set of the mail's text, or else in a
// guessed one.
func field(p *enmime.Part, name string) string {
	raw := p.Header.Get(name)
	if !utf8.ValidString(raw) {
		raw = decode([]byte(raw), charsetOf(p))
	}
	words := &mime.WordDecoder{CharsetReader: charsetReader}
	if v, err := words.DecodeHeader(raw); err == nil {
		return v
	}
	return raw
}

func charsetOf(p *enmime.Part) string {
	_, params, _, err := mediatype.Parse(cutField(p.Header.Get("Content-Type")))
	if err != nil {
		return ""
	}
	return params["charset"]
}

// part writes a part of a mail, or the parts it consists of.
func (w *writer) part(p *enmime.Part, depth int) error {
	if w.parts++; w.parts > w.limits.Entries {
		return w.tooMany()
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	for _, e := range p.Errors {
		if e.Severe {
			w.b.Warn("a part could not be decoded: %s", e.Detail)
		} else if e.Name == enmime.ErrorMissingBoundary {
			w.b.Warn("the mail ends early")
		}
	}
	if p.FirstChild != nil || strings.HasPrefix(p.ContentType, "multipart/") {
		return w.multipart(p, depth+1)
	}
	data := p.Content
	if w.left -= int64(len(data)); w.left < 0 {
		return intake.Refuse(intake.TooLarge, "the parts of the mail are over the limit of %d bytes", w.limits.TextBytes)
	}
	kind := p.ContentType
	if kind == "" {
		kind = "text/plain"
	}
	switch {
	case kind == "message/rfc822" && depth < maxDepth:
		return w.message(data, depth+1)
	case p.FileName != "" && (p.Disposition == "attachment" || !strings.HasPrefix(kind, "text/")):
		return w.attachment(p.FileName, data)
	case kind == "text/html":
		page := document.Builder{Most: w.limits.TextBytes}
		if err := webpage.Write(w.ctx, &page, decode(data, charsetOf(p)), w.limits); err != nil {
			return err
		}
		d := page.Document()
		w.letter.says(d.Text)
		w.b.Append(d)
	case strings.HasPrefix(kind, "text/"):
		w.plain(decode(data, charsetOf(p)))
	}
	return nil
}

func (w *writer) tooMany() error {
	return intake.Refuse(intake.TooLarge, "the mail has more than %d parts", w.limits.Entries)
}

// multipart writes the parts of a part; of alternatives, the one with the most
// content.
func (w *writer) multipart(p *enmime.Part, depth int) error {
	if depth > maxDepth {
		w.b.Warn("parts nested deeper than %d are left out", maxDepth)
		return nil
	}
	if p.ContentType != "multipart/alternative" {
		for c := p.FirstChild; c != nil; c = c.NextSibling {
			if err := w.part(c, depth); err != nil {
				return err
			}
		}
		return nil
	}
	var best *document.Document
	most := -1.0
	for c := p.FirstChild; c != nil; c = c.NextSibling {
		omitted := w.letter.omitted
		d, err := w.apart(c, depth)
		if err != nil {
			return err
		}
		// Other types, such as calendars, are used only if there is nothing
		// else. HTML must have clearly more content than text, since it also
		// contains layout.
		weight := float64(letters(d.Text) + w.letter.omitted - omitted)
		switch {
		case c.ContentType == "text/plain":
			weight *= 1.25
		case c.ContentType != "text/html" && c.FirstChild == nil:
			weight = min(weight, .5)
		}
		if weight > most {
			best, most = d, weight
		}
	}
	if best != nil {
		w.b.Append(best)
	}
	return nil
}

// apart writes a part into a separate document.
func (w *writer) apart(p *enmime.Part, depth int) (*document.Document, error) {
	whole := w.b
	defer func() { w.b = whole }()
	w.b = &document.Builder{Most: w.limits.TextBytes}
	if err := w.part(p, depth); err != nil {
		return nil, err
	}
	return w.b.Document(), nil
}

// address matches link targets, which do not count as content.
var address = regexp.MustCompile(`\]\([^)\s]*\)|https?://\S+`)

// letters counts the letters of a text's content.
func letters(s string) int {
	n := 0
	for _, r := range address.ReplaceAllLiteralString(s, "") {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// attachment reads an attachment.
func (w *writer) attachment(name string, data []byte) error {
	for _, r := range w.others(name) {
		limits := w.limits
		limits.TextBytes = max(w.left, 1)
		d, err := r.Read(w.ctx, intake.Source{Name: name, Data: data}, limits)
		switch {
		case err == nil:
			w.left -= int64(len(d.Text))
			w.b.Heading(2, name)
			w.b.Append(d)
			return nil
		case w.ctx.Err() != nil:
			return w.ctx.Err()
		default:
			why := "it could not be read"
			if f := fault.As(err); f != nil {
				why = f.Msg
			}
			w.b.Warn("the attachment %q is left out: %s", name, why)
			return nil
		}
	}
	w.b.Warn("the attachment %q has an unknown format", name)
	return nil
}

func charsetReader(name string, in io.Reader) (io.Reader, error) {
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, err
	}
	return e.NewDecoder().Reader(in), nil
}

// decode decodes text in the declared or else a guessed character set.
func decode(data []byte, name string) string {
	if e, err := htmlindex.Get(name); err == nil && name != "" && !strings.EqualFold(name, "utf-8") && !strings.EqualFold(name, "us-ascii") {
		return charset.With(e, data)
	}
	text, _ := charset.Decode(data)
	return text
}
