package lambdahttp

import (
	"context"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/core"
)

// newRequest builds a request like net/http's server. AWS's adapter reads the
// event; it assumes an escaped path, strips a base path that is only a prefix
// of a longer segment, and does not set the host, so this function does these
// parts.
func newRequest(ctx context.Context, e events.APIGatewayProxyRequest, base string) (*http.Request, error) {
	e.Path = escapePath(e.Path)
	if base = strings.TrimRight(base, "/"); base != "" && (e.Path == base || strings.HasPrefix(e.Path, base+"/")) {
		e.Path = e.Path[len(base):]
	}
	if len(e.MultiValueHeaders) == 0 {
		e.MultiValueHeaders = nil // the adapter reads Headers only if this is nil
	}
	r, err := new(core.RequestAccessor).EventToRequest(e)
	if err != nil {
		return nil, err
	}
	r.URL.Scheme, r.URL.Host = "", ""
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	r.Header.Del("Host")
	if id := e.RequestContext.RequestID; id != "" && r.Header.Get("X-Request-Id") == "" {
		r.Header.Set("X-Request-Id", id)
	}
	return r.WithContext(withAuthorizer(ctx, e.RequestContext.Authorizer)), nil
}

// escapePath escapes a path that may or may not be escaped: REST APIs pass it
// as the client sent it, other gateways and HTTP APIs decode it first. It keeps
// characters that are valid in a path and valid escapes, and escapes everything
// else, including a lone "%". So "%2F" remains part of its segment, and "?" and
// "#" do not start a query or a fragment.
func escapePath(path string) string {
	const hexDigits = "0123456789ABCDEF"
	var out strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		if pathByte(c) || c == '%' && i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2]) {
			out.WriteByte(c)
			continue
		}
		out.WriteByte('%')
		out.WriteByte(hexDigits[c>>4])
		out.WriteByte(hexDigits[c&15])
	}
	return out.String()
}

// pathByte reports whether a byte may occur unescaped in a path.
//
// Source: RFC 3986, section 3.3, pchar and "/".
func pathByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~!$&'()*+,;=:@/", c) >= 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
