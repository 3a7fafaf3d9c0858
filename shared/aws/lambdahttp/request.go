package lambdahttp

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// newRequest makes a request as net/http's server would have.
func newRequest(ctx context.Context, e *events.APIGatewayProxyRequest, base string, body []byte) *http.Request {
	escaped := escapePath(e.Path)
	if base = strings.TrimRight(base, "/"); base != "" && (escaped == base || strings.HasPrefix(escaped, base+"/")) {
		escaped = escaped[len(base):]
	}
	if !strings.HasPrefix(escaped, "/") {
		escaped = "/" + escaped
	}
	// escapePath leaves nothing that could not be unescaped.
	plain, _ := url.PathUnescape(escaped)
	u := &url.URL{Path: plain, RawPath: escaped, RawQuery: query(e).Encode()}
	r := &http.Request{
		Method: e.HTTPMethod, URL: u, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: headers(e), Body: http.NoBody, ContentLength: int64(len(body)), RemoteAddr: e.RequestContext.Identity.SourceIP,
	}
	if len(body) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	r.RequestURI = u.RequestURI()
	r.Host = r.Header.Get("Host")
	if r.Host == "" {
		r.Host = e.RequestContext.DomainName
	}
	r.Header.Del("Host")
	if id := e.RequestContext.RequestID; id != "" && r.Header.Get("X-Request-Id") == "" {
		r.Header.Set("X-Request-Id", id)
	}
	return r.WithContext(ctx)
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

// query is the query string's values, which the gateway hands over decoded.
func query(e *events.APIGatewayProxyRequest) url.Values {
	if len(e.MultiValueQueryStringParameters) > 0 {
		return e.MultiValueQueryStringParameters
	}
	values := make(url.Values, len(e.QueryStringParameters))
	for name, value := range e.QueryStringParameters {
		values[name] = []string{value}
	}
	return values
}

func headers(e *events.APIGatewayProxyRequest) http.Header {
	h := make(http.Header, len(e.Headers))
	for name, value := range e.Headers {
		h.Set(name, value)
	}
	for name, values := range e.MultiValueHeaders {
		h.Del(name)
		for _, value := range values {
			h.Add(name, value)
		}
	}
	return h
}
