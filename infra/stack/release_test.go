package stack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"lectern/functions"
	"lectern/infra/environment"
	"lectern/infra/stack"
)

// releases: every function that answers requests is called by an alias, by the gateway
// and by other functions, and CodeDeploy moves the alias, or takes it back by the alarm
// on errors; where releases are not asked for, there is none of it.
func (d deployment) releases(t *testing.T) {
	aliases, versions, groups := d.service.of("AWS::Lambda::Alias"), d.service.of("AWS::Lambda::Version"), d.service.of("AWS::CodeDeploy::DeploymentGroup")
	want := 0
	if d.Release != "" {
		want = len(functions.Groups())
	}
	if len(aliases) != want || len(versions) != want || len(groups) != want {
		t.Fatalf("%d aliases, %d versions, %d groups of deployments; want %d of each", len(aliases), len(versions), len(groups), want)
	}
	asked := raw(d.service["Messages"].Properties["Environment"])
	if d.Release == "" {
		if strings.Contains(asked, ":live") {
			t.Errorf("messages calls an alias that is not there: %s", asked)
		}
		return
	}
	for _, g := range functions.Groups() {
		id := strings.ToUpper(g.Name[:1]) + g.Name[1:]
		alias, group, permission := d.service[id+"Alias"], d.service[id+"Release"], d.service[id+"Permission"]
		if raw(alias.Properties["FunctionName"]) != `{"Ref":"`+id+`"}` || !strings.Contains(raw(alias.Properties["FunctionVersion"]), id+"Version") {
			t.Errorf("the alias of %s: %v", g.Name, alias.Properties)
		}
		if policy := raw(at(alias.UpdatePolicy, "CodeDeployLambdaAliasUpdate")); !strings.Contains(policy, id+"Release") {
			t.Errorf("the alias of %s is moved by %s", g.Name, policy)
		}
		p := group.Properties
		if p["DeploymentConfigName"] != "CodeDeployDefault."+d.Release || !strings.Contains(raw(p["AutoRollbackConfiguration"]), "DEPLOYMENT_STOP_ON_ALARM") ||
			!strings.Contains(raw(p["AlarmConfiguration"]), "lectern-"+d.Name+"-release-errors") || !strings.Contains(raw(group.DependsOn), "AlarmReleaseErrors") {
			t.Errorf("releases of %s: %v, after %v", g.Name, p, group.DependsOn)
		}
		if raw(permission.Properties["FunctionName"]) != `{"Ref":"`+id+`Alias"}` {
			t.Errorf("the gateway may call %v of %s", permission.Properties["FunctionName"], g.Name)
		}
	}
	for _, name := range []string{"artifacts", "tools"} {
		called := fmt.Sprintf("lectern-%s-%s:live", d.Name, name)
		if !strings.Contains(asked, called) || !strings.Contains(raw(d.service["MessagesRole"].Properties), ":function:"+called) {
			t.Errorf("messages should call %s, and may: %s", called, asked)
		}
	}
}

// private: the function that reaches databases runs in the network of the environment,
// and no other; what is reserved is reserved.
func (d deployment) private(t *testing.T) {
	for id, f := range d.service.of("AWS::Lambda::Function") {
		inside := f.Properties["VpcConfig"] != nil
		may := strings.Contains(raw(d.service[id+"Role"].Properties), "ec2:CreateNetworkInterface")
		if want := d.VPC != nil && id == "Tools"; inside != want || may != want {
			t.Errorf("%s is in the network: %v, and may be: %v; want %v", id, inside, may, want)
		}
		if want := float64(d.Concurrency.Of(strings.ToLower(id))); number(f.Properties["ReservedConcurrentExecutions"]) != want {
			t.Errorf("%s has %v reserved, want %v", id, f.Properties["ReservedConcurrentExecutions"], want)
		}
	}
}

// TestVersionsFollowCode: a version is published when the code or the settings of its
// function change, and not else.
func TestVersionsFollowCode(t *testing.T) {
	if !onPath("node") {
		t.Skip("node is not installed: templates are written by CDK, which runs on it")
	}
	t.Setenv("JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION", "1")
	staging, err := environment.Find("staging")
	if err != nil {
		t.Fatal(err)
	}
	zips := dist(t)
	versions := func(e environment.Environment) map[string]bool {
		app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(t.TempDir())})
		found := map[string]bool{}
		for id := range read(t, stack.Add(app, e, stack.Options{Dist: zips}).Service).of("AWS::Lambda::Version") {
			found[id] = true
		}
		return found
	}
	fresh := func(before, after map[string]bool) (list []string) {
		for _, id := range sortedKeys(after) {
			if !before[id] {
				list = append(list, id)
			}
		}
		return list
	}
	first := versions(staging)
	if again := fresh(first, versions(staging)); len(again) != 0 {
		t.Errorf("the same code is published again: %v", again)
	}
	other := staging
	other.Settings = map[string]string{"LECTERN_STRICT_MODELS_X": "1"}
	if list := fresh(first, versions(other)); len(list) != len(functions.Groups()) {
		t.Errorf("with another setting %v are published, want all", list)
	}
	if err := os.WriteFile(filepath.Join(zips, "skills.zip"), []byte("PK\x05\x06other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if list := fresh(first, versions(staging)); len(list) != 1 || !strings.HasPrefix(list[0], "SkillsVersion") {
		t.Errorf("with another zip %v are published, want that of skills", list)
	}
}
