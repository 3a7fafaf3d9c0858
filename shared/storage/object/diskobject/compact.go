package diskobject

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
)

// compactLater starts to empty a closed segment that is more than half dead,
// when there is one and none is being emptied.
func (s *Store) compactLater() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.pack.compacting || s.pack.stuck {
		return
	}
	seg := s.pack.wasteful()
	if seg == nil {
		return
	}
	s.pack.compacting = true
	s.compactions.Go(func() {
		err := s.compact(seg)
		s.mu.Lock()
		// A segment that could not be emptied is left alone until the next
		// start, or the log is mended, rather than tried over and over.
		s.pack.compacting, s.pack.stuck = false, err != nil
		closed := s.closed
		s.mu.Unlock()
		if closed {
			return
		}
		if err != nil {
			slog.Error("objects could not be compacted", "error", err)
			return
		}
		s.compactLater()
	})
}

// Reclaim takes from the disk what was deleted or replaced, however little it is:
// segments that hold any of it are emptied, the one that grows included. It is put
// off, false, while a segment is being emptied. Damaged segments stay.
func (s *Store) Reclaim(ctx context.Context) (done bool, err error) {
	s.mu.Lock()
	if s.closed || s.pack.compacting {
		closed := s.closed
		s.mu.Unlock()
		if closed {
			return false, errClosed()
		}
		return false, nil
	}
	s.pack.compacting = true
	s.compactions.Add(1)
	defer s.compactions.Done()
	list := s.pack.dead()
	if n := len(list); n > 0 && list[n-1] == s.pack.segments[len(s.pack.segments)-1] {
		if err = s.pack.sync(s.pack.end()); err == nil { // a closed segment is whole on disk
			err = s.pack.grow()
		}
	}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.pack.compacting = false
		s.mu.Unlock()
	}()
	for _, seg := range list {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = s.compact(seg)
		}
	}
	return err == nil, err
}

// dead lists the whole segments that hold anything that does not count, oldest first.
func (p *pack) dead() (list []*segment) {
	for _, seg := range p.segments {
		if seg.live < seg.size && !seg.damaged {
			list = append(list, seg)
		}
	}
	return list
}

// wasteful returns a closed segment that is more than half dead; nil when there
// is none.
func (p *pack) wasteful() *segment {
	for _, seg := range p.segments[:len(p.segments)-1] {
		// A damaged segment stays as it is: what it holds may yet be saved.
		if seg.live*2 < seg.size && !seg.damaged {
			return seg
		}
	}
	return nil
}

// compact copies what still counts of a segment to the end of the log and
// removes it. A deletion counts while an older segment may hold the object.
func (s *Store) compact(seg *segment) error {
	in := bufio.NewReaderSize(io.NewSectionReader(seg.file, 0, seg.size), 256<<10)
	scan := &segment{file: seg.file}
	var end position
	for {
		if scan.size == seg.size {
			break
		}
		r, err := scan.next(in)
		if err != nil {
			return err
		}
		if r.damaged {
			s.mu.Lock()
			seg.damaged = true
			s.mu.Unlock()
			return errDamaged
		}
		scan.size += r.bytes
		r.segment = seg
		to, err := s.carry(r)
		if err != nil {
			return err
		}
		if to.segment != nil {
			end = to
		}
	}
	if end.segment != nil {
		if err := s.pack.sync(end); err != nil {
			return err
		}
	}
	return s.drop(seg)
}

// carry copies one record if it counts.
func (s *Store) carry(r packRecord) (position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return position{}, errClosed()
	}
	e, exists := s.entries[r.key]
	counts := exists && e.segment == r.segment && e.offset == r.offset
	if r.deleted {
		counts = s.pack.segments[0] != r.segment && (!exists || e.sequence < r.sequence)
	}
	if !counts {
		return position{}, nil
	}
	b := make([]byte, r.bytes)
	if _, err := r.segment.file.ReadAt(b, r.offset); err != nil {
		return position{}, err
	}
	moved, end, err := s.pack.write(b, r.sequence)
	if err != nil {
		return position{}, err
	}
	if !r.deleted {
		s.replace(r.key, e, true, moved)
		s.pack.undo.note(change{r.key, e, true, moved, end})
	}
	return end, nil
}

func (s *Store) drop(seg *segment) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed()
	}
	for i, other := range s.pack.segments {
		if other == seg {
			s.pack.segments = append(s.pack.segments[:i:i], s.pack.segments[i+1:]...)
			break
		}
	}
	return errors.Join(os.Remove(seg.file.Name()), seg.file.Close(), syncDir(s.pack.dir))
}
