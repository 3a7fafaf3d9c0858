package stack

import (
	"slices"
	"strings"

	"lectern/functions"
)

// statement is a statement of a policy document.
type statement map[string]any

func document(statements ...statement) map[string]any {
	return map[string]any{"Version": "2012-10-17", "Statement": statements}
}

func allow(actions []string, resources ...string) statement {
	return statement{"Effect": "Allow", "Action": actions, "Resource": resources}
}

// assumedBy returns the trust policy of a service's role.
func assumedBy(service string) map[string]any {
	return document(statement{"Effect": "Allow", "Principal": map[string]any{"Service": service}, "Action": "sts:AssumeRole"})
}

// The actions that the drivers use.
var (
	readRecords  = []string{"dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"}
	writeRecords = []string{"dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:GetItem",
		"dynamodb:PutItem", "dynamodb:Query"}
	readObjects  = []string{"s3:GetObject"}
	writeObjects = []string{"s3:AbortMultipartUpload", "s3:DeleteObject", "s3:GetObject", "s3:PutObject"}
	receive      = []string{"sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"}
	readIndex    = []string{"aoss:DescribeIndex", "aoss:ReadDocument"}
	writeIndex   = []string{"aoss:DescribeIndex", "aoss:ReadDocument", "aoss:WriteDocument"}
	// The maker writes the id of the stores into the mapping, and compares what the
	// index holds with the registry.
	makeIndex   = []string{"aoss:CreateIndex", "aoss:DescribeIndex", "aoss:ReadDocument", "aoss:UpdateIndex"}
	emptyBucket = []string{"s3:DeleteObject", "s3:DeleteObjectVersion"}
	makeSecrets = []string{"secretsmanager:CreateSecret", "secretsmanager:DeleteSecret", "secretsmanager:DescribeSecret"}
)

// stored returns the statements for records and objects of the areas that a
// function reads and writes.
func (b *builder) stored(f function) []statement {
	var list []statement
	// Actions that are allowed for all that is read are not listed for what is
	// written again.
	changes := func(write, read []string) []string {
		return slices.DeleteFunc(slices.Clone(write), func(action string) bool { return slices.Contains(read, action) })
	}
	for _, access := range []struct {
		areas            []functions.Area
		records, objects []string
	}{
		{f.Needs.Readable(), readRecords, readObjects},
		{f.Needs.WritesIn, changes(writeRecords, readRecords), changes(writeObjects, readObjects)},
	} {
		var partitions, keys []string
		for _, area := range access.areas {
			if f.Needs.Records != functions.None {
				partitions = append(partitions, area.Partitions()...)
			}
			if f.Needs.Objects == functions.None {
				continue
			}
			for _, key := range area.Keys() {
				keys = append(keys, b.kept.bucketARN+"/"+key)
			}
		}
		if len(partitions) > 0 {
			s := allow(access.records, b.kept.tableARN)
			s["Condition"] = map[string]any{
				"ForAllValues:StringLike": map[string]any{"dynamodb:LeadingKeys": partitions},
				"Null":                    map[string]any{"dynamodb:LeadingKeys": "false"},
			}
			list = append(list, s)
		}
		if len(keys) > 0 {
			list = append(list, allow(access.objects, keys...))
		}
	}
	var prefixes []string
	for _, area := range f.Needs.Readable() {
		prefixes = append(prefixes, area.Keys()...)
	}
	if f.Needs.Objects != functions.None && len(prefixes) > 0 {
		// Without permission to list, S3 reports a missing object as forbidden; that
		// question comes without a prefix.
		s := allow([]string{"s3:ListBucket"}, b.kept.bucketARN)
		s["Condition"] = map[string]any{"StringLikeIfExists": map[string]any{"s3:prefix": prefixes}}
		list = append(list, s)
	}
	return list
}

// permissions returns the statements of a function's role, derived from its needs.
func (b *builder) permissions(f function) []statement {
	list := []statement{
		allow([]string{"logs:CreateLogStream", "logs:PutLogEvents"}, b.arn("logs", "log-group:"+logGroup(b.name(f.Name))+":*")),
		allow([]string{"xray:PutTelemetryRecords", "xray:PutTraceSegments"}, "*"),
	}
	add := func(when bool, actions []string, resources ...string) {
		if when {
			list = append(list, allow(actions, resources...))
		}
	}
	if f.empties {
		add(true, []string{"s3:ListBucket", "s3:ListBucketVersions"}, b.kept.bucketARN)
		add(true, emptyBucket, b.kept.bucketARN+"/*")
		return list
	}
	list = append(list, b.stored(f)...)
	add(f.Needs.Index != functions.None && b.kept.collection != "", []string{"aoss:APIAccessAll"}, b.kept.collectionARN)
	for _, name := range f.Needs.Sends {
		add(true, []string{"sqs:SendMessage"}, b.queues[name].arn)
	}
	// Ingests are accepted by the function that answers, and by no worker.
	add(f.serves && slices.Contains(f.Needs.Sends, functions.DefaultQueue), []string{"states:StartExecution"}, b.machineARN())
	if f.Needs.Consumes != "" {
		q := b.queues[f.Needs.Consumes]
		add(true, receive, q.arn, q.deadARN)
	}
	for _, name := range f.Needs.Asks {
		add(true, []string{"lambda:InvokeFunction"}, b.arn("lambda", "function:"+b.called(name)))
	}
	// Callbacks are jobs, whoever sends them.
	add(f.Needs.Callbacks && f.Needs.Consumes == functions.DefaultQueue, []string{"events:PutEvents"}, b.busARN)
	list = append(list, b.models(f)...)
	add(f.Needs.Ranks && strings.HasPrefix(b.environment.Rerank, "bedrock:"), []string{"bedrock:Rerank"}, "*")
	// What AWS's managed policy AWSLambdaVPCAccessExecutionRole gives, without logs.
	add(b.environment.VPC != nil && f.Name == inVPC, []string{"ec2:AssignPrivateIpAddresses", "ec2:CreateNetworkInterface", "ec2:DeleteNetworkInterface",
		"ec2:DescribeNetworkInterfaces", "ec2:DescribeSubnets", "ec2:UnassignPrivateIpAddresses"}, "*")
	if f.fails {
		add(true, []string{"sqs:SendMessage"}, b.lost.arn)
	}
	var secrets []string
	if f.Needs.Seals {
		secrets = append(secrets, b.parameter("seal-key"))
	}
	if f.Needs.Callbacks {
		secrets = append(secrets, b.parameter("webhook-secret"))
	}
	parameters, managed := b.referred(f)
	secrets = append(secrets, parameters...)
	slices.Sort(secrets)
	var arns []string
	for _, name := range slices.Compact(secrets) {
		arns = append(arns, b.arn("ssm", "parameter"+name))
	}
	add(f.makes, []string{"ssm:DeleteParameter", "ssm:PutParameter"}, b.arn("ssm", "parameter"+b.parameter("seal-key")),
		b.arn("ssm", "parameter"+b.parameter("webhook-secret")))
	keys := b.arn("secretsmanager", "secret:"+b.keys()+"-??????") // the rest of the ARN is Secrets Manager's
	// Before it is made, a secret may be asked about by its name alone.
	add(f.makes && b.environment.Authenticate, makeSecrets, keys, b.arn("secretsmanager", "secret:"+b.keys()))
	add(f.serves && b.environment.Authenticate, []string{"secretsmanager:GetSecretValue"}, keys)
	if !f.makes {
		if len(parameters)+len(managed) > 0 {
			add(len(b.environment.SecretKeys) > 0, []string{"kms:Decrypt"}, b.environment.SecretKeys...)
		}
		add(len(arns) > 0, []string{"ssm:GetParameter"}, arns...)
		add(len(managed) > 0, []string{"secretsmanager:GetSecretValue"}, managed...)
	}
	return list
}
