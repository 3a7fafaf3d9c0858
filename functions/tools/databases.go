package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lectern/shared/chat/tool"
	"lectern/shared/fault"
	"lectern/shared/message"
)

type databaseBody struct {
	Query     string                `json:"query" required:"true" minlen:"1"`
	Artifacts []message.ContextItem `json:"artifacts" required:"true" minlen:"1" doc:"context items, at least one of type sql_database"`
}

type tabularBody struct {
	Query  string                 `json:"query" required:"true" minlen:"1"`
	Filter *message.ContextFilter `json:"context_filter" required:"true"`
}

func (d Deps) databaseQuery(ctx context.Context, b *databaseBody) (answer, error) {
	if err := b.check(); err != nil {
		return answer{}, err
	}
	input, err := question(b.Query)
	if err != nil {
		return answer{}, err
	}
	result, err := d.Databases.Run(ctx, tool.Call{Spec: tool.Spec{Context: b.Artifacts}, Input: input})
	if err != nil {
		return answer{}, inBody(err, "artifacts")
	}
	return answerOf(result), nil
}

// check reports what the items lack.
func (b *databaseBody) check() error {
	var problems []fault.Problem
	add := func(kind, msg string, loc ...any) {
		problems = append(problems, fault.Problem{Loc: append([]any{"body"}, loc...), Msg: msg, Type: kind})
	}
	if strings.TrimSpace(b.Query) == "" {
		add("string_too_short", "query should not be empty", "query")
	}
	databases := 0
	for i, a := range b.Artifacts {
		switch a.Type {
		case "sql_database":
			if databases++; a.ConnectionString == "" {
				add("missing", "Field required", "artifacts", i, "connection_string")
			}
		case "file":
			if a.Value == "" {
				add("missing", "Field required", "artifacts", i, "value")
			}
		default:
			add("value_error", fmt.Sprintf("an item of type %q is not a database", a.Type), "artifacts", i, "type")
		}
	}
	if databases == 0 {
		add("value_error", "artifacts should hold at least one sql_database", "artifacts")
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	return nil
}

func (d Deps) tabularAnalysis(ctx context.Context, b *tabularBody) (answer, error) {
	if strings.TrimSpace(b.Query) == "" {
		return answer{}, fault.Field("string_too_short", "query should not be empty", "body", "query")
	}
	input, err := question(b.Query)
	if err != nil {
		return answer{}, err
	}
	result, err := d.Tables.Run(ctx, tool.Call{Spec: tool.Spec{Context: []message.ContextItem{{Type: "ingested_artifact",
		ContextFilter: b.Filter}}}, Input: input})
	if err != nil {
		return answer{}, err
	}
	return answerOf(result), nil
}

func question(query string) (message.Object, error) {
	raw, err := json.Marshal(map[string]string{"query": query})
	return message.Object(raw), err
}

// answerOf converts the result of a tool.
func answerOf(result tool.Result) answer {
	a := answer{Content: slices.Clone(result.Content), IsError: result.IsError}
	for _, p := range result.Material {
		a.Content = append(a.Content, message.NewText(p.Text))
	}
	return a
}

// inBody prefixes the locations of a tool's problems with their field in the body.
func inBody(err error, field string) error {
	f := fault.As(err)
	if f == nil || f.Code != fault.Invalid {
		return err
	}
	moved := slices.Clone(f.Problems)
	for i, p := range moved {
		if len(p.Loc) > 0 && p.Loc[0] == "context" {
			moved[i].Loc = append([]any{"body", field}, p.Loc[1:]...)
		}
	}
	return fault.Problems(moved)
}
