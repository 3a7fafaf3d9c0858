package main

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"

	"lectern/shared/api/schema"
)

// check asks one database.
type check struct {
	engine
	handler http.Handler

	right                  int
	plain, declined, wrong int
	tried, refused         int
	unchanged              bool
}

func (c *check) all(questions []question, hostile []string) error {
	before, err := sums(c.engine)
	if err != nil {
		return err
	}
	for _, q := range questions {
		for _, model := range []string{"scripted", "extractive"} {
			got, said, failed, err := c.ask(model, q.text)
			if err != nil {
				return err
			}
			c.judge(model, q, got, said, failed)
		}
	}
	for _, s := range hostile {
		for _, prefix := range []string{"Run: ", "Hostile: "} {
			got, _, failed, err := c.ask("scripted", prefix+s)
			if err != nil {
				return err
			}
			if c.tried++; failed {
				c.refused++
			} else {
				fmt.Fprintf(os.Stderr, "%s: not refused: %s: %v\n", c.name, s, got)
			}
		}
	}
	after, err := sums(c.engine)
	c.unchanged = before == after
	return err
}

func (c *check) judge(model string, q question, got [][]string, said string, failed bool) {
	same := !failed && slices.EqualFunc(got, q.want, func(a, b []string) bool { return slices.Equal(truths(plain(a)), truths(plain(b))) })
	first := ""
	if len(got) > 0 && len(got[0]) > 0 {
		first = got[0][0]
	}
	same = same && strings.Contains(said, first)
	switch {
	case model == "scripted" && same:
		c.right++
	case model == "scripted":
		fmt.Fprintf(os.Stderr, "%s: %s\n  got %v (failed %t), want %v\n  %s\n", c.name, q.text, got, failed, q.want, said)
	case failed:
		if c.declined++; q.simple {
			fmt.Fprintf(os.Stderr, "%s: declined: %s\n", c.name, q.text)
		}
	case same:
		c.plain++
	default:
		c.wrong++
		fmt.Fprintf(os.Stderr, "%s: built in: %s\n  got %v, want %v\n  %s\n", c.name, q.text, got, q.want, said)
	}
}

// truths writes truth alike, whatever the database.
func truths(row []string) []string {
	for i, s := range row {
		switch s {
		case "true":
			row[i] = "1"
		case "false":
			row[i] = "0"
		}
	}
	return row
}

// passed says whether all is as it should be.
func (c *check) passed(questions []question) bool {
	simple := 0
	for _, q := range questions {
		if q.simple {
			simple++
		}
	}
	return c.right == len(questions) && c.plain >= simple && c.wrong == 0 && c.refused == c.tried && c.unchanged
}

// ask has a chat, and returns the rows and the text of its answer.
func (c *check) ask(model, text string) (rows [][]string, said string, failed bool, err error) {
	items, err := schema.Marshal(c.items)
	if err != nil {
		return nil, "", false, err
	}
	body, err := json.Marshal(map[string]any{
		"model": model, "max_tokens": 2000, "system": []any{map[string]any{"extensions": []string{"vendor"}}},
		"tools":    []any{map[string]any{"name": "shop", "type": "database_query_v1", "context": json.RawMessage(items)}},
		"messages": []any{map[string]any{"role": "user", "content": text}},
	})
	if err != nil {
		return nil, "", false, err
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, httptest.NewRequest("POST", "/v1/messages", bytes.NewReader(body)))
	if w.Code != http.StatusOK {
		return nil, "", false, fmt.Errorf("%s: status %d: %s", text, w.Code, w.Body)
	}
	var answer struct {
		Content []struct {
			Type, Text string
			IsError    bool `json:"is_error"`
			Content    []struct {
				Type   string
				Source struct{ Data string }
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		return nil, "", false, err
	}
	failed = true // without a call there is no answer
	for _, b := range answer.Content {
		switch b.Type {
		case "text":
			said += b.Text
		case "tool_result":
			failed = b.IsError
			for _, inner := range b.Content {
				if inner.Type != "binary" {
					continue
				}
				raw, err := base64.StdEncoding.DecodeString(inner.Source.Data)
				if err != nil {
					return nil, "", false, err
				}
				if rows, err = csv.NewReader(bytes.NewReader(raw)).ReadAll(); err != nil {
					return nil, "", false, err
				}
				if len(rows) == 0 {
					return nil, "", false, fmt.Errorf("%s: a file of %d bytes: %s", text, len(raw), w.Body)
				}
				rows = rows[1:]
			}
		}
	}
	return rows, said, failed, nil
}
