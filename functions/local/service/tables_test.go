package service_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/functions/local/service/servicetest"
)

// TestLargeTable: a chat computes over the whole of a table that was ingested, of which a search finds only some rows, and cites the
// rows that it shows.
func TestLargeTable(t *testing.T) {
	handler := servicetest.Handler(t)
	post := func(path string, body any) (out struct {
		Content []struct {
			Type, Text string
			Citations  []struct {
				CitedText string `json:"cited_text"`
			}
		}
	}) {
		t.Helper()
		b, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("POST", path, strings.NewReader(string(b)))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code >= 300 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	var rows strings.Builder
	rows.WriteString("order,date,customer,city,total\n")
	for i := range 1500 {
		fmt.Fprintf(&rows, "A%04d,2025-%02d-%02d,%s,%s,%d\n", i, i%12+1, i%28+1, []string{"Acme", "Borealis", "Cobalt"}[i%3],
			[]string{"Leeds", "York", "Hull", "Bath"}[i%4], i)
	}
	post("/v1/artifacts/ingest", map[string]any{"artifact": "orders", "collection": "shop", "metadata": map[string]any{"file_name": "orders.csv"},
		"input": map[string]any{"type": "text", "value": rows.String()}})
	for question, want := range map[string]string{
		"How many orders did Acme place?":                "500:",
		"How many orders are there from Bath?":           "375:",
		"What is the total of all orders in March 2025?": "93250:",
		"Which customer spent the most?":                 "Cobalt: 375250",
		"What is the city of order A1234?":               "Hull",
	} {
		out := post("/v1/messages", map[string]any{"model": "default", "max_tokens": 600,
			"system": []any{map[string]any{"text": "Answer from the documents.", "citations": map[string]any{"enabled": true}}},
			"tools": []any{map[string]any{"name": "search", "type": "semantic_search_v1", "context": []any{map[string]any{"type": "ingested_artifact",
				"context_filter": map[string]any{"collection": "shop"}}}}},
			"messages": []any{map[string]any{"role": "user", "content": question}}})
		text, cited := "", ""
		for _, b := range out.Content {
			if b.Type != "text" {
				continue
			}
			text += b.Text
			for _, c := range b.Citations {
				cited += c.CitedText
			}
		}
		if !strings.Contains(text, want) || !strings.Contains(cited, "order: A") {
			t.Errorf("%q: %q, cited %q; want %q", question, text, cited, want)
		}
	}
}
