package cloud

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/ssm"

	"lectern/shared/app/config"
)

// resolve returns getenv with references to secrets resolved: ssm:NAME is a
// parameter of Systems Manager, secretsmanager:ID a secret of Secrets Manager
// by name or ARN. All are read at once, because a request waits for the slowest.
// Errors contain the setting and the reference, never a value.
func resolve(ctx context.Context, getenv func(string) string) (func(string) string, error) {
	resolved := map[string]string{}
	var problems []error
	var mu sync.Mutex
	var reads sync.WaitGroup
	for _, s := range config.Settings() {
		kind, id, ok := strings.Cut(getenv(s.Name), ":")
		if !ok || kind != "ssm" && kind != "secretsmanager" {
			continue
		}
		reads.Go(func() {
			value, err := secret(ctx, kind, id)
			mu.Lock()
			defer mu.Unlock()
			resolved[s.Name] = value
			if err != nil {
				problems = append(problems, fmt.Errorf("%s: read %s:%s: %w", s.Name, kind, id, err))
			}
		})
	}
	reads.Wait()
	return func(name string) string {
		if v, ok := resolved[name]; ok {
			return v
		}
		return getenv(name)
	}, errors.Join(problems...)
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
