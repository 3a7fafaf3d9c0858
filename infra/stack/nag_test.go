package stack_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/assertions"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"

	"lectern/infra/environment"
	"lectern/infra/stack"
)

// explained are the findings of cdk-nag that are meant, and why.
var explained = map[string]string{
	"AwsSolutions-IAM5":  "the wide permissions are those of the list in this package",
	"AwsSolutions-IAM4":  "API Gateway writes its logs by the role that AWS manages for it",
	"AwsSolutions-APIG2": "the service checks requests itself and says all that is wrong",
	"AwsSolutions-APIG3": "a firewall is an option, which costs 5 USD a month: prod has it",
	"AwsSolutions-APIG4": "the service checks credentials itself; an authorizer is an option",
	"AwsSolutions-COG4":  "there is no user pool; the service checks credentials itself",
	"AwsSolutions-SQS3":  "the queue of lost uploads is one of dead letters itself, which a rule and a function name and no queue",
	"AwsSolutions-S1":    "object requests are in the functions' logs and traces; access logs of the bucket would cost a second one",
}

// TestNag: AWS's rules of good practice find nothing that is not explained.
func TestNag(t *testing.T) {
	if !onPath("node") {
		t.Skip("node is not installed: templates are written by CDK, which runs on it")
	}
	t.Setenv("JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION", "1")
	var described []awscdk.Stack
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(t.TempDir())})
	zips := dist(t)
	for _, name := range []string{"dev", "prod"} {
		e, err := environment.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		stacks := stack.Add(app, e, stack.Options{Dist: zips})
		described = append(described, stacks.Account, stacks.State, stacks.Service)
	}
	awscdk.Aspects_Of(app).Add(cdknag.NewAwsSolutionsChecks(&cdknag.NagPackProps{Verbose: jsii.Bool(true)}), nil)
	met := map[string]bool{}
	for _, s := range described {
		annotations := assertions.Annotations_FromStack(s)
		anywhere, rules := jsii.String("*"), assertions.Match_StringLikeRegexp(jsii.String("AwsSolutions-.*"))
		found := append(*annotations.FindError(anywhere, rules), *annotations.FindWarning(anywhere, rules)...)
		for _, m := range found {
			text, err := json.Marshal(m.Entry.Data)
			if err != nil {
				t.Fatal(err)
			}
			rule, _, _ := strings.Cut(strings.Trim(string(text), `"`), "[")
			rule, _, _ = strings.Cut(rule, ":")
			if met[rule] = true; explained[rule] == "" {
				t.Errorf("%s: %s", *m.Id, text)
			}
		}
	}
	if len(met) == 0 {
		t.Error("cdk-nag found nothing at all: it did not look")
	}
	for _, rule := range sortedKeys(explained) {
		if !slices.Contains(sortedKeys(met), rule) {
			t.Errorf("%s is explained and not found", rule)
		}
	}
}
