package tasks

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/storage/task"
)

// Later sends a job that frees what is no longer shown: an artifact.Service.Later.
func (s *Service) Later(ctx context.Context, a artifact.Accepted) error {
	raw, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("encode what is to be freed: %w", err)
	}
	return s.Queue.Send(ctx, task.Job{Kind: FreeKind, ID: a.Generation, Data: base64.StdEncoding.EncodeToString(raw)}, 0)
}

// FreeHandler returns what does the jobs of FreeKind.
func (s *Service) FreeHandler() task.Handler { return freer{s} }

type freer struct{ *Service }

// againAfter is the time between looks at what is left: more than a serverless
// collection takes to show what was deleted, and what was written before.
const againAfter = time.Minute

// Run implements task.Handler.
func (f freer) Run(ctx context.Context, d task.Delivery) error {
	raw, err := base64.StdEncoding.DecodeString(d.Data)
	var a artifact.Accepted
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	if err != nil {
		return fmt.Errorf("decode what is to be freed: %w", err)
	}
	if err = f.Artifacts.FreeNow(ctx, a); fault.Is(err, fault.Unavailable) {
		return task.After(againAfter, err)
	}
	return err
}

// Dead implements task.Handler: the next sweep frees what is left.
func (f freer) Dead(ctx context.Context, job task.Job, cause error) error {
	f.Log.WarnContext(ctx, "a deleted document is left for the sweep", "generation", job.ID, "error", cause)
	return nil
}
