package app

import (
	"context"

	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

// Checks returns functions that test whether the stores respond, by name. They
// cost next to nothing, however often a probe asks.
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
	}
}

// DeepChecks returns the tests that a probe should not run: one that looks at a
// serverless index keeps it from scaling to zero.
func DeepChecks(p *Process) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
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
