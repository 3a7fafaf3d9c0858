package stack

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/jsii-runtime-go"

	"lectern/functions"
)

// alarm is one metric with a threshold. Its name is that of the line in the
// runbook of infra/README.md that says what to do.
type alarm struct {
	name, says           string
	namespace, metric    string
	dimensions           map[string]string
	statistic            string
	above                float64
	minutes, evaluations float64
}

// watchedShare is the share of the account's concurrent functions above which an
// alarm goes off.
const watchedShare = .8

// alarms are the alarms of every environment in the cloud. Errors are listed per
// function, because Lambda's total would include the whole account; concurrency
// is the account's, and so are the requests that lack it.
func (b *builder) alarms() []alarm {
	queue := func(name string) map[string]string { return map[string]string{"QueueName": name} }
	function := func(name string) map[string]string { return map[string]string{"FunctionName": b.name(name)} }
	gateway := map[string]string{"ApiName": b.name("api"), "Stage": stageName}
	list := []alarm{
		{"api-errors", "more than 1 % of requests fail", "AWS/ApiGateway", "5XXError", gateway, "Average", .01, 5, 3},
		{"chat-dead-letters", "async messages were given up", "AWS/SQS", "ApproximateNumberOfMessagesVisible",
			queue(b.queues[functions.ChatQueue].deadName), "Maximum", 0, 5, 1},
		{"default-dead-letters", "ingests, deletions or callbacks were given up", "AWS/SQS", "ApproximateNumberOfMessagesVisible",
			queue(b.queues[functions.DefaultQueue].deadName), "Maximum", 0, 5, 1},
		{"chat-queue-age", "async messages wait for a worker", "AWS/SQS", "ApproximateAgeOfOldestMessage",
			queue(b.queues[functions.ChatQueue].name), "Maximum", 60, 1, 5},
		{"default-queue-age", "ingests, deletions or callbacks wait for a worker", "AWS/SQS", "ApproximateAgeOfOldestMessage",
			queue(b.queues[functions.DefaultQueue].name), "Maximum", 900, 5, 3},
		{"ingest-failures", "long ingests were given up", "AWS/States", "ExecutionsFailed",
			map[string]string{"StateMachineArn": b.machineARN()}, "Sum", 0, 5, 1},
		{"ingest-timeouts", "long ingests took longer than any may", "AWS/States", "ExecutionsTimedOut",
			map[string]string{"StateMachineArn": b.machineARN()}, "Sum", 0, 5, 1},
		// ThrottledRequests has the dimension of an operation too, and is never
		// reported for the table alone.
		{"table-read-throttles", "the table refuses reads", "AWS/DynamoDB", "ReadThrottleEvents", map[string]string{"TableName": b.kept.table},
			"Sum", 10, 5, 3},
		{"table-write-throttles", "the table refuses writes", "AWS/DynamoDB", "WriteThrottleEvents", map[string]string{"TableName": b.kept.table},
			"Sum", 10, 5, 3},
		{"function-throttles", "requests find no function free", "AWS/Lambda", "Throttles", nil, "Sum", 10, 5, 3},
		{"function-concurrency", "most of the account's functions are at work", "AWS/Lambda", "ConcurrentExecutions", nil, "Maximum",
			watchedShare * float64(b.environment.Concurrency.Account), 5, 3},
		{"sweep-errors", "what dead processes left is not freed", "AWS/Lambda", "Errors", function("system-sweep"), "Sum", 0, 60, 2},
		{"upload-dead-letters", "uploads were given up", "AWS/SQS", "ApproximateNumberOfMessagesVisible", queue(b.lost.name), "Maximum", 0, 5,
			1},
		{"upload-errors", "uploads do not become files", "AWS/Lambda", "Errors", function("files-worker"), "Sum", 5, 5, 3},
	}
	if b.environment.Release != "" {
		list = append(list, alarm{releaseAlarm, "more than 1 % of requests fail, by the minute: a release that is under way is taken back",
			"AWS/ApiGateway", "5XXError", gateway, "Average", .01, 1, 2})
	}
	if b.environment.Concurrency.Streams > 0 {
		list = append(list, alarm{"streams-throttles", "readers of async messages are turned away", "AWS/Lambda", "Throttles",
			function("streams"), "Sum", 0, 5, 3})
	}
	if b.kept.collection != "" {
		list = append(list, alarm{"search-errors", "the search collection fails", "AWS/AOSS", "5xx", map[string]string{
			"CollectionId": b.kept.collectionID, "CollectionName": b.kept.collection, "ClientId": *awscdk.Aws_ACCOUNT_ID(),
		}, "Sum", 10, 5, 3})
	}
	return list
}

// addTopic sends alarms to the operator's topic, or by mail from one of the
// environment's own; the receiver confirms the address once.
func (b *builder) addTopic() {
	b.topic = b.environment.AlarmTopic
	if b.environment.AlarmMail == "" {
		return
	}
	topic := awssns.NewCfnTopic(b.stack, jsii.String("AlarmTopic"), &awssns.CfnTopicProps{
		TopicName: jsii.String(b.name("alarms")),
		Subscription: &[]any{&awssns.CfnTopic_SubscriptionProperty{Protocol: jsii.String("email"),
			Endpoint: jsii.String(b.environment.AlarmMail)}},
	})
	awssns.NewCfnTopicPolicy(b.stack, jsii.String("AlarmTopicPolicy"), &awssns.CfnTopicPolicyProps{
		Topics: &[]*string{topic.Ref()},
		PolicyDocument: document(
			statement{
				"Sid": "Alarms", "Effect": "Allow", "Principal": map[string]any{"Service": "cloudwatch.amazonaws.com"}, "Action": "sns:Publish",
				"Resource":  *topic.Ref(),
				"Condition": map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": *awscdk.Aws_ACCOUNT_ID()}},
			},
			statement{
				"Sid": "TLSOnly", "Effect": "Deny", "Principal": map[string]any{"AWS": "*"}, "Action": "sns:Publish", "Resource": *topic.Ref(),
				"Condition": map[string]any{"Bool": map[string]any{"aws:SecureTransport": "false"}},
			}),
	})
	b.topic = *topic.Ref()
}

func (b *builder) addAlarms() {
	b.addTopic()
	b.alarmed = map[string]awscloudwatch.CfnAlarm{}
	for _, a := range b.alarms() {
		var dimensions []any
		for _, name := range slices.Sorted(maps.Keys(a.dimensions)) {
			dimensions = append(dimensions, &awscloudwatch.CfnAlarm_DimensionProperty{Name: jsii.String(name),
				Value: jsii.String(a.dimensions[name])})
		}
		props := &awscloudwatch.CfnAlarmProps{
			AlarmName: jsii.String(b.name(a.name)), AlarmDescription: jsii.String(a.says + "; infra/README.md, runbook: " + a.name),
			Namespace: jsii.String(a.namespace), MetricName: jsii.String(a.metric), Dimensions: &dimensions, Statistic: jsii.String(a.statistic),
			Threshold: jsii.Number(a.above), ComparisonOperator: jsii.String("GreaterThanThreshold"), Period: jsii.Number(a.minutes * 60),
			EvaluationPeriods: jsii.Number(a.evaluations), TreatMissingData: jsii.String("notBreaching"),
		}
		if b.topic != "" {
			props.AlarmActions, props.OkActions = &[]any{b.topic}, &[]any{b.topic}
		}
		b.alarmed[a.name] = awscloudwatch.NewCfnAlarm(b.stack, jsii.String("Alarm"+construct(a.name)), props)
	}
}

// addDashboard shows the metrics of the alarms and of the functions, within the
// number of metrics of a free dashboard.
func (b *builder) addDashboard() {
	var widgets []any
	widget := func(title, statistic string, metrics []any) {
		i := len(widgets)
		widgets = append(widgets, map[string]any{
			"type": "metric", "x": i % 3 * 8, "y": i / 3 * 6, "width": 8, "height": 6,
			"properties": map[string]any{"title": title, "region": *awscdk.Aws_REGION(), "stat": statistic, "period": 300, "metrics": metrics,
				"view": "timeSeries"},
		})
	}
	gateway := func(metric string) []any {
		return []any{"AWS/ApiGateway", metric, "ApiName", b.name("api"), "Stage", stageName}
	}
	each := func(metric string, of func(function) bool) []any {
		var lines []any
		for _, f := range list() {
			if of(f) {
				lines = append(lines, []any{"AWS/Lambda", metric, "FunctionName", b.name(f.Name)})
			}
		}
		return lines
	}
	// Functions with limited concurrency, or that others wait for.
	crowded := func(f function) bool {
		return f.Needs.Consumes != "" || f.Needs.Chats && f.serves || f.Name == "streams"
	}
	queues := func(metric string, names ...string) []any {
		var lines []any
		for _, name := range names {
			lines = append(lines, []any{"AWS/SQS", metric, "QueueName", name})
		}
		return lines
	}
	chat, other := b.queues[functions.ChatQueue], b.queues[functions.DefaultQueue]
	widget("requests and errors", "Sum", []any{gateway("Count"), gateway("4XXError"), gateway("5XXError")})
	widget("latency, ms", "p95", []any{gateway("Latency"), gateway("IntegrationLatency")})
	widget("function errors", "Sum", each("Errors", func(f function) bool { return f.Name != "admin" && !f.makes && !f.empties }))
	widget("function duration, ms", "p95", each("Duration", func(f function) bool { return f.serves && f.Name != "admin" }))
	widget("functions at work", "Maximum", each("ConcurrentExecutions", crowded))
	widget("oldest job, s", "Maximum", queues("ApproximateAgeOfOldestMessage", chat.name, other.name))
	widget("dead letters", "Maximum", queues("ApproximateNumberOfMessagesVisible", chat.deadName, other.deadName, b.lost.name))
	widget("table units", "Sum", []any{[]any{"AWS/DynamoDB", "ConsumedReadCapacityUnits", "TableName", b.kept.table},
		[]any{"AWS/DynamoDB", "ConsumedWriteCapacityUnits", "TableName", b.kept.table}})
	// What functions write of their chats, by group and model.
	chats := func(title, statistic, names string) {
		widget(title, statistic, []any{[]any{map[string]any{
			"expression": fmt.Sprintf(`SEARCH('{Lectern,Environment,Group,Model} Environment="%s" MetricName=(%s)', '%s', 300)`, b.environment.Name, names, statistic),
			"id":         "chats",
		}}})
	}
	chats("chats by model", "Sum", "Chats OR ChatsRefused OR ChatsFailed")
	chats("tokens by model", "Sum", "InputTokens OR OutputTokens")
	chats("first token, ms", "p95", "FirstToken")
	if b.kept.collection != "" {
		// SearchOCU and IndexingOCU by account are of the first generation. A search
		// finds the units of this collection's group, whatever they are counted by.
		widget("search units", "Average", []any{[]any{map[string]any{
			"expression": fmt.Sprintf(`SEARCH('Namespace="AWS/AOSS" "%s" OCU', 'Average', 300)`, b.kept.collection), "id": "units",
		}}})
	}
	awscloudwatch.NewCfnDashboard(b.stack, jsii.String("Dashboard"), &awscloudwatch.CfnDashboardProps{
		DashboardName: jsii.String(b.name("overview")), DashboardBody: b.stack.ToJsonString(map[string]any{"widgets": widgets}, nil),
	})
}
