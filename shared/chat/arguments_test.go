package chat_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat/model/modeltest"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// garbled are arguments that are not exactly one JSON object.
var garbled = []string{`{"n":`, `[1]`, `"text"`, `null`, `5`, `{"n":1} and more`, `{"n":1}{"n":2}`, `{'n': 1}`, "{\"n\":\"\n\"}"}

func saying(reason, name, input string) modeltest.Script {
	half := len(input) / 2
	return modeltest.Script{Reason: reason, Input: 10, Output: 5,
		Calls: []modeltest.Call{{ID: "a", Name: name, Pieces: []string{input[:half], input[half:]}}}}
}

// TestGarbledArguments: the pieces of a call's arguments always join to one JSON
// object. A tool of the service answers what is wrong and the answer goes on;
// the model is asked once again for a call of the client's.
func TestGarbledArguments(t *testing.T) {
	done := modeltest.Script{Text: []string{"done"}, Reason: "end_turn", Input: 20, Output: 2}
	for _, input := range garbled {
		for _, tc := range []struct {
			name    string
			scripts []modeltest.Script
			want    []string
			reason  string
			failure fault.Code
		}{
			{"echo", []modeltest.Script{saying("tool_use", "echo", input), done},
				[]string{"server_tool_use echo", "tool_result the tool's input is not a JSON object (error)", "text done"}, "end_turn", 0},
			{"mine", []modeltest.Script{saying("tool_use", "mine", input), saying("tool_use", "mine", `{"n":1}`)},
				[]string{`tool_use mine{"n":1}`}, "tool_use", 0},
			{"mine", []modeltest.Script{saying("tool_use", "mine", input), done}, []string{"text done"}, "end_turn", 0},
			{"mine", []modeltest.Script{saying("tool_use", "mine", input), saying("tool_use", "mine", input), done}, nil, "", fault.Upstream},
			{"mine", []modeltest.Script{saying("max_tokens", "mine", input), done}, []string{}, "max_tokens", 0},
		} {
			e := engine(&modeltest.Scripted{Scripts: tc.scripts}, &echoTool{})
			req := request("hi")
			pieces := map[int]string{}
			var events []message.Event
			var failure error
			for ev, err := range e.Run(t.Context(), req) {
				if err != nil {
					failure = err
					break
				}
				events = append(events, ev)
				if ev.Type == message.BlockDelta && ev.Delta.Type == message.InputDelta {
					pieces[ev.Index] += ev.Delta.Text
				}
			}
			for index, joined := range pieces {
				if joined[0] != '{' || !json.Valid([]byte(joined)) {
					t.Errorf("%s with %q: block %d has the arguments %q", tc.name, input, index, joined)
				}
			}
			if tc.failure != 0 || failure != nil {
				if fault.CodeOf(failure) != tc.failure {
					t.Errorf("%s with %q: %v, want the code %v", tc.name, input, failure, tc.failure)
				}
				continue
			}
			m, err := message.Fold(func(yield func(message.Event, error) bool) {
				for _, ev := range events {
					if !yield(ev, nil) {
						return
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			got := shape(m)
			if got == nil {
				got = []string{}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || *m.StopReason != tc.reason {
				t.Errorf("%s with %q ends with %s: -want +got\n%s", tc.name, input, *m.StopReason, diff)
			}
		}
	}
}

// TestThinkingIsShown: only where the request asks for it, and never before a
// structured answer; in a tool loop the provider gets it back all the same.
func TestThinkingIsShown(t *testing.T) {
	for _, tc := range []struct {
		asked, structured bool
		want              []string
	}{
		{true, false, []string{"thinking", "server_tool_use", "tool_result", "text"}},
		{false, false, []string{"server_tool_use", "tool_result", "text"}},
		{true, true, []string{"server_tool_use", "tool_result", "text"}},
	} {
		call := calls("echo")
		call.Thinking = []string{"well", ", well"}
		scripted := &modeltest.Scripted{Scripts: []modeltest.Script{call, {Text: []string{`{"a":1}`}, Reason: "end_turn"}}}
		req := request("hi")
		if tc.asked {
			req.Thinking = &message.ThinkingConfig{Type: "adaptive"}
		}
		if tc.structured {
			req.OutputConfig = &message.OutputConfig{Format: &message.Format{Type: "json_schema", Schema: message.Object(`{"type":"object"}`)}}
		}
		m, err := message.Fold(engine(scripted, &echoTool{}).Run(t.Context(), req))
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, b := range m.Content {
			kinds = append(kinds, b.Kind())
		}
		if diff := cmp.Diff(tc.want, kinds); diff != "" {
			t.Errorf("asked %v, structured %v: -want +got\n%s", tc.asked, tc.structured, diff)
		}
		last := scripted.Requests[1].Messages
		if b, ok := last[len(last)-2].Content[0].(*message.Thinking); !ok || b.Thinking != "well, well" {
			t.Errorf("the provider gets back %+v", last[len(last)-2].Content[0])
		}
	}
}
