package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/functions/local/service/servicetest"
)

// made is what the tests read of a response.
type made struct {
	ID       string
	Store    bool
	Previous string `json:"previous_response_id"`
	Output   []struct {
		ID, Type string
		CallID   string `json:"call_id"`
	}
}

// TestKeptResponses: a request goes on from a kept response by its id, or names its
// items, as the default of the AI SDK does.
func TestKeptResponses(t *testing.T) {
	p := &provider{script: func(w io.Writer, _ func()) {
		delta(w, `{"role":"assistant","content":"Let me see."}`)
		delta(w, `{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}}]}`)
		finish(w, "tool_calls")
	}}
	s := behind(t, p, nil)
	const tools = `"tools": [{"type": "function", "name": "weather", "parameters": {"type": "object"}}]`
	respond := func(body string) (status int, r made, raw string) {
		t.Helper()
		status, raw = send(t, s.URL+"/v1/responses", body)
		if err := json.Unmarshal([]byte(raw), &r); status == http.StatusOK && err != nil {
			t.Fatal(err)
		}
		return status, r, raw
	}
	status, first, raw := respond(`{"input": "Weather in Oslo?", "instructions": "Be brief.", ` + tools + `}`)
	if status != http.StatusOK || !first.Store || len(first.Output) != 2 {
		t.Fatalf("%d %s", status, raw)
	}
	call := first.Output[1]
	wantAsked := func(want ...string) {
		t.Helper()
		asked, _ := json.Marshal(p.last["messages"])
		for _, w := range want {
			if !strings.Contains(string(asked), w) {
				t.Errorf("the model was asked %s, want %s in it", asked, w)
			}
		}
	}
	conversation := []string{`Weather in Oslo?`, `Let me see.`, `{\"city\":\"Oslo\"}`, `Rain.`}
	output := fmt.Sprintf(`{"type": "function_call_output", "call_id": %q, "output": "Rain."}`, call.CallID)

	// By its id, twice in a row, and then by its items.
	status, second, raw := respond(fmt.Sprintf(`{"previous_response_id": %q, "input": [%s], %s}`, first.ID, output, tools))
	if status != http.StatusOK || second.Previous != first.ID {
		t.Fatalf("%d %s", status, raw)
	}
	wantAsked(conversation...)
	if asked, _ := json.Marshal(p.last["messages"]); strings.Contains(string(asked), "Be brief.") {
		t.Errorf("the instructions of the response before count: %s", asked)
	}
	next := fmt.Sprintf(`{"type": "function_call_output", "call_id": %q, "output": "Snow."}`, second.Output[1].CallID)
	if status, _, raw := respond(fmt.Sprintf(`{"previous_response_id": %q, "input": [%s, {"role": "user", "content": "And now?"}]}`, second.ID, next)); status != http.StatusOK {
		t.Fatalf("%d %s", status, raw)
	}
	wantAsked(append(conversation, `Snow.`, `And now?`)...)
	items := fmt.Sprintf(`{"role": "user", "content": "Weather in Oslo?"}, {"type": "item_reference", "id": %q}, {"type": "item_reference", "id": %q}`,
		first.Output[0].ID, call.ID)
	if status, _, raw := respond(fmt.Sprintf(`{"input": [%s, %s], %s}`, items, output, tools)); status != http.StatusOK {
		t.Fatalf("%d %s", status, raw)
	}
	wantAsked(conversation...)

	for name, tc := range map[string]struct{ body, want string }{
		"unknown response": {`{"previous_response_id": "resp_x", "input": "x"}`, `"param":"previous_response_id"`},
		"no response":      {`{"previous_response_id": "../../x", "input": "x"}`, `"param":"previous_response_id"`},
		"unknown item":     {`{"input": [{"type": "item_reference", "id": "msg_x_0"}]}`, `"param":"input[0].id"`},
		"no such item":     {fmt.Sprintf(`{"input": [{"type": "item_reference", "id": %q}]}`, first.Output[0].ID+"9"), `"param":"input[0].id"`},
		"empty reference":  {`{"input": [{"type": "item_reference"}]}`, `"param":"input[0].id"`},
	} {
		if status, _, raw := respond(tc.body); status != http.StatusBadRequest || !strings.Contains(raw, tc.want) {
			t.Errorf("%s: %d %s", name, status, raw)
		}
	}

	// A streamed one is kept before its last event.
	_, raw = send(t, s.URL+"/v1/responses", `{"input": "x", "stream": true, `+tools+`}`)
	_, last, _ := strings.Cut(raw, "event: response.completed\ndata: ")
	var done struct{ Response made }
	if err := json.Unmarshal([]byte(strings.SplitN(last, "\n", 2)[0]), &done); err != nil {
		t.Fatal(raw)
	}
	request := func(method, path string) (int, string) {
		t.Helper()
		r, err := http.NewRequest(method, s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		raw, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(raw)
	}
	path := "/v1/responses/" + done.Response.ID
	if status, raw := request("GET", path); status != http.StatusOK || !strings.Contains(raw, `"arguments":"{\"city\":\"Oslo\"}"`) {
		t.Errorf("%d %s", status, raw)
	}
	if status, raw := request("DELETE", path); status != http.StatusOK || !strings.Contains(raw, `"deleted":true`) {
		t.Errorf("%d %s", status, raw)
	}
	for _, method := range []string{"GET", "DELETE"} {
		if status, raw := request(method, path); status != http.StatusNotFound {
			t.Errorf("%s of a deleted one: %d %s", method, status, raw)
		}
	}

	_, unkept, _ := respond(`{"input": "x", "store": false}`)
	if status, _ := request("GET", "/v1/responses/"+unkept.ID); unkept.Store || status != http.StatusNotFound {
		t.Errorf("store: false: %v %d", unkept.Store, status)
	}
	none := behind(t, p, map[string]string{"LECTERN_RESPONSE_DAYS": "0"})
	if _, raw := send(t, none.URL+"/v1/responses", `{"input": "x"}`); !strings.Contains(raw, `"store":false`) {
		t.Errorf("without days: %s", raw)
	}
	if _, raw := send(t, s.URL+"/v1/responses", `{"input": "`+strings.Repeat("long ", 60_000)+`"}`); !strings.Contains(raw, `"store":false`) {
		t.Errorf("too large to be kept: %.300s", raw)
	}
}

// TestKeptForTheirTenant: what one tenant has made, another cannot go on from, see or
// delete.
func TestKeptForTheirTenant(t *testing.T) {
	const mine, others, all = "key-of-mine-mine", "key-of-others-xx", "key-for-all-of-it"
	h := servicetest.Open(t, map[string]string{"SERVER_AUTH_ENABLED": "true",
		"LECTERN_KEYS": `[{"key": "` + mine + `", "collections": ["a"]}, {"key": "` + others + `", "collections": ["b"]}, {"key": "` + all + `", "collections": null}]`}).Handler
	do := func(method, path, key, body string) (int, string) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+key)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	_, raw := do("POST", "/v1/responses", mine, `{"input": "Hello"}`)
	var r made
	if err := json.Unmarshal([]byte(raw), &r); err != nil || !r.Store {
		t.Fatal(raw)
	}
	for _, key := range []string{others, all} {
		for _, method := range []string{"GET", "DELETE"} {
			if status, raw := do(method, "/v1/responses/"+r.ID, key, ""); status != http.StatusNotFound {
				t.Errorf("%s by another: %d %s", method, status, raw)
			}
		}
		if status, raw := do("POST", "/v1/responses", key, `{"input": "x", "previous_response_id": "`+r.ID+`"}`); status != http.StatusBadRequest {
			t.Errorf("gone on from by another: %d %s", status, raw)
		}
	}
	if status, raw := do("GET", "/v1/responses/"+r.ID, mine, ""); status != http.StatusOK {
		t.Errorf("by its own: %d %s", status, raw)
	}
}
