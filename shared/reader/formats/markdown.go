package formats

import (
	"context"

	"lectern/shared/document"
	"lectern/shared/reader"
	"lectern/shared/reader/charset"
	"lectern/shared/reader/intake"
	"lectern/shared/reader/mdtree"
)

// markdownReader reads Markdown. The stored text is the file's own.
func markdownReader() reader.Reader {
	return &format{
		name:       "markdown",
		extensions: []string{".md", ".markdown", ".mdx", ".mkd"},
		accepts:    isText,
		read: func(_ context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			text, guess := charset.Decode(src.Data)
			d := mdtree.Parse(text, limits.Depth)
			if guess != "" {
				d.Warnings = append(d.Warnings, "the character set was guessed as "+guess)
			}
			return d, nil
		},
	}
}
