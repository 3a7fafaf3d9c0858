package service_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lectern/functions/local/service"
	"lectern/shared/app/config"
)

// TestMissingDirectory: no command that looks after stores makes them. A misspelt
// directory would pass every check, and be backed up for ever.
func TestMissingDirectory(t *testing.T) {
	commands := map[string]func(context.Context, *config.Config) error{
		"verify": func(ctx context.Context, c *config.Config) error {
			_, err := service.Verify(ctx, c, silent(), func(string) {})
			return err
		},
		"repair": func(ctx context.Context, c *config.Config) error {
			_, err := service.Repair(ctx, c, silent(), func(string) {})
			return err
		},
		"adopt": func(ctx context.Context, c *config.Config) error {
			_, err := service.Adopt(ctx, c, silent(), func(string) {})
			return err
		},
		"backup": func(ctx context.Context, c *config.Config) error { return service.Backup(ctx, c, silent(), io.Discard) },
		"reindex": func(ctx context.Context, c *config.Config) error {
			return service.Reindex(ctx, c, silent(), func(int, int) {})
		},
	}
	parent := t.TempDir()
	empty, file := filepath.Join(parent, "empty"), filepath.Join(parent, "file")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, run := range commands {
		for _, dir := range []string{filepath.Join(parent, "typo"), empty, file} {
			err := run(t.Context(), settings(t, dir))
			if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "LECTERN_DATA") {
				t.Errorf("%s of %s = %v, want an error that names the directory and LECTERN_DATA", name, dir, err)
			}
		}
	}
	if left, err := filepath.Glob(filepath.Join(parent, "*", "*")); err != nil || len(left) > 0 {
		t.Errorf("the commands made %q, %v", left, err)
	}
	if _, err := os.Stat(filepath.Join(parent, "typo")); !os.IsNotExist(err) {
		t.Errorf("the commands made the directory: %v", err)
	}
}
