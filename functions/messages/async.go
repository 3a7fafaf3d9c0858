package messages

import (
	"net/http"

	"lectern/shared/api/rest"
	"lectern/shared/chat/async"
)

type asyncQuery struct {
	ID *string `json:"message_id,omitempty" minlen:"1" maxlen:"128" doc:"an id of your choice, so that a retry is safe; generated when absent"`
}

// asyncAnswer identifies an accepted message.
type asyncAnswer struct {
	ID      string `json:"message_id"`
	Status  string `json:"status" enum:"pending,processing,completed,failed,cancelled,error"`
	Message string `json:"message"`
}

func (d Deps) startAsync(w http.ResponseWriter, r *http.Request) error {
	q, err := rest.Query[asyncQuery](r)
	if err != nil {
		return err
	}
	raw, err := rest.ReadBody(w, r, rest.LargeBody)
	if err != nil {
		return err
	}
	in := async.Start{Body: raw, RequestID: rest.RequestID(r.Context())}
	if q.ID != nil {
		in.ID = *q.ID
	}
	started, err := d.Async.Start(r.Context(), in)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, asyncAnswer{started.ID, string(started.Status), "The message was accepted."})
}
