package app

import (
	"bytes"
	"context"
	"sync"
	"time"

	"lectern/shared/fault"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
)

// Checks returns functions that test whether the stores respond, by name. They
// cost next to nothing, however often a probe asks.
func Checks(p *Process) map[string]func(context.Context) error {
	checks := map[string]func(context.Context) error{
		"records": func(ctx context.Context) error {
			_, err := p.Records.Find(ctx, record.Key{Partition: "ready", Sort: "ready"})
			return unlessMissing(err)
		},
		"objects": func(ctx context.Context) error {
			_, err := p.Objects.Head(ctx, "ready")
			return unlessMissing(err)
		},
	}
	if p.Alone {
		probe := &writeProbe{process: p}
		checks["writes"] = probe.check
	}
	return checks
}

// probeEvery is how long the answer of a write probe counts.
const probeEvery = 5 * time.Second

// probeBytes is the size of the object of a write probe: a disk with less room is full.
const probeBytes = 128 << 10

// writeProbe writes to the embedded stores, which a full or read-only disk refuses.
type writeProbe struct {
	process *Process
	mu      sync.Mutex
	at      time.Time
	err     error
}

func (w *writeProbe) check(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.process.Now()
	if age := now.Sub(w.at); age >= 0 && age < probeEvery {
		return w.err
	}
	value := []byte(now.UTC().Format(time.RFC3339))
	w.err = w.process.Records.Put(ctx, record.Item{Key: record.Key{Partition: "ready", Sort: "write"}, Value: value}, record.Any())
	// Large objects are files of their own, small ones lie in one: each can fail alone.
	for key, size := range map[string]int64{"probe/write": probeBytes, "probe/small": 1} {
		if w.err == nil {
			_, w.err = w.process.Objects.Put(ctx, key, bytes.NewReader(make([]byte, size)), object.PutOptions{Size: size})
		}
	}
	if ctx.Err() == nil {
		w.at = now
	}
	return w.err
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
