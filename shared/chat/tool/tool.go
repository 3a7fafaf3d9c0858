// Package tool is the port to tools that the service runs: their description
// for models, and their calls. The chat engine decides which tools a request
// may use and in what order calls run.
package tool

import (
	"context"
	"encoding/json"

	"lectern/shared/api/schema"
	"lectern/shared/fault"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/text/document"
	"lectern/shared/web"
)

// Tool is a tool that the service runs. Safe for concurrent use.
type Tool interface {
	// Type is the value of tools[].type that declares it.
	Type() string
	// Describe returns the default description for models.
	Describe() Description
	// Check tests, before anything is generated, whether the tool can work in its
	// context. Locations of its problems start below the tool.
	Check(ctx context.Context, spec Spec) error
	// Run makes one call. Errors of the input or the material are a Result with
	// IsError; an error is a failure of the service, of which the engine shows the
	// public text as such a result.
	Run(ctx context.Context, call Call) (Result, error)
}

// Description is what a model sees of a tool.
type Description struct {
	Description  string
	InputSchema  message.Object
	Instructions string // for the system prompt
	// Results is the type of its result blocks in the Anthropic API, in whose shape
	// failures are shown then; empty for tool_result.
	Results string
	// Addresses says that a call names a web address: Call.Given lists those that it
	// may name.
	Addresses bool
}

// Spec is how a request declares the tool.
type Spec struct {
	Name    string
	Context []message.ContextItem
	// Session is the request's container, in which files outlive the answer; may be
	// empty. Files for the client only are binary blocks with data, which the engine
	// shows as the request asks.
	Session string
	web.Domains
	Citations bool // what the tool fetches is cited as a document
}

// Call is one call of a tool.
type Call struct {
	Spec
	Input message.Object
	// Cite says that passages may be cited.
	Cite bool
	// Model is the id of the answering model, which a tool may call too; empty
	// for the default.
	Model string
	// Given are the addresses in what the model was told: by the client, in documents
	// and by results of tools, and not in what the model said itself. It is set for
	// tools whose description has Addresses.
	Given web.Addresses
}

// Result is the result of a call.
type Result struct {
	// Content is shown to the client and, as text, to the model. It need not repeat
	// the passages of Material.
	Content message.Content
	// Material are the passages found, best first. The engine assigns their ids and
	// shows them, marked with the ids, after Content.
	Material []passage.Passage
	// Nothing says that the call succeeded without results: Content then says so and
	// is not material to answer from.
	Nothing bool
	IsError bool
	// Own is the result in the Anthropic API's own shape for this tool; nil if it has
	// none.
	Own *Own
	// Use is added to the usage of the answer.
	Use message.ServerUse
}

// Own is a result in a tool's own shape. Content is JSON.
type Own struct {
	Tag     string // the block's type
	Content json.RawMessage
}

// Failed returns an error result.
func Failed(text string) Result {
	return Result{Content: message.Content{message.NewText(text)}, IsError: true}
}

// Refused is Failed, with an error code in the API's shape for results of type tag.
func Refused(tag, code, why string) Result {
	result := Failed(why)
	if raw, err := schema.Marshal(map[string]string{"type": tag + "_error", "error_code": code}); err == nil {
		result.Own = &Own{Tag: tag, Content: raw}
	}
	return result
}

// CheckContext checks every item of a tool's context: stored looks at those that name
// stored artifacts, and read reads those that bring their material. The problems of
// both are returned together.
func CheckContext(ctx context.Context, stored func(context.Context, []message.ContextItem) error,
	read func(context.Context, message.ContextItem) (*document.Document, error), items []message.ContextItem) error {
	err := stored(ctx, items)
	f := fault.As(err)
	if err != nil && (f == nil || len(f.Problems) == 0) {
		return err
	}
	var problems []fault.Problem
	if f != nil {
		problems = f.Problems
	}
	for i, c := range items {
		_, err := read(ctx, c)
		if f := fault.As(err); f != nil && f.Code != fault.Internal {
			problems = append(problems, fault.Problem{Loc: []any{"context", i}, Msg: fault.Public(f), Type: "value_error"})
		} else if err != nil {
			return err
		}
	}
	if len(problems) > 0 {
		return fault.Problems(problems)
	}
	return nil
}

// Set finds tools by type.
type Set map[string]Tool

// NewSet indexes tools by type.
func NewSet(list ...Tool) Set {
	s := Set{}
	for _, t := range list {
		s[t.Type()] = t
	}
	return s
}
