package s3object

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
)

// upload is one Put. Each part of the body is read before it is sent, so that a
// body that fails or has another length than stated stores nothing.
type upload struct {
	store   *Store
	key     string
	options object.PutOptions
	body    io.Reader
	ifNone  *string
	read    int64
}

// run sends the body and returns its ETag.
func (u *upload) run(ctx context.Context) (string, error) {
	first, ended, err := u.next(ctx)
	if err != nil {
		return "", err
	}
	if !ended {
		return u.parts(ctx, first)
	}
	out, err := u.store.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &u.store.bucket, Key: u.store.path(u.key), Body: bytes.NewReader(first), ContentLength: aws.Int64(int64(len(first))),
		ContentType: &u.options.ContentType, IfNoneMatch: u.ifNone,
	})
	if err != nil {
		return "", classify(ctx, u.key, err)
	}
	return aws.ToString(out.ETag), nil
}

// next reads the next part and reports whether it is the last.
func (u *upload) next(ctx context.Context) (part []byte, ended bool, err error) {
	want := int64(partBytes)
	if u.options.Size >= 0 {
		// One byte more shows whether the body is longer than stated.
		want = min(want, u.options.Size-u.read+1)
	}
	if err := ctx.Err(); err != nil {
		return nil, false, fault.Wrap(err, fault.Cancelled, "storing an object was cancelled")
	}
	var b bytes.Buffer
	if u.options.Size >= 0 {
		b.Grow(int(want) + bytes.MinRead)
	}
	n, err := io.Copy(&b, io.LimitReader(u.body, want))
	u.read += n
	if err != nil {
		return nil, false, fmt.Errorf("read the body of an object: %w", err)
	}
	ended = n < want
	if u.options.Size >= 0 && (u.read > u.options.Size || ended && u.read < u.options.Size) {
		return nil, false, fault.New(fault.Invalid, "the body is not of the stated %d bytes", u.options.Size)
	}
	return b.Bytes(), ended, nil
}

// parts sends a long body.
func (u *upload) parts(ctx context.Context, first []byte) (etag string, err error) {
	s := u.store
	begun, err := s.client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{
		Bucket: &s.bucket, Key: s.path(u.key), ContentType: &u.options.ContentType,
	})
	if err != nil {
		return "", classify(ctx, u.key, err)
	}
	defer func() {
		if err == nil {
			return
		}
		// Parts left behind would be stored, and paid, for ever.
		_, abortErr := s.client.AbortMultipartUpload(context.WithoutCancel(ctx), &s3.AbortMultipartUploadInput{
			Bucket: &s.bucket, Key: s.path(u.key), UploadId: begun.UploadId,
		})
		if abortErr != nil {
			err = errors.Join(err, abortErr)
		}
	}()
	var done []types.CompletedPart
	part, ended := first, false
	for number := int32(1); len(part) > 0; number++ {
		out, err := s.client.UploadPart(ctx, &s3.UploadPartInput{
			Bucket: &s.bucket, Key: s.path(u.key), UploadId: begun.UploadId, PartNumber: aws.Int32(number),
			Body: bytes.NewReader(part), ContentLength: aws.Int64(int64(len(part))),
		})
		if err != nil {
			return "", classify(ctx, u.key, err)
		}
		done = append(done, types.CompletedPart{ETag: out.ETag, PartNumber: aws.Int32(number)})
		if ended {
			break
		}
		if part, ended, err = u.next(ctx); err != nil {
			return "", err
		}
	}
	out, err := s.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &s.bucket, Key: s.path(u.key), UploadId: begun.UploadId, IfNoneMatch: u.ifNone,
		MultipartUpload: &types.CompletedMultipartUpload{Parts: done},
	})
	if err != nil {
		return "", classify(ctx, u.key, err)
	}
	return aws.ToString(out.ETag), nil
}
