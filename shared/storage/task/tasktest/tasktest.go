// Package tasktest is the suite that every driver of task passes.
package tasktest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/task"
)

// Open makes a queue whose jobs the table does, and whose workers run.
type Open func(t *testing.T, table task.Table) task.Queue

// Clock is how time passes for a driver.
type Clock struct {
	// Wait lets time pass until done, most at the longest.
	Wait func(most time.Duration, done func() bool)
	// Hour is what the suite's long delays are multiples of, and Slack how
	// much later than it should a job may run.
	Hour, Slack time.Duration
}

// Skips are cases that a driver cannot be held to, each with its reason. See
// the names in Run.
type Skips map[string]string

// Run holds a driver to the contract of task.Queue. Time is a synctest
// bubble's, so the driver must keep to package time.
func Run(t *testing.T, open Open) {
	clock := Clock{Hour: time.Hour, Slack: time.Minute, Wait: func(most time.Duration, _ func() bool) {
		// All of the time: what should not happen in it does not either.
		time.Sleep(most)
		synctest.Wait()
	}}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { c.run(t, open, clock) }) })
	}
}

// RunAgainst holds a driver to the same cases on a server whose time is its
// own: delays of hours are as many seconds, and a case waits until it sees what
// it should, half a minute at most.
func RunAgainst(t *testing.T, open Open, skips Skips) {
	clock := Clock{Hour: time.Second, Slack: 5 * time.Second, Wait: func(_ time.Duration, done func() bool) {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for end := time.Now().Add(30 * time.Second); !done() && time.Now().Before(end); {
			<-tick.C
		}
	}}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if why, skip := skips[c.name]; skip {
				t.Log("left out: " + why)
				return
			}
			t.Parallel()
			c.run(t, open, clock)
		})
	}
}

var cases = []struct {
	name string
	run  func(*testing.T, Open, Clock)
}{
	{"EachJobRuns", eachJobRuns}, {"Delay", delay}, {"TriedAgain", triedAgain}, {"AfterIsKept", afterIsKept},
	{"GivenUp", givenUp}, {"Panic", panics}, {"UnknownKind", unknownKind}, {"Carries", carries}, {"Limits", limits}, {"Closed", closed},
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

// ran waits until n deliveries were made.
func (c Clock) ran(r *Recorder, most time.Duration, n int) ([]task.Delivery, []time.Time) {
	c.Wait(most, func() bool {
		runs, _ := r.Runs()
		return len(runs) >= n
	})
	return r.Runs()
}

func eachJobRuns(t *testing.T, open Open, clock Clock) {
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
	runs, _ := clock.ran(r, time.Minute, len(want))
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

func delay(t *testing.T, open Open, clock Clock) {
	r := &Recorder{}
	q := open(t, task.Table{"k": r})
	start := time.Now()
	late, soon := 8*clock.Hour, clock.Hour
	send(t, q, "late", late)
	send(t, q, "soon", soon)
	runs, times := clock.ran(r, late+clock.Hour, 2)
	if len(runs) != 2 || runs[0].ID != "soon" || runs[1].ID != "late" {
		t.Fatalf("delivered %v, want soon, then late", runs)
	}
	for i, want := range []time.Duration{soon, late} {
		if got := times[i].Sub(start); got < want || got > want+clock.Slack {
			t.Errorf("%s ran after %s, want %s", runs[i].ID, got, want)
		}
	}
}

func triedAgain(t *testing.T, open Open, clock Clock) {
	r := &Recorder{}
	r.Do = func(_ context.Context, d task.Delivery) error {
		if d.Attempt < 3 {
			return errors.New("not yet")
		}
		return nil
	}
	send(t, open(t, task.Table{"k": r}), "a", 0)
	runs, times := clock.ran(r, time.Hour, 3)
	if len(runs) != 3 || runs[2].Attempt != 3 || len(r.Given()) != 0 {
		t.Fatalf("delivered %v, gave up %v; want three tries", runs, r.Given())
	}
	if gap := times[1].Sub(times[0]); gap < 400*time.Millisecond {
		t.Errorf("tried again after %s, want a pause", gap)
	}
}

func afterIsKept(t *testing.T, open Open, clock Clock) {
	r := &Recorder{}
	r.Do = func(_ context.Context, d task.Delivery) error {
		if d.Attempt == 1 {
			return task.After(3*clock.Hour, errors.New("busy"))
		}
		return nil
	}
	send(t, open(t, task.Table{"k": r}), "a", 0)
	_, times := clock.ran(r, 4*clock.Hour, 2)
	// What a server measures its pause from is up to a message's way earlier.
	if len(times) != 2 || times[1].Sub(times[0]) < 3*clock.Hour-clock.Slack/20 || times[1].Sub(times[0]) > 3*clock.Hour+clock.Slack {
		t.Errorf("tried at %v, want %s apart", times, 3*clock.Hour)
	}
}

func givenUp(t *testing.T, open Open, clock Clock) {
	r := &Recorder{}
	r.Do = func(context.Context, task.Delivery) error { return task.After(clock.Hour/2, errors.New("poison")) }
	send(t, open(t, task.Table{"k": r}), "a", 0)
	clock.Wait(24*time.Hour, func() bool { return len(r.Given()) > 0 })
	runs, _ := r.Runs()
	if len(runs) != task.MaxAttempts || !slices.Equal(r.Given(), []string{"a: poison"}) {
		t.Errorf("%d tries, gave up %v; want %d tries, then once", len(runs), r.Given(), task.MaxAttempts)
	}
}

func panics(t *testing.T, open Open, clock Clock) {
	r := &Recorder{}
	r.Do = func(_ context.Context, d task.Delivery) error {
		if d.Attempt == 1 {
			panic("oh")
		}
		return nil
	}
	send(t, open(t, task.Table{"k": r}), "a", 0)
	if runs, _ := clock.ran(r, time.Hour, 2); len(runs) != 2 {
		t.Errorf("delivered %v, want a second try after the panic", runs)
	}
}

func unknownKind(t *testing.T, open Open, clock Clock) {
	r := &Recorder{}
	q := open(t, task.Table{"k": r})
	if err := q.Send(t.Context(), task.Job{Kind: "nobody", ID: "a"}, 0); err != nil {
		t.Fatal(err)
	}
	send(t, q, "b", 0)
	if runs, _ := clock.ran(r, 24*time.Hour, 1); len(runs) != 1 || runs[0].ID != "b" {
		t.Errorf("delivered %v, want b alone", runs)
	}
}

// carries: what a job takes along comes with each try, of a job that is sent
// later too.
func carries(t *testing.T, open Open, clock Clock) {
	r := &Recorder{Do: func(_ context.Context, d task.Delivery) error {
		if d.Attempt == 1 && d.ID == "now" {
			return errors.New("again")
		}
		return nil
	}}
	q := open(t, task.Table{"k": r})
	data := strings.Repeat("data", task.MaxData/4)
	for id, delay := range map[string]time.Duration{"now": 0, "later": 2 * time.Second} {
		if err := q.Send(t.Context(), task.Job{Kind: "k", ID: id, Data: data}, delay); err != nil {
			t.Fatal(err)
		}
	}
	runs, _ := clock.ran(r, time.Hour, 3)
	if len(runs) != 3 {
		t.Fatalf("%d deliveries, want 3", len(runs))
	}
	for _, d := range runs {
		if d.Data != data {
			t.Errorf("job %q, try %d, came with %d characters, want %d", d.ID, d.Attempt, len(d.Data), len(data))
		}
	}
	if err := q.Send(t.Context(), task.Job{Kind: "k", ID: "a", Data: data + "x"}, 0); !fault.Is(err, fault.Invalid) {
		t.Errorf("Send with too much = %v, want Invalid", err)
	}
}

func limits(t *testing.T, open Open, _ Clock) {
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

func closed(t *testing.T, open Open, _ Clock) {
	q := open(t, task.Table{"k": &Recorder{}})
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if err := q.Send(t.Context(), task.Job{Kind: "k", ID: "a"}, 0); !fault.Is(err, fault.Unavailable) {
		t.Errorf("Send after Close = %v, want Unavailable", err)
	}
}
