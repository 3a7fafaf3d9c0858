package rest

import (
	"context"
	"net/http"
	"strings"

	"lectern/shared/api/schema"
	"lectern/shared/fault"
)

// openAIPaths are those whose clients expect the errors of OpenAI's API. Its error
// object lies in the standard body too, so that only the paths that other clients do
// not use have a body of their own.
var openAIPaths = []string{"/v1/chat/completions", "/v1/responses"}

// SpeaksOpenAI reports whether the errors of a path are those of OpenAI's API.
func SpeaksOpenAI(path string) bool {
	for _, p := range openAIPaths {
		if path == p || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}

// OpenAIStatus is the status by which OpenAI's clients know a kind of failure.
func OpenAIStatus(status int) int {
	switch status {
	case http.StatusUnprocessableEntity:
		return http.StatusBadRequest
	case 529:
		return http.StatusServiceUnavailable
	}
	return status
}

// OpenAIErrorBody is the body of an error on the paths of OpenAI's API.
type OpenAIErrorBody struct {
	Error OpenAIErrorObject `json:"error"`
}

// OpenAIErrorObject says what is wrong, and with which field.
type OpenAIErrorObject struct {
	Message string  `json:"message"`
	Type    string  `json:"type" doc:"such as invalid_request_error"`
	Param   *string `json:"param" doc:"the field that is wrong, such as messages[0].content"`
	Code    *string `json:"code"`
}

// OpenAIError renders an error as OpenAI's API does.
func OpenAIError(ctx context.Context, err error) []byte {
	raw, _ := schema.Marshal(OpenAIErrorBody{OpenAIErrorOf(ctx, err)})
	return raw
}

// OpenAIErrorOf is the object of OpenAIError.
func OpenAIErrorOf(ctx context.Context, err error) OpenAIErrorObject {
	err = ended(ctx, err)
	b := Body(err, RequestID(ctx))
	out := OpenAIErrorObject{Message: b.Error.Message, Type: "invalid_request_error"}
	code := strings.ReplaceAll(fault.CodeOf(err).String(), " ", "_")
	switch status := Status(err); {
	case status == http.StatusUnauthorized:
		code = "invalid_api_key"
	case status == http.StatusTooManyRequests:
		out.Type, code = "rate_limit_error", "rate_limit_exceeded"
	case status >= 500:
		out.Type = "server_error"
	}
	if f := fault.As(err); f != nil && len(f.Problems) > 0 {
		code = f.Problems[0].Type
		if place := f.Problems[0].Place(); place != "" {
			out.Param = &place
		}
	}
	out.Code = &code
	return out
}
