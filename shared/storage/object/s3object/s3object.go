// Package s3object keeps objects in an S3 bucket: the cloud driver. It works
// with S3-compatible servers too: it uses path-style addresses when an endpoint
// is set, and sends no checksum headers that such servers do not know.
package s3object

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
)

const (
	defaultContentType = "application/octet-stream"
	// partBytes is how much of a body is held in memory at once; longer ones
	// go up in parts of this size.
	partBytes = 16 << 20
)

// Options are the store's settings.
type Options struct {
	Now func() time.Time // time.Now when nil
}

// Store implements object.Store on a bucket.
type Store struct {
	client *s3.Client
	sign   *s3.PresignClient
	bucket string
	prefix string
	now    func() time.Time
	closed atomic.Bool
}

// Open returns the store that a URL like s3://bucket/prefix names. It makes no
// call. Keys lie below the prefix, which may be empty.
func Open(rawURL string, cfg aws.Config, o Options) (*Store, error) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Scheme != "s3" || u.Host == "" {
		return nil, fmt.Errorf("an object store in S3 is s3://bucket/prefix, not %q", rawURL)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	client := s3.NewFromConfig(cfg, func(c *s3.Options) {
		c.UsePathStyle = c.BaseEndpoint != nil
		c.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		c.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		c.DisableLogOutputChecksumValidationSkipped = true
	})
	prefix := strings.Trim(u.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	return &Store{client: client, sign: s3.NewPresignClient(client), bucket: u.Host, prefix: prefix, now: o.Now}, nil
}

// Close implements object.Store.
func (s *Store) Close() error {
	s.closed.Store(true)
	return nil
}

func (s *Store) open(ctx context.Context) error {
	if s.closed.Load() {
		return fault.New(fault.Unavailable, "the object store is closed")
	}
	if err := ctx.Err(); err != nil {
		return fault.Wrap(err, fault.Cancelled, "using an object was cancelled")
	}
	return nil
}

func (s *Store) path(key string) *string { return aws.String(s.prefix + key) }

// Put implements object.Store.
func (s *Store) Put(ctx context.Context, key string, body io.Reader, o object.PutOptions) (object.Info, error) {
	if err := object.CheckPut(key, o); err != nil {
		return object.Info{}, err
	}
	if err := s.open(ctx); err != nil {
		return object.Info{}, err
	}
	if o.ContentType == "" {
		o.ContentType = defaultContentType
	}
	up := &upload{store: s, key: key, options: o, body: body}
	if o.IfAbsent {
		up.ifNone = aws.String("*")
	}
	etag, err := up.run(ctx)
	if err != nil {
		return object.Info{}, err
	}
	return object.Info{
		Key: key, Size: up.read, ContentType: o.ContentType, ETag: etag,
		Modified: s.now().UTC().Truncate(time.Second),
	}, nil
}

// Head implements object.Store.
func (s *Store) Head(ctx context.Context, key string) (object.Info, error) {
	if err := object.CheckKey(key); err != nil {
		return object.Info{}, err
	}
	if err := s.open(ctx); err != nil {
		return object.Info{}, err
	}
	out, err := s.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &s.bucket, Key: s.path(key)})
	if err != nil {
		return object.Info{}, classify(ctx, key, err)
	}
	return object.Info{
		Key: key, Size: aws.ToInt64(out.ContentLength), ContentType: aws.ToString(out.ContentType), ETag: aws.ToString(out.ETag),
		Modified: aws.ToTime(out.LastModified).UTC(),
	}, nil
}

// Open implements object.Store.
func (s *Store) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, object.Info, error) {
	if offset < 0 || length < -1 {
		return nil, object.Info{}, fault.New(fault.Invalid, "a range of %d bytes at %d is not readable", length, offset)
	}
	if length == 0 {
		info, err := s.Head(ctx, key)
		if err != nil {
			return nil, object.Info{}, err
		}
		return io.NopCloser(bytes.NewReader(nil)), info, nil
	}
	if err := object.CheckKey(key); err != nil {
		return nil, object.Info{}, err
	}
	if err := s.open(ctx); err != nil {
		return nil, object.Info{}, err
	}
	in := &s3.GetObjectInput{Bucket: &s.bucket, Key: s.path(key)}
	switch {
	case length > 0 && offset+length > 0:
		in.Range = aws.String(fmt.Sprintf("bytes=%d-%d", offset, offset+length-1))
	case offset > 0:
		in.Range = aws.String(fmt.Sprintf("bytes=%d-", offset))
	}
	out, err := s.client.GetObject(ctx, in)
	if status(err) == http.StatusRequestedRangeNotSatisfiable {
		return s.Open(ctx, key, 0, 0)
	}
	if err != nil {
		return nil, object.Info{}, classify(ctx, key, err)
	}
	info := object.Info{
		Key: key, Size: aws.ToInt64(out.ContentLength), ContentType: aws.ToString(out.ContentType), ETag: aws.ToString(out.ETag),
		Modified: aws.ToTime(out.LastModified).UTC(),
	}
	if _, total, ok := strings.Cut(aws.ToString(out.ContentRange), "/"); ok {
		if info.Size, err = strconv.ParseInt(total, 10, 64); err != nil {
			return nil, object.Info{}, errors.Join(fmt.Errorf("open object: %w", err), out.Body.Close())
		}
	}
	return &resumed{store: s, ctx: ctx, in: in, etag: out.ETag, at: offset, left: aws.ToInt64(out.ContentLength), open: out.Body}, info, nil
}

// Delete implements object.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := object.CheckKey(key); err != nil {
		return err
	}
	if err := s.open(ctx); err != nil {
		return err
	}
	_, err := s.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.bucket, Key: s.path(key)})
	if status(err) == http.StatusNotFound {
		return nil
	}
	return classify(ctx, key, err)
}

// List implements object.Store.
func (s *Store) List(ctx context.Context, prefix, after string, limit int) ([]object.Info, string, error) {
	limit, err := object.CheckList(prefix, after, limit)
	if err != nil {
		return nil, "", err
	}
	if err := s.open(ctx); err != nil {
		return nil, "", err
	}
	in := &s3.ListObjectsV2Input{Bucket: &s.bucket, Prefix: s.path(prefix), MaxKeys: aws.Int32(int32(limit))}
	if after != "" {
		in.StartAfter = s.path(after)
	}
	out, err := s.client.ListObjectsV2(ctx, in)
	if err != nil {
		return nil, "", classify(ctx, prefix, err)
	}
	var infos []object.Info
	for _, o := range out.Contents {
		infos = append(infos, object.Info{
			Key: strings.TrimPrefix(aws.ToString(o.Key), s.prefix), Size: aws.ToInt64(o.Size), ETag: aws.ToString(o.ETag),
			Modified: aws.ToTime(o.LastModified).UTC().Truncate(time.Second),
		})
	}
	if !aws.ToBool(out.IsTruncated) || len(infos) == 0 {
		return infos, "", nil
	}
	return infos, infos[len(infos)-1].Key, nil
}

// Presign implements object.Store.
func (s *Store) Presign(ctx context.Context, method, key string, o object.PresignOptions) (object.Signed, error) {
	if err := object.CheckPresign(method, key, o); err != nil {
		return object.Signed{}, err
	}
	if err := s.open(ctx); err != nil {
		return object.Signed{}, err
	}
	expires := s3.WithPresignExpires(o.Expires)
	until := s.now().Add(o.Expires)
	var signedURL string
	var header http.Header
	if method == http.MethodGet {
		in := &s3.GetObjectInput{Bucket: &s.bucket, Key: s.path(key)}
		if o.ContentType != "" {
			in.ResponseContentType = &o.ContentType
		}
		if o.Disposition != "" {
			in.ResponseContentDisposition = &o.Disposition
		}
		r, err := s.sign.PresignGetObject(ctx, in, expires)
		if err != nil {
			return object.Signed{}, classify(ctx, key, err)
		}
		signedURL, header = r.URL, r.SignedHeader
	} else {
		in := &s3.PutObjectInput{Bucket: &s.bucket, Key: s.path(key), ContentLength: aws.Int64(o.Size)}
		r, err := s.sign.PresignPutObject(ctx, in, expires)
		if err != nil {
			return object.Signed{}, classify(ctx, key, err)
		}
		signedURL, header = r.URL, r.SignedHeader
	}
	signed := object.Signed{Method: method, URL: signedURL, ExpiresAt: until.UTC(), Headers: map[string]string{}}
	for name := range maps.Keys(header) {
		if !strings.EqualFold(name, "Host") {
			signed.Headers[http.CanonicalHeaderKey(name)] = header.Get(name)
		}
	}
	return signed, nil
}

// status returns the HTTP status of the SDK's error, 0 when it has none.
func status(err error) int {
	if r, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		return r.HTTPStatusCode()
	}
	return 0
}

// classify turns the SDK's error into a fault; nil stays nil.
func classify(ctx context.Context, key string, err error) error {
	switch code := status(err); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fault.Wrap(ctx.Err(), fault.Cancelled, "using an object was cancelled")
	case code == http.StatusNotFound:
		return fault.New(fault.NotFound, "no object %q", key)
	case code == http.StatusPreconditionFailed, code == http.StatusConflict:
		return fault.New(fault.Conflict, "the object %q exists already", key)
	}
	return fault.Wrap(err, fault.Unavailable, "the object store cannot be reached")
}
