package cloud

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	managed "github.com/aws/aws-sdk-go-v2/service/secretsmanager/types"
	"github.com/aws/aws-sdk-go-v2/service/ssm"
	"github.com/aws/aws-sdk-go-v2/service/ssm/types"

	"lectern/shared/aws/setup"
)

// Parameters stores secrets as encrypted parameters of Systems Manager, which
// settings refer to as ssm:NAME. They have no ARN that anybody needs.
func Parameters(cfg aws.Config) setup.Secrets { return parameters{ssm.NewFromConfig(cfg)} }

type parameters struct{ client *ssm.Client }

func (p parameters) Keep(ctx context.Context, name, value string) (string, error) {
	_, err := p.client.PutParameter(ctx, &ssm.PutParameterInput{Name: &name, Value: &value, Type: types.ParameterTypeSecureString,
		Overwrite: aws.Bool(false)})
	if _, kept := errors.AsType[*types.ParameterAlreadyExists](err); kept {
		return "", nil
	}
	return "", err
}

func (p parameters) Forget(ctx context.Context, name string) error {
	_, err := p.client.DeleteParameter(ctx, &ssm.DeleteParameterInput{Name: &name})
	if _, gone := errors.AsType[*types.ParameterNotFound](err); gone {
		return nil
	}
	return err
}

// ManagedSecrets stores secrets in Secrets Manager, where people read and rotate
// them. Settings refer to them as secretsmanager:NAME.
func ManagedSecrets(cfg aws.Config) setup.Secrets {
	return managedSecrets{secretsmanager.NewFromConfig(cfg)}
}

type managedSecrets struct{ client *secretsmanager.Client }

func (m managedSecrets) Keep(ctx context.Context, name, value string) (string, error) {
	out, err := m.client.CreateSecret(ctx, &secretsmanager.CreateSecretInput{Name: &name, SecretString: &value,
		Description: aws.String("Lectern: keys of its callers, a list as LECTERN_KEYS takes it")})
	if err == nil {
		return aws.ToString(out.ARN), nil
	}
	if _, kept := errors.AsType[*managed.ResourceExistsException](err); !kept {
		return "", err
	}
	found, err := m.client.DescribeSecret(ctx, &secretsmanager.DescribeSecretInput{SecretId: &name})
	if err != nil {
		return "", err
	}
	return aws.ToString(found.ARN), nil
}

// Forget deletes without a time of recovery, in which the name could not be used.
func (m managedSecrets) Forget(ctx context.Context, name string) error {
	_, err := m.client.DeleteSecret(ctx, &secretsmanager.DeleteSecretInput{SecretId: &name, ForceDeleteWithoutRecovery: aws.Bool(true)})
	if _, gone := errors.AsType[*managed.ResourceNotFoundException](err); gone {
		return nil
	}
	return err
}
