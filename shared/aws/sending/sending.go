// Package sending mends how the AWS SDK sends the bodies of requests, and sends
// requests again.
//
// Once the head of an answer is there, the SDK closes the request's body. That body
// then reports io.EOF from WriteTo, where a writer has to return nil at the end.
// net/http may just be asking whether anything follows what it has sent: it takes the
// answer for a failed write and closes the connection, in the middle of a streamed
// answer ("use of closed network connection").
package sending

import (
	"errors"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
)

// Client returns next, which is sent bodies that can only be read.
func Client(next aws.HTTPClient) aws.HTTPClient { return client{next} }

type client struct{ next aws.HTTPClient }

func (c client) Do(r *http.Request) (*http.Response, error) {
	if _, writes := r.Body.(io.WriterTo); writes {
		r.Body = struct{ io.ReadCloser }{r.Body}
	}
	return c.next.Do(r)
}

// Retries makes a request be sent again whose answer broke off in its middle: the
// SDK's own retries take that for an answer that cannot be read.
func Retries(o *retry.StandardOptions) {
	o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return aws.TrueTernary
		}
		return aws.UnknownTernary
	}))
}
