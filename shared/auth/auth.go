// Package auth authenticates callers and decides which collections they may
// use. Package rest passes the credentials in and carries the Principal in the
// request's context.
package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"strings"

	"lectern/shared/fault"
)

// Principal is an authenticated caller.
type Principal struct {
	// Collections are the ones the caller may use; nil means all.
	Collections []string
	// Tenant isolates the caller's sessions, messages, uploads and idempotency keys
	// from those of others; empty for callers without limits, and without
	// authentication.
	Tenant string
}

// Allows reports whether the principal may use the collection.
func (p Principal) Allows(collection string) bool {
	return p.Collections == nil || slices.Contains(p.Collections, collection)
}

// Covers reports whether the principal may use all of the collections; nil means
// every one.
func (p Principal) Covers(collections []string) bool {
	if p.Collections == nil {
		return true
	}
	return collections != nil && !slices.ContainsFunc(collections, func(c string) bool { return !p.Allows(c) })
}

// TenantKey is a tenant's name as a part of keys of the stores: a hash, since names are
// free text.
func TenantKey(tenant string) string {
	sum := sha256.Sum256([]byte(tenant))
	return hex.EncodeToString(sum[:8])
}

type contextKey struct{}

// With returns a context that carries the principal.
func With(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// From returns the context's principal. A context without one belongs to the
// service itself, which may use every collection.
func From(ctx context.Context) Principal {
	p, _ := ctx.Value(contextKey{}).(Principal)
	return p
}

// Check returns a Forbidden fault unless the context's principal may use the
// collection.
func Check(ctx context.Context, collection string) error {
	if !From(ctx).Allows(collection) {
		return fault.New(fault.Forbidden, "this key may not use collection %q", collection)
	}
	return nil
}

// Key is one accepted credential.
type Key struct {
	Key         string
	Collections []string // that it may use; nil means all
	// Tenant names the key's owner and survives key rotation. Limited keys without a
	// tenant share one with all keys for exactly the same collections.
	Tenant string
}

func (k Key) tenant() string {
	if k.Tenant != "" || k.Collections == nil {
		return k.Tenant
	}
	sum := sha256.Sum256([]byte(strings.Join(slices.Sorted(slices.Values(k.Collections)), "\x00")))
	return "collections-" + hex.EncodeToString(sum[:8])
}

// Keyring checks credentials. A nil *Keyring accepts everyone.
type Keyring struct{ keys []entry }

type entry struct {
	sum       [sha256.Size]byte
	principal Principal
}

// NewKeyring accepts the given keys.
func NewKeyring(keys []Key) *Keyring {
	ring := &Keyring{}
	for _, k := range keys {
		ring.keys = append(ring.keys, entry{sha256.Sum256([]byte(k.Key)), Principal{Collections: k.Collections, Tenant: k.tenant()}})
	}
	return ring
}

// Principal authenticates a caller by the Authorization header ("Bearer x" or
// "Basic x") and the x-api-key header; one valid credential is enough. Every
// key is compared, in constant time.
func (r *Keyring) Principal(authorization, apiKey string) (Principal, error) {
	if r == nil {
		return Principal{}, nil
	}
	scheme, token, _ := strings.Cut(authorization, " ")
	if !strings.EqualFold(scheme, "bearer") && !strings.EqualFold(scheme, "basic") {
		token = ""
	}
	found, ok := r.find(strings.TrimSpace(token))
	if !ok {
		found, ok = r.find(apiKey)
	}
	if !ok {
		return Principal{}, fault.New(fault.Unauthorized, "missing or unknown credentials")
	}
	return found, nil
}

func (r *Keyring) find(token string) (Principal, bool) {
	sum := sha256.Sum256([]byte(token))
	var found Principal
	ok := 0
	for _, k := range r.keys {
		if subtle.ConstantTimeCompare(sum[:], k.sum[:]) == 1 {
			found, ok = k.principal, 1
		}
	}
	return found, ok == 1 && token != ""
}
