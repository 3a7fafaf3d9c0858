package stack

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/jsii-runtime-go"

	"lectern/shared/api/rest"
	"lectern/shared/fault"
)

// gatewayResponses are the gateway's own errors, of every type, in the
// service's error format.
//
// Source: Amazon API Gateway, "Gateway response types".
var gatewayResponses = map[string]struct {
	code fault.Code
	text string
}{
	"ACCESS_DENIED":                  {fault.Forbidden, "these credentials do not permit this request"},
	"API_CONFIGURATION_ERROR":        {fault.Internal, "the service is misconfigured"},
	"AUTHORIZER_CONFIGURATION_ERROR": {fault.Internal, "the service is misconfigured"},
	"AUTHORIZER_FAILURE":             {fault.Internal, "the credentials could not be checked"},
	"BAD_REQUEST_BODY":               {fault.Malformed, "the request body is invalid"},
	"BAD_REQUEST_PARAMETERS":         {fault.Malformed, "the request parameters are invalid"},
	"DEFAULT_4XX":                    {fault.Malformed, "the request is invalid"},
	"DEFAULT_5XX":                    {fault.Internal, "the service failed"},
	"EXPIRED_TOKEN":                  {fault.Unauthorized, "the credentials have expired"},
	"INTEGRATION_FAILURE":            {fault.Upstream, "the service did not answer"},
	"INTEGRATION_TIMEOUT":            {fault.Unavailable, "the service did not answer in time"},
	"INVALID_API_KEY":                {fault.Unauthorized, "the credentials are not valid"},
	"INVALID_SIGNATURE":              {fault.Unauthorized, "the signature is not valid"},
	"MISSING_AUTHENTICATION_TOKEN":   {fault.NotFound, "no such path"},
	"QUOTA_EXCEEDED":                 {fault.RateLimited, "the quota is exhausted"},
	"REQUEST_TOO_LARGE":              {fault.TooLarge, "the request is too large; use POST /v1/files/uploads for large files"},
	"RESOURCE_NOT_FOUND":             {fault.NotFound, "no such path"},
	"THROTTLED":                      {fault.RateLimited, "too many requests; retry later"},
	"UNAUTHORIZED":                   {fault.Unauthorized, "missing credentials"},
	"UNSUPPORTED_MEDIA_TYPE":         {fault.Malformed, "the request's content type is not supported"},
	"WAF_FILTERED":                   {fault.Forbidden, "the request was blocked"},
}

// addGatewayResponses sets the status and body of each type, and the headers
// that SDKs and browsers need.
func (b *builder) addGatewayResponses() {
	for _, kind := range slices.Sorted(maps.Keys(gatewayResponses)) {
		r := gatewayResponses[kind]
		err := fault.New(r.code, "%s", r.text)
		body, _ := json.Marshal(rest.Body(err, "$context.requestId")) // strings only, which cannot fail
		retry := "false"
		switch r.code {
		case fault.RateLimited, fault.Upstream, fault.Unavailable, fault.Internal:
			retry = "true"
		}
		props := &awsapigateway.CfnGatewayResponseProps{
			RestApiId: b.api.rest.Ref(), ResponseType: jsii.String(kind),
			ResponseTemplates: map[string]any{"application/json": string(body)},
			ResponseParameters: map[string]any{
				"gatewayresponse.header.request-id":     "context.requestId",
				"gatewayresponse.header.x-should-retry": "'" + retry + "'",
			},
		}
		if origin := b.environment.Origin; origin != "" {
			props.ResponseParameters.(map[string]any)["gatewayresponse.header.Access-Control-Allow-Origin"] = "'" + origin + "'"
		}
		// The two defaults cover types with different statuses.
		if kind != "DEFAULT_4XX" && kind != "DEFAULT_5XX" {
			props.StatusCode = jsii.String(fmt.Sprint(rest.Status(err)))
		}
		response := awsapigateway.NewCfnGatewayResponse(b.stack, jsii.String("Response"+pathID(kind)), props)
		b.api.parts = append(b.api.parts, response)
		b.api.described = append(b.api.described, kind, string(body), b.environment.Origin)
	}
}
