package app_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/app"
	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// TestSQLWriter: the model that a question names is asked in one turn, within
// its own limit, and its text comes back whole; thoughts are no text.
func TestSQLWriter(t *testing.T) {
	for _, tt := range []struct {
		name  string
		limit int // of the model's answers
		want  int
	}{{"", 0, 4096}, {"m", 100000, 4096}, {"default", 1000, 1000}, {"claude-any", 5, 5}} {
		m := &modeltest.Scripted{Scripts: []modeltest.Script{{Thinking: []string{"a count"}, Text: []string{"SELECT ", "1"}, Reason: message.StopEndTurn}}}
		write := app.SQLWriter(model.NewCatalog(model.Entry{Info: model.Info{ID: "m", MaxTokens: tt.limit}, Model: m, Upstream: "m-large"}))
		got, err := write(t.Context(), tt.name, "Write SQL.", "How many?")
		if err != nil || got != "SELECT 1" {
			t.Fatalf("asked as %q: %q, %v, want SELECT 1", tt.name, got, err)
		}
		req := m.Requests[0]
		if req.Model != "m-large" || req.MaxTokens != tt.want || req.Chat.MaxTokens != tt.want || req.SystemText() != "Write SQL." || len(m.Requests) != 1 {
			t.Errorf("asked as %q: %d requests, the first %+v, want one of %d tokens", tt.name, len(m.Requests), req, tt.want)
		}
		if d := cmp.Diff([]message.Input{{Role: message.RoleUser, Content: message.Content{message.NewText("How many?")}}}, req.Messages); d != "" {
			t.Errorf("asked as %q (-want +got):\n%s", tt.name, d)
		}
	}
}

func TestSQLWriterRefuses(t *testing.T) {
	broken := &modeltest.Scripted{Scripts: []modeltest.Script{{Text: []string{"SELECT"}, Cut: true}}, Errs: []error{nil, fault.New(fault.Overloaded, "busy")}}
	write := app.SQLWriter(model.NewCatalog(extractive.Entry(nil, nil), model.Entry{Info: model.Info{ID: "vectors"}},
		model.Entry{Info: model.Info{ID: "m"}, Model: broken}))
	for name, code := range map[string]fault.Code{"": fault.Unsupported, extractive.ID: fault.Unsupported, "vectors": fault.Unsupported,
		"none": fault.NotFound} {
		if got, err := write(t.Context(), name, "s", "p"); got != "" || !fault.Is(err, code) {
			t.Errorf("asked as %q: %q, %v, want %v", name, got, err, code)
		}
	}
	// Half a statement is none.
	if got, err := write(t.Context(), "m", "s", "p"); got != "" || err == nil {
		t.Errorf("a model that breaks off: %q, %v", got, err)
	}
	if got, err := write(t.Context(), "m", "s", "p"); got != "" || !fault.Is(err, fault.Overloaded) {
		t.Errorf("a busy model: %q, %v, want Overloaded", got, err)
	}
}
