package files

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/fault"
	"lectern/shared/file"
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
	send(w, r, q.Disposition, c)
	return nil
}

// guard keeps a browser from running uploaded content: no type sniffing, no
// scripts, no forms, no subresources.
func guard(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, no-cache")
}

// send answers with the content, or the requested ranges of it, and closes it.
// how is the disposition: inline or attachment.
func send(w http.ResponseWriter, r *http.Request, how string, c *file.Content) {
	defer c.Body.Close()
	h := w.Header()
	guard(h)
	h.Set("Content-Type", c.MediaType)
	h.Set("Content-Disposition", disposition(how, path.Base(c.Filename)))
	h.Set("ETag", `"`+c.ETag+`"`)
	checked := &ranged{ResponseWriter: w}
	http.ServeContent(checked, r, "", c.CreatedAt.Truncate(time.Second), c.Body)
	if checked.outside {
		for _, name := range []string{"Content-Disposition", "Content-Security-Policy", "Cache-Control", "ETag", "Last-Modified"} {
			h.Del(name)
		}
		rest.WriteError(w, r, fault.New(fault.OutOfRange, "the requested range lies outside the file of %d bytes", c.SizeBytes))
	}
}

// ranged replaces the plain text that http.ServeContent sends with status 416
// by the standard error body.
type ranged struct {
	http.ResponseWriter
	outside bool
}

func (w *ranged) WriteHeader(status int) {
	if status == http.StatusRequestedRangeNotSatisfiable {
		w.outside = true
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *ranged) Write(p []byte) (int, error) {
	if w.outside {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// disposition gives the file name twice: in ASCII for old clients, and in full.
//
// Source: RFC 6266, appendix D.
func disposition(kind, name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' || r == '%' {
			return '_'
		}
		return r
	}, name)
	out := kind + `; filename="` + plain + `"`
	if plain == name {
		return out
	}
	return out + "; filename*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
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
	send(w, r, "attachment", c)
	return nil
}
