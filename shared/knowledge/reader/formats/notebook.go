package formats

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/mdtree"
	"lectern/shared/text/document"
)

// notebookReader reads Jupyter notebooks: Markdown cells unchanged, code as
// code blocks, and textual outputs.
func notebookReader() reader.Reader {
	return &format{
		name:       "notebook",
		extensions: []string{".ipynb"},
		accepts:    is(".ipynb", ".json"),
		read:       readNotebook,
	}
}

const maxOutputBytes = 4 << 10

// joined is a text that notebooks store as a string or a list of lines.
type joined string

// UnmarshalJSON implements json.Unmarshaler; other types decode as empty.
func (j *joined) UnmarshalJSON(data []byte) error {
	var whole string
	if json.Unmarshal(data, &whole) == nil {
		*j = joined(whole)
		return nil
	}
	var lines []string
	if json.Unmarshal(data, &lines) == nil {
		*j = joined(strings.Join(lines, ""))
	}
	return nil
}

func readNotebook(_ context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
	text, _ := charset.Decode(src.Data)
	var book struct {
		Metadata struct {
			Title        string `json:"title"`
			LanguageInfo struct {
				Name string `json:"name"`
			} `json:"language_info"`
			KernelSpec struct {
				Language string `json:"language"`
			} `json:"kernelspec"`
		} `json:"metadata"`
		Cells []struct {
			Type    string `json:"cell_type"`
			Source  joined `json:"source"`
			Outputs []struct {
				Text joined            `json:"text"`
				Data map[string]joined `json:"data"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if err := json.Unmarshal([]byte(text), &book); err != nil {
		return nil, errors.Join(intake.Refuse(intake.Malformed, "the file is not a valid notebook"), err)
	}
	language := book.Metadata.LanguageInfo.Name
	if language == "" {
		language = book.Metadata.KernelSpec.Language
	}
	b := document.Builder{Most: limits.TextBytes}
	title := book.Metadata.Title
	for _, cell := range book.Cells {
		switch cell.Type {
		case "markdown":
			d, err := mdtree.Parse(strings.TrimSpace(document.Clean(string(cell.Source))), limits)
			if err != nil {
				return nil, err
			}
			if title == "" {
				title = d.Title
			}
			b.Append(d)
			if err := limits.Check(b.Len(), b.Nodes()); err != nil {
				return nil, err
			}
		case "code":
			b.Code(language, string(cell.Source))
			for _, out := range cell.Outputs {
				printed := string(out.Text)
				if printed == "" {
					printed = string(out.Data["text/plain"])
				}
				b.Code("", cutText(printed, maxOutputBytes))
			}
		default:
			b.Paragraph(string(cell.Source))
		}
	}
	b.Title(title)
	return b.Document(), nil
}

// cutText truncates a text to n bytes.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
