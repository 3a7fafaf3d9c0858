package process

import (
	"context"
	"errors"
	"net/url"

	"lectern/shared/api/rest"
	"lectern/shared/api/rest/idempotency"
	"lectern/shared/app"
	"lectern/shared/chat"
	"lectern/shared/chat/async"
	"lectern/shared/chat/skill"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/semanticsearch"
	"lectern/shared/chat/tool/skills"
	"lectern/shared/file"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/retrieval"
	"lectern/shared/storage/task"
	"lectern/shared/web/callback"
	"lectern/shared/web/fetch"
)

// cases are the use cases that several others are made of.
type cases struct {
	files     *file.Service
	skills    *skill.Service
	fetcher   *fetch.Client
	artifacts *artifact.Service
	searcher  *retrieval.Searcher
	callbacks *callback.Service
}

// Files is the use case of files.
func (p *Process) Files() *file.Service {
	if p.cases.files == nil {
		p.cases.files = &file.Service{Objects: p.Objects(), Records: p.Records(), Namespaces: p.Config.Files, Root: app.ObjectsAddress(p.Config), IDs: p.IDs, Now: p.Now}
	}
	return p.cases.files
}

// Skills is the use case of skills.
func (p *Process) Skills() *skill.Service {
	if p.cases.skills == nil {
		p.cases.skills = &skill.Service{Objects: p.Objects(), Records: p.Records(), IDs: p.IDs, Now: p.Now}
	}
	return p.cases.skills
}

// Fetcher fetches what URIs name, uploads of this deployment included.
func (p *Process) Fetcher() *fetch.Client {
	if p.cases.fetcher == nil {
		p.cases.fetcher = fetch.New(p.Config.AllowHosts)
		p.cases.fetcher.Own = map[string]func(context.Context, *url.URL) (*fetch.File, error){file.Scheme: p.Files().Fetch}
	}
	return p.cases.fetcher
}

// Artifacts is the use case of ingested documents.
func (p *Process) Artifacts() *artifact.Service {
	if p.cases.artifacts == nil {
		p.cases.artifacts = &artifact.Service{
			Objects: p.Objects(), Records: p.Records(), Index: p.Index(), Embedder: p.Embedder(), Vectors: app.VectorWeight(p.Config) > 0, Readers: p.Readers,
			Fetch: p.Fetcher(), IDs: p.IDs, Now: p.Now, Log: p.Log,
		}
	}
	return p.cases.artifacts
}

// Searcher searches ingested documents.
func (p *Process) Searcher() *retrieval.Searcher {
	if p.cases.searcher == nil {
		reranker, err := app.Reranker(p.Config)
		p.Note("", err)
		p.cases.searcher = &retrieval.Searcher{
			Artifacts: p.Artifacts(), Index: p.Index(), Embedder: p.Embedder(), VectorWeight: app.VectorWeight(p.Config), Reranker: reranker, Log: p.Log,
		}
	}
	return p.cases.searcher
}

// Engine answers conversations. reader reads what they bring along, servers
// reaches external tool servers, and further are the tools besides those that
// search and that bring skills.
func (p *Process) Engine(reader chat.Reader, servers tool.Servers, further ...tool.Tool) *chat.Engine {
	own := []tool.Tool{
		&semanticsearch.Tool{Searcher: p.Searcher(), Artifacts: p.Artifacts(), Reader: reader, Scratch: app.Scratch}, &skills.Tool{Skills: p.Skills()},
	}
	return &chat.Engine{
		Models: p.Models(), Servers: servers, Reader: reader, Files: p.Files(), IDs: p.IDs, Now: p.Now, Log: p.Log, Tools: tool.NewSet(append(own, further...)...),
	}
}

// Chats keeps async messages. Without an engine it watches and ends them only.
// A process has one, which knows the messages that it answers.
func (p *Process) Chats(engine *chat.Engine) *async.Service {
	return &async.Service{
		Engine: engine, Records: p.Records(), Objects: p.Objects(), Streams: app.Streams(p.Config, p.Records()), Queue: p.Queue(), Sealer: p.Sealer(),
		IDs: p.IDs, Now: p.Now, Log: p.Log, ErrorData: rest.EventDataFor, Options: app.AsyncOptions(p.Config, p.Owner()),
	}
}

// Callbacks tells others what has happened.
func (p *Process) Callbacks() *callback.Service {
	if p.cases.callbacks == nil {
		bus, err := app.Bus(p.Context, p.Config)
		p.Note("", err)
		secret, err := app.WebhookSecret(p.Config)
		p.Note("", err)
		p.cases.callbacks = &callback.Service{
			Bus: bus, Records: p.Records(), Queue: p.Queue(), Sealer: p.Sealer(), Fetch: p.Fetcher(), Secret: secret, IDs: p.IDs, Now: p.Now, Log: p.Log,
		}
	}
	return p.cases.callbacks
}

// Tasks keeps ingests and deletions that go on after their request.
func (p *Process) Tasks() *tasks.Service {
	return &tasks.Service{
		Artifacts: p.Artifacts(), Callbacks: p.Callbacks(), Records: p.Records(), Objects: p.Objects(), Queue: p.Queue(), Sealer: p.Sealer(),
		IDs: p.IDs, Now: p.Now, Log: p.Log, Options: tasks.Options{Owner: p.Owner(), Alone: app.Alone(p.Config), Revisit: p.Revisits},
	}
}

// TaskJobs are the jobs of all that is no chat.
func (p *Process) TaskJobs(s *tasks.Service) task.Table {
	h := s.Handler()
	return task.Table{tasks.IngestKind: h, tasks.StagedKind: h, tasks.DeleteKind: h, callback.Kind: p.Callbacks().Handler()}
}

// Keep makes the routes that create something safe to repeat.
func (p *Process) Keep(routes []rest.Route) []rest.Route {
	keeper := &idempotency.Keeper{Records: p.Records(), IDs: p.IDs, Now: p.Now, Log: p.Log, Owner: p.Owner(), Alone: app.Alone(p.Config)}
	return keeper.Routes(routes)
}

// Sweeper returns what frees what processes that died have left. Whatever it
// removes was invisible already; idle says that nobody else writes.
func (p *Process) Sweeper(chats *async.Service, tasks *tasks.Service) func(ctx context.Context, idle bool) error {
	artifacts, files, skills := p.Artifacts(), p.Files(), p.Skills()
	return func(ctx context.Context, idle bool) error {
		return errors.Join(artifacts.Sweep(ctx, idle), files.Sweep(ctx, idle), skills.Sweep(ctx, idle), chats.Sweep(ctx), tasks.Sweep(ctx))
	}
}
