// Package reader turns files into documents, one format per file. builtin.go
// lists them; a format is added by its file and a line there.
//
// Readers trust nothing: sizes, pages, nesting and time are bounded by Limits,
// and what cannot be read is a fault.Invalid whose problem has one of the Type
// constants below, never a guess and never a panic.
package reader

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"lectern/shared/document"
	"lectern/shared/fault"
)

// The problem types of files that cannot be read.
//
// Source: decisions 8 "Unreadable input".
const (
	Encrypted    = "encrypted_file"
	MalformedDoc = "malformed_file"
	Mismatched   = "mismatched_mime_type" // the content is of another format than the extension says
	Unknown      = "unsupported_extension"
	Empty        = "empty_document" // no text in it; scanned pages too
	TooLarge     = "too_large"
	TooManyPages = "too_many_pages"
)

// Source is a file to read.
type Source struct {
	Name string // for its extension only
	Data []byte // not changed
}

// Limits bound one read. Zero fields mean the defaults named here.
type Limits struct {
	Bytes     int64         // of the file; 100 MiB
	TextBytes int64         // of the document made of it, and of anything unpacked on the way; 256 MiB
	Pages     int           // 5,000
	Entries   int           // members of an archive; 10,000
	Depth     int           // of nesting; deeper levels are flattened; 100
	Time      time.Duration // 30 s
}

func (l Limits) orDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
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
	return l
}

// Reader reads one format. Read may be called concurrently.
type Reader interface {
	Name() string
	Extensions() []string // lower case with the dot, the usual one first
	// Read makes the document. It honours ctx and the limits, and returns
	// fault.Invalid with one of the types above for a file it cannot read.
	Read(ctx context.Context, src Source, limits Limits) (*document.Document, error)
}

// Set is a choice of readers in the order in which they are offered.
type Set struct {
	readers []Reader
	closers []func() error
}

// NewSet makes a set of readers; an earlier one wins an extension.
func NewSet(readers ...Reader) *Set { return &Set{readers: readers} }

// Readers returns the set's readers in order.
func (s *Set) Readers() []Reader { return slices.Clone(s.readers) }

// Named returns the reader of this name.
func (s *Set) Named(name string) (Reader, bool) {
	for _, r := range s.readers {
		if r.Name() == name {
			return r, true
		}
	}
	return nil, false
}

// ForName returns the readers that accept the file name's extension, best
// first; none is not an error.
func (s *Set) ForName(fileName string) []Reader {
	ext := Ext(fileName)
	var fit []Reader
	for _, r := range s.readers {
		if slices.Contains(r.Extensions(), ext) {
			fit = append(fit, r)
		}
	}
	return fit
}

// Close frees what the readers hold between reads.
func (s *Set) Close() error {
	var first error
	for _, c := range s.closers {
		if err := c(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Ext returns the lower-case extension of a file name with its dot, or "".
func Ext(fileName string) string { return strings.ToLower(path.Ext(fileName)) }

func unreadable(kind, msg string) error {
	if kind == Unknown {
		return fault.Field(kind, msg, "body", "metadata", "file_name")
	}
	return fault.Field(kind, msg, "body", "input", "value")
}
