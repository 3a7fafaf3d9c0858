// Package otlp sends spans to an OpenTelemetry collector, by OTLP over HTTP in JSON.
//
// OpenTelemetry's own exporter is not used, because it adds 18 MiB to a function: its
// protocol buffers keep the linker from dropping unused methods of all packages. The
// form of the messages is that of opentelemetry.io/docs/specs/otlp and of the JSON
// mapping there: ids in hexadecimal, 64-bit integers as strings.
package otlp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// Options say where spans go.
type Options struct {
	// Endpoint is the address to which spans are posted, complete.
	Endpoint string
	// Headers are sent with each post, such as a key of the collector.
	Headers map[string]string
	// Attributes describe the process; those of OTEL_RESOURCE_ATTRIBUTES and
	// OTEL_SERVICE_NAME go before.
	Attributes []attribute.KeyValue
	// Sign signs a post with its body; may be nil.
	Sign func(ctx context.Context, r *http.Request, body []byte) error
	Log  *slog.Logger
}

// Provider makes spans and sends them in the background. Safe for concurrent use.
type Provider struct {
	*sdk.TracerProvider
	Host string // of the collector
}

// Open returns a provider; nothing is sent yet. The standard variables of
// OpenTelemetry's SDKs count, such as OTEL_TRACES_SAMPLER and
// OTEL_BSP_SCHEDULE_DELAY.
func Open(o Options) (*Provider, error) {
	u, err := url.Parse(o.Endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("the address of a collector should have the form http://host:4318")
	}
	process, err := resource.New(context.Background(), resource.WithAttributes(o.Attributes...), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	e := &exporter{options: o, client: &http.Client{
		Transport:     http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	return &Provider{sdk.NewTracerProvider(sdk.WithBatcher(e, sdk.WithExportTimeout(sendTime)), sdk.WithResource(process)), u.Host}, nil
}

// Times of sending.
const (
	sendTime = 10 * time.Second // retries included
	callTime = 5 * time.Second
)

// ParseHeaders reads headers of the form name=value,name=value, where values are
// percent-encoded.
func ParseHeaders(raw string) (map[string]string, error) {
	headers := map[string]string{}
	for part := range strings.SplitSeq(raw, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if name = strings.TrimSpace(name); !ok || name == "" || err != nil || strings.ContainsAny(name+value, "\r\n\x00") {
			return nil, errors.New("headers should have the form name=value,name=value")
		}
		headers[name] = value
	}
	return headers, nil
}

type exporter struct {
	options Options
	client  *http.Client
}

// ExportSpans implements sdk.SpanExporter. What cannot be sent is logged and lost: no
// request waits for it.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	body, err := json.Marshal(encode(spans))
	if err == nil {
		_, err = backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, e.post(ctx, body) }, backoff.WithMaxTries(4))
	}
	if err != nil && e.options.Log != nil {
		e.options.Log.WarnContext(ctx, "spans not sent", "spans", len(spans), "error", err)
	}
	return nil
}

// Shutdown implements sdk.SpanExporter.
func (e *exporter) Shutdown(context.Context) error { return nil }

// post sends a batch once. Only what the specification calls retryable is tried again.
func (e *exporter) post(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.options.Endpoint, bytes.NewReader(body))
	if err != nil {
		return backoff.Permanent(err)
	}
	for name, value := range e.options.Headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", "application/json")
	if e.options.Sign != nil {
		if err := e.options.Sign(ctx, req, body); err != nil {
			return backoff.Permanent(err)
		}
	}
	resp, err := e.client.Do(req)
	if err != nil {
		var bad *url.Error // its text holds the address, which may hold a key
		if errors.As(err, &bad) {
			err = bad.Err
		}
		return err
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if after, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && after > 0 {
			return backoff.RetryAfter(after)
		}
		return fmt.Errorf("the collector answered %s", resp.Status)
	}
	if resp.StatusCode/100 != 2 {
		return backoff.Permanent(fmt.Errorf("the collector answered %s", resp.Status))
	}
	var partly struct {
		PartialSuccess struct {
			RejectedSpans json.Number `json:"rejectedSpans"`
		} `json:"partialSuccess"`
	}
	_ = json.Unmarshal(answer, &partly) // an answer without a body is a success
	if n := partly.PartialSuccess.RejectedSpans; n != "" && n != "0" {
		return backoff.Permanent(fmt.Errorf("the collector rejected %s of the spans", n))
	}
	return nil
}
