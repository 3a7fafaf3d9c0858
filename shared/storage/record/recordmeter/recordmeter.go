// Package recordmeter counts what DynamoDB would charge for the calls of a
// record store: for budgets in tests and for the table of costs.
package recordmeter

import (
	"context"
	"sync"

	"lectern/shared/storage/record"
)

// Meter is a record.Store that counts. Safe for concurrent use.
type Meter struct {
	record.Store

	mu            sync.Mutex
	writes, reads int
}

// New counts the calls of a store.
func New(s record.Store) *Meter { return &Meter{Store: s} }

// Units returns the write and read units since the last call of it: one write
// unit for each KB of an item, one strong read unit for each 4 KB that is read.
//
// Source: Amazon DynamoDB, "Read and write operations".
func (m *Meter) Units() (writes, reads int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	writes, reads = m.writes, m.reads
	m.writes, m.reads = 0, 0
	return writes, reads
}

// sizeOf is the size of an item as dynamorecord stores it, with the names of
// its attributes and its numbers.
func sizeOf(it record.Item) int {
	return len(it.Partition) + len(it.Sort) + len(it.Value) + len(it.Version) + len("pkskvverttl") + 10
}

func units(size, unit int) int { return max(1, (size+unit-1)/unit) }

func (m *Meter) wrote(items ...record.Item) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, it := range items {
		m.writes += units(sizeOf(it), 1<<10)
	}
}

func (m *Meter) read(size int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads += units(size, 4<<10)
}

func (m *Meter) Put(ctx context.Context, it record.Item, cond record.Condition) error {
	m.wrote(it)
	return m.Store.Put(ctx, it, cond)
}

func (m *Meter) PutMany(ctx context.Context, items []record.Item) error {
	m.wrote(items...)
	return m.Store.PutMany(ctx, items)
}

func (m *Meter) Delete(ctx context.Context, key record.Key, cond record.Condition) error {
	it, err := m.Store.Find(ctx, key)
	if err != nil {
		it = record.Item{}
	}
	m.wrote(it)
	return m.Store.Delete(ctx, key, cond)
}

func (m *Meter) Find(ctx context.Context, key record.Key) (record.Item, error) {
	it, err := m.Store.Find(ctx, key)
	m.read(sizeOf(it))
	return it, err
}

func (m *Meter) FindMany(ctx context.Context, keys []record.Key) ([]record.Item, error) {
	items, err := m.Store.FindMany(ctx, keys)
	for _, it := range items {
		m.read(sizeOf(it))
	}
	for range len(keys) - len(items) {
		m.read(0) // what is not there is charged too
	}
	return items, err
}

func (m *Meter) Range(ctx context.Context, r record.Range) (record.Page, error) {
	page, err := m.Store.Range(ctx, r)
	size := 0
	for _, it := range page.Items {
		size += sizeOf(it)
	}
	m.read(size)
	return page, err
}
