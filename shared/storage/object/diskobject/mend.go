package diskobject

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"
)

// file is what a segment needs of an *os.File.
type file interface {
	io.ReaderAt
	io.WriterAt
	Sync() error
	Truncate(size int64) error
	Stat() (fs.FileInfo, error)
	Close() error
	Name() string
}

// opener opens a segment's file.
type opener func(path string, flag int) (file, error)

func openFile(path string, flag int) (file, error) { return os.OpenFile(path, flag, 0o600) }

// errCut answers those whose records were written to a log that then failed.
var errCut = fmt.Errorf("the disk failed: %w", syscall.EIO)

// change is what a record that may not be on disk yet has changed in the index.
type change struct {
	key     string
	old     entry
	existed bool
	now     entry // zero: deleted
	at      position
}

// undo holds the changes since the last fsync that went well, in their order.
type undo struct {
	mu   sync.Mutex
	list []change
}

func (u *undo) note(c change) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.list = append(u.list, c)
}

// forget drops what is on disk.
func (u *undo) forget(synced position) {
	u.mu.Lock()
	defer u.mu.Unlock()
	n := 0
	for n < len(u.list) && synced.covers(u.list[n].at) {
		n++
	}
	u.list = append([]change(nil), u.list[n:]...)
}

// take returns the changes that are not on disk, the last one first. One may have been
// noted after the fsync that covers it.
func (u *undo) take(synced position) (list []change) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, c := range slices.Backward(u.list) {
		if !synced.covers(c.at) {
			list = append(list, c)
		}
	}
	u.list = nil
	return list
}

// mend makes a log usable again whose fsync failed, once the disk does what it is
// asked; until then it returns the error. Called under mu.
//
// What lies before the last fsync that went well is on disk. What lies behind it may
// be there or not, whatever the page cache shows, but nobody was told that it is: it is
// cut, the index is what it was before, and the log goes on in a new file, of which the
// kernel has no pages that it takes for written.
func (s *Store) mend() error {
	p := s.pack
	p.syncMu.Lock()
	defer p.syncMu.Unlock()
	if p.broken == nil || s.closed {
		return nil
	}
	seg := p.segments[len(p.segments)-1]
	cut := seg.opened
	if p.synced.id == seg.id {
		cut = max(cut, p.synced.offset)
	}
	if err := errors.Join(seg.file.Truncate(cut), seg.file.Sync()); err != nil {
		return fmt.Errorf("the disk failed: %w", err)
	}
	seg.size = cut
	seg.written.Store(cut)
	lost := p.undo.take(p.synced)
	for _, c := range lost {
		s.revert(c)
	}
	if err := p.grow(); err != nil {
		return fmt.Errorf("the disk failed: %w", err)
	}
	s.log.Warn("the disk had failed and works again; what was not on it was cut from the log of objects, and nobody was told that it is stored",
		"cut", len(lost), "error", p.broken)
	p.synced, p.broken, p.stuck = position{id: p.segments[len(p.segments)-1].id}, nil, false
	p.mends++
	return nil
}

// revert takes a change back, unless something came after it that stays.
func (s *Store) revert(c change) {
	now, exists := s.entries[c.key]
	if exists != (c.now != entry{}) || now != c.now {
		return
	}
	if now.segment != nil {
		now.segment.live -= now.bytes
	}
	switch {
	case !c.existed:
		delete(s.entries, c.key)
		s.keys.remove(c.key)
		return
	case !exists:
		s.keys.add(c.key)
	}
	if c.old.segment != nil {
		c.old.segment.live += c.old.bytes
	}
	s.entries[c.key] = c.old
}
