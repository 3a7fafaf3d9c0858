package intake

import (
	"context"
	"time"

	"lectern/shared/text/document"
)

// PDFOptions are the options of reading one PDF file.
type PDFOptions struct {
	MaxPages int
	// Recognise reads the text in PNG images of pages without text; nil leaves those
	// pages empty.
	Recognise func(ctx context.Context, image []byte, mediaType string) (string, error)
	// ScanTime is the time limit for recognising pages.
	ScanTime time.Duration
}

// PDF is an engine that reads PDF files. It is passed to the readers, because
// it is large and should be linked only by programs that read documents. Safe
// for concurrent use.
type PDF interface {
	// Document reads a whole file before ctx ends. Its faults are those of this
	// package. A file without text gives an empty document, and scanErr then
	// says why its pages were not recognised.
	Document(ctx context.Context, data []byte, o PDFOptions) (d *document.Document, scanErr, err error)
	Close() error
}
