package message_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/api/schema"
	"lectern/shared/message"
)

// every holds one block of each type as it may come in a request.
const every = `[{"type":"text","text":"a","citations":[{"type":"char_location","cited_text":"x","foreign":1}],"_meta":{"k":1}},
{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}},
{"type":"audio","source":{"type":"url","url":"https://example.org/a.mp3"}},
{"type":"binary","source":{"type":"base64","media_type":"text/csv","data":"aGk="},"filename":"a.csv"},
{"type":"local_resource","file_path":"/tmp/a","name":"a","mime_type":"text/plain"},
{"type":"resource_link","uri":"x:y","name":"a"},
{"type":"resource","resource":{"uri":"x:y","name":"a"}},
{"type":"source","sources":[{"object":"context.chunk","score":1,"document":{"artifact":"a"},"text":"t"}]},
{"type":"thinking","thinking":"hm","signature":"s"},
{"type":"redacted_thinking","data":"d"},
{"type":"tool_use","id":"t1","name":"f","input":{"a":[1,2]},"caller":{"type":"direct"}},
{"type":"server_tool_use","id":"s1","name":"web_search","input":{}},
{"type":"mcp_tool_use","id":"m1","name":"f","server_name":"s","input":{}},
{"type":"tool_result","tool_use_id":"t1","content":"plain"},
{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"b"}],"is_error":true},
{"type":"mcp_tool_result","tool_use_id":"m1","content":[]},
{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"e"}]},
{"type":"web_search_tool_result","tool_use_id":"s1","content":{"type":"web_search_tool_result_error","error_code":"unavailable"}},
{"type":"container_upload","file_id":"f"},
{"type":"document","source":{"type":"text","media_type":"text/plain","data":"d"},"title":"T","context":"C","citations":{"enabled":true}},
{"type":"document","source":{"type":"content","content":"blocks"},"citations":[]},
{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"x"}],"citations":{"enabled":true}},
{"type":"mid_conv_system","content":[{"type":"text","text":"x"}]},
{"type":"tool_reference","tool_name":"n"},
{"type":"tldr","content":[{"type":"text","text":"x"}]}]`

func TestBlocksRoundTrip(t *testing.T) {
	var first, second message.Content
	if err := schema.Decode([]byte(every), &first); err != nil {
		t.Fatal(err)
	}
	if len(first) != 25 {
		t.Fatalf("decoded %d blocks, want 25", len(first))
	}
	raw, err := schema.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Decode(raw, &second); err != nil {
		t.Fatalf("what was written cannot be read: %v\n%s", err, raw)
	}
	again, err := schema.Marshal(second)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(raw), string(again)); diff != "" {
		t.Errorf("second writing differs:\n%s", diff)
	}
	var given, written []map[string]any
	if json.Unmarshal([]byte(every), &given) != nil || json.Unmarshal(raw, &written) != nil {
		t.Fatal("bad JSON")
	}
	for i := range given {
		if given[i]["type"] != written[i]["type"] {
			t.Errorf("block %d: type %v became %v", i, given[i]["type"], written[i]["type"])
		}
	}
	if diff := cmp.Diff(given[0]["citations"], written[0]["citations"]); diff != "" {
		t.Errorf("a foreign citation changed:\n%s", diff)
	}
}

func TestContentForms(t *testing.T) {
	for _, text := range []string{`"hi"`, `[{"type":"text","text":"hi"}]`, `["hi"]`} {
		var c message.Content
		if err := schema.Decode([]byte(text), &c); err != nil {
			t.Errorf("Decode(%s) = %v", text, err)
			continue
		}
		if got := c[0].(*message.Text).Text; got != "hi" {
			t.Errorf("Decode(%s) = %q", text, got)
		}
	}
}

func TestSystemForms(t *testing.T) {
	for text, want := range map[string]int{`"a"`: 1, `["a","b"]`: 2, `{"text":"a","citations":{"enabled":true}}`: 1,
		`[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},"b"]`: 2, `[{"text":"a","citations":null}]`: 1} {
		var s message.Systems
		if err := schema.Decode([]byte(text), &s); err != nil || len(s) != want || s[0].Text != "a" {
			t.Errorf("Decode(%s) = %+v, %v", text, s, err)
		}
	}
	var s message.Systems
	if schema.Decode([]byte(`[{"text":"a","extensions":["other"]}]`), &s) == nil {
		t.Error("an unknown extension is taken")
	}
}

// TestDirectHeads holds what surrounds an answer's blocks to encoding/json's,
// with everything that an answer may have and with nothing of it.
func TestDirectHeads(t *testing.T) {
	reason, sequence, geo, tier := "end_turn", "\n\nHuman:", "eu", "standard"
	full := message.End{
		StopReason: reason, StopSequence: &sequence, StopDetails: message.NewStopDetails("refusal", "a \"b\""),
		Container: &message.ContainerInfo{ID: "c", ExpiresAt: time.Date(2026, 6, 1, 12, 0, 0, 5000, time.UTC)},
		Usage: message.Usage{
			InputTokens: 1, OutputTokens: 2, CacheCreationTokens: 3, CacheReadTokens: 4, CacheCreation: &message.CacheCreation{Hour: 5, FiveMinutes: 6},
			ServerToolUse: &message.ServerUse{WebFetch: 7, WebSearch: 8}, InferenceGeo: &geo, ServiceTier: &tier,
		},
	}
	for _, end := range []message.End{full, {}} {
		m := &message.Message{ID: "m", Content: message.Content{}, StopReason: &end.StopReason, StopSequence: end.StopSequence, StopDetails: end.StopDetails,
			Container: end.Container, Usage: end.Usage}
		direct, err := m.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := schema.Marshal(m)
		if err != nil || string(direct) != string(want) {
			t.Errorf("AppendJSON = %s, %v, want %s", direct, err, want)
		}
		delta := &message.Event{Type: message.MessageDelta, End: &end}
		data, err := delta.AppendData(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Delta struct {
				StopReason   string                 `json:"stop_reason"`
				StopSequence *string                `json:"stop_sequence"`
				StopDetails  *message.StopDetails   `json:"stop_details"`
				Container    *message.ContainerInfo `json:"container"`
			}
			Usage message.Usage
		}
		decoder := json.NewDecoder(bytes.NewReader(data))
		if err := decoder.Decode(&got); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		back := message.End{StopReason: got.Delta.StopReason, StopSequence: got.Delta.StopSequence, StopDetails: got.Delta.StopDetails,
			Container: got.Delta.Container, Usage: got.Usage}
		if d := cmp.Diff(end, back); d != "" {
			t.Errorf("message_delta %s (-want +got):\n%s", data, d)
		}
	}
}

// TestDirectJSON holds the hand-made encodings to encoding/json's.
func TestDirectJSON(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 5000, time.UTC)
	text := &message.Text{Text: "a\"\\\n\t\r\x01<é\u2028>\xff", Citations: message.Citations{{Type: "char_location", CitedText: "x"}}}
	text.StartTimestamp, text.StopTimestamp = &now, &now
	reason := "end_turn"
	m := &message.Message{ID: "msg_1", Type: "message", Role: "assistant", Model: `"content":[]`, StopReason: &reason,
		Content: message.Content{text, &message.ToolUse{ID: "t", Name: "f"}, message.NewText("")}}
	direct, err := m.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	type plain message.Text
	fields, err := schema.Marshal((*plain)(text))
	if err != nil {
		t.Fatal(err)
	}
	slow, err := schema.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var a, b, c any
	if err := json.Unmarshal(direct, &a); err != nil {
		t.Fatalf("%v in %s", err, direct)
	}
	if err := json.Unmarshal(slow, &b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, a); diff != "" {
		t.Errorf("AppendJSON (-Marshal +direct):\n%s", diff)
	}
	if err := json.Unmarshal(fields, &c); err != nil {
		t.Fatal(err)
	}
	got := a.(map[string]any)["content"].([]any)[0].(map[string]any)
	delete(got, "type")
	if diff := cmp.Diff(c, any(got)); diff != "" {
		t.Errorf("a text block (-encoding/json +direct):\n%s", diff)
	}
}

func TestEventData(t *testing.T) {
	e := message.Event{Type: message.BlockDelta, Index: 2, BlockID: "block_1", Delta: message.Delta{Type: message.TextDelta, Text: "a\n\"b\"\u2029"}}
	got, err := e.AppendData(nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"content_block_delta","index":2,"block_id":"block_1","delta":{"type":"text_delta","text":"a\n\"b\"\u2029"}}`
	if string(got) != want {
		t.Errorf("AppendData = %s, want %s", got, want)
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\"\\\n\u2028\xff\x00")
	f.Fuzz(func(t *testing.T, s string) {
		var got, want string
		raw, _ := json.Marshal(s)
		if json.Unmarshal(raw, &want) != nil {
			t.Skip()
		}
		if err := json.Unmarshal(message.AppendString(nil, s), &got); err != nil || got != want {
			t.Fatalf("AppendString(%q) reads back as %q, %v", s, got, err)
		}
	})
}

func FuzzContent(f *testing.F) {
	f.Add([]byte(every))
	f.Add([]byte(`"x"`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var c message.Content
		if schema.Decode(text, &c) != nil {
			return
		}
		if _, err := schema.Marshal(c); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
	})
}
