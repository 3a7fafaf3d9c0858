package identity_test

import (
	"crypto/rand"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"lectern/shared/storage/object"
	"lectern/shared/storage/object/s3object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/dynamorecord"
)

// configured is the configuration for the server of one service.
func configured(t *testing.T, service string) aws.Config {
	t.Helper()
	endpoint := os.Getenv("AWS_ENDPOINT_URL_" + service)
	if endpoint == "" {
		endpoint = os.Getenv("AWS_ENDPOINT_URL")
	}
	options := []func(*config.LoadOptions) error{config.WithBaseEndpoint(endpoint), config.WithDefaultRegion("us-east-1")}
	if os.Getenv("AWS_ACCESS_KEY_ID") == "" {
		options = append(options, config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider("test", "test", "")))
	}
	cfg, err := config.LoadDefaultConfig(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func s3Objects(t *testing.T) object.Store {
	cfg, bucket := configured(t, "S3"), "test-"+strings.ToLower(rand.Text())
	client := s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = true })
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
	s, err := s3object.Open("s3://"+bucket, cfg, s3object.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func dynamoRecords(t *testing.T) record.Store {
	cfg, table := configured(t, "DYNAMODB"), "test-"+rand.Text()
	client := dynamodb.NewFromConfig(cfg)
	_, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: &table, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
		},
	})
	if existing := (*types.ResourceInUseException)(nil); err != nil && !errors.As(err, &existing) { // made by a request whose answer was lost
		t.Fatal(err)
	}
	err = dynamodb.NewTableExistsWaiter(client).Wait(t.Context(), &dynamodb.DescribeTableInput{TableName: &table}, time.Minute,
		func(o *dynamodb.TableExistsWaiterOptions) { o.MinDelay = 100 * time.Millisecond })
	if err != nil {
		t.Fatal(err)
	}
	s, err := dynamorecord.Open("dynamodb://"+table, cfg, dynamorecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
