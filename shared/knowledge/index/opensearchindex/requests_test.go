package opensearchindex_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/google/go-cmp/cmp"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/opensearchindex"
)

// scripted answers requests one by one; its last answer repeats.
type scripted struct {
	answers []string // status, a space, and the body; without one the connection fails
	asked   []string // method and URL
	bodies  []string
	headers []http.Header
}

func (s *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	answer := s.answers[min(len(s.asked), len(s.answers)-1)]
	s.asked, s.bodies = append(s.asked, r.Method+" "+r.URL.String()), append(s.bodies, string(body))
	s.headers = append(s.headers, r.Header.Clone())
	if answer == "" {
		return nil, errors.New("connection refused")
	}
	var status int
	code, text, _ := strings.Cut(answer, " ")
	if _, err := fmt.Sscan(code, &status); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	w.WriteHeader(status)
	w.WriteString(text)
	return w.Result(), nil
}

// ids are the chunks of a bulk request in their order.
func ids(body string) []string {
	var list []string
	for scan := bufio.NewScanner(strings.NewReader(body)); scan.Scan(); {
		if _, rest, ok := strings.Cut(scan.Text(), `"id":"`); ok {
			id, _, _ := strings.Cut(rest, `"`)
			list = append(list, id)
		}
	}
	return list
}

func chunks(names ...string) []index.Chunk {
	var list []index.Chunk
	for i, id := range names {
		list = append(list, index.Chunk{ID: id, Collection: "c", Artifact: "a", Generation: "g", Order: i, Text: "the text of " + id})
	}
	return list
}

// TestRequests: what is tried again, how often, and what comes of it.
func TestRequests(t *testing.T) {
	const done = `200 {"errors":false}`
	for name, test := range map[string]struct {
		answers []string
		fails   bool
		code    fault.Code
		sent    [][]string // the chunks of each request
	}{
		"at once": {[]string{done}, false, 0, [][]string{{"x", "y", "z"}}},
		"busy": {[]string{"429 busy", "503 later", "", done}, false, 0,
			[][]string{{"x", "y", "z"}, {"x", "y", "z"}, {"x", "y", "z"}, {"x", "y", "z"}}},
		"always busy": {[]string{"429 busy"}, true, fault.Overloaded, [][]string{{"x", "y", "z"}, {"x", "y", "z"}, {"x", "y", "z"}, {"x", "y", "z"},
			{"x", "y", "z"}}},
		"never there":   {[]string{""}, true, fault.Unavailable, [][]string{{"x", "y", "z"}, {"x", "y", "z"}, {"x", "y", "z"}, {"x", "y", "z"}, {"x", "y", "z"}}},
		"refused":       {[]string{"400 mapping"}, true, fault.Internal, [][]string{{"x", "y", "z"}}},
		"led elsewhere": {[]string{"307 there"}, true, fault.Internal, [][]string{{"x", "y", "z"}}},
		"some items busy": {[]string{`200 {"errors":true,"items":[{"index":{"status":201}},{"index":{"status":429}},{"index":{"status":503}}]}`, done},
			false, 0, [][]string{{"x", "y", "z"}, {"y", "z"}}},
		"items always busy": {[]string{`200 {"errors":true,"items":[{"index":{"status":429}},{"index":{"status":201}},{"index":{"status":201}}]}`}, true,
			fault.Overloaded, [][]string{{"x", "y", "z"}, {"x"}, {"x"}, {"x"}, {"x"}}},
		"an item is refused": {[]string{`200 {"errors":true,"items":[{"index":{"status":201}},{"index":{"status":400,"error":{"type":"mapper"}}},{"index":{"status":201}}]}`}, true, fault.Internal, [][]string{{"x", "y", "z"}}},
		"no JSON":            {[]string{"200 <html>", done}, false, 0, [][]string{{"x", "y", "z"}, {"x", "y", "z"}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := &scripted{answers: test.answers}
			s, err := opensearchindex.Open(opensearchindex.Options{Address: "https://search.example/", Index: "i", Stamp: stamp, Transport: server})
			if err != nil {
				t.Fatal(err)
			}
			err = s.Write(t.Context(), chunks("x", "y", "z"))
			if (err != nil) != test.fails || test.fails && fault.CodeOf(err) != test.code {
				t.Errorf("%s: Write = %v, want failure %v with code %v", name, err, test.fails, test.code)
			}
			if err != nil && strings.Contains(err.Error(), "search.example") {
				t.Errorf("%s: the error shows the address: %v", name, err)
			}
			var sent [][]string
			for i, body := range server.bodies {
				sent = append(sent, ids(body))
				if server.asked[i] != "POST https://search.example/i/_bulk" {
					t.Errorf("%s: asked %s", name, server.asked[i])
				}
			}
			if diff := cmp.Diff(test.sent, sent); diff != "" {
				t.Errorf("%s: chunks sent (-want +got):\n%s", name, diff)
			}
		})
	}
}

// TestLookOnce: whoever comes back later is told at once that chunks are not
// shown yet; others wait for them.
func TestLookOnce(t *testing.T) {
	answers := []string{`200 {"aggregations":{"positions":{"after_key":{"order":0},"buckets":[{"key":{"order":0}}]}}}`,
		`200 {"aggregations":{"positions":{"after_key":{"order":1},"buckets":[{},{}]}}}`}
	for _, once := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			server := &scripted{answers: answers}
			s, err := opensearchindex.Open(opensearchindex.Options{Address: "https://search.example", Index: "i", Stamp: stamp, Transport: server, LookOnce: once})
			if err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			err = s.Await(t.Context(), "c", "a", "g", 2)
			if once && (fault.CodeOf(err) != fault.Unavailable || time.Since(begun) > 0 || len(server.asked) != 1) || !once &&
				(err != nil || len(server.asked) != 2) {
				t.Errorf("looking once %v: Await = %v after %s and %d looks", once, err, time.Since(begun), len(server.asked))
			}
		})
	}
}

// TestDropOnce: whoever comes back later is told that something was there, and
// does not wait until it is gone.
func TestDropOnce(t *testing.T) {
	hit := `200 {"responses":[{"status":200,"hits":{"hits":[{"_id":"1","sort":["x"]}]}}]}`
	none := `200 {"responses":[{"status":200,"hits":{"hits":[]}}]}`
	for _, once := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			server := &scripted{answers: []string{hit, `200 {"errors":false}`, hit, none}}
			s, err := opensearchindex.Open(opensearchindex.Options{Address: "https://search.example", Index: "i", Stamp: stamp, Transport: server, LookOnce: once})
			if err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			err = s.Drop(t.Context(), "c", "a", "g")
			if once && (fault.CodeOf(err) != fault.Unavailable || time.Since(begun) > 0 || len(server.asked) != 2) || !once &&
				(err != nil || len(server.asked) != 4) {
				t.Errorf("looking once %v: Drop = %v after %s and %d requests", once, err, time.Since(begun), len(server.asked))
			}
		})
	}
}

// TestSearchAgain: a search that failed inside of an answer, or was answered by some
// shards only, is repeated like a request that failed; one that is wrong is not.
func TestSearchAgain(t *testing.T) {
	const none = `200 {"responses":[{"status":200,"_shards":{"total":2,"failed":0},"hits":{"hits":[]}}]}`
	for name, test := range map[string]struct {
		answers []string
		asked   int
		fails   bool
		code    fault.Code
	}{
		"a search is refused for now": {[]string{`200 {"responses":[{"status":429,"error":{"type":"rejected_execution_exception"}}]}`, none}, 2, false, 0},
		"no shard answers":            {[]string{`200 {"responses":[{"status":503,"error":{"reason":"all shards failed"}}]}`, none}, 2, false, 0},
		"a shard does not answer":     {[]string{`200 {"responses":[{"status":200,"_shards":{"total":2,"failed":1},"hits":{"hits":[]}}]}`, none}, 2, false, 0},
		"the time is over":            {[]string{`200 {"responses":[{"status":200,"timed_out":true,"hits":{"hits":[]}}]}`, none}, 2, false, 0},
		"never":                       {[]string{`200 {"responses":[{"status":200,"_shards":{"total":2,"failed":1},"hits":{"hits":[]}}]}`}, 5, true, fault.Unavailable},
		"a search is wrong":           {[]string{`200 {"responses":[{"status":400,"error":{"type":"parsing_exception"}}]}`, none}, 1, true, fault.Internal},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := &scripted{answers: test.answers}
			s, err := opensearchindex.Open(opensearchindex.Options{Address: "https://search.example", Index: "i", Stamp: stamp, Transport: server})
			if err != nil {
				t.Fatal(err)
			}
			err = s.Drop(t.Context(), "c", "a", "g")
			if (err != nil) != test.fails || test.fails && fault.CodeOf(err) != test.code || len(server.asked) != test.asked {
				t.Errorf("%s: Drop = %v after %d requests, want %d", name, err, len(server.asked), test.asked)
			}
		})
	}
}

// TestBackoffEnds: the wait between tries ends with the request.
func TestBackoffEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &scripted{answers: []string{"429 busy"}}
		ctx, cancel := context.WithCancel(t.Context())
		s, err := opensearchindex.Open(opensearchindex.Options{Address: "https://search.example", Index: "i", Stamp: stamp, Transport: server})
		if err != nil {
			t.Fatal(err)
		}
		over := make(chan error, 1)
		go func() { over <- s.Write(ctx, chunks("x")) }()
		synctest.Wait()
		cancel()
		if err := <-over; !errors.Is(err, context.Canceled) || len(server.asked) != 1 {
			t.Errorf("Write = %v after %d requests, want Canceled after 1", err, len(server.asked))
		}
	})
}

// TestAuthority: a request is signed with the body that is sent, each time it
// is sent, or has the user's name and password.
func TestAuthority(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &scripted{answers: []string{"503 later", `200 {"errors":false}`}}
		s, err := opensearchindex.Open(opensearchindex.Options{
			Address: "https://search.example", Index: "i", Stamp: stamp, Transport: server, Service: "aoss",
			AWS: aws.Config{Region: "eu-west-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "token")},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Write(t.Context(), chunks("x")); err != nil {
			t.Fatal(err)
		}
		for i, h := range server.headers {
			hash := sha256.Sum256([]byte(server.bodies[i]))
			authority := h.Get("Authorization")
			if h.Get("Content-Type") != "application/json" || h.Get("X-Amz-Content-Sha256") != hex.EncodeToString(hash[:]) ||
				!strings.Contains(authority, "/eu-west-1/aoss/aws4_request") || !strings.Contains(authority, "x-amz-content-sha256") {
				t.Errorf("request %d is signed as %v", i, h)
			}
		}
		if len(server.headers) != 2 {
			t.Errorf("%d requests, want 2", len(server.headers))
		}
	})
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, ok := r.BasicAuth(); !ok || user != "me" || password != "pw" {
			t.Errorf("asked with %v", r.Header)
		}
		io.WriteString(w, `{"errors":false}`)
	}))
	defer h.Close()
	s, err := opensearchindex.Open(opensearchindex.Options{Address: h.URL, Index: "i", Stamp: stamp, Username: "me", Password: "pw"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), chunks("x")); err != nil {
		t.Error(err)
	}
}

// TestOpenRefuses: an address that is none is refused at the start.
func TestOpenRefuses(t *testing.T) {
	for _, address := range []string{"", "search.example", "ftp://search.example", "https://", "https://a b"} {
		if _, err := opensearchindex.Open(opensearchindex.Options{Address: address, Index: "i", Stamp: stamp}); !fault.Is(err, fault.Invalid) {
			t.Errorf("Open(%q) = %v, want Invalid", address, err)
		}
	}
}
