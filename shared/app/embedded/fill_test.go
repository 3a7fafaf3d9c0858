package embedded_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/app"
	"lectern/shared/app/embedded"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/index"
)

// counting is an embedder that notes how many texts it is given at once.
type counting struct {
	embedding.Embedder
	most int
}

func (c *counting) Embed(_ context.Context, texts []string, _ embedding.Mode) ([][]float32, error) {
	c.most = max(c.most, len(texts))
	return make([][]float32, len(texts)), nil
}

// TestFill: chunks are embedded on half of the processors, and on all of them when no
// request has come for a while; a request that stays does not stop it.
func TestFill(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	synctest.Test(t, func(t *testing.T) {
		p, c := &app.Process{}, &counting{}
		p.Embedder = c
		fill := embedded.Fill(p, &sync.Mutex{})
		chunks, hurry := make([]index.Chunk, 16), false
		most := func() int {
			c.most = 0
			if list, err := fill(t.Context(), chunks, hurry); err != nil || len(list) != len(chunks) {
				t.Fatalf("%d vectors, %v", len(list), err)
			}
			return c.most
		}
		if n := most(); n != 4 {
			t.Errorf("at the start: %d at once, want 4", n)
		}
		time.Sleep(2 * time.Second)
		if n := most(); n != 8 {
			t.Errorf("when it is quiet: %d at once, want 8", n)
		}
		p.Requests.Add(1)
		began := time.Now()
		if n := most(); n != 4 || time.Since(began) < 4*50*time.Millisecond {
			t.Errorf("beside a request: %d at once in %s, want 4, each after a pause", n, time.Since(began))
		}
		began, hurry = time.Now(), true
		if n := most(); n != 4 || time.Since(began) != 0 {
			t.Errorf("in a hurry beside a request: %d at once in %s, want 4 without a pause", n, time.Since(began))
		}
		p.Requests.Add(-1)
		if n := most(); n != 4 {
			t.Errorf("just after a request: %d at once, want 4", n)
		}
	})
}
