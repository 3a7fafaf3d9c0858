package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"lectern/functions"
	"lectern/functions/artifacts"
	"lectern/functions/embeddings"
	"lectern/functions/messages"
	"lectern/functions/models"
	"lectern/functions/primitives"
	"lectern/functions/system"
	"lectern/functions/tools"
	"lectern/shared/app"
	"lectern/shared/artifact"
	"lectern/shared/chat"
	"lectern/shared/config"
	"lectern/shared/fault"
	"lectern/shared/fetch"
	"lectern/shared/ident"
	"lectern/shared/reader"
	"lectern/shared/record"
	"lectern/shared/rest"
	"lectern/shared/retrieval"
	"lectern/shared/tool"
	"lectern/shared/tool/semanticsearch"
)

// service is everything that runs.
type service struct {
	handler   http.Handler
	artifacts *artifact.Service
	ids       ident.Source
	closers   []func() error
}

func (s *service) close(log *slog.Logger) {
	for i := len(s.closers) - 1; i >= 0; i-- {
		if err := s.closers[i](); err != nil {
			log.Error("close failed", "error", err)
		}
	}
}

// build opens the drivers and puts the groups together.
func build(ctx context.Context, cfg *config.Config, log *slog.Logger) (s *service, err error) {
	s = &service{ids: ident.Random{Now: time.Now}}
	defer func() {
		if err != nil {
			s.close(log)
		}
	}()
	objects, err := app.Objects(cfg)
	if err != nil {
		return s, fmt.Errorf("LECTERN_OBJECTS: %w", err)
	}
	s.closers = append(s.closers, objects.Close)
	records, err := app.Records(cfg)
	if err != nil {
		return s, fmt.Errorf("LECTERN_RECORDS: %w", err)
	}
	s.closers = append(s.closers, records.Close)
	embedder, err := app.Embedding(ctx, cfg)
	if err != nil {
		return s, fmt.Errorf("LECTERN_EMBEDDING: %w", err)
	}
	index, err := app.Index(cfg, embedder, log)
	if err != nil {
		return s, fmt.Errorf("LECTERN_INDEX: %w", err)
	}
	s.closers = append(s.closers, index.Close)
	catalog, err := app.Models(cfg, embedder)
	if err != nil {
		return s, err
	}
	readers := reader.Builtin(reader.Options{CompileCache: filepath.Join(cfg.Data, "cache")})
	s.closers = append(s.closers, readers.Close)
	s.artifacts = &artifact.Service{
		Objects: objects, Records: records, Index: index, Embedder: embedder, Vectors: true, Readers: readers,
		Fetch: fetch.New(cfg.AllowHosts), IDs: s.ids, Now: time.Now, Log: log,
	}
	searcher := &retrieval.Searcher{Artifacts: s.artifacts, Index: index, Embedder: embedder, VectorWeight: app.VectorWeight(cfg)}
	engine := &chat.Engine{
		Models: catalog, Reader: s.artifacts, IDs: s.ids, Now: time.Now, Log: log,
		Tools: tool.NewSet(&semanticsearch.Tool{Searcher: searcher, Artifacts: s.artifacts, Scratch: app.Scratch}),
	}
	s.handler, err = handler(groups{
		messages: messages.Deps{Engine: engine, Tokens: app.Tokens()}, models: models.Deps{Models: catalog}, embeddings: embeddings.Deps{Embedder: embedder},
		artifacts: artifacts.Deps{Artifacts: s.artifacts}, primitives: primitives.Deps{Searcher: searcher}, tools: tools.Deps{Searcher: searcher},
		checks: map[string]func(context.Context) error{
			"records": func(ctx context.Context) error {
				_, err := records.Find(ctx, record.Key{Partition: "ready", Sort: "ready"})
				return unlessMissing(err)
			},
			"objects": func(ctx context.Context) error {
				_, err := objects.Head(ctx, "ready")
				return unlessMissing(err)
			},
			"index": func(ctx context.Context) error {
				_, err := index.Around(ctx, "ready", "ready", "ready", 0, 0, 0)
				return err
			},
		},
	})
	return s, err
}

func unlessMissing(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// groups are the dependencies of every group.
type groups struct {
	messages   messages.Deps
	models     models.Deps
	embeddings embeddings.Deps
	artifacts  artifacts.Deps
	primitives primitives.Deps
	tools      tools.Deps
	checks     map[string]func(context.Context) error
}

// handler sends each path to its group.
func handler(g groups) (http.Handler, error) {
	var routes []rest.Route
	handlers := map[string]http.Handler{}
	add := func(name string, list []rest.Route) {
		routes = append(routes, list...)
		handlers[name] = rest.Mux(list)
	}
	add("messages", g.messages.Routes())
	add("models", g.models.Routes())
	add("embeddings", g.embeddings.Routes())
	add("artifacts", g.artifacts.Routes())
	add("primitives", g.primitives.Routes())
	add("tools", g.tools.Routes())
	var err error
	if handlers["system"], err = system.New(system.Deps{Checks: g.checks, Routes: routes}); err != nil {
		return nil, err
	}
	table := functions.Groups()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, group := range table {
			for _, prefix := range group.Prefixes {
				if r.URL.Path == prefix || strings.HasPrefix(r.URL.Path, strings.TrimSuffix(prefix, "/")+"/") {
					handlers[group.Name].ServeHTTP(w, r)
					return
				}
			}
		}
	}), nil
}
