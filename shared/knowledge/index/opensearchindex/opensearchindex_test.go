package opensearchindex_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/indextest"
	"lectern/shared/knowledge/index/opensearchindex"
	"lectern/shared/storage/lostanswertest"
)

// server names the variable with the URL of an OpenSearch that tests may make
// indexes in.
const server = "LECTERN_TEST_OPENSEARCH"

var stamp = index.Stamp{Embedder: "test", Dimensions: indextest.Dimensions}

func TestContract(t *testing.T) {
	address := tested(t)
	indextest.Run(t, indextest.Harness{Open: func(t *testing.T) index.Store { return opened(t, address, "50ms", nil) }})
}

// TestLostAnswers: each bulk is done, its answer is lost, and it is sent again;
// and all of it is to be seen only after a while.
func TestLostAnswers(t *testing.T) {
	address := tested(t)
	lossy := &lostanswertest.Transport{Loses: func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/_bulk") }}
	indextest.Run(t, indextest.Harness{Repeats: true, Open: func(t *testing.T) index.Store { return opened(t, address, "200ms", lossy) }})
	if lossy.Lost() < 100 {
		t.Errorf("%d answers were lost, want many", lossy.Lost())
	}
}

// tested is the address of the server that the environment names.
func tested(t *testing.T) string {
	t.Helper()
	address := os.Getenv(server)
	if address == "" {
		t.Skip(server + " names no OpenSearch to test against")
	}
	return address
}

// opened makes a store on an index of its own, which shows what it holds once in
// the refresh interval.
func opened(t *testing.T, address, refresh string, transport http.RoundTripper) index.Store {
	t.Helper()
	name := fmt.Sprintf("%s-%d", opensearchindex.Name("test", stamp), time.Now().UnixNano())
	request(t, http.MethodPut, address+"/"+name, opensearchindex.Mapping(opensearchindex.Domain, stamp, refresh))
	t.Cleanup(func() { request(t, http.MethodDelete, address+"/"+name, nil) })
	s, err := opensearchindex.Open(opensearchindex.Quick(opensearchindex.Options{Address: address, Index: name, Stamp: stamp, Transport: transport}))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Fatalf("Check() = %v", err)
	}
	return s
}

func request(t *testing.T, method, url string, body []byte) {
	t.Helper()
	req, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		var text bytes.Buffer
		_, _ = text.ReadFrom(res.Body)
		t.Fatalf("%s %s = %d: %s", method, url, res.StatusCode, text.String())
	}
}

func TestName(t *testing.T) {
	got := opensearchindex.Name("chunks", index.Stamp{Embedder: "openai:BAAI/bge_M3", Dimensions: 1024})
	if got != "chunks-openai-baai-bge-m3-1024-v1" {
		t.Errorf("Name = %q", got)
	}
}
