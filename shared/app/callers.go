package app

import (
	"context"
	"net/http"
	"slices"
	"time"

	"lectern/shared/api/rest"
	"lectern/shared/auth"
	"lectern/shared/auth/keystore"
	"lectern/shared/auth/oidc"
	"lectern/shared/auth/usage"
	"lectern/shared/fault"
	"lectern/shared/storage/recent"
)

// storeUsage is how often a function stores what keys without limits use. A process
// that is alone does so with the meter's every round.
const storeUsage = 15 * time.Second

// NewMeter returns the meter of the process. It needs Records.
func NewMeter(p *Process) *usage.Meter {
	if p.Meter == nil {
		p.Meter = &usage.Meter{Records: p.Records, Now: p.Now, Owner: p.Owner, Alone: p.Alone}
		if !p.Alone {
			p.Meter.Every = storeUsage
		}
	}
	return p.Meter
}

// NewKeys returns the keys that are made while the service runs. It needs Records.
func NewKeys(p *Process) *keystore.Store {
	if p.Keys == nil {
		p.Keys = &keystore.Store{Records: p.Records, Now: p.Now}
	}
	return p.Keys
}

// Lists of what was accepted lately.
const (
	RecentTasks    = "tasks"
	RecentMessages = "messages"
)

// Recent returns a list of what was accepted lately. It needs Records.
func Recent(p *Process, name string) *recent.Log {
	return &recent.Log{Name: name, Records: p.Records, Now: p.Now, Log: p.Log}
}

// Wrap adds request ids, authentication, limits, CORS and logging to a handler.
// open lists paths without authentication, in addition to /health and the pages
// with their assets. observe, if not nil, is called for every answer. It needs
// Records.
func Wrap(p *Process, h http.Handler, observe func(rest.Answered), open ...string) (http.Handler, error) {
	caller, err := callers(p)
	if err != nil {
		return nil, err
	}
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.Requests.Add(1)
		defer p.Requests.Add(-1)
		h.ServeHTTP(w, r)
	})
	return rest.Wrap(counted, rest.Options{
		Caller: caller, Admit: admit(p, NewMeter(p)), IDs: p.IDs, Log: p.Log, Origin: p.Config.Origin, Door: p.Door,
		Budget: p.Budget, Held: p.Held, Arriving: p.Arriving, Slots: p.Slots,
		BodyLimit: p.Config.BodyLimit, Open: append([]string{"/health", "/", "/assets/", "/docs", "/sign-in"}, open...), Now: p.Now,
		Observe: observe, Tracer: p.Tracer,
	}), nil
}

// NewOIDC returns the source of the tokens of the OpenID provider; nil without one, and
// where an authorizer of the API names the callers.
func NewOIDC(p *Process) (*oidc.Source, error) {
	if p.OIDC == nil && p.Config.OIDC != "" && p.Authority == nil {
		o, err := oidc.Parse(p.Config.OIDC)
		if err != nil {
			return nil, Of("LECTERN_OIDC", err)
		}
		p.OIDC = oidc.New(o, p.Now)
	}
	return p.OIDC, nil
}

// callers returns what names the callers of requests; nil where everybody may come.
func callers(p *Process) (func(*http.Request) (auth.Principal, error), error) {
	if p.Authority != nil || p.Config.Keys == nil {
		return p.Authority, nil
	}
	sources := []auth.Source{p.Config.Keys, NewKeys(p)}
	provider, err := NewOIDC(p)
	if err != nil {
		return nil, err
	}
	if provider != nil {
		sources = append(sources, provider)
	}
	return rest.ByKey(sources...), nil
}

// admit returns what refuses requests that the caller's key does not allow.
func admit(p *Process, meter *usage.Meter) func(context.Context, http.Header, string) error {
	return func(ctx context.Context, answer http.Header, path string) error {
		caller := auth.From(ctx)
		if caller.Groups != nil && path != auth.ReachPath {
			group := ""
			if p.GroupOf != nil {
				group = p.GroupOf(path)
			}
			if !slices.Contains(caller.Groups, group) {
				return fault.New(fault.Forbidden, "this key may not use the endpoints of %q", group)
			}
		}
		standing, err := meter.Admit(ctx, caller)
		standing.Write(answer)
		return err
	}
}
