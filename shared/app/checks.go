package app

import (
	"context"

	"lectern/shared/fault"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

// Checks look whether the stores answer, by name.
func Checks(records record.Store, objects object.Store, chunks index.Store) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"records": func(ctx context.Context) error {
			_, err := records.Find(ctx, record.Key{Partition: "ready", Sort: "ready"})
			return unlessMissing(err)
		},
		"objects": func(ctx context.Context) error {
			_, err := objects.Head(ctx, "ready")
			return unlessMissing(err)
		},
		"index": func(ctx context.Context) error {
			_, err := chunks.Around(ctx, "ready", "ready", "ready", 0, 0, 0)
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
