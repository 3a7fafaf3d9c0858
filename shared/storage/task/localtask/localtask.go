// Package localtask runs jobs in this process and keeps them in a record
// store: the embedded driver. One process at a time may use a store.
//
// Every job is one record until it is done, so that the jobs of a process that
// died are there when the next one opens the store. When each is due is kept
// in memory: the loop sleeps until the earliest, or until one is sent. The
// first try of a job in the process that took it is not noted, which saves a
// write; every later one is, so that a job that kills its process is given up
// all the same. A job that is given up is parked under ParkedPartition, with
// its error, for ParkedLife.
package localtask

import (
	"container/heap"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/storage/record"
	"lectern/shared/storage/task"
)

// Where jobs are kept.
const (
	Partition       = "tasks"
	ParkedPartition = "tasks/parked"
	ParkedLife      = 14 * 24 * time.Hour
)

// Options are the queue's settings.
type Options struct {
	IDs   ident.Source
	Now   func() time.Time // time.Now when nil
	Log   *slog.Logger
	Drain time.Duration // how long Close lets jobs finish before it ends their context; 0 ends it at once
	// Waiting is how many jobs of a kind may wait for one owner; Send answers RateLimited
	// beyond. A kind that is not here has no bound.
	Waiting map[string]int
}

// workers is how many jobs run at the same time, and perKind how many of one kind: the
// others have the rest.
const workers, perKind = 64, 48

// Queue implements task.Queue. Jobs run once Start was called, or one after
// the other by calls of RunDue.
type Queue struct {
	records record.Store
	table   task.Table
	o       Options

	mu      sync.Mutex
	waiting jobs // until they are due
	lanes   lanes
	closed  bool
	wake    chan struct{}
	free    chan struct{} // one token for each job that may run besides
	jobs    sync.WaitGroup
	loop    chan struct{} // closed when the loop has ended; nil before Start
	stop    context.CancelFunc
	kill    context.CancelFunc
}

// entry is a job that is not done.
type entry struct {
	task.Job
	Due     time.Time `json:"due"`
	Attempt int       `json:"attempt"`         // tries that were noted
	Error   string    `json:"error,omitempty"` // of the last try
	Dead    bool      `json:"dead,omitempty"`  // no try is left, but its owner was not told yet
	Parked  time.Time `json:"parked_at,omitzero"`

	key   string
	fresh bool // taken by this process and not tried yet
}

// Open loads the jobs that are not done. Nothing runs yet.
func Open(ctx context.Context, records record.Store, table task.Table, o Options) (*Queue, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	q := &Queue{records: records, table: table, o: o, wake: make(chan struct{}, 1), free: make(chan struct{}, workers),
		lanes: newLanes()}
	for item, err := range record.All(ctx, records, record.Range{Partition: Partition}) {
		if err != nil {
			return nil, fmt.Errorf("load jobs: %w", err)
		}
		e := &entry{key: item.Sort}
		if err := json.Unmarshal(item.Value, e); err != nil {
			o.Log.Error("a damaged job is skipped; it stays where it is", "job", item.Sort, "error", err)
			continue
		}
		q.waiting = append(q.waiting, e)
		q.lanes.wait(e)
	}
	heap.Init(&q.waiting)
	return q, nil
}

// Send implements task.Queue.
func (q *Queue) Send(ctx context.Context, job task.Job, delay time.Duration) error {
	if err := task.Check(job, delay); err != nil {
		return err
	}
	q.mu.Lock()
	closed, waiting := q.closed, q.lanes.waiting[laneOwner{job.Kind, job.Owner}]
	q.mu.Unlock()
	if closed {
		return fault.New(fault.Unavailable, "the task queue is closed")
	}
	if most := q.o.Waiting[job.Kind]; most > 0 && waiting >= most {
		return &fault.Error{Code: fault.RateLimited, RetryAfter: sendAgain,
			Msg: fmt.Sprintf("%d jobs wait already; send the request again when some are done", waiting)}
	}
	e := &entry{Job: job, Due: q.o.Now().Add(delay), key: q.o.IDs.Ordered(), fresh: true}
	err := q.save(ctx, e, record.Absent())
	// Where the answer of the store was lost the job is there, so it runs: else
	// it would lie until the next start. One that is not there does no harm.
	q.add(e)
	return err
}

// sendAgain is when a request may be sent again that found too many jobs waiting.
const sendAgain = 10 * time.Second

func (q *Queue) save(ctx context.Context, e *entry, cond record.Condition) error {
	value, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	return q.records.Put(ctx, record.Item{Key: record.Key{Partition: Partition, Sort: e.key}, Value: value, Version: q.o.IDs.Ordered()},
		cond)
}

func (q *Queue) add(e *entry) {
	q.mu.Lock()
	heap.Push(&q.waiting, e)
	q.lanes.wait(e)
	q.mu.Unlock()
	q.poke()
}

func (q *Queue) poke() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// done frees the place of a job that was taken.
func (q *Queue) done(e *entry) {
	q.mu.Lock()
	q.lanes.running[e.Kind]--
	q.mu.Unlock()
	q.poke()
}

// take removes a job that is due and whose turn it is; nil when there is none, with the
// time to wait for the next, negative when nothing waits for its time. Whoever takes
// a job calls done.
func (q *Queue) take() (e *entry, wait time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.o.Now()
	for len(q.waiting) > 0 && !q.waiting[0].Due.After(now) {
		q.lanes.due(heap.Pop(&q.waiting).(*entry))
	}
	if e := q.lanes.next(); e != nil {
		return e, 0
	}
	if len(q.waiting) == 0 {
		return nil, -1
	}
	return nil, q.waiting[0].Due.Sub(now)
}

// RunDue runs the jobs that are due now, one after the other, and returns how
// many there were and when the next is due, the zero time when none waits. It
// is for tests and simulations, which do without Start.
func (q *Queue) RunDue(ctx context.Context) (ran int, next time.Time) {
	for ctx.Err() == nil {
		e, wait := q.take()
		if e == nil && wait < 0 {
			return ran, time.Time{}
		}
		if e == nil {
			return ran, q.o.Now().Add(wait)
		}
		q.run(ctx, e)
		q.done(e)
		ran++
	}
	return ran, time.Time{}
}

// Start runs jobs in the background until Close.
func (q *Queue) Start() {
	working, kill := context.WithCancel(context.Background())
	looping, stop := context.WithCancel(context.Background())
	q.loop, q.stop, q.kill = make(chan struct{}), stop, kill
	go q.dispatch(looping, working)
}

func (q *Queue) dispatch(ctx, working context.Context) {
	defer close(q.loop)
	for {
		select {
		case q.free <- struct{}{}:
		case <-ctx.Done():
			return
		}
		e, ok := q.next(ctx)
		if !ok {
			return
		}
		q.jobs.Go(func() {
			defer func() { <-q.free }()
			defer q.done(e)
			q.run(working, e)
		})
	}
}

// next waits for a job that is due.
func (q *Queue) next(ctx context.Context) (*entry, bool) {
	for ctx.Err() == nil {
		e, wait := q.take()
		if e != nil {
			return e, true
		}
		var due <-chan time.Time
		if wait >= 0 {
			due = time.After(wait)
		}
		select {
		case <-due:
		case <-q.wake:
		case <-ctx.Done():
		}
	}
	return nil, false
}

// Close takes no more jobs, lets those under way finish within Options.Drain,
// then ends their context and waits for them. What is not done is there when
// the store is opened again.
func (q *Queue) Close() error {
	q.mu.Lock()
	again := q.closed
	q.closed = true
	q.mu.Unlock()
	if again || q.loop == nil {
		return nil
	}
	q.stop()
	<-q.loop
	timer := time.AfterFunc(q.o.Drain, q.kill)
	q.jobs.Wait()
	timer.Stop()
	q.kill()
	return nil
}

// run is one try at a job, with all that follows from it.
func (q *Queue) run(ctx context.Context, e *entry) {
	if e.Dead {
		q.bury(ctx, e, errors.New(e.Error))
		return
	}
	attempt := e.Attempt + 1
	if !e.fresh {
		noted := *e
		noted.Attempt = attempt
		if err := q.save(ctx, &noted, record.Any()); err != nil {
			q.again(ctx, e, err)
			return
		}
	}
	e.fresh = false
	err := q.table.Run(ctx, task.Delivery{Job: e.Job, Attempt: attempt})
	switch {
	case err == nil:
		q.finish(ctx, e)
	case ctx.Err() != nil:
		// The process stops. The record is as it was before this try.
		if attempt > 1 {
			q.keep(context.WithoutCancel(ctx), e)
		}
	default:
		e.Attempt, e.Error = attempt, err.Error()
		if attempt >= task.MaxAttempts {
			e.Dead = true
			q.bury(ctx, e, err)
			return
		}
		q.o.Log.WarnContext(ctx, "a job failed and will be tried again", "kind", e.Kind, "id", e.ID, "attempt", attempt, "error", err)
		q.again(ctx, e, err)
	}
}

// again puts a job off and notes it. When that cannot be noted, a later
// process tries the job earlier than it should, and counts less.
func (q *Queue) again(ctx context.Context, e *entry, cause error) {
	e.Due = q.o.Now().Add(task.Delay(e.Attempt, cause))
	q.keep(context.WithoutCancel(ctx), e)
	q.add(e)
}

func (q *Queue) keep(ctx context.Context, e *entry) {
	if err := q.save(ctx, e, record.Any()); err != nil {
		q.o.Log.ErrorContext(ctx, "a job's state was not kept", "kind", e.Kind, "id", e.ID, "error", err)
	}
}

// finish forgets a job. A record that cannot be removed makes the job run once
// more, in this process or the next.
func (q *Queue) finish(ctx context.Context, e *entry) {
	err := q.records.Delete(context.WithoutCancel(ctx), record.Key{Partition: Partition, Sort: e.key}, record.Any())
	if err != nil {
		q.o.Log.ErrorContext(ctx, "a job that is done was not removed", "kind", e.Kind, "id", e.ID, "error", err)
		e.Due = q.o.Now().Add(task.Delay(task.MaxAttempts, nil))
		q.add(e)
	}
}

// bury tells the owner that a job is given up, and parks it.
func (q *Queue) bury(ctx context.Context, e *entry, cause error) {
	if err := q.table.Dead(ctx, e.Job, cause); err != nil {
		if ctx.Err() == nil {
			q.o.Log.ErrorContext(ctx, "the owner of a job was not told of its end", "kind", e.Kind, "id", e.ID, "error", err)
		}
		q.again(ctx, e, nil)
		return
	}
	q.o.Log.ErrorContext(ctx, "a job is given up", "kind", e.Kind, "id", e.ID, "error", cause)
	parked := *e
	parked.Parked = q.o.Now().UTC()
	value, err := json.Marshal(parked)
	if err == nil {
		item := record.Item{Key: record.Key{Partition: ParkedPartition, Sort: e.key}, Value: value, Expires: parked.Parked.Add(ParkedLife)}
		err = q.records.Put(context.WithoutCancel(ctx), item, record.Any())
	}
	if err != nil {
		q.again(ctx, e, err)
		return
	}
	q.finish(ctx, e)
}

// Parked is a job that was given up.
type Parked struct {
	task.Job
	Error string
	At    time.Time
}

// Parked lists the jobs that were given up, oldest first.
func (q *Queue) Parked(ctx context.Context) ([]Parked, error) {
	var list []Parked
	for item, err := range record.All(ctx, q.records, record.Range{Partition: ParkedPartition}) {
		var e entry
		if err == nil {
			err = json.Unmarshal(item.Value, &e)
		}
		if err != nil {
			return nil, fmt.Errorf("parked jobs: %w", err)
		}
		list = append(list, Parked{e.Job, e.Error, e.Parked})
	}
	return list, nil
}

// jobs is a heap by due time, then by key.
type jobs []*entry

func (j jobs) Len() int { return len(j) }
func (j jobs) Less(a, b int) bool {
	if !j[a].Due.Equal(j[b].Due) {
		return j[a].Due.Before(j[b].Due)
	}
	return j[a].key < j[b].key
}
func (j jobs) Swap(a, b int) { j[a], j[b] = j[b], j[a] }
func (j *jobs) Push(x any)   { *j = append(*j, x.(*entry)) }
func (j *jobs) Pop() any {
	old := *j
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*j = old[:len(old)-1]
	return last
}
