package formats

import (
	"context"
	"regexp"
	"strings"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/mdtree"
	"lectern/shared/knowledge/reader/webpage"
	"lectern/shared/text/document"
)

// markdownReader reads Markdown. The text is stored unchanged, but for tables that are written in HTML, which become such of
// Markdown, and lines of anchors and comments in HTML, which nobody sees.
func markdownReader() reader.Reader {
	return &format{
		name:       "markdown",
		extensions: []string{".md", ".markdown", ".mdx", ".mkd"},
		accepts:    isText,
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			text, guess := charset.Decode(src.Data)
			d, err := mdtree.Parse(withoutMarkup(ctx, text, limits), limits)
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

var (
	tableBegins = regexp.MustCompile(`(?i)^ {0,3}<table[\s>]`)
	tableEnds   = regexp.MustCompile(`(?i)</table>\s*$`)
	fenceLine   = regexp.MustCompile("^ {0,3}(?:```|~~~)")
	unseenLine  = regexp.MustCompile(`(?i)^ {0,3}(?:(?:<a\s+(?:id|name)\s*=\s*(?:"[^"]*"|'[^']*'|[\w.-]+)\s*(?:/>|>\s*</a>)|<!--.*?-->)\s*)+$`)
)

// tableBytes is how large a table in HTML may be that is read as one.
const tableBytes = 256 << 10

// withoutMarkup returns a text of Markdown with the tables that it has in HTML as tables of Markdown, and with empty lines for
// those that hold anchors or comments alone. What stands in code, and tables that cannot be read, stay as they are.
func withoutMarkup(ctx context.Context, text string, limits intake.Limits) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var out strings.Builder
	lines := strings.SplitAfter(text, "\n")
	code := false
	closing := -1 // the line to which a table was looked for: each is read once
	for i := 0; i < len(lines); i++ {
		if fenceLine.MatchString(lines[i]) {
			code = !code
		}
		if !code && unseenLine.MatchString(lines[i]) {
			out.WriteString("\n")
			continue
		}
		if code || i <= closing || !tableBegins.MatchString(lines[i]) {
			out.WriteString(lines[i])
			continue
		}
		size := 0
		for closing = i; closing < len(lines) && !tableEnds.MatchString(lines[closing]); closing++ {
			size += len(lines[closing])
		}
		table := ""
		if closing < len(lines) && size < tableBytes && int64(out.Len()) < limits.TextBytes {
			table = tableOf(ctx, strings.Join(lines[i:closing+1], ""), limits)
		}
		if table == "" {
			out.WriteString(lines[i])
			continue
		}
		out.WriteString("\n" + strings.Trim(table, "\n") + "\n\n")
		i = closing
	}
	return out.String()
}

// tableOf returns a table of HTML as Markdown; empty where it cannot be read.
func tableOf(ctx context.Context, text string, limits intake.Limits) string {
	b := document.Builder{Most: limits.TextBytes}
	if err := webpage.Write(ctx, &b, text, limits); err != nil {
		return ""
	}
	d := b.Document()
	if d.Over || len(d.Warnings) > 0 || !strings.Contains(d.Text, "|") {
		return ""
	}
	return d.Text
}
