package stack_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"lectern/shared/app/config"
)

// inCloud are the settings that a function must be given when it asks for what
// they say, because their defaults are for one process on one machine, by the
// fields of config.Config. What is not here has a default that holds anywhere.
var inCloud = map[string]string{
	"Objects": "LECTERN_OBJECTS", "Records": "LECTERN_RECORDS", "Index": "LECTERN_INDEX", "Tasks": "LECTERN_TASKS", "Embedding": "LECTERN_EMBEDDING", "Chat": "LECTERN_CHAT",
	"SealKey": "LECTERN_SEAL_KEY", "WebhookSecret": "LECTERN_WEBHOOK_SECRET", "EventBus": "LECTERN_EVENT_BUS", "ReadFunction": "LECTERN_READ_FUNCTION", "ToolFunction": "LECTERN_TOOL_FUNCTION",
	"Rerank": "LECTERN_RERANK", "SearchWeb": "LECTERN_SEARCH_WEB", "BraveKey": "BRAVE_API_KEY", "TavilyKey": "TAVILY_API_KEY",
}

// chosen are the settings that are given where the environment names what they
// say, and nowhere else.
func (d deployment) chosen() map[string]bool {
	return map[string]bool{
		"LECTERN_RERANK": d.Rerank != "", "LECTERN_SEARCH_WEB": d.SearchWeb != "", "BRAVE_API_KEY": d.SearchWeb == "brave:", "TAVILY_API_KEY": d.SearchWeb == "tavily:",
	}
}

// source is what the functions of a package mention: each other, those of
// package app, and fields of the settings.
type source map[string][]string

// parse reads a package. Files that functions do not link, those with embedded
// drivers, are left out.
func parse(t *testing.T, dir, config string) source {
	t.Helper()
	packages, err := parser.ParseDir(token.NewFileSet(), dir, func(f fs.FileInfo) bool {
		return !strings.HasSuffix(f.Name(), "_test.go") && f.Name() != "embedded.go" && f.Name() != "cloud.go"
	}, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := source{}
	for _, p := range packages {
		for _, f := range p.Files {
			for _, decl := range f.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
					s[fn.Name.Name] = append(s[fn.Name.Name], mentions(fn.Body, config)...)
				}
			}
		}
	}
	return s
}

// parts are the packages that mains put functions together with, by the names
// that they have there: f is a function's own methods, and p are those of its
// process, which are methods of f too.
var parts = map[string]string{
	"app": "../../shared/app", "f": "../../shared/app/function", "p": "../../shared/app/process", "reading": "../../shared/app/process/reading", "toolset": "../../shared/app/process/toolset",
}

// settings are how the parts name the settings; p.Config where nothing is said.
var settings = map[string]string{"app": "c", "f": "f.Config"}

// mentions are app.X, f.X and the like and X(…) as names, and config.X as
// "field X".
func mentions(body ast.Node, config string) []string {
	var found []string
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x := flat(n.X)
			if x == "f.Process" {
				x = "p"
			}
			if x == config {
				found = append(found, "field "+n.Sel.Name)
			} else if parts[x] != "" {
				found = append(found, x+"."+n.Sel.Name)
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok {
				found = append(found, id.Name)
			}
		}
		return true
	})
	return found
}

func flat(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return flat(e.X) + "." + e.Sel.Name
	}
	return ""
}

// asked returns the settings that a main asks for, through whatever it calls.
func asked(t *testing.T, main string) []string {
	t.Helper()
	sources := map[string]source{}
	for part, dir := range parts {
		sources[part] = parse(t, dir, cmp.Or(settings[part], "p.Config"))
	}
	fields, seen := map[string]bool{}, map[string]bool{}
	var follow func(in string, names []string)
	follow = func(in string, names []string) {
		for _, name := range names {
			if field, ok := strings.CutPrefix(name, "field "); ok {
				fields[field] = true
				continue
			}
			at, rest, dotted := strings.Cut(name, ".")
			if !dotted {
				at, rest = in, name
			}
			if at == "f" && sources[at][rest] == nil {
				at = "p"
			}
			if key := at + "." + rest; !seen[key] {
				seen[key] = true
				follow(at, sources[at][rest])
			}
		}
	}
	for _, found := range parse(t, main, "f.Config") {
		follow("main", found)
	}
	var names []string
	for field := range fields {
		if name := inCloud[field]; name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// given: each function is given what its main asks for and the defaults do not
// say, and no more; and nothing that the service does not know.
func (d deployment) given(t *testing.T) {
	known := map[string]bool{"AWS_ENDPOINT_URL": true} // the SDK's own
	for _, s := range config.Settings() {
		known[s.Name] = true
	}
	for id, f := range d.service.of("AWS::Lambda::Function") {
		variables, _ := at(f.Properties, "Environment", "Variables").(map[string]any)
		name := strings.ToLower(id)
		dir := "../../functions/" + name + "/lambda"
		for _, kind := range []string{"worker", "sweep", "setup"} {
			if group, ok := strings.CutSuffix(name, kind); ok {
				dir = "../../functions/" + group + "/" + kind
			}
		}
		want := asked(t, dir)
		want = slices.DeleteFunc(want, func(setting string) bool { given, choice := d.chosen()[setting]; return choice && !given })
		var got []string
		for _, setting := range sortedKeys(variables) {
			if !known[setting] {
				t.Errorf("%s is given %s, which nothing reads", id, setting)
			}
			if slices.Contains(slices.Collect(maps.Values(inCloud)), setting) {
				got = append(got, setting)
			}
		}
		if missing := without(want, got); len(missing) > 0 {
			t.Errorf("%s asks for %v and is not given it", id, missing)
		}
		if surplus := without(got, want); len(surplus) > 0 {
			t.Errorf("%s is given %v and does not ask for it", id, surplus)
		}
		if d.LookAlike() && variables["AWS_ENDPOINT_URL"] != d.Endpoint {
			t.Errorf("%s reaches AWS at %v", id, variables["AWS_ENDPOINT_URL"])
		}
		for _, setting := range []string{"LECTERN_SEAL_KEY", "LECTERN_WEBHOOK_SECRET", "SERVER_AUTH_SECRET", "OPENAI_API_KEY", "BRAVE_API_KEY", "TAVILY_API_KEY"} {
			if v, ok := variables[setting]; ok && !strings.HasPrefix(fmt.Sprint(v), "ssm:") && !strings.HasPrefix(fmt.Sprint(v), "secretsmanager:") {
				t.Errorf("%s holds the secret %s itself", id, setting)
			}
		}
	}
}

func without(list, drop []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(drop, s) })
}
