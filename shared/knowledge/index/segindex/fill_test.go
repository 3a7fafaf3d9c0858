package segindex_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/indextest"
	"lectern/shared/knowledge/index/segindex"
)

// axis is a vector along the axis that a chunk's artifact names.
func axis(artifact string) []float32 {
	v := make([]float32, indextest.Dimensions)
	v[int(artifact[len(artifact)-1])%len(v)] = 1
	return v
}

// filling returns options with which chunks get the vectors of axis, after calls
// of gate.
func filling(gate func(n int) error) segindex.Options {
	o := options()
	o.Fill = func(_ context.Context, chunks []index.Chunk, _ bool) ([][]float32, error) {
		var list [][]float32
		for _, c := range chunks {
			list = append(list, axis(c.Artifact))
		}
		return list, gate(len(chunks))
	}
	return o
}

func texts(from, to int) []index.Chunk {
	var list []index.Chunk
	for i := from; i < to; i++ {
		list = append(list, index.Chunk{
			ID: fmt.Sprintf("c%d", i), Collection: "c", Artifact: fmt.Sprintf("a%d", i%9), Generation: fmt.Sprintf("g%d", i%9), Order: i / 9,
			Text: fmt.Sprintf("text number%d of many", i),
		})
	}
	return list
}

func vectors(t *testing.T, s *segindex.Store) string {
	t.Helper()
	have, of, err := s.Vectors(t.Context(), "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d of %d", have, of)
}

// await waits until all chunks have vectors.
func await(t *testing.T, s *segindex.Store, want string) {
	t.Helper()
	for range 500 {
		if vectors(t, s) == want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s chunks have vectors, want %s", vectors(t, s), want)
}

func nearest(t *testing.T, s *segindex.Store, artifact string) string {
	t.Helper()
	r, err := s.Search(t.Context(), index.Query{Collection: "c", Vector: axis(artifact), Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hits) == 0 {
		return ""
	}
	return r.Hits[0].Artifact
}

// TestFill: chunks can be found by words at once, by vectors soon, by both after
// merges, drops and a new start.
func TestFill(t *testing.T) {
	dir := t.TempDir()
	o := segindex.Sized(filling(func(int) error { return nil }), 1<<20, 1<<12)
	s := open(t, dir, o)
	for i := 0; i < 3000; i += 300 {
		if err := s.Write(t.Context(), texts(i, i+300)); err != nil {
			t.Fatal(err)
		}
		if r, err := s.Search(t.Context(), index.Query{Collection: "c", Text: fmt.Sprintf("number%d", i)}); err != nil || len(r.Hits) == 0 {
			t.Fatalf("Search of new words = %d hits, %v", len(r.Hits), err)
		}
	}
	if err := s.Drop(t.Context(), "c", "a4", ""); err != nil {
		t.Fatal(err)
	}
	await(t, s, "2667 of 2667")
	for _, a := range []string{"a1", "a7"} {
		if got := nearest(t, s, a); got != a {
			t.Errorf("nearest to %s is %q", a, got)
		}
	}
	if have, of, err := s.Vectors(t.Context(), "c", "a2", "g2"); have != of || of < 300 || err != nil {
		t.Errorf("Vectors of a generation = %d of %d, %v", have, of, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, options()) // nothing embeds now
	if got := nearest(t, s, "a7"); got != "a7" {
		t.Errorf("after a new start, nearest to a7 is %q", got)
	}
}

// TestFillIsKept: what was embedded when the store closes is not embedded again.
func TestFillIsKept(t *testing.T) {
	dir := t.TempDir()
	var calls atomic.Int64
	block := make(chan struct{})
	s := open(t, dir, filling(func(int) error {
		if calls.Add(1) == 3 {
			<-block
			return errors.New("stopped")
		}
		return nil
	}))
	if err := s.Write(t.Context(), texts(0, 90)); err != nil {
		t.Fatal(err)
	}
	for calls.Load() < 3 {
		time.Sleep(time.Millisecond)
	}
	time.AfterFunc(50*time.Millisecond, func() { close(block) })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var embedded atomic.Int64
	s = open(t, dir, filling(func(n int) error { embedded.Add(int64(n)); return nil }))
	await(t, s, "90 of 90")
	if n := embedded.Load(); n > 90-32 {
		t.Errorf("%d chunks were embedded after the new start, want at most %d", n, 90-32)
	}
}

// TestFillFails: an embedder that fails is asked again later.
func TestFillFails(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64
		s, err := segindex.Open(dir, filling(func(int) error {
			if calls.Add(1) < 3 {
				return errors.New("down")
			}
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Write(t.Context(), texts(0, 9)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := vectors(t, s); got != "9 of 9" {
			t.Errorf("%s chunks have vectors after %d calls", got, calls.Load())
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestAnotherEmbedder: vectors of an embedder that is not used any more are
// forgotten, words go on working, and new vectors come.
func TestAnotherEmbedder(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, options())
	chunks := texts(0, 30)
	for i := range chunks {
		chunks[i].Vector = axis("a0")
	}
	if err := s.Write(t.Context(), chunks); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	other := options()
	other.Stamp.Embedder = "another"
	var log strings.Builder
	other.Log = slog.New(slog.NewTextHandler(&log, nil))
	for range 2 { // it stays forgotten
		s = open(t, dir, other)
		if got := nearest(t, s, "a0"); got != "" {
			t.Errorf("a vector of another embedder is found: %q", got)
		}
		if r, err := s.Search(t.Context(), index.Query{Collection: "c", Text: "number7"}); err != nil || len(r.Hits) == 0 {
			t.Errorf("Search by words = %d hits, %v", len(r.Hits), err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(log.String(), "another embedder"); n != 1 {
		t.Errorf("the log says so %d times:\n%s", n, log.String())
	}
	again := filling(func(int) error { return nil })
	again.Stamp.Embedder = "third"
	s = open(t, dir, again)
	await(t, s, "30 of 30")
	if got := nearest(t, s, "a3"); got != "a3" {
		t.Errorf("nearest to a3 is %q", got)
	}
}

// TestFillSurvives copies the directory of a store that is filling, as a process
// that dies leaves it.
func TestFillSurvives(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, filling(func(int) error { return nil }))
	if err := s.Write(t.Context(), texts(0, 900)); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		time.Sleep(5 * time.Millisecond)
		copied := fmt.Sprintf("%s/%d", t.TempDir(), i)
		if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
			continue // a file went away meanwhile, which no dying process sees
		}
		other := open(t, copied, filling(func(int) error { return nil }))
		await(t, other, "900 of 900")
	}
}

// TestFillSmallFirst: a short document is found by its vectors while a long one that
// was written before it still waits for most of its own.
func TestFillSmallFirst(t *testing.T) {
	of := func(artifact string, n int) (list []index.Chunk) {
		for i := range n {
			list = append(list, index.Chunk{
				ID: fmt.Sprintf("%s-%d", artifact, i), Collection: "c", Artifact: artifact, Generation: "g" + artifact, Order: i,
				Text: fmt.Sprintf("text number%d", i),
			})
		}
		return list
	}
	var calls atomic.Int64
	written, found := make(chan struct{}), make(chan struct{})
	o := filling(func(int) error {
		switch calls.Add(1) {
		case 1:
			<-written
		case 4:
			<-found
		}
		return nil
	})
	embed := o.Fill
	o.Fill = func(ctx context.Context, chunks []index.Chunk, hurry bool) ([][]float32, error) {
		if short := chunks[0].Artifact == "a5"; short != hurry {
			t.Errorf("chunks of %s: hurry is %v", chunks[0].Artifact, hurry)
		}
		return embed(ctx, chunks, hurry)
	}
	s := open(t, t.TempDir(), o)
	if err := s.Write(t.Context(), of("a1", 900)); err != nil {
		t.Fatal(err)
	}
	for calls.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := s.Write(t.Context(), of("a5", 3)); err != nil {
		t.Fatal(err)
	}
	close(written)
	for range 500 {
		if nearest(t, s, "a5") == "a5" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	have, all, err := s.Vectors(t.Context(), "", "", "")
	if got := nearest(t, s, "a5"); got != "a5" || have >= all || err != nil {
		t.Errorf("with %d of %d vectors, nearest to a5 is %q, %v", have, all, got, err)
	}
	close(found)
	await(t, s, "903 of 903")
}

// TestUnfilled: a chunk that has no vector yet is found by its words, and does not go
// before what is nearer by its vector because nothing is known of its own.
func TestUnfilled(t *testing.T) {
	s := open(t, t.TempDir(), options())
	chunk := func(artifact, text string, vector []float32) index.Chunk {
		return index.Chunk{ID: artifact, Collection: "c", Artifact: artifact, Generation: "g" + artifact, Text: text, Vector: vector}
	}
	chunks := []index.Chunk{chunk("a1", "What staff get for meals while they travel.", axis("a1")), chunk("a2", "Money for business, and other business.", nil)}
	for i := range 5 { // compared, and far
		a := fmt.Sprintf("a%d", i+3)
		chunks = append(chunks, chunk(a, "Money is what this business asks for.", axis(a)))
	}
	if err := s.Write(t.Context(), chunks); err != nil {
		t.Fatal(err)
	}
	order := func(q index.Query) string {
		q.Collection, q.Text = "c", "How much money on a business trip while we travel?"
		r, err := s.Search(t.Context(), q)
		if err != nil || len(r.Hits) != 7 && q.Vector != nil {
			t.Fatalf("%d hits, %v", len(r.Hits), err)
		}
		var list []string
		for _, h := range r.Hits[:3] {
			list = append(list, h.Artifact)
		}
		return strings.Join(list, " ")
	}
	if got := order(index.Query{}); !strings.HasPrefix(got, "a2") {
		t.Errorf("by words alone: %s, want a2 first", got)
	}
	near := axis("a1") // at a cosine of .32
	near[0] = 3
	if got := order(index.Query{Vector: near}); !strings.HasPrefix(got, "a1 a2") {
		t.Errorf("with vectors: %s, want a1, then a2", got)
	}
}

// TestNow: before filling comes to them, the chunks that words find best are compared by meaning, and their vectors are kept.
func TestNow(t *testing.T) {
	o := filling(func(int) error { return errors.New("out of order") })
	var asked [][]index.Chunk
	o.Now = func(_ context.Context, chunks []index.Chunk) (list [][]float32, err error) {
		for _, c := range chunks {
			list = append(list, axis(c.Artifact))
		}
		if asked = append(asked, chunks); len(asked) == 1 {
			return nil, errors.New("out of order")
		}
		return list, nil
	}
	s := open(t, t.TempDir(), o)
	if err := s.Write(t.Context(), texts(0, 90)); err != nil {
		t.Fatal(err)
	}
	search := func(text string) index.Result {
		t.Helper()
		r, err := s.Search(t.Context(), index.Query{Collection: "c", Text: text, Vector: axis("a4")})
		if err != nil || len(r.Hits) == 0 {
			t.Fatalf("%d hits, %v", len(r.Hits), err)
		}
		return r
	}
	if r := search("number17"); r.VectorLeg || r.Hits[0].ID != "c17" {
		t.Errorf("where nothing can be embedded, %s is found first, by vectors %v", r.Hits[0].ID, r.VectorLeg)
	}
	r := search("number13 number17")
	if !r.VectorLeg || r.Hits[0].ID != "c13" || r.Hits[0].Cosine < .99 || r.Hits[1].Cosine > .01 {
		t.Errorf("%s is found first with a cosine of %.2f", r.Hits[0].ID, r.Hits[0].Cosine)
	}
	if n := len(asked[1]); n > 8 {
		t.Errorf("%d chunks are embedded for a search", n)
	}
	if again := search("number13 number17"); len(asked) != 2 || again.Hits[0].Cosine != r.Hits[0].Cosine {
		t.Errorf("the same search embeds again, %d times in all", len(asked))
	}
}
