package functions_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/functions"
)

func TestOf(t *testing.T) {
	for path, want := range map[string]string{
		"/v1/messages": "messages", "/v1/messages/validate": "messages", "/v1/messages/count_tokens": "tokens", "/v1/messages/count_tokensx": "messages",
		"/v1/models/a/b": "models", "/v1/modelsx": "system", "/": "system", "/health": "system", "": "system", "//": "system", "/v1/collections/c": "artifacts",
		"*": "system", "/mcp": "mcp", "/mcpx": "system",
		"/v1/messages/async": "messages", "/v1/messages/async/": "streams", "/v1/messages/async/x/status": "streams",
	} {
		if got := functions.Of(functions.Groups(), path).Name; got != want {
			t.Errorf("Of(%q) = %q, want %q", path, got, want)
		}
	}
}

// TestFunctions: the table names the functions that have a main, and no others.
func TestFunctions(t *testing.T) {
	var mains, listed []string
	for _, kind := range []string{"lambda", "worker", "sweep", "setup", "empty"} {
		found, err := filepath.Glob("*/" + kind + "/main.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			mains = append(mains, strings.TrimSuffix(strings.ReplaceAll(filepath.Dir(path), "/", "-"), "-lambda"))
		}
	}
	for _, f := range functions.Functions() {
		listed = append(listed, f.Name)
		if want := strings.HasPrefix(f.Name, "artifacts"); f.PDF != want || f.ArchitectureAmong("arm64") != map[bool]string{true: "x86_64",
			false: "arm64"}[want] || f.MemoryMB < 128 {
			t.Errorf("%+v runs on %s", f, f.ArchitectureAmong("arm64"))
		}
	}
	slices.Sort(mains)
	slices.Sort(listed)
	if diff := cmp.Diff(mains, listed); diff != "" {
		t.Errorf("functions (-mains +table):\n%s", diff)
	}
}

// TestNumber: each function has a number of its own, below that of everybody else.
func TestNumber(t *testing.T) {
	seen := map[int]bool{functions.Number("nobody"): true}
	for _, f := range functions.Functions() {
		n := functions.Number(f.Name)
		if seen[n] || n < 1 || n > 253 {
			t.Errorf("%s has the number %d", f.Name, n)
		}
		seen[n] = true
	}
}
