package tasks_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
	"lectern/shared/knowledge/artifact/tasks"
	"lectern/shared/knowledge/index"
)

// slowIndex shows that chunks are gone only at the second look, as one that
// refreshes once a minute does for whoever looks once.
type slowIndex struct {
	index.Store
	drops atomic.Int64
	shown map[string]bool
}

func (s *slowIndex) Drop(ctx context.Context, collection, artifact, generation string) error {
	s.drops.Add(1)
	if err := s.Store.Drop(ctx, collection, artifact, generation); err != nil {
		return err
	}
	if !s.shown[generation] {
		s.shown[generation] = true
		return fault.New(fault.Unavailable, "the index still shows what was dropped")
	}
	return nil
}

// TestFreeLater: a delete and an ingest that replaces wait for no index; what
// they leave is freed by jobs, which look again until it is gone.
func TestFreeLater(t *testing.T) {
	w := open(t)
	slow := &slowIndex{Store: w.Artifacts.Index, shown: map[string]bool{}}
	w.Artifacts.Index, w.Artifacts.Later = slow, w.Later
	w.table[tasks.FreeKind] = w.FreeHandler()
	ingest := func(name, text string) {
		if _, err := w.Artifacts.Ingest(t.Context(), &artifact.Body{Artifact: name, Collection: "c", Input: &artifact.Input{Type: "text", Value: text}}); err != nil {
			t.Fatal(err)
		}
	}
	listed := func() int {
		live, err := w.Artifacts.List(t.Context(), "c", "", 0)
		if err != nil {
			t.Fatal(err)
		}
		return len(live)
	}
	ingest("a", "the first text about bees")
	ingest("a", "a second text about trains")
	ingest("b", "another text about bees")
	if err := w.Artifacts.Delete(t.Context(), &artifact.DeleteBody{Artifact: "b", Collection: "c"}); err != nil {
		t.Fatal(err)
	}
	if n := slow.drops.Load(); n != 0 || listed() != 1 {
		t.Errorf("a delete and a replace dropped %d times while somebody waited; %d documents are left, want 1", n, listed())
	}
	id := w.delete(t, "a")
	w.settle(t)
	if st := w.state(t, tasks.DeleteKind, id); st.State != tasks.Success {
		t.Errorf("the deletion ends %+v", st)
	}
	if n := slow.drops.Load(); n != 6 {
		t.Errorf("three generations were dropped by %d looks, want two each", n)
	}
	for g, err := range slow.Generations(t.Context(), "", index.Generation{}) {
		t.Errorf("%+v is left, %v", g, err)
	}
	texts, _, err := w.Objects.List(t.Context(), "documents/", "", 10)
	if err != nil || len(texts) != 0 {
		t.Errorf("the texts %v are left, %v", texts, err)
	}
}

// TestFreeSparesWhatIsLive: a job that comes for a generation that is shown, by
// whatever mistake, leaves it.
func TestFreeSparesWhatIsLive(t *testing.T) {
	w := open(t)
	w.table[tasks.FreeKind] = w.FreeHandler()
	if _, err := w.Artifacts.Ingest(t.Context(), &artifact.Body{Artifact: "a", Collection: "c", Input: &artifact.Input{Type: "text", Value: "bees"}}); err != nil {
		t.Fatal(err)
	}
	for g, err := range w.Artifacts.Index.Generations(t.Context(), "c", index.Generation{}) {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Later(t.Context(), artifact.Accepted{Collection: g.Collection, Artifact: g.Artifact, Generation: g.Generation}); err != nil {
			t.Fatal(err)
		}
	}
	w.settle(t)
	n := 0
	for _, err := range w.Artifacts.Index.Generations(t.Context(), "c", index.Generation{}) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != 1 {
		t.Errorf("%d generations are left, want the live one", n)
	}
}

// TestDeleteCollectionWaitsForNoIndex: seven hundred documents are gone without
// one look at the index.
func TestDeleteCollectionWaitsForNoIndex(t *testing.T) {
	w := open(t)
	slow := &slowIndex{Store: w.Artifacts.Index, shown: map[string]bool{}}
	w.Artifacts.Index, w.Artifacts.Later = slow, w.Later
	const many = 700
	for i := range many {
		b := &artifact.Body{Artifact: fmt.Sprint(i), Collection: "c", Input: &artifact.Input{Type: "text", Value: fmt.Sprint("text ", i)}}
		if _, err := w.Artifacts.Ingest(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	n, err := w.Artifacts.DeleteCollection(t.Context(), "c")
	if err != nil || n != many || slow.drops.Load() != 0 {
		t.Errorf("DeleteCollection = %d, %v, after %d looks at the index", n, err, slow.drops.Load())
	}
	if _, err := w.Artifacts.Collection(t.Context(), "c"); !fault.Is(err, fault.NotFound) {
		t.Errorf("the collection is there: %v", err)
	}
}
