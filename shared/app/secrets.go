package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/ssm"

	"lectern/shared/config"
)

// Secrets returns getenv with the settings that refer to a secret resolved:
// ssm:NAME is a parameter of Systems Manager, decrypted, secretsmanager:ID a
// secret of Secrets Manager by its name or ARN. An error names the setting and
// the reference, never a value.
func Secrets(ctx context.Context, getenv func(string) string) (func(string) string, error) {
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
	cfg, err := cloud(ctx, "")
	if err != nil {
		return "", err
	}
	if kind == "ssm" {
		decrypt := true
		out, err := ssm.NewFromConfig(cfg).GetParameter(ctx, &ssm.GetParameterInput{Name: &id, WithDecryption: &decrypt})
		if err != nil || out.Parameter == nil || out.Parameter.Value == nil {
			return "", fmt.Errorf("no such parameter is readable: %w", err)
		}
		return *out.Parameter.Value, nil
	}
	out, err := secretsmanager.NewFromConfig(cfg).GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &id})
	if err != nil {
		return "", err
	}
	if out.SecretString == nil {
		return "", fmt.Errorf("the secret is not a text")
	}
	return *out.SecretString, nil
}
