package segindex

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/bits"
	"os"
	"slices"
)

const (
	fanOut       = 8       // segments of about one size that make a merge
	maxMergeDocs = 1 << 18 // documents that a merge may make
	keptLogs     = 2       // full logs that are left alone
	staleBytes   = 1 << 18 // dropped bytes that logs may hold, or an eighth of the log
)

// job is a set of merges, one per collection, that become visible together.
type job struct {
	merges []merge
	toFile bool
	filled chan<- bool // receives whether the job succeeded; nil when nobody waits
}

type merge struct {
	collection string
	inputs     []*handle
	output     *handle             // nil when nothing is left
	vectors    map[position]vector // for chunks that have none
}

// reclaim is a request to take from the disk all that was dropped.
type reclaim struct {
	logs bool // they were looked at
	done chan error
}

// Reclaim takes from the disk what was dropped, however little it is: segments that
// hold any of it are merged.
func (s *Store) Reclaim(ctx context.Context) (done bool, err error) {
	if err := s.enter(ctx); err != nil {
		return false, err
	}
	defer s.calls.Done()
	r := &reclaim{done: make(chan error, 1)}
	s.mu.Lock()
	if s.reclaiming != nil {
		s.mu.Unlock()
		return false, nil
	}
	s.reclaiming = r
	for name := range s.collections {
		s.dirty[name] = true
	}
	s.mu.Unlock()
	s.poke()
	select {
	case err := <-r.done:
		return err == nil, err
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// reclaimed ends a request for which nothing is left to do, or that failed.
func (s *Store) reclaimed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.reclaiming; r != nil && (err != nil || r.logs) {
		s.reclaiming.done <- err
		s.reclaiming = nil
	}
}

func (s *Store) background() {
	defer close(s.done)
	defer s.keepFresh()
	s.verifyRest()
	for {
		select {
		case <-s.stop:
			return
		case <-s.wake:
		}
		for {
			select {
			case <-s.stop:
				return
			default:
			}
			j, err := s.plan()
			if err == nil && j == nil {
				s.reclaimed(nil)
				break
			}
			if err == nil {
				err = s.merge(j)
				if j.filled != nil {
					j.filled <- err == nil
				}
			}
			s.stuck.Store(err != nil)
			if err != nil {
				s.options.Log.Error("index merge failed", "error", err)
				s.reclaimed(err)
				break
			}
		}
	}
}

// plan picks the next merges; nil when there are none.
func (s *Store) plan() (*job, error) {
	if j, err := s.planOldLog(); j != nil || err != nil {
		return j, err
	}
	if j := s.planFill(); j != nil {
		return j, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.dirty {
		if inputs := pick(s.collections[name], s.reclaiming != nil); inputs != nil {
			size, stored := 0, false
			for _, h := range inputs {
				size += len(h.seg.raw)
				stored = stored || h.file != nil && !h.file.isLog
			}
			return &job{merges: []merge{{collection: name, inputs: inputs}}, toFile: stored || size >= s.options.memoryMergeBytes}, nil
		}
		delete(s.dirty, name)
	}
	return nil, nil
}

// pick returns segments of one collection that should become one. all says that no
// segment may keep what was dropped.
func pick(handles []*handle, all bool) []*handle {
	var tiers [22][]*handle
	for _, h := range handles {
		if h.docs == 0 || (h.seg.docs-h.docs)*3 > h.seg.docs || all && h.docs < h.seg.docs {
			return []*handle{h}
		}
		if h.docs < maxMergeDocs/2 {
			t := bits.Len(uint(len(h.seg.raw))>>13) / 3
			tiers[t] = append(tiers[t], h)
		}
	}
	var smaller []*handle
	for _, tier := range tiers {
		smaller = append(smaller, tier...)
		if len(tier) < fanOut {
			continue
		}
		// What is smaller goes along.
		docs := 0
		for i, h := range smaller {
			if docs += h.docs; docs > maxMergeDocs && i > 1 {
				return smaller[:i]
			}
		}
		return smaller
	}
	return nil
}

// planOldLog moves what still needs the oldest log to a file of its own when
// there are too many logs, and what needs any log when much in them has been
// dropped, so that it leaves the disk.
func (s *Store) planOldLog() (*job, error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	all := s.stale > max(staleBytes, s.log.written.Load()/8) || s.reclaimLogs()
	if all {
		if err := s.newLogFile(); err != nil {
			return nil, err
		}
		s.stale = 0
	}
	var oldest *file
	logs := 0
	for _, f := range s.files {
		if f.isLog {
			logs++
			if oldest == nil {
				oldest = f
			}
		}
	}
	if !all && (logs <= keptLogs || oldest.live == 0) {
		return nil, nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	j := &job{toFile: true}
	for name, handles := range s.collections {
		var inputs []*handle
		needed := all
		for _, h := range handles {
			if h.file == nil || h.file.isLog {
				inputs = append(inputs, h)
				needed = needed || slices.ContainsFunc(h.stored(), func(c *handle) bool { return c.file == oldest })
			}
		}
		if needed && inputs != nil {
			j.merges = append(j.merges, merge{collection: name, inputs: inputs})
		}
	}
	if j.merges == nil {
		return nil, nil
	}
	return j, nil
}

// reclaimLogs reports once for each Reclaim whether logs hold what was dropped.
func (s *Store) reclaimLogs() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reclaiming == nil || s.reclaiming.logs {
		return false
	}
	s.reclaiming.logs = true
	return s.stale > 0
}

// stored returns the records that a handle stands for.
func (h *handle) stored() []*handle {
	if h.covers != nil {
		return h.covers
	}
	return []*handle{h}
}

// merge runs a job whose inputs are whole: what is built from a damaged segment
// would look whole.
func (s *Store) merge(j *job) error {
	var inputs []*handle
	for _, m := range j.merges {
		inputs = append(inputs, m.inputs...)
	}
	if s.quarantine(inputs) {
		s.poke()
		return nil
	}
	_, err := s.guarded(inputs, func() error { return s.run(j) })
	return err
}

func (s *Store) run(j *job) error {
	s.writeMu.Lock()
	first := s.seq + 1
	s.seq += uint64(len(j.merges))
	s.name++
	name := fmt.Sprintf("%08d.seg", s.name)
	s.writeMu.Unlock()
	if !j.toFile {
		return s.runInMemory(j, first)
	}
	out, err := createRecords(s.path(name + ".tmp"))
	if err != nil {
		return err
	}
	offsets := make([]int64, len(j.merges))
	for i, m := range j.merges {
		offsets[i] = -1
		v := newVocabulary(1 << 12)
		u := newUnion(m.inputs, v)
		if u.size() == 0 {
			continue
		}
		u.fresh = m.vectors
		offsets[i] = out.at
		if err := out.add(first+uint64(i), func(w io.Writer) error { return build(w, u, v, s.options.Stamp.Dimensions) }); err != nil {
			out.abort()
			return err
		}
	}
	if out.at == 0 {
		out.abort()
		return s.commit(j, nil)
	}
	if err := out.commit(s.path(name)); err != nil {
		out.abort()
		return err
	}
	mapped, err := openMapping(s.path(name))
	if err != nil {
		return err
	}
	f := &file{name: name}
	for i, at := range offsets {
		if at < 0 {
			continue
		}
		r, ok := recordAt(mapped.data, int(at), false)
		if !ok {
			return fmt.Errorf("%s: merged segment cannot be read", name)
		}
		seg, err := openSegment(r.payload, mapped, s.options.Stamp.Dimensions)
		if err != nil {
			return err
		}
		j.merges[i].output = newHandle(seg, r.seq, f)
	}
	return s.commit(j, f)
}

func (s *Store) runInMemory(j *job, seq uint64) error {
	for i, m := range j.merges {
		v := newVocabulary(1 << 10)
		u := newUnion(m.inputs, v)
		if u.size() == 0 {
			continue
		}
		var out bytes.Buffer
		size := 0
		for _, h := range m.inputs {
			size += len(h.seg.raw)
		}
		out.Grow(size)
		if err := build(&out, u, v, s.options.Stamp.Dimensions); err != nil {
			return err
		}
		seg, err := openSegment(out.Bytes(), nil, s.options.Stamp.Dimensions)
		if err != nil {
			return err
		}
		h := newHandle(seg, seq+uint64(i), nil)
		for _, in := range m.inputs {
			h.covers = append(h.covers, in.stored()...)
		}
		j.merges[i].output = h
	}
	return s.commit(j, nil)
}

// commit replaces the inputs of merges with their outputs; f holds the
// outputs, nil when they are in memory.
func (s *Store) commit(j *job, f *file) error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	durable := false
	for _, m := range j.merges {
		moved := f != nil || m.output == nil // the inputs' records are not needed any more
		durable = durable || moved
		handles := slices.Clone(s.snapshot(m.collection))
		output := m.output
		for _, in := range m.inputs {
			at := slices.IndexFunc(handles, func(h *handle) bool { return h.seg == in.seg })
			if at < 0 {
				continue // it was taken out meanwhile
			}
			now := handles[at]
			handles = slices.Delete(handles, at, at+1)
			if output != nil {
				output = s.redrop(output, in, now)
			}
			if moved {
				for _, c := range in.stored() {
					c.file.gone = append(c.file.gone, c.seq)
					c.file.live--
				}
			}
		}
		if output != nil {
			handles = append(handles, output)
			if f != nil {
				f.live++
			}
		}
		s.publish(m.collection, handles)
	}
	if f != nil {
		s.files = append(s.files, f)
	}
	if !durable {
		return nil
	}
	obsolete := s.retire()
	if err := s.writeManifest(s.log.file); err != nil {
		return err
	}
	for _, f := range obsolete {
		_ = os.Remove(s.path(f.name)) // removed when the index is opened next, if not now
	}
	return nil
}

// redrop repeats on output the drops that met an input during the merge.
func (s *Store) redrop(output, before, now *handle) *handle {
	for i := range now.seg.sources {
		if now.isDead(i) && !before.isDead(i) {
			at := output.seg.find(string(now.seg.generation(i)))
			output, _ = output.without(func(source int) bool { return source == at })
		}
	}
	return output
}

// retire takes files out of the list that nothing needs. A log's drops concern
// this log and older ones, so logs go oldest first.
func (s *Store) retire() []*file {
	var obsolete []*file
	older := false // an older log stays
	s.files = slices.DeleteFunc(s.files, func(f *file) bool {
		if f.live > 0 || f.isLog && older {
			older = older || f.isLog
			return false
		}
		obsolete = append(obsolete, f)
		return true
	})
	return obsolete
}
