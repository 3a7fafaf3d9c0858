package artifacts

import (
	"context"

	"lectern/shared/api/schema"
	"lectern/shared/knowledge/artifact/tasks"
)

// taskAnswer identifies a task that was accepted.
type taskAnswer struct {
	ID string `json:"task_id"`
}

// taskStatus is the state of a task. Result is the list of a finished ingest,
// the error text of a failed task, or null.
type taskStatus struct {
	ID       string          `json:"task_id"`
	State    tasks.State     `json:"task_status" enum:"PENDING,STARTED,RETRY,SUCCESS,FAILURE,REVOKED"`
	Result   any             `json:"task_result"`
	Code     string          `json:"error_code,omitempty" doc:"of a failure, for programs, such as encrypted_file"`
	Progress *tasks.Progress `json:"progress,omitempty"`
}

// DescribeSchema describes the forms of the result.
func (*taskStatus) DescribeSchema(g *schema.Generator) schema.Doc {
	type plain taskStatus
	return g.With(plain{}, map[string]schema.Doc{
		"task_result": schema.AnyOf(g.For(list{}), schema.Doc{"type": "string"}, schema.Doc{"type": "null"}),
	})
}

func (d Deps) deleteLater(ctx context.Context, body *tasks.DeleteBody) (taskAnswer, error) {
	id, err := d.Tasks.Delete(ctx, body)
	if err != nil {
		return taskAnswer{}, err
	}
	return taskAnswer{id}, nil
}

type taskQuery struct {
	ID string `json:"-" path:"task_id"`
}

func (d Deps) ingestStatus(ctx context.Context, q *taskQuery) (taskStatus, error) {
	return d.status(ctx, tasks.IngestKind, q.ID)
}

func (d Deps) deleteStatus(ctx context.Context, q *taskQuery) (taskStatus, error) {
	return d.status(ctx, tasks.DeleteKind, q.ID)
}

func (d Deps) status(ctx context.Context, kind, id string) (taskStatus, error) {
	st, err := d.Tasks.Status(ctx, kind, id)
	if err != nil {
		return taskStatus{}, err
	}
	out := taskStatus{ID: st.ID, State: st.State}
	switch {
	case st.Doc != nil:
		out.Result = newList(*st.Doc)
	case st.State == tasks.Failure:
		out.Result, out.Code = st.Error, st.Code
	}
	if st.State == tasks.Started && st.Progress.Step != "" {
		out.Progress = &st.Progress
	}
	return out, nil
}
