// Package servicetest opens the whole service for tests: embedded drivers in a
// temporary directory, counting ids and a fixed clock.
package servicetest

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lectern/functions/local/service"
	"lectern/shared/app/config"
	"lectern/shared/ident"
)

// Noon is the fixed time of the service.
var Noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// Open opens a service that is closed at the end of the test. settings are
// environment variables. Tests share a cache of compiled code.
func Open(t testing.TB, settings map[string]string) *service.Service {
	t.Helper()
	dir := t.TempDir()
	cfg, err := config.Load(func(name string) string {
		if v, ok := settings[name]; ok {
			return v
		}
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
	s, err := service.Open(t.Context(), cfg, service.Options{IDs: &ident.Counting{}, Now: func() time.Time { return Noon },
		Log:   slog.New(slog.DiscardHandler),
		Cache: filepath.Join(os.TempDir(), "lectern-test-cache")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Handler opens a service with the default settings, for recordings.
func Handler(t *testing.T) http.Handler { return Open(t, nil).Handler }
