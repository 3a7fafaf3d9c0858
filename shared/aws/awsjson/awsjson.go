// Package awsjson calls operations of AWS services that speak its JSON
// protocol, one at a time: reading a secret, starting an execution, publishing
// an event. The SDK's package of such a service is up to 1.3 MB and initialises
// thousands of shapes at start, for one call; functions pay for both at every
// cold start. Signing is the SDK's.
package awsjson

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// Client calls one service. Safe for concurrent use.
type Client struct {
	Config  aws.Config
	Service string // as in host names and signatures, such as ssm
	Target  string // prefix of operations, such as AmazonSSM
	Version string // of the protocol, 1.0 or 1.1
	// HTTP is Config's client when nil, or else http.DefaultClient.
	HTTP *http.Client
	// Tries of a call; 4 when zero.
	Tries int
}

// Error is a refusal. Its text holds no part of the request.
type Error struct {
	Status  int
	Code    string // such as ParameterNotFound
	Message string
	Body    []byte // the whole answer, for what else it tells
}

func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// Is reports whether err is a refusal with the code.
func Is(err error, code string) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}

const (
	tries      = 4
	backoff    = 100 * time.Millisecond
	maxBackoff = 5 * time.Second
	maxBytes   = 32 << 20 // 16 MB of a DynamoDB batch are 22 as base64
)

// Call sends in as JSON and decodes the answer into out. Throttling, failures
// of the service and of the connection are tried again; so only what may
// happen twice should be called.
func (c *Client) Call(ctx context.Context, operation string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	most := c.Tries
	if most == 0 {
		most = tries
	}
	for try := 1; ; try++ {
		err := c.once(ctx, operation, body, out)
		if err == nil || try >= most || !temporary(err) || ctx.Err() != nil {
			return err
		}
		pause := min(backoff<<min(try, 16), maxBackoff)
		wait := time.NewTimer(pause/2 + rand.N(pause/2))
		select {
		case <-ctx.Done():
			wait.Stop()
			return ctx.Err()
		case <-wait.C:
		}
	}
}

// busy are the refusals of a service that has too much to do, beside those
// whose code speaks of throttling.
//
// Source: AWS SDKs and Tools Reference Guide, "Retry behavior".
var busy = []string{
	"ProvisionedThroughputExceededException", "RequestLimitExceeded", "BandwidthLimitExceeded", "LimitExceededException", "RequestThrottled",
	"SlowDown", "PriorRequestNotComplete", "TooManyRequestsException", "RequestTimeout", "RequestTimeoutException",
}

func temporary(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return true
	}
	return e.Status >= 500 || e.Status == http.StatusTooManyRequests || strings.Contains(e.Code, "Throttl") || slices.Contains(busy, e.Code)
}

func (c *Client) once(ctx context.Context, operation string, body []byte, out any) error {
	header := http.Header{"Content-Type": {"application/x-amz-json-" + c.Version}, "X-Amz-Target": {c.Target + "." + operation}}
	a, err := Post(ctx, c.Config, c.HTTP, c.Service, "/", header, body)
	if err != nil {
		return err
	}
	if a.Status != http.StatusOK {
		return refusal(a)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(a.Body, out)
}

// Answer is what a service said.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Post sends one signed request to a service and returns the whole answer.
// client is cfg's when nil, or else http.DefaultClient; path is escaped.
func Post(ctx context.Context, cfg aws.Config, client *http.Client, service, path string, header http.Header, body []byte) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint(cfg, service)+path, bytes.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	req.Header = header.Clone()
	sum := sha256.Sum256(body)
	if err := sign(cfg, signedAs(service), req, hex.EncodeToString(sum[:])); err != nil {
		return Answer{}, err
	}
	resp, err := doer(cfg, client).Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxBytes))
	return Answer{resp.StatusCode, resp.Header, raw}, err
}

func doer(cfg aws.Config, client *http.Client) aws.HTTPClient {
	switch {
	case client != nil:
		return client
	case cfg.HTTPClient != nil:
		return cfg.HTTPClient
	}
	return http.DefaultClient
}

// Sign signs a request that is not Post's to send. The hash of its body goes
// with it, because OpenSearch Serverless wants it there.
func Sign(cfg aws.Config, service string, r *http.Request, body []byte) error {
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	r.Header.Set("X-Amz-Content-Sha256", hash)
	return sign(cfg, service, r, hash)
}

func sign(cfg aws.Config, service string, r *http.Request, hash string) error {
	credentials, err := cfg.Credentials.Retrieve(r.Context())
	if err != nil {
		return fmt.Errorf("find credentials: %w", err)
	}
	if err := v4.NewSigner().SignHTTP(r.Context(), credentials, r, hash, service, cfg.Region, time.Now()); err != nil {
		return fmt.Errorf("sign: %w", err)
	}
	return nil
}

// signedAs is the name that a service's signatures carry: its host's, but for
// the services that Bedrock is split into.
func signedAs(service string) string {
	if strings.HasPrefix(service, "bedrock") {
		return "bedrock"
	}
	return service
}

func endpoint(cfg aws.Config, service string) string {
	if cfg.BaseEndpoint != nil && *cfg.BaseEndpoint != "" {
		return strings.TrimRight(*cfg.BaseEndpoint, "/")
	}
	domain := "amazonaws.com"
	if strings.HasPrefix(cfg.Region, "cn-") {
		domain += ".cn"
	}
	return "https://" + service + "." + cfg.Region + "." + domain
}

// refusal reads an error answer.
//
// Source: Smithy, "AWS JSON 1.0 protocol", operation error serialization.
func refusal(a Answer) error {
	var e struct {
		Type    string `json:"__type"`
		Message string `json:"message"`
		Upper   string `json:"Message"`
	}
	_ = json.Unmarshal(a.Body, &e)
	code := e.Type
	if code == "" {
		code = a.Header.Get("X-Amzn-Errortype")
	}
	code, _, _ = strings.Cut(code, ":")
	if e.Message == "" {
		e.Message = e.Upper
	}
	return &Error{a.Status, code[strings.LastIndexByte(code, '#')+1:], e.Message, a.Body}
}
