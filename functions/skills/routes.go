// Package skills holds the endpoints of skills and their versions.
package skills

import (
	"lectern/shared/api/rest"
	"lectern/shared/chat/skill"
)

// Deps are the collaborators of the group.
type Deps struct{ Skills *skill.Service }

// Routes lists the group's endpoints.
func (d Deps) Routes() []rest.Route {
	return []rest.Route{
		{Pattern: "POST /v1/skills", Creates: true, Handle: rest.HandlerFunc(d.create), Doc: "Create a skill", Upload: skillForm{}, Answer: shown{}},
		{Pattern: "POST /v1/skills/validate", Handle: rest.HandlerFunc(d.validate), Doc: "Check a skill's files without storing them",
			Upload: skillForm{}, Answer: skill.Verdict{}},
		{Pattern: "GET /v1/skills", Handle: rest.JSON(d.list), Doc: "List skills, newest first"},
		{Pattern: "GET /v1/skills/{skill_id}", Handle: rest.JSON(d.get), Doc: "Describe a skill"},
		{Pattern: "DELETE /v1/skills/{skill_id}", Handle: rest.JSON(d.remove), Doc: "Delete a skill and its versions"},
		{Pattern: "POST /v1/skills/{skill_id}/versions", Creates: true, Handle: rest.HandlerFunc(d.addVersion),
			Doc: "Create a version of a skill", Upload: versionForm{}, Answer: shownVersion{}},
		{Pattern: "GET /v1/skills/{skill_id}/versions", Handle: rest.JSON(d.versions), Doc: "List a skill's versions, newest first"},
		{Pattern: "GET /v1/skills/{skill_id}/versions/{version}", Handle: rest.JSON(d.version), Doc: "Describe a version"},
		{Pattern: "GET /v1/skills/{skill_id}/versions/{version}/content", Handle: rest.HandlerFunc(d.content),
			Doc: "Download a version's files", Query: versionQuery{}, Media: "application/zip"},
		{Pattern: "DELETE /v1/skills/{skill_id}/versions/{version}", Handle: rest.JSON(d.removeVersion), Doc: "Delete a version"},
	}
}
