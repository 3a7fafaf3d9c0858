package document

import "strings"

// Covered is what a reader passes for a cell of a table that a cell to its left spans. What
// that one says is repeated there, so that it is said of each of its columns. A title above
// the columns, a row that is one cell, and the label before a figure are said once.
const Covered = "\x00"

// maxRepeated limits what merged cells repeat in one document, in bytes, because a few of
// them can span far more cells than the file has.
const maxRepeated = 4 << 20

// Repeat returns the text of a merged cell for another of the rows that it spans; empty once
// too much was repeated.
func (b *Builder) Repeat(text string) string {
	if text == Covered {
		return text
	}
	if b.repeated += len(text); b.repeated > maxRepeated {
		return ""
	}
	return text
}

// said returns a row with texts for its covered cells.
func (b *Builder) said(row []string, header bool) []string {
	for i := range row {
		if row[i] == Covered {
			return b.spread(row, header)
		}
	}
	return row
}

func (b *Builder) spread(row []string, header bool) []string {
	out := make([]string, len(row))
	one := filled(row) == 1 && cellAt(row, 0) != ""
	figures := false // in a column after the one at hand
	label := make([]bool, len(row))
	for i := len(row) - 1; i >= 0; i-- {
		label[i] = figures
		figures = figures || isNumber(row[i])
	}
	from := 0
	for i, text := range row {
		if text != Covered {
			out[i], from = text, i
			continue
		}
		if !one && (header || from > 0 || !label[i] || isNumber(row[0])) {
			out[i] = b.Repeat(strings.Clone(out[from]))
		}
	}
	return out
}
