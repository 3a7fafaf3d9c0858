// Package formats reads files, one format per file. builtin.go lists them; a
// new format is a file and a line there.
//
// What all formats share (limits, deadline, the check that content and
// extension match, empty results) is done once, in format.Read.
package formats

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// format is the Reader of one format. Its read gets an intake.Source whose
// content has been checked, limits with defaults applied, and a ctx that ends
// at the deadline.
type format struct {
	name       string
	extensions []string
	// accepts reports whether a sniffed extension may be this format.
	accepts func(sniffed string) bool
	slow    bool // a program or a model is involved
	read    func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error)
}

func (f *format) Name() string         { return f.name }
func (f *format) Extensions() []string { return slices.Clone(f.extensions) }

func (f *format) Read(ctx context.Context, src intake.Source, limits intake.Limits) (doc *document.Document, err error) {
	limits = limits.OrDefaults()
	if int64(len(src.Data)) > limits.Bytes {
		return nil, intake.Refuse(intake.TooLarge, "the file of %d bytes is over the limit of %d", len(src.Data), limits.Bytes)
	}
	if len(src.Data) == 0 {
		return nil, intake.Refuse(intake.Empty, "the file is empty")
	}
	if sniffed := sniff(src.Data); !f.accepts(sniffed) {
		return nil, mismatch(src.Name, f.name, sniffed)
	}
	most := limits.Time + time.Duration(len(src.Data)>>20)*limits.TimePerMB
	if f.slow {
		most += limits.Program
	}
	ctx, cancel := context.WithTimeoutCause(ctx, most, errDeadline)
	defer cancel()
	defer func() {
		// Parsers may panic on hostile input; treat that as malformed input.
		if r := recover(); r != nil {
			doc, err = nil, intake.Refuse(intake.Malformed, "the file could not be read as %s", f.name)
			err = errors.Join(err, fmt.Errorf("reader %s: panic: %v", f.name, r))
		}
	}()
	doc, err = f.read(ctx, src, limits)
	if fault.CodeOf(err) == fault.RateLimited { // the time went in waiting
		return nil, err
	}
	if errors.Is(context.Cause(ctx), errDeadline) {
		return nil, intake.Refuse(intake.Malformed, "the file could not be read within %s", most)
	}
	if ctx.Err() != nil {
		return nil, fault.Wrap(context.Cause(ctx), fault.Cancelled, "reading the file was cancelled")
	}
	if err != nil {
		return nil, err
	}
	if doc.Over {
		return nil, limits.TooLong()
	}
	if err := limits.Check(len(doc.Text), doc.Root.Count()); err != nil {
		return nil, err
	}
	if len(doc.Title) > maxTitle {
		doc.Title = strings.ToValidUTF8(doc.Title[:maxTitle], "")
	}
	if strings.TrimSpace(doc.Text) == "" {
		return nil, intake.Refuse(intake.Empty, "there is no text in the file")
	}
	return doc, nil
}

// maxTitle limits a title in bytes, because every chunk repeats it.
const maxTitle = 1000

var errDeadline = errors.New("the time limit for reading a file is exceeded")

func mismatch(name, want, sniffed string) error {
	switch {
	case sniffed == ".encrypted":
		return intake.Refuse(intake.Encrypted, "the file is encrypted")
	case sniffed == ".bin":
		sniffed = "something unknown"
	case sniffed == "":
		sniffed = "text"
	}
	return intake.Refuse(intake.Mismatched, "the content of %q is %s, not %s", path.Base(name), sniffed, want)
}
