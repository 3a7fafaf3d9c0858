package tool

import (
	"context"

	"lectern/shared/message"
)

// Opener is a tool that brings functions with names of their own instead of
// being called itself: one declared item, several tools for the model.
type Opener interface {
	Tool
	// Open returns the kit of one request, before anything is generated. A fault
	// rejects the request; locations of its problems start below the tool, like
	// those of Check. The caller closes the kit.
	Open(ctx context.Context, o Opening) (*Kit, error)
}

// Opening is the input of Open.
type Opening struct {
	Spec
	Request *message.Request // read only
	// Deferred lists the deferred tools of the request, those of kits and servers
	// included. It may be called once a turn has started.
	Deferred func() []Deferred
}

// Deferred describes a tool that is hidden until a kit unlocks it.
type Deferred struct {
	Name        string // as models see it
	Description string
	InputSchema message.Object
}

// Kit is what one declared item brings to a request. Nil and empty fields are
// ignored.
type Kit struct {
	// Functions are the tools that the model may call. If a name is taken, it is
	// prefixed with the name of the declared item.
	Functions []Function
	// Prompt returns text for the system prompt, independent of the prompt config.
	// It is called before each turn of the model.
	Prompt func() string
	// Instructions returns the default text for the enabled categories.
	Instructions func(on message.PromptConfig) string
	// Saw is called for every completed call of the kit's functions, by their own
	// names: first those of the conversation, then those of the answer, in order
	// and never concurrently. A kit must derive its state from these calls only, so
	// that a conversation can be continued by any process.
	Saw func(function string, input message.Object, worked bool)
	// Unlocks reports whether a tool declared with deferLoading may be shown now.
	// It is called before each turn of the model.
	Unlocks func(tool string) bool
	// Close frees the kit's resources at the end of the request.
	Close func()
}

// Function is one tool of a kit.
type Function struct {
	Name        string
	Description string
	InputSchema message.Object
	// Deferred hides it like a tool declared with deferLoading.
	Deferred bool
	// Server is the MCP server that runs it: calls and results are then shown as
	// mcp_tool_use and mcp_tool_result.
	Server string
	// Run is Tool.Run of this function. Calls run concurrently.
	Run func(ctx context.Context, call Call) (Result, error)
}
