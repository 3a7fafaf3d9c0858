package lambdahttp_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/auth"
	"lectern/shared/aws/lambdahttp"
	"lectern/shared/fault"
)

// TestCaller: what the authorizer says decides, never a header; two principals
// are two tenants, and who is given no collections reaches none.
func TestCaller(t *testing.T) {
	ask := func(said map[string]any) (p auth.Principal, err error) {
		h := lambdahttp.Buffer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { p, err = lambdahttp.Caller(r) }), lambdahttp.Options{})
		e := events.APIGatewayProxyRequest{HTTPMethod: "GET", Path: "/x", Headers: map[string]string{"principalId": "ann", "X-Principal": "ann"}}
		e.RequestContext.Authorizer = said
		if _, herr := h(context.Background(), e); herr != nil {
			t.Fatal(herr)
		}
		return p, err
	}
	ann, err := ask(map[string]any{"principalId": "ann", "collections": "*", "integrationLatency": 12.0})
	if err != nil || ann.Collections != nil || ann.Tenant == "" {
		t.Errorf("ann is %+v, %v; want every collection", ann, err)
	}
	bob, err := ask(map[string]any{"principalId": "bob", "collections": `["a", "b"]`})
	if diff := cmp.Diff([]string{"a", "b"}, bob.Collections); err != nil || diff != "" || bob.Tenant == ann.Tenant || !bob.Allows("b") || bob.Allows("c") {
		t.Errorf("bob is %+v, %v; want the collections a and b and a tenant of his own", bob, err)
	}
	if eve, err := ask(map[string]any{"principalId": "eve"}); err != nil || eve.Collections == nil || eve.Allows("a") {
		t.Errorf("eve is %+v, %v; want no collection", eve, err)
	}
	for _, said := range []map[string]any{nil, {}, {"principalId": ""}, {"principalId": 7.0}} {
		if p, err := ask(said); !fault.Is(err, fault.Unauthorized) {
			t.Errorf("%v is %+v, %v; want Unauthorized", said, p, err)
		}
	}
	for _, bad := range []string{"a,b", "null", `{"a":1}`} {
		if p, err := ask(map[string]any{"principalId": "x", "collections": bad}); !fault.Is(err, fault.Forbidden) {
			t.Errorf("collections %s are %+v, %v; want Forbidden", bad, p, err)
		}
	}
}
