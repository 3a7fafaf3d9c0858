// Package environment describes where the service is deployed: one value per
// environment, validated before use. It does not import CDK.
package environment

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lectern/functions"
)

// Environment is one deployment of the service.
type Environment struct {
	Name    string // part of the names of stacks and functions
	Account string // 12 digits; the caller's when empty, which an environment that is kept may not leave it
	Region  string // the caller's when empty

	// Architecture of the functions, arm64 or x86_64. Functions with the PDF reader
	// contain code compiled for x86_64 and always run there.
	Architecture string
	// Retain keeps table, bucket, secrets and index when their stack is deleted.
	Retain bool
	// Endpoint is the URL of an AWS emulator, as its functions reach it; {function}
	// in it is the caller's number. An emulator buffers responses, has no serverless
	// search, and gets no alarms or dashboard.
	Endpoint string

	Search Search

	// Authenticate asks callers for a key. The first is made with the environment
	// and lies in Secrets Manager; people add and replace keys there.
	Authenticate bool
	// Open lets everybody in: read, write and delete. One of Authenticate, Open and
	// Authorizer is set; an emulator needs none.
	Open bool
	// Origin is whose pages may call the API in browsers, like https://app.example.com;
	// "*" is everybody's, empty nobody's.
	Origin string

	// StrictModels answers 404 to names of models that Chat does not have, and
	// demands that the first of Chat, which is "default", is not the built-in one.
	StrictModels bool
	// Chat and Embedding are the settings LECTERN_CHAT and LECTERN_EMBEDDING;
	// permissions follow from the Bedrock models in them.
	Chat, Embedding string
	// Rerank and SearchWeb are LECTERN_RERANK and LECTERN_SEARCH_WEB, empty for none;
	// only the functions that use them get them.
	Rerank, SearchWeb string
	// SearchWebKey is the credential of the web search engine, ssm:NAME or
	// secretsmanager:ARN; only the function that calls the engine may read it.
	SearchWebKey string
	// SecretKeys are ARNs of the customer's KMS keys that encrypt secrets which
	// settings refer to. AWS's own keys need no right.
	SecretKeys []string
	// Settings are additional settings of every function, such as OPENAI_API_KEY.
	// Secrets are given as ssm:NAME or secretsmanager:ARN.
	Settings map[string]string

	LogDays     int
	Concurrency Concurrency
	// Release is how requests move to a new version of the functions that answer them,
	// as CodeDeploy calls it without CodeDeployDefault, such as
	// LambdaCanary10Percent5Minutes: it is taken back when more than 1 % of requests
	// fail. Empty moves all at once.
	Release string
	// VPC is where the function tools runs, to reach private databases; nil for none.
	VPC        *VPC
	Throttle   Throttle
	SweepEvery string // a rate of EventBridge Scheduler, such as rate(1 hour)

	// Optional parts; the zero value omits each.
	Domain     *Domain
	Firewall   bool   // a web ACL in front of the API: AWS's core rules and a rate limit per address
	Authorizer string // ARN of a function that authorizes requests, instead of keys; README.md says what it answers
	AlarmTopic string // ARN of an SNS topic that alarms are sent to
	AlarmMail  string // address that alarms are sent to, by a topic of the environment's own
	BudgetUSD  int    // per month; a mail to BudgetMail at 80 %
	BudgetMail string
	// GatewayRole says that the account has a role of its own by which API Gateway
	// writes logs; else the stack lectern-account makes one and sets it.
	GatewayRole bool
}

// Search is where chunks are indexed.
type Search struct {
	// Address of an OpenSearch server, as in LECTERN_INDEX; if empty, a serverless
	// collection is created.
	Address string
	// Least and Most are the minimum and maximum of OpenSearch compute units,
	// each for indexing and for search. Least 0 scales to zero after ten idle
	// minutes; the next request then waits 10 to 30 s.
	Least, Most int
}

// Concurrency limits functions.
type Concurrency struct {
	// Streams is the concurrency reserved for following async messages, so that
	// followers and other requests do not starve each other; 0 reserves none.
	Streams int
	// Reserved is what is reserved for other functions that answer requests, by name:
	// they get no less, and no more.
	Reserved map[string]int
	// Account is the account's quota of concurrent functions, whose use is watched.
	Account int
	// Chat and Default are the maximum numbers of concurrent workers per queue,
	// 2 or more.
	Chat, Default int
}

// Of returns the concurrency reserved for a function; 0 for none.
func (c Concurrency) Of(function string) int {
	if function == "streams" {
		return c.Streams
	}
	return c.Reserved[function]
}

// Sum is all that is reserved.
func (c Concurrency) Sum() int {
	sum := c.Streams
	for _, n := range c.Reserved {
		sum += n
	}
	return sum
}

// unreserved is how much of an account's concurrency cannot be reserved.
//
// Source: AWS Lambda, "Configuring reserved concurrency".
const unreserved = 100

// CheckAccounts reports accounts of which environments reserve more concurrency, and
// let workers take more, than there is. Environments without an account share the
// caller's.
func CheckAccounts(all []Environment) error {
	var problems []error
	by := map[string][]Environment{}
	for _, e := range all {
		if !e.LookAlike() {
			by[e.Account] = append(by[e.Account], e)
		}
	}
	for account, list := range by {
		quota, reserved, workers := list[0].Concurrency.Account, 0, 0
		for _, e := range list {
			quota = min(quota, e.Concurrency.Account)
			reserved += e.Concurrency.Sum()
			workers += e.Concurrency.Chat + e.Concurrency.Default
		}
		if reserved+unreserved > quota {
			problems = append(problems, fmt.Errorf("account %q: its environments reserve %d of %d concurrent functions, and %d have to be left over",
				account, reserved, quota, unreserved))
		}
		if reserved+workers >= quota {
			problems = append(problems, fmt.Errorf("account %q: %d reserved and %d workers of queues leave no function of %d for requests",
				account, reserved, workers, quota))
		}
	}
	return errors.Join(problems...)
}

// VPC is a network of the account. Its subnets need a way to the service's own
// stores, by a NAT gateway or by endpoints; infra/README.md lists them.
type VPC struct {
	Subnets, SecurityGroups []string
}

// Throttle limits the requests of all clients.
type Throttle struct {
	Rate  int // per second
	Burst int
}

// Domain is a custom domain name.
type Domain struct {
	Name        string
	Certificate string // ARN, in the same region
	BasePath    string // before /v1; may be empty
}

// All returns the environments of this repository.
func All() []Environment {
	const (
		claude = "bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0?region=us-east-1&as=claude"
		titan  = "bedrock:amazon.titan-embed-text-v2:0"
	)
	return []Environment{
		{
			Name: "dev", Region: "us-east-1", Architecture: functions.Architecture, Chat: "extractive:," + claude, Embedding: "hash:",
			Search: Search{Least: 0, Most: 2}, LogDays: 7, Concurrency: Concurrency{Account: 1000, Chat: 5, Default: 5}, Authenticate: true,
			Origin: "*", Throttle: Throttle{Rate: 50, Burst: 100}, SweepEvery: "rate(1 day)",
		},
		{
			Name: "staging", Region: "us-east-1", Architecture: functions.Architecture, Chat: claude, StrictModels: true, Embedding: titan,
			Search: Search{Least: 0, Most: 4}, LogDays: 30, Concurrency: Concurrency{Account: 1000, Streams: 50, Chat: 20, Default: 10},
			Authenticate: true, Origin: "*", Throttle: Throttle{Rate: 200, Burst: 400}, SweepEvery: "rate(1 day)",
			Release: "LambdaCanary10Percent5Minutes",
		},
		{
			Name: "prod", Region: "us-east-1", Architecture: functions.Architecture, Chat: claude, StrictModels: true, Embedding: titan,
			Retain: true, Authenticate: true,
			Search: Search{Least: 1, Most: 16}, LogDays: 90, Concurrency: Concurrency{Account: 1000, Streams: 200, Chat: 100, Default: 20},
			Throttle: Throttle{Rate: 1000, Burst: 2000}, SweepEvery: "rate(1 hour)", Firewall: true,
			Release: "LambdaCanary10Percent5Minutes",
		},
		{
			Name: "localstack", Account: "000000000000", Region: "us-east-1", Architecture: "x86_64", Endpoint: "http://127.0.0.1:4566",
			Chat: "extractive:", Embedding: "hash:", Origin: "*",
			Search: Search{Address: "opensearch+http://127.0.0.1:9200"}, LogDays: 1, Concurrency: Concurrency{Account: 1000, Chat: 2, Default: 2},
			Throttle: Throttle{Rate: 1000, Burst: 2000}, SweepEvery: "rate(1 day)",
		},
	}
}

// Find returns the environment of a name, validated.
func Find(name string) (Environment, error) {
	var names []string
	for _, e := range All() {
		if e.Name == name {
			return e, errors.Join(e.Check(), CheckAccounts(All()))
		}
		names = append(names, e.Name)
	}
	return Environment{}, fmt.Errorf("no environment %q; there are %s", name, strings.Join(names, ", "))
}

var (
	namePattern    = regexp.MustCompile(`^[a-z][a-z0-9]{1,14}$`)
	originPattern  = regexp.MustCompile(`^https?://[^/*]+$`)
	accountPattern = regexp.MustCompile(`^[0-9]{12}$`)
	ratePattern    = regexp.MustCompile(`^rate\([1-9][0-9]* (minutes?|hours?|days?)\)$`)
	logDays        = []int{1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731}
	units          = []int{0, 1, 2, 4, 8, 16}
	// Source: AWS CodeDeploy, "Deployment configurations on an AWS Lambda compute platform".
	releases = []string{"LambdaCanary10Percent5Minutes", "LambdaCanary10Percent10Minutes", "LambdaCanary10Percent15Minutes",
		"LambdaCanary10Percent30Minutes", "LambdaLinear10PercentEvery1Minute", "LambdaLinear10PercentEvery2Minutes",
		"LambdaLinear10PercentEvery3Minutes", "LambdaLinear10PercentEvery10Minutes", "LambdaAllAtOnce"}
)

func allBegin(ids []string, prefix string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !strings.HasPrefix(id, prefix) })
}

// Check reports all problems of an environment.
func (e Environment) Check() error {
	var problems []error
	must := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf("environment %q: "+format, append([]any{e.Name}, args...)...))
		}
	}
	must(namePattern.MatchString(e.Name), "Name should be 2 to 15 of a-z and 0-9")
	must(e.Account == "" || accountPattern.MatchString(e.Account), "Account should be 12 digits")
	must(e.Architecture == "arm64" || e.Architecture == "x86_64", "Architecture should be arm64 or x86_64")
	must(e.Chat != "" && e.Embedding != "", "Chat and Embedding should be given")
	must(slices.Contains(logDays, e.LogDays), "LogDays should be one of %v, which CloudWatch knows", logDays)
	must(e.Concurrency.Chat >= 2 && e.Concurrency.Default >= 2,
		"Concurrency of Chat and Default should be at least 2, the least that an event source takes")
	must(e.Concurrency.Streams >= 0, "Concurrency of Streams should not be negative")
	must(e.Concurrency.Account >= 10 && (e.Concurrency.Sum() == 0 || e.Concurrency.Account >= unreserved+e.Concurrency.Sum()),
		"Concurrency of the Account should be its quota, 10 or more, and %d above the sum that is reserved, %d", unreserved, e.Concurrency.Sum())
	for name, n := range e.Concurrency.Reserved {
		must(n > 0 && name != "streams" && slices.ContainsFunc(functions.Groups(), func(g functions.Group) bool { return g.Name == name }),
			"Concurrency.Reserved of %q should be positive, and of a function that answers requests; that of streams is Streams", name)
	}
	must(e.Release == "" || slices.Contains(releases, e.Release), "Release should be one of %v", releases)
	must(e.Release == "" || !e.LookAlike(), "a look-alike has no releases step by step")
	if v := e.VPC; v != nil {
		must(len(v.Subnets) > 0 && allBegin(v.Subnets, "subnet-") && len(v.SecurityGroups) > 0 && allBegin(v.SecurityGroups, "sg-"),
			"VPC should have ids of Subnets and SecurityGroups, like subnet-0a1b and sg-0a1b")
	}
	must(e.Throttle.Rate > 0 && e.Throttle.Burst >= e.Throttle.Rate, "Throttle should have a rate and a burst not below it")
	must(ratePattern.MatchString(e.SweepEvery), "SweepEvery should be like rate(1 hour)")
	e.Search.check(e.LookAlike(), must)
	e.checkCallers(must)
	must(!e.LookAlike() || !e.Firewall && e.Domain == nil, "a look-alike has neither a firewall nor a domain")
	if d := e.Domain; d != nil {
		must(d.Name != "" && strings.HasPrefix(d.Certificate, "arn:"), "Domain should have a name and the ARN of a certificate")
		must(!strings.HasPrefix(d.BasePath, "/"), "Domain.BasePath should not begin with a slash")
	}
	must(e.AlarmTopic == "" || strings.HasPrefix(e.AlarmTopic, "arn:"), "AlarmTopic should be the ARN of a topic")
	must(e.AlarmMail == "" || strings.Contains(e.AlarmMail, "@") && e.AlarmTopic == "",
		"AlarmMail should be an address, and AlarmTopic empty then")
	must(e.BudgetUSD >= 0 && (e.BudgetUSD == 0 || strings.Contains(e.BudgetMail, "@")), "BudgetUSD needs BudgetMail")
	for name, value := range e.Settings {
		secret := strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_SECRET") || strings.HasSuffix(name, "_KEYS")
		must(!secret || isReference(value), "the setting %s should name a secret as ssm:NAME or secretsmanager:ARN", name)
		must(!slices.Contains(typed, name), "the setting %s should be given by its field of the environment", name)
	}
	must(e.Rerank == "" || strings.HasPrefix(e.Rerank, "bedrock:") || strings.HasPrefix(e.Rerank, "openai+"),
		"Rerank should be like bedrock:amazon.rerank-v1:0 or openai+https://host/v1?model=m")
	for _, arn := range e.SecretKeys {
		must(strings.HasPrefix(arn, "arn:") && strings.Contains(arn, ":key/"), "SecretKeys should be ARNs of KMS keys, not %q", arn)
	}
	e.checkWeb(must)
	return errors.Join(problems...)
}

// Deployable reports what keeps a valid environment from being deployed: what is
// kept names its account, so that it does not come to another, and somebody who
// hears of alarms. Only the operator knows them.
func (e Environment) Deployable() error {
	var problems []error
	if e.Retain && e.Account == "" {
		problems = append(problems, fmt.Errorf("environment %q: Account should be given in environment.go, or by ACCOUNT=<12 digits>", e.Name))
	}
	if e.Retain && e.AlarmTopic == "" && e.AlarmMail == "" {
		problems = append(problems,
			fmt.Errorf("environment %q: AlarmTopic or AlarmMail should be given in environment.go, or ALARM_MAIL=<address>", e.Name))
	}
	return errors.Join(problems...)
}

// checkCallers: somebody decides who may call, and which model they reach.
func (e Environment) checkCallers(must func(ok bool, format string, args ...any)) {
	ways := 0
	for _, set := range []bool{e.Authenticate, e.Open, e.Authorizer != ""} {
		if set {
			ways++
		}
	}
	must(ways == 1 || ways == 0 && e.LookAlike(), "one of Authenticate, Open and Authorizer should be set")
	must(!e.Open || !e.Retain, "Open lets everybody read and delete what is kept")
	must(e.Authorizer == "" || strings.HasPrefix(e.Authorizer, "arn:"), "Authorizer should be the ARN of a function")
	must(e.Origin == "" || e.Origin == "*" || originPattern.MatchString(e.Origin), "Origin should be like https://app.example.com, or *")
	must(e.StrictModels || !e.Retain, "StrictModels should be set where state is kept")
	must(!e.StrictModels || !strings.HasPrefix(strings.TrimSpace(e.Chat), "extractive:"),
		"Chat should begin with a real model, because StrictModels is set")
}

// typed are the settings that have fields of their own, because permissions
// follow from them.
var typed = []string{"LECTERN_CHAT", "LECTERN_STRICT_MODELS", "LECTERN_EMBEDDING", "LECTERN_RERANK", "LECTERN_SEARCH_WEB", "LECTERN_KEYS", "LECTERN_METRICS",
	"LECTERN_AUTHORIZER", "LECTERN_CORS_ORIGIN", "SERVER_AUTH_ENABLED", "SERVER_AUTH_SECRET", "BRAVE_API_KEY", "TAVILY_API_KEY"}

// isReference reports whether a setting refers to a secret instead of containing it.
func isReference(value string) bool {
	return strings.HasPrefix(value, "ssm:") || strings.HasPrefix(value, "secretsmanager:")
}

func (e Environment) checkWeb(must func(ok bool, format string, args ...any)) {
	if e.WebKeySetting() != "" {
		must(isReference(e.SearchWebKey), "SearchWebKey should name the secret of %s as ssm:NAME or secretsmanager:ARN", e.SearchWeb)
		return
	}
	must(e.SearchWeb == "" || strings.HasPrefix(e.SearchWeb, "searxng+http"),
		"SearchWeb should be brave:, tavily: or like searxng+https://host")
	must(e.SearchWebKey == "", "SearchWebKey belongs to brave: and tavily: alone")
}

// WebKeySetting returns the setting for the web search engine's credential;
// empty if the engine needs none.
func (e Environment) WebKeySetting() string {
	return map[string]string{"brave:": "BRAVE_API_KEY", "tavily:": "TAVILY_API_KEY"}[e.SearchWeb]
}

func (s Search) check(lookAlike bool, must func(ok bool, format string, args ...any)) {
	if s.Address != "" {
		must(strings.HasPrefix(s.Address, "opensearch+http"), "Search.Address should be like opensearch+https://host")
		return
	}
	must(!lookAlike, "a look-alike has no serverless search: Search.Address should be given")
	must(slices.Contains(units, s.Least) && slices.Contains(units, s.Most), "Search.Least and Most should be of %v", units)
	must(s.Most >= 1 && s.Least <= s.Most, "Search.Most should be 1 or more and not below Least")
}

// LookAlike reports whether the environment is an emulator.
func (e Environment) LookAlike() bool { return e.Endpoint != "" }

// EndpointOf returns the URL by which a function reaches the emulator, or whoever
// is none.
func (e Environment) EndpointOf(caller string) string {
	return strings.ReplaceAll(e.Endpoint, "{function}", strconv.Itoa(functions.Number(caller)))
}

// Bedrock is a model of Bedrock that a setting names.
type Bedrock struct {
	ID     string // of a model or of an inference profile, or an ARN
	Region string // empty: that of the environment
}

// BedrockModels returns the distinct models of Bedrock in a setting Chat, Embedding
// or Rerank, sorted.
func BedrockModels(setting string) []Bedrock {
	var list []Bedrock
	for raw := range strings.SplitSeq(setting, ",") {
		if id, ok := strings.CutPrefix(strings.TrimSpace(raw), "bedrock:"); ok {
			id, query, _ := strings.Cut(id, "?")
			values, _ := url.ParseQuery(query) // what is wrong in it, the service says
			list = append(list, Bedrock{id, values.Get("region")})
		}
	}
	slices.SortFunc(list, func(a, b Bedrock) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Region, b.Region)) })
	return slices.Compact(list)
}
