package app

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/signedurl"
)

// SignedOrigin returns the origin of the store that signed requests for objects go
// to, such as https://bucket.s3.us-east-1.amazonaws.com; empty where the service
// answers them itself. It needs Objects, and sends nothing.
func SignedOrigin(ctx context.Context, p *Process) (string, error) {
	signed, err := p.Objects.Presign(ctx, http.MethodGet, "ready", object.PresignOptions{Expires: time.Minute})
	if fault.Is(err, fault.Unsupported) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("sign a request: %w", err)
	}
	u, err := url.Parse(signed.URL)
	if err != nil {
		return "", fmt.Errorf("read a signed URL: %w", err)
	}
	if u.Host == "" || strings.HasPrefix(u.Path, signedurl.Prefix) {
		return "", nil
	}
	return u.Scheme + "://" + u.Host, nil
}
