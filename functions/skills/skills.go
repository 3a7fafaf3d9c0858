package skills

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/api/schema"
	"lectern/shared/chat/skill"
)

// shown is a skill, with the field names of both API dialects.
type shown struct {
	ID              string    `json:"id"`
	Type            string    `json:"type"`
	DisplayTitle    string    `json:"display_title"`
	DisplayName     string    `json:"display_name"`
	LatestVersion   *string   `json:"latest_version"`
	LatestVersionID *string   `json:"latest_version_id"`
	Source          any       `json:"source" doc:"a string, or {type} for anthropic-version 2026-10-21 and later"`
	CreatedAt       time.Time `json:"created_at"`
	UpdatedAt       time.Time `json:"updated_at"`
	Collection      string    `json:"collection"`
	Loading         string    `json:"loading" enum:"lazy,eager"`
	ReadOnly        bool      `json:"readonly"`
}

// DescribeSchema describes the forms of source.
func (*shown) DescribeSchema(g *schema.Generator) schema.Doc {
	type plain shown
	kind := schema.Doc{"type": "string", "enum": []any{"custom", "vendor"}}
	return g.With(plain{}, map[string]schema.Doc{"source": schema.AnyOf(kind, schema.Doc{
		"type": "object", "properties": schema.Doc{"type": kind}, "required": []string{"type"},
		"description": "for anthropic-version 2026-10-21 and later",
	})})
}

// sourceObject is the first version of the API in which source is an object.
const sourceObject = "2026-10-21"

func show(version string, k *skill.Skill) shown {
	s := shown{ID: k.ID, Type: "skill", DisplayTitle: k.Title, DisplayName: k.Title, Source: "custom",
		CreatedAt: k.Created, UpdatedAt: k.Updated, Collection: k.Collection, Loading: k.Loading, ReadOnly: k.ReadOnly}
	if version >= sourceObject {
		s.Source = map[string]string{"type": "custom"}
	}
	if ref, ok := k.Latest(); ok {
		s.LatestVersion, s.LatestVersionID = &ref.Token, &ref.ID
	}
	return s
}

type list[T any] struct {
	Data     []T     `json:"data"`
	HasMore  bool    `json:"has_more"`
	NextPage *string `json:"next_page"`
}

func newList[T any](data []T, next string) list[T] {
	l := list[T]{Data: data, HasMore: next != ""}
	if l.HasMore {
		l.NextPage = &next
	}
	return l
}

// inCollection rejects a collection that the caller may not use.
func inCollection(ctx context.Context, collection string) error {
	return skill.CheckCollection(ctx, collection, "query", "collection")
}

// skillQuery names a skill.
type skillQuery struct {
	Collection string `json:"collection" default:"default" minlen:"1" maxlen:"255"`
	ID         string `json:"-" path:"skill_id"`
	Version    string `json:"-" header:"Anthropic-Version"` // of the API
}

// fields are the form values besides the files. The query may hold them too, for
// clients that set a parameter on every call.
type fields struct {
	Collection string `json:"collection" default:"default" minlen:"1" maxlen:"255"`
	Title      string `json:"display_title,omitempty" alias:"display_name" minlen:"1" maxlen:"255"`
	Loading    string `json:"loading" default:"lazy" enum:"lazy,eager"`
	ReadOnly   bool   `json:"readonly,omitempty"`
}

// skillForm and versionForm describe the parts of uploads.
type (
	skillForm struct {
		fields
		Files []string `json:"files" required:"true" format:"binary" doc:"the skill's files, named by their paths, or a zip archive"`
	}
	versionForm struct {
		Collection string   `json:"collection" required:"true" minlen:"1" maxlen:"255"`
		Files      []string `json:"files" required:"true" format:"binary" doc:"the skill's files, named by their paths, or a zip archive"`
	}
)

func read(w http.ResponseWriter, r *http.Request, into any) ([]skill.Part, error) {
	form, err := rest.ReadForm(w, r, rest.LargeBody)
	if err != nil {
		return nil, err
	}
	values := url.Values{}
	for name, v := range r.URL.Query() {
		values[name] = v
	}
	for name, v := range form.Values {
		values[name] = v
	}
	if err := schema.Values(values, into, "form"); err != nil {
		return nil, err
	}
	var parts []skill.Part
	for _, f := range form.Files {
		switch f.Field {
		case "files", "files[]", "file":
			parts = append(parts, skill.Part{Path: f.Name, Data: f.Data})
		}
	}
	return parts, nil
}

func (d Deps) create(w http.ResponseWriter, r *http.Request) error {
	var f fields
	parts, err := read(w, r, &f)
	if err != nil {
		return err
	}
	if err := skill.CheckCollection(r.Context(), f.Collection, "form", "collection"); err != nil {
		return err
	}
	k, err := d.Skills.Create(r.Context(), skill.Draft{Collection: f.Collection, Title: f.Title, Loading: f.Loading, ReadOnly: f.ReadOnly},
		parts)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, show(r.Header.Get("Anthropic-Version"), k))
}

func (d Deps) validate(w http.ResponseWriter, r *http.Request) error {
	var f fields
	parts, err := read(w, r, &f)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, skill.Validate(parts))
}

type listQuery struct {
	pageQuery
	Source  *string `json:"source,omitempty" doc:"custom lists the skills stored here; any other value lists none"`
	Version string  `json:"-" header:"Anthropic-Version"` // of the API
}

type pageQuery struct {
	Collection string `json:"collection" default:"default" minlen:"1" maxlen:"255"`
	Limit      int    `json:"limit" default:"20" min:"1" max:"1000"`
	Page       string `json:"page,omitempty" doc:"cursor: next_page of the previous page"`
}

func (d Deps) list(ctx context.Context, q *listQuery) (list[shown], error) {
	if err := inCollection(ctx, q.Collection); err != nil {
		return list[shown]{}, err
	}
	if q.Source != nil && *q.Source != "custom" {
		return newList([]shown{}, ""), nil
	}
	found, next, err := d.Skills.List(ctx, q.Collection, q.Page, q.Limit)
	if err != nil {
		return list[shown]{}, err
	}
	data := make([]shown, len(found))
	for i, k := range found {
		data[i] = show(q.Version, k)
	}
	return newList(data, next), nil
}

func (d Deps) get(ctx context.Context, q *skillQuery) (shown, error) {
	if err := inCollection(ctx, q.Collection); err != nil {
		return shown{}, err
	}
	k, err := d.Skills.Find(ctx, q.Collection, q.ID)
	if err != nil {
		return shown{}, err
	}
	return show(q.Version, k), nil
}

type deleted struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

func (d Deps) remove(ctx context.Context, q *skillQuery) (deleted, error) {
	if err := inCollection(ctx, q.Collection); err != nil {
		return deleted{}, err
	}
	return deleted{q.ID, "skill_deleted"}, d.Skills.Delete(ctx, q.Collection, q.ID)
}
