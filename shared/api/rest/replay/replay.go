// Package replay tests HTTP behaviour against recordings: txtar files that begin
// with a sentence of why, then hold requests and their responses, in order.
//
//	-- request --
//	POST /v1/messages
//	content-type: application/json
//
//	{"model":"default", …}
//	-- response --
//	200
//	content-type: application/json
//
//	{ …JSON, indented }
//
// With -update the responses are rewritten to the handler's. With
// LECTERN_REPLAY_URL set the recordings run against that service instead; ids,
// times and request ids are then compared by format only.
package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the responses of the recordings")

// shownHeaders are the response headers that recordings hold.
var shownHeaders = []string{"Content-Type", "Allow", "Www-Authenticate", "X-Should-Retry", "Retry-After"}

// shownURL stands for the address of the service.
const shownURL = "http://lectern.test"

// Run replays every recording that matches the pattern. open makes a fresh
// service for each, with pinned ids and time.
func Run(t *testing.T, pattern string, open func(t *testing.T) http.Handler) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings match %s (%v)", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { play(t, file, open) })
	}
}

func play(t *testing.T, file string, open func(t *testing.T) http.Handler) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		t.Errorf("%s should begin with a sentence of why", file)
	}
	deployed := os.Getenv("LECTERN_REPLAY_URL")
	server := &httptest.Server{URL: deployed}
	if deployed == "" {
		server = httptest.NewServer(open(t))
		defer server.Close()
	}
	out := txtar.Archive{Comment: archive.Comment}
	for i, f := range archive.Files {
		switch f.Name {
		case "request":
			got := bytes.ReplaceAll(send(t, server.URL, f.Data), []byte(server.URL), []byte(shownURL))
			out.Files = append(out.Files, f, txtar.File{Name: "response", Data: got})
			if *update {
				continue
			}
			if i+1 >= len(archive.Files) || archive.Files[i+1].Name != "response" {
				t.Fatalf("request %d has no response; run with -update", i)
			}
			want := archive.Files[i+1].Data
			if deployed != "" {
				got, want = byForm(got), byForm(want)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("response to %q (-want +got):\n%s", firstLine(f.Data), diff)
			}
		case "response":
		default:
			t.Fatalf("unknown section %q", f.Name)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(&out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func firstLine(data []byte) string {
	line, _, _ := strings.Cut(string(data), "\n")
	return line
}

// send performs a recorded request and renders the response.
func send(t *testing.T, base string, recorded []byte) []byte {
	t.Helper()
	head, body, _ := strings.Cut(string(recorded), "\n\n")
	line, headers, _ := strings.Cut(head, "\n")
	method, path, ok := strings.Cut(strings.TrimSpace(line), " ")
	if !ok {
		t.Fatalf("bad request line %q", line)
	}
	req, err := http.NewRequest(method, base+path, strings.NewReader(strings.TrimSuffix(body, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	mime, err := textproto.NewReader(bufio.NewReader(strings.NewReader(strings.TrimSpace(headers) + "\n\n"))).ReadMIMEHeader()
	if err != nil && strings.TrimSpace(headers) != "" {
		t.Fatalf("bad headers of %q: %v", line, err)
	}
	for name, values := range mime {
		req.Header[name] = values
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return render(resp, data)
}

func render(resp *http.Response, data []byte) []byte {
	var out bytes.Buffer
	out.WriteString(strconv.Itoa(resp.StatusCode) + "\n")
	for _, name := range shownHeaders {
		if v := resp.Header.Get(name); v != "" {
			out.WriteString(strings.ToLower(name) + ": " + v + "\n")
		}
	}
	out.WriteByte('\n')
	var pretty bytes.Buffer
	if json.Indent(&pretty, data, "", "  ") == nil {
		data = pretty.Bytes()
	}
	out.Write(bytes.TrimRight(data, "\n"))
	out.WriteByte('\n')
	return out.Bytes()
}

var forms = []struct {
	re   *regexp.Regexp
	form string
}{
	{regexp.MustCompile(`\b(msg|block|toolu|srvtoolu|compl|req)_[A-Za-z0-9]+`), "${1}_*"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "TIME"},
	{regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b`), "ULID"},
}

// byForm replaces values that differ between services by placeholders.
func byForm(data []byte) []byte {
	for _, f := range forms {
		data = f.re.ReplaceAll(data, []byte(f.form))
	}
	return data
}
