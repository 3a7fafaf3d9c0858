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
	"net/http"
	"os"
	"time"

	"lectern/shared/app"
	"lectern/shared/artifact"
	"lectern/shared/config"
	"lectern/shared/embedding"
	"lectern/shared/fetch"
	"lectern/shared/file"
	"lectern/shared/ident"
	"lectern/shared/index"
	"lectern/shared/lambdahttp"
	"lectern/shared/model"
	"lectern/shared/object"
	"lectern/shared/reader"
	"lectern/shared/record"
	"lectern/shared/rest"
	"lectern/shared/retrieval"
)

// Function is one function's process. Its methods are for main alone, before
// the first request; they are not safe for concurrent use.
type Function struct {
	Context context.Context
	Config  *config.Config
	Log     *slog.Logger
	IDs     ident.Source
	Now     func() time.Time

	objects   object.Store
	records   record.Store
	embedder  embedding.Embedder
	index     index.Store
	catalog   *model.Catalog
	files     *file.Service
	artifacts *artifact.Service
}

// Start reads the settings, secrets by reference included.
func Start() *Function {
	f := &Function{Context: context.Background(), IDs: ident.Random{Now: time.Now}, Now: time.Now, Log: slog.New(slog.NewJSONHandler(os.Stderr, nil))}
	getenv := Must(app.Secrets(f.Context, os.Getenv))
	f.Config = Must(config.Load(getenv))
	f.Log = Must(app.Log(f.Config))
	return f
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
	return made(&f.index, func() (index.Store, error) { return app.Index(f.Config, f.Embedder(), f.Log) })
}

// Models is the catalog of models.
func (f *Function) Models() *model.Catalog {
	return made(&f.catalog, func() (*model.Catalog, error) { return app.Models(f.Context, f.Config, f.Embedder()) })
}

// Files is the use case of files.
func (f *Function) Files() *file.Service {
	if f.files == nil {
		f.files = &file.Service{Objects: f.Objects(), Records: f.Records(), Namespaces: f.Config.Files, Root: f.Config.Objects, IDs: f.IDs, Now: f.Now}
	}
	return f.files
}

// Artifacts is the use case of ingested documents. readers may be nil where
// nothing is read.
func (f *Function) Artifacts(readers *reader.Set) *artifact.Service {
	if f.artifacts == nil {
		f.artifacts = &artifact.Service{
			Objects: f.Objects(), Records: f.Records(), Index: f.Index(), Embedder: f.Embedder(), Vectors: app.VectorWeight(f.Config) > 0, Readers: readers,
			Fetch: fetch.New(f.Config.AllowHosts), IDs: f.IDs, Now: f.Now, Log: f.Log,
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

// Wrap puts the service's manner around routes.
func (f *Function) Wrap(routes http.Handler) http.Handler {
	return rest.Wrap(routes, rest.Options{
		Keys: f.Config.Keys, IDs: f.IDs, Log: f.Log, Origin: f.Config.Origin, BodyLimit: f.Config.BodyLimit, Open: []string{"/health"}, Now: f.Now,
	})
}

// Serve answers REST API events with the routes until the process is stopped.
// events that are none of these go to other, where it is not nil.
func (f *Function) Serve(routes http.Handler, other func(ctx context.Context, event json.RawMessage) (any, error)) {
	lambdahttp.Start(f.Wrap(routes), lambdahttp.Options{BasePath: f.Config.BasePath, Buffered: f.Config.Buffered, Other: other})
}
