package cloud

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/ssm"

	"lectern/shared/app/config"
)

// resolve returns getenv with references to secrets resolved: ssm:NAME is a
// parameter of Systems Manager, secretsmanager:ID a secret of Secrets Manager
// by name or ARN. Errors contain the setting and the reference, never a value.
func resolve(ctx context.Context, getenv func(string) string) (func(string) string, error) {
	resolved := map[string]string{}
	for _, s := range config.Settings() {
		kind, id, ok := strings.Cut(getenv(s.Name), ":")
		if !ok || kind != "ssm" && kind != "secretsmanager" {
			continue
		}
		value, err := secret(ctx, kind, id)
		if err != nil {
			return nil, fmt.Errorf("%s: read %s:%s: %w", s.Name, kind, id, err)
		}
		resolved[s.Name] = value
	}
	return func(name string) string {
		if v, ok := resolved[name]; ok {
			return v
		}
		return getenv(name)
	}, nil
}

func secret(ctx context.Context, kind, id string) (string, error) {
	cfg, err := lambdaConfig(ctx, "")
	if err != nil {
		return "", err
	}
	if kind == "ssm" {
		out, err := ssm.NewFromConfig(cfg).GetParameter(ctx, &ssm.GetParameterInput{Name: &id, WithDecryption: aws.Bool(true)})
		if err != nil {
			return "", err
		}
		return aws.ToString(out.Parameter.Value), nil
	}
	out, err := secretsmanager.NewFromConfig(cfg).GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &id})
	if err != nil {
		return "", err
	}
	return aws.ToString(out.SecretString), nil
}
