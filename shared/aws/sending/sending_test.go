package sending_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"lectern/shared/aws/sending"
)

// late reads the rest of a body after the SDK has closed it, as net/http may.
type late struct{ err error }

func (l *late) Do(r *http.Request) (*http.Response, error) {
	if _, err := io.CopyN(io.Discard, r.Body, r.ContentLength); err != nil {
		return nil, err
	}
	_ = r.Body.Close()
	_, l.err = io.Copy(io.Discard, r.Body)
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

// TestClosedBody: a request that was sent is not taken for one that could not be.
func TestClosedBody(t *testing.T) {
	l := &late{}
	resp, err := sending.Client(l).Do(request(t))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if l.err != nil {
		t.Errorf("the end of a closed body = %v, want nil", l.err)
	}
}

// request is one as the SDK builds it.
func request(t *testing.T) *http.Request {
	t.Helper()
	r, err := smithyhttp.NewStackRequest().(*smithyhttp.Request).SetStream(strings.NewReader("a body"))
	if err != nil {
		t.Fatal(err)
	}
	return r.Build(t.Context())
}

// TestRetries: an answer that broke off is asked for again; what was refused is not.
func TestRetries(t *testing.T) {
	r := retry.NewStandard(sending.Retries)
	for err, want := range map[error]bool{
		fmt.Errorf("deserialization failed: %w", io.ErrUnexpectedEOF): true, errors.New("refused"): false,
		&smithy.GenericAPIError{Code: "ConditionalCheckFailedException"}: false, &smithy.GenericAPIError{Code: "ThrottlingException"}: true,
	} {
		if got := r.IsErrorRetryable(err); got != want {
			t.Errorf("IsErrorRetryable(%v) = %v, want %v", err, got, want)
		}
	}
}
