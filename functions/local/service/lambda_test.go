package service_test

import (
	"net/http"
	"testing"

	"lectern/functions/local/service/servicetest"
	"lectern/shared/api/rest/replay"
	"lectern/shared/aws/lambdahttp/lambdatest"
)

// TestRecordingsThroughLambda: what pins the handlers holds just so when every
// request comes as a Lambda event.
func TestRecordingsThroughLambda(t *testing.T) {
	replay.Run(t, "../../*/testdata/*.txtar", func(t *testing.T) http.Handler { return lambdatest.Serve(servicetest.Handler(t)) })
}
