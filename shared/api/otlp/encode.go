package otlp

import (
	"encoding/hex"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// The message ExportTraceServiceRequest, as far as spans of the service fill it.
type (
	batch struct {
		ResourceSpans []resourceSpans `json:"resourceSpans"`
	}
	resourceSpans struct {
		Resource   described    `json:"resource"`
		ScopeSpans []scopeSpans `json:"scopeSpans"`
	}
	described struct {
		Attributes []keyValue `json:"attributes,omitempty"`
	}
	scopeSpans struct {
		Scope scope  `json:"scope"`
		Spans []span `json:"spans"`
	}
	scope struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	span struct {
		TraceID    string     `json:"traceId"`
		SpanID     string     `json:"spanId"`
		TraceState string     `json:"traceState,omitempty"`
		Parent     string     `json:"parentSpanId,omitempty"`
		Flags      uint32     `json:"flags,omitempty"`
		Name       string     `json:"name"`
		Kind       int        `json:"kind"`
		Start      string     `json:"startTimeUnixNano"`
		End        string     `json:"endTimeUnixNano"`
		Attributes []keyValue `json:"attributes,omitempty"`
		Dropped    int        `json:"droppedAttributesCount,omitempty"`
		Events     []event    `json:"events,omitempty"`
		Status     *status    `json:"status,omitempty"`
	}
	event struct {
		Time       string     `json:"timeUnixNano"`
		Name       string     `json:"name"`
		Attributes []keyValue `json:"attributes,omitempty"`
	}
	status struct {
		Message string `json:"message,omitempty"`
		Code    int    `json:"code"`
	}
	keyValue struct {
		Key   string `json:"key"`
		Value any    `json:"value"`
	}
)

// Flags of a span beside the trace's: whether it is known where the parent was, and
// that it was in another process.
const (
	knowsParent  = 1 << 8
	remoteParent = 1 << 9
)

// encode returns the message of spans, which are all of one process.
func encode(spans []sdk.ReadOnlySpan) batch {
	out := resourceSpans{}
	place := map[string]int{} // of a scope
	for _, s := range spans {
		if len(place) == 0 {
			out.Resource.Attributes = attributes(s.Resource().Attributes())
		}
		from := s.InstrumentationScope()
		at, ok := place[from.Name]
		if !ok {
			at = len(out.ScopeSpans)
			place[from.Name] = at
			out.ScopeSpans = append(out.ScopeSpans, scopeSpans{Scope: scope{from.Name, from.Version}})
		}
		out.ScopeSpans[at].Spans = append(out.ScopeSpans[at].Spans, encodeSpan(s))
	}
	return batch{[]resourceSpans{out}}
}

func encodeSpan(s sdk.ReadOnlySpan) span {
	context, parent := s.SpanContext(), s.Parent()
	trace, id := context.TraceID(), context.SpanID()
	out := span{
		TraceID: hex.EncodeToString(trace[:]), SpanID: hex.EncodeToString(id[:]), TraceState: context.TraceState().String(),
		Flags: uint32(context.TraceFlags()) | knowsParent, Name: s.Name(), Kind: int(s.SpanKind()), Start: nanoseconds(s.StartTime()),
		End: nanoseconds(s.EndTime()), Attributes: attributes(s.Attributes()), Dropped: s.DroppedAttributes(),
	}
	if parent.HasSpanID() {
		id := parent.SpanID()
		out.Parent = hex.EncodeToString(id[:])
	}
	if parent.IsRemote() {
		out.Flags |= remoteParent
	}
	for _, e := range s.Events() {
		out.Events = append(out.Events, event{nanoseconds(e.Time), e.Name, attributes(e.Attributes)})
	}
	switch state := s.Status(); state.Code {
	case codes.Ok:
		out.Status = &status{Code: 1}
	case codes.Error:
		out.Status = &status{state.Description, 2}
	}
	return out
}

func nanoseconds(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func attributes(list []attribute.KeyValue) []keyValue {
	var out []keyValue
	for _, a := range list {
		out = append(out, keyValue{string(a.Key), value(a.Value)})
	}
	return out
}

// value is the message AnyValue.
func value(v attribute.Value) map[string]any {
	switch v.Type() {
	case attribute.BOOL:
		return map[string]any{"boolValue": v.AsBool()}
	case attribute.INT64:
		return map[string]any{"intValue": strconv.FormatInt(v.AsInt64(), 10)}
	case attribute.FLOAT64:
		return map[string]any{"doubleValue": v.AsFloat64()}
	case attribute.STRING:
		return map[string]any{"stringValue": v.AsString()}
	case attribute.BOOLSLICE:
		return array(v.AsBoolSlice(), attribute.BoolValue)
	case attribute.INT64SLICE:
		return array(v.AsInt64Slice(), attribute.Int64Value)
	case attribute.FLOAT64SLICE:
		return array(v.AsFloat64Slice(), attribute.Float64Value)
	case attribute.STRINGSLICE:
		return array(v.AsStringSlice(), attribute.StringValue)
	}
	return map[string]any{"stringValue": v.String()}
}

func array[T any](list []T, of func(T) attribute.Value) map[string]any {
	values := []any{}
	for _, v := range list {
		values = append(values, value(of(v)))
	}
	return map[string]any{"arrayValue": map[string]any{"values": values}}
}
