package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/artifacttest"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/seal/fileseal"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/localtask"
	"lectern/shared/web/callback"
	"lectern/shared/web/fetch"
)

// flakyIndex lets a test act before chunks are written, and does not show for
// some looks what was.
type flakyIndex struct {
	index.Store
	before atomic.Pointer[func() error]
	hidden atomic.Int64 // looks
	writes atomic.Int64
}

func (f *flakyIndex) Await(ctx context.Context, collection, artifact, generation string, want int) error {
	if f.hidden.Add(-1) >= 0 {
		return fault.New(fault.Unavailable, "not shown yet")
	}
	return f.Store.Await(ctx, collection, artifact, generation, want)
}

func (f *flakyIndex) Write(ctx context.Context, chunks []index.Chunk) error {
	f.writes.Add(1)
	if before := f.before.Load(); before != nil {
		if err := (*before)(); err != nil {
			return err
		}
	}
	return f.Store.Write(ctx, chunks)
}

type world struct {
	*tasks.Service
	index *flakyIndex
	queue *localtask.Queue
	table task.Table
	now   *atomic.Int64 // nanoseconds that the clock was put forward
}

func open(t *testing.T) *world {
	t.Helper()
	sealer, err := fileseal.Open(filepath.Join(t.TempDir(), "key"))
	if err != nil {
		t.Fatal(err)
	}
	artifacts := artifacttest.Open(t)
	w := &world{index: &flakyIndex{Store: artifacts.Index}, table: task.Table{}, now: &atomic.Int64{}}
	now := func() time.Time { return time.Now().Add(time.Duration(w.now.Load())) }
	ids, log := ident.Random{Now: now}, slog.New(slog.DiscardHandler)
	artifacts.Index, artifacts.IDs, artifacts.Now = w.index, ids, now
	w.queue, err = localtask.Open(t.Context(), artifacts.Records, w.table, localtask.Options{IDs: ids, Now: now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	callbacks := &callback.Service{Records: artifacts.Records, Queue: w.queue, Sealer: sealer, Fetch: fetch.New(nil), IDs: ids, Now: now, Log: log}
	w.Service = &tasks.Service{Artifacts: artifacts, Callbacks: callbacks, Records: artifacts.Records, Objects: artifacts.Objects, Queue: w.queue,
		Sealer: sealer,
		IDs:    ids, Now: now, Log: log, Options: tasks.Options{Owner: "first", Alone: true}}
	w.table[tasks.IngestKind], w.table[tasks.DeleteKind] = w.Handler(), w.Handler()
	return w
}

func (w *world) ingest(t *testing.T, name, text string) string {
	t.Helper()
	id, err := w.Ingest(t.Context(), &tasks.IngestBody{Body: &artifact.Body{Artifact: name, Collection: "c",
		Input: &artifact.Input{Type: "text", Value: text}}})
	if err != nil {
		t.Fatalf("Ingest = %v", err)
	}
	return id
}

func (w *world) delete(t *testing.T, name string) string {
	t.Helper()
	id, err := w.Delete(t.Context(), &tasks.DeleteBody{Body: &artifact.DeleteBody{Artifact: name, Collection: "c"}})
	if err != nil {
		t.Fatalf("Delete = %v", err)
	}
	return id
}

// settle runs jobs until none is left, putting the clock forward.
func (w *world) settle(t *testing.T) {
	t.Helper()
	for {
		_, next := w.queue.RunDue(t.Context())
		if next.IsZero() {
			return
		}
		w.now.Add(int64(time.Hour))
	}
}

func (w *world) state(t *testing.T, kind, id string) tasks.Status {
	t.Helper()
	st, err := w.Status(t.Context(), kind, id)
	if err != nil {
		t.Fatalf("Status = %v", err)
	}
	return st
}

// quiet checks that what is listed is what the index holds, that every other
// object is gone, and returns the content of the one artifact.
func (w *world) quiet(t *testing.T) string {
	t.Helper()
	docs, err := w.Artifacts.List(t.Context(), "c", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	generations := 0
	for g, err := range w.index.Generations(t.Context(), "", index.Generation{}) {
		if err != nil {
			t.Fatal(err)
		}
		generations++
		if len(docs) == 0 {
			t.Errorf("the index holds %d chunks of %s, which is not listed", g.Chunks, g.Artifact)
		}
	}
	if generations != len(docs) {
		t.Errorf("%d generations are indexed, %d artifacts are listed", generations, len(docs))
	}
	for prefix, want := range map[string]int{"documents/": len(docs), "tasks/": 0} {
		if list, _, err := w.Objects.List(t.Context(), prefix, "", 0); err != nil || len(list) != want {
			t.Errorf("%d objects under %s, %v, want %d", len(list), prefix, err, want)
		}
	}
	if len(docs) == 0 {
		return ""
	}
	content, err := w.Artifacts.Content(t.Context(), &artifact.ContentBody{Filter: &artifact.Filter{Collection: "c"}})
	if err != nil {
		t.Fatal(err)
	}
	return content[0].Content.(string)
}

func TestIngest(t *testing.T) {
	w := open(t)
	id := w.ingest(t, "a", "Robins sing.")
	if st := w.state(t, tasks.IngestKind, id); st.State != tasks.Pending {
		t.Errorf("accepted: %+v", st)
	}
	w.settle(t)
	st := w.state(t, tasks.IngestKind, id)
	if st.State != tasks.Success || st.Doc == nil || st.Doc.Artifact != "a" || w.quiet(t) != "Robins sing." {
		t.Errorf("done: %+v", st)
	}
	again := w.ingest(t, "a", "Robins sing.")
	w.settle(t)
	if st := w.state(t, tasks.IngestKind, again); st.State != tasks.Success || st.Doc.Metadata["ingested_at"] == nil || w.quiet(t) != "Robins sing." {
		t.Errorf("the same content again: %+v", st)
	}
	other := auth.With(t.Context(), auth.Principal{Collections: []string{"other"}})
	if _, err := w.Status(other, tasks.IngestKind, id); !fault.Is(err, fault.NotFound) {
		t.Errorf("Status for another key = %v, want NotFound", err)
	}
	for _, c := range [][2]string{{tasks.DeleteKind, id}, {tasks.IngestKind, "unknown"}, {tasks.IngestKind, "a b"}} {
		if _, err := w.Status(t.Context(), c[0], c[1]); !fault.Is(err, fault.NotFound) {
			t.Errorf("Status(%q) = %v, want NotFound", c, err)
		}
	}
}

func TestFailures(t *testing.T) {
	w := open(t)
	w.ingest(t, "a", "The old text.")
	w.settle(t)
	broken := func() error { return errors.New("disk full") }
	w.index.before.Store(&broken)
	id := w.ingest(t, "a", "The new text.")
	w.queue.RunDue(t.Context())
	if st := w.state(t, tasks.IngestKind, id); st.State != tasks.Retry {
		t.Errorf("after one failure: %+v", st)
	}
	w.settle(t)
	if st := w.state(t, tasks.IngestKind, id); st.State != tasks.Failure || st.Error == "" {
		t.Errorf("after all: %+v", st)
	}
	if got := w.quiet(t); got != "The old text." {
		t.Errorf("the artifact says %q", got)
	}
	if _, err := w.Ingest(t.Context(), &tasks.IngestBody{Body: &artifact.Body{Artifact: "b", Collection: "c",
		Input: &artifact.Input{Type: "file", Value: "%"}}}); !fault.Is(err, fault.Invalid) {
		t.Errorf("Ingest of bad base64 = %v, want Invalid at once", err)
	}
}

// TestRevisit: an ingest whose chunks the index does not show yet is left alone
// and gone on with later, without being written again; it ends as ever, also
// when it is overtaken meanwhile.
func TestRevisit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := open(t)
		w.Options.Revisit = true
		w.index.hidden.Store(6)
		id := w.ingest(t, "a", "Robins sing.")
		begun := time.Now()
		var after []time.Duration
		for {
			_, next := w.queue.RunDue(t.Context())
			if next.IsZero() {
				break
			}
			if st := w.state(t, tasks.IngestKind, id); st.State != tasks.Started || st.Progress.Step != "await" ||
				st.Progress.Chunks != 1 || st.Progress.Percentage < 50 {
				t.Errorf("between looks: %+v", st)
			}
			after = append(after, time.Until(next).Round(time.Second))
			time.Sleep(time.Until(next))
		}
		if diff := cmp.Diff([]time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, time.Minute, time.Minute}, after); diff != "" {
			t.Errorf("pauses (-want +got):\n%s", diff)
		}
		st := w.state(t, tasks.IngestKind, id)
		if st.State != tasks.Success || st.Doc == nil || w.quiet(t) != "Robins sing." || w.index.writes.Load() != 1 {
			t.Errorf("after %s and %d writes: %+v", time.Since(begun), w.index.writes.Load(), st)
		}
		w.index.hidden.Store(1)
		first := w.ingest(t, "a", "Owls hunt.")
		w.queue.RunDue(t.Context())
		second := w.ingest(t, "a", "Gulls cry.")
		for {
			_, next := w.queue.RunDue(t.Context())
			if next.IsZero() {
				break
			}
			time.Sleep(time.Until(next))
		}
		if a, b := w.state(t, tasks.IngestKind, first), w.state(t, tasks.IngestKind, second); a.State != tasks.Revoked || b.State != tasks.Success ||
			w.quiet(t) != "Gulls cry." {
			t.Errorf("overtaken between looks: %+v, then %+v, and %q is found", a, b, w.quiet(t))
		}
	})
}

func TestDeleteRevokes(t *testing.T) {
	w := open(t)
	ingested := w.ingest(t, "a", "Never to be seen.")
	deleted := ""
	act := func() error {
		w.index.before.Store(nil)
		deleted = w.delete(t, "a")
		if st := w.state(t, tasks.IngestKind, ingested); st.State != tasks.Revoked {
			t.Errorf("while it runs: %+v", st)
		}
		return nil
	}
	w.index.before.Store(&act)
	w.settle(t)
	if st := w.state(t, tasks.IngestKind, ingested); st.State != tasks.Revoked || st.Error != "" {
		t.Errorf("the ingest: %+v", st)
	}
	if st := w.state(t, tasks.DeleteKind, deleted); st.State != tasks.Success {
		t.Errorf("the deletion: %+v", st)
	}
	if got := w.quiet(t); got != "" {
		t.Errorf("the artifact says %q", got)
	}
	unknown := w.delete(t, "never")
	w.settle(t)
	if st := w.state(t, tasks.DeleteKind, unknown); st.State != tasks.Success || st.Error != "" {
		t.Errorf("the deletion of an unknown artifact: %+v", st)
	}
}

// TestRestart: a process that dies in an ingest, before or after the commit,
// leaves a task that the next one brings to its end.
func TestRestart(t *testing.T) {
	w := open(t)
	id := w.ingest(t, "a", "Half done.")
	dead, kill := context.WithCancel(t.Context())
	die := func() error {
		kill()
		return errors.New("killed")
	}
	w.index.before.Store(&die)
	w.queue.RunDue(dead)
	w.index.before.Store(nil)
	if st := w.state(t, tasks.IngestKind, id); st.State != tasks.Started {
		t.Errorf("after the process died: %+v", st)
	}
	if err := w.Artifacts.Sweep(t.Context(), true); err != nil { // as at every start
		t.Fatal(err)
	}
	w.Options.Owner = "second"
	queue, err := localtask.Open(t.Context(), w.Records, w.table, localtask.Options{IDs: w.IDs, Now: w.Now, Log: w.Log})
	if err != nil {
		t.Fatal(err)
	}
	w.queue, w.Queue = queue, queue
	w.settle(t)
	if st := w.state(t, tasks.IngestKind, id); st.State != tasks.Success || w.quiet(t) != "Half done." {
		t.Errorf("after the restart: %+v", st)
	}
}

// TestInterleavings: whatever the order in which ingests and deletions are
// accepted, run, fail and are repeated, the last accepted one decides.
func TestInterleavings(t *testing.T) {
	for seed := range uint64(12) {
		w := open(t)
		rng := rand.New(rand.NewPCG(seed, 0))
		var failing atomic.Bool
		hook := func() error {
			if failing.Load() {
				return errors.New("the index is away")
			}
			return nil
		}
		w.index.before.Store(&hook)
		w.queue.Start()
		want := ""
		var ids []string
		var group sync.WaitGroup
		for n := range 25 {
			failing.Store(rng.IntN(3) == 0)
			switch rng.IntN(4) {
			case 0:
				w.delete(t, "a")
				want = ""
			case 1:
				group.Go(func() { w.Artifacts.Sweep(t.Context(), false) })
			default:
				want = fmt.Sprintf("Version %d.", n)
				ids = append(ids, w.ingest(t, "a", want))
			}
		}
		group.Wait()
		failing.Store(false)
		w.now.Add(int64(time.Hour)) // what was put off is due
		w.queue.Close()
		queue, err := localtask.Open(t.Context(), w.Records, w.table, localtask.Options{IDs: w.IDs, Now: w.Now, Log: w.Log})
		if err != nil {
			t.Fatal(err)
		}
		w.queue, w.Queue = queue, queue
		w.settle(t)
		// A try that was stopped between its last two steps leaves what it
		// replaced, unseen, for the sweep.
		if err := w.Artifacts.Sweep(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		if got := w.quiet(t); got != want {
			t.Errorf("seed %d: the artifact says %q, want %q", seed, got, want)
		}
		for _, id := range ids {
			if st := w.state(t, tasks.IngestKind, id); st.State != tasks.Success && st.State != tasks.Revoked {
				t.Errorf("seed %d: a task ended as %+v", seed, st)
			}
		}
	}
}

// TestSweep: the request of a task is kept while it may run, and what nobody
// was told of is erased later.
func TestSweep(t *testing.T) {
	w := open(t)
	w.ingest(t, "a", strings.Repeat("Robins sing. ", 6000)) // more than a job carries
	w.ingest(t, "b", "Robins sing.")
	count := func() int {
		t.Helper()
		if err := w.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, _, err := w.Objects.List(t.Context(), "tasks/", "", 0)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if n := count(); n != 1 {
		t.Errorf("%d requests are left, want 1", n)
	}
	w.now.Add(int64(13 * time.Hour))
	if n := count(); n != 0 {
		t.Errorf("%d requests are left after 13 hours, want none", n)
	}
}

// published is a bus that keeps what is published.
type published struct {
	mu   sync.Mutex
	list []string
}

func (p *published) Publish(_ context.Context, _, key, id string, body []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, key+" "+id+" "+string(body))
	return nil
}

// TestProgressIsShown: the state of an ingest under way tells the chunks, the share that
// is done and an estimate, behind by a second at most.
func TestProgressIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := open(t)
		slow := func() error { time.Sleep(10 * time.Second); return nil }
		w.index.before.Store(&slow)
		w.table[tasks.StagedKind] = w.Handler()
		text := strings.Repeat("Robins sing in the morning, and owls hunt at night. ", 120000)
		id := w.ingest(t, "a", text)
		var shares []int
		done := make(chan struct{})
		go func() {
			defer close(done)
			for {
				time.Sleep(time.Second)
				st := w.state(t, tasks.IngestKind, id)
				if st.State != tasks.Started {
					return
				}
				p := st.Progress
				if p.Done > p.Chunks || p.Done > 0 && (p.Seconds == 0 || p.Step != "index" && p.Step != "await") {
					t.Errorf("progress %+v", p)
				}
				if p.Done > 0 && (len(shares) == 0 || shares[len(shares)-1] != p.Done) {
					shares = append(shares, p.Done)
				}
			}
		}()
		w.settle(t)
		<-done
		if len(shares) < 2 {
			t.Errorf("%v chunks were done by and by, want to see several numbers", shares)
		}
	})
}

// TestProgressIsAnnounced: an ingest that takes long tells how far it is, each
// time under an id of its own, and then its end.
func TestProgressIsAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := open(t)
		bus := &published{}
		w.Callbacks.Bus = bus
		w.table[callback.Kind] = w.Callbacks.Handler()
		slow := func() error { time.Sleep(time.Minute); return nil }
		w.index.before.Store(&slow)
		told := &callback.Config{AMQP: &callback.AMQP{Exchange: "x", Done: "done", Progress: "progress"}}
		id, err := w.Ingest(t.Context(), &tasks.IngestBody{Callback: told, Body: &artifact.Body{Artifact: "a", Collection: "c",
			Input: &artifact.Input{Type: "text", Value: "Robins sing."}}})
		if err != nil {
			t.Fatal(err)
		}
		w.settle(t)
		if len(bus.list) != 2 || !strings.HasPrefix(bus.list[0], "progress evt_"+id+"_ingest.progress_") ||
			!strings.Contains(bus.list[0], `"current_step":"index"`) || !strings.Contains(bus.list[0], `"chunks":1`) ||
			!strings.HasPrefix(bus.list[1], "done evt_"+id+"_ingest.done ") {
			t.Errorf("published %q, want the progress and the end", bus.list)
		}
	})
}
