// Package artifacts is the HTTP face of ingested documents.
package artifacts

import (
	"net/http"

	"lectern/shared/api/rest"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
)

// Deps are the group's collaborators.
type Deps struct {
	Artifacts *artifact.Service
	Tasks     *tasks.Service
}

// New returns the group's handler.
func New(d Deps) http.Handler { return rest.Mux(d.Routes()) }

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{
		{Pattern: "POST /v1/artifacts/ingest", Creates: true, Handle: d.ingest, Doc: rest.Doc{Summary: "Ingest a document", Body: artifact.Body{}, Answer: list{}}},
		{Pattern: "POST /v1/artifacts/ingest/async", Creates: true, Handle: d.ingestLater, Doc: rest.Doc{Summary: "Ingest a document as a task", Body: tasks.IngestBody{}, Answer: taskAnswer{}}},
		{Pattern: "GET /v1/artifacts/ingest/async/{task_id}", Handle: d.ingestStatus, Doc: rest.Doc{Summary: "Show how far an ingest is", Answer: taskStatus{}}},
		{Pattern: "POST /v1/artifacts/delete/async", Creates: true, Handle: d.deleteLater, Doc: rest.Doc{Summary: "Delete a document as a task", Body: tasks.DeleteBody{}, Answer: taskAnswer{}}},
		{Pattern: "GET /v1/artifacts/delete/async/{task_id}", Handle: d.deleteStatus, Doc: rest.Doc{Summary: "Show how far a deletion is", Answer: taskStatus{}}},
		{Pattern: "GET /v1/artifacts/list", Handle: d.list, Doc: rest.Doc{Summary: "List a collection's documents", Query: listQuery{}, Answer: list{}}},
		{Pattern: "POST /v1/artifacts/delete", Handle: d.remove, Doc: rest.Doc{Summary: "Delete a document", Body: artifact.DeleteBody{}, Answer: deleted{}}},
		{Pattern: "GET /v1/artifacts/readers", Handle: d.readers, Doc: rest.Doc{Summary: "List the readers and their file extensions", Answer: readers{}}},
		{Pattern: "POST /v1/artifacts/convert", Handle: d.convert, Doc: rest.Doc{Summary: "Read a file without keeping it", Body: artifact.ConvertBody{}, Answer: artifact.Converted{}}},
		{Pattern: "POST /v1/artifacts/content", Handle: d.content, Doc: rest.Doc{Summary: "Show the stored text of documents", Body: artifact.ContentBody{}, Answer: contents{}}},
		{Pattern: "POST /v1/artifacts/chunked-content", Handle: d.chunked, Doc: rest.Doc{Summary: "Show the stored text of documents in chunks", Body: artifact.ContentBody{}, Answer: contents{}}},
		{Pattern: "GET /v1/collections", Handle: d.collections, Doc: rest.Doc{Summary: "List the collections with their sizes", Query: collectionsQuery{}, Answer: collectionList{}}},
		{Pattern: "GET /v1/collections/{name}", Handle: d.collection, Doc: rest.Doc{Summary: "Describe a collection", Answer: artifact.Collection{}}},
		{Pattern: "DELETE /v1/collections/{name}", Handle: d.removeCollection, Doc: rest.Doc{Summary: "Delete a collection and every document in it", Answer: collectionDeleted{}}},
	}
}
