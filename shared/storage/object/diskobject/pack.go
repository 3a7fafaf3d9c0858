package diskobject

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
)

// A record of the pack is a fixed part, the header as JSON, and the body. The
// fixed part, big-endian: checksum of all of it but itself and of the header
// (4 bytes), checksum of the body (4), length of the header (4), length of
// the body (4), sequence (8), kind (1).
const fixedBytes = 25

const (
	kindObject  = 1
	kindDeleted = 2
)

func crcTable() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// packRecord is what the index needs to know of a record.
type packRecord struct {
	key      string
	sequence uint64
	deleted  bool
	segment  *segment
	offset   int64
	bytes    int64
	damaged  bool // the body is not what was put
	lost     bool // the header is damaged, and the key is what can be read of it
}

// segment is one file of the pack. size and live are guarded by Store.mu, as
// is the file's being open.
type segment struct {
	id      uint64
	file    file
	size    int64
	written atomic.Int64 // size, for who waits for the disk
	opened  int64        // size when it was opened
	live    int64        // bytes of the records that the index points to
	// damaged says that not all of the segment could be read.
	damaged bool
}

// pack is a log in segments; only the last one grows.
type pack struct {
	dir          string
	segmentBytes int64
	open         opener
	segments     []*segment // in order; guarded by Store.mu
	compacting   bool       // guarded by Store.mu
	stuck        bool       // a segment could not be emptied; guarded by Store.mu

	syncMu sync.Mutex // taken after Store.mu, where both are
	synced position   // guarded by syncMu
	broken error      // guarded by syncMu
	mends  int        // how often the log was mended; written under both

	undo undo
}

// position is a place in the log.
type position struct {
	segment *segment
	id      uint64
	offset  int64
	mends   int // before it was written
}

func (p position) covers(q position) bool {
	return p.id > q.id || p.id == q.id && p.offset >= q.offset
}

// openPack reads every segment and reports its records in order. What follows
// the last whole record of the last segment was never answered and is cut.
func (s *Store) openPack(segmentBytes int64, each func(packRecord)) (*pack, error) {
	dir := filepath.Join(s.dir, "pack")
	p := &pack{dir: dir, segmentBytes: segmentBytes, open: s.open}
	paths, err := filepath.Glob(filepath.Join(dir, "*.pack"))
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	for i, path := range paths {
		seg := &segment{}
		if _, err := fmt.Sscanf(filepath.Base(path), "%016x.pack", &seg.id); err != nil {
			return p, fmt.Errorf("%q is no part of the pack log; move it away", path)
		}
		if seg.file, err = s.open(path, os.O_RDWR); err != nil {
			return p, err
		}
		p.segments = append(p.segments, seg)
		if err := s.scan(seg, i == len(paths)-1, each); err != nil {
			return p, fmt.Errorf("pack %q: %w", path, err)
		}
		seg.opened = seg.size
		seg.written.Store(seg.size)
	}
	if len(p.segments) == 0 {
		return p, p.grow()
	}
	return p, nil
}

func (p *pack) close() error {
	if p == nil {
		return nil
	}
	var errs []error
	for _, s := range p.segments {
		errs = append(errs, s.file.Sync(), s.file.Close())
	}
	return errors.Join(errs...)
}

// grow begins a new segment.
func (p *pack) grow() error {
	id := uint64(1)
	if n := len(p.segments); n > 0 {
		id = p.segments[n-1].id + 1
	}
	f, err := p.open(filepath.Join(p.dir, fmt.Sprintf("%016x.pack", id)), os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	if err := syncDir(p.dir); err != nil { // nothing may lie in a file whose name can be lost
		return errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	p.segments = append(p.segments, &segment{id: id, file: f})
	return nil
}

// append writes a record at the end of the log. It is durable once sync of
// the returned position has returned. Called under Store.mu.
func (p *pack) append(r packRecord, h *header, body []byte) (entry, position, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return entry{}, position{}, err
	}
	b := make([]byte, fixedBytes, fixedBytes+len(text)+len(body))
	binary.BigEndian.PutUint32(b[4:], crc32.Checksum(body, crcTable()))
	binary.BigEndian.PutUint32(b[8:], uint32(len(text)))
	binary.BigEndian.PutUint32(b[12:], uint32(len(body)))
	binary.BigEndian.PutUint64(b[16:], r.sequence)
	b[24] = kindObject
	if r.deleted {
		b[24] = kindDeleted
	}
	b = append(b, text...)
	binary.BigEndian.PutUint32(b, crc32.Checksum(b[4:], crcTable()))
	return p.write(append(b, body...), r.sequence)
}

func (p *pack) write(b []byte, sequence uint64) (entry, position, error) {
	seg := p.segments[len(p.segments)-1]
	if seg.size > 0 && seg.size+int64(len(b)) > p.segmentBytes {
		// A closed segment is whole on disk, so that only the last one can
		// have a torn end.
		if err := p.sync(p.end()); err != nil {
			return entry{}, position{}, err
		}
		if err := p.grow(); err != nil {
			return entry{}, position{}, err
		}
		seg = p.segments[len(p.segments)-1]
	}
	offset := seg.size
	if _, err := seg.file.WriteAt(b, offset); err != nil {
		_ = seg.file.Truncate(offset) // what is left of it is written over
		return entry{}, position{}, err
	}
	seg.size += int64(len(b))
	seg.written.Store(seg.size)
	e := entry{segment: seg, offset: offset, bytes: int64(len(b)), sequence: sequence}
	return e, p.end(), nil
}

// end is where the next record goes. Called under Store.mu.
func (p *pack) end() position {
	seg := p.segments[len(p.segments)-1]
	return position{segment: seg, id: seg.id, offset: seg.size, mends: p.mends}
}

// sync makes the log durable up to a position. Callers that wait here for
// another one's fsync mostly find their own record covered by it or share
// the next.
func (p *pack) sync(to position) error {
	p.syncMu.Lock()
	defer p.syncMu.Unlock()
	if p.broken != nil {
		return p.broken
	}
	if to.mends != p.mends {
		return errCut // it was written before the log was mended
	}
	if p.synced.covers(to) {
		return nil
	}
	// What was written before the fsync is covered by it.
	size := to.segment.written.Load()
	err := to.segment.file.Sync()
	if errors.Is(err, os.ErrClosed) {
		// Compaction has copied the segment's records and synced the copies.
		return nil
	}
	if err != nil {
		// The kernel may have dropped the pages, so that a later success would mean
		// nothing: the log waits until it is mended.
		p.broken = fmt.Errorf("the disk failed: %w", err)
		return p.broken
	}
	p.synced = position{id: to.id, offset: size}
	p.undo.forget(p.synced)
	return nil
}

var errDamaged = errors.New("a record is damaged")

// next reads the record at the segment's size, which in reads from. A record
// whose header cannot be trusted is errDamaged; one whose body cannot is
// returned and says so.
func (s *segment) next(in *bufio.Reader) (packRecord, error) {
	fixed := make([]byte, fixedBytes)
	if _, err := io.ReadFull(in, fixed); err != nil {
		return packRecord{}, tooShort(err)
	}
	var textErr error
	h, bodyBytes, err := readHeader(fixed, func(text []byte) error { _, textErr = io.ReadFull(in, text); return textErr })
	if textErr != nil {
		return packRecord{}, tooShort(textErr)
	}
	if err != nil {
		return packRecord{}, err
	}
	sum := crc32.New(crcTable())
	if _, err := io.CopyN(sum, in, int64(bodyBytes)); err != nil {
		return packRecord{}, tooShort(err)
	}
	textBytes := int64(binary.BigEndian.Uint32(fixed[8:]))
	return packRecord{
		key: h.Key, sequence: binary.BigEndian.Uint64(fixed[16:]), deleted: fixed[24] == kindDeleted,
		segment: s, offset: s.size, bytes: fixedBytes + textBytes + int64(bodyBytes),
		damaged: sum.Sum32() != binary.BigEndian.Uint32(fixed[4:]),
	}, nil
}

// tooShort tells a record that the file does not hold whole from a disk that
// cannot be read.
func tooShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errDamaged
	}
	return err
}

// readHeader checks a record's fixed part and reads its header.
func readHeader(fixed []byte, read func([]byte) error) (h header, bodyBytes int, err error) {
	textBytes := binary.BigEndian.Uint32(fixed[8:])
	bodyBytes = int(binary.BigEndian.Uint32(fixed[12:]))
	if textBytes > headBytes || bodyBytes > smallBytes {
		return h, 0, errDamaged
	}
	all := make([]byte, fixedBytes+int(textBytes))
	copy(all, fixed)
	if err := read(all[fixedBytes:]); err != nil {
		return h, 0, errDamaged
	}
	if crc32.Checksum(all[4:], crcTable()) != binary.BigEndian.Uint32(all) {
		return h, 0, errDamaged
	}
	if err := json.Unmarshal(all[fixedBytes:], &h); err != nil {
		return h, 0, errDamaged
	}
	return h, bodyBytes, nil
}

// read returns an object's header and, when it is wanted, its body. Called
// under Store.mu.
func (s *segment) read(e entry, withBody bool) (header, []byte, error) {
	n := e.bytes
	if !withBody {
		n = min(n, 2<<10)
	}
	if n < fixedBytes {
		return header{}, nil, errDamaged
	}
	b := make([]byte, n)
	if _, err := s.file.ReadAt(b, e.offset); err != nil {
		return header{}, nil, tooShort(err)
	}
	if textBytes := int64(binary.BigEndian.Uint32(b[8:])); fixedBytes+textBytes > n {
		if withBody || n == e.bytes {
			return header{}, nil, errDamaged
		}
		return s.read(e, true)
	}
	h, bodyBytes, err := readHeader(b[:fixedBytes], func(text []byte) error { copy(text, b[fixedBytes:]); return nil })
	if err != nil || !withBody {
		return h, nil, err
	}
	if fixedBytes+int64(binary.BigEndian.Uint32(b[8:]))+int64(bodyBytes) != n {
		return header{}, nil, errDamaged
	}
	body := b[len(b)-bodyBytes:]
	if crc32.Checksum(body, crcTable()) != binary.BigEndian.Uint32(b[4:]) {
		return header{}, nil, errDamaged
	}
	return h, body, nil
}
