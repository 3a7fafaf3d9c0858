package service_test

import (
	"log/slog"
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
}
