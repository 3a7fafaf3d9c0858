// Package cost is the list of AWS's prices, and a test that counts the usage of
// each kind of request by running the functions' code on counting stores. make
// cost prints the tables; infra/cost computes the cost of idle deployments.
package cost

// Unit is something that AWS charges for.
type Unit string

// Units charged per use, then units charged for existing resources.
const (
	GatewayRequest Unit = "requests"
	FunctionCall   Unit = "calls"
	ARMSecond      Unit = "GB-s arm64"
	X86Second      Unit = "GB-s x86_64"
	WriteUnit      Unit = "write units"
	ReadUnit       Unit = "read units"
	QueueRequest   Unit = "queue requests"
	ObjectPut      Unit = "puts, lists"
	ObjectGet      Unit = "gets"
	BucketEvent    Unit = "bucket events"
	Transition     Unit = "transitions"
	FirewallCheck  Unit = "checks"
	LogKB          Unit = "KB of logs"
	Trace          Unit = "traces"
	StreamedMB     Unit = "MB streamed"
	KeyUse         Unit = "key uses"
	SecretRead     Unit = "secret reads"

	SearchHour     Unit = "OCU-hours"
	Secret         Unit = "secrets"
	Alarm          Unit = "alarms"
	Dashboard      Unit = "dashboards"
	LargeDashboard Unit = "large dashboards"
	Metric         Unit = "metrics"
	Firewall       Unit = "web ACLs"
	FirewallRule   Unit = "rules"
	ScheduledRun   Unit = "scheduled runs"

	TableGB    Unit = "GB of table"
	RecoveryGB Unit = "GB to recover"
	ObjectGB   Unit = "GB of objects"
	SearchGB   Unit = "GB of chunks"
)

// Price is the price of a unit in us-east-1, in USD, without the free tier and
// volume discounts.
type Price struct {
	Unit    Unit
	Service string
	USD     float64
	// Watching marks units of logs and traces, as opposed to answering.
	Watching bool
	// Free is the monthly free tier, per account and not limited to the first year.
	Free   float64
	Source string // page, and what else says so
}

const million = 1e6

// Prices is the list, as of November 2026. AWS's pages load their figures by
// script, so copies often lack them: Source then names another source of the
// figure, or says that there is none.
func Prices() []Price {
	return []Price{
		{Unit: GatewayRequest, Service: "API Gateway", USD: 3.50 / million,
			Source: "aws.amazon.com/api-gateway/pricing (REST, first 333 million; apigatewaycost.com, 2026). A streamed answer counts anew for each 10 MB begun: AWS Compute Blog, 2025-11-19"},
		{Unit: FunctionCall, Service: "Lambda", USD: .20 / million, Free: million, Source: "aws.amazon.com/lambda/pricing"},
		{Unit: ARMSecond, Service: "Lambda", USD: .0000133334,
			Source: "aws.amazon.com/lambda/pricing (Arm, first tier; cloudchipr.com). 400,000 GB-s a month are free, not counted here"},
		{Unit: X86Second, Service: "Lambda", USD: .0000166667, Source: "aws.amazon.com/lambda/pricing (x86, first tier; cloudchipr.com)"},
		{Unit: WriteUnit, Service: "DynamoDB", USD: .625 / million,
			Source: "aws.amazon.com/dynamodb/pricing/on-demand (since 2024-11; airbyte.com, 2025)"},
		{Unit: ReadUnit, Service: "DynamoDB", USD: .125 / million,
			Source: "aws.amazon.com/dynamodb/pricing/on-demand (since 2024-11; airbyte.com, 2025)"},
		{Unit: QueueRequest, Service: "SQS", USD: .40 / million, Free: million,
			Source: "aws.amazon.com/sqs/pricing (standard queues; the figure was found in no copy)"},
		{Unit: ObjectPut, Service: "S3", USD: 5.00 / million, Source: "aws.amazon.com/s3/pricing (Standard; the figure was found in no copy)"},
		{Unit: ObjectGet, Service: "S3", USD: .40 / million, Source: "aws.amazon.com/s3/pricing (Standard; the figure was found in no copy)"},
		{Unit: BucketEvent, Service: "EventBridge", USD: 1.00 / million,
			Source: "aws.amazon.com/eventbridge/pricing: a bucket's events are opt-in data events, which are not among the free ones; that they cost what custom events cost (cloudburn.io, 2026-03) was found in no copy"},
		{Unit: Transition, Service: "Step Functions", USD: 25.00 / million, Free: 4000,
			Source: "aws.amazon.com/step-functions/pricing (Standard)"},
		{Unit: FirewallCheck, Service: "WAF", USD: .60 / million, Source: "aws.amazon.com/waf/pricing (the figure was found in no copy)"},
		{Unit: LogKB, Service: "CloudWatch", USD: .50 / (1 << 20), Watching: true, Free: 5 << 20,
			Source: "aws.amazon.com/cloudwatch/pricing (ingestion, first tier; factualminds.com, 2026-06)"},
		{Unit: Trace, Service: "X-Ray", USD: 5.00 / million, Watching: true, Free: 100_000,
			Source: "aws.amazon.com/xray/pricing (recorded traces; the figure was found in no copy)"},
		{Unit: StreamedMB, Service: "Lambda", USD: .008 / 1024,
			Source: "aws.amazon.com/lambda/pricing (response streaming, beyond the first 6 MB of an answer; the figure was found in no copy)"},
		{Unit: KeyUse, Service: "KMS", USD: 3.00 / million, Free: 20_000,
			Source: "aws.amazon.com/kms/pricing (symmetric requests, AWS managed keys too; the figure was found in no copy)"},
		{Unit: SecretRead, Service: "Secrets Manager", USD: 5.00 / million,
			Source: "aws.amazon.com/secrets-manager/pricing (calls; the use of its own key is free; the figure was found in no copy)"},

		{Unit: SearchHour, Service: "OpenSearch", USD: .24,
			Source: "aws.amazon.com/opensearch-service/pricing (serverless; teamaws.com, c3x.dev, 2026). That NextGen costs the same by the hour was found in no copy"},
		{Unit: Secret, Service: "Secrets Manager", USD: .40, Source: "aws.amazon.com/secrets-manager/pricing (the figure was found in no copy)"},
		{Unit: Alarm, Service: "CloudWatch", USD: .10, Free: 10, Source: "aws.amazon.com/cloudwatch/pricing (standard resolution)"},
		{Unit: Dashboard, Service: "CloudWatch", USD: 3.00, Free: 3,
			Source: "aws.amazon.com/cloudwatch/pricing: three of up to MetricsOfFreeDashboard metrics each are free"},
		{Unit: LargeDashboard, Service: "CloudWatch", USD: 3.00, Source: "aws.amazon.com/cloudwatch/pricing"},
		{Unit: Metric, Service: "CloudWatch", USD: .30, Free: 10,
			Source: "aws.amazon.com/cloudwatch/pricing (custom and detailed metrics, such as those of a gateway's methods; signoz.io, 2026)"},
		{Unit: Firewall, Service: "WAF", USD: 5.00, Source: "aws.amazon.com/waf/pricing (the figure was found in no copy)"},
		{Unit: FirewallRule, Service: "WAF", USD: 1.00,
			Source: "aws.amazon.com/waf/pricing (a managed group of AWS counts as one; the figure was found in no copy)"},
		{Unit: ScheduledRun, Service: "EventBridge", USD: 1.00 / million, Free: 14 * million,
			Source: "aws.amazon.com/eventbridge/pricing (Scheduler; cloudburn.io, 2026-03)"},

		{Unit: TableGB, Service: "DynamoDB", USD: .25, Free: 25, Source: "aws.amazon.com/dynamodb/pricing (standard table class)"},
		{Unit: RecoveryGB, Service: "DynamoDB", USD: .20,
			Source: "aws.amazon.com/dynamodb/pricing (continuous backups; the figure was found in no copy)"},
		{Unit: ObjectGB, Service: "S3", USD: .023, Source: "aws.amazon.com/s3/pricing (Standard, first tier; the figure was found in no copy)"},
		{Unit: SearchGB, Service: "OpenSearch", USD: .024, Source: "aws.amazon.com/opensearch-service/pricing (serverless; c3x.dev, 2026)"},
	}
}

// MetricsOfFreeDashboard is the maximum number of metrics on a free dashboard.
//
// Source: aws.amazon.com/cloudwatch/pricing, "Free tier".
const MetricsOfFreeDashboard = 50

// SampledTraces is the share of requests that X-Ray records, beyond one per
// second, by its default rule.
//
// Source: AWS X-Ray, "Configuring sampling rules".
const SampledTraces = .05

// Usage is the amount used of each unit.
type Usage map[Unit]float64

// Plus returns the sum of two usages.
func (u Usage) Plus(v Usage) Usage {
	sum := Usage{}
	for _, part := range []Usage{u, v} {
		for unit, n := range part {
			sum[unit] += n
		}
	}
	return sum
}

// Beyond returns a month's usage beyond the free tier, for an account with
// nothing else in it.
func (u Usage) Beyond() Usage {
	left := Usage{}
	for _, p := range Prices() {
		if n := u[p.Unit] - p.Free; n > 0 {
			left[p.Unit] = n
		}
	}
	return left
}

// Sweep is the usage of one sweep of an idle environment; a test compares it
// with the code.
func Sweep() Usage {
	return Usage{FunctionCall: 1, ScheduledRun: 1, ARMSecond: .25, ReadUnit: 8, ObjectPut: 7, ObjectGet: 1}
}

// Start is the usage of a function's start: a parameter is decrypted by KMS, the
// keys of callers are read from Secrets Manager. All that follows is in memory.
func Start(parameters, secrets int) Usage {
	return Usage{KeyUse: float64(parameters), SecretRead: float64(secrets)}
}

// Line is a line of a bill.
type Line struct {
	Price
	Amount float64 // of units
	Cost   float64 // USD
}

// Bill prices a usage, multiplied, without the free tier, in the order of
// Prices. Unused units are omitted.
func (u Usage) Bill(times float64) []Line {
	var lines []Line
	for _, p := range Prices() {
		if n := u[p.Unit]; n != 0 {
			lines = append(lines, Line{Price: p, Amount: n, Cost: n * times * p.USD})
		}
	}
	return lines
}

// Total prices a usage, multiplied: for answering only, and including logs and
// traces.
func (u Usage) Total(times float64) (calls, watched float64) {
	for _, l := range u.Bill(times) {
		if !l.Watching {
			calls += l.Cost
		}
		watched += l.Cost
	}
	return calls, watched
}
