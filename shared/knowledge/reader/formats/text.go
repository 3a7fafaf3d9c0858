package formats

import (
	"context"
	"strings"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
	"lectern/shared/text/plain"
)

// textReader reads plain text. The text is stored unchanged; blank lines
// separate paragraphs, and lines that look like headings begin sections.
func textReader() reader.Reader {
	return &format{
		name:       "text",
		extensions: []string{".txt", ".text", ".log", ".rst", ".adoc", ".tex", ".srt", ".vtt"},
		accepts:    isText,
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			text, guess := charset.Decode(src.Data)
			if err := checkBlocks(text, limits, blocks); err != nil {
				return nil, err
			}
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

// checkBlocks refuses a text of too many blocks before any of them is kept. A text
// has no more of them than lines.
func checkBlocks(text string, limits intake.Limits, blocks func(text string, add func(start, end int))) error {
	if strings.Count(text, "\n") < limits.Nodes {
		return nil
	}
	count := 0
	blocks(text, func(int, int) { count++ })
	return limits.Check(len(text), count)
}

// paragraphs adds a section for each heading, and a paragraph for each run of other lines
// that are not blank.
func paragraphs(o *document.Outline, text string) {
	headings := plain.Headings(text)
	if title, ok := plain.Title(text); ok && (len(headings) == 0 || title.End <= headings[0].Start) {
		headings = append([]plain.Heading{title}, headings...)
	}
	at := 0
	add := func(start, end int) {
		o.Add(document.Node{Type: document.Paragraph, Start: at + start, End: at + end})
	}
	for _, h := range headings {
		blocks(text[at:h.Start], add)
		o.Section(h.Level, h.Title, h.Start, h.End, 0)
		at = h.End
	}
	blocks(text[at:], add)
}

// blocks calls add for each run of lines that are not blank.
func blocks(text string, add func(start, end int)) {
	start, end := -1, 0
	flush := func() {
		if start >= 0 {
			add(start, end)
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
