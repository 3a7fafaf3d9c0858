// Package oidc accepts the bearer tokens of an OpenID provider. What a caller may do
// stands in the token's claims; whether it is genuine, github.com/coreos/go-oidc says.
package oidc

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"lectern/shared/auth"
	"lectern/shared/fault"
)

// Options say whose tokens count, and what in them.
type Options struct {
	Issuer string
	// Audiences are the applications whose tokens count: one of them is in the claim
	// aud, or is the claim client_id of a token without aud, as Cognito's access tokens
	// have it.
	Audiences []string
	// Collections is the claim that names the collections: a list of names, or one
	// string with names between spaces or commas; "*" is every collection. Callers
	// without it may use none.
	Collections string
	// Client is the public client as which people sign in on the page; they do not when
	// it is empty. Scopes are what it asks for.
	Client string
	Scopes []string
}

// Parse reads the setting https://issuer?audience=name&collections=claim; audience may
// be repeated, and collections is the claim "collections" when it is left out. With
// client=name people may sign in on the page, as that client; scope=names adds to what
// it asks for.
func Parse(setting string) (Options, error) {
	u, err := url.Parse(setting)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return Options{}, errors.New("should be https://issuer?audience=name&collections=claim")
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme != "https" && !(u.Scheme == "http" && (u.Hostname() == "localhost" || ip.IsLoopback())) {
		return Options{}, errors.New("the issuer should be reached by https")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Options{}, errors.New("should be https://issuer?audience=name&collections=claim")
	}
	for name := range query {
		if !slices.Contains([]string{"audience", "collections", "client", "scope"}, name) {
			return Options{}, fmt.Errorf("there is no option %q", name)
		}
	}
	o := Options{Audiences: query["audience"], Collections: "collections"}
	if claim := query.Get("collections"); claim != "" {
		o.Collections = claim
	}
	if len(o.Audiences) == 0 || slices.Contains(o.Audiences, "") {
		return Options{}, errors.New("should have an audience, or tokens for other applications would count")
	}
	if o.Client = query.Get("client"); o.Client != "" {
		o.Scopes = append([]string{oidc.ScopeOpenID}, strings.Fields(query.Get("scope"))...)
	} else if query.Has("scope") {
		return Options{}, errors.New("scope is for signing in on the page, which needs a client")
	}
	u.RawQuery = ""
	o.Issuer = u.String()
	return o, nil
}

const (
	// askTime bounds a question to the provider.
	askTime = 10 * time.Second
	// askAgain is how long an answer of the provider counts, and how long it is not
	// asked after a failure: tokens with unknown keys do not make it busy.
	askAgain = 10 * time.Second
	// maxAnswer is the largest answer of a provider, in bytes.
	maxAnswer = 1 << 20
)

// Start is where somebody signs in, by a code that PKCE protects.
type Start struct {
	Address string // of the provider's page
	Client  string
	Scopes  []string
}

// Offers reports whether people may sign in on the page.
func (s *Source) Offers() bool { return s != nil && s.options.Client != "" }

// SignIn tells where to sign in; fault.Unsupported when nobody may on the page.
func (s *Source) SignIn(ctx context.Context) (Start, error) {
	if !s.Offers() {
		return Start{}, fault.New(fault.Unsupported, "this service has no sign-in on its page")
	}
	if _, err := s.ready(ctx); err != nil {
		return Start{}, err
	}
	return Start{s.endpoint.AuthURL, s.options.Client, s.options.Scopes}, nil
}

// Exchange returns the token that a code is good for, and how long it counts. Codes that
// the provider does not accept are fault.Malformed; people whose tokens this service
// does not accept fault.Forbidden.
func (s *Source) Exchange(ctx context.Context, code, verifier, redirect string) (token string, lasts time.Duration, err error) {
	if _, err := s.SignIn(ctx); err != nil {
		return "", 0, err
	}
	c := oauth2.Config{ClientID: s.options.Client, Endpoint: s.endpoint, RedirectURL: redirect}
	got, err := c.Exchange(oidc.ClientContext(ctx, s.client), code, oauth2.VerifierOption(verifier))
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response.StatusCode/100 == 4 {
		return "", 0, fault.Wrap(err, fault.Malformed, "the OpenID provider does not accept the code; sign in again")
	}
	if err != nil {
		return "", 0, fault.Wrap(err, fault.Unavailable, "the OpenID provider cannot be asked for a token")
	}
	id, _ := got.Extra("id_token").(string)
	why := fault.New(fault.Forbidden, "the OpenID provider gives no token that this service accepts")
	for _, token := range []string{got.AccessToken, id} {
		_, ok, err := s.Find(ctx, token)
		switch {
		case ok && err == nil:
			return token, max(0, got.Expiry.Sub(s.now()).Round(time.Second)), nil
		case fault.Is(err, fault.Unavailable):
			return "", 0, err
		case err != nil:
			why.Cause = err
		}
	}
	return "", 0, why
}

// Source is an auth.Source of the tokens of one provider, which is asked when the first
// token comes. Safe for concurrent use.
type Source struct {
	options  Options
	now      func() time.Time
	client   *http.Client
	mu       sync.Mutex
	verifier *oidc.IDTokenVerifier
	endpoint oauth2.Endpoint
}

// New returns the source of a provider's tokens.
func New(o Options, now func() time.Time) *Source {
	return &Source{options: o, now: now, client: &http.Client{Timeout: askTime, Transport: &lately{now: now, next: http.DefaultTransport}}}
}

// ready returns what checks tokens, after the provider has described itself.
func (s *Source) ready(ctx context.Context) (*oidc.IDTokenVerifier, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.verifier != nil {
		return s.verifier, nil
	}
	// The provider keeps the context for its later questions.
	p, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), s.client), s.options.Issuer)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "the OpenID provider cannot be asked")
	}
	var described struct {
		Keys       string   `json:"jwks_uri"`
		Algorithms []string `json:"id_token_signing_alg_values_supported"`
	}
	if err := p.Claims(&described); err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "the OpenID provider's description cannot be read")
	}
	algorithms := slices.DeleteFunc(described.Algorithms, func(a string) bool { return !slices.Contains(signatures, a) })
	if len(algorithms) == 0 {
		algorithms = signatures[:1]
	}
	s.endpoint = p.Endpoint()
	s.endpoint.AuthStyle = oauth2.AuthStyleInParams // of a client without a secret
	remote := oidc.NewRemoteKeySet(oidc.ClientContext(context.WithoutCancel(ctx), s.client), described.Keys)
	s.verifier = oidc.NewVerifier(s.options.Issuer, keys{remote},
		&oidc.Config{SkipClientIDCheck: true, Now: s.now, SupportedSigningAlgs: algorithms})
	return s.verifier, nil
}

// signatures are the algorithms that count: those whose keys can be public.
var signatures = []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512,
	oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA}

// keys are the provider's. What hinders asking for them is kept apart, for the caller
// of go-oidc sees only its text.
type keys struct{ oidc.KeySet }

type hindranceKey struct{}

// VerifySignature implements oidc.KeySet.
func (k keys) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.KeySet.VerifySignature(ctx, token)
	if hindrance, ok := ctx.Value(hindranceKey{}).(*error); ok && errors.Is(err, errAsked) {
		*hindrance = err
	}
	return payload, err
}

// Find implements auth.Source. Tokens of other issuers, and texts that are no tokens,
// are not known.
func (s *Source) Find(ctx context.Context, token string) (auth.Principal, bool, error) {
	if strings.Count(token, ".") != 2 || !strings.HasPrefix(token, "ey") {
		return auth.Principal{}, false, nil
	}
	verifier, err := s.ready(ctx)
	if err != nil {
		return auth.Principal{}, false, err
	}
	var hindrance error
	t, err := verifier.Verify(context.WithValue(ctx, hindranceKey{}, &hindrance), token)
	var expired *oidc.TokenExpiredError
	switch {
	case hindrance != nil:
		return auth.Principal{}, false, fault.Wrap(hindrance, fault.Unavailable, "the OpenID provider cannot be asked for its keys")
	case errors.As(err, &expired):
		return auth.Principal{}, false, fault.Wrap(err, fault.Unauthorized, "the token has expired")
	case err != nil:
		return auth.Principal{}, false, fault.Wrap(err, fault.Unauthorized, "the token is not valid")
	}
	claims := map[string]json.RawMessage{}
	if err := t.Claims(&claims); err != nil {
		return auth.Principal{}, false, fault.Wrap(err, fault.Unauthorized, "the token's claims cannot be read")
	}
	if !s.meant(t, claims) {
		return auth.Principal{}, false, fault.New(fault.Unauthorized, "the token is for another application: its audience is not this service")
	}
	if t.Subject == "" {
		return auth.Principal{}, false, fault.New(fault.Unauthorized, "the token names no subject")
	}
	collections, err := names(claims[s.options.Collections])
	if err != nil {
		return auth.Principal{}, false, fault.New(fault.Unauthorized, "the token's claim %s should be a list of names of collections", s.options.Collections)
	}
	sum := sha256.Sum256([]byte(t.Issuer + "\x00" + t.Subject))
	id := "oidc_" + hex.EncodeToString(sum[:12])
	return auth.Principal{Collections: collections, Tenant: id, Key: id}, true, nil
}

// meant reports whether a token is for one of the audiences.
func (s *Source) meant(t *oidc.IDToken, claims map[string]json.RawMessage) bool {
	given := t.Audience
	if len(given) == 0 {
		var client string
		if json.Unmarshal(claims["client_id"], &client) == nil {
			given = []string{client}
		}
	}
	return slices.ContainsFunc(given, func(a string) bool { return a != "" && slices.Contains(s.options.Audiences, a) })
}

// names reads the claim with the collections; nil means all.
func names(claim json.RawMessage) ([]string, error) {
	list := []string{}
	if claim == nil || string(claim) == "null" {
		return list, nil
	}
	var one string
	if json.Unmarshal(claim, &one) == nil {
		list = append(list, strings.FieldsFunc(one, func(r rune) bool { return r == ' ' || r == ',' })...)
	} else if err := json.Unmarshal(claim, &list); err != nil {
		return nil, err
	}
	if slices.Contains(list, "*") {
		return nil, nil
	}
	return list, nil
}

// errAsked says that the provider could not be asked.
var errAsked = errors.New("the provider gave no answer")

// lately asks a provider, and goes by the last answer of each address for a while.
type lately struct {
	now  func() time.Time
	next http.RoundTripper

	mu   sync.Mutex
	last map[string]answer
}

type answer struct {
	at     time.Time
	status int
	header http.Header
	body   []byte
	err    error
}

// RoundTrip implements http.RoundTripper.
func (l *lately) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet {
		return l.next.RoundTrip(r)
	}
	address := r.URL.String()
	l.mu.Lock()
	defer l.mu.Unlock()
	a, ok := l.last[address]
	if age := l.now().Sub(a.at); !ok || age < 0 || age >= askAgain {
		a = l.ask(r)
		if l.last == nil {
			l.last = map[string]answer{}
		}
		l.last[address] = a
	}
	if a.err != nil {
		return nil, a.err
	}
	return &http.Response{Status: http.StatusText(a.status), StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.header.Clone(), Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: r}, nil
}

// ask asks for itself: a client that goes away does not spoil the answer for others.
func (l *lately) ask(r *http.Request) answer {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), askTime)
	defer cancel()
	a := answer{at: l.now()}
	resp, err := l.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		a.err = errors.Join(errAsked, err)
		return a
	}
	defer resp.Body.Close()
	a.status, a.header = resp.StatusCode, resp.Header
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err == nil && a.status != http.StatusOK {
		err = fmt.Errorf("status %d", a.status)
	}
	if err != nil {
		a.err = errors.Join(errAsked, err)
	}
	return a
}
