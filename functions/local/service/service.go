// Package service puts every group of the service together in one process: the
// local service and the tests of whole requests run it.
package service

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"time"

	"lectern/functions"
	"lectern/functions/artifacts"
	"lectern/functions/embeddings"
	"lectern/functions/files"
	"lectern/functions/mcp"
	"lectern/functions/messages"
	"lectern/functions/models"
	"lectern/functions/primitives"
	"lectern/functions/skills"
	"lectern/functions/streams"
	"lectern/functions/system"
	"lectern/functions/tokens"
	"lectern/functions/tools"
	"lectern/shared/api/metrics"
	"lectern/shared/api/rest"
	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/app/process"
	"lectern/shared/app/process/reading"
	"lectern/shared/app/process/toolset"
	"lectern/shared/chat/async"
	"lectern/shared/chat/tool/mcpclient"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/file"
	"lectern/shared/ident"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/storage/object/signedurl"
	"lectern/shared/storage/task"
	"lectern/shared/text/o200k"
)

// Service is everything that runs.
type Service struct {
	Handler   http.Handler
	Artifacts *artifact.Service
	Files     *file.Service
	process   *process.Process
	sweep     func(ctx context.Context, idle bool) error
}

// Options are where ids and the time come from; tests pin both.
type Options struct {
	IDs ident.Source
	Now func() time.Time
	Log *slog.Logger
	// Cache is a directory for what can be made again, such as compiled code;
	// one below the data directory when empty.
	Cache string
}

// Close releases the drivers, in the order opposite to their opening.
func (s *Service) Close() {
	if err := s.process.Close(); err != nil {
		s.process.Log.Error("close failed", "error", err)
	}
}

// Open opens the drivers, puts the groups together, and tidies up what a
// process that died here has left.
func Open(ctx context.Context, cfg *config.Config, o Options) (*Service, error) {
	s := &Service{process: &process.Process{Context: ctx, Config: cfg, Log: o.Log, IDs: o.IDs, Now: o.Now, Jobs: task.Table{}}}
	err := s.build(ctx, s.process, o.Cache)
	if err == nil {
		err = s.Sweep(ctx, true)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	s.process.Begin()
	return s, nil
}

// Sweep frees what processes that died have left. idle says that nobody else
// writes.
func (s *Service) Sweep(ctx context.Context, idle bool) error { return s.sweep(ctx, idle) }

func (s *Service) build(ctx context.Context, p *process.Process, cache string) error {
	signing, err := app.SigningKey(p.Config)
	if err != nil {
		return err
	}
	p.Sign = signing.Signer(baseURL(p.Config), p.Now)
	objects, records, index := p.Objects(), p.Records(), p.Index()
	if err := p.Err(); err != nil {
		return err
	}
	if err := app.Prepare(ctx, index); err != nil {
		return fmt.Errorf("LECTERN_INDEX: %w", err)
	}
	reading.Open(p, cache)
	s.Files, s.Artifacts = p.Files(), p.Artifacts()
	own := toolset.Open(p, s.Artifacts, sqldrivers.Opener(p.Fetcher().Dial, sqldrivers.Options{}))
	engine, searcher := p.Engine(s.Artifacts, &mcpclient.Client{Fetch: p.Fetcher()}, own.List()...), p.Searcher()
	chats, tasks := p.Chats(engine), p.Tasks()
	p.Jobs[async.Kind] = chats.Handler()
	maps.Copy(p.Jobs, p.TaskJobs(tasks))
	s.sweep = p.Sweeper(chats, tasks)
	if err := p.Err(); err != nil {
		return err
	}
	h, err := handler(p, groups{
		streams: streams.Deps{Chats: chats}, messages: messages.Deps{Engine: engine, Async: chats}, tokens: tokens.Deps{Engine: engine, Tokens: o200k.Counter()}, models: models.Deps{Models: p.Models()}, embeddings: embeddings.Deps{Embedder: p.Embedder()},
		artifacts: artifacts.Deps{Artifacts: s.Artifacts, Tasks: tasks}, files: files.Deps{Files: s.Files, Key: signing, Now: p.Now}, skills: skills.Deps{Skills: p.Skills()}, primitives: primitives.Deps{Searcher: searcher}, tools: tools.Deps{Searcher: searcher, Databases: own.Databases, Tables: own.Tables, Search: own.Search, Fetch: own.Pages},
		mcp:    mcp.Deps{Searcher: searcher, Artifacts: s.Artifacts, Origins: mcp.OriginsOf(p.Config), Log: p.Log},
		checks: app.Checks(records, objects, index),
	})
	if err != nil {
		return err
	}
	table, requests := functions.Groups(), new(metrics.Requests)
	counts := rest.Mux([]rest.Route{{Pattern: "GET /metrics", Handle: requests.Write}})
	p.Observe = func(path string, status int, took time.Duration) {
		requests.Observe(functions.Of(table, path).Name, status, took)
	}
	s.Handler = p.Wrap(orElse("/metrics", counts, h), signedurl.Prefix)
	return nil
}

// orElse sends a path to one handler and all others to another.
func orElse(path string, one, other http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			one.ServeHTTP(w, r)
			return
		}
		other.ServeHTTP(w, r)
	})
}

// baseURL is where clients reach the service: as the request at hand says, or
// outside of one as it listens.
func baseURL(cfg *config.Config) func(context.Context) string {
	return func(ctx context.Context) string {
		if base := rest.BaseURL(ctx); base != "" {
			return base
		}
		return "http://" + cfg.Addr
	}
}

// groups are the dependencies of every group.
type groups struct {
	streams    streams.Deps
	messages   messages.Deps
	tokens     tokens.Deps
	models     models.Deps
	embeddings embeddings.Deps
	artifacts  artifacts.Deps
	files      files.Deps
	skills     skills.Deps
	primitives primitives.Deps
	tools      tools.Deps
	mcp        mcp.Deps
	checks     map[string]func(context.Context) error
}

// handler sends each path to its group.
func handler(p *process.Process, g groups) (http.Handler, error) {
	var routes []rest.Route
	handlers := map[string]http.Handler{}
	add := func(name string, list []rest.Route) {
		list = p.Keep(list)
		routes = append(routes, list...)
		handlers[name] = rest.Mux(list)
	}
	add("streams", g.streams.Routes())
	add("messages", g.messages.Routes())
	add("tokens", g.tokens.Routes())
	add("models", g.models.Routes())
	add("embeddings", g.embeddings.Routes())
	add("artifacts", g.artifacts.Routes())
	add("files", g.files.Routes())
	add("skills", g.skills.Routes())
	add("primitives", g.primitives.Routes())
	add("tools", g.tools.Routes())
	add("mcp", g.mcp.Routes())
	var err error
	if handlers["system"], err = system.New(system.Deps{Checks: g.checks, Routes: routes}); err != nil {
		return nil, err
	}
	table := functions.Groups()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handlers[functions.Of(table, r.URL.Path).Name].ServeHTTP(w, r)
	}), nil
}
