package cell

import (
	"strings"
	"unicode"

	"lectern/shared/text/delimited"
)

// Parted is a row of a table within a text whose cells tabs, semicolons or commas part.
type Parted struct {
	delimited.Row
	Names bool // of the columns
}

// PartedIn returns the rows of all such tables with names of columns in a text, in order, those with the names too.
func PartedIn(text string) (list []Parted) {
	for _, rows := range delimited.Find(text) {
		cells := make([][]string, len(rows))
		for j, row := range rows {
			cells[j] = row.Cells
		}
		header := Header(cells)
		if header < 0 {
			continue
		}
		for j, row := range rows[header:] {
			list = append(list, Parted{Row: row, Names: j == 0})
		}
	}
	return list
}

// Row writes cells as the row of a Markdown table.
func Row(cells []string) string {
	var b strings.Builder
	b.WriteByte('|')
	for _, v := range cells {
		b.WriteByte(' ')
		b.WriteString(strings.ReplaceAll(strings.Join(strings.Fields(v), " "), "|", `\|`))
		b.WriteString(" |")
	}
	return b.String()
}

// Numbered reports whether a row, below the names of its columns, is about a numbered thing: says it, has the number in the column of
// that name, or begins with it.
func Numbered(names, row, noun, number string) bool {
	columns := strings.Split(strings.ToLower(names), "|")
	for i, cell := range strings.Split(strings.ToLower(row), "|") {
		cell = strings.TrimSpace(cell)
		if cell == number && (i == 1 || i < len(columns) && strings.Contains(columns[i], noun)) {
			return true
		}
		for rest := cell; ; {
			_, after, ok := strings.Cut(rest, noun)
			if !ok {
				break
			}
			digits, found := strings.CutPrefix(strings.TrimLeft(after, " #.:"), number)
			if found && (digits == "" || !unicode.IsDigit(rune(digits[0]))) {
				return true
			}
			rest = after
		}
	}
	return false
}
