//go:build !lambda.norpc

package app

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"lectern/shared/app/config"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/staticembedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/segindex"
	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/storage/seal"
	"lectern/shared/storage/seal/fileseal"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/localtask"
)

// under is the path that a driver's URL names, below the data directory unless
// it is absolute; name when it names none.
func under(c *config.Config, path, name string) string {
	if path == "" {
		path = name
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Data, path)
}

func embeddedObjects(c *config.Config, path string, sign object.Signer) (object.Store, error) {
	return diskobject.Open(under(c, path, "objects"), diskobject.Options{Signer: sign})
}

func embeddedRecords(c *config.Config, path string, now func() time.Time) (record.Store, error) {
	return boltrecord.Open(under(c, path, "records.db"), boltrecord.Options{Now: now})
}

func embeddedIndex(c *config.Config, path string, stamp index.Stamp, log *slog.Logger) (index.Store, error) {
	return segindex.Open(under(c, path, "index"), segindex.Options{Stamp: stamp, Log: log})
}

func staticEmbedder(c *config.Config) (embedding.Embedder, error) {
	return staticembedding.Open(c.Embedding)
}

func embeddedSealer(c *config.Config) (seal.Sealer, error) {
	return fileseal.Open(under(c, "", "seal.key"))
}

func embeddedWebhookSecret(c *config.Config) (string, error) {
	secret, err := fileseal.Secret(under(c, "", "webhook.secret"), func() []byte {
		key := make([]byte, 24)
		rand.Read(key)
		return []byte("whsec_" + base64.StdEncoding.EncodeToString(key))
	})
	return strings.TrimSpace(string(secret)), err
}

// drainTasks is how long jobs may go on while the process stops.
const drainTasks = 5 * time.Second

func embeddedTasks(ctx context.Context, records record.Store, table task.Table, o TaskOptions) (queue task.Queue, start func(), err error) {
	q, err := localtask.Open(ctx, records, table, localtask.Options{IDs: o.IDs, Now: o.Now, Log: o.Log, Drain: drainTasks})
	if err != nil {
		return nil, nil, err
	}
	return q, q.Start, nil
}
