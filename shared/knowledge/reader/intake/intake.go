// Package intake is what all readers share: their input, their limits, and
// their errors.
package intake

import (
	"fmt"
	"time"

	"lectern/shared/fault"
)

// Problem types of files that cannot be read.
const (
	Encrypted    = "encrypted_file"
	Malformed    = "malformed_file"
	Mismatched   = "mismatched_mime_type" // the content is of another format than the extension says
	Unknown      = "unsupported_extension"
	Empty        = "empty_document" // no text in it; scanned pages too
	TooLarge     = "too_large"
	TooManyPages = "too_many_pages"
)

// Source is a file to read.
type Source struct {
	Name string // for its extension only
	Data []byte // not changed, not kept
}

// Limits limit one read. Zero fields select the defaults.
type Limits struct {
	Bytes     int64         // of the file; 100 MiB
	TextBytes int64         // of the resulting document, and of everything that is unpacked; 256 MiB
	Nodes     int           // of the resulting document: paragraphs, rows, items and headings; 2,500,000
	Pages     int           // 5,000
	Entries   int           // members of an archive; 10,000
	Depth     int           // of nesting, beyond which levels are flattened; 100
	Time      time.Duration // 30 s
	TimePerMB time.Duration // added to Time for each MiB of the file; 5 s
	Program   time.Duration // added to Time if a program or a model is involved; 60 s
}

// OrDefaults replaces zeros by the defaults.
func (l Limits) OrDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.Nodes, 2_500_000)
	def(&l.Pages, 5000)
	def(&l.Entries, 10000)
	def(&l.Depth, 100)
	if l.Bytes <= 0 {
		l.Bytes = 100 << 20
	}
	if l.TextBytes <= 0 {
		l.TextBytes = 256 << 20
	}
	if l.Time <= 0 {
		l.Time = 30 * time.Second
	}
	if l.TimePerMB <= 0 {
		l.TimePerMB = 5 * time.Second
	}
	if l.Program <= 0 {
		l.Program = time.Minute
	}
	return l
}

// Refuse returns the fault.Invalid of a file that cannot be read; kind is one
// of the constants above.
func Refuse(kind, format string, args ...any) error {
	return fault.Field(kind, fmt.Sprintf(format, args...), "body", "input", "value")
}

// Check returns the fault of a document that is over the limits so far, of which a
// reader asks as it goes.
func (l Limits) Check(textBytes, nodes int) error {
	if int64(textBytes) > l.TextBytes {
		return l.TooLong()
	}
	if nodes > l.Nodes {
		return Refuse(TooLarge, "the file has more than %d paragraphs, rows and items", l.Nodes)
	}
	return nil
}

// TooLong is the fault of a text over Limits.TextBytes.
func (l Limits) TooLong() error {
	return Refuse(TooLarge, "the text of the file is over the limit of %d bytes", l.TextBytes)
}
