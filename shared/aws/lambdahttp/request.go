package lambdahttp

import (
	"context"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/core"
)

// newRequest makes a request as net/http's server would have. AWS's adapter
// reads the event; it takes the path for one that is escaped already, strips a
// base path from the front of longer names too, and leaves the host where it
// found it, so these are done here.
func newRequest(ctx context.Context, e events.APIGatewayProxyRequest, base string) (*http.Request, error) {
	e.Path = escapePath(e.Path)
	if base = strings.TrimRight(base, "/"); base != "" && (e.Path == base || strings.HasPrefix(e.Path, base+"/")) {
		e.Path = e.Path[len(base):]
	}
	if len(e.MultiValueHeaders) == 0 {
		e.MultiValueHeaders = nil // else the adapter would not look at the single values
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
	return r.WithContext(ctx), nil
}

// escapePath makes a path that is surely escaped of one that may be. A REST API
// hands the path over as the client sent it, look-alikes and HTTP APIs decode
// it first. What can stand in an escaped path stays; every other byte, and a
// percent sign that begins no escape, is escaped. So "%2F" stays one segment's
// slash, and no "?" or "#" begins a query or a fragment.
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

// pathByte reports whether a byte may stand in a path as it is.
//
// Source: RFC 3986, section 3.3, pchar and "/".
func pathByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~!$&'()*+,;=:@/", c) >= 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
