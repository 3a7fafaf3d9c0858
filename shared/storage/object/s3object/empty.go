package s3object

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"lectern/shared/fault"
)

// Empty deletes everything below the prefix, earlier versions and the marks of
// deletions too, so that the bucket itself can be deleted. It returns how many
// were deleted, in an error's case too: who calls again goes on from there. A
// bucket that is gone is empty.
func (s *Store) Empty(ctx context.Context) (int, error) {
	in := &s3.ListObjectVersionsInput{Bucket: &s.bucket, Prefix: aws.String(s.prefix)}
	for n := 0; ; {
		if err := s.open(ctx); err != nil {
			return n, err
		}
		page, err := s.client.ListObjectVersions(ctx, in)
		if err = classify(ctx, "", err); fault.Is(err, fault.NotFound) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		var list []types.ObjectIdentifier
		for _, v := range page.Versions {
			list = append(list, types.ObjectIdentifier{Key: v.Key, VersionId: v.VersionId})
		}
		for _, m := range page.DeleteMarkers {
			list = append(list, types.ObjectIdentifier{Key: m.Key, VersionId: m.VersionId})
		}
		if len(list) > 0 {
			out, err := s.client.DeleteObjects(ctx, &s3.DeleteObjectsInput{Bucket: &s.bucket,
				Delete: &types.Delete{Objects: list, Quiet: aws.Bool(true)}})
			if err != nil {
				return n, classify(ctx, "", err)
			}
			n += len(list) - len(out.Errors)
			if len(out.Errors) > 0 {
				e := out.Errors[0]
				return n, fmt.Errorf("%d objects were not deleted, the first is %q: %s", len(out.Errors), aws.ToString(e.Key), aws.ToString(e.Code))
			}
		}
		if !aws.ToBool(page.IsTruncated) {
			return n, nil
		}
		in.KeyMarker, in.VersionIdMarker = page.NextKeyMarker, page.NextVersionIdMarker
	}
}
