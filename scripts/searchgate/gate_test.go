package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/opensearchindex"
)

var keys = aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}

// opened is a gate before a server that answers every request with what it was
// sent.
func opened(t *testing.T) (url string, notes *bytes.Buffer, refreshes *atomic.Int32) {
	t.Helper()
	refreshes = &atomic.Int32{}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/_refresh") {
			refreshes.Add(1)
			return
		}
		io.Copy(w, r.Body)
	}))
	t.Cleanup(upstream.Close)
	notes = &bytes.Buffer{}
	g := httptest.NewServer(&gate{upstream: upstream.URL, region: "us-east-1", keys: keys, least: time.Millisecond, most: 2 * time.Millisecond, notes: notes})
	t.Cleanup(g.Close)
	return g.URL, notes, refreshes
}

func signed(t *testing.T, method, url, body, service, region string, keys aws.Credentials, at time.Time) *http.Request {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	sum := sha256.Sum256([]byte(body))
	hash := hex.EncodeToString(sum[:])
	r.Header.Set("X-Amz-Content-Sha256", hash)
	if err := v4.NewSigner().SignHTTP(t.Context(), keys, r, hash, service, region, at); err != nil {
		t.Fatal(err)
	}
	return r
}

func do(t *testing.T, r *http.Request) (int, string) {
	t.Helper()
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// TestSignatures: only a request that is signed as it is, now, for this service
// and region and by these credentials passes.
func TestSignatures(t *testing.T) {
	url, _, _ := opened(t)
	now := time.Now()
	sign := func(service, region string, k aws.Credentials, at time.Time) *http.Request {
		return signed(t, "POST", url+"/i/_search?size=1", `{"query":{}}`, service, region, k, at)
	}
	temporary := aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret", SessionToken: "token"}
	plain, _ := http.NewRequest("POST", url+"/i/_search", strings.NewReader("{}"))
	otherBody := sign("aoss", "us-east-1", keys, now)
	otherBody.Body, otherBody.ContentLength = io.NopCloser(strings.NewReader(`{"query":[]}`)), 12
	otherQuery := sign("aoss", "us-east-1", keys, now)
	otherQuery.URL.RawQuery = "size=2"
	for name, test := range map[string]struct {
		r    *http.Request
		want int
	}{
		"right":          {sign("aoss", "us-east-1", keys, now), 200},
		"with a session": {sign("aoss", "us-east-1", temporary, now), 200},
		"unsigned":       {plain, 403},
		"of a domain":    {sign("es", "us-east-1", keys, now), 403},
		"of elsewhere":   {sign("aoss", "eu-west-1", keys, now), 403},
		"of others":      {sign("aoss", "us-east-1", aws.Credentials{AccessKeyID: "id", SecretAccessKey: "guess"}, now), 403},
		"old":            {sign("aoss", "us-east-1", keys, now.Add(-6*time.Minute)), 403},
		"another body":   {otherBody, 403},
		"another query":  {otherQuery, 403},
	} {
		if got, text := do(t, test.r); got != test.want {
			t.Errorf("%s: %d %s, want %d", name, got, text, test.want)
		}
	}
}

// TestOperations: what a collection does not have is refused, as it refuses it,
// and what it has is noted with its permission.
func TestOperations(t *testing.T) {
	url, notes, _ := opened(t)
	for name, test := range map[string]struct {
		method, path, body string
		want               int
		says               string
	}{
		"a search":            {"POST", "/i/_msearch", "{}\n{}\n", 200, ""},
		"a mapping":           {"PUT", "/i", `{"mappings":{"properties":{"v":{"type":"knn_vector","dimension":2,"space_type":"cosinesimil"}}}}`, 200, `"engine":"lucene"`},
		"an engine":           {"PUT", "/i", `{"mappings":{"properties":{"v":{"type":"knn_vector","method":{"engine":"faiss"}}}}}`, 400, "'engine' is not supported"},
		"a method":            {"PUT", "/i", `{"mappings":{"properties":{"v":{"type":"knn_vector","method":{"name":"hnsw"}}}}}`, 400, "'method'"},
		"a refresh interval":  {"PUT", "/i", `{"settings":{"index.refresh_interval":"1s"}}`, 400, "refresh_interval"},
		"a refresh":           {"POST", "/i/_refresh", "", 404, ""},
		"a refreshing write":  {"POST", "/i/_bulk?refresh=true", "{\"index\":{}}\n{}\n", 400, "refresh"},
		"a write":             {"POST", "/i/_bulk", "{\"index\":{}}\n{\"engine\":1,\"script\":2}\n{\"delete\":{\"_id\":\"x\"}}\n", 200, ""},
		"an id":               {"POST", "/i/_bulk", "{\"index\":{\"_id\":\"x\"}}\n{}\n", 400, "Document ID is not supported"},
		"an id in the path":   {"PUT", "/i/_doc/x", "{}", 404, ""},
		"delete by query":     {"POST", "/i/_delete_by_query", "{}", 404, ""},
		"update by query":     {"POST", "/i/_update_by_query", "{}", 404, ""},
		"a scroll":            {"POST", "/i/_search?scroll=1m", "{}", 400, "scroll"},
		"a script":            {"POST", "/i/_search", `{"query":{"script_score":{"script":{"source":"1"}}}}`, 400, "script"},
		"the cluster":         {"GET", "/_cluster/health", "", 404, ""},
		"the nodes":           {"GET", "/_nodes/http", "", 404, ""},
		"an index of its own": {"DELETE", "/_all", "", 404, ""},
	} {
		notes.Reset()
		got, text := do(t, signed(t, test.method, url+test.path, test.body, "aoss", "us-east-1", keys, time.Now()))
		if got != test.want || !strings.Contains(text, test.says) {
			t.Errorf("%s: %d %s; want %d with %q", name, got, text, test.want, test.says)
		}
		if refused := strings.Contains(notes.String(), `"refused"`); refused != (test.want != 200) {
			t.Errorf("%s is noted as %s", name, notes)
		}
	}
	for path, want := range map[string]string{"GET /i/_mapping": "DescribeIndex", "PUT /i/_mapping": "UpdateIndex", "POST /i/_search": "ReadDocument",
		"POST /i/_bulk": "WriteDocument", "DELETE /i": "DeleteIndex", "PUT /i": "CreateIndex"} {
		method, path, _ := strings.Cut(path, " ")
		op, _, ok := find(method, path)
		if !ok || op.permission != "aoss:"+want {
			t.Errorf("%s %s needs %q, want aoss:%s", method, path, op.permission, want)
		}
	}
}

// TestSpace: a field without a space is measured by L2, as a collection does it.
func TestSpace(t *testing.T) {
	got := string(chosen([]byte(`{"mappings":{"properties":{"v":{"type":"knn_vector","dimension":2},"w":{"type":"text"}}}}`)))
	want := `{"mappings":{"properties":{"v":{"dimension":2,"method":{"engine":"lucene","name":"hnsw","space_type":"l2"},"type":"knn_vector"},` +
		`"w":{"type":"text"}}},"settings":{"refresh_interval":"-1"}}`
	if got != want {
		t.Errorf("chosen = %s, want %s", got, want)
	}
}

// TestShowsLater: one refresh follows writes, after a while.
func TestShowsLater(t *testing.T) {
	url, _, refreshes := opened(t)
	if got, text := do(t, signed(t, "POST", url+"/i/_bulk", "{\"index\":{}}\n{}\n", "aoss", "us-east-1", keys, time.Now())); got != 200 {
		t.Fatalf("%d %s", got, text)
	}
	for range 500 {
		if refreshes.Load() > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("what was written is never shown")
}

// TestStorePasses: what the driver sends for a collection is taken, and what it
// sends for a domain is not.
func TestStorePasses(t *testing.T) {
	url, notes, _ := opened(t)
	stamp := index.Stamp{Embedder: "e", Dimensions: 2}
	for _, server := range []opensearchindex.Server{opensearchindex.NextGen, opensearchindex.Domain} {
		s, err := opensearchindex.Open(opensearchindex.Options{Address: url, Index: "i", Stamp: stamp, Server: server, Service: "aoss",
			AWS: aws.Config{Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "token")}})
		if err != nil {
			t.Fatal(err)
		}
		notes.Reset()
		mapping := opensearchindex.Mapping(server, stamp, "")
		status, text := do(t, signed(t, "PUT", url+"/i", string(mapping), "aoss", "us-east-1", keys, time.Now()))
		if (status == 200) != (server == opensearchindex.NextGen) {
			t.Errorf("the mapping for server %d: %d %s", server, status, text)
		}
		notes.Reset()
		err = s.Write(t.Context(), []index.Chunk{{ID: "x", Collection: "c", Artifact: "a", Generation: "g", Text: "t", Vector: []float32{1, 0}}})
		if strings.Contains(notes.String(), "refused") || !strings.Contains(notes.String(), "aoss:WriteDocument") {
			t.Errorf("a write is refused: %v, %s", err, notes)
		}
		var line map[string]string
		if err := json.Unmarshal(bytes.SplitN(notes.Bytes(), []byte("\n"), 2)[0], &line); err != nil || line["index"] != "i" {
			t.Errorf("noted: %s, %v", notes, err)
		}
	}
}
