package sqltext

import (
	"regexp"
	"strings"
)

// Period is the time that a statement over one table asks for: days from one on, before another.
type Period struct {
	Table, Column string // as they stand in the statement
	From, Before  string // as 2026-11-01
}

// within matches a condition of such a time. What stands between the table and it has no subquery.
var within = regexp.MustCompile("^[^()]*(?:\\([^()]*\\)[^()]*)* FROM (\"[^\"]+\"|`[^`]+`) WHERE (?:[^()]* AND )?" +
	"(\"[^\"]+\"|`[^`]+`|\\(\"[^\"]+\" \\|\\| '-01'\\)) >= '(\\d{4}-\\d\\d-\\d\\d)' AND (\"[^\"]+\"|`[^`]+`|\\(\"[^\"]+\" \\|\\| '-01'\\)) < '(\\d{4}-\\d\\d-\\d\\d)'")

// PeriodOf returns the time that a statement asks for; ok is false where it asks for none, or for several.
func PeriodOf(sql string) (p Period, ok bool) {
	m := within.FindStringSubmatch(sql)
	if m == nil || m[2] != m[4] {
		return Period{}, false
	}
	return Period{Table: m[1], Column: m[2], From: m[3], Before: m[5]}, true
}

// Ends is the statement that tells the first and the last time that the table has.
func (p Period) Ends() string {
	return "SELECT MIN(" + p.Column + "), MAX(" + p.Column + ") FROM " + p.Table
}

// Names are those of the table and the column, without what a statement has around them.
func (p Period) Names() (table, column string) {
	bare := func(name string) string { return strings.Trim(name, "\"`") }
	return bare(p.Table), bare(strings.TrimSuffix(strings.TrimPrefix(p.Column, "("), " || '-01')"))
}

// Outside reports whether the time lies before the first or after the last one, written as 2026-11-01 or longer.
func (p Period) Outside(first, last string) bool {
	const day = len("2026-11-01")
	return len(first) >= day && len(last) >= day && (first[:day] >= p.Before || last[:day] < p.From)
}
