// Package delimited finds the tables within a text whose cells tabs, semicolons or commas
// part, as they are pasted from a spreadsheet or a CSV file.
//
// Whether lines are a table is decided for a block of lines, not for a line: prose has
// commas, too, but not as many in each line.
package delimited

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Row is a line of a table, or several where a cell in quotation marks has line breaks.
type Row struct {
	Start, End int      // byte offsets in the text, without white space around
	Cells      []string // as many in each row of a table
}

// Limits of what is a table.
const (
	leastRows   = 3 // with the names of the columns
	leastWide   = 2 // rows of a table of enoughWide columns
	enoughWide  = 4 // columns
	mostColumns = 2000
	mostQuoted  = 4096 // bytes of a row with line breaks in it
	shortCell   = 60   // bytes
)

// marks part cells; the first that parts the lines of a block alike does.
var marks = [...]byte{'\t', ';', ','}

// Find returns the tables of a text in order, each with the names of its columns, if it has
// them, as its first row. It takes linear time.
func Find(text string) (tables [][]Row) {
	var tried [len(marks)]int // up to where a mark makes no table
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		var best []Row
		for m, mark := range marks {
			if at < tried[m] || strings.IndexByte(text[at:end], mark) < 0 {
				continue
			}
			rows, to := block(text, at, mark)
			if !isTable(text, rows, mark) {
				tried[m] = to
				continue
			}
			best = rows
			break
		}
		if best != nil {
			tables = append(tables, best)
			end = lineEnd(text, best[len(best)-1].End)
		}
		at = end + 1
	}
	return tables
}

// lineEnd returns where the line ends that has the byte at an offset.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// block returns the rows from a line on that a mark parts into as many cells as the first one, and where the
// line begins that is none.
func block(text string, at int, mark byte) (rows []Row, to int) {
	spaced := 0 // rows of the first two with blanks behind the marks
	for at < len(text) {
		row, next, ok := rowAt(text, at, mark)
		if ok && len(rows) > 0 {
			width := len(rows[0].Cells)
			if len(rows) >= leastWide && 2*len(row.Cells) > width { // cells at the end that are empty may be left out
				for len(row.Cells) < width {
					row.Cells = append(row.Cells, "")
				}
			}
			ok = len(row.Cells) == width
		}
		if ok && isSpaced(text[row.Start:row.End], mark) {
			spaced++
			ok = len(rows) < leastWide || spaced > 1
		}
		switch {
		case ok:
			rows, at = append(rows, row), next
		case len(rows) > 0:
			return rows, at
		default:
			return nil, next
		}
	}
	return rows, at
}

// isSpaced reports whether blanks stand behind a mark in a line, as in prose.
func isSpaced(line string, mark byte) bool {
	return mark != '\t' && !strings.Contains(line, `"`) && strings.Contains(line, string([]byte{mark, ' '}))
}

// rowAt reads the line at an offset; next is where the one below begins. ok is false of a line without the mark, or
// with quotation marks that do not belong together.
func rowAt(text string, at int, mark byte) (row Row, next int, ok bool) {
	row.Start = at
	for i := at; ; {
		cell, end, quoted := "", i, false
		for end < len(text) && text[end] == ' ' {
			end++
		}
		if end < len(text) && text[end] == '"' {
			if value, after, closed := quotedAt(text, end, mark); closed && after-at <= mostQuoted {
				cell, end, quoted = value, after, true
			}
		}
		if !quoted {
			end = i
			for end < len(text) && text[end] != mark && text[end] != '\n' {
				end++
			}
			cell = text[i:end]
		}
		row.Cells = append(row.Cells, strings.TrimSpace(cell))
		if end < len(text) && text[end] == mark {
			i = end + 1
			continue
		}
		next = min(end+1, len(text))
		row.Start, row.End = trimmed(text, at, end)
		return row, next, len(row.Cells) > 1 && len(row.Cells) <= mostColumns && strings.Join(row.Cells, "") != ""
	}
}

// quotedAt returns the value of the cell whose quotation mark stands at an offset, and where the mark, the line break or
// the end behind it stands; closed is false where something else does.
func quotedAt(text string, at int, mark byte) (value string, after int, closed bool) {
	var b strings.Builder
	for i := at + 1; i < len(text) && i-at <= mostQuoted; i++ {
		switch {
		case text[i] != '"':
			b.WriteByte(text[i])
		case i+1 < len(text) && text[i+1] == '"':
			b.WriteByte('"')
			i++
		default:
			for i++; i < len(text) && (text[i] == ' ' || text[i] == '\r'); i++ {
			}
			return b.String(), i, i == len(text) || text[i] == mark || text[i] == '\n'
		}
	}
	return "", 0, false
}

// trimmed returns the part of a text without white space around it.
func trimmed(text string, start, end int) (from, to int) {
	from = start + len(text[start:end]) - len(strings.TrimLeft(text[start:end], " \t\r\n"))
	return min(from, end), start + len(strings.TrimRight(text[start:end], " \t\r\n"))
}

// isTable reports whether rows that a mark parts alike are a table: enough of them, and none is prose.
func isTable(text string, rows []Row, mark byte) bool {
	if len(rows) == 0 {
		return false
	}
	width := len(rows[0].Cells)
	if len(rows) < leastRows && (len(rows) < leastWide || width < enoughWide) {
		return false
	}
	spaced := false
	for _, row := range rows {
		line := text[row.Start:row.End]
		if strings.ContainsAny(line[:1], "|>") || strings.HasPrefix(line, "- ") || strings.HasPrefix(strings.TrimLeft(line, "#"), " ") || mark != '\t' && isProse(line) {
			return false
		}
		spaced = spaced || isSpaced(line, mark)
	}
	return !allDigits(rows[0].Cells) && (mark == '\t' || !spaced && width > 2 || areValues(rows, spaced))
}

// isProse reports whether a line ends like a question, like what leads to a list, like code, or like a sentence in Chinese.
func isProse(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(line)
	return strings.ContainsRune("?!:{}。！？：", last)
}

// areValues reports whether rows with blanks behind the marks, or of two cells, are values rather than parts of sentences: all are
// short, none ends like a sentence, and the names of the columns have no digits. With blanks a column has a number in each row, too.
func areValues(rows []Row, spaced bool) bool {
	for _, name := range rows[0].Cells {
		if name == "" || len(name) > shortCell || strings.ContainsAny(name, "0123456789") {
			return false
		}
	}
	width := len(rows[0].Cells)
	filled := make([]int, width) // rows with a number
	for _, row := range rows[1:] {
		for j, v := range row.Cells {
			if len(v) > shortCell || j == width-1 && strings.HasSuffix(v, ".") && (spaced || strings.Contains(v, " ")) {
				return false
			}
			if strings.ContainsAny(v, "0123456789") {
				filled[j]++
			}
		}
	}
	return !spaced || slices.Contains(filled, len(rows)-1)
}

// allDigits reports whether cells are nothing but figures, as those of a matrix are.
func allDigits(cells []string) bool {
	for _, v := range cells {
		if strings.Trim(v, "0123456789.-+ ") != "" {
			return false
		}
	}
	return true
}

// Markdown writes cells as the row of a Markdown table.
func Markdown(cells []string) string {
	var b strings.Builder
	b.WriteByte('|')
	for _, v := range cells {
		b.WriteByte(' ')
		b.WriteString(strings.ReplaceAll(strings.Join(strings.Fields(v), " "), "|", `\|`))
		b.WriteString(" |")
	}
	return b.String()
}
