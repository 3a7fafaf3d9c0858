package localtask_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"lectern/shared/ident"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
	"lectern/shared/storage/task"
	"lectern/shared/storage/task/localtask"
	"lectern/shared/storage/task/tasktest"
)

func records(t *testing.T, path string) record.Store {
	t.Helper()
	s, err := boltrecord.Open(path, boltrecord.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func open(t *testing.T, s record.Store, table task.Table, o localtask.Options) *localtask.Queue {
	t.Helper()
	o.IDs, o.Log = ident.Random{Now: time.Now}, slog.New(slog.DiscardHandler)
	q, err := localtask.Open(t.Context(), s, table, o)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestContract(t *testing.T) {
	tasktest.Run(t, func(t *testing.T, table task.Table) task.Queue {
		q := open(t, records(t, filepath.Join(t.TempDir(), "records.db")), table, localtask.Options{})
		q.Start()
		t.Cleanup(func() { q.Close() })
		return q
	})
}

func send(t *testing.T, q *localtask.Queue, id string) {
	t.Helper()
	if err := q.Send(t.Context(), task.Job{Kind: "k", ID: id}, 0); err != nil {
		t.Fatal(err)
	}
}

// TestRestart: what a dead process was sent, had begun, or had put off is run
// by the next one.
func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := records(t, filepath.Join(t.TempDir(), "records.db"))
		r := &tasktest.Recorder{Do: func(context.Context, task.Delivery) error { return task.After(time.Hour, errors.New("busy")) }}
		q := open(t, s, task.Table{"k": r}, localtask.Options{})
		send(t, q, "put-off")
		q.RunDue(t.Context())
		send(t, q, "waiting") // the process dies here
		next := &tasktest.Recorder{}
		q = open(t, s, task.Table{"k": next}, localtask.Options{})
		ran, due := q.RunDue(t.Context())
		if wait := time.Until(due).Round(time.Second); ran != 1 || wait != time.Hour {
			t.Errorf("RunDue = %d, %v; want one job, the next in an hour", ran, due)
		}
		time.Sleep(time.Hour)
		q.RunDue(t.Context())
		runs, _ := next.Runs()
		if len(runs) != 2 || runs[0].ID != "waiting" || runs[0].Attempt != 1 || runs[1].ID != "put-off" || runs[1].Attempt != 2 {
			t.Errorf("the next process was given %+v", runs)
		}
		q = open(t, s, task.Table{"k": next}, localtask.Options{})
		if ran, due := q.RunDue(t.Context()); ran != 0 || !due.IsZero() {
			t.Errorf("a third process finds %d jobs, the next at %v; want none", ran, due)
		}
	})
}

// TestJobThatKills: a job that ends its process each time is given up.
func TestJobThatKills(t *testing.T) {
	s := records(t, filepath.Join(t.TempDir(), "records.db"))
	send(t, open(t, s, nil, localtask.Options{}), "killer")
	last := &tasktest.Recorder{}
	for range task.MaxAttempts {
		dead, kill := context.WithCancel(t.Context())
		r := &tasktest.Recorder{Do: func(context.Context, task.Delivery) error {
			kill()
			select {} // this process gets no further
		}}
		q := open(t, s, task.Table{"k": r}, localtask.Options{})
		go q.RunDue(dead)
		<-dead.Done()
	}
	last.Do = func(context.Context, task.Delivery) error { return errors.New("still broken") }
	q := open(t, s, task.Table{"k": last}, localtask.Options{})
	q.RunDue(t.Context())
	if len(last.Given()) != 1 {
		t.Errorf("gave up %v, want the job", last.Given())
	}
	parked, err := q.Parked(t.Context())
	if err != nil || len(parked) != 1 || parked[0].ID != "killer" || parked[0].Error != "still broken" {
		t.Errorf("Parked = %+v, %v", parked, err)
	}
}

func TestWorkersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r := &tasktest.Recorder{Do: func(context.Context, task.Delivery) error { <-release; return nil }}
		q := open(t, records(t, filepath.Join(t.TempDir(), "records.db")), task.Table{"k": r}, localtask.Options{})
		q.Start()
		for i := range 70 {
			send(t, q, fmt.Sprint(i))
		}
		synctest.Wait()
		if runs, _ := r.Runs(); len(runs) != 48 {
			t.Errorf("%d jobs run at once, want 48", len(runs))
		}
		close(release)
		time.Sleep(time.Second)
		if runs, _ := r.Runs(); len(runs) != 70 {
			t.Errorf("%d jobs ran, want 70", len(runs))
		}
		q.Close()
	})
}

// TestDrain: Close lets a job finish, and ends the context of one that takes
// too long, which the next process then runs.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := records(t, filepath.Join(t.TempDir(), "records.db"))
		r := &tasktest.Recorder{Do: func(ctx context.Context, d task.Delivery) error {
			if d.ID == "slow" {
				<-ctx.Done()
				return ctx.Err()
			}
			time.Sleep(5 * time.Second)
			return nil
		}}
		q := open(t, s, task.Table{"k": r}, localtask.Options{Drain: 10 * time.Second})
		q.Start()
		send(t, q, "quick")
		send(t, q, "slow")
		synctest.Wait()
		start := time.Now()
		q.Close()
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("Close took %s, want the time to drain", took)
		}
		next := &tasktest.Recorder{}
		open(t, s, task.Table{"k": next}, localtask.Options{}).RunDue(t.Context())
		if runs, _ := next.Runs(); len(runs) != 1 || runs[0].ID != "slow" {
			t.Errorf("the next process was given %+v, want the slow job", runs)
		}
	})
}
