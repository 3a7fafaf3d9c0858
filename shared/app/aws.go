package app

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"

	"lectern/shared/model"
	"lectern/shared/model/bedrock"
)

// cloud loads the AWS configuration in the usual places; region overrides
// theirs when it is not empty.
func cloud(ctx context.Context, region string) (aws.Config, error) {
	var options []func(*awsconfig.LoadOptions) error
	if region != "" {
		options = append(options, awsconfig.WithRegion(region))
	}
	cfg, err := awsconfig.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return cfg, fmt.Errorf("load the AWS configuration: %w", err)
	}
	return cfg, nil
}

// bedrockModel reads <model or inference profile>?region=…&as=…&fallback=…; an
// endpoint may be named for look-alikes.
func bedrockModel(ctx context.Context, address string) (model.Entry, error) {
	id, query, _ := strings.Cut(address, "?")
	q, err := url.ParseQuery(query)
	if err != nil || id == "" {
		return model.Entry{}, fmt.Errorf("LECTERN_CHAT: bedrock: should be followed by a model id")
	}
	cfg, err := cloud(ctx, q.Get("region"))
	if err != nil {
		return model.Entry{}, err
	}
	entry := remote(provider{model: id, as: q.Get("as"), fallback: q.Get("fallback")}, bedrock.New(cfg, q.Get("endpoint")))
	if bedrock.IsClaude(id) {
		entry.Can.Native, entry.MaxInputTokens = true, anthropicWindow
	} else {
		entry.Can.StructuredOutputs = false // prompted, checked and repaired
	}
	return entry, told(&entry, q)
}
