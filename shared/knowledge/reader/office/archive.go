// Package office reads the formats that are XML in a zip file: Word, Excel and
// PowerPoint since 2007, OpenDocument, and EPUB.
//
// One budget limits what is unpacked, and the XML parser does not expand
// entities, so that small files cannot become large ones.
package office

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// archive is a zip file whose members are unpacked under limits: all bytes
// unpacked count, also repeatedly, and whatever the directory claims.
type archive struct {
	ctx   context.Context
	files map[string]*zip.File
	size  int64 // of the archive
	left  int64
	free  int64
	links int64 // bytes that targets of links may still take
}

// A member may be maxRatio times as large as its packed form, and all members
// together freeBytes larger than that; so may the text be to the archive. Honest documents
// reach a ratio of about 50.
const (
	freeBytes = 16 << 20
	maxRatio  = 100
)

// openArchive returns an archive and the limits of its document. Cells, names of columns
// and links that the file has once and the text many times count each time.
func openArchive(ctx context.Context, data []byte, limits intake.Limits) (*archive, intake.Limits, error) {
	a, err := newArchive(ctx, data, limits)
	if err != nil {
		return nil, limits, err
	}
	limits.TextBytes = min(limits.TextBytes, freeBytes+maxRatio*a.size)
	a.links = limits.TextBytes
	return a, limits, nil
}

func newArchive(ctx context.Context, data []byte, limits intake.Limits) (*archive, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, errors.Join(intake.Refuse(intake.Malformed, "the file is truncated or damaged"), err)
	}
	if len(z.File) > limits.Entries {
		return nil, intake.Refuse(intake.TooLarge, "the file has %d members, over the limit of %d", len(z.File), limits.Entries)
	}
	a := &archive{ctx: ctx, files: make(map[string]*zip.File, len(z.File)), size: int64(len(data)), left: limits.TextBytes, free: freeBytes}
	for _, f := range z.File {
		if f.Flags&1 != 0 {
			return nil, intake.Refuse(intake.Encrypted, "the file is encrypted")
		}
		name := strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/")
		if _, exists := a.files[name]; !exists {
			a.files[name] = f
		}
	}
	return a, nil
}

// read unpacks a member; nil when there is none.
func (a *archive) read(name string) ([]byte, error) {
	f := a.files[name]
	if f == nil {
		return nil, nil
	}
	if err := a.ctx.Err(); err != nil {
		return nil, err
	}
	r, err := f.Open()
	if err != nil {
		return nil, errors.Join(intake.Refuse(intake.Malformed, "the file is damaged"), err)
	}
	defer r.Close()
	var b bytes.Buffer
	fair := maxRatio * min(int64(f.CompressedSize64), a.size)
	most := min(a.left, fair+a.free)
	// The directory may lie about sizes: a shorter member is an error, and a
	// longer one is not read to its end.
	tooLarge := intake.Refuse(intake.TooLarge, "the unpacked content of the file exceeds the limit")
	if f.UncompressedSize64 > uint64(most) {
		return nil, tooLarge
	}
	b.Grow(int(f.UncompressedSize64) + bytes.MinRead)
	n, err := io.Copy(&b, io.LimitReader(r, int64(f.UncompressedSize64)+1))
	a.left -= n
	a.free -= max(n-fair, 0)
	if n > most {
		return nil, tooLarge
	}
	if err != nil {
		return nil, errors.Join(intake.Refuse(intake.Malformed, "the file is damaged"), err)
	}
	return b.Bytes(), nil
}

// check returns the fault of a document that is over the limits so far.
func (a *archive) check(b *document.Builder, limits intake.Limits) error {
	if a.links < 0 {
		return limits.TooLong()
	}
	return limits.Check(b.Len(), b.Nodes())
}

// link returns text with a link to the target of a relation, which links may share. Once all
// of them take more than the text may, it is without, and check fails.
func (a *archive) link(text string, to relation) string {
	if to.external {
		a.links -= int64(len(to.target))
	}
	if a.links < 0 {
		return text
	}
	return markdownLink(text, to.target, to.external)
}

// whole returns the fault of a part of a document that a parser did not read to its end.
func (p *xmlParser) whole() error {
	if p.huge {
		return intake.Refuse(intake.TooLarge, "a paragraph, table or slide of the file has more than %d elements", maxTreeNodes)
	}
	return nil
}

// must is read for a required member.
func (a *archive) must(name string) ([]byte, error) {
	data, err := a.read(name)
	if err == nil && data == nil {
		return nil, intake.Refuse(intake.Malformed, "the file has no %s", name)
	}
	return data, err
}

// relations returns the targets of an Office part's relations by id. Targets
// inside the archive are member names.
func (a *archive) relations(part string) (map[string]relation, error) {
	dir, base := path.Split(part)
	data, err := a.read(dir + "_rels/" + base + ".rels")
	if err != nil {
		return nil, err
	}
	rels := map[string]relation{}
	p := xmlParser{data: data}
	for p.next() {
		if p.kind != xmlStart || p.name != "Relationship" {
			continue
		}
		r := relation{kind: path.Base(p.attr("Type")), target: p.attr("Target"), external: p.attr("TargetMode") == "External"}
		if !r.external {
			if strings.HasPrefix(r.target, "/") {
				r.target = strings.TrimPrefix(r.target, "/")
			} else {
				r.target = path.Join(dir, r.target)
			}
		}
		rels[p.attr("Id")] = r
	}
	return rels, nil
}

type relation struct {
	kind, target string
	external     bool
}

// coreTitle returns the title in an Office file's properties.
func (a *archive) coreTitle() string {
	data, err := a.read("docProps/core.xml")
	if err != nil {
		return ""
	}
	p := xmlParser{data: data}
	for p.next() {
		if p.kind == xmlStart && p.name == "title" {
			return p.tree(10).allText()
		}
	}
	return ""
}
