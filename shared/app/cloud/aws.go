package cloud

import (
	"context"
	"errors"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"lectern/shared/aws/sending"
)

// lambdaConfig is the AWS configuration of a function: Lambda sets region and
// credentials in the environment and never changes them within a process. The
// SDK's loader also supports files, single sign-on and instance roles, which
// costs a function 3 MB and 2 ms per start.
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
		Retryer:     func() aws.Retryer { return retry.NewStandard(sending.Retries) },
		HTTPClient:  sending.Client(awshttp.NewBuildableClient()), // one for all services; it keeps more connections than http.DefaultClient
		// Read by the services' endpoint rules.
		ConfigSources: []any{variables{}},
	}
	if endpoint := os.Getenv("AWS_ENDPOINT_URL"); endpoint != "" {
		cfg.BaseEndpoint = &endpoint
	}
	return cfg, nil
}

// variables reads endpoint settings from the environment.
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
