package toolset_test

import (
	"log/slog"
	"slices"
	"testing"

	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/app/toolset"
)

// TestTable: the table of tools places exactly those in the function of tools
// that this package makes, with and without a search engine.
func TestTable(t *testing.T) {
	for _, engine := range []string{"", "searxng+http://127.0.0.1:1"} {
		p := app.New(&config.Config{SearchWeb: engine}, slog.New(slog.DiscardHandler))
		if err := p.Open(t.Context(), app.WebSearch); err != nil {
			t.Fatal(err)
		}
		var listed, made []string
		for _, row := range app.Tools(p.Config) {
			if row.Runs == app.InTools {
				listed = append(listed, row.Type)
			}
		}
		for _, tool := range toolset.New(p, app.NewLibrary(p), nil, nil).List() {
			made = append(made, tool.Type())
		}
		slices.Sort(listed)
		slices.Sort(made)
		if !slices.Equal(listed, made) {
			t.Errorf("with the engine %q the table lists %v, and %v are made", engine, listed, made)
		}
	}
}

// TestHere: the tools that the table places in every chat process are those that
// an engine has without further ones.
func TestHere(t *testing.T) {
	c, err := config.Load(func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	p := app.New(c, slog.New(slog.DiscardHandler))
	engine := app.NewEngine(p, &app.Library{}, nil, nil)
	for _, row := range app.Tools(c) {
		if _, has := engine.Tools[row.Type]; has != (row.Runs == app.InChat) {
			t.Errorf("the engine has %s: %v, and the table places it at %d", row.Type, has, row.Runs)
		}
	}
}
