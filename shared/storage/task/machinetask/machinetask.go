// Package machinetask starts jobs as executions of an AWS Step Functions state
// machine, for work that is longer than one function may take. The machine runs
// the job stage by stage, retries each, and tells the owner when it gives up;
// deployment makes it of the owner's list of stages. Standard executions run
// once by their name, which is the job's.
package machinetask

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"lectern/shared/fault"
	"lectern/shared/storage/task"
)

// Queue implements task.Queue.
type Queue struct {
	machine string
	client  *sfn.Client
	closed  atomic.Bool
}

var _ task.Queue = (*Queue)(nil)

// Open makes a queue of a state machine's ARN, without calling it.
func Open(cfg aws.Config, machine string) (*Queue, error) {
	if !strings.HasPrefix(machine, "arn:") || !strings.Contains(machine, ":stateMachine:") {
		return nil, errors.New("a state machine should be named by its ARN")
	}
	return &Queue{machine: machine, client: sfn.NewFromConfig(cfg)}, nil
}

// Input is what an execution begins with.
type Input struct {
	task.Job
	// Wait is how many seconds pass before the first stage.
	Wait int `json:"wait"`
}

// Send implements task.Queue. A job of an id that was started before is started
// already.
func (q *Queue) Send(ctx context.Context, job task.Job, delay time.Duration) error {
	if err := task.Check(job, delay); err != nil {
		return err
	}
	if q.closed.Load() {
		return fault.New(fault.Unavailable, "the task queue is closed")
	}
	input, err := json.Marshal(Input{job, int((delay + time.Second - 1) / time.Second)})
	if err != nil {
		return err
	}
	_, err = q.client.StartExecution(ctx, &sfn.StartExecutionInput{StateMachineArn: &q.machine, Name: aws.String(nameOf(job)),
		Input: aws.String(string(input))})
	if _, started := errors.AsType[*types.ExecutionAlreadyExists](err); started || err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fault.Wrap(err, fault.Unavailable, "the state machine cannot be reached")
}

// nameOf makes an execution's name, 1 to 80 of [A-Za-z0-9_-], of a job's id.
func nameOf(job task.Job) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, job.Kind+"-"+job.ID)
	return name[:min(len(name), 80)]
}

// Close implements task.Queue.
func (q *Queue) Close() error {
	q.closed.Store(true)
	return nil
}
