package artifacts

import (
	"context"

	"lectern/shared/knowledge/artifact"
)

type collectionsQuery struct {
	Limit int    `json:"limit,omitempty" min:"1" doc:"default: all"`
	After string `json:"after,omitempty" doc:"cursor: list collections after this name; those of letters, digits, dots and hyphens are in the order of their bytes"`
}

type collectionList struct {
	Object  string                `json:"object"`
	Data    []artifact.Collection `json:"data"`
	HasMore bool                  `json:"has_more"`
}

func (d Deps) collections(ctx context.Context, q *collectionsQuery) (collectionList, error) {
	list, more, err := d.Artifacts.Collections(ctx, q.After, q.Limit)
	if err != nil {
		return collectionList{}, err
	}
	return collectionList{"list", list, more}, nil
}

type collectionQuery struct {
	Name string `json:"-" path:"name"`
}

func (d Deps) collection(ctx context.Context, q *collectionQuery) (artifact.Collection, error) {
	return d.Artifacts.Collection(ctx, q.Name)
}

type collectionDeleted struct {
	Object    string `json:"object"`
	Name      string `json:"name"`
	Artifacts int    `json:"artifacts"`
	Deleted   bool   `json:"deleted"`
}

func (d Deps) removeCollection(ctx context.Context, q *collectionQuery) (collectionDeleted, error) {
	n, err := d.Artifacts.DeleteCollection(ctx, q.Name)
	return collectionDeleted{"collection.deleted", q.Name, n, err == nil}, err
}
