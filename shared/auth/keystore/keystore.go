// Package keystore keeps the keys that are made while the service runs: records of
// which the key itself is no part, only its SHA-256. A key is 128 bits of chance, so
// that a slow hash would protect nothing.
//
// A process remembers for 20 s what it has read of a key. So a key that another
// process changes or revokes is known as such everywhere within that time.
package keystore

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"lectern/shared/auth"
	"lectern/shared/fault"
	"lectern/shared/storage/record"
)

const (
	partition = "keys"
	// remember is how long a process goes by what it has read.
	remember = 20 * time.Second
	// remembered is how many keys a process remembers at most.
	remembered = 10_000
	// keepRevoked is how long a revoked key is listed.
	keepRevoked = 90 * 24 * time.Hour
)

// Terms are what a key may do.
type Terms struct {
	Name        string     `json:"name"`
	Collections []string   `json:"collections"` // nil means all
	Groups      []string   `json:"groups"`      // of endpoints; nil means all
	Tenant      string     `json:"tenant,omitempty"`
	Expires     *time.Time `json:"expires_at"`
	auth.Limits
}

// Principal returns who calls with a key of these terms, without what is the key's own.
func (t *Terms) Principal() auth.Principal {
	return auth.Principal{Collections: t.Collections, Groups: t.Groups, Tenant: t.Tenant, Limits: t.Limits}
}

// Key is the record of a key.
type Key struct {
	ID string `json:"id"`
	Terms
	Hint    string     `json:"hint"` // the key's last four characters
	Created time.Time  `json:"created_at"`
	Revoked *time.Time `json:"revoked_at,omitempty"`
	Sum     []byte     `json:"sum"` // SHA-256 of the key
}

// principal returns who calls with the key. A tenant of its own isolates each key
// that is limited at all, unless keys share one by name.
func (k *Key) principal() auth.Principal {
	p := k.Principal()
	if !p.Admin() && p.Tenant == "" {
		p.Tenant = k.ID
	}
	p.Key = k.ID
	return p
}

// Store keeps keys. Safe for concurrent use.
type Store struct {
	Records record.Store
	Now     func() time.Time

	mu    sync.Mutex
	known map[string]reading // by id
}

// reading is what was read of a key.
type reading struct {
	key *Key // nil if there is none
	at  time.Time
}

// Create makes a key, and returns its record and the key, which is not to be had
// again.
func (s *Store) Create(ctx context.Context, t Terms) (*Key, string, error) {
	secret := auth.NewKey()
	sum := sha256.Sum256([]byte(secret))
	k := &Key{ID: auth.KeyID(secret), Terms: t, Hint: secret[len(secret)-4:], Created: s.Now().UTC(), Sum: sum[:]}
	item, err := itemOf(k)
	if err != nil {
		return nil, "", err
	}
	return k, secret, s.Records.Put(ctx, item, record.Absent())
}

func keyOf(id string) record.Key { return record.Key{Partition: partition, Sort: id} }

func itemOf(k *Key) (record.Item, error) {
	value, err := json.Marshal(k)
	if err != nil {
		return record.Item{}, fmt.Errorf("encode key: %w", err)
	}
	item := record.Item{Key: keyOf(k.ID), Value: value}
	if k.Revoked != nil {
		item.Expires = k.Revoked.Add(keepRevoked)
	}
	return item, nil
}

func decode(item record.Item) (*Key, error) {
	k := &Key{}
	if err := json.Unmarshal(item.Value, k); err != nil {
		return nil, fmt.Errorf("record of key %s: %w", item.Sort, err)
	}
	return k, nil
}

// Read returns the record of a key; fault.NotFound when there is none.
func (s *Store) Read(ctx context.Context, id string) (*Key, error) {
	if !validID(id) {
		return nil, unknown(id)
	}
	item, err := s.Records.Find(ctx, keyOf(id))
	if fault.Is(err, fault.NotFound) {
		return nil, unknown(id)
	}
	if err != nil {
		return nil, err
	}
	return decode(item)
}

func unknown(id string) error { return fault.New(fault.NotFound, "no key %q", id) }

func validID(id string) bool {
	hexes, ok := strings.CutPrefix(id, "key_")
	return ok && len(hexes) == 24 && strings.Trim(hexes, "0123456789abcdef") == ""
}

// List returns up to limit keys in the order of their ids, after or before one that
// need not exist, and whether there are more in that direction.
func (s *Store) List(ctx context.Context, after, before string, limit int) (list []*Key, more bool, err error) {
	for name, id := range map[string]string{"after_id": after, "before_id": before} {
		if id != "" && !validID(id) {
			return nil, false, fault.New(fault.Malformed, "%s: %q is no id of a key", name, id)
		}
	}
	r := record.Range{Partition: partition, After: after, Before: before, Reverse: before != "", Limit: min(limit+1, record.MaxPageItems)}
	for item, err := range record.All(ctx, s.Records, r) {
		if err != nil {
			return nil, false, err
		}
		k, err := decode(item)
		if err != nil {
			continue // damaged: the others are unaffected
		}
		if len(list) == limit {
			more = true
			break
		}
		list = append(list, k)
	}
	if r.Reverse {
		slices.Reverse(list)
	}
	return list, more, nil
}

// Change replaces the terms of a key by what change makes of them. A revoked key is
// fault.Conflict: it does not come back.
func (s *Store) Change(ctx context.Context, id string, change func(Terms) (Terms, error)) (*Key, error) {
	return s.update(ctx, id, func(k *Key) (record.Action, error) {
		if k.Revoked != nil {
			return record.Leave, fault.New(fault.Conflict, "key %s is revoked", id)
		}
		var err error
		k.Terms, err = change(k.Terms)
		return record.Write, err
	})
}

// Revoke makes a key worthless, at once in this process and within 20 s in others. A
// key that is revoked already stays as it is.
func (s *Store) Revoke(ctx context.Context, id string) (*Key, error) {
	return s.update(ctx, id, func(k *Key) (record.Action, error) {
		if k.Revoked != nil {
			return record.Leave, nil
		}
		now := s.Now().UTC()
		k.Revoked = &now
		return record.Write, nil
	})
}

func (s *Store) update(ctx context.Context, id string, change func(*Key) (record.Action, error)) (*Key, error) {
	if !validID(id) {
		return nil, unknown(id)
	}
	var k *Key
	err := record.Update(ctx, s.Records, keyOf(id), func(old record.Item, found bool) (record.Item, record.Action, error) {
		if !found {
			return record.Item{}, record.Leave, unknown(id)
		}
		var err error
		if k, err = decode(old); err != nil {
			return record.Item{}, record.Leave, err
		}
		action, err := change(k)
		if err != nil || action == record.Leave {
			return record.Item{}, record.Leave, err
		}
		item, err := itemOf(k)
		return item, action, err
	})
	s.mu.Lock()
	delete(s.known, id)
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return k, nil
}

// Find implements auth.Source.
func (s *Store) Find(ctx context.Context, token string) (auth.Principal, bool, error) {
	// Other texts are not looked up, so that guessing costs no reads.
	if !auth.IsKey(token) {
		return auth.Principal{}, false, nil
	}
	k, err := s.recent(ctx, auth.KeyID(token))
	if k == nil || err != nil {
		return auth.Principal{}, false, err
	}
	sum := sha256.Sum256([]byte(token))
	switch {
	case subtle.ConstantTimeCompare(sum[:], k.Sum) != 1:
		return auth.Principal{}, false, nil
	case k.Revoked != nil:
		return auth.Principal{}, false, fault.New(fault.Unauthorized, "this key is revoked")
	case k.Expires != nil && !s.Now().Before(*k.Expires):
		return auth.Principal{}, false, fault.New(fault.Unauthorized, "this key has expired")
	}
	return k.principal(), true, nil
}

// recent returns a key as it was at most 20 s ago; nil if there is none.
func (s *Store) recent(ctx context.Context, id string) (*Key, error) {
	now := s.Now()
	s.mu.Lock()
	r, ok := s.known[id]
	s.mu.Unlock()
	if age := now.Sub(r.at); ok && age >= 0 && age < remember {
		return r.key, nil
	}
	k, err := s.Read(ctx, id)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= remembered || s.known == nil {
		s.known = map[string]reading{}
	}
	s.known[id] = reading{k, now}
	return k, nil
}
