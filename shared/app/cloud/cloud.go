// Package cloud opens the parts of a function on AWS and serves its events. A
// function is one group of endpoints, or a worker, and links the drivers that
// its main names.
package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"os"

	"lectern/shared/api/rest"
	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/aws/invoke"
	"lectern/shared/aws/lambdahttp"
	"lectern/shared/chat"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/invokeservers"
	"lectern/shared/chat/tool/invoketool"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/reader/invokereader"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/sqstask"
)

// Main runs a function and returns the exit code of its process, which logs why
// it could not start: a function that is set up wrongly takes no requests.
func Main(run func(ctx context.Context) error) int {
	if err := run(context.Background()); err != nil {
		slog.New(slog.NewJSONHandler(os.Stderr, nil)).Error("the function cannot start", "error", err)
		return 1
	}
	return 0
}

// Open reads the settings, with the secrets that they name, and opens parts.
func Open(ctx context.Context, parts ...app.Part) (*app.Process, error) {
	getenv, err := resolve(ctx, os.Getenv)
	if err != nil {
		return nil, err
	}
	p, err := Unopened(getenv)
	if err != nil {
		return nil, err
	}
	return p, p.Open(ctx, parts...)
}

// Unopened is a process without parts, by settings that are read as they stand.
func Unopened(getenv func(string) string) (*app.Process, error) {
	c, err := config.Load(getenv)
	if err != nil {
		return nil, err
	}
	log, err := app.NewLog(c)
	if err != nil {
		return nil, err
	}
	p := app.New(c, log)
	p.AWS = lambdaConfig
	return p, nil
}

// Serve answers REST API events with the routes, until the process is stopped.
// Events of other kinds go to other, where it is not nil.
func Serve(p *app.Process, routes []rest.Route, other func(ctx context.Context, event json.RawMessage) (any, error)) error {
	return ServeHandler(p, rest.Mux(routes), other)
}

// ServeHandler is Serve for a handler.
func ServeHandler(p *app.Process, h http.Handler, other func(ctx context.Context, event json.RawMessage) (any, error)) error {
	lambdahttp.Start(app.Wrap(p, h, nil), lambdahttp.Options{BasePath: p.Config.BasePath, Buffered: p.Config.Buffered, Other: other})
	return nil
}

// Work does the jobs of the queues in front of the function, and the stages of a
// state machine where there is one, until the process is stopped.
func Work(ctx context.Context, p *app.Process, table task.Table, stage func(context.Context, tasks.Staged) (tasks.Staged, error)) error {
	queues, _, err := targets(p.Config.Tasks)
	if err != nil {
		return app.Of("LECTERN_TASKS", err)
	}
	cfg, err := p.AWS(ctx, "")
	if err != nil {
		return err
	}
	queue := sqstask.Open(cfg, sqstask.Options{Queues: queues, Now: p.Now, Log: p.Log})
	lambdahttp.StartEvents(func(ctx context.Context, event json.RawMessage) (any, error) {
		var s tasks.Staged
		if err := json.Unmarshal(event, &s); err != nil || s.Stage == "" {
			return queue.Batch(ctx, event, table)
		}
		if stage == nil {
			return nil, errors.New("this worker runs no stages")
		}
		return stage(ctx, s)
	})
	return nil
}

// Reader reads documents in the function that has the readers. It needs Objects
// and Sealer.
func Reader(ctx context.Context, p *app.Process) (*invokereader.Reader, error) {
	c, err := caller(ctx, p, p.Config.ReadFunction)
	return &invokereader.Reader{Caller: c}, err
}

// caller asks another function of the deployment.
func caller(ctx context.Context, p *app.Process, function string) (*invoke.Caller, error) {
	cfg, err := p.AWS(ctx, "")
	if err != nil {
		return nil, err
	}
	return invoke.Open(cfg, function, p.Objects, p.Sealer, p.IDs), nil
}

// Engine makes what answers conversations. Documents are read, MCP servers
// reached, and the tools that app.Tools puts there run, by other functions.
func Engine(ctx context.Context, p *app.Process) (*chat.Engine, error) {
	reader, err := Reader(ctx, p)
	if err != nil {
		return nil, err
	}
	ask, err := caller(ctx, p, p.Config.ToolFunction)
	if err != nil {
		return nil, err
	}
	l := app.NewLibrary(p)
	var remote []tool.Tool
	for _, t := range app.Tools(p.Config) {
		if t.Runs == app.InTools {
			remote = append(remote, &invoketool.Tool{Kind: t.Type, Caller: ask, Log: p.Log})
		}
	}
	return app.NewEngine(p, l, reader, &invokeservers.Servers{Caller: ask, Fetch: l.Fetch}, remote...), nil
}

// Answer returns what answers the questions of other functions. It needs Objects
// and Sealer.
func Answer(p *app.Process, operations ...map[string]invoke.Operation) func(context.Context, json.RawMessage) (any, error) {
	all := map[string]invoke.Operation{}
	for _, list := range operations {
		maps.Copy(all, list)
	}
	server := &invoke.Server{Operations: all, Objects: p.Objects, Sealer: p.Sealer, IDs: p.IDs,
		Report: func(ctx context.Context, operation string, err error) {
			p.Log.WarnContext(ctx, "an operation was refused", "operation", operation, "error", err)
		}}
	return server.Handle
}
