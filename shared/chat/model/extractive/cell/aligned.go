package cell

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// blanks matches what parts the cells of a line that is a row of a table without bars.
var blanks = regexp.MustCompile(`\s{2,}`)

// Aligned returns the cells of a line that several blanks part; nil of any other.
func Aligned(line string) []string {
	line = strings.TrimSpace(line)
	if !strings.Contains(line, "  ") || strings.Contains(line, "\t") {
		return nil
	}
	return blanks.Split(line, -1)
}

// Starts returns where the cells of such a line begin, in characters.
func Starts(line string) (list []int) {
	blank := 2 // how many are before a character
	for i, r := range []rune(line) {
		if unicode.IsSpace(r) {
			blank++
			continue
		}
		if blank > 1 {
			list = append(list, i)
		}
		blank = 0
	}
	return list
}

// wider is how many characters a value may be wider than its column.
const wider = 3

// Placed returns the cells of a line below another one whose cells begin where starts says, or behind a value that is wider than
// its column; nil where a word stands across such a place. A cell may be empty, the first one and all but one others may not.
func Placed(line string, starts []int) []string {
	letters := []rune(line)
	blank := func(at int) bool { return at < 0 || at >= len(letters) || unicode.IsSpace(letters[at]) }
	begins := make([]int, len(starts)+1)
	begins[len(starts)] = len(letters)
	for j, at := range starts {
		for most := at + wider; !blank(at-1) && at < most; {
			at++
		}
		if !blank(at - 1) {
			return nil
		}
		begins[j] = min(at, len(letters))
	}
	list, filled := make([]string, len(starts)), 0
	for j := range list {
		if begins[j] > begins[j+1] {
			return nil
		}
		if list[j] = strings.TrimSpace(string(letters[begins[j]:begins[j+1]])); list[j] != "" {
			filled++
		}
	}
	if filled < 2 || list[0] == "" {
		return nil
	}
	return list
}

// alignedRows is how many rows stand at least below the names of columns that blanks part.
const alignedRows = 2

// Block reads lines whose cells blanks part, list, as the rows of a table. The line at header has the names of its columns, which may
// go on from the line before. A rule below the names says that they are; else the rows have to be of another kind. It returns nil where
// these are none. To is before which line it ends, or where it would.
func Block(lines []string, list [][]string, ruled bool) (rows [][]string, header, to int) {
	names, starts := list[0], Starts(lines[0])
	if both := twoLines(lines, names, starts); both != nil {
		names, header = both, 1
	}
	for to = header + 1; to < len(lines); to++ {
		row := list[to]
		if to == header+1 && len(row) == len(names)+1 {
			names = append([]string{""}, names...) // the column of what rows are called has no name
		}
		// A value that fills its column has one blank behind it.
		if 2*len(row) > len(names) && len(row) != len(names) && len(starts) == len(names) {
			if placed := Placed(lines[to], starts); placed != nil {
				row = placed
			}
		}
		if len(row) != len(names) {
			break
		}
		rows = append(rows, row)
	}
	if len(rows) < alignedRows || !ruled && !NamesOf(names, rows) {
		return nil, 0, to
	}
	return append([][]string{names}, rows...), header, to
}

// twoLines returns the names of columns that go on in a second line, of which each part stands below a name, and that leaves out the
// column of what rows are called; nil where the second line is none.
func twoLines(lines, names []string, starts []int) []string {
	if len(lines) < 2+alignedRows || len(starts) != len(names) {
		return nil
	}
	below, rows := Starts(lines[1]), Starts(lines[2])
	if len(below) == 0 || len(rows) == 0 || rows[0] >= below[0] || len(rows) < len(below) {
		return nil
	}
	parts := blanks.Split(strings.TrimSpace(lines[1]), -1)
	if len(parts) != len(below) {
		return nil
	}
	both := slices.Clone(names)
	for i, at := range below {
		j := slices.Index(starts, at)
		if j < 0 || strings.IndexFunc(parts[i], unicode.IsLetter) < 0 {
			return nil
		}
		both[j] += " " + parts[i]
	}
	return both
}

// money matches an amount of it with its sign.
var money = regexp.MustCompile(`[€£$¥]\s?\d|\d\s?[€£$¥]|\d\s?(?:EUR|USD|GBP|CHF)\b|\b(?:EUR|USD|GBP|CHF)\s?\d`)

// NamesOf reports whether cells are the names of the columns of lines below them: of one at least they have values of another kind.
func NamesOf(names []string, rows [][]string) bool {
	if slices.ContainsFunc(names, func(name string) bool {
		return strings.HasSuffix(name, ":") || valueKind(name) == "money" || saysYes(name)
	}) {
		return false
	}
	for j := 1; j < len(names); j++ {
		kinds := map[string]int{}
		for _, row := range rows {
			kinds[valueKind(row[j])]++
		}
		delete(kinds, valueKind(names[j]))
		for kind, n := range kinds {
			if kind != "words" && 2*n > len(rows) {
				return true
			}
		}
	}
	return false
}

// titleRows is how many rows may stand above the names of the columns that have no more than one cell.
const titleRows = 3

// Header returns which row of a table, of its cells, has the names of the columns: the first one with more than one cell, unless
// it is a row like those below. It returns -1 without.
func Header(rows [][]string) int {
	for i, row := range rows[:min(titleRows, len(rows)-1)] {
		filled := 0
		for _, v := range row {
			if v != "" {
				filled++
			}
		}
		if filled < 2 {
			continue
		}
		if names(row, rows[i+1:]) || NamesOf(row, rows[i+1:]) {
			return i
		}
		break
	}
	return -1
}

// names reports whether cells can be the names of the columns of rows below them: all are different, short, no values, and
// none stands below itself.
func names(row []string, below [][]string) bool {
	seen := map[string]bool{}
	for j, v := range row {
		switch {
		case v == "":
			continue // of what rows are called
		case len(v) > nameMost, seen[v], valueKind(v) == "money", saysYes(v), strings.ContainsRune(v, '@'):
			return false
		case unicode.IsDigit(rune(v[0])) && !yearForm().MatchString(v):
			return false
		}
		seen[v] = true
		if slices.ContainsFunc(below, func(other []string) bool { return other[j] == v }) {
			return false
		}
	}
	return true
}

// valueKind says of what kind a cell's value is: money, a number, a yes or a no, or words.
func valueKind(v string) string {
	switch {
	case money.MatchString(v):
		return "money"
	case saysYes(v):
		return "truth"
	case v != "" && unicode.IsDigit(rune(v[0])):
		return "number"
	}
	return "words"
}

// saysYes reports whether a cell is a yes or a no.
func saysYes(v string) bool {
	_, ok := Affirmed(v)
	return ok && Filled(v)
}
