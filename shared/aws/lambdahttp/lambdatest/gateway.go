package lambdatest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"

	"lectern/shared/aws/lambdahttp"
)

// Event returns the event that a REST API sends to a function for a request:
// the path as the client sent it, the query decoded, and every body in base64,
// as for binary media types.
func Event(r *http.Request, stage string) (events.APIGatewayProxyRequest, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return events.APIGatewayProxyRequest{}, err
	}
	e := events.APIGatewayProxyRequest{
		Resource: "/{proxy+}", Path: r.URL.EscapedPath(), HTTPMethod: r.Method,
		Headers: map[string]string{}, MultiValueHeaders: map[string][]string{}, MultiValueQueryStringParameters: r.URL.Query(),
	}
	for name, values := range r.Header {
		e.Headers[name], e.MultiValueHeaders[name] = values[len(values)-1], values
	}
	e.Headers["Host"], e.MultiValueHeaders["Host"] = r.Host, []string{r.Host}
	e.RequestContext.Stage, e.RequestContext.HTTPMethod, e.RequestContext.Path = stage, r.Method, "/"+stage+e.Path
	e.RequestContext.Identity.SourceIP = strings.Trim(r.RemoteAddr[:max(0, strings.LastIndexByte(r.RemoteAddr, ':'))], "[]")
	if len(body) > 0 {
		e.Body, e.IsBase64Encoded = base64.StdEncoding.EncodeToString(body), true
	}
	return e, nil
}

// Gateway serves a streaming function like a REST API: each request becomes an
// event, and the response is streamed.
func Gateway(invoke func(context.Context, []byte) (Answer, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, err := Event(r, "test")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		raw, err := json.Marshal(event)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		a, err := invoke(r.Context(), raw)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer a.Body.Close()
		if err := relay(w, a.Body); err != nil {
			panic(http.ErrAbortHandler) // aborts the client's connection
		}
	})
}

// relay reads the head of a streamed response, eight zero bytes and the body,
// and forwards head and body.
func relay(w http.ResponseWriter, body io.Reader) error {
	in := bufio.NewReader(body)
	var head struct {
		StatusCode        int
		Headers           map[string]string
		MultiValueHeaders map[string][]string
	}
	raw, err := in.ReadBytes(0)
	if err != nil {
		return fmt.Errorf("the answer has no head: %w", err)
	}
	if err := json.Unmarshal(bytes.TrimSuffix(raw, []byte{0}), &head); err != nil {
		return err
	}
	if _, err := in.Discard(7); err != nil {
		return err
	}
	for name, value := range head.Headers {
		w.Header().Set(name, value)
	}
	for name, values := range head.MultiValueHeaders {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	w.WriteHeader(head.StatusCode)
	out := http.NewResponseController(w)
	buf := make([]byte, 32<<10)
	for {
		n, err := in.Read(buf)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return err
			}
			_ = out.Flush() // httptest.ResponseRecorder need not flush
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Serve serves h through the adapter and the simulated gateway, in one process.
func Serve(h http.Handler) http.Handler {
	stream := lambdahttp.Stream(h, lambdahttp.Options{})
	return Gateway(func(ctx context.Context, raw []byte) (Answer, error) {
		var e events.APIGatewayProxyRequest
		if err := json.Unmarshal(raw, &e); err != nil {
			return Answer{}, err
		}
		resp, err := stream(ctx, e)
		if err != nil {
			return Answer{}, err
		}
		return Answer{ContentType: resp.ContentType(), Body: struct {
			io.Reader
			io.Closer
		}{resp, resp}}, nil
	})
}
