// Package scripts holds the commands that build and measure the service, and
// the rules of its layout as tests.
package scripts

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lectern/shared/app/config"
)

const root = ".."

// topLevel is what may stand beside the hidden files.
var topLevel = []string{"functions", "shared", "infra", "events", "localstack", "scripts", "Makefile", "go.mod", "go.sum", "README.md"}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(topLevel, e.Name()) && e.Name() != "bin" && e.Name() != "dist" {
			t.Errorf("%s does not belong at the top level", e.Name())
		}
	}
}

// file is one parsed Go file.
type file struct {
	path  string // from the root, with slashes
	lines int
	ast   *ast.File
	set   *token.FileSet
}

func goFiles(t *testing.T) []file {
	t.Helper()
	var list []file
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"node_modules", "testdata", "bin", "dist"}, d.Name())) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		rel, _ := filepath.Rel(root, path)
		if strings.HasPrefix(rel, "scripts/conformance/") {
			return nil // a module of its own
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, src, parser.ParseComments)
		if err != nil {
			return err
		}
		list = append(list, file{filepath.ToSlash(rel), strings.Count(string(src), "\n"), parsed, set})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestSizes(t *testing.T) {
	for _, f := range goFiles(t) {
		if strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		if f.lines > 600 {
			t.Errorf("%s has %d lines; 600 at most", f.path, f.lines)
		}
		for _, decl := range f.ast.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := f.set.Position(fn.End()).Line - f.set.Position(fn.Pos()).Line; n > 100 {
				t.Errorf("%s: %s has %d lines; 100 at most", f.path, fn.Name.Name, n)
			}
			if fn.Name.Name == "init" {
				t.Errorf("%s: no init functions", f.path)
			}
		}
	}
}

func TestPackages(t *testing.T) {
	banned := []string{"handlers", "services", "types", "util", "utils", "common", "helpers", "models_test"}
	docs, files := map[string]bool{}, map[string]int{}
	for _, f := range goFiles(t) {
		if strings.HasSuffix(f.path, "_test.go") && f.path != "scripts/layout_test.go" {
			continue
		}
		dir := filepath.Dir(f.path)
		files[dir]++
		docs[dir] = docs[dir] || f.ast.Doc != nil
		if slices.Contains(banned, f.ast.Name.Name) {
			t.Errorf("%s: package %s names a layer, not a noun", f.path, f.ast.Name.Name)
		}
	}
	for dir, n := range files {
		if !docs[dir] {
			t.Errorf("%s has no package comment", dir)
		}
		if n > 15 {
			t.Errorf("%s has %d files; over 15, split it by noun", dir, n)
		}
	}
}

// TestGroupsAreApart: groups of endpoints do not know each other, and only the
// programs that ask databases, and checks, link their drivers. Which wing may import which is
// in .golangci.yml.
func TestGroupsAreApart(t *testing.T) {
	group := func(path string) string {
		parts := strings.Split(path, "/")
		if parts[0] != "functions" || len(parts) < 3 || parts[1] == "local" {
			return ""
		}
		return parts[1]
	}
	for _, f := range goFiles(t) {
		if strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		dir := filepath.Dir(f.path)
		for _, spec := range f.ast.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			own, ok := strings.CutPrefix(imp, "lectern/")
			if !ok {
				continue
			}
			last := own[strings.LastIndexByte(own, '/')+1:]
			switch {
			case group(f.path) != "" && group(own+"/x") != "" && group(f.path) != group(own+"/x"):
				t.Errorf("%s imports %s: groups do not know each other", f.path, imp)
			case strings.HasSuffix(last, "test") && !strings.HasPrefix(dir, "scripts") && !strings.HasSuffix(dir, "test"):
				t.Errorf("%s imports %s: that is for tests", f.path, imp)
			case last == "sqldrivers" && dir != "functions/local/service" && dir != "functions/tools/lambda" &&
				!strings.HasPrefix(dir, "scripts") && !strings.HasSuffix(dir, "test"):
				t.Errorf("%s imports %s: only the programs that ask databases link their drivers", f.path, imp)
			}
		}
	}
}

// setting matches the name of a setting in a table.
var setting = regexp.MustCompile("^ `(LECTERN_|OTEL_|SERVER_AUTH_|[A-Z]+_API_KEY|PATH)[A-Z_]*` $")

// TestSettingsInReadme compares the README's table with what is read.
func TestSettingsInReadme(t *testing.T) {
	f, err := os.Open(filepath.Join(root, "functions", "local", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := map[string]string{}
	lines := 0
	for scan := bufio.NewScanner(f); scan.Scan(); lines++ {
		cells := strings.Split(scan.Text(), "|")
		if len(cells) >= 5 && setting.MatchString(cells[1]) {
			rows[strings.Trim(strings.TrimSpace(cells[1]), "`")] = strings.Trim(strings.TrimSpace(cells[2]), "`")
		}
	}
	if lines > 200 {
		t.Errorf("functions/local/README.md has %d lines; 200 at most", lines)
	}
	for _, s := range config.Settings() {
		shown, ok := rows[s.Name]
		if !ok {
			t.Errorf("README.md does not list %s", s.Name)
		} else if shown != s.Default && !(s.Default == "" && shown == "(none)") {
			t.Errorf("README.md gives %s the default %q, the code %q", s.Name, shown, s.Default)
		}
		delete(rows, s.Name)
	}
	for name := range rows {
		t.Errorf("README.md lists %s, which nothing reads", name)
	}
}

// TestSampleEvents: each sample event is JSON, and a test or a script plays it.
func TestSampleEvents(t *testing.T) {
	var players strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".sh") {
			return nil
		}
		raw, err := os.ReadFile(path)
		players.Write(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	events, err := filepath.Glob(filepath.Join(root, "events", "*.json"))
	if err != nil || len(events) == 0 {
		t.Fatalf("no sample events, %v", err)
	}
	for _, path := range events {
		raw, err := os.ReadFile(path)
		if err != nil || !json.Valid(raw) {
			t.Errorf("%s is no JSON, %v", path, err)
		}
		name := filepath.Base(path)
		kind, _, _ := strings.Cut(name, "-")
		if !strings.Contains(players.String(), "events/"+name) && !strings.Contains(players.String(), "events/"+kind+"-*.json") {
			t.Errorf("nothing plays %s", name)
		}
	}
}
