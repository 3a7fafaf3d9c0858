package machinetask_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/aws/sending"
	"lectern/shared/fault"
	"lectern/shared/storage/lostanswertest"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/machinetask"
	"lectern/shared/storage/task/tasktest"
)

const machine = "arn:aws:states:us-east-1:123456789012:stateMachine:ingest"

func TestSend(t *testing.T) {
	var asked map[string]string
	status, answer := 200, `{"executionArn":"arn:aws:states:us-east-1:1:execution:ingest:a"}`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Amz-Target") != "AWSStepFunctions.StartExecution" {
			t.Errorf("asked with %v", r.Header)
		}
		_ = json.NewDecoder(r.Body).Decode(&asked)
		w.WriteHeader(status)
		fmt.Fprint(w, answer)
	}))
	defer s.Close()
	q, err := machinetask.Open(aws.Config{Region: "us-east-1", BaseEndpoint: &s.URL,
		Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")}, machine)
	if err != nil {
		t.Fatal(err)
	}
	job := task.Job{Kind: "ingest.staged", ID: "0192f5e4-7b3a/x"}
	if err := q.Send(t.Context(), job, 1500*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"stateMachineArn": machine, "name": "ingest_staged-0192f5e4-7b3a_x",
		"input": `{"kind":"ingest.staged","id":"0192f5e4-7b3a/x","wait":2}`}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	status, answer = 400, `{"__type":"com.amazonaws.swf.service.v2.model#ExecutionAlreadyExists"}`
	if err := q.Send(t.Context(), job, 0); err != nil {
		t.Errorf("a job that was started before: %v", err)
	}
	answer = `{"__type":"StateMachineDoesNotExist"}`
	if err := q.Send(t.Context(), job, 0); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("a machine that is not there: %v", err)
	}
	if err := q.Send(t.Context(), task.Job{Kind: "K"}, 0); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("a job without an id: %v", err)
	}
	q.Close()
	if err := q.Send(t.Context(), job, 0); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("a closed queue: %v", err)
	}
	if _, err := machinetask.Open(aws.Config{}, "https://queue"); err == nil {
		t.Error("a queue's URL is taken for a state machine")
	}
}

// TestFailures: a job is started at least once however its request fails, throttled,
// reset, answered with an error before or after its effect, or with half an answer; a
// start that was answered late is no second one.
func TestFailures(t *testing.T) {
	started := map[string]int{} // requests by the name of the execution
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Name string }
		_ = json.NewDecoder(r.Body).Decode(&asked)
		if started[asked.Name]++; started[asked.Name] > 1 {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"__type":"com.amazonaws.swf.service.v2.model#ExecutionAlreadyExists"}`)
			return
		}
		fmt.Fprintf(w, `{"executionArn":"arn:aws:states:us-east-1:1:execution:ingest:%s","startDate":1}`, asked.Name)
	}))
	defer s.Close()
	failures := &lostanswertest.Failures{Changes: func(*http.Request) bool { return true }}
	q, err := machinetask.Open(aws.Config{Region: "us-east-1", BaseEndpoint: &s.URL, Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
		HTTPClient: &http.Client{Transport: failures}, Retryer: func() aws.Retryer {
			return retry.NewStandard(sending.Retries, func(o *retry.StandardOptions) {
				o.RateLimiter = ratelimit.None
				o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
			})
		}}, machine)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		id := fmt.Sprint("job", i)
		if err := q.Send(t.Context(), task.Job{Kind: "ingest", ID: id}, 0); err != nil {
			t.Errorf("Send of job %d = %v", i, err)
		}
		if started["ingest-"+id] == 0 {
			t.Errorf("job %d was not started", i)
		}
	}
	if counts := failures.Count(); len(counts) < 8 {
		t.Errorf("failures were %v, want some of each kind", counts)
	}
}

// definition is a machine like that of long ingests: it waits as long as the
// job says, has the job done, again when that fails, and gives it up.
const definition = `{"StartAt":"Wait","States":{
	"Wait":{"Type":"Wait","SecondsPath":"$.wait","Next":"Work"},
	"Work":{"Type":"Task","Resource":%[1]q,"End":true,
		"Retry":[{"ErrorEquals":["States.ALL"],"IntervalSeconds":1,"MaxAttempts":%[2]d,"BackoffRate":1}],
		"Catch":[{"ErrorEquals":["States.ALL"],"ResultPath":"$.error","Next":"Dead"}]},
	"Dead":{"Type":"Task","Resource":%[3]q,"End":true}}}`

// TestAgainstServer holds the driver to the suite on a real state machine, whose
// jobs a worker of activities does.
func TestAgainstServer(t *testing.T) {
	endpoint := os.Getenv("AWS_ENDPOINT_URL")
	if endpoint == "" {
		t.Skip("AWS_ENDPOINT_URL names no server with Step Functions")
	}
	cfg := aws.Config{Region: "us-east-1", BaseEndpoint: &endpoint, Credentials: credentials.NewStaticCredentialsProvider("test", "testtesttest", "")}
	states := sfn.NewFromConfig(cfg)
	tasktest.RunAgainst(t, func(t *testing.T, table task.Table) task.Queue {
		m := &worker{states: states, table: table, tries: map[string]int{}}
		name := fmt.Sprintf("m%d", time.Now().UnixNano())
		work, dead := m.make(t, name+"-work"), m.make(t, name+"-dead")
		q, err := machinetask.Open(cfg, create(t, states, name, fmt.Sprintf(definition, work, task.MaxAttempts-1, dead)))
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		var workers sync.WaitGroup
		t.Cleanup(func() { stop(); workers.Wait() })
		workers.Go(func() { m.poll(ctx, t, work, m.work) })
		workers.Go(func() { m.poll(ctx, t, dead, m.bury) })
		return q
	}, tasktest.Skips{
		"AfterIsKept": "the pause before the next try is the machine's, not the handler's",
	})
}

// create makes a state machine and returns its ARN.
func create(t *testing.T, states *sfn.Client, name, definition string) string {
	t.Helper()
	made, err := states.CreateStateMachine(t.Context(), &sfn.CreateStateMachineInput{
		Name: &name, RoleArn: aws.String("arn:aws:iam::000000000000:role/r"), Definition: &definition,
	})
	if err != nil {
		t.Fatal(err)
	}
	return *made.StateMachineArn
}

// worker does the jobs of a machine's activities. An activity is not told which
// try it is, so the worker counts, as a stage of an ingest does by its records.
type worker struct {
	states *sfn.Client
	table  task.Table
	mu     sync.Mutex
	tries  map[string]int
}

func (m *worker) make(t *testing.T, name string) string {
	t.Helper()
	made, err := m.states.CreateActivity(t.Context(), &sfn.CreateActivityInput{Name: &name})
	if err != nil {
		t.Fatal(err)
	}
	return *made.ActivityArn
}

type input struct {
	task.Job
	Error struct{ Cause string } `json:"error"`
}

func (m *worker) work(ctx context.Context, in input) error {
	m.mu.Lock()
	m.tries[in.ID]++
	d := task.Delivery{Job: in.Job, Attempt: m.tries[in.ID]}
	m.mu.Unlock()
	return m.table.Run(ctx, d)
}

func (m *worker) bury(ctx context.Context, in input) error {
	return m.table.Dead(ctx, in.Job, errors.New(in.Error.Cause))
}

// poll does what an activity is asked for until ctx ends.
func (m *worker) poll(ctx context.Context, t *testing.T, activity string, do func(context.Context, input) error) {
	for ctx.Err() == nil {
		asked, err := m.states.GetActivityTask(ctx, &sfn.GetActivityTaskInput{ActivityArn: &activity})
		if err != nil {
			if ctx.Err() == nil {
				t.Errorf("GetActivityTask = %v", err)
			}
			return
		}
		if aws.ToString(asked.TaskToken) == "" {
			continue
		}
		var in input
		if err := json.Unmarshal([]byte(*asked.Input), &in); err != nil {
			t.Errorf("the activity is asked for %q: %v", *asked.Input, err)
			return
		}
		if failure := do(ctx, in); failure != nil {
			_, err = m.states.SendTaskFailure(ctx, &sfn.SendTaskFailureInput{TaskToken: asked.TaskToken, Error: aws.String("Failed"),
				Cause: aws.String(failure.Error())})
		} else {
			_, err = m.states.SendTaskSuccess(ctx, &sfn.SendTaskSuccessInput{TaskToken: asked.TaskToken, Output: aws.String("{}")})
		}
		var gone *types.TaskDoesNotExist
		switch {
		case errors.As(err, &gone): // an answer that was sent twice, since the first one's was lost
			t.Logf("the answer about a job: %v", err)
		case err != nil && ctx.Err() == nil:
			t.Errorf("the answer about a job: %v", err)
		}
	}
}

// TestStartedOnce: a job that is sent again has one execution.
func TestStartedOnce(t *testing.T) {
	endpoint := os.Getenv("AWS_ENDPOINT_URL")
	if endpoint == "" {
		t.Skip("AWS_ENDPOINT_URL names no server with Step Functions")
	}
	cfg := aws.Config{Region: "us-east-1", BaseEndpoint: &endpoint, Credentials: credentials.NewStaticCredentialsProvider("test", "testtesttest", "")}
	states := sfn.NewFromConfig(cfg)
	machine := create(t, states, fmt.Sprintf("m%d", time.Now().UnixNano()),
		`{"StartAt":"Wait","States":{"Wait":{"Type":"Wait","SecondsPath":"$.wait","Next":"Pass"},"Pass":{"Type":"Pass","End":true}}}`)
	q, err := machinetask.Open(cfg, machine)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second is started already
		if err := q.Send(t.Context(), task.Job{Kind: "k", ID: "a"}, 0); err != nil {
			t.Fatal(err)
		}
	}
	var list *sfn.ListExecutionsOutput
	done := func() bool {
		return len(list.Executions) == 1 && *list.Executions[0].Name == "k-a" && list.Executions[0].Status == types.ExecutionStatusSucceeded
	}
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		if list, err = states.ListExecutions(t.Context(), &sfn.ListExecutionsInput{StateMachineArn: &machine}); err != nil {
			t.Fatal(err)
		}
		if done() {
			return
		}
	}
	t.Errorf("executions %+v, want one that succeeded", list.Executions)
}
