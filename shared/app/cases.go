package app

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/api/rest/idempotency"
	"lectern/shared/app/config"
	"lectern/shared/chat"
	"lectern/shared/chat/async"
	"lectern/shared/chat/batch"
	"lectern/shared/chat/skill"
	"lectern/shared/chat/stream"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/semanticsearch"
	"lectern/shared/chat/tool/skills"
	"lectern/shared/chat/tool/toolsearch"
	"lectern/shared/fault"
	"lectern/shared/fault/budget"
	"lectern/shared/file"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/storage/object"
	"lectern/shared/storage/sweep"
	"lectern/shared/storage/task"
	"lectern/shared/web/callback"
	"lectern/shared/web/fetch"
)

// NewFiles builds the use case of session files. It needs Objects and Records.
func NewFiles(p *Process) *file.Service {
	return &file.Service{Objects: p.Objects, Records: p.Records, Namespaces: p.Config.Files, Root: objectsAddress(p.Config), IDs: p.IDs,
		Now: p.Now, Guard: guard(p)}
}

// objectsAddress returns the URL prefix of objects as clients see it, without
// the slash before the key.
func objectsAddress(c *config.Config) string {
	if c.Objects == "disk:" {
		return "disk:objects"
	}
	return strings.TrimSuffix(c.Objects, "/")
}

// NewSkills builds the use case of skills. It needs Objects and Records.
func NewSkills(p *Process) *skill.Service {
	return &skill.Service{Objects: p.Objects, Records: p.Records, IDs: p.IDs, Now: p.Now, Guard: guard(p)}
}

// Library holds the use cases of documents, which share one client for fetching.
type Library struct {
	Files     *file.Service
	Fetch     *fetch.Client
	Artifacts *artifact.Service
	Searcher  *retrieval.Searcher
}

// NewLibrary builds a library. It needs Objects, Records, Embedder and Index
// and, to parse documents, Readers.
func NewLibrary(p *Process) *Library {
	l := &Library{Files: NewFiles(p), Fetch: fetch.New(p.Config.AllowHosts)}
	l.Fetch.Budget = p.Budget
	l.Fetch.Own = map[string]func(context.Context, *url.URL) (*fetch.File, error){file.Scheme: l.Files.Fetch}
	weight := Profile(p).Weight
	l.Artifacts = &artifact.Service{
		Objects: p.Objects, Records: p.Records, Index: p.Index, Embedder: p.Embedder, Vectors: weight > 0 && !p.FillsIndex, Readers: p.Readers,
		Fetch: l.Fetch, IDs: p.IDs, Now: p.Now, Log: p.Log, Budget: p.Budget, Reading: p.Reading, Slots: p.Slots, Guard: guard(p),
		NoOriginals: p.Config.NoOriginals, KeepsSizes: p.Alone,
	}
	l.Searcher = &retrieval.Searcher{Artifacts: l.Artifacts, Index: p.Index, Embedder: p.Embedder, VectorWeight: weight, Reranker: p.Judge,
		Log: p.Log}
	return l
}

// NewEngine builds the chat engine. reader parses documents in requests,
// servers connects to MCP servers, and further are additional tools besides
// those that every chat process runs itself. It needs Models and the parts of
// the library.
func NewEngine(p *Process, l *Library, reader chat.Reader, servers tool.Servers, further ...tool.Tool) *chat.Engine {
	here := []tool.Tool{
		&semanticsearch.Tool{Searcher: l.Searcher, Artifacts: l.Artifacts, Reader: reader, Scratch: searchOnce},
		&skills.Tool{Skills: NewSkills(p)}, toolsearch.New(toolsearch.Regex), toolsearch.New(toolsearch.Words),
	}
	return &chat.Engine{
		Models: p.Models, Servers: servers, Reader: reader, Files: l.Files, Web: guardedWeb{l.Fetch}, Stored: l.Artifacts,
		IDs: p.IDs, Now: p.Now, Log: p.Log, Meter: NewMeter(p), Observe: p.Chatted,
		Tools: tool.NewSet(append(here, further...)...),
	}
}

// cloudPack is the batching delay of async events in a deployment of several
// processes, where each pack costs a request to the record store.
const cloudPack = 300 * time.Millisecond

// guardedWeb implements chat.Web with the guarded client.
type guardedWeb struct{ client *fetch.Client }

func (w guardedWeb) CheckURL(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return fault.Field("unreachable_uri", "the URL cannot be parsed")
	}
	err = w.client.CheckAddress(ctx, u)
	if fault.Is(err, fault.Invalid) {
		return fault.Field("unreachable_uri", fault.As(err).Msg)
	}
	return err
}

func (w guardedWeb) FetchURL(ctx context.Context, address string) ([]byte, string, error) {
	file, err := w.client.Get(ctx, address)
	if err != nil {
		return nil, "", err
	}
	return file.Data, file.ContentType, nil
}

// NewChats builds the use case of async messages. Build only one per process,
// because it tracks the messages in progress. Without an engine it can follow
// and end messages, but not answer them. It needs Objects, Records, Queue and
// Sealer.
func NewChats(p *Process, engine *chat.Engine) *async.Service {
	options := async.Options{Owner: p.Owner, Alone: p.Alone}
	if !p.Alone {
		options.Pack = cloudPack
	}
	return &async.Service{
		Engine: engine, Records: p.Records, Objects: p.Objects, Streams: stream.NewStore(p.Records, p.Alone), Queue: p.Queue, Sealer: p.Sealer,
		IDs: p.IDs, Now: p.Now, Log: p.Log, ErrorData: rest.EventDataFor, Options: options,
		Recent: Recent(p, RecentMessages),
	}
}

// NewBatches builds the use case of batches. Without an engine it can only sweep. It
// needs Objects, Records, Queue and Sealer.
func NewBatches(p *Process, engine *chat.Engine, l *Library) *batch.Service {
	s := &batch.Service{Engine: engine, Records: p.Records, Objects: p.Objects, Queue: p.Queue, Sealer: p.Sealer, IDs: p.IDs, Now: p.Now,
		Log: p.Log, ErrorData: rest.EventDataFor, Kept: time.Duration(p.Config.BatchDays) * 24 * time.Hour}
	if l != nil {
		s.Fetch = func(ctx context.Context, uri string, loc ...any) ([]byte, error) {
			file, err := l.Fetch.Get(ctx, uri, loc...)
			if err != nil {
				return nil, err
			}
			return file.Data, nil
		}
	}
	return s
}

// NewTasks builds the use case of asynchronous ingests and deletions. It needs
// the parts of the library, Queue, Sealer and WebhookSecret.
func NewTasks(p *Process, l *Library) *tasks.Service {
	callbacks := &callback.Service{
		Bus: p.Bus, Records: p.Records, Queue: p.Queue, Sealer: p.Sealer, Fetch: l.Fetch, Secret: p.WebhookSecret, IDs: p.IDs, Now: p.Now,
		Log: p.Log,
	}
	s := &tasks.Service{
		Artifacts: l.Artifacts, Callbacks: callbacks, Records: p.Records, Objects: p.Objects, Queue: p.Queue, Sealer: p.Sealer,
		IDs: p.IDs, Now: p.Now, Log: p.Log, Options: tasks.Options{Owner: p.Owner, Alone: p.Alone, Revisit: p.LooksOnce},
		Recent: Recent(p, RecentTasks),
	}
	if !p.Alone {
		l.Artifacts.Later = s.Later
	}
	return s
}

// TaskJobs returns the handlers of all jobs except chats.
func TaskJobs(s *tasks.Service) task.Table {
	h := s.Handler()
	return task.Table{tasks.IngestKind: h, tasks.StagedKind: h, tasks.DeleteKind: h, tasks.FreeKind: s.FreeHandler(),
		callback.Kind: s.Callbacks.Handler()}
}

// Claimed makes what a job fetches and unpacks count in the budget of memory until the
// job is over, as a request's does until its answer.
func (p *Process) Claimed(table task.Table) task.Table {
	claimed := task.Table{}
	for kind, h := range table {
		claimed[kind] = claimedHandler{h, p.Budget}
	}
	return claimed
}

type claimedHandler struct {
	task.Handler
	budget *budget.Budget
}

func (h claimedHandler) Run(ctx context.Context, d task.Delivery) error {
	claim := h.budget.Claim()
	defer claim.Release()
	return h.Handler.Run(budget.With(ctx, claim), d)
}

// Sweeper returns a function that cleans up after processes that died. What it
// removes was already invisible. Set idle when nobody else writes. If other
// processes use the same stores, it first checks that the stores belong
// together; the index is checked only when it is used, so that an idle one stays
// asleep. A process that is alone checks once, at its start. Where the context has a
// deadline, each part stops within its share of the time, and the next sweep goes on.
func Sweeper(p *Process, l *Library, chats *async.Service, tasks *tasks.Service) func(ctx context.Context, idle bool) error {
	skills := NewSkills(p)
	if !p.Alone {
		l.Artifacts.IndexBelongs = Stores(p, l, true).Check
	}
	return func(ctx context.Context, idle bool) error {
		stores := Stores(p, l, false)
		if !p.Alone {
			if err := stores.Check(ctx); err != nil {
				return err
			}
		}
		adopted, err := stores.Adopted(ctx)
		if err != nil {
			return err
		}
		var errs []error
		for _, part := range []struct {
			guard *sweep.Guard
			sweep func(context.Context, bool) error
			share float64 // of the time that is left
		}{{&l.Artifacts.Guard, l.Artifacts.Sweep, .5}, {&l.Files.Guard, l.Files.Sweep, .4}, {&skills.Guard, skills.Sweep, .3}} {
			part.guard.Adopted, part.guard.Until = adopted, sweepUntil(ctx, part.share)
			errs = append(errs, part.sweep(ctx, idle))
		}
		errs = append(errs, chats.Sweep(ctx), tasks.Sweep(ctx), NewBatches(p, nil, nil).Sweep(ctx))
		return errors.Join(errs...)
	}
}

// sweepUntil returns when a part of a sweep has to stop that gets a share of the time
// left before the context's deadline; zero without one.
func sweepUntil(ctx context.Context, share float64) time.Time {
	left, limited := object.TimeLeft(ctx)
	if !limited {
		return time.Time{}
	}
	return time.Now().Add(time.Duration(share * float64(left)))
}

// Keep makes creating routes idempotent by the header Idempotency-Key. It needs
// Records.
func Keep(p *Process, routes []rest.Route) []rest.Route {
	keeper := &idempotency.Keeper{Records: p.Records, IDs: p.IDs, Now: p.Now, Log: p.Log, Owner: p.Owner, Alone: p.Alone}
	return keeper.Routes(routes)
}

// PageOrigins returns the origins whose pages may call the MCP endpoint. "*"
// counts only if keys are required: without keys any page could read the
// documents by DNS rebinding.
func PageOrigins(c *config.Config) []string {
	if c.Origin == "" || c.Origin == "*" && c.Keys == nil {
		return nil
	}
	return []string{c.Origin}
}
