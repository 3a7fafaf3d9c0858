package cloud

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"

	"lectern/shared/app/setup"
	"lectern/shared/aws/awsjson"
)

// Parameters keeps secrets as encrypted parameters of Systems Manager, under
// the names that settings refer to as ssm:NAME.
func Parameters(cfg aws.Config) setup.Secrets {
	return parameters{awsjson.Client{Config: cfg, Service: "ssm", Target: "AmazonSSM", Version: "1.1"}}
}

type parameters struct{ client awsjson.Client }

func (p parameters) Keep(ctx context.Context, name, value string) error {
	err := p.client.Call(ctx, "PutParameter", map[string]any{"Name": name, "Value": value, "Type": "SecureString", "Overwrite": false}, nil)
	if awsjson.Is(err, "ParameterAlreadyExists") {
		return nil
	}
	return err
}

func (p parameters) Forget(ctx context.Context, name string) error {
	err := p.client.Call(ctx, "DeleteParameter", map[string]any{"Name": name}, nil)
	if awsjson.Is(err, "ParameterNotFound") {
		return nil
	}
	return err
}
