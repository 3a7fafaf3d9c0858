// Package stack defines the deployment of an environment in CDK: a stack of
// state (table, bucket, search), and a stack of the service, which can be
// deleted and recreated.
//
// It uses CDK's low-level constructs, because the higher-level ones grant
// wildcards and add functions of their own, and every permission and every cost
// should be visible in this package.
package stack

import (
	"fmt"
	"path/filepath"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"lectern/infra/environment"
)

// Options locate the functions.
type Options struct {
	Dist string // directory of the zips made by make build
}

// Stacks are the stacks of one environment.
type Stacks struct {
	State, Service awscdk.Stack
}

// Add defines a validated environment in the app.
func Add(app awscdk.App, e environment.Environment, o Options) Stacks {
	stack := func(part, description string) awscdk.Stack {
		props := &awscdk.StackProps{
			StackName:   jsii.String("lectern-" + e.Name + "-" + part),
			Description: jsii.String(description),
			Env:         &awscdk.Environment{},
			Tags:        &map[string]*string{"service": jsii.String("lectern"), "environment": jsii.String(e.Name)},
		}
		if e.Account != "" {
			props.Env.Account = jsii.String(e.Account)
		}
		if e.Region != "" {
			props.Env.Region = jsii.String(e.Region)
		}
		props.TerminationProtection = jsii.Bool(e.Retain)
		if e.LookAlike() {
			// The deploying script creates the bucket of assets, so that no bootstrap
			// stack and no role are needed.
			props.Synthesizer = awscdk.NewCliCredentialsStackSynthesizer(&awscdk.CliCredentialsStackSynthesizerProps{FileAssetsBucketName: jsii.String(AssetsBucket)})
		}
		return awscdk.NewStack(app, jsii.String(e.Name+"-"+part), props)
	}
	state := stack("state", "Lectern: what is kept")
	kept := newState(state, e)
	service := stack("service", "Lectern: what serves")
	b := &builder{stack: service, environment: e, options: o, kept: kept}
	b.build()
	service.AddStackDependency(state, nil)
	return Stacks{state, service}
}

// AssetsBucket holds the functions' zips in an emulator.
const AssetsBucket = "lectern-assets"

// builder builds the service's stack.
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
}

func (b *builder) build() {
	b.addQueues()
	b.addBus()
	b.addFunctions()
	b.addMachine()
	setup := b.addSetup(b.addDataPolicies())
	b.addSources(setup)
	b.addEvents()
	b.addAPI()
	if !b.environment.LookAlike() {
		b.addAlarms()
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
	output(b.stack, "Table", b.kept.table, "records")
	output(b.stack, "Bucket", b.kept.bucket, "files and documents")
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

func removal(r awscdk.CfnResource, retain bool) {
	policy := awscdk.RemovalPolicy_DESTROY
	if retain {
		policy = awscdk.RemovalPolicy_RETAIN
	}
	r.ApplyRemovalPolicy(policy, nil)
}
