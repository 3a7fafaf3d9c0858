package artifact

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"path"
	"strings"
	"unicode/utf8"

	"lectern/shared/fault"
	"lectern/shared/knowledge/reader"
)

// File is one of the files of an ingest of several: a document, or a zip of
// documents.
type File struct {
	Name string // with the folders that the client sent
	Data []byte
}

// Files is an ingest of one or more files.
type Files struct {
	Collection string
	Artifact   string // of a single file; empty: the file's name
	Metadata   map[string]any
	Files      []File
}

// Failure is a file that could not be ingested.
type Failure struct {
	Artifact string `json:"artifact"`
	FileName string `json:"file_name" doc:"as it was sent; inside a zip, its path there"`
	Code     string `json:"error_code" doc:"for programs, such as encrypted_file"`
	Message  string `json:"message"`

	err error
}

// Bounds of the files of one request.
const (
	maxFiles    = 2000
	maxUnzipped = 256 << 20 // bytes of all members of all zips
	zipRatio    = 100       // how many times its packed form a member may be
	zipFree     = 1 << 20   // bytes of a member whatever its packed form
)

// IngestFiles ingests files one after the other, each under its name, or a single
// one under Artifact. A zip is unpacked, each member under its path in it. A file
// that cannot be ingested does not keep the others from it; when none can be, the
// error is that of a single file, or else Invalid with all of them.
func (s *Service) IngestFiles(ctx context.Context, in *Files) ([]Doc, []Failure, error) {
	if len(in.Files) == 0 {
		return nil, nil, fault.Field("missing", "the form needs a part 'file' with a file name", "form", "file")
	}
	single := len(in.Files) == 1 && !s.zipped(in.Files[0])
	if _, named := in.Metadata["file_name"]; !single && (in.Artifact != "" || named) {
		return nil, nil, fault.Field("value_error", "several files have names of their own: leave out artifact and metadata.file_name", "form",
			"artifact")
	}
	docs, failures := []Doc{}, []Failure{}
	seen := map[string]bool{}
	for f, err := range s.members(ctx, in.Files) {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		name := in.Artifact
		if name == "" {
			name = f.Name
		}
		switch {
		case err == nil && seen[name]:
			err = fault.Field("value_error", fmt.Sprintf("two files are called %q", name), "form", "file")
		case err == nil && len(seen)+len(failures) >= maxFiles:
			return nil, nil, fault.New(fault.TooLarge, "the request has over %d files", maxFiles)
		}
		var doc Doc
		if err == nil {
			seen[name] = true
			doc, err = s.ingestFile(ctx, in, f, name)
		}
		if err == nil {
			docs = append(docs, doc)
			continue
		}
		if c := fault.CodeOf(err); c == fault.Forbidden || c == fault.Internal || ctx.Err() != nil {
			return nil, nil, err
		}
		failures = append(failures, Failure{Artifact: name, FileName: f.Name, Code: codeOf(err), Message: fault.Public(err), err: err})
	}
	if len(docs) == 0 {
		return nil, nil, none(failures)
	}
	return docs, failures, nil
}

// none is the error of a request of which no file could be ingested.
func none(failures []Failure) error {
	if len(failures) == 0 {
		return fault.Field(reader.Empty, "the zip holds no files", "form", "file")
	}
	if len(failures) == 1 {
		return failures[0].err
	}
	var problems []fault.Problem
	for i, f := range failures {
		if fault.CodeOf(f.err) != fault.Invalid {
			return f.err
		}
		problems = append(problems, fault.Problem{Loc: []any{"form", "file", i}, Msg: f.FileName + ": " + f.Message, Type: f.Code})
	}
	return fault.Problems(problems)
}

func codeOf(err error) string {
	if f := fault.As(err); f != nil && len(f.Problems) > 0 {
		return f.Problems[0].Type
	}
	return strings.ReplaceAll(fault.CodeOf(err).String(), " ", "_")
}

func (s *Service) ingestFile(ctx context.Context, in *Files, f File, name string) (Doc, error) {
	if n := utf8.RuneCountInString(name); n == 0 || n > maxNameRunes || !utf8.ValidString(name) {
		return Doc{}, fault.Field("value_error", fmt.Sprintf("a document's name should have 1 to %d characters", maxNameRunes), "form", "artifact")
	}
	meta := maps.Clone(in.Metadata)
	if meta == nil {
		meta = map[string]any{}
	}
	if _, named := meta["file_name"]; !named {
		base := path.Base(f.Name)
		if reader.Ext(base) == "" {
			base += s.Readers.Sniff(f.Data)
		}
		meta["file_name"] = base
	}
	doc, err := s.Ingest(ctx, &Body{Artifact: name, Collection: in.Collection, Metadata: meta, Input: &Input{Type: "file", data: f.Data}})
	return doc, inForm(err)
}

// maxNameRunes bounds the name of an artifact, in characters.
const maxNameRunes = 255

// inForm moves the problems of a body to the parts of the form that they are about.
func inForm(err error) error {
	f := fault.As(err)
	if f == nil || len(f.Problems) == 0 {
		return err
	}
	out := make([]fault.Problem, len(f.Problems))
	for i, p := range f.Problems {
		out[i] = p
		switch {
		case len(p.Loc) < 2 || p.Loc[0] != "body":
		case p.Loc[1] == "input" || len(p.Loc) > 2 && p.Loc[2] == "file_name":
			out[i].Loc = []any{"form", "file"}
		default:
			out[i].Loc = append([]any{"form"}, p.Loc[1:]...)
		}
	}
	return fault.Problems(out)
}

// zipped reports whether a file is a zip of files, and no document that is one.
func (s *Service) zipped(f File) bool {
	if len(s.Readers.ForName(f.Name)) > 0 || !bytes.HasPrefix(f.Data, []byte("PK\x03\x04")) && !bytes.HasPrefix(f.Data, []byte("PK\x05\x06")) {
		return false
	}
	return reader.Ext(f.Name) == ".zip" || reader.Ext(f.Name) == "" && len(s.Readers.ForName("x"+s.Readers.Sniff(f.Data))) == 0
}

// members yields the files, and the members of those that are zips, each unpacked
// when its turn comes. A member that cannot be unpacked comes with its error.
func (s *Service) members(ctx context.Context, files []File) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		left := int64(maxUnzipped)
		for _, f := range files {
			f.Name = cleanName(f.Name)
			if !s.zipped(f) {
				if !yield(f, nil) {
					return
				}
				continue
			}
			if !s.unzip(ctx, f, &left, yield) {
				return
			}
		}
	}
}

// unzip yields the members of a zip; false when the loop ended.
func (s *Service) unzip(ctx context.Context, f File, left *int64, yield func(File, error) bool) bool {
	refuse := func(name, kind, msg string) bool {
		return yield(File{Name: name}, fault.Field(kind, msg, "form", "file"))
	}
	// Each entry takes more memory than its bytes in the directory.
	if bytes.Count(f.Data, []byte("PK\x01\x02")) > 2*maxFiles {
		return refuse(f.Name, reader.TooLarge, fmt.Sprintf("the zip has over %d files", maxFiles))
	}
	z, err := zip.NewReader(bytes.NewReader(f.Data), int64(len(f.Data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return refuse(f.Name, reader.Malformed, "the zip is truncated or damaged")
	}
	for _, m := range z.File {
		name := cleanName(m.Name)
		if m.Mode().IsDir() || strings.HasSuffix(m.Name, "/") || strings.HasPrefix(name, "__MACOSX/") || path.Base(name) == ".DS_Store" {
			continue
		}
		if !s.member(ctx, m, File{Name: name}, int64(len(f.Data)), left, yield) {
			return false
		}
	}
	return true
}

// member yields a member of a zip; false when the loop ended.
func (s *Service) member(ctx context.Context, m *zip.File, f File, packed int64, left *int64, yield func(File, error) bool) bool {
	claim := s.Budget.Within(ctx)
	defer claim.Release()
	if err := claim.Grow(ctx, int64(min(m.UncompressedSize64, maxUnzipped))); err != nil {
		return yield(f, err)
	}
	data, kind, msg := unpack(m, packed, left)
	if kind != "" {
		return yield(f, fault.Field(kind, msg, "form", "file"))
	}
	f.Data = data
	return yield(f, nil)
}

// unpack reads a member within the bounds, or says what is wrong with it.
func unpack(m *zip.File, packed int64, left *int64) (data []byte, kind, msg string) {
	switch {
	case m.Flags&1 != 0:
		return nil, reader.Encrypted, "the file is encrypted"
	case !m.Mode().IsRegular():
		return nil, reader.Malformed, "the zip holds something that is no plain file"
	}
	most := min(*left, zipRatio*min(int64(min(m.CompressedSize64, 1<<40)), packed)+zipFree)
	tooLarge := "what the zip unpacks to is over the limit"
	if m.UncompressedSize64 > uint64(most) {
		return nil, reader.TooLarge, tooLarge
	}
	r, err := m.Open()
	if err != nil {
		return nil, reader.Malformed, "the zip is damaged"
	}
	defer r.Close()
	// The directory may lie about sizes.
	data, err = io.ReadAll(io.LimitReader(r, most+1))
	*left -= int64(len(data))
	switch {
	case int64(len(data)) > most:
		return nil, reader.TooLarge, tooLarge
	case err != nil:
		return nil, reader.Malformed, "the zip is damaged"
	}
	return data, "", ""
}

// cleanName is a client's path of a file without what leads out of its folder.
func cleanName(name string) string {
	name = strings.ToValidUTF8(strings.ReplaceAll(name, `\`, "/"), "\uFFFD")
	return strings.TrimPrefix(path.Clean("/"+name), "/")
}
