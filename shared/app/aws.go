package app

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// Cloud is the AWS configuration of this process.
func Cloud(ctx context.Context) (aws.Config, error) { return cloud(ctx, "") }
