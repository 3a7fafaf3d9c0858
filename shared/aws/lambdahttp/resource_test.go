package lambdahttp_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-lambda-go/cfn"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/aws/lambdahttp"
)

// TestResource: CloudFormation is told how a change went, under an identity
// that stays the same.
func TestResource(t *testing.T) {
	var told struct {
		Status, Reason string
		ID             string `json:"PhysicalResourceId"`
		Data           map[string]any
	}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&told); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	event := cfn.Event{RequestType: cfn.RequestCreate, ResponseURL: server.URL, LogicalResourceID: "Setup",
		ResourceProperties: map[string]any{"SealKey": "/x"}}
	var kinds []string
	fails := error(nil)
	h := lambdahttp.Resource(func(_ context.Context, kind string, properties map[string]any) (map[string]any, error) {
		if properties["SealKey"] != "/x" {
			t.Errorf("%s: properties %v", kind, properties)
		}
		kinds = append(kinds, kind)
		return map[string]any{"Keys": "arn"}, fails
	})
	if _, err := h(t.Context(), event); err != nil || told.Status != "SUCCESS" || told.ID != "Setup" || told.Data["Keys"] != "arn" {
		t.Errorf("a creation: told %+v, %v", told, err)
	}
	fails = errors.New("no index")
	event.RequestType, event.PhysicalResourceID = cfn.RequestUpdate, "kept"
	if _, err := h(t.Context(), event); err != nil || told.Status != "FAILED" || told.Reason != "no index" || told.ID != "kept" {
		t.Errorf("an update that fails: told %+v, %v", told, err)
	}
	if diff := cmp.Diff([]string{"Create", "Update"}, kinds); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}
