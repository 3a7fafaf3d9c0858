package service_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/functions/local/service"
	"lectern/shared/app/embedded"
	"lectern/shared/storage/backup"
)

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

// TestBackupUnderLoad: a backup of a service that works shows every document and file
// that was there, whole, and nothing that was deleted before it began.
func TestBackupUnderLoad(t *testing.T) {
	dir := t.TempDir()
	s, err := reopen(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s)
	want, hits := state(t, s), searches(t, s)
	post(s, "/v1/artifacts/ingest", `{"artifact":"gone","collection":"birds","input":{"type":"text","value":"An egret."}}`)
	if w := post(s, "/v1/artifacts/delete", `{"artifact":"gone","collection":"birds"}`); w.Code != http.StatusOK {
		t.Fatalf("a delete answers %d: %s", w.Code, w.Body)
	}
	busy, stop := context.WithCancel(t.Context())
	var load sync.WaitGroup
	for worker := range 4 {
		load.Go(func() {
			for i := 0; busy.Err() == nil; i++ {
				name := fmt.Sprintf("busy%d-%d", worker, i%3)
				post(s, "/v1/artifacts/ingest", fmt.Sprintf(`{"artifact":%q,"collection":"other","input":{"type":"text","value":"A heron, version %d."}}`, name, i))
				if i%5 == 4 {
					post(s, "/v1/artifacts/delete", fmt.Sprintf(`{"artifact":%q,"collection":"other"}`, name))
				}
			}
		})
	}
	var made []*bytes.Buffer
	for range 3 {
		file := &bytes.Buffer{}
		if err := s.Backup(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		made = append(made, file)
	}
	stop()
	load.Wait()
	s.Close()
	for i, file := range made {
		cfg := settings(t, filepath.Join(t.TempDir(), "restored"))
		if _, err := embedded.Restore(t.Context(), cfg, bytes.NewReader(file.Bytes())); err != nil {
			t.Fatalf("backup %d: Restore = %v", i, err)
		}
		restored, err := reopen(t, cfg.Data)
		if err != nil {
			t.Fatalf("backup %d: %v", i, err)
		}
		rebuilt(t, restored)
		if d := cmp.Diff(want, state(t, restored)); d != "" {
			t.Errorf("backup %d: what can be read (-want +got):\n%.2000s", i, d)
		}
		if d := cmp.Diff(hits, searches(t, restored)); d != "" {
			t.Errorf("backup %d: what is found (-want +got):\n%.2000s", i, d)
		}
		if status, _ := ask(t, restored, "/v1/artifacts/content", `{"context_filter":{"collection":"birds","artifacts":["gone"]}}`); status == http.StatusOK {
			t.Errorf("backup %d: a deleted document is back", i)
		}
		restored.Close()
		if _, err := service.Verify(t.Context(), cfg, silent(), func(wrong string) { t.Errorf("backup %d: %s", i, wrong) }); err != nil {
			t.Error(err)
		}
		if _, err := embedded.Restore(t.Context(), cfg, bytes.NewReader(file.Bytes())); err == nil || !strings.Contains(err.Error(), "not empty") {
			t.Errorf("into a directory in use, Restore = %v", err)
		}
	}
}

// TestVerifyRestored: after a restore nothing is lost. The index, which no backup holds,
// is told apart, until a start has rebuilt it.
func TestVerifyRestored(t *testing.T) {
	dir, _, _ := kept(t)
	var file bytes.Buffer
	if err := service.Backup(t.Context(), settings(t, dir), silent(), &file); err != nil {
		t.Fatal(err)
	}
	cfg := settings(t, filepath.Join(t.TempDir(), "restored"))
	if _, err := embedded.Restore(t.Context(), cfg, bytes.NewReader(file.Bytes())); err != nil {
		t.Fatal(err)
	}
	verify := func(unindexed int) {
		t.Helper()
		out, err := service.Verify(t.Context(), cfg, silent(), func(wrong string) { t.Errorf("Verify tells %q", wrong) })
		if err != nil || out.Documents != keptDocuments || out.Unindexed != unindexed {
			t.Errorf("Verify = %+v, %v, want %d documents, %d of them not indexed", out, err, keptDocuments, unindexed)
		}
	}
	verify(keptDocuments)
	s, err := reopen(t, cfg.Data)
	if err != nil {
		t.Fatal(err)
	}
	rebuilt(t, s)
	s.Close()
	verify(0)
}

// TestDamagedBackup: a backup of which a byte is changed, or the end is missing, is
// refused with a sentence.
func TestDamagedBackup(t *testing.T) {
	dir, _, _ := kept(t)
	var file bytes.Buffer
	if err := service.Backup(t.Context(), settings(t, dir), silent(), &file); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	if _, err := backup.Check(bytes.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole)-1024; at += 1 + len(whole)/200 {
		bent := bytes.Clone(whole)
		bent[at] ^= 1
		_, err := backup.Check(bytes.NewReader(bent))
		if err == nil && whole[at] != 0 {
			t.Errorf("changed at %d, which is no padding, it is taken", at)
		}
		if _, same := backup.Check(bytes.NewReader(whole[:at])); same == nil {
			t.Errorf("cut after %d bytes of %d it is taken", at, len(whole))
		}
		if err != nil && !strings.Contains(err.Error(), "no whole backup") {
			t.Errorf("changed at %d, Check = %v", at, err)
		}
	}
}

// TestRepair damages every file of a data directory in turn, as TestEveryFile does.
// Before the repair, after it and after the next start nothing is lost that was
// intact, and what is lost is named.
func TestRepair(t *testing.T) {
	source, want, _ := kept(t)
	if _, err := service.Verify(t.Context(), settings(t, source), silent(), func(wrong string) { t.Errorf("intact: %s", wrong) }); err != nil {
		t.Fatal(err)
	}
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
				bend(t, filepath.Join(dir, file), how, bent)
				var told []string
				tell := func(problem string) { told = append(told, problem) }
				if _, err := service.Repair(t.Context(), settings(t, dir), silent(), tell); err != nil {
					if text := err.Error(); len(text) < 20 || strings.Contains(text, "goroutine") {
						t.Errorf("Repair = %v, want a sentence", err)
					}
					if file != "records.db" && !strings.HasSuffix(file, ".key") && !strings.HasSuffix(file, ".secret") {
						t.Errorf("Repair = %v, although others are intact", err)
					}
					if file != "records.db" {
						return
					}
					// The registry is lost: what the objects hold is listed without it.
					if err := os.RemoveAll(filepath.Join(dir, file)); err != nil {
						t.Fatal(err)
					}
					if _, err := service.Adopt(t.Context(), settings(t, dir), silent(), tell); err != nil {
						t.Fatalf("Adopt = %v", err)
					}
				}
				s, err := reopen(t, dir)
				if err != nil {
					t.Fatalf("after Repair: %v", err)
				}
				defer s.Close()
				rebuilt(t, s)
				lost, names := 0, strings.Join(told, "\n")
				for name, text := range state(t, s) {
					if text == want[name] {
						continue
					}
					lost++
					if strings.HasPrefix(name, "doc") && strings.HasPrefix(how, "flip") {
						t.Errorf("%s is lost for one bit, although it has an original", name)
					}
					if text != "" {
						t.Errorf("%s reads as something else", name)
					}
					if name != "skills" && !strings.Contains(names, name) {
						t.Errorf("%s is lost and not named:\n%s", name, names)
					}
				}
				switch {
				case lost > 0 && !strings.HasPrefix(file, "objects"):
					t.Errorf("%d things are lost although the objects are intact:\n%s", lost, names)
				case lost > 1 && strings.HasPrefix(how, "flip"):
					t.Errorf("%d things are lost for one bit:\n%s", lost, names)
				}
			})
		}
	}
}
