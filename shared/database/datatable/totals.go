package datatable

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// totalForm matches what a row of totals is called.
var totalForm = regexp.MustCompile(`(?i)^(?:grand |sub ?|overall )?(?:totals?|sum|summe|gesamt(?:summe|betrag)?|insgesamt|total(?:e|es|général)?|suma|totale)\s*:?$`)

// withoutTotals leaves out a last row that is called a total and has the sum of a column above
// it: counted as a row like the others it would double each sum, and its name would make a
// column of dates one of texts.
func withoutTotals(t table) table {
	n := len(t.rows) - 1
	if n < 2 || !isTotal(t.rows[n]) {
		return t
	}
	for c := range t.header {
		if c >= len(t.rows[n]) {
			break
		}
		total, ok := figureOf(t.rows[n][c])
		if !ok || total == 0 {
			continue
		}
		sum := 0.
		for _, row := range t.rows[:n] {
			if c < len(row) {
				v, _ := figureOf(row[c])
				sum += v
			}
		}
		if math.Abs(sum-total) <= math.Abs(total)*1e-4+.006*float64(n) {
			t.rows = t.rows[:n]
			break
		}
	}
	return t
}

// isTotal reports whether the first text of a row says that it has totals.
func isTotal(row []string) bool {
	for _, s := range row {
		if s = strings.TrimSpace(s); s != "" {
			return totalForm.MatchString(s)
		}
	}
	return false
}

// figureOf returns a number as sheets write it, with a point or a comma for decimals.
func figureOf(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if n, ok := plainNumber(s); ok {
		v, err := strconv.ParseFloat(n, 64)
		return v, err == nil
	}
	if !commaFigure.MatchString(s) {
		return 0, false
	}
	digits := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r == '-':
			return r
		case r == ',':
			return '.'
		}
		return -1
	}, s)
	v, err := strconv.ParseFloat(digits, 64)
	return v, err == nil
}
