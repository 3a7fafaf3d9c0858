package artifacts

import (
	"net/http"

	"lectern/shared/api/rest"
	"lectern/shared/knowledge/artifact"
)

// list is the API's IngestResponse.
type list struct {
	Object string         `json:"object"`
	Model  string         `json:"model"`
	Data   []artifact.Doc `json:"data"`
}

func newList(docs ...artifact.Doc) list {
	if docs == nil {
		docs = []artifact.Doc{}
	}
	return list{Object: "list", Model: "vendor-model", Data: docs}
}

func (d Deps) ingest(w http.ResponseWriter, r *http.Request) error {
	body, err := rest.Decode[artifact.Body](w, r, rest.LargeBody)
	if err != nil {
		return err
	}
	doc, err := d.Artifacts.Ingest(r.Context(), body)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, newList(doc))
}

type listQuery struct {
	Collection string `json:"collection" default:"vendor_collection" minlen:"1" maxlen:"255"`
	Limit      int    `json:"limit,omitempty" min:"1" doc:"all when absent"`
	After      string `json:"after,omitempty" doc:"artifact to go on behind"`
}

func (d Deps) list(w http.ResponseWriter, r *http.Request) error {
	q, err := rest.Query[listQuery](r)
	if err != nil {
		return err
	}
	docs, err := d.Artifacts.List(r.Context(), q.Collection, q.After, q.Limit)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, newList(docs...))
}

type deleted struct {
	Object     string `json:"object"`
	Collection string `json:"collection"`
	Artifact   string `json:"artifact"`
	Deleted    bool   `json:"deleted"`
}

func (d Deps) remove(w http.ResponseWriter, r *http.Request) error {
	body, err := rest.Decode[artifact.DeleteBody](w, r, rest.SmallBody)
	if err != nil {
		return err
	}
	if err := d.Artifacts.Delete(r.Context(), body); err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, deleted{"artifact.deleted", body.Collection, body.Artifact, true})
}

type readers struct {
	Data map[string]readerInfo `json:"data"`
}

type readerInfo struct {
	Extensions []string `json:"extensions"`
}

func (d Deps) readers(w http.ResponseWriter, _ *http.Request) error {
	out := readers{Data: map[string]readerInfo{}}
	for _, r := range d.Artifacts.Readers.Readers() {
		out.Data[r.Name()] = readerInfo{r.Extensions()}
	}
	return rest.Write(w, http.StatusOK, out)
}

func (d Deps) convert(w http.ResponseWriter, r *http.Request) error {
	body, err := rest.Decode[artifact.ConvertBody](w, r, rest.LargeBody)
	if err != nil {
		return err
	}
	out, err := d.Artifacts.Convert(r.Context(), body)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, out)
}

type contents struct {
	Data []artifact.Content `json:"data"`
}

func (d Deps) content(w http.ResponseWriter, r *http.Request) error {
	body, err := rest.Decode[artifact.ContentBody](w, r, rest.SmallBody)
	if err != nil {
		return err
	}
	data, err := d.Artifacts.Content(r.Context(), body)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, contents{data})
}

func (d Deps) chunked(w http.ResponseWriter, r *http.Request) error {
	body, err := rest.Decode[artifact.ContentBody](w, r, rest.SmallBody)
	if err != nil {
		return err
	}
	data, err := d.Artifacts.Chunked(r.Context(), body)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, contents{data})
}
