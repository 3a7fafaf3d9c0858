package segindex_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/segindex"
)

// million names the variable that makes the largest benchmarks run.
const million = "LECTERN_BENCH_MILLION"

// zipf writes text whose words are distributed as in a language.
type zipf struct {
	random *rand.Rand
	words  []string
	z      *rand.Zipf
}

func newZipf() *zipf {
	random := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields("ba con der el fi gra hu in ja ka lo mer nu or pra qui re sta ter ul ver wi xo yen zu tion ing ment al er")
	seen := map[string]bool{}
	g := &zipf{random: random}
	for len(g.words) < 200_000 {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			b.WriteString(syllables[random.IntN(len(syllables))])
		}
		if w := b.String(); !seen[w] {
			seen[w] = true
			g.words = append(g.words, w)
		}
	}
	g.z = rand.NewZipf(random, 1.1, 8, uint64(len(g.words)-1))
	return g
}

func (g *zipf) text(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(g.words[g.z.Uint64()])
		b.WriteByte(' ')
	}
	return b.String()
}

func (g *zipf) chunks(from, n, size int, vectors bool) []index.Chunk {
	list := make([]index.Chunk, n)
	for i := range list {
		at := from + i
		list[i] = index.Chunk{
			ID: fmt.Sprintf("01J%09d/%d", at/20, at%20), Collection: "c", Artifact: fmt.Sprintf("a%d", at/20),
			Generation: fmt.Sprintf("01J%09d", at/20), Order: at % 20, Text: g.text(size), FileName: "a.txt",
			Metadata: map[string]any{"part": float64(at / 20 % 100)},
		}
		if vectors {
			list[i].Vector = g.vector(256)
		}
	}
	return list
}

func (g *zipf) vector(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(g.random.NormFloat64())
	}
	return v
}

// queries are eight words each, of which a third are rare.
func (g *zipf) queries(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = g.text(8)
	}
	return list
}

func benchmarkSearch(b *testing.B, size int) {
	g := newZipf()
	dir := b.TempDir()
	if keep := os.Getenv("LECTERN_BENCH_DIR"); keep != "" {
		dir = fmt.Sprintf("%s/%d", keep, size)
	}
	s, err := segindex.Open(dir, segindex.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	r, err := s.Search(b.Context(), index.Query{Collection: "c", Text: "x"})
	if err != nil {
		b.Fatal(err)
	}
	for from := r.Chunks; from < size; from += 500 {
		if err := s.Write(b.Context(), g.chunks(from, min(500, size-from), 200, false)); err != nil {
			b.Fatal(err)
		}
	}
	queries := g.queries(200)
	for _, kind := range []struct {
		name  string
		query func(i int) index.Query
	}{
		{"words", func(i int) index.Query { return index.Query{Collection: "c", Text: queries[i%len(queries)]} }},
		{"filtered", func(i int) index.Query {
			return index.Query{Collection: "c", Text: queries[i%len(queries)], Filter: []index.Condition{{Key: "part", Value: 7}}}
		}},
		{"one artifact", func(i int) index.Query {
			return index.Query{Collection: "c", Text: queries[i%len(queries)], Live: []string{"01J000000007"}}
		}},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var times []float64
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if _, err := s.Search(b.Context(), kind.query(i)); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start).Seconds()*1e3)
			}
			b.ReportMetric(quantile(times, .5), "p50-ms")
			b.ReportMetric(quantile(times, .99), "p99-ms")
		})
	}
}

func BenchmarkSearch10k(b *testing.B)  { benchmarkSearch(b, 10_000) }
func BenchmarkSearch100k(b *testing.B) { benchmarkSearch(b, 100_000) }

func BenchmarkSearch1M(b *testing.B) {
	if os.Getenv(million) == "" {
		b.Skip(million + " is not set")
	}
	benchmarkSearch(b, 1_000_000)
}

func BenchmarkWrite(b *testing.B) {
	g := newZipf()
	for _, size := range []int{1, 50, 500} {
		b.Run(fmt.Sprint(size, " chunks"), func(b *testing.B) {
			s, err := segindex.Open(b.TempDir(), segindex.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			list := g.chunks(0, size, 200, false)
			bytes := 0
			for _, c := range list {
				bytes += len(c.Text)
			}
			b.SetBytes(int64(bytes))
			for i := 0; b.Loop(); i++ {
				for j := range list {
					list[j].Generation = fmt.Sprintf("%08d-%d", i, j/20)
				}
				if err := s.Write(b.Context(), list); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func quantile(list []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[int(math.Min(float64(len(sorted)-1), q*float64(len(sorted))))]
}
