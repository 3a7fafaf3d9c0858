package opensearchindex_test

import (
	"net/http"
	"strings"
	"testing"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/indextest"
	"lectern/shared/knowledge/index/opensearchindex"
	"lectern/shared/knowledge/index/opensearchindex/opensearchtest"
	"lectern/shared/storage/lostanswertest"
)

var stamp = index.Stamp{Embedder: "test", Dimensions: indextest.Dimensions}

func TestContract(t *testing.T) {
	server := opensearchtest.Of(t)
	indextest.Run(t, indextest.Harness{Open: func(t *testing.T) index.Store { return opened(t, server, "50ms", nil) }})
}

// TestLostAnswers: each bulk is done, its answer is lost, and it is sent again;
// and all of it is to be seen only after a while.
func TestLostAnswers(t *testing.T) {
	server := opensearchtest.Of(t)
	lossy := &lostanswertest.Transport{Loses: func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/_bulk") }}
	indextest.Run(t, indextest.Harness{Arrivals: 2, Open: func(t *testing.T) index.Store { return opened(t, server, "200ms", lossy) }})
	if lossy.Lost() < 100 {
		t.Errorf("%d answers were lost, want many", lossy.Lost())
	}
}

// TestFailures: requests are refused for a while and fail before they were done, bulks
// are done in halves, and answers of searches are lost and cut. Writes that were done
// and are repeated are TestLostAnswers'.
func TestFailures(t *testing.T) {
	server := opensearchtest.Of(t)
	failures := &lostanswertest.Failures{}
	indextest.Run(t, indextest.Harness{Open: func(t *testing.T) index.Store { return opened(t, server, "50ms", failures) }})
	if counts := failures.Count(); len(counts) < 9 {
		t.Errorf("failures were %v, want some of each kind", counts)
	}
}

// TestBrokenConnections: connections are slow, break before and in the middle of answers,
// and are not taken for a while.
func TestBrokenConnections(t *testing.T) {
	server := opensearchtest.Of(t)
	through := lostanswertest.Proxy(t, server.Address)
	indextest.Run(t, indextest.Harness{Arrivals: opensearchindex.Tries, Open: func(t *testing.T) index.Store {
		o := server.Options(server.Make(t, "test", stamp, "50ms"), stamp)
		o.Address = through
		s, err := opensearchindex.Open(opensearchindex.Patient(o))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}})
}

// opened makes a store on an index of its own, which shows what it holds once in
// the refresh interval.
func opened(t *testing.T, server opensearchtest.Server, refresh string, transport http.RoundTripper) index.Store {
	t.Helper()
	o := server.Options(server.Make(t, "test", stamp, refresh), stamp)
	o.Transport = transport
	s, err := opensearchindex.Open(opensearchindex.Quick(o))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Fatalf("Check() = %v", err)
	}
	return s
}

func TestName(t *testing.T) {
	got := opensearchindex.Name("chunks", index.Stamp{Embedder: "openai:BAAI/bge_M3", Dimensions: 1024})
	if got != "chunks-openai-baai-bge-m3-1024-v1" {
		t.Errorf("Name = %q", got)
	}
}
