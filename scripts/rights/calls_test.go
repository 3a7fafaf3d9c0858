package main

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCalls: each kind of request asks for what IAM would look at.
func TestCalls(t *testing.T) {
	for name, test := range map[string]struct {
		method, path, target, body string
		want                       call
	}{
		"a record": {"POST", "/", "DynamoDB_20120810.GetItem", `{"TableName":"t","Key":{"pk":{"S":"task/1"},"sk":{"S":"task"}}}`,
			call{Action: "dynamodb:GetItem", Resource: arn("dynamodb", "table/t"), Context: map[string]any{"dynamodb:leadingkeys": []string{"task/1"}}}},
		"records": {"POST", "/", "DynamoDB_20120810.BatchGetItem", `{"RequestItems":{"t":{"Keys":[{"pk":{"S":"b"}},{"pk":{"S":"a"}},{"pk":{"S":"b"}}]}}}`,
			call{Action: "dynamodb:BatchGetItem", Resource: arn("dynamodb", "table/t"), Context: map[string]any{"dynamodb:leadingkeys": []string{"a", "b"}}}},
		"a range": {"POST", "/", "DynamoDB_20120810.Query", `{"TableName":"t","ExpressionAttributeValues":{":p":{"S":"files/x"},":low":{"S":"l"}}}`,
			call{Action: "dynamodb:Query", Resource: arn("dynamodb", "table/t"), Context: map[string]any{"dynamodb:leadingkeys": []string{"files/x"}}}},
		"a message": {"POST", "/", "AmazonSQS.SendMessage", `{"QueueUrl":"http://h/000000000000/lectern-chat"}`,
			call{Action: "sqs:SendMessage", Resource: arn("sqs", "lectern-chat")}},
		"a parameter": {"POST", "/", "AmazonSSM.GetParameter", `{"Name":"/lectern/x"}`, call{Action: "ssm:GetParameter", Resource: arn("ssm", "parameter/lectern/x")}},
		"a secret": {"POST", "/", "secretsmanager.GetSecretValue", `{"SecretId":"lectern/dev/keys"}`,
			call{Action: "secretsmanager:GetSecretValue", Resource: arn("secretsmanager", "secret:lectern/dev/keys-AbCdEf")}},
		"an execution": {"POST", "/", "AWSStepFunctions.StartExecution", `{"stateMachineArn":"arn:m"}`, call{Action: "states:StartExecution", Resource: "arn:m"}},
		"an event": {"POST", "/", "AWSEvents.PutEvents", `{"Entries":[{"EventBusName":"b"}]}`,
			call{Action: "events:PutEvents", Resource: arn("events", "event-bus/b")}},
		"a function": {"POST", "/2015-03-31/functions/lectern-tools/invocations", "", "{}",
			call{Action: "lambda:InvokeFunction", Resource: arn("lambda", "function:lectern-tools")}},
		"an object":  {"PUT", "/b/files/x/y", "", "", call{Action: "s3:PutObject", Resource: "arn:aws:s3:::b/files/x/y"}},
		"a head":     {"HEAD", "/b/ready", "", "", call{Action: "s3:GetObject", Resource: "arn:aws:s3:::b/ready"}},
		"a list":     {"GET", "/b?list-type=2&prefix=documents%2F", "", "", call{Action: "s3:ListBucket", Resource: "arn:aws:s3:::b", Context: map[string]any{"s3:prefix": "documents/"}}},
		"versions":   {"GET", "/b/?versions&prefix=", "", "", call{Action: "s3:ListBucketVersions", Resource: "arn:aws:s3:::b", Context: map[string]any{"s3:prefix": ""}}},
		"an upload":  {"POST", "/b/k?uploads", "", "", call{Action: "s3:PutObject", Resource: "arn:aws:s3:::b/k"}},
		"given up":   {"DELETE", "/b/k?uploadId=1", "", "", call{Action: "s3:AbortMultipartUpload", Resource: "arn:aws:s3:::b/k"}},
		"a deletion": {"DELETE", "/b/k", "", "", call{Action: "s3:DeleteObject", Resource: "arn:aws:s3:::b/k"}},
		"a stranger": {"POST", "/", "Kinesis.PutRecord", "{}", call{Unknown: map[string]string{"target": "Kinesis.PutRecord"}}},
	} {
		r := httptest.NewRequest(test.method, test.path, strings.NewReader(test.body))
		if test.target != "" {
			r.Header.Set("X-Amz-Target", test.target)
		}
		if diff := cmp.Diff([]call{test.want}, calls(r, []byte(test.body))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
