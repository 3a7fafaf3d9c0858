package boltrecord

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"lectern/shared/fault"
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
	if err := s.replace(); err != nil {
		return false, err
	}
	s.written.Store(false)
	return true, nil
}

// renew replaces a file of which an fsync has failed. The kernel may have dropped what
// it did not write and show it nevertheless, so that the file on the disk is of no known
// state: a later transaction may write over pages that it still needs. A new file has
// no such past.
func (s *Store) renew() error {
	s.swap.Lock()
	defer s.swap.Unlock()
	if !s.unsynced.Load() {
		return nil
	}
	if !s.copying.TryLock() { // whoever copies may wait for swap
		return fault.New(fault.Unavailable, "the registry is being copied, and takes changes afterwards")
	}
	defer s.copying.Unlock()
	if err := s.replace(); err != nil {
		return err
	}
	s.unsynced.Store(false)
	s.damage.log.Warn("the disk had failed and works again; the registry was written to a new file")
	return nil
}

// replace writes the file anew. Called under copying and swap.
func (s *Store) replace() error {
	if err := s.classify(guarded(s.path, func() error { return rewrite(s.db, s.path) })); err != nil {
		return err
	}
	// The lock on the old file is held until the new one has the name.
	err := s.db.Close()
	if err == nil {
		s.db, err = openCurrent(s.path)
	}
	if err != nil {
		return fmt.Errorf("rewrite records: %w", err)
	}
	return nil
}

func rewrite(db *bbolt.DB, path string) error {
	temp := path + ".compact"
	if err := os.Remove(temp); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	fresh, err := bbolt.Open(temp, 0o600, &bbolt.Options{Timeout: lockTimeout, NoSync: true})
	if err != nil {
		return err
	}
	err = bbolt.Compact(fresh, db, 16<<20)
	if err == nil {
		err = fresh.Sync()
	}
	if err = errors.Join(err, fresh.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path)) // what the new file takes is not to be lost with its name
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
