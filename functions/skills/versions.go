package skills

import (
	"net/http"
	"strconv"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/chat/skill"
)

// shownVersion is the API's SkillVersion.
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

// versionFields are the values of a form that brings a version.
//
// Source: API "Skills".
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

func (d Deps) versions(w http.ResponseWriter, r *http.Request) error {
	q, err := rest.Query[pageQuery](r)
	if err != nil {
		return err
	}
	if err := skill.CheckCollection(r.Context(), q.Collection, "query", "collection"); err != nil {
		return err
	}
	found, next, err := d.Skills.Versions(r.Context(), q.Collection, r.PathValue("skill_id"), q.Page, q.Limit)
	if err != nil {
		return err
	}
	data := make([]shownVersion, len(found))
	for i, v := range found {
		data[i] = showVersion(v)
	}
	return rest.Write(w, http.StatusOK, newList(data, next))
}

func (d Deps) find(r *http.Request) (string, *skill.Version, error) {
	collection, err := in(r)
	if err != nil {
		return "", nil, err
	}
	v, err := d.Skills.Version(r.Context(), collection, r.PathValue("skill_id"), r.PathValue("version"))
	return collection, v, err
}

func (d Deps) version(w http.ResponseWriter, r *http.Request) error {
	_, v, err := d.find(r)
	if err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, showVersion(v))
}

// content sends a version's files as a zip.
func (d Deps) content(w http.ResponseWriter, r *http.Request) error {
	collection, v, err := d.find(r)
	if err != nil {
		return err
	}
	data, err := d.Skills.Archive(r.Context(), collection, v)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	h.Set("Content-Disposition", `attachment; filename="`+v.Name+`.zip"`) // the name's form is checked
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)
	w.Write(data)
	return nil
}

func (d Deps) removeVersion(w http.ResponseWriter, r *http.Request) error {
	collection, err := in(r)
	if err != nil {
		return err
	}
	version := r.PathValue("version")
	if err := d.Skills.DeleteVersion(r.Context(), collection, r.PathValue("skill_id"), version); err != nil {
		return err
	}
	return rest.Write(w, http.StatusOK, deleted{version, "skill_version_deleted"})
}
