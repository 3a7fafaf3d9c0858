package skills

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/chat/skill"
)

// shownVersion is a version of a skill.
type shownVersion struct {
	ID          string    `json:"id"`
	Type        string    `json:"type"`
	CreatedAt   time.Time `json:"created_at"`
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Directory   string    `json:"directory"`
	SkillID     string    `json:"skill_id"`
	Version     string    `json:"version"`
}

func showVersion(v *skill.Version) shownVersion {
	return shownVersion{ID: v.ID, Type: "skill_version", CreatedAt: v.Created, Name: v.Name, Description: v.Description,
		Directory: v.Directory, SkillID: v.SkillID, Version: v.Token}
}

// versionFields are the form values of a new version.
type versionFields struct {
	Collection string `json:"collection" required:"true" minlen:"1" maxlen:"255"`
}

func (d Deps) addVersion(w http.ResponseWriter, r *http.Request) error {
	var f versionFields
	parts, err := read(w, r, &f)
	if err != nil {
		return err
	}
	if err := skill.CheckCollection(r.Context(), f.Collection, "form", "collection"); err != nil {
		return err
	}
	v, err := d.Skills.AddVersion(r.Context(), f.Collection, r.PathValue("skill_id"), parts)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, showVersion(v))
}

// versionsQuery is a page of a skill's versions.
type versionsQuery struct {
	pageQuery
	ID string `json:"-" path:"skill_id"`
}

func (d Deps) versions(ctx context.Context, q *versionsQuery) (list[shownVersion], error) {
	if err := inCollection(ctx, q.Collection); err != nil {
		return list[shownVersion]{}, err
	}
	found, next, err := d.Skills.Versions(ctx, q.Collection, q.ID, q.Page, q.Limit)
	if err != nil {
		return list[shownVersion]{}, err
	}
	data := make([]shownVersion, len(found))
	for i, v := range found {
		data[i] = showVersion(v)
	}
	return newList(data, next), nil
}

// versionQuery names a version of a skill.
type versionQuery struct {
	Collection string `json:"collection" default:"default" minlen:"1" maxlen:"255"`
	ID         string `json:"-" path:"skill_id"`
	Version    string `json:"-" path:"version"`
}

func (d Deps) find(ctx context.Context, q *versionQuery) (*skill.Version, error) {
	if err := inCollection(ctx, q.Collection); err != nil {
		return nil, err
	}
	return d.Skills.Version(ctx, q.Collection, q.ID, q.Version)
}

func (d Deps) version(ctx context.Context, q *versionQuery) (shownVersion, error) {
	v, err := d.find(ctx, q)
	if err != nil {
		return shownVersion{}, err
	}
	return showVersion(v), nil
}

// content sends a version's files as a zip.
func (d Deps) content(w http.ResponseWriter, r *http.Request) error {
	q, err := rest.Query[versionQuery](r)
	if err != nil {
		return err
	}
	q.ID, q.Version = r.PathValue("skill_id"), r.PathValue("version")
	v, err := d.find(r.Context(), q)
	if err != nil {
		return err
	}
	data, err := d.Skills.Archive(r.Context(), q.Collection, v)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	h.Set("Content-Disposition", `attachment; filename="`+v.Name+`.zip"`) // names need no escaping: they are validated
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)
	w.Write(data)
	return nil
}

func (d Deps) removeVersion(ctx context.Context, q *versionQuery) (deleted, error) {
	if err := inCollection(ctx, q.Collection); err != nil {
		return deleted{}, err
	}
	return deleted{q.Version, "skill_version_deleted"}, d.Skills.DeleteVersion(ctx, q.Collection, q.ID, q.Version)
}
