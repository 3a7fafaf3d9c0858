// Package tasktest is the suite that every driver of task passes.
package tasktest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/fault"
	"lectern/shared/task"
)

// Open makes a queue whose jobs the table does, and whose workers run.
type Open func(t *testing.T, table task.Table) task.Queue

// Run holds a driver to the contract of task.Queue. Time is a synctest
// bubble's, so the driver must keep to package time.
func Run(t *testing.T, open Open) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, Open)
	}{
		{"EachJobRuns", eachJobRuns}, {"Delay", delay}, {"TriedAgain", triedAgain}, {"AfterIsKept", afterIsKept},
		{"GivenUp", givenUp}, {"Panic", panics}, {"UnknownKind", unknownKind}, {"Limits", limits}, {"Closed", closed},
	} {
		t.Run(c.name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { c.run(t, open) }) })
	}
}

// Recorder is a handler that notes what it is told and answers with Do.
type Recorder struct {
	Do func(ctx context.Context, d task.Delivery) error // nil: done

	mu    sync.Mutex
	runs  []task.Delivery
	times []time.Time
	dead  []string
}

// Run implements task.Handler.
func (r *Recorder) Run(ctx context.Context, d task.Delivery) error {
	r.mu.Lock()
	r.runs, r.times = append(r.runs, d), append(r.times, time.Now())
	r.mu.Unlock()
	if r.Do == nil {
		return nil
	}
	return r.Do(ctx, d)
}

// Dead implements task.Handler.
func (r *Recorder) Dead(_ context.Context, job task.Job, cause error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dead = append(r.dead, fmt.Sprintf("%s: %v", job.ID, cause))
	return nil
}

// Runs returns what was delivered, and when.
func (r *Recorder) Runs() ([]task.Delivery, []time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.runs), slices.Clone(r.times)
}

// Given returns the jobs that were given up, each with its error.
func (r *Recorder) Given() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.dead)
}

func send(t *testing.T, q task.Queue, id string, delay time.Duration) {
	t.Helper()
	if err := q.Send(t.Context(), task.Job{Kind: "k", ID: id}, delay); err != nil {
		t.Fatalf("Send(%q) = %v", id, err)
	}
}

func eachJobRuns(t *testing.T, open Open) {
	r := &Recorder{}
	q := open(t, task.Table{"k": r})
	want := map[string]bool{}
	var group sync.WaitGroup
	for i := range 100 {
		id := fmt.Sprintf("job/%d", i)
		want[id] = true
		group.Go(func() { send(t, q, id, 0) })
	}
	group.Wait()
	synctest.Wait()
	time.Sleep(time.Minute)
	runs, _ := r.Runs()
	for _, d := range runs {
		if d.Kind != "k" || d.Attempt != 1 {
			t.Errorf("delivered %+v, want the first try of kind k", d)
		}
		delete(want, d.ID)
	}
	if len(want) > 0 {
		t.Errorf("%d jobs never ran: %v", len(want), want)
	}
}

func delay(t *testing.T, open Open) {
	r := &Recorder{}
	q := open(t, task.Table{"k": r})
	start := time.Now()
	send(t, q, "late", 2*time.Hour)
	send(t, q, "soon", time.Minute)
	time.Sleep(3 * time.Hour)
	runs, times := r.Runs()
	if len(runs) != 2 || runs[0].ID != "soon" || runs[1].ID != "late" {
		t.Fatalf("delivered %v, want soon, then late", runs)
	}
	for i, want := range []time.Duration{time.Minute, 2 * time.Hour} {
		if got := times[i].Sub(start); got < want || got > want+time.Minute {
			t.Errorf("%s ran after %s, want %s", runs[i].ID, got, want)
		}
	}
}

func triedAgain(t *testing.T, open Open) {
	r := &Recorder{}
	r.Do = func(_ context.Context, d task.Delivery) error {
		if d.Attempt < 3 {
			return errors.New("not yet")
		}
		return nil
	}
	send(t, open(t, task.Table{"k": r}), "a", 0)
	time.Sleep(time.Hour)
	runs, times := r.Runs()
	if len(runs) != 3 || runs[2].Attempt != 3 || len(r.Given()) != 0 {
		t.Fatalf("delivered %v, gave up %v; want three tries", runs, r.Given())
	}
	if gap := times[1].Sub(times[0]); gap < 400*time.Millisecond {
		t.Errorf("tried again after %s, want a pause", gap)
	}
}

func afterIsKept(t *testing.T, open Open) {
	r := &Recorder{}
	r.Do = func(_ context.Context, d task.Delivery) error {
		if d.Attempt == 1 {
			return task.After(3*time.Hour, errors.New("busy"))
		}
		return nil
	}
	send(t, open(t, task.Table{"k": r}), "a", 0)
	time.Sleep(4 * time.Hour)
	_, times := r.Runs()
	if len(times) != 2 || times[1].Sub(times[0]) < 3*time.Hour || times[1].Sub(times[0]) > 3*time.Hour+time.Minute {
		t.Errorf("tried at %v, want three hours apart", times)
	}
}

func givenUp(t *testing.T, open Open) {
	r := &Recorder{}
	r.Do = func(context.Context, task.Delivery) error { return errors.New("poison") }
	send(t, open(t, task.Table{"k": r}), "a", 0)
	time.Sleep(24 * time.Hour)
	runs, _ := r.Runs()
	if len(runs) != task.MaxAttempts || !slices.Equal(r.Given(), []string{"a: poison"}) {
		t.Errorf("%d tries, gave up %v; want %d tries, then once", len(runs), r.Given(), task.MaxAttempts)
	}
}

func panics(t *testing.T, open Open) {
	r := &Recorder{}
	r.Do = func(_ context.Context, d task.Delivery) error {
		if d.Attempt == 1 {
			panic("oh")
		}
		return nil
	}
	send(t, open(t, task.Table{"k": r}), "a", 0)
	time.Sleep(time.Hour)
	if runs, _ := r.Runs(); len(runs) != 2 {
		t.Errorf("delivered %v, want a second try after the panic", runs)
	}
}

func unknownKind(t *testing.T, open Open) {
	r := &Recorder{}
	q := open(t, task.Table{"k": r})
	if err := q.Send(t.Context(), task.Job{Kind: "nobody", ID: "a"}, 0); err != nil {
		t.Fatal(err)
	}
	send(t, q, "b", 0)
	time.Sleep(24 * time.Hour)
	if runs, _ := r.Runs(); len(runs) != 1 || runs[0].ID != "b" {
		t.Errorf("delivered %v, want b alone", runs)
	}
}

func limits(t *testing.T, open Open) {
	q := open(t, task.Table{})
	for _, c := range []struct {
		job   task.Job
		delay time.Duration
	}{
		{task.Job{Kind: "", ID: "a"}, 0}, {task.Job{Kind: "K", ID: "a"}, 0}, {task.Job{Kind: "k"}, 0}, {task.Job{Kind: "k", ID: "a b"}, 0},
		{task.Job{Kind: "k", ID: "a"}, -1}, {task.Job{Kind: "k", ID: "a"}, task.MaxDelay + 1},
	} {
		if err := q.Send(t.Context(), c.job, c.delay); !fault.Is(err, fault.Invalid) {
			t.Errorf("Send(%+v, %s) = %v, want Invalid", c.job, c.delay, err)
		}
	}
}

func closed(t *testing.T, open Open) {
	q := open(t, task.Table{"k": &Recorder{}})
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if err := q.Send(t.Context(), task.Job{Kind: "k", ID: "a"}, 0); !fault.Is(err, fault.Unavailable) {
		t.Errorf("Send after Close = %v, want Unavailable", err)
	}
}
