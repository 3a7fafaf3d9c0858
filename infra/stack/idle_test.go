package stack_test

import (
	"strings"
	"testing"

	"lectern/infra/environment"
	"lectern/infra/idle"
	"lectern/scripts/cost"
)

// idle: what an environment costs while nobody uses it is known, and for dev it
// is next to nothing in an account of its own.
func (d deployment) idle(t *testing.T) {
	var resources []idle.Resource
	for _, part := range []template{d.state, d.service} {
		for _, r := range part {
			resources = append(resources, idle.Resource{Type: r.Type, Properties: r.Properties})
		}
	}
	used, err := idle.Month(d.Environment, resources)
	if err != nil {
		t.Fatal(err)
	}
	if used[cost.QueueRequest] == 0 || used[cost.ScheduledRun] == 0 || used[cost.LargeDashboard] > 0 || !d.LookAlike() &&
		(used[cost.Alarm] < 9 || used[cost.Dashboard] != 1) {
		t.Errorf("a month takes %v", used)
	}
	if got := used[cost.Firewall] > 0; got != d.Firewall {
		t.Errorf("a firewall is paid for: %v, want %v", got, d.Firewall)
	}
	if _, usd := used.Beyond().Total(1); d.Name == "dev" && usd > 2 {
		t.Errorf("an unused month costs %.2f USD, 2 at most: %v", usd, used.Beyond())
	}
}

// TestIdleKnowsEveryResource: what nobody has priced is no part of a sum.
func TestIdleKnowsEveryResource(t *testing.T) {
	e, err := environment.Find("prod")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := idle.Month(e, []idle.Resource{{Type: "AWS::EC2::NatGateway"}}); err == nil || !strings.Contains(err.Error(), "NatGateway") {
		t.Errorf("a gateway that nobody has priced: %v", err)
	}
	e.SweepEvery = "rate(30 minutes)"
	used, err := idle.Month(e, []idle.Resource{{Type: "AWS::Scheduler::Schedule"}})
	if err != nil || used[cost.ScheduledRun] != 1460 || used[cost.SearchHour] != 1460 {
		t.Errorf("two sweeps an hour and two units are %v, %v", used, err)
	}
}
