// Package function is what every function's main begins with: its settings,
// the drivers and use cases that it asks for, each made once, and the service's
// manner around a group of endpoints. A main names what it needs and the linker
// drops the rest; the single process of the local service has its own wiring.
//
// What cannot be made ends the process with a line in the log: a function that
// is set up wrongly must not take requests.
package function

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"time"

	"lectern/shared/app"
	"lectern/shared/artifact"
	"lectern/shared/asyncartifact"
	"lectern/shared/asyncchat"
	"lectern/shared/callback"
	"lectern/shared/chat"
	"lectern/shared/config"
	"lectern/shared/embedding"
	"lectern/shared/fetch"
	"lectern/shared/file"
	"lectern/shared/ident"
	"lectern/shared/index"
	"lectern/shared/invoke"
	"lectern/shared/lambdahttp"
	"lectern/shared/model"
	"lectern/shared/object"
	"lectern/shared/reader"
	"lectern/shared/reader/invokereader"
	"lectern/shared/record"
	"lectern/shared/rest"
	"lectern/shared/rest/idempotency"
	"lectern/shared/retrieval"
	"lectern/shared/skill"
	"lectern/shared/task"
	"lectern/shared/tool"
	"lectern/shared/tool/invokeservers"
	"lectern/shared/tool/invoketool"
	"lectern/shared/tool/semanticsearch"
	skillstool "lectern/shared/tool/skills"
	"lectern/shared/tool/websearch"
)

// Function is one function's process. Its methods are for main alone, before
// the first request; they are not safe for concurrent use.
type Function struct {
	Context context.Context
	Config  *config.Config
	Log     *slog.Logger
	IDs     ident.Source
	Now     func() time.Time
	// Revisits says that this process looks once whether the index shows what
	// it has written, and goes on with an ingest later where it does not: time
	// that a function waits is billed. To be set before anything is asked for.
	Revisits bool

	objects   object.Store
	records   record.Store
	embedder  embedding.Embedder
	index     index.Store
	catalog   *model.Catalog
	files     *file.Service
	skills    *skill.Service
	fetcher   *fetch.Client
	artifacts *artifact.Service
	engine    *chat.Engine
	queue     task.Queue
}

// Start reads the settings, secrets by reference included.
func Start() *Function {
	f := &Function{Context: context.Background(), IDs: ident.Random{Now: time.Now}, Now: time.Now, Log: slog.New(slog.NewJSONHandler(os.Stderr, nil))}
	getenv := Must(app.Secrets(f.Context, os.Getenv))
	f.Config = Must(config.Load(getenv))
	f.Log = Must(app.Log(f.Config))
	return f
}

// Given are drivers in place of those that the settings name.
type Given struct {
	Objects object.Store
	Records record.Store
	Index   index.Store
	Models  *model.Catalog
	Queue   task.Queue
}

// New is a function with given drivers, for a process that runs functions as
// the cloud would and counts what they do.
func New(c *config.Config, log *slog.Logger, g Given) *Function {
	return &Function{
		Context: context.Background(), Config: c, Log: log, IDs: ident.Random{Now: time.Now}, Now: time.Now,
		objects: g.Objects, records: g.Records, index: g.Index, catalog: g.Models, queue: g.Queue,
	}
}

// Must returns v, or ends the process.
func Must[T any](v T, err error) T {
	if err != nil {
		slog.New(slog.NewJSONHandler(os.Stderr, nil)).Error("the function cannot start", "error", err)
		os.Exit(1)
	}
	return v
}

// made returns what *kept holds, which make makes the first time.
func made[T comparable](kept *T, make func() (T, error)) T {
	var none T
	if *kept == none {
		*kept = Must(make())
	}
	return *kept
}

// Objects is the object store.
func (f *Function) Objects() object.Store {
	return made(&f.objects, func() (object.Store, error) { return app.Objects(f.Context, f.Config, nil) })
}

// Records is the record store.
func (f *Function) Records() record.Store {
	return made(&f.records, func() (record.Store, error) { return app.Records(f.Context, f.Config, f.Now) })
}

// Embedder is the embedder.
func (f *Function) Embedder() embedding.Embedder {
	return made(&f.embedder, func() (embedding.Embedder, error) { return app.Embedding(f.Context, f.Config) })
}

// Index is the search index.
func (f *Function) Index() index.Store {
	return made(&f.index, func() (index.Store, error) { return app.Index(f.Config, f.Embedder(), f.Revisits, f.Log) })
}

// Models is the catalog of models.
func (f *Function) Models() *model.Catalog {
	return made(&f.catalog, func() (*model.Catalog, error) { return app.Models(f.Context, f.Config, f.Embedder()) })
}

// Files is the use case of files.
func (f *Function) Files() *file.Service {
	if f.files == nil {
		f.files = &file.Service{Objects: f.Objects(), Records: f.Records(), Namespaces: f.Config.Files, Root: app.ObjectsAddress(f.Config), IDs: f.IDs, Now: f.Now}
	}
	return f.files
}

// Skills is the use case of skills.
func (f *Function) Skills() *skill.Service {
	if f.skills == nil {
		f.skills = &skill.Service{Objects: f.Objects(), Records: f.Records(), IDs: f.IDs, Now: f.Now}
	}
	return f.skills
}

// Fetcher fetches what URIs name, uploads of this deployment included.
func (f *Function) Fetcher() *fetch.Client {
	if f.fetcher == nil {
		f.fetcher = fetch.New(f.Config.AllowHosts)
		f.fetcher.Own = map[string]func(context.Context, *url.URL) (*fetch.File, error){file.Scheme: f.Files().Fetch}
	}
	return f.fetcher
}

// Artifacts is the use case of ingested documents. readers may be nil where
// nothing is read.
func (f *Function) Artifacts(readers *reader.Set) *artifact.Service {
	if f.artifacts == nil {
		f.artifacts = &artifact.Service{
			Objects: f.Objects(), Records: f.Records(), Index: f.Index(), Embedder: f.Embedder(), Vectors: app.VectorWeight(f.Config) > 0, Readers: readers,
			Fetch: f.Fetcher(), IDs: f.IDs, Now: f.Now, Log: f.Log,
		}
	}
	return f.artifacts
}

// Searcher searches ingested documents.
func (f *Function) Searcher() *retrieval.Searcher {
	return &retrieval.Searcher{
		Artifacts: f.Artifacts(nil), Index: f.Index(), Embedder: f.Embedder(), VectorWeight: app.VectorWeight(f.Config), Reranker: Must(app.Reranker(f.Config)), Log: f.Log,
	}
}

// remoteTools are run by the function of tools.
var remoteTools = []string{"database_query_v1", "tabular_analysis_v1", "web_fetch_v1", "web_search_v1"}

// Engine answers conversations. Documents are read, and tools that need much
// are run, by other functions.
func (f *Function) Engine() *chat.Engine {
	if f.engine == nil {
		tools := []tool.Tool{
			&semanticsearch.Tool{Searcher: f.Searcher(), Artifacts: f.Artifacts(nil), Reader: f.Reader(), Scratch: app.Scratch}, &skillstool.Tool{Skills: f.Skills()},
		}
		for _, kind := range remoteTools {
			if kind == websearch.Type && f.Config.SearchWeb == "" {
				continue
			}
			tools = append(tools, &invoketool.Tool{Kind: kind, Caller: f.caller(f.Config.ToolFunction), Log: f.Log})
		}
		f.engine = &chat.Engine{Models: f.Models(), Servers: &invokeservers.Servers{Caller: f.caller(f.Config.ToolFunction), Fetch: f.Fetcher()}, Reader: f.Reader(), Files: f.Files(), IDs: f.IDs, Now: f.Now, Log: f.Log, Tools: tool.NewSet(tools...)}
	}
	return f.engine
}

// Reader reads documents in the function that carries the readers.
func (f *Function) Reader() *invokereader.Reader {
	return &invokereader.Reader{Caller: f.caller(f.Config.ReadFunction)}
}

// caller asks another function of the deployment.
func (f *Function) caller(name string) *invoke.Caller {
	return &invoke.Caller{Config: Must(app.Cloud(f.Context)), Function: name, Objects: f.Objects(), Sealer: Must(app.Sealer(f.Config)), IDs: f.IDs}
}

// Answer returns what answers the questions of other functions.
func (f *Function) Answer(operations ...map[string]invoke.Operation) func(context.Context, json.RawMessage) (any, error) {
	all := map[string]invoke.Operation{}
	for _, list := range operations {
		maps.Copy(all, list)
	}
	server := &invoke.Server{Operations: all, Objects: f.Objects(), Sealer: Must(app.Sealer(f.Config)), IDs: f.IDs, Report: func(ctx context.Context, operation string, err error) {
		f.Log.WarnContext(ctx, "an operation was refused", "operation", operation, "error", err)
	}}
	return server.Handle
}

// Queue takes jobs for the workers.
func (f *Function) Queue() task.Queue {
	if f.queue == nil {
		queue, _, err := app.Tasks(f.Context, f.Config, f.Records(), nil, app.TaskOptions{IDs: f.IDs, Now: f.Now, Log: f.Log})
		f.queue = Must(queue, err)
	}
	return f.queue
}

// Chats keeps async messages. Without an engine it watches and ends them only.
func (f *Function) Chats(engine *chat.Engine) *asyncchat.Service {
	return &asyncchat.Service{
		Engine: engine, Records: f.Records(), Objects: f.Objects(), Streams: app.Streams(f.Config, f.Records()), Queue: f.Queue(), Sealer: Must(app.Sealer(f.Config)),
		IDs: f.IDs, Now: f.Now, Log: f.Log, ErrorData: rest.EventDataFor, Options: app.AsyncOptions(f.Config, f.IDs.Fresh("")),
	}
}

// Callbacks tells others what has happened.
func (f *Function) Callbacks() *callback.Service {
	return &callback.Service{
		Bus: Must(app.Bus(f.Context, f.Config)), Records: f.Records(), Queue: f.Queue(), Sealer: Must(app.Sealer(f.Config)), Fetch: f.Fetcher(),
		Secret: Must(app.WebhookSecret(f.Config)), IDs: f.IDs, Now: f.Now, Log: f.Log,
	}
}

// Tasks keeps ingests and deletions that go on after their request.
func (f *Function) Tasks(artifacts *artifact.Service) *asyncartifact.Service {
	return &asyncartifact.Service{
		Artifacts: artifacts, Callbacks: f.Callbacks(), Records: f.Records(), Objects: f.Objects(), Queue: f.Queue(), Sealer: Must(app.Sealer(f.Config)),
		IDs: f.IDs, Now: f.Now, Log: f.Log, Options: asyncartifact.Options{Owner: f.IDs.Fresh(""), Revisit: f.Revisits},
	}
}

// Keep makes the routes that create something safe to repeat.
func (f *Function) Keep(routes []rest.Route) []rest.Route {
	keeper := &idempotency.Keeper{Records: f.Records(), IDs: f.IDs, Now: f.Now, Log: f.Log, Owner: f.IDs.Fresh("")}
	return keeper.Routes(routes)
}

// Serve answers REST API events with the routes until the process is stopped.
// Events that are none of these go to other, where it is not nil.
func (f *Function) Serve(routes []rest.Route, other func(ctx context.Context, event json.RawMessage) (any, error)) {
	f.ServeHandler(rest.Mux(routes), other)
}

// ServeHandler is Serve for a handler.
func (f *Function) ServeHandler(h http.Handler, other func(ctx context.Context, event json.RawMessage) (any, error)) {
	lambdahttp.Start(f.Wrap(h), lambdahttp.Options{BasePath: f.Config.BasePath, Buffered: f.Config.Buffered, Other: other})
}

// Wrap puts the service's manner around a handler.
func (f *Function) Wrap(h http.Handler) http.Handler {
	return rest.Wrap(h, rest.Options{
		Keys: f.Config.Keys, IDs: f.IDs, Log: f.Log, Origin: f.Config.Origin, BodyLimit: f.Config.BodyLimit, Open: []string{"/health"}, Now: f.Now,
	})
}
