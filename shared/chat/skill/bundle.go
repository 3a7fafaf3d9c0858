package skill

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Limits of a bundle.
const (
	maxBundleBytes = 30 << 20
	maxBundleFiles = 500
	maxPathBytes   = 255
	maxEntries     = 20 * maxBundleFiles // of a zip, folders included
)

// main is the file that makes a directory a skill.
const main = "SKILL.md"

// Codes of violations.
const (
	missingFiles    = "MISSING_FILES"
	missingMain     = "MISSING_SKILL_MD"
	invalidZip      = "INVALID_ZIP"
	emptyZip        = "EMPTY_ZIP"
	unsafeAbsolute  = "UNSAFE_PATH_ABSOLUTE"
	unsafeTraversal = "UNSAFE_PATH_TRAVERSAL"
	bundleTooLarge  = "BUNDLE_TOO_LARGE"
)

// Part is one file of a bundle, or a zip of files; Path is as the client sent it.
type Part struct {
	Path string
	Data []byte
}

// Violation is one problem of a bundle.
type Violation struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Params  map[string]any `json:"params"`
}

func violation(code, msg string, params ...any) Violation {
	v := Violation{Code: code, Message: msg, Params: map[string]any{}}
	for i := 0; i+1 < len(params); i += 2 {
		v.Params[params[i].(string)] = params[i+1]
	}
	return v
}

// Bundle is a checked set of files with paths below the skill's directory.
type Bundle struct {
	Frontmatter
	Directory string // the folder that held SKILL.md; the skill's name if there is none
	Files     []Part // in the order of their paths
}

// ParseBundle checks the files of a skill and reads its frontmatter. It expands a
// single zip and strips the folders around the skill. With violations, the bundle
// holds what could be read.
func ParseBundle(parts []Part) (*Bundle, []Violation) {
	b := &Bundle{}
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return p.Path == "" && len(p.Data) == 0 })
	if len(parts) == 0 {
		return b, []Violation{violation(missingFiles, "the bundle has no files")}
	}
	if len(parts) == 1 && zipped(parts[0]) {
		var problem *Violation
		if parts, problem = unzip(parts[0].Data); problem != nil {
			return b, []Violation{*problem}
		}
	}
	list, problems := checkPaths(parts)
	if len(problems) > 0 {
		return b, problems
	}
	b.Files, b.Directory = unwrap(list)
	slices.SortFunc(b.Files, func(x, y Part) int { return strings.Compare(x.Path, y.Path) })
	text, ok := b.read(main)
	if !ok {
		return b, []Violation{violation(missingMain, "the bundle has no SKILL.md at its top")}
	}
	b.Frontmatter, problems = parseFrontmatter(string(text))
	if b.Directory == "" {
		b.Directory = b.Name
	}
	return b, problems
}

// read returns a file of the bundle.
func (b *Bundle) read(name string) ([]byte, bool) {
	i := slices.IndexFunc(b.Files, func(p Part) bool { return p.Path == name })
	if i < 0 {
		return nil, false
	}
	return b.Files[i].Data, true
}

func zipped(p Part) bool {
	ext := strings.ToLower(path.Ext(p.Path))
	return ext == ".zip" || ext == ".skill" || bytes.HasPrefix(p.Data, []byte("PK\x03\x04")) || bytes.HasPrefix(p.Data, []byte("PK\x05\x06"))
}

// unzip expands an archive within the limits, which apply to the bytes that it
// expands to, not to the sizes that it declares.
func unzip(data []byte) ([]Part, *Violation) {
	fail := func(code, msg string, params ...any) ([]Part, *Violation) {
		v := violation(code, msg, params...)
		return nil, &v
	}
	// Reject too many entries before parsing, because each one uses more memory
	// than its bytes in the archive.
	if bytes.Count(data, []byte("PK\x01\x02")) > maxEntries {
		return fail(bundleTooLarge, "the bundle has too many files", "max_files", maxBundleFiles)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fail(invalidZip, "the zip cannot be read")
	}
	var parts []Part
	left := maxBundleBytes
	for _, f := range archive.File {
		mode := f.Mode()
		if mode.IsDir() || strings.HasSuffix(f.Name, "/") {
			continue
		}
		if mode&fs.ModeSymlink != 0 {
			return fail(unsafeTraversal, "the zip holds a link", "path", shownPath(f.Name))
		}
		if !mode.IsRegular() || f.Flags&1 != 0 {
			return fail(invalidZip, "the zip holds something that is no plain file", "path", shownPath(f.Name))
		}
		if len(parts) == maxBundleFiles {
			return fail(bundleTooLarge, "the bundle has too many files", "max_files", maxBundleFiles)
		}
		r, err := f.Open()
		if err != nil {
			return fail(invalidZip, "the zip cannot be read", "path", shownPath(f.Name))
		}
		content, err := io.ReadAll(io.LimitReader(r, int64(left)+1))
		r.Close()
		if err != nil {
			return fail(invalidZip, "the zip cannot be read", "path", shownPath(f.Name))
		}
		if left -= len(content); left < 0 {
			return fail(bundleTooLarge, "the bundle is too large", "max_bytes", maxBundleBytes)
		}
		parts = append(parts, Part{f.Name, content})
	}
	if len(parts) == 0 {
		return fail(emptyZip, "the zip holds no files")
	}
	return parts, nil
}

// shownPath shortens and cleans a client's path for messages.
func shownPath(p string) string {
	p = strings.ToValidUTF8(p, "\uFFFD")
	if r := []rune(p); len(r) > maxPathBytes {
		p = string(r[:maxPathBytes])
	}
	return p
}

// checkPaths cleans the paths and drops metadata files of operating systems.
func checkPaths(parts []Part) ([]Part, []Violation) {
	var list []Part
	var problems []Violation
	seen := map[string]bool{}
	total := 0
	for _, p := range parts {
		name := strings.ReplaceAll(p.Path, `\`, "/")
		total += len(p.Data)
		switch {
		case strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':':
			problems = append(problems, violation(unsafeAbsolute, "a path is absolute", "path", shownPath(p.Path)))
			continue
		case slices.Contains(strings.Split(name, "/"), ".."):
			problems = append(problems, violation(unsafeTraversal, "a path leaves the bundle", "path", shownPath(p.Path)))
			continue
		}
		if name = path.Clean(name); name == "." || strings.HasPrefix(name, "__MACOSX/") || path.Base(name) == ".DS_Store" {
			continue
		}
		if len(name) > maxPathBytes || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
			problems = append(problems, violation(invalidZip, "a path is too long or no plain text", "path", shownPath(p.Path)))
			continue
		}
		if seen[name] {
			problems = append(problems, violation(invalidZip, "two files have the same path", "path", name))
			continue
		}
		seen[name] = true
		list = append(list, Part{name, p.Data})
	}
	if total > maxBundleBytes {
		problems = append(problems, violation(bundleTooLarge, "the bundle is too large", "max_bytes", maxBundleBytes))
	}
	if len(list) > maxBundleFiles {
		problems = append(problems, violation(bundleTooLarge, "the bundle has too many files", "max_files", maxBundleFiles))
	}
	if len(list) == 0 && len(problems) == 0 {
		problems = append(problems, violation(missingFiles, "the bundle has no files"))
	}
	return list, problems
}

// unwrap strips the folders that contain the whole skill.
func unwrap(list []Part) ([]Part, string) {
	directory := ""
	for !slices.ContainsFunc(list, func(p Part) bool { return p.Path == main }) {
		folder, _, nested := strings.Cut(list[0].Path, "/")
		if !nested || slices.ContainsFunc(list, func(p Part) bool { return !strings.HasPrefix(p.Path, folder+"/") }) {
			break
		}
		directory = folder
		for i := range list {
			list[i].Path = list[i].Path[len(folder)+1:]
		}
	}
	return list, directory
}

// pack builds the archive that is stored: the same files and comment give the same
// bytes.
func (b *Bundle) pack(comment string) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, p := range b.Files {
		f, err := w.CreateHeader(&zip.FileHeader{Name: p.Path, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(p.Data); err != nil {
			return nil, err
		}
	}
	if err := w.SetComment(comment); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}
