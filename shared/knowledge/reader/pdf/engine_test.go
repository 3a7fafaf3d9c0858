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

// TestDamagedCache: compiled code of which a bit has changed is compiled anew, and the log
// says so once; so is code whose checksum is lost, of which nothing is to be said.
func TestDamagedCache(t *testing.T) {
	dir := t.TempDir()
	read(t, pdf.NewEngine(dir))
	files, err := filepath.Glob(filepath.Join(dir, "wazero-*", strings.Repeat("?", 64)))
	if err != nil || len(files) == 0 {
		t.Fatalf("the cache holds %v, %v", files, err)
	}
	largest, size := "", int64(0)
	for _, f := range files {
		if info, err := os.Stat(f); err == nil && info.Size() > size {
			largest, size = f, info.Size()
		}
	}
	made, err := os.ReadFile(largest)
	if err != nil {
		t.Fatal(err)
	}
	damage := func() {
		changed := bytes.Clone(made)
		changed[3712] ^= 1
		if err := os.WriteFile(largest, changed, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		do   func()
		want int // warnings
	}{
		{"as it was made", func() {}, 0},
		{"with a changed bit", damage, 1},
		{"compiled anew", func() {}, 0},
		{"with a changed bit and no checksum", func() {
			damage()
			if err := os.Remove(largest + ".sum"); err != nil {
				t.Fatal(err)
			}
		}, 0},
	} {
		var log bytes.Buffer
		engine := pdf.NewEngine(dir)
		engine.Log = slog.New(slog.NewTextHandler(&log, nil))
		c.do()
		read(t, engine)
		if n := strings.Count(log.String(), "level=WARN"); n != c.want || n > 0 && !strings.Contains(log.String(), "compiled anew") {
			t.Errorf("%s: the log says %q, want %d warnings", c.name, log.String(), c.want)
		}
		if after, err := os.ReadFile(largest); err != nil || !bytes.Equal(after, made) {
			t.Errorf("%s: the code is not as it was made, %v", c.name, err)
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
