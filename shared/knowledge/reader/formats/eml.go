package formats

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"

	"lectern/shared/fault"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/webpage"
	"lectern/shared/text/document"
)

// emlReader reads mails: the usual header fields, the text (plain where there
// is one, else HTML), and the attachments by the readers of others. One that
// cannot be read is a warning.
func emlReader(others func(fileName string) []reader.Reader) reader.Reader {
	return &format{
		name:       "eml",
		extensions: []string{".eml", ".mht", ".mhtml"},
		accepts:    isText,
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			w := &mailWriter{ctx: ctx, limits: limits, others: others, left: limits.TextBytes}
			if err := w.message(src.Data, 0); err != nil {
				return nil, err
			}
			return w.b.Document(), nil
		},
	}
}

type mailWriter struct {
	ctx    context.Context
	limits intake.Limits
	others func(fileName string) []reader.Reader
	b      document.Builder
	left   int64 // bytes that parts may still take
	parts  int
}

const maxMailDepth = 10

func (w *mailWriter) message(data []byte, depth int) error {
	m, err := mail.ReadMessage(bytes.NewReader(bytes.TrimLeft(data, "\r\n")))
	if err != nil {
		return errors.Join(intake.Refuse(intake.Malformed, "the file is not a mail"), err)
	}
	words := &mime.WordDecoder{CharsetReader: charsetReader}
	field := func(name string) string {
		raw := plainHeader(m.Header.Get(name), m.Header.Get("Content-Type"))
		if v, err := words.DecodeHeader(raw); err == nil {
			return v
		}
		return raw
	}
	subject := field("Subject")
	if depth == 0 {
		w.b.Title(subject)
	}
	w.b.Heading(min(1+depth, 6), subject)
	for _, name := range []string{"From", "To", "Cc", "Date"} {
		if v := field(name); v != "" {
			w.b.Item(0, false, name+": "+v)
		}
	}
	return w.part(textproto.MIMEHeader(m.Header), m.Body, depth)
}

// plainHeader decodes a header field whose bytes were not encoded, as old
// programs write them: in the charset of the mail's text, else a guessed one.
func plainHeader(raw, contentType string) string {
	if utf8.ValidString(raw) {
		return raw
	}
	_, params, _ := mime.ParseMediaType(contentType)
	return decodeCharset([]byte(raw), params["charset"])
}

// part writes a part of a mail, or the parts it consists of.
func (w *mailWriter) part(header textproto.MIMEHeader, body io.Reader, depth int) error {
	if w.parts++; w.parts > w.limits.Entries {
		return intake.Refuse(intake.TooLarge, "the mail has more than %d parts", w.limits.Entries)
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		kind = "text/plain"
	}
	if strings.HasPrefix(kind, "multipart/") {
		if depth >= maxMailDepth {
			w.b.Warn("parts nested deeper than %d are left out", maxMailDepth)
			return nil
		}
		return w.multipart(kind, params["boundary"], body, depth+1)
	}
	data, err := w.decode(header, body)
	if err != nil {
		return err
	}
	_, disposition, _ := mime.ParseMediaType(header.Get("Content-Disposition"))
	name := disposition["filename"]
	if name == "" {
		name = params["name"]
	}
	words := &mime.WordDecoder{CharsetReader: charsetReader}
	if decoded, err := words.DecodeHeader(name); err == nil {
		name = decoded
	}
	attached := strings.HasPrefix(strings.ToLower(header.Get("Content-Disposition")), "attachment")
	switch {
	case kind == "message/rfc822" && depth < maxMailDepth:
		return w.message(data, depth+1)
	case name != "" && (attached || !strings.HasPrefix(kind, "text/")):
		return w.attachment(name, data)
	case kind == "text/html":
		var page document.Builder
		if err := webpage.Write(w.ctx, &page, decodeCharset(data, params["charset"]), w.limits); err != nil {
			return err
		}
		w.b.Append(page.Document())
	case strings.HasPrefix(kind, "text/"):
		for para := range strings.SplitSeq(decodeCharset(data, params["charset"]), "\n\n") {
			w.b.Paragraph(para)
		}
	}
	return nil
}

// decode undoes the transfer encoding.
func (w *mailWriter) decode(header textproto.MIMEHeader, body io.Reader) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(header.Get("Content-Transfer-Encoding"))) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, &base64Filter{body})
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	data, err := io.ReadAll(io.LimitReader(body, w.left+1))
	if w.left -= int64(len(data)); w.left < 0 {
		return nil, intake.Refuse(intake.TooLarge, "the parts of the mail are over the limit of %d bytes", w.limits.TextBytes)
	}
	if err != nil && len(data) == 0 {
		w.b.Warn("a part could not be decoded: %v", err)
	}
	return data, nil
}

// base64Filter drops what is not of the alphabet, as mail programs do.
type base64Filter struct{ in io.Reader }

func (f *base64Filter) Read(p []byte) (int, error) {
	for {
		n, err := f.in.Read(p)
		kept := 0
		for _, c := range p[:n] {
			if c > ' ' && c < 0x7F {
				p[kept] = c
				kept++
			}
		}
		if kept > 0 || err != nil {
			return kept, err
		}
	}
}

// multipart writes the parts between boundaries; of alternatives the plain
// text, or else the last.
func (w *mailWriter) multipart(kind, boundary string, body io.Reader, depth int) error {
	if boundary == "" {
		return intake.Refuse(intake.Malformed, "the mail's parts have no boundary")
	}
	r := multipart.NewReader(body, boundary)
	type alternative struct {
		header textproto.MIMEHeader
		data   []byte
	}
	var alternatives []alternative
	for {
		p, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			w.b.Warn("the mail ends early: %v", err)
			break
		}
		if kind != "multipart/alternative" {
			if err := w.part(p.Header, p, depth); err != nil {
				return err
			}
			continue
		}
		data, err := io.ReadAll(io.LimitReader(p, w.limits.Bytes))
		if err != nil {
			w.b.Warn("the mail ends early: %v", err)
		}
		alternatives = append(alternatives, alternative{p.Header, data})
	}
	if len(alternatives) == 0 {
		return nil
	}
	chosen := alternatives[len(alternatives)-1]
	for _, a := range alternatives {
		if strings.HasPrefix(strings.ToLower(a.header.Get("Content-Type")), "text/plain") && len(bytes.TrimSpace(a.data)) > 0 {
			chosen = a
		}
	}
	return w.part(chosen.header, bytes.NewReader(chosen.data), depth)
}

// attachment reads a file that came with the mail.
func (w *mailWriter) attachment(name string, data []byte) error {
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
	w.b.Warn("the attachment %q is of no known format", name)
	return nil
}

func charsetReader(name string, in io.Reader) (io.Reader, error) {
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, err
	}
	return e.NewDecoder().Reader(in), nil
}

// decodeCharset decodes text in the character set that a mail names, or that
// it looks like.
func decodeCharset(data []byte, name string) string {
	if e, err := htmlindex.Get(name); err == nil && name != "" && !strings.EqualFold(name, "utf-8") && !strings.EqualFold(name, "us-ascii") {
		return charset.With(e, data)
	}
	text, _ := charset.Decode(data)
	return text
}
