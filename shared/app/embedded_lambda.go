//go:build lambda.norpc

package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"lectern/shared/app/config"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/seal"
	"lectern/shared/storage/task"
)

// A function has no disk that outlives it, so it carries no embedded driver.

func embeddedObjects(c *config.Config, _ string, _ object.Signer) (object.Store, error) {
	return nil, unknown("LECTERN_OBJECTS", c.Objects)
}

func embeddedRecords(c *config.Config, _ string, _ func() time.Time) (record.Store, error) {
	return nil, unknown("LECTERN_RECORDS", c.Records)
}

func embeddedIndex(c *config.Config, _ string, _ index.Stamp, _ *slog.Logger) (index.Store, error) {
	return nil, unknown("LECTERN_INDEX", c.Index)
}

func staticEmbedder(c *config.Config) (embedding.Embedder, error) {
	return nil, unknown("LECTERN_EMBEDDING", c.Embedding)
}

func embeddedSealer(*config.Config) (seal.Sealer, error) {
	return nil, errors.New("LECTERN_SEAL_KEY should be set: a function keeps no key of its own")
}

func embeddedWebhookSecret(*config.Config) (string, error) {
	return "", errors.New("LECTERN_WEBHOOK_SECRET should be set: a function keeps no secret of its own")
}

func embeddedTasks(_ context.Context, _ record.Store, _ task.Table, _ TaskOptions) (task.Queue, func(), error) {
	return nil, nil, errors.New("LECTERN_TASKS should name queues: a function runs no jobs of its own")
}
