// Package boltrecord keeps records in one bbolt file: the embedded driver.
//
// Writes of concurrent callers share a transaction (one fsync), which waits
// at most a millisecond for company. Expired items are removed a few at a
// time by later writes, so nothing runs in the background. A file that is
// more than half free is rewritten when it is opened.
//
// The file holds two buckets. "items" maps partition, NUL, sort key to an
// encoded item; no key holds a NUL, so its order is that of the port.
// "expiry" holds the same keys behind their big-endian expiry second.
//
// bbolt has no checksums and panics on pages that make no sense. Open walks
// through the file first and refuses one whose structure is damaged, with a
// sentence. Items carry checksums of their own: a damaged one is read without
// its value, logged and counted.
package boltrecord

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

const (
	lockTimeout     = 500 * time.Millisecond
	compactMinBytes = 4 << 20
	sweepPerWrite   = 8
	maxPageBytes    = 1 << 20 // of the values of one Range; the page is short then
)

var (
	itemsBucket  = []byte("items")
	expiryBucket = []byte("expiry")
)

// Options are the store's settings.
type Options struct {
	Now func() time.Time // time.Now when nil
	Log *slog.Logger     // receives what is damaged; nil discards it
}

// Store implements record.Store on one file.
type Store struct {
	swap     sync.RWMutex // held for writing while db is replaced
	db       *bbolt.DB
	copying  sync.RWMutex // held for reading while the file is copied
	written  atomic.Bool  // since the file was rewritten
	unsynced atomic.Bool  // an fsync has failed
	path     string
	now      func() time.Time
	damage   damage
}

// Open opens or creates the file at path, whose directory it creates. A file
// that another process, or another Store, holds is fault.Unavailable after
// half a second, and so is one that is damaged.
func Open(path string, o Options) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open records: %w", err)
	}
	s := &Store{path: path, now: o.Now, damage: damage{log: o.Log}}
	if err := s.check(); err != nil {
		return nil, err
	}
	db, err := openCurrent(path)
	if err != nil {
		return nil, err
	}
	if db, err = compact(db, path); err != nil {
		return nil, err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{itemsBucket, expiryBucket} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open records: %w", err), db.Close())
	}
	s.db = db
	s.written.Store(true) // nobody knows
	return s, nil
}

// openCurrent opens the file that has the name path now. A process that
// compacts replaces the file while others wait for its lock; whoever gets
// the lock of the replaced one starts over.
func openCurrent(path string) (*bbolt.DB, error) {
	for {
		var file *os.File
		db, err := openFile(path, bbolt.Options{
			OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
				f, err := os.OpenFile(name, flag, mode)
				file = f
				return f, err
			},
		})
		if err != nil {
			return nil, err
		}
		db.MaxBatchDelay = time.Millisecond
		opened, err := file.Stat()
		if err != nil {
			return nil, errors.Join(fmt.Errorf("open records: %w", err), db.Close())
		}
		if named, err := os.Stat(path); err == nil && os.SameFile(opened, named) {
			return db, nil
		}
		if err := db.Close(); err != nil {
			return nil, fmt.Errorf("open records: %w", err)
		}
	}
}

// openFile opens a database and turns what bbolt says about it into faults.
func openFile(path string, o bbolt.Options) (db *bbolt.DB, err error) {
	o.Timeout, o.FreelistType = lockTimeout, bbolt.FreelistMapType
	err = guarded(path, func() (err error) { db, err = bbolt.Open(path, 0o600, &o); return err })
	switch {
	case err == nil, errors.Is(err, errDamaged):
		return db, err
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fault.Wrap(err, fault.Unavailable, "the records are in use by another process")
	case isDamage(err):
		return nil, damaged(path, err)
	}
	return nil, fmt.Errorf("open records %q: %w", path, err)
}

// compact rewrites a file that is more than half free, and returns the
// database to go on with; db is closed when it is another one or on error.
func compact(db *bbolt.DB, path string) (*bbolt.DB, error) {
	var size int64
	if err := db.View(func(tx *bbolt.Tx) error { size = tx.Size(); return nil }); err != nil {
		return nil, errors.Join(fmt.Errorf("compact records: %w", err), db.Close())
	}
	free := int64(db.Stats().FreePageN) * int64(db.Info().PageSize)
	if size < compactMinBytes || free*2 <= size {
		return db, nil
	}
	if err := rewrite(db, path); err != nil {
		return nil, errors.Join(fmt.Errorf("compact records: %w", err), db.Close())
	}
	// The lock on the old file is held until the new one has the name.
	if err := db.Close(); err != nil {
		return nil, fmt.Errorf("compact records: %w", err)
	}
	return openCurrent(path)
}

// Close implements record.Store.
func (s *Store) Close() error {
	s.swap.RLock()
	defer s.swap.RUnlock()
	return s.db.Close()
}

// Find implements record.Store.
func (s *Store) Find(ctx context.Context, key record.Key) (record.Item, error) {
	found, err := s.FindMany(ctx, []record.Key{key})
	if err != nil {
		return record.Item{}, err
	}
	if len(found) == 0 {
		return record.Item{}, fault.New(fault.NotFound, "no record %q in %q", key.Sort, key.Partition)
	}
	return found[0], nil
}

// FindMany implements record.Store.
func (s *Store) FindMany(ctx context.Context, keys []record.Key) ([]record.Item, error) {
	for _, k := range keys {
		if err := record.CheckKey(k); err != nil {
			return nil, err
		}
	}
	now := s.now()
	var items []record.Item
	seen := make(map[record.Key]bool, len(keys))
	err := s.view(ctx, func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(itemsBucket)
		for _, k := range keys {
			if seen[k] {
				continue
			}
			seen[k] = true
			if it, ok := s.decode(k, bucket.Get(join(k.Partition, k.Sort)), now); ok {
				items = append(items, it)
			}
		}
		return nil
	})
	return items, err
}

// Put implements record.Store.
func (s *Store) Put(ctx context.Context, item record.Item, cond record.Condition) error {
	if err := record.CheckItem(item); err != nil {
		return err
	}
	if item.Version == "" {
		item.Version = rand.Text()
	}
	now := s.now()
	failed := false
	err := s.batch(ctx, now, func(tx *bbolt.Tx) error {
		failed = false
		stored, found := s.decode(item.Key, tx.Bucket(itemsBucket).Get(join(item.Partition, item.Sort)), now)
		if !cond.Holds(stored.Version, found) {
			// A condition that fails must not roll back the batch's others.
			failed = !found || stored.Version != item.Version
			return nil
		}
		return write(tx, item)
	})
	if err != nil {
		return err
	}
	if failed {
		return conflict(item.Key)
	}
	s.damage.forget(item.Key)
	return nil
}

// PutMany implements record.Store.
func (s *Store) PutMany(ctx context.Context, items []record.Item) error {
	for _, it := range items {
		if err := record.CheckItem(it); err != nil {
			return err
		}
	}
	if len(items) == 0 {
		return nil
	}
	return s.batch(ctx, s.now(), func(tx *bbolt.Tx) error {
		for _, it := range items {
			if it.Version == "" {
				it.Version = rand.Text()
			}
			if err := write(tx, it); err != nil {
				return err
			}
		}
		return nil
	})
}

// Delete implements record.Store.
func (s *Store) Delete(ctx context.Context, key record.Key, cond record.Condition) error {
	if err := record.CheckKey(key); err != nil {
		return err
	}
	now := s.now()
	failed := false
	err := s.batch(ctx, now, func(tx *bbolt.Tx) error {
		stored, found := s.decode(key, tx.Bucket(itemsBucket).Get(join(key.Partition, key.Sort)), now)
		if failed = !cond.Holds(stored.Version, found); failed || !found {
			return nil
		}
		return remove(tx, join(key.Partition, key.Sort))
	})
	if err != nil {
		return err
	}
	if failed {
		return conflict(key)
	}
	s.damage.forget(key)
	return nil
}

// Range implements record.Store.
func (s *Store) Range(ctx context.Context, r record.Range) (record.Page, error) {
	r, err := record.CheckRange(r)
	if err != nil {
		return record.Page{}, err
	}
	now := s.now()
	var page record.Page
	err = s.view(ctx, func(tx *bbolt.Tx) error {
		w := newWindow(tx.Bucket(itemsBucket).Cursor(), r)
		size := 0
		for k, v := w.first(); w.holds(k); k, v = w.next() {
			key := record.Key{Partition: r.Partition, Sort: string(k[len(r.Partition)+1:])}
			it, ok := s.decode(key, v, now)
			if !ok {
				continue
			}
			if n := len(page.Items); n > 0 && (n == r.Limit || size+len(it.Value) > maxPageBytes) {
				page.Next = page.Items[n-1].Sort
				return nil
			}
			size += len(it.Value)
			page.Items = append(page.Items, it)
		}
		return nil
	})
	if err != nil {
		return record.Page{}, err
	}
	return page, nil
}

// window moves a cursor over a range: from low (included) to high (excluded),
// or backwards.
type window struct {
	cursor    *bbolt.Cursor
	low, high []byte
	reverse   bool
}

func newWindow(c *bbolt.Cursor, r record.Range) *window {
	w := &window{cursor: c, reverse: r.Reverse, low: join(r.Partition, r.Prefix), high: after(join(r.Partition, r.Prefix))}
	if r.After != "" {
		// The least key above After is After with a NUL.
		w.low = slices.MaxFunc([][]byte{w.low, append(join(r.Partition, r.After), 0)}, bytes.Compare)
	}
	if r.Before != "" {
		w.high = slices.MinFunc([][]byte{w.high, join(r.Partition, r.Before)}, bytes.Compare)
	}
	return w
}

func (w *window) first() (k, v []byte) {
	if !w.reverse {
		return w.cursor.Seek(w.low)
	}
	if k, _ := w.cursor.Seek(w.high); k == nil {
		return w.cursor.Last()
	}
	return w.cursor.Prev()
}

func (w *window) next() (k, v []byte) {
	if w.reverse {
		return w.cursor.Prev()
	}
	return w.cursor.Next()
}

func (w *window) holds(k []byte) bool {
	return k != nil && bytes.Compare(k, w.low) >= 0 && bytes.Compare(k, w.high) < 0
}

// after returns the least key greater than every key with this prefix; the
// prefix ends in an ASCII byte or in the NUL of join.
func after(prefix []byte) []byte {
	p := bytes.Clone(prefix)
	p[len(p)-1]++
	return p
}

func (s *Store) view(ctx context.Context, fn func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fault.Wrap(err, fault.Cancelled, "reading records was cancelled")
	}
	s.swap.RLock()
	defer s.swap.RUnlock()
	return s.classify(guarded(s.path, func() error { return s.db.View(fn) }))
}

// batch runs fn in a transaction shared with other callers; fn may run twice.
func (s *Store) batch(ctx context.Context, now time.Time, fn func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return fault.Wrap(err, fault.Cancelled, "writing records was cancelled")
	}
	if s.unsynced.Load() {
		if err := s.renew(); err != nil {
			return err
		}
	}
	s.swap.RLock()
	defer s.swap.RUnlock()
	s.written.Store(true)
	err := s.classify(guarded(s.path, func() error {
		return s.db.Batch(func(tx *bbolt.Tx) error {
			if err := sweep(tx, now); err != nil {
				return err
			}
			return fn(tx)
		})
	}))
	if errors.Is(err, syscall.EIO) {
		s.unsynced.Store(true)
	}
	return err
}

func (s *Store) classify(err error) error {
	if errors.Is(err, errDamaged) {
		return err
	}
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return fault.Wrap(err, fault.Unavailable, "the record store is closed")
	}
	if err != nil {
		return fmt.Errorf("records: %w", err)
	}
	return nil
}

func conflict(k record.Key) error {
	return fault.New(fault.Conflict, "the record %q in %q is not in the expected state", k.Sort, k.Partition)
}

// sweep removes a few items that have expired.
func sweep(tx *bbolt.Tx, now time.Time) error {
	cursor := tx.Bucket(expiryBucket).Cursor()
	for range sweepPerWrite {
		k, _ := cursor.First()
		if k == nil || len(k) >= 8 && int64(binary.BigEndian.Uint64(k)) > now.Unix() {
			return nil
		}
		if err := expire(tx, bytes.Clone(k)); err != nil {
			return err
		}
	}
	return nil
}

// expire removes the item that an entry of the expiry bucket points to, unless
// the item says otherwise: then one of them is damaged.
func expire(tx *bbolt.Tx, entry []byte) error {
	if len(entry) < 8 {
		return tx.Bucket(expiryBucket).Delete(entry)
	}
	key := entry[8:]
	if stored := tx.Bucket(itemsBucket).Get(key); len(stored) < 8 || !bytes.Equal(stored[:8], entry[:8]) {
		return tx.Bucket(expiryBucket).Delete(entry)
	}
	return remove(tx, key)
}

func write(tx *bbolt.Tx, it record.Item) error {
	key := join(it.Partition, it.Sort)
	items := tx.Bucket(itemsBucket)
	if err := forgetExpiry(tx, key, items.Get(key)); err != nil {
		return err
	}
	var expires int64
	if !it.Expires.IsZero() {
		expires = roundUp(it.Expires)
		if err := tx.Bucket(expiryBucket).Put(expiryKey(expires, key), nil); err != nil {
			return err
		}
	}
	return items.Put(key, encode(it, expires))
}

func remove(tx *bbolt.Tx, key []byte) error {
	items := tx.Bucket(itemsBucket)
	if err := forgetExpiry(tx, key, items.Get(key)); err != nil {
		return err
	}
	return items.Delete(key)
}

func forgetExpiry(tx *bbolt.Tx, key, stored []byte) error {
	if len(stored) < 8 {
		return nil
	}
	expires := int64(binary.BigEndian.Uint64(stored))
	if expires == 0 {
		return nil
	}
	// Of a damaged item the expiry may be another one; what is not there is no
	// error.
	return tx.Bucket(expiryBucket).Delete(expiryKey(expires, key))
}

func expiryKey(expires int64, key []byte) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(expires)), key...)
}

// roundUp returns the first whole second at or after t, at least 1.
func roundUp(t time.Time) int64 {
	sec := t.Unix()
	if t.Nanosecond() > 0 {
		sec++
	}
	return max(sec, 1)
}

func join(partition, sort string) []byte {
	b := make([]byte, 0, len(partition)+len(sort)+2)
	b = append(b, partition...)
	b = append(b, 0)
	return append(b, sort...)
}

// mark stands between an item's version and its checksum, which older programs
// read as the end of the version: they can still use the file. Items that they
// write have no checksum.
var mark = []byte("\x00crc")

const sumBytes = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum covers an item with its key.
func checksum(key record.Key, head, value []byte) uint32 {
	sum := crc32.Checksum(join(key.Partition, key.Sort), castagnoli)
	return crc32.Update(crc32.Update(sum, castagnoli, head), castagnoli, value)
}

// encode lays out an item: expiry second, length of what follows up to the value,
// the version, the mark, the checksum of all else, the value.
func encode(it record.Item, expires int64) []byte {
	b := make([]byte, 0, 10+len(it.Version)+len(mark)+sumBytes+len(it.Value))
	b = binary.BigEndian.AppendUint64(b, uint64(expires))
	b = binary.BigEndian.AppendUint16(b, uint16(len(it.Version)+len(mark)+sumBytes))
	b = append(b, it.Version...)
	b = append(b, mark...)
	b = binary.BigEndian.AppendUint32(b, checksum(it.Key, b, it.Value))
	return append(b, it.Value...)
}

// errItem is what is wrong with a damaged item.
var errItem = errors.New("a record is damaged")

// decode copies an item out of the file; false when it is absent or expired. A
// damaged item comes without value and version, so that conditions on it fail
// and a Put without one replaces it.
func (s *Store) decode(key record.Key, b []byte, now time.Time) (record.Item, bool) {
	if b == nil {
		return record.Item{}, false
	}
	it, err := decode(key, b)
	if err != nil {
		s.damage.note(s.path, key)
		return record.Item{Key: key}, true
	}
	return it, it.Expires.IsZero() || it.Expires.Unix() > now.Unix()
}

func decode(key record.Key, b []byte) (record.Item, error) {
	it := record.Item{Key: key}
	if len(b) < 10 {
		return it, errItem
	}
	n := int(binary.BigEndian.Uint16(b[8:]))
	if len(b) < 10+n {
		return it, errItem
	}
	head, value := b[:10+n], b[10+n:]
	switch at := len(head) - sumBytes; {
	case at >= 10+len(mark) && bytes.HasSuffix(head[:at], mark):
		if binary.BigEndian.Uint32(head[at:]) != checksum(key, head[:at], value) {
			return it, errItem
		}
		head = head[:at-len(mark)]
	case bytes.Contains(b, mark):
		return it, errItem // its length is damaged
	}
	if expires := int64(binary.BigEndian.Uint64(b)); expires != 0 {
		it.Expires = time.Unix(expires, 0).UTC()
	}
	it.Version, it.Value = string(head[10:]), bytes.Clone(value)
	return it, nil
}
