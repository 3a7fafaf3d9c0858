package file

import (
	"context"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/sweep"
)

// sweepAge is the minimum age of an object that a sweep of a running service
// may remove: the writer of a younger one may be about to commit it.
const sweepAge = 15 * time.Minute

// Sweep removes what processes that died have left behind, and registers stored
// uploads that were not registered. Set idle when nobody else writes. Objects
// unknown to the records are removed only as far as s.Guard allows.
func (s *Service) Sweep(ctx context.Context, idle bool) error {
	before := s.Now().Add(-sweepAge)
	c := sweep.Count{Of: "files", Known: s.Guard.All}
	var left, orphans []string
	for o, err := range object.All(ctx, s.Objects, objectsFolder) {
		if err != nil {
			return err
		}
		c.Looked++
		if !idle && o.Modified.After(before) || s.Guard.Keeps(o.Modified) {
			continue
		}
		v, err := s.judge(ctx, o, true)
		if err != nil {
			return err
		}
		switch v {
		case named:
			c.Known = true
		case explained:
			c.Known = true
			c.Explained++
			left = append(left, o.Key)
		case orphan:
			c.Orphans++
			orphans = append(orphans, o.Key)
		case unreadable:
			c.Damaged++
		}
	}
	if s.Guard.Withheld(c) == "" {
		left = append(left, orphans...)
	}
	for _, key := range left {
		by, _, _ := recordOf(key)
		if err := s.tidy(ctx, by.Partition); err != nil {
			return err
		}
		if err := s.Objects.Delete(ctx, key); err != nil {
			return err
		}
	}
	s.Guard.Report(ctx, c, len(left))
	return nil
}

// Survey counts the stored objects, and those that the records know.
func (s *Service) Survey(ctx context.Context) (objects, known int, err error) {
	for o, err := range object.All(ctx, s.Objects, objectsFolder) {
		if err != nil {
			return 0, 0, err
		}
		v, err := s.judge(ctx, o, false)
		if err != nil {
			return 0, 0, err
		}
		if objects++; v != orphan {
			known++
		}
	}
	return objects, known, nil
}

// verdict classifies an object by the records.
type verdict int

const (
	named      verdict = iota // a file's object, or a foreign key
	explained                 // the records show that it was a file's
	orphan                    // unknown to the records
	unreadable                // the deciding item is damaged
)

// judge classifies an object. With register it registers the object of an upload
// as a file.
func (s *Service) judge(ctx context.Context, o object.Info, register bool) (verdict, error) {
	key, version, ok := recordOf(o.Key)
	if !ok {
		return named, nil
	}
	v, err := s.look(ctx, key, version)
	if v == named || err != nil || !register || !strings.HasPrefix(version, signedPrefix) {
		return v, err
	}
	if err := s.Register(ctx, o.Key); err != nil {
		return v, err
	}
	return s.look(ctx, key, version)
}

func (s *Service) look(ctx context.Context, key record.Key, version string) (verdict, error) {
	item, err := s.Records.Find(ctx, key)
	switch {
	case fault.Is(err, fault.NotFound):
		return s.trace(ctx, key)
	case err != nil:
		return orphan, err
	}
	e, err := decode(item)
	switch {
	case err != nil:
		return unreadable, nil
	case e.Version == version:
		return named, nil
	case strings.TrimPrefix(version, signedPrefix) < strings.TrimPrefix(e.Version, signedPrefix):
		return explained, nil // replaced
	}
	return s.trace(ctx, key)
}

// trace looks for an item by time of a file without an item by id: a process that
// dies while it writes or deletes a file leaves one.
func (s *Service) trace(ctx context.Context, key record.Key) (verdict, error) {
	for item, err := range record.All(ctx, s.Records, record.Range{Partition: key.Partition, Prefix: timePrefix}) {
		if err != nil {
			return orphan, err
		}
		if strings.HasSuffix(item.Sort, "#"+strings.TrimPrefix(key.Sort, "i#")) {
			return explained, nil
		}
	}
	return orphan, nil
}

// tidy removes items by time of a place that point to no file, except young
// ones, whose writer may be about to commit.
func (s *Service) tidy(ctx context.Context, partition string) error {
	before := s.Now().Add(-sweepAge)
	for item, err := range record.All(ctx, s.Records, record.Range{Partition: partition, Prefix: timePrefix}) {
		if err != nil {
			return err
		}
		found, err := s.Records.Find(ctx, record.Key{Partition: partition, Sort: "i#" + keyOf(string(item.Value))})
		var e *entry
		if err == nil {
			if e, err = decode(found); err != nil {
				continue // damaged: the item's owner is unknown
			}
		} else if !fault.Is(err, fault.NotFound) {
			return err
		}
		if e != nil && e.timeKey() == item.Key || !stale(item.Sort, before) {
			continue
		}
		if err := s.Records.Delete(ctx, item.Key, record.VersionIs(item.Version)); err != nil && !fault.Is(err, fault.Conflict) {
			return err
		}
	}
	return nil
}

// stale reports whether an item by time is older than before.
func stale(sort string, before time.Time) bool {
	return sort < (&entry{Created: before}).timeKey().Sort
}
