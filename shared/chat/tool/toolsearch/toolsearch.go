// Package toolsearch is the tool that finds the deferred tools of a request, by a
// pattern or by words, and so brings them in. Its names and results are those of the
// Anthropic API's tool_search_tool.
//
// Which tools are in follows from the searches of the conversation alone, since the
// same search over the same tools finds the same ones.
package toolsearch

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"lectern/shared/api/schema"
	"lectern/shared/chat/tool"
	"lectern/shared/message"
	"lectern/shared/text/terms"
)

// Types that declare the tool in a request.
const (
	Regex = "tool_search_tool_regex"
	Words = "tool_search_tool_bm25"
)

// block is the type of its result blocks.
const block = "tool_search_tool_result"

// Limits of one search.
const (
	maxFound   = 5
	maxPattern = 200 // characters
)

// Tool searches by one of the two ways. Safe for concurrent use.
type Tool struct{ kind string }

// New makes the tool of one type: Regex or Words.
func New(kind string) *Tool { return &Tool{kind} }

// Type is the tool's type.
func (t *Tool) Type() string { return t.kind }

// Describe names the results only: its function describes itself.
func (*Tool) Describe() tool.Description { return tool.Description{Results: block} }

// Check does nothing.
func (*Tool) Check(context.Context, tool.Spec) error { return nil }

// Run is never called: the model calls the function.
func (*Tool) Run(context.Context, tool.Call) (tool.Result, error) {
	return tool.Failed("call the function of the tool search"), nil
}

// Open brings one function, by the name of the declared item.
func (t *Tool) Open(_ context.Context, o tool.Opening) (*tool.Kit, error) {
	k := &kit{deferred: o.Deferred, match: byWords, in: map[string]bool{}}
	input := "query"
	about := "words that describe the tool"
	if t.kind == Regex {
		k.match, input, about = byPattern, "pattern", "a regular expression, at most 200 characters; (?i) ignores case"
	}
	return &tool.Kit{
		Functions: []tool.Function{{
			Name: o.Name, Run: k.run,
			Description: "Find more tools, by their names, descriptions and arguments. Those that are found can be called afterwards.",
			InputSchema: message.Object(fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string","description":%q}},"required":[%q]}`,
				input, about, input)),
		}},
		Saw: k.saw, Unlocks: func(name string) bool { return k.in[name] },
	}, nil
}

// kit is the state of one request; in changes only in saw, between turns.
type kit struct {
	deferred func() []tool.Deferred
	match    func(text string, list []tool.Deferred) ([]tool.Deferred, error)
	in       map[string]bool // by the names of tools
}

// find runs a search. An error is one of the input.
func (k *kit) find(raw message.Object) ([]tool.Deferred, error) {
	var input struct{ Query, Pattern string }
	if err := json.Unmarshal(raw, &input); err != nil {
		return nil, fmt.Errorf("the input should be an object of strings")
	}
	text := input.Query
	if text == "" {
		text = input.Pattern
	}
	if strings.TrimSpace(text) == "" {
		return nil, fmt.Errorf("the input names nothing to search for")
	}
	return k.match(text, k.deferred())
}

func (k *kit) saw(_ string, input message.Object, _ bool) {
	found, err := k.find(input)
	if err != nil {
		return
	}
	for _, d := range found {
		k.in[d.Name] = true
	}
}

type reference struct {
	Type string `json:"type"`
	Name string `json:"tool_name"`
}

func (k *kit) run(_ context.Context, call tool.Call) (tool.Result, error) {
	found, err := k.find(call.Input)
	if err != nil {
		return tool.Refused(block, "invalid_tool_input", err.Error()), nil
	}
	text := "No tool was found."
	references := []reference{}
	if len(found) > 0 {
		text = "These tools can be called now:"
	}
	for _, d := range found {
		text += "\n" + d.Name + ": " + d.Description
		references = append(references, reference{"tool_reference", d.Name})
	}
	own, err := schema.Marshal(map[string]any{"type": "tool_search_tool_search_result", "tool_references": references})
	return tool.Result{Content: message.Content{message.NewText(text)}, Nothing: true, Own: &tool.Own{Tag: block, Content: own}}, err
}

// texts returns what is searched of a tool.
func texts(d *tool.Deferred) []string {
	list := []string{d.Name, d.Description}
	var s struct {
		Properties map[string]struct{ Description string }
	}
	if json.Unmarshal(d.InputSchema, &s) == nil {
		for name, p := range s.Properties {
			list = append(list, name, p.Description)
		}
	}
	return list
}

func byPattern(pattern string, list []tool.Deferred) ([]tool.Deferred, error) {
	if len([]rune(pattern)) > maxPattern {
		return nil, fmt.Errorf("the pattern is over %d characters", maxPattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("the pattern is not a regular expression")
	}
	var found []tool.Deferred
	for _, d := range list {
		if slices.ContainsFunc(texts(&d), re.MatchString) {
			found = append(found, d)
		}
	}
	return found[:min(maxFound, len(found))], nil
}

// byWords ranks tools by how many words of the query they hold, rare words first.
func byWords(query string, list []tool.Deferred) ([]tool.Deferred, error) {
	holds := make([]map[string]bool, len(list))
	count := map[string]int{}
	for i := range list {
		holds[i] = terms.Stems(strings.Join(texts(&list[i]), " "))
		for s := range holds[i] {
			count[s]++
		}
	}
	type scored struct {
		at    int
		score float64
	}
	var ranked []scored
	for i := range list {
		score := 0.0
		for s := range terms.Stems(query) {
			if holds[i][s] {
				score += 1 / float64(count[s])
			}
		}
		if score > 0 {
			ranked = append(ranked, scored{i, score})
		}
	}
	sort.SliceStable(ranked, func(i, j int) bool { return ranked[i].score > ranked[j].score })
	var found []tool.Deferred
	for _, r := range ranked[:min(maxFound, len(ranked))] {
		found = append(found, list[r.at])
	}
	return found, nil
}
