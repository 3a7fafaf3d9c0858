// Command smoke tests a deployed service like a client, and prints what works:
// documents stored, found and cited, async work, uploads by signed URL, skills.
//
//	go run ./scripts/smoke -url https://id.execute-api.us-east-1.amazonaws.com/live
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	url := flag.String("url", "", "address of the service, before /v1")
	key := flag.String("key", os.Getenv("LECTERN_SMOKE_KEY"), "credential, where one is asked for")
	patience := flag.Duration("patience", time.Minute, "how long work behind a queue may take")
	only := flag.String("only", "", "comma list of what to test; all when empty")
	flag.Parse()
	s := &session{base: strings.TrimSuffix(*url, "/"), key: *key, patience: *patience, id: fmt.Sprintf("smoke%d", time.Now().UnixNano())}
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"alive and ready", s.ready}, {"the pages", s.pages}, {"one error body", s.refused}, {"ingest and search", s.ingest},
		{"chat with citations", s.chat}, {"chat about a PDF", s.attached}, {"async ingest", s.ingestAsync}, {"async ingest of 2 MB", s.ingestLong},
		{"async chat", s.chatAsync}, {"files", s.files}, {"upload by a signed request", s.upload}, {"skills", s.skills},
		{"delete", s.remove},
	} {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), c.name) {
			continue
		}
		began := time.Now()
		if err := c.run(); err != nil {
			fmt.Printf("FAIL %s: %v\n", c.name, err)
			os.Exit(1)
		}
		fmt.Printf("ok   %s (%d ms)\n", c.name, time.Since(began).Milliseconds())
	}
}

// session is one run, with unique names.
type session struct {
	base, key, id string
	patience      time.Duration
}

// do sends a request and returns the response's body. A status other than want
// is an error; a path with a scheme is used as the whole URL.
func (s *session) do(method, path string, body io.Reader, contentType string, want int) ([]byte, error) {
	if !strings.Contains(path, "://") {
		path = s.base + path
	}
	req, err := http.NewRequest(method, path, body)
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if s.key != "" && strings.HasPrefix(path, s.base) {
		req.Header.Set("Authorization", "Bearer "+s.key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != want {
		err = fmt.Errorf("%s %s answers %d, want %d: %.300s", method, req.URL.Path, resp.StatusCode, want, raw)
	}
	return raw, err
}

func (s *session) post(path, body string, want int) ([]byte, error) {
	return s.do("POST", path, strings.NewReader(strings.ReplaceAll(body, "ID", s.id)), "application/json", want)
}

// expect returns an error unless the body contains all parts.
func expect(raw []byte, err error, parts ...string) error {
	for _, part := range parts {
		if err == nil && !bytes.Contains(raw, []byte(part)) {
			err = fmt.Errorf("the answer lacks %q: %.400s", part, raw)
		}
	}
	return err
}

// until retries until try succeeds or patience is over.
func (s *session) until(try func() error) error {
	for end := time.Now().Add(s.patience); ; time.Sleep(500 * time.Millisecond) {
		if err := try(); err == nil || time.Now().After(end) {
			return err
		}
	}
}

func (s *session) ready() error {
	raw, err := s.do("GET", "/ready?deep=true", nil, "", 200)
	return expect(raw, err, `"index":"ok"`, `"objects":"ok"`, `"records":"ok"`)
}

// pages reads them as a browser does, which takes compressed ones.
func (s *session) pages() error {
	for _, path := range []string{"/", "/docs"} {
		raw, err := s.do("GET", path, nil, "", 200)
		if err := expect(raw, err, "<html", "</html>"); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) refused() error {
	raw, err := s.do("GET", "/v1/nothing", nil, "", 404)
	if err := expect(raw, err, `"type":"error"`, `"not_found_error"`, `"request_id"`); err != nil {
		return err
	}
	raw, err = s.post("/v1/messages", `{"model":"default"}`, 422)
	return expect(raw, err, `"max_tokens"`, `"messages"`)
}

const herons = "Herons fish at dawn in shallow water. A heron stands still for up to forty minutes before it strikes."

func (s *session) ingest() error {
	if _, err := s.post("/v1/artifacts/ingest", `{"artifact":"birds","collection":"ID","input":{"type":"text","value":"`+herons+`"}}`,
		200); err != nil {
		return err
	}
	raw, err := s.post("/v1/primitives/search",
		`{"type":"semantic_search","text":"when do herons fish?","context_filter":{"collection":"ID","artifacts":["birds"]}}`, 200)
	return expect(raw, err, "Herons fish at dawn", `"score"`)
}

const question = `{"model":"default","max_tokens":200,"stream":STREAM,"system":[{"type":"text","text":"Answer from the birds.","citations":{"enabled":true}}],
  "tools":[{"name":"search","type":"semantic_search_v1","context":[{"type":"ingested_artifact","context_filter":{"collection":"ID","artifacts":["birds"]}}]}],
  "messages":[{"role":"user","content":"How long does a heron stand still?"}]}`

func (s *session) chat() error {
	raw, err := s.post("/v1/messages", strings.Replace(question, "STREAM", "false", 1), 200)
	if err := expect(raw, err, "forty minutes", `"citations":[{`, `"end_turn"`); err != nil {
		return err
	}
	raw, err = s.post("/v1/messages", strings.Replace(question, "STREAM", "true", 1), 200)
	return expect(raw, err, "event: message_start", "citations_delta", "event: message_stop")
}

func (s *session) ingestAsync() error {
	if err := s.task(`{"ingest_body":{"artifact":"owls","collection":"ID","input":{"type":"text","value":"Owls hunt at night, and hear a mouse under snow."}},
		"callback":{"amqp":{"exchange":"smoke","routing_key_done":"done"}}}`); err != nil {
		return err
	}
	raw, err := s.post("/v1/artifacts/content", `{"context_filter":{"collection":"ID","artifacts":["owls"]}}`, 200)
	return expect(raw, err, "hear a mouse under snow")
}

// ingestLong tests an ingest in stages.
func (s *session) ingestLong() error {
	var text strings.Builder
	for i := 0; text.Len() < 2<<20; i++ {
		fmt.Fprintf(&text, "Gull number %d lives on cliff %d and eats %d fish. ", i, i%97, i%13)
	}
	if err := s.task(`{"ingest_body":{"artifact":"gulls","collection":"ID","input":{"type":"text","value":"` + text.String() +
		`"}}}`); err != nil {
		return err
	}
	raw, err := s.post("/v1/primitives/search",
		`{"type":"semantic_search","text":"gull number 20011","context_filter":{"collection":"ID","artifacts":["gulls"]}}`, 200)
	return expect(raw, err, "Gull number 20011 ")
}

// task ingests as a task and waits for its end.
func (s *session) task(body string) error {
	raw, err := s.post("/v1/artifacts/ingest/async", body, 200)
	if err != nil {
		return err
	}
	var task struct {
		ID string `json:"task_id"`
	}
	if err := json.Unmarshal(raw, &task); err != nil || task.ID == "" {
		return fmt.Errorf("no task in %s", raw)
	}
	return s.until(func() error {
		raw, err := s.do("GET", "/v1/artifacts/ingest/async/"+task.ID, nil, "", 200)
		return expect(raw, err, `"SUCCESS"`)
	})
}

func (s *session) chatAsync() error {
	// So long that it is kept as an object until it has run.
	long := strings.Replace(question, "Answer from the birds.", "Answer from the birds. "+strings.Repeat("Please. ", 6_000), 1)
	raw, err := s.post("/v1/messages/async", strings.Replace(long, "STREAM", "true", 1), 200)
	if err != nil {
		return err
	}
	var message struct {
		ID string `json:"message_id"`
	}
	if err := json.Unmarshal(raw, &message); err != nil || message.ID == "" {
		return fmt.Errorf("no message in %s", raw)
	}
	path := "/v1/messages/async/" + message.ID
	if err := s.until(func() error {
		raw, err := s.do("GET", path+"/status", nil, "", 200)
		return expect(raw, err, `"completed"`)
	}); err != nil {
		return err
	}
	raw, err = s.do("GET", path+"/stream", nil, "", 200)
	if err := expect(raw, err, "id: 1", "forty minutes", "message_stop"); err != nil {
		return err
	}
	_, err = s.do("DELETE", path+"/delete", nil, "", 200)
	return err
}

// attached asks about a PDF, which another function reads.
func (s *session) attached() error {
	const pdf = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj " +
		"3 0 obj<</Type/Page/MediaBox[0 0 300 200]/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj " +
		"4 0 obj<</Length 58>>stream\nBT /F 18 Tf 20 100 Td (Kingfishers dive head first.) Tj ET\nendstream endobj " +
		"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>"
	messages := `"messages":[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"` +
		base64.StdEncoding.EncodeToString([]byte(pdf)) + `"}},{"type":"text","text":"How do kingfishers dive?"}]}]`
	// Not by post, which would put the id into the base64.
	send := func(path, body string) ([]byte, error) {
		return s.do("POST", path, strings.NewReader(body), "application/json", 200)
	}
	raw, err := send("/v1/messages", `{"model":"default","max_tokens":200,`+messages+`}`)
	if err := expect(raw, err, "head first"); err != nil {
		return err
	}
	raw, err = send("/v1/messages/count_tokens", `{"model":"default",`+messages+`}`)
	return expect(raw, err, `"input_tokens"`)
}

func (s *session) files() error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "a.bin")
	if err != nil {
		return err
	}
	content := []byte("bytes \x00\x01\xfe\xff that are no text")
	if _, err := part.Write(content); err != nil || form.Close() != nil {
		return fmt.Errorf("write the form: %w", err)
	}
	if _, err := s.do("POST", "/v1/files?scope_id="+s.id, &body, form.FormDataContentType(), 200); err != nil {
		return err
	}
	raw, err := s.do("GET", "/v1/files/uploads/a.bin/content?scope_id="+s.id, nil, "", 200)
	if err != nil {
		return err
	}
	// A gateway that buffers leaves bytes in base64 for whoever does not ask for them.
	if !bytes.Equal(raw, content) && string(raw) != base64.StdEncoding.EncodeToString(content) {
		return fmt.Errorf("the file reads as %q", raw)
	}
	raw, err = s.do("GET", "/v1/files?scope_id="+s.id, nil, "", 200)
	return expect(raw, err, `"uploads/a.bin"`, fmt.Sprintf(`"size_bytes":%d`, len(content)))
}

func (s *session) upload() error {
	const content = "A file too large for the gateway."
	raw, err := s.post("/v1/files/uploads?scope_id="+s.id, fmt.Sprintf(`{"file_name":"large.txt","size_bytes":%d}`, len(content)), 200)
	if err != nil {
		return err
	}
	var signed struct {
		Method, URL string
		Headers     map[string]string
	}
	if err := json.Unmarshal(raw, &signed); err != nil {
		return err
	}
	if _, err := s.do(signed.Method, signed.URL, strings.NewReader(content), signed.Headers["Content-Type"], 200); err != nil {
		return err
	}
	return s.until(func() error {
		raw, err := s.do("GET", "/v1/files?scope_id="+s.id, nil, "", 200)
		return expect(raw, err, `"uploads/large.txt"`)
	})
}

func (s *session) skills() error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("files[]", s.id+"/SKILL.md")
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(part, "---\nname: %s\ndescription: how to make tea\n---\nBoil water first.\n", s.id); err != nil ||
		form.Close() != nil {
		return fmt.Errorf("write the form: %w", err)
	}
	raw, err := s.do("POST", "/v1/skills", &body, form.FormDataContentType(), 200)
	if err != nil {
		return err
	}
	var skill struct{ ID string }
	if err := json.Unmarshal(raw, &skill); err != nil {
		return err
	}
	raw, err = s.do("GET", "/v1/skills/"+skill.ID, nil, "", 200)
	if err := expect(raw, err, s.id); err != nil {
		return err
	}
	versions, err := s.do("GET", "/v1/skills/"+skill.ID+"/versions", nil, "", 200)
	return expect(versions, err, `"version"`)
}

func (s *session) remove() error {
	if _, err := s.post("/v1/artifacts/delete", `{"artifact":"birds","collection":"ID"}`, 200); err != nil {
		return err
	}
	raw, err := s.post("/v1/primitives/search",
		`{"type":"semantic_search","text":"herons fish at dawn","context_filter":{"collection":"ID"}}`, 200)
	if err == nil && bytes.Contains(raw, []byte("Herons fish")) {
		err = fmt.Errorf("what was deleted is found: %s", raw)
	}
	return err
}
