// Command meanings writes what the model that tells what questions mean learns from: for each question to a table, the plain questions
// that the table can answer, and which of them have the answer that the question asks for.
//
// It reads folders, each with docs/*.csv and questions.jsonl: {"docs": ["a.csv"], "q": ..., "expect": [...], "answerable": true}. It
// writes lines of JSON: {"question": ..., "plain": [...], "right": [...]}, the nearest plain ones first, right being indexes of them.
package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/shared/chat/tool/meaning"
	"lectern/shared/database"
	"lectern/shared/database/datatable"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/minilmembedding"
)

type asked struct {
	Docs       []string `json:"docs"`
	Question   string   `json:"q"`
	Expect     []any    `json:"expect"`
	Answerable bool     `json:"answerable"`
}

type learnt struct {
	Question string   `json:"question"`
	Plain    []string `json:"plain"`
	Right    []int    `json:"right"`
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "meanings:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folders []string) error {
	m, err := minilmembedding.New()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for _, folder := range folders {
		if err := all(ctx, folder, m, json.NewEncoder(out)); err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
	}
	return out.Flush()
}

// all writes what the questions of a folder teach.
func all(ctx context.Context, folder string, m embedding.Embedder, out *json.Encoder) error {
	raw, err := os.ReadFile(filepath.Join(folder, "questions.jsonl"))
	if err != nil {
		return err
	}
	open := sqldrivers.Opener(nil, sqldrivers.Options{Time: time.Second})
	tables := map[string]database.DB{}
	defer func() {
		for _, db := range tables {
			db.Close() // in memory only
		}
	}()
	questions, covered := 0, 0
	for line := range strings.Lines(string(raw)) {
		var a asked
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			return err
		}
		if len(a.Docs) != 1 || !strings.HasSuffix(a.Docs[0], ".csv") {
			continue
		}
		db := tables[a.Docs[0]]
		if db == nil {
			if db, err = table(ctx, open, filepath.Join(folder, "docs", a.Docs[0])); err != nil {
				return err
			}
			tables[a.Docs[0]] = db
		}
		l, err := learn(ctx, db, a, m)
		if err != nil {
			return fmt.Errorf("%s: %w", a.Question, err)
		}
		questions++
		if len(l.Right) > 0 {
			covered++
		}
		if err := out.Encode(l); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "%s: %d questions, %d with a plain one\n", folder, questions, covered)
	return nil
}

// table opens a file of comma-separated values as a database of one table.
func table(ctx context.Context, open database.Opener, path string) (database.DB, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	var set datatable.Set
	if err := set.AddRows(strings.TrimSuffix(filepath.Base(path), ".csv"), rows[0], rows[1:]); err != nil {
		return nil, err
	}
	data, _ := set.Tables()
	return open(ctx, database.Target{Address: database.Address{Dialect: database.SQLite}, Tables: data})
}

// learn lists what a question may mean, and which of it has its answer.
func learn(ctx context.Context, db database.DB, a asked, m embedding.Embedder) (learnt, error) {
	l := learnt{Question: a.Question, Right: []int{}}
	schema, err := db.Schema(ctx, database.Everything)
	if err != nil {
		return l, err
	}
	if len(schema.Tables) != 1 {
		return l, errors.New("there is more than one table")
	}
	list, err := meaning.Candidates(ctx, &schema.Tables[0], a.Question, m)
	if err != nil {
		return l, err
	}
	if list, err = meaning.Nearest(ctx, list, a.Question, m, mostPlain); err != nil {
		return l, err
	}
	for i, c := range list {
		l.Plain = append(l.Plain, c.Text)
		if !a.Answerable {
			continue
		}
		rows, err := db.Query(ctx, c.SQL, database.Limits{Rows: mostRows + 1})
		if err != nil {
			return l, fmt.Errorf("%s: %w", c.SQL, err)
		}
		if answers(rows, c.Told, a.Expect) {
			l.Right = append(l.Right, i)
		}
	}
	return l, nil
}

// mostPlain is how many plain questions are written for one.
const mostPlain = 200

// mostRows is how many rows an answer has at most: a list of more holds everything.
const mostRows = 3

// answers reports whether rows have the values that are expected, one in the column that answers, and are no more than these.
func answers(rows *database.Rows, column string, expect []any) bool {
	at := -1
	for i, name := range rows.Columns {
		if name == column {
			at = i
		}
	}
	if at < 0 || len(rows.Values) == 0 || len(rows.Values) > max(1, len(expect)) {
		return false
	}
	told := false
	for _, want := range expect {
		found := false
		for _, row := range rows.Values {
			told = told || same(row[at], want)
			found = found || slices.ContainsFunc(row, func(v any) bool { return same(v, want) })
		}
		if !found {
			return false
		}
	}
	return told
}

// same reports whether a value is what is expected: numbers to two decimals or one, days however they are written, other texts whole.
func same(v, want any) bool {
	if v == nil {
		return false
	}
	text := database.Show(v)
	switch w := want.(type) {
	case float64:
		n, err := strconv.ParseFloat(text, 64)
		return err == nil && (math.Abs(n-w) <= max(.011, math.Abs(w)*1e-6) || math.Round(n*10)/10 == w)
	case string:
		if month, err := time.Parse("2006-01", text); err == nil && strings.HasPrefix(w, month.Month().String()) {
			return true
		}
		if day, ok := dayOf(w); ok {
			other, ok := dayOf(text)
			return ok && day == other
		}
		return strings.EqualFold(strings.TrimSpace(text), strings.TrimSpace(w))
	}
	return false
}

func dayOf(text string) (string, bool) {
	for _, form := range []string{time.DateOnly, "02/01/2006", "2/1/2006", "02.01.2006", "2 Jan 2006", "02 Jan 2006", "2 January 2006", "Jan 2, 2006", "January 2, 2006",
		"02-Jan-2006", "2-Jan-2006"} {
		if t, err := time.Parse(form, strings.TrimSpace(text)); err == nil {
			return t.Format(time.DateOnly), true
		}
	}
	return "", false
}
