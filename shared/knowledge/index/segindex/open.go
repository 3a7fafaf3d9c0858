package segindex

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/semaphore"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/rank"
)

const formatVersion = 1

// manifest names the files that count. What it does not name is left over
// from a merge that did not finish, and removed.
type manifest struct {
	Version int            `json:"version"`
	Sum     uint32         `json:"sum,omitempty"` // of the rest
	Stamp   index.Stamp    `json:"stamp"`
	Store   string         `json:"store,omitempty"` // id of the set of stores that the index belongs to
	Name    uint64         `json:"name"`            // last used in a file name
	Seq     uint64         `json:"seq"`
	From    uint64         `json:"from,omitempty"` // vectors of earlier records are another embedder's
	Files   []manifestFile `json:"files"`          // logs oldest first, the current one last
}

type manifestFile struct {
	Name string `json:"name"`
	Log  bool   `json:"log,omitempty"`
	// Gone are records whose content has moved to another file.
	Gone []uint64 `json:"gone,omitempty"`
	// Dead are the dropped generations by record, as far as the logs that are
	// left do not tell.
	Dead map[uint64][]string `json:"dead,omitempty"`
}

// defaults fills in what the options leave open.
func (o Options) defaults() Options {
	if o.logBytes == 0 {
		o.logBytes = 64 << 20
	}
	if o.memoryMergeBytes == 0 {
		o.memoryMergeBytes = 4 << 20
	}
	if o.verifyAtOpen == 0 {
		o.verifyAtOpen = 64 << 20
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Profile == (rank.Profile{}) && o.Stamp != (index.Stamp{}) {
		o.Profile = rank.ProfileOf(o.Stamp.Embedder)
	}
	return o
}

// Open opens or makes the index in dir.
//
// In an index that another embedder filled, its vectors are forgotten: chunks are
// found by their words until they have new ones.
func Open(dir string, o Options) (*Store, error) {
	o = o.defaults()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("index directory: %w", err)
	}
	s := &Store{
		dir: dir, options: o, collections: map[string][]*handle{}, changed: make(chan struct{}), dirty: map[string]bool{},
		wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}), filled: make(chan struct{}),
		filling: filling{fresh: map[string]map[position]vector{}, searching: semaphore.NewWeighted(1)},
	}
	m, err := s.readManifest()
	if err != nil {
		return nil, err
	}
	if m != nil {
		s.id = m.Store
	}
	if m != nil && m.unused(dir) {
		m = nil
	}
	foreign := s.stamp(m)
	if err := s.load(m); err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	if foreign {
		if err := s.forgetVectors(m.Stamp); err != nil {
			return nil, fmt.Errorf("open index: %w", err)
		}
	}
	s.removeStrangers()
	s.scratch.New = func() any { return &scratch{} }
	s.buffers.New = func() any { return &bytes.Buffer{} }
	ctx, cancel := context.WithCancel(context.Background())
	s.fillStop = cancel
	go s.background()
	if s.options.Fill != nil {
		go s.fill(ctx)
	} else {
		close(s.filled)
	}
	s.poke()
	return s, nil
}

// readManifest reads the manifest; nil when the index is new, or begins anew
// because it cannot be opened.
func (s *Store) readManifest() (*manifest, error) {
	raw, err := os.ReadFile(s.path("manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, s.setAside(errors.New("the manifest is missing"))
	}
	if err != nil {
		return nil, fmt.Errorf("index manifest: %w", err)
	}
	var m manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, s.setAside(fmt.Errorf("the manifest is damaged: %w", err))
	}
	if sum := m.Sum; sum != 0 {
		if m.Sum = 0; m.checksum() != sum {
			return nil, s.setAside(errors.New("the manifest is damaged"))
		}
	}
	if m.Version != formatVersion {
		return nil, fault.New(fault.Invalid, "the index has format %d, this version reads %d: documents have to be ingested again", m.Version,
			formatVersion)
	}
	return &m, nil
}

// checksum covers the manifest without its Sum, never 0.
func (m manifest) checksum() uint32 {
	m.Sum = 0
	raw, err := json.Marshal(m)
	if err != nil {
		return 0 // structs of strings and numbers always encode
	}
	return max(1, crc32.Checksum(raw, castagnoli))
}

// unused reports whether nothing was ever written, so that the index may
// belong to any embedder yet.
func (m *manifest) unused(dir string) bool {
	for _, f := range m.Files {
		if info, err := os.Stat(filepath.Join(dir, f.Name)); err != nil || info.Size() > 0 {
			return false
		}
	}
	return true
}

// stamp settles which embedder the index belongs to, and reports whether another
// one filled it.
func (s *Store) stamp(m *manifest) (foreign bool) {
	want := &s.options.Stamp
	if m != nil {
		s.from = m.From
		if *want == (index.Stamp{}) {
			*want = m.Stamp
		}
		foreign = *want != m.Stamp
	}
	s.options = s.options.defaults() // the profile, if the stamp came from the manifest
	return foreign
}

// forgetVectors forgets all vectors, which are of another embedder.
func (s *Store) forgetVectors(of index.Stamp) error {
	found := false
	for _, handles := range s.collections {
		for _, h := range handles {
			found = found || h.seg.hasVectors()
			h.seg.forgetVectors()
		}
	}
	if found {
		s.options.Log.Warn("the index has vectors of another embedder; documents are found by their words until they have new ones",
			"was", of.Embedder, "is", s.options.Stamp.Embedder)
	}
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	s.from = s.seq + 1
	return s.writeManifest(s.log.file)
}

func (s *Store) path(name string) string { return filepath.Join(s.dir, name) }

// load opens the files of the manifest and the log.
func (s *Store) load(m *manifest) error {
	if m == nil {
		return s.newLog()
	}
	s.name, s.seq = m.Name, m.Seq
	var drops []record
	var handles []*handle
	left := s.options.verifyAtOpen
	for i, mf := range m.Files {
		last := i == len(m.Files)-1
		f := &file{name: mf.Name, isLog: mf.Log, gone: mf.Gone}
		mapped, err := openMapping(s.path(f.name))
		if errors.Is(err, fs.ErrNotExist) {
			s.lost(f.name, 0, err)
			if last {
				if err := s.newLog(); err != nil {
					return err
				}
			}
			continue
		}
		if err != nil {
			return err
		}
		left -= int64(len(mapped.data))
		list, cuts, end := s.loadFile(f, mf, mapped, last, last || left >= 0)
		handles, drops = append(handles, list...), append(drops, cuts...)
		if !last {
			s.files = append(s.files, f)
			continue
		}
		if err := s.resumeLog(f, end); err != nil {
			return err
		}
	}
	slices.SortFunc(handles, func(a, b *handle) int { return cmp.Compare(a.seq, b.seq) })
	slices.SortFunc(drops, func(a, b record) int { return cmp.Compare(a.seq, b.seq) })
	for _, d := range drops {
		collection, b := cutString(d.payload)
		artifact, b := cutString(b)
		generation, _ := cutString(b)
		for i, h := range handles {
			if h.seq < d.seq && h.seg.collection == collection {
				handles[i], _ = h.without(h.dropped(artifact, generation))
			}
		}
	}
	for _, h := range handles {
		s.collections[h.seg.collection] = append(s.collections[h.seg.collection], h)
		s.dirty[h.seg.collection] = true
		h.file.live++
		if h.file.isLog {
			s.stale += h.staleBytes()
		}
	}
	return nil
}

// loadFile reads the records of a file. Damaged ones are left out; of the
// current log the end, behind which nothing whole follows, was never answered,
// and the returned end lies before it. With check all checksums are verified.
func (s *Store) loadFile(f *file, mf manifestFile, mapped *mapping, last, check bool) (handles []*handle, drops []record, end int) {
	gone := map[uint64]bool{}
	for _, seq := range mf.Gone {
		gone[seq] = true
	}
	if !mf.Log && len(mapped.data) == 0 {
		s.lost(f.name, 0, errors.New("the file is empty"))
	}
	for end < len(mapped.data) {
		r, ok := recordAt(mapped.data, end, check)
		if !ok {
			next := resync(mapped.data, end+1)
			if last && next == len(mapped.data) {
				break
			}
			s.lost(f.name, end, errDamaged)
			end = next
			continue
		}
		at := end
		end = r.end
		s.seq = max(s.seq, r.seq)
		switch {
		case r.kind == kindDrop:
			drops = append(drops, r)
		case r.kind == kindSegment && !gone[r.seq]:
			h, err := s.loadSegment(f, mf, mapped, r, at, check)
			if err != nil {
				s.lost(f.name, at, err)
				continue
			}
			handles = append(handles, h)
		}
	}
	return handles, drops, end
}

func (s *Store) loadSegment(f *file, mf manifestFile, mapped *mapping, r record, at int, verified bool) (*handle, error) {
	seg, err := openOrLost(r.payload, mapped, s.options.Stamp.Dimensions)
	if err != nil {
		return nil, err
	}
	seg.origin = &origin{path: s.path(f.name), offset: int64(at + recordHeader), bytes: int64(len(r.payload)),
		header: slices.Clone(mapped.data[at : at+recordHeader])}
	seg.origin.verified.Store(verified)
	if r.seq < s.from {
		seg.forgetVectors()
	}
	h := newHandle(seg, r.seq, f)
	_, err = s.guarded(nil, func() error {
		for _, g := range mf.Dead[r.seq] {
			at := seg.find(g)
			h, _ = h.without(func(i int) bool { return i == at })
		}
		return nil
	})
	return h, err
}

// resumeLog continues the current log after its last whole record.
func (s *Store) resumeLog(f *file, end int) error {
	out, err := os.OpenFile(s.path(f.name), os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := out.Truncate(int64(end)); err != nil {
		return errors.Join(err, out.Close())
	}
	s.use(out, f, int64(end))
	return nil
}

func (s *Store) use(out *os.File, f *file, end int64) {
	s.log = &appendLog{f: out, file: f, synced: end}
	s.log.written.Store(end)
}

// newLog begins a log. The caller holds writeMu or is alone.
func (s *Store) newLog() error {
	s.name++
	f := &file{name: fmt.Sprintf("%08d.log", s.name), isLog: true}
	out, err := os.OpenFile(s.path(f.name), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if s.log != nil {
		s.files = append(s.files, s.log.file)
	}
	if err := s.writeManifest(f); err != nil {
		return errors.Join(err, out.Close())
	}
	s.use(out, f, 0)
	return nil
}

// rotate begins a new log when the current one is full.
func (s *Store) rotate() error {
	if s.log.written.Load() < s.options.logBytes {
		return nil
	}
	return s.newLogFile()
}

// newLogFile replaces the current log. The caller holds writeMu.
func (s *Store) newLogFile() error {
	old := s.log
	if err := old.sync(old.written.Load()); err != nil {
		return err
	}
	if err := s.newLog(); err != nil {
		return err
	}
	// Writers that wait for the old log find it synced.
	return old.f.Close()
}

// writeManifest records the current files, with current as the log. The
// caller holds writeMu.
func (s *Store) writeManifest(current *file) error {
	m := manifest{Version: formatVersion, Stamp: s.options.Stamp, Store: s.id, Name: s.name, Seq: s.seq, From: s.from}
	dead := map[string]map[uint64][]string{}
	s.mu.RLock()
	for _, handles := range s.collections {
		for _, h := range handles {
			if h.file == nil || h.file.isLog || h.dead == nil {
				continue
			}
			if dead[h.file.name] == nil {
				dead[h.file.name] = map[uint64][]string{}
			}
			dead[h.file.name][h.seq] = h.deadGenerations()
		}
	}
	s.mu.RUnlock()
	for _, f := range append(slices.Clone(s.files), current) {
		m.Files = append(m.Files, manifestFile{Name: f.name, Log: f.isLog, Gone: f.gone, Dead: dead[f.name]})
	}
	m.Sum = m.checksum()
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return writeFile(s.path("manifest.json"), raw)
}

// removeStrangers removes what the manifest does not name.
func (s *Store) removeStrangers() {
	known := map[string]bool{"manifest.json": true, s.log.file.name: true}
	for _, f := range s.files {
		known[f.name] = true
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); !known[e.Name()] && (ext == ".log" || ext == ".seg" || ext == ".tmp") {
			_ = os.Remove(s.path(e.Name()))
		}
	}
}
