package cloud

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ssm"
	"github.com/aws/aws-sdk-go-v2/service/ssm/types"

	"lectern/shared/aws/setup"
)

// Parameters stores secrets as encrypted parameters of Systems Manager, which
// settings refer to as ssm:NAME.
func Parameters(cfg aws.Config) setup.Secrets { return parameters{ssm.NewFromConfig(cfg)} }

type parameters struct{ client *ssm.Client }

func (p parameters) Keep(ctx context.Context, name, value string) error {
	_, err := p.client.PutParameter(ctx, &ssm.PutParameterInput{Name: &name, Value: &value, Type: types.ParameterTypeSecureString,
		Overwrite: aws.Bool(false)})
	if _, kept := errors.AsType[*types.ParameterAlreadyExists](err); kept {
		return nil
	}
	return err
}

func (p parameters) Forget(ctx context.Context, name string) error {
	_, err := p.client.DeleteParameter(ctx, &ssm.DeleteParameterInput{Name: &name})
	if _, gone := errors.AsType[*types.ParameterNotFound](err); gone {
		return nil
	}
	return err
}
