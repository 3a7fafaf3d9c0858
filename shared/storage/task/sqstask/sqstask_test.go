package sqstask_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/aws/sending"
	"lectern/shared/fault"
	"lectern/shared/storage/lostanswertest"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/sqstask"
	"lectern/shared/storage/task/tasktest"
)

// server notes the calls of SQS's JSON protocol and answers what they need.
type server struct {
	mu    sync.Mutex
	calls []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in map[string]any
	_ = json.NewDecoder(r.Body).Decode(&in)
	call := strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AmazonSQS.")
	s.mu.Lock()
	s.calls = append(s.calls, fmt.Sprintf("%s %v %v %v", call, in["QueueUrl"], in["DelaySeconds"], in["VisibilityTimeout"]))
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	fmt.Fprint(w, `{"MessageId":"m"}`)
}

func (s *server) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := s.calls
	s.calls = nil
	return calls
}

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T) (*sqstask.Queue, *server) {
	t.Helper()
	s := &server{}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	cfg := aws.Config{Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""), BaseEndpoint: &h.URL}
	return sqstask.Open(cfg, sqstask.Options{Queues: map[string]string{"chat": "https://q/1/chat", "default": "https://q/1/rest"},
		Now: func() time.Time { return noon }}), s
}

// TestFailures: a job is sent at least once however its request fails: throttled, reset,
// answered with an error before or after its effect, or with half an answer.
func TestFailures(t *testing.T) {
	s := &server{}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	failures := &lostanswertest.Failures{Changes: func(*http.Request) bool { return true }}
	cfg := aws.Config{Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""), BaseEndpoint: &h.URL,
		HTTPClient: &http.Client{Transport: failures}, Retryer: func() aws.Retryer {
			return retry.NewStandard(sending.Retries, func(o *retry.StandardOptions) {
				o.RateLimiter = ratelimit.None
				o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
			})
		}}
	q := sqstask.Open(cfg, sqstask.Options{Queues: map[string]string{"default": "https://q/1/rest"}, Now: func() time.Time { return noon }})
	for i := range 40 {
		if err := q.Send(t.Context(), task.Job{Kind: "ingest", ID: fmt.Sprint(i)}, time.Duration(i)*time.Second); err != nil {
			t.Errorf("Send of job %d = %v", i, err)
		}
		if !slices.ContainsFunc(s.take(), func(call string) bool { return strings.HasPrefix(call, "SendMessage") }) {
			t.Errorf("job %d was not sent", i)
		}
	}
	if counts := failures.Count(); len(counts) < 8 {
		t.Errorf("failures were %v, want some of each kind", counts)
	}
}

func TestSend(t *testing.T) {
	q, s := open(t)
	for _, c := range []struct {
		kind  string
		delay time.Duration
		want  string
	}{
		{"chat", 0, "SendMessage https://q/1/chat <nil> <nil>"},
		{"ingest", 1500 * time.Millisecond, "SendMessage https://q/1/rest 2 <nil>"},
		{"ingest", 12 * time.Hour, "SendMessage https://q/1/rest 900 <nil>"},
	} {
		if err := q.Send(t.Context(), task.Job{Kind: c.kind, ID: "a"}, c.delay); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{c.want}, s.take()); diff != "" {
			t.Errorf("Send(%s, %s) (-want +got):\n%s", c.kind, c.delay, diff)
		}
	}
	if err := q.Send(t.Context(), task.Job{Kind: "chat", ID: "a"}, 13*time.Hour); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("a delay of 13 h: %v", err)
	}
	q.Close()
	if err := q.Send(t.Context(), task.Job{Kind: "chat", ID: "a"}, 0); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("a closed queue: %v", err)
	}
}

// batch is an event like events/sqs-batch.json, with one message per body.
func batch(received int, bodies ...string) []byte {
	type m = map[string]any
	var records []m
	for i, b := range bodies {
		records = append(records, m{"messageId": fmt.Sprint("m", i), "receiptHandle": "r", "body": b, "eventSourceARN": "arn:aws:sqs:us-east-1:1:chat",
			"attributes": m{"ApproximateReceiveCount": fmt.Sprint(received)}})
	}
	raw, _ := json.Marshal(m{"Records": records})
	return raw
}

func TestBatch(t *testing.T) {
	q, s := open(t)
	r := &tasktest.Recorder{Do: func(_ context.Context, d task.Delivery) error {
		switch d.ID {
		case "bad":
			return errors.New("broken")
		case "long":
			return d.Extend(t.Context(), time.Minute)
		}
		return nil
	}}
	got, err := q.Batch(t.Context(), batch(1, `{"kind":"chat","id":"good"}`, `{"kind":"chat","id":"bad"}`, `{"kind":"chat","id":"long"}`, `no job`),
		task.Table{"chat": r})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sqstask.Failures{Items: []sqstask.Failure{{ID: "m1"}}}, got); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	calls := s.take()
	if len(calls) != 2 || !strings.HasPrefix(calls[0], "ChangeMessageVisibility https://q/1/chat") ||
		calls[1] != "ChangeMessageVisibility https://q/1/chat <nil> 60" {
		t.Errorf("calls %q, want a pause for the failed job and a minute for the long one", calls)
	}
	if len(r.Given()) > 0 {
		t.Errorf("given up after one try: %v", r.Given())
	}
	got, err = q.Batch(t.Context(), batch(task.MaxAttempts, `{"kind":"chat","id":"bad"}`), task.Table{"chat": r})
	if err != nil || len(got.Items) > 0 || len(r.Given()) != 1 {
		t.Errorf("the last try: %v, %v, given up %v", got, err, r.Given())
	}
	raw, _ := json.Marshal(got)
	if string(raw) != `{"batchItemFailures":[]}` {
		t.Errorf("no failures are %s", raw)
	}
}

// TestLongDelay: a job that is not due yet is sent on, and runs once it is.
func TestLongDelay(t *testing.T) {
	q, s := open(t)
	r := &tasktest.Recorder{}
	for _, c := range []struct {
		ahead time.Duration
		want  []string
		runs  int
	}{{time.Hour, []string{"SendMessage https://q/1/chat 900 <nil>"}, 0}, {time.Minute, []string{"SendMessage https://q/1/chat 60 <nil>"}, 0},
		{-time.Second, nil, 1}} {
		got, err := q.Batch(t.Context(), batch(1, fmt.Sprintf(`{"kind":"chat","id":"a","not_before":%d}`, noon.Add(c.ahead).UnixMilli())), task.Table{"chat": r})
		if err != nil || len(got.Items) > 0 {
			t.Errorf("due in %s: %v, %v", c.ahead, got, err)
		}
		if diff := cmp.Diff(c.want, s.take()); diff != "" {
			t.Errorf("due in %s (-want +got):\n%s", c.ahead, diff)
		}
		if runs, _ := r.Runs(); len(runs) != c.runs {
			t.Errorf("due in %s: %d runs, want %d", c.ahead, len(runs), c.runs)
		}
	}
}

// TestDeadLetters: what comes from a queue that jobs are not sent to is given
// up.
func TestDeadLetters(t *testing.T) {
	raw, err := os.ReadFile("../../../../events/sqs-batch.json")
	if err != nil {
		t.Fatal(err)
	}
	for queue, want := range map[string]int{"chat": 0, "chat-dead": 2} {
		q, _ := open(t)
		r := &tasktest.Recorder{}
		got, err := q.Batch(t.Context(), bytes.ReplaceAll(raw, []byte("123456789012:chat"), []byte("123456789012:"+queue)), task.Table{"chat": r})
		runs, _ := r.Runs()
		if err != nil || len(got.Items) > 0 || len(r.Given()) != want || len(runs) != 2-want {
			t.Errorf("from %s: %v, %v; %d runs, given up %v, want %d given up", queue, got, err, len(runs), r.Given(), want)
		}
	}
}

func TestParse(t *testing.T) {
	got, err := sqstask.Parse("aws:?chat=https://sqs.eu-west-1.amazonaws.com/1/chat&default=https%3A%2F%2Fq%2F1%2Frest")
	if diff := cmp.Diff(map[string]string{"chat": "https://sqs.eu-west-1.amazonaws.com/1/chat", "default": "https://q/1/rest"}, got); diff != "" ||
		err != nil {
		t.Errorf("Parse: %v (-want +got):\n%s", err, diff)
	}
	for _, bad := range []string{"", "aws:", "aws:?chat=x", "sqs:?chat=https://q"} {
		if _, err := sqstask.Parse(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestAgainstServer holds the driver to the suite on a real queue, which a
// worker polls as Lambda would.
func TestAgainstServer(t *testing.T) {
	endpoint := os.Getenv("AWS_ENDPOINT_URL")
	if endpoint == "" {
		t.Skip("AWS_ENDPOINT_URL names no server with SQS")
	}
	cfg, err := awsconfig.LoadDefaultConfig(t.Context(), awsconfig.WithRegion("us-east-1"))
	if err != nil {
		t.Fatal(err)
	}
	tasktest.RunAgainst(t, func(t *testing.T, table task.Table) task.Queue {
		name := fmt.Sprintf("jobs-%d", time.Now().UnixNano())
		made, err := sqs.NewFromConfig(cfg).CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name})
		if err != nil {
			t.Fatal(err)
		}
		q := sqstask.Open(cfg, sqstask.Options{Queues: map[string]string{"default": *made.QueueUrl}})
		ctx, stop := context.WithCancel(context.Background())
		var worker sync.WaitGroup
		t.Cleanup(func() { stop(); worker.Wait() })
		worker.Go(func() {
			for ctx.Err() == nil {
				if _, err := q.Poll(ctx, *made.QueueUrl, time.Second, table); err != nil && ctx.Err() == nil {
					t.Errorf("Poll = %v", err)
					return
				}
			}
		})
		return q
	}, nil)
}
