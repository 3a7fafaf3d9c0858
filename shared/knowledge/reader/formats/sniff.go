package formats

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/mail"
)

const sniffBytes = 8 << 10

// sniff returns the usual extension of the format of data: ".pdf", ".docx",
// ".html", ".json" and so on, ".txt" for other text, ".bin" for unknown binary
// data, ".ole" for old Office formats and ".encrypted" for Office files with a
// password. It looks only at the beginning, and at an archive's directory.
func sniff(data []byte) string {
	head := data[:min(len(data), sniffBytes)]
	found := mimetype.Detect(head)
	for kind := found; kind != nil; kind = kind.Parent() {
		switch {
		case kind.Is("application/zip"):
			return sniffZip(data)
		case kind.Is("application/x-ole-storage"):
			return sniffOLE(data)
		}
	}
	ext := found.Extension()
	if slices.Contains(binary, ext) {
		return ext
	}
	// A PDF's header may be preceded by a few other bytes.
	if bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")) {
		return ".pdf"
	}
	// Short signatures, such as BMP's two letters, may also start a text.
	if looksLikeText(head) {
		return sniffText(head)
	}
	if ext == "" || found.Is("text/plain") {
		return ".bin"
	}
	return ext
}

// binary are formats whose signature no text begins with.
var binary = []string{".png", ".jpg", ".gif", ".tiff", ".webp", ".rtf", ".gz", ".bz2", ".xz", ".7z", ".rar", ".mp4", ".mp3", ".ogg",
	".sqlite", ".parquet"}

// sniffZip identifies an archive by its members.
func sniffZip(data []byte) string {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return sniffTornZip(data)
	}
	kind := ".zip"
	for i, f := range z.File {
		switch {
		case f.Name == "mimetype" && f.UncompressedSize64 < 200:
			if ext := openFormat(f); ext != "" {
				return ext
			}
		case strings.HasPrefix(f.Name, "word/"):
			return ".docx"
		case strings.HasPrefix(f.Name, "ppt/"):
			return ".pptx"
		case strings.HasPrefix(f.Name, "xl/"):
			return ".xlsx"
		case f.Name == "META-INF/container.xml":
			kind = ".epub"
		}
		if i > 10_000 {
			break
		}
	}
	return kind
}

// sniffTornZip identifies an archive without a directory by its first member,
// so that a truncated file counts as malformed, not as another format.
func sniffTornZip(data []byte) string {
	head := string(data[:min(len(data), sniffBytes)])
	for _, m := range []struct{ mark, ext string }{
		{"word/", ".docx"}, {"ppt/", ".pptx"}, {"xl/", ".xlsx"}, {"epub+zip", ".epub"},
		{"opendocument.text", ".odt"}, {"opendocument.spreadsheet", ".ods"}, {"opendocument.presentation", ".odp"},
	} {
		if strings.Contains(head, m.mark) {
			return m.ext
		}
	}
	if strings.Contains(head, "[Content_Types].xml") {
		return ".ooxml"
	}
	return ".zip"
}

func openFormat(f *zip.File) string {
	r, err := f.Open()
	if err != nil {
		return ""
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, 200))
	if err != nil {
		return ""
	}
	kind := strings.TrimSpace(string(b))
	if kind == "application/epub+zip" {
		return ".epub"
	}
	// The part after a hyphen is a variant: a template, a page.
	kind, _, _ = strings.Cut(strings.TrimPrefix(kind, "application/vnd.oasis.opendocument."), "-")
	return map[string]string{"text": ".odt", "spreadsheet": ".ods", "presentation": ".odp"}[kind]
}

// sniffOLE distinguishes encrypted Office files from the formats before 2007 by
// the names of streams, which are UTF-16.
func sniffOLE(data []byte) string {
	name := func(s string) []byte {
		b := make([]byte, 0, 2*len(s))
		for i := range len(s) {
			b = append(b, s[i], 0)
		}
		return b
	}
	for _, m := range []struct{ stream, ext string }{
		{"EncryptedPackage", ".encrypted"}, {"WordDocument", ".doc"}, {"Workbook", ".xls"}, {"PowerPoint Document", ".ppt"},
		{"__substg1.0", ".msg"},
	} {
		if bytes.Contains(data, name(m.stream)) {
			return m.ext
		}
	}
	return ".ole"
}

// looksLikeText reports whether bytes may be text in some character set.
func looksLikeText(head []byte) bool {
	if charset.OfMark(head) != nil || charset.LooksUTF16(head) != nil {
		return true
	}
	control := 0
	for _, c := range head {
		switch {
		case c == 0:
			return false
		case c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v' && c != 0x1B && c != 0x1A && c != '\b', c == 0x7F:
			control++
		}
	}
	return control*50 <= len(head)
}

// sniffText returns a text's format; ".txt" by default.
func sniffText(head []byte) string {
	s := strings.TrimSpace(strings.TrimPrefix(string(head), "\uFEFF"))
	lower := strings.ToLower(s[:min(len(s), 1024)])
	switch {
	case s == "":
		return ".txt"
	case strings.HasPrefix(lower, "<!doctype html"), strings.HasPrefix(lower, "<html"),
		strings.HasPrefix(lower, "<") && (strings.Contains(lower, "<head") || strings.Contains(lower, "<body")):
		return ".html"
	case strings.HasPrefix(lower, "<?xml"):
		if strings.Contains(lower, "<html") {
			return ".html"
		}
		return ".xml"
	case s[0] == '{' || s[0] == '[':
		if jsonLike(s) {
			if s[0] == '{' && strings.Contains(s, `"cells"`) && strings.Contains(s, `"cell_type"`) {
				return ".ipynb"
			}
			return ".json"
		}
	case mail.IsMailbox([]byte(s)):
		return ".mbox"
	case mailLike(s):
		return ".eml"
	case strings.HasPrefix(s, "# "), strings.HasPrefix(s, "---\n"), strings.Contains(s, "\n## "), strings.Contains(s, "\n```"):
		return ".md"
	}
	return ".txt"
}

// jsonLike reports whether text that starts with a bracket continues like JSON.
func jsonLike(s string) bool {
	rest := strings.TrimSpace(s[1:])
	if rest == "" {
		return false
	}
	if s[0] == '{' {
		return rest[0] == '"' || rest[0] == '}'
	}
	return strings.IndexByte("{[\"]-0123456789tfn", rest[0]) >= 0 && !strings.HasPrefix(rest, "toc")
}

// mailLike reports whether text starts with several header fields of a mail.
func mailLike(s string) bool {
	known := 0
	for line := range strings.Lines(s) {
		name, _, ok := strings.Cut(line, ":")
		if !ok && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
			break
		}
		switch strings.ToLower(name) {
		case "from", "to", "subject", "date", "message-id", "mime-version", "received", "return-path", "delivered-to", "content-type":
			known++
		}
	}
	return known >= 3
}

// isText accepts every text format.
func isText(sniffed string) bool {
	switch sniffed {
	case ".txt", ".md", ".html", ".xml", ".json", ".eml", ".mbox", ".csv", ".ipynb":
		return true
	}
	return false
}

// is accepts the given formats.
func is(extensions ...string) func(string) bool {
	return func(sniffed string) bool {
		for _, e := range extensions {
			if e == sniffed {
				return true
			}
		}
		return false
	}
}
