package awsjson_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/aws/awsjson"
)

type transport func(*http.Request) *http.Response

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

func answer(status int, body string) *http.Response {
	w := httptest.NewRecorder()
	w.WriteHeader(status)
	w.WriteString(body)
	return w.Result()
}

func client(f transport) *awsjson.Client {
	return &awsjson.Client{
		Config:  aws.Config{Region: "eu-west-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "token")},
		Service: "ssm", Target: "AmazonSSM", Version: "1.1", HTTP: &http.Client{Transport: f},
	}
}

func TestCall(t *testing.T) {
	c := client(func(r *http.Request) *http.Response {
		var in map[string]string
		err := json.NewDecoder(r.Body).Decode(&in)
		if err != nil || in["Name"] != "n" || r.URL.String() != "https://ssm.eu-west-1.amazonaws.com/" || r.Header.Get("X-Amz-Target") != "AmazonSSM.GetParameter" ||
			r.Header.Get("Content-Type") != "application/x-amz-json-1.1" || r.Header.Get("X-Amz-Security-Token") != "token" ||
			!strings.Contains(r.Header.Get("Authorization"), "/eu-west-1/ssm/aws4_request") {
			t.Errorf("asked %s with %v, %v", r.URL, r.Header, err)
		}
		return answer(200, `{"Value":"v"}`)
	})
	var out struct{ Value string }
	if err := c.Call(t.Context(), "GetParameter", map[string]string{"Name": "n"}, &out); err != nil || out.Value != "v" {
		t.Errorf("Call = %v, %+v", err, out)
	}
}

// TestConfiguredClient: without a client of its own, calls go by that of the
// configuration.
func TestConfiguredClient(t *testing.T) {
	asked := 0
	c := client(nil)
	c.HTTP, c.Config.HTTPClient = nil, &http.Client{Transport: transport(func(*http.Request) *http.Response { asked++; return answer(200, `{}`) })}
	if err := c.Call(t.Context(), "GetParameter", map[string]string{"Name": "n"}, nil); err != nil || asked != 1 {
		t.Errorf("Call = %v, and the configuration's client was asked %d times", err, asked)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		calls  int
		code   string
	}{
		{400, `{"__type":"com.amazonaws.ssm#ParameterNotFound","message":"none"}`, 1, "ParameterNotFound"},
		{400, `{"__type":"ThrottlingException"}`, 4, "ThrottlingException"},
		{400, `{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"}`, 4, "ProvisionedThroughputExceededException"},
		{503, `<html>`, 4, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			err := client(func(*http.Request) *http.Response { calls++; return answer(c.status, c.body) }).Call(t.Context(), "GetParameter", nil, nil)
			if calls != c.calls || !awsjson.Is(err, c.code) {
				t.Errorf("%d %s: %d calls, %v; want %d calls and code %q", c.status, c.body, calls, err, c.calls, c.code)
			}
		})
	}
}

// TestTries: a caller may ask for more tries; the wait between them stays
// below five seconds.
func TestTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls, start := 0, time.Now()
		c := client(func(*http.Request) *http.Response { calls++; return answer(503, "") })
		c.Tries = 30
		if err := c.Call(t.Context(), "GetParameter", nil, nil); err == nil || calls != 30 || time.Since(start) > 29*5*time.Second {
			t.Errorf("%d calls in %s, %v; want 30", calls, time.Since(start), err)
		}
	})
}

// TestClients: a call uses its own client, else that of the settings.
func TestClients(t *testing.T) {
	var used []string
	note := func(name string) transport {
		return func(*http.Request) *http.Response { used = append(used, name); return answer(200, `{}`) }
	}
	c := client(note("own"))
	c.Config.HTTPClient = &http.Client{Transport: note("settings")}
	for range 2 {
		if err := c.Call(t.Context(), "GetParameter", nil, nil); err != nil {
			t.Fatal(err)
		}
		c.HTTP = nil
	}
	if diff := cmp.Diff([]string{"own", "settings"}, used); diff != "" {
		t.Errorf("clients used (-want +got):\n%s", diff)
	}
}

// TestSign: a request that is sent elsewhere carries the hash of its body.
func TestSign(t *testing.T) {
	r, err := http.NewRequest(http.MethodPost, "https://x.eu-west-1.aoss.amazonaws.com/i/_bulk", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := awsjson.Sign(client(nil).Config, "aoss", r, []byte("abc")); err != nil {
		t.Fatal(err)
	}
	const hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	authority := r.Header.Get("Authorization")
	if r.Header.Get("X-Amz-Content-Sha256") != hash || !strings.Contains(authority, "/eu-west-1/aoss/aws4_request") || !strings.Contains(authority, "x-amz-content-sha256") {
		t.Errorf("signed as %v", r.Header)
	}
}
