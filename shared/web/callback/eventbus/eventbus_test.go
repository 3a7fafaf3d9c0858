package eventbus_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/web/callback/eventbus"
)

func TestPublish(t *testing.T) {
	answer := `{"FailedEntryCount":0,"Entries":[{"EventId":"e"}]}`
	var asked map[string]any
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Amz-Target") != "AWSEvents.PutEvents" || !strings.Contains(r.Header.Get("Authorization"), "/events/aws4_request") {
			t.Errorf("asked with %v", r.Header)
		}
		_ = json.NewDecoder(r.Body).Decode(&asked)
		fmt.Fprint(w, answer)
	}))
	defer s.Close()
	bus := eventbus.Open(aws.Config{Region: "us-east-1", BaseEndpoint: &s.URL, Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")},
		"lectern")
	if err := bus.Publish(t.Context(), "documents", "ingest.done", "evt_1", []byte(`{"type":"ingest.done"}`)); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"Entries": []any{map[string]any{
		"Source": "documents", "DetailType": "ingest.done", "Detail": `{"type":"ingest.done"}`, "EventBusName": "lectern", "Resources": []any{"evt_1"},
	}}}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	answer = `{"FailedEntryCount":1,"Entries":[{"ErrorCode":"NotAuthorizedForSourceException"}]}`
	if err := bus.Publish(t.Context(), "aws.x", "k", "evt_1", []byte(`{}`)); err == nil || !strings.Contains(err.Error(), "NotAuthorized") {
		t.Errorf("a refused event: %v", err)
	}
	if err := bus.Publish(t.Context(), "x", "k", "evt_1", []byte(`{`)); err == nil {
		t.Error("half a JSON text is published")
	}
}
