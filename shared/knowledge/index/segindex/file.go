package segindex

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// A file is a series of records. Logs are appended to and synced before a
// write returns; segment files are written once, by merges.
const (
	recordMagic  = 0x6C747231
	recordHeader = 32 // magic, kind: uint32; length, seq: uint64; checksum, zero: uint32

	kindSegment = 1
	kindDrop    = 2
)

type file struct {
	name  string
	isLog bool
	// Both are guarded by Store.writeMu.
	live int      // handles that need it
	gone []uint64 // records whose content has moved to another file
}

// mapping is a file's content, read-only. A memory map goes away when nothing
// refers to it any more, so that a search may go on reading a file that a
// merge removed.
type mapping struct{ data []byte }

// record is one record of a mapped file.
type record struct {
	kind    uint32
	seq     uint64
	payload []byte
	end     int // offset after the record
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// recordAt returns the record at offset; ok is false where a whole one is
// not there. With check its checksum counts too.
func recordAt(data []byte, offset int, check bool) (r record, ok bool) {
	if len(data)-offset < recordHeader {
		return r, false
	}
	h := data[offset : offset+recordHeader]
	n := binary.LittleEndian.Uint64(h[8:])
	if binary.LittleEndian.Uint32(h) != recordMagic || n > uint64(len(data)-offset-recordHeader) {
		return r, false
	}
	from := offset + recordHeader
	r = record{kind: binary.LittleEndian.Uint32(h[4:]), seq: binary.LittleEndian.Uint64(h[16:]),
		payload: data[from : from+int(n) : from+int(n)]}
	r.end = from + int(n) + int(-n&7)
	if r.end > len(data) {
		return r, false
	}
	if check && binary.LittleEndian.Uint32(h[24:]) != checksum(h, crc32.Checksum(r.payload, castagnoli)) {
		return r, false
	}
	return r, true
}

func checksum(header []byte, payload uint32) uint32 {
	return crc32.Update(payload, castagnoli, header[4:24])
}

func header(kind uint32, length int, seq uint64, sum uint32) []byte {
	h := make([]byte, recordHeader)
	binary.LittleEndian.PutUint32(h, recordMagic)
	binary.LittleEndian.PutUint32(h[4:], kind)
	binary.LittleEndian.PutUint64(h[8:], uint64(length))
	binary.LittleEndian.PutUint64(h[16:], seq)
	binary.LittleEndian.PutUint32(h[24:], checksum(h, sum))
	return h
}

// appendLog is the log that is being written. Several writers share one sync.
type appendLog struct {
	f       *os.File
	file    *file
	written atomic.Int64 // changed under Store.writeMu

	mu      sync.Mutex
	synced  int64
	failure error
}

// append adds a record and returns the offset after it. The caller holds
// Store.writeMu.
func (l *appendLog) append(kind uint32, seq uint64, payload []byte) (int64, error) {
	var zero [8]byte
	h := header(kind, len(payload), seq, crc32.Checksum(payload, castagnoli))
	at := l.written.Load()
	for _, b := range [][]byte{h, payload, zero[:-len(payload)&7]} {
		if _, err := l.f.WriteAt(b, at); err != nil {
			return 0, fmt.Errorf("append to %s: %w", l.file.name, err)
		}
		at += int64(len(b))
	}
	l.written.Store(at)
	return at, nil
}

// sync makes everything up to offset durable. After a failure the state of
// the file is unknown, so every later sync fails too.
func (l *appendLog) sync(offset int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure != nil {
		return l.failure
	}
	if l.synced >= offset {
		return nil
	}
	end := max(offset, l.written.Load())
	if err := l.f.Sync(); err != nil {
		l.failure = fmt.Errorf("sync %s: %w", l.file.name, err)
		return l.failure
	}
	l.synced = end
	return nil
}

// recordWriter writes a new file of records.
type recordWriter struct {
	f   *os.File
	buf *bufio.Writer
	at  int64
}

func createRecords(path string) (*recordWriter, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	return &recordWriter{f: f, buf: bufio.NewWriterSize(f, 1<<18)}, nil
}

// add writes a segment record whose payload write produces.
func (w *recordWriter) add(seq uint64, write func(io.Writer) error) error {
	start := w.at
	if _, err := w.buf.Write(make([]byte, recordHeader)); err != nil {
		return err
	}
	s := &summer{w: w.buf}
	if err := write(s); err != nil {
		return err
	}
	var zero [8]byte
	if _, err := w.buf.Write(zero[:-s.n&7]); err != nil {
		return err
	}
	if err := w.buf.Flush(); err != nil {
		return err
	}
	w.at = start + recordHeader + int64(s.n) + int64(-s.n&7)
	_, err := w.f.WriteAt(header(kindSegment, s.n, seq, s.sum), start)
	return err
}

// commit makes the file durable under its final name.
func (w *recordWriter) commit(path string) error {
	err := w.f.Sync()
	if e := w.f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if err := os.Rename(w.f.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

func (w *recordWriter) abort() {
	_ = w.f.Close()
	_ = os.Remove(w.f.Name())
}

type summer struct {
	w   io.Writer
	n   int
	sum uint32
}

func (s *summer) Write(b []byte) (int, error) {
	s.sum = crc32.Update(s.sum, castagnoli, b)
	s.n += len(b)
	return s.w.Write(b)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// writeFile replaces a small file atomically and durably.
func writeFile(path string, data []byte) error {
	f, err := os.OpenFile(path+".tmp", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if err := os.Rename(path+".tmp", path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}
