package main

import (
	"database/sql"
	"fmt"
	"os"
	"strings"
)

const dir = "scripts/sqlcheck/testdata/"

// question is one question with its reference statement and known answer.
type question struct {
	text   string
	simple bool // for the built-in model
	sql    string
	want   [][]string
}

func readQuestions() ([]question, error) {
	raw, err := os.ReadFile(dir + "questions.txt")
	if err != nil {
		return nil, err
	}
	var list []question
	for block := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n\n") {
		lines := strings.Split(block, "\n")
		text, simple := strings.CutPrefix(lines[0], "* ")
		q := question{text: text, simple: simple, sql: lines[1]}
		for _, row := range lines[2:] {
			q.want = append(q.want, strings.Split(strings.TrimPrefix(row, "= "), "|"))
		}
		list = append(list, q)
	}
	return list, nil
}

func readHostile() ([]string, error) {
	raw, err := os.ReadFile(dir + "hostile.txt")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	ends := strings.NewReplacer(`\n`, "\n", `\r`, "\r")
	for i := range lines {
		lines[i] = ends.Replace(lines[i])
	}
	return lines, nil
}

// writeAnswers updates the known answers with the results of the reference
// statements; review the diff.
func writeAnswers(db *sql.DB, list []question) error {
	var b strings.Builder
	for i, q := range list {
		rows, err := read(db, q.sql)
		if err != nil {
			return fmt.Errorf("%s: %w", q.text, err)
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		if q.simple {
			b.WriteString("* ")
		}
		b.WriteString(q.text + "\n" + q.sql + "\n")
		for _, row := range rows {
			b.WriteString("= " + strings.Join(plain(row), "|") + "\n")
		}
	}
	return os.WriteFile(dir+"questions.txt", []byte(b.String()), 0o644)
}

// plain normalizes numbers of all databases to at most two decimals.
func plain(row []string) []string {
	out := make([]string, len(row))
	for i, s := range row {
		var f float64
		if n, err := fmt.Sscanf(s+" ", "%g ", &f); n == 1 && err == nil && strings.Trim(s, "-.0123456789e+") == "" &&
			strings.Count(s, "-") < 2 {
			s = strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
		}
		out[i] = s
	}
	return out
}
