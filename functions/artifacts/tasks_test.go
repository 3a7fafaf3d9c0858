package artifacts_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/functions/local/service/servicetest"
)

// received is one callback.
type received struct {
	header http.Header
	body   []byte
}

func receiver(t *testing.T, status func(n int) int) (url string, got chan received) {
	t.Helper()
	got = make(chan received, 10)
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		n++
		w.WriteHeader(status(n))
		got <- received{r.Header, body}
	}))
	t.Cleanup(s.Close)
	return s.URL, got
}

// TestCallback: the end of an ingest is posted with a signature that the
// receiver can check, and the task's state is there to ask for.
func TestCallback(t *testing.T) {
	key := strings.Repeat("k", 24)
	h := servicetest.Open(t, map[string]string{"LECTERN_DATA": t.TempDir(), "LECTERN_ALLOW_HOSTS": "127.0.0.1",
		"LECTERN_WEBHOOK_SECRET": "whsec_" + base64.StdEncoding.EncodeToString([]byte(key))}).Handler
	do := func(method, path, body string) (int, map[string]any) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
		var v map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, w.Body)
		}
		return w.Code, v
	}
	url, got := receiver(t, func(int) int { return 204 })
	callback := `"callback": {"url": "` + url + `/hook?x=1", "headers": {"Authorization": "Bearer theirs"}, "properties": {"mine": 1}}`
	status, v := do("POST", "/v1/artifacts/ingest/async",
		`{"ingest_body": {"artifact": "a", "input": {"type": "text", "value": "Robins sing."}}, `+callback+`}`)
	id, _ := v["task_id"].(string)
	if status != 200 || id == "" {
		t.Fatalf("ingest answered %d %v", status, v)
	}
	r := <-got
	mac := hmac.New(sha256.New, []byte(key))
	io.WriteString(mac, r.header.Get("Webhook-Id")+"."+r.header.Get("Webhook-Timestamp")+".")
	mac.Write(r.body)
	if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); r.header.Get("Webhook-Signature") != want ||
		r.header.Get("Authorization") != "Bearer theirs" {
		t.Errorf("headers are %v", r.header)
	}
	var event struct {
		Type       string
		TaskID     string `json:"task_id"`
		Data       struct{ Artifact string }
		Error      *string
		Properties map[string]any `json:"callback_properties"`
	}
	if err := json.Unmarshal(r.body, &event); err != nil || event.Type != "ingest.done" || event.TaskID != id || event.Data.Artifact != "a" ||
		event.Error != nil || event.Properties["mine"] != 1.0 {
		t.Errorf("the event is %s, %v", r.body, err)
	}
	status, v = do("GET", "/v1/artifacts/ingest/async/"+id, "")
	result, _ := v["task_result"].(map[string]any)
	if status != 200 || v["task_status"] != "SUCCESS" || result["object"] != "list" {
		t.Errorf("status answered %d %v", status, v)
	}
	_, v = do("POST", "/v1/artifacts/delete/async", `{"delete_body": {"artifact": "a"}, `+callback+`}`)
	if r := <-got; !strings.Contains(string(r.body), `"type":"delete.done"`) || !strings.Contains(string(r.body), `"data":null`) {
		t.Errorf("the deletion's event is %s", r.body)
	}
	_, v = do("GET", "/v1/artifacts/delete/async/"+v["task_id"].(string), "")
	if result, ok := v["task_result"]; v["task_status"] != "SUCCESS" || !ok || result != nil {
		t.Errorf("the deletion's status is %v", v)
	}
	_, v = do("POST", "/v1/artifacts/ingest/async",
		`{"ingest_body": {"artifact": "b", "input": {"type": "file", "value": "JVBERi0xLjQ="}, "metadata": {"file_name": "b.pdf"}}, `+callback+`}`)
	if r := <-got; !strings.Contains(string(r.body), `"type":"ingest.error"`) ||
		!strings.Contains(string(r.body), `"error_code":"malformed_file"`) {
		t.Errorf("the failure's event is %s", r.body)
	}
	_, v = do("GET", "/v1/artifacts/ingest/async/"+v["task_id"].(string), "")
	if text, _ := v["task_result"].(string); v["task_status"] != "FAILURE" || text == "" || v["error_code"] != "malformed_file" {
		t.Errorf("the failure's status is %v", v)
	}
}
