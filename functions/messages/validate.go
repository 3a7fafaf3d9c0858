package messages

import (
	"net/http"

	"lectern/shared/api/rest"
)

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
