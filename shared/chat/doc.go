// Package chat owns the turn of a conversation: the rules a request must
// keep, the history and prompt a model is given, tool calls, citations,
// thinking, stop sequences, and the events of the answer.
//
// It knows models, tools and readers by their ports only, and nothing of
// HTTP. An answer is an iterator of events; whoever wants a whole message
// folds it with message.Fold.
package chat
