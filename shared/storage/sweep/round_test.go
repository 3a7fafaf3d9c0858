package sweep_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/shared/storage/object"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/storage/sweep"
)

// small is an object store whose pages hold ten objects.
type small struct{ object.Store }

func (s small) List(ctx context.Context, prefix, after string, _ int) ([]object.Info, string, error) {
	return s.Store.List(ctx, prefix, after, 10)
}

type world struct {
	*testing.T
	objects object.Store
	records record.Store
	lock    sync.Mutex // several are freed at once
	freed   []string
}

func newWorld(t *testing.T, n int) *world {
	t.Helper()
	records, err := boltrecord.Open(filepath.Join(t.TempDir(), "records.db"), boltrecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	objects, err := diskobject.Open(t.TempDir(), diskobject.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { records.Close(); objects.Close() })
	w := &world{T: t, objects: small{objects}, records: records}
	for i := range n {
		if _, err := objects.Put(t.Context(), fmt.Sprintf("things/%03d", i), strings.NewReader("x"), object.PutOptions{Size: 1}); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// run is a run of a sweep that has time for one page. Objects from first on are
// orphans.
func (w *world) run(g sweep.Guard, first int) {
	w.Helper()
	g.Until = time.Now().Add(-time.Second)
	judge := func(_ context.Context, o object.Info) (sweep.Verdict, error) {
		if o.Key >= fmt.Sprintf("things/%03d", first) {
			return sweep.Orphan, nil
		}
		return sweep.Named, nil
	}
	free := func(ctx context.Context, key string) (bool, error) {
		w.lock.Lock()
		w.freed = append(w.freed, key)
		w.lock.Unlock()
		return true, w.objects.Delete(ctx, key)
	}
	if err := g.Objects(w.Context(), w.records, w.objects, "things/", "things", time.Now(), true, judge, free); err != nil {
		w.Fatal(err)
	}
}

func (w *world) remembered() int {
	w.Helper()
	n := 0
	for _, err := range record.All(w.Context(), w.records, record.Range{Partition: "sweep"}) {
		if n++; err != nil {
			w.Fatal(err)
		}
	}
	return n
}

// TestRoundsGoOn: a sweep whose time is up goes on where it ended, and frees nothing
// before it has seen everything; at its end nothing of it is left in the records.
func TestRoundsGoOn(t *testing.T) {
	w := newWorld(t, 95)
	for i := range 10 {
		if len(w.freed) > 0 {
			t.Fatalf("run %d: %d were freed before the round was whole", i, len(w.freed))
		}
		w.run(sweep.Guard{}, 70)
	}
	for w.remembered() > 0 && len(w.freed) < 100 {
		w.run(sweep.Guard{}, 70)
	}
	if len(w.freed) != 25 || w.freed[0] < "things/070" {
		t.Errorf("%d were freed: %v; want the 25 orphans", len(w.freed), w.freed)
	}
}

// TestRoundsKeepTheThird: what runs count adds up: orphans over a third of everything
// stay, wherever they lie, but on an explicit word.
func TestRoundsKeepTheThird(t *testing.T) {
	for _, tc := range []struct {
		name  string
		guard sweep.Guard
		first int
		freed int
	}{
		{"a third", sweep.Guard{}, 60, 30},
		{"over a third", sweep.Guard{}, 59, 0},
		{"everything", sweep.Guard{}, 0, 0},
		{"over a third, on the operator's word", sweep.Guard{All: true}, 59, 31},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t, 90)
			var log bytes.Buffer
			tc.guard.Log = slog.New(slog.NewTextHandler(&log, nil))
			for range 40 {
				w.run(tc.guard, tc.first)
				if w.remembered() == 0 {
					break
				}
			}
			if len(w.freed) != tc.freed {
				t.Errorf("%d were freed, want %d", len(w.freed), tc.freed)
			}
			if !strings.Contains(log.String(), fmt.Sprintf("looked_at=90 freed=%d", tc.freed)) {
				t.Errorf("the log does not tell the counts of the whole round: %s", log.String())
			}
		})
	}
}

// TestForget: what an operator changes may make findings wrong.
func TestForget(t *testing.T) {
	w := newWorld(t, 30)
	w.run(sweep.Guard{}, 25)
	if w.remembered() == 0 {
		t.Fatal("nothing is remembered between runs")
	}
	if err := sweep.Forget(t.Context(), w.records); err != nil || w.remembered() != 0 {
		t.Errorf("Forget = %v, %d records are left", err, w.remembered())
	}
}

// TestOldRoundsBeginAgain: findings of last week justify nothing.
func TestOldRoundsBeginAgain(t *testing.T) {
	w := newWorld(t, 1)
	now := time.Now()
	r, err := sweep.Resume(t.Context(), w.records, "things", now)
	if err != nil {
		t.Fatal(err)
	}
	r.Add(sweep.Orphan, "things/000")
	r.After = "things/000"
	if err := r.Save(t.Context(), sweep.Guard{}); err != nil {
		t.Fatal(err)
	}
	if r, err := sweep.Resume(t.Context(), w.records, "things", now.Add(time.Hour)); err != nil || r.Orphans != 1 || r.After == "" {
		t.Errorf("an hour later Resume = %+v, %v", r, err)
	}
	if r, err := sweep.Resume(t.Context(), w.records, "things", now.Add(8*24*time.Hour)); err != nil || r.Orphans != 0 || r.After != "" {
		t.Errorf("a week later Resume = %+v, %v", r, err)
	}
	if w.remembered() != 0 {
		t.Error("what it found is still remembered")
	}
}
