package sending_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"lectern/shared/aws/sending"
)

// mute is a server that gives the first requests no answer, or half of one, and answers
// the next.
type mute struct {
	silent  int32
	half    bool
	asked   atomic.Int32
	release chan struct{}
}

func (m *mute) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	if m.asked.Add(1) > m.silent {
		_, _ = io.WriteString(w, "{}")
		return
	}
	if m.half {
		w.Header().Set("Content-Length", "2")
		_, _ = io.WriteString(w, "{")
		w.(http.Flusher).Flush()
	}
	select {
	case <-m.release:
	case <-r.Context().Done():
	}
}

func configOf(t *testing.T, m *mute, patience time.Duration, seen *atomic.Value) aws.Config {
	t.Helper()
	m.release = make(chan struct{})
	s := httptest.NewServer(m)
	t.Cleanup(func() { close(m.release); s.Close() })
	return aws.Config{Region: "us-east-1", BaseEndpoint: &s.URL, Credentials: credentials.NewStaticCredentialsProvider("k", "s", ""),
		HTTPClient: sending.ClientWith(awshttp.NewBuildableClient(), func(service string) time.Duration {
			seen.Store(service)
			return patience
		}),
		Retryer: func() aws.Retryer {
			return retry.NewStandard(sending.Retries, func(o *retry.StandardOptions) { o.MaxBackoff = time.Millisecond })
		}}
}

// TestSilence: a request that is not answered, or not to its end, is asked again, and
// ends with an error when none is.
func TestSilence(t *testing.T) {
	for _, half := range []bool{false, true} {
		seen := &atomic.Value{}
		m := &mute{silent: 1, half: half}
		db := dynamodb.NewFromConfig(configOf(t, m, 50*time.Millisecond, seen))
		if _, err := db.ListTables(t.Context(), &dynamodb.ListTablesInput{}); err != nil || m.asked.Load() != 2 || seen.Load() != "DynamoDB" {
			t.Errorf("half %t: ListTables of %v = %v after %d requests, want success after 2", half, seen.Load(), err, m.asked.Load())
		}
		m = &mute{silent: 100, half: half}
		db = dynamodb.NewFromConfig(configOf(t, m, 20*time.Millisecond, seen))
		if _, err := db.ListTables(t.Context(), &dynamodb.ListTablesInput{}); err == nil || m.asked.Load() != 3 {
			t.Errorf("half %t: ListTables that is never answered = %v after %d requests, want an error after 3", half, err, m.asked.Load())
		}
	}
}

// TestSilentObject: a body that stops in its middle ends with an error.
func TestSilentObject(t *testing.T) {
	m := &mute{silent: 100, half: true}
	client := s3.NewFromConfig(configOf(t, m, 50*time.Millisecond, &atomic.Value{}), func(o *s3.Options) { o.UsePathStyle = true })
	out, err := client.GetObject(t.Context(), &s3.GetObjectInput{Bucket: aws.String("b"), Key: aws.String("k")})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Body.Close()
	if _, err := io.ReadAll(out.Body); err == nil || !strings.Contains(err.Error(), "no answer in time") {
		t.Errorf("a body that stops = %v", err)
	}
}

// TestPatience: what may take long is not cut off.
func TestPatience(t *testing.T) {
	seen := &atomic.Value{}
	f := lambda.NewFromConfig(configOf(t, &mute{}, 0, seen))
	if _, err := f.Invoke(t.Context(), &lambda.InvokeInput{FunctionName: aws.String("f")}); err != nil {
		t.Fatal(err)
	}
	for service, want := range map[string]time.Duration{seen.Load().(string): 0, "Bedrock Runtime": 0, "DynamoDB": 10 * time.Second,
		"SQS": 30 * time.Second, "SFN": 30 * time.Second} {
		if got := sending.Patience(service); got != want {
			t.Errorf("Patience(%q) = %s, want %s", service, got, want)
		}
	}
}
