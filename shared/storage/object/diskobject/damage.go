package diskobject

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"lectern/shared/storage/object"
)

// damage is what is known to be damaged: keys of objects, and paths of files
// whose keys cannot be read.
type damage struct {
	mu    sync.Mutex
	names map[string]bool
}

// add reports whether the name is new.
func (d *damage) add(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names[name] {
		return false
	}
	if d.names == nil {
		d.names = map[string]bool{}
	}
	d.names[name] = true
	return true
}

func (d *damage) has(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.names[name]
}

func (d *damage) forget(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.names, name)
}

// Damaged returns how many objects are known to be damaged or lost. Replacing or
// deleting one takes it off.
func (s *Store) Damaged() int {
	s.damage.mu.Lock()
	defer s.damage.mu.Unlock()
	return len(s.damage.names)
}

// Lost notes that an object should be there, by the word of what names it. Unless it
// is, it counts as damaged and reading it says so, until it is stored again or deleted.
// The caller logs it.
func (s *Store) Lost(key string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if _, exists := s.entries[key]; !exists {
		s.damage.add(key)
	}
}

// noteDamage counts and logs a damaged object; name is its key, or the path of
// what cannot be named.
func (s *Store) noteDamage(name, file string, offset int64) {
	if s.damage.add(name) {
		s.log.Error("a stored object is damaged and was skipped", "object", name, "file", file, "offset", offset)
	}
}

// scan reports the segment's records and skips what is damaged. In the last
// segment, what no valid record follows is a torn end: it is cut, and kept in a
// file beside the segment.
func (s *Store) scan(seg *segment, last bool, each func(packRecord)) error {
	info, err := seg.file.Stat()
	if err != nil {
		return err
	}
	end := info.Size()
	in := bufio.NewReaderSize(nil, 256<<10)
	in.Reset(io.NewSectionReader(seg.file, 0, end))
	for seg.size < end {
		r, err := seg.next(in)
		if err == nil && !r.damaged {
			seg.size += r.bytes
			each(r)
			continue
		}
		if err != nil && !errors.Is(err, errDamaged) {
			return err
		}
		next := seg.size + r.bytes
		if err != nil {
			r = seg.salvage(end)
			next = max(seg.size+1, seg.size+r.bytes)
		}
		if next, err = seg.resync(next, end); err != nil {
			return err
		}
		if last && next == end {
			return s.cut(seg, end)
		}
		seg.damaged = true
		if r.lost {
			r.bytes = next - seg.size
		}
		if r.key != "" {
			each(r)
		} else {
			s.noteDamage(fmt.Sprintf("%s@%d", seg.file.Name(), seg.size), seg.file.Name(), seg.size)
		}
		seg.size = next
		in.Reset(io.NewSectionReader(seg.file, next, end-next))
	}
	return nil
}

// salvage reads what it can of a record whose header is damaged: its length,
// when a record or the end follows there, and its key.
func (s *segment) salvage(end int64) packRecord {
	r := packRecord{lost: true, damaged: true, segment: s, offset: s.size}
	fixed := make([]byte, fixedBytes)
	if _, err := s.file.ReadAt(fixed, s.size); err != nil {
		return r
	}
	textBytes, bodyBytes := int64(binary.BigEndian.Uint32(fixed[8:])), int64(binary.BigEndian.Uint32(fixed[12:]))
	if textBytes > headBytes || bodyBytes > smallBytes {
		return r
	}
	if next := s.size + fixedBytes + textBytes + bodyBytes; next == end || s.valid(next, end) {
		r.bytes = next - s.size
	}
	text := make([]byte, textBytes)
	if _, err := s.file.ReadAt(text, s.size+fixedBytes); err != nil {
		return r
	}
	var h header
	if json.Unmarshal(text, &h) == nil && object.CheckKey(h.Key) == nil {
		r.key = h.Key
	}
	return r
}

// valid reports whether a record with a whole header begins at an offset.
func (s *segment) valid(at, end int64) bool {
	fixed := make([]byte, fixedBytes)
	if at+fixedBytes > end {
		return false
	}
	if _, err := s.file.ReadAt(fixed, at); err != nil {
		return false
	}
	_, bodyBytes, err := readHeader(fixed, func(text []byte) error { _, err := s.file.ReadAt(text, at+fixedBytes); return err })
	return err == nil && at+fixedBytes+int64(binary.BigEndian.Uint32(fixed[8:]))+int64(bodyBytes) <= end
}

// headerStart begins the header of every record.
var headerStart = []byte(`{"k":"`)

// resync returns the offset of the first valid record at or after from, end
// when there is none.
func (s *segment) resync(from, end int64) (int64, error) {
	if s.valid(from, end) {
		return from, nil
	}
	buf := make([]byte, 1<<20)
	for at := from; at < end; {
		n, err := s.file.ReadAt(buf[:min(int64(len(buf)), end-at)], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		for i := 0; ; {
			k := bytes.Index(buf[i:n], headerStart)
			if k < 0 {
				break
			}
			i += k + 1
			if start := at + int64(i-1) - fixedBytes; start >= from && s.valid(start, end) {
				return start, nil
			}
		}
		if n < len(buf) {
			break
		}
		at += int64(n - len(headerStart) + 1)
	}
	return end, nil
}

// cut removes the torn end of the segment, and keeps a copy of it.
func (s *Store) cut(seg *segment, end int64) error {
	name := filepath.Base(seg.file.Name()) + ".torn-" + s.now().UTC().Format("20060102T150405Z") + "-*"
	kept, err := os.CreateTemp(filepath.Join(s.dir, "pack"), name)
	if err != nil {
		return err
	}
	_, err = io.Copy(kept, io.NewSectionReader(seg.file, seg.size, end-seg.size))
	if err = errors.Join(err, kept.Sync(), kept.Close()); err != nil {
		return fmt.Errorf("keep the torn end of the log: %w", err)
	}
	s.log.Warn("the pack log ended in a record that was not written whole; it was cut and kept", "file", seg.file.Name(),
		"bytes", end-seg.size, "kept", kept.Name())
	return seg.file.Truncate(seg.size)
}

// addLost adds the objects of which only a damaged header is left, so that
// reading them says so.
func (s *Store) addLost(lost []packRecord, gone map[string]uint64) {
	for _, r := range lost {
		if _, exists := s.entries[r.key]; exists || gone[r.key] > 0 {
			s.noteDamage(fmt.Sprintf("%s@%d", r.segment.file.Name(), r.offset), r.segment.file.Name(), r.offset)
			continue
		}
		s.noteDamage(r.key, r.segment.file.Name(), r.offset)
		r.segment.live += r.bytes
		s.entries[r.key] = entry{segment: r.segment, offset: r.offset, bytes: r.bytes}
	}
}
