package tasks_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/index"
)

// machine runs a task's stages as a state machine does: each from the JSON that
// the last one left, twice when doubled, and the failed stage after three
// errors.
func (w *world) machine(t *testing.T, id string, doubled bool) {
	t.Helper()
	run := func(in tasks.Staged) tasks.Staged {
		t.Helper()
		var out tasks.Staged
		var err error
		for range 3 {
			if out, err = w.RunStage(t.Context(), in); err == nil {
				break
			}
		}
		if err != nil {
			if out, err = w.RunStage(t.Context(), tasks.Staged{Task: id, Stage: tasks.StageFailed}); err != nil || !out.Over {
				t.Fatalf("the failed stage = %+v, %v", out, err)
			}
			return out
		}
		if doubled {
			if _, err := w.RunStage(t.Context(), in); err != nil {
				t.Errorf("stage %s run twice: %v", in.Stage, err)
			}
		}
		raw, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		var back tasks.Staged
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatal(err)
		}
		return back
	}
	state := tasks.Staged{Task: id}
	for _, stage := range artifact.Stages() {
		state.Stage = stage.Name
		if !stage.Each {
			if state = run(state); state.Over {
				return
			}
			continue
		}
		for _, g := range state.Groups {
			one := state
			one.Group = g
			if run(one).Over {
				return
			}
		}
	}
	t.Errorf("after all stages the task is not over: %+v", state)
}

// TestSampleEvent: what a state machine hands over, as the sample has it, is
// one stage.
func TestSampleEvent(t *testing.T) {
	raw, err := os.ReadFile("../../../../events/step-write.json")
	if err != nil {
		t.Fatal(err)
	}
	var in tasks.Staged
	if err := json.Unmarshal(raw, &in); err != nil || in.Task == "" || in.Stage != "write" || in.Group != 1 || in.Notes.Groups != 3 || in.Notes.Hash == "" {
		t.Errorf("the sample is %+v, %v", in, err)
	}
}

// long is a text of several groups of chunks.
func long(word string) string {
	return strings.Repeat("Robins of "+word+" sing at dawn, and again at dusk when it is quiet.\n\n", 40_000)
}

// TestStages: an ingest in stages comes to what it comes to in one piece, also
// when every stage runs twice.
func TestStages(t *testing.T) {
	var docs []tasks.Status
	for _, way := range []string{"inline", "staged", "doubled"} {
		w := open(t)
		id := w.ingest(t, "a", long("oak"))
		if way == "inline" {
			w.table[tasks.StagedKind] = w.Handler()
			w.settle(t)
		} else {
			w.machine(t, id, way == "doubled")
		}
		st := w.state(t, tasks.IngestKind, id)
		if st.State != tasks.Success || st.Doc == nil {
			t.Fatalf("%s: %+v", way, st)
		}
		delete(st.Doc.Metadata, "ingested_at")
		docs = append(docs, st)
		if text := w.quiet(t); text != strings.TrimSpace(long("oak")) && text != long("oak") {
			t.Errorf("%s: %d bytes of text are stored, want %d", way, len(text), len(long("oak")))
		}
		if n := w.chunks(t); n != int(st.Doc.Metadata["chunk_count"].(float64)) {
			t.Errorf("%s: %d chunks are indexed, doc_metadata says %v", way, n, st.Doc.Metadata["chunk_count"])
		}
	}
	for _, other := range docs[1:] {
		if diff := cmp.Diff(docs[0].Doc, other.Doc); diff != "" {
			t.Errorf("in stages (-inline +staged):\n%s", diff)
		}
	}
}

// chunks counts what the index holds.
func (w *world) chunks(t *testing.T) int {
	t.Helper()
	n := 0
	for g, err := range w.index.Generations(t.Context(), "", index.Generation{}) {
		if err != nil {
			t.Fatal(err)
		}
		n += g.Chunks
	}
	return n
}

// TestStagesThatEnd: what another try cannot help ends a staged task, and so
// does the machine when it gives up; nothing is left behind.
func TestStagesThatEnd(t *testing.T) {
	t.Run("overtaken", func(t *testing.T) {
		w := open(t)
		id := w.ingest(t, "a", long("oak"))
		before := func() error {
			w.index.before.Store(nil)
			w.delete(t, "a")
			return nil
		}
		w.index.before.Store(&before)
		w.machine(t, id, false)
		if st := w.state(t, tasks.IngestKind, id); st.State != tasks.Revoked {
			t.Errorf("after a delete in between: %+v", st)
		}
		w.settle(t)
		w.quiet(t)
	})
	t.Run("given up", func(t *testing.T) {
		w := open(t)
		id := w.ingest(t, "a", long("oak"))
		broken := func() error { return errors.New("the index is gone") }
		w.index.before.Store(&broken)
		w.machine(t, id, false)
		if st := w.state(t, tasks.IngestKind, id); st.State != tasks.Failure || st.Error == "" || strings.Contains(st.Error, "gone") {
			t.Errorf("after the machine gave up: %+v", st)
		}
		w.settle(t)
		w.quiet(t)
	})
	t.Run("unreadable", func(t *testing.T) {
		w := open(t)
		id, err := w.Ingest(t.Context(), &tasks.IngestBody{Body: &artifact.Body{Artifact: "a", Collection: "c",
			Input: &artifact.Input{Type: "uri", Value: "http://127.0.0.1:1/x.txt"}}})
		if err != nil {
			t.Fatal(err)
		}
		w.machine(t, id, false)
		if st := w.state(t, tasks.IngestKind, id); st.State != tasks.Failure {
			t.Errorf("an address that may not be reached: %+v", st)
		}
		w.settle(t)
		w.quiet(t)
	})
}
