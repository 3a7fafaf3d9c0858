// Package app is the wiring room: it turns settings into drivers, and drivers
// into use cases. Nothing else knows both.
//
// A Process holds what a program runs on. Its drivers are opened by parts:
// package embedded has those of one process on one machine, package cloud those
// of a function on AWS, and this package those that both have (models,
// embedders, web search). A main names the parts that it needs, so the linker
// drops the others; package reading and package toolset stand apart because
// what they import initialises itself at each start, used or not.
//
// Use cases are made of a Process by the New functions. They check nothing: a
// main that leaves out a part which a use case needs is a defect, and a test of
// package functions compares each main with its row in the table of groups.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"lectern/shared/api/rest"
	"lectern/shared/app/config"
	"lectern/shared/chat/model"
	"lectern/shared/fault/budget"
	"lectern/shared/ident"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/index"
	"lectern/shared/knowledge/reader"
	"lectern/shared/knowledge/rerank"
	"lectern/shared/storage/object"
	"lectern/shared/storage/record"
	"lectern/shared/storage/seal"
	"lectern/shared/storage/task"
	"lectern/shared/web"
	"lectern/shared/web/callback"
)

// Process is what one program runs on. Fields are set by its parts, before the
// first use case is made; after that nobody changes them.
type Process struct {
	Config *config.Config
	Log    *slog.Logger
	IDs    ident.Source
	Now    func() time.Time
	// Owner is the name under which this process holds leases. Nobody else can
	// guess it.
	Owner string
	// Alone says that no other process works on the same records.
	Alone bool
	// AWS loads the configuration of AWS clients; an empty region is the
	// environment's.
	AWS func(ctx context.Context, region string) (aws.Config, error)

	Objects  object.Store
	Records  record.Store
	Embedder embedding.Embedder
	Index    index.Store
	Models   *model.Catalog
	Sealer   seal.Sealer
	Queue    task.Queue
	Judge    *rerank.Judge // nil without a re-ranking model
	Web      web.Searcher  // nil without a search engine
	Readers  *reader.Set   // nil where no documents are read

	Bus           callback.Bus // nil without one
	WebhookSecret string       // signs callbacks
	// LooksOnce says that Index is asked once whether it shows what was written,
	// and that a job which must wait longer ends and is continued by another:
	// a function is billed while it waits.
	LooksOnce bool

	// Budget bounds the memory that requests take together; nil bounds nothing.
	Budget *budget.Budget
	// Door is what guards the service where no keys do; nil for none.
	Door *rest.Door
	// Damage counts what each embedded store had to skip, by the store's name.
	Damage map[string]func() int
	// IndexDamaged is told when the embedded index loses something while the
	// process runs.
	IndexDamaged chan struct{}

	closers []func() error
}

// Part opens one part of a process.
type Part func(ctx context.Context, p *Process) error

// New returns a process without parts, with the system's clock and random ids.
func New(c *config.Config, log *slog.Logger) *Process {
	return &Process{Config: c, Log: log, IDs: ident.Random{Now: time.Now}, Now: time.Now, Owner: ident.Random{}.Fresh(""),
		Damage: map[string]func() int{}, IndexDamaged: make(chan struct{}, 1)}
}

// Open opens parts in their order. When one fails, it closes the process and
// returns the error, which names the setting at fault.
func (p *Process) Open(ctx context.Context, parts ...Part) error {
	for _, open := range parts {
		if err := open(ctx, p); err != nil {
			return errors.Join(err, p.Close())
		}
	}
	return nil
}

// OnClose makes Close call f before everything that was opened earlier.
func (p *Process) OnClose(f func() error) { p.closers = append(p.closers, f) }

// Close releases what the parts opened, in reverse order.
func (p *Process) Close() error {
	var errs []error
	for _, c := range slices.Backward(p.closers) {
		errs = append(errs, c())
	}
	p.closers = nil
	return errors.Join(errs...)
}

// NewLog returns the log of a process: JSON lines on standard error.
func NewLog(c *config.Config) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return nil, fmt.Errorf("LECTERN_LOG should be debug, info, warn or error")
	}
	return slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: level})), nil
}

// Of names the setting that an error comes from, unless the error does so.
func Of(setting string, err error) error {
	if err == nil || strings.HasPrefix(err.Error(), setting) {
		return err
	}
	return fmt.Errorf("%s: %w", setting, err)
}

// UnknownDriver is the error of a setting whose URL no driver takes.
func UnknownDriver(setting, url string) error {
	scheme, _, _ := strings.Cut(url, ":")
	return fmt.Errorf("%s: no driver for %q", setting, scheme+":")
}
