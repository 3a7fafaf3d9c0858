package chat_test

import (
	"context"
	"testing"

	"lectern/shared/message"
	"lectern/shared/model/modeltest"
	"lectern/shared/tool"
)

// wary keeps what it was checked with.
type wary struct {
	echoTool
	saw []tool.Spec
}

func (w *wary) Check(_ context.Context, s tool.Spec) error {
	w.saw = append(w.saw, s)
	return nil
}

// TestEagerChecks: a tool is asked with the session whose files it would have.
func TestEagerChecks(t *testing.T) {
	w := &wary{}
	e := engine(&modeltest.Scripted{}, w)
	req := request("Hello")
	req.Container.ID = "s"
	if err := e.Check(t.Context(), req); err != nil || len(w.saw) != 0 {
		t.Errorf("Check = %v, and the tool was asked %d times unbidden", err, len(w.saw))
	}
	req.ToolChoice = &message.ToolChoice{Type: "auto", ValidationMode: "eager"}
	if err := e.Check(t.Context(), req); err != nil || len(w.saw) != 1 || w.saw[0].Session != "s" || w.saw[0].Name != "echo" {
		t.Errorf("Check = %v, and the tool saw %+v, want one look with the session", err, w.saw)
	}
}
