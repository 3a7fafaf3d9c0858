package cloud

import (
	"context"
	"fmt"
	"strings"

	"lectern/shared/app/config"
	"lectern/shared/aws/awsjson"
)

// resolve returns getenv with the settings that refer to a secret resolved:
// ssm:NAME is a parameter of Systems Manager, decrypted, secretsmanager:ID a
// secret of Secrets Manager by its name or ARN. An error names the setting and
// the reference, never a value.
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
		var out struct{ Parameter struct{ Value string } }
		c := awsjson.Client{Config: cfg, Service: "ssm", Target: "AmazonSSM", Version: "1.1"}
		err := c.Call(ctx, "GetParameter", map[string]any{"Name": id, "WithDecryption": true}, &out)
		return out.Parameter.Value, err
	}
	var out struct{ SecretString string }
	c := awsjson.Client{Config: cfg, Service: "secretsmanager", Target: "secretsmanager", Version: "1.1"}
	err = c.Call(ctx, "GetSecretValue", map[string]any{"SecretId": id}, &out)
	return out.SecretString, err
}
