package segindex_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/rank"
	"lectern/shared/knowledge/index/segindex"
)

// retrievalData names the directory with xquad-en and cranfield: corpus.jsonl,
// queries.jsonl and qrels.tsv each.
const retrievalData = "LECTERN_TEST_RETRIEVAL"

// TestQuality measures retrieval on two public sets and holds it to floors.
func TestQuality(t *testing.T) {
	dir := os.Getenv(retrievalData)
	if dir == "" {
		t.Skip(retrievalData + " names no directory with retrieval sets")
	}
	s := open(t, t.TempDir(), segindex.Options{})
	for _, set := range []string{"xquad-en", "cranfield"} {
		load(t, s, dir, set)
	}
	tests := []struct {
		collection, set, queries string
		nDCG, r5, r10, mrr       float64
		relevant                 float64 // least share that is relevant; 0: at most a tenth
	}{
		{"xquad-en", "xquad-en", "queries", .97, .98, .99, .96, .98},
		{"xquad-en", "xquad-en", "queries_typo", .90, .93, .94, .86, .75},
		{"cranfield", "cranfield", "queries", .52, .34, .44, .80, .98},
		{"cranfield", "xquad-en", "queries", 0, 0, 0, 0, 0},
		{"xquad-en", "cranfield", "queries", 0, 0, 0, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.set+" "+tt.queries+" in "+tt.collection, func(t *testing.T) {
			m := measure(t, s, dir, tt.collection, tt.set, tt.queries)
			t.Logf("nDCG@10 %.4f, R@5 %.4f, R@10 %.4f, MRR@10 %.4f, relevant %.4f of %d", m.nDCG, m.r5, m.r10, m.mrr, m.relevant, m.n)
			if tt.relevant == 0 {
				if m.relevant > .1 {
					t.Errorf("%.3f of another set's questions are called relevant, want at most .1", m.relevant)
				}
				return
			}
			if m.nDCG < tt.nDCG || m.r5 < tt.r5 || m.r10 < tt.r10 || m.mrr < tt.mrr || m.relevant < tt.relevant {
				t.Errorf("want at least nDCG@10 %.3f, R@5 %.3f, R@10 %.3f, MRR@10 %.3f, relevant %.3f", tt.nDCG, tt.r5, tt.r10, tt.mrr, tt.relevant)
			}
		})
	}
}

type row struct{ ID, Title, Text, Doc string }

func rows(t *testing.T, path ...string) []row {
	t.Helper()
	f, err := os.Open(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []row
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// TestQualityOfFewChunks asks questions about one paragraph of the paragraph
// alone and of another one: the decision that nothing was found has to work
// in a collection that holds next to nothing.
func TestQualityOfFewChunks(t *testing.T) {
	dir := os.Getenv(retrievalData)
	if dir == "" {
		t.Skip(retrievalData + " names no directory with retrieval sets")
	}
	s := open(t, t.TempDir(), segindex.Options{})
	var names []string
	for _, d := range rows(t, dir, "xquad-en", "corpus.jsonl") {
		names = append(names, d.ID)
		chunk := index.Chunk{ID: d.ID, Collection: d.ID, Artifact: d.ID, Generation: d.ID, Text: d.Text, Title: d.Title}
		if err := s.Write(t.Context(), []index.Chunk{chunk}); err != nil {
			t.Fatal(err)
		}
	}
	relevant := func(collection, text string) float64 {
		r, err := s.Search(t.Context(), index.Query{Collection: collection, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if rank.Relevant(r) {
			return 1
		}
		return 0
	}
	for queries, least := range map[string]float64{"queries": .98, "queries_typo": .75} {
		var n, own, other float64
		for _, q := range rows(t, dir, "xquad-en", queries+".jsonl") {
			n++
			own += relevant(q.Doc, q.Text)
			other += relevant(names[(slices.Index(names, q.Doc)+len(names)/2)%len(names)], q.Text)
		}
		t.Logf("%s: relevant to their own paragraph %.4f, to another %.4f", queries, own/n, other/n)
		if own/n < least || other/n > .1 {
			t.Errorf("%s: want at least %v and at most .1", queries, least)
		}
	}
}

// load writes a set, cut into chunks of about 200 words.
func load(t *testing.T, s *segindex.Store, dir, set string) {
	t.Helper()
	for _, d := range rows(t, dir, set, "corpus.jsonl") {
		words := strings.Fields(d.Title + "\n\n" + d.Text)
		n := max(1, (len(words)+100)/200)
		var chunks []index.Chunk
		for i := range n {
			chunks = append(chunks, index.Chunk{
				ID: fmt.Sprintf("%s/%s/%d", set, d.ID, i), Collection: set, Artifact: d.ID, Generation: set + d.ID, Order: i,
				Text: strings.Join(words[i*len(words)/n:(i+1)*len(words)/n], " "), Title: d.Title,
			})
		}
		if err := s.Write(t.Context(), chunks); err != nil {
			t.Fatal(err)
		}
	}
}

type figures struct {
	n                            int
	nDCG, r5, r10, mrr, relevant float64
}

func measure(t *testing.T, s *segindex.Store, dir, collection, set, queries string) figures {
	t.Helper()
	judged := map[string]map[string]bool{}
	raw, err := os.ReadFile(filepath.Join(dir, set, "qrels.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		if judged[f[0]] == nil {
			judged[f[0]] = map[string]bool{}
		}
		judged[f[0]][f[1]] = true
	}
	var m figures
	for _, q := range rows(t, dir, set, queries+".jsonl") {
		r, err := s.Search(t.Context(), index.Query{Collection: collection, Text: q.Text, Limit: 30})
		if err != nil {
			t.Fatal(err)
		}
		if rank.Relevant(r) {
			m.relevant++
		}
		m.add(r, judged[q.ID])
	}
	n := float64(m.n)
	return figures{m.n, m.nDCG / n, m.r5 / n, m.r10 / n, m.mrr / n, m.relevant / n}
}

func (m *figures) add(r index.Result, judged map[string]bool) {
	var found []string
	for _, h := range r.Hits {
		if !slices.Contains(found, h.Artifact) {
			found = append(found, h.Artifact)
		}
	}
	m.n++
	if len(judged) == 0 {
		return
	}
	var gain, ideal, first float64
	for i := range min(10, len(judged)) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	for i, artifact := range found[:min(10, len(found))] {
		if !judged[artifact] {
			continue
		}
		gain += 1 / math.Log2(float64(i)+2)
		if first == 0 {
			first = 1 / float64(i+1)
		}
		if i < 5 {
			m.r5 += 1 / float64(len(judged))
		}
		m.r10 += 1 / float64(len(judged))
	}
	m.nDCG += gain / ideal
	m.mrr += first
}
