package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lectern/functions/local/cli"
	"lectern/functions/local/service/servicetest"
)

// post sends a request to a console's service, which has to take it.
func (c *console) post(path, body string) string {
	c.t.Helper()
	resp, err := http.DefaultClient.Post(c.settings["LECTERN_URL"]+path, "application/json", strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	var out strings.Builder
	if _, err := io.Copy(&out, resp.Body); err != nil || resp.StatusCode != 200 {
		c.t.Fatalf("%s: %d %s %v", path, resp.StatusCode, out.String(), err)
	}
	return out.String()
}

// skill makes a skill, or a further version of the one that there is.
func (c *console) skill(of, text string) {
	c.t.Helper()
	path := "/v1/skills"
	if of != "" {
		resp, err := http.Get(c.settings["LECTERN_URL"] + "/v1/skills")
		if err != nil {
			c.t.Fatal(err)
		}
		defer resp.Body.Close()
		var list struct{ Data []struct{ ID string } }
		if err := json.NewDecoder(resp.Body).Decode(&list); err != nil || len(list.Data) != 1 {
			c.t.Fatalf("%d skills, %v", len(list.Data), err)
		}
		path += "/" + list.Data[0].ID + "/versions"
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("files[]", "notes/SKILL.md")
	if err == nil {
		_, err = io.WriteString(part, "---\nname: notes\ndescription: how to write notes\n---\n"+text)
	}
	if err != nil || form.WriteField("collection", "default") != nil || of == "" && form.WriteField("display_title", "Notes") != nil || form.Close() != nil {
		c.t.Fatal(err)
	}
	resp, err := http.Post(c.settings["LECTERN_URL"]+path, form.FormDataContentType(), &body)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	if raw, _ := io.ReadAll(resp.Body); resp.StatusCode/100 != 2 {
		c.t.Fatalf("%s: %d %s", path, resp.StatusCode, raw)
	}
}

// TestExport: what is exported is a directory that sync brings back with names and
// metadata, names that no file can have too.
func TestExport(t *testing.T) {
	c := open(t, servicetest.Handler(t))
	for _, body := range []string{
		`{"artifact": "leave", "collection": "guide", "metadata": {"file_name": "leave.md", "year": 2024, "tags": ["a"]},
			"input": {"type": "text", "value": "# Leave\n\nEvery employee has 28 days of paid leave a year."}}`,
		`{"artifact": "../up/.hidden: x?", "collection": "guide", "input": {"type": "text", "value": "Robins sing at dawn."}}`,
		`{"artifact": "a", "collection": "guide", "input": {"type": "text", "value": "Trout swim upstream."}}`,
		`{"artifact": "a.txt/b", "collection": "guide", "input": {"type": "text", "value": "Owls hunt at night."}}`,
		`{"artifact": "A", "collection": "guide", "input": {"type": "text", "value": "Bees dance."}}`,
		`{"artifact": "leave", "collection": "other", "input": {"type": "text", "value": "Other leave."}}`,
	} {
		c.post("/v1/artifacts/ingest", body)
	}
	dir := filepath.Join(t.TempDir(), "out")
	c.want(cli.Done, "5 exported", "export", dir)
	c.want(cli.Done, "5 unchanged", "export", dir)
	if raw, err := os.ReadFile(filepath.Join(dir, "leave.md")); err != nil || !strings.Contains(string(raw), "28 days") {
		t.Errorf("leave.md holds %q, %v", raw, err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".texts", "leave.md.md")); err != nil {
		t.Error(err)
	}
	c.want(cli.Done, "5 ingested", "sync", dir, "--collection", "again")
	c.want(cli.Done, "5 unchanged", "sync", dir, "--collection", "again")
	for _, artifact := range []string{`"leave"`, `"../up/.hidden: x?"`, `"a"`, `"a.txt/b"`, `"A"`} {
		if list := c.post("/v1/primitives/search", `{"type": "semantic_search", "text": "leave robins trout owls bees", "limit": 50,
			"context_filter": {"collection": "again"}}`); !strings.Contains(list, `"artifact":`+artifact) {
			t.Errorf("%s is not back: %s", artifact, list)
		}
	}
	if list := c.post("/v1/primitives/search", `{"type": "semantic_search", "text": "leave", "context_filter": {"collection": "again",
		"metadata_filter": [{"year": 2024, "tags": "a"}]}}`); !strings.Contains(list, "28 days") {
		t.Errorf("the metadata is not back: %s", list)
	}
	everything := filepath.Join(t.TempDir(), "all")
	c.want(cli.Done, "11 exported", "export", "--all", everything)
	if _, err := os.Stat(filepath.Join(everything, "other", "leave.txt")); err != nil {
		t.Error(err)
	}
}

// TestMove: documents come to another service with their metadata, once, and back.
func TestMove(t *testing.T) {
	const key = "0123456789abcdefghij"
	c := open(t, servicetest.Open(t, map[string]string{"LECTERN_ORIGINALS": "no"}).Handler)
	there := httptest.NewServer(servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true",
		"LECTERN_KEYS": `[{"key": "` + key + `", "collections": null}]`}).Handler)
	t.Cleanup(there.Close)
	dir := t.TempDir()
	write(t, dir, map[string]string{"leave.md": "# Leave\n\nEvery employee has 28 days of paid leave a year.", "b/birds.txt": "Robins sing at dawn."})
	c.want(cli.Done, "2 ingested", "sync", dir)
	c.post("/v1/artifacts/ingest", `{"artifact": "notes", "collection": "second", "metadata": {"file_name": "n.md", "year": 2024},
		"input": {"type": "text", "value": "Trout swim."}}`)
	c.want(cli.Failed, "", "move", there.URL, "--all")
	c.settings["LECTERN_TO_KEY"] = key
	c.want(cli.Done, "3 moved", "move", there.URL, "--all")
	c.want(cli.Done, "3 unchanged", "move", there.URL, "--all")
	c.skill("", "Write short notes.")
	c.want(cli.Done, "1 moved, 3 unchanged", "move", there.URL, "--all")
	c.want(cli.Done, "4 unchanged", "move", there.URL, "--all")
	c.skill("notes", "Write long notes.") // a new version
	c.want(cli.Done, "1 moved, 3 unchanged", "move", there.URL, "--all")
	c.want(cli.Done, "4 unchanged", "move", there.URL, "--all")
	c.want(cli.Failed, "no address", "move", "there")

	here := c.settings["LECTERN_URL"]
	c.settings["LECTERN_URL"], c.settings["LECTERN_KEY"], c.settings["LECTERN_TO_KEY"] = there.URL, key, ""
	c.want(cli.Done, "28 days of paid leave a year. [1]\n\n[1] leave.md", "ask", "How many days of paid leave are there?")
	c.want(cli.Done, "2 unchanged", "sync", dir)
	c.want(cli.Done, `"year":2024`, "search", "--json", "--collection", "second", "trout")
	c.want(cli.Done, "4 unchanged", "move", here, "--all")
	c.settings["LECTERN_URL"], c.settings["LECTERN_KEY"] = here, ""
	c.post("/v1/artifacts/delete", `{"artifact": "leave.md", "collection": "guide"}`)
	c.settings["LECTERN_URL"], c.settings["LECTERN_KEY"] = there.URL, key
	c.want(cli.Done, "1 moved, 3 unchanged", "move", here, "--all")
}

func TestEval(t *testing.T) {
	c := open(t, servicetest.Handler(t))
	dir := t.TempDir()
	write(t, dir, map[string]string{"leave.md": "# Leave\n\nEvery employee has 28 days of paid leave a year.", "tea.md": "# Tea\n\nTea is served at four.",
		"questions.jsonl": `{"q": "How many days of paid leave are there?", "type": "fact", "docs": ["leave.md"], "passage": "28 days", "answer": "28"}
{"q": "When is tea served?", "type": "fact", "answer": "five"}

{"q": "Who composed the symphony?", "type": "none", "answerable": false}
`, "bad.jsonl": `{"q": "x", "answer": "("}`, "empty.jsonl": "\n"})
	c.want(cli.Done, "2 ingested", "ingest", filepath.Join(dir, "leave.md"), filepath.Join(dir, "tea.md"))
	questions := filepath.Join(dir, "questions.jsonl")
	c.want(cli.Done, "total                   3     1     1     1      2      1        0      0      1", "eval", questions)
	c.want(cli.Done, `{"summary":{"name":"fact","n":2,"sought":1,"top1":1,`, "eval", "--json", questions)
	c.want(cli.Done, "", "eval", "--right", ".66", "--top5", "1", "--wrong", ".34", questions)
	c.want(cli.Failed, "right answers are too few: 0.667, wanted 0.700", "eval", "--right", ".7", questions)
	c.want(cli.Failed, "wrong answers are too many", "eval", "--wrong", ".3", questions)
	c.want(cli.Failed, "line 1: error parsing regexp", "eval", filepath.Join(dir, "bad.jsonl"))
	c.want(cli.Failed, "holds no questions", "eval", filepath.Join(dir, "empty.jsonl"))
	c.want(cli.Usage, "answerable", "eval")
}

func TestLaunch(t *testing.T) {
	c := open(t, servicetest.Handler(t))
	c.settings["LECTERN_URL"], c.settings["LECTERN_KEY"] = "http://127.0.0.1:9", "it's a key"
	c.want(cli.Done, "export ANTHROPIC_AUTH_TOKEN='it'\\''s a key'\nexport ANTHROPIC_BASE_URL=http://127.0.0.1:9\n", "launch", "claude", "--print")
	c.want(cli.Done, "export OPENAI_BASE_URL=http://127.0.0.1:9/v1\n", "launch", "shell")
	c.want(cli.Done, `"OPENAI_API_BASE_URL":"http://127.0.0.1:9/v1"`, "launch", "open-webui", "--print", "--json")
	c.want(cli.Usage, "there are aider, claude", "launch", "nothing")
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	c.want(cli.Failed, "claude is not installed", "launch", "claude")
	if err := os.WriteFile(filepath.Join(bin, "claude"), []byte("#!/bin/sh\necho \"$ANTHROPIC_BASE_URL $ANTHROPIC_MODEL $*\"\nexit 7\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	c.want(7, "http://127.0.0.1:9 default@guide -p hi\n", "launch", "--model", "default@guide", "claude", "--", "-p", "hi")
}
