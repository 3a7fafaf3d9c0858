package stack_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"lectern/functions"
	"lectern/shared/app/config"
)

// wanted are the settings that a function must be given: those that say what its
// row of the table names, because their defaults are for one process on one
// machine. What the environment does not choose is given to nobody.
func (d deployment) wanted(f functions.Function) []string {
	n := f.Needs
	var names []string
	for name, needed := range map[string]bool{
		"LECTERN_OBJECTS": n.Objects != functions.None, "LECTERN_RECORDS": n.Records != functions.None, "LECTERN_INDEX": n.Index != functions.None,
		"LECTERN_EMBEDDING": n.Embeds || n.Models || n.Index != functions.None, "LECTERN_CHAT": n.Models,
		"LECTERN_TASKS": len(n.Sends) > 0 || n.Consumes != "", "LECTERN_SEAL_KEY": n.Seals, "LECTERN_WEBHOOK_SECRET": n.Callbacks,
		"LECTERN_EVENT_BUS": n.Callbacks, "LECTERN_METRICS": f.Name == "messages" || f.Name == "messages-worker",
		"LECTERN_READ_FUNCTION": slices.Contains(n.Asks, "artifacts"), "LECTERN_TOOL_FUNCTION": slices.Contains(n.Asks, "tools"),
		"LECTERN_STRICT_MODELS": n.Models && d.StrictModels, "SERVER_AUTH_ENABLED": d.serves(f) && d.Authenticate,
		"LECTERN_KEYS": d.serves(f) && d.Authenticate, "LECTERN_AUTHORIZER": d.serves(f) && d.Authorizer != "", "LECTERN_CORS_ORIGIN": d.serves(f),
		"LECTERN_RERANK": n.Ranks && d.Rerank != "", "LECTERN_SEARCH_WEB": n.OffersWeb && d.SearchWeb != "",
		"BRAVE_API_KEY": n.SearchesWeb && d.SearchWeb == "brave:", "TAVILY_API_KEY": n.SearchesWeb && d.SearchWeb == "tavily:",
	} {
		if needed {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// serves: functions of groups answer callers; their names have no second part.
func (d deployment) serves(f functions.Function) bool { return !strings.Contains(f.Name, "-") }

// everywhere are settings that do not follow from what a function needs.
var everywhere = []string{"GOGC", "GOMEMLIMIT", "LECTERN_DATA", "LECTERN_BUFFERED", "LECTERN_BASE_PATH", "AWS_ENDPOINT_URL"}

// given: each function is given what its row names and the environment's own
// settings, no more, and nothing that the service does not know.
func (d deployment) given(t *testing.T) {
	known := map[string]bool{"AWS_ENDPOINT_URL": true, "GOGC": true, "GOMEMLIMIT": true} // the SDK's and the runtime's own
	for _, s := range config.Settings() {
		known[s.Name] = true
	}
	rows := map[string]functions.Function{}
	for _, f := range functions.Functions() {
		rows[strings.ReplaceAll(f.Name, "-", "")] = f
	}
	all := d.service.of("AWS::Lambda::Function")
	maps.Copy(all, d.state.of("AWS::Lambda::Function"))
	for id, f := range all {
		variables, _ := at(f.Properties, "Environment", "Variables").(map[string]any)
		row, ok := rows[strings.ToLower(id)]
		if !ok {
			t.Errorf("%s has no row in the table of functions", id)
			continue
		}
		var got []string
		for _, setting := range sortedKeys(variables) {
			if !known[setting] {
				t.Errorf("%s is given %s, which nothing reads", id, setting)
			}
			if _, own := d.Settings[setting]; !own && !slices.Contains(everywhere, setting) {
				got = append(got, setting)
			}
		}
		want := slices.DeleteFunc(d.wanted(row), func(setting string) bool { _, own := d.Settings[setting]; return own })
		if missing := without(want, got); len(missing) > 0 {
			t.Errorf("%s asks for %v and is not given it", id, missing)
		}
		if surplus := without(got, want); len(surplus) > 0 {
			t.Errorf("%s is given %v and does not ask for it", id, surplus)
		}
		if variables["GOGC"] != "400" || variables["GOMEMLIMIT"] != fmt.Sprintf("%dMiB", row.MemoryMB*9/10) {
			t.Errorf("%s of %d MB collects at %v %% and %v", id, row.MemoryMB, variables["GOGC"], variables["GOMEMLIMIT"])
		}
		if d.LookAlike() && variables["AWS_ENDPOINT_URL"] != d.Endpoint {
			t.Errorf("%s reaches AWS at %v", id, variables["AWS_ENDPOINT_URL"])
		}
		for _, setting := range []string{"LECTERN_SEAL_KEY", "LECTERN_WEBHOOK_SECRET", "LECTERN_KEYS", "SERVER_AUTH_SECRET", "OPENAI_API_KEY", "BRAVE_API_KEY",
			"TAVILY_API_KEY"} {
			if v, ok := variables[setting]; ok && !strings.HasPrefix(fmt.Sprint(v), "ssm:") && !strings.HasPrefix(fmt.Sprint(v), "secretsmanager:") {
				t.Errorf("%s holds the secret %s itself", id, setting)
			}
		}
	}
}

func without(list, drop []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(drop, s) })
}
