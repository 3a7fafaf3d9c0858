package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// asking is a line of tables.jsonl: what is asked of sheets by the tool for tables, and the numbers and texts that
// a right answer has.
type asking struct {
	Text   string `json:"q"`
	Docs   []string
	Expect []any
}

// declined is the grade of an answer that says it has none.
const declined = "declined"

// unsure matches answers that say so, or show the tables instead.
var unsure = regexp.MustCompile(`(?im)not sure|nicht sicher|CREATE TABLE|^TABLE "`)

// tables asks what people ask about the sheets among the documents in dir, which are ingested, and grades the answers.
func (r *report) tables(api client, dir string) error {
	raw, err := os.ReadFile(filepath.Join(dir, "tables.jsonl"))
	if err != nil {
		return err
	}
	counts, of := map[string]int{}, 0
	for line := range strings.Lines(string(raw)) {
		var a asking
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			return err
		}
		text, failed, err := api.tabular(a)
		if err != nil {
			return err
		}
		grade := wrong
		switch {
		case !failed && a.answered(text):
			grade = right
		case failed || unsure.MatchString(text):
			grade = declined
		}
		if counts[grade]++; grade == wrong {
			fmt.Printf("\nsheet: %s\n  %s\n", a.Text, strings.ReplaceAll(clipTo(strings.TrimSpace(text), shown), "\n", "\n  "))
		}
		of++
	}
	share := func(grade string) float64 { return float64(counts[grade]) / float64(max(1, of)) }
	r.line(share(right) >= .70, "%-50s %.3f (floor %.2f)  declined %.3f", "questions of sheets: right", share(right), .70, share(declined))
	r.line(share(wrong) <= .03, "%-50s %.3f (at most %.2f)", "questions of sheets: wrong", share(wrong), .03)
	return nil
}

// shown is how much of a wrong answer about a sheet is printed, in bytes.
const shown = 400

// clipTo returns the beginning of a text, so long at most.
func clipTo(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// tabular asks the tool for tables; failed tells that it has no answer, by an error of its own or one of the request.
func (c client) tabular(a asking) (text string, failed bool, err error) {
	body, err := json.Marshal(object{"query": a.Text, "context_filter": object{"collection": questionsCollection, "artifacts": a.Docs}})
	if err != nil {
		return "", false, err
	}
	resp, err := http.Post(c.url+"/v1/tools/tabular-data-analysis", "application/json", bytes.NewReader(body))
	if err != nil {
		return "", false, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return "", false, err
	case resp.StatusCode >= http.StatusInternalServerError:
		return "", false, fmt.Errorf("%q is answered %s: %s", a.Text, resp.Status, raw)
	case resp.StatusCode != http.StatusOK:
		return string(raw), true, nil
	}
	var out struct {
		Content []struct{ Text string }
		IsError bool `json:"is_error"`
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return "", false, err
	}
	for _, part := range out.Content {
		text += part.Text + "\n"
	}
	return norm.NFKC.String(text), out.IsError, nil
}

// answered reports whether a text has all that is expected: texts in it, numbers by their value, to two decimals or one.
func (a *asking) answered(text string) bool {
	found := numbersIn(text)
	return !slices.ContainsFunc(a.Expect, func(want any) bool {
		n, ok := want.(float64)
		if !ok {
			return !strings.Contains(strings.ToLower(text), strings.ToLower(fmt.Sprint(want)))
		}
		return !slices.ContainsFunc(found, func(got float64) bool {
			return math.Abs(n-got) <= max(.011, math.Abs(n)*1e-6) || math.Round(n*10) == math.Round(got*10) && got*10 == math.Round(got*10)
		})
	})
}

var numberForm = regexp.MustCompile(`-?\d[\d.,\x{202f}]*`)

// numbersIn returns the numbers of a text, those with a comma or a point as both ways of writing have them.
func numbersIn(text string) (list []float64) {
	for _, m := range numberForm.FindAllString(text, -1) {
		m = strings.ReplaceAll(strings.TrimRight(m, ".,"), "\u202f", "")
		for _, s := range []string{strings.ReplaceAll(m, ",", ""), strings.ReplaceAll(strings.ReplaceAll(m, ".", ""), ",", ".")} {
			if n, err := strconv.ParseFloat(s, 64); err == nil {
				list = append(list, n)
			}
		}
	}
	return list
}
