package pdf

import (
	"context"
	"errors"

	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

var _ intake.PDF = (*Engine)(nil)

// Document implements intake.PDF.
func (e *Engine) Document(ctx context.Context, data []byte, o intake.PDFOptions) (d *document.Document, scanErr, err error) {
	f, err := e.Read(ctx, data, o)
	switch {
	case errors.Is(err, ErrEncrypted):
		return nil, nil, errors.Join(intake.Refuse(intake.Encrypted, "the file is encrypted"), err)
	case errors.Is(err, ErrTooManyPages):
		return nil, nil, errors.Join(intake.Refuse(intake.TooManyPages, "the file has more than %d pages", o.MaxPages), err)
	case errors.Is(err, ErrMalformed):
		return nil, nil, errors.Join(intake.Refuse(intake.Malformed, "the file is damaged"), err)
	case err != nil:
		return nil, nil, err
	}
	var b document.Builder
	Write(&b, f)
	d = b.Document()
	d.Pages = len(f.Pages)
	return d, f.ScanErr, nil
}
