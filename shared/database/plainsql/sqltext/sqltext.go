// Package sqltext writes parts of statements.
package sqltext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"lectern/shared/database"
	"lectern/shared/database/plainsql/lexicon"
)

// Grouped selects an expression, by group where there are groups.
func Grouped(by, what, from string) string {
	if by == "" {
		return "SELECT " + what + from
	}
	return "SELECT " + Labelled(by) + ", " + what + from + " GROUP BY " + by + " ORDER BY " + by
}

// Labelled names the span of time that an expression is, by which rows are grouped, for whoever reads the result.
func Labelled(by string) string {
	for _, s := range []struct{ begin, label string }{
		{"strftime('%Y-%m', ", "month"}, {"strftime('%Y-%m-%d', ", "day"}, {"strftime('%Y-%W', ", "week"}, {"CASE strftime('%w', ", "weekday"},
		{"strftime('%Y', ", "year"},
	} {
		if strings.HasPrefix(by, s.begin) {
			if strings.Contains(by, "|| '-Q' ||") {
				s.label = "quarter"
			}
			return by + ` AS "` + s.label + `"`
		}
	}
	return by
}

// Ratio is the quotient of two expressions, which are no whole numbers then; nothing by nothing.
func Ratio(a, b string) string { return a + " * 1.0 / NULLIF(" + b + ", 0)" }

// FirstDay is the first day of a month that is written as "2024-03".
func FirstDay(sql string) string { return "(" + sql + " || '-01')" }

// WeekdayOf is the day of the week of an expression, by its name.
func WeekdayOf(sql string, german bool) string {
	var b strings.Builder
	b.WriteString("CASE strftime('%w', " + sql + ")")
	for i := range 7 {
		fmt.Fprintf(&b, " WHEN '%d' THEN '%s'", i, lexicon.Capital(lexicon.Weekday(i, german)))
	}
	return b.String() + " END"
}

// CutLast cuts a text around the last place of another.
func CutLast(s, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(s, sep); at >= 0 {
		return s[:at], s[at+len(sep):], true
	}
	return s, "", false
}

// Doubled reports whether a statement reads a column of numbers of which another one of its table has the name with a number behind
// it, as the second of two columns that are headed alike has, and not that.
func Doubled(sql string, d database.Dialect, s *database.Schema) bool {
	for i := range s.Tables {
		t := &s.Tables[i]
		for k := range t.Columns {
			c := &t.Columns[k]
			name, number, ok := CutLast(c.Name, "_")
			if !ok || number != "2" || c.Kind() != database.Numeric || !strings.Contains(sql, d.Quote(name)) ||
				strings.Contains(sql, d.Quote(c.Name)) {
				continue
			}
			if slices.ContainsFunc(t.Columns, func(o database.Column) bool { return o.Name == name && o.Kind() == database.Numeric }) {
				return true
			}
		}
	}
	return false
}

// Empty is the condition that a column of text says nothing, by its values: it is missing, blank, or a word for none.
func Empty(column string, values []string) string {
	sql := column + " IS NULL OR " + column + " = ''"
	for _, v := range nones(column, values) {
		sql += " OR " + column + " = '" + v + "'"
	}
	return "(" + sql + ")"
}

// Filled is the condition that a column of text says something.
func Filled(column string, values []string) string {
	sql := column + " IS NOT NULL AND " + column + " <> ''"
	for _, v := range nones(column, values) {
		sql += " AND " + column + " <> '" + v + "'"
	}
	return sql
}

// paying matches columns that tell whether, or by what, something was paid.
var paying = regexp.MustCompile(`(?i)paid|pay|zahl`)

// nones are the values of a column that stand for none, which are of lexicon.Nones: what is open was not paid.
func nones(column string, values []string) (list []string) {
	for _, v := range values {
		low := strings.ToLower(v)
		if lexicon.Nones[low] || lexicon.OpenWords[low] && paying.MatchString(column) {
			list = append(list, v)
		}
	}
	return list
}

// telling is how what is asked for is told: by what a statement has. An amount is not counted.
type telling struct {
	asked, by *regexp.Regexp
	amount    bool
}

// told are questions for how much came in or was paid, for what a counter stands at, who came and how tall something is. Who paid
// most is not who paid most often.
var told = sync.OnceValue(func() []telling {
	return []telling{
		{amount: true, asked: regexp.MustCompile(`(?i)\b(?:bringt|brachten?|bringen)\b.*\b(?:meisten|wenigsten)\b.*\bein\b|\b(?:brings?|brought|bring) in (?:the )?(?:most|least)\b|` +
			`\b(?:wie ?viel|how much)\b.*\b(?:eingenommen|eingebracht|verdient|taken in|earned|brought in|(?:come|came) in)\b|` +
			`\b(?:was|what) (?:hat|haben|did)\b.*\b(?:eingebracht|eingespielt|bring in|raise|take in)\b`),
			by: regexp.MustCompile(`SUM\(|^SELECT [^*]* = (?:'|\d)`)},
		{amount: true, asked: regexp.MustCompile(`(?i)\bam (?:meisten|wenigsten) (?:be|ge)?zahlt\b|\b(?:paid|pays?|spent|spends?) (?:us )?(?:the )?(?:most|least)\s*(?:[?.!]|$|in\b|for\b|last\b|this\b|over)`),
			by: regexp.MustCompile(`SUM\(|MAX\(|MIN\(|ORDER BY`)},
		{asked: regexp.MustCompile(`(?i)\b(?:showed up|shown up|turned up|actually came|no[- ]?shows?|erschienen)\b`),
			by: regexp.MustCompile(`(?i)attend|no.?show|show.?up|present|turnout|turned|came|check|anwesen|erschien|teilg|besuch`)},
		{asked: regexp.MustCompile(`(?i)^wie (?:hoch|tall) (?:ist|sind|war|waren) (?:der |die |das )?(?:\pL*baum|\pL*turm|\pL*haus|\pL*gebäude|\pL*berg)\b`),
			by: regexp.MustCompile(`(?i)höhe|hoehe|height`)},
		{asked: regexp.MustCompile(`(?i)\b(?:still|noch)\b.*\b(?:away|out|gone|weg|unterwegs|fort)\b|\b(?:really|actually|tatsächlich|wirklich) (?:took place|happened|went ahead|statt)|\bstattgefunden\b`),
			by: regexp.MustCompile(`WHERE`)},
		{asked: regexp.MustCompile(`(?i)\b(?:ran|run|runs) out\b|\bexpire[ds]?\b|\blapsed?\b|\babgelaufen\b`),
			by: regexp.MustCompile(`(?i)due|until|expir|valid|end|ablauf|gültig|bis|fällig|next|laps`)},
		{asked: regexp.MustCompile(`(?i)\bwhat have\b.*\bcost\b|\bwas haben\b.*\bgekostet\b`), by: regexp.MustCompile(`SUM\(|AVG\(`)},
		{asked: regexp.MustCompile(`(?i)\bper\b.*\b(?:for|in|by) each\b`),
			by: regexp.MustCompile(`GROUP BY`)},
		{asked: regexp.MustCompile(`(?i)\b(?:kilometer|zähler|konto|kassen|tacho|wasser)stand\b|\bodometer\b`),
			by: regexp.MustCompile(`(?i)stand|zähler|reading|odometer|saldo|balance`)},
	}
})

// Misses reports whether a question asks for what a statement does not tell, or for an amount that it only lists or counts.
func Misses(question, sql string) bool {
	return slices.ContainsFunc(told(), func(t telling) bool {
		return t.asked.MatchString(question) && (!t.by.MatchString(sql) || t.amount && strings.Contains(sql, "COUNT(*)"))
	})
}
