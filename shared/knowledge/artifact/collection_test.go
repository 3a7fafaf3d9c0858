package artifact_test

import (
	"testing"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/knowledge/artifact"
)

func TestCollectionsOfThePrincipal(t *testing.T) {
	s, _ := open(t)
	for _, name := range []string{"theirs", "mine"} {
		if _, err := s.Ingest(t.Context(), &artifact.Body{Artifact: "a", Collection: name, Input: &artifact.Input{Type: "text",
			Value: "Owls hunt."}}); err != nil {
			t.Fatal(err)
		}
	}
	ctx := auth.With(t.Context(), auth.Principal{Collections: []string{"mine", "empty"}})
	list, more, err := s.Collections(ctx, "", 0)
	if err != nil || more || len(list) != 1 || list[0].Name != "mine" || list[0].Chunks != 1 || list[0].Bytes != 10 {
		t.Errorf("Collections = %+v, %v, %v, want mine alone", list, more, err)
	}
	if _, err := s.Collection(ctx, "theirs"); !fault.Is(err, fault.Forbidden) {
		t.Errorf("Collection of another = %v, want Forbidden", err)
	}
	if _, err := s.DeleteCollection(ctx, "theirs"); !fault.Is(err, fault.Forbidden) {
		t.Errorf("DeleteCollection of another = %v, want Forbidden", err)
	}
	if _, err := s.Collection(ctx, "empty"); !fault.Is(err, fault.NotFound) {
		t.Errorf("Collection that is empty = %v, want NotFound", err)
	}
}

func TestDeleteCollectionRevokesRunningIngests(t *testing.T) {
	s, ix := open(t)
	for _, name := range []string{"a", "b", "c"} {
		if _, err := s.Ingest(t.Context(), body(name, "Text of "+name)); err != nil {
			t.Fatal(err)
		}
	}
	ix.before = func() error {
		if n, err := s.DeleteCollection(t.Context(), "c"); err != nil || n != 4 {
			t.Errorf("DeleteCollection = %d, %v, want 4", n, err)
		}
		return nil
	}
	if _, err := s.Ingest(t.Context(), body("running", "Never to be seen.")); !fault.Is(err, fault.Conflict) {
		t.Errorf("the revoked ingest: %v, want Conflict", err)
	}
	if _, err := s.Collection(t.Context(), "c"); !fault.Is(err, fault.NotFound) {
		t.Errorf("Collection = %v, want NotFound", err)
	}
	for _, name := range []string{"a", "b", "c", "running"} {
		if got := found(t, ix, name); len(got) != 0 {
			t.Errorf("the index holds %v of %q", got, name)
		}
	}
	if n := objects(t, s); n != 0 {
		t.Errorf("%d texts are stored, want none", n)
	}
	if _, err := s.Ingest(t.Context(), body("a", "Back again.")); err != nil {
		t.Errorf("ingesting into it again: %v", err)
	}
}
