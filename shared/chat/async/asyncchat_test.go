package async_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/chat"
	"lectern/shared/chat/async"
	"lectern/shared/chat/model"
	"lectern/shared/chat/stream"
	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/message"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/storage/record/recordmeter"
	"lectern/shared/storage/seal/fileseal"
	"lectern/shared/storage/task"
)

// script is a model that says words with a pause after each; after that it
// fails with end, when there is one.
type script struct {
	words int
	pause time.Duration
	end   error
}

func (s *script) Stream(ctx context.Context, _ *model.Request) iter.Seq2[model.Event, error] {
	return func(yield func(model.Event, error) bool) {
		for i := range s.words {
			select {
			case <-time.After(s.pause):
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
		if s.end != nil {
			yield(model.Event{}, s.end)
			return
		}
		if yield(model.Event{Kind: model.End, More: true}, nil) {
			yield(model.Event{Kind: model.Stop, Reason: message.StopEndTurn}, nil)
		}
	}
}

// sent keeps the jobs that were sent; the test delivers them.
type sent struct {
	mu   sync.Mutex
	jobs []task.Job
}

func (q *sent) Send(_ context.Context, job task.Job, _ time.Duration) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, job)
	return nil
}

func (q *sent) Close() error { return nil }

// world is two processes, workers and readers, on the same stores.
type world struct {
	*async.Service
	other *async.Service
	queue *sent
	model *script
}

func open(t *testing.T, wrap func(record.Store) record.Store) *world {
	t.Helper()
	dir := t.TempDir()
	bolt, err := boltrecord.Open(filepath.Join(dir, "records.db"), boltrecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	objects, err := diskobject.Open(filepath.Join(dir, "objects"), diskobject.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := fileseal.Open(filepath.Join(dir, "key"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { bolt.Close(); objects.Close() })
	records := record.Store(bolt)
	if wrap != nil {
		records = wrap(bolt)
	}
	w := &world{queue: &sent{}, model: &script{words: 3, pause: 100 * time.Millisecond}}
	ids, log := ident.Random{Now: time.Now}, slog.New(slog.DiscardHandler)
	catalog := model.NewCatalog(model.Entry{Info: model.Info{ID: "script", MaxTokens: 4000}, Model: w.model})
	process := func(owner string) *async.Service {
		return &async.Service{
			Engine: &chat.Engine{Models: catalog, IDs: ids, Now: time.Now, Log: log}, Records: records, Objects: objects, Queue: w.queue, Sealer: sealer,
			Streams: stream.NewStore(records, false),
			IDs:     ids, Now: time.Now, Log: log, ErrorData: func(_ string, err error) []byte { return fmt.Appendf(nil, "%q", err.Error()) },
			Options: async.Options{Owner: owner, Pack: 300 * time.Millisecond},
		}
	}
	w.Service, w.other = process("one"), process("two")
	return w
}

const body = `{"max_tokens":500,"messages":[{"role":"user","content":"Hello"}]}`

// start starts a message and returns its job, whose id names its log.
func (w *world) start(t *testing.T, id string) task.Job {
	t.Helper()
	started, err := w.Start(t.Context(), async.Start{ID: id, Body: []byte(body)})
	if err != nil || started.ID != id || started.Status != stream.Pending {
		t.Fatalf("Start = %+v, %v", started, err)
	}
	return w.queue.jobs[len(w.queue.jobs)-1]
}

func run(s *async.Service, ctx context.Context, job task.Job) error {
	return s.Handler().Run(ctx, task.Delivery{Job: job, Attempt: 1})
}

func status(t *testing.T, s *async.Service, id string) *async.Info {
	t.Helper()
	info, err := s.Status(t.Context(), id)
	if err != nil {
		t.Fatalf("Status = %v", err)
	}
	return info
}

// read returns the types of a message's events, until its end.
func read(t *testing.T, s *async.Service, id string) []string {
	t.Helper()
	events, err := s.Events(t.Context(), id, 0)
	if err != nil {
		t.Fatalf("Events = %v", err)
	}
	var types []string
	for e, err := range events {
		if err != nil {
			t.Errorf("Events = %v", err)
		}
		if e.N > 0 {
			types = append(types, e.Type)
		}
	}
	return types
}

// bubble runs a story in a bubble whose clock is its own.
func bubble(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, open(t, nil)) })
}

// TestDeadWorker: another worker takes over what a dead one left while no
// event is stored, and not before its lease has ended; after an event the
// message ends in an error, for a reader that was there all the time too.
func TestDeadWorker(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		for _, spoken := range []bool{false, true} {
			id := fmt.Sprint("spoken-", spoken)
			job := w.start(t, id)
			dead, err := stream.Take(t.Context(), w.Streams, job.ID, stream.State{}, "dead", stream.Options{IDs: w.IDs, Now: time.Now}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if spoken {
				e := message.Event{Type: message.BlockDelta, Delta: message.Delta{Type: message.TextDelta, Text: "Hello"}}
				if err := dead.Add(t.Context(), &e); err != nil {
					t.Fatal(err)
				}
			}
			dead.Stop()
			types := make(chan []string)
			go func() { types <- read(t, w.other, id) }()
			time.Sleep(20 * time.Second)
			if err := run(w.Service, t.Context(), job); err == nil || task.Delay(1, err) > 11*time.Second {
				t.Errorf("Run while the lease lasts = %v, want a try after its end", err)
			}
			time.Sleep(11 * time.Second)
			if err := run(w.Service, t.Context(), job); err != nil {
				t.Errorf("Run after the lease = %v", err)
			}
			want, last := stream.Completed, "message_stop"
			if spoken {
				want, last = stream.Errored, "error"
			}
			if got := <-types; got[len(got)-1] != last || status(t, w.other, id).Status != want {
				t.Errorf("spoken %v: events %v, status %+v, want %s", spoken, got, status(t, w.other, id), want)
			}
		}
	})
}

// TestRepeatedStart: a repeated Start sends the job again while no event is
// stored, also when a worker has taken the message: its own job may never have
// been stored, and then nobody else would take over.
func TestRepeatedStart(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		first := w.start(t, "again")
		dead, err := stream.Take(t.Context(), w.Streams, first.ID, stream.State{}, "dead", stream.Options{IDs: w.IDs, Now: time.Now}, nil)
		if err != nil {
			t.Fatal(err)
		}
		dead.Stop()
		w.queue.jobs = nil // the first job was lost
		again := func() {
			t.Helper()
			if started, err := w.Start(t.Context(), async.Start{ID: "again", Body: []byte(body)}); err != nil || started.ID != "again" {
				t.Fatalf("Start = %+v, %v", started, err)
			}
		}
		again()
		if len(w.queue.jobs) != 1 || w.queue.jobs[0] != first {
			t.Fatalf("jobs %v, want %v", w.queue.jobs, first)
		}
		time.Sleep(31 * time.Second)
		if err := run(w.Service, t.Context(), w.queue.jobs[0]); err != nil || status(t, w.other, "again").Status != stream.Completed {
			t.Errorf("Run = %v, %+v", err, status(t, w.other, "again"))
		}
		again()
		if len(w.queue.jobs) != 1 {
			t.Errorf("a Start of what has ended sent %v", w.queue.jobs[1:])
		}
	})
}

// TestNobodyComes: a message that no worker takes, or that is given up, fails;
// one that is answered for too long ends in an error.
func TestNobodyComes(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		job := w.start(t, "lost")
		if got := read(t, w.other, "lost"); len(got) != 1 || got[0] != "error" || status(t, w.other, "lost").Status != stream.Failed {
			t.Errorf("a message without a worker: %v, %+v", got, status(t, w.other, "lost"))
		}
		if err := run(w.Service, t.Context(), job); err != nil || status(t, w.Service, "lost").Status != stream.Failed {
			t.Errorf("Run of a failed message = %v, %+v", err, status(t, w.Service, "lost"))
		}
		job = w.start(t, "dead")
		if err := w.Handler().Dead(t.Context(), job, errors.New("poison")); err != nil || status(t, w.Service, "dead").Status != stream.Failed {
			t.Errorf("Dead = %v, %+v", err, status(t, w.Service, "dead"))
		}
		w.model.words, w.model.pause = 1000, 3*time.Second
		start := time.Now()
		if err := run(w.Service, t.Context(), w.start(t, "long")); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took < 15*time.Minute || took > 16*time.Minute || status(t, w.Service, "long").Status != stream.Errored {
			t.Errorf("a long message took %s and is %+v", took, status(t, w.Service, "long"))
		}
	})
}

// TestProviderFails: the reason is shown, and the message is not tried again.
func TestProviderFails(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.model.end = fault.Wrap(errors.New("key sk-123 refused"), fault.Upstream, "the model provider refused us")
		if err := run(w.Service, t.Context(), w.start(t, "m")); err != nil {
			t.Fatal(err)
		}
		if info := status(t, w.Service, "m"); info.Status != stream.Errored || info.Error == nil || *info.Error != "the model provider refused us" {
			t.Errorf("Status = %+v", info)
		}
	})
}

// TestCancelElsewhere: a cancel in another process reaches the reader within a
// second, and stops the worker.
func TestCancelElsewhere(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		w.model.words = 10_000
		job := w.start(t, "m")
		done := make(chan error)
		go func() { done <- run(w.Service, t.Context(), job) }()
		types := make(chan []string)
		go func() { types <- read(t, w.other, "m") }()
		time.Sleep(10 * time.Second)
		if _, err := w.other.Cancel(t.Context(), "m"); err != nil {
			t.Fatal(err)
		}
		cancelled := time.Now()
		if got := <-types; !strings.HasSuffix(strings.Join(got, " "), "content_block_stop message_delta message_stop") || time.Since(cancelled) > time.Second {
			t.Errorf("after %s the reader has %v", time.Since(cancelled), got[max(0, len(got)-5):])
		}
		if err := <-done; err != nil || time.Since(cancelled) > 2*time.Second {
			t.Errorf("the worker stops after %s with %v", time.Since(cancelled), err)
		}
		if got := status(t, w.Service, "m").Status; got != stream.Cancelled {
			t.Errorf("status %s", got)
		}
	})
}

func TestExpiry(t *testing.T) {
	bubble(t, func(t *testing.T, w *world) {
		if err := run(w.Service, t.Context(), w.start(t, "m")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(59 * time.Minute)
		if got := read(t, w.other, "m"); got[0] != "message_start" {
			t.Errorf("after 59 minutes: %v", got)
		}
		time.Sleep(2 * time.Minute)
		if _, err := w.Status(t.Context(), "m"); !fault.Is(err, fault.NotFound) {
			t.Errorf("after 61 minutes: %v, want NotFound", err)
		}
	})
}

// TestUnits holds the whole of an async chat, of 5 s and 300 tokens with one
// reader of another process, to its budget: 24 write and 20 read units.
func TestUnits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m *recordmeter.Meter
		w := open(t, func(s record.Store) record.Store { m = recordmeter.New(s); return m })
		w.model.words, w.model.pause = 300, 5*time.Second/300
		job := w.start(t, "0192f5e4-7b3a-7cc0-8000-0123456789ab")
		types := make(chan []string)
		go func() { types <- read(t, w.other, "0192f5e4-7b3a-7cc0-8000-0123456789ab") }()
		if err := run(w.Service, t.Context(), job); err != nil {
			t.Fatal(err)
		}
		<-types
		writes, reads := m.Units()
		t.Logf("%d write and %d read units, %d messages", writes, reads, len(w.queue.jobs))
		if writes > 24 || reads > 20 {
			t.Errorf("%d write and %d read units, want 24 and 20 at most", writes, reads)
		}
		// Sent, received, and deleted with its batch: three requests each.
		if calls := 3 * len(w.queue.jobs); calls > 4 {
			t.Errorf("%d calls of the queue, want 4 at most", calls)
		}
	})
}
