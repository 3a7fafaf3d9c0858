package functions_test

import (
	"os"
	"strings"
	"testing"

	"lectern/functions/artifacts"
	"lectern/functions/embeddings"
	"lectern/functions/files"
	"lectern/functions/mcp"
	"lectern/functions/messages"
	"lectern/functions/models"
	"lectern/functions/primitives"
	"lectern/functions/skills"
	"lectern/functions/streams"
	"lectern/functions/tools"
	"lectern/shared/api/rest"
)

// TestCreatingGroupsKeep: a function whose routes create something makes them
// safe to repeat, and no other carries what that takes.
func TestCreatingGroupsKeep(t *testing.T) {
	for name, routes := range map[string][]rest.Route{
		"artifacts": artifacts.Deps{}.Routes(), "embeddings": embeddings.Deps{}.Routes(), "files": files.Deps{}.Routes(), "mcp": mcp.Deps{}.Routes(), "messages": messages.Deps{}.Routes(),
		"models": models.Deps{}.Routes(), "primitives": primitives.Deps{}.Routes(), "skills": skills.Deps{}.Routes(), "streams": streams.Deps{}.Routes(), "tools": tools.Deps{}.Routes(),
	} {
		creates := false
		for _, r := range routes {
			creates = creates || r.Creates
		}
		main, err := os.ReadFile(name + "/lambda/main.go")
		if err != nil {
			t.Fatal(err)
		}
		if keeps := strings.Contains(string(main), "f.Keep("); keeps != creates {
			t.Errorf("the function of %s keeps answers: %v, but creates something: %v", name, keeps, creates)
		}
	}
}
