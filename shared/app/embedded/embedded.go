// Package embedded opens the parts of a process that is alone on one machine:
// embedded drivers, with their state in one data directory, wherever the
// settings name no other. Cloud drivers are reached through package cloud.
package embedded

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsconfig "github.com/aws/aws-sdk-go-v2/config"

	"lectern/shared/api/rest"
	"lectern/shared/app"
	"lectern/shared/app/cloud"
	"lectern/shared/app/cloud/bus"
	"lectern/shared/app/cloud/machines"
	"lectern/shared/app/config"
	"lectern/shared/aws/sending"
	"lectern/shared/chat/async"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/minilmembedding"
	"lectern/shared/knowledge/embedding/staticembedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/index/segindex"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/object/heldobject"
	"lectern/shared/storage/object/signedurl"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/storage/seal/fileseal"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/localtask"
)

// drainTasks is how long running jobs may take to end when the process does.
const drainTasks = 5 * time.Second

// mostWaiting is how many async messages, ingests or deletions of one tenant may wait.
const mostWaiting = 10_000

const signingKeyBytes = 32

// Local is what a local process has beside its parts.
type Local struct {
	Key   signedurl.Key // signs addresses of stored objects
	Jobs  task.Table    // of the embedded queue; filled before Begin
	Begin func()        // begins to run jobs, where the queue is embedded
}

// Open opens every part of p but its readers.
func Open(ctx context.Context, p *app.Process) (*Local, error) {
	l := &Local{Jobs: task.Table{}, Begin: func() {}}
	p.Alone = strings.HasPrefix(p.Config.Records, "bolt:")
	p.AWS = configured
	return l, p.Open(ctx, l.objects, records, embedder, openIndex, app.Models, app.Reranker, app.WebSearch, sealer, callbacks, l.tasks)
}

// configured loads the AWS configuration as AWS's own tools do: environment,
// files, and the instance's role.
func configured(ctx context.Context, region string) (aws.Config, error) {
	cfg, err := awsconfig.LoadDefaultConfig(ctx, awsconfig.WithRegion(region))
	if err != nil {
		return cfg, fmt.Errorf("load the AWS configuration: %w", err)
	}
	cfg.HTTPClient = sending.Client(cfg.HTTPClient)
	return cfg, nil
}

func within(p *app.Process, path, otherwise string) string { return inside(p.Config, path, otherwise) }

// OfData prefixes an error with the setting of the data directory and its value.
func OfData(c *config.Config, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("LECTERN_DATA=%s: %w", c.Data, err)
}

// of prefixes the error of a store with the setting that says where it lies: a path
// that is not absolute lies in the data directory.
func of(p *app.Process, setting, path string, err error) error {
	if filepath.IsAbs(path) {
		return app.Of(setting, err)
	}
	return OfData(p.Config, err)
}

func (l *Local) objects(ctx context.Context, p *app.Process) (err error) {
	if l.Key, err = signingKey(p); err != nil {
		return OfData(p.Config, err)
	}
	path, ok := strings.CutPrefix(p.Config.Objects, "disk:")
	if !ok {
		return cloud.Objects(ctx, p)
	}
	store, err := diskobject.Open(within(p, path, "objects"), diskobject.Options{Signer: l.Key.Signer(baseURL(p), p.Now), Log: p.Log})
	if err != nil {
		return of(p, "LECTERN_OBJECTS", path, err)
	}
	p.Objects, p.Damage["objects"], p.LostObject = heldobject.Wrap(store), store.Damaged, store.Lost
	p.OnClose(store.Close)
	return nil
}

// signingKey reads the key that signs addresses of stored objects, and makes
// one at the first start.
func signingKey(p *app.Process) (signedurl.Key, error) {
	name := within(p, "", "signing.key")
	key, err := fileseal.Secret(name, func() []byte {
		fresh := make([]byte, signingKeyBytes)
		rand.Read(fresh)
		return fresh
	})
	if err == nil && len(key) != signingKeyBytes {
		err = fmt.Errorf("%s should hold %d bytes; remove it to have it made again", name, signingKeyBytes)
	}
	return key, err
}

// baseURL is where clients reach the service: as the request at hand says, or
// outside of one as it listens.
func baseURL(p *app.Process) func(context.Context) string {
	return func(ctx context.Context) string {
		if base := rest.BaseURL(ctx); base != "" {
			return base
		}
		return "http://" + p.Config.Addr
	}
}

func records(ctx context.Context, p *app.Process) error {
	path, ok := strings.CutPrefix(p.Config.Records, "bolt:")
	if !ok {
		return cloud.Records(ctx, p)
	}
	store, err := boltrecord.Open(within(p, path, "records.db"), boltrecord.Options{Now: p.Now, Log: p.Log})
	if err != nil {
		return of(p, "LECTERN_RECORDS", path, err)
	}
	p.Records, p.Damage["records"] = store, store.Damaged
	p.OnClose(store.Close)
	return nil
}

func embedder(ctx context.Context, p *app.Process) (err error) {
	switch scheme, _, _ := strings.Cut(p.Config.Embedding, ":"); scheme {
	case "static":
		p.Embedder, err = staticembedding.Open(p.Config.Embedding)
	case "minilm":
		var e *minilmembedding.Embedder
		if e, err = minilmembedding.Open(p.Config.Embedding); err == nil {
			p.Embedder = e
			p.FillsIndex = e.Fast() && strings.HasPrefix(p.Config.Index, "local:")
			p.Log.Info("the built-in embedder is ready", "kernels", e.Kernels(), "documents", e.Fast())
		}
	default:
		return app.Embedder(ctx, p)
	}
	return app.Of("LECTERN_EMBEDDING", err)
}

const (
	// fillPause is how long filling waits for requests before it embeds a few
	// chunks all the same.
	fillPause = 50 * time.Millisecond
	fillPoll  = 2 * time.Millisecond
	// fillQuiet is how long no request has come when filling takes all processors.
	fillQuiet = time.Second
)

// fill embeds chunks for the index: on half of the processors, while requests are
// being answered a few chunks at a time unless they hurry, and on all processors when
// none has come for a while. It waits while searching is held, and is not safe for concurrent use.
func fill(p *app.Process, searching *sync.Mutex) func(context.Context, []index.Chunk, bool) ([][]float32, error) {
	all := runtime.GOMAXPROCS(0)
	asked := time.Now() // a request was seen last
	return func(ctx context.Context, chunks []index.Chunk, hurry bool) ([][]float32, error) {
		list := make([][]float32, 0, len(chunks))
		for len(chunks) > 0 {
			for waited := time.Duration(0); p.Requests.Load() > 0 && waited < fillPause; waited += fillPoll {
				asked = time.Now()
				if hurry {
					break
				}
				time.Sleep(fillPoll)
			}
			atOnce := max(1, all/2)
			if time.Since(asked) >= fillQuiet {
				atOnce = all
			}
			some := chunks[:min(atOnce, len(chunks))]
			chunks = chunks[len(some):]
			searching.Lock()
			searching.Unlock() //nolint:staticcheck // a search goes first
			vectors, err := embedded(ctx, p, some)
			if err != nil {
				return nil, err
			}
			list = append(list, vectors...)
		}
		return list, nil
	}
}

// embedded returns the vectors of chunks.
func embedded(ctx context.Context, p *app.Process, chunks []index.Chunk) ([][]float32, error) {
	texts := make([]string, len(chunks))
	for i := range chunks {
		texts[i] = artifact.EmbeddedText(&chunks[i])
	}
	return p.Embedder.Embed(ctx, texts, embedding.Document)
}

func openIndex(ctx context.Context, p *app.Process) error {
	path, ok := strings.CutPrefix(p.Config.Index, "local:")
	if !ok {
		if err := cloud.Index(ctx, p); err != nil {
			return err
		}
		return app.Of("LECTERN_INDEX", cloud.CreateIndex(ctx, p))
	}
	o := segindex.Options{Stamp: app.Stamp(p), Profile: app.Profile(p), Log: p.Log, OnDamage: func() {
		select {
		case p.IndexDamaged <- struct{}{}:
		default:
		}
	}}
	if (p.FillsIndex || p.Reindexes) && o.Profile.Weight > 0 {
		var searching sync.Mutex
		o.Fill = fill(p, &searching)
		o.Now = func(ctx context.Context, chunks []index.Chunk) ([][]float32, error) {
			searching.Lock()
			defer searching.Unlock()
			return embedded(ctx, p, chunks)
		}
	}
	store, err := segindex.Open(within(p, path, "index"), o)
	if err != nil {
		return of(p, "LECTERN_INDEX", path, err)
	}
	p.Index, p.Damage["index"], p.IndexStuck = store, store.Damaged, store.Stuck
	p.OnClose(store.Close)
	return nil
}

func sealer(ctx context.Context, p *app.Process) (err error) {
	if len(p.Config.SealKey) > 0 {
		return cloud.Sealer(ctx, p)
	}
	p.Sealer, err = fileseal.Open(within(p, "", "seal.key"))
	return OfData(p.Config, err)
}

// callbacks opens what callbacks need. The secret that signs them is made at the
// first start and kept as text, so that receivers can be told.
func callbacks(ctx context.Context, p *app.Process) error {
	if p.Config.WebhookSecret != "" {
		return bus.Callbacks(ctx, p)
	}
	secret, err := fileseal.Secret(within(p, "", "webhook.secret"), func() []byte {
		key := make([]byte, 24)
		rand.Read(key)
		return []byte("whsec_" + base64.StdEncoding.EncodeToString(key))
	})
	if err != nil {
		return OfData(p.Config, err)
	}
	if err := bus.Open(ctx, p, strings.TrimSpace(string(secret))); err != nil {
		return fmt.Errorf("with the secret in %s: %w", within(p, "", "webhook.secret"), err)
	}
	return nil
}

func (l *Local) tasks(ctx context.Context, p *app.Process) error {
	if p.Config.Tasks != "local:" && !strings.HasPrefix(p.Config.Tasks, "aws:") {
		return app.UnknownDriver("LECTERN_TASKS", p.Config.Tasks)
	}
	if p.Config.Tasks != "local:" {
		return machines.Queue(ctx, p)
	}
	q, err := localtask.Open(ctx, p.Records, l.Jobs, localtask.Options{IDs: p.IDs, Now: p.Now, Log: p.Log, Drain: drainTasks,
		Waiting: map[string]int{async.Kind: mostWaiting, tasks.IngestKind: mostWaiting, tasks.DeleteKind: mostWaiting}})
	if err != nil {
		return app.Of("LECTERN_TASKS", err)
	}
	p.Queue, l.Begin = q, q.Start
	p.OnClose(q.Close)
	return nil
}
