package intake

import (
	"context"
	"time"

	"lectern/shared/text/document"
)

// PDFOptions are the options of reading one PDF file.
type PDFOptions struct {
	MaxPages  int
	TextBytes int64 // of the document; 0 is no limit
	// Recognise reads the text in PNG images of pages without text; nil leaves those
	// pages empty.
	Recognise func(ctx context.Context, image []byte, mediaType string) (string, error)
	// ScanTime is the time limit for recognising pages.
	ScanTime time.Duration
}

// PageLetters are the characters of a page, in the order of the file, and the page's
// size. Rotation is that by which viewers turn the page, clockwise, in degrees; boxes
// are those of the page as it is, in points, y growing upwards.
type PageLetters struct {
	Number        int // from 1
	Width, Height float64
	Rotation      int
	Letters       []Letter
}

// Letter is a character with its box.
type Letter struct {
	Rune           rune
	X0, Y0, X1, Y1 float64
}

// PDF is an engine that reads PDF files. It is passed to the readers, because
// it is large and should be linked only by programs that read documents. Safe
// for concurrent use.
type PDF interface {
	// Document reads a whole file before ctx ends. Its faults are those of this
	// package. A file without text gives an empty document, and scanErr then
	// says why its pages were not recognised.
	Document(ctx context.Context, data []byte, o PDFOptions) (d *document.Document, scanErr, err error)
	// Letters returns the characters of the pages from and to, counted from 1; a last
	// page beyond the end counts as the end.
	Letters(ctx context.Context, data []byte, from, to int) ([]PageLetters, error)
	Close() error
}
