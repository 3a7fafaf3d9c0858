package pdf

import (
	"context"
	"errors"

	"lectern/shared/fault"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

var _ intake.PDF = (*Engine)(nil)

// Document implements intake.PDF.
func (e *Engine) Document(ctx context.Context, data []byte, o intake.PDFOptions) (d *document.Document, scanErr, err error) {
	f, err := e.Read(ctx, data, o)
	if err != nil {
		return nil, nil, refusal(err, o.MaxPages)
	}
	b := document.Builder{Most: o.TextBytes}
	if err := Write(ctx, &b, f); err != nil {
		return nil, nil, err
	}
	d = b.Document()
	d.Pages = len(f.Pages)
	return d, f.ScanErr, nil
}

// refusal tells why a file cannot be read in the faults of readers.
func refusal(err error, maxPages int) error {
	var kind error
	switch {
	case errors.Is(err, ErrEncrypted):
		kind = intake.Refuse(intake.Encrypted, "the file is encrypted")
	case errors.Is(err, ErrTooManyPages):
		kind = intake.Refuse(intake.TooManyPages, "the file has more than %d pages", maxPages)
	case errors.Is(err, ErrTooManyForms):
		kind = intake.Refuse(intake.Malformed, "a page of the file draws more than %d forms", maxForms)
	case errors.Is(err, ErrTooMuchMemory):
		kind = intake.Refuse(intake.TooLarge, "reading the file takes too much memory")
	case errors.Is(err, ErrTooMuchTime):
		kind = intake.Refuse(intake.Malformed, "reading the file takes too much time")
	case errors.Is(err, ErrMalformed):
		kind = intake.Refuse(intake.Malformed, "the file is damaged")
	default:
		return err
	}
	return errors.Join(kind, err)
}

// Letters implements intake.PDF.
func (e *Engine) Letters(ctx context.Context, data []byte, from, to int) (pages []intake.PageLetters, err error) {
	err = e.with(ctx, data, intake.PDFOptions{}, func(s *session) (err error) {
		pages, err = s.letters(data, from, to)
		return err
	})
	if ctx.Err() != nil && fault.CodeOf(err) != fault.RateLimited {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, refusal(err, 0)
	}
	return pages, nil
}

func (s *session) letters(data []byte, from, to int) ([]intake.PageLetters, error) {
	doc, count, err := s.open(data)
	if err != nil {
		return nil, err
	}
	form := s.call("FPDF_GetFormType", doc) != 0
	var pages []intake.PageLetters
	for i := max(from, 1); i <= min(to, count); i++ {
		s.refuel()
		handle := s.load(doc, uint64(i-1), form)
		if s.err != nil {
			break
		}
		if handle == 0 {
			continue
		}
		pages = append(pages, s.lettersOf(handle, i))
		s.call("FPDF_ClosePage", handle)
	}
	return pages, s.err
}

func (s *session) lettersOf(handle uint64, number int) intake.PageLetters {
	p := intake.PageLetters{Number: number, Rotation: 90 * int(int32(s.call("FPDFPage_GetRotation", handle)))}
	p.Width, p.Height = s.extent(handle)
	text := s.call("FPDFText_LoadPage", handle)
	if text == 0 {
		return p
	}
	defer s.call("FPDFText_ClosePage", text)
	w := &segmenter{s: s, text: text, chars: s.characters(text)}
	for i, r := range w.chars {
		if s.err != nil {
			break
		}
		if r <= ' ' {
			continue
		}
		word, _ := cleanWord(w.chars[i : i+1]) // ligatures become letters
		b := w.box(i)
		for _, r := range word {
			p.Letters = append(p.Letters, intake.Letter{Rune: r, X0: b.x0, Y0: b.y0, X1: b.x1, Y1: b.y1})
		}
	}
	return p
}
