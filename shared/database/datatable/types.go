package datatable

import (
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// columnType is a type of columns.
type columnType struct {
	declared string
	// read parses a text; ok is false if it is of another type.
	read func(s string) (v any, ok bool)
}

// value converts a cell. An empty cell is NULL, and so are an uncomputed formula and
// a dash in a column of another type than text.
func (t columnType) value(s string) any {
	if s == "" {
		return nil
	}
	if v, ok := t.read(s); ok {
		return v
	}
	if !says(s) {
		return nil
	}
	return s
}

// says reports whether a cell says something: no dash, no uncomputed formula.
func says(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && !isUnknown(s) && !isVacant(s)
}

// isVacant reports whether a cell says that there is nothing.
func isVacant(s string) bool {
	switch strings.ToLower(s) {
	case "-", "–", "—", "n/a", "k. a.", "k.a.":
		return true
	}
	return false
}

// isUnknown reports whether a cell is an uncomputed formula or a formula error,
// which says nothing about the type of its column.
func isUnknown(s string) bool {
	switch s {
	case "#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!":
		return true
	}
	return len(s) > 1 && s[0] == '='
}

var textType = columnType{"TEXT", func(s string) (any, bool) { return s, true }}

// columnTypes are tried in this order.
var columnTypes = []columnType{
	{"INTEGER", func(s string) (any, bool) {
		n, ok := plainNumber(s)
		if !ok {
			return nil, false
		}
		i, err := strconv.ParseInt(n, 10, 64)
		return i, err == nil
	}},
	{"REAL", func(s string) (any, bool) {
		n, ok := plainNumber(s)
		if !ok || strings.TrimLeft(n, "-0123456789") == "" {
			// An integer in a column of floats, or one that is too long to be exact.
			i, err := strconv.ParseInt(n, 10, 64)
			return float64(i), ok && err == nil
		}
		f, err := strconv.ParseFloat(n, 64)
		return f, err == nil
	}},
	{"DATE", func(s string) (any, bool) { return moment(s, time.DateOnly, "2006-01-02", "2006/01/02", "02.01.2006") }},
	{"TIMESTAMP", func(s string) (any, bool) {
		return moment(s, "2006-01-02 15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04",
			"2006-01-02T15:04")
	}},
	{"BOOLEAN", func(s string) (any, bool) {
		switch strings.ToLower(s) {
		case "true", "yes":
			return int64(1), true
		case "false", "no":
			return int64(0), true
		}
		return nil, false
	}},
}

// known yields the cells of a column that say something about its type.
func known(rows [][]string, column int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, row := range rows {
			if column >= len(row) {
				continue
			}
			if s := strings.TrimSpace(row[column]); says(s) && !yield(s) {
				return
			}
		}
	}
}

// typeOf returns the first type that fits all values of a column, after
// removing the unit of numbers.
func typeOf(rows [][]string, column int, unit string) columnType {
next:
	for _, t := range columnTypes {
		found := false
		if t.declared == "BOOLEAN" && slices.ContainsFunc(rows, func(row []string) bool {
			return column < len(row) && isVacant(strings.TrimSpace(row[column]))
		}) {
			continue // a dash may be a no
		}
		for s := range known(rows, column) {
			if _, ok := t.read(strings.TrimSuffix(s, unit)); !ok {
				continue next
			}
			found = true
		}
		if found {
			return t
		}
	}
	return textType
}

// figure is a number, optionally with thousands separators, a currency or
// percent sign, or parentheses for minus. A number with a leading zero is a
// code.
var figure = regexp.MustCompile(`^(-?)[$€£¥]? ?(-?)((?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)(?: ?[%$€£¥])?$`)

// plainNumber returns a number without formatting.
func plainNumber(s string) (string, bool) {
	sign := ""
	if inner, ok := strings.CutPrefix(s, "("); ok && strings.HasSuffix(inner, ")") {
		sign, s = "-", inner[:len(inner)-1]
	}
	m := figure.FindStringSubmatch(s)
	if m == nil || len(sign)+len(m[1])+len(m[2]) > 1 {
		return "", false
	}
	return sign + m[1] + m[2] + strings.ReplaceAll(m[3], ",", ""), true
}

// commaFigure is a number with a decimal comma, and points or spaces between
// thousands, as it is written in German and French.
var commaFigure = regexp.MustCompile("^-?(?:\\d+|\\d{1,3}(?:[. \u00a0\u202f]\\d{3})+)(?:,(\\d+))?( ?[%€$£¥])?$")

// decimalCommas reports whether a column has numbers that have decimal commas for certain.
func decimalCommas(rows [][]string, column int) bool {
	certain := false
	for s := range known(rows, column) {
		m := commaFigure.FindStringSubmatch(s)
		if m == nil {
			return false
		}
		certain = certain || m[1] != "" && len(m[1]) != 3
	}
	return certain
}

// decimalPoints writes a column of numbers with decimal commas with points. One
// whose commas may all stand between thousands is left alone, and one whose points may where no other column of its
// table has decimal commas for certain.
func decimalPoints(rows [][]string, column int, certain, others bool) {
	if !certain && others {
		certain = true
		for s := range known(rows, column) {
			certain = certain && commaFigure.MatchString(s) && !strings.Contains(s, ",")
		}
	}
	if !certain {
		return
	}
	plain := strings.NewReplacer(".", "", " ", "", "\u00a0", "", "\u202f", "", ",", ".")
	for _, row := range rows {
		if column < len(row) && says(row[column]) {
			row[column] = plain.Replace(row[column])
		}
	}
}

// unitOf returns the unit that follows every number of a column, as in "5 kg";
// "" if there is none or they differ.
func unitOf(rows [][]string, column int) string {
	unit := ""
	for s := range known(rows, column) {
		number := strings.TrimRightFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
		if tail := s[len(number):]; tail == "" || len(tail) > maxUnit || unit != "" && tail != unit {
			return ""
		}
		if _, ok := plainNumber(number); !ok {
			return ""
		}
		unit = s[len(number):]
	}
	return unit
}

// maxUnit limits the bytes of a unit.
const maxUnit = 16

// moment parses a time in one of the forms and formats it as written.
func moment(s, written string, forms ...string) (any, bool) {
	for _, f := range forms {
		if t, err := time.Parse(f, s); err == nil {
			return t.Format(written), true
		}
	}
	return nil, false
}
