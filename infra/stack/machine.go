package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsstepfunctions"
	"github.com/aws/jsii-runtime-go"

	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
)

// machine is the name of the state machine of long ingests.
const machine = "ingest"

// machineARN is predictable, because the worker needs it before the machine exists.
func (b *builder) machineARN() string {
	return b.arn("states", "stateMachine:"+b.name(machine))
}

// addMachine creates the state machine of the ingest stages. The worker of the
// default queue runs its tasks.
func (b *builder) addMachine() {
	worker := b.functions["artifacts-worker"].arn
	logs := awslogs.NewCfnLogGroup(b.stack, jsii.String("IngestMachineLog"), &awslogs.CfnLogGroupProps{
		LogGroupName: jsii.String("/aws/vendedlogs/states/" + b.name(machine)), RetentionInDays: jsii.Number(float64(b.environment.LogDays)),
	})
	removal(logs, false)
	role := awsiam.NewCfnRole(b.stack, jsii.String("IngestMachineRole"), &awsiam.CfnRoleProps{
		AssumeRolePolicyDocument: assumedBy("states.amazonaws.com"),
		Policies: &[]any{&awsiam.CfnRole_PolicyProperty{PolicyName: jsii.String("needs"), PolicyDocument: document(
			allow([]string{"lambda:InvokeFunction"}, worker),
			allow(deliverLogs, "*"),
			allow([]string{"xray:GetSamplingRules", "xray:GetSamplingTargets", "xray:PutTelemetryRecords", "xray:PutTraceSegments"}, "*"),
		)}},
	})
	m := awsstepfunctions.NewCfnStateMachine(b.stack, jsii.String("IngestMachine"), &awsstepfunctions.CfnStateMachineProps{
		StateMachineName: jsii.String(b.name(machine)), StateMachineType: jsii.String("STANDARD"), RoleArn: role.AttrArn(),
		Definition:           definition(worker),
		TracingConfiguration: &awsstepfunctions.CfnStateMachine_TracingConfigurationProperty{Enabled: jsii.Bool(true)},
		LoggingConfiguration: &awsstepfunctions.CfnStateMachine_LoggingConfigurationProperty{
			Level: jsii.String("ALL"), IncludeExecutionData: jsii.Bool(false),
			Destinations: &[]any{&awsstepfunctions.CfnStateMachine_LogDestinationProperty{
				CloudWatchLogsLogGroup: &awsstepfunctions.CfnStateMachine_CloudWatchLogsLogGroupProperty{LogGroupArn: logs.AttrArn()},
			}},
		},
	})
	removal(m, false)
}

// deliverLogs are the permissions that a state machine needs to write its log;
// none of them can be limited to a resource.
var deliverLogs = []string{
	"logs:CreateLogDelivery", "logs:DeleteLogDelivery", "logs:DescribeLogGroups", "logs:DescribeResourcePolicies",
	"logs:GetLogDelivery", "logs:ListLogDeliveries", "logs:PutResourcePolicy", "logs:UpdateLogDelivery",
}

type object = map[string]any

const (
	machineSeconds = 7 * 3600 // more than the deadline of an ingest
	sideBySide     = 4        // concurrent groups of chunks of one document
)

// definition is the machine in the Amazon States Language: a wait, the stages
// in sequence, stages per group in parallel, and the stage that reports a
// failure to the owner.
func definition(worker string) object {
	retry := []object{{"ErrorEquals": []string{"States.ALL"}, "IntervalSeconds": 5, "MaxAttempts": 5, "BackoffRate": 3,
		"MaxDelaySeconds": 900, "JitterStrategy": "FULL"}}
	// The last stage checks once whether the index shows what was written, and
	// is retried if not.
	later := []object{{"ErrorEquals": []string{"States.ALL"}, "IntervalSeconds": 5, "MaxAttempts": 15, "BackoffRate": 2,
		"MaxDelaySeconds": 60}}
	catch := []object{{"ErrorEquals": []string{"States.ALL"}, "ResultPath": "$.error", "Next": tasks.StageFailed}}
	states := object{
		"over": object{"Type": "Succeed"},
		tasks.StageFailed: object{
			"Type": "Task", "Resource": worker, "Parameters": object{"id.$": "$.id", "stage": tasks.StageFailed}, "Retry": retry,
			"Next": "gave up",
		},
		"gave up": object{"Type": "Fail", "Error": "IngestFailed"},
	}
	// The results of the groups are added to the input of the next stage; this
	// keeps them small, because there may be hundreds. (A null ResultPath would
	// drop them, but CDK omits nulls.)
	small := object{"over.$": "$.over"}
	stages := artifact.Stages()
	for i, stage := range stages {
		next, again := "over", later
		if i+1 < len(stages) {
			next, again = stages[i+1].Name, retry
		}
		input := object{"id.$": "$.id", "stage": stage.Name}
		if i > 0 {
			input["notes.$"] = "$.notes"
		}
		if stage.Each {
			each := object{"id.$": "$.id", "stage": stage.Name, "notes.$": "$.notes", "group.$": "$$.Map.Item.Value"}
			states[stage.Name] = object{
				"Type": "Map", "ItemsPath": "$.groups", "MaxConcurrency": sideBySide, "ItemSelector": each, "ResultPath": "$.written",
				"Catch": catch, "Next": next,
				"ItemProcessor": object{
					"ProcessorConfig": object{"Mode": "INLINE"}, "StartAt": "one of " + stage.Name,
					"States": object{"one of " + stage.Name: object{"Type": "Task", "Resource": worker, "ResultSelector": small, "Retry": retry,
						"End": true}},
				},
			}
			continue
		}
		states[stage.Name] = object{"Type": "Task", "Resource": worker, "Parameters": input, "Retry": again, "Catch": catch,
			"Next": stage.Name + " over?"}
		states[stage.Name+" over?"] = object{
			"Type": "Choice", "Choices": []object{{"Variable": "$.over", "BooleanEquals": true, "Next": "over"}}, "Default": next,
		}
	}
	states["wait"] = object{"Type": "Wait", "SecondsPath": "$.wait", "Next": stages[0].Name}
	return object{"StartAt": "wait", "TimeoutSeconds": machineSeconds, "States": states}
}
