package stack

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbudgets"
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
