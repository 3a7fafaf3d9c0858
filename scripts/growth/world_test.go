package growth_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"lectern/shared/fault"
	"lectern/shared/ident"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/embedding/hashembedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/recordmeter"
)

// What a call takes: medians of a region, as scripts/cost assumes them, and the time
// for a full page on top.
const (
	readTime    = 5 * time.Millisecond
	megabyte    = 20 * time.Millisecond // of a query, beside readTime
	listTime    = 100 * time.Millisecond
	deleteTime  = 30 * time.Millisecond
	bucketsTime = 300 * time.Millisecond // a page of 1,000 generations
	pageBytes   = 1 << 20
)

var start = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// world is a deployment with documents that are made when somebody asks.
type world struct {
	tenants, each int
	folders       []folder // sorted
	places        [][][]int
	records       *recordmeter.Meter
	rest          *written
	log           *bytes.Buffer

	mu                    sync.Mutex
	lists, pages, deletes int
	gone                  map[string]bool
	queries               int
}

type folder struct {
	sum  [16]byte
	n    int  // of the document
	dead bool // a generation that was replaced
}

func (w *world) tenant(n int) string { return fmt.Sprintf("tenant-%06d", n/w.each) }
func (w *world) name(n int) string   { return fmt.Sprintf("doc-%07d", n%w.each) }

// generation is that of document n, 30 days old, or the one that it replaced.
func generation(n int, dead bool) string {
	at := start.Add(-30 * 24 * time.Hour)
	if dead {
		at = at.Add(-time.Hour)
	}
	var id ulid.ULID
	var entropy [10]byte
	binary.BigEndian.PutUint64(entropy[2:], uint64(n))
	// Times of this century fit, and ten bytes are what is asked for.
	_, _ = id.SetTime(ulid.Timestamp(at)), id.SetEntropy(entropy[:])
	return id.String()
}

func (w *world) sum(n int) [32]byte { return sha256.Sum256([]byte(w.tenant(n) + "\x00" + w.name(n))) }

// newWorld makes a world; of one document in a thousand a replaced text is left.
func newWorld(tenants, entries int) *world {
	w := &world{tenants: tenants, each: entries / tenants, gone: map[string]bool{}, log: &bytes.Buffer{}, rest: &written{items: map[record.Key]record.Item{}}}
	w.places = make([][][]int, tenants)
	for t := range w.places {
		w.places[t] = make([][]int, 16)
		c := fmt.Sprintf("tenant-%06d", t)
		w.rest.items[record.Key{Partition: "collections", Sort: c}] = record.Item{Key: record.Key{Partition: "collections", Sort: c},
			Value: []byte(fmt.Sprintf(`{"name":%q,"created":"2026-01-01T00:00:00Z"}`, c)), Version: "1"}
	}
	for n := range w.each * tenants {
		sum := w.sum(n)
		w.places[n/w.each][sum[0]>>4] = append(w.places[n/w.each][sum[0]>>4], n)
		f := folder{n: n}
		copy(f.sum[:], sum[:16])
		w.folders = append(w.folders, f)
		if n%1000 == 0 {
			f.dead = true
			w.folders = append(w.folders, f)
		}
	}
	slices.SortFunc(w.folders, func(a, b folder) int {
		if c := bytes.Compare(a.sum[:], b.sum[:]); c != 0 || a.dead == b.dead {
			return c
		}
		if a.dead {
			return -1
		}
		return 1
	})
	w.records = recordmeter.New(&table{w})
	return w
}

// key is where the text of a folder lies, below the prefix.
func (w *world) key(f folder) string {
	return hex.EncodeToString(f.sum[:]) + "/" + generation(f.n, f.dead)
}

func (w *world) service() *artifact.Service {
	return &artifact.Service{
		Objects: &bucket{w: w}, Records: w.records, Index: &chunks{w: w}, Embedder: hashembedding.New(), IDs: ident.Random{Now: time.Now}, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(w.log, nil)), KeepsSizes: true,
	}
}

func (w *world) item(n int) record.Item {
	g := generation(n, false)
	sum := w.sum(n)
	value := fmt.Sprintf(`{"c":%q,"a":%q,"want":%q,"live":%q,"hash":"%x","doc":{"file_name":"handbook of the department %d.pdf","file_type":"pdf",`+
		`"chunk_count":10,"token_count":2900,"content_hash":"sha256:%x","ingested_at":"2026-10-02T00:00:00Z","title":"Handbook of the department","pages":4},`+
		`"own":["file_name"],"n":10,"b":16000,"t0":"2026-10-02T00:00:00Z","t":"2026-10-02T00:00:00Z"}`,
		w.tenant(n), w.name(n), g, g, sum, n, sum)
	return record.Item{Key: record.Key{Partition: fmt.Sprintf("artifacts/%s/%x", w.tenant(n), sum[0]>>4), Sort: w.name(n)}, Value: []byte(value), Version: "1"}
}

// written is what was stored, apart from the documents.
type written struct {
	mu    sync.Mutex
	items map[record.Key]record.Item
}

// table is a record.Store with the documents of a world.
type table struct{ w *world }

func (s *table) wait(size int) {
	s.w.mu.Lock()
	s.w.queries++
	s.w.mu.Unlock()
	time.Sleep(readTime + time.Duration(float64(megabyte)*float64(size)/pageBytes))
}

// document returns the number of the document of a key.
func (s *table) document(key record.Key) (int, bool) {
	parts := strings.Split(key.Partition, "/")
	t, err := strconv.Atoi(strings.TrimPrefix(key.Sort, "doc-"))
	if len(parts) != 3 || err != nil || t >= s.w.each {
		return 0, false
	}
	tenant, err := strconv.Atoi(strings.TrimPrefix(parts[1], "tenant-"))
	n := tenant*s.w.each + t
	if err != nil || fmt.Sprintf("%x", s.w.sum(n)[0]>>4) != parts[2] {
		return 0, false
	}
	return n, true
}

func (s *table) find(key record.Key) (record.Item, bool) {
	if n, ok := s.document(key); ok {
		return s.w.item(n), true
	}
	s.w.rest.mu.Lock()
	defer s.w.rest.mu.Unlock()
	item, ok := s.w.rest.items[key]
	return item, ok
}

func (s *table) Find(_ context.Context, key record.Key) (record.Item, error) {
	s.wait(0)
	item, ok := s.find(key)
	if !ok {
		return item, fault.New(fault.NotFound, "none")
	}
	return item, nil
}

func (s *table) FindMany(_ context.Context, keys []record.Key) (list []record.Item, err error) {
	for batch := range slices.Chunk(keys, 100) {
		s.wait(0)
		for _, key := range batch {
			if item, ok := s.find(key); ok {
				list = append(list, item)
			}
		}
	}
	return list, nil
}

func (s *table) Put(_ context.Context, item record.Item, _ record.Condition) error {
	s.wait(0)
	s.w.rest.mu.Lock()
	defer s.w.rest.mu.Unlock()
	s.w.rest.items[item.Key] = item
	return nil
}

func (s *table) PutMany(context.Context, []record.Item) error { panic("not used") }

func (s *table) Delete(_ context.Context, key record.Key, _ record.Condition) error {
	s.wait(0)
	s.w.rest.mu.Lock()
	defer s.w.rest.mu.Unlock()
	delete(s.w.rest.items, key)
	return nil
}

func (s *table) Range(_ context.Context, r record.Range) (page record.Page, err error) {
	r, err = record.CheckRange(r)
	if err != nil {
		return page, err
	}
	keys := s.keys(r)
	size := 0
	for _, key := range keys {
		if len(page.Items) == r.Limit || size > pageBytes {
			page.Next = page.Items[len(page.Items)-1].Sort
			break
		}
		item, _ := s.find(key)
		size += len(item.Value) + 100
		page.Items = append(page.Items, item)
	}
	s.wait(size)
	return page, nil
}

// keys are those of a range, in order.
func (s *table) keys(r record.Range) (keys []record.Key) {
	parts := strings.Split(r.Partition, "/")
	if len(parts) == 3 && parts[0] == "artifacts" {
		tenant, _ := strconv.Atoi(strings.TrimPrefix(parts[1], "tenant-"))
		place, _ := strconv.ParseInt(parts[2], 16, 8)
		list := s.w.places[tenant][place]
		from := sort.Search(len(list), func(i int) bool { return s.w.name(list[i]) > r.After })
		for _, n := range list[from:min(len(list), from+r.Limit+1)] {
			if name := s.w.name(n); r.Before == "" || name < r.Before {
				keys = append(keys, record.Key{Partition: r.Partition, Sort: name})
			}
		}
		return keys
	}
	s.w.rest.mu.Lock()
	defer s.w.rest.mu.Unlock()
	if r.Partition == "collections" {
		var from int
		if r.After != "" {
			from, _ = strconv.Atoi(strings.TrimPrefix(r.After, "tenant-"))
			from++
		}
		for t := from; t < min(s.w.tenants, from+r.Limit+1); t++ {
			keys = append(keys, record.Key{Partition: r.Partition, Sort: fmt.Sprintf("tenant-%06d", t)})
		}
		return keys
	}
	if parts[0] == "artifacts" { // where earlier versions kept them
		return nil
	}
	for key := range s.w.rest.items {
		if key.Partition == r.Partition && strings.HasPrefix(key.Sort, r.Prefix) && key.Sort > r.After {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b record.Key) int { return strings.Compare(a.Sort, b.Sort) })
	return keys
}

func (s *table) Close() error { return nil }

// bucket is an object.Store with the texts and originals of a world.
type bucket struct {
	object.Store
	w *world
}

func (b *bucket) List(_ context.Context, prefix, after string, _ int) (infos []object.Info, next string, err error) {
	time.Sleep(listTime)
	w := b.w
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lists++
	rest := strings.TrimPrefix(after, prefix)
	from := sort.Search(len(w.folders), func(i int) bool { return w.key(w.folders[i]) > rest })
	for _, f := range w.folders[from:] {
		key := prefix + w.key(f)
		if w.gone[key] || f.dead && prefix != "documents/" {
			continue
		}
		if len(infos) == 1000 {
			return infos, infos[999].Key, nil
		}
		infos = append(infos, object.Info{Key: key, Modified: start.Add(-30 * 24 * time.Hour)})
	}
	return infos, "", nil
}

func (b *bucket) Delete(_ context.Context, key string) error {
	time.Sleep(deleteTime)
	b.w.mu.Lock()
	defer b.w.mu.Unlock()
	b.w.deletes++
	b.w.gone[key] = true
	return nil
}

func (b *bucket) Open(context.Context, string, int64, int64) (io.ReadCloser, object.Info, error) {
	return nil, object.Info{}, fault.New(fault.NotFound, "none")
}

// chunks is an index with every document of a world.
type chunks struct {
	index.Store
	w *world
}

func (c *chunks) Generations(_ context.Context, _ string, after index.Generation) iter.Seq2[index.Generation, error] {
	return func(yield func(index.Generation, error) bool) {
		w := c.w
		total := w.each * w.tenants
		from := sort.Search(total, func(n int) bool { return w.generation(n).Compare(after) > 0 })
		for n := from; n < total; n++ {
			if (n-from)%1000 == 0 {
				time.Sleep(bucketsTime)
				w.mu.Lock()
				w.pages++
				w.mu.Unlock()
			}
			if !yield(w.generation(n), nil) {
				return
			}
		}
	}
}

func (w *world) generation(n int) index.Generation {
	return index.Generation{Collection: w.tenant(n), Artifact: w.name(n), Generation: generation(n, false), Chunks: 10}
}
