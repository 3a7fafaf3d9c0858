package lambdahttp

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// Stream returns a Lambda handler whose response starts while h still writes. A
// panic before the first byte is an error of the invocation; after it, the
// response is aborted, so that clients do not mistake it for complete.
func Stream(h http.Handler, o Options) func(context.Context, events.APIGatewayProxyRequest) (*events.APIGatewayProxyStreamingResponse,
	error) {
	return func(ctx context.Context, e events.APIGatewayProxyRequest) (*events.APIGatewayProxyStreamingResponse, error) {
		r, cancel, err := o.request(ctx, e)
		if err != nil {
			return nil, err
		}
		out, in := io.Pipe()
		w := &streamWriter{header: http.Header{}, pipe: in, head: make(chan struct{}), bare: r.Method == http.MethodHead}
		done := make(chan struct{})
		var failure error
		go func() {
			defer close(done)
			defer cancel()
			failure = serve(h, w, r)
			w.finish(failure)
		}()
		<-w.head
		if w.status == 0 {
			<-done
			return nil, failure
		}
		single, multi := split(w.sent)
		return &events.APIGatewayProxyStreamingResponse{
			StatusCode: w.status, Headers: single, MultiValueHeaders: multi, Body: &streamBody{PipeReader: out, cancel: cancel, done: done},
		}, nil
	}
}

// serve runs the handler and returns its panic as an error.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if cause, ok := p.(error); ok && errors.Is(cause, http.ErrAbortHandler) {
			err = cause
			return
		}
		err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}()
	h.ServeHTTP(w, r)
	return nil
}

// streamBody is the response body that the runtime reads. When the runtime
// stops reading, the handler's context ends and Close waits for the handler,
// because nothing may run while the function is frozen.
type streamBody struct {
	*io.PipeReader
	cancel func()
	done   chan struct{}
}

func (b *streamBody) Close() error {
	b.cancel()
	err := b.PipeReader.Close()
	<-b.done
	return err
}

// streamWriter is the handler's side. Each Write has been passed on when it returns.
type streamWriter struct {
	header http.Header
	sent   http.Header // snapshot of the header when the status was written
	status int
	pipe   *io.PipeWriter
	head   chan struct{} // closed when status and sent are set
	bare   bool          // the request is HEAD
}

func (w *streamWriter) Header() http.Header { return w.header }

func (w *streamWriter) WriteHeader(status int) {
	if w.status != 0 || status < 200 {
		return
	}
	w.status, w.sent = status, w.header.Clone()
	close(w.head)
}

func (w *streamWriter) Write(p []byte) (int, error) {
	begin(w, w.status, p)
	if len(p) == 0 || w.bare || !hasBody(w.status) {
		return len(p), nil
	}
	return w.pipe.Write(p)
}

// Flush sends the status; Write needs no flushing.
func (w *streamWriter) Flush() { begin(w, w.status, nil) }

// finish ends the response, and aborts it if the handler failed.
func (w *streamWriter) finish(failure error) {
	if failure != nil {
		if w.status == 0 {
			close(w.head)
		}
		w.pipe.CloseWithError(failure)
		return
	}
	begin(w, w.status, nil)
	w.pipe.CloseWithError(nil)
}

// begin sends status 200 if none was sent, with a content type detected from
// first, like net/http's server.
func begin(w http.ResponseWriter, status int, first []byte) {
	if status != 0 {
		return
	}
	if h := w.Header(); len(first) > 0 && h.Get("Content-Type") == "" {
		h.Set("Content-Type", http.DetectContentType(first))
	}
	w.WriteHeader(http.StatusOK)
}

func hasBody(status int) bool {
	return status != http.StatusNoContent && status != http.StatusNotModified
}

// split separates headers with one value from the others, and drops hop-by-hop
// headers, which the gateway sets.
func split(h http.Header) (single map[string]string, multi map[string][]string) {
	single = make(map[string]string, len(h))
	for name, values := range h {
		switch name {
		case "Connection", "Transfer-Encoding", "Keep-Alive", "Trailer", "Upgrade", "Content-Length":
			continue
		}
		if len(values) == 1 {
			single[name] = values[0]
			continue
		}
		if multi == nil {
			multi = map[string][]string{}
		}
		multi[name] = values
	}
	return single, multi
}

// maxBufferedBytes keeps a response below the limit of a buffered invocation, 6
// MB of JSON including base64.
const maxBufferedBytes = 4_400_000

// Buffer returns a Lambda handler that responds in one piece. A response that
// is too large becomes an error that says so. Compressed it would not arrive: an
// API that cannot stream decodes base64 for its binary media types alone, so the
// handler sees no Accept-Encoding.
func Buffer(h http.Handler, o Options) func(context.Context, events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
	return func(ctx context.Context, e events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
		r, cancel, err := o.request(ctx, e)
		if err != nil {
			return events.APIGatewayProxyResponse{}, err
		}
		defer cancel()
		r.Header.Del("Accept-Encoding")
		w := &bufferWriter{header: http.Header{}, bare: r.Method == http.MethodHead}
		if err := serve(h, w, r); err != nil {
			return events.APIGatewayProxyResponse{}, err
		}
		begin(w, w.status, nil)
		if w.over {
			return events.APIGatewayProxyResponse{
				StatusCode: http.StatusInternalServerError, Headers: map[string]string{"Content-Type": "application/json",
					"X-Should-Retry": "false"}, Body: tooLarge,
			}, nil
		}
		single, multi := split(w.sent)
		resp := events.APIGatewayProxyResponse{StatusCode: w.status, Headers: single, MultiValueHeaders: multi}
		if isText(w.sent) && utf8.Valid(w.body.Bytes()) {
			resp.Body = w.body.String()
		} else {
			resp.Body, resp.IsBase64Encoded = base64.StdEncoding.EncodeToString(w.body.Bytes()), true
		}
		return resp, nil
	}
}

const tooLarge = `{"type":"error","error":{"type":"api_error","message":"the answer is larger than this deployment can send in one piece"},"detail":"the answer is larger than this deployment can send in one piece"}`

type bufferWriter struct {
	header, sent http.Header
	status       int
	body         bytes.Buffer
	over, bare   bool
}

var errTooLarge = errors.New("the answer is too large for a buffered response")

func (w *bufferWriter) Header() http.Header { return w.header }

func (w *bufferWriter) WriteHeader(status int) {
	if w.status != 0 || status < 200 {
		return
	}
	w.status, w.sent = status, w.header.Clone()
}

func (w *bufferWriter) Write(p []byte) (int, error) {
	begin(w, w.status, p)
	if w.bare || !hasBody(w.status) {
		return len(p), nil
	}
	if w.body.Len()+len(p) > maxBufferedBytes {
		w.over = true
		return 0, errTooLarge
	}
	return w.body.Write(p)
}

// isText reports whether a body is text, which need not be base64 in the
// response's JSON.
func isText(h http.Header) bool {
	if h.Get("Content-Encoding") != "" {
		return false
	}
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	kind = strings.TrimSpace(strings.ToLower(kind))
	return kind == "" || strings.HasPrefix(kind, "text/") || kind == "application/json" || strings.HasSuffix(kind, "+json") ||
		kind == "application/xml"
}
