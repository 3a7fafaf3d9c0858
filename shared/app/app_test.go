package app_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"

	"lectern/shared/app"
	"lectern/shared/app/config"
	"lectern/shared/knowledge/embedding"
	"lectern/shared/knowledge/embedding/hashembedding"
)

// TestOpen: parts open in order, and close in reverse: all of them, once, when
// one fails.
func TestOpen(t *testing.T) {
	var did []string
	part := func(name string, err error) app.Part {
		return func(_ context.Context, p *app.Process) error {
			if err != nil {
				return app.Of("LECTERN_"+name, err)
			}
			did = append(did, "open "+name)
			p.OnClose(func() error { did = append(did, "close "+name); return nil })
			return nil
		}
	}
	p := app.New(&config.Config{}, slog.New(slog.DiscardHandler))
	broken := errors.New("no such place")
	err := p.Open(t.Context(), part("A", nil), part("B", nil), part("C", broken), part("D", nil))
	if !errors.Is(err, broken) || err.Error() != "LECTERN_C: no such place" {
		t.Errorf("Open = %v, want the error of C, which names its setting", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
	if want := []string{"open A", "open B", "close B", "close A"}; !slices.Equal(did, want) {
		t.Errorf("did %v, want %v", did, want)
	}
}

// TestOwner: nobody guesses the name under which a process holds leases.
func TestOwner(t *testing.T) {
	a, b := app.New(&config.Config{}, nil), app.New(&config.Config{}, nil)
	if a.Owner == b.Owner || len(a.Owner) < 16 {
		t.Errorf("owners %q and %q", a.Owner, b.Owner)
	}
}

// slowEmbedder is too slow for documents.
type slowEmbedder struct{ embedding.Embedder }

func (slowEmbedder) Fast() bool   { return false }
func (slowEmbedder) Name() string { return "minilm" }

// TestProfile: where documents get no vectors, none are weighed or waited for.
func TestProfile(t *testing.T) {
	p := app.New(&config.Config{}, nil)
	if w := app.Profile(p).Weight; w != 0 {
		t.Errorf("without an embedder vectors weigh %v", w)
	}
	if p.Embedder = (slowEmbedder{}); app.Profile(p).Weight != 0 {
		t.Errorf("vectors of a processor that is too slow weigh %v", app.Profile(p).Weight)
	}
	if p.Embedder = hashembedding.New(); app.Profile(p).Weight != 0 {
		t.Errorf("vectors of hash: weigh %v", app.Profile(p).Weight)
	}
	if p.Embedder = (struct{ embedding.Embedder }{slowEmbedder{}}); app.Profile(p).Weight == 0 {
		t.Error("vectors of an embedder weigh nothing")
	}
}
