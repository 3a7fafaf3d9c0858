package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsopensearchserverless"
	"github.com/aws/jsii-runtime-go"

	"lectern/functions"
	"lectern/shared/aws/setup"
)

// addDataPolicies gives the searching functions access to the collection's
// indexes, with one policy per kind of access, because IAM permissions alone do
// not suffice for serverless collections. It returns the resources that the
// setup depends on.
func (b *builder) addDataPolicies() []awscdk.CfnResource {
	if b.kept.collection == "" {
		return nil
	}
	var policies []awscdk.CfnResource
	for _, p := range []struct {
		kind    string
		actions []string
		uses    func(function) bool
	}{
		{"make", makeIndex, func(f function) bool { return f.makes }},
		{"write", writeIndex, func(f function) bool { return !f.makes && f.Needs.Index == functions.Writes }},
		{"read", readIndex, func(f function) bool { return f.Needs.Index == functions.Reads }},
	} {
		var principals []string
		for _, f := range list() {
			if p.uses(f) {
				principals = append(principals, b.functions[f.Name].roleARN)
			}
		}
		policies = append(policies, awsopensearchserverless.NewCfnAccessPolicy(b.stack, jsii.String("Search"+construct(p.kind)),
			&awsopensearchserverless.CfnAccessPolicyProps{
				Name: jsii.String(b.name(p.kind)), Type: jsii.String("data"),
				Policy: b.stack.ToJsonString([]any{map[string]any{
					"Rules": []any{map[string]any{"ResourceType": "index", "Resource": []string{"index/" + b.kept.collection + "/*"},
						"Permission": p.actions}},
					"Principal": principals,
				}}, nil),
			}))
	}
	return policies
}

// addSetup creates the index and the secrets before any function that needs
// them is called, and again when what it makes changes: its code knows the
// version of the index's mapping.
func (b *builder) addSetup(after []awscdk.CfnResource) {
	retain, keys := "false", ""
	if b.environment.Retain {
		retain = "true"
	}
	if b.environment.Authenticate {
		keys = b.keys()
	}
	f := b.functions["system-setup"]
	r := awscdk.NewCfnCustomResource(b.stack, jsii.String("Setup"), &awscdk.CfnCustomResourceProps{
		ServiceToken: jsii.String(f.arn), ServiceTimeout: jsii.Number(setupSeconds),
	})
	for _, p := range [][2]string{
		{setup.SealKey, b.parameter("seal-key")}, {setup.WebhookSecret, b.parameter("webhook-secret")}, {setup.Keys, keys},
		{setup.Retain, retain},
		// Listed only to trigger an update when they change.
		{"Index", b.kept.index}, {"Embedding", b.environment.Embedding}, {"Code", f.code},
	} {
		r.AddPropertyOverride(jsii.String(p[0]), p[1])
	}
	for _, policy := range after {
		r.AddResourceDependency(policy, nil)
	}
	b.setup = r
}
