package service_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/functions/local/service"
	"lectern/functions/local/service/servicetest"
	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/fault"
	"lectern/shared/ident"
)

// settings are those of a service on a data directory.
func settings(t *testing.T, dir string) *config.Config {
	t.Helper()
	cfg, err := config.Load(func(name string) string {
		if name == "LECTERN_DATA" {
			return dir
		}
		if name == "LECTERN_EMBEDDING" {
			return "hash:" // vectors that follow later would change what is found
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func reopen(t *testing.T, dir string) (*service.Service, error) {
	t.Helper()
	return service.Open(t.Context(), settings(t, dir), service.Options{IDs: ident.Random{Now: time.Now}, Now: time.Now,
		Log: slog.New(slog.DiscardHandler), Cache: filepath.Join(os.TempDir(), "lectern-test-cache")})
}

const keptDocuments = 12

func documentText(i int) string {
	text := fmt.Sprintf("# Robin %d\n\nThe robin of garden %d sings at dawn, and its nest%d lies in the ivy.\n\n## Food\n\nIt eats worm%d.\n", i, i, i, i)
	if i == 0 {
		text += strings.Repeat("\n\nA large document has many paragraphs about birds that nobody else writes of. ", 1500)
	}
	return text
}

// fill ingests documents, with and without metadata, and keeps files.
func fill(t *testing.T, s *service.Service) {
	t.Helper()
	for i := range keptDocuments {
		body := map[string]any{"artifact": fmt.Sprintf("doc%d", i), "collection": "birds", "input": map[string]any{"type": "text", "value": documentText(i)}}
		switch i % 4 {
		case 1:
			body["metadata"] = map[string]any{"file_name": fmt.Sprintf("r%d.md", i), "year": 2000 + i, "title": "A title"}
		case 2:
			body["metadata"] = map[string]any{"file_name": "text_content.txt"}
		case 3:
			body["input"] = map[string]any{"type": "file", "value": base64.StdEncoding.EncodeToString([]byte(documentText(i)))}
		}
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		if resp := do(t, s.Handler, "POST", "/v1/artifacts/ingest", string(raw)); resp.StatusCode != http.StatusOK {
			t.Fatalf("ingest answers %d: %v", resp.StatusCode, decode(t, resp))
		}
	}
	for i := range 3 {
		form := fmt.Sprintf("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f%d.txt\"\r\n\r\nfile %d\r\n--b--\r\n", i, i)
		if resp := do(t, s.Handler, "POST", "/v1/files?scope_id=s", form, "Content-Type", "multipart/form-data; boundary=b"); resp.StatusCode != http.StatusOK {
			t.Fatalf("a file answers %d: %v", resp.StatusCode, decode(t, resp))
		}
	}
	if len(decode(t, do(t, s.Handler, "GET", "/v1/skills?collection=birds", ""))["data"].([]any)) > 0 {
		return // a second fill
	}
	if resp := do(t, s.Handler, "POST", "/v1/skills", skillForm, "Content-Type", "multipart/form-data; boundary=b"); resp.StatusCode != http.StatusOK {
		t.Fatalf("a skill answers %d: %v", resp.StatusCode, decode(t, resp))
	}
}

// skillForm is a bundle of one file.
const skillForm = "--b\r\nContent-Disposition: form-data; name=\"collection\"\r\n\r\nbirds\r\n--b\r\nContent-Disposition: form-data; name=\"display_title\"\r\n\r\nCount birds\r\n" +
	"--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"count/SKILL.md\"\r\n\r\n" +
	"---\nname: count\ndescription: How to count birds\n---\nOne by one.\n\r\n--b--\r\n"

// passing is what differs from one answer to the next, and from an ingest to the
// time that its id tells.
var passing = regexp.MustCompile(`"(request_id|ingested_at)":"[^"]*",?`)

func ask(t *testing.T, s *service.Service, path, body string) (int, string) {
	t.Helper()
	resp := do(t, s.Handler, "POST", path, body)
	var out bytes.Buffer
	if _, err := out.ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, passing.ReplaceAllString(out.String(), "")
}

// searches are the answers to searches of all kinds, whole.
func searches(t *testing.T, s *service.Service) []string {
	t.Helper()
	var all []string
	for _, q := range []string{
		`"text":"where does the robin sing"`, `"text":"nest3 worm5","explain":true`, `"text":"birds that nobody writes of","expand":true`,
		`"text":"robin","context_filter":{"collection":"birds","metadata_filter":[{"key":"year","operator":">","value":2001}]}`,
		`"text":"robin","context_filter":{"collection":"birds","metadata_filter":[{"key":"file_name","operator":"==","value":"text_content.txt"}]}`,
	} {
		if !strings.Contains(q, "context_filter") {
			q += `,"context_filter":{"collection":"birds"}`
		}
		status, answer := ask(t, s, "/v1/primitives/search", `{"type":"semantic_search","limit":50,`+q+`}`)
		if status != http.StatusOK {
			t.Fatalf("a search answers %d: %s", status, answer)
		}
		all = append(all, answer)
	}
	return all
}

// state is what of the documents and files can be read; "" where it cannot.
func state(t *testing.T, s *service.Service) map[string]string {
	t.Helper()
	out := map[string]string{}
	for i := range keptDocuments {
		name := fmt.Sprintf("doc%d", i)
		status, answer := ask(t, s, "/v1/artifacts/content", `{"context_filter":{"collection":"birds","artifacts":["`+name+`"]}}`)
		if out[name] = ""; status == http.StatusOK {
			out[name] = answer
		}
	}
	for i := range 3 {
		name := fmt.Sprintf("f%d.txt", i)
		resp := do(t, s.Handler, "GET", "/v1/files/uploads/"+name+"/content?scope_id=s", "")
		var text bytes.Buffer
		_, err := text.ReadFrom(resp.Body)
		if out[name] = ""; err == nil && resp.StatusCode == http.StatusOK {
			out[name] = text.String()
		}
	}
	out["skills"] = ""
	if list, ok := decode(t, do(t, s.Handler, "GET", "/v1/skills?collection=birds", ""))["data"].([]any); ok && len(list) > 0 {
		skill, _ := list[0].(map[string]any)
		out["skills"] = fmt.Sprint(skill["id"], skill["display_title"], skill["latest_version"])
		resp := do(t, s.Handler, "GET", fmt.Sprintf("/v1/skills/%v/versions/%v/content?collection=birds", skill["id"], skill["latest_version"]), "")
		var archive bytes.Buffer
		if _, err := archive.ReadFrom(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
			out["skills"] = ""
		}
	}
	return out
}

// rebuilt waits until the index is whole.
func rebuilt(t *testing.T, s *service.Service) {
	t.Helper()
	for range 3000 {
		ready := decode(t, do(t, s.Handler, "GET", "/ready", ""))
		progress, at := ready["index_rebuilding"].(map[string]any)
		_, running := s.Artifacts.Rebuilding()
		if missing, _ := s.Artifacts.Missing(t.Context()); !running && missing == 0 || at && progress["failed"] != float64(0) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("the index is not rebuilt")
}

// kept makes a data directory with documents and returns it closed, with what
// it shows.
func kept(t *testing.T) (dir string, want map[string]string, hits []string) {
	t.Helper()
	dir = t.TempDir()
	s, err := reopen(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s)
	want, hits = state(t, s), searches(t, s)
	for name, text := range want {
		if text == "" {
			t.Fatalf("%s cannot be read", name)
		}
	}
	s.Close()
	return dir, want, hits
}

// objectsOf is the bytes of all files of the object store.
func objectsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(filepath.Join(dir, "objects"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		out[path] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRecordsAreNotTheStores: a missing, empty or foreign registry stops the
// start with a sentence, and nothing is deleted. With the registry back all is
// there; `adopt` goes on without it, and still deletes nothing.
func TestRecordsAreNotTheStores(t *testing.T) {
	source, want, hits := kept(t)
	foreign := filepath.Join(t.TempDir(), "other")
	other, err := reopen(t, foreign)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, other)
	other.Close()
	for name, bend := range map[string]func(t *testing.T, path string) error{
		"missing": func(_ *testing.T, path string) error { return os.Remove(path) },
		"empty":   func(_ *testing.T, path string) error { return os.WriteFile(path, nil, 0o600) },
		"foreign": func(t *testing.T, path string) error {
			raw, err := os.ReadFile(filepath.Join(foreign, "records.db"))
			if err != nil {
				t.Fatal(err)
			}
			return os.WriteFile(path, raw, 0o600)
		},
		"missing, and the index too": func(_ *testing.T, path string) error {
			return errors.Join(os.Remove(path), os.RemoveAll(filepath.Join(filepath.Dir(path), "index")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "records.db")
			right, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			before := objectsOf(t, dir)
			if err := bend(t, path); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				s, err := reopen(t, dir)
				if err == nil {
					s.Close()
					t.Fatal("the service starts")
				}
				if f := fault.As(err); f == nil || !strings.Contains(f.Msg, "do not belong together") || !strings.Contains(f.Msg, "lectern adopt") {
					t.Errorf("Open = %v, want a sentence that says what to do", err)
				}
			}
			if d := cmp.Diff(before, objectsOf(t, dir)); d != "" {
				t.Errorf("the objects were changed:\n%.500s", d)
			}
			wrong, err := os.ReadFile(path)
			if err != nil || os.WriteFile(path, right, 0o600) != nil {
				t.Fatal(err)
			}
			whole(t, dir, want, hits)
			if err := os.WriteFile(path, wrong, 0o600); err != nil {
				t.Fatal(err)
			}
			done, err := service.Adopt(t.Context(), settings(t, dir), slog.New(slog.DiscardHandler), func(lost string) { t.Errorf("lost: %s", lost) })
			if err != nil {
				t.Fatalf("Adopt = %v", err)
			}
			if name != "foreign" {
				if (done.Relisted != app.Relisted{Documents: keptDocuments, Files: 3, Skills: 1}) {
					t.Errorf("Adopt lists %+v again", done.Relisted)
				}
				whole(t, dir, want, hits)
			}
			for range 2 {
				s, err := reopen(t, dir)
				if err != nil {
					t.Fatalf("after Adopt: %v", err)
				}
				if err := s.Sweep(t.Context(), true); err != nil {
					t.Error(err)
				}
				s.Close()
			}
			after := objectsOf(t, dir)
			for file, text := range before {
				if !strings.Contains(after[file], strings.TrimSpace(text)[:min(len(text), 100)]) || len(after[file]) < len(text) {
					t.Errorf("after Adopt, %s has %d bytes of %d", file, len(after[file]), len(text))
				}
			}
			// The registry comes back: what was kept is shown again.
			if err := os.WriteFile(path, right, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := service.Adopt(t.Context(), settings(t, dir), slog.New(slog.DiscardHandler), func(string) {}); err != nil {
				t.Fatal(err)
			}
			whole(t, dir, want, hits)
		})
	}
}

// whole opens a directory in which nothing is lost.
func whole(t *testing.T, dir string, want map[string]string, hits []string) {
	t.Helper()
	s, err := reopen(t, dir)
	if err != nil {
		t.Errorf("Open = %v", err)
		return
	}
	defer s.Close()
	rebuilt(t, s)
	if d := cmp.Diff(want, state(t, s)); d != "" {
		t.Errorf("what can be read (-want +got):\n%.2000s", d)
	}
	if d := cmp.Diff(hits, searches(t, s)); d != "" {
		t.Errorf("what is found (-want +got):\n%.2000s", d)
	}
}

// TestLostIndex: an index that is gone is rebuilt from the stored texts, and
// finds the same as before, to the last digit.
func TestLostIndex(t *testing.T) {
	dir, want, hits := kept(t)
	if err := os.RemoveAll(filepath.Join(dir, "index")); err != nil {
		t.Fatal(err)
	}
	whole(t, dir, want, hits)
}

// TestLostStore: when all objects are gone the service starts, counts what is lost, and
// says so to who asks for it; what is sent again is there.
func TestLostStore(t *testing.T) {
	dir, _, _ := kept(t)
	if err := os.RemoveAll(filepath.Join(dir, "objects")); err != nil {
		t.Fatal(err)
	}
	s, err := reopen(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	damaged := func() any {
		t.Helper()
		resp := do(t, s.Handler, "GET", "/ready", "")
		ready := decode(t, resp)
		checks, _ := ready["checks"].(map[string]any)
		// The service works, so that nobody may take it out of service.
		if resp.StatusCode != http.StatusOK || ready["status"] != "damaged" || checks["objects"] != "damaged" || checks["records"] != "ok" {
			t.Errorf("/ready answers %d %v", resp.StatusCode, ready)
		}
		of, _ := ready["damaged"].(map[string]any)
		return of["objects"]
	}
	// Texts and originals, files, and the archive of a skill.
	if got, want := damaged(), float64(2*keptDocuments+3+1); got != want {
		t.Errorf("/ready counts %v, want %v", got, want)
	}
	filter := `"context_filter":{"collection":"birds","artifacts":["doc1"]}`
	if status, answer := ask(t, s, "/v1/artifacts/content", `{`+filter+`}`); status != http.StatusServiceUnavailable ||
		!strings.Contains(answer, "ingest it again") || strings.Contains(answer, "documents/") {
		t.Errorf("a lost text answers %d: %s", status, answer)
	}
	fill(t, s)
	if got := damaged(); got != float64(1) {
		t.Errorf("/ready counts %v after all but the skill was sent again, want 1", got)
	}
}

// TestDamagedContent: bytes that are damaged, in the pack and in a file of their own, are
// 503 with a sentence to whoever asks for them, and never the status of a good answer.
func TestDamagedContent(t *testing.T) {
	dir := t.TempDir()
	s, err := reopen(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s)
	form := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"big.txt\"\r\n\r\n" + documentText(0) + "\r\n--b--\r\n"
	if resp := do(t, s.Handler, "POST", "/v1/files?scope_id=s", form, "Content-Type", "multipart/form-data; boundary=b"); resp.StatusCode != http.StatusOK {
		t.Fatalf("a file answers %d: %v", resp.StatusCode, decode(t, resp))
	}
	batch := decode(t, do(t, s.Handler, "POST", "/v1/messages/batches", `{"requests": [{"custom_id": "robins", "params":
		{"model": "default", "max_tokens": 50, "messages": [{"role": "user", "content": "Hello"}]}}]}`))
	results := fmt.Sprintf("/v1/messages/batches/%v/results", batch["id"])
	for range 1000 {
		if do(t, s.Handler, "GET", results, "").StatusCode == http.StatusOK {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	paths := []string{results, "/v1/artifacts/original?collection=birds&artifact=doc0", "/v1/artifacts/original?collection=birds&artifact=doc1",
		"/v1/files/uploads/f0.txt/content?scope_id=s", "/v1/files/uploads/big.txt/content?scope_id=s"}
	for _, path := range paths[1:3] {
		link, _ := decode(t, do(t, s.Handler, "GET", path+"&link=true", ""))["url"].(string)
		_, signed, _ := strings.Cut(strings.TrimPrefix(link, "http://"), "/")
		paths = append(paths, "/"+signed)
	}
	for _, path := range paths {
		if resp := do(t, s.Handler, "GET", path, ""); resp.StatusCode != http.StatusOK {
			t.Fatalf("%s answers %d before anything is damaged", path, resp.StatusCode)
		}
	}
	s.Close()
	for file, raw := range objectsOf(t, dir) {
		for _, word := range []string{"garden 0 sings", "garden 1 sings", "file 0", `"custom_id":"robins"`} {
			raw = strings.ReplaceAll(raw, word, strings.ToUpper(word))
		}
		if err := os.WriteFile(file, []byte(raw), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if s, err = reopen(t, dir); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, path := range paths {
		resp := do(t, s.Handler, "GET", path, "")
		of, _ := decode(t, resp)["error"].(map[string]any)
		if text, _ := of["message"].(string); resp.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "put it back from a backup") ||
			resp.Header.Get("Content-Disposition") != "" {
			t.Errorf("%s answers %d: %q %v", path, resp.StatusCode, text, resp.Header)
		}
	}
	if resp := do(t, s.Handler, "GET", "/v1/files/uploads/f1.txt/content?scope_id=s", ""); resp.StatusCode != http.StatusOK {
		t.Errorf("an intact file answers %d", resp.StatusCode)
	}
}

// TestEmptiedIndexMeetsTheSameContent: ingesting the same content does no work,
// unless the index has lost it.
func TestEmptiedIndexMeetsTheSameContent(t *testing.T) {
	s := servicetest.Open(t, nil)
	fill(t, s)
	hits := searches(t, s)
	if err := s.EmptyIndex(t.Context(), "birds"); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(searches(t, s)) == fmt.Sprint(hits) {
		t.Fatal("the index was not emptied")
	}
	fill(t, s) // the same again
	if d := cmp.Diff(hits, searches(t, s)); d != "" {
		t.Errorf("after the same content came again (-want +got):\n%.2000s", d)
	}
}

// filesOf lists the files of a data directory that hold more than can be made again.
func filesOf(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.Contains(path, "/cache/") {
			rel, _ := filepath.Rel(dir, path)
			files = append(files, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// damages are the ways in which a file gets lost, by name, and what it holds then.
func damages(raw []byte) map[string][]byte {
	flipped, early := bytes.Clone(raw), bytes.Clone(raw)
	if len(raw) > 0 {
		flipped[len(raw)*2/3] ^= 16
		early[len(raw)/9] ^= 2
	}
	return map[string][]byte{"truncate": raw[:len(raw)/2], "zero": make([]byte, len(raw)), "flip": flipped, "flip early": early, "remove": nil}
}

func bend(t *testing.T, path, how string, bent []byte) {
	t.Helper()
	err := os.Remove(path)
	if how != "remove" {
		err = os.WriteFile(path, bent, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestEveryFile damages every file of a data directory in turn. The service
// starts or says in a sentence why not; what lies in other files is there, and
// nothing panics.
func TestEveryFile(t *testing.T) {
	source, want, hits := kept(t)
	for _, file := range filesOf(t, source) {
		raw, err := os.ReadFile(filepath.Join(source, file))
		if err != nil {
			t.Fatal(err)
		}
		for how, bent := range damages(raw) {
			t.Run(file+" "+how, func(t *testing.T) {
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(dir, file)
				bend(t, path, how, bent)
				damaged(t, dir, file, how, want, hits)
				if t.Failed() {
					return
				}
				// With the file back nothing is lost, whatever happened meanwhile.
				if strings.HasPrefix(file, "index") {
					return // it has a life of its own
				}
				if err := os.WriteFile(path, raw, 0o600); err != nil {
					t.Fatal(err)
				}
				if s, err := reopen(t, dir); err != nil {
					t.Errorf("with the file back: %v", err)
				} else {
					s.Close()
				}
			})
		}
	}
}

func damaged(t *testing.T, dir, file, how string, want map[string]string, hits []string) {
	t.Helper()
	s, err := reopen(t, dir)
	if err != nil {
		if text := err.Error(); len(text) < 20 || strings.Contains(text, "goroutine") || strings.Contains(text, "runtime error") {
			t.Errorf("Open = %v, want a sentence", err)
		}
		if strings.HasPrefix(file, "index") || strings.HasPrefix(file, "objects") {
			t.Errorf("Open = %v, although others are intact", err)
		}
		return
	}
	defer s.Close()
	rebuilt(t, s)
	lost, now := 0, state(t, s)
	ready := decode(t, do(t, s.Handler, "GET", "/ready", ""))
	for name, text := range now {
		if text != "" && text != want[name] {
			t.Errorf("%s reads as something else", name)
		}
		inPack := name != "doc0"
		if text == "" {
			if lost++; !strings.HasPrefix(file, "objects") && file != "records.db" || inPack != strings.Contains(file, "pack") && file != "records.db" {
				t.Errorf("%s is lost", name)
			}
		}
	}
	switch {
	case strings.HasPrefix(how, "flip") && lost > 1:
		t.Errorf("%d documents and files are lost for one bit", lost)
	case strings.HasPrefix(how, "flip") && lost == 1 && ready["damaged"] == nil && !strings.Contains(file, "pack"):
		t.Errorf("/ready tells of no damage: %v", ready)
	case strings.HasPrefix(file, "objects") && lost > 0 && ready["damaged"] == nil:
		t.Errorf("/ready tells of no damage, and %d documents and files are lost: %v", lost, ready)
	}
	if lost == 0 {
		if d := cmp.Diff(hits, searches(t, s)); d != "" {
			t.Errorf("what is found (-want +got):\n%.2000s", d)
		}
	}
}
