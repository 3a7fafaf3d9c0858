// Package skills is the tool that lets a model load skills into a conversation.
//
// Which skills are loaded follows only from the calls in the conversation. load_skill
// returns the skill's instructions and the list of its files; called with a file, it
// returns the text of that file, so that files are readable without an execution
// environment. Every call makes its skill the most recent.
package skills

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"lectern/shared/chat/skill"
	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// Type declares the tool in a request.
const Type = "skills_v1"

// Functions of the tool.
const (
	load   = "load_skill"
	unload = "unload_skill"
	listed = "list_skills"
)

const (
	defaultLoaded = 3   // skills loaded at a time, unless the request sets a limit
	maxCatalogue  = 100 // skills of one request
	maxFileBytes  = 256 << 10
)

// Tool opens kits. Safe for concurrent use.
type Tool struct{ Skills *skill.Service }

// Type is skills_v1.
func (*Tool) Type() string { return Type }

// Describe is empty: its functions describe themselves.
func (*Tool) Describe() tool.Description { return tool.Description{} }

// Check does nothing: Open checks.
func (*Tool) Check(context.Context, tool.Spec) error { return nil }

// Run is never called: the model calls the functions.
func (*Tool) Run(context.Context, tool.Call) (tool.Result, error) {
	return tool.Failed("call load_skill, unload_skill or list_skills"), nil
}

// Open reads the catalogue of the contexts, or of the default collection if there are
// none.
func (t *Tool) Open(ctx context.Context, o tool.Opening) (*tool.Kit, error) {
	k := &kit{skills: t.Skills, most: defaultLoaded}
	if n := o.Request.MaxLoadedSkills; n != nil {
		k.most = *n
	}
	if err := k.read(ctx, o.Context); err != nil {
		return nil, err
	}
	for _, c := range slices.Backward(k.catalogue) { // oldest first
		if c.Loading == skill.Eager {
			k.note(c.ID)
		}
	}
	var err error
	if k.eager, err = k.instructions(ctx); err != nil {
		return nil, err
	}
	which, err := k.names()
	if err != nil {
		return nil, err
	}
	return &tool.Kit{
		Functions: []tool.Function{
			{Name: load, Description: "Load a skill: returns its instructions and the list of its files. With `file`, returns the text of that file.", Run: k.load,
				InputSchema: message.Object(`{"type":"object","properties":{"skill":` + which +
					`,"file":{"type":"string","description":"path of one of the skill's files, to read it"}},"required":["skill"]}`)},
			{Name: unload, Description: "Unload a skill whose instructions are no longer needed.",
				InputSchema: message.Object(`{"type":"object","properties":{"skill":` + which + `},"required":["skill"]}`), Run: k.unload},
			{Name: listed, Description: "List the skills that can be loaded, and which are.",
				InputSchema: message.Object(`{"type":"object","properties":{}}`), Run: k.list},
		},
		Prompt: k.prompt,
		Instructions: func(on message.PromptConfig) string {
			if !on.Skills {
				return ""
			}
			return fmt.Sprintf("Before a task that a skill in the catalogue describes, load the skill and follow its instructions. At most %d skills are loaded at once; loading another unloads the oldest. Unload what you no longer need.", k.most)
		},
		Saw: k.saw, Unlocks: k.unlocks,
	}, nil
}

// kit is the state of one request. It changes only in saw, between turns.
type kit struct {
	skills    *skill.Service
	catalogue []skill.Choice
	most      int
	loaded    []string          // ids, oldest first
	eager     map[string]string // instructions of eagerly loaded skills
}

func (k *kit) read(ctx context.Context, items []message.ContextItem) error {
	found := false
	var problems []fault.Problem
	for i, c := range items {
		if c.Type != "skill" || c.SkillFilter == nil {
			continue
		}
		found = true
		list, err := k.skills.Catalogue(ctx, c.SkillFilter.Collection, c.SkillFilter.IDs, maxCatalogue)
		if f := fault.As(err); f != nil && len(f.Problems) > 0 {
			for _, p := range f.Problems {
				p.Loc = append([]any{"context", i, "skill_filter", "skill_or_version_ids"}, p.Loc...)
				problems = append(problems, p)
			}
			continue
		}
		if err != nil {
			return err
		}
		for _, one := range list {
			if !slices.ContainsFunc(k.catalogue, func(c skill.Choice) bool { return c.ID == one.ID }) && len(k.catalogue) < maxCatalogue {
				k.catalogue = append(k.catalogue, one)
			}
		}
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	if found {
		return nil
	}
	var err error
	k.catalogue, err = k.skills.Catalogue(ctx, skill.DefaultCollection, nil, maxCatalogue)
	return err
}

// instructions returns the instructions of the loaded skills.
func (k *kit) instructions(ctx context.Context) (map[string]string, error) {
	texts := map[string]string{}
	for _, c := range k.catalogue {
		if !slices.Contains(k.loaded, c.ID) {
			continue
		}
		text, err := k.skills.Instructions(ctx, c.Collection, c.Version)
		if err != nil {
			return nil, err
		}
		texts[c.ID] = text
	}
	return texts, nil
}

// find returns the skill with a name or an id.
func (k *kit) find(name string) (skill.Choice, bool) {
	for _, same := range []func(skill.Choice) bool{
		func(c skill.Choice) bool { return c.ID == name || c.Version.ID == name },
		func(c skill.Choice) bool { return c.Version.Name == name },
		func(c skill.Choice) bool { return strings.EqualFold(c.Title, name) },
	} {
		if i := slices.IndexFunc(k.catalogue, same); i >= 0 {
			return k.catalogue[i], true
		}
	}
	return skill.Choice{}, false
}

// note makes a skill the most recent of the loaded ones and unloads the oldest.
func (k *kit) note(id string) {
	k.loaded = append(slices.DeleteFunc(k.loaded, func(l string) bool { return l == id }), id)
	if over := len(k.loaded) - k.most; over > 0 {
		k.loaded = slices.Clone(k.loaded[over:])
	}
}

func (k *kit) saw(function string, raw message.Object, worked bool) {
	var in input
	if !worked || json.Unmarshal(raw, &in) != nil {
		return
	}
	c, ok := k.find(in.Skill)
	if !ok {
		return // the skill was deleted
	}
	switch function {
	case load:
		k.note(c.ID)
	case unload:
		k.loaded = slices.DeleteFunc(k.loaded, func(l string) bool { return l == c.ID })
	}
}

// unlocks reports whether a loaded skill enables a deferred tool. A skill without
// allowed-tools enables all.
func (k *kit) unlocks(name string) bool {
	return slices.ContainsFunc(k.catalogue, func(c skill.Choice) bool {
		if !slices.Contains(k.loaded, c.ID) {
			return false
		}
		return c.Version.AllowedTools == nil || slices.ContainsFunc(c.Version.AllowedTools, func(allowed string) bool {
			tool, _, _ := strings.Cut(allowed, "(") // the rest restricts the tool's use
			return tool == name || tool == "*"
		})
	})
}

// prompt returns the catalogue and the instructions of eagerly loaded skills.
func (k *kit) prompt() string {
	if len(k.catalogue) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("Skills that can be loaded:\n")
	k.describe(&out)
	for _, c := range k.catalogue {
		if text, ok := k.eager[c.ID]; ok && slices.Contains(k.loaded, c.ID) {
			fmt.Fprintf(&out, "\nInstructions of skill %s:\n%s\n", c.Version.Name, text)
		}
	}
	return strings.TrimSpace(out.String())
}

func (k *kit) describe(out *strings.Builder) {
	for _, c := range k.catalogue {
		state := ""
		if slices.Contains(k.loaded, c.ID) {
			state = " (loaded)"
		}
		fmt.Fprintf(out, "- %s%s: %s\n", k.called(c), state, strings.Join(strings.Fields(c.Version.Description), " "))
	}
}

// called returns a unique name of the skill: its name, or its id if the name is
// not unique.
func (k *kit) called(c skill.Choice) string {
	if other, _ := k.find(c.Version.Name); other.ID != c.ID {
		return c.ID // another skill has the name
	}
	return c.Version.Name
}

// names returns the schema of the input that names a skill.
func (k *kit) names() (string, error) {
	s := map[string]any{"type": "string", "description": "name of the skill"}
	if len(k.catalogue) > 0 {
		list := make([]string, len(k.catalogue))
		for i, c := range k.catalogue {
			list[i] = k.called(c)
		}
		s["enum"] = list
	}
	raw, err := json.Marshal(s)
	return string(raw), err
}

// input is the input of both functions.
type input struct {
	Skill string `json:"skill"`
	File  string `json:"file"`
}

// asked returns the skill that a call names, or an error result.
func (k *kit) asked(call tool.Call) (skill.Choice, input, *tool.Result) {
	fail := func(text string) (skill.Choice, input, *tool.Result) {
		r := tool.Failed(text)
		return skill.Choice{}, input{}, &r
	}
	var in input
	if err := json.Unmarshal(call.Input, &in); err != nil || in.Skill == "" {
		return fail("the input needs a skill: the name of one in the catalogue")
	}
	c, ok := k.find(in.Skill)
	if !ok {
		return fail(fmt.Sprintf("there is no skill %q in the catalogue", in.Skill))
	}
	return c, in, nil
}

// said returns a result that is not material to answer from.
func said(text string) tool.Result {
	return tool.Result{Content: message.Content{message.NewText(text)}, Nothing: true}
}

func (k *kit) load(ctx context.Context, call tool.Call) (tool.Result, error) {
	c, in, failed := k.asked(call)
	if failed != nil {
		return *failed, nil
	}
	if in.File != "" {
		return k.file(ctx, c, in.File)
	}
	text, err := k.skills.Instructions(ctx, c.Collection, c.Version)
	if err != nil {
		return tool.Result{}, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Skill %s is loaded. Its instructions:\n\n%s", c.Version.Name, text)
	if len(c.Version.Files) > 1 {
		out.WriteString("\n\nIts files, which the same function reads, given their path as `file`:")
		for _, f := range c.Version.Files {
			fmt.Fprintf(&out, "\n- %s (%d bytes)", f.Path, f.Size)
		}
	}
	return said(out.String()), nil
}

func (k *kit) file(ctx context.Context, c skill.Choice, path string) (tool.Result, error) {
	data, err := k.skills.Read(ctx, c.Collection, c.Version, path)
	switch {
	case err != nil:
		return tool.Result{}, err
	case len(data) > maxFileBytes:
		return tool.Failed(fmt.Sprintf("the file has %d bytes; up to %d can be read", len(data), maxFileBytes)), nil
	case !utf8.Valid(data) || slices.Contains(data, 0):
		return tool.Failed(fmt.Sprintf("the file of %d bytes is not text", len(data))), nil
	}
	return tool.Result{Content: message.Content{message.NewText(string(data))}}, nil
}

func (k *kit) unload(_ context.Context, call tool.Call) (tool.Result, error) {
	c, _, failed := k.asked(call)
	if failed != nil {
		return *failed, nil
	}
	if !slices.Contains(k.loaded, c.ID) {
		return said("Skill " + c.Version.Name + " was not loaded."), nil
	}
	return said("Skill " + c.Version.Name + " is unloaded; its instructions no longer hold."), nil
}

func (k *kit) list(context.Context, tool.Call) (tool.Result, error) {
	if len(k.catalogue) == 0 {
		return said("There are no skills."), nil
	}
	var out strings.Builder
	k.describe(&out)
	return said(out.String()), nil
}
