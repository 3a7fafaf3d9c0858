package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/minilmembedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/segindex"
)

// vectors measures the ingest of 10 MB of English with the built-in embedder, and
// the time until all of it has vectors, while a question is asked each second.
func (b *bench) vectors() error {
	e, err := minilmembedding.New()
	if err != nil {
		return err
	}
	must := map[string]float64{"AVX512-VNNI": 150, "AVX2": 360}[e.Kernels()]
	text, err := english(10 << 20)
	if err != nil {
		return err
	}
	s, err := b.service("LECTERN_EMBEDDING=minilm:")
	if err != nil {
		return err
	}
	defer s.stop()
	begun := time.Now()
	one := constant(object{"artifact": "large", "input": object{"type": "text", "value": text}})
	times, _, err := newLoad(s.url+"/v1/artifacts/ingest", 1, one).run(1)
	if err != nil {
		return err
	}
	b.atLeast("ingest 10 MB of English, embedded afterwards", float64(len(text))/1e6/times[0].Seconds(), 5, 15, "MB/s")
	question := constant(object{"type": "semantic_search", "text": "how does a reader report the end of a file", "context_filter": object{}})
	l := newLoad(s.url+"/v1/primitives/search", 1, question)
	var asked []time.Duration
	chunks := 0
	for {
		have, of, err := pending(s)
		if err != nil {
			return err
		}
		if have == of {
			break
		}
		chunks = of
		one, _, err := l.run(1)
		if err != nil {
			return err
		}
		asked = append(asked, one...)
		time.Sleep(time.Second)
	}
	took := time.Since(begun).Seconds()
	name := "until 10 MB of English have vectors, " + e.Kernels()
	b.atMost(name, took, cmp.Or(must, took), cmp.Or(must, took), "s")
	b.note("chunks", float64(chunks), "")
	b.note("processor time of the service", s.cpu().Seconds(), "s")
	if len(asked) > 0 {
		b.note("search meanwhile: slowest of "+fmt.Sprint(len(asked)), ms(quantile(asked, 1)), "ms")
	}
	return nil
}

// pending is how many chunks have a vector, and how many should; both are 0 when
// none is waited for.
func pending(s *process) (have, of int, err error) {
	resp, err := http.Get(s.url + "/ready")
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	var state struct {
		Vectors struct{ Have, Of int } `json:"vectors_pending"`
	}
	err = json.NewDecoder(resp.Body).Decode(&state)
	return state.Vectors.Have, state.Vectors.Of, err
}

// english returns at least n bytes of text: the comments of Go's own source. Made-up
// words would not do, because the embedder's tokens are parts of English ones.
func english(n int) (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	full := errors.New("enough")
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(root)), "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil // it is there to be broken
		}
		for _, c := range file.Comments {
			if text := c.Text(); len(text) > 100 && !strings.HasPrefix(text, "Copyright") {
				out.WriteString(text + "\n")
			}
		}
		if out.Len() >= n {
			return full
		}
		return nil
	})
	if err != nil && !errors.Is(err, full) {
		return "", err
	}
	if out.Len() < n {
		return "", fmt.Errorf("the comments of Go are only %d bytes", out.Len())
	}
	return out.String()[:n], nil
}

// filled measures searches by words and by meaning over an index in which all
// chunks have vectors. Embedding a million would take hours, so each gets the vector
// of one of a few hundred texts that the model embedded, and noise; the index is
// given them as by the embedder, and takes as long to search them.
func (b *bench) filled(dir string, chunks int, p *prose) error {
	e, err := minilmembedding.New()
	if err != nil {
		return err
	}
	texts := make([]string, 400)
	for i := range texts {
		texts[i] = p.text(600)
	}
	subjects, err := e.Embed(context.Background(), texts, embedding.Document)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(6, 7))
	begun := time.Now()
	store, err := segindex.Open(filepath.Join(dir, "index"), segindex.Options{
		Stamp: index.Stamp{Embedder: e.Name(), Dimensions: e.Dimensions()},
		Fill: func(_ context.Context, chunks []index.Chunk, _ bool) ([][]float32, error) {
			list := make([][]float32, len(chunks))
			for i := range list {
				list[i] = near(random, subjects[random.IntN(len(subjects))])
			}
			return list, nil
		},
	})
	if err != nil {
		return err
	}
	for {
		have, of, err := store.Vectors(context.Background(), "", "", "")
		if err != nil {
			return err
		}
		if have == of {
			break
		}
		time.Sleep(time.Second)
	}
	if err := store.Close(); err != nil {
		return err
	}
	b.note("giving the index vectors took", time.Since(begun).Seconds(), "s")
	s, err := b.serviceAt(dir, "LECTERN_EMBEDDING=minilm:")
	if err != nil {
		return err
	}
	defer s.stop()
	return b.ask(s, p, fmt.Sprintf("search at %d chunks with vectors", chunks), 40, 20, 120)
}

// near returns a vector of length 1 whose cosine to another is about .8.
func near(random *rand.Rand, v []float32) []float32 {
	out, square := make([]float32, len(v)), 0.0
	noise := .75 / math.Sqrt(float64(len(v)))
	for i := range out {
		out[i] = v[i] + float32(noise*random.NormFloat64())
		square += float64(out[i]) * float64(out[i])
	}
	for i := range out {
		out[i] /= float32(math.Sqrt(square))
	}
	return out
}
