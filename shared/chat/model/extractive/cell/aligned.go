package cell

import (
	"encoding/csv"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// blanks matches what parts the cells of a line that is a row of a table without bars.
var blanks = regexp.MustCompile(`\s{2,}`)

// Aligned returns the cells of a line that several blanks, tabs, semicolons or commas part; nil of any other.
func Aligned(line string) []string {
	line = strings.TrimSpace(line)
	if strings.Contains(line, "  ") && !strings.Contains(line, "\t") {
		return blanks.Split(line, -1)
	}
	for _, mark := range []string{"\t", ";", ","} {
		if strings.Contains(line, mark) {
			return parted(line, mark)
		}
	}
	return nil
}

// fewest is how many cells a line has at least that commas part.
const fewest = 3

// parted returns the cells of a line of comma-separated values, whatever the mark between them is; nil of prose, which has a blank
// behind each such mark, or ends in a point.
func parted(line, mark string) []string {
	list := strings.Split(line, mark)
	if strings.Contains(line, `"`) {
		read := csv.NewReader(strings.NewReader(line))
		read.Comma = rune(mark[0])
		switch fields, err := read.Read(); {
		case err == nil:
			list = fields
		case mark != "\t": // 5" tall
			return nil
		}
	} else if mark != "\t" && (strings.Contains(line, mark+" ") || strings.HasSuffix(line, ".")) {
		return nil
	}
	if mark == "," && len(list) < fewest {
		return nil
	}
	for i, v := range list {
		list[i] = strings.TrimSpace(v)
	}
	return list
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
