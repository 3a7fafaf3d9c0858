package localtask_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"lectern/shared/fault"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/localtask"
)

// inOrder notes the jobs in the order in which they run.
type inOrder struct{ ran []string }

func (o *inOrder) Run(_ context.Context, d task.Delivery) error {
	o.ran = append(o.ran, d.Kind+" "+d.Owner)
	return nil
}

func (o *inOrder) Dead(context.Context, task.Job, error) error { return nil }

// TestTurns: a hundred jobs of one owner hold back neither another owner's nor those of
// another kind, and no owner may have more of a kind waiting than the bound.
func TestTurns(t *testing.T) {
	r := &inOrder{}
	q := open(t, records(t, filepath.Join(t.TempDir(), "records.db")), task.Table{"chat": r, "ingest": r, "callback": r},
		localtask.Options{Waiting: map[string]int{"chat": 100}})
	send := func(kind, owner string, i int) error {
		return q.Send(t.Context(), task.Job{Kind: kind, Owner: owner, ID: fmt.Sprint(i)}, 0)
	}
	for i := range 100 {
		if err := send("chat", "many", i); err != nil {
			t.Fatal(err)
		}
	}
	if err := send("chat", "many", 100); !fault.Is(err, fault.RateLimited) {
		t.Errorf("one more than the bound: %v, want RateLimited", err)
	}
	for _, job := range [][2]string{{"chat", "one"}, {"ingest", "many"}, {"callback", ""}} {
		if err := send(job[0], job[1], 0); err != nil {
			t.Errorf("%v: %v", job, err)
		}
	}
	if n, _ := q.RunDue(t.Context()); n != 103 {
		t.Errorf("%d jobs ran, want 103", n)
	}
	for _, job := range []string{"chat one", "ingest many", "callback "} {
		if at := slices.Index(r.ran, job); at < 0 || at > 5 {
			t.Errorf("%q ran as number %d of %d", job, at, len(r.ran))
		}
	}
	if err := send("chat", "many", 101); err != nil {
		t.Errorf("after the others are done: %v", err)
	}
}
