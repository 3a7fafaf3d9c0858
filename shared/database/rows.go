package database

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Rows is the result of a query.
type Rows struct {
	Columns []string
	Values  [][]any
	// Cut says that the result was truncated by the limits.
	Cut bool
}

// certainDigits is how many digits of a fraction are shown: those that a double has for certain.
const certainDigits = 15

// Show formats a value as text; NULL is empty.
func Show(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []byte:
		if utf8.Valid(v) && !bytes.ContainsFunc(v, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' && r != '\r' }) {
			return tidyNumber(string(v))
		}
		return "0x" + hex.EncodeToString(v)
	case string:
		return tidyNumber(v)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		if v != math.Trunc(v) { // sums of hundredths end in noise
			if near, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', certainDigits, 64), 64); err == nil {
				v = near
			}
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(v), 'f', -1, 32)
	case time.Time:
		if v.Hour() == 0 && v.Minute() == 0 && v.Second() == 0 && v.Nanosecond() == 0 {
			return v.Format(time.DateOnly)
		}
		return v.Format("2006-01-02 15:04:05.999999999")
	}
	return fmt.Sprint(v)
}

// tidyNumber removes the zeros that databases append to quotients.
func tidyNumber(s string) string {
	dot := strings.IndexByte(s, '.')
	if dot < 0 || len(s)-dot < 8 || strings.Trim(s, "-0123456789.") != "" || strings.Count(s, ".") > 1 {
		return s
	}
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// Markdown writes the first rows as a table.
func (r *Rows) Markdown(most int) string {
	if len(r.Columns) == 0 {
		return ""
	}
	var b strings.Builder
	write := func(cells []string) {
		b.WriteByte('|')
		for _, c := range cells {
			b.WriteString(" " + strings.ReplaceAll(strings.ReplaceAll(line(c, 200), `\`, `\\`), "|", `\|`) + " |")
		}
		b.WriteByte('\n')
	}
	write(r.Columns)
	b.WriteString("|" + strings.Repeat(" --- |", len(r.Columns)) + "\n")
	for _, row := range r.Values[:min(most, len(r.Values))] {
		write(texts(row))
	}
	return b.String()
}

// CSV writes all rows, after a line with the names of the columns. Text that a
// spreadsheet would run as a formula gets an apostrophe before it.
//
// Source: OWASP, "CSV Injection".
func (r *Rows) CSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(harmless(slices.Clone(r.Columns))) // a bytes.Buffer never fails
	for _, row := range r.Values {
		_ = w.Write(harmless(texts(row)))
	}
	w.Flush()
	return b.Bytes()
}

// harmless puts an apostrophe before the cells that spreadsheets take for formulas.
// Numbers stay as they are.
func harmless(cells []string) []string {
	for i, c := range cells {
		if c == "" || !strings.ContainsRune("=+-@\t\r", rune(c[0])) {
			continue
		}
		if _, err := strconv.ParseFloat(c, 64); err != nil {
			cells[i] = "'" + c
		}
	}
	return cells
}

func texts(row []any) []string {
	cells := make([]string, len(row))
	for i, v := range row {
		cells[i] = Show(v)
	}
	return cells
}
