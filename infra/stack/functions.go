package stack

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3assets"
	"github.com/aws/jsii-runtime-go"

	"lectern/functions"
	"lectern/shared/knowledge/artifact/tasks"
)

// function is one function, with properties that its row of the table lacks.
type function struct {
	functions.Function
	seconds int
	fails   bool // events that it fails to process go to the lost uploads
	serves  bool // answers requests
	makes   bool // creates the index and the secrets
	empties bool // deletes what the bucket holds
}

// Timeouts in seconds: of a request, API Gateway's limit of a streamed
// response; of a job, Lambda's limit.
const (
	requestSeconds = 900
	jobSeconds     = 900
	eventSeconds   = 60
	setupSeconds   = 300
)

// list returns every function of the deployment.
func list() []function {
	var all []function
	for _, row := range functions.Functions() {
		f := function{Function: row, seconds: requestSeconds, serves: true}
		switch {
		case row.Needs.Consumes != "" || row.Name == "system-sweep":
			f.seconds, f.serves = jobSeconds, false
		case row.Name == "files-worker":
			f.seconds, f.serves, f.fails = eventSeconds, false, true
		case row.Name == "system-setup":
			f.seconds, f.serves, f.makes = setupSeconds, false, true
		case row.Name == "system-empty":
			f.seconds, f.serves, f.empties = jobSeconds, false, true
		}
		all = append(all, f)
	}
	return all
}

// made is a function in the template.
type made struct {
	function
	resource awslambda.CfnFunction
	arn      string
	roleARN  string
	code     string             // hash of its zip
	alias    awslambda.CfnAlias // that arn is of; nil where the function itself is called
}

func (b *builder) addFunctions() {
	b.functions = map[string]made{}
	for _, f := range list() {
		if !f.State {
			b.functions[f.Name] = b.addFunction(f)
		}
	}
}

func logGroup(function string) string { return "/aws/lambda/" + function }

func (b *builder) addFunction(f function) made {
	id, name := construct(f.Name), b.name(f.Name)
	group := awslogs.NewCfnLogGroup(b.stack, jsii.String(id+"Log"), &awslogs.CfnLogGroupProps{
		LogGroupName: jsii.String(logGroup(name)), RetentionInDays: jsii.Number(float64(b.environment.LogDays)),
	})
	removal(group, false)
	role := awsiam.NewCfnRole(b.stack, jsii.String(id+"Role"), &awsiam.CfnRoleProps{
		AssumeRolePolicyDocument: assumedBy("lambda.amazonaws.com"),
		Policies: &[]any{&awsiam.CfnRole_PolicyProperty{PolicyName: jsii.String("needs"),
			PolicyDocument: document(b.permissions(f)...)}},
	})
	asset := awss3assets.NewAsset(b.stack, jsii.String(id+"Code"), &awss3assets.AssetProps{Path: jsii.String(b.zip(f.Name))})
	props := &awslambda.CfnFunctionProps{
		FunctionName: jsii.String(name), Role: role.AttrArn(), Runtime: jsii.String("provided.al2023"), Handler: jsii.String("bootstrap"),
		Architectures: jsii.Strings(f.ArchitectureAmong(b.environment.Architecture)), MemorySize: jsii.Number(float64(f.MemoryMB)),
		Timeout:       jsii.Number(float64(f.seconds)),
		Code:          &awslambda.CfnFunction_CodeProperty{S3Bucket: asset.S3BucketName(), S3Key: asset.S3ObjectKey()},
		Environment:   &awslambda.CfnFunction_EnvironmentProperty{Variables: pointers(b.settings(f))},
		TracingConfig: &awslambda.CfnFunction_TracingConfigProperty{Mode: jsii.String("Active")},
		LoggingConfig: &awslambda.CfnFunction_LoggingConfigProperty{LogGroup: group.Ref()},
	}
	if n := b.environment.Concurrency.Of(f.Name); n > 0 {
		props.ReservedConcurrentExecutions = jsii.Number(float64(n))
	}
	if v := b.environment.VPC; v != nil && f.Name == inVPC {
		props.VpcConfig = &awslambda.CfnFunction_VpcConfigProperty{SubnetIds: jsii.Strings(v.Subnets...), SecurityGroupIds: jsii.Strings(v.SecurityGroups...)}
	}
	if f.Needs.Consumes != "" {
		// A worker resends jobs that are not due yet to its own queue, which
		// Lambda would stop as a recursive loop after 16 times.
		props.RecursiveLoop = jsii.String("Allow")
	}
	resource := awslambda.NewCfnFunction(b.stack, jsii.String(id), props)
	m := made{f, resource, *resource.AttrArn(), *role.AttrArn(), *asset.AssetHash(), nil}
	if b.released(f) {
		b.addAlias(&m, id, props)
	}
	return m
}

// inVPC is the function that reaches private databases, tool servers and pages.
const inVPC = "tools"

// settings returns the environment variables of a function: only those that it
// needs, so that a secret is read only where it is used.
func (b *builder) settings(f function) map[string]string {
	e := b.environment
	s := map[string]string{"LECTERN_DATA": "/var/task", "GOGC": functions.CollectorPercent, "GOMEMLIMIT": f.MemoryLimit()}
	set := func(when bool, name, value string) {
		if when {
			s[name] = value
		}
	}
	set(f.Needs.Records != functions.None, "LECTERN_RECORDS", "dynamodb://"+b.kept.table)
	set(f.Needs.Objects != functions.None, "LECTERN_OBJECTS", "s3://"+b.kept.bucket)
	set(f.Needs.Index != functions.None, "LECTERN_INDEX", b.kept.index)
	set(f.Needs.Models || f.Needs.Embeds || f.Needs.Index != functions.None, "LECTERN_EMBEDDING", e.Embedding)
	set(f.Needs.Models, "LECTERN_CHAT", e.Chat)
	set(f.Needs.Models && e.StrictModels, "LECTERN_STRICT_MODELS", "yes")
	set(f.serves && e.Authenticate, "SERVER_AUTH_ENABLED", "true")
	set(f.serves && e.Authenticate, "LECTERN_KEYS", "secretsmanager:"+b.keys())
	set(f.serves && e.Authorizer != "", "LECTERN_AUTHORIZER", "yes")
	set(f.serves, "LECTERN_CORS_ORIGIN", cmp.Or(e.Origin, "none"))
	set(len(f.Needs.Sends) > 0 || f.Needs.Consumes != "", "LECTERN_TASKS", b.targets(f))
	set(f.Needs.Ranks && e.Rerank != "", "LECTERN_RERANK", e.Rerank)
	set(f.Needs.OffersWeb && e.SearchWeb != "", "LECTERN_SEARCH_WEB", e.SearchWeb)
	set(f.Needs.SearchesWeb && e.SearchWebKey != "", e.WebKeySetting(), e.SearchWebKey)
	set(f.Needs.Seals, "LECTERN_SEAL_KEY", "ssm:"+b.parameter("seal-key"))
	set(f.Needs.Callbacks, "LECTERN_WEBHOOK_SECRET", "ssm:"+b.parameter("webhook-secret"))
	set(f.Needs.Callbacks, "LECTERN_EVENT_BUS", b.bus)
	// The functions that answer chats; the others run tools of these.
	set(f.Name == "messages" || f.Name == "messages-worker", "LECTERN_METRICS", e.Name+"/"+f.Name)
	set(slices.Contains(f.Needs.Asks, "artifacts"), "LECTERN_READ_FUNCTION", b.called("artifacts"))
	set(slices.Contains(f.Needs.Asks, "tools"), "LECTERN_TOOL_FUNCTION", b.called("tools"))
	set(f.serves && e.LookAlike(), "LECTERN_BUFFERED", "true")
	// An emulator unpacks and starts the function in another directory.
	set(e.LookAlike(), "LECTERN_DATA", ".")
	set(e.LookAlike(), "AWS_ENDPOINT_URL", e.EndpointOf(f.Name))
	base := basePath(e.Domain)
	set(f.serves && base != "", "LECTERN_BASE_PATH", "/"+base)
	if !f.makes && !f.empties {
		maps.Copy(s, e.Settings)
	}
	return s
}

// targets returns where the function sends jobs, by their kind.
func (b *builder) targets(f function) string {
	chat := b.queues[functions.ChatQueue].url
	to := "aws:?chat=" + chat + "&" + functions.BatchKind + "=" + chat
	if f.Starts() {
		to += "&" + tasks.StagedKind + "=" + b.machineARN()
	}
	return to + "&default=" + b.queues[functions.DefaultQueue].url
}

// referred returns the secrets that the function's settings refer to: the
// environment's, and the function's own.
func (b *builder) referred(f function) (parameters, managed []string) {
	values := slices.Collect(maps.Values(b.environment.Settings))
	if f.Needs.SearchesWeb {
		values = append(values, b.environment.SearchWebKey)
	}
	slices.Sort(values)
	for _, value := range slices.Compact(values) {
		if id, ok := strings.CutPrefix(value, "ssm:"); ok {
			parameters = append(parameters, "/"+strings.TrimPrefix(id, "/"))
		} else if id, ok := strings.CutPrefix(value, "secretsmanager:"); ok {
			managed = append(managed, id)
		}
	}
	return parameters, managed
}

// construct converts a name to a construct's id: messages-worker is MessagesWorker.
func construct(name string) string {
	var id strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		id.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return id.String()
}

func pointers(m map[string]string) *map[string]*string {
	out := map[string]*string{}
	for k, v := range m {
		out[k] = jsii.String(v)
	}
	return &out
}
