package main

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lectern/functions"
)

// TestEveryGroupHasAFunction: what the table of groups lists can be deployed.
func TestEveryGroupHasAFunction(t *testing.T) {
	for _, g := range functions.Groups() {
		if _, err := os.Stat(filepath.Join("..", "..", "functions", g.Name, "lambda", "main.go")); err != nil {
			t.Errorf("group %s: %v", g.Name, err)
		}
	}
}

func TestPackIsReproducible(t *testing.T) {
	files := map[string][]byte{"bootstrap": []byte("program"), "b/c": []byte("1"), "a": []byte("2")}
	first, err := pack(files)
	if err != nil {
		t.Fatal(err)
	}
	second, err := pack(files)
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("the same files make two zips, %v", err)
	}
	r, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		if runnable := f.Mode()&0o111 != 0; runnable != (f.Name == "bootstrap") {
			t.Errorf("%s has mode %v", f.Name, f.Mode())
		}
	}
}

// TestCheckHost: a machine that cannot make the code that a function runs says
// so and how to go on, and does not leave it out.
func TestCheckHost(t *testing.T) {
	if err := checkHost("linux", "amd64"); err != nil {
		t.Error(err)
	}
	for _, host := range [][2]string{{"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}} {
		err := checkHost(host[0], host[1])
		if err == nil || !strings.Contains(err.Error(), host[0]+"/"+host[1]) || !strings.Contains(err.Error(), "-without-cache") {
			t.Errorf("%v: %v", host, err)
		}
	}
}

// TestCheckLinked: the look at a binary finds what it should not have. The
// test's own binary stands for one with text/template and without a database.
func TestCheckLinked(t *testing.T) {
	dir := t.TempDir()
	source := `package main

import ("os"; "text/template")

func main() { template.Must(template.New("x").Parse("{{.}}")).Execute(os.Stdout, 1) }
`
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(dir, "bad")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", bad, filepath.Join(dir, "main.go")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := checkLinked("models", bad); err == nil {
		t.Error("a binary with text/template passes")
	}
	good := filepath.Join(dir, "good")
	source = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", good, filepath.Join(dir, "main.go")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := checkLinked("models", good); err != nil {
		t.Errorf("a binary with nothing forbidden: %v", err)
	}
}

func TestCheckSize(t *testing.T) {
	for name, test := range map[string]struct {
		bytes int
		fits  bool
	}{"messages": {18 << 20, true}, "streams": {18<<20 + 1<<18, false}, "tools": {26 << 20, true}} {
		if err := checkSize(name, test.bytes); (err == nil) != test.fits {
			t.Errorf("checkSize(%s, %d) = %v, want it to fit: %v", name, test.bytes, err, test.fits)
		}
	}
}
