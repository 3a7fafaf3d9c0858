package websearch_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/functions/local/service/servicetest"
)

// TestInChat: the built-in model searches the web for its answer, which cites
// the pages found; the search is counted, and no more are made than allowed.
func TestInChat(t *testing.T) {
	var queries []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.Query().Get("q"))
		fmt.Fprint(w, `{"results":[{"url":"https://birds.example/robin","title":"Robins","content":"The robin sings at dawn."},{"url":"https://ads.example/","title":"Ads","content":"The robin sings at noon."}]}`)
	}))
	defer s.Close()
	h := servicetest.Open(t, map[string]string{"LECTERN_DATA": t.TempDir(), "LECTERN_SEARCH_WEB": "searxng+" + s.URL + "/"}).Handler
	ask := func(path, body string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(body)))
		if w.Code != 200 {
			t.Errorf("%s answered %d %s", path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	const chat = `{"max_tokens":300,%s"system":[{"text":"x","citations":{"enabled":true}%s}],"tools":[{"type":"web_search_20250305","name":"web_search","max_uses":3,"blocked_domains":["ads.example"]}],"messages":[{"role":"user","content":"When does the robin sing?"}]}`
	var m struct {
		Content []struct {
			Type, Name, Text string
			Content          json.RawMessage
			Citations        []struct{ Type, Source, Title string }
		}
		Usage struct {
			Use *struct {
				Searches int `json:"web_search_requests"`
			} `json:"server_tool_use"`
		}
	}
	answer := ask("/v1/messages", fmt.Sprintf(chat, "", ""))
	if err := json.Unmarshal([]byte(answer), &m); err != nil {
		t.Fatal(err)
	}
	if len(m.Content) < 3 || m.Content[0].Type != "server_tool_use" || m.Content[1].Type != "web_search_tool_result" || m.Usage.Use == nil ||
		m.Usage.Use.Searches != len(queries) {
		t.Fatalf("the answer is %s", answer)
	}
	cited := false
	for _, b := range m.Content {
		for _, c := range b.Citations {
			cited = cited || c.Source == "https://birds.example/robin"
		}
	}
	if !cited || !strings.Contains(answer, "sings at dawn") || strings.Contains(answer, "ads.example") {
		t.Errorf("the answer is %s", answer)
	}
	// What was answered can be sent again.
	raw, _ := json.Marshal(json.RawMessage(answer))
	var back struct{ Content json.RawMessage }
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	ask("/v1/messages", fmt.Sprintf(`{"max_tokens":300,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":%s},{"role":"user","content":"And?"}]}`, back.Content))
	if got := ask("/v1/messages", fmt.Sprintf(chat, "", `,"extensions":["vendor"]`)); !strings.Contains(got, `"context.website"`) {
		t.Errorf("with the vendor extension: %s", got)
	}
	if got := ask("/v1/tools/web-search", `{"query":"robin","allowed_domains":["ads.example"]}`); !strings.Contains(got, "context.website") ||
		strings.Contains(got, "birds.example") {
		t.Errorf("the endpoint answers %s", got)
	}
	if got := queries[len(queries)-1]; got != "robin (site:ads.example)" {
		t.Errorf("the engine was asked %q", got)
	}
	s.Close()
	if got := ask("/v1/tools/web-search", `{"query":"robin"}`); !strings.Contains(got, `"is_error":true`) && !strings.Contains(got, `"is_error": true`) {
		t.Errorf("with the engine away: %s", got)
	}
}
