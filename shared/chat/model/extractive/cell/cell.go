// Package cell reads the rows of Markdown tables and what stands in their cells.
package cell

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Split returns the texts of a table row's cells.
func Split(row string) []string {
	row = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|")
	list := strings.Split(strings.ReplaceAll(row, `\|`, "\x00"), "|")
	for i, c := range list {
		list[i] = strings.TrimSpace(strings.ReplaceAll(c, "\x00", "|"))
	}
	return list
}

// Restated returns a row with the names of its columns beside the values; the row as it is
// where the two do not fit.
func Restated(header, row string) string {
	names, values := Split(header), Split(row)
	if len(names) != len(values) || len(values) < 2 {
		return row
	}
	var parts []string
	for i, v := range values {
		switch {
		case v == "":
		case names[i] == "" || strings.EqualFold(names[i], v):
			parts = append(parts, v)
		default:
			parts = append(parts, strings.TrimSuffix(names[i], ":")+": "+v)
		}
	}
	if len(parts) == 0 {
		return row
	}
	return strings.Join(parts, "; ")
}

// Form reports whether rows of two cells each, the first of them where a table has the names of its columns, are
// those of a form: what stands there is itself a value, as in "Owner | Mrs Ann Lee", and the values below are of
// several kinds.
func Form(rows [][]string) bool {
	if len(rows) < leastForm {
		return false
	}
	kinds := map[string]bool{}
	for _, row := range rows {
		if len(row) != 2 || row[0] == "" || len(row[0]) > nameMost || strings.ContainsAny(row[0][:1], "0123456789") {
			return false
		}
		kinds[kindOf(row[1])] = true
	}
	delete(kinds, "")
	return len(kinds) > 1 && (valueForm().MatchString(rows[0][1]) || kindOf(rows[0][1]) != "words")
}

const leastForm = 3 // rows

// valueForm matches what is a value rather than the name of a column: several words that begin with capital
// letters, one with a comma.
var valueForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:Mrs?|Ms|Dr|Prof|Herrn?|Frau|Mme|M)\.? \p{Lu}|^\p{Lu}[\pL'’-]+ (?:\p{Lu}\. )?\p{Lu}[\pL'’-]+$|, `)
})

// kindOf says of what kind a cell is: a number, a day or words; nothing of an empty one.
func kindOf(cell string) string {
	switch {
	case !Filled(cell):
		return ""
	case len(Days(cell)) > 0:
		return "day"
	case strings.Contains(cell, "@"):
		return "mail"
	case strings.ContainsAny(cell[:1], "0123456789£€$+"):
		return "number"
	}
	return "words"
}

const nameMost = 60 // bytes of a column's name in a record

// Record reads a row that names its values, "Name: Ann; Age: 39"; names are empty for any
// other text.
func Record(text string) (names []string, values map[string]string) {
	values = map[string]string{}
	for field := range strings.SplitSeq(text, "; ") {
		name, value, ok := strings.Cut(field, ": ")
		if !ok && len(names) > 0 { // of the value before it
			values[names[len(names)-1]] += "; " + field
			continue
		}
		if _, twice := values[name]; !ok || twice || name == "" || len(name) > nameMost {
			return nil, nil
		}
		names, values[name] = append(names, name), strings.TrimSpace(value)
	}
	if len(names) < 2 {
		return nil, nil
	}
	return names, values
}

var unfilled = map[string]bool{"": true, "-": true, "–": true, "—": true, "n/a": true, "nan": true, "null": true, "none": true}

// Filled reports whether a cell has a value.
func Filled(cell string) bool { return !unfilled[strings.ToLower(cell)] }

// Number reads a number as tables write it: with a unit or a sign of currency, with
// marks between thousands.
func Number(cell string) (float64, bool) {
	cell = strings.Trim(cell, " *_$€£%+~")
	digits := cell
	if first, rest, ok := strings.Cut(cell, " "); ok {
		if digits = first; strings.ContainsAny(rest, "0123456789") {
			return 0, false // a date, a range
		}
	}
	comma, point := strings.LastIndexByte(digits, ','), strings.LastIndexByte(digits, '.')
	if comma > point && len(digits)-comma-1 != 3 || point >= 0 && strings.Count(digits, ".") > 1 {
		digits = strings.ReplaceAll(strings.ReplaceAll(digits, ".", ""), ",", ".") // 1.234,5
	}
	digits = strings.ReplaceAll(digits, ",", "")
	if strings.Trim(digits, "0123456789.-") != "" {
		return 0, false // no such words as inf, no exponents
	}
	n, err := strconv.ParseFloat(digits, 64)
	return n, err == nil
}

// numberForm matches a number with the unit before or after it.
var numberForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([^\d-]*)(-?[\d.,]*\d)(.*)$`) })

// Comparable reports whether the numbers of a column can be compared: they have one unit, some of them maybe none, and
// their marks do not leave open whether they part thousands or decimals.
func Comparable(column []string) bool {
	unit := ""
	plain, maybe, decimal := false, map[byte]bool{}, map[byte]bool{}
	for _, c := range column {
		if !Filled(c) {
			continue
		}
		m := numberForm().FindStringSubmatch(strings.Trim(c, " *_"))
		if m == nil {
			return false
		}
		this := strings.ToLower(strings.TrimSpace(m[1]) + " " + strings.TrimSpace(m[3]))
		if this = strings.TrimSpace(this); this != "" && unit != "" && this != unit {
			return false
		}
		unit = cmp.Or(unit, this)
		at := strings.IndexAny(m[2], ".,")
		switch {
		case at < 0:
			plain = plain || len(m[2]) > 0
		case strings.LastIndexAny(m[2], ".,") != at: // several
		case len(m[2])-at-1 == thousands && at <= thousands:
			maybe[m[2][at]] = true
		default:
			decimal[m[2][at]] = true
		}
	}
	return !(maybe['.'] && plain && !decimal['.'] || maybe[','] && decimal[','])
}

const thousands = 3 // digits after a mark between thousands

// Layouts of dates; those with slashes have the day first, as most countries write it.
var layouts = []string{"2006-01-02", "2.1.2006", "2/1/2006", "2 January 2006", "2 Jan 2006",
	"January 2, 2006", "Jan 2, 2006", "January 2006", "Jan 2006"}

// yearForm matches a year alone.
var yearForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:1[5-9]|20)\d\d$`) })

// Date reads a day or a year as the number year, month, day, such as 20240131; a year has
// month and day 0. ok is false for anything else.
func Date(cell string) (n float64, ok bool) {
	cell = strings.Trim(cell, " *_")
	if yearForm().MatchString(cell) {
		year, _ := strconv.Atoi(cell)
		return float64(year * 10000), true
	}
	for _, l := range layouts {
		if t, err := time.Parse(l, cell); err == nil {
			return float64(t.Year()*10000 + int(t.Month())*100 + t.Day()), true
		}
	}
	return 0, false
}

var affirmed = map[string]bool{"yes": true, "y": true, "true": true, "x": true, "✓": true, "☑": true, "☒": true, "✔": true,
	"ja": true, "oui": true, "sí": true, "si": true}
var denied = map[string]bool{"no": true, "n": true, "false": true, "☐": true, "□": true, "nein": true, "non": true}

// Affirmed reports whether a cell says yes, or no; ok is false where it says neither.
func Affirmed(cell string) (yes, ok bool) {
	cell = strings.ToLower(strings.Trim(cell, " *_"))
	return affirmed[cell], affirmed[cell] || denied[cell] || !Filled(cell)
}
