// Package auth authenticates callers and decides which collections they may
// use. Package rest passes the credentials in and carries the Principal in the
// request's context.
package auth

import (
	"context"
	"crypto/rand"
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
	// Key is the id of the credential, by which usage is counted; empty without
	// authentication, and where an authorizer of the API names the caller.
	Key string
	// Groups are the groups of endpoints that the caller may use; nil means all.
	Groups []string
	Limits Limits
}

// ReachPath is where every caller may ask what it may do, whatever its Groups are.
const ReachPath = "/key"

// Limits bound what a key may use; 0 is unlimited.
type Limits struct {
	RequestsPerMinute int `json:"requests_per_minute,omitempty"`
	TokensPerDay      int `json:"tokens_per_day,omitempty"` // of chats and embeddings, in a day of UTC
}

// Admin reports whether the principal has no limits at all, and so may administer
// the service.
func (p Principal) Admin() bool {
	return p.Collections == nil && p.Groups == nil && p.Tenant == "" && p.Limits == Limits{}
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

// Source knows credentials.
type Source interface {
	// Find returns the caller that has a token, and whether this source knows it.
	// fault.Unauthorized says why a token that the source has issued is not accepted
	// any more; every other error, that it could not be checked.
	Find(ctx context.Context, token string) (Principal, bool, error)
}

// Authenticate finds the caller by the Authorization header ("Bearer x" or "Basic x")
// and the x-api-key header, of which one valid credential is enough, in the sources, the
// first of which decides.
func Authenticate(ctx context.Context, authorization, apiKey string, sources ...Source) (Principal, error) {
	scheme, token, _ := strings.Cut(authorization, " ")
	if !strings.EqualFold(scheme, "bearer") && !strings.EqualFold(scheme, "basic") {
		token = ""
	}
	var refused error = fault.New(fault.Unauthorized, "missing or unknown credentials")
	for _, token := range []string{strings.TrimSpace(token), apiKey} {
		if token == "" {
			continue
		}
		for _, s := range sources {
			p, ok, err := s.Find(ctx, token)
			switch {
			case ok && err == nil:
				return p, nil
			case fault.Is(err, fault.Unauthorized):
				refused = err
			case err != nil:
				return Principal{}, err
			}
		}
	}
	return Principal{}, refused
}

const (
	keyPrefix = "lectern-"
	keyLength = len(keyPrefix) + 26
)

// NewKey makes a key of 128 bits of chance.
func NewKey() string { return keyPrefix + rand.Text() }

// IsKey reports whether a token has the form of the keys that NewKey makes.
func IsKey(token string) bool { return strings.HasPrefix(token, keyPrefix) && len(token) == keyLength }

// ValidTenant reports whether a name can be a tenant's: at most 64 letters, digits, -
// and _.
func ValidTenant(name string) bool {
	return len(name) <= 64 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// KeyID returns the id of a key, which tells nothing about it. It is the beginning of
// the key's SHA-256.
func KeyID(key string) string {
	sum := sha256.Sum256([]byte(key))
	return "key_" + hex.EncodeToString(sum[:12])
}

// Keyring is a Source of keys that are given by settings.
type Keyring struct{ keys []entry }

type entry struct {
	sum       [sha256.Size]byte
	principal Principal
}

// NewKeyring accepts the given keys.
func NewKeyring(keys []Key) *Keyring {
	ring := &Keyring{}
	for _, k := range keys {
		ring.keys = append(ring.keys, entry{sha256.Sum256([]byte(k.Key)),
			Principal{Collections: k.Collections, Tenant: k.tenant(), Key: KeyID(k.Key)}})
	}
	return ring
}

// Find implements Source. Every key is compared, in constant time.
func (r *Keyring) Find(_ context.Context, token string) (Principal, bool, error) {
	sum := sha256.Sum256([]byte(token))
	var found Principal
	ok := 0
	for _, k := range r.keys {
		if subtle.ConstantTimeCompare(sum[:], k.sum[:]) == 1 {
			found, ok = k.principal, 1
		}
	}
	return found, ok == 1, nil
}
