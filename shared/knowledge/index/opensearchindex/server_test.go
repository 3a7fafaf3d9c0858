package opensearchindex_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/opensearchindex"
	"lectern/shared/knowledge/index/rank"
)

// TestMapping: each server is sent the field of vectors that it takes.
func TestMapping(t *testing.T) {
	for server, want := range map[opensearchindex.Server]string{
		opensearchindex.Domain:  `{"dimension":4,"method":{"engine":"lucene","name":"hnsw","space_type":"cosinesimil"},"type":"knn_vector"}`,
		opensearchindex.NextGen: `{"dimension":4,"space_type":"cosinesimil","type":"knn_vector"}`,
		opensearchindex.Classic: `{"dimension":4,"method":{"engine":"faiss","name":"hnsw","space_type":"innerproduct"},"type":"knn_vector"}`,
	} {
		var body struct {
			Settings struct{ Index map[string]any }
			Mappings struct {
				Properties map[string]json.RawMessage
			}
		}
		if err := json.Unmarshal(opensearchindex.Mapping(server, index.Stamp{Embedder: "e", Dimensions: 4}, ""), &body); err != nil {
			t.Fatal(err)
		}
		if got := string(body.Mappings.Properties["vector"]); got != want {
			t.Errorf("server %d: the field of vectors is %s, want %s", server, got, want)
		}
		if len(body.Settings.Index) != 1 || body.Settings.Index["knn"] != true {
			t.Errorf("server %d: settings %v, want knn alone", server, body.Settings.Index)
		}
	}
}

// the scores that the servers give for a cosine, as the k-NN plugin computes them.
var scores = map[opensearchindex.Server]func(cosine float64) float64{
	opensearchindex.Domain:  func(c float64) float64 { return (2 - (1 - c)) / 2 },
	opensearchindex.NextGen: func(c float64) float64 { return (2 - (1 - c)) / 2 },
	opensearchindex.Classic: func(c float64) float64 {
		if c >= 0 {
			return 1 + c
		}
		return 1 / (1 - c)
	},
}

// answer is a search's answer with one hit of the vector leg.
func answer(score float64, packed string) string {
	chunk := `{"id":"x","text":"t","vector":"` + packed + `"}`
	if packed == "" {
		chunk = `{"id":"x","text":"t"}`
	}
	return fmt.Sprintf(`200 {"responses":[{"status":200,"hits":{"total":{"value":1},"hits":[]}},{"status":200,"hits":{"hits":[
		{"_id":"1","_score":%v,"_source":{"collection":"c","artifact":"a","generation":"g","order":0,"chunk":%s}}]}}]}`, score, chunk)
}

func on(t *testing.T, server opensearchindex.Server, transport *scripted) *opensearchindex.Store {
	t.Helper()
	s, err := opensearchindex.Open(opensearchindex.Options{Address: "https://search.example", Index: "i", Stamp: stamp, Transport: transport, Server: server,
		Profile: rank.Profile{Weight: .5}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCosineOfScores: from each server's score comes the cosine that it stands
// for, where the chunk has no copy of its vector.
func TestCosineOfScores(t *testing.T) {
	for server, score := range scores {
		for cosine := -1.0; cosine <= 1; cosine += .125 {
			s := on(t, server, &scripted{answers: []string{answer(score(cosine), "")}})
			r, err := s.Search(t.Context(), index.Query{Collection: "c", Vector: make1(stamp.Dimensions)})
			if err != nil {
				t.Fatal(err)
			}
			want := 1
			if cosine <= 0 {
				want = 0 // nothing in common is no hit
			}
			if len(r.Hits) != want || want == 1 && math.Abs(r.Hits[0].Cosine-cosine) > 1e-6 {
				t.Errorf("server %d, score %v: %d hits, %v; want the cosine %v", server, score(cosine), len(r.Hits), r.Hits, cosine)
			}
		}
	}
}

func make1(n int) []float32 {
	v := make([]float32, n)
	v[0] = 1
	return v
}

// TestCosineOfStoredVectors: a serverless collection is sent vectors of length
// one with a copy, and the copy gives the cosine, whatever the score: it may be
// that of a compressed vector or of another space.
func TestCosineOfStoredVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() []float32 {
		v := make([]float32, stamp.Dimensions)
		for i := range v {
			v[i] = float32(rng.NormFloat64() * 7)
		}
		return v
	}
	for _, server := range []opensearchindex.Server{opensearchindex.NextGen, opensearchindex.Classic} {
		for range 50 {
			kept, asked := random(), random()
			var want, ka, kb float64
			for i := range kept {
				want, ka, kb = want+float64(kept[i])*float64(asked[i]), ka+float64(kept[i])*float64(kept[i]), kb+float64(asked[i])*float64(asked[i])
			}
			want /= math.Sqrt(ka * kb)
			writes := &scripted{answers: []string{`200 {"errors":false}`}}
			c := chunks("x")
			c[0].Vector = kept
			if err := on(t, server, writes).Write(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			var doc struct {
				Vector []float64
				Chunk  struct{ Vector string }
			}
			if err := json.Unmarshal([]byte(strings.Split(writes.bodies[0], "\n")[1]), &doc); err != nil {
				t.Fatal(err)
			}
			var square float64
			for _, x := range doc.Vector {
				square += x * x
			}
			if math.Abs(square-1) > 1e-6 || doc.Chunk.Vector == "" {
				t.Fatalf("server %d was sent a vector of length² %v with the copy %q", server, square, doc.Chunk.Vector)
			}
			reads := &scripted{answers: []string{answer(.123, doc.Chunk.Vector)}}
			r, err := on(t, server, reads).Search(t.Context(), index.Query{Collection: "c", Vector: asked})
			if err != nil {
				t.Fatal(err)
			}
			if want < .01 {
				continue // not a hit, or nearly
			}
			if len(r.Hits) != 1 || math.Abs(r.Hits[0].Cosine-want) > .01 {
				t.Errorf("server %d: hits %v, want one with the cosine %v", server, r.Hits, want)
			}
			if !strings.Contains(reads.bodies[0], `"k":800`) || !strings.Contains(reads.bodies[0], `"size":800`) {
				t.Errorf("server %d is asked for %s; want more candidates than are needed", server, reads.bodies[0])
			}
		}
	}
}

// TestDomainKeepsVectorsOnce: where scores are exact, no copy is kept or read.
func TestDomainKeepsVectorsOnce(t *testing.T) {
	writes := &scripted{answers: []string{`200 {"errors":false}`}}
	c := chunks("x")
	c[0].Vector = make1(stamp.Dimensions)
	if err := on(t, opensearchindex.Domain, writes).Write(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(writes.bodies[0], `"vector"`); n != 1 {
		t.Errorf("the vector is sent %d times: %s", n, writes.bodies[0])
	}
}
