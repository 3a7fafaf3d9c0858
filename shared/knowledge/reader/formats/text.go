package formats

import (
	"context"
	"strings"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// textReader reads plain text. The text is stored unchanged; blank lines
// separate paragraphs.
func textReader() reader.Reader {
	return &format{
		name:       "text",
		extensions: []string{".txt", ".text", ".log", ".rst", ".adoc", ".tex", ".srt", ".vtt"},
		accepts:    isText,
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			text, guess := charset.Decode(src.Data)
			d := &document.Document{Text: text}
			if guess != "" {
				d.Warnings = append(d.Warnings, "the character set was guessed as "+guess)
			}
			var o document.Outline
			paragraphs(&o, text)
			d.Root = o.Finish(len(text))
			return d, nil
		},
	}
}

// paragraphs adds a paragraph for each run of lines that are not blank.
func paragraphs(o *document.Outline, text string) {
	start, end := -1, 0
	flush := func() {
		if start >= 0 {
			o.Add(document.Node{Type: document.Paragraph, Start: start, End: end})
		}
		start = -1
	}
	for pos := 0; pos < len(text); {
		next := len(text)
		if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
			next = pos + i + 1
		}
		if line := strings.TrimSpace(text[pos:next]); line == "" {
			flush()
		} else {
			at := pos + strings.Index(text[pos:next], line)
			if start < 0 {
				start = at
			}
			end = at + len(line)
		}
		pos = next
	}
	flush()
}
