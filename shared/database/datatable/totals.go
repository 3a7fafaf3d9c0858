package datatable

import (
	"math"
	"regexp"

	"lectern/shared/database"
)

// totalForm matches what a row of totals is called.
var totalForm = regexp.MustCompile(`(?i)^(?:grand |sub ?|overall )?(?:totals?|sum|summe|gesamt(?:summe|betrag)?|insgesamt|total(?:e|es|général)?|suma|totale)\s*:?$`)

// withoutTotals leaves out a last row that is called a total and has the sum of a column above
// it: counted as a row like the others it would double each sum.
func withoutTotals(d *database.Data) {
	n := len(d.Rows) - 1
	if n < 2 || !isTotal(d.Rows[n]) {
		return
	}
	for c := range d.Columns {
		total, ok := number(d.Rows[n][c])
		if !ok || total == 0 {
			continue
		}
		sum := 0.
		for _, row := range d.Rows[:n] {
			v, _ := number(row[c])
			sum += v
		}
		if math.Abs(sum-total) <= math.Abs(total)*1e-4+.006*float64(n) {
			d.Rows = d.Rows[:n]
			return
		}
	}
}

// isTotal reports whether the first text of a row says that it has totals.
func isTotal(row []any) bool {
	for _, v := range row {
		if s, ok := v.(string); ok && s != "" {
			return totalForm.MatchString(s)
		}
	}
	return false
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
