// Package openai holds the group's endpoints of OpenAI's wires, for clients that
// speak them: chat completions and responses. They are translated to a chat request, and
// its events back; the rules of a conversation are those of package chat.
package openai

import (
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/chat"
)

// Deps are the collaborators of the group.
type Deps struct {
	Engine *chat.Engine
	Now    func() time.Time
	Keeper Keeper
}

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{
		{Pattern: "POST /v1/chat/completions", Handle: rest.HandlerFunc(d.complete), Doc: "Answer a conversation on OpenAI's wire",
			Body: chatBody{}, Answer: completion{}, Events: chunk{}},
		{Pattern: "POST /v1/responses", Handle: rest.HandlerFunc(d.respond), Doc: "Answer a conversation on the wire of OpenAI's responses",
			Body: responseBody{}, Answer: response{}, Events: responseEvent{}},
		{Pattern: "GET /v1/responses/{response_id}", Handle: rest.JSON(d.findResponse), Doc: "Show a kept response"},
		{Pattern: "DELETE /v1/responses/{response_id}", Handle: rest.JSON(d.dropResponse), Doc: "Delete a kept response"},
	}
}
