// Package stack describes the deployment of an environment to CDK: a stack of
// what is kept, table and bucket and search, and a stack of what serves, which
// can go and come back.
//
// Resources are described one by one, without CDK's own higher-level
// constructs: those grant by wildcards and add functions of their own, and
// here every permission and every cost is meant to be read in this package.
package stack

import (
	"fmt"
	"path/filepath"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"lectern/infra/environment"
)

// Options are where the functions lie.
type Options struct {
	Dist string // directory of the zips that make build has made
}

// Stacks are the stacks of one environment.
type Stacks struct {
	State, Service awscdk.Stack
}

// Add describes an environment, which must have been checked, to the app.
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
			// Assets go to a bucket that the deploying script makes; there is
			// neither a bootstrap stack nor a role to assume.
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

// AssetsBucket holds the functions' zips in a look-alike.
const AssetsBucket = "lectern-assets"

// builder describes the service's stack.
type builder struct {
	stack       awscdk.Stack
	environment environment.Environment
	options     Options
	kept        state
	queues      map[string]queue
	lost        queue // uploads that no file was made of
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

// name is that of a resource which must be known before it is made, or which
// people meet in a console.
func (b *builder) name(part string) string { return "lectern-" + b.environment.Name + "-" + part }

// arn is that of a resource of this account and region.
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

// parameter is the name of a secret of this environment.
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
