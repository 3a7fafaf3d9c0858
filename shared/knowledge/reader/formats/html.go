package formats

import (
	"context"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/webpage"
	"lectern/shared/text/document"
)

// htmlReader reads HTML.
func htmlReader() reader.Reader {
	return &format{
		name:       "html",
		extensions: []string{".html", ".htm", ".xhtml"},
		accepts:    isText,
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			b := document.Builder{Most: limits.TextBytes}
			if err := webpage.Write(ctx, &b, webpage.Decode(src.Data), limits); err != nil {
				return nil, err
			}
			return b.Document(), nil
		},
	}
}
