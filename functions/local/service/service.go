// Package service puts every group of the service together in one process: the
// local service and the tests of whole requests run it.
package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
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
	"lectern/shared/app"
	"lectern/shared/artifact"
	"lectern/shared/chat"
	"lectern/shared/config"
	"lectern/shared/database/inquiry"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/fetch"
	"lectern/shared/file"
	"lectern/shared/ident"
	"lectern/shared/o200k"
	"lectern/shared/object/signedurl"
	"lectern/shared/reader/formats"
	"lectern/shared/reader/pdf"
	"lectern/shared/rest"
	"lectern/shared/rest/idempotency"
	"lectern/shared/retrieval"
	"lectern/shared/skill"
	"lectern/shared/tool"
	"lectern/shared/tool/databasequery"
	"lectern/shared/tool/mcpclient"
	"lectern/shared/tool/semanticsearch"
	skillstool "lectern/shared/tool/skills"
	"lectern/shared/tool/tabularanalysis"
	"lectern/shared/tool/webfetch"
	"lectern/shared/tool/websearch"
)

// Service is everything that runs.
type Service struct {
	Handler   http.Handler
	Artifacts *artifact.Service
	Files     *file.Service
	Skills    *skill.Service
	log       *slog.Logger
	behind    later
	start     func() // begins to work on tasks
	closers   []func() error
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
	for _, c := range slices.Backward(s.closers) {
		if err := c(); err != nil {
			s.log.Error("close failed", "error", err)
		}
	}
}

// Open opens the drivers, puts the groups together, and tidies up what a
// process that died here has left.
func Open(ctx context.Context, cfg *config.Config, o Options) (*Service, error) {
	s := &Service{log: o.Log}
	err := s.build(ctx, cfg, o)
	if err == nil {
		err = s.Sweep(ctx, true)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	s.start()
	return s, nil
}

// Sweep frees what processes that died have left. idle says that nobody else
// writes.
func (s *Service) Sweep(ctx context.Context, idle bool) error {
	return errors.Join(s.Artifacts.Sweep(ctx, idle), s.Files.Sweep(ctx, idle), s.Skills.Sweep(ctx, idle), s.behind.chats.Sweep(ctx), s.behind.tasks.Sweep(ctx))
}

func (s *Service) build(ctx context.Context, cfg *config.Config, o Options) error {
	signing, err := app.SigningKey(cfg)
	if err != nil {
		return err
	}
	objects, err := app.Objects(ctx, cfg, signing.Signer(baseURL(cfg), o.Now))
	if err != nil {
		return fmt.Errorf("LECTERN_OBJECTS: %w", err)
	}
	s.closers = append(s.closers, objects.Close)
	records, err := app.Records(ctx, cfg, o.Now)
	if err != nil {
		return fmt.Errorf("LECTERN_RECORDS: %w", err)
	}
	s.closers = append(s.closers, records.Close)
	embedder, err := app.Embedding(ctx, cfg)
	if err != nil {
		return fmt.Errorf("LECTERN_EMBEDDING: %w", err)
	}
	index, err := app.Index(cfg, embedder, false, o.Log)
	if err != nil {
		return fmt.Errorf("LECTERN_INDEX: %w", err)
	}
	s.closers = append(s.closers, index.Close)
	if err := app.Prepare(ctx, index); err != nil {
		return fmt.Errorf("LECTERN_INDEX: %w", err)
	}
	catalog, err := app.Models(ctx, cfg, embedder)
	if err != nil {
		return err
	}
	if o.Cache == "" {
		o.Cache = filepath.Join(cfg.Data, "cache")
	}
	readers := formats.Builtin(formats.Options{PDF: pdf.NewEngine(o.Cache), Path: cfg.Path, Transcribe: app.Transcriber(catalog)})
	s.closers = append(s.closers, readers.Close)
	s.Files = &file.Service{Objects: objects, Records: records, Namespaces: cfg.Files, Root: app.ObjectsAddress(cfg), IDs: o.IDs, Now: o.Now}
	s.Skills = &skill.Service{Objects: objects, Records: records, IDs: o.IDs, Now: o.Now}
	fetcher := fetch.New(cfg.AllowHosts)
	fetcher.Own = map[string]func(context.Context, *url.URL) (*fetch.File, error){file.Scheme: s.Files.Fetch}
	s.Artifacts = &artifact.Service{
		Objects: objects, Records: records, Index: index, Embedder: embedder, Vectors: app.VectorWeight(cfg) > 0, Readers: readers,
		Fetch: fetcher, IDs: o.IDs, Now: o.Now, Log: o.Log,
	}
	reranker, err := app.Reranker(cfg)
	if err != nil {
		return err
	}
	searcher := &retrieval.Searcher{
		Artifacts: s.Artifacts, Index: index, Embedder: embedder, VectorWeight: app.VectorWeight(cfg), Reranker: reranker, Log: o.Log,
	}
	ask, open := &inquiry.Service{Ask: app.SQLWriter(catalog)}, sqldrivers.Opener(fetcher.Dial, sqldrivers.Options{})
	databases := &databasequery.Tool{Open: open, Inquiry: ask, Files: s.Files}
	tables := &tabularanalysis.Tool{Open: open, Inquiry: ask, Artifacts: s.Artifacts, Reader: s.Artifacts, Files: s.Files}
	search, pages, err := s.web(cfg, fetcher, o)
	if err != nil {
		return err
	}
	set := tool.NewSet(&semanticsearch.Tool{Searcher: searcher, Artifacts: s.Artifacts, Reader: s.Artifacts, Scratch: app.Scratch}, &skillstool.Tool{Skills: s.Skills}, databases, tables, pages)
	if search != nil {
		set[search.Type()] = search
	}
	engine := &chat.Engine{
		Models: catalog, Servers: &mcpclient.Client{Fetch: fetcher}, Reader: s.Artifacts, Files: s.Files, IDs: o.IDs, Now: o.Now, Log: o.Log,
		Tools: set,
	}
	s.behind, err = s.later(ctx, cfg, o, ports{objects: objects, records: records, fetch: fetcher, engine: engine})
	if err != nil {
		return err
	}
	s.Handler, err = handler(groups{
		keeper: s.behind.keeper, streams: streams.Deps{Chats: s.behind.chats}, messages: messages.Deps{Engine: engine, Async: s.behind.chats}, tokens: tokens.Deps{Engine: engine, Tokens: o200k.Counter()}, models: models.Deps{Models: catalog}, embeddings: embeddings.Deps{Embedder: embedder},
		artifacts: artifacts.Deps{Artifacts: s.Artifacts, Tasks: s.behind.tasks}, files: files.Deps{Files: s.Files, Key: signing, Now: o.Now}, skills: skills.Deps{Skills: s.Skills}, primitives: primitives.Deps{Searcher: searcher}, tools: tools.Deps{Searcher: searcher, Databases: databases, Tables: tables, Search: search, Fetch: pages},
		mcp:    mcp.Deps{Searcher: searcher, Artifacts: s.Artifacts, Origins: mcp.OriginsOf(cfg), Log: o.Log},
		checks: app.Checks(records, objects, index),
	})
	if err != nil {
		return err
	}
	s.Handler = rest.Wrap(s.Handler, rest.Options{
		Keys: cfg.Keys, IDs: o.IDs, Log: o.Log, Origin: cfg.Origin, BodyLimit: cfg.BodyLimit, Open: []string{"/health", signedurl.Prefix}, Now: o.Now,
	})
	return nil
}

// web makes the tools that look at the web; search is nil where no engine is
// set up.
func (s *Service) web(cfg *config.Config, fetcher *fetch.Client, o Options) (search *websearch.Tool, pages *webfetch.Tool, err error) {
	found, err := app.SearchWeb(cfg)
	if found != nil {
		search = &websearch.Tool{Engine: found}
	}
	return search, &webfetch.Tool{Fetch: fetcher, Reader: s.Artifacts, Now: o.Now, Robots: cfg.WebRobots}, err
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
	keeper     *idempotency.Keeper
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
func handler(g groups) (http.Handler, error) {
	var routes []rest.Route
	handlers := map[string]http.Handler{}
	add := func(name string, list []rest.Route) {
		list = g.keeper.Routes(list)
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
