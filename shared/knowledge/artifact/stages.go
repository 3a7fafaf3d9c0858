package artifact

import (
	"context"
	"fmt"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/text/chunk"
)

// Stage is a part of an ingest that can run by itself, in a process of its own:
// what the next one needs lies in the stores, and only keys and Notes travel.
type Stage struct {
	Name string
	// Each says that the stage runs once for each of Notes.Groups, in any
	// order and side by side.
	Each bool
}

// Stages are what an ingest consists of, in order. Resume runs all of them in
// one process; a state machine is made of this list.
func Stages() []Stage {
	return []Stage{{Name: stageRead}, {Name: stageWrite, Each: true}, {Name: stageFinish}}
}

const (
	stageRead   = "read"   // fetch, read, and keep the text
	stageWrite  = "write"  // embed and index one group of chunks
	stageFinish = "finish" // await, commit, tidy
)

// Notes are what stages tell each other.
type Notes struct {
	Name   string `json:"name"`   // of the file
	Hash   string `json:"hash"`   // of the ingest
	Sum    string `json:"sum"`    // of the content
	Groups int    `json:"groups"` // of chunks that are written together
	Done   bool   `json:"done"`   // nothing is left to do
}

// RunStage runs one stage of an accepted ingest, as often as it takes: every
// stage may run twice. group counts from 0, for stages that run for each. The
// document is what the ingest came to, once notes say that it is done. Errors
// are those of Resume.
func (s *Service) RunStage(ctx context.Context, a Accepted, b *Body, stage string, group int, notes Notes) (Notes, Doc, error) {
	src, err := s.given(b)
	if err != nil {
		return notes, Doc{}, err
	}
	j := &job{Service: s, body: &Body{Artifact: b.Artifact, Collection: b.Collection, Metadata: b.Metadata}, source: src, generation: a.Generation, deferred: true}
	if j.entry, err = s.find(ctx, a.Collection, a.Artifact); err != nil {
		return notes, Doc{}, err
	}
	switch e := j.entry; {
	case e.Live == a.Generation, src.data != nil && e.Live != "" && e.Hash == s.fingerprint(src, b.Metadata):
		notes.Done = true // by an earlier try, or the same content as before
		return notes, newDoc(e), nil
	case e.Want != a.Generation:
		return notes, Doc{}, overtaken(a.Artifact)
	}
	switch stage {
	case stageRead:
		notes, err = j.stageRead(ctx)
	case stageWrite:
		err = j.stageWrite(ctx, group, notes)
	case stageFinish:
		if err = j.stageFinish(ctx, notes); err == nil {
			notes.Done = true
		}
	default:
		err = fmt.Errorf("an ingest has no stage %q", stage)
	}
	if err != nil || !notes.Done {
		return notes, Doc{}, err
	}
	return notes, newDoc(j.entry), nil
}

func (j *job) stageRead(ctx context.Context) (Notes, error) {
	for _, run := range []func(*job, context.Context) error{(*job).fetch, (*job).read, (*job).chunk} {
		if err := run(j, ctx); err != nil || j.done {
			return Notes{Done: j.done}, err
		}
	}
	if err := j.storeText(ctx); err != nil {
		return Notes{}, err
	}
	return Notes{Name: j.source.name, Hash: j.hash, Sum: j.sum, Groups: len(groupsOf(j.pieces))}, nil
}

// recall brings the job to where the read stage left it.
func (j *job) recall(ctx context.Context, notes Notes) error {
	raw, _, err := object.ReadAll(ctx, j.Objects, j.storedKey(j.body.Collection, j.body.Artifact, j.generation), maxStored)
	if err != nil {
		return err
	}
	if j.doc, err = decodeStored(raw); err != nil {
		return fmt.Errorf("decode the stored text: %w", err)
	}
	j.source.name, j.source.data, j.hash, j.sum = notes.Name, nil, notes.Hash, notes.Sum
	j.pieces = chunk.Split(j.doc, chunk.Options{})
	return nil
}

func (j *job) stageWrite(ctx context.Context, group int, notes Notes) error {
	if err := j.recall(ctx, notes); err != nil {
		return err
	}
	groups := groupsOf(j.pieces)
	if group < 0 || group >= len(groups) {
		return fault.New(fault.Invalid, "the ingest has %d groups, not %d", len(groups), group+1)
	}
	return j.indexGroup(ctx, groups[group])
}

func (j *job) stageFinish(ctx context.Context, notes Notes) error {
	if err := j.recall(ctx, notes); err != nil {
		return err
	}
	for _, run := range []func(*job, context.Context) error{(*job).await, (*job).commit, (*job).tidy} {
		if err := run(j, ctx); err != nil {
			return err
		}
	}
	return nil
}

// groupsOf cuts pieces into groups of about groupBytes.
func groupsOf(pieces []chunk.Chunk) [][]chunk.Chunk {
	var groups [][]chunk.Chunk
	for from := 0; from < len(pieces); {
		to, size := from, 0
		for to < len(pieces) && size < groupBytes {
			size += len(pieces[to].Text)
			to++
		}
		groups = append(groups, pieces[from:to])
		from = to
	}
	return groups
}
