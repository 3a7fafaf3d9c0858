package s3object_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"lectern/shared/storage/object/s3object"
)

// TestResumed: an object whose connection breaks is read on from there, as long as it
// is the same, and not for ever.
func TestResumed(t *testing.T) {
	content := strings.Repeat("0123456789", 1000)
	for name, tc := range map[string]struct {
		breaks   int32 // of connections, each after 1000 bytes
		replaced bool
		whole    bool
	}{"once": {1, false, true}, "three times": {3, false, true}, "always": {100, false, false}, "replaced meanwhile": {1, true, false}} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				from, to := 0, len(content)-1
				if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); err == nil && r.Header.Get("If-Match") != "" && tc.replaced {
					http.Error(w, "<Error><Code>PreconditionFailed</Code></Error>", http.StatusPreconditionFailed)
					return
				}
				w.Header().Set("Etag", `"one"`)
				w.Header().Set("Content-Length", fmt.Sprint(to-from+1))
				w.WriteHeader(http.StatusOK)
				if asked.Add(1) > tc.breaks {
					_, _ = io.WriteString(w, content[from:to+1])
					return
				}
				_, _ = io.WriteString(w, content[from:from+1000])
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}))
			defer server.Close()
			s, err := s3object.Open("s3://bucket", aws.Config{Region: "us-east-1", BaseEndpoint: &server.URL, Retryer: atOnce,
				Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")}, s3object.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, _, err := s.Open(t.Context(), "key", 0, -1)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			got, err := io.ReadAll(r)
			if whole := err == nil && string(got) == content; whole != tc.whole || !strings.HasPrefix(content, string(got)) || !tc.whole && err == nil {
				t.Errorf("%d bytes, %v; whole should be %v", len(got), err, tc.whole)
			}
			if asked.Load() > 4 {
				t.Errorf("the object was asked for %d times", asked.Load())
			}
		})
	}
}
