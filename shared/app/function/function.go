// Package function is what every function's main begins with: its process, as
// the settings name it, what other functions do for it, and the service's
// manner around a group of endpoints. A main names what it needs and the linker
// drops the rest.
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
	"os"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/app/process"
	"lectern/shared/aws/invoke"
	"lectern/shared/aws/lambdahttp"
	"lectern/shared/chat"
	"lectern/shared/chat/tool"
	"lectern/shared/chat/tool/invokeservers"
	"lectern/shared/chat/tool/invoketool"
	"lectern/shared/chat/tool/websearch"
	"lectern/shared/ident"
	"lectern/shared/knowledge/reader/invokereader"
)

// Function is one function's process. Its methods are for main alone, before
// the first request; they are not safe for concurrent use.
type Function struct {
	process.Process

	engine *chat.Engine
}

// Start reads the settings, secrets by reference included.
func Start() *Function {
	ctx := context.Background()
	cfg := Must(config.Load(Must(app.Secrets(ctx, os.Getenv))))
	return New(cfg, Must(app.Log(cfg)), process.Drivers{})
}

// New is a function with given drivers, for a process that runs functions as
// the cloud would and counts what they do.
func New(c *config.Config, log *slog.Logger, given process.Drivers) *Function {
	return &Function{Process: process.Process{
		Context: context.Background(), Config: c, Log: log, IDs: ident.Random{Now: time.Now}, Now: time.Now, Drivers: given, Failed: stop,
	}}
}

// Must returns v, or ends the process.
func Must[T any](v T, err error) T {
	if err != nil {
		stop(err)
	}
	return v
}

func stop(err error) {
	slog.New(slog.NewJSONHandler(os.Stderr, nil)).Error("the function cannot start", "error", err)
	os.Exit(1)
}

// remoteTools are run by the function of tools.
var remoteTools = []string{"database_query_v1", "tabular_analysis_v1", "web_fetch_v1", "web_search_v1"}

// Engine answers conversations. Documents are read, and tools that need much
// are run, by other functions.
func (f *Function) Engine() *chat.Engine {
	if f.engine == nil {
		var tools []tool.Tool
		for _, kind := range remoteTools {
			if kind == websearch.Type && f.Config.SearchWeb == "" {
				continue
			}
			tools = append(tools, &invoketool.Tool{Kind: kind, Caller: f.caller(f.Config.ToolFunction), Log: f.Log})
		}
		f.engine = f.Process.Engine(f.Reader(), &invokeservers.Servers{Caller: f.caller(f.Config.ToolFunction), Fetch: f.Fetcher()}, tools...)
	}
	return f.engine
}

// Reader reads documents in the function that carries the readers.
func (f *Function) Reader() *invokereader.Reader {
	return &invokereader.Reader{Caller: f.caller(f.Config.ReadFunction)}
}

// caller asks another function of the deployment.
func (f *Function) caller(name string) *invoke.Caller {
	return &invoke.Caller{Config: Must(app.Cloud(f.Context)), Function: name, Objects: f.Objects(), Sealer: f.Sealer(), IDs: f.IDs}
}

// Answer returns what answers the questions of other functions.
func (f *Function) Answer(operations ...map[string]invoke.Operation) func(context.Context, json.RawMessage) (any, error) {
	all := map[string]invoke.Operation{}
	for _, list := range operations {
		maps.Copy(all, list)
	}
	server := &invoke.Server{Operations: all, Objects: f.Objects(), Sealer: f.Sealer(), IDs: f.IDs, Report: func(ctx context.Context, operation string, err error) {
		f.Log.WarnContext(ctx, "an operation was refused", "operation", operation, "error", err)
	}}
	return server.Handle
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
