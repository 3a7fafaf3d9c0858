package s3object_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"lectern/shared/aws/sending"
	"lectern/shared/storage/lostanswertest"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/objecttest"
	"lectern/shared/storage/object/s3object"
)

// bucket makes a bucket on the server that the environment names.
func bucket(t *testing.T) (string, aws.Config) {
	t.Helper()
	endpoint := os.Getenv("AWS_ENDPOINT_URL_S3")
	if endpoint == "" {
		endpoint = os.Getenv("AWS_ENDPOINT_URL")
	}
	if endpoint == "" {
		t.Skip("AWS_ENDPOINT_URL names no server that speaks S3")
	}
	options := []func(*config.LoadOptions) error{config.WithBaseEndpoint(endpoint), config.WithDefaultRegion("us-east-1")}
	if os.Getenv("AWS_ACCESS_KEY_ID") == "" {
		options = append(options, config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider("test", "test", "")))
	}
	cfg, err := config.LoadDefaultConfig(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	name := "test-" + strings.ToLower(rand.Text())
	client := s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = true })
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &name}); err != nil {
		t.Fatal(err)
	}
	return name, cfg
}

func TestContract(t *testing.T) {
	for _, prefix := range []string{"", "/some/prefix"} {
		t.Run("prefix "+prefix, func(t *testing.T) {
			name, cfg := bucket(t)
			objecttest.Run(t, func(t *testing.T) object.Store {
				s, err := s3object.Open("s3://"+name+prefix, cfg, s3object.Options{})
				if err != nil {
					t.Fatal(err)
				}
				return s
			})
		})
	}
}

// TestLostAnswers: each request that changes something is done, its answer is
// lost, and it is sent again.
func TestLostAnswers(t *testing.T) {
	name, cfg := bucket(t)
	lossy := &lostanswertest.Transport{Loses: changes}
	cfg.HTTPClient, cfg.Retryer = &http.Client{Transport: lossy}, atOnce
	objecttest.RunLosing(t, func(t *testing.T) object.Store {
		s, err := s3object.Open("s3://"+name, cfg, s3object.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
	if lossy.Lost() < 50 {
		t.Errorf("%d answers were lost, want many", lossy.Lost())
	}
}

func changes(r *http.Request) bool {
	return r.Method == http.MethodPut || r.Method == http.MethodDelete
}

// atOnce repeats requests without waiting.
func atOnce() aws.Retryer {
	return retry.NewStandard(sending.Retries, func(o *retry.StandardOptions) {
		o.RateLimiter = ratelimit.None
		o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return time.Millisecond, nil })
	})
}

// TestFailures: requests are throttled, fail before and after they were done, and
// their answers are cut.
func TestFailures(t *testing.T) {
	name, cfg := bucket(t)
	failures := &lostanswertest.Failures{Changes: changes}
	cfg.HTTPClient, cfg.Retryer = &http.Client{Transport: failures}, atOnce
	objecttest.RunLosing(t, func(t *testing.T) object.Store {
		s, err := s3object.Open("s3://"+name, cfg, s3object.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
	if counts := failures.Count(); len(counts) < 8 {
		t.Errorf("failures were %v, want some of each kind", counts)
	}
}

// TestBrokenConnections: connections are slow, break before and in the middle of answers,
// and are not taken for a while.
func TestBrokenConnections(t *testing.T) {
	name, cfg := bucket(t)
	endpoint := lostanswertest.Proxy(t, *cfg.BaseEndpoint)
	cfg.BaseEndpoint, cfg.Retryer = &endpoint, func() aws.Retryer {
		return retry.NewStandard(sending.Retries, func(o *retry.StandardOptions) {
			o.RateLimiter, o.MaxAttempts, o.MaxBackoff = ratelimit.None, 10, 20*time.Millisecond
		})
	}
	objecttest.RunLosing(t, func(t *testing.T) object.Store {
		s, err := s3object.Open("s3://"+name, cfg, s3object.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}, "Presign", // who has the address asks once
		"Snapshot") // of a body that breaks off after its object was deleted there is no rest
}

// TestParts sends a body that is longer than one request carries.
func TestParts(t *testing.T) {
	name, cfg := bucket(t)
	s, err := s3object.Open("s3://"+name, cfg, s3object.Options{})
	if err != nil {
		t.Fatal(err)
	}
	body := bytes.Repeat([]byte("0123456789abcdef"), 40<<16) // 40 MiB
	for _, size := range []int64{-1, int64(len(body))} {
		if _, err := s.Put(t.Context(), "long", bytes.NewReader(body), object.PutOptions{Size: size}); err != nil {
			t.Fatalf("Put of size %d = %v", size, err)
		}
		r, info, err := s.Open(t.Context(), "long", 0, -1)
		if err != nil {
			t.Fatalf("Open = %v", err)
		}
		sum := sha256.New()
		n, err := io.Copy(sum, r)
		r.Close()
		if want := sha256.Sum256(body); err != nil || n != info.Size || !bytes.Equal(sum.Sum(nil), want[:]) {
			t.Errorf("the long object reads %d of %d bytes, %v", n, info.Size, err)
		}
	}
	if _, err := s.Put(t.Context(), "other", bytes.NewReader(body), object.PutOptions{Size: int64(len(body)) + 1}); err == nil {
		t.Errorf("Put of a long body with a wrong size succeeded")
	}
	if _, err := s.Head(t.Context(), "other"); err == nil {
		t.Errorf("a refused long body is stored")
	}
}

func TestOpen(t *testing.T) {
	for _, bad := range []string{"", "s3:", "s3:///a", "disk:a"} {
		if _, err := s3object.Open(bad, aws.Config{}, s3object.Options{}); err == nil {
			t.Errorf("Open(%q) succeeded", bad)
		}
	}
}
