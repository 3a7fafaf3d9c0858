// Package reader is the port to the readers of documents, which parse a file
// into a document, and a set of readers to choose from. Package formats has the
// readers, and is not linked by programs that only pass documents on.
//
// Readers do not trust their input: Limits limit sizes, pages, nesting and
// time, and a file that cannot be read is fault.Invalid with a problem of one
// of the types below.
package reader

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"lectern/shared/fault"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// Problem types of files that cannot be read; see intake.
const (
	Encrypted    = intake.Encrypted
	Malformed    = intake.Malformed
	Mismatched   = intake.Mismatched
	Unknown      = intake.Unknown
	Empty        = intake.Empty
	TooLarge     = intake.TooLarge
	TooManyPages = intake.TooManyPages
)

// Source is a file to read.
type Source = intake.Source

// Limits limit one read; zero fields select the defaults.
type Limits = intake.Limits

// Reader reads one format. Safe for concurrent use.
type Reader interface {
	Name() string
	Extensions() []string // lower case with the dot, the usual one first
	// Read parses a file. A file that cannot be read is fault.Invalid with one
	// problem, whose Type is one of the constants above and whose Loc is
	// body.input.value, or body.metadata.file_name for a wrong extension. The
	// end of ctx is fault.Cancelled.
	Read(ctx context.Context, src Source, limits Limits) (*document.Document, error)
}

// PageLetters are the characters of a page with their boxes.
type PageLetters = intake.PageLetters

// Placer is implemented by readers of formats with pages, whose characters have
// places.
type Placer interface {
	// Letters returns the characters of the pages from and to, counted from 1.
	Letters(ctx context.Context, data []byte, from, to int) ([]PageLetters, error)
}

// Set is an ordered set of readers. Safe for concurrent use once it is built.
type Set struct {
	readers []Reader
	sniff   func(data []byte) string
	lacks   map[string]string // what must be configured to read an extension
	closers []func() error
}

// NewSet returns an empty set. sniff identifies formats by content; see Sniff.
func NewSet(sniff func(data []byte) string) *Set {
	return &Set{sniff: sniff, lacks: map[string]string{}}
}

// Add appends readers; for an extension, earlier readers take precedence.
func (s *Set) Add(readers ...Reader) { s.readers = append(s.readers, readers...) }

// Lack records what must be configured to read extensions without a reader.
func (s *Set) Lack(need string, extensions ...string) {
	for _, ext := range extensions {
		s.lacks[ext] = need
	}
}

// OnClose registers f to be called by Close.
func (s *Set) OnClose(f func() error) { s.closers = append(s.closers, f) }

// Sniff returns the usual extension of the format of data, such as ".pdf" or
// ".html": ".txt" for other text, ".bin" for unknown binary data.
func (s *Set) Sniff(data []byte) string { return s.sniff(data) }

// Readers returns the readers in order.
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

// ForName returns the readers for the file name's extension, best first;
// possibly none.
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

// Extensions returns every extension that has a reader, sorted.
func (s *Set) Extensions() []string {
	var all []string
	for _, r := range s.readers {
		all = append(all, r.Extensions()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Read reads a file with the first reader for its extension; if there is none,
// it is fault.Invalid of type Unknown.
func (s *Set) Read(ctx context.Context, src Source, limits Limits) (*document.Document, error) {
	fit := s.ForName(src.Name)
	if len(fit) == 0 {
		return nil, s.Unsupported(src.Name, "body", "metadata", "file_name")
	}
	return fit[0].Read(ctx, src, limits)
}

// Unsupported returns the fault.Invalid, of type Unknown at loc, of a file
// without a reader, and says what to configure if that would help.
func (s *Set) Unsupported(fileName string, loc ...any) error {
	msg := fmt.Sprintf("no reader takes files with the extension %q", Ext(fileName))
	if need := s.lacks[Ext(fileName)]; need != "" {
		msg += "; it would take " + need
	}
	return fault.Field(Unknown, msg, loc...)
}

// Close frees the readers' resources.
func (s *Set) Close() error {
	var errs []error
	for _, c := range s.closers {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

// Ext returns the lower-case extension of a file name with its dot, or "".
func Ext(fileName string) string { return strings.ToLower(path.Ext(fileName)) }
