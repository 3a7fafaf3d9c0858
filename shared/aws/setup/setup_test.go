package setup_test

import (
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"lectern/shared/aws/setup"
	"lectern/shared/web/callback"
)

type secrets map[string]string

func (s secrets) Keep(_ context.Context, name, value string) error {
	if _, ok := s[name]; !ok {
		s[name] = value
	}
	return nil
}

func (s secrets) Forget(_ context.Context, name string) error {
	delete(s, name)
	return nil
}

func change(kind, retain string) setup.Change {
	return setup.Change{Kind: kind, Properties: map[string]any{setup.SealKey: "/d/seal", setup.WebhookSecret: "/d/webhook", setup.Retain: retain}}
}

func TestHandle(t *testing.T) {
	kept, indexes := secrets{}, 0
	m := &setup.Maker{Secrets: kept, Index: func(context.Context) error { indexes++; return nil }, Log: slog.New(slog.DiscardHandler)}
	if err := m.Handle(t.Context(), change("Create", "false")); err != nil {
		t.Fatal(err)
	}
	if key, err := base64.StdEncoding.DecodeString(kept["/d/seal"]); err != nil || len(key) != 32 {
		t.Errorf("the seal key is %d bytes, %v; want 32", len(key), err)
	}
	if _, err := callback.ParseSecret(kept["/d/webhook"]); err != nil {
		t.Errorf("the webhook secret: %v", err)
	}
	before := maps.Clone(kept)
	if err := m.Handle(t.Context(), change("Update", "false")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, kept); diff != "" || indexes != 2 {
		t.Errorf("an update made other secrets, or no index (%d):\n%s", indexes, diff)
	}
	if err := m.Handle(t.Context(), change("Delete", "true")); err != nil || len(kept) != 2 {
		t.Errorf("a deletion that retains left %d secrets, %v; want 2", len(kept), err)
	}
	if err := m.Handle(t.Context(), change("Delete", "false")); err != nil || len(kept) != 0 {
		t.Errorf("a deletion left %d secrets, %v; want none", len(kept), err)
	}
	if indexes != 2 {
		t.Errorf("deletions made the index")
	}
}

func TestHandleRefusesAChangeWithoutNames(t *testing.T) {
	m := &setup.Maker{Secrets: secrets{}, Log: slog.New(slog.DiscardHandler)}
	if err := m.Handle(t.Context(), setup.Change{Kind: "Create"}); err == nil || !strings.Contains(err.Error(), setup.SealKey) {
		t.Errorf("Handle without names = %v", err)
	}
}

// TestHandleWaitsForTheIndex: the policy of a collection is known everywhere
// only some time after it is made.
func TestHandleWaitsForTheIndex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries, refuses := 0, 3
		m := &setup.Maker{Secrets: secrets{}, Log: slog.New(slog.DiscardHandler), Index: func(context.Context) error {
			if tries++; tries <= refuses {
				return errors.New("forbidden")
			}
			return nil
		}}
		if err := m.Handle(t.Context(), change("Create", "false")); err != nil || tries != 4 {
			t.Errorf("Handle = %v after %d tries, want none after 4", err, tries)
		}
		tries, refuses = 0, 1000
		if err := m.Handle(t.Context(), change("Create", "false")); err == nil || !strings.Contains(err.Error(), "forbidden") {
			t.Errorf("Handle of an index that never comes = %v", err)
		}
	})
}
