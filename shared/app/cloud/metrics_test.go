package cloud_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"lectern/shared/app/cloud"
	"lectern/shared/chat"
)

// TestMetrics: a function writes a line for each answer under its environment, its
// group and the model, and none of what was said.
func TestMetrics(t *testing.T) {
	settings := map[string]string{"LECTERN_METRICS": "prod/messages"}
	p, err := cloud.Unopened(func(name string) string { return settings[name] })
	if err != nil || p.Chatted == nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cloud.Chatted(p, &out)(t.Context(), chat.Done{Model: "claude", Input: 100, Output: 20, First: 300 * time.Millisecond, Took: time.Second, Refused: true})
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"Environment": "prod", "Group": "messages", "Model": "claude", "Chats": 1.0, "ChatsRefused": 1.0, "ChatsFailed": 0.0,
		"InputTokens": 100.0, "OutputTokens": 20.0, "FirstToken": 300.0} {
		if line[name] != want {
			t.Errorf("%s is %v, want %v", name, line[name], want)
		}
	}
	if len(line) != 10 {
		t.Errorf("the line holds more: %s", out.String())
	}
	settings["LECTERN_METRICS"] = "prod"
	if _, err := cloud.Unopened(func(name string) string { return settings[name] }); err == nil {
		t.Error("metrics without a function's name are taken")
	}
}
