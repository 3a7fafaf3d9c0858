package reader

import (
	"context"
	"errors"

	"lectern/shared/document"
	"lectern/shared/reader/intake"
	"lectern/shared/reader/pdf"
)

// pdfReader reads PDF. A file without any text (scanned pages) is Empty.
func pdfReader(e *pdf.Engine) Reader {
	return &format{
		name:       "pdf",
		extensions: []string{".pdf"},
		accepts:    is(".pdf"),
		read: func(ctx context.Context, src Source, limits Limits) (*document.Document, error) {
			f, err := e.Read(ctx, src.Data, limits.Pages)
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
			d.Pages = len(f.Pages)
			return d, nil
		},
	}
}
