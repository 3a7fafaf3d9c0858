package segindex

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"lectern/shared/fault"
)

// Damaged returns how many parts of the index were left out because their bytes
// are damaged. What they held is written anew by whoever has the texts.
func (s *Store) Damaged() int { return int(s.damaged.Load()) }

// lost counts and logs a part of the index that is left out.
func (s *Store) lost(file string, offset int, cause error) {
	s.damaged.Add(1)
	s.options.Log.Error("a part of the search index is damaged and is left out", "file", s.path(file), "offset", offset, "cause", cause)
}

// origin is where a segment was read from, so that it can be verified later.
type origin struct {
	path     string
	offset   int64
	bytes    int64
	header   []byte
	verified atomic.Bool
}

// verify compares the stored bytes with their checksum. It reads the file and
// not the mapping, so that the process does not grow by what it looks at once.
func (o *origin) verify() error {
	if o == nil || o.verified.Load() {
		return nil
	}
	f, err := os.Open(o.path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := crc32.New(castagnoli)
	if _, err := io.Copy(sum, io.NewSectionReader(f, o.offset, o.bytes)); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(o.header[24:]) != checksum(o.header, sum.Sum32()) {
		return errDamaged
	}
	o.verified.Store(true)
	return nil
}

var errDamaged = errors.New("the checksum does not match")

// verifyRest verifies what Open did not.
func (s *Store) verifyRest() {
	s.mu.RLock()
	var all []*handle
	for _, handles := range s.collections {
		all = append(all, handles...)
	}
	s.mu.RUnlock()
	for _, h := range all {
		select {
		case <-s.stop:
			return
		default:
			s.quarantine([]*handle{h})
		}
	}
}

// Stuck reports whether segments cannot be merged now: searches go on, but become slower,
// and vectors that are made are not kept. The log tells why.
func (s *Store) Stuck() bool { return s.stuck.Load() }

// quarantine verifies segments and takes out the damaged ones. It reports
// whether there were any.
func (s *Store) quarantine(handles []*handle) bool {
	found := false
	for _, h := range handles {
		for _, stored := range h.stored() {
			if err := stored.seg.origin.verify(); errors.Is(err, errDamaged) {
				s.takeOut(h, stored.seg.origin, err)
				found = true
				break
			}
		}
	}
	if found && s.options.OnDamage != nil {
		s.options.OnDamage()
	}
	return found
}

// takeOut removes a segment from its collection.
func (s *Store) takeOut(h *handle, from *origin, cause error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	handles := s.snapshot(h.seg.collection)
	at := slices.IndexFunc(handles, func(other *handle) bool { return other.seg == h.seg })
	if at < 0 {
		return
	}
	s.lost(filepath.Base(from.path), int(from.offset), cause)
	s.publish(h.seg.collection, slices.Delete(slices.Clone(handles), at, at+1))
}

// guarded runs f on segments, and turns a panic over damaged bytes into an
// error. again says that the damaged segment was taken out, so that f may be run
// on those that are left.
func (s *Store) guarded(handles []*handle, f func() error) (again bool, err error) {
	before := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(before)
	defer func() {
		if r := recover(); r != nil {
			again = s.quarantine(handles)
			err = fault.Wrap(fmt.Errorf("%v\n%s", r, debug.Stack()), fault.Internal, "the search index is damaged")
		}
	}()
	return false, f()
}

// onSegments runs f on the segments of a collection, and once more for each that
// turns out to be damaged.
func (s *Store) onSegments(collection string, f func(handles []*handle) error) error {
	for {
		handles := s.snapshot(collection)
		if again, err := s.guarded(handles, func() error { return f(handles) }); !again {
			return err
		}
	}
}

// resync returns the offset of the first whole record at or after from; the end
// when there is none. Records begin at multiples of eight bytes.
func resync(data []byte, from int) int {
	magic := binary.LittleEndian.AppendUint32(nil, recordMagic)
	for from = (from + 7) &^ 7; from < len(data); {
		k := bytes.Index(data[from:], magic)
		if k < 0 {
			return len(data)
		}
		if from += k; from%8 == 0 {
			if _, ok := recordAt(data, from, true); ok {
				return from
			}
		}
		from++
	}
	return len(data)
}

// setAside moves the files of an index that cannot be opened into a directory of
// their own: the index begins anew, and nothing is thrown away.
func (s *Store) setAside(cause error) error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	to := ""
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); e.IsDir() || ext != ".log" && ext != ".seg" && ext != ".json" {
			continue
		}
		if info, err := e.Info(); err == nil && info.Size() == 0 {
			continue // of a first start that died: nothing is lost with it
		}
		if to == "" {
			if to, err = os.MkdirTemp(s.dir, "damaged-*"); err != nil {
				return err
			}
		}
		if err := os.Rename(s.path(e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	if to == "" {
		return nil
	}
	s.damaged.Add(1)
	s.options.Log.Error("the search index cannot be opened; it begins anew, and its files are kept", "kept", to, "cause", cause)
	return syncDir(s.dir)
}

// openOrLost opens a segment; nil when it cannot be.
func openOrLost(raw []byte, m *mapping, dims int) (seg *segment, err error) {
	before := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(before)
	defer func() {
		if r := recover(); r != nil {
			seg, err = nil, fmt.Errorf("%w: %v", errDamaged, r)
		}
	}()
	if seg, err = openSegment(raw, m, dims); err != nil {
		return nil, err
	}
	for i := range seg.sources { // what every search relies on
		_ = sourceArtifact(seg.source(i))
		if from, to := seg.sourceDocs(i); from > to || to > seg.docs {
			return nil, errDamaged
		}
	}
	return seg, nil
}
