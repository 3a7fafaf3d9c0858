package chat

import (
	"fmt"
	"strings"

	"lectern/shared/fault"
	"lectern/shared/message"
)

// maxRepairs is how often a model is asked to repair a structured answer.
const maxRepairs = 2

// structured handles a turn's text as a structured answer. If it matches the
// schema, it is sent and structured returns true; else the model is asked to
// repair it, up to maxRepairs times, and structured returns false.
//
// An answer truncated by max_tokens is sent as it is; stop_reason reports it.
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
		a.out.fail(&fault.Error{Code: fault.Upstream, NoRetry: true, Msg: "the model's answer does not match the schema",
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

// jsonOf removes what models put around a JSON document: a code fence, or text
// before and after an object or list.
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
