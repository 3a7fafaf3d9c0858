package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lectern/functions"
	"lectern/shared/auth"
	"lectern/shared/auth/keystore"
	"lectern/shared/fault"
)

// all stands for every collection, or every group.
const all = "*"

// terms are what a key may do.
type terms struct {
	Name        string   `json:"name" required:"true" minlen:"1" maxlen:"255" doc:"what people call it"`
	Collections []string `json:"collections" required:"true" maxlen:"1000" doc:"that it may use; [\"*\"] for all"`
	Groups      []string `json:"groups,omitempty" doc:"of endpoints that it may use, such as messages or files; all when left out"`
	Tenant      string   `json:"tenant,omitempty" maxlen:"64" doc:"keys of one tenant share sessions, messages and files; each limited key has its own when left out"`
	Requests    *int     `json:"requests_per_minute,omitempty" min:"1" max:"1000000" doc:"unlimited when left out"`
	Tokens      *int     `json:"tokens_per_day,omitempty" min:"1" max:"1000000000000" doc:"of chats and embeddings, by days of UTC; unlimited when left out"`
	Expires     string   `json:"expires_at,omitempty" format:"date-time" doc:"never when left out"`
}

// read checks terms and returns them as they are kept.
func (d Deps) read(t *terms) (keystore.Terms, error) {
	var problems []fault.Problem
	problem := func(kind, msg string, loc ...any) {
		problems = append(problems, fault.Problem{Loc: append([]any{"body"}, loc...), Type: kind, Msg: msg})
	}
	out := keystore.Terms{Name: t.Name, Tenant: t.Tenant, Collections: []string{}}
	if t.Requests != nil {
		out.RequestsPerMinute = *t.Requests
	}
	if t.Tokens != nil {
		out.TokensPerDay = *t.Tokens
	}
	if !auth.ValidTenant(t.Tenant) {
		problem("string_pattern_mismatch", "Input should be letters, digits, - and _", "tenant")
	}
	switch {
	case slices.Equal(t.Collections, []string{all}):
		out.Collections = nil
	case slices.Contains(t.Collections, all):
		problem("value_error", `"*" is every collection; it stands alone`, "collections")
	default:
		for i, name := range t.Collections {
			if name == "" || len(name) > 255 {
				problem("value_error", "Input should be the name of a collection, 1 to 255 bytes", "collections", i)
			}
		}
		out.Collections = append(out.Collections, t.Collections...)
	}
	if len(t.Groups) > 0 && !slices.Equal(t.Groups, []string{all}) {
		known := limited()
		for i, name := range t.Groups {
			if !slices.Contains(known, name) {
				problem("value_error", fmt.Sprintf("Input should be one of %s", strings.Join(known, ", ")), "groups", i)
			}
		}
		out.Groups = t.Groups
	}
	if t.Expires != "" {
		at, err := time.Parse(time.RFC3339, t.Expires)
		if err != nil || !at.After(d.Now()) {
			problem("datetime_future", "Input should be a moment to come, such as 2030-01-31T12:00:00Z", "expires_at")
		}
		at = at.UTC()
		out.Expires = &at
	}
	if len(problems) > 0 {
		return out, fault.Problems(problems)
	}
	return out, nil
}

// limited lists the groups of endpoints that keys can be limited to.
func limited() []string {
	var names []string
	for _, g := range functions.Groups() {
		if g.Name != "admin" { // is for keys without limits
			names = append(names, g.Name)
		}
	}
	return names
}

// shown is a key as answers show it.
type shown struct {
	ID          string     `json:"id"`
	Type        string     `json:"type" enum:"key"`
	Name        string     `json:"name"`
	Hint        string     `json:"hint" doc:"the key's last four characters"`
	Status      string     `json:"status" enum:"active,expired,revoked"`
	Collections []string   `json:"collections"`
	Groups      []string   `json:"groups"`
	Tenant      *string    `json:"tenant"`
	Requests    *int       `json:"requests_per_minute"`
	Tokens      *int       `json:"tokens_per_day"`
	Expires     *time.Time `json:"expires_at"`
	Created     time.Time  `json:"created_at"`
	Revoked     *time.Time `json:"revoked_at"`
}

func (d Deps) show(k *keystore.Key) shown {
	s := shown{ID: k.ID, Type: "key", Name: k.Name, Hint: k.Hint, Status: "active", Collections: k.Collections, Groups: k.Groups,
		Expires: k.Expires, Created: k.Created, Revoked: k.Revoked}
	if s.Collections == nil {
		s.Collections = []string{all}
	}
	if s.Groups == nil {
		s.Groups = []string{all}
	}
	if k.Tenant != "" {
		s.Tenant = &k.Tenant
	}
	if k.RequestsPerMinute > 0 {
		s.Requests = &k.RequestsPerMinute
	}
	if k.TokensPerDay > 0 {
		s.Tokens = &k.TokensPerDay
	}
	switch {
	case k.Revoked != nil:
		s.Status = "revoked"
	case k.Expires != nil && !d.Now().Before(*k.Expires):
		s.Status = "expired"
	}
	return s
}

// fresh is a key that was just made.
type fresh struct {
	shown
	Key string `json:"key" doc:"to send as x-api-key or as a bearer token; not to be had again"`
}

func (d Deps) create(ctx context.Context, in *terms) (fresh, error) {
	if !d.AsksForKeys {
		return fresh{}, fault.New(fault.Unsupported, "this service asks for no keys, so that one would close nothing: "+
			"start it with LECTERN_OPEN=key, or with SERVER_AUTH_ENABLED=true and a first key")
	}
	t, err := d.read(in)
	if err != nil {
		return fresh{}, err
	}
	k, key, err := d.Keys.Create(ctx, t)
	if err != nil {
		return fresh{}, err
	}
	return fresh{d.show(k), key}, nil
}

type keyList struct {
	Data    []shown `json:"data"`
	FirstID *string `json:"first_id"`
	LastID  *string `json:"last_id"`
	HasMore bool    `json:"has_more"`
}

type keyQuery struct {
	AfterID  string `json:"after_id,omitempty" doc:"cursor: the page that starts just after this key"`
	BeforeID string `json:"before_id,omitempty" doc:"cursor: the page that ends just before this key"`
	Limit    int    `json:"limit" default:"20" min:"1" max:"1000"`
}

func (d Deps) list(ctx context.Context, q *keyQuery) (keyList, error) {
	if q.AfterID != "" && q.BeforeID != "" {
		return keyList{}, fault.New(fault.Malformed, "after_id and before_id cannot be used together")
	}
	keys, more, err := d.Keys.List(ctx, q.AfterID, q.BeforeID, q.Limit)
	if err != nil {
		return keyList{}, err
	}
	out := keyList{Data: make([]shown, len(keys)), HasMore: more}
	for i, k := range keys {
		out.Data[i] = d.show(k)
	}
	if n := len(keys); n > 0 {
		out.FirstID, out.LastID = &keys[0].ID, &keys[n-1].ID
	}
	return out, nil
}

type keyPath struct {
	ID string `json:"-" path:"key_id"`
}

func (d Deps) get(ctx context.Context, q *keyPath) (shown, error) {
	k, err := d.Keys.Read(ctx, q.ID)
	if err != nil {
		return shown{}, err
	}
	return d.show(k), nil
}

type changed struct {
	terms
	ID string `json:"-" path:"key_id"`
}

func (d Deps) change(ctx context.Context, in *changed) (shown, error) {
	t, err := d.read(&in.terms)
	if err != nil {
		return shown{}, err
	}
	if in.ID == auth.From(ctx).Key && !unlimited(t) {
		return shown{}, fault.New(fault.Conflict, "a key cannot limit itself: nobody might be left who could undo it")
	}
	k, err := d.Keys.Change(ctx, in.ID, func(keystore.Terms) (keystore.Terms, error) { return t, nil })
	if err != nil {
		return shown{}, err
	}
	return d.show(k), nil
}

// unlimited reports whether a key with these terms still administers.
func unlimited(t keystore.Terms) bool {
	return t.Principal().Admin() && t.Expires == nil
}

func (d Deps) revoke(ctx context.Context, q *keyPath) (shown, error) {
	if q.ID == auth.From(ctx).Key {
		return shown{}, fault.New(fault.Conflict, "a key cannot revoke itself: make another one first, and revoke this one with it")
	}
	k, err := d.Keys.Revoke(ctx, q.ID)
	if err != nil {
		return shown{}, err
	}
	return d.show(k), nil
}
