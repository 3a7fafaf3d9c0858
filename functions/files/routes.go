// Package files holds the endpoints of session files. It also serves signed
// object URLs when the object store has no server of its own.
package files

import (
	"net/http"
	"strings"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/file"
	"lectern/shared/storage/object/signedurl"
)

// Deps are the collaborators of the group.
type Deps struct {
	Files *file.Service
	Key   signedurl.Key // nil where the object store answers signed requests itself
	Now   func() time.Time
}

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	routes := []rest.Route{
		{Pattern: "GET /v1/files", Handle: rest.HandlerFunc(d.list), Doc: "List a session's files", Query: listQuery{}, Answer: list{}},
		{Pattern: "POST /v1/files", Creates: true, Handle: rest.HandlerFunc(d.upload), Doc: "Upload a file", Query: uploadQuery{},
			Upload: uploadForm{}, Answer: file.Metadata{}},
		{Pattern: "POST /v1/files/uploads", Handle: rest.JSON(d.sign), Doc: "Create a signed URL for the upload of a large file",
			Query: scopeQuery{}},
		{Pattern: "GET /v1/files/{file_id...}", Handle: rest.HandlerFunc(d.get), Doc: "Describe a file", Query: placeQuery{},
			Answer: file.Metadata{}},
		{Pattern: "GET /v1/files/{file_id}/content", Handle: rest.HandlerFunc(d.get), Doc: "Download a file", Query: contentQuery{},
			Media: "*/*", Status: []int{http.StatusPartialContent, http.StatusNotModified}},
		{Pattern: "DELETE /v1/files/{file_id...}", Handle: rest.JSON(d.remove), Doc: "Delete a file"},
	}
	for i := range routes {
		if routes[i].Pattern != "POST /v1/files/uploads" { // takes a scope, or makes one
			routes[i] = routes[i].Wrap(scoped)
		}
	}
	if d.Key != nil {
		routes = append(routes,
			rest.Route{Pattern: "PUT " + signedurl.Prefix + "{key...}", Handle: rest.HandlerFunc(d.receive),
				Doc: "Upload to a signed URL", Answer: received{}},
			rest.Route{Pattern: "GET " + signedurl.Prefix + "{key...}", Handle: rest.HandlerFunc(d.show),
				Doc: "Download an object by its signed URL", Media: "*/*", Status: []int{http.StatusPartialContent, http.StatusNotModified}},
		)
	}
	return routes
}

// scoped gives requests of Anthropic's SDKs a scope, since their files API has none.
func scoped(next rest.HandlerFunc) rest.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		q := r.URL.Query()
		if q.Has("scope_id") || !ofSDK(r) {
			return next(w, r)
		}
		q.Set("scope_id", file.OwnScope)
		out, u := *r, *r.URL
		u.RawQuery = q.Encode()
		out.URL = &u
		return next(w, &out)
	}
}

// ofSDK reports whether the request comes from one of Anthropic's SDKs.
func ofSDK(r *http.Request) bool {
	return r.Header.Get("X-Stainless-Lang") != "" || strings.Contains(strings.Join(r.Header.Values("Anthropic-Beta"), ","), "files-api-")
}
