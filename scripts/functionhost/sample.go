package main

import (
	"encoding/base64"
	"encoding/json"
	"net/http/httptest"
	"os"
	"strings"

	"lectern/functions"
	"lectern/shared/aws/lambdahttp/lambdatest"
)

// sample is an event and what its answer has to contain.
type sample struct {
	name  string
	event []byte
	says  []string
}

const pdf = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj " +
	"3 0 obj<</Type/Page/MediaBox[0 0 200 200]/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj " +
	"4 0 obj<</Length 42>>stream\nBT /F 18 Tf 20 100 Td (Robins sing.) Tj ET\nendstream endobj " +
	"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>"

// events returns what a function is tried with: twice the same, so that it is
// thawed once, and what is largest for it.
func events(f functions.Function, emulator string) []sample {
	convert := func(name string, content []byte) string {
		return `{"input":{"type":"file","value":"` + base64.StdEncoding.EncodeToString(content) + `"},"metadata":{"file_name":"` + name + `"}}`
	}
	// Bodies come in base64, so that this is nearly the most that Lambda takes.
	long := strings.Repeat("Robins sing in the morning. ", 150_000)
	switch f.Name {
	case "streams":
		return twice(request("GET", "/v1/messages/async/none/status", "", `"not_found_error"`))
	case "messages":
		hello := `{"model":"default","max_tokens":50,"messages":[{"role":"user","content":"Hello"}]}`
		return append(twice(request("POST", "/v1/messages", hello, `"stop_reason"`)),
			request("POST", "/v1/messages/validate", strings.ReplaceAll(hello, "Hello", long), `"valid"`))
	case "tokens":
		return twice(request("POST", "/v1/messages/count_tokens", `{"model":"default","messages":[{"role":"user","content":"Hello"}]}`, `"input_tokens"`))
	case "models":
		return twice(request("GET", "/v1/models", "", `"extractive"`))
	case "embeddings":
		return twice(request("POST", "/v1/embeddings", `{"input":"Hello"}`, `"embedding"`))
	case "artifacts":
		return append(twice(request("POST", "/v1/artifacts/convert", convert("a.pdf", []byte(pdf)), "Robins sing.")),
			request("POST", "/v1/artifacts/convert", convert("a.txt", []byte(long[:3<<20])), "Robins sing"))
	case "files":
		return twice(request("GET", "/v1/files?scope_id=host", "", `"data"`))
	case "skills":
		return twice(request("GET", "/v1/skills?collection=host", "", `"data"`))
	case "primitives":
		return twice(request("POST", "/v1/primitives/search",
			`{"type":"semantic_search","text":"robins","context_filter":{"collection":"host"}}`, `"data"`))
	case "tools":
		return twice(request("POST", "/v1/tools/web-fetch", `{"url":"http://127.0.0.1/"}`, `"error"`))
	case "admin":
		return twice(request("GET", "/v1/admin/keys", "", `"permission_error"`))
	case "mcp":
		initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}`
		return twice(request("POST", "/mcp", initialize, `"serverInfo"`))
	case "system":
		return append(twice(request("GET", "/ready?deep=true", "", `"index":"ok"`)), request("GET", "/docs", "", "<html"))
	case "messages-worker", "artifacts-worker":
		return twice(sample{"no messages", []byte(`{"Records":[]}`), []string{"batchItemFailures"}})
	case "files-worker":
		return twice(file("s3-object-created.json"))
	case "system-sweep":
		return twice(file("schedule.json"))
	}
	change := map[string]any{"RequestType": "Update", "ResponseURL": emulator + "/lectern-assets/functionhost", "StackId": "s", "RequestId": "r",
		"ResourceType": "AWS::CloudFormation::CustomResource", "LogicalResourceId": "Setup", "PhysicalResourceId": "Setup",
		"ResourceProperties": map[string]any{"SealKey": "/lectern/localstack/seal-key", "WebhookSecret": "/lectern/localstack/webhook-secret"}}
	raw, err := json.Marshal(change)
	if err != nil {
		return nil // strings always encode
	}
	return twice(sample{"a change of the deployment", raw, nil})
}

func twice(s sample) []sample { return []sample{s, s} }

// request is an event of the gateway, which sends bodies in base64.
func request(method, target, body string, says ...string) sample {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	e, err := lambdatest.Event(r, "live")
	if err != nil {
		return sample{name: err.Error()}
	}
	raw, err := json.Marshal(e)
	if err != nil {
		return sample{name: err.Error()}
	}
	return sample{method + " " + target, raw, says}
}

func file(name string) sample {
	raw, err := os.ReadFile("events/" + name)
	if err != nil {
		return sample{name: err.Error()}
	}
	return sample{name, raw, nil}
}
