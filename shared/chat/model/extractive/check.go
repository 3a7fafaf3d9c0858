package extractive

import (
	"lectern/shared/chat/model"
	"lectern/shared/fault"
	"lectern/shared/message"
)

// Check reports the schemas of the request that the model cannot fill.
func (m *Model) Check(req *model.Request) []fault.Problem {
	var problems []fault.Problem
	failed := func(err error, loc ...any) {
		if err != nil {
			problems = append(problems, fault.Problem{Loc: loc, Msg: fault.Public(err), Type: "value_error"})
		}
	}
	choice := req.Choice.Type
	if req.Format == nil && choice != "tool" && choice != "any" {
		return nil
	}
	q := questionOf(req, m.stemmer)
	if req.Format != nil {
		_, err := fillAnswer(formatOf(req), q, nil)
		failed(err, "format")
	}
	if choice == "tool" || choice == "any" {
		if t, ok := forced(req, q); ok {
			_, err := fillTool(t.InputSchema, q)
			failed(err, "tools", t.Name)
		}
	}
	return problems
}

// formatOf returns the schema of the answer. If any object would do, the answer
// stands under "answer".
func formatOf(req *model.Request) message.Object {
	if req.Free() {
		return message.Object(`{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"]}`)
	}
	return req.Format
}
