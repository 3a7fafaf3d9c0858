// Package idle computes the monthly usage of an idle environment: from the
// resources of its templates, its capacity settings and its schedules. It does
// not import CDK.
package idle

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/infra/environment"
	"lectern/scripts/cost"
)

// Resource is a resource of a template.
type Resource struct {
	Type       string
	Properties map[string]any
}

// hours per month, as AWS counts them.
const hours = 730

// Lambda polls a queue with five pollers, each of which waits up to 20 s for a
// message.
//
// Source: AWS Lambda, "Using Lambda with Amazon SQS" (five at the start; the
// wait is SQS's longest, and an assumption).
const pollsPerHour = 5 * 3600 / 20

// free are the types of resources that cost nothing while idle, or whose cost
// is counted with another type.
var free = []string{
	"AWS::ApiGateway::", "AWS::Budgets::Budget", "AWS::CDK::Metadata", "AWS::CloudFormation::CustomResource", "AWS::CodeDeploy::", "AWS::DynamoDB::Table",
	"AWS::Events::", "AWS::IAM::Role",
	"AWS::Lambda::Alias", "AWS::Lambda::EventInvokeConfig", "AWS::Lambda::Function", "AWS::Lambda::Permission", "AWS::Lambda::Version", "AWS::Logs::LogGroup",
	"AWS::OpenSearchServerless::", "AWS::S3::", "AWS::SNS::",
	"AWS::SQS::", "AWS::StepFunctions::StateMachine", "AWS::WAFv2::WebACLAssociation",
}

// Month returns the monthly usage of an idle environment. An unknown type of
// resource is an error, so that its cost is not forgotten.
func Month(e environment.Environment, resources []Resource) (cost.Usage, error) {
	used := cost.Usage{}
	for _, r := range resources {
		switch r.Type {
		case "AWS::CloudWatch::Alarm":
			used[cost.Alarm]++
		case "AWS::CloudWatch::Dashboard":
			if metrics(r) > cost.MetricsOfFreeDashboard {
				used[cost.LargeDashboard]++
			} else {
				used[cost.Dashboard]++
			}
		case "AWS::Lambda::EventSourceMapping":
			used[cost.QueueRequest] += pollsPerHour * hours
		case "AWS::WAFv2::WebACL":
			rules, _ := r.Properties["Rules"].([]any)
			used[cost.Firewall]++
			used[cost.FirewallRule] += float64(len(rules))
		case "AWS::Scheduler::Schedule":
			every, err := interval(e.SweepEvery)
			if err != nil {
				return nil, err
			}
			for unit, n := range cost.Sweep() {
				used[unit] += n * hours * float64(time.Hour) / float64(every)
			}
		default:
			if !slices.ContainsFunc(free, func(known string) bool {
				return known == r.Type || strings.HasSuffix(known, "::") && strings.HasPrefix(r.Type, known)
			}) {
				return nil, fmt.Errorf("unknown idle cost of resource type %s", r.Type)
			}
		}
	}
	if e.Authenticate {
		used[cost.Secret]++ // the keys of callers, which the setup keeps
	}
	// Units for indexing and for search.
	used[cost.SearchHour] = float64(2 * e.Search.Least * hours)
	return used, nil
}

// metrics counts the metrics on a dashboard.
func metrics(r Resource) int {
	raw, err := json.Marshal(r.Properties["DashboardBody"])
	if err != nil {
		return 0 // cannot fail: it was decoded from JSON
	}
	return strings.Count(string(raw), `[\"AWS/`)
}

// interval parses a rate of EventBridge Scheduler.
func interval(rate string) (time.Duration, error) {
	inner, _ := strings.CutPrefix(rate, "rate(")
	count, unit, _ := strings.Cut(strings.TrimSuffix(inner, ")"), " ")
	n, err := strconv.Atoi(count)
	one := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}[strings.TrimSuffix(unit, "s")]
	if err != nil || n < 1 || one == 0 {
		return 0, fmt.Errorf("%q is not a rate", rate)
	}
	return time.Duration(n) * one, nil
}
