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
	if err != nil {
		return nil, nil, refusal(err, o.MaxPages)
	}
	var b document.Builder
	Write(&b, f)
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
	case errors.Is(err, ErrMalformed):
		kind = intake.Refuse(intake.Malformed, "the file is damaged")
	default:
		return err
	}
	return errors.Join(kind, err)
}
