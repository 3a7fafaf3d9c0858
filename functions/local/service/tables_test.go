package service_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/functions/local/service/servicetest"
)

// shop posts to a service, with a collection of tables that it asks.
type shop struct {
	*testing.T
	http.Handler
}

type reply struct {
	Content []struct {
		Type, Text string
		Citations  []struct {
			CitedText string `json:"cited_text"`
		}
	}
}

func (s shop) post(path string, body any) (out reply) {
	s.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		s.Fatal(err)
	}
	r := httptest.NewRequest("POST", path, strings.NewReader(string(b)))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code >= 300 {
		s.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		s.Fatal(err)
	}
	return out
}

func (s shop) ingest(artifact, rows string) {
	s.Helper()
	s.post("/v1/artifacts/ingest", map[string]any{"artifact": artifact, "collection": "shop", "metadata": map[string]any{"file_name": artifact + ".csv"},
		"input": map[string]any{"type": "text", "value": rows}})
}

// ask returns what a chat says, and what it cites.
func (s shop) ask(question string) (text, cited string) {
	s.Helper()
	out := s.post("/v1/messages", map[string]any{"model": "default", "max_tokens": 600,
		"system": []any{map[string]any{"text": "Answer from the documents.", "citations": map[string]any{"enabled": true}}},
		"tools": []any{map[string]any{"name": "search", "type": "semantic_search_v1", "context": []any{map[string]any{"type": "ingested_artifact",
			"context_filter": map[string]any{"collection": "shop"}}}}},
		"messages": []any{map[string]any{"role": "user", "content": question}}})
	for _, b := range out.Content {
		if b.Type != "text" {
			continue
		}
		text += b.Text
		for _, c := range b.Citations {
			cited += c.CitedText
		}
	}
	return text, cited
}

// TestLargeTable: a chat computes over the whole of a table that was ingested, of which a search finds only some rows, and cites the
// rows that it shows.
func TestLargeTable(t *testing.T) {
	s := shop{t, servicetest.Handler(t)}
	var rows strings.Builder
	rows.WriteString("order,date,customer,city,total\n")
	for i := range 1500 {
		fmt.Fprintf(&rows, "A%04d,2025-%02d-%02d,%s,%s,%d\n", i, i%12+1, i%28+1, []string{"Acme", "Borealis", "Cobalt"}[i%3],
			[]string{"Leeds", "York", "Hull", "Bath"}[i%4], i)
	}
	s.ingest("orders", rows.String())
	for question, want := range map[string]string{
		"How many orders did Acme place?":                "500:",
		"How many orders are there from Bath?":           "375:",
		"What is the total of all orders in March 2025?": "93250:",
		"Which customer spent the most?":                 "Cobalt: 375250",
		"What is the city of order A1234?":               "Hull",
	} {
		if text, cited := s.ask(question); !strings.Contains(text, want) || !strings.Contains(cited, "order: A") {
			t.Errorf("%q: %q, cited %q; want %q", question, text, cited, want)
		}
	}
}

// TestTableChanges: what was computed over a table is computed again over the one that replaces it, and over none that is gone.
func TestTableChanges(t *testing.T) {
	s := shop{t, servicetest.Handler(t)}
	const header = "order,customer,total\n"
	s.ingest("orders", header+"A1,Acme,10\nA2,Acme,20\nA3,Cobalt,30\n")
	for range 2 {
		if text, _ := s.ask("What is the total of all orders of Acme?"); !strings.Contains(text, "30") {
			t.Errorf("of two orders: %q", text)
		}
	}
	s.ingest("orders", header+"A1,Acme,10\nA2,Acme,20\nA3,Cobalt,30\nA4,Acme,15\n")
	if text, _ := s.ask("What is the total of all orders of Acme?"); !strings.Contains(text, "45") {
		t.Errorf("of three: %q", text)
	}
	s.post("/v1/artifacts/delete", map[string]any{"artifact": "orders", "collection": "shop"})
	if text, _ := s.ask("What is the total of all orders of Acme?"); strings.Contains(text, "45") {
		t.Errorf("of none: %q", text)
	}
}

// TestOnlyTable: rows of the only document that comes near are computed over, whatever words a question has for them.
func TestOnlyTable(t *testing.T) {
	s := shop{t, servicetest.Handler(t)}
	s.ingest("fahrtenbuch", "Datum;Fahrer;Ziel;km\n03.02.2026;Jutta;Baumarkt;67\n13.04.2026;Jutta;Kreisstadt;61\n15.04.2026;Bodo;Baumarkt;38\n")
	if text, _ := s.ask("Wie viele Fahrten gab es im April 2026?"); !strings.Contains(text, "2:") {
		t.Errorf("in April: %q", text)
	}
	if text, _ := s.ask("Welche Farbe hat das Auto von Jutta?"); !strings.Contains(text, "Nothing relevant") {
		t.Errorf("what it does not have: %q", text)
	}
}
