package pdf_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lectern/shared/knowledge/reader/intake"
	"lectern/shared/knowledge/reader/pdf"
)

const onePage = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj " +
	"3 0 obj<</Type/Page/MediaBox[0 0 9 9]/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R>>"

// TestWithoutCache: files are read, and the log says what it costs, where the
// directory of compiled code cannot be made, and where it is there, lacks the
// code of this processor and cannot be written, as a function's directory.
func TestWithoutCache(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dirs := map[string]string{"cannot be made": filepath.Join(file, "cache")}
	if runtime.GOOS == "linux" {
		// The engine keeps code in a directory of its version, which is a link to one
		// that nobody can write to.
		made := filepath.Join(dir, "made")
		read(t, pdf.NewEngine(made))
		versions, err := os.ReadDir(made)
		if err != nil || len(versions) != 1 {
			t.Fatalf("the cache holds %v, %v; want one directory", versions, err)
		}
		readOnly := filepath.Join(dir, "read-only")
		if err := os.Mkdir(readOnly, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/proc", filepath.Join(readOnly, versions[0].Name())); err != nil {
			t.Fatal(err)
		}
		dirs["cannot be written"] = readOnly
	}
	for name, cache := range dirs {
		var log bytes.Buffer
		engine := pdf.NewEngine(cache)
		engine.Log = slog.New(slog.NewTextHandler(&log, nil))
		read(t, engine)
		if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), cache) {
			t.Errorf("%s: the log says %q", name, log.String())
		}
	}
}

func read(t *testing.T, engine *pdf.Engine) {
	t.Helper()
	f, err := engine.Read(t.Context(), []byte(onePage), intake.PDFOptions{MaxPages: 10})
	if err != nil || len(f.Pages) != 1 {
		t.Fatalf("Read = %v, %v; want one page", f, err)
	}
	if err := engine.Close(); err != nil {
		t.Error(err)
	}
}
