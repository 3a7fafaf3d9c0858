package dynamorecord_test

import (
	crand "crypto/rand"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"lectern/shared/storage/lostanswertest"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/dynamorecord"
	"lectern/shared/storage/record/recordtest"
)

// table makes a table on the server that the environment names.
func table(t *testing.T) (string, aws.Config) {
	t.Helper()
	endpoint := os.Getenv("AWS_ENDPOINT_URL_DYNAMODB")
	if endpoint == "" {
		endpoint = os.Getenv("AWS_ENDPOINT_URL")
	}
	if endpoint == "" {
		t.Skip("AWS_ENDPOINT_URL names no server that speaks DynamoDB")
	}
	cfg, err := config.LoadDefaultConfig(t.Context(), config.WithBaseEndpoint(endpoint), config.WithDefaultRegion("us-east-1"), credentialsFor())
	if err != nil {
		t.Fatal(err)
	}
	table := "test-" + crand.Text()
	client := dynamodb.NewFromConfig(cfg)
	_, err = client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
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
	return table, cfg
}

func TestContract(t *testing.T) {
	table, cfg := table(t)
	recordtest.Run(t, func(t *testing.T, now func() time.Time) record.Store {
		s, err := dynamorecord.Open("dynamodb://"+table, cfg, dynamorecord.Quick(dynamorecord.Options{Now: now}))
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

// TestLostAnswers: each write is done, its answer is lost, and it is sent again.
func TestLostAnswers(t *testing.T) {
	table, cfg := table(t)
	lossy := &lostanswertest.Transport{Loses: func(r *http.Request) bool {
		operation := r.Header.Get("X-Amz-Target")
		return strings.HasSuffix(operation, ".PutItem") || strings.HasSuffix(operation, ".BatchWriteItem")
	}}
	cfg.HTTPClient = &http.Client{Transport: lossy}
	recordtest.RunLosing(t, func(t *testing.T, now func() time.Time) record.Store {
		s, err := dynamorecord.Open("dynamodb://"+table, cfg, dynamorecord.Quick(dynamorecord.Options{Now: now}))
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
	if lossy.Lost() < 50 {
		t.Errorf("%d answers were lost, want many", lossy.Lost())
	}
}

// TestFailures: requests are throttled, fail before and after they were done, are done
// in halves, and their answers are cut.
func TestFailures(t *testing.T) {
	table, cfg := table(t)
	failures := &lostanswertest.Failures{Changes: func(r *http.Request) bool {
		operation := r.Header.Get("X-Amz-Target")
		return strings.HasSuffix(operation, ".PutItem") || strings.HasSuffix(operation, ".BatchWriteItem")
	}}
	cfg.HTTPClient = &http.Client{Transport: failures}
	recordtest.RunLosing(t, func(t *testing.T, now func() time.Time) record.Store {
		s, err := dynamorecord.Open("dynamodb://"+table, cfg, dynamorecord.Quick(dynamorecord.Options{Now: now}))
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
	if counts := failures.Count(); len(counts) < 9 {
		t.Errorf("failures were %v, want some of each kind", counts)
	}
}

// TestBrokenConnections: connections are slow, break before and in the middle of answers,
// and are not taken for a while.
func TestBrokenConnections(t *testing.T) {
	table, cfg := table(t)
	endpoint := lostanswertest.Proxy(t, *cfg.BaseEndpoint)
	cfg.BaseEndpoint = &endpoint
	recordtest.RunLosing(t, func(t *testing.T, now func() time.Time) record.Store {
		s, err := dynamorecord.Open("dynamodb://"+table, cfg, dynamorecord.Quick(dynamorecord.Options{Now: now}))
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

// credentialsFor returns the environment's credentials, or any for a server
// that does not look at them.
func credentialsFor() config.LoadOptionsFunc {
	if os.Getenv("AWS_ACCESS_KEY_ID") != "" {
		return func(*config.LoadOptions) error { return nil }
	}
	return config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider("test", "test", ""))
}

func TestOpen(t *testing.T) {
	for _, bad := range []string{"", "dynamodb:", "dynamodb://", "s3://table", "dynamodb://table/path", "dynamodb://a b"} {
		if _, err := dynamorecord.Open(bad, aws.Config{}, dynamorecord.Options{}); err == nil {
			t.Errorf("Open(%q) succeeded", bad)
		}
	}
}
