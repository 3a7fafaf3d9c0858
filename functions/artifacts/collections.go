package artifacts

import (
	"net/http"

	"lectern/shared/api/rest"
	"lectern/shared/knowledge/artifact"
)

type collectionsQuery struct {
	Limit int    `json:"limit,omitempty" min:"1" doc:"all when absent"`
	After string `json:"after,omitempty" doc:"collection to go on behind"`
}

type collectionList struct {
	Object  string                `json:"object"`
	Data    []artifact.Collection `json:"data"`
	HasMore bool                  `json:"has_more"`
}

func (d Deps) collections(w http.ResponseWriter, r *http.Request) error {
	q, err := rest.Query[collectionsQuery](r)
	if err != nil {
		return err
	}
	list, more, err := d.Artifacts.Collections(r.Context(), q.After, q.Limit)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, collectionList{"list", list, more})
}

func (d Deps) collection(w http.ResponseWriter, r *http.Request) error {
	c, err := d.Artifacts.Collection(r.Context(), r.PathValue("name"))
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, c)
}

type collectionDeleted struct {
	Object    string `json:"object"`
	Name      string `json:"name"`
	Artifacts int    `json:"artifacts"`
	Deleted   bool   `json:"deleted"`
}

func (d Deps) removeCollection(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	n, err := d.Artifacts.DeleteCollection(r.Context(), name)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, collectionDeleted{"collection.deleted", name, n, true})
}
