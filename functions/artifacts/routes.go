// Package artifacts holds the endpoints of ingested documents and collections.
package artifacts

import (
	"net/http"

	"lectern/shared/api/rest"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
)

// Deps are the collaborators of the group.
type Deps struct {
	Artifacts *artifact.Service
	Tasks     *tasks.Service
	// Redirects sends clients to the object store for originals, whose size the
	// answer of a function is not fit for.
	Redirects bool
}

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{
		{Pattern: "POST /v1/artifacts/ingest", Creates: true, Large: true, Handle: rest.HandlerFunc(d.ingest),
			Doc: "Ingest a document, or files of a form", Body: artifact.Body{}, Upload: ingestForm{}, Answer: receipt{}},
		{Pattern: "POST /v1/artifacts/ingest/async", Creates: true, Large: true, Handle: rest.HandlerFunc(d.ingestLater),
			Doc: "Ingest a document as a task, or one file of a form", Body: tasks.IngestBody{}, Upload: ingestForm{}, Answer: taskAnswer{}},
		{Pattern: "GET /v1/artifacts/ingest/async/{task_id}", Handle: rest.JSON(d.ingestStatus), Doc: "Show the progress of an ingest"},
		{Pattern: "POST /v1/artifacts/delete/async", Creates: true, Handle: rest.JSON(d.deleteLater), Doc: "Delete a document as a task"},
		{Pattern: "GET /v1/artifacts/delete/async/{task_id}", Handle: rest.JSON(d.deleteStatus), Doc: "Show the progress of a deletion"},
		{Pattern: "GET /v1/artifacts/list", Handle: rest.JSON(d.list), Doc: "List a collection's documents"},
		{Pattern: "POST /v1/artifacts/delete", Handle: rest.JSON(d.remove), Doc: "Delete a document"},
		{Pattern: "GET /v1/artifacts/readers", Handle: rest.JSON(d.readers), Doc: "List the readers and their file extensions"},
		{Pattern: "POST /v1/artifacts/convert", Large: true, Handle: rest.JSON(d.Artifacts.Convert), Doc: "Convert a file without storing it"},
		{Pattern: "POST /v1/artifacts/content", Handle: rest.JSON(d.content), Doc: "Show the stored text of documents"},
		{Pattern: "GET /v1/artifacts/original", Handle: rest.HandlerFunc(d.original), Doc: "Download the file that a document was made of",
			Query: originalQuery{}, Answer: originalLink{}, Media: "*/*",
			Status: []int{http.StatusPartialContent, http.StatusNotModified, http.StatusTemporaryRedirect}},
		{Pattern: "GET /v1/artifacts/places", Handle: rest.JSON(d.Artifacts.Places),
			Doc: "Show where a span of the stored text stands in the original PDF"},
		{Pattern: "POST /v1/artifacts/chunked-content", Handle: rest.JSON(d.chunked), Doc: "Show the stored text of documents in chunks"},
		{Pattern: "GET /v1/collections", Handle: rest.JSON(d.collections), Doc: "List the collections with their sizes"},
		{Pattern: "GET /v1/collections/{name}", Handle: rest.JSON(d.collection), Doc: "Describe a collection"},
		{Pattern: "DELETE /v1/collections/{name}", Handle: rest.JSON(d.removeCollection), Doc: "Delete a collection and every document in it"},
	}
}
