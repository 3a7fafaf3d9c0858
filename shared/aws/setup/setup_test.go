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

	"lectern/shared/app/config"
	"lectern/shared/auth"
	"lectern/shared/aws/setup"
	"lectern/shared/web/callback"
)

type secrets map[string]string

func (s secrets) Keep(_ context.Context, name, value string) (string, error) {
	if _, ok := s[name]; !ok {
		s[name] = value
	}
	return "arn:" + name, nil
}

func (s secrets) Forget(_ context.Context, name string) error {
	delete(s, name)
	return nil
}

func change(kind, retain string) setup.Change {
	return setup.Change{Kind: kind, Properties: map[string]any{setup.SealKey: "/d/seal", setup.WebhookSecret: "/d/webhook",
		setup.Keys: "d/keys", setup.Retain: retain}}
}

func TestHandle(t *testing.T) {
	kept, callers, indexes := secrets{}, secrets{}, 0
	m := &setup.Maker{Secrets: kept, Callers: callers, Index: func(context.Context) error { indexes++; return nil }, Log: slog.New(slog.DiscardHandler)}
	attributes, err := m.Handle(t.Context(), change("Create", "false"))
	if err != nil || attributes[setup.KeysARN] != "arn:d/keys" {
		t.Fatalf("Handle = %v, %v; want the ARN of the keys", attributes, err)
	}
	ring, err := config.Load(func(name string) string {
		return map[string]string{"SERVER_AUTH_ENABLED": "true", "LECTERN_KEYS": callers["d/keys"]}[name]
	})
	if err != nil {
		t.Fatalf("the keys cannot be used: %v", err)
	}
	key, _, _ := strings.Cut(strings.TrimPrefix(callers["d/keys"], `[{"key": "`), `"`)
	if p, err := auth.Authenticate(t.Context(), "", key, ring.Keys); len(key) < 40 || err != nil || p.Collections != nil {
		t.Errorf("the key %q lets in %+v, %v; want a caller without limits", key, p, err)
	}
	if key, err := base64.StdEncoding.DecodeString(kept["/d/seal"]); err != nil || len(key) != 32 {
		t.Errorf("the seal key is %d bytes, %v; want 32", len(key), err)
	}
	if _, err := callback.ParseSecret(kept["/d/webhook"]); err != nil {
		t.Errorf("the webhook secret: %v", err)
	}
	before, keys := maps.Clone(kept), maps.Clone(callers)
	if attributes, err := m.Handle(t.Context(), change("Update", "false")); err != nil || attributes[setup.KeysARN] != "arn:d/keys" {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, kept) + cmp.Diff(keys, callers); diff != "" || indexes != 2 {
		t.Errorf("an update made other secrets, or no index (%d):\n%s", indexes, diff)
	}
	if _, err := m.Handle(t.Context(), change("Delete", "true")); err != nil || len(kept) != 2 || len(callers) != 1 {
		t.Errorf("a deletion that retains left %d secrets, %v; want 2", len(kept), err)
	}
	if _, err := m.Handle(t.Context(), change("Delete", "false")); err != nil || len(kept) != 0 || len(callers) != 0 {
		t.Errorf("a deletion left %d secrets, %v; want none", len(kept), err)
	}
	if indexes != 2 {
		t.Errorf("deletions made the index")
	}
}

func TestHandleRefusesAChangeWithoutNames(t *testing.T) {
	m := &setup.Maker{Secrets: secrets{}, Log: slog.New(slog.DiscardHandler)}
	if _, err := m.Handle(t.Context(), setup.Change{Kind: "Create"}); err == nil || !strings.Contains(err.Error(), setup.SealKey) {
		t.Errorf("Handle without names = %v", err)
	}
}

// TestHandleWaitsForTheIndex: the policy of a collection is known everywhere
// only some time after it is made.
func TestHandleWaitsForTheIndex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries, refuses := 0, 3
		m := &setup.Maker{Secrets: secrets{}, Callers: secrets{}, Log: slog.New(slog.DiscardHandler), Index: func(context.Context) error {
			if tries++; tries <= refuses {
				return errors.New("forbidden")
			}
			return nil
		}}
		if _, err := m.Handle(t.Context(), change("Create", "false")); err != nil || tries != 4 {
			t.Errorf("Handle = %v after %d tries, want none after 4", err, tries)
		}
		tries, refuses = 0, 1000
		if _, err := m.Handle(t.Context(), change("Create", "false")); err == nil || !strings.Contains(err.Error(), "forbidden") {
			t.Errorf("Handle of an index that never comes = %v", err)
		}
	})
}

// TestHandleWithoutKeys: where no keys are asked for, none are made.
func TestHandleWithoutKeys(t *testing.T) {
	callers := secrets{}
	m := &setup.Maker{Secrets: secrets{}, Callers: callers, Log: slog.New(slog.DiscardHandler), Index: func(context.Context) error { return nil }}
	c := change("Create", "false")
	c.Properties[setup.Keys] = ""
	attributes, err := m.Handle(t.Context(), c)
	if err != nil || attributes[setup.KeysARN] != "" || len(callers) != 0 {
		t.Errorf("Handle = %v, %v; keys %v; want none", attributes, err, callers)
	}
}
