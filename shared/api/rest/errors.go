package rest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"lectern/shared/api/schema"
	"lectern/shared/fault"
)

// kinds maps codes to HTTP statuses and error types.
var kinds = map[fault.Code]struct {
	status int
	name   string
}{
	fault.Internal:     {500, "api_error"},
	fault.Malformed:    {400, "invalid_request_error"},
	fault.Unauthorized: {401, "authentication_error"},
	fault.Forbidden:    {403, "permission_error"},
	fault.NotFound:     {404, "not_found_error"},
	fault.NotAllowed:   {405, "invalid_request_error"},
	fault.Conflict:     {409, "conflict_error"},
	fault.TooLarge:     {413, "request_too_large"},
	fault.OutOfRange:   {416, "invalid_request_error"},
	fault.Invalid:      {422, "invalid_request_error"},
	fault.RateLimited:  {429, "rate_limit_error"},
	fault.Unsupported:  {501, "not_supported_error"},
	fault.Upstream:     {502, "api_error"},
	fault.Unavailable:  {503, "api_error"},
	fault.Overloaded:   {529, "overloaded_error"},
	fault.Cancelled:    {499, "api_error"},
}

// ErrorBody is the body of every answer with a status of 400 and above and,
// without detail, the data of an error event.
type ErrorBody struct {
	Type      string      `json:"type" enum:"error"`
	Error     ErrorObject `json:"error"`
	RequestID string      `json:"request_id"`
	Detail    any         `json:"detail,omitempty" doc:"a string, or for validation a list of {loc, msg, type, input?, ctx?}"`
}

// DescribeSchema describes the forms of detail.
func (*ErrorBody) DescribeSchema(g *schema.Generator) schema.Doc {
	type plain ErrorBody
	list := schema.Doc{"type": "array", "items": g.For(fault.Problem{})}
	return g.With(plain{}, map[string]schema.Doc{"detail": schema.AnyOf(schema.Doc{"type": "string"}, list)})
}

// ErrorObject is the type and message of an error.
type ErrorObject struct {
	Type    string         `json:"type" doc:"such as invalid_request_error"`
	Message string         `json:"message"`
	Details map[string]any `json:"details,omitempty"`
}

// Status returns the HTTP status of an error.
func Status(err error) int { return kinds[fault.CodeOf(err)].status }

// Body renders an error, using only a fault's public parts.
func Body(err error, requestID string) ErrorBody {
	f := fault.As(err)
	if f == nil || f.Code == fault.Internal {
		f = &fault.Error{Msg: "an internal error occurred; the log has details under this request_id"}
	}
	msg := f.Msg
	if msg == "" {
		msg = f.Code.String()
	}
	b := ErrorBody{Type: "error", Error: ErrorObject{kinds[f.Code].name, msg, f.Details}, RequestID: requestID, Detail: msg}
	if len(f.Problems) > 0 {
		b.Error.Message = summary(f.Problems)
		if !f.Loose {
			b.Detail = f.Problems
		}
	}
	return b
}

// summary names the field of the first problem and its message in one line, for
// clients that show only the message.
func summary(list []fault.Problem) string {
	msg := list[0].Sentence()
	if len(list) > 1 {
		msg += " (and " + strconv.Itoa(len(list)-1) + " more)"
	}
	return msg
}

// ended replaces a context error by the fault given as the context's cause, if
// there is one.
func ended(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, ctx.Err()) && fault.As(cause) != nil {
		return cause
	}
	return err
}

// EventData returns the data of an error event.
func EventData(ctx context.Context, err error) []byte {
	return EventDataFor(RequestID(ctx), ended(ctx, err))
}

// EventDataFor is EventData for a request that has already ended.
func EventDataFor(requestID string, err error) []byte {
	b := Body(err, requestID)
	b.Detail = nil
	raw, _ := schema.Marshal(b)
	return raw
}

// WriteError answers with the standard error body.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	err = ended(r.Context(), err)
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		err = &fault.Error{Code: fault.Cancelled, Cause: err}
	}
	f := fault.As(err)
	status := Status(err)
	h := w.Header()
	if status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	if f != nil {
		if f.RetryAfter > 0 {
			h.Set("Retry-After", strconv.Itoa(int((f.RetryAfter+time.Second-1)/time.Second)))
		} else if f.Code == fault.RateLimited || f.Code == fault.Unavailable && !f.NoRetry {
			h.Set("Retry-After", "1")
		}
		if f.NoRetry || f.Code == fault.Unsupported {
			h.Set("X-Should-Retry", "false")
		}
	}
	raw, _ := json.Marshal(Body(err, RequestID(r.Context())))
	if SpeaksOpenAI(r.URL.Path) {
		status, raw = OpenAIStatus(status), OpenAIError(r.Context(), err)
	}
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(status)
	w.Write(raw)
}
