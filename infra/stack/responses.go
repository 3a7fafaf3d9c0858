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

// gatewayResponses are what the gateway answers itself, of every type, in the
// words of the service.
//
// Source: Amazon API Gateway, "Gateway response types".
var gatewayResponses = map[string]struct {
	code fault.Code
	text string
}{
	"ACCESS_DENIED":                  {fault.Forbidden, "these credentials do not give access to this"},
	"API_CONFIGURATION_ERROR":        {fault.Internal, "the service is not set up correctly"},
	"AUTHORIZER_CONFIGURATION_ERROR": {fault.Internal, "the service is not set up correctly"},
	"AUTHORIZER_FAILURE":             {fault.Internal, "the credentials could not be checked"},
	"BAD_REQUEST_BODY":               {fault.Malformed, "the request's body cannot be read"},
	"BAD_REQUEST_PARAMETERS":         {fault.Malformed, "the request's parameters cannot be read"},
	"DEFAULT_4XX":                    {fault.Malformed, "the request cannot be answered"},
	"DEFAULT_5XX":                    {fault.Internal, "the service failed"},
	"EXPIRED_TOKEN":                  {fault.Unauthorized, "the credentials have expired"},
	"INTEGRATION_FAILURE":            {fault.Upstream, "the service did not answer"},
	"INTEGRATION_TIMEOUT":            {fault.Unavailable, "the service did not answer in time"},
	"INVALID_API_KEY":                {fault.Unauthorized, "the credentials are not valid"},
	"INVALID_SIGNATURE":              {fault.Unauthorized, "the signature is not valid"},
	"MISSING_AUTHENTICATION_TOKEN":   {fault.NotFound, "there is nothing at this address"},
	"QUOTA_EXCEEDED":                 {fault.RateLimited, "the quota is used up"},
	"REQUEST_TOO_LARGE":              {fault.TooLarge, "the request is too large; large files go by POST /v1/files/uploads"},
	"RESOURCE_NOT_FOUND":             {fault.NotFound, "there is nothing at this address"},
	"THROTTLED":                      {fault.RateLimited, "too many requests; try again in a moment"},
	"UNAUTHORIZED":                   {fault.Unauthorized, "credentials are needed"},
	"UNSUPPORTED_MEDIA_TYPE":         {fault.Malformed, "the request's content type is not supported"},
	"WAF_FILTERED":                   {fault.Forbidden, "the request was refused"},
}

// addGatewayResponses gives each type its status and body, and the headers by
// which SDKs and browsers know what to do.
func (b *builder) addGatewayResponses() {
	for _, kind := range slices.Sorted(maps.Keys(gatewayResponses)) {
		r := gatewayResponses[kind]
		err := fault.New(r.code, "%s", r.text)
		body, _ := json.Marshal(rest.Body(err, "$context.requestId")) // of text only, which cannot fail
		retry := "false"
		switch r.code {
		case fault.RateLimited, fault.Upstream, fault.Unavailable, fault.Internal:
			retry = "true"
		}
		props := &awsapigateway.CfnGatewayResponseProps{
			RestApiId: b.api.rest.Ref(), ResponseType: jsii.String(kind),
			ResponseTemplates: map[string]any{"application/json": string(body)},
			ResponseParameters: map[string]any{
				"gatewayresponse.header.request-id":                  "context.requestId",
				"gatewayresponse.header.x-should-retry":              "'" + retry + "'",
				"gatewayresponse.header.Access-Control-Allow-Origin": "'*'",
			},
		}
		// The two defaults stand for types with statuses of their own.
		if kind != "DEFAULT_4XX" && kind != "DEFAULT_5XX" {
			props.StatusCode = jsii.String(fmt.Sprint(rest.Status(err)))
		}
		response := awsapigateway.NewCfnGatewayResponse(b.stack, jsii.String("Response"+pathID(kind)), props)
		b.api.parts = append(b.api.parts, response)
		b.api.described = append(b.api.described, kind, string(body))
	}
}
