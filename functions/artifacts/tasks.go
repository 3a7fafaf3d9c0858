package artifacts

import (
	"net/http"

	"lectern/shared/api/rest"
	"lectern/shared/knowledge/artifact/tasks"
)

// taskAnswer is the API's Task.
type taskAnswer struct {
	ID string `json:"task_id"`
}

// taskStatus is the API's TaskStatus. Result is an ingest's list, the text of
// an error, or null.
type taskStatus struct {
	ID       string          `json:"task_id"`
	State    tasks.State     `json:"task_status"`
	Result   any             `json:"task_result"`
	Progress *tasks.Progress `json:"progress,omitempty"`
}

func (d Deps) ingestLater(w http.ResponseWriter, r *http.Request) error {
	body, err := rest.Decode[tasks.IngestBody](w, r, rest.LargeBody)
	if err != nil {
		return err
	}
	id, err := d.Tasks.Ingest(r.Context(), body)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, taskAnswer{id})
}

func (d Deps) deleteLater(w http.ResponseWriter, r *http.Request) error {
	body, err := rest.Decode[tasks.DeleteBody](w, r, rest.SmallBody)
	if err != nil {
		return err
	}
	id, err := d.Tasks.Delete(r.Context(), body)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, taskAnswer{id})
}

func (d Deps) ingestStatus(w http.ResponseWriter, r *http.Request) error {
	return d.status(w, r, tasks.IngestKind)
}

func (d Deps) deleteStatus(w http.ResponseWriter, r *http.Request) error {
	return d.status(w, r, tasks.DeleteKind)
}

func (d Deps) status(w http.ResponseWriter, r *http.Request, kind string) error {
	st, err := d.Tasks.Status(r.Context(), kind, r.PathValue("task_id"))
	if err != nil {
		return err
	}
	out := taskStatus{ID: st.ID, State: st.State}
	switch {
	case st.Doc != nil:
		out.Result = newList(*st.Doc)
	case st.State == tasks.Failure:
		out.Result = st.Error
	}
	if st.State == tasks.Started && st.Step != "" {
		out.Progress = &tasks.Progress{Percentage: st.Percent, Step: st.Step}
	}
	return rest.Write(w, http.StatusOK, out)
}
