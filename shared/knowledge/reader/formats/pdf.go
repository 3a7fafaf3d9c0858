package formats

import (
	"context"
	"errors"
	"strings"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/picture"
	"lectern/shared/text/document"
)

// pdfReader reads PDF, and scanned pages with recognise. If that is nil, a file
// with only scanned pages is Empty.
func pdfReader(e intake.PDF, recognise picture.Recognise) reader.Reader {
	return placed{engine: e, format: &format{
		name:       "pdf",
		extensions: []string{".pdf"},
		accepts:    is(".pdf"),
		slow:       recognise != nil,
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			d, scanErr, err := e.Document(ctx, src.Data, intake.PDFOptions{MaxPages: limits.Pages, TextBytes: limits.TextBytes, Recognise: recognise,
				ScanTime: limits.Program})
			if err != nil {
				return nil, err
			}
			if strings.TrimSpace(d.Text) == "" {
				msg := "there is no text in the file"
				if recognise == nil {
					msg += "; if its pages are scanned, reading them takes " + needsSight
				}
				return nil, errors.Join(intake.Refuse(intake.Empty, "%s", msg), scanErr)
			}
			return d, nil
		},
	}}
}

// placed is a format that knows where its text stands.
type placed struct {
	*format
	engine intake.PDF
}

// Letters implements reader.Placer.
func (p placed) Letters(ctx context.Context, data []byte, from, to int) ([]intake.PageLetters, error) {
	return p.engine.Letters(ctx, data, from, to)
}
