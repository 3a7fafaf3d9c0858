package retrieval_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/message"
	"lectern/shared/storage/record/recordmeter"
)

// TestUnits holds what DynamoDB would charge to its budgets: an ingest of 20 KB
// at most 5 write units, a search one read unit for each artifact that it
// finds.
func TestUnits(t *testing.T) {
	w := open(t)
	m := recordmeter.New(w.Artifacts.Records)
	w.Artifacts.Records = m
	ingest := func(name string) {
		t.Helper()
		body := &artifact.Body{Artifact: name, Collection: "c", Input: &artifact.Input{Type: "text",
			Value: strings.Repeat(name+" tells of robins that sing at dawn. ", 550)}}
		if _, err := w.Artifacts.Ingest(t.Context(), body); err != nil {
			t.Fatal(err)
		}
	}
	ingest("first") // makes the collection
	m.Units()
	ingest("second")
	if writes, reads := m.Units(); writes > 5 {
		t.Errorf("an ingest of 20 KB takes %d write and %d read units, want 5 write units at most", writes, reads)
	}
	for i := range 6 {
		ingest(fmt.Sprint("more", i))
	}
	m.Units()
	found, err := w.Search(t.Context(), retrieval.Query{Text: "robins sing", Filter: message.ContextFilter{Collection: "c"}, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	artifacts := map[string]bool{}
	for _, c := range found.Chunks {
		artifacts[c.Document.Artifact] = true
	}
	if writes, reads := m.Units(); writes > 0 || reads > len(artifacts) || len(artifacts) < 3 {
		t.Errorf("a search that finds %d artifacts takes %d write and %d read units, want one read unit each", len(artifacts), writes, reads)
	}
}
