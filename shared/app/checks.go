package app

import (
	"context"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

// Checks returns functions that test whether the stores respond, by name.
func Checks(p *Process) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"records": func(ctx context.Context) error {
			_, err := p.Records.Find(ctx, record.Key{Partition: "ready", Sort: "ready"})
			return unlessMissing(err)
		},
		"objects": func(ctx context.Context) error {
			_, err := p.Objects.Head(ctx, "ready")
			return unlessMissing(err)
		},
		"index": func(ctx context.Context) error {
			_, err := p.Index.Around(ctx, "ready", "ready", "ready", 0, 0, 0)
			return err
		},
	}
}

func unlessMissing(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}
