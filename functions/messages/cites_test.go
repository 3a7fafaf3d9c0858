package messages_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"lectern/functions/local/service/servicetest"
)

// cited is what a citation says about where its text is.
type cited struct {
	Type          string
	CitedText     string `json:"cited_text"`
	DocumentTitle *string
	StartPage     int `json:"start_page_number"`
	EndPage       int `json:"end_page_number"`
	Page          int
	Headings      []string
	Artifact      string `json:"artifact_id"`
}

func citationsOf(t *testing.T, h http.Handler, body map[string]any) []cited {
	t.Helper()
	var answer struct{ Content []struct{ Citations []cited } }
	ask(t, h, "/v1/messages", body, &answer)
	var list []cited
	for _, b := range answer.Content {
		list = append(list, b.Citations...)
	}
	return list
}

func ask(t *testing.T, h http.Handler, path string, body, into any) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(string(raw))))
	if w.Code != http.StatusOK {
		t.Fatalf("POST %s = %d %s", path, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatal(err)
	}
}

// TestCitationsSayWhere: a PDF in a request is cited by its pages, as Anthropic's API
// does, and an ingested one with page and headings beside the location in its text.
func TestCitationsSayWhere(t *testing.T) {
	h := servicetest.Handler(t)
	data, err := os.ReadFile("../../shared/knowledge/reader/formats/testdata/lamps.pdf")
	if err != nil {
		t.Fatal(err)
	}
	pdf := base64.StdEncoding.EncodeToString(data)
	type object = map[string]any
	question := object{"type": "text", "text": "What is the price of a clay lamp?"}
	inline := citationsOf(t, h, object{"max_tokens": 300, "messages": []object{{"role": "user", "content": []object{
		{"type": "document", "source": object{"type": "base64", "media_type": "application/pdf", "data": pdf}, "citations": object{"enabled": true}},
		question}}}})
	for _, c := range inline {
		if c.Type != "page_location" || c.StartPage < 1 || c.EndPage <= c.StartPage || c.CitedText == "" || c.Page != c.StartPage {
			t.Errorf("a PDF in the request is cited as %+v", c)
		}
	}
	var kept object
	ask(t, h, "/v1/artifacts/ingest", object{"artifact": "lamps", "input": object{"type": "file", "value": pdf},
		"metadata": object{"file_name": "lamps.pdf"}}, &kept)
	found := citationsOf(t, h, object{"max_tokens": 300, "system": []object{{"text": "", "citations": object{"enabled": true}}},
		"tools": []object{{"name": "search", "type": "semantic_search_v1", "context": []object{
			{"type": "ingested_artifact", "context_filter": object{"artifacts": []string{"lamps"}}}}}},
		"messages": []object{{"role": "user", "content": []object{question}}}})
	for _, c := range found {
		if c.Type != "char_location" || c.Page < 1 || len(c.Headings) == 0 || c.Artifact != "lamps" {
			t.Errorf("an ingested PDF is cited as %+v", c)
		}
	}
	if len(inline) == 0 || len(found) == 0 {
		t.Fatalf("%d and %d citations", len(inline), len(found))
	}
}
