package reader

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"lectern/shared/document"
)

// csvReader reads tables of delimited text. A short one becomes a Markdown
// table; in a longer one every row names its columns, so that a chunk from
// its middle can be understood and found.
func csvReader() Reader {
	return &format{
		name:       "csv",
		extensions: []string{".csv", ".tsv", ".psv", ".tab"},
		accepts:    isText,
		read:       readCSV,
	}
}

func readCSV(ctx context.Context, src Source, limits Limits) (*document.Document, error) {
	text, guess := decodeText(src.Data)
	var b document.Builder
	if guess != "" {
		b.Warn("the character set was guessed as %s", guess)
	}
	comma := sniffDelimiter(text, Ext(src.Name))
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = comma
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	r.ReuseRecord = true
	t := tabular{b: &b}
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
		if int64(b.Len()) > limits.TextBytes {
			return nil, unreadable(TooLarge, "the text of the file is over the limit of %d bytes", limits.TextBytes)
		}
		t.row(row)
	}
	t.end()
	return b.Document(), nil
}

// sniffDelimiter chooses the delimiter that cuts the first lines into the
// same number of fields, more being better.
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
		first, same, rows := 0, 0, 0
		for rows < 20 {
			row, err := r.Read()
			if err != nil {
				break
			}
			rows++
			if first == 0 {
				first = len(row)
			}
			if len(row) == first {
				same++
			}
		}
		if first < 2 || rows == 0 {
			continue
		}
		if score := same * 1000 / rows * min(first, 50); score > bestScore {
			best, bestScore = comma, score
		}
	}
	return best
}

// tabular writes rows that come one by one: it keeps the first ones back
// until it knows whether the table is short.
type tabular struct {
	b     *document.Builder
	held  [][]string
	bytes int
	names []string
	long  bool
}

// A table up to this size fits one chunk and stays a Markdown table.
const (
	shortRows  = 30
	shortBytes = 900
)

func (t *tabular) row(cells []string) {
	last := len(cells)
	for last > 0 && strings.TrimSpace(cells[last-1]) == "" {
		last--
	}
	if last == 0 {
		return
	}
	cells = cells[:last]
	if t.long {
		t.b.Record(t.names, cells)
		return
	}
	kept := make([]string, len(cells))
	for i, c := range cells {
		kept[i] = strings.Clone(c)
		t.bytes += len(c)
	}
	t.held = append(t.held, kept)
	if len(t.held) > shortRows || t.bytes > shortBytes {
		t.begin()
	}
}

// begin turns to named rows.
func (t *tabular) begin() {
	t.long = true
	rows := t.caption()
	if t.held = nil; len(rows) > 1 && isHeader(rows) {
		t.names, rows = rows[0], rows[1:]
	}
	for _, row := range rows {
		t.b.Record(t.names, row)
	}
}

// end writes what was held back and makes ready for another table.
func (t *tabular) end() {
	if rows := t.caption(); len(rows) > 0 {
		width := 0
		for _, row := range rows {
			width = max(width, len(row))
		}
		writeTable(t.b, rows, width)
	}
	*t = tabular{b: t.b}
}

// caption writes the lines above a table that have one cell only, and returns
// the other rows held back.
func (t *tabular) caption() [][]string {
	rows := t.held
	n := 0
	for n < len(rows) && n < 5 && filled(rows[n]) == 1 {
		n++
	}
	if n == len(rows) || filled(rows[n]) == 1 {
		return rows
	}
	for _, row := range rows[:n] {
		t.b.Paragraph(strings.Join(row, ""))
	}
	return rows[n:]
}

func filled(row []string) int {
	n := 0
	for _, c := range row {
		if strings.TrimSpace(c) != "" {
			n++
		}
	}
	return n
}

// isHeader reports whether the first row names columns: distinct texts, where
// rows below have numbers or other texts.
func isHeader(rows [][]string) bool {
	seen := map[string]bool{}
	for _, c := range rows[0] {
		c = strings.TrimSpace(c)
		if c == "" {
			continue
		}
		if isNumber(c) || seen[c] || len(c) > 120 {
			return false
		}
		seen[c] = true
	}
	return len(seen) > 0 && len(seen)*2 >= len(rows[0])
}

func isNumber(s string) bool {
	s = strings.TrimRight(strings.TrimLeft(strings.TrimSpace(s), "$€£+-("), "%)€ ")
	if s == "" || s[0] != '.' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	_, err := strconv.ParseFloat(strings.NewReplacer(",", "", " ", "").Replace(s), 64)
	return err == nil
}
