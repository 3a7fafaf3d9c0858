// Package messages holds the endpoints that answer conversations.
package messages

import (
	"lectern/shared/api/rest"
	"lectern/shared/chat"
	"lectern/shared/chat/async"
	"lectern/shared/chat/batch"
	"lectern/shared/message"
)

// Deps are the collaborators of the group.
type Deps struct {
	Engine *chat.Engine
	// Async accepts chats that are answered after their request.
	Async *async.Service
	// Batches accepts many chats at once.
	Batches *batch.Service
}

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return append([]rest.Route{
		{Pattern: "POST /v1/messages", Handle: rest.HandlerFunc(d.create), Doc: "Answer a conversation", Body: message.Request{},
			Answer: message.Message{}, Events: message.Event{}},
		{Pattern: "POST /v1/messages/validate", Handle: rest.HandlerFunc(d.validate), Doc: "Check a chat request without answering it",
			Body: message.Request{}, Answer: chat.Verdict{}},
		{Pattern: "POST /v1/messages/async", Creates: true, Handle: rest.HandlerFunc(d.startAsync),
			Doc: "Answer a conversation in the background; follow it by its message_id", Query: asyncQuery{}, Body: message.Request{},
			Answer: asyncAnswer{}},
		{Pattern: "POST /v1/complete", Handle: rest.HandlerFunc(d.complete), Doc: "Complete a text (legacy)", Body: completeBody{},
			Answer: completion{}, Events: completion{}},
	}, d.batchRoutes()...)
}
