package stack_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/assertions"
	"github.com/aws/jsii-runtime-go"

	"lectern/functions"
	"lectern/infra/environment"
	"lectern/infra/stack"
)

// resource is one of a template.
type resource struct {
	Type                string
	Properties          map[string]any
	DeletionPolicy      string
	UpdateReplacePolicy string
	UpdatePolicy        any
	DependsOn           any
}

type template map[string]resource

// of returns the resources of a type by their ids.
func (t template) of(kind string) template {
	found := template{}
	for id, r := range t {
		if r.Type == kind {
			found[id] = r
		}
	}
	return found
}

// at follows a path of keys through nested maps.
func at(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

// dist makes a directory with a zip of each function, whose content does not
// matter here.
func dist(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	names := []string{"messages-worker", "artifacts-worker", "files-worker", "system-sweep", "system-setup", "system-empty"}
	for _, g := range functions.Groups() {
		names = append(names, g.Name)
	}
	for _, n := range names {
		if err := os.WriteFile(filepath.Join(dir, n+".zip"), []byte("PK\x05\x06"+n), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const applicationProfile = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/team"

// environments are those of the repository, and one with every option.
func environments(t *testing.T) []environment.Environment {
	t.Helper()
	full, err := environment.Find("prod")
	if err != nil {
		t.Fatal(err)
	}
	full.Name = "full"
	full.Domain = &environment.Domain{Name: "api.example.com", Certificate: "arn:aws:acm:us-east-1:123456789012:certificate/x", BasePath: "lectern"}
	full.Authorizer, full.Authenticate, full.AlarmMail = "arn:aws:lambda:us-east-1:123456789012:function:authorizer", false, "x@example.com"
	full.Rerank, full.SearchWeb, full.SearchWebKey = "bedrock:amazon.rerank-v1:0", "brave:", "ssm:/lectern/full/brave"
	full.BudgetUSD, full.BudgetMail, full.GatewayRole, full.Origin = 100, "x@example.com", true, "https://app.example.com"
	full.VPC = &environment.VPC{Subnets: []string{"subnet-0123456789abcdef0", "subnet-0123456789abcdef1"}, SecurityGroups: []string{"sg-0123456789abcdef0"}}
	full.Concurrency.Reserved = map[string]int{"messages": 300}
	full.Settings = map[string]string{"OPENAI_API_KEY": "secretsmanager:arn:aws:secretsmanager:us-east-1:123456789012:secret:openai-x"}
	full.SecretKeys = []string{"arn:aws:kms:us-east-1:123456789012:key/1"}
	full.Chat = "bedrock:jp.anthropic.a-v1:0?region=ap-northeast-1,bedrock:" + applicationProfile + "?as=team,bedrock:us-gov.anthropic.b-v1:0"
	if err := full.Check(); err != nil {
		t.Fatal(err)
	}
	return append(environment.All(), full)
}

// deployment is an environment with its templates.
type deployment struct {
	environment.Environment
	account, state, service template
}

// templates writes the templates of every environment, without credentials and
// without a network.
func templates(t *testing.T) []deployment {
	t.Helper()
	if _, err := os.Stat("/usr/bin/node"); err != nil && !onPath("node") {
		t.Skip("node is not installed: templates are written by CDK, which runs on it")
	}
	t.Setenv("JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION", "1")
	zips := dist(t)
	var all []deployment
	for _, e := range environments(t) {
		app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(t.TempDir())})
		stacks := stack.Add(app, e, stack.Options{Dist: zips})
		all = append(all, deployment{e, read(t, stacks.Account), read(t, stacks.State), read(t, stacks.Service)})
	}
	return all
}

func onPath(name string) bool {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode()&0o111 != 0 {
			return true
		}
	}
	return false
}

func read(t *testing.T, s awscdk.Stack) template {
	t.Helper()
	if s == nil {
		return nil
	}
	raw, err := json.Marshal(assertions.Template_FromStack(s, nil).ToJSON())
	if err != nil {
		t.Fatal(err)
	}
	var out struct{ Resources template }
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out.Resources
}

// TestTemplates writes every template once, which takes seconds, and asks all
// that has to hold of it.
func TestTemplates(t *testing.T) {
	for _, d := range templates(t) {
		t.Run(d.Name, func(t *testing.T) {
			t.Run("table", d.table)
			t.Run("bucket", d.bucket)
			t.Run("search", d.search)
			t.Run("queues", d.queues)
			t.Run("machine", d.machine)
			t.Run("paths", d.paths)
			t.Run("errors", d.errors)
			t.Run("functions", d.functions)
			t.Run("permissions", d.permissions)
			t.Run("settings", d.given)
			t.Run("alarms", d.alarms)
			t.Run("front", d.front)
			t.Run("idle", d.idle)
			t.Run("shared", d.shared)
			t.Run("leaves", d.leaves)
			t.Run("callers", d.callers)
			t.Run("setup", d.setup)
			t.Run("firewall", d.firewall)
			t.Run("models", d.models)
			t.Run("areas", d.areas)
			t.Run("releases", d.releases)
			t.Run("private", d.private)
		})
	}
}

func (d deployment) retained(t *testing.T, id string, r resource) {
	t.Helper()
	want := [2]string{"Delete", "Delete"}
	if d.Retain {
		want = [2]string{"RetainExceptOnCreate", "Retain"}
	}
	if got := [2]string{r.DeletionPolicy, r.UpdateReplacePolicy}; got != want {
		t.Errorf("%s is to %s at its end, want %s", id, got, want)
	}
}

func (d deployment) table(t *testing.T) {
	tables := d.state.of("AWS::DynamoDB::Table")
	if len(tables) != 1 {
		t.Fatalf("%d tables, want 1", len(tables))
	}
	for id, r := range tables {
		d.retained(t, id, r)
		p := r.Properties
		if p["BillingMode"] != "PAY_PER_REQUEST" || at(p, "TimeToLiveSpecification", "AttributeName") != "ttl" ||
			at(p, "TimeToLiveSpecification", "Enabled") != true ||
			at(p, "PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled") != true {
			t.Errorf("the table's billing, expiry or recovery: %v", p)
		}
		if d.Retain && (at(p, "SSESpecification", "SSEEnabled") != true || p["DeletionProtectionEnabled"] != true) {
			t.Errorf("a table that is kept has no key of the account or can be deleted: %v", p)
		}
		if keys, _ := json.Marshal(p["KeySchema"]); string(keys) != `[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]` {
			t.Errorf("the table's keys are %s", keys)
		}
	}
}

// pages is the JSON of the origins whose pages may use presigned URLs: the service's own
// page, and those of the setting.
func (d deployment) pages() string {
	own := `{"Fn::Join":["",["https://*.execute-api.` + d.Region + `.",{"Ref":"AWS::URLSuffix"}]]}`
	if d.Domain != nil {
		own = `"https://` + d.Domain.Name + `"`
	}
	switch d.Origin {
	case "*":
		return `["*"]`
	case "":
		return `[` + own + `]`
	}
	return `[` + own + `,"` + d.Origin + `"]`
}

func (d deployment) bucket(t *testing.T) {
	buckets := d.state.of("AWS::S3::Bucket")
	if len(buckets) != 1 {
		t.Fatalf("%d buckets, want 1", len(buckets))
	}
	for id, r := range buckets {
		d.retained(t, id, r)
		for _, how := range []string{"BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"} {
			if at(r.Properties, "PublicAccessBlockConfiguration", how) != true {
				t.Errorf("%s is not set", how)
			}
		}
		if r.Properties["BucketEncryption"] == nil || at(r.Properties, "NotificationConfiguration", "EventBridgeConfiguration", "EventBridgeEnabled") != true {
			t.Error("the bucket is not encrypted, or tells nobody of its objects")
		}
		cors := raw(r.Properties["CorsConfiguration"])
		if want := `"AllowedOrigins":` + d.pages(); !strings.Contains(cors, want) {
			t.Errorf("the bucket admits the pages %s, want %s", cors, want)
		}
		rules, _ := json.Marshal(at(r.Properties, "LifecycleConfiguration", "Rules"))
		for _, part := range []string{`"ExpirationInDays":1,"Id":"invoke","Prefix":"invoke/"`, `"AbortIncompleteMultipartUpload":{"DaysAfterInitiation":1}`} {
			if !strings.Contains(string(rules), part) {
				t.Errorf("the bucket's rules lack %s: %s", part, rules)
			}
		}
	}
	policies, _ := json.Marshal(d.state.of("AWS::S3::BucketPolicy"))
	if !strings.Contains(string(policies), `"aws:SecureTransport":"false"`) {
		t.Error("the bucket answers without TLS")
	}
}

func (d deployment) search(t *testing.T) {
	collections := d.state.of("AWS::OpenSearchServerless::Collection")
	if d.LookAlike() {
		if len(collections) != 0 {
			t.Error("a look-alike has a serverless collection")
		}
		return
	}
	if len(collections) != 1 {
		t.Fatalf("%d collections, want 1", len(collections))
	}
	for id, r := range collections {
		d.retained(t, id, r)
		if r.DependsOn == nil {
			t.Error("the collection does not wait for its policies")
		}
	}
	for _, g := range d.state.of("AWS::OpenSearchServerless::CollectionGroup") {
		if at(g.Properties, "CapacityLimits", "MinSearchCapacityInOcu") != float64(d.Search.Least) || g.Properties["Generation"] != "NEXTGEN" {
			t.Errorf("the group's capacity: %v", g.Properties)
		}
	}
	if n := len(d.service.of("AWS::OpenSearchServerless::AccessPolicy")); n != 3 {
		t.Errorf("%d policies of data, want those of makers, writers and readers", n)
	}
}

// TestEnvironmentsCoverWhatTheyShould: what the subtests above distinguish is
// there to be distinguished.
func TestEnvironmentsCoverWhatTheyShould(t *testing.T) {
	kept, gone, alike := 0, 0, 0
	for _, e := range environments(t) {
		switch {
		case e.LookAlike():
			alike++
		case e.Retain:
			kept++
		default:
			gone++
		}
	}
	if kept < 2 || gone < 2 || alike < 1 {
		t.Errorf("%d environments are kept, %d are not, %d are look-alikes", kept, gone, alike)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
