package lambdahttp

import (
	"context"

	"github.com/aws/aws-lambda-go/cfn"
	"github.com/aws/aws-lambda-go/lambda"
)

// Change handles one change of a custom resource: kind is Create, Update or Delete;
// properties are those of the template, all values strings. The template can read
// what it returns as attributes of the resource.
type Change = func(ctx context.Context, kind string, properties map[string]any) (map[string]any, error)

// StartResource serves the changes of a CloudFormation custom resource until
// the process is stopped.
func StartResource(h Change) { lambda.Start(Resource(h)) }

// Resource returns the Lambda handler that StartResource runs. It reports the
// result of each change to CloudFormation. The resource's id never changes, so
// that an update never deletes the resource.
func Resource(h Change) func(context.Context, cfn.Event) (string, error) {
	return cfn.LambdaWrap(func(ctx context.Context, e cfn.Event) (string, map[string]any, error) {
		id := e.PhysicalResourceID
		if id == "" {
			id = e.LogicalResourceID
		}
		attributes, err := h(ctx, string(e.RequestType), e.ResourceProperties)
		return id, attributes, err
	})
}
