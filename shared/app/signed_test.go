package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"lectern/shared/app"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/object/s3object"
	"lectern/shared/storage/object/signedurl"
)

// TestSignedOrigin: a browser has to reach the bucket of a deployment, and no other place.
func TestSignedOrigin(t *testing.T) {
	cfg := aws.Config{Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")}
	bucket, err := s3object.Open("s3://letters", cfg, s3object.Options{})
	if err != nil {
		t.Fatal(err)
	}
	disk := func(signer object.Signer) object.Store {
		s, err := diskobject.Open(t.TempDir(), diskobject.Options{Signer: signer})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	own := signedurl.Key("key").Signer(func(context.Context) string { return "http://127.0.0.1:8080" }, time.Now)
	for name, tc := range map[string]struct {
		store object.Store
		want  string
	}{
		"bucket":          {bucket, "https://letters.s3.eu-central-1.amazonaws.com"},
		"own server":      {disk(own), ""},
		"without signing": {disk(nil), ""},
	} {
		got, err := app.SignedOrigin(t.Context(), &app.Process{Objects: tc.store})
		if err != nil || got != tc.want {
			t.Errorf("%s: SignedOrigin = %q, %v, want %q", name, got, err, tc.want)
		}
	}
}
