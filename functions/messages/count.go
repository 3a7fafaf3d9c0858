package messages

import (
	"net/http"

	"lectern/shared/message"
	"lectern/shared/rest"
)

type countAnswer struct {
	InputTokens int `json:"input_tokens"`
}

func (d Deps) count(w http.ResponseWriter, r *http.Request) error {
	req, err := rest.Decode[message.CountRequest](w, r, rest.LargeBody)
	if err != nil {
		return err
	}
	n, err := d.Engine.Count(r.Context(), req.Chat(), d.Tokens)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, countAnswer{n})
}

func (d Deps) validate(w http.ResponseWriter, r *http.Request) error {
	raw, err := rest.ReadBody(w, r, rest.LargeBody)
	if err != nil {
		return err
	}
	verdict, err := d.Engine.Validate(r.Context(), raw)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, verdict)
}
