// Package tool is the port to the tools that the service runs itself: what a
// model is told of a tool, and one call of it. Which tools a request may use,
// and in what order calls run, is the chat engine's business.
package tool

import (
	"context"
	"encoding/json"

	"lectern/shared/api/schema"
	"lectern/shared/message"
	"lectern/shared/message/passage"
	"lectern/shared/web"
)

// Tool is a tool that the service runs. Safe for concurrent use.
type Tool interface {
	// Type is the value of tools[].type that declares it.
	Type() string
	// Describe returns what the model is told when the request says nothing.
	Describe() Description
	// Check looks, before anything is generated, whether the tool could work
	// in its context. Its problems carry locations below the tool.
	Check(ctx context.Context, spec Spec) error
	// Run makes one call. What goes wrong with the input or the material is a
	// Result with IsError; an error is for the service's own failures, and
	// the engine shows its public text as such a result.
	Run(ctx context.Context, call Call) (Result, error)
}

// Description is what a model is told of a tool.
type Description struct {
	Description  string
	InputSchema  message.Object
	Instructions string // for the system prompt
}

// Spec is how a request declares the tool.
type Spec struct {
	Name    string
	Context []message.ContextItem
	// Session is the request's container, which keeps files beyond the answer;
	// empty without one. Files that a tool makes for the client alone are
	// binary blocks with their bytes: the engine shows them as the request asks.
	Session string
	web.Domains
}

// Call is one use of a tool.
type Call struct {
	Spec
	Input message.Object
	// Cite says that passages may be cited.
	Cite bool
	// Model is the id of the model that answers, by which a tool may ask it in
	// turn; empty for the default.
	Model string
}

// Result is what a call gives.
type Result struct {
	// Content is shown to the client and, as text, to the model. Passages
	// are added by Material, so Content need not repeat them.
	Content message.Content
	// Material are the passages found, best first. The engine gives them
	// their ids and shows them to the model and, marked with the ids, to the
	// client, after Content.
	Material []passage.Passage
	// Nothing says that the call worked and found nothing: Content then tells
	// the model so and is no material to answer from.
	Nothing bool
	IsError bool
	// Own is how a client of the strict shape sees the result, where the API
	// has a shape for it; nil without one.
	Own *Own
	// Use is what the usage counts of the call.
	Use message.ServerUse
}

// Own is a result in a tool's own shape. Content is JSON.
type Own struct {
	Tag     string // the block's type
	Content json.RawMessage
}

// Failed is a result that says what went wrong.
func Failed(text string) Result {
	return Result{Content: message.Content{message.NewText(text)}, IsError: true}
}

// Refused is Failed with the error's code in the shape that the API has for
// results of the block type tag.
func Refused(tag, code, why string) Result {
	result := Failed(why)
	if raw, err := schema.Marshal(map[string]string{"type": tag + "_error", "error_code": code}); err == nil {
		result.Own = &Own{Tag: tag, Content: raw}
	}
	return result
}

// Set finds tools by type.
type Set map[string]Tool

// NewSet lists tools by their types.
func NewSet(list ...Tool) Set {
	s := Set{}
	for _, t := range list {
		s[t.Type()] = t
	}
	return s
}
