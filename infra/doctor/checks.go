package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/apigateway"
	"github.com/aws/aws-sdk-go-v2/service/bedrock"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/opensearchserverless"
	"github.com/aws/aws-sdk-go-v2/service/servicequotas"
	"github.com/aws/aws-sdk-go-v2/service/servicequotas/types"
	"github.com/aws/aws-sdk-go-v2/service/ssm"
	"github.com/aws/smithy-go"

	"lectern/infra/environment"
)

// check is one thing that a deployment needs.
type check struct {
	name  string
	looks string // what it looks at
	// run returns what is there, or an error that says what is missing and what to
	// do.
	run func(ctx context.Context, account string) (string, error)
}

const (
	// bootstrapVersion is the least that CDK's command accepts of a stack that has
	// assets.
	bootstrapVersion = 6
	// unreserved is how many concurrent functions an account keeps for those
	// without a reservation; Lambda refuses to go below.
	unreserved = 100
	// unitsInUse are the least of a collection's units at work: one for indexing
	// and one for search.
	unitsInUse = 2
)

// checks lists what an environment needs of an account and region.
func checks(e environment.Environment, cfg aws.Config) []check {
	list := []check{
		{"description", "whether the environment names what only the operator knows", func(context.Context, string) (string, error) {
			return "complete", e.Deployable()
		}},
		{"account", "whether the credentials are those of the environment's account", func(_ context.Context, account string) (string, error) {
			if e.Account != "" && e.Account != account {
				return "", fmt.Errorf("these are credentials of %s, and the environment belongs to %s", account, e.Account)
			}
			return account, nil
		}},
		{"bootstrap", "the version of CDK's bootstrap stack", bootstrapped(cfg)},
		{"gateway's log role", "the role by which API Gateway writes logs", gatewayRole(e, cfg)},
		{"concurrent functions", "Lambda's quota, beside what the environment reserves and watches", concurrency(e, cfg)},
	}
	if e.Search.Address == "" {
		list = append(list, check{"search units", "the account's limit of OpenSearch compute units", units(e, cfg)})
	}
	for _, setting := range []string{e.Chat, e.Embedding, e.Rerank} {
		for _, m := range environment.BedrockModels(setting) {
			of := cfg.Copy()
			if m.Region != "" {
				of.Region = m.Region
			}
			list = append(list,
				check{"model", "access to " + m.ID + " in " + of.Region, access(m, of)},
				check{"model's quotas", "tokens and requests a minute of " + m.ID, quotas(m, of)})
		}
	}
	if strings.Contains(e.Chat, "anthropic.") {
		list = append(list, check{"Anthropic's form", "whether the use of Anthropic's models was described, once for an account", form(cfg)})
	}
	return list
}

func bootstrapped(cfg aws.Config) func(context.Context, string) (string, error) {
	return func(ctx context.Context, account string) (string, error) {
		out, err := ssm.NewFromConfig(cfg).GetParameter(ctx, &ssm.GetParameterInput{Name: aws.String("/cdk-bootstrap/hnb659fds/version")})
		todo := fmt.Sprintf("run npx aws-cdk@2.1148.1 bootstrap aws://%s/%s", account, cfg.Region)
		if code(err) == "ParameterNotFound" {
			return "", errors.New("there is none: " + todo)
		}
		if err != nil {
			return "", err
		}
		version, err := strconv.Atoi(aws.ToString(out.Parameter.Value))
		if err != nil || version < bootstrapVersion {
			return "", fmt.Errorf("it has version %s, %d is needed: %s", aws.ToString(out.Parameter.Value), bootstrapVersion, todo)
		}
		return fmt.Sprintf("version %d", version), nil
	}
}

func gatewayRole(e environment.Environment, cfg aws.Config) func(context.Context, string) (string, error) {
	return func(ctx context.Context, _ string) (string, error) {
		out, err := apigateway.NewFromConfig(cfg).GetAccount(ctx, nil)
		switch role := ""; {
		case err != nil:
			return "", err
		case aws.ToString(out.CloudwatchRoleArn) == "" && e.GatewayRole:
			return "", errors.New("the account has none, and GatewayRole says that it has: leave that out, and the stack lectern-account makes one")
		case aws.ToString(out.CloudwatchRoleArn) == "":
			return "none; the stack lectern-account makes one", nil
		default:
			if role = aws.ToString(out.CloudwatchRoleArn); e.GatewayRole {
				return role, nil
			}
			return role + "; the stack lectern-account puts its own there, unless GatewayRole is set", nil
		}
	}
}

func concurrency(e environment.Environment, cfg aws.Config) func(context.Context, string) (string, error) {
	return func(ctx context.Context, _ string) (string, error) {
		out, err := lambda.NewFromConfig(cfg).GetAccountSettings(ctx, nil)
		if err != nil || out.AccountLimit == nil {
			return "", errors.Join(err, errors.New("Lambda does not say its quota"))
		}
		quota, free := int(out.AccountLimit.ConcurrentExecutions), int(aws.ToInt32(out.AccountLimit.UnreservedConcurrentExecutions))
		switch {
		case free-e.Concurrency.Streams < unreserved && e.Concurrency.Streams > 0:
			return "", fmt.Errorf("of %d, %d are not reserved; Concurrency.Streams takes %d and %d have to be left: "+
				"ask for more at Service Quotas (L-B99A9384)",
				quota, free, e.Concurrency.Streams, unreserved)
		case quota != e.Concurrency.Account:
			return "", fmt.Errorf("the quota is %d, and Concurrency.Account says %d: its alarm would be wrong", quota, e.Concurrency.Account)
		}
		return fmt.Sprintf("%d, of which %d are not reserved", quota, free), nil
	}
}

func units(e environment.Environment, cfg aws.Config) func(context.Context, string) (string, error) {
	return func(ctx context.Context, _ string) (string, error) {
		out, err := opensearchserverless.NewFromConfig(cfg).GetAccountSettings(ctx, nil)
		if err != nil {
			return "", err
		}
		if out.AccountSettingsDetail == nil || out.AccountSettingsDetail.CapacityLimits == nil {
			return "no limit is set", nil
		}
		limits := out.AccountSettingsDetail.CapacityLimits
		index, search := int(aws.ToInt32(limits.MaxIndexingCapacityInOCU)), int(aws.ToInt32(limits.MaxSearchCapacityInOCU))
		if min(index, search) < max(e.Search.Least, unitsInUse/2) {
			return "", fmt.Errorf("%d for indexing and %d for search are allowed, fewer than Search.Least", index, search)
		}
		return fmt.Sprintf("%d for indexing, %d for search; Search.Most is %d each", index, search, e.Search.Most), nil
	}
}

// family is the part of an inference profile's id before its model.
var family = regexp.MustCompile(`^(apac|au|ca|eu|global|jp|us|us-gov)\.`)

func access(m environment.Bedrock, cfg aws.Config) func(context.Context, string) (string, error) {
	return func(ctx context.Context, _ string) (string, error) {
		if strings.HasPrefix(m.ID, "arn:") {
			return "not looked at: the models behind an ARN are the operator's choice", nil
		}
		out, err := bedrock.NewFromConfig(cfg).GetFoundationModelAvailability(ctx,
			&bedrock.GetFoundationModelAvailabilityInput{ModelId: aws.String(family.ReplaceAllString(m.ID, ""))})
		if err != nil {
			return "", err
		}
		var lacks []string
		if out.AgreementAvailability != nil && out.AgreementAvailability.Status != "AVAILABLE" {
			lacks = append(lacks, "the agreement (call it once as somebody with aws-marketplace:Subscribe and ViewSubscriptions)")
		}
		if out.AuthorizationStatus != "AUTHORIZED" {
			lacks = append(lacks, "authorization")
		}
		if out.EntitlementAvailability != "AVAILABLE" {
			lacks = append(lacks, "the entitlement")
		}
		if out.RegionAvailability != "AVAILABLE" {
			lacks = append(lacks, "the region")
		}
		if len(lacks) > 0 {
			return "", fmt.Errorf("%s lacks %s", m.ID, strings.Join(lacks, ", "))
		}
		return m.ID, nil
	}
}

// form looks for the description of use that Anthropic asks for before the first
// call.
func form(cfg aws.Config) func(context.Context, string) (string, error) {
	return func(ctx context.Context, _ string) (string, error) {
		_, err := bedrock.NewFromConfig(cfg).GetUseCaseForModelAccess(ctx, nil)
		if code(err) == "ResourceNotFoundException" {
			return "", errors.New("it was not filled in: Bedrock's console, Model catalog, any model of Anthropic, Submit use case details")
		}
		return "filled in", err
	}
}

// quotas finds a model's quotas by its name, which their names contain.
func quotas(m environment.Bedrock, cfg aws.Config) func(context.Context, string) (string, error) {
	return func(ctx context.Context, _ string) (string, error) {
		want := nameOf(m.ID)
		var found []string
		pages := servicequotas.NewListServiceQuotasPaginator(servicequotas.NewFromConfig(cfg),
			&servicequotas.ListServiceQuotasInput{ServiceCode: aws.String("bedrock")})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				return "", err
			}
			for _, q := range page.Quotas {
				if name := plain(aws.ToString(q.QuotaName)); strings.Contains(name, want) && strings.Contains(name, "per-minute") {
					found = append(found, show(q))
				}
			}
		}
		if len(found) == 0 {
			return fmt.Sprintf("none is called by %q; Service Quotas lists them all", want), nil
		}
		for _, f := range found {
			if strings.HasPrefix(f, "0 ") {
				return "", fmt.Errorf("%s: ask for more at Service Quotas", f)
			}
		}
		return strings.Join(found, "; "), nil
	}
}

func show(q types.ServiceQuota) string {
	return fmt.Sprintf("%.0f %s", aws.ToFloat64(q.Value), aws.ToString(q.QuotaName))
}

var (
	notPlain = regexp.MustCompile(`[^a-z0-9]+`)
	// suffix is the date and version at the end of a model's id.
	suffix = regexp.MustCompile(`(-20[0-9]{6})?(-v[0-9]+)?(-[0-9]+)?$`)
)

func plain(s string) string { return notPlain.ReplaceAllString(strings.ToLower(s), "-") }

// nameOf returns the name of a model without provider, date and version:
// anthropic.claude-sonnet-4-5-20250929-v1:0 is claude-sonnet-4-5.
func nameOf(id string) string {
	id = family.ReplaceAllString(id[strings.LastIndex(id, "/")+1:], "")
	_, name, _ := strings.Cut(id, ".")
	name, _, _ = strings.Cut(name, ":")
	return plain(suffix.ReplaceAllString(name, ""))
}

// code returns the code of an error of AWS; empty without one.
func code(err error) string {
	if e, ok := errors.AsType[smithy.APIError](err); ok {
		return e.ErrorCode()
	}
	return ""
}

// short returns an error of AWS without the ids of its request.
func short(err error) string {
	if e, ok := errors.AsType[smithy.APIError](err); ok {
		return e.ErrorCode() + ": " + e.ErrorMessage()
	}
	return err.Error()
}
