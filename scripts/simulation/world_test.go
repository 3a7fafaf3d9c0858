package simulation_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/shared/auth/keystore"
	"lectern/shared/chat"
	"lectern/shared/chat/async"
	"lectern/shared/chat/batch"
	"lectern/shared/chat/model"
	"lectern/shared/chat/skill"
	"lectern/shared/chat/stream"
	"lectern/shared/file"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/artifacttest"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/embedding/hashembedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/message"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/seal/fileseal"
	"lectern/shared/storage/sweep"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/localtask"
	"lectern/shared/web/callback"
	"lectern/shared/web/fetch"
)

// ids counts, in the form of ULIDs of the bubble's time.
type ids struct {
	mu sync.Mutex
	n  int
}

func (i *ids) next() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.n++
	return i.n
}

func (i *ids) Fresh(prefix string) string { return fmt.Sprintf("%s%024d", prefix, i.next()) }

func (i *ids) Ordered() string {
	const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	ms, out := time.Now().UnixMilli(), make([]byte, 10)
	for at := 9; at >= 0; at-- {
		out[at] = crockford[ms&31]
		ms >>= 5
	}
	return fmt.Sprintf("%s%016d", out, i.next())
}

// speaker is a model that says words with pauses, and fails now and then.
type speaker struct{ sim *sim }

func (m speaker) Stream(ctx context.Context, req *model.Request) iter.Seq2[model.Event, error] {
	words := 1 + req.MaxTokens%7
	return func(yield func(model.Event, error) bool) {
		for i := range words {
			select {
			case <-time.After(time.Duration(50+req.MaxTokens*37%900) * time.Millisecond):
			case <-ctx.Done():
				yield(model.Event{}, ctx.Err())
				return
			}
			if i == 0 && !yield(model.Event{Kind: model.Start, Block: &message.Text{}, More: true}, nil) {
				return
			}
			if !yield(model.Event{Kind: model.Delta, Delta: message.Delta{Type: message.TextDelta, Text: fmt.Sprintf("word%d ", i)}}, nil) {
				return
			}
		}
		if req.MaxTokens%11 == 0 {
			yield(model.Event{}, errors.New("the model broke"))
			return
		}
		if yield(model.Event{Kind: model.End, More: true}, nil) {
			yield(model.Event{Kind: model.Stop, Reason: message.StopEndTurn}, nil)
		}
	}
}

// process is one API or worker process. It dies when its context ends.
type process struct {
	sim       *sim
	name      string
	ctx       context.Context
	kill      context.CancelFunc
	ids       *ids
	chats     *async.Service
	tasks     *tasks.Service
	artifacts *artifact.Service
	searcher  *retrieval.Searcher
	files     *file.Service
	skills    *skill.Service
	batches   *batch.Service
	keys      *keystore.Store
	local     *localtask.Queue // nil in a cloud
	work      sync.WaitGroup
}

// sim is one run.
type sim struct {
	scheduler
	asked   float64 // rate while the run lasts
	cloud   bool    // several processes and a queue between them, or one with its own
	carry   int     // of requests that travel with their jobs
	records record.Store
	objects object.Store
	chunks  index.Store
	sealer  *fileseal.Sealer
	readers *reader.Set
	queue   *queue
	ids     *ids
	procs   []*process
	born    int
	truth
	kept
}

// newSim makes a run in a directory of its own, which goes when the test ends.
func newSim(t *testing.T, seed uint64, dir string, readers *reader.Set) *sim {
	t.Helper()
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	stores := artifacttest.OpenStores(t, dir)
	s := &sim{records: stores.Records, objects: stores.Objects, chunks: stores.Index, readers: readers, queue: newQueue(), ids: &ids{}}
	s.rng = rand.New(rand.NewPCG(seed, 1))
	s.cloud = s.rng.IntN(4) > 0
	s.rate = []float64{0, .02, .05, .15}[s.rng.IntN(4)]
	s.asked = s.rate
	if seed%2 == 1 {
		s.carry = -1 // all are objects
	}
	var err error
	if s.sealer, err = fileseal.New(make([]byte, 32)); err != nil {
		t.Fatal(err)
	}
	return s
}

// start adds a process. An auditor's calls all go well and wait for nobody.
func (s *sim) start(auditor bool) (*process, error) {
	s.mu.Lock()
	s.born++
	name := fmt.Sprintf("p%d", s.born)
	s.mu.Unlock()
	p := &process{sim: s, name: name, ids: s.ids}
	p.ctx, p.kill = context.WithCancel(context.Background())
	var rec record.Store = records{s.records, p}
	var obj object.Store = objects{s.objects, p}
	var idx index.Store = chunks{s.chunks, p}
	var q task.Queue = sender{s.queue, p}
	if auditor {
		rec, obj, idx, q = s.records, s.objects, s.chunks, nobody{}
	}
	log := slog.New(slog.DiscardHandler)
	table := task.Table{}
	if !s.cloud && !auditor {
		local, err := localtask.Open(p.ctx, rec, table, localtask.Options{IDs: p.ids, Now: time.Now, Log: log})
		if err != nil {
			p.kill()
			return nil, err
		}
		q, p.local = local, local
	}
	embedder := hashembedding.New()
	p.artifacts = &artifact.Service{Objects: obj, Records: rec, Index: idx, Embedder: embedder, Readers: s.readers, Fetch: fetch.New(nil), IDs: p.ids,
		Now: time.Now, Log: log, Guard: sweep.Guard{All: true}} // a day later few documents are left, and much may lie around
	p.searcher = &retrieval.Searcher{Artifacts: p.artifacts, Index: idx, Embedder: embedder, Log: log}
	callbacks := &callback.Service{Bus: bus{p}, Records: rec, Queue: q, Sealer: s.sealer, Fetch: fetch.New(nil), IDs: p.ids, Now: time.Now, Log: log}
	p.tasks = &tasks.Service{Artifacts: p.artifacts, Callbacks: callbacks, Records: rec, Objects: obj, Queue: q, Sealer: s.sealer, IDs: p.ids, Now: time.Now,
		Log:     log,
		Options: tasks.Options{Owner: p.name, Alone: !s.cloud, Deadline: taskDeadline, Revisit: s.cloud, Carry: s.carry}}
	pack := time.Duration(0)
	if s.cloud {
		pack = 300 * time.Millisecond
	}
	catalog := model.NewCatalog(model.Entry{Info: model.Info{ID: "speaker", MaxTokens: 4000}, Model: speaker{s}})
	p.chats = &async.Service{
		Engine: &chat.Engine{Models: catalog, IDs: p.ids, Now: time.Now, Log: log}, Records: rec, Objects: obj, Queue: q, Sealer: s.sealer,
		Streams: stream.NewStore(rec, !s.cloud), IDs: p.ids, Now: time.Now, Log: log,
		ErrorData: func(_ string, err error) []byte {
			return fmt.Appendf(nil, `{"type":"error","message":%q}`, err.Error())
		},
		Options: async.Options{Owner: p.name, Alone: !s.cloud, Pack: pack, Deadline: chatDeadline},
	}
	p.batches = &batch.Service{Engine: p.chats.Engine, Records: rec, Objects: obj, Queue: q, Sealer: s.sealer, IDs: p.ids, Now: time.Now, Log: log,
		Kept: batchLife, ErrorData: p.chats.ErrorData}
	p.files = &file.Service{Objects: obj, Records: rec, Namespaces: []string{file.DefaultNamespace}, IDs: p.ids, Now: time.Now,
		Guard: sweep.Guard{All: true}}
	p.skills = &skill.Service{Objects: obj, Records: rec, IDs: p.ids, Now: time.Now, Guard: sweep.Guard{All: true}}
	p.keys = &keystore.Store{Records: rec, Now: time.Now}
	if auditor {
		return p, nil
	}
	table[batch.Kind] = p.batches.Handler()
	table[async.Kind], table[callback.Kind] = p.chats.Handler(), callbacks.Handler()
	table[tasks.IngestKind], table[tasks.DeleteKind] = p.tasks.Handler(), p.tasks.Handler()
	if p.local != nil {
		p.local.Start()
	} else {
		p.work.Go(func() { p.poll(table) })
	}
	s.mu.Lock()
	s.procs = append(s.procs, p)
	s.mu.Unlock()
	return p, nil
}

const (
	chatDeadline = 3 * time.Minute
	taskDeadline = 10 * time.Minute
	workers      = 4
)

// nobody is a queue whose jobs nobody does.
type nobody struct{}

func (nobody) Send(context.Context, task.Job, time.Duration) error { return nil }

func (nobody) Close() error { return nil }

// poll is a worker's loop: what Lambda and SQS do together.
func (p *process) poll(table task.Table) {
	slots := make(chan struct{}, workers)
	for p.ctx.Err() == nil {
		l := p.sim.queue.take(func(n int) int {
			p.sim.mu.Lock()
			defer p.sim.mu.Unlock()
			return p.sim.rng.IntN(n)
		})
		if l == nil {
			select {
			case <-p.ctx.Done():
			case <-p.sim.queue.bell:
			case <-time.After(5 * time.Second):
			}
			continue
		}
		slots <- struct{}{}
		p.work.Go(func() {
			defer func() { <-slots }()
			p.deliver(table, l)
		})
	}
}

func (p *process) deliver(table task.Table, l *letter) {
	q := p.sim.queue
	var err error
	if l.received > task.MaxAttempts+2 { // the dead-letter queue
		err = table.Dead(p.ctx, l.job, errors.New("the worker died in every try"))
	} else {
		err = table.Run(p.ctx, task.Delivery{Job: l.job, Attempt: l.received, Hold: func(_ context.Context, d time.Duration) error {
			return effect(p, "hold", func() error { q.hide(l, d); return nil })
		}})
		if err != nil && p.ctx.Err() == nil && l.received >= task.MaxAttempts {
			err = table.Dead(p.ctx, l.job, err)
		}
	}
	if p.ctx.Err() != nil {
		return
	}
	if err != nil {
		_ = effect(p, "repeat", func() error { q.hide(l, time.Duration(1+l.received*l.received)*time.Second); return nil })
		return
	}
	_ = effect(p, "done", func() error { q.remove(l); return nil })
}

// bus collects callbacks.
type bus struct{ p *process }

func (b bus) Publish(_ context.Context, _, key, id string, body []byte) error {
	return effect(b.p, "publish", func() error {
		var v struct {
			TaskID string `json:"task_id"`
			Type   string `json:"type"`
		}
		if err := json.Unmarshal(body, &v); err != nil {
			return err
		}
		b.p.sim.told(v.TaskID+" "+v.Type, id)
		return nil
	})
}

// text is the n-th version of an artifact: three sections, each of which names
// the version.
func text(collection, name string, version int) string {
	var b strings.Builder
	for i := range 3 {
		fmt.Fprintf(&b, "# Part %d\n\n", i)
		for range 30 {
			fmt.Fprintf(&b, "Robins of %s in %s sing version%d at dawn. ", name, collection, version)
		}
		b.WriteString("\n\n")
	}
	return b.String()
}
