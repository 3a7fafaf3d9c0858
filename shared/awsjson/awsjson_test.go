package awsjson_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"lectern/shared/awsjson"
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

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		calls  int
		code   string
	}{
		{400, `{"__type":"com.amazonaws.ssm#ParameterNotFound","message":"none"}`, 1, "ParameterNotFound"},
		{400, `{"__type":"ThrottlingException"}`, 4, "ThrottlingException"},
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
