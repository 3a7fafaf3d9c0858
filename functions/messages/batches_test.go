package messages_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lectern/functions/local/service"
	"lectern/functions/local/service/servicetest"
	"lectern/shared/app/config"
)

type batch struct {
	ID      string
	Status  string         `json:"processing_status"`
	Counts  map[string]int `json:"request_counts"`
	Results *string        `json:"results_url"`
}

func call(t *testing.T, h http.Handler, method, path, key, body string, into any) int {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if key != "" {
		r.Header.Set("X-Api-Key", key)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if into != nil && w.Code == http.StatusOK {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, w.Body)
		}
	}
	return w.Code
}

func requestsOf(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"custom_id": "r%d", "params": {"model": "default", "max_tokens": 50, "messages": [{"role": "user", "content": "Hello %d"}]}}`, i, i))
	}
	list = append(list, `{"custom_id": "bad", "params": {"model": "default", "messages": "x"}}`)
	return `{"requests": [` + strings.Join(list, ",") + `]}`
}

func ended(t *testing.T, h http.Handler, key, id string) batch {
	t.Helper()
	for range 400 {
		var b batch
		if status := call(t, h, "GET", "/v1/messages/batches/"+id, key, "", &b); status != http.StatusOK {
			t.Fatalf("the batch answers %d", status)
		}
		if b.Status == "ended" {
			return b
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatal("the batch does not end")
	return batch{}
}

// TestBatch: every request of a batch gets its result, in order, an invalid one too;
// the batch can be listed, read and deleted by its owner alone.
func TestBatch(t *testing.T) {
	const birds, cats = "key-of-the-birds", "key-of-the-cats-x"
	h := servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": `[{"key": "` + birds + `", "collections": ["birds"]},
		{"key": "` + cats + `", "collections": ["cats"]}]`}).Handler
	var made, second batch
	if status := call(t, h, "POST", "/v1/messages/batches", birds, requestsOf(45), &made); status != http.StatusOK || made.Status != "in_progress" ||
		made.Counts["processing"] != 46 {
		t.Fatalf("create = %d %+v", status, made)
	}
	done := ended(t, h, birds, made.ID)
	if done.Counts["succeeded"] != 45 || done.Counts["errored"] != 1 || done.Counts["processing"] != 0 || done.Results == nil {
		t.Errorf("the end is %+v", done)
	}
	r := httptest.NewRequest("GET", "/v1/messages/batches/"+made.ID+"/results", nil)
	r.Header.Set("X-Api-Key", birds)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	n := 0
	for line := range strings.Lines(w.Body.String()) {
		var one struct {
			ID     string `json:"custom_id"`
			Result struct {
				Type    string
				Message struct{ Type string }
				Error   struct {
					Error struct{ Type, Message string }
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		switch {
		case n < 45 && (one.ID != fmt.Sprintf("r%d", n) || one.Result.Type != "succeeded" || one.Result.Message.Type != "message"),
			n == 45 && (one.ID != "bad" || one.Result.Type != "errored" || one.Result.Error.Error.Type != "invalid_request_error" ||
				!strings.Contains(one.Result.Error.Error.Message, "max_tokens") && !strings.Contains(one.Result.Error.Error.Message, "messages")):
			t.Errorf("result %d is %s", n, line)
		}
		n++
	}
	if n != 46 || w.Header().Get("Content-Type") != "application/x-jsonl" {
		t.Errorf("%d results of type %q", n, w.Header().Get("Content-Type"))
	}
	if status := call(t, h, "POST", "/v1/messages/batches", birds, requestsOf(1), &second); status != http.StatusOK {
		t.Fatal(status)
	}
	var list struct {
		Data    []batch
		HasMore bool `json:"has_more"`
	}
	call(t, h, "GET", "/v1/messages/batches?limit=1", birds, "", &list)
	if len(list.Data) != 1 || list.Data[0].ID != second.ID || !list.HasMore {
		t.Errorf("the first page is %+v", list)
	}
	call(t, h, "GET", "/v1/messages/batches?after_id="+second.ID, birds, "", &list)
	if len(list.Data) != 1 || list.Data[0].ID != made.ID || list.HasMore {
		t.Errorf("the second page is %+v", list)
	}
	call(t, h, "GET", "/v1/messages/batches?before_id="+made.ID, birds, "", &list)
	if len(list.Data) != 1 || list.Data[0].ID != second.ID {
		t.Errorf("the page before is %+v", list)
	}
	for _, c := range [][2]string{{"GET", ""}, {"GET", "/results"}, {"POST", "/cancel"}, {"DELETE", ""}} {
		if status := call(t, h, c[0], "/v1/messages/batches/"+made.ID+c[1], cats, "{}", nil); status != http.StatusNotFound {
			t.Errorf("%s of another's batch: %d, want 404", c, status)
		}
	}
	call(t, h, "GET", "/v1/messages/batches", cats, "", &list)
	if len(list.Data) != 0 {
		t.Errorf("another's list is %+v", list)
	}
	if status := call(t, h, "DELETE", "/v1/messages/batches/"+made.ID, birds, "", nil); status != http.StatusOK {
		t.Errorf("delete = %d", status)
	}
	if status := call(t, h, "GET", "/v1/messages/batches/"+made.ID+"/results", birds, "", nil); status != http.StatusNotFound {
		t.Errorf("after the deletion the results answer %d", status)
	}
	ended(t, h, birds, second.ID)
}

// TestBatchResumes: a batch goes on after its process has ended, and each request has
// one result; what is cancelled has no answer.
func TestBatchResumes(t *testing.T) {
	dir := t.TempDir()
	open := func() *service.Service { // with ids that no earlier process used
		c, err := config.Load(func(name string) string {
			return map[string]string{"LECTERN_DATA": dir, "LECTERN_EMBEDDING": "hash:"}[name]
		})
		if err != nil {
			t.Fatal(err)
		}
		s, err := service.Open(t.Context(), c, service.Options{Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	var made, other batch
	s := open()
	call(t, s.Handler, "POST", "/v1/messages/batches", "", requestsOf(400), &made)
	s.Close()
	s = open()
	defer s.Close()
	done := ended(t, s.Handler, "", made.ID)
	if done.Counts["succeeded"] != 400 || done.Counts["errored"] != 1 {
		t.Errorf("the end is %+v", done)
	}
	call(t, s.Handler, "POST", "/v1/messages/batches", "", requestsOf(2000), &other)
	if status := call(t, s.Handler, "DELETE", "/v1/messages/batches/"+other.ID, "", "", nil); status != http.StatusConflict {
		t.Errorf("deleting a batch under way: %d, want 409", status)
	}
	if status := call(t, s.Handler, "POST", "/v1/messages/batches/"+other.ID+"/cancel", "", "{}", nil); status != http.StatusOK {
		t.Errorf("cancel = %d", status)
	}
	done = ended(t, s.Handler, "", other.ID)
	if done.Counts["canceled"] == 0 || done.Counts["canceled"]+done.Counts["succeeded"]+done.Counts["errored"] != 2001 {
		t.Errorf("the end is %+v", done)
	}
}

// TestBatchCancelsAnswers: a request whose provider does not come to an end is canceled
// with its batch.
func TestBatchCancelsAnswers(t *testing.T) {
	asked := make(chan struct{}, 100)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that the server notices when the client leaves
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	defer upstream.Close()
	h := servicetest.Open(t, map[string]string{"LECTERN_CHAT": "openai+" + upstream.URL + "/v1?model=m"}).Handler
	var made batch
	call(t, h, "POST", "/v1/messages/batches", "", strings.Replace(requestsOf(3), `,{"custom_id": "bad"`, `,{"custom_id": "last"`, 1), &made)
	<-asked
	call(t, h, "POST", "/v1/messages/batches/"+made.ID+"/cancel", "", "{}", nil)
	if done := ended(t, h, "", made.ID); done.Counts["canceled"] != 4 {
		t.Errorf("the end is %+v", done)
	}
}
