package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"lectern/functions"
	"lectern/shared/storage/task"
)

// queue is a queue and its dead-letter queue.
type queue struct {
	url, arn, deadARN string
	name, deadName    string
	concurrency       int
}

var queueNames = []string{functions.ChatQueue, functions.DefaultQueue}

const (
	// A worker gives up a job after task.MaxAttempts. A job whose worker died
	// each time reaches the dead-letter queue two deliveries later.
	maxReceives   = task.MaxAttempts + 2
	hiddenSeconds = 6 * jobSeconds // AWS's recommendation; live workers shorten it
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

// addQueue creates a queue that requires TLS; statements allow senders that are
// not roles of this stack.
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

// lostUploads is the queue of bucket events that could not be delivered, or
// that the function failed to process. Nothing consumes it, because the sweep
// registers missed uploads; an alarm reports them.
const lostUploads = "uploads-dead"

func (b *builder) addLostUploads() {
	q := b.addQueue(lostUploads, &awssqs.CfnQueueProps{VisibilityTimeout: jsii.Number(eventSeconds),
		MessageRetentionPeriod: jsii.Number(keptSeconds)},
		// By the rule's name, not its ARN, because the rule refers to the queue.
		statement{
			"Sid": "Undeliverable", "Effect": "Allow", "Principal": map[string]any{"Service": "events.amazonaws.com"},
			"Action": "sqs:SendMessage", "Resource": b.arn("sqs", b.name(lostUploads)),
			"Condition": map[string]any{"ArnEquals": map[string]any{"aws:SourceArn": b.arn("events", "rule/"+b.name(uploadsRule))}},
		})
	b.lost = queue{url: *q.Ref(), arn: *q.AttrArn(), name: b.name(lostUploads)}
}

// addSources connects the workers to their queues and dead-letter queues, once
// the secrets exist. The batch size is one, because a job may need the
// function's whole timeout.
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
