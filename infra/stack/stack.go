// Package stack defines the deployment of an environment in CDK: a stack of
// state (table, bucket, search), a stack of the service, which can be deleted and
// recreated, and a small one that all environments of an account share.
//
// It uses CDK's low-level constructs, because the higher-level ones grant
// wildcards and add functions of their own, and every permission and every cost
// should be visible in this package.
package stack

import (
	"fmt"
	"path/filepath"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"

	"lectern/infra/environment"
	"lectern/shared/aws/setup"
)

// Options locate the functions.
type Options struct {
	Dist string // directory of the zips made by make build
}

// Stacks are the stacks of one environment.
type Stacks struct {
	Account        awscdk.Stack // nil where nothing of the account is needed
	State, Service awscdk.Stack
}

// Add defines a validated environment in the app.
func Add(app awscdk.App, e environment.Environment, o Options) Stacks {
	props := func(name, description string) *awscdk.StackProps {
		props := &awscdk.StackProps{StackName: jsii.String(name), Description: jsii.String(description), Env: &awscdk.Environment{}}
		if e.Account != "" {
			props.Env.Account = jsii.String(e.Account)
		}
		if e.Region != "" {
			props.Env.Region = jsii.String(e.Region)
		}
		if e.LookAlike() {
			// The deploying script creates the bucket of assets, so that no bootstrap
			// stack and no role are needed.
			props.Synthesizer = awscdk.NewCliCredentialsStackSynthesizer(&awscdk.CliCredentialsStackSynthesizerProps{FileAssetsBucketName: jsii.String(AssetsBucket)})
		}
		return props
	}
	stack := func(part, description string) awscdk.Stack {
		p := props("lectern-"+e.Name+"-"+part, description)
		p.Tags = &map[string]*string{"service": jsii.String("lectern"), "environment": jsii.String(e.Name)}
		p.TerminationProtection = jsii.Bool(e.Retain)
		return awscdk.NewStack(app, jsii.String(e.Name+"-"+part), p)
	}
	state := stack("state", "Lectern: what is kept")
	kept := newState(&builder{stack: state, environment: e, options: o})
	service := stack("service", "Lectern: what serves")
	b := &builder{stack: service, environment: e, options: o, kept: kept}
	b.build()
	service.AddStackDependency(state, nil)
	stacks := Stacks{nil, state, service}
	if !e.LookAlike() && !e.GatewayRole {
		// The same for every environment, so that the next one finds it unchanged.
		account := app.Node().TryFindChild(jsii.String("account"))
		if account == nil {
			p := props("lectern-account", "Lectern: what its environments in this account share")
			p.Tags = &map[string]*string{"service": jsii.String("lectern")}
			shared := awscdk.NewStack(app, jsii.String("account"), p)
			newAccount(shared)
			account = shared
		}
		stacks.Account = account.(awscdk.Stack)
		service.AddStackDependency(stacks.Account, nil)
	}
	return stacks
}

// newAccount defines the role by which API Gateway writes logs, of which there is
// one for each account and region. It stays when the stack is deleted, because
// the account's other APIs may use it.
func newAccount(s awscdk.Stack) {
	role := awsiam.NewCfnRole(s, jsii.String("GatewayLogRole"), &awsiam.CfnRoleProps{
		AssumeRolePolicyDocument: assumedBy("apigateway.amazonaws.com"),
		ManagedPolicyArns: &[]any{fmt.Sprintf("arn:%s:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs",
			*awscdk.Aws_PARTITION())},
	})
	removal(role, true)
	account := awsapigateway.NewCfnAccount(s, jsii.String("GatewayAccount"), &awsapigateway.CfnAccountProps{CloudWatchRoleArn: role.AttrArn()})
	removal(account, true)
	// An account without any API has no settings either: this one, empty, comes
	// first.
	//
	// Source: AWS CloudFormation, AWS::ApiGateway::Account.
	api := awsapigateway.NewCfnRestApi(s, jsii.String("First"), &awsapigateway.CfnRestApiProps{
		Name: jsii.String("lectern-account"), Description: jsii.String("empty, so that the account has settings of API Gateway"),
		EndpointConfiguration: &awsapigateway.CfnRestApi_EndpointConfigurationProperty{Types: jsii.Strings("REGIONAL")},
	})
	account.AddResourceDependency(api, nil)
}

// AssetsBucket holds the functions' zips in an emulator.
const AssetsBucket = "lectern-assets"

// builder builds the resources of a stack.
type builder struct {
	stack       awscdk.Stack
	environment environment.Environment
	options     Options
	kept        state
	queues      map[string]queue
	lost        queue // bucket events about uploads that were not registered
	functions   map[string]made
	bus         string // name
	busARN      string
	api         api
	setup       awscdk.CfnResource
	topic       string // that alarms are sent to; empty without one
	alarmed     map[string]awscloudwatch.CfnAlarm
}

func (b *builder) build() {
	b.addQueues()
	b.addBus()
	b.addFunctions()
	b.addMachine()
	b.addSetup(b.addDataPolicies())
	b.addSources(b.setup)
	b.addEvents()
	b.addAPI()
	if !b.environment.LookAlike() {
		b.addAlarms()
		b.addReleases()
		b.addDashboard()
		b.addBudget()
	}
	b.addOutputs()
}

// name returns the name of a resource that must be known before it is created,
// or that people look for in a console.
func (b *builder) name(part string) string { return "lectern-" + b.environment.Name + "-" + part }

// arn returns the ARN of a resource of this account and region.
func (b *builder) arn(service, resource string) string {
	return fmt.Sprintf("arn:%s:%s:%s:%s:%s", *awscdk.Aws_PARTITION(), service, *awscdk.Aws_REGION(), *awscdk.Aws_ACCOUNT_ID(), resource)
}

func (b *builder) zip(name string) string { return filepath.Join(b.options.Dist, name+".zip") }

func (b *builder) addOutputs() {
	output(b.stack, "Address", b.address(), "where the API answers")
	if b.environment.Authenticate {
		output(b.stack, "Keys", *b.setup.GetAtt(jsii.String(setup.KeysARN), awscdk.ResolutionTypeHint_STRING).ToString(),
			"secret with the keys of callers: aws secretsmanager get-secret-value --secret-id <this>")
	}
	output(b.stack, "WebhookSecret", b.parameter("webhook-secret"), "parameter with the secret that receivers of callbacks need")
	for _, name := range queueNames {
		output(b.stack, name+"Queue", b.queues[name].url, "jobs: "+name)
	}
}

func output(scope awscdk.Stack, id, value, description string) {
	awscdk.NewCfnOutput(scope, jsii.String(id), &awscdk.CfnOutputProps{Value: jsii.String(value), Description: jsii.String(description)})
}

// parameter returns the name of a secret of this environment.
func (b *builder) parameter(name string) string {
	return "/lectern/" + b.environment.Name + "/" + name
}

// keys returns the name of the secret with the keys of callers.
func (b *builder) keys() string { return "lectern/" + b.environment.Name + "/keys" }

func removal(r awscdk.CfnResource, retain bool) {
	policy := awscdk.RemovalPolicy_DESTROY
	if retain {
		// But not of a deployment that fails at once: it leaves nothing behind.
		policy = awscdk.RemovalPolicy_RETAIN_ON_UPDATE_OR_DELETE
	}
	r.ApplyRemovalPolicy(policy, nil)
}
