// Package objectmeter counts what S3 would charge for the calls of an object
// store: for the table of costs.
package objectmeter

import (
	"context"
	"io"
	"sync"

	"lectern/shared/storage/object"
)

// Calls are requests to a bucket, by what they cost.
//
// Source: Amazon S3 pricing, "Requests & data retrievals".
type Calls struct {
	Puts    int // an object that goes up in one part is one
	Gets    int // with those that only look
	Lists   int // at the price of a put
	Deletes int // free, but a bucket that tells of them does so
}

// Meter is an object.Store that counts. Safe for concurrent use.
type Meter struct {
	object.Store

	mu    sync.Mutex
	calls Calls
}

// New counts the calls of a store.
func New(s object.Store) *Meter { return &Meter{Store: s} }

// Calls returns the calls since the last call of it.
func (m *Meter) Calls() Calls {
	m.mu.Lock()
	defer m.mu.Unlock()
	calls := m.calls
	m.calls = Calls{}
	return calls
}

func (m *Meter) count(add func(*Calls)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	add(&m.calls)
}

func (m *Meter) Put(ctx context.Context, key string, body io.Reader, o object.PutOptions) (object.Info, error) {
	m.count(func(c *Calls) { c.Puts++ })
	return m.Store.Put(ctx, key, body, o)
}

func (m *Meter) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, object.Info, error) {
	m.count(func(c *Calls) { c.Gets++ })
	return m.Store.Open(ctx, key, offset, length)
}

func (m *Meter) Head(ctx context.Context, key string) (object.Info, error) {
	m.count(func(c *Calls) { c.Gets++ })
	return m.Store.Head(ctx, key)
}

func (m *Meter) Delete(ctx context.Context, key string) error {
	m.count(func(c *Calls) { c.Deletes++ })
	return m.Store.Delete(ctx, key)
}

func (m *Meter) List(ctx context.Context, prefix, after string, limit int) ([]object.Info, string, error) {
	m.count(func(c *Calls) { c.Lists++ })
	return m.Store.List(ctx, prefix, after, limit)
}
