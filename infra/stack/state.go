package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsopensearchserverless"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"

	"lectern/infra/environment"
)

// state is what the service's stack refers to in the stack of state.
type state struct {
	table, tableARN   string
	bucket, bucketARN string
	index             string // LECTERN_INDEX
	collection        string // name; empty if the index has a URL of its own
	collectionARN     string
	collectionID      string
}

// newState defines table, bucket and search collection. CloudFormation names
// table and bucket, and the collection's name has a part of the stack's id, so
// that an environment can be deployed again beside what was kept of it.
func newState(b *builder) state {
	s, e := b.stack, b.environment
	bucket := newBucket(s, e)
	b.kept = state{bucket: *bucket.Ref(), bucketARN: *bucket.AttrArn(), index: e.Search.Address}
	if !e.Retain {
		b.addEmptying()
	}
	kept := b.kept
	var last awscdk.CfnResource = bucket
	if e.Search.Address == "" {
		last = newCollection(s, e, &kept)
	}
	table := awsdynamodb.NewCfnTable(s, jsii.String("Records"), &awsdynamodb.CfnTableProps{
		BillingMode: jsii.String("PAY_PER_REQUEST"),
		KeySchema: &[]*awsdynamodb.CfnTable_KeySchemaProperty{
			{AttributeName: jsii.String("pk"), KeyType: jsii.String("HASH")}, {AttributeName: jsii.String("sk"), KeyType: jsii.String("RANGE")},
		},
		AttributeDefinitions: &[]*awsdynamodb.CfnTable_AttributeDefinitionProperty{
			{AttributeName: jsii.String("pk"), AttributeType: jsii.String("S")},
			{AttributeName: jsii.String("sk"), AttributeType: jsii.String("S")},
		},
		TimeToLiveSpecification: &awsdynamodb.CfnTable_TimeToLiveSpecificationProperty{AttributeName: jsii.String("ttl"),
			Enabled: jsii.Bool(true)},
		PointInTimeRecoverySpecification: &awsdynamodb.CfnTable_PointInTimeRecoverySpecificationProperty{PointInTimeRecoveryEnabled: jsii.Bool(true)},
		SseSpecification:                 sseOf(e),
		DeletionProtectionEnabled:        jsii.Bool(e.Retain),
	})
	removal(table, e.Retain)
	// A protected table cannot be deleted when a first deployment fails, so that it
	// comes last.
	table.AddResourceDependency(last, nil)
	kept.table, kept.tableARN = *table.Ref(), *table.AttrArn()
	output(s, "Table", kept.table, "records")
	output(s, "Bucket", kept.bucket, "files and documents")
	return kept
}

// addEmptying empties the bucket before it is deleted, which CloudFormation does
// only with empty ones.
func (b *builder) addEmptying() {
	for _, f := range list() {
		if !f.empties {
			continue
		}
		function := b.addFunction(f)
		r := awscdk.NewCfnCustomResource(b.stack, jsii.String("Emptying"), &awscdk.CfnCustomResourceProps{
			ServiceToken: jsii.String(function.arn), ServiceTimeout: jsii.Number(float64(f.seconds)),
		})
		r.AddPropertyOverride(jsii.String("Bucket"), b.kept.bucket)
	}
}

// sseOf returns the encryption of the table: with AWS's own key, which is free,
// if state is deleted with its stack; with the account's managed key, whose use
// is logged, if it is retained.
func sseOf(e environment.Environment) *awsdynamodb.CfnTable_SSESpecificationProperty {
	if !e.Retain {
		return nil // encryption at rest with the service's own key cannot be turned off
	}
	return &awsdynamodb.CfnTable_SSESpecificationProperty{SseEnabled: jsii.Bool(true), SseType: jsii.String("KMS")}
}

func newBucket(s awscdk.Stack, e environment.Environment) awss3.CfnBucket {
	rule := func(id, prefix string, days float64) *awss3.CfnBucket_RuleProperty {
		return &awss3.CfnBucket_RuleProperty{Id: jsii.String(id), Status: jsii.String("Enabled"), Prefix: jsii.String(prefix),
			ExpirationInDays: jsii.Number(days)}
	}
	rules := []any{
		// The caller deletes payloads between functions; this removes those of
		// callers that died.
		rule("invoke", "invoke/", 1),
		&awss3.CfnBucket_RuleProperty{
			Id: jsii.String("uploads"), Status: jsii.String("Enabled"),
			AbortIncompleteMultipartUpload: &awss3.CfnBucket_AbortIncompleteMultipartUploadProperty{DaysAfterInitiation: jsii.Number(1)},
		},
	}
	props := &awss3.CfnBucketProps{
		BucketEncryption: &awss3.CfnBucket_BucketEncryptionProperty{ServerSideEncryptionConfiguration: &[]any{&awss3.CfnBucket_ServerSideEncryptionRuleProperty{
			ServerSideEncryptionByDefault: &awss3.CfnBucket_ServerSideEncryptionByDefaultProperty{SseAlgorithm: jsii.String("AES256")},
		}}},
		PublicAccessBlockConfiguration: &awss3.CfnBucket_PublicAccessBlockConfigurationProperty{
			BlockPublicAcls: jsii.Bool(true), BlockPublicPolicy: jsii.Bool(true), IgnorePublicAcls: jsii.Bool(true),
			RestrictPublicBuckets: jsii.Bool(true),
		},
		OwnershipControls: &awss3.CfnBucket_OwnershipControlsProperty{Rules: &[]any{&awss3.CfnBucket_OwnershipControlsRuleProperty{ObjectOwnership: jsii.String("BucketOwnerEnforced")}}},
		NotificationConfiguration: &awss3.CfnBucket_NotificationConfigurationProperty{
			EventBridgeConfiguration: &awss3.CfnBucket_EventBridgeConfigurationProperty{EventBridgeEnabled: jsii.Bool(true)},
		},
	}
	// Browsers send presigned uploads straight to the bucket, and read originals there.
	props.CorsConfiguration = &awss3.CfnBucket_CorsConfigurationProperty{CorsRules: &[]any{&awss3.CfnBucket_CorsRuleProperty{
		AllowedMethods: jsii.Strings("GET", "PUT"), AllowedOrigins: jsii.Strings(pageOrigins(s, e)...), AllowedHeaders: jsii.Strings("*"),
		ExposedHeaders: jsii.Strings("ETag"), MaxAge: jsii.Number(3600),
	}}}
	if e.Retain {
		// Deleted objects can be restored for a week.
		props.VersioningConfiguration = &awss3.CfnBucket_VersioningConfigurationProperty{Status: jsii.String("Enabled")}
		rules = append(rules, &awss3.CfnBucket_RuleProperty{
			Id: jsii.String("versions"), Status: jsii.String("Enabled"),
			NoncurrentVersionExpiration: &awss3.CfnBucket_NoncurrentVersionExpirationProperty{NoncurrentDays: jsii.Number(7)},
			ExpiredObjectDeleteMarker:   jsii.Bool(true),
		})
	}
	props.LifecycleConfiguration = &awss3.CfnBucket_LifecycleConfigurationProperty{Rules: &rules}
	bucket := awss3.NewCfnBucket(s, jsii.String("Objects"), props)
	removal(bucket, e.Retain)
	policy := awss3.NewCfnBucketPolicy(s, jsii.String("ObjectsPolicy"), &awss3.CfnBucketPolicyProps{
		Bucket: bucket.Ref(),
		PolicyDocument: document(statement{
			"Sid": "TLSOnly", "Effect": "Deny", "Principal": map[string]any{"AWS": "*"}, "Action": "s3:*",
			"Resource":  []string{*bucket.AttrArn(), *bucket.AttrArn() + "/*"},
			"Condition": map[string]any{"Bool": map[string]any{"aws:SecureTransport": "false"}},
		}),
	})
	removal(policy, e.Retain)
	return bucket
}

// pageOrigins lists the origins whose pages may use presigned URLs of the bucket: those
// of the setting, and the service's own page. The API, whose id is in its address, is
// defined after the bucket, so without a domain any API of the region may; without a
// presigned URL none of them can do anything.
func pageOrigins(s awscdk.Stack, e environment.Environment) []string {
	own := "https://*.execute-api." + *s.Region() + "." + *s.UrlSuffix()
	if e.Domain != nil {
		own = "https://" + e.Domain.Name
	}
	switch e.Origin {
	case "*":
		return []string{"*"}
	case "":
		return []string{own}
	}
	return []string{own, e.Origin}
}

// newCollection defines a serverless collection in its own group, whose minimum
// capacity may be zero. The service's stack grants access to its data.
func newCollection(s awscdk.Stack, e environment.Environment, kept *state) awscdk.CfnResource {
	name := "lectern-" + e.Name + "-" + unique(s)
	resource := []string{"collection/" + name}
	encryption := awsopensearchserverless.NewCfnSecurityPolicy(s, jsii.String("SearchEncryption"),
		&awsopensearchserverless.CfnSecurityPolicyProps{
			Name: jsii.String(name), Type: jsii.String("encryption"),
			Policy: s.ToJsonString(map[string]any{"Rules": []any{map[string]any{"ResourceType": "collection", "Resource": resource}},
				"AWSOwnedKey": true}, nil),
		})
	network := awsopensearchserverless.NewCfnSecurityPolicy(s, jsii.String("SearchNetwork"), &awsopensearchserverless.CfnSecurityPolicyProps{
		Name: jsii.String(name), Type: jsii.String("network"),
		// The functions are not in a VPC: requests use AWS's network and are signed.
		Policy: s.ToJsonString([]any{map[string]any{"Rules": []any{map[string]any{"ResourceType": "collection", "Resource": resource}},
			"AllowFromPublic": true}}, nil),
	})
	group := awsopensearchserverless.NewCfnCollectionGroup(s, jsii.String("SearchGroup"), &awsopensearchserverless.CfnCollectionGroupProps{
		Name: jsii.String(name), Generation: jsii.String("NEXTGEN"), StandbyReplicas: jsii.String("ENABLED"),
		CapacityLimits: &awsopensearchserverless.CfnCollectionGroup_CapacityLimitsProperty{
			MinIndexingCapacityInOcu: jsii.Number(float64(e.Search.Least)), MinSearchCapacityInOcu: jsii.Number(float64(e.Search.Least)),
			MaxIndexingCapacityInOcu: jsii.Number(float64(e.Search.Most)), MaxSearchCapacityInOcu: jsii.Number(float64(e.Search.Most)),
		},
	})
	collection := awsopensearchserverless.NewCfnCollection(s, jsii.String("Search"), &awsopensearchserverless.CfnCollectionProps{
		Name: jsii.String(name), Type: jsii.String("VECTORSEARCH"), CollectionGroupName: jsii.String(name),
		StandbyReplicas: jsii.String("ENABLED"),
	})
	for _, r := range []awscdk.CfnResource{encryption, network, group} {
		collection.AddResourceDependency(r, nil)
		removal(r, e.Retain)
	}
	removal(collection, e.Retain)
	kept.collection, kept.collectionARN, kept.collectionID = name, *collection.AttrArn(), *collection.AttrId()
	kept.index = "opensearch+" + *collection.AttrCollectionEndpoint() + "?service=aoss"
	return collection
}

// unique returns the first eight digits of the stack's id, which is another one
// each time that the stack is made. A collection's name may have 32 characters.
func unique(s awscdk.Stack) string {
	id := awscdk.Fn_Select(jsii.Number(2), awscdk.Fn_Split(jsii.String("/"), s.StackId(), nil))
	return *awscdk.Fn_Select(jsii.Number(0), awscdk.Fn_Split(jsii.String("-"), id, nil))
}
