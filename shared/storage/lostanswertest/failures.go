package lostanswertest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
)

// Failures fails a request when it is sent first, each in another way in turn; the
// repeated request is done. Of requests that are the same only some fail, so that one
// of many callers at the same time is not always the unlucky one. Safe for concurrent
// use.
type Failures struct {
	// Changes chooses requests that may be done although their caller is told of a
	// failure; the others are not done then. nil: none.
	Changes func(r *http.Request) bool

	mu    sync.Mutex
	sent  map[string]int // how often each request was
	next  int
	count map[string]int
}

// failure is an answer in place of the server's.
type failure struct {
	name string
	// after says that the request was done.
	after  bool
	answer func(r *http.Request, done *http.Response) (*http.Response, error)
}

func status(code int, kind string) func(*http.Request, *http.Response) (*http.Response, error) {
	return func(r *http.Request, _ *http.Response) (*http.Response, error) {
		body := fmt.Sprintf(`{"__type":"com.amazonaws#%s","message":"injected"}`, kind)
		header := http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amzn-Errortype": {kind}}
		if r.Header.Get("X-Amz-Target") == "" {
			body = "<Error><Code>" + kind + "</Code><Message>injected</Message></Error>"
			header.Set("Content-Type", "application/xml")
		}
		return &http.Response{Status: fmt.Sprint(code), StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
			Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
	}
}

func broken(err error) func(*http.Request, *http.Response) (*http.Response, error) {
	return func(*http.Request, *http.Response) (*http.Response, error) { return nil, err }
}

// cut ends an answer in its middle, as a connection that breaks does.
func cut(_ *http.Request, done *http.Response) (*http.Response, error) {
	raw, err := io.ReadAll(done.Body)
	if err != nil {
		return nil, err
	}
	done.Body = io.NopCloser(io.MultiReader(bytes.NewReader(raw[:len(raw)/2]), failing{}))
	return done, nil
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// throttles are the codes by which services ask to be asked less; the first is for
// what is not asked by a target.
var throttles = map[string]string{"": "SlowDown", "DynamoDB": "ProvisionedThroughputExceededException", "AmazonSQS": "RequestThrottled",
	"AWSStepFunctions": "ThrottlingException"}

func throttled(r *http.Request, done *http.Response) (*http.Response, error) {
	service, _, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "_")
	service, _, _ = strings.Cut(service, ".")
	switch {
	case !strings.Contains(r.UserAgent(), "aws-sdk"): // a search engine
		return status(http.StatusTooManyRequests, "rejected_execution")(r, done)
	case service == "":
		return status(http.StatusServiceUnavailable, throttles[""])(r, done)
	}
	return status(http.StatusBadRequest, throttles[service])(r, done)
}

var failures = []failure{
	{"throttled", false, throttled},
	{"500 before", false, status(http.StatusInternalServerError, "InternalServerError")},
	{"503 before", false, status(http.StatusServiceUnavailable, "ServiceUnavailable")},
	{"reset before", false, broken(syscall.ECONNRESET)},
	{"500 after", true, status(http.StatusInternalServerError, "InternalServerError")},
	{"reset after", true, broken(syscall.ECONNRESET)},
	{"timed out after", true, broken(os.ErrDeadlineExceeded)},
	{"cut", true, cut},
	{"partly done", true, nil},
}

// RoundTrip implements http.RoundTripper.
func (t *Failures) RoundTrip(r *http.Request) (*http.Response, error) {
	r, raw, id, err := identify(r)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	if t.sent == nil {
		t.sent, t.count = map[string]int{}, map[string]int{}
	}
	again := t.sent[id]%2 == 1 || t.sent[id] > mostSame
	t.sent[id]++
	f := failures[t.next%len(failures)]
	changes := t.Changes != nil && t.Changes(r)
	if !again {
		t.next++
		if f.answer == nil && !divisible(r) || f.answer != nil && f.after && !changes && !reads(r) {
			again = true // it does not apply
			t.sent[id]++
		} else {
			t.count[f.name]++
		}
	}
	t.mu.Unlock()
	if again {
		return http.DefaultTransport.RoundTrip(r)
	}
	if f.answer == nil {
		return t.partly(r, raw, id)
	}
	if !f.after {
		return f.answer(r, nil)
	}
	done, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || done.StatusCode >= http.StatusMultipleChoices { // what the server refuses is not made worse
		t.skip(id)
		return done, err
	}
	answer, err := f.answer(r, done)
	if answer != done {
		done.Body.Close()
	}
	return answer, err
}

// mostSame is how often requests that are the same are sent while some of them fail.
const mostSame = 6

// skip counts a request as repeated, because it was answered.
func (t *Failures) skip(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent[id]++
}

// reads reports whether a request changes nothing.
func reads(r *http.Request) bool {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if operation == "" {
		return r.Method == http.MethodGet || r.Method == http.MethodHead || strings.HasSuffix(r.URL.Path, "search")
	}
	for _, verb := range []string{"Get", "BatchGet", "Query", "Describe", "List"} {
		if strings.HasPrefix(operation, verb) {
			return true
		}
	}
	return false
}

// divisible reports whether a server may do a part of a request and say so.
func divisible(r *http.Request) bool {
	target := r.Header.Get("X-Amz-Target")
	return strings.HasSuffix(target, ".BatchWriteItem") || strings.HasSuffix(target, ".BatchGetItem") || strings.HasSuffix(r.URL.Path, "/_bulk")
}

// partly lets the server do the first half of a request, and answers that the rest was
// not done.
func (t *Failures) partly(r *http.Request, raw []byte, id string) (*http.Response, error) {
	send := func(body []byte) (*http.Response, []byte, error) {
		half := r.Clone(r.Context())
		half.Body, half.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		resp, err := http.DefaultTransport.RoundTrip(half)
		if err != nil {
			return nil, nil, err
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		return resp, answer, err
	}
	answered := func(resp *http.Response, body []byte) *http.Response {
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		resp.Header.Del("Content-Length")
		resp.Header.Del("X-Amz-Crc32")
		return resp
	}
	var first, rest []byte
	var join func(answer []byte) ([]byte, error)
	if strings.HasSuffix(r.URL.Path, "/_bulk") {
		first, rest, join = halveBulk(raw)
	} else {
		first, rest, join = halveItems(raw, strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".BatchGetItem"))
	}
	if rest == nil { // one thing alone cannot be halved
		t.skip(id)
		return http.DefaultTransport.RoundTrip(r)
	}
	resp, answer, err := send(first)
	if err != nil || resp.StatusCode >= http.StatusMultipleChoices {
		return resp, err
	}
	t.skip(id) // what follows is another request
	if answer, err = join(answer); err != nil {
		return nil, err
	}
	return answered(resp, answer), nil
}

// halveItems halves DynamoDB's RequestItems.
func halveItems(raw []byte, get bool) (first, rest []byte, join func([]byte) ([]byte, error)) {
	var whole map[string]json.RawMessage
	var tables map[string]json.RawMessage
	if json.Unmarshal(raw, &whole) != nil || json.Unmarshal(whole["RequestItems"], &tables) != nil || len(tables) != 1 {
		return nil, nil, nil
	}
	for table, content := range tables {
		var list []json.RawMessage
		var keys map[string]json.RawMessage
		if get {
			if json.Unmarshal(content, &keys) != nil || json.Unmarshal(keys["Keys"], &list) != nil {
				return nil, nil, nil
			}
		} else if json.Unmarshal(content, &list) != nil {
			return nil, nil, nil
		}
		if len(list) < 2 {
			return nil, nil, nil
		}
		wrap := func(part []json.RawMessage) json.RawMessage {
			if !get {
				return encoded(map[string]any{table: part})
			}
			copied := map[string]json.RawMessage{}
			for k, v := range keys {
				copied[k] = v
			}
			copied["Keys"] = encoded(part)
			return encoded(map[string]any{table: copied})
		}
		rest = wrap(list[len(list)/2:])
		whole["RequestItems"] = wrap(list[:len(list)/2])
	}
	left := rest
	return encoded(whole), rest, func(answer []byte) ([]byte, error) {
		var said map[string]json.RawMessage
		if err := json.Unmarshal(answer, &said); err != nil {
			return nil, err
		}
		if get {
			said["UnprocessedKeys"] = left
		} else {
			said["UnprocessedItems"] = left
		}
		return json.Marshal(said)
	}
}

// halveBulk halves the operations of a bulk, of two lines each.
func halveBulk(raw []byte) (first, rest []byte, join func([]byte) ([]byte, error)) {
	lines := bytes.SplitAfter(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n"))
	if len(lines) < 4 || len(lines)%2 != 0 {
		return nil, nil, nil
	}
	at := len(lines) / 4 * 2
	first, rest = bytes.Join(lines[:at], nil), bytes.Join(lines[at:], nil)
	refused := (len(lines) - at) / 2
	return first, rest, func(answer []byte) ([]byte, error) {
		var said struct {
			Took   int               `json:"took"`
			Errors bool              `json:"errors"`
			Items  []json.RawMessage `json:"items"`
		}
		if err := json.Unmarshal(answer, &said); err != nil {
			return nil, err
		}
		said.Errors = true
		for range refused {
			said.Items = append(said.Items, json.RawMessage(`{"index":{"status":429,"error":{"type":"rejected_execution_exception","reason":"injected"}}}`))
		}
		return json.Marshal(said)
	}
}

func encoded(v any) json.RawMessage {
	raw, _ := json.Marshal(v) // raw messages
	return raw
}

// Count returns how often each failure happened.
func (t *Failures) Count() map[string]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	counts := map[string]int{}
	for name, n := range t.count {
		counts[name] = n
	}
	return counts
}

// identify returns a request that can be sent, its body, and what tells it from others.
func identify(r *http.Request) (sent *http.Request, body []byte, id string, err error) {
	id = r.Method + " " + r.URL.String() + " " + r.Header.Get("X-Amz-Target") + "\n"
	if r.Body != nil { // a clone, because a transport may not change its request
		raw, err := io.ReadAll(r.Body)
		if cerr := r.Body.Close(); err != nil || cerr != nil {
			return nil, nil, "", errors.Join(err, cerr)
		}
		id += string(raw)
		r = r.Clone(r.Context())
		r.Body = io.NopCloser(bytes.NewReader(raw))
		body = raw
	}
	return r, body, id, nil
}
