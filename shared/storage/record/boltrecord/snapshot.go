package boltrecord

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"

	"go.etcd.io/bbolt"
)

// Snapshot implements record.Snapshotter. Writes go on meanwhile; the file grows by
// what they replace.
func (s *Store) Snapshot(ctx context.Context, to func(size int64, write func(io.Writer) error) error) error {
	s.copying.RLock()
	defer s.copying.RUnlock()
	return s.view(ctx, func(tx *bbolt.Tx) error {
		return to(tx.Size(), func(w io.Writer) error {
			_, err := tx.WriteTo(w)
			return err
		})
	})
}

// Partitions implements record.Lister.
func (s *Store) Partitions(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for seek := []byte(prefix); ; {
			var found string
			err := s.view(ctx, func(tx *bbolt.Tx) error {
				k, _ := tx.Bucket(itemsBucket).Cursor().Seek(seek)
				if bytes.HasPrefix(k, []byte(prefix)) {
					partition, _, _ := bytes.Cut(k, []byte{0})
					found = string(partition)
				}
				return nil
			})
			if err != nil {
				yield("", err)
				return
			}
			if found == "" || !yield(found, nil) {
				return
			}
			seek = append([]byte(found), 1) // behind the NUL that ends its name
		}
	}
}

// Reclaim rewrites the file without what was deleted or replaced, which stays in
// free pages otherwise; other calls wait meanwhile. It does nothing when nothing was
// written since the last time, and is put off, false, while the file is copied.
func (s *Store) Reclaim(ctx context.Context) (done bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if !s.copying.TryLock() {
		return false, nil
	}
	defer s.copying.Unlock()
	s.swap.Lock()
	defer s.swap.Unlock()
	if !s.written.Load() {
		return true, nil
	}
	err = s.classify(guarded(s.path, func() error { return rewrite(s.db, s.path) }))
	if err != nil {
		return false, err
	}
	// The lock on the old file is held until the new one has the name.
	if err := s.db.Close(); err != nil {
		return false, fmt.Errorf("rewrite records: %w", err)
	}
	if s.db, err = openCurrent(s.path); err != nil {
		return false, fmt.Errorf("rewrite records: %w", err)
	}
	s.written.Store(false)
	return true, nil
}
