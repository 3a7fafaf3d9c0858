package s3object_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"lectern/shared/storage/object"
	"lectern/shared/storage/object/s3object"
)

// TestEmpty: a bucket with more objects than a page holds, with objects that were
// replaced and deleted while versions are kept, can be deleted afterwards.
func TestEmpty(t *testing.T) {
	name, cfg := bucket(t)
	client := s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = true })
	// Servers without versions refuse this, and what it is for is tested without.
	_, err := client.PutBucketVersioning(t.Context(), &s3.PutBucketVersioningInput{Bucket: &name,
		VersioningConfiguration: &types.VersioningConfiguration{Status: types.BucketVersioningStatusEnabled}})
	t.Logf("versions are kept: %v", err == nil)
	s, err := s3object.Open("s3://"+name, cfg, s3object.Options{})
	if err != nil {
		t.Fatal(err)
	}
	put := func(key string) {
		if _, err := s.Put(t.Context(), key, strings.NewReader("x"), object.PutOptions{Size: 1}); err != nil {
			t.Fatal(err)
		}
	}
	const many = 1005
	for i := range many {
		put(fmt.Sprintf("files/%04d", i))
	}
	put("files/0000")
	if err := s.Delete(t.Context(), "files/0001"); err != nil {
		t.Fatal(err)
	}
	n, err := s.Empty(t.Context())
	if err != nil || n < many-1 {
		t.Fatalf("Empty = %d, %v; want %d or more", n, err, many-1)
	}
	if _, err := client.DeleteBucket(t.Context(), &s3.DeleteBucketInput{Bucket: aws.String(name)}); err != nil {
		t.Errorf("the emptied bucket cannot be deleted: %v", err)
	}
	if n, err := s.Empty(t.Context()); n != 0 || err != nil {
		t.Errorf("Empty of a bucket that is gone = %d, %v", n, err)
	}
}
