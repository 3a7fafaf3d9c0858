package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lectern/infra/environment"
)

// account answers as AWS does for an account; what is missing in answers is not
// found.
func account(t *testing.T, answers map[string]string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := r.Header.Get("X-Amz-Target")
		if asked == "" {
			asked = r.Method + " " + r.URL.Path
		}
		_, asked, _ = cutLast(asked)
		answer, ok := answers[asked]
		if !ok {
			kind := map[string]string{"GetParameter": "ParameterNotFound"}[asked]
			if kind == "" {
				kind = "ResourceNotFoundException"
			}
			w.Header().Set("X-Amzn-Errortype", kind)
			w.WriteHeader(http.StatusNotFound)
			answer = `{"__type":"` + kind + `","message":"` + asked + `"}`
		}
		if strings.HasPrefix(answer, "<") {
			w.Header().Set("Content-Type", "text/xml")
		}
		io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": server.URL, "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_EC2_METADATA_DISABLED": "true", "AWS_MAX_ATTEMPTS": "1", "ACCOUNT": "123456789012", "ALARM_MAIL": "x@example.com"} {
		t.Setenv(name, value)
	}
}

// cutLast cuts at the last dot of a target, or keeps a method and path.
func cutLast(s string) (before, after string, found bool) {
	if i := strings.LastIndexByte(s, '.'); i >= 0 && !strings.Contains(s, " ") {
		return s[:i], s[i+1:], true
	}
	return "", s, false
}

func healthy() map[string]string {
	available := `{"modelId":"m","agreementAvailability":{"status":"AVAILABLE"},"authorizationStatus":"AUTHORIZED",` +
		`"entitlementAvailability":"AVAILABLE","regionAvailability":"AVAILABLE"}`
	return map[string]string{
		"POST /": `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">` +
			`<GetCallerIdentityResult><Account>123456789012</Account>` +
			`<Arn>arn:aws:iam::123456789012:user/x</Arn><UserId>x</UserId></GetCallerIdentityResult></GetCallerIdentityResponse>`,
		"GetParameter":                     `{"Parameter":{"Value":"30"}}`,
		"GET /account":                     `{"cloudwatchRoleArn":"arn:aws:iam::123456789012:role/x"}`,
		"GET /2016-08-19/account-settings": `{"AccountLimit":{"ConcurrentExecutions":1000,"UnreservedConcurrentExecutions":1000}}`,
		"GetAccountSettings": `{"accountSettingsDetail":{"capacityLimits":` +
			`{"maxIndexingCapacityInOCU":10,"maxSearchCapacityInOCU":10}}}`,
		"GET /foundation-model-availability/anthropic.claude-sonnet-4-5-20250929-v1:0": available,
		"GET /foundation-model-availability/amazon.titan-embed-text-v2:0":              available,
		"GET /use-case-for-model-access":                                               `{"formData":"e30="}`,
		"ListServiceQuotas": `{"Quotas":[{"QuotaName":` +
			`"Cross-region model inference tokens per minute for Anthropic Claude Sonnet 4.5","Value":200000}]}`,
	}
}

func examined(t *testing.T, env string) (bool, string) {
	t.Helper()
	var out bytes.Buffer
	ok, err := run(t.Context(), env, &out)
	if err != nil {
		t.Fatal(err)
	}
	return ok, out.String()
}

// TestHealthy: an account that has everything lacks nothing.
func TestHealthy(t *testing.T) {
	account(t, healthy())
	for _, e := range environment.All() {
		if ok, text := examined(t, e.Name); e.Name != "localstack" && (!ok || strings.Contains(text, "lack") ||
			!strings.Contains(text, "200000")) {
			t.Errorf("%s:\n%s", e.Name, text)
		}
	}
}

// TestLacks: each thing that an account lacks is one line that says what to do.
func TestLacks(t *testing.T) {
	for name, test := range map[string]struct {
		change func(answers map[string]string)
		says   string
	}{
		"bootstrap":     {func(a map[string]string) { delete(a, "GetParameter") }, "npx aws-cdk@2.1148.1 bootstrap aws://123456789012/us-east-1"},
		"old bootstrap": {func(a map[string]string) { a["GetParameter"] = `{"Parameter":{"Value":"5"}}` }, "version 5"},
		"other account": {func(a map[string]string) {
			a["POST /"] = strings.ReplaceAll(a["POST /"], "123456789012", "210987654321")
		}, "belongs to 123456789012"},
		"small quota": {func(a map[string]string) {
			a["GET /2016-08-19/account-settings"] = strings.ReplaceAll(a["GET /2016-08-19/account-settings"], "1000", "10")
		}, "L-B99A9384"},
		"other quota": {func(a map[string]string) {
			a["GET /2016-08-19/account-settings"] = strings.ReplaceAll(a["GET /2016-08-19/account-settings"], "1000", "3000")
		}, "Concurrency.Account says 1000"},
		"units": {func(a map[string]string) {
			a["GetAccountSettings"] = strings.ReplaceAll(a["GetAccountSettings"], "10", "0")
		}, "fewer than Search.Least"},
		"form": {func(a map[string]string) { delete(a, "GET /use-case-for-model-access") }, "Submit use case details"},
		"agreement": {func(a map[string]string) {
			for k := range a {
				a[k] = strings.ReplaceAll(a[k], `{"status":"AVAILABLE"}`, `{"status":"NOT_AVAILABLE"}`)
			}
		}, "aws-marketplace:Subscribe"},
		"tokens": {func(a map[string]string) {
			a["ListServiceQuotas"] = strings.ReplaceAll(a["ListServiceQuotas"], "200000", "0")
		}, "0 Cross-region model inference"},
		"model's region": {func(a map[string]string) {
			delete(a, "GET /foundation-model-availability/amazon.titan-embed-text-v2:0")
		}, "ResourceNotFoundException"},
	} {
		answers := healthy()
		test.change(answers)
		account(t, answers)
		if ok, text := examined(t, "prod"); ok || !strings.Contains(text, "lack") || !strings.Contains(text, test.says) {
			t.Errorf("%s: %v, want a line with %q:\n%s", name, ok, test.says, text)
		}
	}
	// Only the operator knows these.
	account(t, healthy())
	t.Setenv("ACCOUNT", "")
	if ok, text := examined(t, "prod"); ok || !strings.Contains(text, "ACCOUNT=") {
		t.Errorf("an environment without an account: %v\n%s", ok, text)
	}
}

// TestWithoutCredentials: it says what it would look at, and asks nobody.
func TestWithoutCredentials(t *testing.T) {
	account(t, nil)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("AWS_CONFIG_FILE", "/dev/null")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
	t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", "")
	ok, text := examined(t, "prod")
	for _, says := range []string{"no credentials", "bootstrap", "gateway's log role", "Lambda's quota", "compute units",
		"access to us.anthropic.claude",
		"tokens and requests a minute", "Anthropic's form"} {
		if !ok || !strings.Contains(text, says) {
			t.Errorf("%v, want %q in\n%s", ok, says, text)
		}
	}
}

func TestNameOf(t *testing.T) {
	for id, want := range map[string]string{
		"us.anthropic.claude-sonnet-4-5-20250929-v1:0": "claude-sonnet-4-5", "anthropic.claude-3-haiku-20240307-v1:0": "claude-3-haiku",
		"us-gov.amazon.nova-pro-v1:0": "nova-pro",
		"arn:aws:bedrock:us-east-1:1:inference-profile/us.meta.llama4-scout-17b-instruct-v1:0": "llama4-scout-17b-instruct",
	} {
		if got := nameOf(id); got != want {
			t.Errorf("nameOf(%q) = %q, want %q", id, got, want)
		}
	}
}
