package cloud_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lectern/shared/app/cloud"
)

// TestSecretsAreReadAtOnce: each secret waits until all have been asked for.
func TestSecretsAreReadAtOnce(t *testing.T) {
	settings := map[string]string{"LECTERN_SEAL_KEY": "ssm:/d/seal", "LECTERN_WEBHOOK_SECRET": "ssm:/d/webhook", "LECTERN_KEYS": "secretsmanager:d/keys"}
	values := map[string]string{"/d/seal": "a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s=", "/d/webhook": "whsec_x",
		"d/keys": `[{"key": "0123456789abcdef", "collections": null}]`}
	asked := make(chan string, len(settings))
	all := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Name, SecretID string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		if asked <- in.Name + in.SecretID; len(asked) == len(settings) {
			close(all)
		}
		select {
		case <-all:
		case <-time.After(10 * time.Second):
			t.Error("one secret is asked for after the other")
		}
		value, _ := json.Marshal(values[in.Name+in.SecretID])
		io.WriteString(w, `{"SecretString":`+string(value)+`,"Parameter":{"Value":`+string(value)+`}}`)
	}))
	defer server.Close()
	for name, value := range settings {
		t.Setenv(name, value)
	}
	cloudEnvironment(t, server.URL)
	p, err := cloud.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Config.SealKey) != 32 || p.Config.WebhookSecret != "whsec_x" || p.Config.Keys == nil {
		t.Errorf("the settings are %+v", p.Config)
	}
}

// TestSecretsThatFail: each is named, by its reference.
func TestSecretsThatFail(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"__type":"AccessDeniedException"}`)
	}))
	defer server.Close()
	t.Setenv("LECTERN_SEAL_KEY", "ssm:/d/seal")
	t.Setenv("LECTERN_KEYS", "secretsmanager:d/keys")
	cloudEnvironment(t, server.URL)
	_, err := cloud.Open(t.Context())
	for _, says := range []string{"LECTERN_SEAL_KEY: read ssm:/d/seal", "LECTERN_KEYS: read secretsmanager:d/keys", "AccessDenied"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Open = %v, want an error with %q", err, says)
		}
	}
}

func cloudEnvironment(t *testing.T, endpoint string) {
	t.Helper()
	t.Setenv("SERVER_AUTH_ENABLED", "true")
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": endpoint, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "id",
		"AWS_SECRET_ACCESS_KEY": "secret"} {
		t.Setenv(name, value)
	}
}
