package main

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

const (
	signedService = "aoss"
	// timeFormat is that of the header X-Amz-Date.
	timeFormat = "20060102T150405Z"
	// clockSkew is how far a request's time may be from the gate's.
	clockSkew = 5 * time.Minute
)

// verify reports why a request does not have the signature that the SDK's own
// signer makes of it; nil when it has.
func verify(ctx context.Context, r *http.Request, body []byte, keys aws.Credentials, region string, now time.Time) error {
	scheme, rest, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if scheme != "AWS4-HMAC-SHA256" {
		return errors.New("the request is not signed")
	}
	fields := map[string]string{}
	for part := range strings.SplitSeq(rest, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		fields[name] = value
	}
	at, err := time.Parse(timeFormat, r.Header.Get("X-Amz-Date"))
	if err != nil || at.Sub(now).Abs() > clockSkew {
		return fmt.Errorf("the request is of %q", r.Header.Get("X-Amz-Date"))
	}
	scope := strings.Join([]string{keys.AccessKeyID, at.Format("20060102"), region, signedService, "aws4_request"}, "/")
	if fields["Credential"] != scope {
		return fmt.Errorf("the credential is %q, want %q", fields["Credential"], scope)
	}
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	if r.Header.Get("X-Amz-Content-Sha256") != hash {
		return errors.New("the hash of the body is missing or another")
	}
	again, err := http.NewRequestWithContext(ctx, r.Method, "http://"+r.Host+r.URL.RequestURI(), nil)
	if err != nil {
		return err
	}
	names := strings.Split(fields["SignedHeaders"], ";")
	for _, name := range []string{"host", "x-amz-date", "x-amz-content-sha256"} {
		if !slices.Contains(names, name) {
			return fmt.Errorf("the header %s is not signed", name)
		}
	}
	for _, name := range names {
		switch name {
		case "host":
		case "content-length":
			if again.ContentLength, err = strconv.ParseInt(r.Header.Get("Content-Length"), 10, 64); err != nil {
				again.ContentLength = r.ContentLength
			}
		default:
			again.Header[http.CanonicalHeaderKey(name)] = r.Header.Values(name)
		}
	}
	if err := v4.NewSigner().SignHTTP(ctx, keys, again, hash, signedService, region, at); err != nil {
		return err
	}
	_, want, _ := strings.Cut(again.Header.Get("Authorization"), "Signature=")
	if subtle.ConstantTimeCompare([]byte(want), []byte(fields["Signature"])) != 1 {
		return errors.New("the signature is wrong")
	}
	return nil
}
