package cloud_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"lectern/shared/app/cloud"
)

// TestParameters: a secret is kept encrypted and never overwritten, and one
// that is not there may be forgotten.
func TestParameters(t *testing.T) {
	kept := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Name, Value, Type string
			Overwrite         bool
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		refuse := func(code string) {
			w.WriteHeader(http.StatusBadRequest)
			w.Write([]byte(`{"__type":"` + code + `"}`))
		}
		_, there := kept[in.Name]
		switch r.Header.Get("X-Amz-Target") {
		case "AmazonSSM.PutParameter":
			if in.Type != "SecureString" || in.Overwrite {
				t.Errorf("kept as %s, overwriting: %v", in.Type, in.Overwrite)
			}
			if there {
				refuse("ParameterAlreadyExists")
				return
			}
			kept[in.Name] = in.Value
		case "AmazonSSM.DeleteParameter":
			if !there {
				refuse("ParameterNotFound")
				return
			}
			delete(kept, in.Name)
		default:
			refuse("UnknownOperationException")
			return
		}
		w.Write([]byte("{}"))
	}))
	defer server.Close()
	secrets := cloud.Parameters(aws.Config{Region: "us-east-1", BaseEndpoint: &server.URL,
		Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")})
	for range 2 {
		if _, err := secrets.Keep(t.Context(), "/x", "first"); err != nil || kept["/x"] != "first" {
			t.Errorf("Keep = %v, kept %q", err, kept["/x"])
		}
	}
	for range 2 {
		if err := secrets.Forget(t.Context(), "/x"); err != nil || len(kept) != 0 {
			t.Errorf("Forget = %v, kept %v", err, kept)
		}
	}
}

// TestManagedSecrets: a secret is never overwritten, is found again by its ARN,
// and is gone at once when it is forgotten, so that its name can be used again.
func TestManagedSecrets(t *testing.T) {
	kept := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Name, SecretString, SecretID string
			ForceDeleteWithoutRecovery   bool
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		refuse := func(code string) {
			w.WriteHeader(http.StatusBadRequest)
			w.Write([]byte(`{"__type":"` + code + `"}`))
		}
		_, there := kept[in.Name+in.SecretID]
		switch r.Header.Get("X-Amz-Target") {
		case "secretsmanager.CreateSecret":
			if there {
				refuse("ResourceExistsException")
				return
			}
			kept[in.Name] = in.SecretString
		case "secretsmanager.DescribeSecret":
		case "secretsmanager.DeleteSecret":
			if !in.ForceDeleteWithoutRecovery {
				t.Error("deleted with a time of recovery")
			}
			if !there {
				refuse("ResourceNotFoundException")
				return
			}
			delete(kept, in.SecretID)
		default:
			refuse("UnknownOperationException")
			return
		}
		w.Write([]byte(`{"ARN":"arn:` + in.Name + in.SecretID + `"}`))
	}))
	defer server.Close()
	secrets := cloud.ManagedSecrets(aws.Config{Region: "us-east-1", BaseEndpoint: &server.URL,
		Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")})
	for _, value := range []string{"first", "second"} {
		if arn, err := secrets.Keep(t.Context(), "x", value); err != nil || arn != "arn:x" || kept["x"] != "first" {
			t.Errorf("Keep = %q, %v; kept %q", arn, err, kept["x"])
		}
	}
	for range 2 {
		if err := secrets.Forget(t.Context(), "x"); err != nil || len(kept) != 0 {
			t.Errorf("Forget = %v, kept %v", err, kept)
		}
	}
}
