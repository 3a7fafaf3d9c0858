package chat

import (
	"slices"
	"strings"

	"lectern/shared/message"
)

// systemConfig is what the request's system items ask for, taken together.
type systemConfig struct {
	texts  []message.System
	cite   bool
	known  int // citations that the client has numbered already
	vendor bool
	prompt message.PromptConfig
	blobs  string // how files that tools make are shown
}

func systemOf(req *message.Request) systemConfig {
	var c systemConfig
	for i, s := range req.System {
		if s.Text != "" && !(i == 0 && strings.HasPrefix(s.Text, billingHeader)) {
			c.texts = append(c.texts, message.System{Text: s.Text, CacheControl: s.CacheControl})
		}
		c.cite = c.cite || s.Citations.Enabled
		for _, k := range s.Citations.Known {
			if k.Index != nil && *k.Index >= c.known {
				c.known = *k.Index + 1
			}
		}
		c.vendor = c.vendor || len(s.Extensions) > 0
		if s.BlobVisibility != "" {
			c.blobs = s.BlobVisibility
		}
		p := s.Prompt
		if s.UseDefaultPrompt {
			p = &message.PromptConfig{Tools: true, Citations: true, Thinking: true}
		}
		if p != nil {
			c.prompt.Tools = c.prompt.Tools || p.Tools
			c.prompt.Citations = c.prompt.Citations || p.Citations
			c.prompt.Thinking = c.prompt.Thinking || p.Thinking
			c.prompt.CodeExecution = c.prompt.CodeExecution || p.CodeExecution
			c.prompt.Skills = c.prompt.Skills || p.Skills
		}
	}
	return c
}

const markerInstruction = `Passages are marked with ids such as [AB12]. After each sentence that rests on passages, write their ids in brackets, for example [AB12] or [AB12, CD34]. Use only ids that stand before a passage, and no other form of reference.`

const citationGuidelines = `Cite every statement that comes from the given material, and only such statements. Prefer the passage that says it most directly. Where passages disagree, say so and cite both. Where the material does not answer the question, say that it does not.`

const thinkingGuidelines = `Before answering, work out what is asked, which of the given material bears on it, and what is missing.`

// prompt is the whole system prompt: the client's texts, then the
// instructions that it switched on.
func (a *answer) prompt() []message.System {
	c := a.system
	parts := slices.Clip(c.texts)
	for _, text := range a.notes {
		parts = append(parts, message.System{Text: text})
	}
	add := func(text string) { parts = append(parts, message.System{Text: text}) }
	if a.marks {
		add(markerInstruction)
		if c.prompt.Citations {
			add(citationGuidelines)
		}
	}
	if c.prompt.Thinking && a.req.Thinking.On() {
		add(thinkingGuidelines)
	}
	a.instruct(add)
	if a.turn.Format != nil && !a.entry.Can.StructuredOutputs {
		add("Answer with one JSON document and nothing else: no code fence, no words around it. It must fit this JSON schema:\n" + string(a.turn.Format))
	}
	add("Today's date is " + a.Now().UTC().Format("2006-01-02") + ".")
	return parts
}

// instruct adds the texts that go with the tools that are offered, in the
// order of the request: its own, or, when the category is on, the tool's
// default.
func (a *answer) instruct(add func(string)) {
	if a.toolless() {
		return
	}
	text := func(t message.Tool, standard func() string) {
		said := ""
		if t.Instructions != nil {
			said = *t.Instructions
		} else if standard != nil {
			said = standard()
		}
		if said != "" {
			add("Tool " + t.Name + ": " + said)
		}
	}
	for i, t := range a.req.Tools {
		if d := a.tools[t.Name]; d != nil && d.item == i && d.kit == nil && a.visible(d) {
			text(t, func() string {
				if d.tool == nil || !a.system.prompt.Tools {
					return ""
				}
				return d.tool.Describe().Instructions
			})
		}
		for _, k := range a.kits {
			if k.item.item != i {
				continue
			}
			if k.Prompt != nil {
				if said := k.Prompt(); said != "" {
					add(said)
				}
			}
			text(k.item.spec, func() string {
				if k.Instructions == nil {
					return ""
				}
				return k.Instructions(a.system.prompt)
			})
		}
	}
}
