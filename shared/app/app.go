// Package app wires the service: it turns settings into drivers, and drivers
// into use cases. No other package imports both.
//
// A Process holds the drivers of a program, opened by parts: package embedded
// has those of the local service, package cloud those of a function on AWS, and
// this package those that both use (models, embedders, web search). A main
// names its parts, so that the linker drops the others. Packages reading and
// toolset are separate because their imports cost initialisation time at each
// start, used or not.
//
// The New functions build use cases from a Process. They do not check that the
// required parts were opened; a test of package functions compares each main
// with its row in the table of groups instead.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"lectern/shared/api/rest"
	"lectern/shared/app/config"
	"lectern/shared/auth"
	"lectern/shared/auth/keystore"
	"lectern/shared/auth/oidc"
	"lectern/shared/auth/usage"
	"lectern/shared/chat"
	"lectern/shared/chat/model"
	"lectern/shared/chat/model/extractive/sheet"
	"lectern/shared/fault/budget"
	"lectern/shared/fault/trace"
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

// Process holds the drivers of one program. Its parts set the fields before the
// first use case is built; after that it is read only.
type Process struct {
	Config *config.Config
	Log    *slog.Logger
	IDs    ident.Source
	Now    func() time.Time
	// Owner is the name under which this process holds leases; unguessable.
	Owner string
	// Alone says that no other process uses the same records.
	Alone bool
	// AWS loads the configuration of AWS clients; an empty region means the one
	// of the environment.
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
	// Tables computes over tables for the built-in model; nil where no driver of databases is
	// linked.
	Tables  sheet.Asker
	Readers *reader.Set // nil where no documents are parsed

	Bus           callback.Bus // nil without an event bus
	WebhookSecret string       // signs callbacks
	// LooksOnce says that a job checks only once whether Index shows what was
	// written, and otherwise ends and is continued by another job, because a
	// function is billed while it waits.
	LooksOnce bool

	// FillsIndex says that the index embeds chunks itself, after an ingest.
	FillsIndex bool
	// Reindexes says that the process gives vectors to what the index holds, with
	// whatever embedder there is.
	Reindexes bool
	// Chatted is called for every answer that is over; may be nil.
	Chatted func(context.Context, chat.Done)
	// Requests counts the requests that are being answered.
	Requests atomic.Int64

	// Budget limits the memory of what all requests together hold, Reading that of
	// documents while they are read, Held that of open requests; nil is unlimited.
	Budget, Reading, Held *budget.Budget
	// Arriving bounds what one caller takes of Held while bodies arrive; nil is unlimited.
	Arriving func(ctx context.Context, bytes int64) (arrived func(), err error)
	// Slots bounds how many large documents are worked on at once; nil is unlimited.
	Slots *budget.Slots
	// Keys are the keys that are made while the service runs, and Meter counts what
	// each key uses; both are nil without Records.
	Keys  *keystore.Store
	Meter *usage.Meter
	OIDC  *oidc.Source // nil without a provider
	// Tracer starts spans of requests and jobs; see Traces.
	Tracer      trace.Tracer
	flushTraces func(context.Context) error
	// GroupOf names the group of endpoints of a path; nil where no key is checked.
	GroupOf func(path string) string
	// Authority names the caller of a request where an authorizer of the API does;
	// nil where keys do, or nothing.
	Authority func(*http.Request) (auth.Principal, error)
	// Door guards a service without authentication; may be nil.
	Door *rest.Door
	// Damage counts the damaged items that each embedded store skipped, by store.
	Damage map[string]func() int
	// LostObject is told the keys of objects that the registry names and Objects lack;
	// may be nil.
	LostObject func(key string)
	// IndexStuck reports whether the embedded index cannot be tidied now; nil for others.
	IndexStuck func() bool
	// IndexDamaged is notified when the embedded index detects damage at runtime.
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

// Open opens parts in order. If one fails, it closes the process and returns
// the error, which names the setting.
func (p *Process) Open(ctx context.Context, parts ...Part) error {
	for _, open := range parts {
		if err := open(ctx, p); err != nil {
			return errors.Join(err, p.Close())
		}
	}
	return nil
}

// OnClose registers f to be called by Close, before functions registered earlier.
func (p *Process) OnClose(f func() error) { p.closers = append(p.closers, f) }

// Close releases the parts in reverse order.
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

// Of prefixes an error with the setting that caused it, unless it is there already.
func Of(setting string, err error) error {
	if err == nil || strings.HasPrefix(err.Error(), setting) {
		return err
	}
	return fmt.Errorf("%s: %w", setting, err)
}

// accepted lists the URLs that a setting takes.
var accepted = map[string]string{
	"LECTERN_OBJECTS":   "disk:, disk:directory and s3://bucket/prefix",
	"LECTERN_RECORDS":   "bolt:, bolt:file and dynamodb://table",
	"LECTERN_INDEX":     "local:, local:directory and opensearch+https://host",
	"LECTERN_TASKS":     "local: and aws:?chat=https://queue&default=https://queue",
	"LECTERN_EMBEDDING": "minilm:, hash:, static:directory, openai+http://host/v1?model=name and bedrock:model",
	"LECTERN_RERANK":    "openai+http://host/v1?model=name and bedrock:model",
	chatSetting:         "extractive:, openai+http://host/v1?model=name, anthropic+https://host?model=name and bedrock:model",
}

// UnknownDriver is the error for a URL whose scheme no driver supports.
func UnknownDriver(setting, url string) error {
	scheme, _, _ := strings.Cut(url, ":")
	return fmt.Errorf("%s: there is no driver %q; accepted are %s", setting, scheme, accepted[setting])
}
