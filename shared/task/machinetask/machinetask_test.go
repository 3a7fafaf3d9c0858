package machinetask_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/awsjson"
	"lectern/shared/fault"
	"lectern/shared/task"
	"lectern/shared/task/machinetask"
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
	q, err := machinetask.Open(aws.Config{Region: "us-east-1", BaseEndpoint: &s.URL, Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")}, machine)
	if err != nil {
		t.Fatal(err)
	}
	job := task.Job{Kind: "ingest.staged", ID: "0192f5e4-7b3a/x"}
	if err := q.Send(t.Context(), job, 1500*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"stateMachineArn": machine, "name": "ingest_staged-0192f5e4-7b3a_x", "input": `{"kind":"ingest.staged","id":"0192f5e4-7b3a/x","wait":2}`}
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

// TestAgainstServer starts an execution of a real state machine.
func TestAgainstServer(t *testing.T) {
	endpoint := os.Getenv("AWS_ENDPOINT_URL")
	if endpoint == "" {
		t.Skip("AWS_ENDPOINT_URL names no server with Step Functions")
	}
	cfg := aws.Config{Region: "us-east-1", BaseEndpoint: &endpoint, Credentials: credentials.NewStaticCredentialsProvider("test", "testtesttest", "")}
	states := awsjson.Client{Config: cfg, Service: "states", Target: "AWSStepFunctions", Version: "1.0"}
	var made struct{ StateMachineArn string }
	err := states.Call(t.Context(), "CreateStateMachine", map[string]string{
		"name": fmt.Sprintf("m%d", time.Now().UnixNano()), "roleArn": "arn:aws:iam::000000000000:role/r",
		"definition": `{"StartAt":"Wait","States":{"Wait":{"Type":"Wait","SecondsPath":"$.wait","Next":"Pass"},"Pass":{"Type":"Pass","End":true}}}`,
	}, &made)
	if err != nil {
		t.Fatal(err)
	}
	q, err := machinetask.Open(cfg, made.StateMachineArn)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second is started already
		if err := q.Send(t.Context(), task.Job{Kind: "k", ID: "a"}, 0); err != nil {
			t.Fatal(err)
		}
	}
	var list struct {
		Executions []struct{ Name, Status string }
	}
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		if err := states.Call(t.Context(), "ListExecutions", map[string]string{"stateMachineArn": made.StateMachineArn}, &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Executions) == 1 && list.Executions[0].Status == "SUCCEEDED" {
			break
		}
	}
	if len(list.Executions) != 1 || list.Executions[0].Name != "k-a" || list.Executions[0].Status != "SUCCEEDED" {
		t.Errorf("executions %+v, want one that succeeded", list.Executions)
	}
}
