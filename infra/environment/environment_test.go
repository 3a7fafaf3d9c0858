package environment_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/infra/environment"
)

func TestAllAreValid(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range environment.All() {
		if err := e.Check(); err != nil {
			t.Error(err)
		}
		if seen[e.Name] {
			t.Errorf("two environments are called %q", e.Name)
		}
		seen[e.Name] = true
	}
	for _, name := range []string{"dev", "staging", "prod", "localstack"} {
		if !seen[name] {
			t.Errorf("there is no environment %q", name)
		}
	}
}

func TestFind(t *testing.T) {
	if e, err := environment.Find("prod"); err != nil || !e.Retain {
		t.Errorf("prod = %+v, %v; want what is kept", e, err)
	}
	if _, err := environment.Find("prdo"); err == nil || !strings.Contains(err.Error(), "staging") {
		t.Errorf("Find of a misspelt name = %v, want the names that there are", err)
	}
}

// TestCheck: each change makes a valid environment invalid, and the error
// names what is wrong.
func TestCheck(t *testing.T) {
	for field, change := range map[string]func(*environment.Environment){
		"Name":               func(e *environment.Environment) { e.Name = "Prod-1" },
		"Account":            func(e *environment.Environment) { e.Account = "12" },
		"Architecture":       func(e *environment.Environment) { e.Architecture = "amd64" },
		"Chat and Embedding": func(e *environment.Environment) { e.Chat = "" },
		"LogDays":            func(e *environment.Environment) { e.LogDays = 8 },
		"at least 2":         func(e *environment.Environment) { e.Concurrency.Chat = 1 },
		"Streams":            func(e *environment.Environment) { e.Concurrency.Streams = -1 },
		"Throttle":           func(e *environment.Environment) { e.Throttle.Burst = 1 },
		"Reserved":           func(e *environment.Environment) { e.Concurrency.Reserved = map[string]int{"streams": 5} },
		"the sum":            func(e *environment.Environment) { e.Concurrency.Reserved = map[string]int{"messages": 950} },
		"Release":            func(e *environment.Environment) { e.Release = "Canary" },
		"VPC":                func(e *environment.Environment) { e.VPC = &environment.VPC{Subnets: []string{"subnet-1"}} },
		"SweepEvery":         func(e *environment.Environment) { e.SweepEvery = "hourly" },
		"Search.Least":       func(e *environment.Environment) { e.Search.Most = 3 },
		"Search.Most":        func(e *environment.Environment) { e.Search.Least, e.Search.Most = 4, 2 },
		"Search.Address":     func(e *environment.Environment) { e.Search.Address = "https://host" },
		"no serverless":      func(e *environment.Environment) { e.Endpoint = "http://x" },
		"Domain":             func(e *environment.Environment) { e.Domain = &environment.Domain{Name: "x"} },
		"Domain.BasePath": func(e *environment.Environment) {
			e.Domain = &environment.Domain{Name: "x", Certificate: "arn:x", BasePath: "/a"}
		},
		"Rerank":                    func(e *environment.Environment) { e.Rerank = "cohere:" },
		"SearchWeb ":                func(e *environment.Environment) { e.SearchWeb = "google:" },
		"SearchWebKey ":             func(e *environment.Environment) { e.SearchWeb, e.SearchWebKey = "brave:", "BSA-1" },
		"alone":                     func(e *environment.Environment) { e.SearchWebKey = "ssm:x" },
		"its field":                 func(e *environment.Environment) { e.Settings = map[string]string{"TAVILY_API_KEY": "ssm:x"} },
		"ARN of a function":         func(e *environment.Environment) { e.Authenticate, e.Authorizer = false, "f" },
		"one of":                    func(e *environment.Environment) { e.Authenticate = false },
		"one of Authenticate, Open": func(e *environment.Environment) { e.Open = true },
		"what is kept": func(e *environment.Environment) {
			e.Authenticate, e.Open, e.Retain, e.StrictModels = false, true, true, true
		},
		"Origin ":             func(e *environment.Environment) { e.Origin = "app.example.com" },
		"StrictModels should": func(e *environment.Environment) { e.Retain = true },
		"a real model":        func(e *environment.Environment) { e.StrictModels = true },
		"SecretKeys":          func(e *environment.Environment) { e.SecretKeys = []string{"alias/x"} },
		"AlarmMail":           func(e *environment.Environment) { e.AlarmMail = "me" },
		"of the Account":      func(e *environment.Environment) { e.Concurrency.Account = 0 },
		"AlarmTopic":          func(e *environment.Environment) { e.AlarmTopic = "t" },
		"BudgetMail":          func(e *environment.Environment) { e.BudgetUSD = 5 },
		"OPENAI_API_KEY":      func(e *environment.Environment) { e.Settings = map[string]string{"OPENAI_API_KEY": "sk-1"} },
	} {
		e, err := environment.Find("dev")
		if err != nil {
			t.Fatal(err)
		}
		change(&e)
		if err := e.Check(); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: Check = %v", field, err)
		}
	}
}

func TestBedrockModels(t *testing.T) {
	got := environment.BedrockModels("extractive:, " +
		"bedrock:us.anthropic.a-v1:0?region=us-east-1&as=x,bedrock:b,bedrock:b?as=c,bedrock:b?region=r")
	want := []environment.Bedrock{{ID: "b"}, {ID: "b", Region: "r"}, {ID: "us.anthropic.a-v1:0", Region: "us-east-1"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestDeployable: what is kept is not deployed before somebody has said to which
// account, and who hears of alarms; and nothing that is kept is open.
func TestDeployable(t *testing.T) {
	for _, e := range environment.All() {
		err := e.Deployable()
		if (err == nil) == e.Retain {
			t.Errorf("%s: Deployable = %v", e.Name, err)
		}
		if e.Open || !e.Authenticate && !e.LookAlike() {
			t.Errorf("%s lets everybody in", e.Name)
		}
		if e.Retain && (!strings.Contains(err.Error(), "ACCOUNT=") || !strings.Contains(err.Error(), "ALARM_MAIL=")) {
			t.Errorf("%s: %v", e.Name, err)
		}
		e.Account, e.AlarmMail = "123456789012", "x@example.com"
		if err := e.Deployable(); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}

// TestCheckAccounts: environments of one account share its concurrency.
func TestCheckAccounts(t *testing.T) {
	if err := environment.CheckAccounts(environment.All()); err != nil {
		t.Error(err)
	}
	for name, tc := range map[string]struct {
		streams, chat int
		account, want string
	}{
		"within":                        {300, 100, "", ""},
		"reserved over the quota":       {500, 100, "", "have to be left over"},
		"in an account of its own":      {500, 100, "123456789012", ""},
		"workers leave nobody a chance": {300, 600, "", "for requests"},
	} {
		one, err := environment.Find("prod")
		if err != nil {
			t.Fatal(err)
		}
		one.Concurrency.Streams = 450
		two := one
		two.Name, two.Account, two.Concurrency.Streams, two.Concurrency.Chat = "other", tc.account, tc.streams, tc.chat
		if err := environment.CheckAccounts([]environment.Environment{one, two}); (err == nil) != (tc.want == "") ||
			err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: CheckAccounts = %v, want %q", name, err, tc.want)
		}
	}
}
