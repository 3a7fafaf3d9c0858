package stack_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"lectern/functions"
	"lectern/scripts/cost"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
)

func number(v any) float64 {
	n, _ := v.(float64)
	return n
}

func raw(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// queues: each has dead letters, hides a message for six times its function's
// time, and is consumed with its dead letters by a worker that names failures.
func (d deployment) queues(t *testing.T) {
	queues := d.service.of("AWS::SQS::Queue")
	sources := d.service.of("AWS::Lambda::EventSourceMapping")
	consumed := map[string]string{} // id of the queue: id of the function
	for id, s := range sources {
		p := s.Properties
		if raw(p["FunctionResponseTypes"]) != `["ReportBatchItemFailures"]` || number(at(p, "ScalingConfig", "MaximumConcurrency")) < 2 {
			t.Errorf("%s names no failures or has no bound: %v", id, p)
		}
		if s.DependsOn == nil {
			t.Errorf("%s does not wait for the secrets", id)
		}
		arn, _ := at(p, "EventSourceArn", "Fn::GetAtt").([]any)
		consumed[fmt.Sprint(arn[0])] = fmt.Sprint(at(p, "FunctionName", "Ref"))
	}
	withDead := 0
	for id, q := range queues {
		worker, ok := consumed[id]
		if id == lostUploads {
			d.uploads(t, q)
			continue
		}
		if !ok {
			t.Errorf("nobody consumes %s", id)
			continue
		}
		seconds := number(d.service[worker].Properties["Timeout"])
		if hidden := number(q.Properties["VisibilityTimeout"]); seconds == 0 || hidden < 6*seconds {
			t.Errorf("%s hides a message for %v s, its worker has %v s", id, hidden, seconds)
		}
		if q.Properties["SqsManagedSseEnabled"] != true {
			t.Errorf("%s is not encrypted", id)
		}
		redrive := at(q.Properties, "RedrivePolicy")
		if redrive == nil {
			if !strings.Contains(id, "Dead") {
				t.Errorf("%s has no dead letters", id)
			}
			continue
		}
		withDead++
		if n := number(at(redrive, "maxReceiveCount")); n < 5 {
			t.Errorf("%s gives a message up after %v deliveries", id, n)
		}
	}
	if len(queues) != 5 || withDead != 2 {
		t.Errorf("%d queues, %d with dead letters; want 5 and 2", len(queues), withDead)
	}
}

const lostUploads = "UploadsDeadQueue"

// uploads: an event about an upload that is given up, by the bus or by the
// function, comes to a queue that only they can send to.
func (d deployment) uploads(t *testing.T, lost resource) {
	if lost.Properties["SqsManagedSseEnabled"] != true || number(lost.Properties["MessageRetentionPeriod"]) < 14*24*3600 {
		t.Errorf("the queue of lost uploads: %v", lost.Properties)
	}
	rules, failures := d.service.of("AWS::Events::Rule"), d.service.of("AWS::Lambda::EventInvokeConfig")
	for id, r := range rules {
		for _, target := range asList(r.Properties["Targets"]) {
			if !strings.Contains(raw(at(target, "DeadLetterConfig", "Arn")), lostUploads) {
				t.Errorf("%s loses what it cannot deliver: %v", id, target)
			}
		}
		policy := raw(d.service["UploadsDeadQueuePolicy"].Properties)
		if name, _ := r.Properties["Name"].(string); name == "" || !strings.Contains(policy, "rule/"+name) || !strings.Contains(policy, "events.amazonaws.com") {
			t.Errorf("the rule %q may not send to the queue of lost uploads: %s", name, policy)
		}
	}
	for id, f := range failures {
		if !strings.Contains(raw(at(f.Properties, "DestinationConfig", "OnFailure")), lostUploads) ||
			raw(f.Properties["FunctionName"]) != `{"Ref":"FilesWorker"}` {
			t.Errorf("%s: %v", id, f.Properties)
		}
	}
	if len(rules) != 1 || len(failures) != 1 || !strings.Contains(raw(d.service["FilesWorkerRole"].Properties), lostUploads) {
		t.Errorf("%d rules, %d functions whose failures go somewhere, the role %s; want one each", len(rules), len(failures),
			raw(d.service["FilesWorkerRole"].Properties))
	}
}

// paths: each prefix of each group, and what lies below it, reaches the
// group's function, streamed, and what belongs to no group reaches the last.
func (d deployment) paths(t *testing.T) {
	resources := d.service.of("AWS::ApiGateway::Resource")
	var pathOf func(ref any) string
	pathOf = func(ref any) string {
		id := fmt.Sprint(at(ref, "Ref"))
		r, ok := resources[id]
		if !ok {
			return ""
		}
		return pathOf(r.Properties["ParentId"]) + "/" + fmt.Sprint(r.Properties["PathPart"])
	}
	methods, preflights := map[string]string{}, 0
	for id, m := range d.service.of("AWS::ApiGateway::Method") {
		p := m.Properties
		uri := raw(at(p, "Integration", "Uri"))
		mode, millis, how := "STREAM", 900000.0, "/response-streaming-invocations"
		if d.LookAlike() {
			mode, millis, how = "BUFFERED", 29000, "/invocations"
		}
		if at(p, "Integration", "ResponseTransferMode") != mode || number(at(p, "Integration", "TimeoutInMillis")) != millis || !strings.Contains(uri, how) ||
			p["HttpMethod"] != "ANY" && p["HttpMethod"] != "OPTIONS" {
			t.Errorf("%s: %v", id, p)
		}
		want := "NONE"
		if p["HttpMethod"] == "OPTIONS" {
			preflights++
		} else if d.Authorizer != "" {
			want = "CUSTOM"
		}
		if p["AuthorizationType"] != want {
			t.Errorf("%s is authorized by %v, want %s", id, p["AuthorizationType"], want)
		}
		for fn := range d.service.of("AWS::Lambda::Function") {
			if strings.Contains(uri, `["`+fn+`","Arn"]`) || d.Release != "" && strings.Contains(uri, `{"Ref":"`+fn+`Alias"}`) {
				methods[pathOf(p["ResourceId"])] = fn
			}
		}
	}
	if all := len(d.service.of("AWS::ApiGateway::Method")); d.Authorizer != "" && preflights != all/2 || d.Authorizer == "" && preflights != 0 {
		t.Errorf("%d of %d methods take preflights without the authorizer", preflights, all)
	}
	want := map[string]string{}
	for _, g := range functions.Groups() {
		for _, prefix := range g.Prefixes {
			p := strings.TrimSuffix(prefix, "/")
			want[p+"/{proxy+}"] = g.Name
			if !strings.HasSuffix(prefix, "/") || prefix == "/" {
				want[p] = g.Name
			}
		}
	}
	want["/v1"], want["/v1/{proxy+}"], want["/v1/messages/async"] = "system", "system", "messages"
	for path, group := range want {
		if got := methods[path]; !strings.EqualFold(got, group) {
			t.Errorf("%q is answered by %q, want %q", path, got, group)
		}
	}
	for _, path := range sortedKeys(methods) {
		if want[path] == "" {
			t.Errorf("%q is answered by %q, and belongs to no prefix", path, methods[path])
		}
	}
	for _, api := range d.service.of("AWS::ApiGateway::RestApi") {
		if raw(api.Properties["BinaryMediaTypes"]) != `["multipart/form-data","application/octet-stream"]` ||
			raw(at(api.Properties, "EndpointConfiguration", "Types")) != `["REGIONAL"]` {
			t.Errorf("the API: %v", api.Properties)
		}
	}
	for _, s := range d.service.of("AWS::ApiGateway::Stage") {
		settings, _ := s.Properties["MethodSettings"].([]any)
		if len(settings) != 1 || number(at(settings[0], "ThrottlingRateLimit")) != float64(d.Throttle.Rate) || s.Properties["AccessLogSetting"] == nil ||
			s.Properties["TracingEnabled"] != true || at(settings[0], "MetricsEnabled") == true {
			t.Errorf("the stage: %v", s.Properties)
		}
	}
}

// errors: the gateway's own answers are of the one body of the service.
func (d deployment) errors(t *testing.T) {
	seen := map[string]bool{}
	for id, r := range d.service.of("AWS::ApiGateway::GatewayResponse") {
		seen[fmt.Sprint(r.Properties["ResponseType"])] = true
		text, _ := at(r.Properties, "ResponseTemplates", "application/json").(string)
		var body struct {
			Type      string
			Error     struct{ Type, Message string }
			RequestID string `json:"request_id"`
			Detail    string
		}
		if err := json.Unmarshal([]byte(text), &body); err != nil || body.Type != "error" || body.Error.Type == "" || body.Error.Message == "" ||
			body.RequestID != "$context.requestId" || body.Detail == "" {
			t.Errorf("%s answers %s, %v", id, text, err)
		}
	}
	for _, kind := range []string{
		"ACCESS_DENIED", "API_CONFIGURATION_ERROR", "AUTHORIZER_CONFIGURATION_ERROR", "AUTHORIZER_FAILURE", "BAD_REQUEST_BODY", "BAD_REQUEST_PARAMETERS",
		"DEFAULT_4XX",
		"DEFAULT_5XX", "EXPIRED_TOKEN", "INTEGRATION_FAILURE", "INTEGRATION_TIMEOUT", "INVALID_API_KEY", "INVALID_SIGNATURE", "MISSING_AUTHENTICATION_TOKEN",
		"QUOTA_EXCEEDED",
		"REQUEST_TOO_LARGE", "RESOURCE_NOT_FOUND", "THROTTLED", "UNAUTHORIZED", "UNSUPPORTED_MEDIA_TYPE", "WAF_FILTERED",
	} {
		if !seen[kind] {
			t.Errorf("no answer of the type %s", kind)
		}
	}
}

// functions: those of the table with its memory, and of the architecture that
// they are built for; each has a role, a log that ends, and traces.
func (d deployment) functions(t *testing.T) {
	all := d.service.of("AWS::Lambda::Function")
	for _, g := range functions.Groups() {
		id := strings.ToUpper(g.Name[:1]) + g.Name[1:]
		if number(all[id].Properties["MemorySize"]) != float64(g.MemoryMB) {
			t.Errorf("the function of %s has %v MB, want %d", g.Name, all[id].Properties["MemorySize"], g.MemoryMB)
		}
	}
	workers := map[string]bool{} // of queues, to which they send as well
	for _, source := range d.service.of("AWS::Lambda::EventSourceMapping") {
		workers[fmt.Sprint(at(source.Properties, "FunctionName", "Ref"))] = true
	}
	roles := map[string]bool{}
	for id, f := range all {
		p := f.Properties
		if allowed := p["RecursiveLoop"] == "Allow"; allowed != workers[id] {
			t.Errorf("%s may be called by its own messages: %v, want %v", id, allowed, workers[id])
		}
		architecture := d.Architecture
		if strings.HasPrefix(id, "Artifacts") {
			architecture = "x86_64"
		}
		if raw(p["Architectures"]) != `["`+architecture+`"]` || p["Runtime"] != "provided.al2023" || at(p, "TracingConfig", "Mode") != "Active" {
			t.Errorf("%s: %v", id, p)
		}
		reserved := p["ReservedConcurrentExecutions"]
		if want := d.Concurrency.Of(strings.ToLower(id)); number(reserved) != float64(want) || want == 0 && reserved != nil {
			t.Errorf("%s reserves %v", id, reserved)
		}
		role := raw(p["Role"])
		if roles[role] {
			t.Errorf("%s shares its role", id)
		}
		roles[role] = true
		if log := d.service[id+"Log"]; number(log.Properties["RetentionInDays"]) != float64(d.LogDays) {
			t.Errorf("the log of %s is kept for %v days", id, log.Properties["RetentionInDays"])
		}
	}
	if len(all) != len(functions.Groups())+5 {
		t.Errorf("%d functions, want one per group and five more", len(all))
	}
}

const logDelivery = "the log of a state machine is delivered by rights that know no resources"

// machine: the states of the ingest machine are the service's stages, in their
// order; every task is tried again and its failure told, and the machine takes
// longer than any ingest may.
func (d deployment) machine(t *testing.T) {
	list := d.service.of("AWS::StepFunctions::StateMachine")
	if len(list) != 1 {
		t.Fatalf("%d state machines, want one", len(list))
	}
	for id, m := range list {
		p := m.Properties
		def := at(p, "Definition")
		if at(p, "TracingConfiguration", "Enabled") != true || at(p, "LoggingConfiguration", "Level") != "ALL" ||
			at(p, "LoggingConfiguration", "IncludeExecutionData") == true {
			t.Errorf("%s is not traced or not logged, or logs its data: %v", id, p)
		}
		if number(at(def, "TimeoutSeconds")) <= 6*3600 {
			t.Errorf("%s gives up before an ingest does", id)
		}
		next := fmt.Sprint(at(def, "States", fmt.Sprint(at(def, "StartAt")), "Next"))
		for _, stage := range artifact.Stages() {
			s := at(def, "States", next)
			if next != stage.Name || (at(s, "Type") == "Map") != stage.Each {
				t.Errorf("%s goes on with %s %v, want stage %s", id, next, s, stage.Name)
				return
			}
			task := s
			if stage.Each {
				if at(s, "ResultPath") != "$.written" {
					t.Errorf("the answers of stage %s stand where the next stage reads its input", stage.Name)
				}
				task = at(s, "ItemProcessor", "States", fmt.Sprint(at(s, "ItemProcessor", "StartAt")))
			}
			if at(task, "Retry") == nil || !strings.Contains(raw(at(s, "Catch")), tasks.StageFailed) ||
				!strings.Contains(raw(at(task, "Resource")), "ArtifactsWorker") {
				t.Errorf("stage %s is not tried again, its failure is not told, or the worker does not run it: %v", stage.Name, s)
			}
			next = fmt.Sprint(at(s, "Next"))
			if over := at(def, "States", next); at(over, "Type") == "Choice" {
				next = fmt.Sprint(at(over, "Default"))
			}
		}
		if at(def, "States", next, "Type") != "Succeed" {
			t.Errorf("%s ends in %s", id, next)
		}
	}
}

// wide are the permissions that name no single resource, and why.
var wide = []struct{ action, resource, why string }{
	{"xray:", "*", "X-Ray knows no resources"},
	{"logs:", ":*", "streams of the function's own log group, which Lambda names"},
	{"logs:CreateLogDelivery", "*", logDelivery}, {"logs:DeleteLogDelivery", "*", logDelivery}, {"logs:DescribeLogGroups", "*", logDelivery},
	{"logs:DescribeResourcePolicies", "*", logDelivery}, {"logs:GetLogDelivery", "*", logDelivery}, {"logs:ListLogDeliveries", "*", logDelivery},
	{"logs:PutResourcePolicy", "*", logDelivery}, {"logs:UpdateLogDelivery", "*", logDelivery},
	{"s3:", "/*", "objects of the one bucket"},
	{"ec2:", "*", "network interfaces have no names before they are made; these are AWS's own for functions in a network"},
	{"bedrock:Rerank", "*", "ranking knows no resources; which model ranks is bound by InvokeModel"},
	{"bedrock:", "arn:bedrock:*::foundation-model/", "an inference profile sends to any of its regions"},
}

// permissions: no action is a pattern, and a resource only where wide says so.
func (d deployment) permissions(t *testing.T) {
	for id, r := range d.service.of("AWS::IAM::Role") {
		for _, policy := range asList(r.Properties["Policies"]) {
			for _, s := range asList(at(policy, "PolicyDocument", "Statement")) {
				for _, action := range asList(at(s, "Action")) {
					if strings.Contains(fmt.Sprint(action), "*") {
						t.Errorf("%s may do %v", id, action)
					}
					for _, on := range asList(at(s, "Resource")) {
						flat := flatten(on)
						if strings.Contains(flat, "*") && !slices.ContainsFunc(wide, func(w struct{ action, resource, why string }) bool {
							return strings.HasPrefix(fmt.Sprint(action), w.action) && strings.Contains(flat, w.resource)
						}) {
							t.Errorf("%s may do %v on %s", id, action, flat)
						}
					}
				}
			}
		}
	}
	for id, p := range d.service.of("AWS::Lambda::Permission") {
		if p.Properties["SourceArn"] == nil {
			t.Errorf("%s lets everyone of a service in", id)
		}
	}
}

func asList(v any) []any {
	if l, ok := v.([]any); ok {
		return l
	}
	if v == nil {
		return nil
	}
	return []any{v}
}

// flatten is a value with its references, as text: the parts of a joined one
// without partition, region and account.
func flatten(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	if join, ok := at(v, "Fn::Join").([]any); ok {
		var parts strings.Builder
		for _, part := range asList(join[1]) {
			if s, ok := part.(string); ok {
				parts.WriteString(s)
			}
		}
		return strings.ReplaceAll(parts.String(), "arn::", "arn:")
	}
	return raw(v)
}

// alarms: each names a line of the runbook, which is there; and none is left
// out in the cloud.
func (d deployment) alarms(t *testing.T) {
	runbook, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	alarms := d.service.of("AWS::CloudWatch::Alarm")
	if d.LookAlike() {
		if len(alarms) != 0 {
			t.Errorf("a look-alike has %d alarms", len(alarms))
		}
		return
	}
	watched := map[string]bool{}
	for id, a := range alarms {
		says := fmt.Sprint(a.Properties["AlarmDescription"])
		_, line, ok := strings.Cut(says, "runbook: ")
		if !ok || !strings.Contains(string(runbook), "| `"+line+"` |") {
			t.Errorf("%s says %q; the runbook has no such line", id, says)
		}
		watched[line] = true
		if told := raw(a.Properties["AlarmActions"]); d.AlarmTopic != "" && !strings.Contains(told, d.AlarmTopic) ||
			d.AlarmMail != "" && told != `[{"Ref":"AlarmTopic"}]` {
			t.Errorf("%s tells nobody", id)
		}
		if a.Properties["MetricName"] == "ThrottledRequests" {
			t.Errorf("%s watches a metric that tables alone do not have", id)
		}
	}
	if topics := d.service.of("AWS::SNS::Topic"); d.AlarmMail != "" && !strings.Contains(raw(topics), d.AlarmMail) {
		t.Errorf("the topics are %v", topics)
	}
	for _, name := range []string{"api-errors", "chat-dead-letters", "default-dead-letters", "chat-queue-age", "default-queue-age", "table-read-throttles", "table-write-throttles",
		"ingest-timeouts", "function-throttles", "function-concurrency", "search-errors", "sweep-errors", "upload-dead-letters", "upload-errors"} {
		if !watched[name] {
			t.Errorf("no alarm %s", name)
		}
	}
	boards := d.service.of("AWS::CloudWatch::Dashboard")
	if len(boards) != 1 {
		t.Errorf("%d dashboards, want one", len(boards))
	}
	for id, board := range boards {
		if n := strings.Count(flatten(board.Properties["DashboardBody"]), `["AWS/`); n < 20 || n > cost.MetricsOfFreeDashboard {
			t.Errorf("%s shows %d metrics; up to %d are free", id, n, cost.MetricsOfFreeDashboard)
		}
		if body := flatten(board.Properties["DashboardBody"]); strings.Contains(body, `"ClientId"`) || !strings.Contains(body, "SEARCH(") {
			t.Errorf("%s looks for units of search by account, as collections of the first generation count them", id)
		}
	}
}

// front: options add what they say, and only then.
func (d deployment) front(t *testing.T) {
	for kind, want := range map[string]bool{
		"AWS::ApiGateway::DomainName": d.Domain != nil, "AWS::WAFv2::WebACLAssociation": d.Firewall, "AWS::ApiGateway::Authorizer": d.Authorizer != "",
		"AWS::Budgets::Budget": d.BudgetUSD > 0, "AWS::ApiGateway::Account": false, "AWS::Scheduler::Schedule": true, "AWS::Events::Rule": true,
		"AWS::Events::EventBus": true,
	} {
		if got := len(d.service.of(kind)) > 0; got != want {
			t.Errorf("%s is there: %v, want %v", kind, got, want)
		}
	}
}
