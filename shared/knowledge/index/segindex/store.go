// Package segindex is the embedded index: our own segments in one directory.
//
// A write becomes a small segment, which is appended to a log and synced; the
// log is the only thing that has to be written before a write returns, and
// being made of segments it can be searched as it is, so opening replays
// nothing. Merges in the background turn segments of about one size into one,
// first in memory, from a few megabytes on in files of their own. Segments
// never change; what is dropped is marked until the next merge leaves it out.
// A search works on the list of segments that was current when it began.
//
// Segments belong to one collection each. They are memory-mapped, so the
// process itself holds little besides the segments of recent writes.
//
// One process at a time may open a directory; callers see to that.
//
// Why not bleve: its scorch (v2.6.1) was measured beside this package on the
// same made-up chunks of 200 words, 500 to a batch, one writer, two cores. It
// got stems, 4-grams and stem bigrams as fields split at spaces, collection
// and metadata as keywords, and the text stored; its query is the disjunction
// of stems and bigrams that gives 200 candidates, where ours is the whole
// search with the exact blend. Figures are of 10,000 and 100,000 chunks.
//
//	                      bleve            segindex
//	index, MB/s           1.0, 0.8         13.5, 11.0
//	search p50, ms        2.9, 26.7        0.9, 1.5
//	search p99, ms        5.9, 54.7        6.3, 2.9
//	peak memory, MiB      480, 887         143, 479
//	heap at rest, MiB     44, 48           17, 23
//	disk, MB              98, 826          88, 346
//
// bleve misses the ingest budget of 5 MB/s by five times and the search
// budget at 100,000 chunks by as much, for it writes every 4-gram's postings,
// and would count a candidate's terms in a second pass. Here postings are of
// stems alone, 4-grams lead to words, and a chunk's word sequence is at hand.
package segindex

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/rank"
	"lectern/shared/text/terms"
)

// Options are the settings of a store.
type Options struct {
	// Stamp is the embedder whose vectors the index holds. The zero value
	// takes what the index was made with, or no vectors for a new one.
	Stamp index.Stamp
	// Profile weighs vectors; the zero value is rank.ProfileOf the embedder.
	Profile rank.Profile
	// Fill embeds chunks that were written without a vector, in the background, the
	// smallest sources first; nil leaves them as they are. hurry says that they are of
	// short texts, and that few of these wait.
	Fill func(ctx context.Context, chunks []index.Chunk, hurry bool) ([][]float32, error)
	// Now embeds a few chunks that the words of a search find and that Fill has not come to; nil leaves them to be found by
	// their words. One call is made at a time, beside one of Fill.
	Now func(ctx context.Context, chunks []index.Chunk) ([][]float32, error)
	// Log receives failures of background merges, and what is damaged; nil
	// discards them.
	Log *slog.Logger
	// OnDamage is called when damage is found after Open has returned; nil for
	// nobody.
	OnDamage func()

	logBytes         int64 // size at which a new log begins
	memoryMergeBytes int   // size from which merges go to files
	verifyAtOpen     int64 // bytes of the files that are verified before Open returns; the rest is in the background
}

// awaitTimeout bounds Await.
const awaitTimeout = 30 * time.Second

// Store is the embedded index.Store.
type Store struct {
	dir     string
	options Options
	stemmer terms.Stemmer
	scratch sync.Pool // *scratch
	buffers sync.Pool // *bytes.Buffer, empty

	writeMu sync.Mutex // held while the log, the manifest or collections change
	log     *appendLog
	files   []*file // all but the current log; logs oldest first
	seq     uint64  // last used
	stale   int64   // bytes of dropped segments in the logs, about
	name    uint64  // last used in a file name
	id      string  // of the set of stores that the index belongs to
	from    uint64  // vectors of earlier records are another embedder's

	mu          sync.RWMutex // guards the map below and what it refers to
	collections map[string][]*handle
	dirty       map[string]bool // collections that may need a merge
	reclaiming  *reclaim        // nil unless Reclaim waits
	changed     chan struct{}   // closed and replaced when collections change
	closed      bool
	calls       sync.WaitGroup
	damaged     atomic.Int64 // records that were left out
	stuck       atomic.Bool  // the last merge failed

	filling  filling
	fillStop context.CancelFunc
	filled   chan struct{} // closed when filling has ended

	wake chan struct{}
	stop chan struct{}
	done chan struct{}
}

var (
	_ index.Store  = (*Store)(nil)
	_ index.Filler = (*Store)(nil)
)

// enter begins a call; the caller ends it with s.calls.Done.
func (s *Store) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return fault.New(fault.Unavailable, "the index is closed")
	}
	s.calls.Add(1)
	return nil
}

func (s *Store) snapshot(collection string) []*handle {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.collections[collection]
}

// publish replaces the segments of a collection. The caller holds writeMu.
func (s *Store) publish(collection string, handles []*handle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(handles) == 0 {
		delete(s.collections, collection)
	} else {
		s.collections[collection] = handles
	}
	s.dirty[collection] = true
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Store) Write(ctx context.Context, chunks []index.Chunk) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	groups := map[string][]*index.Chunk{}
	var names []string
	for i := range chunks {
		c := &chunks[i]
		if err := s.options.Stamp.Check(c); err != nil {
			return err
		}
		if groups[c.Collection] == nil {
			names = append(names, c.Collection)
		}
		groups[c.Collection] = append(groups[c.Collection], c)
	}
	var pieces [][]*index.Chunk
	for _, name := range names {
		pieces = append(pieces, cutPieces(groups[name])...)
	}
	var mu sync.Mutex
	ends := map[*appendLog]int64{}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for _, piece := range pieces {
		work.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			log, end, err := s.put(piece)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			ends[log] = max(ends[log], end)
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	s.poke()
	for log, end := range ends {
		if err := log.sync(end); err != nil {
			return err
		}
	}
	return nil
}

// pieceBytes is how much text goes into one segment at first: enough to be
// worth it, and little enough for several cores to share a large document.
const pieceBytes = 1 << 20

func textBytes(chunks []*index.Chunk) int {
	n := 0
	for _, c := range chunks {
		n += len(c.Text)
	}
	return n
}

// cutPieces splits chunks of one collection.
func cutPieces(chunks []*index.Chunk) [][]*index.Chunk {
	var pieces [][]*index.Chunk
	from, size := 0, 0
	for i, c := range chunks {
		if size += len(c.Text); size >= pieceBytes || i == len(chunks)-1 {
			pieces = append(pieces, chunks[from:i+1])
			from, size = i+1, 0
		}
	}
	return pieces
}

// put logs and publishes chunks of one collection, but for those that are
// there, and returns what has to be synced.
func (s *Store) put(chunks []*index.Chunk) (*appendLog, int64, error) {
	name := chunks[0].Collection
	for {
		// A small segment keeps its buffer, so it gets one of its size.
		buf, pooled := &bytes.Buffer{}, textBytes(chunks) >= mapBytes
		if pooled {
			buf = s.buffers.Get().(*bytes.Buffer)
		}
		seg, err := s.encode(buf, name, chunks)
		if err != nil {
			return nil, 0, err
		}
		var again map[position]bool
		var log *appendLog
		var end int64
		var mapped bool
		retry, err := s.guarded(s.snapshot(name), func() (err error) {
			again, log, end, mapped, err = s.append(name, seg)
			return err
		})
		if retry {
			continue
		}
		if pooled && (mapped || again != nil) {
			buf.Reset()
			s.buffers.Put(buf)
		}
		if err != nil || again == nil {
			return log, end, err
		}
		chunks = slices.DeleteFunc(slices.Clone(chunks), func(c *index.Chunk) bool {
			return again[position{c.Generation, c.Order}]
		})
		if len(chunks) == 0 {
			// The chunks are there, but their own writer may not have synced
			// them yet.
			s.writeMu.Lock()
			defer s.writeMu.Unlock()
			return s.log, s.log.written.Load(), nil
		}
	}
}

// encode makes a segment that lies in buf.
func (s *Store) encode(buf *bytes.Buffer, name string, chunks []*index.Chunk) (*segment, error) {
	if err := encodeBatch(buf, name, chunks, &s.stemmer, s.options.Stamp.Dimensions); err != nil {
		return nil, err
	}
	return openSegment(buf.Bytes(), nil, s.options.Stamp.Dimensions)
}

type position struct {
	generation string
	order      int
}

// append logs and publishes a segment, unless some of its chunks are there
// already, which it returns. mapped says that seg itself is not needed any
// more.
func (s *Store) append(name string, seg *segment) (again map[position]bool, log *appendLog, end int64, mapped bool, err error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	handles := s.snapshot(name)
	if again := present(handles, seg); again != nil {
		return again, nil, 0, false, nil
	}
	if err := s.rotate(); err != nil {
		return nil, nil, 0, false, err
	}
	s.seq++
	end, err = s.log.append(kindSegment, s.seq, seg.raw)
	if err != nil {
		return nil, nil, 0, false, err
	}
	s.log.file.live++
	if stored := s.stored(seg, end); stored != nil {
		seg, mapped = stored, true
	}
	s.publish(name, append(slices.Clone(handles), newHandle(seg, s.seq, s.log.file)))
	return nil, s.log, end, mapped, nil
}

// mapBytes is the size from which a logged segment is read from the log and
// not kept in memory.
const mapBytes = 1 << 17

// stored views the segment that was just logged where it lies, before end;
// nil when it is small or cannot be mapped.
func (s *Store) stored(seg *segment, end int64) *segment {
	if len(seg.raw) < mapBytes {
		return nil
	}
	from := end - int64(-len(seg.raw)&7) - int64(len(seg.raw))
	start := from &^ int64(os.Getpagesize()-1)
	m, err := mapRange(s.log.f, start, int(end-start))
	if err != nil {
		return nil
	}
	view, err := openSegment(m.data[from-start:][:len(seg.raw)], m, seg.dims)
	if err != nil {
		return nil
	}
	return view
}

func (s *Store) Drop(ctx context.Context, collection, artifact, generation string) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	if artifact == "" && generation != "" {
		return fault.New(fault.Invalid, "dropping a generation needs its artifact")
	}
	var log *appendLog
	var end int64
	for retry := true; retry; {
		var err error
		retry, err = s.guarded(s.snapshot(collection), func() (err error) {
			s.writeMu.Lock()
			defer s.writeMu.Unlock()
			log, end, err = s.drop(collection, artifact, generation)
			return err
		})
		if err != nil && !retry {
			return err
		}
	}
	if log == nil {
		return nil
	}
	s.poke()
	return log.sync(end)
}

func (s *Store) drop(collection, artifact, generation string) (*appendLog, int64, error) {
	handles := s.snapshot(collection)
	next, changed := dropFrom(handles, artifact, generation)
	if !changed {
		return nil, 0, nil
	}
	var payload []byte
	for _, v := range []string{collection, artifact, generation} {
		payload = appendString(payload, v)
	}
	s.seq++
	end, err := s.log.append(kindDrop, s.seq, payload)
	if err != nil {
		return nil, 0, err
	}
	for i, h := range next {
		if h != handles[i] && (h.file == nil || h.file.isLog) {
			s.stale += h.staleBytes() - handles[i].staleBytes()
		}
	}
	s.publish(collection, next)
	return s.log, end, nil
}

func (s *Store) Around(ctx context.Context, collection, artifact, generation string, order, before, after int) ([]index.Chunk, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.calls.Done()
	var list []index.Chunk
	err := s.onSegments(collection, func(handles []*handle) (err error) {
		list, err = around(handles, artifact, generation, order, before, after)
		return err
	})
	slices.SortFunc(list, func(a, b index.Chunk) int { return a.Order - b.Order })
	return list, err
}

func around(handles []*handle, artifact, generation string, order, before, after int) ([]index.Chunk, error) {
	defer runtime.KeepAlive(handles) // and with them what is mapped
	var list []index.Chunk
	for _, h := range handles {
		from, to := h.live(artifact, generation)
		orders := h.seg.u32(secDocOrder)
		for d := from; d < to; d++ {
			o := int(orders[d])
			if o == order || o < order-before || o > order+after {
				continue
			}
			c, err := h.seg.chunk(d)
			if err != nil {
				return nil, err
			}
			list = append(list, c)
		}
	}
	return list, nil
}

func (s *Store) Await(ctx context.Context, collection, artifact, generation string, want int) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	limit := time.NewTimer(awaitTimeout)
	defer limit.Stop()
	for {
		s.mu.RLock()
		changed, closed := s.changed, s.closed
		n := count(s.collections[collection], artifact, generation)
		s.mu.RUnlock()
		if n >= want {
			return nil
		}
		if closed {
			return fault.New(fault.Unavailable, "the index is closed")
		}
		select {
		case <-changed:
		case <-limit.C:
			return fault.New(fault.Unavailable, "the index has %d of %d chunks of artifact %q", n, want, artifact)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *Store) Count(ctx context.Context, collection, artifact, generation string) (int, error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	defer s.calls.Done()
	n := 0
	err := s.onSegments(collection, func(handles []*handle) error { n = count(handles, artifact, generation); return nil })
	return n, err
}

// StoreID returns the id of the set of stores that the index belongs to; empty
// when it has none.
func (s *Store) StoreID(context.Context) (string, error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	return s.id, nil
}

// SetStoreID keeps the id of the set of stores that the index belongs to.
func (s *Store) SetStoreID(ctx context.Context, id string) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	s.id = id
	return s.writeManifest(s.log.file)
}

func (s *Store) Generations(ctx context.Context, collection string, after index.Generation) iter.Seq2[index.Generation, error] {
	return func(yield func(index.Generation, error) bool) {
		if err := s.enter(ctx); err != nil {
			yield(index.Generation{}, err)
			return
		}
		defer s.calls.Done()
		for _, name := range s.names(collection) {
			if name < after.Collection {
				continue
			}
			var found map[string]index.Generation
			err := s.onSegments(name, func(handles []*handle) error { found = generations(name, handles); return nil })
			if err != nil {
				yield(index.Generation{}, err)
				return
			}
			for _, g := range slices.SortedFunc(maps.Values(found), index.Generation.Compare) {
				if g.Compare(after) <= 0 {
					continue
				}
				if !yield(g, nil) {
					return
				}
			}
		}
	}
}

func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	s.calls.Wait()
	s.fillStop()
	<-s.filled
	close(s.stop)
	<-s.done
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	err := s.log.sync(s.log.written.Load())
	if e := s.log.f.Close(); e != nil && err == nil && !strings.Contains(e.Error(), "closed") {
		err = e
	}
	return errors.Join(err)
}

// poke tells the background that there may be something to merge.
func (s *Store) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
