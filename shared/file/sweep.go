package file

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/sweep"
)

// Sweep removes what processes that died have left behind, and registers stored
// uploads that were not registered. Set idle when nobody else writes. Objects
// unknown to the records are removed only as far as s.Guard allows.
func (s *Service) Sweep(ctx context.Context, idle bool) error {
	err := s.Guard.Objects(ctx, s.Records, s.Objects, objectsFolder, sweepName, s.Now(), idle, s.settle, s.drop)
	if err != nil || !idle {
		return err // the place of a file that is being put would look empty
	}
	if err := s.tellLost(ctx); err != nil {
		return err
	}
	return s.sweepPlaces(ctx)
}

// tellLost names the files whose objects are lost.
func (s *Service) tellLost(ctx context.Context) error {
	lost := sweep.Losses{Guard: s.Guard, Of: sweepName}
	for partition, err := range s.partitions(ctx) {
		if err != nil {
			return err
		}
		for item, err := range record.All(ctx, s.Records, record.Range{Partition: partition, Prefix: "i#"}) {
			if err != nil {
				return err
			}
			e, err := decode(item)
			if err != nil {
				continue // the records tell of it
			}
			if _, err := s.Objects.Head(ctx, e.objectKey()); fault.Is(err, fault.NotFound) {
				lost.Add(ctx, e.objectKey(), slog.String("file", e.ID), slog.String("scope", e.Scope))
			}
		}
	}
	lost.Report(ctx)
	return nil
}

// sweepName names the sweep of files.
const sweepName = "files"

// drop frees an object that a sweep has found, unless it has become a file since.
func (s *Service) drop(ctx context.Context, key string) (bool, error) {
	switch v, err := s.judge(ctx, object.Info{Key: key}); {
	case err != nil:
		return false, err
	case v == sweep.Named || v == sweep.Unreadable:
		return false, nil
	}
	by, _, _ := recordOf(key)
	if err := s.tidy(ctx, by.Partition); err != nil {
		return false, err
	}
	return true, s.Objects.Delete(ctx, key)
}

// Survey counts the stored objects, and those that the records know.
func (s *Service) Survey(ctx context.Context) (objects, known int, err error) {
	return sweep.Survey(ctx, s.Objects, objectsFolder, s.judge)
}

// judge says what the records tell of an object. A foreign key counts as named.
func (s *Service) judge(ctx context.Context, o object.Info) (sweep.Verdict, error) {
	key, version, ok := recordOf(o.Key)
	if !ok {
		return sweep.Named, nil
	}
	return s.look(ctx, key, version)
}

// settle is judge after it has registered the object of an upload as a file.
func (s *Service) settle(ctx context.Context, o object.Info) (sweep.Verdict, error) {
	v, err := s.judge(ctx, o)
	if _, version, _ := recordOf(o.Key); v == sweep.Named || err != nil || !strings.HasPrefix(version, signedPrefix) {
		return v, err
	}
	if err := s.Register(ctx, o.Key); err != nil {
		return v, err
	}
	return s.judge(ctx, o)
}

func (s *Service) look(ctx context.Context, key record.Key, version string) (sweep.Verdict, error) {
	item, err := s.Records.Find(ctx, key)
	switch {
	case fault.Is(err, fault.NotFound):
		return s.trace(ctx, key)
	case err != nil:
		return sweep.Orphan, err
	}
	e, err := decode(item)
	switch {
	case err != nil:
		return sweep.Unreadable, nil
	case e.Version == version:
		return sweep.Named, nil
	case strings.TrimPrefix(version, signedPrefix) < strings.TrimPrefix(e.Version, signedPrefix):
		return sweep.Explained, nil // replaced
	}
	return s.trace(ctx, key)
}

// trace looks for an item by time of a file without an item by id: a process that
// dies while it writes or deletes a file leaves one.
func (s *Service) trace(ctx context.Context, key record.Key) (sweep.Verdict, error) {
	for item, err := range record.All(ctx, s.Records, record.Range{Partition: key.Partition, Prefix: timePrefix}) {
		if err != nil {
			return sweep.Orphan, err
		}
		if strings.HasSuffix(item.Sort, "#"+strings.TrimPrefix(key.Sort, "i#")) {
			return sweep.Explained, nil
		}
	}
	return sweep.Orphan, nil
}

// tidy removes items by time of a place that point to no file, except young
// ones, whose writer may be about to commit.
func (s *Service) tidy(ctx context.Context, partition string) error {
	before := s.Now().Add(-sweep.Age)
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
