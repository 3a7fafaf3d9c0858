package intake

import (
	"context"
	"time"

	"lectern/shared/text/document"
)

// PDFOptions are what a PDF engine is told of one file.
type PDFOptions struct {
	MaxPages int
	// Recognise finds the text of pages that have none, in PNG images of
	// them; nil: they stay empty.
	Recognise func(ctx context.Context, image []byte, mediaType string) (string, error)
	// ScanTime is after how long no more pages are recognised.
	ScanTime time.Duration
}

// PDF is an engine that reads PDF files. It is handed to the readers, because
// it is large, and who reads nothing should not carry it. Safe for concurrent
// use.
type PDF interface {
	// Document reads a file, all of it before the end of ctx. Its refusals
	// are those of this package. A file without text has an empty one, and
	// scanErr then says why its pages were not recognised.
	Document(ctx context.Context, data []byte, o PDFOptions) (d *document.Document, scanErr, err error)
	Close() error
}
