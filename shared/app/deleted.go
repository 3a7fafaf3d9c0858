package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
	"lectern/shared/storage/task/localtask"
)

// reclaimEvery is how often stores take from the disk what was deleted: with the
// sweeps in between it is gone within a day.
const reclaimEvery = 20 * time.Hour

func reclaimKey() record.Key { return record.Key{Partition: "sweep", Sort: "reclaim"} }

// Reclaim takes from the disk what was deleted or replaced, in every embedded store,
// when the last time is long enough ago.
func Reclaim(ctx context.Context, p *Process) error {
	item, err := p.Records.Find(ctx, reclaimKey())
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	began := p.Now().UTC()
	if last, err := time.Parse(time.RFC3339, string(item.Value)); err == nil && began.Before(last.Add(reclaimEvery)) {
		return nil
	}
	var errs []error
	all := true
	for _, s := range []struct {
		name string
		any
	}{{"index", p.Index}, {"objects", p.Objects}, {"records", p.Records}} {
		store, ok := s.any.(interface {
			Reclaim(context.Context) (bool, error)
		})
		if !ok {
			continue
		}
		done, err := store.Reclaim(ctx)
		if err != nil {
			errs = append(errs, fmt.Errorf("reclaim %s: %w", s.name, err))
		}
		all = all && done
	}
	if err := errors.Join(errs...); err != nil || !all {
		return err // the next sweep tries again
	}
	p.Log.InfoContext(ctx, "what was deleted is off the disk", "before", began, "took", p.Now().Sub(began).String())
	return p.Records.Put(ctx, record.Item{Key: reclaimKey(), Value: []byte(began.Format(time.RFC3339))}, record.Any())
}

func sealKey() record.Key { return record.Key{Partition: "identity", Sort: "seal"} }

// CheckSeal refuses a key to seal with that is not the one of the work that waits:
// without it that work cannot be done. adopt takes the key as it is. Sealers that do
// not tell their key are not asked.
func CheckSeal(ctx context.Context, p *Process, adopt bool) error {
	sealer, ok := p.Sealer.(interface{ KeyID() string })
	if !ok {
		return nil
	}
	item, err := p.Records.Find(ctx, sealKey())
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if string(item.Value) == sealer.KeyID() {
		return nil
	}
	if len(item.Value) > 0 && !adopt {
		waiting := 0
		for _, err := range record.All(ctx, p.Records, record.Range{Partition: localtask.Partition}) {
			if err != nil {
				return err
			}
			waiting++
		}
		if waiting > 0 {
			return &fault.Error{Code: fault.Unavailable, NoRetry: true, Msg: fmt.Sprintf("the key that seals requests is lost or replaced, and "+
				"%d jobs wait that were sealed with it: put seal.key (or LECTERN_SEAL_KEY) back, or run `lectern adopt`, after which they end "+
				"as failed", waiting)}
		}
		p.Log.WarnContext(ctx, "the key that seals what is stored (seal.key, or LECTERN_SEAL_KEY) is another than at the last start: stored "+
			"responses cannot be opened without the earlier one")
	}
	return p.Records.Put(ctx, record.Item{Key: sealKey(), Value: []byte(sealer.KeyID())}, record.Any())
}
