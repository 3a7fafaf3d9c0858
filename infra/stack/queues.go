package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"lectern/functions"
	"lectern/shared/storage/task"
)

// queue is one in the template, with its dead letters.
type queue struct {
	url, arn, deadARN string
	name, deadName    string
	concurrency       int
}

var queueNames = []string{functions.ChatQueue, functions.DefaultQueue}

const (
	// A job is given up after task.MaxAttempts by its worker. One whose worker
	// died each time comes to the dead letters two deliveries later.
	maxReceives   = task.MaxAttempts + 2
	hiddenSeconds = 6 * jobSeconds // as AWS advises; workers shorten it while they live
	keptSeconds   = 14 * 24 * 3600
)

func (b *builder) addQueues() {
	b.queues = map[string]queue{}
	concurrency := map[string]int{functions.ChatQueue: b.environment.Concurrency.Chat,
		functions.DefaultQueue: b.environment.Concurrency.Default}
	for _, name := range queueNames {
		dead := b.addQueue(name+"-dead", &awssqs.CfnQueueProps{VisibilityTimeout: jsii.Number(hiddenSeconds),
			MessageRetentionPeriod: jsii.Number(keptSeconds)})
		q := b.addQueue(name, &awssqs.CfnQueueProps{
			VisibilityTimeout: jsii.Number(hiddenSeconds), MessageRetentionPeriod: jsii.Number(keptSeconds),
			RedrivePolicy: map[string]any{"deadLetterTargetArn": dead.AttrArn(), "maxReceiveCount": jsii.Number(maxReceives)},
		})
		b.queues[name] = queue{url: *q.Ref(), arn: *q.AttrArn(), deadARN: *dead.AttrArn(), name: b.name(name),
			deadName: b.name(name + "-dead"), concurrency: concurrency[name]}
	}
	b.addLostUploads()
}

// addQueue makes a queue that takes messages by TLS only; who may send by
// something else than its own role is told by statements.
func (b *builder) addQueue(name string, props *awssqs.CfnQueueProps, statements ...statement) awssqs.CfnQueue {
	props.QueueName, props.SqsManagedSseEnabled = jsii.String(b.name(name)), jsii.Bool(true)
	q := awssqs.NewCfnQueue(b.stack, jsii.String(construct(name)+"Queue"), props)
	awssqs.NewCfnQueuePolicy(b.stack, jsii.String(construct(name)+"QueuePolicy"), &awssqs.CfnQueuePolicyProps{
		Queues: &[]*string{q.Ref()},
		PolicyDocument: document(append(statements, statement{
			"Sid": "TLSOnly", "Effect": "Deny", "Principal": map[string]any{"AWS": "*"}, "Action": "sqs:*", "Resource": q.AttrArn(),
			"Condition": map[string]any{"Bool": map[string]any{"aws:SecureTransport": "false"}},
		})...),
	})
	return q
}

// lostUploads is the queue of events about uploads that no file was made of:
// the bus could not deliver them, or the function failed again and again. Nobody
// consumes it, for the sweep makes files of what was missed; an alarm tells.
const lostUploads = "uploads-dead"

func (b *builder) addLostUploads() {
	q := b.addQueue(lostUploads, &awssqs.CfnQueueProps{VisibilityTimeout: jsii.Number(eventSeconds),
		MessageRetentionPeriod: jsii.Number(keptSeconds)},
		// By the rule's name and not by its ARN, because the rule names the queue.
		statement{
			"Sid": "Undeliverable", "Effect": "Allow", "Principal": map[string]any{"Service": "events.amazonaws.com"},
			"Action": "sqs:SendMessage", "Resource": b.arn("sqs", b.name(lostUploads)),
			"Condition": map[string]any{"ArnEquals": map[string]any{"aws:SourceArn": b.arn("events", "rule/"+b.name(uploadsRule))}},
		})
	b.lost = queue{url: *q.Ref(), arn: *q.AttrArn(), name: b.name(lostUploads)}
}

// addSources puts the workers behind their queues and dead letters, once the
// secrets are there. One message at a time: a job may take as long as its
// function, and several in one invocation would share its time.
func (b *builder) addSources(after awscdk.CfnResource) {
	for _, f := range list() {
		if f.Needs.Consumes == "" {
			continue
		}
		q := b.queues[f.Needs.Consumes]
		for _, source := range []struct {
			id, arn     string
			concurrency int
		}{{"", q.arn, q.concurrency}, {"Dead", q.deadARN, 2}} {
			m := awslambda.NewCfnEventSourceMapping(b.stack, jsii.String(construct(f.Name)+source.id+"Source"),
				&awslambda.CfnEventSourceMappingProps{
					FunctionName: b.functions[f.Name].resource.Ref(), EventSourceArn: jsii.String(source.arn), BatchSize: jsii.Number(1),
					FunctionResponseTypes: jsii.Strings("ReportBatchItemFailures"),
					ScalingConfig:         &awslambda.CfnEventSourceMapping_ScalingConfigProperty{MaximumConcurrency: jsii.Number(float64(source.concurrency))},
				})
			m.AddResourceDependency(after, nil)
		}
	}
}
