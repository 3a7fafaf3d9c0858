package process_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"lectern/shared/app/config"
	"lectern/shared/app/process"
	"lectern/shared/ident"
	"lectern/shared/storage/object/diskobject"
	"lectern/shared/storage/task"
)

func open(t *testing.T, settings map[string]string) *process.Process {
	t.Helper()
	dir := t.TempDir()
	cfg, err := config.Load(func(name string) string {
		if name == "LECTERN_DATA" {
			return dir
		}
		return settings[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	p := &process.Process{Context: t.Context(), Config: cfg, Log: slog.New(slog.DiscardHandler), IDs: &ident.Counting{}, Now: time.Now, Jobs: task.Table{}}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return p
}

// TestOnce: drivers are made once, and what is there already is used and left
// open.
func TestOnce(t *testing.T) {
	p := open(t, nil)
	given, err := diskobject.Open(t.TempDir(), diskobject.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer given.Close()
	p.Drivers.Objects = given
	for name, make := range map[string]func() any{
		"records": func() any { return p.Records() }, "index": func() any { return p.Index() }, "models": func() any { return p.Models() }, "queue": func() any { return p.Queue() },
		"sealer": func() any { return p.Sealer() }, "owner": func() any { return p.Owner() }, "artifacts": func() any { return p.Artifacts() }, "searcher": func() any { return p.Searcher() },
	} {
		if first := make(); first == nil || first != make() {
			t.Errorf("%s: made again, or not at all: %v", name, p.Err())
		}
	}
	if p.Objects() != given || p.Files().Objects != given || p.Artifacts().Objects != given {
		t.Error("the given store is not used")
	}
	if p.Tasks().Callbacks != p.Callbacks() || p.Searcher().Artifacts != p.Artifacts() || p.Err() != nil {
		t.Errorf("use cases are not shared, or %v", p.Err())
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := given.List(t.Context(), "", "", 1); err != nil {
		t.Errorf("the given store was closed: %v", err)
	}
}

// TestFailure: the first failure is told once, and nothing is made after it.
func TestFailure(t *testing.T) {
	p := open(t, map[string]string{"LECTERN_RECORDS": "cards:", "LECTERN_INDEX": "shelf:"})
	var told []error
	p.Failed = func(err error) { told = append(told, err) }
	if p.Objects() == nil {
		t.Fatal("no objects before the failure")
	}
	if p.Records() != nil || p.Index() != nil || p.Queue() != nil || p.Models() != nil {
		t.Error("something was made after a failure")
	}
	if p.Objects() == nil {
		t.Error("what was made before is gone")
	}
	if len(told) != 1 || !errors.Is(p.Err(), told[0]) || !strings.Contains(told[0].Error(), "LECTERN_RECORDS") {
		t.Errorf("told %v, and Err is %v; want the records once", told, p.Err())
	}
}
