package pdf

import (
	"context"

	"lectern/shared/knowledge/reader/intake"
)

// MaxForms is the limit of forms drawn by one page.
const MaxForms = maxForms

// Drawn returns how many forms the first page of a file draws, and how much memory
// that takes.
func Drawn(ctx context.Context, e *Engine, data []byte) (forms int, bytes uint32, err error) {
	err = e.with(ctx, data, intake.PDFOptions{}, func(s *session) error {
		doc, _, err := s.open(data)
		if err != nil {
			return err
		}
		s.load(doc, 0, false)
		forms, bytes = s.drawn(), s.module.Memory().Size()
		return s.err
	})
	return forms, bytes, err
}
