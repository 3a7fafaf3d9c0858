package bedrock_test

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/aws/sending"
	"lectern/shared/chat/model"
	"lectern/shared/chat/model/bedrock"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/message"
)

func open(url string) model.Model {
	return bedrock.New(aws.Config{Region: "us-east-1", HTTPClient: sending.Client(awshttp.NewBuildableClient()), Credentials: credentials.NewStaticCredentialsProvider("k", "s", "")}, url)
}

// frame writes one event as Bedrock frames it.
func frame(w io.Writer, name string, payload any) {
	raw, _ := json.Marshal(payload)
	m := eventstream.Message{Payload: raw}
	m.Headers.Set(":message-type", eventstream.StringValue("event"))
	m.Headers.Set(":event-type", eventstream.StringValue(name))
	m.Headers.Set(":content-type", eventstream.StringValue("application/json"))
	_ = eventstream.NewEncoder().Encode(w, m)
}

type object = map[string]any

// converse writes scripts as ConverseStream does.
type converse struct{}

func (converse) Open(url string) model.Model { return open(url) }

func (converse) Write(w io.Writer, s *modeltest.Script, flush func()) {
	index := 0
	send := func(name string, v object) {
		frame(w, name, v)
		flush()
	}
	send("messageStart", object{"role": "assistant"})
	for _, p := range s.Thinking {
		send("contentBlockDelta", object{"contentBlockIndex": index, "delta": object{"reasoningContent": object{"text": p}}})
	}
	if len(s.Thinking) > 0 {
		send("contentBlockDelta", object{"contentBlockIndex": index, "delta": object{"reasoningContent": object{"signature": "sig"}}})
		send("contentBlockStop", object{"contentBlockIndex": index})
		index++
	}
	for _, p := range s.Text {
		send("contentBlockDelta", object{"contentBlockIndex": index, "delta": object{"text": p}})
	}
	if s.Cut || s.Hang {
		return
	}
	if len(s.Text) > 0 {
		send("contentBlockStop", object{"contentBlockIndex": index})
		index++
	}
	for _, c := range s.Calls {
		send("contentBlockStart", object{"contentBlockIndex": index, "start": object{"toolUse": object{"toolUseId": c.ID, "name": c.Name}}})
		for _, p := range c.Pieces {
			send("contentBlockDelta", object{"contentBlockIndex": index, "delta": object{"toolUse": object{"input": p}}})
		}
		send("contentBlockStop", object{"contentBlockIndex": index})
		index++
	}
	send("messageStop", object{"stopReason": s.Reason})
	send("metadata", object{"usage": object{"inputTokens": s.Input, "outputTokens": s.Output, "totalTokens": s.Input + s.Output}})
}

// claude writes scripts as InvokeModelWithResponseStream does for Claude.
type claude struct{}

func (claude) Open(url string) model.Model {
	return asked{open(url), "eu.anthropic.claude-sonnet-4-5-v1:0"}
}

// asked sends every turn to one model, whose id decides the wire.
type asked struct {
	model.Model
	id string
}

func (a asked) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	named := *req
	named.Model = a.id
	return a.Model.Stream(ctx, &named)
}

func (claude) Write(w io.Writer, s *modeltest.Script, flush func()) {
	index := 0
	send := func(kind string, v object) {
		v["type"] = kind
		raw, _ := json.Marshal(v)
		frame(w, "chunk", object{"bytes": raw})
		flush()
	}
	block := func(start object, kind, field string, pieces []string) {
		send("content_block_start", object{"index": index, "content_block": start})
		for _, p := range pieces {
			send("content_block_delta", object{"index": index, "delta": object{"type": kind, field: p}})
		}
		if !s.Cut && !s.Hang {
			send("content_block_stop", object{"index": index})
		}
		index++
	}
	send("message_start", object{"message": object{"usage": object{"input_tokens": s.Input, "output_tokens": 1}}})
	if len(s.Thinking) > 0 {
		block(object{"type": "thinking", "thinking": "", "signature": ""}, "thinking_delta", "thinking", s.Thinking)
	}
	if len(s.Text) > 0 {
		block(object{"type": "text", "text": ""}, "text_delta", "text", s.Text)
	}
	if s.Cut || s.Hang {
		return
	}
	for _, c := range s.Calls {
		block(object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}}, "input_json_delta", "partial_json", c.Pieces)
	}
	send("message_delta", object{"delta": object{"stop_reason": s.Reason}, "usage": object{"output_tokens": s.Output}})
	send("message_stop", object{})
}

func TestConverse(t *testing.T) { modeltest.Run(t, converse{}) }

func TestClaude(t *testing.T) { modeltest.Run(t, claude{}) }

func TestRequests(t *testing.T) {
	var path string
	var got map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.EscapedPath()
		got = nil
		json.NewDecoder(r.Body).Decode(&got)
		if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256") {
			t.Errorf("authorization = %q", r.Header.Get("Authorization"))
		}
		w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
		script := &modeltest.Script{Text: []string{"x"}, Reason: "end_turn"}
		if strings.Contains(path, "converse") {
			converse{}.Write(w, script, func() {})
		} else {
			claude{}.Write(w, script, func() {})
		}
	}))
	defer server.Close()
	req := modeltest.Request()
	req.System = []message.System{{Text: "be kind"}}
	req.Tools = []model.Tool{{Name: "f", InputSchema: message.Object(`{"type":"object"}`)}}
	req.Choice = message.ToolChoice{Type: "tool", Name: "f"}
	req.Messages = append(req.Messages,
		message.Input{Role: "assistant", Content: message.Content{&message.ToolUse{ID: "t1", Name: "f", Input: message.Object(`{"a":1}`)}}},
		message.Input{Role: "user", Content: message.Content{&message.ToolResult{ToolUseID: "t1", IsError: true,
			Content: message.ResultContent{Blocks: message.Content{message.NewText("r"),
				&message.Image{Source: &message.Source{Type: "base64", MediaType: "image/png", Data: "AAAA"}}}}}}})
	tests := []struct{ model, path, want string }{
		{"amazon.nova-pro-v1:0", "/model/amazon.nova-pro-v1%3A0/converse-stream", `{"inferenceConfig":{"maxTokens":100},"system":[{"text":"be kind"}],
			"messages":[{"role":"user","content":[{"text":"hello"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"f","input":{"a":1}}}]},
			 {"role":"user","content":[{"toolResult":{"toolUseId":"t1","status":"error","content":[{"text":"r"},{"image":{"format":"png","source":{"bytes":"AAAA"}}}]}}]}],
			"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}],"toolChoice":{"tool":{"name":"f"}}}}`},
		{"eu.anthropic.claude-sonnet-4-5-v1:0", "/model/eu.anthropic.claude-sonnet-4-5-v1%3A0/invoke-with-response-stream", `{"anthropic_version":"bedrock-2023-05-31","max_tokens":100,
			"system":[{"type":"text","text":"be kind"}],"tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"f"},
			"messages":[{"role":"user","content":[{"type":"text","text":"hello"}]},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{"a":1}}]},
			 {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"r"},
			  {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]}]}`},
	}
	for _, tc := range tests {
		req.Model = tc.model
		if _, err := modeltest.Collect(t.Context(), open(server.URL), req); err != nil {
			t.Errorf("%s: %v", tc.model, err)
			continue
		}
		var want map[string]any
		if err := json.Unmarshal([]byte(tc.want), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" || path != tc.path {
			t.Errorf("%s at %s (-want +got):\n%s", tc.model, path, diff)
		}
	}
}
