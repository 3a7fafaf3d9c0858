// Package sqstask sends jobs through Amazon SQS: the cloud driver. A Lambda
// function behind the queue does them (Batch), or any process that polls
// (Poll). The service keeps one queue per kind of worker, so that a long ingest
// never stands before a chat.
//
// How often a job was tried is the queue's receive count. A job whose tries are
// used up is told to its handler's Dead and deleted; the dead-letter queue
// only gets those whose worker dies each time, and Batch tells their handlers.
package sqstask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"lectern/shared/fault"
	"lectern/shared/storage/task"
)

// Options are the settings of a queue.
type Options struct {
	// Queues maps kinds of jobs to the URLs of their queues; the kind "default"
	// stands for all others.
	Queues map[string]string
	Now    func() time.Time // time.Now when nil
	Log    *slog.Logger
}

// Queue implements task.Queue.
type Queue struct {
	options Options
	client  *sqs.Client
	closed  atomic.Bool
}

var _ task.Queue = (*Queue)(nil)

// Parse reads aws:?chat=https://…&default=https://… into queues.
func Parse(raw string) (map[string]string, error) {
	rest, ok := strings.CutPrefix(raw, "aws:?")
	values, err := url.ParseQuery(rest)
	if !ok || err != nil || len(values) == 0 {
		return nil, fault.New(fault.Invalid, "queues are named like aws:?chat=https://queue&default=https://queue")
	}
	queues := map[string]string{}
	for kind := range values {
		u, err := url.Parse(values.Get(kind))
		if err != nil || u.Host == "" {
			return nil, fault.New(fault.Invalid, "the queue of kind %q should be the URL of an SQS queue", kind)
		}
		queues[kind] = values.Get(kind)
	}
	return queues, nil
}

// Open makes a queue without calling SQS.
func Open(cfg aws.Config, o Options) *Queue {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Queue{options: o, client: sqs.NewFromConfig(cfg)}
}

// maxHop is the longest delay that SQS takes; longer ones are made of several.
const maxHop = 15 * time.Minute

// letter is the body of a message.
type letter struct {
	task.Job
	// NotBefore, in Unix milliseconds, is when the job is due, where that is
	// later than one hop.
	NotBefore int64 `json:"not_before,omitempty"`
}

// Send implements task.Queue.
func (q *Queue) Send(ctx context.Context, job task.Job, delay time.Duration) error {
	if err := task.Check(job, delay); err != nil {
		return err
	}
	l := letter{Job: job}
	if delay > maxHop {
		l.NotBefore = q.options.Now().Add(delay).UnixMilli()
	}
	return q.post(ctx, l, delay)
}

func (q *Queue) post(ctx context.Context, l letter, delay time.Duration) error {
	if q.closed.Load() {
		return fault.New(fault.Unavailable, "the task queue is closed")
	}
	target := q.options.Queues[l.Kind]
	if target == "" {
		target = q.options.Queues["default"]
	}
	if target == "" {
		return fmt.Errorf("no queue takes jobs of kind %q", l.Kind)
	}
	raw, err := json.Marshal(l)
	if err != nil {
		return err
	}
	in := &sqs.SendMessageInput{QueueUrl: &target, MessageBody: aws.String(string(raw)), DelaySeconds: seconds(min(delay, maxHop))}
	if _, err := q.client.SendMessage(ctx, in); err != nil {
		return unavailable(ctx, err)
	}
	return nil
}

// seconds rounds up.
func seconds(d time.Duration) int32 { return int32((d + time.Second - 1) / time.Second) }

func unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fault.Wrap(err, fault.Unavailable, "the task queue cannot be reached")
}

// Close implements task.Queue.
func (q *Queue) Close() error {
	q.closed.Store(true)
	return nil
}

// message is one delivery, from an event or a poll.
type message struct {
	queue, receipt, body string
	received             int
}

// times reads how often a message was received, once at least.
func times(raw string) int {
	n, err := strconv.Atoi(raw)
	if err != nil {
		return 1
	}
	return max(n, 1)
}

// work does one message's job. An error leaves the message in the queue.
func (q *Queue) work(ctx context.Context, table task.Table, m message) error {
	var l letter
	if err := json.Unmarshal([]byte(m.body), &l); err != nil || l.Kind == "" {
		q.options.Log.ErrorContext(ctx, "a message is no job and is dropped", "error", err)
		return nil
	}
	if wait := time.UnixMilli(l.NotBefore).Sub(q.options.Now()); l.NotBefore > 0 && wait > 0 {
		return q.post(ctx, l, wait)
	}
	hold := func(ctx context.Context, d time.Duration) error { return q.hide(ctx, m, d) }
	err := table.Run(ctx, task.Delivery{Job: l.Job, Attempt: m.received, Hold: hold})
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return err // visible again when its time is up
	}
	if m.received >= task.MaxAttempts {
		q.options.Log.ErrorContext(ctx, "a job is given up", "kind", l.Kind, "id", l.ID, "error", err)
		return table.Dead(ctx, l.Job, err)
	}
	q.options.Log.WarnContext(ctx, "a job failed and will be tried again", "kind", l.Kind, "id", l.ID, "attempt", m.received, "error", err)
	if herr := q.hide(ctx, m, task.Delay(m.received, err)); herr != nil {
		q.options.Log.WarnContext(ctx, "the pause before the next try could not be set", "error", herr)
	}
	return err
}

// maxHidden keeps below the 12 h that SQS lets a message be hidden in all.
const maxHidden = 11 * time.Hour

// hide keeps a message from other workers for d.
func (q *Queue) hide(ctx context.Context, m message, d time.Duration) error {
	in := &sqs.ChangeMessageVisibilityInput{QueueUrl: &m.queue, ReceiptHandle: &m.receipt, VisibilityTimeout: seconds(min(d, maxHidden))}
	_, err := q.client.ChangeMessageVisibility(ctx, in)
	return err
}

// event is what Lambda hands a function behind a queue.
//
// Source: AWS Lambda, "Using Lambda with Amazon SQS".
type event struct {
	Records []struct {
		MessageID      string `json:"messageId"`
		ReceiptHandle  string `json:"receiptHandle"`
		Body           string `json:"body"`
		EventSourceARN string `json:"eventSourceARN"`
		Attributes     struct {
			Received string `json:"ApproximateReceiveCount"`
		} `json:"attributes"`
	}
}

// Failures is what such a function answers: the messages that stay in the
// queue. The event source has to report batch item failures.
type Failures struct {
	Items []Failure `json:"batchItemFailures"`
}

// Failure names a message.
type Failure struct {
	ID string `json:"itemIdentifier"`
}

// Batch does the jobs of one Lambda event, one after the other; those that are
// to be tried again are in the answer. Messages of a queue that jobs are not
// sent to come from a dead-letter queue: their handlers are told that the jobs
// are given up.
func (q *Queue) Batch(ctx context.Context, raw []byte, table task.Table) (Failures, error) {
	failures := Failures{Items: []Failure{}}
	var e event
	if err := json.Unmarshal(raw, &e); err != nil {
		return failures, fmt.Errorf("decode the queue's event: %w", err)
	}
	for _, r := range e.Records {
		m := message{q.urlOf(r.EventSourceARN), r.ReceiptHandle, r.Body, times(r.Attributes.Received)}
		do := q.work
		if m.queue == "" {
			do = q.bury
		}
		if err := do(ctx, table, m); err != nil {
			q.options.Log.DebugContext(ctx, "a message stays in the queue", "message", r.MessageID, "error", err)
			failures.Items = append(failures.Items, Failure{r.MessageID})
		}
	}
	return failures, nil
}

// bury tells a job's handler that it is given up.
func (q *Queue) bury(ctx context.Context, table task.Table, m message) error {
	var l letter
	if err := json.Unmarshal([]byte(m.body), &l); err != nil || l.Kind == "" {
		q.options.Log.ErrorContext(ctx, "a message is no job and is dropped", "error", err)
		return nil
	}
	return table.Dead(ctx, l.Job, errors.New("the worker died in every try"))
}

// urlOf finds the URL of the queue of an ARN, which ends in its name, among
// those that are known.
func (q *Queue) urlOf(arn string) string {
	name := arn[strings.LastIndexByte(arn, ':')+1:]
	for _, u := range q.options.Queues {
		if strings.HasSuffix(u, "/"+name) {
			return u
		}
	}
	return ""
}

// Poll waits up to wait, 20 s at most, for jobs of one of the queues, does
// them, and returns how many there were.
func (q *Queue) Poll(ctx context.Context, queue string, wait time.Duration, table task.Table) (int, error) {
	out, err := q.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl: &queue, MaxNumberOfMessages: 10, WaitTimeSeconds: int32(min(wait, 20*time.Second) / time.Second),
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{receiveCount},
	})
	if err != nil {
		return 0, unavailable(ctx, err)
	}
	for _, raw := range out.Messages {
		if q.work(ctx, table, message{queue, aws.ToString(raw.ReceiptHandle), aws.ToString(raw.Body),
			times(raw.Attributes[string(receiveCount)])}) != nil {
			continue
		}
		if _, err := q.client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &queue, ReceiptHandle: raw.ReceiptHandle}); err != nil {
			return len(out.Messages), unavailable(ctx, err)
		}
	}
	return len(out.Messages), nil
}

// receiveCount is the attribute that says how often a message was received.
const receiveCount = types.MessageSystemAttributeNameApproximateReceiveCount
