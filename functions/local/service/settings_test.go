package service_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lectern/functions/local/service"
	"lectern/shared/app/config"
	"lectern/shared/ident"
)

// TestBadSettings: a service that is set up wrongly does not start, says which
// setting is at fault, and leaves nothing open, so that the next one starts.
func TestBadSettings(t *testing.T) {
	dir := t.TempDir()
	open := func(name, value string) error {
		cfg, err := config.Load(func(asked string) string {
			switch asked {
			case name:
				return value
			case "LECTERN_DATA":
				return dir
			}
			return ""
		})
		if err != nil {
			return err
		}
		s, err := service.Open(t.Context(), cfg, service.Options{IDs: &ident.Counting{}, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			s.Close()
		}
		return err
	}
	for name, value := range map[string]string{
		"LECTERN_OBJECTS": "tape:", "LECTERN_RECORDS": "cards:", "LECTERN_INDEX": "shelf:", "LECTERN_EMBEDDING": "none:", "LECTERN_CHAT": "nobody:",
		"LECTERN_TASKS":  "later:",
		"LECTERN_RERANK": "dice:", "LECTERN_SEARCH_WEB": "rumour:", "LECTERN_WEBHOOK_SECRET": "whsec_short", "LECTERN_AUTHORIZER": "yes",
	} {
		if err := open(name, value); err == nil || strings.Count(err.Error(), name) != 1 {
			t.Errorf("with %s=%s: %v, want an error that names the setting once", name, value, err)
		}
		if err := open("", ""); err != nil {
			t.Fatalf("after %s=%s: %v", name, value, err)
		}
	}
	for name, value := range map[string]string{"LECTERN_INDEX": "local", "LECTERN_RECORDS": "bolt", "LECTERN_OBJECTS": "disk"} {
		if err := open(name, value); err != nil {
			t.Errorf("with %s=%s, the driver without a colon: %v", name, value, err)
		}
	}
}

// TestBadDirectory: a data directory that cannot be used, or that another process uses,
// is what the error names.
func TestBadDirectory(t *testing.T) {
	used := t.TempDir()
	s, err := reopen(t, used)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{used: "in use by another process", file: "", filepath.Join(file, "x"): ""} {
		s, err := reopen(t, dir)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "LECTERN_DATA="+dir) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "LECTERN_OBJECTS") {
			t.Errorf("on %s: %v, want an error that names LECTERN_DATA, the directory, and %q", dir, err, want)
		}
	}
}
