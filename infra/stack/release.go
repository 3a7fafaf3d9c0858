package stack

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscodedeploy"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"lectern/functions"
)

// aliasName is the alias by which a function that is released step by step is called.
const aliasName = "live"

// releaseAlarm takes a release back while it is under way.
const releaseAlarm = "release-errors"

// released reports whether a function is called by its alias, whose requests move to a
// new version step by step.
func (b *builder) released(f function) bool { return f.serves && b.environment.Release != "" }

// addAlias publishes a version of the function whenever its code or its settings
// change, and calls it by an alias.
func (b *builder) addAlias(m *made, id string, props *awslambda.CfnFunctionProps) {
	version := awslambda.NewCfnVersion(b.stack, jsii.String(id+"Version"+b.content(m, props)), &awslambda.CfnVersionProps{
		FunctionName: m.resource.Ref(),
	})
	m.alias = awslambda.NewCfnAlias(b.stack, jsii.String(id+"Alias"), &awslambda.CfnAliasProps{
		Name: jsii.String(aliasName), FunctionName: m.resource.Ref(), FunctionVersion: version.AttrVersion(),
	})
	m.arn = *m.alias.Ref()
}

// content is a hash of all that a version of a function is made of. What is known at
// the deployment alone counts by its reference.
func (b *builder) content(m *made, props *awslambda.CfnFunctionProps) string {
	settings := b.settings(m.function)
	parts := []any{m.code, *props.MemorySize, *props.Timeout, *(*props.Architectures)[0], b.environment.VPC}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		parts = append(parts, name, b.stack.Resolve(settings[name]))
	}
	raw, _ := json.Marshal(parts) // strings and numbers, which cannot fail
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:5])
}

// addReleases lets CodeDeploy move the requests of each alias to its new version, and
// back when the alarm goes off.
func (b *builder) addReleases() {
	if b.environment.Release == "" {
		return
	}
	app := awscodedeploy.NewCfnApplication(b.stack, jsii.String("Releases"), &awscodedeploy.CfnApplicationProps{
		ApplicationName: jsii.String(b.name("releases")), ComputePlatform: jsii.String("Lambda"),
	})
	role := awsiam.NewCfnRole(b.stack, jsii.String("ReleaseRole"), &awsiam.CfnRoleProps{
		AssumeRolePolicyDocument: assumedBy("codedeploy.amazonaws.com"),
		ManagedPolicyArns:        &[]any{fmt.Sprintf("arn:%s:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited", *awscdk.Aws_PARTITION())},
	})
	for _, g := range functions.Groups() {
		m := b.functions[g.Name]
		group := awscodedeploy.NewCfnDeploymentGroup(b.stack, jsii.String(construct(g.Name)+"Release"), &awscodedeploy.CfnDeploymentGroupProps{
			ApplicationName: app.Ref(), DeploymentGroupName: jsii.String(b.name(g.Name)), ServiceRoleArn: role.AttrArn(),
			DeploymentConfigName: jsii.String("CodeDeployDefault." + b.environment.Release),
			DeploymentStyle: &awscodedeploy.CfnDeploymentGroup_DeploymentStyleProperty{
				DeploymentType: jsii.String("BLUE_GREEN"), DeploymentOption: jsii.String("WITH_TRAFFIC_CONTROL"),
			},
			AutoRollbackConfiguration: &awscodedeploy.CfnDeploymentGroup_AutoRollbackConfigurationProperty{
				Enabled: jsii.Bool(true), Events: jsii.Strings("DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM", "DEPLOYMENT_STOP_ON_REQUEST"),
			},
			AlarmConfiguration: &awscodedeploy.CfnDeploymentGroup_AlarmConfigurationProperty{
				Enabled: jsii.Bool(true), Alarms: &[]any{&awscodedeploy.CfnDeploymentGroup_AlarmProperty{Name: jsii.String(b.name(releaseAlarm))}},
			},
		})
		group.AddResourceDependency(b.alarmed[releaseAlarm], nil)
		m.alias.CfnOptions().SetUpdatePolicy(&awscdk.CfnUpdatePolicy{CodeDeployLambdaAliasUpdate: &awscdk.CfnCodeDeployLambdaAliasUpdate{
			ApplicationName: app.Ref(), DeploymentGroupName: group.Ref(),
		}})
	}
}

// called is the name by which other functions invoke one.
func (b *builder) called(name string) string {
	if b.environment.Release == "" {
		return b.name(name)
	}
	return b.name(name) + ":" + aliasName
}
