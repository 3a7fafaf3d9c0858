package simulation_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/task"
)

// fate is what becomes of one port call.
type fate int

const (
	well   fate = iota
	before      // it fails without effect
	after       // it happens and its answer is lost
	twice       // it happens twice
	slow        // it happens late
	dies        // the process dies before it
	last        // it happens, and the process dies
)

var errInjected = errors.New("injected")

func injected() error { return fault.Wrap(errInjected, fault.Unavailable, "injected") }

// gate is a port call that waits for the scheduler.
type gate struct {
	label string
	write bool
	go_   chan fate
}

// scheduler lets port calls go on, one at a time.
type scheduler struct {
	mu    sync.Mutex
	gates []*gate
	rng   *rand.Rand
	rate  float64 // of calls that do not go well
	nth   *nth    // the one call that does not; nil for none
	trace []string
}

// nth is what becomes of the call that is the number-th from now.
type nth struct {
	number, seen int
	fate         fate
}

// pass waits until the scheduler picks this call.
func (s *scheduler) pass(label string, write bool) fate {
	g := &gate{label, write, make(chan fate)}
	s.mu.Lock()
	s.gates = append(s.gates, g)
	s.mu.Unlock()
	return <-g.go_
}

// step releases one waiting call and reports whether there was one.
func (s *scheduler) step() bool {
	s.mu.Lock()
	if len(s.gates) == 0 {
		s.mu.Unlock()
		return false
	}
	slices.SortStableFunc(s.gates, func(a, b *gate) int { return strings.Compare(a.label, b.label) })
	i := s.rng.IntN(len(s.gates))
	g := s.gates[i]
	s.gates = slices.Delete(s.gates, i, i+1)
	f := well
	if s.rng.Float64() < s.rate {
		if f = before; g.write {
			f = fate(1 + s.rng.IntN(4))
		} else if s.rng.IntN(2) == 0 {
			f = slow
		}
	}
	if s.nth != nil {
		if s.nth.seen++; s.nth.seen == s.nth.number {
			f = s.nth.fate
		}
	}
	s.note("%s%s", g.label, [...]string{"", " FAILS", " ANSWER LOST", " TWICE", " SLOW", " DIES", " HAPPENS AND DIES"}[f])
	s.mu.Unlock()
	g.go_ <- f
	return true
}

func (s *scheduler) note(format string, args ...any) {
	s.trace = append(s.trace, fmt.Sprintf(format, args...))
}

// lag is how late a slow call is; long enough for others to overtake it.
const lag = 3 * time.Second

// do makes a port call of a process with its fate. A dead process's calls fail
// and have no effect.
func do[T any](p *process, label string, write bool, call func() (T, error)) (T, error) {
	var none T
	if p.ctx.Err() != nil {
		return none, injected()
	}
	f := p.sim.pass(p.name+" "+label, write)
	if f == slow {
		select {
		case <-time.After(lag):
		case <-p.ctx.Done():
		}
	}
	if f == dies {
		p.sim.end(p)
	}
	if p.ctx.Err() != nil || f == before {
		return none, injected()
	}
	v, err := call()
	if f == last {
		p.sim.end(p)
	}
	if f == twice && err == nil {
		v, err = call()
	}
	if f == after || p.ctx.Err() != nil {
		return none, injected()
	}
	return v, err
}

func effect(p *process, label string, call func() error) error {
	_, err := do(p, label, true, func() (struct{}, error) { return struct{}{}, call() })
	return err
}

type records struct {
	record.Store
	p *process
}

func (r records) Find(ctx context.Context, k record.Key) (record.Item, error) {
	return do(r.p, "find "+k.Partition+" "+k.Sort, false, func() (record.Item, error) { return r.Store.Find(ctx, k) })
}

func (r records) FindMany(ctx context.Context, keys []record.Key) ([]record.Item, error) {
	return do(r.p, "find many", false, func() ([]record.Item, error) { return r.Store.FindMany(ctx, keys) })
}

func (r records) Put(ctx context.Context, it record.Item, c record.Condition) error {
	// A call that arrives twice carries the same version, as a driver's own
	// retry does.
	if it.Version == "" {
		it.Version = r.p.ids.Fresh("v")
	}
	return effect(r.p, "put "+it.Partition+" "+it.Sort, func() error {
		copied := it
		copied.Value = slices.Clone(it.Value)
		return r.Store.Put(ctx, copied, c)
	})
}

func (r records) PutMany(ctx context.Context, items []record.Item) error {
	return effect(r.p, "put many", func() error {
		copied := slices.Clone(items)
		for i := range copied {
			copied[i].Value = slices.Clone(copied[i].Value)
		}
		return r.Store.PutMany(ctx, copied)
	})
}

func (r records) Delete(ctx context.Context, k record.Key, c record.Condition) error {
	_, err := do(r.p, "delete "+k.Partition+" "+k.Sort, false, func() (struct{}, error) { return struct{}{}, r.Store.Delete(ctx, k, c) })
	return err
}

func (r records) Range(ctx context.Context, q record.Range) (record.Page, error) {
	return do(r.p, "range "+q.Partition, false, func() (record.Page, error) { return r.Store.Range(ctx, q) })
}

type objects struct {
	object.Store
	p *process
}

func (o objects) Put(ctx context.Context, key string, body io.Reader, opt object.PutOptions) (object.Info, error) {
	raw, err := io.ReadAll(body)
	if err != nil {
		return object.Info{}, err
	}
	label := key[:strings.IndexByte(key+"/", '/')]
	_, err = do(o.p, "put object "+label, !opt.IfAbsent, func() (object.Info, error) {
		return o.Store.Put(ctx, key, strings.NewReader(string(raw)), opt)
	})
	if err != nil {
		return object.Info{}, err
	}
	return o.Store.Head(ctx, key)
}

func (o objects) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, object.Info, error) {
	type opened struct {
		io.ReadCloser
		object.Info
	}
	v, err := do(o.p, "open object", false, func() (opened, error) {
		r, i, err := o.Store.Open(ctx, key, offset, length)
		return opened{r, i}, err
	})
	return v.ReadCloser, v.Info, err
}

func (o objects) Delete(ctx context.Context, key string) error {
	return effect(o.p, "delete object", func() error { return o.Store.Delete(ctx, key) })
}

type chunks struct {
	index.Store
	p *process
}

func (c chunks) Write(ctx context.Context, list []index.Chunk) error {
	return effect(c.p, "write chunks", func() error { return c.Store.Write(ctx, list) })
}

func (c chunks) Search(ctx context.Context, q index.Query) (index.Result, error) {
	return do(c.p, "search", false, func() (index.Result, error) { return c.Store.Search(ctx, q) })
}

func (c chunks) Await(ctx context.Context, collection, artifact, generation string, want int) error {
	_, err := do(c.p, "await", false, func() (struct{}, error) {
		return struct{}{}, c.Store.Await(ctx, collection, artifact, generation, want)
	})
	return err
}

func (c chunks) Drop(ctx context.Context, collection, artifact, generation string) error {
	return effect(c.p, "drop", func() error { return c.Store.Drop(ctx, collection, artifact, generation) })
}

func (c chunks) Generations(ctx context.Context, collection string, after index.Generation) iter.Seq2[index.Generation, error] {
	return func(yield func(index.Generation, error) bool) {
		if _, err := do(c.p, "generations", false, func() (struct{}, error) { return struct{}{}, nil }); err != nil {
			yield(index.Generation{}, err)
			return
		}
		c.Store.Generations(ctx, collection, after)(yield)
	}
}

// queue is what SQS promises: at least once, in any order, hidden for a while
// and then given to somebody else.
type queue struct {
	mu    sync.Mutex
	list  []*letter
	bell  chan struct{}
	birth int
}

type letter struct {
	job      task.Job
	number   int
	visible  time.Time
	received int
}

func newQueue() *queue { return &queue{bell: make(chan struct{}, 1)} }

func (q *queue) add(job task.Job, at time.Time) {
	q.mu.Lock()
	q.birth++
	q.list = append(q.list, &letter{job: job, number: q.birth, visible: at})
	q.mu.Unlock()
	select {
	case q.bell <- struct{}{}:
	default:
	}
}

func (q *queue) remove(l *letter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = slices.DeleteFunc(q.list, func(x *letter) bool { return x == l })
}

func (q *queue) hide(l *letter, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	l.visible = time.Now().Add(d)
}

func (q *queue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.list) == 0
}

// visibility is how long a delivered letter is hidden.
const visibility = time.Minute

// take hides and returns one of the visible letters, chosen by pick.
func (q *queue) take(pick func(n int) int) *letter {
	q.mu.Lock()
	defer q.mu.Unlock()
	var ready []*letter
	for _, l := range q.list {
		if !l.visible.After(time.Now()) {
			ready = append(ready, l)
		}
	}
	if len(ready) == 0 {
		return nil
	}
	l := ready[pick(len(ready))]
	l.visible, l.received = time.Now().Add(visibility), l.received+1
	return l
}

// sender is a process's side of the queue.
type sender struct {
	q *queue
	p *process
}

func (s sender) Send(_ context.Context, job task.Job, delay time.Duration) error {
	if err := task.Check(job, delay); err != nil {
		return err
	}
	return effect(s.p, "send "+job.Kind, func() error { s.q.add(job, time.Now().Add(delay)); return nil })
}

func (s sender) Close() error { return nil }
