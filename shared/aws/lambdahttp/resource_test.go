package lambdahttp_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-lambda-go/cfn"

	"lectern/shared/app/setup"
	"lectern/shared/aws/lambdahttp"
)

// TestResource: CloudFormation is told how a change went, under an identity
// that stays the same.
func TestResource(t *testing.T) {
	var told struct {
		Status, Reason string
		ID             string `json:"PhysicalResourceId"`
	}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&told); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	event := cfn.Event{RequestType: cfn.RequestCreate, ResponseURL: server.URL, LogicalResourceID: "Setup", ResourceProperties: map[string]any{"SealKey": "/x"}}
	var changes []setup.Change
	fails := error(nil)
	h := lambdahttp.Resource(func(_ context.Context, c setup.Change) error { changes = append(changes, c); return fails })
	if _, err := h(t.Context(), event); err != nil || told.Status != "SUCCESS" || told.ID != "Setup" {
		t.Errorf("a creation: told %+v, %v", told, err)
	}
	fails = errors.New("no index")
	event.RequestType, event.PhysicalResourceID = cfn.RequestUpdate, "kept"
	if _, err := h(t.Context(), event); err != nil || told.Status != "FAILED" || told.Reason != "no index" || told.ID != "kept" {
		t.Errorf("an update that fails: told %+v, %v", told, err)
	}
	if len(changes) != 2 || changes[0].Kind != "Create" || changes[1].Kind != "Update" || changes[0].Properties["SealKey"] != "/x" {
		t.Errorf("changes = %v", changes)
	}
}
