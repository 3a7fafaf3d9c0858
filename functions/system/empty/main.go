// Command empty deletes what the bucket holds when the deployment's stack of
// state is deleted: CloudFormation deletes only empty buckets. A custom resource
// invokes it, where the environment does not keep its state.
package main

import (
	"context"
	"os"

	"lectern/shared/app/cloud"
	"lectern/shared/aws/lambdahttp"
)

func main() { os.Exit(cloud.Main(run)) }

func run(ctx context.Context) error {
	p, err := cloud.Unopened(os.Getenv)
	if err != nil {
		return err
	}
	if err := p.Open(ctx, cloud.Objects); err != nil {
		return err
	}
	lambdahttp.StartResource(func(ctx context.Context, kind string, _ map[string]any) (map[string]any, error) {
		if kind != "Delete" {
			return nil, nil
		}
		n, err := cloud.EmptyBucket(ctx, p)
		p.Log.InfoContext(ctx, "objects deleted", "count", n)
		return nil, err
	})
	return nil
}
