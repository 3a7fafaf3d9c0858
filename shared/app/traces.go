package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"go.opentelemetry.io/otel/attribute"

	"lectern/shared/api/otlp"
	"lectern/shared/fault/trace"
	"lectern/shared/storage/task"
)

// Traces opens the tracer of the collector that the settings name, if they name one.
func Traces(_ context.Context, p *Process) error {
	const setting = "OTEL_EXPORTER_OTLP_ENDPOINT"
	if p.Config.Traces == "" {
		return nil
	}
	headers, err := otlp.ParseHeaders(p.Config.TracesHeaders)
	if err != nil {
		return Of("OTEL_EXPORTER_OTLP_HEADERS", err)
	}
	environment, _, _ := strings.Cut(p.Config.Metrics, "/")
	o := otlp.Options{Endpoint: p.Config.Traces, Headers: headers, Log: p.Log,
		Attributes: []attribute.KeyValue{attribute.String("service.name", "lectern")}}
	if environment != "" {
		o.Attributes = append(o.Attributes, attribute.String("deployment.environment.name", environment))
	}
	if region := xray(p.Config.Traces); region != "" {
		o.Sign = p.signer("xray", region)
	}
	provider, err := otlp.Open(o)
	if err != nil {
		return Of(setting, err)
	}
	p.Log.Info("spans of requests are sent to a collector", "host", provider.Host)
	p.Tracer = trace.Tracer{Provider: provider}
	p.flushTraces = provider.ForceFlush
	p.OnClose(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		return provider.Shutdown(ctx)
	})
	return nil
}

// closeTime is what a process that ends gives its last spans.
const closeTime = 5 * time.Second

// xray returns the region of X-Ray's OTLP endpoint, https://xray.REGION.amazonaws.com,
// which takes signed requests; "" for another collector.
func xray(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	if found := xrayHost.FindStringSubmatch(u.Hostname()); found != nil {
		return found[1]
	}
	return ""
}

var xrayHost = regexp.MustCompile(`^xray\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$`)

// signer signs requests to a service of AWS with the process's credentials.
func (p *Process) signer(service, region string) func(context.Context, *http.Request, []byte) error {
	return func(ctx context.Context, r *http.Request, body []byte) error {
		cfg, err := p.AWS(ctx, region)
		if err != nil {
			return err
		}
		credentials, err := cfg.Credentials.Retrieve(ctx)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		return v4.NewSigner().SignHTTP(ctx, credentials, r, hex.EncodeToString(sum[:]), service, region, p.Now())
	}
}

// FlushTraces sends the spans that are waiting. Functions do so after each event,
// because they are stopped between two.
func (p *Process) FlushTraces(ctx context.Context) error {
	if p.flushTraces == nil {
		return nil
	}
	return p.flushTraces(ctx)
}

// Followed returns the queue, whose jobs say which request left them; workers whose
// table is traced go on with its trace.
func (p *Process) Followed(q task.Queue) task.Queue {
	if p.Tracer.Provider == nil || q == nil {
		return q
	}
	return followed{q}
}

type followed struct{ task.Queue }

func (f followed) Send(ctx context.Context, job task.Job, delay time.Duration) error {
	if job.Trace == "" {
		job.Trace = trace.Parent(ctx)
	}
	return f.Queue.Send(ctx, job, delay)
}

// Traced returns the table, whose jobs have spans.
func (p *Process) Traced(table task.Table) task.Table {
	if p.Tracer.Provider == nil {
		return table
	}
	traced := task.Table{}
	for kind, h := range table {
		traced[kind] = tracedHandler{h, p.Tracer}
	}
	return traced
}

type tracedHandler struct {
	task.Handler
	tracer trace.Tracer
}

func (t tracedHandler) Run(ctx context.Context, d task.Delivery) error {
	ctx, span := t.tracer.Work(ctx, d.Trace, "process "+d.Kind, attribute.String("messaging.operation.type", "process"),
		attribute.String("messaging.destination.name", d.Kind), attribute.Int("lectern.attempt", d.Attempt))
	err := t.Handler.Run(ctx, d)
	span.End(err)
	return err
}
