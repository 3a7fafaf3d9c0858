package lambdahttp

import (
	"context"

	"github.com/aws/aws-lambda-go/cfn"
	"github.com/aws/aws-lambda-go/lambda"

	"lectern/shared/app/setup"
)

// StartResource serves the changes of a custom resource of CloudFormation
// until the process is stopped.
func StartResource(h func(ctx context.Context, c setup.Change) error) { lambda.Start(Resource(h)) }

// Resource returns the Lambda handler that StartResource runs. It tells
// CloudFormation how each change went. The resource's identity never changes,
// so an update never deletes it.
func Resource(h func(ctx context.Context, c setup.Change) error) func(context.Context, cfn.Event) (string, error) {
	return cfn.LambdaWrap(func(ctx context.Context, e cfn.Event) (string, map[string]any, error) {
		id := e.PhysicalResourceID
		if id == "" {
			id = e.LogicalResourceID
		}
		return id, nil, h(ctx, setup.Change{Kind: string(e.RequestType), Properties: e.ResourceProperties})
	})
}
