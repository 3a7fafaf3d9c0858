package artifacts

import (
	"context"

	"lectern/shared/knowledge/artifact"
)

// list is a list of artifacts; an ingest answers with a list of one.
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

type listQuery struct {
	Collection string `json:"collection" default:"vendor_collection" minlen:"1" maxlen:"255"`
	Limit      int    `json:"limit,omitempty" min:"1" doc:"default: all"`
	After      string `json:"after,omitempty" doc:"cursor: list artifacts after this one"`
}

func (d Deps) list(ctx context.Context, q *listQuery) (list, error) {
	docs, err := d.Artifacts.List(ctx, q.Collection, q.After, q.Limit)
	if err != nil {
		return list{}, err
	}
	return newList(docs...), nil
}

type deleted struct {
	Object     string `json:"object"`
	Collection string `json:"collection"`
	Artifact   string `json:"artifact"`
	Deleted    bool   `json:"deleted"`
}

func (d Deps) remove(ctx context.Context, body *artifact.DeleteBody) (deleted, error) {
	if err := d.Artifacts.Delete(ctx, body); err != nil {
		return deleted{}, err
	}
	return deleted{"artifact.deleted", body.Collection, body.Artifact, true}, nil
}

type readers struct {
	Data map[string]readerInfo `json:"data"`
}

type readerInfo struct {
	Extensions []string `json:"extensions"`
}

func (d Deps) readers(context.Context, *struct{}) (readers, error) {
	out := readers{Data: map[string]readerInfo{}}
	for _, r := range d.Artifacts.Readers.Readers() {
		out.Data[r.Name()] = readerInfo{r.Extensions()}
	}
	return out, nil
}

type contents struct {
	Data []artifact.Content `json:"data"`
}

func (d Deps) content(ctx context.Context, body *artifact.ContentBody) (contents, error) {
	data, err := d.Artifacts.Content(ctx, body)
	if err != nil {
		return contents{}, err
	}
	return contents{data}, nil
}

func (d Deps) chunked(ctx context.Context, body *artifact.ContentBody) (contents, error) {
	data, err := d.Artifacts.Chunked(ctx, body)
	if err != nil {
		return contents{}, err
	}
	return contents{data}, nil
}
