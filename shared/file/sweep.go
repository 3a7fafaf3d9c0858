package file

import (
	"context"
	"strings"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

// sweepAge is how old an object must be before a sweep of a running service
// judges it: the writer of a younger one may be about to commit it.
const sweepAge = 15 * time.Minute

// Sweep removes what processes that died have left, and makes files of uploads
// that were stored and not registered. idle says that nobody else writes.
func (s *Service) Sweep(ctx context.Context, idle bool) error {
	before := s.Now().Add(-sweepAge)
	for o, err := range object.All(ctx, s.Objects, objectsFolder) {
		if err != nil {
			return err
		}
		if !idle && o.Modified.After(before) {
			continue
		}
		if err := s.judge(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// judge keeps an object that is a file's, registers it when it is an upload's,
// and else deletes it with the items by time of the same death.
func (s *Service) judge(ctx context.Context, o object.Info) error {
	key, version, ok := recordOf(o.Key)
	if !ok {
		return nil
	}
	live := func() (bool, error) {
		item, err := s.Records.Find(ctx, key)
		if fault.Is(err, fault.NotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		e, err := decode(item)
		return err == nil && e.Version == version, err
	}
	if is, err := live(); is || err != nil {
		return err
	}
	if strings.HasPrefix(version, signedPrefix) {
		if err := s.Register(ctx, o.Key); err != nil {
			return err
		}
		if is, err := live(); is || err != nil {
			return err
		}
	}
	if err := s.tidy(ctx, key.Partition); err != nil {
		return err
	}
	return s.Objects.Delete(ctx, o.Key)
}

// tidy removes the items by time of a place that point to no file. Young ones
// may belong to a writer that is about to commit.
func (s *Service) tidy(ctx context.Context, partition string) error {
	before := s.Now().Add(-sweepAge)
	for item, err := range record.All(ctx, s.Records, record.Range{Partition: partition, Prefix: timePrefix}) {
		if err != nil {
			return err
		}
		found, err := s.Records.Find(ctx, record.Key{Partition: partition, Sort: "i#" + keyOf(string(item.Value))})
		var e *entry
		if err == nil {
			e, err = decode(found)
		} else if fault.Is(err, fault.NotFound) {
			err = nil
		}
		if err != nil {
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
