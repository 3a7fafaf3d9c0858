package cloud

import (
	"context"
	"errors"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
)

// lambdaConfig is the AWS configuration of a function: Lambda puts region and
// credentials into the environment and freshens neither within a process. The
// SDK's own loader looks for files, single sign-on and instance roles too, which
// costs a function 3 MB and 2 ms at each start.
func lambdaConfig(_ context.Context, region string) (aws.Config, error) {
	if region == "" {
		region = os.Getenv("AWS_REGION")
	}
	id, secret := os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY")
	if region == "" || id == "" || secret == "" {
		return aws.Config{}, errors.New("AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY should be set, as Lambda does")
	}
	cfg := aws.Config{
		Region:      region,
		Credentials: credentials.NewStaticCredentialsProvider(id, secret, os.Getenv("AWS_SESSION_TOKEN")),
		Retryer:     func() aws.Retryer { return retry.NewStandard() },
		HTTPClient:  awshttp.NewBuildableClient(), // one for all services; it keeps more connections than http.DefaultClient
		// What the services' rules of endpoints ask for.
		ConfigSources: []any{variables{}},
	}
	if endpoint := os.Getenv("AWS_ENDPOINT_URL"); endpoint != "" {
		cfg.BaseEndpoint = &endpoint
	}
	return cfg, nil
}

// variables are the settings of endpoints in the environment.
type variables struct{}

func (variables) GetUseFIPSEndpoint(context.Context) (aws.FIPSEndpointState, bool, error) {
	if os.Getenv("AWS_USE_FIPS_ENDPOINT") == "true" {
		return aws.FIPSEndpointStateEnabled, true, nil
	}
	return aws.FIPSEndpointStateUnset, false, nil
}

func (variables) GetUseDualStackEndpoint(context.Context) (aws.DualStackEndpointState, bool, error) {
	if os.Getenv("AWS_USE_DUALSTACK_ENDPOINT") == "true" {
		return aws.DualStackEndpointStateEnabled, true, nil
	}
	return aws.DualStackEndpointStateUnset, false, nil
}
