package artifact

import (
	"context"
	"fmt"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"

	"lectern/shared/fault/trace"
	"lectern/shared/storage/object"
	"lectern/shared/text/chunk"
	"lectern/shared/text/document"
)

// step is one part of an ingest. Every step may run twice.
type step struct {
	name  string
	stage string
	run   func(*job, context.Context) error
}

// Stages of an ingest: parts that can run by themselves, each in a process of
// its own. What the next one needs lies in the stores, and only keys and Notes
// travel.
const (
	stageRead   = "read"
	stageWrite  = "write" // once for each group of chunks, in any order and side by side
	stageFinish = "finish"
)

// steps are what an ingest does once it is accepted. A request and a worker run
// all of them (Ingest, Resume), a state machine one stage at a time (RunStage).
var steps = []step{
	{"fetch", stageRead, (*job).fetch},
	{"read", stageRead, (*job).read},
	{"chunk", stageRead, (*job).chunk},
	{"store", stageRead, (*job).store},
	{"index", stageWrite, (*job).index},
	{"await", stageFinish, (*job).await},
	{"commit", stageFinish, (*job).commit},
	{"tidy", stageFinish, (*job).tidy},
}

// Stage is a part of an ingest for a state machine to run.
type Stage struct {
	Name string
	// Each says that the stage runs once for each of Notes.Groups, in any
	// order and side by side.
	Each bool
}

// Stages lists the stages of the steps, in order. A state machine is made of
// this list.
func Stages() []Stage {
	var list []Stage
	for _, s := range steps {
		if len(list) == 0 || list[len(list)-1].Name != s.stage {
			list = append(list, Stage{s.stage, s.stage == stageWrite})
		}
	}
	return list
}

// Notes are what the read stage tells the later ones.
type Notes struct {
	Name   string `json:"name"`   // of the file
	Hash   string `json:"hash"`   // of the ingest
	Sum    string `json:"sum"`    // of the content
	Size   int    `json:"size"`   // of the content, in bytes
	Groups int    `json:"groups"` // of chunks that are written together
	Pages  int    `json:"pages"`
	Chunks int    `json:"chunks"`
	Done   bool   `json:"done"` // nothing is left to do
}

// allGroups is the group of a job that writes every group of chunks.
const allGroups = -1

// Stand is how far an ingest is.
type Stand struct {
	Step string
	// Share is the part of the work that is done, 0 to 1, estimated by steps and,
	// while chunks are written, by chunks.
	Share  float64
	Pages  int // of the document; 0 until it is read, and for a format without pages
	Chunks int // of the document; 0 until it is split
	Done   int // chunks that are written
}

// job is one ingest under way.
type job struct {
	service    *Service
	body       *Body // without its input
	source     source
	hash, sum  string // fingerprints of the ingest and of the content alone
	size       int    // of the content, in bytes
	generation string
	group      int
	entry      *entry
	doc        *document.Document
	pieces     []chunk.Chunk
	written    bool // the chunks lie in the index
	same       bool // the content is that of the live generation: nothing was to be done

	tell   func(Stand) // nil, or told of steps, and of chunks as they are written
	step   step        // under way
	at, of int         // its place among all steps
	done   atomic.Int64
}

// stand describes the job at its current step.
func (j *job) stand() Stand {
	p := Stand{Step: j.step.name, Share: float64(j.at) / float64(j.of), Chunks: len(j.pieces), Done: int(j.done.Load())}
	if j.doc != nil {
		p.Pages = j.doc.Pages
	}
	if j.step.stage == stageWrite && p.Chunks > 0 {
		p.Share += float64(p.Done) / float64(p.Chunks) / float64(j.of)
	}
	return p
}

// wrote counts written chunks.
func (j *job) wrote(n int) {
	j.done.Add(int64(n))
	if j.tell != nil {
		j.tell(j.stand())
	}
}

func (s *Service) job(b *Body, src source) *job {
	return &job{service: s, body: &Body{Artifact: b.Artifact, Collection: b.Collection, Metadata: b.Metadata}, source: src, group: allGroups}
}

func (j *job) accepted() Accepted { return Accepted{j.body.Collection, j.body.Artifact, j.generation} }

// run runs the steps of a stage, or of all stages when it is empty, until one
// fails or nothing is left to do. A job whose chunks are written begins with
// the last stage. before is called before each step.
func (j *job) run(ctx context.Context, stage string, before func() error) error {
	if j.written {
		stage = stageFinish
	}
	for at, s := range steps {
		if stage != "" && s.stage != stage {
			continue
		}
		j.step, j.at, j.of = s, at, len(steps)
		if err := before(); err != nil {
			return err
		}
		within, span := trace.Start(ctx, "ingest "+s.name, attribute.String("lectern.collection", j.body.Collection))
		err := s.run(j, within)
		span.Set(attribute.Int("lectern.chunks", len(j.pieces)))
		span.End(err)
		if err != nil {
			return err
		}
		if j.written = j.written || s.stage == stageWrite; j.same {
			return nil
		}
	}
	return nil
}

// begin makes the job of an accepted ingest. over says that nothing is left to
// do: an earlier try came to its end, or the content is the same as before. An
// ingest that was overtaken is a Conflict.
func (s *Service) begin(ctx context.Context, a Accepted, b *Body) (j *job, over bool, err error) {
	src, err := s.given(ctx, b)
	if err != nil {
		return nil, false, err
	}
	j = s.job(b, src)
	j.generation = a.Generation
	if j.entry, err = s.find(ctx, a.Collection, a.Artifact); err != nil {
		return nil, false, err
	}
	switch e := j.entry; {
	case e.Live == a.Generation:
		return j, true, nil
	case e.Want != a.Generation:
		return nil, false, overtaken(a.Artifact)
	}
	e := j.entry
	if src.data == nil || e.Live == "" || e.Hash != s.fingerprint(src, b.Metadata) {
		return j, false, nil
	}
	over, err = s.unchanged(ctx, e, src)
	return j, over, err
}

// notes are those of a job that has read its document.
func (j *job) notes() Notes {
	return Notes{Name: j.source.name, Hash: j.hash, Sum: j.sum, Size: j.size, Groups: len(groupsOf(j.pieces)), Pages: j.doc.Pages,
		Chunks: len(j.pieces)}
}

// recall brings the job to where the read stage left it.
func (j *job) recall(ctx context.Context, notes Notes) error {
	raw, _, err := object.ReadAll(ctx, j.service.Objects, j.service.storedKey(j.body.Collection, j.body.Artifact, j.generation), maxStored)
	if err != nil {
		return err
	}
	if j.doc, err = decodeStored(raw); err != nil {
		return fmt.Errorf("decode the stored text: %w", err)
	}
	j.source.name, j.source.data, j.hash, j.sum, j.size = notes.Name, nil, notes.Hash, notes.Sum, notes.Size
	j.pieces = chunk.Split(j.doc)
	return nil
}

// Resume runs an accepted ingest, from its beginning, however far an earlier
// try came; progress is told of each step before it begins, and of chunks as they
// are written, concurrently. An ingest that was
// overtaken is a Conflict. After an error the ingest can be resumed again, or
// has to be abandoned; after success, and once that is noted, it has to be
// settled.
//
// The notes that it returns, once the chunks are written, let a later call
// continue with the steps that follow: an index that does not show them yet is
// Unavailable. Nil begins at the beginning.
func (s *Service) Resume(ctx context.Context, a Accepted, b *Body, from *Notes, progress func(Stand)) (Doc, *Notes, error) {
	j, over, err := s.begin(ctx, a, b)
	if err != nil {
		return Doc{}, nil, err
	}
	if over {
		return newDoc(j.entry), nil, nil
	}
	if from != nil {
		if err := j.recall(ctx, *from); err != nil {
			return Doc{}, nil, err
		}
		j.written = true
	}
	j.tell = progress
	err = j.run(ctx, "", func() error {
		progress(j.stand())
		wanted, err := s.Wanted(ctx, a)
		if err == nil && !wanted {
			err = overtaken(a.Artifact)
		}
		return err
	})
	if err == nil {
		return newDoc(j.entry), nil, nil
	}
	if !j.written {
		return Doc{}, nil, err
	}
	notes := j.notes()
	return Doc{}, &notes, err
}

// RunStage runs one stage of an accepted ingest, as often as it takes: every
// stage may run twice. group counts from 0, for stages that run for each. The
// document is what the ingest came to, once notes say that it is done. Errors
// are those of Resume.
func (s *Service) RunStage(ctx context.Context, a Accepted, b *Body, stage string, group int, notes Notes) (Notes, Doc, error) {
	j, over, err := s.begin(ctx, a, b)
	if err != nil {
		return notes, Doc{}, err
	}
	if over {
		notes.Done = true
		return notes, newDoc(j.entry), nil
	}
	switch stage {
	case stageRead:
	case stageWrite, stageFinish:
		j.group = group
		if err := j.recall(ctx, notes); err != nil {
			return notes, Doc{}, err
		}
	default:
		return notes, Doc{}, fmt.Errorf("an ingest has no stage %q", stage)
	}
	if err := j.run(ctx, stage, func() error { return nil }); err != nil {
		return notes, Doc{}, err
	}
	if stage == stageRead && !j.same {
		return j.notes(), Doc{}, nil
	}
	if notes.Done = j.same || stage == stageFinish; !notes.Done {
		return notes, Doc{}, nil
	}
	return notes, newDoc(j.entry), nil
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
