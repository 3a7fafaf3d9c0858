package s3object

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// mostResumes is how often reading an object goes on after its connection broke.
const mostResumes = 3

// resumed is the content of an object, which is asked for again from where a
// connection broke, as long as the object is the same.
type resumed struct {
	store *Store
	ctx   context.Context
	in    *s3.GetObjectInput
	etag  *string
	at    int64 // of the next read, in the object
	left  int64 // bytes
	open  io.ReadCloser
	tries int
}

func (r *resumed) Read(p []byte) (int, error) {
	n, err := r.open.Read(p)
	r.at, r.left = r.at+int64(n), r.left-int64(n)
	if err == nil || errors.Is(err, io.EOF) && r.left <= 0 || r.ctx.Err() != nil || r.tries == mostResumes {
		return n, err
	}
	if r.left <= 0 {
		return n, io.EOF // the connection broke behind the last byte
	}
	r.tries++
	if again := r.resume(); again != nil {
		return n, fmt.Errorf("%w; asked for the rest: %w", err, again)
	}
	return n, nil
}

func (r *resumed) resume() error {
	in := *r.in
	in.Range, in.IfMatch = aws.String(fmt.Sprintf("bytes=%d-%d", r.at, r.at+r.left-1)), r.etag
	out, err := r.store.client.GetObject(r.ctx, &in)
	if err != nil {
		return err
	}
	_ = r.open.Close() // it is broken
	r.open = out.Body
	return nil
}

func (r *resumed) Close() error { return r.open.Close() }
