package stack_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"lectern/functions"
	"lectern/infra/environment"
	"lectern/infra/stack"
)

// shared: an environment can be the first of an account, whichever it is: a stack
// of the account's own gives the gateway its role, and the service waits for it.
// It names no environment, so that the next one finds it unchanged.
func (d deployment) shared(t *testing.T) {
	if d.LookAlike() || d.GatewayRole {
		if d.account != nil {
			t.Error("the account has a stack that nobody needs")
		}
		return
	}
	roles, accounts := d.account.of("AWS::IAM::Role"), d.account.of("AWS::ApiGateway::Account")
	apis := d.account.of("AWS::ApiGateway::RestApi")
	if len(roles) != 1 || len(accounts) != 1 || len(apis) != 1 || len(d.account) != 3 {
		t.Errorf("the account's stack has %v", sortedKeys(d.account))
	}
	for id, r := range accounts {
		if raw(r.DependsOn) != `["First"]` {
			t.Errorf("%s does not wait for an API, without which a new account has no settings: %v", id, r.DependsOn)
		}
	}
	for id, r := range d.account {
		if r.Type != "AWS::ApiGateway::RestApi" && r.DeletionPolicy != "RetainExceptOnCreate" {
			t.Errorf("%s goes with the stack, and other APIs of the account lose it", id)
		}
	}
	if strings.Contains(raw(d.account), d.Name) {
		t.Errorf("the account's stack names the environment: %s", raw(d.account))
	}
}

// leaves: what is to go can be deleted when it is full, and what is kept is in
// nobody's way when the environment is deployed again.
func (d deployment) leaves(t *testing.T) {
	empties := d.state.of("AWS::CloudFormation::CustomResource")
	if (len(empties) == 1) == d.Retain {
		t.Errorf("%d resources empty the bucket of an environment that is kept: %v", len(empties), d.Retain)
	}
	for id, r := range empties {
		if !strings.Contains(raw(r.Properties["Bucket"]), "Objects") || !strings.Contains(raw(r.Properties["ServiceToken"]), "SystemEmpty") {
			t.Errorf("%s: %v", id, r.Properties)
		}
		rights := raw(d.state["SystemEmptyRole"].Properties)
		for _, right := range []string{"s3:ListBucketVersions", "s3:DeleteObject", "s3:DeleteObjectVersion"} {
			if !strings.Contains(rights, right) {
				t.Errorf("%s may not %s", id, right)
			}
		}
	}
	for _, kind := range []string{"SecurityPolicy", "Collection", "CollectionGroup"} {
		for id, r := range d.state.of("AWS::OpenSearchServerless::" + kind) {
			if name := raw(r.Properties["Name"]); !strings.Contains(name, "AWS::StackId") {
				t.Errorf("%s is always called %s, and is kept: the next deployment would find it", id, name)
			}
			d.retained(t, id, r)
		}
	}
	// A table with deletion protection would keep a failed first deployment from
	// being rolled back, unless nothing comes after it.
	for id, r := range d.state.of("AWS::DynamoDB::Table") {
		if r.DependsOn == nil {
			t.Errorf("%s does not wait for what else may fail", id)
		}
	}
	if names := 32; len("lectern-"+d.Name+"-12345678") > names {
		t.Errorf("the collection's name has more than %d characters", names)
	}
}

// callers: whoever is not known is let in nowhere but where the environment says
// so, and the first key can be found.
func (d deployment) callers(t *testing.T) {
	for id, f := range d.service.of("AWS::Lambda::Function") {
		v, _ := at(f.Properties, "Environment", "Variables").(map[string]any)
		serves := !strings.Contains(strings.ToLower(id), "worker") && !strings.HasPrefix(id, "System") || id == "System"
		asks := v["SERVER_AUTH_ENABLED"] == "true" && v["LECTERN_KEYS"] == "secretsmanager:lectern/"+d.Name+"/keys" ||
			v["LECTERN_AUTHORIZER"] == "yes"
		if want := serves && !d.Open && !d.LookAlike(); asks != want {
			t.Errorf("%s asks who calls: %v, want %v", id, asks, want)
		}
		role := raw(d.service[id+"Role"].Properties)
		if reads := strings.Contains(role, "secret:lectern/"+d.Name+"/keys-??????"); serves && reads != d.Authenticate ||
			id == "SystemSetup" && reads != d.Authenticate {
			t.Errorf("%s may use the keys: %v, want %v", id, reads, d.Authenticate)
		}
	}
	setup := d.service["Setup"].Properties
	if want := map[bool]string{true: "lectern/" + d.Name + "/keys", false: ""}[d.Authenticate]; setup["Keys"] != want {
		t.Errorf("the setup keeps keys in %q, want %q", setup["Keys"], want)
	}
	for id, r := range d.service.of("AWS::ApiGateway::GatewayResponse") {
		origin, _ := at(r.Properties, "ResponseParameters", "gatewayresponse.header.Access-Control-Allow-Origin").(string)
		if d.Origin == "" && origin != "" || d.Origin != "" && origin != "'"+d.Origin+"'" {
			t.Errorf("%s lets pages of %q read it, want %q", id, origin, d.Origin)
		}
	}
}

// setup: it runs again when its code changes, which knows the mapping's version,
// and when the embedder changes, which names the index.
func (d deployment) setup(t *testing.T) {
	p := d.service["Setup"].Properties
	if code, _ := p["Code"].(string); len(code) < 32 || p["Embedding"] != d.Embedding || p["Index"] == nil {
		t.Errorf("the setup depends on %v", p)
	}
	if index := raw(p["Index"]); !d.LookAlike() && !strings.Contains(index, "?service=aoss") {
		t.Errorf("the index is %s: requests would not be signed", index)
	}
	for id, policy := range d.service.of("AWS::OpenSearchServerless::AccessPolicy") {
		text := flatten(policy.Properties["Policy"])
		if id == "SearchMake" && (!strings.Contains(text, "aoss:UpdateIndex") || !strings.Contains(text, "aoss:ReadDocument")) {
			t.Errorf("the setup cannot write the stores' id into the index, or compare it with the registry: %s", text)
		}
	}
}

// TestSetupFollowsItsCode: another zip of the setup is another property.
func TestSetupFollowsItsCode(t *testing.T) {
	if !onPath("node") {
		t.Skip("node is not installed: templates are written by CDK, which runs on it")
	}
	t.Setenv("JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION", "1")
	e, err := environment.Find("dev")
	if err != nil {
		t.Fatal(err)
	}
	var codes []any
	for _, content := range []string{"one", "one", "two"} {
		zips := dist(t)
		write(t, zips+"/system-setup.zip", content)
		app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(t.TempDir())})
		codes = append(codes, read(t, stack.Add(app, e, stack.Options{Dist: zips}).Service)["Setup"].Properties["Code"])
	}
	if codes[0] != codes[1] || codes[0] == codes[2] {
		t.Errorf("the setup's code is %v; want the third to differ", codes)
	}
}

// firewall: ids and queries with people's texts are refused by no rule, other
// paths are; and a refused request can be looked at.
func (d deployment) firewall(t *testing.T) {
	for id, acl := range d.service.of("AWS::WAFv2::WebACL") {
		rules := asList(acl.Properties["Rules"])
		text := raw(rules)
		if strings.Contains(text, `"SampledRequestsEnabled":false`) || at(acl.Properties, "VisibilityConfig", "SampledRequestsEnabled") != true {
			t.Errorf("%s shows no requests that it refused", id)
		}
		counted := raw(at(rules[0], "Statement", "ManagedRuleGroupStatement", "RuleActionOverrides"))
		for _, rule := range []string{"RestrictedExtensions_URIPATH", "RestrictedExtensions_QUERYARGUMENTS", "SizeRestrictions_QUERYSTRING",
			"GenericLFI_BODY"} {
			if !strings.Contains(counted, `"Name":"`+rule+`"`) {
				t.Errorf("%s refuses by %s", id, rule)
			}
		}
		var pattern string
		for _, s := range asList(at(rules[1], "Statement", "AndStatement", "Statements")) {
			if p, ok := at(s, "NotStatement", "Statement", "RegexMatchStatement", "RegexString").(string); ok {
				pattern = p
			}
		}
		if !strings.Contains(raw(rules[1]), "core-rule-set:RestrictedExtensions_URIPath") ||
			!strings.Contains(raw(rules[1]), "core-rule-set:SizeRestrictions_QueryString") {
			t.Errorf("%s refuses nothing on paths without texts: %s", id, raw(rules[1]))
		}
		texts := regexp.MustCompile(pattern)
		front := "/live"
		if d.Domain != nil {
			front = "/" + d.Domain.BasePath
		}
		for path, want := range map[string]bool{
			"/v1/files/uploads/server.log": true, "/v1/files/outputs%2Fapp.ini/content": true, "/v1/files": true,
			"/v1/artifacts": true, "/mcp": true,
			"/v1/messages/server.log": false, "/v1/filesystem": false, "/etc/passwd": false, "/x/v1/files": false,
		} {
			if got := texts.MatchString(front + path); got != want {
				t.Errorf("%s lets texts pass on %s%s: %v, want %v", id, front, path, got, want)
			}
		}
	}
}

// models: a role may call each model in the region that it is called in, through
// whatever it is called.
func (d deployment) models(t *testing.T) {
	rights := raw(d.service["MessagesRole"].Properties)
	wants := []string{"bedrock:InvokeModelWithResponseStream"}
	switch d.Name {
	case "full":
		wants = append(wants, `:bedrock:ap-northeast-1:`, `:inference-profile/jp.anthropic.a-v1:0`,
			`:bedrock:*::foundation-model/anthropic.a-v1:0`,
			applicationProfile, `"bedrock:InferenceProfileArn":"`+applicationProfile+`"`, `:inference-profile/us-gov.anthropic.b-v1:0`,
			`:bedrock:*::foundation-model/anthropic.b-v1:0`)
	case "localstack":
		wants = nil
	default:
		wants = append(wants, `:bedrock:us-east-1:`, `:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0`)
	}
	for _, want := range wants {
		if !strings.Contains(rights, want) {
			t.Errorf("chats may not use %s: %s", want, rights)
		}
	}
	decrypts := strings.Contains(rights, `"kms:Decrypt"`)
	if decrypts != (len(d.SecretKeys) > 0) || slices.ContainsFunc(d.SecretKeys, func(arn string) bool {
		return !strings.Contains(rights, arn)
	}) {
		t.Errorf("chats may open secrets of %v: %s", d.SecretKeys, rights)
	}
}

// areas: a role reaches the parts of table and bucket that its row names, and no
// others: none all of them.
func (d deployment) areas(t *testing.T) {
	for _, f := range functions.Functions() {
		id := ""
		for part := range strings.SplitSeq(f.Name, "-") {
			id += strings.ToUpper(part[:1]) + part[1:]
		}
		stack := d.service
		if f.State {
			stack = d.state
		}
		var patterns []string // of what the role reaches
		for _, policy := range asList(stack[id+"Role"].Properties["Policies"]) {
			for _, s := range asList(at(policy, "PolicyDocument", "Statement")) {
				actions := raw(at(s, "Action"))
				switch {
				case f.State:
				case strings.Contains(actions, "dynamodb:"):
					keys := asList(at(s, "Condition", "ForAllValues:StringLike", "dynamodb:LeadingKeys"))
					if len(keys) == 0 || at(s, "Condition", "Null", "dynamodb:LeadingKeys") != "false" {
						t.Errorf("%s may use the whole table: %s", f.Name, raw(s))
					}
					for _, k := range keys {
						patterns = append(patterns, fmt.Sprint(k))
					}
				case strings.Contains(actions, "s3:") && !strings.Contains(actions, "s3:ListBucket"):
					for _, on := range asList(at(s, "Resource")) {
						_, key, ok := strings.Cut(flatten(on), "/")
						if !ok || key == "*" {
							t.Errorf("%s may use the whole bucket: %s", f.Name, raw(s))
						}
						patterns = append(patterns, key)
					}
				case strings.Contains(actions, "s3:ListBucket") && at(s, "Condition", "StringLikeIfExists", "s3:prefix") == nil:
					t.Errorf("%s may list the whole bucket: %s", f.Name, raw(s))
				}
			}
		}
		var want []string
		for _, area := range f.Needs.Readable() {
			if f.Needs.Records != functions.None {
				want = append(want, area.Partitions()...)
			}
			if f.Needs.Objects != functions.None {
				want = append(want, area.Keys()...)
			}
		}
		slices.Sort(want)
		slices.Sort(patterns)
		if got := slices.Compact(patterns); !f.State && !slices.Equal(got, slices.Compact(want)) {
			t.Errorf("%s reaches %v, its row names %v", f.Name, got, want)
		}
		if f.Name == "streams" && slices.Contains(patterns, "documents/*") {
			t.Error("streams may read documents")
		}
		if f.Name == "models" && (slices.Contains(patterns, "documents/*") || !slices.Contains(patterns, "collections")) {
			t.Errorf("models, which lists collections and reads no object, reaches %v", patterns)
		}
	}
}
