package formats

import (
	"context"
	"strings"
	"unicode"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// codeReader reads source code and configuration. The text is stored unchanged;
// nodes are blocks that end at blank lines before unindented lines, so that
// chunks end between definitions.
func codeReader() reader.Reader {
	return &format{
		name: "code",
		extensions: []string{
			".go", ".py", ".js", ".mjs", ".ts", ".tsx", ".jsx", ".java", ".kt", ".scala", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".rs", ".rb",
			".php", ".swift", ".m", ".r", ".jl", ".lua", ".pl", ".sh", ".bash", ".ps1", ".sql", ".proto", ".graphql", ".tf", ".css", ".scss",
			".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".env", ".properties", ".xml", ".xsd", ".vue", ".dart", ".ex", ".exs", ".erl",
			".hs", ".clj",
		},
		accepts: isText,
		read: func(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
			text, guess := charset.Decode(src.Data)
			if err := checkBlocks(text, limits, codeBlocks); err != nil {
				return nil, err
			}
			d := &document.Document{Text: text}
			if guess != "" {
				d.Warnings = append(d.Warnings, "the character set was guessed as "+guess)
			}
			language := strings.TrimPrefix(reader.Ext(src.Name), ".")
			var o document.Outline
			codeBlocks(text, func(start, end int) {
				o.Add(document.Node{Type: document.Code, Title: language, Start: start, End: end})
			})
			d.Root = o.Finish(len(text))
			return d, nil
		},
	}
}

// codeBlocks calls add for each block. A block ends before a blank line that is
// followed by an unindented line, except a closing bracket.
func codeBlocks(text string, add func(start, end int)) {
	start, end := -1, 0
	blank := false
	for pos := 0; pos < len(text); {
		next := len(text)
		if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
			next = pos + i + 1
		}
		line := strings.TrimRightFunc(text[pos:next], unicode.IsSpace)
		body := strings.TrimLeftFunc(line, unicode.IsSpace)
		switch {
		case body == "":
			blank = true
		default:
			atMargin := body == line && !strings.ContainsAny(body[:1], "})]")
			if start >= 0 && blank && atMargin {
				add(start, end)
				start = -1
			}
			if start < 0 {
				start = pos + len(line) - len(body)
			}
			end = pos + len(line)
			blank = false
		}
		pos = next
	}
	if start >= 0 {
		add(start, end)
	}
}
