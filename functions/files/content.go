package files

import (
	"net/http"
	"path"
	"strings"

	"lectern/shared/api/rest"
	"lectern/shared/fault"
	"lectern/shared/file"
	"lectern/shared/storage/object/signedurl"
)

type contentQuery struct {
	Scope       string `json:"scope_id" required:"true"`
	Namespace   string `json:"namespace" default:"session"`
	Disposition string `json:"disposition" default:"attachment" enum:"attachment,inline"`
}

// get describes a file, or sends its content when the path ends in /content.
func (d Deps) get(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("file_id")
	if strings.HasSuffix(r.URL.Path, "/content") {
		return d.content(w, r, strings.TrimSuffix(id, "/content"))
	}
	q, err := rest.Query[placeQuery](r)
	if err != nil {
		return err
	}
	if err := merge([]error{q.check(), file.CheckID(id, "path", "file_id")}); err != nil {
		return err
	}
	found, err := d.Files.Find(r.Context(), q.place(), id)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, found)
}

func (d Deps) content(w http.ResponseWriter, r *http.Request, id string) error {
	q, err := rest.Query[contentQuery](r)
	if err != nil {
		return err
	}
	if err := merge([]error{file.CheckScope(q.Scope, "query", "scope_id"), file.CheckID(id, "path", "file_id")}); err != nil {
		return err
	}
	c, err := d.Files.Open(r.Context(), file.Place{Namespace: q.Namespace, Scope: q.Scope}, id)
	if err != nil {
		return err
	}
	return send(w, r, c, q.Disposition)
}

// send answers with a file's content; how is the disposition, inline or attachment.
func send(w http.ResponseWriter, r *http.Request, c *file.Content, how string) error {
	defer c.Body.Close()
	return rest.Content{MediaType: c.MediaType, Disposition: rest.Disposition(how, path.Base(c.Filename)), ETag: c.ETag,
		Modified: c.CreatedAt, Size: c.SizeBytes, Body: c.Body}.Send(w, r)
}

type received struct {
	Type string `json:"type"`
}

// receive stores the body of a signed upload.
func (d Deps) receive(w http.ResponseWriter, r *http.Request) error {
	key := r.PathValue("key")
	size, err := d.Key.Check(r.Method, key, r.URL.Query(), d.Now())
	if err != nil {
		return err
	}
	if r.ContentLength >= 0 && r.ContentLength != size {
		return fault.New(fault.Invalid, "the body has %d bytes; the request was signed for %d", r.ContentLength, size)
	}
	if err := d.Files.Receive(r.Context(), key, http.MaxBytesReader(w, r.Body, size+1)); err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, received{"file_received"})
}

// show sends an object to the holder of a signed URL.
func (d Deps) show(w http.ResponseWriter, r *http.Request) error {
	key := r.PathValue("key")
	if _, err := d.Key.Check("GET", key, r.URL.Query(), d.Now()); err != nil {
		return err
	}
	c, err := d.Files.Object(r.Context(), key)
	if err != nil {
		return err
	}
	kind, disposition := signedurl.Replaced(r.URL.Query())
	if disposition == "" {
		return send(w, r, c, "attachment")
	}
	defer c.Body.Close()
	return rest.Content{MediaType: kind, Disposition: disposition, ETag: c.ETag, Modified: c.CreatedAt, Size: c.SizeBytes,
		Body: c.Body}.Send(w, r)
}
