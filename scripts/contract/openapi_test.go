package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"

	"lectern/functions/local/service/servicetest"
)

// api checks answers against the service's own description of them.
type api struct {
	doc      map[string]any
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
	paths    []template
}

// template is a path of the description.
type template struct {
	path    string
	re      *regexp.Regexp
	literal int // characters outside parameters
}

func newAPI(t *testing.T) *api {
	t.Helper()
	out := httptest.NewRecorder()
	servicetest.Open(t, map[string]string{"LECTERN_EMBEDDING": "hash:", "LECTERN_DATA": t.TempDir()}).Handler.
		ServeHTTP(out, httptest.NewRequest("GET", "/openapi.json", nil))
	doc, err := jsonschema.UnmarshalJSON(out.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := &api{doc: doc.(map[string]any), compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}}
	a.compiler.AssertFormat()
	if err := a.compiler.AddResource("mem:///openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	parameter := regexp.MustCompile(`\\\{[a-z_]+\\\}`)
	for path := range a.doc["paths"].(map[string]any) {
		pattern := parameter.ReplaceAllString(regexp.QuoteMeta(path), "([^?]+)")
		a.paths = append(a.paths, template{path, regexp.MustCompile("^" + pattern + "$"), len(parameter.ReplaceAllString(regexp.QuoteMeta(path), ""))})
	}
	return a
}

// operation returns the description of a call, and its place; nil if there is none.
func (a *api) operation(method, path string) (map[string]any, string) {
	path, _, _ = strings.Cut(path, "?")
	var best template
	for _, p := range a.paths {
		if p.literal > best.literal && p.re.MatchString(path) {
			best = p
		}
	}
	item, _ := a.doc["paths"].(map[string]any)[best.path].(map[string]any)
	op, _ := item[strings.ToLower(method)].(map[string]any)
	return op, "/paths/" + escape(best.path) + "/" + strings.ToLower(method)
}

func escape(s string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}

// check reports how an answer differs from its description.
func (a *api) check(call string, status int, kind string, body []byte) error {
	method, path, _ := strings.Cut(call, " ")
	op, at := a.operation(method, path)
	if op == nil {
		if status == 404 || status == 405 {
			return nil // not in the description, and not there
		}
		return fmt.Errorf("%s is not described", call)
	}
	responses := op["responses"].(map[string]any)
	response, _ := responses[strconv.Itoa(status)].(map[string]any)
	if response == nil && status != 405 {
		return fmt.Errorf("%s does not describe the status %d", call, status)
	}
	at += "/responses/" + strconv.Itoa(status)
	if ref, ok := response["$ref"].(string); ok {
		at = strings.TrimPrefix(ref, "#")
		response = a.doc["components"].(map[string]any)["responses"].(map[string]any)[ref[strings.LastIndexByte(ref, '/')+1:]].(map[string]any)
	}
	content, _ := response["content"].(map[string]any)
	kind, _, _ = strings.Cut(kind, ";")
	switch {
	case len(body) == 0:
		return nil
	case content[kind] == nil && content["*/*"] == nil:
		return fmt.Errorf("%s, %d, does not describe answers of type %q", call, status, kind)
	case kind == "application/json" && content[kind] != nil:
		return a.fits(at+"/content/application~1json/schema", body)
	case kind == "text/event-stream":
		for line := range strings.Lines(string(body)) {
			if data, ok := strings.CutPrefix(line, "data: "); ok && data != "[DONE]\n" && data != "[DONE]" {
				if err := a.fits(at+"/content/text~1event-stream/schema/properties/data/contentSchema", []byte(data)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (a *api) fits(pointer string, body []byte) error {
	s := a.compiled[pointer]
	if s == nil {
		var err error
		if s, err = a.compiler.Compile("mem:///openapi.json#" + pointer); err != nil {
			return err
		}
		a.compiled[pointer] = s
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// TestRecordingsConform: every recorded answer is as the description says.
func TestRecordingsConform(t *testing.T) {
	a := newAPI(t)
	files, err := filepath.Glob("../../functions/*/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings, %v", err)
	}
	count := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		call := ""
		for _, f := range archive.Files {
			line, rest, _ := strings.Cut(string(f.Data), "\n")
			if f.Name == "request" {
				call = strings.TrimSpace(line)
				continue
			}
			head, body, _ := strings.Cut(rest, "\n\n")
			kind := ""
			for h := range strings.Lines(head) {
				if value, ok := strings.CutPrefix(h, "content-type: "); ok {
					kind = strings.TrimSpace(value)
				}
			}
			status, err := strconv.Atoi(line)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			count++
			if err := a.check(call, status, kind, bytes.TrimSpace([]byte(body))); err != nil {
				t.Errorf("%s: %s: %v", filepath.Base(filepath.Dir(filepath.Dir(file)))+"/"+filepath.Base(file), call, err)
			}
		}
	}
	t.Logf("%d answers", count)
}

// TestDescription holds the description itself to what developers of clients expect.
func TestDescription(t *testing.T) {
	a := newAPI(t)
	service := servicetest.Open(t, map[string]string{"LECTERN_EMBEDDING": "hash:", "LECTERN_DATA": t.TempDir()}).Handler
	schemas := a.doc["components"].(map[string]any)["schemas"].(map[string]any)
	for _, name := range []string{"Message", "Citation", "IngestResult", "ChatBody", "ToolContext", "MessageStreamEvent", "TaskStatus", "StreamMetadata", "ContentBlock"} {
		if schemas[name] == nil {
			t.Errorf("there is no type %s", name)
		}
	}
	public := regexp.MustCompile(`^[A-Z][A-Za-z0-9]+$`)
	for name := range schemas {
		if !public.MatchString(name) {
			t.Errorf("the type %q has a name of the code", name)
		}
	}
	raw, err := json.Marshal(a.doc)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, want := range []string{"vendor-beta", "Last-Event-ID", "Idempotency-Key", `"multipart/form-data"`, `"format":"binary"`, "text/event-stream"} {
		if !strings.Contains(text, want) {
			t.Errorf("the description lacks %s", want)
		}
	}
	// A request and whether the service takes it: the description must say the same.
	for _, tc := range []struct {
		body string
		want bool
	}{
		{chat("default", ""), true},
		{chat("default", `"temperature":null,"tools":null,"system":null,"thinking":null,"container":null,"metadata":null,"stream":null`), true},
		{chat("default", `"system":["a",{"text":null}]`), true},
		{chat("default", `"temperature":2`), false},
		{`{"model":null,"max_tokens":5,"messages":[{"role":"user","content":"x"}]}`, false},
		{`{"max_tokens":null,"messages":[{"role":"user","content":"x"}]}`, false},
		{`{"max_tokens":5,"messages":null}`, false},
		{`{"max_tokens":5,"messages":[{"role":null,"content":"x"}]}`, false},
		{`{"max_tokens":5,"messages":[{"role":"user","content":null}]}`, false},
		{talk("default", `{"role":"user","content":[{"type":"text","text":"x","citations":null,"cache_control":null}]}`, ""), true},
		{talk("default", `{"role":"user","content":[{"type":"hologram"}]}`, ""), false},
		{talk("default", `{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"AAAA"}}]}`, ""), false},
		{talk("default", `{"role":"user","content":[{"type":"document","source":{"type":"text","data":"x"}},"What?"]}`, ""), true},
		{chat("default", `"tools":[{"type":"semantic_search_v1","name":"a","context":[{"type":"text"}]}]`), false},
		{chat("default", `"tools":[{"type":"semantic_search_v1","name":"a","context":[{"type":"ingested_artifact"}]}]`), false},
		{chat("default", `"tools":[{"type":"semantic_search_v1","name":"a","context":[{"type":"planet","value":"x"}]}]`), false},
		{chat("default", `"tools":[{"type":"semantic_search_v1","name":"a","context":[{"type":"text","value":"x"}]}]`), true},
		{chat("default", `"tools":[{"name":"a","input_schema":{"type":"object"}}],"tool_choice":{"type":"none"}`), true},
		{chat("default", `"tool_choice":{"type":"maybe"}`), false},
		{chat("default", `"container":5`), false},
		{chat("default", `"output_config":{"effort":"huge"}`), false},
		{chat("default", `"metadata":{"user_id":5}`), false},
	} {
		out := httptest.NewRecorder()
		service.ServeHTTP(out, httptest.NewRequest("POST", "/v1/messages", strings.NewReader(tc.body)))
		described := a.fits("/components/schemas/ChatBody", []byte(tc.body)) == nil
		if (out.Code == 200) != tc.want || described != tc.want {
			t.Errorf("%s: status %d, described %v, want %v", tc.body, out.Code, described, tc.want)
		}
	}
}
