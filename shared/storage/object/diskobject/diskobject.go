// Package diskobject keeps objects in a directory: the embedded driver.
//
// An object under 64 KB is a record of a pack log, so that a thousand small
// ones cost a few fsyncs and no inodes; a larger one is a file whose first
// block is its metadata. Both carry a sequence number, and of two traces of
// one key the higher number counts, so every state that a crash can leave
// reads as the moment before or after one Put or Delete. The index of keys
// lives in memory, about 150 bytes each, and is rebuilt when the directory is
// opened.
//
// An answered Put is on disk. An unanswered one may be seen by readers before
// it is.
//
// Every byte is covered by a checksum. Opening skips what is damaged, logs it
// and goes on behind it: a damaged object answers with object.Damaged, every
// other one is there. Only a torn end of the log, behind which nothing valid
// follows, is cut, and what is cut is kept in a file beside the segment.
package diskobject

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
)

const (
	smallBytes         = 64 << 10
	defaultContentType = "application/octet-stream"
)

// Options are the store's settings.
type Options struct {
	Now    func() time.Time // time.Now when nil
	Signer object.Signer    // nil: Presign is fault.Unsupported
	Log    *slog.Logger     // receives what is damaged; nil discards it

	open opener // openFile when nil
}

// segmentBytes is the size at which a part of the pack log is closed and
// becomes subject to compaction.
const segmentBytes = 64 << 20

// Store implements object.Store on a directory.
type Store struct {
	dir    string
	now    func() time.Time
	signer object.Signer
	log    *slog.Logger
	unlock func() error
	open   opener
	pack   *pack

	// mu guards the index, the sequence and the appending end of the pack.
	mu       sync.RWMutex
	entries  map[string]entry
	keys     keySet
	sequence uint64
	closed   bool

	compactions sync.WaitGroup
	damage      damage
}

// entry says where an object lies: in a segment, or in its own file.
type entry struct {
	segment  *segment // nil: own file
	offset   int64    // of the record in the segment
	bytes    int64    // of the whole record in the segment
	sequence uint64
}

// header is the metadata as it is stored.
type header struct {
	Key      string `json:"k"`
	Type     string `json:"t"`
	ETag     string `json:"e"`
	Modified int64  `json:"m"`
	Size     int64  `json:"s"`
	Sequence uint64 `json:"q"`
}

func (h header) info() object.Info {
	return object.Info{
		Key: h.Key, Size: h.Size, ContentType: h.Type, ETag: h.ETag,
		Modified: time.Unix(h.Modified, 0).UTC(),
	}
}

// Open opens or creates a store in dir. A directory that another process, or
// another Store, holds is fault.Unavailable after half a second.
func Open(dir string, o Options) (*Store, error) { return open(dir, o, segmentBytes) }

func open(dir string, o Options, segmentBytes int64) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	for _, sub := range []string{"pack", "large", "temp"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("open objects: %w", err)
		}
	}
	unlock, err := lock(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, now: o.Now, signer: o.Signer, log: o.Log, unlock: unlock, open: o.open, entries: map[string]entry{}}
	if s.open == nil {
		s.open = openFile
	}
	if err := s.load(segmentBytes); err != nil {
		return nil, errors.Join(fmt.Errorf("open objects: %w", err), s.pack.close(), unlock())
	}
	s.compactLater()
	return s, nil
}

// load rebuilds the index from the pack and the large files.
func (s *Store) load(segmentBytes int64) error {
	gone := map[string]uint64{} // sequence of the last deletion
	var lost []packRecord       // their headers are damaged
	var err error
	s.pack, err = s.openPack(segmentBytes, func(r packRecord) {
		if r.lost {
			lost = append(lost, r)
			return
		}
		s.sequence = max(s.sequence, r.sequence)
		old, exists := s.entries[r.key]
		if exists && old.sequence > r.sequence || gone[r.key] > r.sequence {
			return
		}
		if exists {
			old.segment.live -= old.bytes
			delete(s.entries, r.key)
		}
		if r.deleted {
			gone[r.key] = r.sequence
			return
		}
		r.segment.live += r.bytes
		s.entries[r.key] = entry{segment: r.segment, offset: r.offset, bytes: r.bytes, sequence: r.sequence}
		if s.damage.forget(r.key); r.damaged {
			s.noteDamage(r.key, r.segment.file.Name(), r.offset)
		}
	})
	if err != nil {
		return err
	}
	if err := s.clearTemp(); err != nil {
		return err
	}
	err = s.eachLarge(func(path string, h header, whole bool) error {
		s.sequence = max(s.sequence, h.Sequence)
		old, exists := s.entries[h.Key]
		if exists && old.sequence > h.Sequence || gone[h.Key] > h.Sequence {
			return errors.Join(os.Remove(path), syncDir(filepath.Dir(path)))
		}
		if exists {
			old.segment.live -= old.bytes
		}
		s.entries[h.Key] = entry{sequence: h.Sequence}
		if s.damage.forget(h.Key); !whole {
			s.noteDamage(h.Key, path, 0)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.addLost(lost, gone)
	s.keys.fill(s.entries)
	return nil
}

// Close implements object.Store. Bodies that are open stay readable.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()
	s.compactions.Wait()
	return errors.Join(s.pack.close(), s.unlock())
}

// Put implements object.Store.
func (s *Store) Put(ctx context.Context, key string, body io.Reader, o object.PutOptions) (object.Info, error) {
	if err := object.CheckPut(key, o); err != nil {
		return object.Info{}, err
	}
	if err := s.check(ctx, key, o.IfAbsent); err != nil {
		return object.Info{}, err
	}
	if o.ContentType == "" {
		o.ContentType = defaultContentType
	}
	b := &source{ctx: ctx, body: body, want: o.Size, sum: sha256.New()}
	start, err := b.prefix(smallBytes)
	if err != nil {
		return object.Info{}, err
	}
	h := header{Key: key, Type: o.ContentType}
	if len(start) < smallBytes {
		err = s.putSmall(&h, b, start, o.IfAbsent)
	} else {
		err = s.putLarge(&h, b, start, o.IfAbsent)
	}
	if err != nil {
		return object.Info{}, err
	}
	return h.info(), nil
}

func (s *Store) complete(h *header, b *source) {
	h.Size = b.read
	h.ETag = etagOf(b.sum)
	h.Modified = s.now().Unix()
}

func etagOf(sum hash.Hash) string { return `"` + hex.EncodeToString(sum.Sum(nil)[:16]) + `"` }

func (s *Store) putSmall(h *header, b *source, body []byte, ifAbsent bool) error {
	s.complete(h, b)
	s.mu.Lock()
	if err := s.mend(); err != nil {
		s.mu.Unlock()
		return fmt.Errorf("put object: %w", err)
	}
	old, exists, err := s.mayPut(h.Key, ifAbsent)
	if err != nil {
		s.mu.Unlock()
		return err
	}
	s.sequence++
	h.Sequence = s.sequence
	e, end, err := s.pack.append(packRecord{key: h.Key, sequence: h.Sequence}, h, body)
	if err != nil {
		s.mu.Unlock()
		return fmt.Errorf("put object: %w", err)
	}
	s.replace(h.Key, old, exists, e)
	s.pack.undo.note(change{h.Key, old, exists, e, end})
	if exists && old.segment == nil {
		// The file may go only when its successor cannot be lost.
		err = s.pack.sync(end)
		if err == nil {
			err = s.removeLarge(h.Key)
		}
	}
	s.mu.Unlock()
	if err == nil {
		err = s.pack.sync(end)
	}
	s.compactLater()
	if err != nil {
		return fmt.Errorf("put object: %w", err)
	}
	return nil
}

// mayPut decides a Put under mu, and returns what it would replace.
func (s *Store) mayPut(key string, ifAbsent bool) (entry, bool, error) {
	if s.closed {
		return entry{}, false, errClosed()
	}
	old, exists := s.entries[key]
	if exists && ifAbsent {
		return entry{}, false, fault.New(fault.Conflict, "the object %q exists already", key)
	}
	return old, exists, nil
}

func (s *Store) replace(key string, old entry, exists bool, e entry) {
	if !exists {
		s.keys.add(key)
	} else if old.segment != nil {
		old.segment.live -= old.bytes
	}
	if e.segment != nil {
		e.segment.live += e.bytes
	}
	s.entries[key] = e
	s.damage.forget(key)
}

// Head implements object.Store.
func (s *Store) Head(ctx context.Context, key string) (object.Info, error) {
	body, info, err := s.Open(ctx, key, 0, 0)
	if err != nil {
		return object.Info{}, err
	}
	return info, body.Close()
}

// Open implements object.Store.
func (s *Store) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, object.Info, error) {
	if err := object.CheckKey(key); err != nil {
		return nil, object.Info{}, err
	}
	if offset < 0 || length < -1 {
		return nil, object.Info{}, fault.New(fault.Invalid, "a range of %d bytes at %d is not readable", length, offset)
	}
	if err := ctx.Err(); err != nil {
		return nil, object.Info{}, fault.Wrap(err, fault.Cancelled, "reading an object was cancelled")
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil, object.Info{}, errClosed()
	}
	e, exists := s.entries[key]
	if !exists {
		if s.damage.has(key) || s.damage.has(s.largePath(key)) {
			return nil, object.Info{}, object.Damaged(key)
		}
		return nil, object.Info{}, fault.New(fault.NotFound, "no object %q", key)
	}
	if e.segment == nil {
		return s.openLarge(key, offset, length)
	}
	h, body, err := e.segment.read(e, length != 0)
	if errors.Is(err, errDamaged) {
		s.noteDamage(key, e.segment.file.Name(), e.offset)
		return nil, object.Info{}, object.Damaged(key)
	}
	if err != nil {
		return nil, object.Info{}, fmt.Errorf("open object %q: %w", key, err)
	}
	body = body[min(offset, int64(len(body))):]
	if length >= 0 {
		body = body[:min(length, int64(len(body)))]
	}
	return io.NopCloser(bytes.NewReader(body)), h.info(), nil
}

// Delete implements object.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := object.CheckKey(key); err != nil {
		return err
	}
	if err := s.check(ctx, key, false); err != nil {
		return err
	}
	s.mu.Lock()
	if err := s.mend(); err != nil {
		s.mu.Unlock()
		return fmt.Errorf("delete object: %w", err)
	}
	e, exists := s.entries[key]
	if s.closed || !exists {
		s.damage.forget(key)
		s.mu.Unlock()
		return nil
	}
	s.sequence++
	_, end, err := s.pack.append(packRecord{key: key, sequence: s.sequence, deleted: true}, &header{Key: key}, nil)
	if err == nil {
		delete(s.entries, key)
		s.keys.remove(key)
		s.damage.forget(key)
		s.pack.undo.note(change{key: key, old: e, existed: true, at: end})
		if e.segment != nil {
			e.segment.live -= e.bytes
		} else if err = s.pack.sync(end); err == nil {
			err = s.removeLarge(key)
		}
	}
	s.mu.Unlock()
	if err == nil {
		err = s.pack.sync(end)
	}
	s.compactLater()
	if err != nil {
		return fmt.Errorf("delete object: %w", err)
	}
	return nil
}

// List implements object.Store.
func (s *Store) List(ctx context.Context, prefix, after string, limit int) ([]object.Info, string, error) {
	limit, err := object.CheckList(prefix, after, limit)
	if err != nil {
		return nil, "", err
	}
	if err := s.check(ctx, prefix, false); err != nil {
		return nil, "", err
	}
	s.mu.RLock()
	keys := s.keys.list(prefix, after, limit+1)
	s.mu.RUnlock()
	next := ""
	if len(keys) > limit {
		keys = keys[:limit]
		next = keys[limit-1]
	}
	infos := make([]object.Info, 0, len(keys))
	for _, k := range keys {
		info, err := s.Head(ctx, k)
		switch {
		case fault.Is(err, fault.NotFound):
			continue
		case errors.Is(err, object.ErrDamaged):
			info = object.Info{Key: k}
		case err != nil:
			return nil, "", err
		}
		infos = append(infos, info)
	}
	return infos, next, nil
}

// Presign implements object.Store.
func (s *Store) Presign(ctx context.Context, method, key string, o object.PresignOptions) (object.Signed, error) {
	if err := object.CheckPresign(method, key, o); err != nil {
		return object.Signed{}, err
	}
	if s.signer == nil {
		return object.Signed{}, fault.New(fault.Unsupported, "signed requests are not configured")
	}
	return s.signer(ctx, method, key, o)
}

// check fails early what cannot succeed.
func (s *Store) check(ctx context.Context, key string, ifAbsent bool) error {
	if err := ctx.Err(); err != nil {
		return fault.Wrap(err, fault.Cancelled, "using an object was cancelled")
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, _, err := s.mayPut(key, ifAbsent)
	return err
}

func errClosed() error { return fault.New(fault.Unavailable, "the object store is closed") }

// source reads a body once: it counts, hashes and checks the length.
type source struct {
	ctx  context.Context
	body io.Reader
	want int64 // -1: any
	read int64
	sum  hash.Hash
}

// Read passes the body on; its only errors are io.EOF after the right length
// and those that Put returns.
func (b *source) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, fault.Wrap(err, fault.Cancelled, "storing an object was cancelled")
	}
	n, err := b.body.Read(p)
	b.read += int64(n)
	b.sum.Write(p[:n])
	if b.want >= 0 && b.read > b.want || err == io.EOF && b.want >= 0 && b.read < b.want {
		return 0, fault.New(fault.Invalid, "the body is not of the stated %d bytes", b.want)
	}
	if err != nil && err != io.EOF {
		return 0, fmt.Errorf("read the body of an object: %w", err)
	}
	return n, err
}

// prefix reads up to n bytes; fewer mean that the body has ended.
func (b *source) prefix(n int) ([]byte, error) {
	size := n
	if b.want >= 0 {
		size = int(min(int64(n), b.want+1))
	}
	buf := make([]byte, size, size+1)
	got, err := io.ReadFull(b, buf)
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return buf[:got], nil
	case err != nil:
		return nil, err
	}
	return buf[:got], nil
}
