package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsscheduler"
	"github.com/aws/jsii-runtime-go"
)

// addBus creates the bus for callbacks of the kind amqp.
func (b *builder) addBus() {
	bus := awsevents.NewCfnEventBus(b.stack, jsii.String("Bus"), &awsevents.CfnEventBusProps{Name: jsii.String(b.name("callbacks"))})
	b.bus, b.busARN = b.name("callbacks"), *bus.AttrArn()
}

const uploadsRule = "uploads"

// addEvents connects functions to the bucket's events and to the schedule.
func (b *builder) addEvents() {
	uploads := b.functions["files-worker"]
	rule := awsevents.NewCfnRule(b.stack, jsii.String("Uploads"), &awsevents.CfnRuleProps{
		Name: jsii.String(b.name(uploadsRule)), Description: jsii.String("objects that signed requests have stored become files"),
		EventPattern: map[string]any{
			"source": []string{"aws.s3"}, "detail-type": []string{"Object Created"},
			"detail": map[string]any{
				"bucket": map[string]any{"name": []string{b.kept.bucket}},
				// A key is files/<place>/<file>/<version>; those of signed
				// requests have versions that begin with "up".
				"object": map[string]any{"key": []any{map[string]any{"wildcard": "files/*/*/up*"}}},
			},
		},
		Targets: &[]any{&awsevents.CfnRule_TargetProperty{
			Id: jsii.String("files-worker"), Arn: jsii.String(uploads.arn),
			RetryPolicy: &awsevents.CfnRule_RetryPolicyProperty{MaximumRetryAttempts: jsii.Number(10),
				MaximumEventAgeInSeconds: jsii.Number(3600)},
			DeadLetterConfig: &awsevents.CfnRule_DeadLetterConfigProperty{Arn: jsii.String(b.lost.arn)},
		}},
	})
	awslambda.NewCfnPermission(b.stack, jsii.String("UploadsPermission"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: uploads.resource.Ref(), Principal: jsii.String("events.amazonaws.com"),
		SourceArn: rule.AttrArn(),
	})
	// EventBridge's delivery ends with the asynchronous invocation; Lambda then
	// retries a failing function twice.
	awslambda.NewCfnEventInvokeConfig(b.stack, jsii.String("UploadsFailures"), &awslambda.CfnEventInvokeConfigProps{
		FunctionName: uploads.resource.Ref(), Qualifier: jsii.String("$LATEST"), MaximumRetryAttempts: jsii.Number(2),
		MaximumEventAgeInSeconds: jsii.Number(3600),
		DestinationConfig: &awslambda.CfnEventInvokeConfig_DestinationConfigProperty{
			OnFailure: &awslambda.CfnEventInvokeConfig_OnFailureProperty{Destination: jsii.String(b.lost.arn)},
		},
	})
	sweep := b.functions["system-sweep"]
	role := awsiam.NewCfnRole(b.stack, jsii.String("ScheduleRole"), &awsiam.CfnRoleProps{
		AssumeRolePolicyDocument: assumedBy("scheduler.amazonaws.com"),
		Policies: &[]any{&awsiam.CfnRole_PolicyProperty{PolicyName: jsii.String("needs"),
			PolicyDocument: document(allow([]string{"lambda:InvokeFunction"}, sweep.arn))}},
	})
	awsscheduler.NewCfnSchedule(b.stack, jsii.String("Sweep"), &awsscheduler.CfnScheduleProps{
		Name: jsii.String(b.name("sweep")), Description: jsii.String("frees what processes that died have left"),
		ScheduleExpression: jsii.String(b.environment.SweepEvery),
		FlexibleTimeWindow: &awsscheduler.CfnSchedule_FlexibleTimeWindowProperty{Mode: jsii.String("OFF")},
		Target: &awsscheduler.CfnSchedule_TargetProperty{
			Arn: jsii.String(sweep.arn), RoleArn: role.AttrArn(),
			// No retries: the next run catches up.
			RetryPolicy: &awsscheduler.CfnSchedule_RetryPolicyProperty{MaximumRetryAttempts: jsii.Number(0)},
		},
	})
}
