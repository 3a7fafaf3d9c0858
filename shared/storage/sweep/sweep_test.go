package sweep_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"lectern/shared/storage/sweep"
)

func TestWithheld(t *testing.T) {
	for _, tc := range []struct {
		name  string
		guard sweep.Guard
		count sweep.Count
		want  string
	}{
		{"nothing to free", sweep.Guard{}, sweep.Count{Looked: 3}, ""},
		{"a third", sweep.Guard{}, sweep.Count{Looked: 3, Orphans: 1, Known: true}, ""},
		{"over a third", sweep.Guard{}, sweep.Count{Looked: 5, Orphans: 2, Known: true}, "third"},
		{"over a third, on the operator's word", sweep.Guard{All: true}, sweep.Count{Looked: 5, Orphans: 2, Known: true}, ""},
		{"explained leftovers are no orphans", sweep.Guard{}, sweep.Count{Looked: 5, Explained: 5, Known: true}, ""},
		{"an empty registry", sweep.Guard{All: true}, sweep.Count{Looked: 100, Orphans: 1}, "empty"},
		{"a damaged registry", sweep.Guard{All: true}, sweep.Count{Looked: 100, Orphans: 1, Damaged: 1, Known: true}, "read"},
	} {
		if got := tc.guard.Withheld(tc.count); (got == "") != (tc.want == "") || !strings.Contains(got, tc.want) {
			t.Errorf("%s: Withheld = %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestReport(t *testing.T) {
	var out bytes.Buffer
	g := sweep.Guard{Log: slog.New(slog.NewTextHandler(&out, nil))}
	g.Report(t.Context(), sweep.Count{Of: "documents", Looked: 10, Orphans: 9, Explained: 1, Known: true}, 1)
	for _, want := range []string{"level=WARN", "of=documents", "looked_at=10", "freed=1", "left=9", "unnamed=9", "LECTERN_SWEEP=all"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the log lacks %s: %s", want, out.String())
		}
	}
}
