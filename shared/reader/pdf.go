package reader

import (
	"context"
	"errors"
	"strings"

	"lectern/shared/document"
	"lectern/shared/reader/intake"
	"lectern/shared/reader/pdf"
	"lectern/shared/reader/picture"
)

// pdfReader reads PDF, scanned pages by recognise. Where that is nil, a file of
// them is Empty.
func pdfReader(e *pdf.Engine, recognise picture.Recognise) Reader {
	return &format{
		name:       "pdf",
		extensions: []string{".pdf"},
		accepts:    is(".pdf"),
		slow:       recognise != nil,
		read: func(ctx context.Context, src Source, limits Limits) (*document.Document, error) {
			f, err := e.Read(ctx, src.Data, pdf.Options{MaxPages: limits.Pages, Recognise: recognise, ScanTime: limits.Program})
			switch {
			case errors.Is(err, pdf.ErrEncrypted):
				return nil, errors.Join(intake.Refuse(Encrypted, "the file is encrypted"), err)
			case errors.Is(err, pdf.ErrTooManyPages):
				return nil, errors.Join(intake.Refuse(TooManyPages, "the file has more than %d pages", limits.Pages), err)
			case errors.Is(err, pdf.ErrMalformed):
				return nil, errors.Join(intake.Refuse(Malformed, "the file is damaged"), err)
			case err != nil:
				return nil, err
			}
			var b document.Builder
			pdf.Write(&b, f)
			d := b.Document()
			if strings.TrimSpace(d.Text) == "" {
				msg := "there is no text in the file"
				if recognise == nil {
					msg += "; if its pages are scanned, reading them takes " + needsSight
				}
				return nil, errors.Join(intake.Refuse(Empty, "%s", msg), f.ScanErr)
			}
			d.Pages = len(f.Pages)
			return d, nil
		},
	}
}
