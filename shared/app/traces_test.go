package app

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"lectern/shared/app/config"
)

// TestXRay: X-Ray's own endpoint gets requests that are signed for its region.
func TestXRay(t *testing.T) {
	for endpoint, want := range map[string]string{
		"https://xray.eu-west-1.amazonaws.com/v1/traces": "eu-west-1", "https://xray.cn-north-1.amazonaws.com.cn/v1/traces": "cn-north-1",
		"https://collector.example.com/v1/traces": "", "https://xray.example.com/v1/traces": "", "http://[::1/": "",
		"https://xray.eu-west-1.amazonaws.example.com/v1/traces": "",
	} {
		if got := xray(endpoint); got != want {
			t.Errorf("the region of %s is %q, not %q", endpoint, got, want)
		}
	}
	p := New(&config.Config{}, slog.New(slog.DiscardHandler))
	p.Now = func() time.Time { return time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC) }
	p.AWS = func(context.Context, string) (aws.Config, error) {
		return aws.Config{Credentials: credentials.NewStaticCredentialsProvider("AKIDEXAMPLE", "secret", "token")}, nil
	}
	r := httptest.NewRequest(http.MethodPost, "https://xray.eu-west-1.amazonaws.com/v1/traces", strings.NewReader("{}"))
	if err := p.signer("xray", "eu-west-1")(t.Context(), r, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if got := r.Header.Get("Authorization"); !strings.Contains(got, "AKIDEXAMPLE/20260601/eu-west-1/xray/aws4_request") ||
		r.Header.Get("X-Amz-Security-Token") != "token" {
		t.Errorf("signed as %q", got)
	}
}
