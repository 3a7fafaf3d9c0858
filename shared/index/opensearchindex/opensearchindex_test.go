package opensearchindex_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"lectern/shared/fault"
	"lectern/shared/index"
	"lectern/shared/index/indextest"
	"lectern/shared/index/opensearchindex"
)

// server names the variable with the URL of an OpenSearch that tests may make
// indexes in.
const server = "LECTERN_TEST_OPENSEARCH"

var stamp = index.Stamp{Embedder: "test", Dimensions: indextest.Dimensions}

func TestContract(t *testing.T) {
	address := os.Getenv(server)
	if address == "" {
		t.Skip(server + " names no OpenSearch to test against")
	}
	n := 0
	indextest.Run(t, indextest.Harness{Open: func(t *testing.T) index.Store {
		n++
		name := fmt.Sprintf("%s-%d-%d", opensearchindex.Name("test", stamp), time.Now().UnixNano(), n)
		request(t, http.MethodPut, address+"/"+name, opensearchindex.Mapping(stamp, "50ms"))
		t.Cleanup(func() { request(t, http.MethodDelete, address+"/"+name, nil) })
		s, err := opensearchindex.Open(opensearchindex.Options{
			Address: address, Index: name, Stamp: stamp, Poll: 20 * time.Millisecond, AwaitTimeout: 20 * time.Second,
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Fatalf("Check() = %v", err)
		}
		return s
	}})
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

func TestParse(t *testing.T) {
	o, err := opensearchindex.Parse("opensearch:https://search.example:9200/chunks-1")
	if err != nil || o.Address != "https://search.example:9200" || o.Index != "chunks-1" {
		t.Errorf("Parse = %+v, %v", o, err)
	}
	for _, raw := range []string{"", "opensearch:", "https://host/index", "opensearch:https://host", "opensearch:https://host/a/b"} {
		if _, err := opensearchindex.Parse(raw); !fault.Is(err, fault.Invalid) {
			t.Errorf("Parse(%q) = %v, want Invalid", raw, err)
		}
	}
}

func TestName(t *testing.T) {
	got := opensearchindex.Name("chunks", index.Stamp{Embedder: "openai:BAAI/bge_M3", Dimensions: 1024})
	if got != "chunks-openai-baai-bge-m3-1024-v1" {
		t.Errorf("Name = %q", got)
	}
}
