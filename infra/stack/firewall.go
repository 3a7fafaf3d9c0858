package stack

import (
	"regexp"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awswafv2"
	"github.com/aws/jsii-runtime-go"
)

// requestsPerAddress is the rate limit of one address per 5 minutes.
const requestsPerAddress = 10000

// textPaths matches the paths whose ids and queries are people's texts: names of
// files, which end in .log or .ini, and long lists and cursors.
const textPaths = "/(v1/(files|blobs|artifacts|collections|skills|tools|primitives)|mcp)(/|$)"

// relaxed are the rules of AWS's core set that users' texts break.
//
// Source: AWS WAF, "Baseline rule groups": RestrictedExtensions_URIPATH and
// _QUERYARGUMENTS refuse names like .log and .ini, SizeRestrictions_QUERYSTRING
// queries over 2,048 bytes, SizeRestrictions_BODY bodies over 8 KB.
var (
	relaxedEverywhere = []string{"SizeRestrictions_BODY", "CrossSiteScripting_BODY", "GenericLFI_BODY", "GenericRFI_BODY",
		"EC2MetaDataSSRF_BODY"}
	relaxedForTexts = []string{
		"RestrictedExtensions_URIPATH", "RestrictedExtensions_QUERYARGUMENTS", "SizeRestrictions_QUERYSTRING", "SizeRestrictions_URIPATH",
		"GenericLFI_URIPATH", "GenericLFI_QUERYARGUMENTS", "GenericRFI_QUERYARGUMENTS", "CrossSiteScripting_URIPATH",
		"CrossSiteScripting_QUERYARGUMENTS", "EC2MetaDataSSRF_URIPATH", "EC2MetaDataSSRF_QUERYARGUMENTS",
	}
)

// addFirewall puts a web ACL in front of the stage: AWS's core rules, those that
// texts break only on paths without texts, and a rate limit per address. Sampled
// requests show which rule met what.
func (b *builder) addFirewall() {
	if !b.environment.Firewall {
		return
	}
	acl := awswafv2.NewCfnWebACL(b.stack, jsii.String("Firewall"), &awswafv2.CfnWebACLProps{
		Name: jsii.String(b.name("firewall")), Scope: jsii.String("REGIONAL"), VisibilityConfig: visible(b.name("firewall")),
		DefaultAction: &awswafv2.CfnWebACL_DefaultActionProperty{Allow: &awswafv2.CfnWebACL_AllowActionProperty{}},
		Rules: &[]any{
			coreRules(),
			blocking("core-without-texts", 1, b.labelledWithoutTexts()),
			blocking("rate", 2, &awswafv2.CfnWebACL_StatementProperty{RateBasedStatement: &awswafv2.CfnWebACL_RateBasedStatementProperty{
				AggregateKeyType: jsii.String("IP"), Limit: jsii.Number(requestsPerAddress),
			}}),
		},
	})
	awswafv2.NewCfnWebACLAssociation(b.stack, jsii.String("FirewallAssociation"), &awswafv2.CfnWebACLAssociationProps{
		WebAclArn: acl.AttrArn(),
		ResourceArn: jsii.String("arn:" + *awscdk.Aws_PARTITION() + ":apigateway:" + *awscdk.Aws_REGION() + "::/restapis/" +
			*b.api.rest.Ref() + "/stages/" + *b.api.stage.Ref()),
	})
}

func blocking(name string, priority float64, statement *awswafv2.CfnWebACL_StatementProperty) *awswafv2.CfnWebACL_RuleProperty {
	return &awswafv2.CfnWebACL_RuleProperty{Name: jsii.String(name), Priority: jsii.Number(priority), VisibilityConfig: visible(name),
		Action: &awswafv2.CfnWebACL_RuleActionProperty{Block: &awswafv2.CfnWebACL_BlockActionProperty{}}, Statement: statement}
}

func visible(name string) *awswafv2.CfnWebACL_VisibilityConfigProperty {
	return &awswafv2.CfnWebACL_VisibilityConfigProperty{CloudWatchMetricsEnabled: jsii.Bool(true),
		SampledRequestsEnabled: jsii.Bool(true), MetricName: jsii.String(name)}
}

const coreSet = "AWSManagedRulesCommonRuleSet"

// coreRules is AWS's core set, in which the relaxed rules only count and label
// the request.
func coreRules() *awswafv2.CfnWebACL_RuleProperty {
	var counted []any
	for _, rule := range append(relaxedForTexts, relaxedEverywhere...) {
		counted = append(counted, &awswafv2.CfnWebACL_RuleActionOverrideProperty{
			Name: jsii.String(rule), ActionToUse: &awswafv2.CfnWebACL_RuleActionProperty{Count: &awswafv2.CfnWebACL_CountActionProperty{}},
		})
	}
	return &awswafv2.CfnWebACL_RuleProperty{
		Name: jsii.String("core"), Priority: jsii.Number(0), VisibilityConfig: visible("core"),
		OverrideAction: &awswafv2.CfnWebACL_OverrideActionProperty{None: map[string]any{}},
		Statement: &awswafv2.CfnWebACL_StatementProperty{ManagedRuleGroupStatement: &awswafv2.CfnWebACL_ManagedRuleGroupStatementProperty{
			VendorName: jsii.String("AWS"), Name: jsii.String(coreSet), RuleActionOverrides: &counted,
		}},
	}
}

// labelledWithoutTexts matches requests that a rule for texts has counted, on
// other paths.
//
// Source: AWS WAF, "Baseline rule groups": a rule's label is its name behind
// awswaf:managed:aws:core-rule-set:, in parts such as RestrictedExtensions_URIPath.
func (b *builder) labelledWithoutTexts() *awswafv2.CfnWebACL_StatementProperty {
	var labelled []any
	for _, rule := range relaxedForTexts {
		name, part, _ := strings.Cut(rule, "_")
		label := "awswaf:managed:aws:core-rule-set:" + name + "_" + map[string]string{
			"URIPATH": "URIPath", "QUERYARGUMENTS": "QueryArguments", "QUERYSTRING": "QueryString"}[part]
		labelled = append(labelled, &awswafv2.CfnWebACL_StatementProperty{LabelMatchStatement: &awswafv2.CfnWebACL_LabelMatchStatementProperty{
			Scope: jsii.String("LABEL"), Key: jsii.String(label),
		}})
	}
	texts := &awswafv2.CfnWebACL_StatementProperty{RegexMatchStatement: &awswafv2.CfnWebACL_RegexMatchStatementProperty{
		FieldToMatch: &awswafv2.CfnWebACL_FieldToMatchProperty{UriPath: map[string]any{}}, RegexString: jsii.String(b.textPattern()),
		TextTransformations: &[]any{&awswafv2.CfnWebACL_TextTransformationProperty{Priority: jsii.Number(0), Type: jsii.String("NONE")}},
	}}
	return &awswafv2.CfnWebACL_StatementProperty{AndStatement: &awswafv2.CfnWebACL_AndStatementProperty{Statements: &[]any{
		&awswafv2.CfnWebACL_StatementProperty{OrStatement: &awswafv2.CfnWebACL_OrStatementProperty{Statements: &labelled}},
		&awswafv2.CfnWebACL_StatementProperty{NotStatement: &awswafv2.CfnWebACL_NotStatementProperty{Statement: texts}},
	}}}
}

// textPattern matches the paths of texts as the firewall sees them: behind the
// stage's name, or behind the base path of a domain.
func (b *builder) textPattern() string {
	front := "(/" + stageName + ")?"
	if base := basePath(b.environment.Domain); base != "" {
		front = "(/" + stageName + "|/" + regexp.QuoteMeta(base) + ")"
	}
	return "^" + front + textPaths
}
