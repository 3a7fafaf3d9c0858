// Package trace follows a request through the service by OpenTelemetry's spans: the
// request itself, its calls of models, tools, searches and embedders, the steps of
// an ingest, and the jobs that it leaves to workers. Spans carry names, counts and
// times, never text of questions, documents or answers, and of errors only the code.
//
// Requests and jobs start spans by a Tracer, which package otlp makes; everything
// below starts them within the span of its context. Where there is none, nothing is
// recorded.
package trace

import (
	"context"
	"net/http"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"lectern/shared/fault"
)

// scope names the service as the origin of its spans.
const scope = "lectern"

// Span is a span that was started; the zero value records nothing.
type Span struct{ span trace.Span }

// Start starts a span within that of the context.
func Start(ctx context.Context, name string, with ...attribute.KeyValue) (context.Context, Span) {
	return start(ctx, trace.SpanKindInternal, name, with)
}

// Call is Start for a call of another service.
func Call(ctx context.Context, name string, with ...attribute.KeyValue) (context.Context, Span) {
	return start(ctx, trace.SpanKindClient, name, with)
}

func start(ctx context.Context, kind trace.SpanKind, name string, with []attribute.KeyValue) (context.Context, Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, Span{}
	}
	// Copies of attributes leave those of calls that record nothing on the stack.
	ctx, s := parent.TracerProvider().Tracer(scope).Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(slices.Clone(with)...))
	return ctx, Span{s}
}

// Set adds attributes.
func (s Span) Set(with ...attribute.KeyValue) {
	if s.span != nil {
		s.span.SetAttributes(slices.Clone(with)...)
	}
}

// Event notes that something happened now.
func (s Span) Event(name string) {
	if s.span != nil {
		s.span.AddEvent(name)
	}
}

// Name changes the name.
func (s Span) Name(name string) {
	if s.span != nil {
		s.span.SetName(name)
	}
}

// End ends the span, as failed if err is not nil.
func (s Span) End(err error) {
	if s.span == nil {
		return
	}
	if err != nil {
		s.Fail(fault.CodeOf(err).String())
	}
	s.span.End()
}

// Fail marks the span as failed, for a reason that is one of few.
func (s Span) Fail(reason string) {
	if s.span != nil {
		s.span.SetStatus(codes.Error, reason)
		s.span.SetAttributes(attribute.String("error.type", reason))
	}
}

// ID returns the id of the trace in hexadecimal; empty where nothing is recorded.
func (s Span) ID() string {
	if s.span == nil {
		return ""
	}
	return s.span.SpanContext().TraceID().String()
}

// Tracer starts the spans of requests and jobs. The zero value starts none.
type Tracer struct{ Provider trace.TracerProvider }

// Serve starts the span of a request with an id, within the span that its traceparent
// header names, if it has one.
func (t Tracer) Serve(ctx context.Context, r *http.Request, id string) (context.Context, Span) {
	if t.Provider == nil {
		return ctx, Span{}
	}
	return t.root(standard.Extract(ctx, propagation.HeaderCarrier(r.Header)), trace.SpanKindServer, r.Method, []attribute.KeyValue{
		attribute.String("http.request.method", r.Method), attribute.String("url.path", r.URL.Path), attribute.String("lectern.request_id", id)})
}

// Work starts the span of a job within that of the request which left it, as Parent
// returned it.
func (t Tracer) Work(ctx context.Context, parent, name string, with ...attribute.KeyValue) (context.Context, Span) {
	if t.Provider == nil {
		return ctx, Span{}
	}
	return t.root(standard.Extract(ctx, propagation.MapCarrier{header: parent}), trace.SpanKindConsumer, name, with)
}

func (t Tracer) root(ctx context.Context, kind trace.SpanKind, name string, with []attribute.KeyValue) (context.Context, Span) {
	ctx, s := t.Provider.Tracer(scope).Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(with...))
	if !s.IsRecording() {
		return ctx, Span{}
	}
	return ctx, Span{s}
}

// standard is W3C Trace Context, whose header names a span.
var standard propagation.TraceContext

const header = "traceparent"

// Parent returns the name of the context's span for a job, or "".
func Parent(ctx context.Context) string {
	into := propagation.MapCarrier{}
	standard.Inject(ctx, into)
	return into[header]
}

// Tell names the context's span in the header of a call of another service, which it
// copies first; without a span it returns the header as it is.
func Tell(ctx context.Context, h http.Header) http.Header {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return h
	}
	h = h.Clone()
	standard.Inject(ctx, propagation.HeaderCarrier(h))
	return h
}
