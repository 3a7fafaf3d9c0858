package stack

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbudgets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awswafv2"
	"github.com/aws/jsii-runtime-go"

	"lectern/infra/environment"
)

// basePath is what a domain puts before the API's paths; empty without one.
func basePath(d *environment.Domain) string {
	if d == nil {
		return ""
	}
	return strings.Trim(d.BasePath, "/")
}

// addDomain maps a custom domain to the API. The operator creates the DNS
// record that points to the output DomainTarget.
func (b *builder) addDomain() {
	d := b.environment.Domain
	if d == nil {
		return
	}
	domain := awsapigateway.NewCfnDomainName(b.stack, jsii.String("Domain"), &awsapigateway.CfnDomainNameProps{
		DomainName: jsii.String(d.Name), RegionalCertificateArn: jsii.String(d.Certificate), SecurityPolicy: jsii.String("TLS_1_2"),
		EndpointConfiguration: &awsapigateway.CfnDomainName_EndpointConfigurationProperty{Types: jsii.Strings("REGIONAL")},
	})
	mapping := &awsapigateway.CfnBasePathMappingProps{DomainName: domain.Ref(), RestApiId: b.api.rest.Ref(), Stage: b.api.stage.Ref()}
	if base := basePath(d); base != "" {
		mapping.BasePath = jsii.String(base)
	}
	awsapigateway.NewCfnBasePathMapping(b.stack, jsii.String("DomainMapping"), mapping)
	b.api.domain, b.api.base = d.Name, basePath(d)
	output(b.stack, "DomainTarget", *domain.AttrRegionalDomainName(), "what the name's record in DNS should lead to")
}

// requestsPerAddress is the rate limit of one address per 5 minutes.
const requestsPerAddress = 10000

// addFirewall puts a web ACL in front of the stage: AWS's core rules, without
// those on bodies, where users' text causes false positives, and a rate limit
// per address.
func (b *builder) addFirewall() {
	if !b.environment.Firewall {
		return
	}
	visible := func(name string) *awswafv2.CfnWebACL_VisibilityConfigProperty {
		return &awswafv2.CfnWebACL_VisibilityConfigProperty{CloudWatchMetricsEnabled: jsii.Bool(true),
			SampledRequestsEnabled: jsii.Bool(false), MetricName: jsii.String(name)}
	}
	var counted []any
	for _, rule := range []string{"SizeRestrictions_BODY", "CrossSiteScripting_BODY", "GenericLFI_BODY", "GenericRFI_BODY",
		"EC2MetaDataSSRF_BODY"} {
		counted = append(counted, &awswafv2.CfnWebACL_RuleActionOverrideProperty{
			Name: jsii.String(rule), ActionToUse: &awswafv2.CfnWebACL_RuleActionProperty{Count: &awswafv2.CfnWebACL_CountActionProperty{}},
		})
	}
	acl := awswafv2.NewCfnWebACL(b.stack, jsii.String("Firewall"), &awswafv2.CfnWebACLProps{
		Name: jsii.String(b.name("firewall")), Scope: jsii.String("REGIONAL"), VisibilityConfig: visible(b.name("firewall")),
		DefaultAction: &awswafv2.CfnWebACL_DefaultActionProperty{Allow: &awswafv2.CfnWebACL_AllowActionProperty{}},
		Rules: &[]any{
			&awswafv2.CfnWebACL_RuleProperty{
				Name: jsii.String("core"), Priority: jsii.Number(0), VisibilityConfig: visible("core"),
				OverrideAction: &awswafv2.CfnWebACL_OverrideActionProperty{None: map[string]any{}},
				Statement: &awswafv2.CfnWebACL_StatementProperty{ManagedRuleGroupStatement: &awswafv2.CfnWebACL_ManagedRuleGroupStatementProperty{
					VendorName: jsii.String("AWS"), Name: jsii.String("AWSManagedRulesCommonRuleSet"), RuleActionOverrides: &counted,
				}},
			},
			&awswafv2.CfnWebACL_RuleProperty{
				Name: jsii.String("rate"), Priority: jsii.Number(1), VisibilityConfig: visible("rate"),
				Action: &awswafv2.CfnWebACL_RuleActionProperty{Block: &awswafv2.CfnWebACL_BlockActionProperty{}},
				Statement: &awswafv2.CfnWebACL_StatementProperty{RateBasedStatement: &awswafv2.CfnWebACL_RateBasedStatementProperty{
					AggregateKeyType: jsii.String("IP"), Limit: jsii.Number(requestsPerAddress),
				}},
			},
		},
	})
	awswafv2.NewCfnWebACLAssociation(b.stack, jsii.String("FirewallAssociation"), &awswafv2.CfnWebACLAssociationProps{
		WebAclArn: acl.AttrArn(),
		ResourceArn: jsii.String("arn:" + *awscdk.Aws_PARTITION() + ":apigateway:" + *awscdk.Aws_REGION() + "::/restapis/" +
			*b.api.rest.Ref() + "/stages/" + *b.api.stage.Ref()),
	})
}

// addBudget sends mail to the operator when the monthly cost of this
// environment, identified by its tag, approaches the budget.
func (b *builder) addBudget() {
	e := b.environment
	if e.BudgetUSD == 0 {
		return
	}
	awsbudgets.NewCfnBudget(b.stack, jsii.String("Budget"), &awsbudgets.CfnBudgetProps{
		Budget: &awsbudgets.CfnBudget_BudgetDataProperty{
			BudgetName: jsii.String(b.name("month")), BudgetType: jsii.String("COST"), TimeUnit: jsii.String("MONTHLY"),
			BudgetLimit: &awsbudgets.CfnBudget_SpendProperty{Amount: jsii.Number(float64(e.BudgetUSD)), Unit: jsii.String("USD")},
			CostFilters: map[string]any{"TagKeyValue": []string{"user:environment$" + e.Name}},
		},
		NotificationsWithSubscribers: &[]any{&awsbudgets.CfnBudget_NotificationWithSubscribersProperty{
			Notification: &awsbudgets.CfnBudget_NotificationProperty{
				ComparisonOperator: jsii.String("GREATER_THAN"), NotificationType: jsii.String("ACTUAL"), Threshold: jsii.Number(80),
				ThresholdType: jsii.String("PERCENTAGE"),
			},
			Subscribers: &[]any{&awsbudgets.CfnBudget_SubscriberProperty{SubscriptionType: jsii.String("EMAIL"),
				Address: jsii.String(e.BudgetMail)}},
		}},
	})
}
