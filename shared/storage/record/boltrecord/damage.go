package boltrecord

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"sync"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

// errDamaged is the cause of errors about a file that is no whole database.
var errDamaged = errors.New("the file is damaged")

// damaged is the error about a damaged file.
func damaged(path string, cause error) error {
	return &fault.Error{Code: fault.Unavailable, NoRetry: true, Cause: errors.Join(errDamaged, cause), Msg: fmt.Sprintf(
		"the registry %s is damaged; nothing was changed: put it back from a backup, or move it away and run `lectern adopt`, which "+
			"lists again what the stored objects tell", path)}
}

// isDamage reports whether bbolt itself refuses the file.
func isDamage(err error) bool {
	return errors.Is(err, bolterrors.ErrInvalid) || errors.Is(err, bolterrors.ErrVersionMismatch) ||
		errors.Is(err, bolterrors.ErrChecksum) ||
		errors.Is(err, bolterrors.ErrInvalidMapping) || err != nil && strings.HasPrefix(err.Error(), "file size too small")
}

// guarded turns the panics of bbolt, and faults of reading a file that is
// shorter than it says, into an error.
func guarded(path string, fn func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(before)
	defer func() {
		if r := recover(); r != nil {
			err = damaged(path, fmt.Errorf("%v", r))
		}
	}()
	return fn()
}

// check walks through the whole file, when there is one: its pages hang together,
// its keys are in order. Damaged items are noted. The file is opened for reading
// alone, because bbolt reads the list of free pages before it can be checked
// otherwise, and after a panic the file would stay locked.
func (s *Store) check() error {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open records: %w", err)
	}
	db, err := openFile(s.path, bbolt.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	err = guarded(s.path, func() error { return s.checkAll(db) })
	return errors.Join(err, db.Close())
}

func (s *Store) checkAll(db *bbolt.DB) error {
	return db.View(func(tx *bbolt.Tx) error {
		if err := checkPages(tx, s.path); err != nil {
			return damaged(s.path, err)
		}
		items := tx.Bucket(itemsBucket)
		if items == nil {
			if k, _ := tx.Cursor().First(); k != nil {
				return damaged(s.path, errors.New("the bucket of items is missing"))
			}
			return nil // a new file
		}
		return items.ForEach(func(k, v []byte) error {
			partition, sort, ok := bytes.Cut(k, []byte{0})
			key := record.Key{Partition: string(partition), Sort: string(sort)}
			if _, err := decode(key, v); err != nil || !ok || record.CheckKey(key) != nil {
				s.damage.note(s.path, key)
			}
			return nil
		})
	})
}

// damage is which items are known to be damaged.
type damage struct {
	log  *slog.Logger
	mu   sync.Mutex
	keys map[record.Key]bool
}

func (d *damage) note(path string, key record.Key) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.keys[key] {
		return
	}
	if d.keys == nil {
		d.keys = map[record.Key]bool{}
	}
	d.keys[key] = true
	d.log.Error("a record is damaged and was skipped", "file", path, "partition", key.Partition, "key", key.Sort)
}

func (d *damage) forget(key record.Key) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.keys, key)
}

// Damaged returns how many items are known to be damaged. Replacing or deleting
// one takes it off.
func (s *Store) Damaged() int {
	s.damage.mu.Lock()
	defer s.damage.mu.Unlock()
	return len(s.damage.keys)
}
