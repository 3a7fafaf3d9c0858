// Package tokens holds the endpoint that counts tokens. It is a group of its own
// because exact counting needs a vocabulary of 11 MB, which would slow the cold
// starts of the function that answers conversations.
package tokens

import (
	"context"

	"lectern/shared/api/rest"
	"lectern/shared/chat"
	"lectern/shared/message"
)

// Deps are the collaborators of the group.
type Deps struct {
	Engine *chat.Engine
	// Tokens counts the tokens of a text exactly.
	Tokens func(text string) (int, error)
}

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{
		{Pattern: "POST /v1/messages/count_tokens", Large: true, Handle: rest.JSON(d.count), Doc: "Count the input tokens of a conversation"},
	}
}

type answer struct {
	InputTokens int `json:"input_tokens"`
}

func (d Deps) count(ctx context.Context, req *message.CountRequest) (answer, error) {
	n, err := d.Engine.Count(ctx, req.Chat(), d.Tokens)
	if err != nil {
		return answer{}, err
	}
	return answer{n}, nil
}
