package lambdahttp_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/api/rest"
	"lectern/shared/aws/lambdahttp"
	"lectern/shared/aws/lambdahttp/lambdatest"
)

// seen returns the request that a handler gets for an event.
func seen(t *testing.T, e events.APIGatewayProxyRequest, o lambdahttp.Options) *http.Request {
	t.Helper()
	var got *http.Request
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r })
	if _, err := lambdahttp.Buffer(h, o)(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestPaths(t *testing.T) {
	for _, c := range []struct{ given, path, escaped string }{
		{"/v1/models", "/v1/models", "/v1/models"},
		{"/v1/files/uploads%2Fa.csv/content", "/v1/files/uploads/a.csv/content", "/v1/files/uploads%2Fa.csv/content"},
		{"/v1/models/a?b", "/v1/models/a?b", "/v1/models/a%3Fb"},
		{"/v1/models/a#b", "/v1/models/a#b", "/v1/models/a%23b"},
		{"/v1/models/100%", "/v1/models/100%", "/v1/models/100%25"},
		{"/v1/models/%zz", "/v1/models/%zz", "/v1/models/%25zz"},
		{"/v1/models/ä ü", "/v1/models/ä ü", "/v1/models/%C3%A4%20%C3%BC"},
		{"/v1/models/%C3%A4", "/v1/models/ä", "/v1/models/%C3%A4"},
		{"//host/x", "//host/x", "//host/x"},
		{"/v1//x", "/v1//x", "/v1//x"},
		{"/v1/a\r\nb", "/v1/a\r\nb", "/v1/a%0D%0Ab"},
		{"", "/", "/"},
		{"v1/x", "/v1/x", "/v1/x"},
	} {
		r := seen(t, events.APIGatewayProxyRequest{Path: c.given, HTTPMethod: "GET"}, lambdahttp.Options{})
		if r.URL.Path != c.path || r.URL.EscapedPath() != c.escaped || r.URL.RawQuery != "" || r.URL.Fragment != "" {
			t.Errorf("path %q became %q, escaped %q, want %q, %q", c.given, r.URL.Path, r.URL.EscapedPath(), c.path, c.escaped)
		}
	}
}

func TestBasePath(t *testing.T) {
	for given, want := range map[string]string{"/api/v1/models": "/v1/models", "/api": "/", "/apiary": "/apiary", "/v1/models": "/v1/models"} {
		r := seen(t, events.APIGatewayProxyRequest{Path: given, HTTPMethod: "GET"}, lambdahttp.Options{BasePath: "/api/"})
		if r.URL.Path != want {
			t.Errorf("below /api, path %q became %q, want %q", given, r.URL.Path, want)
		}
	}
}

func TestRequest(t *testing.T) {
	e := events.APIGatewayProxyRequest{
		Path: "/x", HTTPMethod: "POST", Body: base64.StdEncoding.EncodeToString([]byte("a\x00b")), IsBase64Encoded: true,
		Headers:                         map[string]string{"x-one": "1", "host": "example.com"},
		MultiValueHeaders:               map[string][]string{"x-one": {"1"}, "host": {"example.com"}, "X-Many": {"1", "2"}},
		MultiValueQueryStringParameters: map[string][]string{"q": {"a&b=c", "ü"}, "empty": {""}},
	}
	e.RequestContext.RequestID, e.RequestContext.Identity.SourceIP = "rid", "192.0.2.1"
	r := seen(t, e, lambdahttp.Options{})
	body, err := io.ReadAll(r.Body)
	if err != nil || string(body) != "a\x00b" || r.ContentLength != 3 {
		t.Errorf("body %q of %d bytes, %v", body, r.ContentLength, err)
	}
	if diff := cmp.Diff(url.Values{"q": {"a&b=c", "ü"}, "empty": {""}}, r.URL.Query()); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(http.Header{"X-One": {"1"}, "X-Many": {"1", "2"}, "X-Request-Id": {"rid"}}, r.Header); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if r.Host != "example.com" || r.RemoteAddr != "192.0.2.1" || r.URL.IsAbs() || r.URL.Host != "" {
		t.Errorf("host %q, remote %q, URL %s", r.Host, r.RemoteAddr, r.URL)
	}
	for _, multi := range []map[string][]string{nil, {}} {
		single := seen(t, events.APIGatewayProxyRequest{
			Path: "/x", HTTPMethod: "GET", QueryStringParameters: map[string]string{"limit": "5"},
			Headers: map[string]string{"x-one": "1", "host": "example.com"}, MultiValueHeaders: multi, MultiValueQueryStringParameters: multi,
		}, lambdahttp.Options{})
		if single.URL.Query().Get("limit") != "5" || single.Header.Get("X-One") != "1" || single.Host != "example.com" {
			t.Errorf("%s of %q with %v from an event with single values only", single.URL, single.Host, single.Header)
		}
	}
	if _, err := lambdahttp.Buffer(http.NotFoundHandler(), lambdahttp.Options{})(t.Context(),
		events.APIGatewayProxyRequest{Body: "?", IsBase64Encoded: true}); err == nil {
		t.Error("a body that is not base64 is taken")
	}
}

// TestSampleEvents: the events of the repository are requests as they look.
func TestSampleEvents(t *testing.T) {
	names, err := filepath.Glob("../../../events/rest-*.json")
	if err != nil || len(names) < 2 {
		t.Fatalf("sample events: %v, %v", names, err)
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var e events.APIGatewayProxyRequest
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r := seen(t, e, lambdahttp.Options{})
		if r.Method == "" || !strings.HasPrefix(r.URL.Path, "/v1/") || r.Host == "" || r.Header.Get("User-Agent") == "" {
			t.Errorf("%s: %s %s of host %q", name, r.Method, r.URL, r.Host)
		}
	}
}

func TestStreamArrivesAsItIsMade(t *testing.T) {
	next := make(chan string)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header()["Set-Cookie"] = []string{"a=1", "b=2"}
		for s := range next {
			io.WriteString(w, s)
		}
	})
	server := httptest.NewServer(lambdatest.Serve(h))
	defer server.Close()
	go func() { next <- "one" }()
	resp, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	buf := make([]byte, 3)
	for _, want := range []string{"one", "two", "end"} {
		if _, err := io.ReadFull(resp.Body, buf); err != nil || string(buf) != want {
			t.Fatalf("read %q, %v, want %q before the next is made", buf, err, want)
		}
		switch want {
		case "one":
			next <- "two"
		case "two":
			next <- "end"
		}
	}
	close(next)
	if rest, err := io.ReadAll(resp.Body); err != nil || len(rest) > 0 {
		t.Errorf("after the end: %q, %v", rest, err)
	}
	if got := resp.Header.Values("Set-Cookie"); len(got) != 2 || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("headers %v", resp.Header)
	}
}

func TestPanics(t *testing.T) {
	early := lambdahttp.Stream(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("early") }), lambdahttp.Options{})
	if _, err := early(t.Context(), events.APIGatewayProxyRequest{Path: "/"}); err == nil || !strings.Contains(err.Error(), "early") {
		t.Errorf("a panic before the first byte: %v", err)
	}
	late := lambdahttp.Stream(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "half")
		panic("late")
	}), lambdahttp.Options{})
	resp, err := late(t.Context(), events.APIGatewayProxyRequest{Path: "/"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(resp)
	if !bytes.HasSuffix(got, []byte("half")) || err == nil || errors.Is(err, io.EOF) {
		t.Errorf("a panic in mid answer: %q, %v, want half and an error", got, err)
	}
	resp.Close()
}

// TestClose: when nobody reads any longer, the handler is told and waited for.
func TestClose(t *testing.T) {
	ended := false
	stream := lambdahttp.Stream(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "x")
		<-r.Context().Done()
		ended = true
	}), lambdahttp.Options{})
	resp, err := stream(t.Context(), events.APIGatewayProxyRequest{Path: "/"})
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Close(); err != nil || !ended {
		t.Errorf("Close = %v, handler ended: %v", err, ended)
	}
}

// TestDeadline: an answer that takes too long ends with an error of the
// service's own, in time for the client to get it.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		h := rest.Handle(func(w http.ResponseWriter, r *http.Request) error {
			<-r.Context().Done()
			return r.Context().Err()
		})
		resp, err := lambdahttp.Buffer(h, lambdahttp.Options{})(ctx, events.APIGatewayProxyRequest{Path: "/"})
		if err != nil || resp.StatusCode != 503 || resp.Headers["X-Should-Retry"] != "false" || !strings.Contains(resp.Body, "/v1/messages/async") {
			t.Errorf("answer %+v, %v", resp, err)
		}
		if took := time.Since(start); took != 50*time.Second {
			t.Errorf("it ended after %v, want 10 s before the minute is over", took)
		}
	})
}

func TestBuffer(t *testing.T) {
	answer := func(kind string, body []byte, method string, status int) events.APIGatewayProxyResponse {
		t.Helper()
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if kind != "" {
				w.Header().Set("Content-Type", kind)
			}
			w.WriteHeader(status)
			w.Write(body)
		})
		resp, err := lambdahttp.Buffer(h, lambdahttp.Options{})(t.Context(), events.APIGatewayProxyRequest{Path: "/", HTTPMethod: method})
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	if r := answer("application/json", []byte(`{"a":"ü"}`), "GET", 200); r.Body != `{"a":"ü"}` || r.IsBase64Encoded {
		t.Errorf("JSON: %+v", r)
	}
	for kind, body := range map[string]string{"image/png": "\x89PNG", "text/plain": "\xff\xfe"} {
		r := answer(kind, []byte(body), "GET", 200)
		if raw, err := base64.StdEncoding.DecodeString(r.Body); err != nil || string(raw) != body || !r.IsBase64Encoded {
			t.Errorf("%s: %+v", kind, r)
		}
	}
	// A gateway decodes base64 only where the client's first media type says so.
	codings := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Header.Get("Accept-Encoding")) })
	if r, err := lambdahttp.Buffer(codings, lambdahttp.Options{})(t.Context(), events.APIGatewayProxyRequest{Path: "/", HTTPMethod: "GET",
		Headers: map[string]string{"Accept-Encoding": "gzip"}}); err != nil || r.Body != "" {
		t.Errorf("a client that takes gzip: %+v, %v", r, err)
	}
	if r := answer("text/plain", []byte("body"), "HEAD", 200); r.Body != "" {
		t.Errorf("HEAD: %+v", r)
	}
	if r := answer("", nil, "GET", 204); r.StatusCode != 204 || r.Body != "" {
		t.Errorf("204: %+v", r)
	}
	if r := answer("text/plain", bytes.Repeat([]byte("x"), 5<<20), "GET", 200); r.StatusCode != 500 || !json.Valid([]byte(r.Body)) {
		t.Errorf("5 MB: %d %.80s", r.StatusCode, r.Body)
	}
}

// FuzzPath: whatever a client asks for, the handler sees one path, and the same
// one that it would see without Lambda between.
func FuzzPath(f *testing.F) {
	for _, s := range []string{"/v1/files/a%2Fb", "/a?b#c", "//x", "/%", "/ü", "/%zz%41", "/a b", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		r := seen(t, events.APIGatewayProxyRequest{Path: path, HTTPMethod: "GET"}, lambdahttp.Options{})
		if !strings.HasPrefix(r.URL.Path, "/") || r.URL.RawQuery != "" || r.URL.Fragment != "" {
			t.Fatalf("path %q became %q", path, r.URL)
		}
		again, err := url.PathUnescape(r.URL.EscapedPath())
		if err != nil || again != r.URL.Path {
			t.Fatalf("path %q: %q escaped is %q, %v", path, r.URL.Path, r.URL.EscapedPath(), err)
		}
		if u, err := url.Parse("http://h" + path); err == nil && strings.HasPrefix(path, "/") && u.RawQuery == "" && !u.ForceQuery && u.Fragment == "" &&
			!strings.HasSuffix(path, "#") && u.Path != r.URL.Path {
			t.Fatalf("path %q is %q without Lambda and %q with it", path, u.Path, r.URL.Path)
		}
	})
}
