package files

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/fault"
	"lectern/shared/file"
)

// placeQuery names the scope and namespace of a file.
type placeQuery struct {
	Scope     string `json:"scope_id" required:"true" doc:"the session, or container, that the file belongs to"`
	Namespace string `json:"namespace" default:"session"`
}

func (q *placeQuery) place() file.Place { return file.Place{Namespace: q.Namespace, Scope: q.Scope} }

func (q *placeQuery) check() error { return file.CheckScope(q.Scope, "query", "scope_id") }

type listQuery struct {
	Scope     string  `json:"scope_id" required:"true" doc:"the session, or container, whose files are listed"`
	Namespace string  `json:"namespace" default:"session"`
	Limit     int     `json:"limit" default:"20" min:"1" max:"1000"`
	After     *string `json:"after_id,omitempty"`
	Before    *string `json:"before_id,omitempty"`
	Page      *string `json:"page,omitempty" doc:"cursor: next_page of the previous page; same as after_id"`
	Prefix    string  `json:"prefix,omitempty" doc:"list only ids with this prefix"`
}

type list struct {
	Data     []*file.Metadata `json:"data"`
	FirstID  *string          `json:"first_id"`
	LastID   *string          `json:"last_id"`
	HasMore  bool             `json:"has_more"`
	NextPage *string          `json:"next_page"`
}

func (d Deps) list(w http.ResponseWriter, r *http.Request) error {
	q, err := rest.Query[listQuery](r)
	if err != nil {
		return err
	}
	if err := file.CheckScope(q.Scope, "query", "scope_id"); err != nil {
		return err
	}
	if q.After == nil {
		q.After = q.Page
	}
	place := file.Place{Namespace: q.Namespace, Scope: q.Scope}
	values := r.URL.Query()
	if ids := slices.Concat(values["ids"], values["ids[]"]); len(ids) > 0 {
		return d.chosen(w, r, place, ids)
	}
	page, err := d.Files.List(r.Context(), file.Query{Place: place, After: q.After, Before: q.Before, Prefix: q.Prefix, Limit: q.Limit})
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, newList(page))
}

func newList(page *file.Page) list {
	out := list{Data: page.Files, HasMore: page.More}
	if n := len(page.Files); n > 0 {
		out.FirstID, out.LastID = &page.Files[0].ID, &page.Files[n-1].ID
		if page.More {
			out.NextPage = out.LastID
		}
	}
	return out
}

// maxIDs is how many files one list may name.
const maxIDs = 1000

// chosen lists the files that the client names and omits those that do not exist.
func (d Deps) chosen(w http.ResponseWriter, r *http.Request, place file.Place, ids []string) error {
	if len(ids) > maxIDs {
		return fault.Field("too_long", "List should have at most 1000 items", "query", "ids")
	}
	page := &file.Page{Files: []*file.Metadata{}}
	for _, id := range ids {
		f, err := d.Files.Find(r.Context(), place, id)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		page.Files = append(page.Files, f)
	}
	return rest.Write(w, http.StatusOK, newList(page))
}

// uploadQuery lists parameters that the form may hold instead.
type uploadQuery struct {
	Scope     string `json:"scope_id,omitempty" doc:"required, as a query parameter or in the form"`
	Namespace string `json:"namespace,omitempty" doc:"default: session"`
	Path      string `json:"path,omitempty" doc:"the file's id; a folder when it ends in a slash; uploads/<file name> when absent, without its folders where an SDK of Anthropic sends it"`
}

// uploadForm describes the parts of an upload.
type uploadForm struct {
	File      string `json:"file" required:"true" format:"binary"`
	Scope     string `json:"scope_id,omitempty"`
	Path      string `json:"path,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Life      int    `json:"expires_in_seconds,omitempty" min:"1" max:"316224000"`
}

// maxLife is the longest lifetime of a file, in seconds: ten years.
const maxLife = 10 * 366 * 24 * 60 * 60

func (d Deps) upload(w http.ResponseWriter, r *http.Request) error {
	form, err := rest.ReadForm(w, r, rest.LargeBody)
	if err != nil {
		return err
	}
	q := r.URL.Query()
	value := func(name string) (string, string) {
		if form.Values.Has(name) {
			return form.Values.Get(name), "form"
		}
		return q.Get(name), "query"
	}
	scope, scopeFrom := value("scope_id")
	namespace, _ := value("namespace")
	if namespace == "" {
		namespace = file.DefaultNamespace
	}
	given, pathFrom := value("path")
	var problems []error
	life := 0
	if text, from := value("expires_in_seconds"); text != "" {
		if life, err = strconv.Atoi(text); err != nil || life < 1 || life > maxLife {
			problems = append(problems, fault.Field("int_parsing", fmt.Sprintf("Input should be an integer from 1 to %d", maxLife), from,
				"expires_in_seconds"))
		}
	}
	if scope == "" && !form.Values.Has("scope_id") && !q.Has("scope_id") {
		problems = append(problems, fault.Field("missing", "Field required", "query", "scope_id"))
	} else {
		problems = append(problems, file.CheckScope(scope, scopeFrom, "scope_id"))
	}
	sent, found := sentFile(form)
	id := ""
	switch {
	case !found:
		problems = append(problems, fault.Field("missing", "the form needs a part 'file'", "form", "file"))
	default:
		if given == "" && ofSDK(r) {
			sent.Name = path.Base(strings.ReplaceAll(sent.Name, `\`, "/"))
		}
		id = file.PathOf(given, sent.Name)
		if given == "" {
			problems = append(problems, file.CheckID(id, "form", "file"))
		} else {
			problems = append(problems, file.CheckID(id, pathFrom, "path"))
		}
	}
	if err := merge(problems); err != nil {
		return err
	}
	kept, err := d.Files.Put(r.Context(), file.Place{Namespace: namespace, Scope: scope}, id, sent.Data,
		file.PutOptions{Life: time.Duration(life) * time.Second})
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, kept)
}

// sentFile returns the file of a form. One without a file name, which clients send of
// data that is no file of theirs, is "unnamed" with the extension of its content.
func sentFile(form *rest.Form) (rest.FormFile, bool) {
	var sent rest.FormFile
	if at := slices.IndexFunc(form.Files, func(f rest.FormFile) bool { return f.Field == "file" }); at >= 0 {
		sent = form.Files[at]
	} else if !form.Values.Has("file") {
		return sent, false
	} else {
		sent.Data = []byte(form.Values.Get("file"))
	}
	if sent.Name == "" {
		sent.Name = file.Unnamed(sent.Data)
	}
	return sent, true
}

// merge combines the problems of several faults into one fault.
func merge(list []error) error {
	var problems []fault.Problem
	for _, err := range list {
		if f := fault.As(err); f != nil {
			problems = append(problems, f.Problems...)
		}
	}
	if len(problems) == 0 {
		return errors.Join(list...)
	}
	return fault.Problems(problems)
}

type deleted struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

type fileQuery struct {
	placeQuery
	ID string `json:"-" path:"file_id"`
}

func (q *fileQuery) check() error {
	return merge([]error{q.placeQuery.check(), file.CheckID(q.ID, "path", "file_id")})
}

func (d Deps) remove(ctx context.Context, q *fileQuery) (deleted, error) {
	if err := q.check(); err != nil {
		return deleted{}, err
	}
	id, err := d.Files.Delete(ctx, q.place(), q.ID)
	return deleted{id, "file_deleted"}, err
}

type scopeQuery struct {
	Scope string `json:"scope_id,omitempty"`
}

type signBody struct {
	file.UploadBody
	Query string `json:"-" query:"scope_id"`
}

func (d Deps) sign(ctx context.Context, b *signBody) (*file.Upload, error) {
	if b.Scope == "" {
		b.Scope = b.Query
	}
	return d.Files.Sign(ctx, &b.UploadBody)
}
