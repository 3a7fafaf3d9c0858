package skills_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/chat"
	"lectern/shared/chat/model"
	"lectern/shared/chat/model/modeltest"
	"lectern/shared/chat/skill"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/skills"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/knowledge/artifact/artifacttest"
	"lectern/shared/message"
)

// world is an engine with three lazy skills and an eager one.
type world struct {
	skills *skill.Service
	ids    map[string]string
	model  *modeltest.Scripted
	engine *chat.Engine
}

func open(t *testing.T) *world {
	t.Helper()
	stores := artifacttest.OpenStores(t, t.TempDir())
	w := &world{skills: &skill.Service{Objects: stores.Objects, Records: stores.Records, IDs: &ident.Counting{}, Now: time.Now}, ids: map[string]string{},
		model: &modeltest.Scripted{}}
	w.add(t, "tea", skill.Lazy, "allowed-tools: kettle(boil)\n", skill.Part{Path: "data/kinds.csv", Data: []byte("green,3")},
		skill.Part{Path: "logo.png", Data: []byte{0x89, 0}})
	w.add(t, "coffee", skill.Lazy, "allowed-tools: [grinder]\n")
	w.add(t, "cocoa", skill.Lazy, "")
	w.add(t, "manners", skill.Eager, "allowed-tools: []\n")
	w.engine = &chat.Engine{
		Models: model.NewCatalog(model.Entry{Info: model.Info{ID: "main", MaxTokens: 1000, MaxInputTokens: 10000}, Model: w.model, Upstream: "main"}),
		Tools:  tool.NewSet(&skills.Tool{Skills: w.skills}), IDs: &ident.Counting{}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}
	return w
}

func (w *world) add(t *testing.T, name, loading, more string, files ...skill.Part) {
	t.Helper()
	main := "---\nname: " + name + "\ndescription: About " + name + ".\n" + more + "---\nHow to do " + name + ".\n"
	k, err := w.skills.Create(t.Context(), skill.Draft{Collection: "c", Loading: loading}, append(files, skill.Part{Path: "SKILL.md", Data: []byte(main)}))
	if err != nil {
		t.Fatal(err)
	}
	w.ids[name] = k.ID
}

// step is a call of the model: the function and its input.
type step struct{ function, input string }

func (w *world) request(filter *message.SkillFilter) *message.Request {
	schema := message.Object(`{"type":"object"}`)
	return &message.Request{Model: "default", MaxTokens: 500, Messages: []message.Input{{Role: "user",
		Content: message.Content{message.NewText("A drink, please")}}},
		System: message.Systems{{Prompt: &message.PromptConfig{Skills: true}}},
		Tools: []message.Tool{
			{Name: "skills", Type: skills.Type, Context: []message.ContextItem{{Type: "skill", SkillFilter: filter}}},
			{Name: "kettle", InputSchema: schema, DeferLoading: true}, {Name: "grinder", InputSchema: schema, DeferLoading: true},
		}}
}

// run answers a request in one turn per step and a last one.
func (w *world) run(t *testing.T, req *message.Request, steps ...step) *message.Message {
	t.Helper()
	w.model.Requests, w.model.Scripts = nil, nil
	for i, s := range steps {
		w.model.Scripts = append(w.model.Scripts, modeltest.Script{Reason: "tool_use", Calls: []modeltest.Call{{ID: string(rune('a' + i)), Name: s.function,
			Pieces: []string{s.input}}}})
	}
	w.model.Scripts = append(w.model.Scripts, modeltest.Script{Text: []string{"done"}, Reason: "end_turn"})
	m, err := message.Fold(w.engine.Run(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// seen is what the model sees in a turn: the loaded skills and the deferred
// tools.
func seen(r *model.Request) (loaded, tools []string) {
	for line := range strings.SplitSeq(r.SystemText(), "\n") {
		if name, ok := strings.CutPrefix(line, "- "); ok && strings.Contains(line, "(loaded)") {
			loaded = append(loaded, strings.Fields(name)[0])
		}
	}
	for _, t := range r.Tools {
		if t.Name == "kettle" || t.Name == "grinder" {
			tools = append(tools, t.Name)
		}
	}
	slices.Sort(loaded)
	return loaded, tools
}

func results(m *message.Message) []string {
	var out []string
	for _, b := range m.Content {
		if r, ok := b.(*message.ToolResult); ok {
			text := r.Content.Blocks[0].(*message.Text).Text
			if r.IsError {
				text = "error: " + text
			}
			out = append(out, text)
		}
	}
	return out
}

func TestLoading(t *testing.T) {
	w := open(t)
	req := w.request(&message.SkillFilter{Collection: "c"})
	m := w.run(t, req, step{"load_skill", `{"skill":"tea"}`}, step{"load_skill", `{"skill":"coffee"}`}, step{"load_skill", `{"skill":"` + w.ids["tea"] + `"}`},
		step{"load_skill", `{"skill":"cocoa"}`}, step{"unload_skill", `{"skill":"cocoa"}`}, step{"load_skill", `{"skill":"none"}`}, step{"list_skills", `{}`})
	want := []struct{ loaded, tools []string }{
		{[]string{"manners"}, nil}, // loaded from the start, and lets no tool be used
		{[]string{"manners", "tea"}, []string{"kettle"}},
		{[]string{"coffee", "manners", "tea"}, []string{"kettle", "grinder"}},
		{[]string{"coffee", "manners", "tea"}, []string{"kettle", "grinder"}},
		{[]string{"cocoa", "coffee", "tea"}, []string{"kettle", "grinder"}}, // the oldest left
		{[]string{"coffee", "tea"}, []string{"kettle", "grinder"}},
		{[]string{"coffee", "tea"}, []string{"kettle", "grinder"}},
		{[]string{"coffee", "tea"}, []string{"kettle", "grinder"}},
	}
	if len(w.model.Requests) != len(want) {
		t.Fatalf("%d turns", len(w.model.Requests))
	}
	for i, r := range w.model.Requests {
		loaded, tools := seen(r)
		if !cmp.Equal(loaded, want[i].loaded) || !cmp.Equal(tools, want[i].tools) {
			t.Errorf("turn %d: loaded %v, tools %v, want %v", i, loaded, tools, want[i])
		}
		if got := strings.Contains(r.SystemText(), "How to do manners."); got != slices.Contains(loaded, "manners") {
			t.Errorf("turn %d has the instructions of the eager skill: %v", i, got)
		}
	}
	if system := w.model.Requests[0].SystemText(); !strings.Contains(system, "- tea: About tea.") || !strings.Contains(system, "At most 3 skills") {
		t.Errorf("system prompt: %s", system)
	}
	said := results(m)
	if !strings.Contains(said[0], "How to do tea.") || !strings.Contains(said[0], "data/kinds.csv (7 bytes)") || !strings.HasPrefix(said[5], "error: ") ||
		!strings.Contains(said[6], "- coffee (loaded)") {
		t.Errorf("results: %q", said)
	}
	// Sent back, the conversation stands where it stood.
	req = w.request(&message.SkillFilter{Collection: "c"})
	req.Messages = append(req.Messages, message.Input{Role: "assistant", Content: m.Content},
		message.Input{Role: "user", Content: message.Content{message.NewText("And now?")}})
	w.run(t, req)
	if loaded, tools := seen(w.model.Requests[0]); !cmp.Equal(loaded, []string{"coffee", "tea"}) || !cmp.Equal(tools, []string{"kettle", "grinder"}) {
		t.Errorf("sent back: loaded %v, tools %v", loaded, tools)
	}
	one := 1
	req.MaxLoadedSkills = &one
	w.run(t, req)
	if loaded, tools := seen(w.model.Requests[0]); loaded != nil || tools != nil { // cocoa was the last, and was unloaded
		t.Errorf("with one at most: loaded %v, tools %v", loaded, tools)
	}
}

func TestFiles(t *testing.T) {
	w := open(t)
	m := w.run(t, w.request(&message.SkillFilter{Collection: "c", IDs: []string{w.ids["tea"]}}), step{"load_skill", `{"skill":"tea","file":"data/kinds.csv"}`},
		step{"load_skill", `{"skill":"tea","file":"../SKILL.md"}`}, step{"load_skill", `{"skill":"tea","file":"logo.png"}`},
		step{"load_skill", `{"skill":"coffee"}`}, step{"load_skill", `[]`})
	want := []string{"green,3", `error: skill "tea" has no file "../SKILL.md"`, "error: the file of 2 bytes is not text",
		`error: there is no skill "coffee" in the catalogue`, "error: the tool's input is not a JSON object"}
	if diff := cmp.Diff(want, results(m)); diff != "" {
		t.Errorf("results: -want +got\n%s", diff)
	}
	if loaded, _ := seen(w.model.Requests[1]); !cmp.Equal(loaded, []string{"tea"}) {
		t.Errorf("after a file was read: loaded %v", loaded)
	}
}

func TestFilter(t *testing.T) {
	w := open(t)
	latest, err := w.skills.Find(t.Context(), "c", w.ids["tea"])
	if err != nil {
		t.Fatal(err)
	}
	first, _ := latest.Latest()
	if _, err := w.skills.AddVersion(t.Context(), "c", w.ids["tea"], []skill.Part{{Path: "SKILL.md",
		Data: []byte("---\nname: tea\ndescription: New.\n---\n")}}); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{w.ids["tea"]: "- tea: New.", first.ID: "- tea: About tea."} {
		w.run(t, w.request(&message.SkillFilter{Collection: "c", IDs: []string{id}}))
		if system := w.model.Requests[0].SystemText(); !strings.Contains(system, want) || strings.Contains(system, "coffee") {
			t.Errorf("filter %s: %s", id, system)
		}
	}
	for _, ids := range [][]string{{"none"}, {w.ids["tea"], "skill_none"}, {first.ID + "X"}} {
		_, err := message.Fold(w.engine.Run(context.Background(), w.request(&message.SkillFilter{Collection: "c", IDs: ids})))
		f := fault.As(err)
		want := []any{"body", "tools", 0, "context", 0, "skill_filter", "skill_or_version_ids", len(ids) - 1}
		if f == nil || f.Code != fault.Invalid || len(f.Problems) != 1 || !cmp.Equal(f.Problems[0].Loc, want) {
			t.Errorf("filter %v: %v", ids, err)
		}
	}
}
