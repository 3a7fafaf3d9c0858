package segindex

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/rank"
)

const formatVersion = 1

// manifest names the files that count. What it does not name is left over
// from a merge that did not finish, and removed.
type manifest struct {
	Version int            `json:"version"`
	Stamp   index.Stamp    `json:"stamp"`
	Store   string         `json:"store,omitempty"` // id of the set of stores that the index belongs to
	Name    uint64         `json:"name"`            // last used in a file name
	Seq     uint64         `json:"seq"`
	Files   []manifestFile `json:"files"` // logs oldest first, the current one last
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
	if o.LogBytes == 0 {
		o.LogBytes = 64 << 20
	}
	if o.MemoryMergeBytes == 0 {
		o.MemoryMergeBytes = 4 << 20
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.AwaitTimeout == 0 {
		o.AwaitTimeout = 30 * time.Second
	}
	if o.Profile == (rank.Profile{}) && o.Stamp != (index.Stamp{}) {
		o.Profile = rank.ProfileOf(o.Stamp.Embedder)
	}
	return o
}

// Open opens or makes the index in dir.
//
// An index that another embedder filled is fault.Invalid. One in which nothing
// was written yet takes the stamp of the options.
func Open(dir string, o Options) (*Store, error) {
	o = o.defaults()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("index directory: %w", err)
	}
	s := &Store{
		dir: dir, options: o, collections: map[string][]*handle{}, changed: make(chan struct{}), dirty: map[string]bool{},
		wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
	}
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	if m != nil {
		s.id = m.Store
	}
	if m != nil && m.unused(dir) {
		m = nil
	}
	if err := s.stamp(m); err != nil {
		return nil, err
	}
	if err := s.load(m); err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	s.removeStrangers()
	s.scratch.New = func() any { return &scratch{} }
	s.buffers.New = func() any { return &bytes.Buffer{} }
	go s.background()
	s.poke()
	return s, nil
}

func readManifest(dir string) (*manifest, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("index manifest: %w", err)
	}
	var m manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("index manifest: %w", err)
	}
	if m.Version != formatVersion {
		return nil, fault.New(fault.Invalid, "the index has format %d, this version reads %d: documents have to be ingested again", m.Version,
			formatVersion)
	}
	return &m, nil
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

// stamp settles which embedder the index belongs to.
func (s *Store) stamp(m *manifest) error {
	want := &s.options.Stamp
	if m != nil {
		if *want == (index.Stamp{}) {
			*want = m.Stamp
		}
		if *want != m.Stamp {
			return fault.New(fault.Invalid,
				"the index was filled by embedder %q with %d dimensions, not %q with %d: documents have to be ingested again into an empty index",
				m.Stamp.Embedder, m.Stamp.Dimensions, want.Embedder, want.Dimensions)
		}
	}
	s.options = s.options.defaults() // the profile, if the stamp came from the manifest
	return nil
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
	for i, mf := range m.Files {
		f := &file{name: mf.Name, isLog: mf.Log, gone: mf.Gone}
		list, cuts, end, err := s.loadFile(f, mf, i == len(m.Files)-1)
		if err != nil {
			return err
		}
		handles, drops = append(handles, list...), append(drops, cuts...)
		if i < len(m.Files)-1 {
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

func (s *Store) loadFile(f *file, mf manifestFile, last bool) (handles []*handle, drops []record, end int, err error) {
	mapped, err := openMapping(s.path(f.name))
	if err != nil {
		return nil, nil, 0, err
	}
	gone := map[uint64]bool{}
	for _, seq := range mf.Gone {
		gone[seq] = true
	}
	for {
		r, ok := recordAt(mapped.data, end, last)
		if !ok {
			break
		}
		end = r.end
		s.seq = max(s.seq, r.seq)
		switch {
		case r.kind == kindDrop:
			drops = append(drops, r)
		case r.kind == kindSegment && !gone[r.seq]:
			seg, err := openSegment(r.payload, mapped, s.options.Stamp.Dimensions)
			if err != nil {
				return nil, nil, 0, fmt.Errorf("%s: %w", f.name, err)
			}
			h := newHandle(seg, r.seq, f)
			for _, g := range mf.Dead[r.seq] {
				at := seg.find(g)
				h, _ = h.without(func(i int) bool { return i == at })
			}
			handles = append(handles, h)
		}
	}
	if !last && end < len(mapped.data) {
		return nil, nil, 0, fmt.Errorf("%s is damaged at byte %d", f.name, end)
	}
	return handles, drops, end, nil
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
	if s.log.written.Load() < s.options.LogBytes {
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
	m := manifest{Version: formatVersion, Stamp: s.options.Stamp, Store: s.id, Name: s.name, Seq: s.seq}
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
