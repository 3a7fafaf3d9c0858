package tool

import (
	"context"

	"lectern/shared/message"
)

// Opener is a tool that brings functions with names of their own instead of
// being called itself: one declared item, several tools for the model.
type Opener interface {
	Tool
	// Open makes the kit of one request, before anything is generated. A fault
	// refuses the request; locations of its problems begin below the tool, as
	// those of Check do. Whoever opened a kit closes it.
	Open(ctx context.Context, o Opening) (*Kit, error)
}

// Opening is what a kit is made for.
type Opening struct {
	Spec
	Request *message.Request // read only
}

// Kit is what one declared item brings, for the length of one request. Fields
// that are nil or empty ask for nothing.
type Kit struct {
	// Functions are the tools that the model may call. One whose name is taken
	// gets the declared item's name before its own.
	Functions []Function
	// Prompt stands in the system prompt, whatever the request switches on. It
	// is asked for again before each turn of the model.
	Prompt func() string
	// Instructions are the default text for the categories that are on.
	Instructions func(on message.PromptConfig) string
	// Saw is told of every call of the kit's functions, by their own names, and
	// of whether it worked: first those of the conversation, then those of the
	// answer, in order and never two at once. What a kit knows of earlier calls
	// comes from here alone, so that a conversation means the same wherever it
	// is continued.
	Saw func(function string, input message.Object, worked bool)
	// Unlocks reports whether a tool that is declared with deferLoading may be
	// shown now. It is asked again before each turn of the model.
	Unlocks func(tool string) bool
	// Close frees what the kit holds, at the end of the request.
	Close func()
}

// Function is one tool of a kit.
type Function struct {
	Name        string
	Description string
	InputSchema message.Object
	// Deferred hides it like a tool that is declared with deferLoading.
	Deferred bool
	// Server is the external server that runs it: calls and results are then
	// shown as mcp_tool_use and mcp_tool_result.
	Server string
	// Run is Tool.Run of this function. Calls run side by side.
	Run func(ctx context.Context, call Call) (Result, error)
}
