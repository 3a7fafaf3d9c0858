package formats

import (
	"context"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/mdtree"
	"lectern/shared/text/document"
)

// markdownReader reads Markdown. The text is stored unchanged.
func markdownReader() reader.Reader {
	return &format{
		name:       "markdown",
		extensions: []string{".md", ".markdown", ".mdx", ".mkd"},
		accepts:    isText,
		read: func(_ context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			text, guess := charset.Decode(src.Data)
			d, err := mdtree.Parse(text, limits)
			if err != nil {
				return nil, err
			}
			if guess != "" {
				d.Warnings = append(d.Warnings, "the character set was guessed as "+guess)
			}
			return d, nil
		},
	}
}
