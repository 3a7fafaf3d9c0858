package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// call is what one request asks IAM for.
type call struct {
	Function string            `json:"function"`
	Action   string            `json:"action"`
	Resource string            `json:"resource"`
	Context  map[string]any    `json:"context,omitempty"`
	Unknown  map[string]string `json:"unknown,omitempty"` // of a request that nobody has described
}

const (
	region  = "us-east-1"
	account = "000000000000"
)

func arn(service, resource string) string {
	return strings.Join([]string{"arn:aws", service, region, account, resource}, ":")
}

// calls returns what a request asks for: by its target where there is one, else
// by its method and path.
func calls(r *http.Request, body []byte) []call {
	if target := r.Header.Get("X-Amz-Target"); target != "" {
		service, operation, _ := strings.Cut(target, ".")
		return []call{targeted(service, operation, body)}
	}
	if m := functionPath.FindStringSubmatch(r.URL.Path); m != nil {
		return []call{{Action: "lambda:InvokeFunction", Resource: arn("lambda", "function:"+m[1])}}
	}
	return []call{object(r)}
}

var functionPath = regexp.MustCompile(`^/2015-03-31/functions/([^/]+)/invocations$`)

// targeted describes calls of services that name their operation in a header.
func targeted(service, operation string, body []byte) call {
	var in struct {
		Name, SecretID, QueueURL, StateMachineARN string // encoding/json ignores case
		Entries                                   []struct{ EventBusName string }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return call{Unknown: map[string]string{"target": service + "." + operation, "error": err.Error()}}
	}
	switch {
	case strings.HasPrefix(service, "DynamoDB"):
		return record(operation, body)
	case service == "AmazonSQS":
		return call{Action: "sqs:" + operation, Resource: arn("sqs", in.QueueURL[strings.LastIndex(in.QueueURL, "/")+1:])}
	case service == "AmazonSSM":
		return call{Action: "ssm:" + operation, Resource: arn("ssm", "parameter"+in.Name)}
	case service == "secretsmanager":
		name := in.Name + in.SecretID
		if !strings.HasPrefix(name, "arn:") {
			name = arn("secretsmanager", "secret:"+name+"-AbCdEf") // the end of an ARN is six letters
		}
		return call{Action: "secretsmanager:" + operation, Resource: name}
	case service == "AWSStepFunctions":
		return call{Action: "states:" + operation, Resource: in.StateMachineARN}
	case service == "AWSEvents" && len(in.Entries) > 0:
		return call{Action: "events:" + operation, Resource: arn("events", "event-bus/"+in.Entries[0].EventBusName)}
	}
	return call{Unknown: map[string]string{"target": service + "." + operation}}
}

// record describes a call of DynamoDB, with the partitions that it names.
func record(operation string, body []byte) call {
	var in any
	table, partitions := "", []string{}
	if json.Unmarshal(body, &in) == nil {
		walk(in, func(name string, v any) {
			text, _ := v.(map[string]any)["S"].(string)
			switch name {
			case "pk", ":p":
				partitions = append(partitions, text)
			}
		})
		top, _ := in.(map[string]any)
		table, _ = top["TableName"].(string)
		for name := range asMap(top["RequestItems"]) {
			table = name
		}
	}
	slices.Sort(partitions)
	return call{Action: "dynamodb:" + operation, Resource: arn("dynamodb", "table/"+table),
		Context: map[string]any{"dynamodb:leadingkeys": slices.Compact(partitions)}}
}

func asMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// walk calls f for each member of each object whose value is an object.
func walk(v any, f func(name string, v any)) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if _, ok := inner.(map[string]any); ok {
				f(name, inner)
			}
			walk(inner, f)
		}
	case []any:
		for _, inner := range v {
			walk(inner, f)
		}
	}
}

// object describes a call of S3 in the style of paths.
func object(r *http.Request) call {
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	query := r.URL.Query()
	of := func(action string) call {
		return call{Action: "s3:" + action, Resource: "arn:aws:s3:::" + bucket + "/" + key}
	}
	list := func(action string) call {
		return call{Action: "s3:" + action, Resource: "arn:aws:s3:::" + bucket, Context: map[string]any{"s3:prefix": query.Get("prefix")}}
	}
	switch {
	case bucket == "":
	case key == "" && r.Method == http.MethodGet && query.Has("versions"):
		return list("ListBucketVersions")
	case key == "" && r.Method == http.MethodGet:
		return list("ListBucket")
	case key == "" && r.Method == http.MethodPost && query.Has("delete"):
		return of("DeleteObject")
	case r.Method == http.MethodGet, r.Method == http.MethodHead:
		return of("GetObject")
	case r.Method == http.MethodPut, r.Method == http.MethodPost && (query.Has("uploads") || query.Has("uploadId")):
		return of("PutObject")
	case r.Method == http.MethodDelete && query.Has("uploadId"):
		return of("AbortMultipartUpload")
	case r.Method == http.MethodDelete:
		return of("DeleteObject")
	}
	return call{Unknown: map[string]string{"request": r.Method + " " + r.URL.String()}}
}
