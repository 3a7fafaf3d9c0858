// Package skills is the HTTP face of skills and their versions.
package skills

import (
	"net/http"

	"lectern/shared/api/rest"
	"lectern/shared/chat/skill"
)

// Deps are the group's collaborators.
type Deps struct{ Skills *skill.Service }

// New returns the group's handler.
func New(d Deps) http.Handler { return rest.Mux(d.Routes()) }

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	parts := []string{"collection", "display_title", "loading", "readonly", "files"}
	return []rest.Route{
		{Pattern: "POST /v1/skills", Creates: true, Handle: d.create, Doc: rest.Doc{Summary: "Keep a skill", Upload: parts, Answer: shown{}}},
		{Pattern: "POST /v1/skills/validate", Handle: d.validate, Doc: rest.Doc{Summary: "Check a skill's files and keep nothing", Upload: parts, Answer: skill.Verdict{}}},
		{Pattern: "GET /v1/skills", Handle: d.list, Doc: rest.Doc{Summary: "List skills, newest first", Query: listQuery{}, Answer: list[shown]{}}},
		{Pattern: "GET /v1/skills/{skill_id}", Handle: d.get, Doc: rest.Doc{Summary: "Describe a skill", Query: collectionQuery{}, Answer: shown{}}},
		{Pattern: "DELETE /v1/skills/{skill_id}", Handle: d.remove, Doc: rest.Doc{Summary: "Delete a skill with its versions", Query: collectionQuery{}, Answer: deleted{}}},
		{Pattern: "POST /v1/skills/{skill_id}/versions", Creates: true, Handle: d.addVersion, Doc: rest.Doc{Summary: "Keep a new version of a skill", Upload: []string{"collection", "files"}, Answer: shownVersion{}}},
		{Pattern: "GET /v1/skills/{skill_id}/versions", Handle: d.versions, Doc: rest.Doc{Summary: "List a skill's versions, newest first", Query: pageQuery{}, Answer: list[shownVersion]{}}},
		{Pattern: "GET /v1/skills/{skill_id}/versions/{version}", Handle: d.version, Doc: rest.Doc{Summary: "Describe a version", Query: collectionQuery{}, Answer: shownVersion{}}},
		{Pattern: "GET /v1/skills/{skill_id}/versions/{version}/content", Handle: d.content, Doc: rest.Doc{Summary: "Download a version's files", Query: collectionQuery{}, Media: "application/zip"}},
		{Pattern: "DELETE /v1/skills/{skill_id}/versions/{version}", Handle: d.removeVersion, Doc: rest.Doc{Summary: "Delete a version", Query: collectionQuery{}, Answer: deleted{}}},
	}
}
