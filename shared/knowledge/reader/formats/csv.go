package formats

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/reader/charset"
	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/text/document"
)

// csvReader reads delimited text. A short table becomes a Markdown table; in a
// longer one every row repeats the column names, so that any chunk of it can be
// understood and found.
func csvReader() reader.Reader {
	return &format{
		name:       "csv",
		extensions: []string{".csv", ".tsv", ".psv", ".tab"},
		accepts:    isText,
		read:       readCSV,
	}
}

func readCSV(ctx context.Context, src intake.Source, limits intake.Limits) (*document.Document, error) {
	text, guess := charset.Decode(src.Data)
	if strings.Count(text, "\n") >= limits.Nodes {
		if _, err := csvDocument(ctx, text, guess, src.Name, limits, true); err != nil {
			return nil, err
		}
	}
	return csvDocument(ctx, text, guess, src.Name, limits, false)
}

// csvDocument reads the table, or only counts its rows.
func csvDocument(ctx context.Context, text, guess, name string, limits intake.Limits, tally bool) (*document.Document, error) {
	b := document.Builder{Tally: tally, Most: limits.TextBytes}
	if guess != "" {
		b.Warn("the character set was guessed as %s", guess)
	}
	comma := sniffDelimiter(text, reader.Ext(name))
	if named, rest, ok := cutDelimiterLine(text); ok {
		comma, text = named, rest
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = comma
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	r.ReuseRecord = true
	t := document.Grid{Builder: &b}
	for n := 0; ; n++ {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			b.Warn("line %d: %v", parse.Line, parse.Err)
			continue
		}
		if err != nil {
			return nil, err
		}
		if n%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := limits.Check(b.Len(), b.Nodes()); err != nil {
			return nil, err
		}
		t.Row(row)
	}
	t.End()
	return b.Document(), nil
}

// cutDelimiterLine removes a first line such as "sep=;", which tells Excel the
// delimiter.
func cutDelimiterLine(text string) (comma rune, rest string, ok bool) {
	line, rest, _ := strings.Cut(text, "\n")
	line, ok = strings.CutPrefix(strings.TrimSuffix(line, "\r"), "sep=")
	return rune((line + ",")[0]), rest, ok && len(line) == 1 && strings.Contains(",;\t|", line)
}

// fewLines is how many lines are too few to tell a table by the same number of fields.
const fewLines = 4

// sniffDelimiter returns the delimiter that splits most of the first lines into the same number of fields, of which there
// are two at least, preferring more fields: lines above the table, such as a title, have others.
func sniffDelimiter(text, ext string) rune {
	best, bestScore := ',', 0
	switch ext {
	case ".tsv", ".tab":
		best = '\t'
	case ".psv":
		best = '|'
	}
	for _, comma := range []rune{best, ',', ';', '\t', '|'} {
		r := csv.NewReader(strings.NewReader(text[:min(len(text), 64<<10)]))
		r.Comma = comma
		r.FieldsPerRecord = -1
		r.LazyQuotes = true
		counts, rows := map[int]int{}, 0
		for rows < 20 {
			row, err := r.Read()
			if err != nil {
				break
			}
			rows++
			counts[len(row)]++
		}
		for fields, same := range counts {
			if score := same * 1000 / rows * min(fields, 50); fields > 1 && (same > 1 || rows < fewLines) && score > bestScore {
				best, bestScore = comma, score
			}
		}
	}
	return best
}
