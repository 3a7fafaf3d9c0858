package stack

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"lectern/functions"
)

// api is the REST API in the template.
type api struct {
	rest       awsapigateway.CfnRestApi
	stage      awsapigateway.CfnStage
	domain     string
	base       string
	authorizer *string
	parts      []awscdk.CfnResource // resources that a deployment depends on
	described  []string             // their content, hashed into the deployment's name
}

const stageName = "live"

func (b *builder) address() string {
	a := b.api
	if b.environment.LookAlike() {
		return b.environment.EndpointOf("outside") + "/restapis/" + *a.rest.Ref() + "/" + stageName + "/_user_request_"
	}
	if a.domain != "" {
		return "https://" + path.Join(a.domain, a.base)
	}
	return fmt.Sprintf("https://%s.execute-api.%s.%s/%s", *a.rest.Ref(), *awscdk.Aws_REGION(), *awscdk.Aws_URL_SUFFIX(), stageName)
}

// addAPI defines a REST API from the table of groups: ANY on each prefix and
// everything below it, and the last group as fallback.
func (b *builder) addAPI() {
	b.api.rest = awsapigateway.NewCfnRestApi(b.stack, jsii.String("Api"), &awsapigateway.CfnRestApiProps{
		Name: jsii.String(b.name("api")), Description: jsii.String("Lectern, " + b.environment.Name),
		EndpointConfiguration: &awsapigateway.CfnRestApi_EndpointConfigurationProperty{Types: jsii.Strings("REGIONAL")},
		// Other bodies reach the functions as text, which avoids the overhead
		// of base64.
		BinaryMediaTypes: jsii.Strings("multipart/form-data", "application/octet-stream"),
	})
	b.addAuthorizer()
	b.addPaths()
	b.addGatewayResponses()
	b.addStage()
	b.addDomain()
	b.addFirewall()
	for _, g := range functions.Groups() {
		f := b.functions[g.Name]
		called := f.resource.Ref()
		if f.alias != nil {
			called = f.alias.Ref()
		}
		awslambda.NewCfnPermission(b.stack, jsii.String(construct(g.Name)+"Permission"), &awslambda.CfnPermissionProps{
			Action: jsii.String("lambda:InvokeFunction"), FunctionName: called, Principal: jsii.String("apigateway.amazonaws.com"),
			SourceArn: jsii.String(b.arn("execute-api", *b.api.rest.Ref()+"/*")),
		})
	}
}

// node is a path of the API and the paths below it.
type node struct {
	path     string // without a slash at its end
	resource *string
}

// addPaths creates resources and methods. Every path on the way to a prefix has
// its own method and its own {proxy+}, so that routing does not depend on how
// the gateway backtracks.
func (b *builder) addPaths() {
	groups := functions.Groups()
	made := map[string]node{"": {"", b.api.rest.AttrRootResourceId()}}
	b.addMethods(groups, made[""])
	for _, g := range groups {
		for _, prefix := range g.Prefixes {
			at := made[""]
			for part := range strings.SplitSeq(strings.Trim(prefix, "/"), "/") {
				if part == "" {
					continue
				}
				next, ok := made[at.path+"/"+part]
				if !ok {
					next = node{at.path + "/" + part, b.addResource(at, part)}
					made[next.path] = next
					b.addMethods(groups, next)
				}
				at = next
			}
		}
	}
}

// addMethods routes a path and everything below it.
func (b *builder) addMethods(groups []functions.Group, n node) {
	b.addMethod(n, functions.Of(groups, n.path))
	below := node{n.path + "/{proxy+}", b.addResource(n, "{proxy+}")}
	b.addMethod(below, functions.Of(groups, n.path+"/x"))
}

func (b *builder) addResource(parent node, part string) *string {
	r := awsapigateway.NewCfnResource(b.stack, jsii.String("Path"+pathID(parent.path+"/"+part)), &awsapigateway.CfnResourceProps{
		RestApiId: b.api.rest.Ref(), ParentId: parent.resource, PathPart: jsii.String(part),
	})
	return r.Ref()
}

// pathID converts a path to a construct's id: /v1/messages is V1Messages.
func pathID(p string) string {
	var id strings.Builder
	for _, part := range strings.FieldsFunc(p, func(r rune) bool { return strings.ContainsRune("/_-{}+", r) }) {
		id.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return id.String()
}

// addMethod routes to a group's function, streamed: then the timeout is
// Lambda's. An emulator buffers.
func (b *builder) addMethod(n node, g functions.Group) {
	f := b.functions[g.Name]
	integration := &awsapigateway.CfnMethod_IntegrationProperty{
		Type: jsii.String("AWS_PROXY"), IntegrationHttpMethod: jsii.String("POST"),
		ResponseTransferMode: jsii.String("STREAM"), TimeoutInMillis: jsii.Number(requestSeconds * 1000),
		Uri: b.invocation("2021-11-15", f.arn, "response-streaming-invocations"),
	}
	if b.environment.LookAlike() {
		integration.ResponseTransferMode, integration.TimeoutInMillis = jsii.String("BUFFERED"), jsii.Number(29000)
		integration.Uri = b.invocation("2015-03-31", f.arn, "invocations")
	}
	b.addVerb(n, g, "ANY", integration, b.api.authorizer)
	if b.api.authorizer != nil {
		// Browsers ask without credentials whether they may send a request.
		b.addVerb(n, g, "OPTIONS", integration, nil)
	}
}

func (b *builder) addVerb(n node, g functions.Group, verb string, integration *awsapigateway.CfnMethod_IntegrationProperty,
	authorizer *string) {
	props := &awsapigateway.CfnMethodProps{
		RestApiId: b.api.rest.Ref(), ResourceId: n.resource, HttpMethod: jsii.String(verb), AuthorizationType: jsii.String("NONE"),
		Integration: integration,
	}
	if authorizer != nil {
		props.AuthorizationType, props.AuthorizerId = jsii.String("CUSTOM"), authorizer
	}
	id := verb[:1] + strings.ToLower(verb[1:]) + pathID(n.path)
	method := awsapigateway.NewCfnMethod(b.stack, jsii.String(id), props)
	b.api.parts = append(b.api.parts, method)
	b.api.described = append(b.api.described, n.path, b.called(g.Name), verb, *integration.ResponseTransferMode, *props.AuthorizationType)
}

// invocation returns the URI by which the gateway invokes a function.
func (b *builder) invocation(version, functionARN, how string) *string {
	return jsii.String(fmt.Sprintf("arn:%s:apigateway:%s:lambda:path/%s/functions/%s/%s", *awscdk.Aws_PARTITION(), *awscdk.Aws_REGION(),
		version, functionARN, how))
}

// addAuthorizer puts the operator's authorizer in front of all methods.
func (b *builder) addAuthorizer() {
	arn := b.environment.Authorizer
	if arn == "" {
		return
	}
	authorizer := awsapigateway.NewCfnAuthorizer(b.stack, jsii.String("Authorizer"), &awsapigateway.CfnAuthorizerProps{
		Name: jsii.String(b.name("authorizer")), RestApiId: b.api.rest.Ref(), Type: jsii.String("REQUEST"),
		AuthorizerUri: b.invocation("2015-03-31", arn, "invocations"), AuthorizerResultTtlInSeconds: jsii.Number(0),
	})
	awslambda.NewCfnPermission(b.stack, jsii.String("AuthorizerPermission"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: jsii.String(arn), Principal: jsii.String("apigateway.amazonaws.com"),
		SourceArn: jsii.String(b.arn("execute-api", *b.api.rest.Ref()+"/authorizers/"+*authorizer.Ref())),
	})
	b.api.authorizer = authorizer.Ref()
}

// accessLog returns the fields of an access log line, which never include content.
func accessLog() string {
	fields := map[string]string{
		"requestId": "$context.requestId", "ip": "$context.identity.sourceIp", "time": "$context.requestTimeEpoch",
		"method": "$context.httpMethod",
		"path":   "$context.path", "status": "$context.status", "bytes": "$context.responseLength", "ms": "$context.responseLatency",
		"integrationMs": "$context.integrationLatency", "error": "$context.error.responseType",
		"integrationError": "$context.integration.error",
	}
	raw, _ := json.Marshal(fields) // strings only, which cannot fail
	return string(raw)
}

// addStage publishes a deployment of the API. The deployment's name contains a
// hash of its content, because CloudFormation only creates a new deployment
// under a new name.
func (b *builder) addStage() {
	sum := sha256.Sum256([]byte(strings.Join(b.api.described, "\n")))
	deployment := awsapigateway.NewCfnDeployment(b.stack, jsii.String("Deployment"+hex.EncodeToString(sum[:5])),
		&awsapigateway.CfnDeploymentProps{RestApiId: b.api.rest.Ref()})
	for _, part := range b.api.parts {
		deployment.AddResourceDependency(part, nil)
	}
	logs := awslogs.NewCfnLogGroup(b.stack, jsii.String("AccessLog"), &awslogs.CfnLogGroupProps{
		LogGroupName: jsii.String("/aws/apigateway/" + b.name("access")), RetentionInDays: jsii.Number(float64(b.environment.LogDays)),
	})
	removal(logs, false)
	props := &awsapigateway.CfnStageProps{
		RestApiId: b.api.rest.Ref(), DeploymentId: deployment.Ref(), StageName: jsii.String(stageName), TracingEnabled: jsii.Bool(true),
		MethodSettings: &[]any{&awsapigateway.CfnStage_MethodSettingProperty{
			// Metrics of the stage are free; metrics of each method, which this would
			// enable, are charged as custom metrics, and no alarm uses them.
			ResourcePath: jsii.String("/*"), HttpMethod: jsii.String("*"), MetricsEnabled: jsii.Bool(false), LoggingLevel: jsii.String("ERROR"),
			DataTraceEnabled:     jsii.Bool(false),
			ThrottlingRateLimit:  jsii.Number(float64(b.environment.Throttle.Rate)),
			ThrottlingBurstLimit: jsii.Number(float64(b.environment.Throttle.Burst)),
		}},
		AccessLogSetting: &awsapigateway.CfnStage_AccessLogSettingProperty{DestinationArn: logs.AttrArn(), Format: jsii.String(accessLog())},
	}
	b.api.stage = awsapigateway.NewCfnStage(b.stack, jsii.String("Stage"), props)
}
