package growth_test

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/segindex"
)

var segments = flag.Int("segments", 0, "chunks of an index that is read from a store of objects; 0 skips")

const (
	objectLatency = 30 * time.Millisecond
	objectMB      = 90 // per second and connection, as S3 gives
	functionMB    = 75 // per second, of all connections of a function together
	partBytes     = 8 << 20
)

// TestSegmentsFromObjects measures what our own segments would give that lie in a
// bucket: a process without them fetches them in parts, opens them and searches. The
// store is a server of this process that waits as S3 does.
//
// Source of the limits: AWS, "Best practices design patterns: optimizing Amazon S3
// performance" (100 to 200 ms at the worst, tens at the least; 85 to 90 MB/s a
// connection); of a function's network, measurements of others (about 600 Mbit/s).
func TestSegmentsFromObjects(t *testing.T) {
	if *segments == 0 {
		t.Skip("-segments gives the number of chunks")
	}
	dir := t.TempDir()
	s, err := segindex.Open(dir, segindex.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < *segments; from += 1000 {
		var list []index.Chunk
		for i := from; i < min(from+1000, *segments); i++ {
			list = append(list, index.Chunk{ID: fmt.Sprint(i), Collection: "c", Artifact: fmt.Sprint("doc", i/10), Generation: fmt.Sprint(i / 10), Order: i % 10,
				Text: text(i)})
		}
		if err := s.Write(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(objectLatency)
		http.ServeFile(throttled{w}, r, filepath.Join(dir, filepath.Clean(r.URL.Path)))
	}))
	defer server.Close()

	local := t.TempDir()
	began := time.Now()
	files, bytes := fetchAll(t, server.URL, dir, local)
	fetched := time.Since(began)
	// A function's network bounds what parallel connections give.
	least := time.Duration(float64(bytes) / (functionMB << 20) * float64(time.Second))
	began = time.Now()
	cold, err := segindex.Open(local, segindex.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer cold.Close()
	opened := time.Since(began)
	search := func() time.Duration {
		at := time.Now()
		found, err := cold.Search(t.Context(), index.Query{Collection: "c", Text: "robins of valley 77 at dawn", Limit: 10})
		if err != nil || len(found.Hits) == 0 {
			t.Fatalf("Search = %v, %v", found, err)
		}
		return time.Since(at)
	}
	first, second := search(), search()
	t.Logf("%d chunks: %d files of %.1f MB, fetched in %s (by a function's network not below %s), opened in %s, first search %s, second %s",
		*segments, files, float64(bytes)/1e6, fetched.Round(time.Millisecond), least.Round(time.Millisecond), opened.Round(time.Millisecond),
		first.Round(100*time.Microsecond), second.Round(100*time.Microsecond))
}

// text is some 200 words that differ.
func text(i int) string {
	words := fmt.Sprintf("In valley %d robins sing at dawn. ", i%997)
	for k := range 32 {
		words += fmt.Sprintf("Ranger %d counted %d nests of kind%d there. ", (i*31+k*7)%5003, (i+k)%89, (i*13+k*101)%20011)
	}
	return words
}

// throttled answers as fast as one connection of S3.
type throttled struct{ http.ResponseWriter }

func (w throttled) Write(p []byte) (int, error) {
	time.Sleep(time.Duration(float64(len(p)) / (objectMB << 20) * float64(time.Second)))
	return w.ResponseWriter.Write(p)
}

// fetchAll copies a directory by ranges, sixteen at once.
func fetchAll(t *testing.T, address, dir, to string) (files int, bytes int64) {
	t.Helper()
	var work errgroup.Group
	work.SetLimit(16)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o700); err != nil {
			return err
		}
		out, err := os.Create(filepath.Join(to, name))
		if err != nil {
			return err
		}
		t.Cleanup(func() { out.Close() })
		files, bytes = files+1, bytes+info.Size()
		for from := int64(0); from < info.Size(); from += partBytes {
			work.Go(func() error {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/"+name, nil)
				if err != nil {
					return err
				}
				r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, min(from+partBytes, info.Size())-1))
				resp, err := http.DefaultClient.Do(r)
				if err != nil {
					return err
				}
				defer resp.Body.Close()
				_, err = io.Copy(io.NewOffsetWriter(out, from), resp.Body)
				return err
			})
		}
		return nil
	})
	if e := work.Wait(); err == nil {
		err = e
	}
	if err != nil {
		t.Fatal(err)
	}
	return files, bytes
}
