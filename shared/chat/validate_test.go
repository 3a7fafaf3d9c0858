package chat_test

import (
	"context"
	"slices"
	"testing"

	"lectern/shared/chat/model/modeltest"
	"lectern/shared/chat/tool"
	"lectern/shared/message"
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

// TestValidateWarns: what is taken in another way than it reads is told of,
// whether or not the request would be answered.
func TestValidateWarns(t *testing.T) {
	const deprecated = "tool_choice.type 'any' is accepted and means that some tool must be called"
	const rest = `,"tools":[{"name":"t","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"}}`
	for body, want := range map[string]struct {
		valid    bool
		warnings []string
	}{
		`{"model":"default","max_tokens":9,"messages":[{"role":"user","content":"x"}]`: {true, []string{deprecated}},
		`{"model":"default","max_tokens":2000,"messages":[{"role":"user","content":"x"}]`: {true,
			[]string{"max_tokens 2000 is above the limit of main and is lowered to 1000", deprecated}},
		`{"model":"none","max_tokens":9,"messages":[{"role":"user","content":"x"}]`:                        {false, []string{deprecated}},
		`{"model":"default","max_tokens":9,"messages":[]`:                                                  {false, []string{deprecated}},
		`{"model":"default","max_tokens":9,"messages":[{"role":"user","content":"x"}],"thread":{"id":"t"}`: {false, []string{deprecated}},
	} {
		v, err := engine(&modeltest.Scripted{}, &echoTool{}).Validate(t.Context(), []byte(body+rest))
		if err != nil || v.Valid != want.valid || !slices.Equal(v.Warnings, want.warnings) {
			t.Errorf("Validate(%s) = %+v, %v, want %+v", body, v, err, want)
		}
	}
}
