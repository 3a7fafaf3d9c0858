package datatable

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// totalForm matches what a row of totals is called.
var totalForm = pattern(`(?i)^(?:grand |sub ?|overall )?(?:totals?|sum|summe|gesamt(?:summe|betrag)?|insgesamt|total(?:e|es|général)?|suma|totale)\s*:?$`)

// averageForm matches what a row of averages is called.
var averageForm = pattern(`(?i)^(?:averages?|mean|avg\.?|ø|durchschnitt|mittelwert|schnitt|moyenne|media)\s*:?$`)

// withoutAverages leaves out a last row that is called an average and has that of a column above it.
func withoutAverages(t table) table {
	n := len(t.rows) - 1
	if n < 2 || !isCalled(t.rows[n], averageForm()) {
		return t
	}
	for c := range min(len(t.header), len(t.rows[n])) {
		mean, ok := figureOf(t.rows[n][c])
		if !ok {
			continue
		}
		sum, count := summed(t.rows[:n], c, figureOf)
		if count > 1 && math.Abs(sum/float64(count)-mean) <= math.Abs(mean)*.02 {
			t.rows = t.rows[:n]
			break
		}
	}
	return t
}

// summed adds up a column's figures, and counts them.
func summed(rows [][]string, column int, figure func(string) (float64, bool)) (sum float64, count int) {
	for _, row := range rows {
		if column < len(row) {
			if v, ok := figure(row[column]); ok {
				sum += v
				count++
			}
		}
	}
	return sum, count
}

// withoutTotals leaves out a last row that is called a total and has the sum of a column above
// it, or nothing but figures: counted as a row like the others it would double each sum, and its name would make a
// column of dates one of texts.
func withoutTotals(t table) table {
	n := len(t.rows) - 1
	if n < 2 || !isCalled(t.rows[n], totalForm()) {
		return t
	}
	for _, figure := range []func(string) (float64, bool){figureOf, wholeOf} {
		for c := range min(len(t.header), len(t.rows[n])) {
			total, ok := figure(t.rows[n][c])
			if !ok || total == 0 {
				continue
			}
			if sum, _ := summed(t.rows[:n], c, figure); math.Abs(sum-total) <= math.Abs(total)*1e-4+.006*float64(n) {
				t.rows = t.rows[:n]
				return t
			}
		}
	}
	if texts(t.rows[n]) == 1 && texts(t.rows[n-1]) > 1 && texts(t.rows[n-2]) > 1 {
		t.rows = t.rows[:n] // it says nothing but figures, of rows that say more, such as those of a year
	}
	return t
}

// texts returns how many cells of a row hold something that is no figure.
func texts(row []string) int {
	n := 0
	for _, s := range row {
		if _, ok := figureOf(s); !ok && strings.TrimSpace(s) != "" {
			n++
		}
	}
	return n
}

// isCalled reports whether the first text of a row has a form.
func isCalled(row []string, form *regexp.Regexp) bool {
	for _, s := range row {
		if s = strings.TrimSpace(s); s != "" {
			return form.MatchString(s)
		}
	}
	return false
}

// wholeOf returns a number with points between thousands.
func wholeOf(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if !strings.Contains(s, ",") && commaFigure.MatchString(s) {
		return figureOf(strings.ReplaceAll(s, ".", ""))
	}
	return 0, false
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
