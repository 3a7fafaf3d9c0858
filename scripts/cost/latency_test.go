package cost_test

import (
	"context"
	"io"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

// How long calls take within a region: assumptions, by which the billed time of
// the functions is measured. They are at the upper end of what AWS says of the
// services ("single-digit milliseconds", "about 100 to 200 ms to the first byte"
// for large objects), and stated in infra/README.md.
const (
	recordLatency = 5 * time.Millisecond
	putLatency    = 30 * time.Millisecond
	getLatency    = 20 * time.Millisecond
	queueLatency  = 10 * time.Millisecond
	searchLatency = 60 * time.Millisecond
	writeLatency  = 150 * time.Millisecond
)

// What a function works by itself, at the share of a processor that its memory
// gives it (1,769 MB are one). On one core of an AMD EPYC a start takes .6 ms, a
// search .3 ms and an ingest 2.3 ms, and so 4, 2 and 4 ms at those shares: the
// assumptions leave room for slower cores. A chat's time is given.
//
// Source: AWS Lambda, "Configure Lambda function memory".
const (
	workOfStart  = 10 * time.Millisecond // decode, check, seal
	workOfSearch = 30 * time.Millisecond
	workOfIngest = 60 * time.Millisecond // of 20 KB: read, cut, make terms
	workOfStage  = time.Second           // of 2 MB, for each stage and group
)

// slowRecords, slowObjects and slowIndex answer as fast as the cloud's.
type slowRecords struct{ record.Store }

func (s slowRecords) Put(ctx context.Context, it record.Item, cond record.Condition) error {
	time.Sleep(recordLatency)
	return s.Store.Put(ctx, it, cond)
}

func (s slowRecords) PutMany(ctx context.Context, items []record.Item) error {
	time.Sleep(recordLatency)
	return s.Store.PutMany(ctx, items)
}

func (s slowRecords) Delete(ctx context.Context, key record.Key, cond record.Condition) error {
	time.Sleep(recordLatency)
	return s.Store.Delete(ctx, key, cond)
}

func (s slowRecords) Find(ctx context.Context, key record.Key) (record.Item, error) {
	time.Sleep(recordLatency)
	return s.Store.Find(ctx, key)
}

func (s slowRecords) FindMany(ctx context.Context, keys []record.Key) ([]record.Item, error) {
	time.Sleep(recordLatency)
	return s.Store.FindMany(ctx, keys)
}

func (s slowRecords) Range(ctx context.Context, r record.Range) (record.Page, error) {
	time.Sleep(recordLatency)
	return s.Store.Range(ctx, r)
}

type slowObjects struct{ object.Store }

func (s slowObjects) Put(ctx context.Context, key string, body io.Reader, o object.PutOptions) (object.Info, error) {
	time.Sleep(putLatency)
	return s.Store.Put(ctx, key, body, o)
}

func (s slowObjects) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, object.Info, error) {
	time.Sleep(getLatency)
	return s.Store.Open(ctx, key, offset, length)
}

func (s slowObjects) Head(ctx context.Context, key string) (object.Info, error) {
	time.Sleep(getLatency)
	return s.Store.Head(ctx, key)
}

func (s slowObjects) Delete(ctx context.Context, key string) error {
	time.Sleep(getLatency)
	return s.Store.Delete(ctx, key)
}

// slowIndex shows what was written after a while, and tells who looks once.
type slowIndex struct {
	index.Store
	state *visibility
	once  bool
}

// visibility is what all processes know of the index.
type visibility struct {
	hidden  time.Duration
	written time.Time
	asleep  time.Duration // how long the next search waits for capacity
}

func (s slowIndex) Search(ctx context.Context, q index.Query) (index.Result, error) {
	asleep := s.state.asleep
	s.state.asleep = 0
	time.Sleep(searchLatency + asleep)
	return s.Store.Search(ctx, q)
}

func (s slowIndex) Write(ctx context.Context, chunks []index.Chunk) error {
	time.Sleep(writeLatency)
	s.state.written = time.Now()
	return s.Store.Write(ctx, chunks)
}

func (s slowIndex) Await(ctx context.Context, collection, artifact, generation string, want int) error {
	time.Sleep(searchLatency)
	if left := time.Until(s.state.written.Add(s.state.hidden)); left > 0 {
		if s.once {
			return fault.New(fault.Unavailable, "not shown yet")
		}
		time.Sleep(left)
	}
	return s.Store.Await(ctx, collection, artifact, generation, want)
}
