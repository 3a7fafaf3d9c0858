package stack

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"

	"lectern/infra/environment"
)

// families are what the ids of inference profiles begin with: the regions that
// they route to.
//
// Source: Amazon Bedrock, "Supported Regions and models for inference profiles".
var families = []string{"apac", "au", "ca", "eu", "global", "jp", "us", "us-gov"}

var invoke = []string{"bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"}

// models returns the statements for the Bedrock models that the function calls.
func (b *builder) models(f function) []statement {
	var list []environment.Bedrock
	if f.Needs.Chats {
		list = append(list, environment.BedrockModels(b.environment.Chat)...)
	}
	if f.Needs.Embeds {
		list = append(list, environment.BedrockModels(b.environment.Embedding)...)
	}
	if f.Needs.Ranks {
		list = append(list, environment.BedrockModels(b.environment.Rerank)...)
	}
	var arns []string
	var statements []statement
	for _, m := range list {
		model, profile := b.modelARNs(m)
		arns = append(arns, model...)
		if profile != "" {
			// A profile sends to models that its ARN does not tell, and a call of one is
			// a call of both.
			s := allow(invoke, fmt.Sprintf("arn:%s:bedrock:*::foundation-model/*", *awscdk.Aws_PARTITION()))
			s["Condition"] = map[string]any{"StringEquals": map[string]any{"bedrock:InferenceProfileArn": profile}}
			statements = append(statements, s)
		}
	}
	slices.Sort(arns)
	if len(arns) > 0 {
		statements = append([]statement{allow(invoke, slices.Compact(arns)...)}, statements...)
	}
	return statements
}

// modelARNs returns the ARNs that a call of a model needs. An inference profile,
// whose id starts with a family of regions, needs its model in every region too;
// profile is set where the models are not known.
func (b *builder) modelARNs(m environment.Bedrock) (arns []string, profile string) {
	partition, region := *awscdk.Aws_PARTITION(), m.Region
	if region == "" {
		region = *awscdk.Aws_REGION()
	}
	if strings.HasPrefix(m.ID, "arn:") {
		if strings.Contains(m.ID, "inference-profile/") || strings.Contains(m.ID, "prompt-router/") {
			profile = m.ID
		}
		return []string{m.ID}, profile
	}
	family, model, _ := strings.Cut(m.ID, ".")
	if slices.Contains(families, family) {
		return []string{
			fmt.Sprintf("arn:%s:bedrock:%s:%s:inference-profile/%s", partition, region, *awscdk.Aws_ACCOUNT_ID(), m.ID),
			// The region of the model is empty in calls that a global profile routes.
			fmt.Sprintf("arn:%s:bedrock:*::foundation-model/%s", partition, model),
		}, ""
	}
	return []string{fmt.Sprintf("arn:%s:bedrock:%s::foundation-model/%s", partition, region, m.ID)}, ""
}
