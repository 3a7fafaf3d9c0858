package cell

import (
	"slices"
	"strings"
	"unicode"

	"lectern/shared/text/delimited"
)

// Parted is a row of a table within a text whose cells tabs, semicolons or commas part.
type Parted struct {
	delimited.Row
	Names bool // of the columns
}

// PartedIn returns the rows of all such tables with names of columns in a text, in order, those with the names too. Columns is the
// row of the names of the table that the text goes on with; empty without.
func PartedIn(text, columns string) (list []Parted) {
	goesOn := 0 // columns
	if columns != "" {
		goesOn = len(Split(columns))
	}
	for i, rows := range delimited.Find(text) {
		cells := make([][]string, len(rows))
		for j, row := range rows {
			cells[j] = row.Cells
		}
		header := -1
		if i > 0 || len(cells[0]) != goesOn || strings.TrimSpace(text[:rows[0].Start]) != "" {
			if header = Header(cells); header < 0 {
				continue
			}
		}
		for j, row := range rows[max(header, 0):] {
			list = append(list, Parted{Row: row, Names: header >= 0 && j == 0})
		}
	}
	return list
}

// Among reports whether a part of a text has one of the rows of it, which are in order, or a part of one.
func Among(rows []Parted, start, end int) bool {
	at, _ := slices.BinarySearchFunc(rows, start, func(r Parted, start int) int { return r.End - start })
	return at < len(rows) && rows[at].Start < end
}

// Row writes cells as the row of a Markdown table.
func Row(cells []string) string { return delimited.Markdown(cells) }

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

// leastPart is how many values a part of a wide row has at least.
const leastPart = 5

// GoesOn reports whether a record is a further part of the row of the one before it: it has the same key, the first of its names,
// and no other value of that.
func GoesOn(before, record map[string]string, key string) bool {
	if len(before) < leastPart || len(record) < 2 || record[key] == "" || before[key] != record[key] {
		return false
	}
	for name := range record {
		if _, twice := before[name]; twice && name != key {
			return false
		}
	}
	return true
}

// Fields reads a record, in its order; none of any other text.
func Fields(record string) (names, values []string) {
	names, of := Record(record)
	for _, name := range names {
		values = append(values, of[name])
	}
	return names, values
}

// KeyOf returns the first value of a record.
func KeyOf(record string) string {
	first, _, _ := strings.Cut(record, "; ")
	_, value, _ := strings.Cut(first, ": ")
	return value
}

// Cells of a row that are said: of a wider one those that are asked for, of a very wide one without such the first ones.
const (
	mostShown = 12
	veryWide  = 40
)

// Narrowed returns what is said of a wide row: the cells that are asked for, with the first; empty where all is.
func Narrowed(names, values []string, asked func(name string) bool) string {
	if len(values) <= mostShown {
		return ""
	}
	var said []string
	for j, name := range names {
		if Filled(values[j]) && (j == 0 || asked(name)) {
			said = append(said, strings.TrimPrefix(name+": ", ": ")+values[j])
		}
	}
	switch {
	case len(said) > 1:
		return strings.Join(said, "; ")
	case len(values) > veryWide:
		return Restated(Row(names[:mostShown]), Row(values[:mostShown])) + "; …"
	}
	return ""
}
