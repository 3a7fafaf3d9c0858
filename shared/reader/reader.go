// Package reader turns files into documents, one format per file. builtin.go
// lists them; a format is added by its file and a line there.
//
// Readers trust nothing: sizes, pages, nesting and time are bounded by Limits,
// and what cannot be read is a fault.Invalid whose problem has one of the Type
// constants below, never a guess and never a panic. What surrounds every
// format (limits, deadline, the check that the content is what the extension
// says, empty results) is done once, in format.Read.
package reader

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"lectern/shared/document"
	"lectern/shared/fault"
	"lectern/shared/reader/intake"
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

// format is the Reader of one format: its read gets a Source whose content
// has been checked, limits without zeros and a ctx that ends at the deadline.
type format struct {
	name       string
	extensions []string
	// accepts reports whether a sniffed extension may be this format.
	accepts func(sniffed string) bool
	slow    bool // a program or a model helps to read
	read    func(ctx context.Context, src Source, limits Limits) (*document.Document, error)
}

func (f *format) Name() string         { return f.name }
func (f *format) Extensions() []string { return slices.Clone(f.extensions) }

func (f *format) Read(ctx context.Context, src Source, limits Limits) (doc *document.Document, err error) {
	limits = limits.OrDefaults()
	if int64(len(src.Data)) > limits.Bytes {
		return nil, intake.Refuse(TooLarge, "the file of %d bytes is over the limit of %d", len(src.Data), limits.Bytes)
	}
	if len(src.Data) == 0 {
		return nil, intake.Refuse(Empty, "the file is empty")
	}
	if sniffed := Sniff(src.Data); !f.accepts(sniffed) {
		return nil, mismatch(src.Name, f.name, sniffed)
	}
	most := limits.Time
	if f.slow {
		most += limits.Program
	}
	ctx, cancel := context.WithTimeoutCause(ctx, most, errDeadline)
	defer cancel()
	defer func() {
		// Libraries that parse hostile input may panic; the input is at fault.
		if r := recover(); r != nil {
			doc, err = nil, intake.Refuse(Malformed, "the file could not be read as %s", f.name)
			err = errors.Join(err, fmt.Errorf("reader %s: panic: %v", f.name, r))
		}
	}()
	doc, err = f.read(ctx, src, limits)
	if errors.Is(context.Cause(ctx), errDeadline) {
		return nil, intake.Refuse(Malformed, "the file could not be read within %s", most)
	}
	if ctx.Err() != nil {
		return nil, fault.Wrap(context.Cause(ctx), fault.Cancelled, "reading the file was cancelled")
	}
	if err != nil {
		return nil, err
	}
	if int64(len(doc.Text)) > limits.TextBytes {
		return nil, limits.TooLong()
	}
	if len(doc.Title) > maxTitle {
		doc.Title = strings.ToValidUTF8(doc.Title[:maxTitle], "")
	}
	if strings.TrimSpace(doc.Text) == "" {
		return nil, intake.Refuse(Empty, "there is no text in the file")
	}
	return doc, nil
}

// maxTitle bounds a title in bytes: every chunk carries it.
const maxTitle = 1000

var errDeadline = errors.New("the time to read a file is over")

func mismatch(name, want, sniffed string) error {
	switch {
	case sniffed == ".encrypted":
		return intake.Refuse(Encrypted, "the file is encrypted")
	case sniffed == ".bin":
		sniffed = "something unknown"
	case sniffed == "":
		sniffed = "text"
	}
	return intake.Refuse(Mismatched, "the content of %q is %s, not %s", path.Base(name), sniffed, want)
}

// Set is a choice of readers in the order in which they are offered.
type Set struct {
	readers []Reader
	lacks   map[string]string // what it takes to read an extension that no reader takes
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
