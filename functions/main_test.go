package functions_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/functions"
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

// source is the main of a function.
func source(t *testing.T, name string) string {
	t.Helper()
	group, kind, ok := strings.Cut(name, "-")
	if !ok {
		kind = "lambda"
	}
	raw, err := os.ReadFile(group + "/" + kind + "/main.go")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestCreatingGroupsKeep: a function whose routes create something makes them
// safe to repeat, and no other links what that takes.
func TestCreatingGroupsKeep(t *testing.T) {
	for name, routes := range map[string][]rest.Route{
		"artifacts": artifacts.Deps{}.Routes(), "embeddings": embeddings.Deps{}.Routes(), "files": files.Deps{}.Routes(), "mcp": mcp.Deps{}.Routes(),
		"messages": messages.Deps{}.Routes(), "models": models.Deps{}.Routes(), "primitives": primitives.Deps{}.Routes(),
		"skills": skills.Deps{}.Routes(), "streams": streams.Deps{}.Routes(), "tools": tools.Deps{}.Routes(),
	} {
		creates := slices.ContainsFunc(routes, func(r rest.Route) bool { return r.Creates })
		if keeps := strings.Contains(source(t, name), "app.Keep("); keeps != creates {
			t.Errorf("the function of %s keeps answers: %v, but creates something: %v", name, keeps, creates)
		}
	}
}

// TestParts: each main opens what its row says that it needs, and nothing else.
func TestParts(t *testing.T) {
	opened := regexp.MustCompile(`\b(?:cloud|bus|machines|app|reading)\.(?:Objects|Records|Embedder|Index\w*|Models|Reranker|WebSearch|Sealer|Callbacks|Queue|Readers)\b`)
	for _, f := range functions.Functions() {
		n := f.Needs
		var want []string
		for part, needed := range map[string]bool{
			"cloud.Objects": n.Objects != functions.None, "cloud.Records": n.Records != functions.None, "cloud.Index": n.Index != functions.None,
			"app.Embedder": n.Embeds || n.Models || n.Index != functions.None, "app.Models": n.Models, "app.Reranker": n.Ranks, "app.WebSearch": n.SearchesWeb,
			"cloud.Sealer": n.Seals, "bus.Callbacks": n.Callbacks, "reading.Readers": f.PDF,
			"machines.Queue": f.Starts(), "cloud.Queue": len(n.Sends) > 0 && !f.Starts(),
		} {
			if needed {
				want = append(want, part)
			}
		}
		got := opened.FindAllString(source(t, f.Name), -1)
		for i, part := range got {
			if part == "cloud.IndexLookedAtOnce" {
				got[i] = "cloud.Index"
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s opens other parts than its row names (-row +main):\n%s", f.Name, diff)
		}
		asks := strings.Contains(source(t, f.Name), "cloud.Engine(") || strings.Contains(source(t, f.Name), "cloud.Reader(")
		if asks != (len(n.Asks) > 0) || n.OffersWeb && !n.Models {
			t.Errorf("%s asks other functions: %v; its row names %v", f.Name, asks, n.Asks)
		}
	}
}
