package tasks

import (
	"context"
	"slices"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/storage/record"
	"lectern/shared/storage/task"
)

// stagedBytes is the size of an input, as it is given, from which an ingest is
// staged: more than one group of chunks.
const stagedBytes = 1 << 20

// staged reports whether an ingest may be long. What an address holds is not
// known yet.
func staged(b *artifact.Body) bool {
	return b != nil && b.Input != nil && (b.Input.Type == "uri" || len(b.Input.Value) > stagedBytes)
}

// Staged is what a state machine hands from stage to stage.
type Staged struct {
	Task   string         `json:"id"`
	Stage  string         `json:"stage"`
	Group  int            `json:"group"`
	Notes  artifact.Notes `json:"notes"`
	Groups []int          `json:"groups"` // to run the next stage for
	Over   bool           `json:"over"`   // the task has ended, and nothing is left to do
}

// StageFailed is the stage that a machine runs when it gives up.
const StageFailed = "failed"

// RunStage runs one stage of a task's ingest; see artifact.Stages. After an
// error the machine runs it again, and in the end StageFailed. What another try
// cannot help ends the task, and is no error.
func (s *Service) RunStage(ctx context.Context, in Staged) (Staged, error) {
	out := Staged{Task: in.Task, Stage: in.Stage, Notes: in.Notes, Groups: []int{}}
	w := worker{s}
	if in.Stage == StageFailed {
		out.Over = true
		return out, w.Dead(ctx, task.Job{Kind: StagedKind, ID: in.Task}, fault.New(fault.Unavailable, "the ingest failed again and again"))
	}
	e, err := s.find(ctx, in.Task)
	if fault.Is(err, fault.NotFound) {
		out.Over = true // it has expired
		return out, nil
	}
	if err != nil {
		return out, err
	}
	if e.State.final() {
		out.Over = true
		return out, w.clear(ctx, e)
	}
	if s.Now().After(e.Created.Add(s.Options.deadline())) {
		out.Over = true
		return out, w.end(ctx, e, nil, fault.New(fault.Unavailable, "the ingest was not finished in time"))
	}
	notes, doc, err := s.runStage(ctx, e, in)
	out.Notes = notes
	switch {
	case err == nil && notes.Done:
		out.Over = true
		return out, w.end(ctx, e, &doc, nil)
	case err == nil:
		for g := range notes.Groups {
			out.Groups = append(out.Groups, g)
		}
		return out, nil
	case ctx.Err() == nil && slices.Contains(hopeless, fault.CodeOf(err)):
		out.Over = true
		return out, w.end(ctx, e, nil, err)
	}
	return out, err
}

func (s *Service) runStage(ctx context.Context, e *entry, in Staged) (artifact.Notes, artifact.Doc, error) {
	r, err := s.request(ctx, e)
	if err != nil {
		return in.Notes, artifact.Doc{}, err
	}
	stages := artifact.Stages()
	at := slices.IndexFunc(stages, func(st artifact.Stage) bool { return st.Name == in.Stage })
	if at == 0 {
		if err := s.Artifacts.Claim(ctx, e.Target); err != nil {
			return in.Notes, artifact.Doc{}, err
		}
	}
	// Of stages that run side by side only the first writes how far they are.
	if at >= 0 && in.Group == 0 {
		e.State = Started
		e.note(artifact.Stand{Step: in.Stage, Share: float64(at) / float64(len(stages)), Pages: in.Notes.Pages, Chunks: in.Notes.Chunks},
			s.Now().Sub(e.Created))
		if err := s.save(ctx, e, record.VersionIs(e.version)); err != nil && !fault.Is(err, fault.Conflict) {
			return in.Notes, artifact.Doc{}, err
		}
	}
	// The caller's right to the collection was checked when the task was accepted.
	return s.Artifacts.RunStage(auth.With(ctx, auth.Principal{}), e.Target, r.Body, in.Stage, in.Group, in.Notes)
}
