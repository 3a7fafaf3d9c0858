// Package cloud opens the parts of a function on AWS and serves its events. A
// function is one group of endpoints or a worker, and links the drivers that
// its main names. Packages bus and machines are separate because the clients
// they import cost size and initialisation time in every function, used or not.
package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"strings"
	"time"

	"lectern/functions"
	"lectern/shared/api/rest"
	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/aws/emf"
	"lectern/shared/aws/invoke"
	"lectern/shared/aws/lambdahttp"
	"lectern/shared/chat"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/invokeservers"
	"lectern/shared/chat/tool/invoketool"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/reader/invokereader"
	"lectern/shared/storage/task"
)

// Main runs a function and returns its exit code. A function that cannot start
// logs the reason and exits, so that it takes no requests.
func Main(run func(ctx context.Context) error) int {
	if err := run(context.Background()); err != nil {
		slog.New(slog.NewJSONHandler(os.Stderr, nil)).Error("function cannot start", "error", err)
		return 1
	}
	return 0
}

// Open reads the settings, resolves the secrets that they name, and opens parts.
func Open(ctx context.Context, parts ...app.Part) (*app.Process, error) {
	began := time.Now()
	getenv, err := resolve(ctx, os.Getenv)
	if err != nil {
		return nil, err
	}
	p, err := Unopened(getenv)
	if err != nil {
		return nil, err
	}
	p.Log.DebugContext(ctx, "secrets read", "ms", time.Since(began).Milliseconds())
	if err := p.Open(ctx, append([]app.Part{app.Traces}, parts...)...); err != nil {
		return nil, err
	}
	p.Queue = p.Followed(p.Queue)
	return p, nil
}

// Unopened returns a process without parts, and without resolving secrets.
func Unopened(getenv func(string) string) (*app.Process, error) {
	c, err := config.Load(getenv)
	if err != nil {
		return nil, err
	}
	if c.MakesKey {
		return nil, errors.New("LECTERN_OPEN=key is for the local service: functions keep no directory for a key")
	}
	log, err := app.NewLog(c)
	if err != nil {
		return nil, err
	}
	p := app.New(c, log)
	p.AWS = lambdaConfig
	if c.Authorizer {
		p.Authority = lambdahttp.Caller
	}
	if c.Metrics != "" {
		p.Chatted = chatted(p, os.Stdout)
	}
	return p, nil
}

// chatted returns what writes the metrics of an answer that is over.
func chatted(p *app.Process, to io.Writer) func(context.Context, chat.Done) {
	environment, function, _ := strings.Cut(p.Config.Metrics, "/")
	w := &emf.Writer{To: to, Now: p.Now}
	return func(ctx context.Context, d chat.Done) {
		one := map[bool]float64{true: 1}
		metrics := []emf.Metric{
			{Name: "Chats", Unit: emf.Count, Value: 1}, {Name: "ChatsRefused", Unit: emf.Count, Value: one[d.Refused]},
			{Name: "ChatsFailed", Unit: emf.Count, Value: one[d.Failed]},
			{Name: "InputTokens", Unit: emf.Count, Value: float64(d.Input)}, {Name: "OutputTokens", Unit: emf.Count, Value: float64(d.Output)},
		}
		if d.First > 0 {
			metrics = append(metrics, emf.Metric{Name: "FirstToken", Unit: emf.Milliseconds, Value: float64(d.First.Microseconds()) / 1000})
		}
		under := []emf.Dimension{{Name: "Environment", Value: environment}, {Name: "Group", Value: function}, {Name: "Model", Value: d.Model}}
		if err := w.Write(under, metrics); err != nil {
			p.Log.WarnContext(ctx, "metrics not written", "error", err)
		}
	}
}

// Serve answers REST API events with the routes until the process is stopped.
// Other events go to other, if it is not nil.
func Serve(p *app.Process, routes []rest.Route, other func(ctx context.Context, event json.RawMessage) (any, error)) error {
	return ServeHandler(p, rest.Mux(routes), other)
}

// ServeHandler is Serve for a handler.
func ServeHandler(p *app.Process, h http.Handler, other func(ctx context.Context, event json.RawMessage) (any, error)) error {
	p.GroupOf = func(path string) string { return functions.Of(functions.Groups(), path).Name }
	wrapped, err := app.Wrap(p, h, nil)
	if err != nil {
		return err
	}
	// Between two events a function does not run: what is to be stored is stored before.
	stored := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wrapped.ServeHTTP(w, r)
		settle(r.Context(), p)
	})
	if other != nil {
		answer := other
		other = func(ctx context.Context, event json.RawMessage) (any, error) {
			defer settle(ctx, p)
			return answer(ctx, event)
		}
	}
	lambdahttp.Start(stored, lambdahttp.Options{BasePath: p.Config.BasePath, Buffered: p.Config.Buffered, Other: other})
	return nil
}

// settle stores what keys have used and is due, and sends the spans.
func settle(ctx context.Context, p *app.Process) {
	ctx = context.WithoutCancel(ctx)
	if p.Meter != nil {
		if err := p.Meter.Flush(ctx, false); err != nil {
			p.Log.WarnContext(ctx, "usage not stored", "error", err)
		}
	}
	if err := p.FlushTraces(ctx); err != nil {
		p.Log.WarnContext(ctx, "spans not sent", "error", err)
	}
}

// Work handles the jobs of the function's queues, and the stages of a state
// machine if stage is not nil, until the process is stopped.
func Work(ctx context.Context, p *app.Process, table task.Table, stage func(context.Context, tasks.Staged) (tasks.Staged, error)) error {
	queues, _, err := Targets(p.Config.Tasks)
	if err != nil {
		return app.Of("LECTERN_TASKS", err)
	}
	queue, err := Queues(ctx, p, queues)
	if err != nil {
		return err
	}
	table = p.Traced(table)
	lambdahttp.StartEvents(func(ctx context.Context, event json.RawMessage) (any, error) {
		defer settle(ctx, p)
		var s tasks.Staged
		if err := json.Unmarshal(event, &s); err != nil || s.Stage == "" {
			return queue.Batch(ctx, event, table)
		}
		if stage == nil {
			return nil, errors.New("this worker does not run stages")
		}
		ctx, span := p.Tracer.Work(ctx, "", "process "+s.Stage)
		next, err := stage(ctx, s)
		span.End(err)
		return next, err
	})
	return nil
}

// Reader parses documents in the function that links the readers. It needs
// Objects and Sealer.
func Reader(ctx context.Context, p *app.Process) (*invokereader.Reader, error) {
	c, err := caller(ctx, p, p.Config.ReadFunction)
	return &invokereader.Reader{Caller: c}, err
}

// caller returns a caller of another function of the deployment.
func caller(ctx context.Context, p *app.Process, function string) (*invoke.Caller, error) {
	cfg, err := p.AWS(ctx, "")
	if err != nil {
		return nil, err
	}
	return invoke.Open(cfg, function, p.Objects, p.Sealer, p.IDs), nil
}

// Engine builds the chat engine. Other functions parse documents, connect to
// MCP servers, and run the tools that app.Tools assigns to them.
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

// Answer returns the handler of calls by other functions. It needs Objects and
// Sealer.
func Answer(p *app.Process, operations ...map[string]invoke.Operation) func(context.Context, json.RawMessage) (any, error) {
	all := map[string]invoke.Operation{}
	for _, list := range operations {
		maps.Copy(all, list)
	}
	server := &invoke.Server{Operations: all, Objects: p.Objects, Sealer: p.Sealer, IDs: p.IDs,
		Report: func(ctx context.Context, operation string, err error) {
			p.Log.WarnContext(ctx, "operation failed", "operation", operation, "error", err)
		}}
	return server.Handle
}
