package chat

import (
	"fmt"
	"strings"

	"lectern/shared/fault"
	"lectern/shared/message"
)

// maxRepairs is how often a model is asked again for an answer that fits.
const maxRepairs = 2

// structured takes a turn's text as the answer to a request for JSON. It sends
// the text once it fits the schema, and returns true; else it asks the model
// again, which returns false, or gives up.
//
// An answer cut off by max_tokens is sent as it is: the stop reason tells.
func (a *answer) structured(t *turn) (sent bool) {
	text := jsonOf(t.text)
	problem := a.misfit(text)
	if problem == nil || t.reason == message.StopMaxTokens || t.reason == message.StopSequence || t.reason == message.StopRefusal {
		if problem != nil {
			text = t.text
		}
		for piece := range strings.SplitAfterSeq(text, " ") {
			a.out.text(piece)
		}
		a.out.close()
		return true
	}
	if a.repairs++; a.repairs > maxRepairs {
		a.out.fail(&fault.Error{Code: fault.Upstream, NoRetry: true, Msg: "the model did not give an answer that fits the schema",
			Cause: fmt.Errorf("after %d tries: %w", a.repairs, problem)})
		return true
	}
	ask := fmt.Sprintf("That is not a JSON document that fits the schema: %s. Answer again with one JSON document and nothing else. The schema:\n%s", problem, a.talk.next.Format)
	said := t.content
	if len(said) == 0 {
		said = message.Content{message.NewText("(no answer)")}
	}
	a.extend(said, message.Content{message.NewText(ask)})
	return false
}

func (a *answer) misfit(text string) error {
	s, err := a.engine.shapes.Compile(a.talk.next.Format)
	if err != nil {
		return err
	}
	return s.Check([]byte(text))
}

// jsonOf strips what models put around a JSON document: a code fence, or
// words before and after an object or list.
func jsonOf(text string) string {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "```"); ok {
		if i := strings.IndexByte(inner, '\n'); i >= 0 {
			inner = inner[i+1:]
		}
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "```"))
	}
	if text == "" || strings.ContainsRune("{[\"-0123456789tfn", rune(text[0])) {
		return text
	}
	start, end := strings.IndexAny(text, "{["), strings.LastIndexAny(text, "}]")
	if start < 0 || end < start {
		return text
	}
	return text[start : end+1]
}
