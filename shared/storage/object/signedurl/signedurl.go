// Package signedurl signs requests for objects, for stores that have no server
// of their own: the service behind answers them after Check.
package signedurl

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
)

// Prefix is the path below which the service answers signed requests; the
// object's key follows.
const Prefix = "/v1/blobs/"

// Key signs. Whoever holds it may read and write every object.
type Key []byte

// Signer makes an object.Signer. base returns the scheme and host by which
// the client of a request reaches the service; without them a URL begins with
// its path.
func (k Key) Signer(base func(context.Context) string, now func() time.Time) object.Signer {
	return func(ctx context.Context, method, key string, o object.PresignOptions) (object.Signed, error) {
		until := now().Add(o.Expires).Truncate(time.Second)
		q := url.Values{"expires": {strconv.FormatInt(until.Unix(), 10)}}
		if method == "PUT" {
			q.Set("size", strconv.FormatInt(o.Size, 10))
		}
		for name, value := range map[string]string{paramType: o.ContentType, paramDisposition: o.Disposition} {
			if value != "" {
				q.Set(name, value)
			}
		}
		q.Set("signature", k.sign(method, key, q))
		return object.Signed{Method: method, URL: base(ctx) + Prefix + key + "?" + q.Encode(), ExpiresAt: until}, nil
	}
}

// Parameters that replace headers of the answer to a GET.
const (
	paramType        = "content-type"
	paramDisposition = "content-disposition"
)

// Replaced returns the headers that a request, once checked, was signed to be
// answered with; empty for the object's own.
func Replaced(q url.Values) (contentType, disposition string) {
	return q.Get(paramType), q.Get(paramDisposition)
}

// Check returns the size that a request was signed for, -1 for one without;
// Forbidden when the signature is not ours or its time is over.
func (k Key) Check(method, key string, q url.Values, now time.Time) (size int64, err error) {
	if !hmac.Equal([]byte(q.Get("signature")), []byte(k.sign(method, key, q))) {
		return 0, fault.New(fault.Forbidden, "the request's signature does not match")
	}
	until, err := strconv.ParseInt(q.Get("expires"), 10, 64)
	if err != nil || now.Unix() >= until {
		return 0, fault.New(fault.Forbidden, "the signed request has expired")
	}
	if !q.Has("size") {
		return -1, nil
	}
	if size, err = strconv.ParseInt(q.Get("size"), 10, 64); err != nil {
		return 0, fault.New(fault.Forbidden, "the request's signature does not match")
	}
	return size, nil
}

// sign covers the method, the key and the parameters that count, separated
// by a byte that none of them contains.
func (k Key) sign(method, key string, q url.Values) string {
	parts := []string{method, key, q.Get("expires"), q.Get("size")}
	for _, name := range []string{paramType, paramDisposition} {
		if value := q.Get(name); value != "" {
			parts = append(parts, name, value)
		}
	}
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(strings.Join(parts, "\n")))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
