package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lectern/functions/local/cli"
	"lectern/functions/local/service/servicetest"
)

// console runs commands against a service.
type console struct {
	t        *testing.T
	settings map[string]string
	out, err bytes.Buffer
	now      time.Time // the system's when zero
}

func open(t *testing.T, handler http.Handler) *console {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return &console{t: t, settings: map[string]string{"LECTERN_URL": server.URL, "LECTERN_COLLECTION": "guide"}}
}

func (c *console) run(ctx context.Context, args ...string) int {
	c.out.Reset()
	c.err.Reset()
	command := cli.Command{Out: &c.out, Err: &c.err, Getenv: func(name string) string { return c.settings[name] }, Now: func() time.Time {
		if c.now.IsZero() {
			return time.Now()
		}
		return c.now
	}}
	return command.Run(ctx, args[0], args[1:])
}

// want fails unless a command ends with the code, and says the text on one of the two
// outputs.
func (c *console) want(code int, said string, args ...string) {
	c.t.Helper()
	if got := c.run(c.t.Context(), args...); got != code || !strings.Contains(c.out.String()+c.err.String(), said) {
		c.t.Errorf("%q ends with %d, want %d and %q in\n%s%s", args, got, code, said, c.out.String(), c.err.String())
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAsk(t *testing.T) {
	c := open(t, servicetest.Handler(t))
	dir := t.TempDir()
	write(t, dir, map[string]string{"leave.md": "# Leave\n\nEvery employee has 28 days of paid leave a year.", "bad.pdf": "no PDF"})
	leave, bad := filepath.Join(dir, "leave.md"), filepath.Join(dir, "bad.pdf")
	c.want(cli.Done, "1 ingested", "ingest", leave)
	c.want(cli.Failed, "bad.pdf: ", "ingest", leave, bad, "--collection", "other")
	c.want(cli.Failed, "use: lectern sync", "ingest", dir)
	c.want(cli.Done, "leave.md, Leave", "search", "paid", "leave", "--limit", "1")
	c.want(cli.Done, `"artifact":"leave.md"`, "search", "--json", "paid leave")
	c.want(cli.Nothing, "", "search", "paid leave", "--collection", "nowhere")
	c.want(cli.Done, "28 days of paid leave a year. [1]\n\n[1] leave.md, Leave", "ask", "How many days of paid leave are there?")
	c.want(cli.Nothing, `"nothing_relevant":true`, "ask", "--json", "Who composed the symphony?")
	c.want(cli.Usage, "Exit codes", "ask")
	c.want(cli.Usage, "flag provided but not defined", "ask", "--colour", "x")
	c.want(cli.Failed, "is no address", "ask", "x", "--url", "nonsense")
	c.want(cli.Failed, "cannot be reached", "ask", "x", "--url", "http://127.0.0.1:1")
}

func TestSync(t *testing.T) {
	c := open(t, servicetest.Handler(t))
	dir := filepath.Join(t.TempDir(), "docs")
	other := filepath.Join(t.TempDir(), "more")
	files := map[string]string{".hidden/x.md": "hidden", "empty.pdf": "no PDF"}
	for i := range 20 {
		files[fmt.Sprintf("part %d/ü%d.md", i%3, i)] = fmt.Sprintf("# Part %d\n\nThis part is about number %d.", i, i)
	}
	write(t, dir, files)
	write(t, other, map[string]string{"z.md": "Another directory of the collection."})
	c.want(cli.Failed, "20 ingested, 1 failed", "sync", dir)
	c.want(cli.Done, "1 ingested", "sync", other)
	if err := os.Remove(filepath.Join(dir, "empty.pdf")); err != nil {
		t.Fatal(err)
	}
	c.want(cli.Done, "20 unchanged", "sync", dir)
	write(t, dir, map[string]string{"part 0/ü0.md": "Changed."})
	if err := os.Remove(filepath.Join(dir, "part 1", "ü1.md")); err != nil {
		t.Fatal(err)
	}
	c.want(cli.Done, "1 ingested, 18 unchanged", "sync", "--keep", dir)
	c.want(cli.Done, "19 unchanged, 1 deleted", "sync", dir)
	c.want(cli.Nothing, "", "ask", "Who composed the symphony?")
	c.want(cli.Done, "number 7", "ask", "What is part 7 about?")
	c.want(cli.Done, "Another directory", "search", "another directory")
	c.want(cli.Failed, "is no directory", "sync", filepath.Join(dir, "part 0", "ü0.md"))
}

// TestSyncGoesOn: what was moved before a stop is not moved again.
func TestSyncGoesOn(t *testing.T) {
	inner := servicetest.Handler(t)
	ctx, stop := context.WithCancel(t.Context())
	ingests := 0
	c := open(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/artifacts/ingest" {
			if ingests++; ingests == 6 {
				stop()
			}
		}
		inner.ServeHTTP(w, r)
	}))
	dir := t.TempDir()
	for i := range 12 {
		write(t, dir, map[string]string{fmt.Sprintf("%02d.txt", i): fmt.Sprintf("Text %d.", i)})
	}
	if code := c.run(ctx, "sync", dir); code != cli.Failed || !strings.Contains(c.err.String(), "the same command goes on") {
		t.Errorf("stopped: %d, %s", code, c.err.String())
	}
	c.want(cli.Done, "unchanged", "sync", dir)
	if ingests > 13 {
		t.Errorf("%d ingests of 12 files", ingests)
	}
	c.want(cli.Done, "12 unchanged", "sync", dir)
}

func TestKey(t *testing.T) {
	const key = "0123456789abcdefghij"
	keys := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(keys, []byte(`[{"key":"`+key+`","collections":null}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": keys}).Handler)
	c.want(cli.Failed, "lectern: ", "search", "x")
	c.settings["LECTERN_KEY"] = key
	c.want(cli.Nothing, "", "search", "x")
}
