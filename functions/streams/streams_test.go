package streams_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/functions/local/service"
	"lectern/functions/local/service/servicetest"
	"lectern/shared/api/rest/replay"
	"lectern/shared/app/config"
	"lectern/shared/ident"
)

func TestRecordings(t *testing.T) { replay.Run(t, "testdata/*.txtar", servicetest.Handler) }

// provider is a model behind an OpenAI wire that says the pieces it is sent.
func provider(t *testing.T) (setting string, pieces chan string) {
	t.Helper()
	pieces = make(chan string)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			select {
			case piece, ok := <-pieces:
				if !ok {
					fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
					return
				}
				fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", piece)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}))
	t.Cleanup(s.Close)
	return "openai+" + s.URL + "/v1?model=m", pieces
}

func open(t *testing.T, dir, chat string) (*service.Service, *httptest.Server) {
	t.Helper()
	cfg, err := config.Load(func(name string) string {
		return map[string]string{"LECTERN_DATA": dir, "LECTERN_CHAT": chat}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := service.Open(t.Context(), cfg, service.Options{IDs: ident.Random{Now: time.Now}, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler)
	t.Cleanup(func() { server.Close(); s.Close() })
	return s, server
}

func call(t *testing.T, method, url, body string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var v map[string]any
	if raw, err := io.ReadAll(resp.Body); err != nil || len(raw) > 0 && json.Unmarshal(raw, &v) != nil {
		t.Fatalf("%s %s: %v, %s", method, url, err, raw)
	}
	return resp.StatusCode, v
}

const hello = `{"model":"default","max_tokens":500,"messages":[{"role":"user","content":"Hello"}]}`

func start(t *testing.T, base, id string) {
	t.Helper()
	if status, v := call(t, "POST", base+"/v1/messages/async?message_id="+id, hello); status != 200 || v["message_id"] != id {
		t.Fatalf("start answered %d %v", status, v)
	}
}

// frame is one event that a reader got.
type frame struct{ name, id, data string }

// follow reads a stream to its end and hands on every event at once.
func follow(ctx context.Context, url string, each func(frame)) error {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	var f frame
	scan := bufio.NewScanner(resp.Body)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		switch name, value, _ := strings.Cut(scan.Text(), ": "); name {
		case "event":
			f.name = value
		case "id":
			f.id = value
		case "data":
			f.data = value
		case "":
			if f.name != "" && f.name != "ping" && each != nil {
				each(f)
			}
			f = frame{}
		}
	}
	return scan.Err()
}

func all(t *testing.T, url string) []frame {
	t.Helper()
	var list []frame
	if err := follow(t.Context(), url, func(f frame) { list = append(list, f) }); err != nil {
		t.Errorf("following: %v", err)
	}
	return list
}

func text(frames []frame) string {
	var out strings.Builder
	for _, f := range frames {
		var v struct{ Delta struct{ Text string } }
		json.Unmarshal([]byte(f.data), &v)
		out.WriteString(v.Delta.Text)
	}
	return out.String()
}

// TestManyReaders: 200 readers, each from its own moment on, get every event
// once and in order, and a replay from any event is the rest.
func TestManyReaders(t *testing.T) {
	chat, pieces := provider(t)
	_, server := open(t, t.TempDir(), chat)
	start(t, server.URL, "m")
	url := server.URL + "/v1/messages/async/m/stream"
	const readers = 200
	var group sync.WaitGroup
	got := make([][]frame, readers)
	for i := range readers {
		group.Go(func() { got[i] = all(t, url) })
	}
	want := ""
	for i := range 100 {
		piece := fmt.Sprintf("word%d ", i)
		want += piece
		pieces <- piece
	}
	close(pieces)
	group.Wait()
	for i, frames := range got {
		for n, f := range frames {
			if f.id != fmt.Sprint(n+1) || f != got[0][n] {
				t.Fatalf("reader %d: event %d is %+v", i, n, f)
			}
		}
		if text(frames) != strings.TrimRight(want, "") || frames[len(frames)-1].name != "message_stop" {
			t.Fatalf("reader %d saw %q", i, text(frames))
		}
	}
	for n := range got[0] {
		rest := all(t, fmt.Sprintf("%s?last_event_id=%d", url, n))
		if len(rest) != len(got[0])-n || rest[0] != got[0][n] {
			t.Errorf("after event %d: %d events", n, len(rest))
		}
	}
	_, v := call(t, "GET", server.URL+"/v1/messages/async/m/status", "")
	if v["status"] != "completed" || v["completed_at"] == nil || v["stream_type"] != "chat_completion" {
		t.Errorf("status is %v", v)
	}
}

// speak starts a message that has said one word and waits.
func speak(t *testing.T, base string, pieces chan string) (said chan frame, done chan error) {
	t.Helper()
	start(t, base, "m")
	said, done = make(chan frame, 100), make(chan error, 1)
	go func() {
		done <- follow(t.Context(), base+"/v1/messages/async/m/stream", func(f frame) { said <- f })
		close(said)
	}()
	pieces <- "Hello"
	for f := range said {
		if f.name == "content_block_delta" {
			return said, done
		}
	}
	t.Fatal("the stream ended before the first word")
	return nil, nil
}

func TestCancel(t *testing.T) {
	chat, pieces := provider(t)
	_, server := open(t, t.TempDir(), chat)
	said, done := speak(t, server.URL, pieces)
	if status, v := call(t, "POST", server.URL+"/v1/messages/async/m/cancel", "{}"); status != 200 || v["message_id"] != "m" {
		t.Fatalf("cancel answered %d %v", status, v)
	}
	var names []string
	for f := range said {
		names = append(names, f.name)
		if f.name == "message_delta" && !strings.Contains(f.data, `"stop_reason":"cancelled"`) {
			t.Errorf("message_delta is %s", f.data)
		}
	}
	if err := <-done; err != nil || strings.Join(names, " ") != "content_block_stop message_delta message_stop" {
		t.Errorf("after the cancel the reader saw %v, %v", names, err)
	}
	for range 2 {
		if status, _ := call(t, "POST", server.URL+"/v1/messages/async/m/cancel", "{}"); status != 200 {
			t.Errorf("cancelling again answered %d", status)
		}
		if _, v := call(t, "GET", server.URL+"/v1/messages/async/m/status", ""); v["status"] != "cancelled" {
			t.Errorf("status is %v", v)
		}
	}
	if n := len(all(t, server.URL+"/v1/messages/async/m/stream")); n != 6 {
		t.Errorf("a replay has %d events, want 6", n)
	}
}

func TestDelete(t *testing.T) {
	chat, pieces := provider(t)
	_, server := open(t, t.TempDir(), chat)
	said, done := speak(t, server.URL, pieces)
	if status, _ := call(t, "DELETE", server.URL+"/v1/messages/async/m/delete", ""); status != 200 {
		t.Fatalf("delete answered %d", status)
	}
	for range said { // until the reader's stream ends
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	for _, c := range []string{"GET /status", "GET /stream", "POST /cancel", "DELETE /delete"} {
		method, path, _ := strings.Cut(c, " ")
		if status, _ := call(t, method, server.URL+"/v1/messages/async/m"+path, "{}"); status != 404 {
			t.Errorf("%s after the delete answered %d, want 404", c, status)
		}
	}
	start(t, server.URL, "m") // the id is free again, and the late worker cannot write into it
	pieces <- "again"
	close(pieces)
	if got := text(all(t, server.URL+"/v1/messages/async/m/stream")); got != "again" {
		t.Errorf("the second message says %q", got)
	}
}

// TestRestart: a message that was being answered when the service stopped ends
// in an error, and one that had not begun is answered by the next process.
func TestRestart(t *testing.T) {
	chat, pieces := provider(t)
	dir := t.TempDir()
	s, server := open(t, dir, chat)
	said, _ := speak(t, server.URL, pieces)
	start(t, server.URL, "silent")
	server.CloseClientConnections()
	server.Close()
	s.Close()
	for range said {
	}
	_, server = open(t, dir, chat)
	frames := all(t, server.URL+"/v1/messages/async/m/stream")
	if last := frames[len(frames)-1]; last.name != "error" || text(frames) != "Hello" {
		t.Errorf("the broken message ends with %+v", last)
	}
	if _, v := call(t, "GET", server.URL+"/v1/messages/async/m/status", ""); v["status"] != "error" || v["error_message"] == nil {
		t.Errorf("its status is %v", v)
	}
	pieces <- "late"
	close(pieces)
	if got := text(all(t, server.URL+"/v1/messages/async/silent/stream")); got != "late" {
		t.Errorf("the message that had not begun says %q", got)
	}
}

func TestMessageID(t *testing.T) {
	_, server := open(t, t.TempDir(), "extractive:")
	start(t, server.URL, "m")
	all(t, server.URL+"/v1/messages/async/m/stream")
	spaced := strings.ReplaceAll(hello, ",", " , ")
	if status, v := call(t, "POST", server.URL+"/v1/messages/async?message_id=m", spaced); status != 200 || v["status"] != "completed" {
		t.Errorf("the same again answered %d %v", status, v)
	}
	status, v := call(t, "POST", server.URL+"/v1/messages/async?message_id=m", strings.Replace(hello, "Hello", "Bye", 1))
	if _, isText := v["detail"].(string); status != 422 || !isText {
		t.Errorf("another body answered %d %v, want 422 with detail a string", status, v)
	}
	status, v = call(t, "POST", server.URL+"/v1/messages/async", hello)
	if id, _ := v["message_id"].(string); status != 200 || len(id) != 36 || id[14] != '7' {
		t.Errorf("without an id: %d %v, want a UUIDv7", status, v)
	}
}

// TestNoSecretInClear: what a stored request keeps of a connection string and
// a token cannot be read on disk while the message waits.
func TestNoSecretInClear(t *testing.T) {
	chat, pieces := provider(t)
	dir := t.TempDir()
	_, server := open(t, dir, chat)
	body := `{"max_tokens":50,"messages":[{"role":"user","content":"Hello"}],"tools":[{"name":"s","type":"semantic_search_v1","context":[{"type":"text","value":"SECRET-TEXT"}]}],"system":"` + strings.Repeat("long ", 8000) + `SECRET-TEXT"}`
	if status, v := call(t, "POST", server.URL+"/v1/messages/async?message_id=m", body); status != 200 {
		t.Fatalf("start answered %d %v", status, v)
	}
	pieces <- "Hello"
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if strings.Contains(string(raw), "SECRET-TEXT") {
			t.Errorf("%s holds the secret", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	close(pieces)
	all(t, server.URL+"/v1/messages/async/m/stream")
}

// TestPrincipals: an id that a tenant chooses is its own. Keys of others find no
// message under it, and may use the same id without learning that it is in use.
func TestPrincipals(t *testing.T) {
	const keys = `[{"key":"key-of-number-one","collections":["one"],"tenant":"first"},{"key":"key-of-number-two","collections":["two"]},
		{"key":"key-of-one-renewed","collections":["one","two"],"tenant":"first"}]`
	h := servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true", "SERVER_AUTH_SECRET": "Basic dXNlcjpwYXNz", "LECTERN_KEYS": keys,
		"LECTERN_DATA": t.TempDir()}).Handler
	as := func(key, method, path, body string) (int, string) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("X-Api-Key", key)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	if got, body := as("key-of-number-one", "POST", "/v1/messages/async?message_id=m", hello); got != 200 || !strings.Contains(body, `"message_id":"m"`) {
		t.Fatalf("start answered %d %s", got, body)
	}
	for key, want := range map[string]int{"key-of-number-one": 200, "key-of-one-renewed": 200, "key-of-number-two": 404, "dXNlcjpwYXNz": 404,
		"nobody-at-all": 401} {
		if got, body := as(key, "GET", "/v1/messages/async/m/status", ""); got != want || got == 200 && !strings.Contains(body, `"message_id":"m"`) {
			t.Errorf("status with %s answered %d %s, want %d", key, got, body, want)
		}
	}
	other := strings.Replace(hello, "max_tokens", "temperature\":0,\"max_tokens", 1)
	if got, body := as("key-of-number-two", "POST", "/v1/messages/async?message_id=m", other); got != 200 {
		t.Errorf("another tenant's message of the same id: %d %s", got, body)
	}
	if got, _ := as("key-of-number-two", "DELETE", "/v1/messages/async/m/delete", ""); got != 200 {
		t.Errorf("deleting it: %d", got)
	}
	if got, _ := as("key-of-number-one", "GET", "/v1/messages/async/m/status", ""); got != 200 {
		t.Errorf("after the deletion of the other's: %d", got)
	}
	_, body := as("key-of-number-one", "POST", "/v1/messages/async", hello) // an id of the service's
	id := regexp.MustCompile(`"message_id":"([^"]+)"`).FindStringSubmatch(body)[1]
	for key, want := range map[string]int{"key-of-number-one": 200, "key-of-number-two": 404, "dXNlcjpwYXNz": 200} {
		if got, _ := as(key, "GET", "/v1/messages/async/"+id+"/status", ""); got != want {
			t.Errorf("status of %s with %s answered %d, want %d", id, key, got, want)
		}
	}
}
