// Package task is the port for durable work: what must happen although the
// request that asked for it is over, and although a process dies meanwhile.
//
// Ids travel, and little else. Whoever sends a job keeps what it needs (records,
// objects) and its status under the job's id, and looks there when the job runs;
// what is small may go with the job, sealed by its sender, for that is cheaper
// than a place of its own. A queue promises to run a job at least once, so a handler must bear to run
// again, at the same time too, and decides by conditions on its own records.
//
// A worker of another driver (a Lambda behind SQS, a step of a state machine)
// does what localtask does: it decodes the Job, calls Table.Run with a
// Delivery whose Hold extends the message's visibility, deletes the message on
// nil, makes it visible again after Delay on an error, and once Attempt has
// reached MaxAttempts, or from its dead-letter queue, calls Table.Dead.
package task

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"time"

	"lectern/shared/fault"
)

// MaxAttempts is how often a job is run before it is given up.
const MaxAttempts = 5

// MaxDelay bounds the delay of a Send and of a repeat.
const MaxDelay = 12 * time.Hour

// Job names a piece of work: what kind it is, and under which id its owner
// keeps it. Its JSON is what queues carry.
type Job struct {
	Kind string `json:"kind"` // 1 to 64 of [a-z0-9._-]
	ID   string `json:"id"`   // 1 to 256 of [A-Za-z0-9/_.#-]
	// Owner is for whom the work is done, such as a tenant: owners take turns. Empty for
	// the service itself and for callers without limits.
	Owner string `json:"owner,omitempty"`
	// Trace is the span of the request that left the job, as W3C's traceparent; empty
	// where nothing is traced.
	Trace string `json:"trace,omitempty"`
	Data  string `json:"data,omitempty"` // base64, MaxData characters at most; queues neither read nor log it
}

// MaxData bounds the data of a job, so that a message with it is one of SQS's
// units of 64 KB.
const MaxData = 60 << 10

// Queue takes jobs. Safe for concurrent use.
type Queue interface {
	// Send makes a job run once delay has passed, at least once. It is
	// durable when Send returns. A job that is sent twice runs after each
	// Send. The delay is 0 to MaxDelay, else fault.Invalid; a queue that is
	// closed or cannot be reached is fault.Unavailable.
	Send(ctx context.Context, job Job, delay time.Duration) error

	// Close stops the queue; later calls of Send are fault.Unavailable.
	Close() error
}

// Delivery is one try at a job.
type Delivery struct {
	Job
	Attempt int // from 1; may count a try that never began, or leave one out
	// Hold keeps the job from being given to another worker for d from now
	// on. Nil when nobody else could be given it.
	Hold func(ctx context.Context, d time.Duration) error
}

// Extend calls Hold where there is one.
func (d Delivery) Extend(ctx context.Context, by time.Duration) error {
	if d.Hold == nil {
		return nil
	}
	return d.Hold(ctx, by)
}

// Handler does the jobs of a kind.
type Handler interface {
	// Run does the job. Nil means that it is done; after an error it is
	// delivered again, at the time that After names or after a backoff, until
	// MaxAttempts. When ctx ends, because the process stops, the job is
	// delivered anew to a later process and the try is not counted.
	Run(ctx context.Context, d Delivery) error

	// Dead is told that no try is left. cause is the last error, or says that
	// it is not known. It is called again when it fails.
	Dead(ctx context.Context, job Job, cause error) error
}

// Table tells the handler of each kind.
type Table map[string]Handler

// Run does a job by its kind's handler. A panic is an error.
func (t Table) Run(ctx context.Context, d Delivery) (err error) {
	h, ok := t[d.Kind]
	if !ok {
		return fmt.Errorf("no handler for jobs of kind %q", d.Kind)
	}
	defer recovered(&err)
	return h.Run(ctx, d)
}

// Dead tells the kind's handler that a job is given up. A kind that has none
// is done.
func (t Table) Dead(ctx context.Context, job Job, cause error) (err error) {
	h, ok := t[job.Kind]
	if !ok {
		return nil
	}
	defer recovered(&err)
	return h.Dead(ctx, job, cause)
}

func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

type later struct {
	error
	after time.Duration
}

func (l later) Unwrap() error { return l.error }

// After returns an error that asks for the next try once d has passed.
func After(d time.Duration, cause error) error {
	return later{cause, min(max(d, 0), MaxDelay)}
}

// Delay is how long to wait before the try that follows attempt, which failed
// with err: what After asked for, else 1, 4, 16, 64 s, give or take a half.
func Delay(attempt int, err error) time.Duration {
	if l, ok := errors.AsType[later](err); ok {
		return l.after
	}
	base := time.Second << min(2*max(attempt-1, 0), 14)
	return min(base/2+rand.N(base), MaxDelay)
}

// Check returns fault.Invalid when a job or a delay breaks the rules. Drivers
// call it in Send.
func Check(job Job, delay time.Duration) error {
	if len(job.Data) > MaxData {
		return fault.New(fault.Invalid, "a job's data has %d characters, %d are the most", len(job.Data), MaxData)
	}
	if job.Kind == "" || len(job.Kind) > 64 || strings.IndexFunc(job.Kind, badKindRune) >= 0 {
		return fault.New(fault.Invalid, "a job's kind %q is not 1 to 64 of a-z 0-9 . _ -", job.Kind)
	}
	if job.ID == "" || len(job.ID) > 256 || strings.IndexFunc(job.ID, badIDRune) >= 0 {
		return fault.New(fault.Invalid, "a job's id %q is not 1 to 256 of A-Z a-z 0-9 / _ . # -", job.ID)
	}
	if delay < 0 || delay > MaxDelay {
		return fault.New(fault.Invalid, "a job's delay of %s is not 0 to %s", delay, MaxDelay)
	}
	return nil
}

func badKindRune(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
}

func badIDRune(r rune) bool {
	return badKindRune(r) && (r < 'A' || r > 'Z') && !strings.ContainsRune("/#", r)
}

// Router sends each kind of job to its queue.
type Router struct {
	Kinds   map[string]Queue
	Default Queue // takes the other kinds
}

var _ Queue = (*Router)(nil)

// Send implements Queue.
func (r *Router) Send(ctx context.Context, job Job, delay time.Duration) error {
	if q := r.Kinds[job.Kind]; q != nil {
		return q.Send(ctx, job, delay)
	}
	return r.Default.Send(ctx, job, delay)
}

// Close closes every queue.
func (r *Router) Close() error {
	errs := []error{r.Default.Close()}
	for _, q := range r.Kinds {
		errs = append(errs, q.Close())
	}
	return errors.Join(errs...)
}
