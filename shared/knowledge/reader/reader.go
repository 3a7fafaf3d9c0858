// Package reader is the port to the readers of documents: a file in, its text
// as a document out, and a set of readers to choose from. Package formats has
// the readers; who only passes documents on does not link them.
//
// Readers trust nothing: sizes, pages, nesting and time are bounded by Limits,
// and what cannot be read is a fault.Invalid whose problem has one of the Type
// constants below, never a guess and never a panic.
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

// The problem types of files that cannot be read; see intake.
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

// Limits bound one read; zero fields mean defaults.
type Limits = intake.Limits

// Reader reads one format. Safe for concurrent use.
type Reader interface {
	Name() string
	Extensions() []string // lower case with the dot, the usual one first
	// Read makes the document. A file that cannot be read is fault.Invalid
	// with one problem, whose Type is one of the constants above and whose
	// Loc is body.input.value, or body.metadata.file_name when the extension
	// is the trouble. The end of ctx is fault.Cancelled.
	Read(ctx context.Context, src Source, limits Limits) (*document.Document, error)
}

// Set is a choice of readers in the order in which they are offered. It is
// safe for concurrent use once it is made.
type Set struct {
	readers []Reader
	sniff   func(data []byte) string
	lacks   map[string]string // what it takes to read an extension that no reader takes
	closers []func() error
}

// NewSet makes an empty set. sniff tells formats by their bytes; see Sniff.
func NewSet(sniff func(data []byte) string) *Set {
	return &Set{sniff: sniff, lacks: map[string]string{}}
}

// Add adds readers behind those of the set; an earlier one wins an extension.
func (s *Set) Add(readers ...Reader) { s.readers = append(s.readers, readers...) }

// Lack says what it would take to read extensions that no reader takes.
func (s *Set) Lack(need string, extensions ...string) {
	for _, ext := range extensions {
		s.lacks[ext] = need
	}
}

// OnClose has the set's Close call f.
func (s *Set) OnClose(f func() error) { s.closers = append(s.closers, f) }

// Sniff returns the usual extension of the format that data looks like, such
// as ".pdf" or ".html": ".txt" for other text, ".bin" for what is neither known
// nor text.
func (s *Set) Sniff(data []byte) string { return s.sniff(data) }

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

// ForName returns the readers that take the file name's extension, best
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

// Extensions returns every extension that some reader takes, sorted.
func (s *Set) Extensions() []string {
	var all []string
	for _, r := range s.readers {
		all = append(all, r.Extensions()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Read reads a file with the first reader that takes its extension; none is
// fault.Invalid of type Unknown.
func (s *Set) Read(ctx context.Context, src Source, limits Limits) (*document.Document, error) {
	fit := s.ForName(src.Name)
	if len(fit) == 0 {
		return nil, s.Unsupported(src.Name, "body", "metadata", "file_name")
	}
	return fit[0].Read(ctx, src, limits)
}

// Unsupported is the fault.Invalid, of type Unknown at loc, of a file whose
// extension no reader takes. It says what would help, if something would.
func (s *Set) Unsupported(fileName string, loc ...any) error {
	msg := fmt.Sprintf("no reader takes files with the extension %q", Ext(fileName))
	if need := s.lacks[Ext(fileName)]; need != "" {
		msg += "; it would take " + need
	}
	return fault.Field(Unknown, msg, loc...)
}

// Close frees what the readers hold between reads.
func (s *Set) Close() error {
	var errs []error
	for _, c := range s.closers {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

// Ext returns the lower-case extension of a file name with its dot, or "".
func Ext(fileName string) string { return strings.ToLower(path.Ext(fileName)) }
