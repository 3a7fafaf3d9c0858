package keystore_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lectern/shared/auth"
	"lectern/shared/auth/keystore"
	"lectern/shared/fault"
	"lectern/shared/storage/record"
	"lectern/shared/storage/record/boltrecord"
)

type clock struct{ now time.Time }

func (c *clock) read() time.Time { return c.now }

// counted counts reads of single items.
type counted struct {
	record.Store
	reads int
}

func (c *counted) Find(ctx context.Context, k record.Key) (record.Item, error) {
	c.reads++
	return c.Store.Find(ctx, k)
}

func open(t *testing.T) (*counted, *clock, string) {
	t.Helper()
	c := &clock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	path := filepath.Join(t.TempDir(), "records.db")
	s, err := boltrecord.Open(path, boltrecord.Options{Now: c.read})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &counted{Store: s}, c, path
}

func make1(t *testing.T, s *keystore.Store, terms keystore.Terms) (*keystore.Key, string) {
	t.Helper()
	k, secret, err := s.Create(t.Context(), terms)
	if err != nil {
		t.Fatal(err)
	}
	return k, secret
}

// TestLifeOfAKey: a key counts as it is made, in every process; one that is changed or
// revoked counts as such in a process that has seen it before within 30 s.
func TestLifeOfAKey(t *testing.T) {
	records, c, _ := open(t)
	here, warm := &keystore.Store{Records: records, Now: c.read}, &keystore.Store{Records: records, Now: c.read}
	k, secret := make1(t, here, keystore.Terms{Name: "a", Collections: []string{"x"}})
	p, ok, err := warm.Find(t.Context(), secret)
	if err != nil || !ok || !p.Allows("x") || p.Allows("y") || p.Tenant == "" || p.Key != k.ID || p.Key != auth.KeyID(secret) {
		t.Fatalf("a fresh key: %+v, %v, %v", p, ok, err)
	}
	if _, err := here.Change(t.Context(), k.ID, func(old keystore.Terms) (keystore.Terms, error) {
		old.Collections = []string{"y"}
		return old, nil
	}); err != nil {
		t.Fatal(err)
	}
	if p, _, _ := here.Find(t.Context(), secret); !p.Allows("y") {
		t.Error("the process that changed the key goes by the old terms")
	}
	c.now = c.now.Add(30 * time.Second)
	if p, _, _ := warm.Find(t.Context(), secret); p.Allows("x") || !p.Allows("y") {
		t.Error("after 30 s another process goes by the old terms")
	}
	for range 2 {
		if k, err := here.Revoke(t.Context(), k.ID); err != nil || k.Revoked == nil || !k.Revoked.Equal(c.now) {
			t.Fatalf("revoke: %+v, %v", k, err)
		}
	}
	if _, ok, err := here.Find(t.Context(), secret); ok || !fault.Is(err, fault.Unauthorized) {
		t.Errorf("revoked, in the process that did it: %v, %v", ok, err)
	}
	c.now = c.now.Add(30 * time.Second)
	if _, ok, err := warm.Find(t.Context(), secret); ok || !fault.Is(err, fault.Unauthorized) {
		t.Errorf("revoked, in another process 30 s later: %v, %v", ok, err)
	}
	_, err = here.Change(t.Context(), k.ID, func(old keystore.Terms) (keystore.Terms, error) { return old, nil })
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("a revoked key is changed: %v", err)
	}
}

func TestExpiry(t *testing.T) {
	records, c, _ := open(t)
	s := &keystore.Store{Records: records, Now: c.read}
	end := c.now.Add(10 * time.Second)
	_, secret := make1(t, s, keystore.Terms{Expires: &end})
	if _, ok, err := s.Find(t.Context(), secret); !ok || err != nil {
		t.Fatalf("before its end: %v, %v", ok, err)
	}
	c.now = end
	if _, ok, err := s.Find(t.Context(), secret); ok || !fault.Is(err, fault.Unauthorized) {
		t.Errorf("at its end: %v, %v", ok, err)
	}
}

// TestTenants: keys share nothing unless they are told to, and only a key without any
// limit administers.
func TestTenants(t *testing.T) {
	records, c, _ := open(t)
	s := &keystore.Store{Records: records, Now: c.read}
	principal := func(terms keystore.Terms) auth.Principal {
		_, secret := make1(t, s, terms)
		p, _, err := s.Find(t.Context(), secret)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	same := keystore.Terms{Collections: []string{"x"}}
	if a, b := principal(same), principal(same); a.Tenant == b.Tenant {
		t.Error("two keys for the same collections have one tenant")
	}
	same.Tenant = "both"
	if a, b := principal(same), principal(same); a.Tenant != "both" || b.Tenant != "both" {
		t.Error("keys with a tenant's name do not share it")
	}
	if p := principal(keystore.Terms{}); !p.Admin() {
		t.Error("a key without limits does not administer")
	}
	end := c.now.Add(time.Hour)
	if p := principal(keystore.Terms{Expires: &end}); !p.Admin() {
		t.Error("a key without limits that expires does not administer")
	}
	for name, terms := range map[string]keystore.Terms{
		"collections": {Collections: []string{}}, "groups": {Groups: []string{"messages"}}, "tenant": {Tenant: "t"},
		"requests": {Limits: auth.Limits{RequestsPerMinute: 1}}, "tokens": {Limits: auth.Limits{TokensPerDay: 1}},
	} {
		if p := principal(terms); p.Admin() || p.Tenant == "" {
			t.Errorf("a key with %s: %+v", name, p)
		}
	}
}

// TestGuesses: texts that are no keys are not looked up, and an unknown key once; the
// store never holds a key.
func TestGuesses(t *testing.T) {
	records, c, path := open(t)
	s := &keystore.Store{Records: records, Now: c.read}
	for _, token := range []string{"", "x", "lectern-", "lectern-short", strings.Repeat("lectern-", 100)} {
		if _, ok, err := s.Find(t.Context(), token); ok || err != nil {
			t.Errorf("%q: %v, %v", token, ok, err)
		}
	}
	if records.reads != 0 {
		t.Errorf("%d reads for texts that are no keys", records.reads)
	}
	_, secret := make1(t, s, keystore.Terms{Name: "kept"})
	other := secret[:len(secret)-1] + string('A'+(secret[len(secret)-1]-'A'+1)%26)
	for range 3 {
		if _, ok, err := s.Find(t.Context(), other); ok || err != nil {
			t.Errorf("a key that nobody made: %v, %v", ok, err)
		}
	}
	if records.reads != 1 {
		t.Errorf("%d reads for one unknown key", records.reads)
	}
	raw, err := os.ReadFile(path)
	if err != nil || bytes.Contains(raw, []byte(secret)) || !bytes.Contains(raw, []byte("kept")) {
		t.Errorf("the store holds the key itself, or not its record (%v)", err)
	}
}

func TestList(t *testing.T) {
	records, c, _ := open(t)
	s := &keystore.Store{Records: records, Now: c.read}
	for range 5 {
		make1(t, s, keystore.Terms{})
	}
	var seen []string
	after := ""
	for {
		list, more, err := s.List(t.Context(), after, "", 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range list {
			seen = append(seen, k.ID)
		}
		if !more {
			break
		}
		after = seen[len(seen)-1]
	}
	back, more, err := s.List(t.Context(), "", seen[3], 2)
	if err != nil || len(seen) != 5 || !more || len(back) != 2 || back[0].ID != seen[1] || back[1].ID != seen[2] {
		t.Errorf("forward %v, backward %v, more %v, %v", seen, back, more, err)
	}
	if _, _, err := s.List(t.Context(), "x", "", 2); !fault.Is(err, fault.Malformed) {
		t.Errorf("a cursor that is no id: %v", err)
	}
	if _, err := s.Read(t.Context(), "../x"); !fault.Is(err, fault.NotFound) {
		t.Errorf("an id that is none: %v", err)
	}
}
