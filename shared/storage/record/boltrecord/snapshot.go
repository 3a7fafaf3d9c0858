package boltrecord

import (
	"bytes"
	"context"
	"io"
	"iter"

	"go.etcd.io/bbolt"
)

// Snapshot implements record.Snapshotter. Writes go on meanwhile; the file grows by
// what they replace.
func (s *Store) Snapshot(ctx context.Context, to func(size int64, write func(io.Writer) error) error) error {
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
