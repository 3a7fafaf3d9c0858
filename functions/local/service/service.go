// Package service runs every group in one process, for the local service and
// for tests of whole requests.
package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"lectern/functions"
	"lectern/functions/admin"
	"lectern/functions/artifacts"
	"lectern/functions/embeddings"
	"lectern/functions/files"
	"lectern/functions/mcp"
	"lectern/functions/messages"
	"lectern/functions/messages/openai"
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
	"lectern/shared/app/embedded"
	"lectern/shared/app/reading"
	"lectern/shared/app/toolset"
	"lectern/shared/auth"
	"lectern/shared/chat"
	"lectern/shared/chat/async"
	"lectern/shared/chat/batch"
	"lectern/shared/chat/model/extractive/reckon"
	"lectern/shared/chat/tool/mcpclient"
	"lectern/shared/chat/tool/meaning"
	"lectern/shared/database/sqldrivers"
	"lectern/shared/fault"
	"lectern/shared/fault/budget"
	"lectern/shared/file"
	"lectern/shared/ident"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/index"
	"lectern/shared/storage/object/signedurl"
	"lectern/shared/storage/seal/fileseal"
	"lectern/shared/text/o200k"
)

// Service is everything that runs.
type Service struct {
	Handler   http.Handler
	Artifacts *artifact.Service
	Files     *file.Service
	process   *app.Process
	stopping  atomic.Bool
	library   *app.Library
	sweep     func(ctx context.Context, idle bool) error
	requests  admin.Requests
	metrics   *metrics.Requests
	sheets    sheets
}

// Options replace the clock and the ids, which tests pin.
type Options struct {
	IDs ident.Source     // random when nil
	Now func() time.Time // the system's when nil
	Log *slog.Logger
	// Cache is a directory for data that can be recomputed, such as compiled
	// code; the default is a directory inside the data directory.
	Cache string
	// Made is told of the key that a first start makes, where LECTERN_OPEN asks for one.
	Made func(key, path string)
	// Guard keeps pages of other sites out where no keys do; off for handlers
	// that no listener serves.
	Guard bool
}

// Open opens the drivers, builds the groups, and cleans up after processes that
// died in this data directory. Stores that do not belong together are an error,
// before anything is removed. What the index has lost is rebuilt in the
// background.
func Open(ctx context.Context, c *config.Config, o Options) (*Service, error) {
	if c.Authorizer {
		return nil, errors.New("LECTERN_AUTHORIZER is for functions, whose API asks for credentials: here nobody would")
	}
	own := *c
	c = &own
	p := app.New(c, o.Log)
	s := &Service{process: p, metrics: metrics.New(), sheets: newSheets()}
	inMemory := sqldrivers.Opener(nil, sqldrivers.Options{Time: time.Second, Log: o.Log}) // nothing is dialled
	p.Tables = reckon.New(inMemory, s.kept, func() meaning.Model {
		m, _ := p.Embedder.(meaning.Model)
		return m
	})
	if o.IDs != nil {
		p.IDs = o.IDs
	}
	if o.Now != nil {
		p.Now = o.Now
	}
	if o.Cache == "" {
		o.Cache = filepath.Join(c.Data, "cache")
	}
	all := requestMemory()
	p.Budget, p.Reading, p.Held = budget.New(all/4), budget.New(all/8*3), budget.New(all/4)
	p.Arriving = arriving(budget.NewShares(p.Held.Bytes() / 4))
	p.Slots = budget.NewSlots(runtime.GOMAXPROCS(0))
	if o.Guard && c.Keys == nil && !c.MakesKey {
		p.Door = &rest.Door{Hosts: c.Hosts}
		if c.Origin != "*" {
			p.Door.Origin = c.Origin
		}
	}
	if err := p.Open(ctx, app.Traces); err != nil {
		return nil, err
	}
	local, err := embedded.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	p.Queue = p.Followed(p.Queue)
	p.Chatted = func(_ context.Context, d chat.Done) {
		s.metrics.ObserveChat(metrics.Chat{Model: d.Model, Input: d.Input, Output: d.Output, First: d.First,
			Refused: d.Refused, Failed: d.Failed})
	}
	if c.MakesKey {
		if c.Keys, err = keyOf(filepath.Join(c.Data, "access.key"), o.Made); err != nil {
			s.Close()
			return nil, embedded.OfData(c, err)
		}
	}
	if err = p.Open(ctx, reading.WithCache(o.Cache)); err == nil {
		err = s.build(local)
	}
	if err == nil {
		err = app.Stores(p, s.library, true).Check(ctx)
	}
	if err == nil {
		err = app.CheckSeal(ctx, p, false)
	}
	if err == nil {
		err = s.Sweep(ctx, true)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	local.Begin()
	s.keepIndexWhole()
	s.keepUsage()
	return s, nil
}

// keyOf is the key in a file, which is made where there is none; made is told so.
func keyOf(path string, made func(key, path string)) (*auth.Keyring, error) {
	fresh := ""
	secret, err := fileseal.Secret(path, func() []byte {
		fresh = auth.NewKey()
		return []byte(fresh + "\n")
	})
	if err != nil {
		return nil, err
	}
	key := strings.TrimSpace(string(secret))
	if len(key) < 16 {
		return nil, fmt.Errorf("%s holds no key: write one of at least 16 characters, or remove the file", path)
	}
	if fresh != "" && made != nil {
		made(key, path)
	}
	return auth.NewKeyring([]auth.Key{{Key: key}}), nil
}

// Stopping makes the readiness check fail.
func (s *Service) Stopping() { s.stopping.Store(true) }

// requestMemory is the memory budget of all requests: half a GiB, or two fifths of
// the memory limit if that is less.
func requestMemory() int64 { return min(512<<20, debug.SetMemoryLimit(-1)/5*2) }

// arriving bounds what one caller holds of the memory of requests while bodies arrive.
// Where there are no keys, callers are not told apart and have no bound of their own.
func arriving(shares *budget.Shares) func(context.Context, int64) (func(), error) {
	return func(ctx context.Context, bytes int64) (func(), error) {
		caller := auth.From(ctx)
		name := cmp.Or(caller.Tenant, caller.Key)
		if name == "" {
			return nil, nil
		}
		return shares.Take(ctx, name, bytes)
	}
}

// Reindex gives vectors of the configured embedder to all chunks of the embedded
// index that have none; progress is called about every second.
func Reindex(ctx context.Context, c *config.Config, log *slog.Logger, progress func(have, of int)) error {
	if err := embedded.Stored(c); err != nil {
		return err
	}
	p := app.New(c, log)
	p.Reindexes = true
	if _, err := embedded.Open(ctx, p); err != nil {
		return err
	}
	return errors.Join(reindex(ctx, p, progress), p.Close())
}

func reindex(ctx context.Context, p *app.Process, progress func(have, of int)) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		have, of, err := vectors(ctx, p)
		if err != nil {
			return err
		}
		if progress(have, of); have == of {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// vectors counts the chunks that have a vector, and all that should, where the index
// gives them itself.
func vectors(ctx context.Context, p *app.Process) (have, of int, err error) {
	filler, ok := p.Index.(index.Filler)
	if !ok {
		return 0, 0, errors.New("only the embedded index can be filled; ingest the documents again")
	}
	return filler.Vectors(ctx, "", "", "")
}

// keepIndexWhole rebuilds what the index lacks, now and whenever it reports
// damage, until the service is closed.
func (s *Service) keepIndexWhole() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	s.process.OnClose(func() error { stop(); <-done; return nil })
	go func() {
		defer close(done)
		for {
			if _, err := s.Artifacts.Rebuild(ctx); err != nil && ctx.Err() == nil {
				s.process.Log.Error("index rebuild failed", "error", err)
			}
			select {
			case <-s.process.IndexDamaged:
			case <-ctx.Done():
				return
			}
		}
	}()
}

// keepUsage stores what keys use, every second and at the end.
func (s *Service) keepUsage() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	s.process.OnClose(func() error { stop(); <-done; return nil })
	go func() {
		defer close(done)
		app.NewMeter(s.process).Run(ctx, func(err error) { s.process.Log.Error("usage not stored", "error", err) })
	}()
}

// Close releases the drivers.
func (s *Service) Close() {
	if err := s.process.Close(); err != nil {
		s.process.Log.Error("close failed", "error", err)
	}
}

// Sweep cleans up after processes that died. Set idle when nobody else writes.
func (s *Service) Sweep(ctx context.Context, idle bool) error { return s.sweep(ctx, idle) }

// Reclaim takes from the disk what was deleted, at most about once a day.
func (s *Service) Reclaim(ctx context.Context) error { return app.Reclaim(ctx, s.process) }

// build constructs the use cases and the groups of endpoints.
func (s *Service) build(local *embedded.Local) error {
	p := s.process
	l := app.NewLibrary(p)
	s.library = l
	own := toolset.New(p, l, l.Artifacts, sqldrivers.Opener(l.Fetch.Dial, sqldrivers.Options{Superusers: p.Config.SQLSuperusers, Log: p.Log}))
	engine := app.NewEngine(p, l, l.Artifacts, &mcpclient.Client{Fetch: l.Fetch}, own.List()...)
	chats, batches, tasks := app.NewChats(p, engine), app.NewBatches(p, engine, l), app.NewTasks(p, l)
	local.Jobs[async.Kind], local.Jobs[batch.Kind] = chats.Handler(), batches.Handler()
	maps.Copy(local.Jobs, p.Claimed(app.TaskJobs(tasks)))
	maps.Copy(local.Jobs, p.Traced(local.Jobs))
	s.Files, s.Artifacts, s.sweep = l.Files, l.Artifacts, app.Sweeper(p, l, chats, tasks)
	return s.serve(map[string][]rest.Route{
		"streams": streams.Deps{Chats: chats}.Routes(),
		"messages": slices.Concat(messages.Deps{Engine: engine, Async: chats, Batches: batches}.Routes(),
			openai.Deps{Engine: engine, Now: p.Now, Keeper: openai.NewKeeper(p.Records, p.Sealer, p.Now, p.Config.ResponseDays)}.Routes()),
		"tokens":     tokens.Deps{Engine: engine, Tokens: o200k.Counter()}.Routes(),
		"models":     models.Deps{Models: p.Models, Collections: l.Artifacts.CollectionNames}.Routes(),
		"embeddings": embeddings.Deps{Embedder: p.Embedder, Meter: app.NewMeter(p)}.Routes(),
		"artifacts":  artifacts.Deps{Artifacts: l.Artifacts, Tasks: tasks}.Routes(),
		"files":      files.Deps{Files: l.Files, Key: local.Key, Now: p.Now}.Routes(),
		"skills":     skills.Deps{Skills: app.NewSkills(p)}.Routes(),
		"primitives": primitives.Deps{Searcher: l.Searcher}.Routes(),
		"tools": tools.Deps{Searcher: l.Searcher, Databases: own.Databases, Tables: own.Tables, Search: own.Search,
			Fetch: own.Pages}.Routes(),
		"admin": admin.Deps{
			Keys: app.NewKeys(p), AsksForKeys: p.Config.Keys != nil, Private: p.Config.Private,
			Meter: app.NewMeter(p), Now: p.Now, Requests: &s.requests,
			Tasks: tasks, Chats: chats, Backup: s.Backup, Settings: inForce(p.Config),
			RecentTasks: app.Recent(p, app.RecentTasks), RecentMessages: app.Recent(p, app.RecentMessages),
		}.Routes(),
		"mcp": mcp.Deps{Searcher: l.Searcher, Artifacts: l.Artifacts, Origins: app.PageOrigins(p.Config), Log: p.Log}.Routes(),
	})
}

// inForce lists the settings for those who administer the service.
func inForce(c *config.Config) []admin.Setting {
	list := make([]admin.Setting, len(c.InForce))
	for i, s := range c.InForce {
		list[i] = admin.Setting(s)
	}
	return list
}

// state returns what /ready reports in addition to its checks.
func (s *Service) state() system.State {
	out := system.State{Damaged: app.Damaged(s.process)}
	if stuck := s.process.IndexStuck; stuck != nil && stuck() {
		out.Index = system.IndexStuck
	}
	if p, running := s.Artifacts.Rebuilding(); running || p.Failed > 0 {
		out.Rebuilding = &system.Progress{Done: p.Done, Of: p.Of, Failed: p.Failed}
	}
	if have, of, err := vectors(context.Background(), s.process); err == nil && have < of {
		out.Vectors = &system.Vectors{Have: have, Of: of}
	}
	return out
}

// serve sends each path to its group, and /metrics to the counters.
func (s *Service) serve(groups map[string][]rest.Route) error {
	table, handlers := functions.Groups(), map[string]http.Handler{}
	var routes []rest.Route // in the order of the table, for the description
	for _, g := range table {
		kept := app.Keep(s.process, groups[g.Name])
		handlers[g.Name] = rest.Mux(kept)
		routes = append(routes, kept...)
	}
	provider, err := app.NewOIDC(s.process)
	if err != nil {
		return err
	}
	if handlers["system"], err = system.New(system.Deps{OIDC: provider, Checks: app.Checks(s.process), DeepChecks: app.DeepChecks(s.process),
		Stopping: s.stopping.Load, Routes: routes,
		State: s.state}); err != nil {
		return err
	}
	requests := s.metrics
	counts := rest.Mux([]rest.Route{{Pattern: "GET /metrics", Handle: rest.HandlerFunc(func(w http.ResponseWriter, r *http.Request) error {
		if !auth.From(r.Context()).Admin() {
			return fault.New(fault.Forbidden, "metrics cover all tenants; use a key without limits")
		}
		return requests.Write(w, r)
	})}})
	all := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			counts.ServeHTTP(w, r)
			return
		}
		handlers[functions.Of(table, r.URL.Path).Name].ServeHTTP(w, r)
	})
	s.process.GroupOf = func(path string) string { return functions.Of(table, path).Name }
	s.Handler, err = app.Wrap(s.process, all, func(a rest.Answered) {
		requests.Observe(functions.Of(table, a.Path).Name, a.Status, a.Took)
		s.requests.Observe(a)
	}, signedurl.Prefix)
	return err
}
