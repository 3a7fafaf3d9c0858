package service_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lectern/functions/local/service"
	"lectern/shared/fault"
	"lectern/shared/ident"
)

// onDisk tells which files of a data directory hold a text.
func onDisk(t *testing.T, dir, text string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte(text)) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestDeletedIsOffTheDisk: within a day of its deletion nothing of a document or file
// is left in any file, however little was deleted, and what is kept still reads.
func TestDeletedIsOffTheDisk(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	s, err := service.Open(t.Context(), settings(t, dir), service.Options{IDs: ident.Random{Now: clock}, Now: clock, Log: silent()})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s)
	if err := s.Reclaim(t.Context()); err != nil {
		t.Fatal(err)
	}
	want, hits := state(t, s), searches(t, s)
	secret := "Quetzalcoatlus"
	post(s, "/v1/artifacts/ingest", fmt.Sprintf(`{"artifact":"secret %s","collection":"zoo","input":{"type":"text","value":"The %s flies."}}`, secret, secret))
	if len(onDisk(t, dir, secret)) == 0 {
		t.Fatal("the text is nowhere on the disk")
	}
	if w := post(s, "/v1/artifacts/delete", fmt.Sprintf(`{"artifact":"secret %s","collection":"zoo"}`, secret)); w.Code != http.StatusOK {
		t.Fatalf("a delete answers %d %s", w.Code, w.Body)
	}
	now = now.Add(25 * time.Hour) // the tombstone goes too
	if err := s.Sweep(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	post(s, "/v1/artifacts/ingest", `{"artifact":"other","collection":"other","input":{"type":"text","value":"A wren."}}`) // writes take expired items along
	if err := s.Reclaim(t.Context()); err != nil {
		t.Fatal(err)
	}
	if files := onDisk(t, dir, "The "+secret); len(files) > 0 {
		t.Errorf("the deleted text is still in %v", files)
	}
	if got := fmt.Sprint(state(t, s), searches(t, s)); got != fmt.Sprint(want, hits) {
		t.Error("what is kept reads as something else")
	}
	s.Close()
	whole(t, dir, want, hits)
}

// TestLostSealKey: the service does not start without the key of work that waits, and
// starts on the operator's word.
func TestLostSealKey(t *testing.T) {
	dir := t.TempDir()
	s, err := reopen(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	// A callback that nobody takes waits for its next try.
	body := `{"ingest_body":{"artifact":"a","input":{"type":"text","value":"A robin."}},"callback":{"url":"https://callback.invalid/x"}}`
	w := post(s, "/v1/artifacts/ingest/async", body)
	if w.Code >= 300 {
		t.Fatalf("an async ingest answers %d %s", w.Code, w.Body)
	}
	s.Close()
	key := filepath.Join(dir, "seal.key")
	right, err := os.ReadFile(key)
	if err != nil || os.Remove(key) != nil {
		t.Fatal(err)
	}
	s, err = reopen(t, dir)
	if err == nil {
		s.Close()
		t.Fatal("the service starts without the key of what waits")
	}
	if f := fault.As(err); f == nil || !strings.Contains(f.Msg, "seal.key") || !strings.Contains(f.Msg, "lectern adopt") {
		t.Errorf("Open = %v, want a sentence", err)
	}
	if err := os.WriteFile(key, right, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err = reopen(t, dir); err != nil {
		t.Fatalf("with the key back: %v", err)
	}
	s.Close()
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if _, err := service.Adopt(t.Context(), settings(t, dir), silent(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	if s, err = reopen(t, dir); err != nil {
		t.Fatalf("after Adopt: %v", err)
	}
	s.Close()
}

// TestOtherSealKey: without the key that sealed it a response cannot be read, of which a
// sentence tells, and can be deleted; the log tells of the key at the start.
func TestOtherSealKey(t *testing.T) {
	dir := t.TempDir()
	s, err := reopen(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	w := post(s, "/v1/responses", `{"input":"Hello."}`)
	var made struct{ ID string }
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || w.Code != http.StatusOK {
		t.Fatalf("a response: %d %s", w.Code, w.Body)
	}
	s.Close()
	if err := os.WriteFile(filepath.Join(dir, "seal.key"), bytes.Repeat([]byte{7}, 32), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	s, err = service.Open(t.Context(), settings(t, dir), service.Options{IDs: ident.Random{Now: time.Now}, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})), Cache: filepath.Join(os.TempDir(), "lectern-test-cache")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !strings.Contains(log.String(), "seal.key") {
		t.Errorf("the start logs %q", log.String())
	}
	get := func(method string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.Handler.ServeHTTP(w, httptest.NewRequest(method, "/v1/responses/"+made.ID, nil))
		return w
	}
	for name, w := range map[string]*httptest.ResponseRecorder{
		"GET": get(http.MethodGet), "going on": post(s, "/v1/responses", fmt.Sprintf(`{"input":"And?","previous_response_id":%q}`, made.ID)),
	} {
		if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "seal.key") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if w := get(http.MethodDelete); w.Code != http.StatusOK {
		t.Errorf("DELETE: %d %s", w.Code, w.Body)
	}
	if w := get(http.MethodGet); w.Code != http.StatusNotFound {
		t.Errorf("GET after DELETE: %d %s", w.Code, w.Body)
	}
}

// TestCutSecrets: a secret that is cut short is named.
func TestCutSecrets(t *testing.T) {
	for _, name := range []string{"seal.key", "webhook.secret"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("whsec_a"), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := reopen(t, filepath.Dir(path))
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("with a %s cut short: %v", name, err)
		}
	}
}
